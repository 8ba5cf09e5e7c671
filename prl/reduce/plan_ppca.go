package reduce

import (
	"context"
	"fmt"
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

// A PPCAPlan is probabilistic principal component analysis described step by step: PlanPPCA(2).Fit(wine). Class labels are not used.
//
//plan:step Divisor Population = Population // it makes the data of the fit most likely
//plan:step Weights SampleWeights
type PPCAPlan struct {
	plan.Transformer[*PPCA, PPCAOptions]
}

// PlanPPCA begins a plan of k latent variables.
func PlanPPCA(k int) PPCAPlan {
	return PPCAPlan{plan.NewTransformer(plan.Spec[*PPCA, PPCAOptions]{
		Name: "PPCA", Args: []any{k}, Options: PPCAOptions{Components: k}, Needs: plan.Rows,
		Check: func(step string, o PPCAOptions) error {
			return estimator.CheckCount(step, "k", o.Components, 1, math.MaxInt)
		},
		CheckData: func(step string, set datasets.Set, o PPCAOptions) error {
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o PPCAOptions) (*PPCA, error) {
			return FitPPCA(ctx, set.X, o)
		},
	}, "z")}
}

// Noise returns sigma^2, the variance of the noise in every direction: the mean of the variances that the components leave over.
func (p PPCAPlan) Noise() float64 { return p.Model().Noise() }

// Loadings returns the d x k matrix W.
func (p PPCAPlan) Loadings() *mat.Dense { return p.Model().Loadings() }

// Variances returns the variance of each component, the largest first: of the data, along the principal axes.
func (p PPCAPlan) Variances() []float64 { return p.Model().Variances() }

// LogDensity returns log p(x) of a point, in nats.
func (p PPCAPlan) LogDensity(x ...float64) float64 {
	return plan.Value(p, "LogDensity", func(m *PPCA) (float64, error) {
		if err := estimator.CheckPoint("LogDensity", x, m.Dim()); err != nil {
			return 0, err
		}
		logs, err := m.LogDensities(mat.NewDense(1, len(x), x))
		if err != nil {
			return 0, err
		}
		return logs[0], nil
	}, fault.Args(x)...)
}

// Sample draws n rows from the model. The same seed gives the same rows.
func (p PPCAPlan) Sample(n int, seed uint64) datasets.Set {
	return plan.Set(p, "Sample", func(m *PPCA) (datasets.Set, error) {
		X, err := m.Sample(n, seed)
		if err != nil {
			return datasets.Set{}, err
		}
		return datasets.New("sample", X, nil).Named(plan.Data(p).FeatureNames...), nil
	}, n, seed)
}

// Scores draws the data as the model sees them: the posterior means of the first two latent variables of each row; of one variable a
// histogram.
func (p PPCAPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *PPCA) (*plotting.Figure, error) {
		fig, err := scores(m, plan.Data(p), func(j int) string { return fmt.Sprintf("z%d, given the row", j+1) })
		if err != nil {
			return nil, err
		}
		return fig.Title("Posterior means of z"), nil
	})
}

// Scree draws the share of each component: the variances of the data along the principal axes, and those of the model, the same up to the
// last component, and sigma^2 beyond it.
func (p PPCAPlan) Scree() *plotting.Figure {
	return plan.Figure(p, "Scree", func(m *PPCA) (*plotting.Figure, error) {
		data := m.Variances()
		k, model := make([]float64, len(data)), slices.Clone(data)
		for j := range data {
			k[j] = float64(j + 1)
			if j >= m.Components() {
				model[j] = m.Noise()
			}
		}
		return plotting.New(plotting.Line(k, model).Accent().Name("model"), plotting.Points(k, data).Name("data")).
			X("component").Y("variance").Title(m.String()), nil
	})
}

// Table lists parameters and diagnostics: the components with the variance, the length of the column of W, and how much of z is left open
// when a row is known.
func (p PPCAPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *PPCA) (cell.Table, error) {
		t, left := cell.NewTable("component", "variance", "|w|", "variance of z given a row").Title(m.String()), m.LatentVariances()
		for j, v := range m.Variances()[:m.Components()] {
			t = t.Row(fmt.Sprintf("z%d", j+1), v, m.length(j), left[j])
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the scores beside the scree plot.
func (p PPCAPlan) Show() {
	plan.Figure(p, "Show", func(*PPCA) (*plotting.Figure, error) { return plotting.Column(p.Scores(), p.Scree()), nil }).Show()
}
