package reduce

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A WhitenPlan is a whitening described step by step: NewWhitening().Within().Fit(iris). It is an immutable value.
type WhitenPlan struct {
	fault.Chain
	opts   WhitenOptions
	within bool
}

// NewWhitening begins a plan that whitens the covariance of all rows along the principal axes.
func NewWhitening() WhitenPlan {
	return WhitenPlan{Chain: fault.Start("Whiten"), opts: DefaultWhiten()}
}

// ZCA takes the symmetric root of the covariance, which moves the data least.
func (p WhitenPlan) ZCA() WhitenPlan { p.Chain, p.opts.Form = p.Step("ZCA"), ZCA; return p }

// Triangular takes the inverse Cholesky factor.
func (p WhitenPlan) Triangular() WhitenPlan {
	p.Chain, p.opts.Form = p.Step("Triangular"), Triangular
	return p
}

// Within whitens the pooled covariance within the classes: the LDA transform, after which the class of the nearest mean is the LDA rule.
func (p WhitenPlan) Within() WhitenPlan { p.Chain, p.within = p.Step("Within"), true; return p }

// Population divides by n instead of n-1 (or n-K).
func (p WhitenPlan) Population() WhitenPlan {
	p.Chain, p.opts.Divisor = p.Step("Population"), Population
	return p
}

// Regularise adds gamma tr(Sigma)/d to the diagonal of the covariance.
func (p WhitenPlan) Regularise(gamma float64) WhitenPlan {
	p.Chain, p.opts.Regularise = p.Step("Regularise", gamma).Break(checkGamma("Regularise", gamma)), gamma
	return p
}

// Fit names the data. They are used when a result is asked for.
func (p WhitenPlan) Fit(set datasets.Set) FittedWhitening {
	opts := p.opts
	if p.within {
		opts.Labels = set.Y
	}
	return FittedWhitening{newResult(p.Chain, set, p.within, func() (*Whitening, error) { return FitWhitening(context.Background(), set.X, opts) })}
}

// A FittedWhitening is a plan with data. Its figures and numbers are computed when they are asked for, and the model once.
type FittedWhitening struct{ Result[*Whitening] }

// Set returns the whitened data as a data set.
func (p FittedWhitening) Set() datasets.Set { return p.image("z") }

// Matrix returns A, with A Sigma A^T = I.
func (p FittedWhitening) Matrix() *mat.Dense { return p.Model().Matrix() }

// Scores draws the first two features before and after.
func (p FittedWhitening) Scores() *plotting.Figure {
	return p.figure("Scores", func(m *Whitening) (*plotting.Figure, error) {
		if m.Dim() < 2 {
			return nil, estimator.CheckPlane("Scores", m.Dim())
		}
		z, err := m.Transform(p.set.X)
		if err != nil {
			return nil, err
		}
		return plotting.Row(
			plotting.New(cloud(p.set, p.set.X, 0, 1)).X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1]).Equal().Title("before"),
			plotting.New(cloud(p.set, z, 0, 1), plotting.Ellipse([]float64{0, 0}, mat.NewDiagDense(2, []float64{1, 1})).Sigma(2).Muted()).X("z1").Y("z2").Equal().Title("whitened")), nil
	})
}

// Show shows the data before and after.
func (p FittedWhitening) Show() { p.Scores().Show() }
