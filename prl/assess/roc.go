package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A ROC is a receiver operating characteristic: what becomes of the rates of a two-class rule "positive where score >= threshold" as the
// threshold falls from +Inf through every score that occurs. FPR and TPR begin at 0 and end at 1; rows of equal score are taken together,
// so the curve does not depend on their order. Source: Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27 (2006),
// algorithm 1.
type ROC struct {
	Thresholds []float64 // falling, the first +Inf
	FPR        []float64 // false positive rate, of the rows of class 0
	TPR        []float64 // true positive rate, of the rows of class 1

	positive, negative float64 // weight of the rows of class 1 and of class 0
}

// NewROC returns the curve of n scores, higher for rows that are more likely of class 1; truth holds 0 or 1 for each. Weights may be nil.
func NewROC(truth []int, scores, weights []float64) (ROC, error) {
	const name = "assess.NewROC"
	n := len(truth)
	if len(scores) != n {
		return ROC{}, fault.Argument(
			name,
			"scores",
			fmt.Sprintf("%d numbers", len(scores)),
			fmt.Sprintf("one score for each of the %d rows", n),
			"",
		)
	}
	if weights != nil && len(weights) != n {
		return ROC{}, fault.Argument(
			name,
			"weights",
			fmt.Sprintf("%d numbers", len(weights)),
			fmt.Sprintf("one weight for each of the %d rows", n),
			"nil weighs all rows alike",
		)
	}
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	var total [2]float64
	order := make([]int, n)
	for i := range order {
		order[i] = i
		switch w := weight(i); {
		case truth[i] != 0 && truth[i] != 1:
			return ROC{}, fault.Argument(
				name,
				fmt.Sprintf("truth[%d]", i),
				truth[i],
				"0 or 1",
				"for K classes draw one curve for each class against the rest",
			)
		case math.IsNaN(scores[i]):
			return ROC{}, fault.Argument(name, fmt.Sprintf("scores[%d]", i), "NaN", "a number", "")
		case !(w >= 0) || math.IsInf(w, 0):
			return ROC{}, fault.Argument(name, fmt.Sprintf("weights[%d]", i), w, "a finite number of at least 0", "")
		default:
			total[truth[i]] += w
		}
	}
	for k, sum := range total {
		if !(sum > 0) {
			return ROC{}, fault.Argument(name, "truth", fmt.Sprintf("without rows of class %d", k), "rows of both classes", "")
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	r := ROC{[]float64{math.Inf(1)}, []float64{0}, []float64{0}, total[1], total[0]}
	var seen [2]float64
	for i := 0; i < n; {
		score := scores[order[i]]
		for ; i < n && scores[order[i]] == score; i++ {
			seen[truth[order[i]]] += weight(order[i])
		}
		r.Thresholds = append(r.Thresholds, score)
		r.FPR = append(r.FPR, min(seen[0]/total[0], 1))
		r.TPR = append(r.TPR, min(seen[1]/total[1], 1))
	}
	last := len(r.FPR) - 1
	r.FPR[last], r.TPR[last] = 1, 1 // the sums of weights may have rounded
	return r, nil
}

// AUC returns the area below the curve by the trapezoidal rule. It equals the probability that a row of class 1 has a higher score than one
// of class 0, with ties counted half: the statistic of Mann and Whitney divided by n0 n1.
func (r ROC) AUC() float64 {
	area := 0.0
	for i := 1; i < len(r.FPR); i++ {
		area += (r.FPR[i] - r.FPR[i-1]) * (r.TPR[i] + r.TPR[i-1]) / 2
	}
	return area
}

// Precision returns the share of class 1 among the rows called positive at each threshold, TP/(TP + FP); 1 where none is.
func (r ROC) Precision() []float64 {
	out := make([]float64, len(r.TPR))
	for i := range out {
		tp, fp := r.TPR[i]*r.positive, r.FPR[i]*r.negative
		out[i] = 1
		if tp+fp > 0 {
			out[i] = tp / (tp + fp)
		}
	}
	return out
}

// AveragePrecision returns sum (R_n - R_(n-1)) P_n over the thresholds, with recall R and precision P: the area below the precision-recall
// curve as a step function, which does not interpolate between points, where a straight line would be too high (Davis and Goadrich, ICML
// 2006).
func (r ROC) AveragePrecision() float64 {
	area := 0.0
	for i, p := range r.Precision()[1:] {
		area += (r.TPR[i+1] - r.TPR[i]) * p
	}
	return area
}

// Hull returns the places on the curve, as indices, that lie on its upper convex hull, from (0, 0) to (1, 1): the thresholds that are best
// for some prior and some costs. What lies between two of them is reached by choosing between both at random. Source: Provost and Fawcett,
// Machine Learning 42 (2001).
func (r ROC) Hull() []int {
	var hull []int
	for i := range r.FPR {
		for len(hull) > 1 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if (r.FPR[b]-r.FPR[a])*(r.TPR[i]-r.TPR[a]) < (r.FPR[i]-r.FPR[a])*(r.TPR[b]-r.TPR[a]) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, i)
	}
	return hull
}

// Best returns the place on the curve, as an index, of least mean cost
//
//	prior (1 - TPR) miss + (1 - prior) FPR alarm,
//
// with prior the probability of class 1, miss the cost of calling one of class 1 negative and alarm that of calling one of class 0
// positive; of several the one with the highest threshold. Errors: a prior outside [0, 1], costs that are negative or not finite.
func (r ROC) Best(prior, miss, alarm float64) (int, error) {
	const name = "assess.ROC.Best"
	if !(prior >= 0 && prior <= 1) {
		return 0, fault.Argument(name, "prior", prior, "a probability", "")
	}
	for _, c := range []struct {
		name string
		v    float64
	}{{"miss", miss}, {"alarm", alarm}} {
		if !(c.v >= 0) || math.IsInf(c.v, 0) {
			return 0, fault.Argument(name, c.name, c.v, "a finite cost of at least 0", "")
		}
	}
	best, least := 0, math.Inf(1)
	for i := range r.FPR {
		if c := prior*(1-r.TPR[i])*miss + (1-prior)*r.FPR[i]*alarm; c < least {
			best, least = i, c
		}
	}
	return best, nil
}
