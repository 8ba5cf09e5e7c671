package linear

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// RobustOptions are the settings of Huber, Tukey and Reweighted.
type RobustOptions struct {
	Rows
	// Tune is the residual, in units of the scale, at which the loss bends; 0 stands for 1.345 (Huber) and 4.685 (Tukey), which need 5 %
	// more normal rows than least squares for the same accuracy.
	Tune float64
	// Scale is the residual that counts as one; 0 takes the median size of the residuals divided by 0.6745 in each step, which estimates the
	// standard deviation of normal residuals.
	Scale float64
	// Tol ends the fit at a step that changes no prediction by more than Tol times the scale; 0 stands for 1e-10.
	Tol float64
	// MaxIter is the limit on steps; 0 stands for 1000.
	MaxIter int
}

func (o *RobustOptions) fill(op string, tune float64) error {
	estimator.Or(&o.Tune, tune)
	estimator.Or(&o.Tol, 1e-10)
	estimator.Or(&o.MaxIter, 1000)
	if err := estimator.CheckPositive(op, "Tune", o.Tune, tune); err != nil {
		return err
	}
	if !(o.Scale >= 0) || math.IsInf(o.Scale, 0) {
		return fault.Argument(op, "Scale", o.Scale, "a positive number", "0 estimates it")
	}
	if !(o.Tol > 0 && o.Tol < 1) {
		return fault.Argument(op, "Tol", o.Tol, "a number between 0 and 1", "0 stands for 1e-10")
	}
	return estimator.CheckCount(op, "MaxIter", o.MaxIter, 1, math.MaxInt)
}

// A RobustFit is a fit in which rows far away count less. It is immutable and safe for concurrent use.
type RobustFit struct {
	Model
	r robustState
}

type robustState struct {
	Scale   float64
	Counted []float64
	Steps   int
}

// Scale returns the residual that counted as one.
func (m *RobustFit) Scale() float64 { return m.r.Scale }

// Counted returns how much each row counted in the end, from 0 to 1.
func (m *RobustFit) Counted() []float64 { return slices.Clone(m.r.Counted) }

// Steps returns the number of steps.
func (m *RobustFit) Steps() int { return m.r.Steps }

// Huber minimises sum_i w_i rho(r_i / scale) with rho(u) = u^2 up to |u| = Tune and Tune (2 |u| - Tune) from there: squares for small
// residuals, sizes for large ones.
//
// Source: Huber (1964, 1981); the steps and the scale are those of R's rlm.
//
// Errors: unusable data, targets, weights or options; steps that do not suffice.
func Huber(ctx context.Context, X mat.Matrix, y []float64, o RobustOptions) (*RobustFit, error) {
	const op = "linear.Huber"
	if err := o.fill(op, 1.345); err != nil {
		return nil, err
	}
	return reweighted(ctx, op, X, y, nil, huberWeight(o.Tune), o)
}

func huberWeight(tune float64) func(u float64) float64 {
	return func(u float64) float64 { return min(1, tune/math.Abs(u)) }
}

// Tukey is Huber for the bisquare, whose slope u (1 - (u/Tune)^2)^2 comes back to zero at |u| = Tune: rows farther away do not count at
// all. The loss has many valleys; the search begins at Huber's fit.
//
// Source: Beaton and Tukey (1974).
func Tukey(ctx context.Context, X mat.Matrix, y []float64, o RobustOptions) (*RobustFit, error) {
	const op = "linear.Tukey"
	first := o
	first.Tune = 0
	if err := o.fill(op, 4.685); err != nil {
		return nil, err
	}
	if err := first.fill(op, 1.345); err != nil {
		return nil, err
	}
	start, err := reweighted(ctx, op, X, y, nil, huberWeight(first.Tune), first)
	if err != nil {
		return nil, err
	}
	return reweighted(ctx, op, X, y, start, func(u float64) float64 {
		v := 1 - u*u/o.Tune/o.Tune
		return math.Pow(max(0, v), 2)
	}, o)
}

// Reweighted solves weighted least squares again and again, in which row i counts weight(r_i / scale), from least squares on. Where weight
// is rho'(u) / u of a loss rho that grows no faster than a square, no step makes the sum of the losses larger.
func Reweighted(ctx context.Context, X mat.Matrix, y []float64, weight func(u float64) float64, o RobustOptions) (*RobustFit, error) {
	const op = "linear.Reweighted"
	if err := o.fill(op, 1); err != nil {
		return nil, err
	}
	return reweighted(ctx, op, X, y, nil, weight, o)
}

func reweighted(
	ctx context.Context, op string, X mat.Matrix, y []float64, start *RobustFit, weight func(u float64) float64, o RobustOptions,
) (*RobustFit, error) {
	if start == nil {
		f, err := leastSquaresModel(ctx, op, X, y, o.Rows)
		if err != nil {
			return nil, err
		}
		start = &RobustFit{Model: *f}
	}
	m := *start
	fitted, err := m.Predict(X)
	if err != nil {
		return nil, err
	}
	counted := make([]float64, len(y))
	rows := o.Rows
	for step := 1; step <= o.MaxIter; step++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		scale := o.Scale
		if scale == 0 {
			scale = spread(y, fitted, o.Weights)
		}
		if scale == 0 { // more than half of the rows lie in the plane
			m.r = robustState{Counted: counted, Steps: step - 1}
			m.s.Method = "robust regression"
			for i, v := range y {
				if v == fitted[i] {
					counted[i] = 1
				}
			}
			return &m, nil
		}
		rows.Weights = make([]float64, len(y))
		for i, v := range y {
			counted[i] = weight((v - fitted[i]) / scale)
			if v == fitted[i] {
				counted[i] = weight(1e-300)
			}
			if rows.Weights[i] = counted[i]; o.Weights != nil {
				rows.Weights[i] *= o.Weights[i]
			}
		}
		f, err := leastSquaresModel(ctx, op, X, y, rows)
		if err != nil {
			return nil, err
		}
		after, err := f.Predict(X)
		if err != nil {
			return nil, err
		}
		far := 0.0
		for i, v := range after {
			far = max(far, math.Abs(v-fitted[i]))
		}
		m, fitted = RobustFit{Model: *f}, after
		m.s.Method = "robust regression"
		if far <= o.Tol*scale {
			m.r = robustState{scale, counted, step}
			return &m, nil
		}
	}
	m.r.Counted = counted
	return nil, &IterationError[*RobustFit]{op, o.MaxIter, &m}
}

func leastSquaresModel(ctx context.Context, op string, X mat.Matrix, y []float64, rows Rows) (*Model, error) {
	f, _, err := leastSquares(ctx, op, X, y, Options{Rows: rows})
	if err != nil {
		return nil, err
	}
	return &f.Model, nil
}

// spread returns the weighted median of the sizes of the residuals, divided by 0.6745.
func spread(y, fitted, weights []float64) float64 {
	type sized struct{ size, weight float64 }
	var list []sized
	total := 0.0
	for i, v := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			list, total = append(list, sized{math.Abs(v - fitted[i]), w}), total+w
		}
	}
	slices.SortFunc(list, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	sum := 0.0
	for i, v := range list {
		switch sum += v.weight; {
		case sum > total/2:
			return v.size / 0.6745
		case sum == total/2:
			return (v.size + list[i+1].size) / 2 / 0.6745
		}
	}
	return 0
}
