package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/fault"
)

// Holm returns the p-values of m tests adjusted so that rejecting all of at most alpha errs in any of them with a probability of at most
// alpha, whatever the tests have to do with each other: in rising order the largest so far of (m - i) p_i, i from 0, at most 1. Errors: no
// numbers, numbers outside [0, 1]. Source: Holm, Scandinavian Journal of Statistics 6 (1979).
func Holm(p []float64) ([]float64, error) {
	return adjusted("assess.Holm", p, func(sorted []float64) {
		most := 0.0
		for i, v := range sorted {
			most = max(most, min(1, v*float64(len(sorted)-i)))
			sorted[i] = most
		}
	})
}

// BenjaminiHochberg returns the p-values of m independent tests adjusted so that among those rejected at alpha a share of at most alpha is
// expected to be wrong: in rising order the least from i on of p_i m/i, i from 1. Errors: as Holm. Source: Benjamini and Hochberg, JRSS B
// 57 (1995).
func BenjaminiHochberg(p []float64) ([]float64, error) {
	return adjusted("assess.BenjaminiHochberg", p, func(sorted []float64) {
		least := 1.0
		for i := len(sorted) - 1; i >= 0; i-- {
			least = min(least, sorted[i]*float64(len(sorted))/float64(i+1))
			sorted[i] = least
		}
	})
}

func adjusted(op string, p []float64, adjust func(sorted []float64)) ([]float64, error) {
	if len(p) == 0 {
		return nil, fault.Argument(op, "p", "empty", "at least one p-value", "")
	}
	order, sorted := make([]int, len(p)), make([]float64, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fault.Argument(op, fmt.Sprintf("p[%d]", i), v, "a probability from 0 to 1", "")
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	for i, k := range order {
		sorted[i] = p[k]
	}
	adjust(sorted)
	out := make([]float64, len(p))
	for i, k := range order {
		out[k] = sorted[i]
	}
	return out, nil
}

// A FriedmanTest compares k rules on n data sets by their ranks.
type FriedmanTest struct {
	Ranks     []float64 // mean rank of each rule, 1 for the highest score
	ChiSquare float64   // corrected for ties, with k-1 degrees of freedom, and its p-value is ChiSquareP
	F         float64   // of Iman and Davenport, less cautious, with k-1 and (k-1)(n-1) degrees of freedom, and its p-value is FP

	ChiSquareP, FP float64
	sets           int
}

// Friedman tests "all rules are equally good" with the scores of k rules on n data sets, a row for each set. Equal scores of a set share
// their ranks. If every set ranks all rules equal, the p-values are 1.
//
// Errors: fewer than 2 sets or rules, rows of different lengths, scores that are NaN. Source: Friedman, JASA 32 (1937); Iman and Davenport
// (1980); Demšar, Journal of Machine Learning Research 7 (2006).
func Friedman(scores [][]float64) (FriedmanTest, error) {
	const op = "assess.Friedman"
	n := len(scores)
	if n < 2 || len(scores[0]) < 2 {
		return FriedmanTest{}, fault.Argument(op, "scores", fmt.Sprintf("of %d sets", n), "at least 2 rules on at least 2 sets", "")
	}
	k := len(scores[0])
	t := FriedmanTest{Ranks: make([]float64, k), sets: n}
	spread := 0.0 // of the ranks within the sets
	for i, row := range scores {
		if len(row) != k || slices.ContainsFunc(row, math.IsNaN) {
			return FriedmanTest{}, fault.Argument(op, fmt.Sprintf("scores[%d]", i), row, fmt.Sprintf("%d numbers", k), "")
		}
		for j, v := range row {
			rank := 0.5
			for _, w := range row {
				switch {
				case w > v:
					rank++
				case w == v:
					rank += 0.5
				}
			}
			t.Ranks[j] += rank / float64(n)
			spread += (rank - float64(k+1)/2) * (rank - float64(k+1)/2)
		}
	}
	t.ChiSquareP, t.FP = 1, 1
	if spread == 0 {
		return t, nil
	}
	between, m, f := 0.0, float64(n), float64(k-1)
	for _, r := range t.Ranks {
		between += (r - float64(k+1)/2) * (r - float64(k+1)/2)
	}
	t.ChiSquare = f * m * m * between / spread
	t.ChiSquareP = mathext.GammaIncRegComp(f/2, t.ChiSquare/2)
	t.F = (m - 1) * t.ChiSquare / (m*f - t.ChiSquare)
	if !(m*f-t.ChiSquare > 1e-12*m*f) { // all sets agree
		t.F, t.FP = math.Inf(1), 0
		return t, nil
	}
	t.FP = mathext.RegIncBeta(f*(m-1)/2, f/2, (m-1)/(m-1+t.F))
	return t, nil
}

// CriticalDifference returns by how much the mean ranks of two rules differ at least where Nemenyi's test tells them apart at the level
// alpha: q sqrt(k(k+1)/(6n)), with q the upper alpha-quantile of the range of k standard normal numbers over sqrt 2. Errors: alpha outside
// (0, 1). Source: Nemenyi (1963); Demšar, Journal of Machine Learning Research 7 (2006).
func (t FriedmanTest) CriticalDifference(alpha float64) (float64, error) {
	if !(alpha > 0 && alpha < 1) {
		return 0, fault.Argument("CriticalDifference", "alpha", alpha, "a probability between 0 and 1", "0.05 is usual")
	}
	k := len(t.Ranks)
	lo, hi := 0.0, 20+2*math.Sqrt(2*math.Log(float64(k)))-2*math.Log(min(alpha, 1-alpha))
	for range 60 {
		if mid := (lo + hi) / 2; rangeShare(mid, k) < 1-alpha {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*t.sets)), nil
}

// rangeShare returns P(range of k standard normal numbers <= q) = k int phi(x) (Phi(x) - Phi(x - q))^(k-1) dx, x the largest of them, by
// the trapezoidal rule, whose error falls exponentially.
func rangeShare(q float64, k int) float64 {
	const step = 1. / 16
	sum := 0.0
	for x := -8.0; x <= 8+q; x += step {
		sum += math.Exp(-x*x/2) * math.Pow(normalShare(x)-normalShare(x-q), float64(k-1))
	}
	return min(1, float64(k)*sum*step/math.Sqrt(2*math.Pi))
}

// Spiegelhalter returns the two-sided p-value of "the probabilities p of class 1 are right", with
//
//	z = sum (y - p)(1 - 2p) / sqrt(sum (1 - 2p)^2 p (1 - p))
//
// about standard normal: positive where the Brier score is larger than the probabilities promise. truth holds 0 or 1. Where no probability
// could give a z, as all are 0, 1/2 or 1, z is 0 and the p-value 1, except that an outcome of probability 0 gives infinity and 0.
//
// Errors: lengths that differ, no rows, classes other than 0 and 1, probabilities outside [0, 1]. Source: Spiegelhalter, Statistics in
// Medicine 5 (1986).
func Spiegelhalter(truth []int, p []float64) (z, pValue float64, err error) {
	const op = "assess.Spiegelhalter"
	if len(truth) != len(p) || len(p) == 0 {
		return 0, 0, fault.Argument(op, "p", fmt.Sprintf("%d numbers for %d rows", len(p), len(truth)), "one for each row, at least one", "")
	}
	top, variance := 0.0, 0.0
	for i, v := range p {
		if !(v >= 0 && v <= 1) || truth[i] != 0 && truth[i] != 1 {
			return 0, 0, fault.Argument(op, fmt.Sprintf("row %d", i), fmt.Sprintf("class %d, probability %v", truth[i], v),
				"class 0 or 1, a probability from 0 to 1", "")
		}
		if math.Abs(float64(truth[i])-v) == 1 {
			return math.Inf(1), 0, nil
		}
		top += (float64(truth[i]) - v) * (1 - 2*v)
		variance += (1 - 2*v) * (1 - 2*v) * v * (1 - v)
	}
	if variance == 0 {
		return 0, 1, nil
	}
	z = top / math.Sqrt(variance)
	return z, math.Erfc(math.Abs(z) / math.Sqrt2), nil
}

// A Decomposition parts the mean loss of a learner over training sets.
type Decomposition struct{ Bias, Variance, Loss float64 }

// SquaredParts parts the squared error of m fits at n places, fits[j][i], from the truth at these places: Bias is the mean over the places
// of (mean fit - truth)^2, Variance that of the mean of (fit - mean fit)^2, with 1/m, and Loss is their sum. Noise of new targets comes on
// top of it. Errors: no fits, lengths that differ. Source: Geman, Bienenstock and Doursat, Neural Computation 4 (1992).
func SquaredParts(fits [][]float64, truth []float64) (Decomposition, error) {
	if err := checkFits("assess.SquaredParts", fits, len(truth)); err != nil {
		return Decomposition{}, err
	}
	var d Decomposition
	m, n := float64(len(fits)), float64(len(truth))
	for i, f := range truth {
		center := 0.0
		for _, fit := range fits {
			center += fit[i] / m
		}
		d.Bias += (center - f) * (center - f) / n
		for _, fit := range fits {
			d.Variance += (fit[i] - center) * (fit[i] - center) / m / n
			d.Loss += (fit[i] - f) * (fit[i] - f) / m / n
		}
	}
	return d, nil
}

// ZeroOneParts parts the share of m predictions at n places, predicted[j][i], that are not the class at these places: Bias is the share of
// places at which the class that is predicted most often, the least of several, is wrong, and Variance how often a prediction is another
// than that. Where the main prediction is right, variance adds to the loss; where it is wrong, variance helps, and for two classes the loss
// is mean bias_i + (1 - 2 bias_i) variance_i. Errors: no predictions, lengths that differ. Source: Domingos, A unified bias-variance
// decomposition, ICML (2000).
func ZeroOneParts(predicted [][]int, truth []int) (Decomposition, error) {
	if err := checkFits("assess.ZeroOneParts", predicted, len(truth)); err != nil {
		return Decomposition{}, err
	}
	var d Decomposition
	m, n := float64(len(predicted)), float64(len(truth))
	for i, class := range truth {
		count := map[int]int{}
		for _, p := range predicted {
			count[p[i]]++
		}
		chosen := predicted[0][i]
		for c, times := range count {
			if times > count[chosen] || times == count[chosen] && c < chosen {
				chosen = c
			}
		}
		if chosen != class {
			d.Bias += 1 / n
		}
		d.Variance += (1 - float64(count[chosen])/m) / n
		d.Loss += (1 - float64(count[class])/m) / n
	}
	return d, nil
}

func checkFits[V any](op string, fits [][]V, places int) error {
	if len(fits) == 0 || places == 0 {
		return fault.Argument(op, "fits", fmt.Sprintf("%d at %d places", len(fits), places), "at least one at one place", "")
	}
	for j, f := range fits {
		if len(f) != places {
			return fault.Argument(op, fmt.Sprintf("fits[%d]", j), fmt.Sprintf("%d values", len(f)),
				fmt.Sprintf("one for each of %d places", places), "")
		}
	}
	return nil
}
