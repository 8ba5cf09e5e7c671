package bayes

import (
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// ConditionalRisk returns R(i | x) = sum_j loss[i][j] posterior[j], the expected loss of each action, i.e. the vector loss · posterior.
func ConditionalRisk(loss LossTable, posterior []float64) ([]float64, error) {
	if err := loss.check("bayes.ConditionalRisk", len(posterior)); err != nil {
		return nil, err
	}
	if err := estimator.CheckProbabilities("bayes.ConditionalRisk", "posterior", posterior); err != nil {
		return nil, err
	}
	return loss.risks(make([]float64, len(loss)), posterior), nil
}

func (l LossTable) risks(dst, weights []float64) []float64 {
	for i, row := range l {
		r := 0.0
		for j, v := range row {
			r += v * weights[j]
		}
		dst[i] = r
	}
	return dst
}

// Decide returns the action of least conditional risk, and that risk. Of actions that tie, the one with the smallest number is taken.
func Decide(loss LossTable, posterior []float64) (action int, risk float64, err error) {
	r, err := ConditionalRisk(loss, posterior)
	if err != nil {
		return 0, 0, err
	}
	action = argmin(r)
	return action, r[action], nil
}

// MAP returns the class of largest posterior, the decision under zero-one loss. Of classes that tie, the one with the smallest number is
// taken.
func MAP(posterior []float64) int { return estimator.Argmax(posterior) }

// Ties returns every action whose conditional risk is within tol of the least.
func Ties(risks []float64, tol float64) []int {
	var t []int
	for i, r := range risks {
		if r <= risks[argmin(risks)]+tol {
			t = append(t, i)
		}
	}
	return t
}

// LikelihoodRatioThreshold returns the number theta such that the Bayes rule of two classes with action i for class i takes action 0
// exactly where p(x|0)/p(x|1) > theta: theta = (l01 - l11) / (l10 - l00) · p1/p0. It needs l10 > l00 and l01 > l11: being wrong costs more
// than being right.
func LikelihoodRatioThreshold(loss LossTable, priors []float64) (float64, error) {
	const f = "bayes.LikelihoodRatioThreshold"
	if err := loss.check(f, 2); err != nil {
		return 0, err
	}
	if len(loss) != 2 {
		return 0, fault.Argument(f, "loss", "a table of more or fewer than two actions", "2 x 2", "")
	}
	if err := checkPriors(f, priors, 2); err != nil {
		return 0, err
	}
	if !(loss[1][0] > loss[0][0] && loss[0][1] > loss[1][1]) {
		return 0, fault.Argument(f, "loss", loss, "larger off the diagonal than on it, column by column", "")
	}
	if priors[0] == 0 {
		return math.Inf(1), nil
	}
	return (loss[0][1] - loss[1][1]) / (loss[1][0] - loss[0][0]) * priors[1] / priors[0], nil
}

// EmpiricalRisk returns the mean loss of the actions taken on observations whose classes are y, and its standard error s/sqrt(m) with the
// sample standard deviation s (NaN for a single observation).
func EmpiricalRisk(loss LossTable, actions, y []int) (risk, standardError float64, err error) {
	const f = "bayes.EmpiricalRisk"
	if err := loss.check(f, 0); err != nil {
		return 0, 0, err
	}
	if len(actions) == 0 || len(actions) != len(y) {
		return 0, 0, fault.Argument(f, "actions and y", []int{len(actions), len(y)}, "of one length above zero", "")
	}
	var mean, m2 float64
	for i, a := range actions {
		if a < 0 || a >= loss.Actions() {
			return 0, 0, fault.Argument(f, "actions", a, "a row of the loss table", "")
		}
		if y[i] < 0 || y[i] >= loss.Classes() {
			return 0, 0, fault.Argument(f, "y", y[i], "a column of the loss table", "")
		}
		v := loss[a][y[i]]
		d := v - mean
		mean += d / float64(i+1)
		m2 += d * (v - mean)
	}
	m := float64(len(y))
	return mean, math.Sqrt(m2 / (m - 1) / m), nil
}

func argmin(v []float64) int {
	best := 0
	for i, x := range v {
		if x < v[best] {
			best = i
		}
	}
	return best
}
