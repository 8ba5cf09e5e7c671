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
	"github.com/prlab/prlab/prl/plan"
)

// A FisherPlan is Fisher's discriminant described step by step: PlanFisher().Regularise(0.01).Fit(iris).
//
//plan:step Regularise Regularise // gamma tr(S_W)/d to the diagonal of S_W, which makes it invertible
//plan:step Threshold ThresholdByPriors() = Priors // places the threshold by the class shares instead of half-way between the projected
//plan:text means
//plan:step Weights SampleWeights
//plan:fit a set of two classes
type FisherPlan struct {
	plan.Classifier[*Fisher, FisherOptions]
}

// PlanFisher begins a plan for two classes.
func PlanFisher() FisherPlan {
	return FisherPlan{plan.NewClassifier(plan.Spec[*Fisher, FisherOptions]{
		Name: "FisherLDA", Options: FisherOptions{}, Needs: plan.Classes,
		Check: func(step string, o FisherOptions) error { return checkGamma(step, o.Regularise) },
		CheckData: func(step string, set datasets.Set, _ FisherOptions) error {
			return plan.CheckTwoClasses(step, set, "or use MDA")
		},
		Fit: func(ctx context.Context, set datasets.Set, o FisherOptions) (*Fisher, error) {
			return FitFisher(ctx, set.X, set.Y, o)
		},
	})}
}

// Transform returns the images of the rows: w^T x of those of a set, or of the data of the fit when none is given, as the feature w1.
func (p FisherPlan) Transform(other ...datasets.Set) datasets.Set {
	return plan.TransformOf(p, "w", other...)
}

// Direction returns w, of unit length, pointing from class 0 to class 1.
func (p FisherPlan) Direction() []float64 { return p.Model().Direction() }

// J returns the criterion at the Fisher direction.
func (p FisherPlan) J() float64 { return p.Model().J() }

// Criterion returns J(w) of any direction.
func (p FisherPlan) Criterion(w ...float64) float64 {
	return plan.Value(p, "Criterion", func(m *Fisher) (float64, error) { return m.Criterion(w) }, fault.Args(w)...)
}

// Cut returns where a projection or a tree is cut: the threshold on w^T x.
func (p FisherPlan) Cut() float64 { return p.Model().Cut() }

// Scatter returns the class means and scatter matrices of the data.
func (p FisherPlan) Scatter() *Scatter {
	return plan.Value(p, "Scatter", func(*Fisher) (*Scatter, error) {
		return Scatters(plan.Data(p).X, plan.Data(p).Y, plan.Options(p).Weights)
	})
}

// Projection draws the histograms of both classes on the Fisher direction, with the threshold, and J in the title.
func (p FisherPlan) Projection() *plotting.Figure {
	return plan.Figure(p, "Projection", func(m *Fisher) (*plotting.Figure, error) {
		z, err := m.Transform(plan.Data(p).X)
		if err != nil {
			return nil, err
		}
		return p.histogram(mat.Col(nil, 0, z), m.Cut()).Title(fmt.Sprintf("On the Fisher direction J = %.4g", m.J())), nil
	})
}

// histogram draws both classes on a direction with the threshold, on bins that both share.
func (p FisherPlan) histogram(z []float64, cut float64) *plotting.Figure {
	set := plan.Data(p)
	fig := plotting.New(plotting.Histogram(z).Bins(bins).By(set.Y, set.ClassNames...)).X("w'x").Y("rows")
	if !math.IsNaN(cut) {
		fig = fig.Add(plotting.VRule(cut).Dash().Label("threshold"))
	}
	return fig
}

// Turned draws the projection on an axis turned by so many degrees: data of two features with the direction w at an angle in degrees from
// the first feature and the projections on it; beside it the histograms of w^T x and J(w).
func (p FisherPlan) Turned(degrees float64) *plotting.Figure {
	return plan.Figure(p, "Turned", func(m *Fisher) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Turned", m.Dim()); err != nil {
			return nil, err
		}
		set, w := plan.Data(p), angle(degrees)
		m0, m1 := m.state.Means[0], m.state.Means[1]
		centre := middle(m)
		left, z := projection(set, centre, w)
		j, err := m.Criterion(w)
		if err != nil {
			return nil, err
		}
		left = left.Add(
			plotting.Points(m0[:1], m0[1:]).Class(m.ClassName(0)).Size(13),
			plotting.Points(m1[:1], m1[1:]).Class(m.ClassName(1)).Size(13),
		)
		return plotting.Row(left.Title(fmt.Sprintf("w at %.4g degrees", degrees)),
			p.histogram(z, dot(w, centre)).Title(fmt.Sprintf("J(w) = %.4g", j))), nil
	}, degrees)
}

// middle returns the point half-way between the class means.
func middle(m *Fisher) []float64 {
	c := make([]float64, m.Dim())
	for j := range c {
		c[j] = (m.state.Means[0][j] + m.state.Means[1][j]) / 2
	}
	return c
}

// Regions draws data of two features over the regions of the classes: two, with the Fisher
// direction and the difference of the means.
func (p FisherPlan) Regions() *plotting.Figure {
	return plan.Figure(p, "Regions", func(m *Fisher) (*plotting.Figure, error) {
		fig, err := plan.RegionsOf(m, plan.Data(p), "Regions", nil)
		if err != nil {
			return nil, err
		}
		m0, m1, c, w := m.state.Means[0], m.state.Means[1], middle(m), m.unit
		half := math.Hypot(m1[0]-m0[0], m1[1]-m0[1]) / 2
		return fig.Add(plotting.Arrow(m0[0], m0[1], m1[0], m1[1]).Muted().Name("m1 - m0"),
			plotting.Arrow(c[0]-half*w[0], c[1]-half*w[1], c[0]+half*w[0], c[1]+half*w[1]).Accent().Name("w")).
			Equal().Title("Fisher's direction and the difference of the means"), nil
	})
}

// Table lists parameters and diagnostics: the numbers of the discriminant.
func (p FisherPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Fisher) (cell.Table, error) {
		means, s := m.Projected()
		t := cell.NewTable("class", "n", "projected mean", "projected scatter").Title(m.String())
		for c := range 2 {
			t = t.Row(m.ClassName(c), m.state.Sizes[c], means[c], s[c])
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the regions beside the projection for data of two features, else the projection.
func (p FisherPlan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 2 {
		plotting.Row(p.Regions(), p.Projection()).Show()
		return
	}
	p.Projection().Show()
}
