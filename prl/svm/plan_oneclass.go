package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
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
//plan:step Kernel Poly(degree int, cGamma ...float64) =! kernel.PolyOf("Poly", degree, cGamma) // c is 1 and gamma is 1 unless given in
//plan:text this order
//plan:step Nu Nu(nu float64) =! estimator.Positive("Nu", "share", nu, 0.1) // the share of the rows that may lie outside, above 0 and at
//plan:text most 1, no more do, and no fewer become support vectors. 0.1 unless set
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
