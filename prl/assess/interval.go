package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// An Interval is an estimate with the ends of an interval that covers the true value with a stated probability.
type Interval struct{ Estimate, Lo, Hi float64 }

// Wilson returns the share k/n with Wilson's score interval, which stays within [0, 1] and covers well for small n too:
//
//	(p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n).
//
// Errors: k outside 0 ... n, n below 1, a confidence outside (0, 1). Source: Wilson, Journal of the American Statistical Association 22
// (1927).
func Wilson(k, n int, confidence float64) (Interval, error) {
	if err := checkShare("assess.Wilson", k, n, confidence); err != nil {
		return Interval{}, err
	}
	z, m := -normalQuantile((1-confidence)/2), float64(n)
	p := float64(k) / m
	mid, half, scale := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m)), 1+z*z/m
	i := Interval{p, max(0, (mid-half)/scale), min(1, (mid+half)/scale)}
	if k == 0 { // what rounding leaves
		i.Lo = 0
	}
	if k == n {
		i.Hi = 1
	}
	return i, nil
}

// Wald returns the share p = k/n with the interval p +- z sqrt(p(1-p)/n), in which the normal distribution stands for the binomial
// and p for the truth. It is narrow, and for few cases it covers far less than it promises: at k = 0 it is a point. Ends may lie outside
// [0, 1]. Compare [Wilson], and ClopperPearson of package learn. Errors: as Wilson.
func Wald(k, n int, confidence float64) (Interval, error) {
	const op = "assess.Wald"
	if err := checkShare(op, k, n, confidence); err != nil {
		return Interval{}, err
	}
	p := float64(k) / float64(n)
	half := -normalQuantile((1-confidence)/2) * math.Sqrt(p*(1-p)/float64(n))
	return Interval{p, p - half, p + half}, nil
}

func checkShare(op string, k, n int, confidence float64) error {
	if n < 1 || k < 0 || k > n {
		return fault.Argument(op, "k", fmt.Sprintf("%d of %d", k, n), "a count from 0 to n, n at least 1", "")
	}
	return checkConfidence(op, confidence)
}

// AUC returns the area below the ROC with DeLong's interval: the area is a U statistic, and its variance is that of the placements of the
// positive scores among the negative ones, and the reverse.
//
// Errors: as NewROC; fewer than two rows of a class; a confidence outside (0, 1). Source: DeLong, DeLong and Clarke-Pearson, Biometrics 44
// (1988).
func AUC(truth []int, scores []float64, confidence float64) (Interval, error) {
	const name = "assess.AUC"
	if err := checkConfidence(name, confidence); err != nil {
		return Interval{}, err
	}
	p, err := newPlacements(name, truth, scores)
	if err != nil {
		return Interval{}, err
	}
	half := -normalQuantile((1-confidence)/2) * math.Sqrt(p.covariance(p))
	return Interval{p.area, max(0, p.area-half), min(1, p.area+half)}, nil
}

// CompareAUC returns the difference of the areas of two scores of the same rows, a's less b's, with DeLong's interval and the two-sided
// p-value of no difference. Errors: as AUC.
func CompareAUC(truth []int, a, b []float64, confidence float64) (difference Interval, p float64, err error) {
	const name = "assess.CompareAUC"
	if err := checkConfidence(name, confidence); err != nil {
		return Interval{}, 0, err
	}
	first, err := newPlacements(name, truth, a)
	if err != nil {
		return Interval{}, 0, err
	}
	second, err := newPlacements(name, truth, b)
	if err != nil {
		return Interval{}, 0, err
	}
	d := first.area - second.area
	deviation := math.Sqrt(max(0, first.covariance(first)+second.covariance(second)-2*first.covariance(second)))
	half := -normalQuantile((1-confidence)/2) * deviation
	p = 1
	if d != 0 {
		p = math.Erfc(math.Abs(d) / deviation / math.Sqrt2)
	}
	return Interval{d, d - half, d + half}, p, nil
}

// placements are the shares of scores of the other class that each score is on the right side of, ties counted half.
type placements struct {
	positive, negative []float64
	area               float64
}

func newPlacements(name string, truth []int, scores []float64) (placements, error) {
	r, err := NewROC(truth, scores, nil)
	if err != nil {
		return placements{}, err
	}
	if r.positive < 2 || r.negative < 2 {
		return placements{}, fault.Argument(name, "truth", fmt.Sprintf("with %v and %v rows of the classes", r.negative, r.positive),
			"at least two rows of each", "")
	}
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	below := make([]float64, len(scores)) // rows of the other class below, ties half
	var seen [2]float64
	for i := 0; i < len(order); {
		j, tied := i, [2]float64{}
		for ; j < len(order) && scores[order[j]] == scores[order[i]]; j++ {
			tied[truth[order[j]]]++
		}
		for ; i < j; i++ {
			other := 1 - truth[order[i]]
			below[order[i]] = seen[other] + tied[other]/2
		}
		seen[0], seen[1] = seen[0]+tied[0], seen[1]+tied[1]
	}
	p := placements{area: r.AUC()}
	for i, b := range below {
		if truth[i] == 1 {
			p.positive = append(p.positive, b/r.negative)
		} else {
			p.negative = append(p.negative, 1-b/r.positive)
		}
	}
	return p, nil
}

func (p placements) covariance(q placements) float64 {
	one := func(a, b []float64) float64 {
		sum := 0.0
		for i := range a {
			sum += (a[i] - p.area) * (b[i] - q.area)
		}
		return sum / float64(len(a)-1) / float64(len(a))
	}
	return one(p.positive, q.positive) + one(p.negative, q.negative)
}

func checkConfidence(function string, c float64) error {
	if !(c > 0 && c < 1) {
		return fault.Argument(function, "confidence", c, "a probability between 0 and 1", "0.95 is usual")
	}
	return nil
}
