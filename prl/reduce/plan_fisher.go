package reduce

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A FisherPlan is Fisher's discriminant described step by step: NewFisher().Regularise(0.01).Fit(iris). It is an immutable value.
type FisherPlan struct {
	fault.Chain
	opts FisherOptions
}

// NewFisher begins a plan for two classes.
func NewFisher() FisherPlan {
	return FisherPlan{Chain: fault.Start("FisherLDA"), opts: DefaultFisher()}
}

// Regularise adds gamma tr(S_W)/d to the diagonal of S_W, which makes it invertible.
func (p FisherPlan) Regularise(gamma float64) FisherPlan {
	p.Chain, p.opts.Regularise = p.Step("Regularise", gamma).Break(checkGamma("Regularise", gamma)), gamma
	return p
}

// Priors places the threshold by the class shares instead of half-way between the projected means.
func (p FisherPlan) Priors() FisherPlan {
	p.Chain, p.opts.Threshold = p.Step("Priors"), Priors
	return p
}

// Weights sets a sample weight for each row.
func (p FisherPlan) Weights(w []float64) FisherPlan {
	p.Chain, p.opts.Weights = p.Step("Weights", w), append([]float64(nil), w...)
	return p
}

// Fit names the data, of two classes. They are used when a result is asked for.
func (p FisherPlan) Fit(set datasets.Set) FittedFisher {
	return FittedFisher{newResult(p.Chain, set, true, func() (*Fisher, error) { return FitFisher(context.Background(), set.X, set.Y, p.opts) }), p.opts.Weights}
}

// A FittedFisher is a plan with data. Its figures and numbers are computed when they are asked for, and the model once.
type FittedFisher struct {
	Result[*Fisher]
	weights []float64
}

// Direction returns w, of unit length, pointing from class 0 to class 1.
func (p FittedFisher) Direction() []float64 { return p.Model().Direction() }

// J returns the criterion at the Fisher direction.
func (p FittedFisher) J() float64 { return p.Model().J() }

// JOf returns the criterion J(w) of any direction.
func (p FittedFisher) JOf(w ...float64) float64 {
	return cell.Must(cell.End(p.Outcome, func(m *Fisher) (float64, error) { return m.Criterion(w) }, "JOf", fault.Args(w)...))
}

// Cut returns the threshold on w^T x.
func (p FittedFisher) Cut() float64 { return p.Model().Cut() }

// Scatter returns the class means and scatter matrices of the data.
func (p FittedFisher) Scatter() *Scatter {
	return cell.Must(cell.End(p.Outcome, func(*Fisher) (*Scatter, error) { return Scatters(p.set.X, p.set.Y, p.weights) }, "Scatter"))
}

// Set returns w^T x as a data set of one feature.
func (p FittedFisher) Set() datasets.Set { return p.image("w") }

// Predict returns the class index of each row of another set.
func (p FittedFisher) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(p.Outcome, datasets.On(set, (*Fisher).Predict), "Predict", set))
}

// Accuracy returns the share of the rows of set that are classified right.
func (p FittedFisher) Accuracy(set datasets.Set) float64 {
	return cell.Must(cell.End(p.Outcome, datasets.Accuracy(set, "Accuracy", (*Fisher).Predict), "Accuracy", set))
}

// Projection draws the histograms of both classes on the Fisher direction, with the threshold, and J in the title.
func (p FittedFisher) Projection() *plotting.Figure {
	return p.figure("Projection", func(m *Fisher) (*plotting.Figure, error) {
		z, err := m.Transform(p.set.X)
		if err != nil {
			return nil, err
		}
		return p.histogram(mat.Col(nil, 0, z), m.Cut()).Title(fmt.Sprintf("On the Fisher direction J = %.4g", m.J())), nil
	})
}

// histogram draws both classes on a direction with the threshold, on bins that both share.
func (p FittedFisher) histogram(z []float64, cut float64) *plotting.Figure {
	fig := plotting.New(plotting.Histogram(z).Bins(bins).By(p.set.Y, p.set.ClassNames...)).X("w'x").Y("rows")
	if !math.IsNaN(cut) {
		fig = fig.Add(plotting.VRule(cut).Dash().Label("threshold"))
	}
	return fig
}

// At draws data of two features with the direction w at an angle in degrees from the first feature and the projections on it; beside it the histograms of w^T x and J(w).
func (p FittedFisher) At(degrees float64) *plotting.Figure {
	return p.figure("At", func(m *Fisher) (*plotting.Figure, error) {
		w := angle(degrees)
		return p.along("At", m, w, fmt.Sprintf("w at %.4g degrees", degrees))
	}, degrees)
}

func (p FittedFisher) along(name string, m *Fisher, w []float64, title string) (*plotting.Figure, error) {
	m0, m1 := m.state.Means[0], m.state.Means[1]
	if err := estimator.CheckPlane(name, m.Dim()); err != nil {
		return nil, err
	}
	centre := []float64{(m0[0] + m1[0]) / 2, (m0[1] + m1[1]) / 2}
	left, z := projection(p.set, centre, w)
	j, err := m.Criterion(w)
	if err != nil {
		return nil, err
	}
	left = left.Add(plotting.Points([]float64{m0[0]}, []float64{m0[1]}).Class(p.set.ClassNames[0]).Size(13), plotting.Points([]float64{m1[0]}, []float64{m1[1]}).Class(p.set.ClassNames[1]).Size(13))
	return plotting.Row(left.Title(title), p.histogram(z, dot(w, centre)).Title(fmt.Sprintf("J(w) = %.4g", j))), nil
}

// Plane draws data of two features with the two decision regions, the Fisher direction and the difference of the means.
func (p FittedFisher) Plane() *plotting.Figure {
	return p.figure("Plane", func(m *Fisher) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Plane", m.Dim()); err != nil {
			return nil, err
		}
		m0, m1 := m.Means(0), m.Means(1)
		centre := []float64{(m0[0] + m1[0]) / 2, (m0[1] + m1[1]) / 2}
		half := math.Hypot(m1[0]-m0[0], m1[1]-m0[1]) / 2
		w := m.Direction()
		return plotting.New(plotting.Regions(func(a, b float64) int {
			if m.coef[0]*a+m.coef[1]*b+m.offset > 0 {
				return 1
			}
			return 0
		}, p.set.ClassNames...), cloud(p.set, p.set.X, 0, 1),
			plotting.Arrow(m0[0], m0[1], m1[0], m1[1]).Muted().Name("m1 - m0"),
			plotting.Arrow(centre[0]-half*w[0], centre[1]-half*w[1], centre[0]+half*w[0], centre[1]+half*w[1]).Accent().Name("w")).
			X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1]).Equal().Title("Fisher's direction and the difference of the means"), nil
	})
}

// Criterion draws J against the angle of w for data of two features, with the Fisher direction marked.
func (p FittedFisher) Criterion() *plotting.Figure {
	return p.figure("Criterion", func(m *Fisher) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Criterion", m.Dim()); err != nil {
			return nil, err
		}
		w := m.Direction()
		best := math.Mod(math.Atan2(w[1], w[0])*180/math.Pi+180, 180)
		diff := []float64{m.state.Means[1][0] - m.state.Means[0][0], m.state.Means[1][1] - m.state.Means[0][1]}
		worst := math.Mod(math.Atan2(diff[1], diff[0])*180/math.Pi+270, 180)
		return plotting.New(plotting.Curve(func(deg float64) float64 {
			j, _ := m.Criterion(angle(deg)) // the width was checked
			return j
		}, 0, 180).Name("J(w)"), plotting.VRule(best).Dash().Accent().Label("Fisher"), plotting.VRule(worst).Dash().Muted().Label("means coincide"),
			plotting.Points([]float64{best}, []float64{m.J()}).Accent()).
			X("angle of w, degrees").Y("J(w)").XTicks([]float64{0, 45, 90, 135, 180}).Title(fmt.Sprintf("Fisher's criterion: maximum %.4g at %.1f degrees", m.J(), best)).NoLegend(), nil
	})
}

// Turn returns a slider over the angle of w, in steps of 10 degrees.
func (p FittedFisher) Turn() *plotting.Figure {
	if err := p.Err(); err != nil {
		return plotting.Fault(err)
	}
	var degrees []float64
	for d := 0.0; d < 180; d += 10 {
		degrees = append(degrees, d)
	}
	return plotting.Slide("angle", degrees, p.At)
}

// Table lists the numbers of the discriminant.
func (p FittedFisher) Table() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	means, s := m.Projected()
	t := cell.NewTable("class", "n", "projected mean", "projected scatter").Title(m.String())
	for c := range 2 {
		t = t.Row(p.set.ClassNames[c], m.state.Sizes[c], means[c], s[c])
	}
	return t
}

// Show shows the plane beside the projection for data of two features, else the projection.
func (p FittedFisher) Show() {
	p.figure("Show", func(m *Fisher) (*plotting.Figure, error) {
		if m.Dim() == 2 {
			return plotting.Row(p.Plane(), p.Projection()), nil
		}
		return p.Projection(), nil
	}).Show()
}
