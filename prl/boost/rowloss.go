package boost

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A RowLoss is the loss L(z, F) of gradient boosting: what a score F costs for a row of target z.
type RowLoss struct {
	kind      lossKind
	parameter float64
}

type lossKind int

const (
	unset lossKind = iota
	squaredLoss
	absoluteLoss
	huberLoss
	quantileLoss
	poissonLoss
	logisticLoss
	exponentialLoss
	softmaxLoss // in the fit only: one score for each class
)

// SquaredLoss is (z - F)^2 / 2, which the mean minimises.
func SquaredLoss() RowLoss { return RowLoss{kind: squaredLoss} }

// AbsoluteLoss is |z - F|, which the median minimises. Leaves hold medians of residuals, since it has no second derivative.
func AbsoluteLoss() RowLoss { return RowLoss{kind: absoluteLoss} }

// HuberLoss is r^2 / 2 for residuals r = z - F up to delta > 0 and delta (|r| - delta/2) beyond. Leaves take Newton's step with the second
// derivative 1 everywhere, an upper bound, so that no step goes too far.
func HuberLoss(delta float64) RowLoss { return RowLoss{huberLoss, delta} }

// QuantileLoss is tau (z - F) above F and (1 - tau) (F - z) below, which the tau-quantile minimises, 0 < tau < 1. Leaves hold quantiles of
// residuals.
func QuantileLoss(tau float64) RowLoss { return RowLoss{quantileLoss, tau} }

// PoissonLoss is e^F - z F for counts z >= 0: F is the logarithm of the predicted mean.
func PoissonLoss() RowLoss { return RowLoss{kind: poissonLoss} }

// LogisticLoss is log(1 + e^F) - z F for z in {0, 1}: F is the log odds of class 1. It is the default for classes; of more than two it is
// the softmax loss, with a score for each class.
func LogisticLoss() RowLoss { return RowLoss{kind: logisticLoss} }

// ExponentialLoss is exp(-(2z-1) F) for z in {0, 1}, AdaBoost's loss for two classes: F is half the log odds of class 1.
func ExponentialLoss() RowLoss { return RowLoss{kind: exponentialLoss} }

// String returns a name such as "squared" or "quantile 0.9".
func (l RowLoss) String() string {
	name := [...]string{"default", "squared", "absolute", "Huber", "quantile", "Poisson", "logistic", "exponential", "softmax"}[l.kind]
	if l.kind == huberLoss || l.kind == quantileLoss {
		return fmt.Sprintf("%s %g", name, l.parameter)
	}
	return name
}

// check reports a loss that cannot be used.
func (l RowLoss) check(op string, classes bool) error {
	switch {
	case l.kind == huberLoss && !(l.parameter > 0 && l.parameter <= math.MaxFloat64):
		return fault.Argument(op, "Loss", l, "HuberLoss of a positive number", "")
	case l.kind == quantileLoss && !(l.parameter > 0 && l.parameter < 1):
		return fault.Argument(op, "Loss", l, "QuantileLoss of a number between 0 and 1", "")
	case l.kind != unset && classes != (l.kind >= logisticLoss):
		need := "SquaredLoss, AbsoluteLoss, HuberLoss, QuantileLoss or PoissonLoss"
		if classes {
			need = "LogisticLoss or ExponentialLoss"
		}
		return fault.Argument(op, "Loss", l, need, "")
	}
	return nil
}

// checkTarget reports a target that the loss cannot take.
func (l RowLoss) checkTarget(op string, target []float64) error {
	if l.kind != poissonLoss {
		return nil
	}
	if low := slices.Min(target); low < 0 {
		return fault.Argument(op, "target", low, "counts of at least 0 for the Poisson loss", "choose another loss")
	}
	if slices.Max(target) == 0 {
		return fault.Argument(op, "target", "zeros only", "a positive count for the Poisson loss", "")
	}
	return nil
}

// At returns the loss of the score f for the target z, its derivative g and its second derivative h with respect to f. At a kink g is 0.
// For losses that are not smooth h is what the fit uses in its place, which is 1.
func (l RowLoss) At(z, f float64) (loss, g, h float64) {
	r := z - f
	switch l.kind {
	case absoluteLoss:
		return math.Abs(r), -signOf(r), 1
	case huberLoss:
		if a := math.Abs(r); a > l.parameter {
			return l.parameter * (a - l.parameter/2), -l.parameter * signOf(r), 1
		}
		return r * r / 2, -r, 1
	case quantileLoss:
		switch {
		case r > 0:
			return l.parameter * r, -l.parameter, 1
		case r < 0:
			return (l.parameter - 1) * r, 1 - l.parameter, 1
		}
		return 0, 0, 1
	case poissonLoss:
		e := math.Exp(min(f, 700))
		return e - z*f, e - z, e
	case logisticLoss:
		e := math.Exp(-math.Abs(f))
		p := 1 / (1 + e)
		h = p * (1 - p)
		if f < 0 {
			p = e * p
		}
		return max(f, 0) + math.Log1p(e) - z*f, p - z, h
	case exponentialLoss:
		y := 2*z - 1
		e := math.Exp(min(-y*f, 700))
		return e, -y * e, e
	}
	return r * r / 2, -r, 1
}

// slopes returns the g and h that a fit uses: those of At, of the logistic loss without its logarithm and with h kept off zero.
func (l RowLoss) slopes(z, f float64) (g, h float64) {
	if l.kind == logisticLoss {
		p := 1 / (1 + math.Exp(-f))
		return p - z, sure(p)
	}
	_, g, h = l.At(z, f)
	return g, h
}

// cap returns the largest size of a leaf.
func (l RowLoss) cap() float64 {
	if l.kind == poissonLoss || l.kind >= logisticLoss {
		return 4
	}
	return math.Inf(1)
}

func signOf(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// level returns the quantile that the leaves of the loss hold, and whether they do.
func (l RowLoss) level() (tau float64, ok bool) {
	if l.kind == absoluteLoss {
		return 0.5, true
	}
	return l.parameter, l.kind == quantileLoss
}

// start returns the constant score that minimises the sum of the losses; of Huber's the median, which is near it.
func (l RowLoss) start(z, w []float64) float64 {
	if tau, ok := l.level(); ok || l.kind == huberLoss {
		if l.kind == huberLoss {
			tau = 0.5
		}
		return quantileOf(slices.Clone(z), slices.Clone(w), tau)
	}
	m := middleOf(z, w, nil)
	return l.startAt(m.mean())
}

// middleOf takes in the values z, or with room for the shares of classes their numbers.
func middleOf(z, w []float64, shares []int64) *middle {
	m := &middle{Shares: shares}
	for i, v := range z {
		m.see(v, weightOf(w, i))
	}
	m.settle()
	for i, v := range z {
		m.add(v, weightOf(w, i))
	}
	return m
}

// startAt is start for a mean of z.
func (l RowLoss) startAt(mean float64) float64 {
	switch l.kind {
	case poissonLoss:
		return math.Log(mean)
	case logisticLoss:
		return math.Log(mean / (1 - mean))
	case exponentialLoss:
		return math.Log(mean/(1-mean)) / 2
	}
	return mean
}

// A middle is a weighted mean that does not depend on any order: see takes in all rows, then, after settle, add does.
type middle struct {
	Low, High, Top float64 // of the values, and the largest weight
	N              int64
	Weight, Sum    int64 // of weights and of weighted distances from the middle of Low and High, in units
	Units          units
	Shares         []int64 // of more than two classes: the weight of each, in units, in the place of Weight and Sum
}

func (m *middle) see(v, w float64) {
	if m.N == 0 {
		m.Low, m.High = v, v
	}
	m.Low, m.High, m.Top = min(m.Low, v), max(m.High, v), max(m.Top, w)
	m.N++
}

// pilot is near the mean, so that values far from 0 lose no digits.
func (m *middle) pilot() float64 { return m.Low/2 + m.High/2 }

func (m *middle) settle() { m.Units = newUnits(int(m.N), m.Top*(m.High/2-m.Low/2), m.Top) }

func (m *middle) add(v, w float64) {
	if m.Shares != nil {
		m.Shares[int(v)] += m.Units.of(0, w)[1] >> m.Units.Count
		return
	}
	d := m.Units.of(w*(v-m.pilot()), w)
	m.Sum += d[0]
	m.Weight += d[1] >> m.Units.Count
}

func (m *middle) mean() float64 {
	return m.pilot() + float64(m.Sum)/m.Units.G/(float64(m.Weight)/m.Units.H)
}

// logShares returns the logarithms of the shares of the classes.
func (m *middle) logShares() []float64 {
	total, list := int64(0), make([]float64, len(m.Shares))
	for _, v := range m.Shares {
		total += v
	}
	for c, v := range m.Shares {
		list[c] = math.Log(float64(v) / float64(total))
	}
	return list
}

func weightOf(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// quantileOf returns the smallest v up to which tau of the weight lies, between two values of v the mean of both when it is met exactly. It
// puts v and w, which may be nil, into another order.
func quantileOf(v, w []float64, tau float64) float64 {
	if w == nil {
		slices.Sort(v)
		at := tau * float64(len(v))
		i := int(math.Ceil(at - 1e-9))
		if float64(i)-at < 1e-9 && i > 0 && i < len(v) {
			return v[i-1] + (v[i]-v[i-1])/2
		}
		return v[max(i-1, 0)]
	}
	order, total := make([]int, len(v)), 0.0
	for i := range order {
		order[i] = i
		total += w[i]
	}
	slices.SortFunc(order, func(a, b int) int {
		if v[a] < v[b] || v[a] == v[b] && a < b {
			return -1
		}
		return 1
	})
	sum := 0.0
	for k, i := range order {
		if sum += w[i]; sum >= tau*total*(1-1e-12) {
			if k+1 < len(order) && sum <= tau*total*(1+1e-12) {
				return v[i] + (v[order[k+1]]-v[i])/2
			}
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}
