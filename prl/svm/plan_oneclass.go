package svm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/plan"
)

// A OneClassPlan learns the region of its data, described step by step: PlanOneClass().RBF(0.5).Nu(0.05).Fit(set). Class labels are not
// used.
type OneClassPlan struct {
	plan.Novelty[*OneClass, OneClassOptions]
}

// PlanOneClass begins a plan with the settings of DefaultOneClass: a Gaussian kernel scaled to the data, nu = 0.1.
func PlanOneClass() OneClassPlan {
	return OneClassPlan{plan.NewNovelty(plan.Spec[*OneClass, OneClassOptions]{
		Name: "OneClassSVM", Options: DefaultOneClass(), Needs: plan.Rows,
		Check: func(step string, o OneClassOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o OneClassOptions) error {
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o OneClassOptions) (*OneClass, error) {
			return FitOneClass(ctx, set.X, o)
		},
	})}
}

// Linear chooses the linear kernel.
func (p OneClassPlan) Linear() OneClassPlan {
	return plan.With(p, "Linear", func(o *OneClassOptions) { o.Kernel = kernel.Linear{} })
}

// Poly chooses the polynomial kernel (gamma <a, b> + c)^degree; c is 1 and gamma is 1 unless given in this order.
func (p OneClassPlan) Poly(degree int, cGamma ...float64) OneClassPlan {
	k, args, err := kernel.PolyOf("Poly", degree, cGamma)
	if err != nil {
		return plan.Broken(p, "Poly", err, args...)
	}
	return plan.With(p, "Poly", func(o *OneClassOptions) { o.Kernel = k }, args...)
}

// RBF chooses the Gaussian kernel exp(-gamma |a - b|^2).
func (p OneClassPlan) RBF(gamma float64) OneClassPlan {
	return plan.With(p, "RBF", func(o *OneClassOptions) { o.Kernel = kernel.RBF{Gamma: gamma} }, gamma)
}

// Sigmoid chooses tanh(gamma <a, b> + c), which is not positive semi-definite in general.
func (p OneClassPlan) Sigmoid(gamma, c float64) OneClassPlan {
	return plan.With(p, "Sigmoid", func(o *OneClassOptions) { o.Kernel = kernel.Sigmoid{Gamma: gamma, Coef0: c} }, gamma, c)
}

// Kernel chooses any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix.
func (p OneClassPlan) Kernel(k kernel.Kernel) OneClassPlan {
	return plan.With(p, "Kernel", func(o *OneClassOptions) { o.Kernel = k }, k)
}

// Nu sets the share of the rows that may lie outside, above 0 and at most 1: no more do, and no fewer become support vectors. 0.1 unless
// set.
func (p OneClassPlan) Nu(nu float64) OneClassPlan {
	if err := estimator.CheckPositive("Nu", "share", nu, 0.1); err != nil {
		return plan.Broken(p, "Nu", err, nu)
	}
	return plan.With(p, "Nu", func(o *OneClassOptions) { o.Nu = nu }, nu)
}

// SampleWeights sets a weight for each row; rows of weight 0 are left out.
func (p OneClassPlan) SampleWeights(w []float64) OneClassPlan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *OneClassOptions) { o.Weights = w }, w)
}

// Tol sets the violation of the KKT conditions at which SMO stops, as a share of the size of f; 1e-6 unless set.
func (p OneClassPlan) Tol(tol float64) OneClassPlan {
	return plan.With(p, "Tol", func(o *OneClassOptions) { o.Tol = tol }, tol)
}

// Fit names the data.
func (p OneClassPlan) Fit(set datasets.Set) OneClassPlan { return plan.Fit(p, set) }

// Keep keeps the region on disk for later cells and notebooks.
func (p OneClassPlan) Keep() OneClassPlan { return plan.Keep(p) }

// SupportVectors returns the rows that are support vectors: on the boundary, or outside.
func (p OneClassPlan) SupportVectors() []int { return p.Model().SupportRows() }

// Certificate returns the proof of optimality.
func (p OneClassPlan) Certificate() Certificate { return p.Model().Certificate() }

// Show shows the regions of two features, and Table otherwise.
func (p OneClassPlan) Show() {
	plan.ShowRegions(p)
}

// Table returns what the fit found.
func (p OneClassPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *OneClass) (cell.Table, error) {
		c := m.Certificate()
		return cell.NewTable("support vectors", "at bound", "|w|", "rho", "dual", "gap", "KKT violation", "steps").Title(m.String()).
			Row(c.Support, c.Bounded, math.Sqrt(m.Norm2()), -m.Bias(), c.Dual, c.Gap, c.Violation, c.Iterations).
			Note(fmt.Sprintf("%d of %d rows outside", len(p.Flagged()), plan.Data(p).N())), nil
	})
}
