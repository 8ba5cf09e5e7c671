package reduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A PCAPlan is principal component analysis described step by step: PlanPCA(2).Scale().Fit(wine).
//
//plan:step Scale Scale // divides each feature by its standard deviation first
//plan:step Divisor Population = Population
//plan:step Path SVD() = SVD // takes the singular values of the centred data instead of the eigenvalues of the covariance matrix
//plan:step Weights SampleWeights
type PCAPlan struct {
	plan.Transformer[*PCA, PCAOptions]
}

// PlanPCA begins a plan that keeps k components; PlanPCA() keeps all.
func PlanPCA(k ...int) PCAPlan {
	o := PCAOptions{}
	if len(k) > 0 {
		o.Components = k[0]
	}
	return PCAPlan{plan.NewTransformer(plan.Spec[*PCA, PCAOptions]{
		Name: "PCA", Args: fault.Args(k), Options: o, Needs: plan.Rows,
		Check: func(step string, o PCAOptions) error { return o.checkShare(step) },
		Fit:   func(ctx context.Context, set datasets.Set, o PCAOptions) (*PCA, error) { return FitPCA(ctx, set.X, o) },
	}, "PC")}
}

// Share keeps as few components as keep this share of the variance of the data of the fit, in the place of a number of components:
// PlanPCA().Share(0.95).
func (p PCAPlan) Share(share float64) PCAPlan {
	if share == 0 {
		return plan.Broken(p, "Share", badShare("Share", share), share)
	}
	return plan.With(p, "Share", func(o *PCAOptions) { o.Share = share }, share)
}

// Krylov finds only the components asked for, each with ||S u - lambda u|| of at most accuracy times the largest variance: for data of
// hundreds of features and more. The variances of the other components are not known then.
func (p PCAPlan) Krylov(accuracy float64) PCAPlan {
	return plan.With(p, "Krylov", func(o *PCAOptions) { o.Path, o.Accuracy = Krylov, accuracy }, accuracy)
}

// AxisResiduals returns ||S u - lambda u|| of each component that Krylov found.
func (p PCAPlan) AxisResiduals() []float64 { return p.Model().Residuals() }

// Axis returns the principal axis u_j, j from 0.
func (p PCAPlan) Axis(j int) []float64 {
	return plan.Value(p, "Axis", func(m *PCA) ([]float64, error) {
		if err := estimator.CheckCount("Axis", "j", j, 0, m.Components()-1); err != nil {
			return nil, err
		}
		return m.Axis(j), nil
	}, j)
}

// Variances returns the variance of each component, the largest first: of all components.
func (p PCAPlan) Variances() []float64 { return p.Model().Variances() }

// Ratios returns the variances as shares of their sum.
func (p PCAPlan) Ratios() []float64 { return p.Model().Ratios() }

// Lost returns the sum of the variances beyond the first k: the mean squared error of rebuilding the rows from k components.
func (p PCAPlan) Lost(k int) float64 { return p.Model().Lost(k) }

// Synthesise returns the row m + sum_j b_j sqrt(lambda_j) u_j that has the scores b, in standard deviations; those not given are zero.
func (p PCAPlan) Synthesise(b ...float64) []float64 {
	return plan.Value(p, "Synthesise", func(m *PCA) ([]float64, error) {
		if len(b) == 0 {
			return nil, fault.Argument("Synthesise", "b", "empty", "a score at least", "a score of 0 gives the mean")
		}
		rows, err := m.Synthesise(mat.NewDense(1, len(b), slices.Clone(b)))
		if err != nil {
			return nil, err
		}
		return rows.RawRowView(0), nil
	}, fault.Args(b)...)
}

// Plausible returns the row nearest to x among those with all scores within limit standard deviations.
func (p PCAPlan) Plausible(x []float64, limit float64) []float64 {
	return plan.Value(p, "Plausible", func(m *PCA) ([]float64, error) { return m.Plausible(x, limit) }, x, limit)
}

func component(m *PCA, j int) string {
	return fmt.Sprintf("PC%d (%.1f %% of the variance)", j+1, 100*m.Ratios()[j])
}

// Scores draws the data as the model sees them: the first two scores of each row; with one component a histogram.
func (p PCAPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *PCA) (*plotting.Figure, error) {
		return scores(m, plan.Data(p), func(j int) string { return component(m, j) })
	})
}

// scores draws the first two columns of what a model maps the rows of a set to; of one column a histogram.
func scores(m estimator.Transformer, set datasets.Set, label func(j int) string) (*plotting.Figure, error) {
	z, err := m.Transform(set.X)
	if err != nil {
		return nil, err
	}
	if _, k := z.Dims(); k == 1 {
		h := plotting.Histogram(mat.Col(nil, 0, z)).Bins(bins)
		if set.Y != nil {
			h = h.By(set.Y, set.ClassNames...)
		}
		return plotting.New(h).X(label(0)).Y("rows").Title("Scores"), nil
	}
	return plotting.New(cloud(set, z, 0, 1)).X(label(0)).Y(label(1)).Equal().Title("Scores"), nil
}

// Scree draws the share of each component: the variances and the share of the variance that the first k components keep.
func (p PCAPlan) Scree() *plotting.Figure {
	return plan.Figure(p, "Scree", func(m *PCA) (*plotting.Figure, error) {
		v, share := m.Variances(), m.Ratios()
		k, kept := make([]float64, len(v)), make([]float64, len(v))
		sum := 0.0
		for j := range v {
			k[j] = float64(j + 1)
			sum += share[j]
			kept[j] = sum
		}
		return plotting.Row(
			plotting.New(plotting.Line(k, v).Markers()).X("component").Y("variance").Title("Scree plot"),
			plotting.New(plotting.Line(k, kept).Markers(), plotting.HRule(1).Muted().Dash()).
				X("components kept").
				Y("share of the variance").
				YRange(0, 1.05).
				Title("Variance kept"),
		), nil
	})
}

// Turned draws the projection on an axis turned by so many degrees: data of two features, a direction w at an angle in degrees from the
// first feature, the projections on it, and beside it a histogram of w^T x with its variance w^T S w.
func (p PCAPlan) Turned(degrees float64) *plotting.Figure {
	return plan.Figure(p, "Turned", func(m *PCA) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Turned", m.Dim()); err != nil {
			return nil, err
		}
		set, w := plan.Data(p), angle(degrees)
		left, z := projection(set, m.Mean(), w)
		mean := dot(w, m.Mean())
		variance := 0.0
		for _, v := range z {
			variance += (v - mean) * (v - mean)
		}
		by := float64(len(z))
		if m.state.Of == Sample {
			by--
		}
		h := plotting.Histogram(z).Bins(bins)
		if set.Y != nil {
			h = h.By(set.Y, set.ClassNames...)
		}
		right := plotting.New(h, plotting.VRule(mean).Dash().Muted()).X("w'x").Y("rows").Title(fmt.Sprintf("variance %.4g", variance/by))
		return plotting.Row(left.Title(fmt.Sprintf("w at %.4g degrees", degrees)), right), nil
	}, degrees)
}

// Reconstruction draws the mean squared error of rebuilding the rows from k components against k: the sum of the discarded variances.
func (p PCAPlan) Reconstruction() *plotting.Figure {
	return plan.Figure(p, "Reconstruction", func(m *PCA) (*plotting.Figure, error) {
		k, lost := make([]float64, len(m.state.Values)+1), make([]float64, len(m.state.Values)+1)
		for j := range k {
			k[j], lost[j] = float64(j), m.Lost(j)
		}
		return plotting.New(plotting.Line(k, lost).Markers()).X("components kept").Y("mean squared error").Title("Reconstruction error"), nil
	})
}

// Table lists parameters and diagnostics: the components with variance and shares.
func (p PCAPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *PCA) (cell.Table, error) {
		t := cell.NewTable("component", "variance", "share", "kept so far").Title(m.String())
		sum, share := 0.0, m.Ratios()
		for j, v := range m.Variances()[:m.Components()] {
			sum += share[j]
			t = t.Row("PC"+strconv.Itoa(j+1), v, share[j], sum)
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the scores beside the scree plot.
func (p PCAPlan) Show() {
	plan.Figure(p, "Show", func(*PCA) (*plotting.Figure, error) { return plotting.Column(p.Scores(), p.Scree()), nil }).Show()
}

// bins is the number of bins of a histogram of projections: enough to see two classes overlap.
const bins = 20

func angle(degrees float64) []float64 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float64{c, s}
}

// projection draws data of two features with the line through centre along w (of unit length) and the perpendiculars from the rows to it,
// and returns w^T x.
func projection(set datasets.Set, centre, w []float64) (*plotting.Figure, []float64) {
	x, y := set.Points()
	c := dot(w, centre)
	z := make([]float64, len(x))
	lo, hi := math.Inf(1), math.Inf(-1)
	fx, fy, order := make([]float64, len(x)), make([]float64, len(x)), make([]int, len(x))
	for i := range x {
		z[i] = w[0]*x[i] + w[1]*y[i]
		lo, hi = min(lo, z[i]-c), max(hi, z[i]-c)
		fx[i], fy[i] = centre[0]+(z[i]-c)*w[0], centre[1]+(z[i]-c)*w[1]
		order[i] = i
	}
	// One path draws all perpendiculars: from foot to row and back, and on to the next foot along the line itself.
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	var dx, dy []float64
	for _, i := range order {
		dx, dy = append(dx, fx[i], x[i], fx[i]), append(dy, fy[i], y[i], fy[i])
	}
	pad := 0.05 * (hi - lo)
	lo, hi = lo-pad, hi+pad
	feet := plotting.Points(fx, fy).Hollow().Size(5)
	if set.Y != nil {
		feet = feet.By(set.Y, set.ClassNames...)
	}
	fig := plotting.New(plotting.Line(dx, dy).Muted().Width(0.6).Opacity(0.5),
		plotting.Line([]float64{centre[0] + lo*w[0], centre[0] + hi*w[0]}, []float64{centre[1] + lo*w[1], centre[1] + hi*w[1]}).Accent(),
		feet, cloud(set, set.X, 0, 1)).X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Equal()
	return fig, z
}

// cloud draws the rows of a matrix by their columns a and b, coloured by class where there are classes.
func cloud(s datasets.Set, z mat.Matrix, a, b int) plotting.PointsLayer {
	p := plotting.Points(mat.Col(nil, a, z), mat.Col(nil, b, z))
	if s.Y != nil {
		p = p.By(s.Y, s.ClassNames...)
	}
	return p
}
