package assess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// LogLoss returns the mean of -ln p(true class) in nats, for n true classes 0 ... K-1 and the n x K probabilities that a classifier gave.
// It is +Inf when a true class had probability zero. Weights may be nil.
func LogLoss(truth []int, proba mat.Matrix, weights []float64) (float64, error) {
	return meanOver("assess.LogLoss", truth, proba, weights, func(i int) float64 { return -math.Log(proba.At(i, truth[i])) })
}

// Brier returns the mean of sum_k (p_k - [k is the true class])^2, from 0 to 2: the score of Brier (1950) for n true classes 0 ... K-1 and
// the n x K probabilities. For two classes it is twice the mean of (p_1 - y)^2, which some programs call by the same name. Weights may be
// nil.
func Brier(truth []int, proba mat.Matrix, weights []float64) (float64, error) {
	return meanOver("assess.Brier", truth, proba, weights, func(i int) float64 {
		_, classes := proba.Dims()
		sum := 0.0
		for k := range classes {
			d := proba.At(i, k)
			if k == truth[i] {
				d--
			}
			sum += d * d
		}
		return sum
	})
}

// A Calibration compares probabilities with what came: in bin b, which holds Count[b] rows or that sum of weights, the mean probability of
// class 1 was Predicted[b] and the share of rows of class 1 was Observed[b]. Bins without a row are left out.
type Calibration struct {
	Predicted, Observed []float64
	Count               []float64
}

// NewCalibration sorts n probabilities of class 1 into bins of equal width over [0, 1]; truth holds 0 or 1. Weights may be nil.
//
// Errors: lengths that differ, no rows, bins outside 1 ... 1000, probabilities outside [0, 1], weights that are negative or all zero.
// Source: DeGroot and Fienberg, The Statistician 32 (1983).
func NewCalibration(truth []int, p, weights []float64, bins int) (Calibration, error) {
	const name = "assess.NewCalibration"
	if len(p) != len(truth) || len(p) == 0 {
		return Calibration{}, fault.Argument(name, "p", fmt.Sprintf("%d numbers", len(p)),
			fmt.Sprintf("one probability for each of the %d rows, at least one", len(truth)), "")
	}
	if bins < 1 || bins > 1000 {
		return Calibration{}, fault.Argument(name, "bins", bins, "a number from 1 to 1000", "")
	}
	w := func(int) float64 { return 1 }
	if weights != nil {
		if _, err := weighted(name, len(p), weights, w); err != nil {
			return Calibration{}, err
		}
		if err := checkTotal(name, weights); err != nil {
			return Calibration{}, err
		}
		w = func(i int) float64 { return weights[i] }
	}
	sum, ones, count := make([]float64, bins), make([]float64, bins), make([]float64, bins)
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return Calibration{}, fault.Argument(name, fmt.Sprintf("p[%d]", i), v, "a probability", "")
		}
		if truth[i] != 0 && truth[i] != 1 {
			return Calibration{}, fault.Argument(name, fmt.Sprintf("truth[%d]", i), truth[i], "0 or 1", "for K classes take each against the rest")
		}
		b := min(int(v*float64(bins)), bins-1)
		sum[b] += w(i) * v
		ones[b] += w(i) * float64(truth[i])
		count[b] += w(i)
	}
	var c Calibration
	for b, n := range count {
		if n > 0 {
			c.Predicted = append(c.Predicted, sum[b]/n)
			c.Observed = append(c.Observed, ones[b]/n)
			c.Count = append(c.Count, n)
		}
	}
	return c, nil
}

// Error returns the expected calibration error, the mean of |Predicted - Observed| over the rows. Source: Naeini, Cooper and Hauskrecht,
// AAAI 2015.
func (c Calibration) Error() float64 {
	sum, n := 0.0, 0.0
	for b, count := range c.Count {
		sum += count * math.Abs(c.Predicted[b]-c.Observed[b])
		n += count
	}
	return sum / n
}

func meanOver(name string, truth []int, proba mat.Matrix, weights []float64, loss func(i int) float64) (float64, error) {
	n, classes := proba.Dims()
	if n != len(truth) {
		return 0, fault.Argument(
			name,
			"proba",
			fmt.Sprintf("of %d rows", n),
			fmt.Sprintf("a row for each of the %d true classes", len(truth)),
			"",
		)
	}
	for i, k := range truth {
		if k < 0 || k >= classes {
			return 0, fault.Argument(name, fmt.Sprintf("truth[%d]", i), k, fmt.Sprintf("a class from 0 to %d", classes-1), "")
		}
		sum := 0.0
		for c := range classes {
			p := proba.At(i, c)
			if !(p >= 0 && p <= 1+1e-9) {
				return 0, fault.Argument(name, fmt.Sprintf("proba[%d, %d]", i, c), p, "a probability", "")
			}
			sum += p
		}
		if math.Abs(sum-1) > 1e-6 {
			return 0, fault.Argument(name, fmt.Sprintf("row %d of proba", i), fmt.Sprintf("with sum %v", sum), "probabilities with sum 1", "")
		}
	}
	return weighted(name, n, weights, loss)
}

// checkTotal reports weights without a sum: all zero, or so large that it overflows.
func checkTotal(name string, weights []float64) error {
	if weights == nil {
		return nil
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	switch {
	case total == 0:
		return fault.Argument(name, "weights", "all zero", "weights with a positive sum", "")
	case math.IsInf(total, 1):
		return fault.Argument(name, "weights", "so large that their sum is beyond float64", "weights with a finite sum",
			"divide all by one number: only their ratios matter")
	}
	return nil
}

// weighted returns the mean of f over n rows.
func weighted(name string, n int, weights []float64, f func(i int) float64) (float64, error) {
	if n == 0 {
		return 0, fault.Argument(name, "truth", "empty", "at least one row", "")
	}
	if weights != nil && len(weights) != n {
		return 0, fault.Argument(name, "weights", fmt.Sprintf("%d numbers", len(weights)),
			fmt.Sprintf("one weight for each of the %d rows", n), "nil weighs all rows alike")
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return 0, fault.Argument(name, fmt.Sprintf("weights[%d]", i), w, "a finite number of at least 0", "")
		}
	}
	weights = estimator.ScaleWeights(weights)
	sum, total := 0.0, 0.0
	for i := range n {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			sum += w * f(i)
			total += w
		}
	}
	if total == 0 {
		return 0, fault.Argument(name, "weights", "all zero", "weights with a positive sum", "")
	}
	return sum / total, nil
}
