package reduce

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/plan"
)

// A KernelPCAPlan is kernel principal component analysis described step by step: PlanKernelPCA(2).RBF(3).Fit(rings).
//
//plan:step Kernel Linear = kernel.Linear{}
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step Kernel Sigmoid(gamma, c float64) = kernel.Sigmoid{Gamma: gamma, Coef0: c}
//plan:step Kernel Kernel // any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix
//plan:step Divisor Population = Population
//plan:step Kernel Poly(degree int, cGamma ...float64) =! kernel.PolyOf("Poly", degree, cGamma) // c is 1 and gamma is 1 unless given in
//plan:text this order
type KernelPCAPlan struct {
	plan.Transformer[*KernelPCA, KernelPCAOptions]
}

// PlanKernelPCA begins a plan that keeps k components; PlanKernelPCA() keeps all.
func PlanKernelPCA(k ...int) KernelPCAPlan {
	o := KernelPCAOptions{Kernel: kernel.Linear{}}
	if len(k) > 0 {
		o.Components = k[0]
	}
	return KernelPCAPlan{plan.NewTransformer(plan.Spec[*KernelPCA, KernelPCAOptions]{
		Name: "KernelPCA", Args: fault.Args(k), Options: o, Needs: plan.Rows,
		Check: func(step string, o KernelPCAOptions) error { return kernel.Check(step, o.Kernel) },
		Fit: func(ctx context.Context, set datasets.Set, o KernelPCAOptions) (*KernelPCA, error) {
			return FitKernelPCA(ctx, set.X, o)
		},
	}, "PC")}
}

// Variances returns the variance of each component, the largest first.
func (p KernelPCAPlan) Variances() []float64 { return p.Model().Variances() }

// Ratios returns the variances as shares of their sum: of the total variance in feature space.
func (p KernelPCAPlan) Ratios() []float64 { return p.Model().Ratios() }

// Scores draws the data as the model sees them: the first two scores of each row; with one component a histogram.
func (p KernelPCAPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *KernelPCA) (*plotting.Figure, error) {
		set := plan.Data(p)
		z, err := m.Transform(set.X)
		if err != nil {
			return nil, err
		}
		axis := func(j int) string { return fmt.Sprintf("PC%d (%.1f %% of the variance)", j+1, 100*m.Ratios()[j]) }
		if m.Components() == 1 {
			h := plotting.Histogram(mat.Col(nil, 0, z)).Bins(bins)
			if set.Y != nil {
				h = h.By(set.Y, set.ClassNames...)
			}
			return plotting.New(h).X(axis(0)).Y("rows").Title("Scores"), nil
		}
		return plotting.New(cloud(set, z, 0, 1)).X(axis(0)).Y(axis(1)).Equal().Title("Scores: " + m.Kernel().String()), nil
	})
}

// Component draws the score of component j, from 0, over the plane of two features.
func (p KernelPCAPlan) Component(j int) *plotting.Figure {
	return plan.Figure(p, "Component", func(m *KernelPCA) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Component", "j", j, 0, m.Components()-1); err != nil {
			return nil, err
		}
		if err := estimator.CheckPlane("Component", m.Dim()); err != nil {
			return nil, err
		}
		set := plan.Data(p)
		score := func(x, y float64) float64 {
			z, err := m.Transform(mat.NewDense(1, 2, []float64{x, y}))
			if err != nil {
				return 0
			}
			return z.At(0, j)
		}
		return plotting.New(plotting.Contours(score).Filled().Diverging(), cloud(set, set.X, 0, 1)).
			X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Equal().
			Title(fmt.Sprintf("PC%d, %.1f %% of the variance", j+1, 100*m.Ratios()[j])), nil
	}, j)
}

// Table lists parameters and diagnostics: the components with variance and shares.
func (p KernelPCAPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *KernelPCA) (cell.Table, error) {
		t := cell.NewTable("component", "variance", "share", "kept so far").Title(m.String())
		sum, share := 0.0, m.Ratios()
		for j, v := range m.Variances() {
			sum += share[j]
			t = t.Row("PC"+strconv.Itoa(j+1), v, share[j], sum)
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the scores.
func (p KernelPCAPlan) Show() { p.Scores().Show() }
