package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A RegressionPlan is a support vector regression described step by step: PlanSVR().RBF(0.5).C(10).Fit(set).
//
//plan:step Kernel Linear = kernel.Linear{}
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step Kernel Sigmoid(gamma, c float64) = kernel.Sigmoid{Gamma: gamma, Coef0: c}
//plan:step Kernel Kernel // any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix
//plan:step Weights SampleWeights // it multiplies C; rows of weight 0 are left out
//plan:step Tol Tol // the violation of the KKT conditions in SMO, in standard deviations of the target; 1e-6 unless set
//plan:step Kernel Poly(degree int, cGamma ...float64) =! kernel.PolyOf("Poly", degree, cGamma) // c is 1 and gamma is 1 unless given in
//plan:text this order
//plan:step C C(c float64) =! estimator.Positive("C", "price of errors", c, 1) // here of errors
//plan:step Nu Nu(nu float64) =! estimator.Positive("Nu", "share", nu, 0.1) // in the place of the width of the tube, the share of the rows
//plan:text that may lie outside, above 0 and at most 1, no more do, and no fewer become support vectors. The fit finds the width that
//plan:text belongs to it; see Tube
type RegressionPlan struct {
	plan.Regressor[*Regressor, RegressionOptions]
}

// PlanSVR begins a plan with the settings of RegressionOptions{}: linear kernel, C = 1, epsilon = 0.1.
func PlanSVR() RegressionPlan {
	return RegressionPlan{plan.NewRegressor(plan.Spec[*Regressor, RegressionOptions]{
		Name: "SVR", Options: RegressionOptions{}.filled(), Needs: plan.Target,
		Check: func(step string, o RegressionOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o RegressionOptions) error {
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o RegressionOptions) (*Regressor, error) {
			if o.Epsilon == 0 {
				o.Epsilon = estimator.None
			}
			return FitRegression(ctx, set.X, set.Target, o)
		},
	})}
}

// Epsilon sets the error that is allowed: half the width of the tube in which errors cost nothing, in the unit of the target; 0.1 unless
// set.
func (p RegressionPlan) Epsilon(epsilon float64) RegressionPlan {
	if !(epsilon >= 0) {
		err := fault.Argument("Epsilon", "half the width of the tube", epsilon, "at least 0", "")
		return plan.Broken(p, "Epsilon", err, epsilon)
	}
	if nu := plan.Options(p).Nu; nu > 0 {
		err := fault.Argument("Epsilon", "half the width of the tube", epsilon, "left out after Nu, which finds it", "drop one of the two")
		return plan.Broken(p, "Epsilon", err, epsilon)
	}
	return plan.With(p, "Epsilon", func(o *RegressionOptions) { o.Epsilon = epsilon }, epsilon)
}

// SupportVectors returns the rows on which the fit rests: those on the tube, or outside.
func (p RegressionPlan) SupportVectors() []int { return p.Model().SupportRows() }

// Tube returns half the width of the tube: epsilon, which Nu leaves to the fit.
func (p RegressionPlan) Tube() float64 { return p.Model().Epsilon() }

// Bias returns b of a function <w, phi(x)> + b.
func (p RegressionPlan) Bias() float64 { return p.Model().Bias() }

// Weights returns w of a linear function: with a linear kernel.
func (p RegressionPlan) Weights() []float64 { return plan.Value(p, "Weights", (*Regressor).Weights) }

// Certificate returns the proof that the fit is optimal.
func (p RegressionPlan) Certificate() Certificate { return p.Model().Certificate() }

// Value returns f(x), the number on which the answer for a point rests.
func (p RegressionPlan) Value(x ...float64) float64 {
	return plan.Value(p, "Value", func(m *Regressor) (float64, error) {
		return m.Value(x...), estimator.CheckPoint("Value", x, m.Dim())
	}, fault.Args(x)...)
}

// Curve draws what was fitted, over the data of one feature: f, with the tube about it and rings round the
// support vectors.
func (p RegressionPlan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(m *Regressor) (*plotting.Figure, error) {
		fig := p.Regressor.Curve()
		if err := fig.Err(); err != nil {
			return nil, err
		}
		set := plan.Data(p)
		x := mat.Col(nil, 0, set.X)
		const places = 400
		at, lower, upper := make([]float64, places), make([]float64, places), make([]float64, places)
		lo, hi := slices.Min(x), slices.Max(x)
		for i := range at {
			at[i] = lo + (hi-lo)*float64(i)/(places-1)
			f := m.Value(at[i])
			lower[i], upper[i] = f-m.Epsilon(), f+m.Epsilon()
		}
		rows := m.SupportRows()
		sx, sy := make([]float64, len(rows)), make([]float64, len(rows))
		for k, r := range rows {
			sx[k], sy[k] = x[r], set.Target[r]
		}
		return fig.Add(plotting.Band(at, lower, upper).Name("tube"),
			plotting.Points(sx, sy).Name("support vectors").Marker("circle").Hollow().Size(15).Accent().Rows(rows)), nil
	})
}

// Show shows the picture or table that says most: the curve over one feature, and the errors otherwise.
func (p RegressionPlan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 1 {
		p.Curve().Show()
		return
	}
	p.Regressor.Show()
}

// Table lists parameters and diagnostics: what the fit found.
func (p RegressionPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Regressor) (cell.Table, error) {
		c, w := m.Certificate(), math.Sqrt(m.Norm2())
		return cell.NewTable("support vectors", "at bound", "epsilon", "|w|", "b", "dual", "gap", "KKT violation", "steps").Title(m.String()).
			Row(c.Support, c.Bounded, m.Epsilon(), w, m.Bias(), c.Dual, c.Gap, c.Violation, c.Iterations), nil
	})
}
