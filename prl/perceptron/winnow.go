package perceptron

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// WinnowOptions are the settings of balanced Winnow. A field that is zero stands for its default.
type WinnowOptions struct {
	Factor      float64 // by which a mistake multiplies a weight whose feature has the largest size, > 1; default 1.5
	NoIntercept bool    // b stays 0
	Shuffle     bool    // each pass goes through the rows in a new random order
	Seed        uint64  // of the random orders; default 1
	MaxIter     int     // passes over the rows, at most; default 1000
}

func checkWinnow(op string, o WinnowOptions) error {
	if err := estimator.CheckPositive(op, "Factor", cmp.Or(o.Factor, 1.5)-1, 0.5); err != nil {
		return err
	}
	return estimator.CheckCount(op, "MaxIter", cmp.Or(o.MaxIter, 1000), 1, math.MaxInt)
}

// FitWinnow trains balanced Winnow, a perceptron that multiplies where the perceptron adds: each weight is a difference u - v of positive
// weights that start at 1, and a mistake makes them
//
//	u_j <- u_j Factor^(y x_j / X),   v_j <- v_j Factor^(-y x_j / X),   X = max |x_ij| or 1 for the intercept's feature, if that is more.
//
// So w_j = 2 sinh(a s_j) with a = log(Factor) / X and the sum s_j of y x_j over the mistakes, which would be the weight of a perceptron. If
// few of d features matter, the number of mistakes grows with log d. The weights are returned as w_j / (2 exp(a max |s_j|)), which changes
// no answer.
//
// Source: N. Littlestone (1988), Learning quickly when irrelevant attributes abound, Machine Learning 2; J. Kivinen and M. Warmuth (1997),
// Exponentiated gradient versus gradient descent for linear predictors.
//
// Errors: unusable data, labels or options; the error of ctx.
func FitWinnow(ctx context.Context, X mat.Matrix, y []int, o WinnowOptions) (*Model, error) {
	const op = "perceptron.FitWinnow"
	if err := checkWinnow(op, o); err != nil {
		return nil, err
	}
	pass := Options{NoIntercept: o.NoIntercept, Shuffle: o.Shuffle, Seed: o.Seed, MaxIter: o.MaxIter}
	return online(ctx, op, "balanced Winnow", X, y, &pass, func(p *plain, _ *course) memory {
		largest := 0.0
		for _, v := range p.x.RawMatrix().Data {
			largest = max(largest, math.Abs(v))
		}
		if !o.NoIntercept {
			largest = max(largest, 1)
		}
		return &winnow{plain: p, rate: math.Log(cmp.Or(o.Factor, 1.5)) / cmp.Or(largest, 1), sums: make([]float64, len(p.theta))}
	})
}

// A winnow memory has the weights sinh(rate s_j), divided by the largest exp(rate |s_j|).
type winnow struct {
	*plain
	rate float64
	sums []float64
}

func (m *winnow) add(i int, factor float64) {
	if !m.noIntercept {
		m.sums[0] += factor
	}
	floats.AddScaled(m.sums[1:], factor, m.x.RawRowView(i))
	top := m.rate * floats.Norm(m.sums, math.Inf(1))
	for j, s := range m.sums {
		m.theta[j] = (math.Exp(m.rate*s-top) - math.Exp(-m.rate*s-top)) / 2
	}
}
