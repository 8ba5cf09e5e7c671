package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/plan"
)

// A OneClassPlan learns the region of its data, described step by step: PlanOneClass().RBF(0.5).Nu(0.05).Fit(set). Class labels are not
// used.
//
//plan:step Kernel Linear = kernel.Linear{}
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step Kernel Sigmoid(gamma, c float64) = kernel.Sigmoid{Gamma: gamma, Coef0: c}
//plan:step Kernel Kernel // any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix
//plan:step Weights SampleWeights // rows of weight 0 are left out
//plan:step Tol Tol // the violation of the KKT conditions in SMO, as a share of the size of f; 1e-6 unless set
type OneClassPlan struct {
	plan.Novelty[*OneClass, OneClassOptions]
}

// PlanOneClass begins a plan with the settings of OneClassOptions{}: a Gaussian kernel scaled to the data, nu = 0.1.
func PlanOneClass() OneClassPlan {
	return OneClassPlan{plan.NewNovelty(plan.Spec[*OneClass, OneClassOptions]{
		Name: "OneClassSVM", Options: OneClassOptions{}.filled(), Needs: plan.Rows,
		Check: func(step string, o OneClassOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o OneClassOptions) error {
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o OneClassOptions) (*OneClass, error) {
			return FitOneClass(ctx, set.X, o)
		},
	})}
}

// Poly chooses the kernel (gamma <a, b> + c)^degree: c is 1 and gamma is 1 unless given
// in this order.
func (p OneClassPlan) Poly(degree int, cGamma ...float64) OneClassPlan {
	k, args, err := kernel.PolyOf("Poly", degree, cGamma)
	if err != nil {
		return plan.Broken(p, "Poly", err, args...)
	}
	return plan.With(p, "Poly", func(o *OneClassOptions) { o.Kernel = k }, args...)
}

// Nu sets the share of rows that may break a margin or lie outside: the share of the rows that may lie outside, above 0 and at most 1, no
// more do, and no fewer become support vectors. 0.1 unless set.
func (p OneClassPlan) Nu(nu float64) OneClassPlan {
	if err := estimator.CheckPositive("Nu", "share", nu, 0.1); err != nil {
		return plan.Broken(p, "Nu", err, nu)
	}
	return plan.With(p, "Nu", func(o *OneClassOptions) { o.Nu = nu }, nu)
}

// SupportVectors returns the rows on which the fit rests: those on the boundary, or outside.
func (p OneClassPlan) SupportVectors() []int { return p.Model().SupportRows() }

// Certificate returns the proof that the fit is optimal.
func (p OneClassPlan) Certificate() Certificate { return p.Model().Certificate() }

// Show shows the picture or table that says most: the regions of two features, and Table otherwise.
func (p OneClassPlan) Show() {
	plan.ShowRegions(p)
}

// Table lists parameters and diagnostics: what the fit found.
func (p OneClassPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *OneClass) (cell.Table, error) {
		c := m.Certificate()
		return cell.NewTable("support vectors", "at bound", "|w|", "rho", "dual", "gap", "KKT violation", "steps").Title(m.String()).
			Row(c.Support, c.Bounded, math.Sqrt(m.Norm2()), -m.Bias(), c.Dual, c.Gap, c.Violation, c.Iterations).
			Note(fmt.Sprintf("%d of %d rows outside", len(p.Flagged()), plan.Data(p).N())), nil
	})
}
