package reduce

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// whitenSettings are what the steps of a whitening set.
type whitenSettings struct {
	WhitenOptions
	within bool // the pooled covariance within the classes
}

// A WhitenPlan is a whitening described step by step: PlanWhiten().Within().Fit(iris).
//
//plan:step Form ZCA() = ZCA // takes the symmetric root of the covariance, which moves the data least
//plan:step Form Triangular() = Triangular // takes the inverse Cholesky factor
//plan:step within Within // whitens the pooled covariance within the classes: the LDA transform, after which the class of the nearest
//plan:text mean is the LDA rule
//plan:step Divisor Population = Population // or of n-K after Within
//plan:step Weights SampleWeights
//plan:fit a set, with classes after Within
type WhitenPlan struct {
	plan.Transformer[*Whitening, whitenSettings]
}

// PlanWhiten begins a plan that whitens the covariance of all rows along the principal axes.
func PlanWhiten() WhitenPlan {
	return WhitenPlan{plan.NewTransformer(plan.Spec[*Whitening, whitenSettings]{
		Name: "Whiten", Options: whitenSettings{WhitenOptions: WhitenOptions{}}, Needs: plan.Rows,
		Check: func(step string, o whitenSettings) error { return checkGamma(step, o.Regularise) },
		CheckData: func(step string, set datasets.Set, o whitenSettings) error {
			if o.within {
				return set.CheckClasses(step)
			}
			return nil
		},
		Fit: func(ctx context.Context, set datasets.Set, o whitenSettings) (*Whitening, error) {
			if o.within {
				o.Labels = set.Y
			}
			return FitWhitening(ctx, set.X, o.WhitenOptions)
		},
	}, "z")}
}

// Regularise sets what is added to variances: gamma tr(Sigma)/d to the diagonal of the covariance.
func (p WhitenPlan) Regularise(gamma float64) WhitenPlan {
	return plan.With(p, "Regularise", func(o *whitenSettings) { o.WhitenOptions.Regularise = gamma }, gamma)
}

// Matrix returns A, with A Sigma A^T = I.
func (p WhitenPlan) Matrix() *mat.Dense { return p.Model().Matrix() }

// Scores draws the data as the model sees them: the first two features before and after.
func (p WhitenPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *Whitening) (*plotting.Figure, error) {
		set := plan.Data(p)
		if m.Dim() < 2 {
			return nil, estimator.CheckPlane("Scores", m.Dim())
		}
		z, err := m.Transform(set.X)
		if err != nil {
			return nil, err
		}
		return plotting.Row(
			plotting.New(cloud(set, set.X, 0, 1)).X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Equal().Title("before"),
			plotting.New(cloud(set, z, 0, 1), plotting.Ellipse([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, 1})).Sigma(2).Muted()).
				X("z1").Y("z2").Equal().Title("whitened"),
		), nil
	})
}

// Table lists parameters and diagnostics: the columns of A, one a feature, with the mean that is subtracted.
func (p WhitenPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Whitening) (cell.Table, error) {
		heads := []string{"feature", "mean"}
		for i := range m.Dim() {
			heads = append(heads, "to z"+strconv.Itoa(i+1))
		}
		t := cell.NewTable(heads...).Title(m.String())
		A, mean := m.Matrix(), m.Mean()
		for j := range m.Dim() {
			t = t.Row(append([]any{m.FeatureName(j), mean[j]}, fault.Args(mat.Col(nil, j, A))...)...)
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the data before and after.
func (p WhitenPlan) Show() { p.Scores().Show() }
