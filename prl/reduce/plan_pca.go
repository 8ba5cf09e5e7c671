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
)

// A PCAPlan is principal component analysis described step by step: NewPCA(2).Scale().Fit(wine). It is an immutable value.
type PCAPlan struct {
	fault.Chain
	opts PCAOptions
}

// NewPCA begins a plan that keeps k components; NewPCA() keeps all.
func NewPCA(k ...int) PCAPlan {
	p := PCAPlan{Chain: fault.Start("PCA", fault.Args(k)...), opts: DefaultPCA()}
	if len(k) > 0 {
		p.opts.Components = k[0]
	}
	return p
}

// Scale divides each feature by its standard deviation first.
func (p PCAPlan) Scale() PCAPlan { p.Chain, p.opts.Scale = p.Step("Scale"), true; return p }

// Population divides by n instead of n-1.
func (p PCAPlan) Population() PCAPlan {
	p.Chain, p.opts.Divisor = p.Step("Population"), Population
	return p
}

// SVD takes the singular values of the centred data instead of the eigenvalues of the covariance matrix.
func (p PCAPlan) SVD() PCAPlan { p.Chain, p.opts.Path = p.Step("SVD"), SVD; return p }

// Weights sets a sample weight for each row.
func (p PCAPlan) Weights(w []float64) PCAPlan {
	p.Chain, p.opts.Weights = p.Step("Weights", w), append([]float64(nil), w...)
	return p
}

// Fit names the data. They are used when a result is asked for.
func (p PCAPlan) Fit(set datasets.Set) FittedPCA {
	return FittedPCA{newResult(p.Chain, set, false, func() (*PCA, error) { return FitPCA(context.Background(), set.X, p.opts) })}
}

// A FittedPCA is a plan with data. Its figures and numbers are computed when they are asked for, and the model once.
type FittedPCA struct{ Result[*PCA] }

// Set returns the scores as a data set with the features PC1, PC2, ...
func (p FittedPCA) Set() datasets.Set { return p.image("PC") }

// Axis returns the principal axis u_j, j from 0.
func (p FittedPCA) Axis(j int) []float64 {
	return cell.Must(cell.End(p.Outcome, func(m *PCA) ([]float64, error) {
		if err := estimator.CheckCount("Axis", "j", j, 0, m.Components()-1); err != nil {
			return nil, err
		}
		return m.Axis(j), nil
	}, "Axis", j))
}

// Variances returns all variances, the largest first.
func (p FittedPCA) Variances() []float64 { return p.Model().Variances() }

// Ratios returns the variances as shares of their sum.
func (p FittedPCA) Ratios() []float64 { return p.Model().Ratios() }

func component(m *PCA, j int) string {
	return fmt.Sprintf("PC%d (%.1f %% of the variance)", j+1, 100*m.Ratios()[j])
}

// Scores draws the first two scores of each row; with one component a histogram.
func (p FittedPCA) Scores() *plotting.Figure {
	return p.figure("Scores", func(m *PCA) (*plotting.Figure, error) {
		z, err := m.Transform(p.set.X)
		if err != nil {
			return nil, err
		}
		if m.Components() == 1 {
			h := plotting.Histogram(mat.Col(nil, 0, z)).Bins(bins)
			if p.set.Y != nil {
				h = h.By(p.set.Y, p.set.ClassNames...)
			}
			return plotting.New(h).X(component(m, 0)).Y("rows").Title("Scores"), nil
		}
		return plotting.New(cloud(p.set, z, 0, 1)).X(component(m, 0)).Y(component(m, 1)).Equal().Title("Scores"), nil
	})
}

// Scree draws the variances and the share of the variance that the first k components keep.
func (p FittedPCA) Scree() *plotting.Figure {
	return p.figure("Scree", func(m *PCA) (*plotting.Figure, error) {
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
			plotting.New(plotting.Line(k, kept).Markers(), plotting.HRule(1).Muted().Dash()).X("components kept").Y("share of the variance").YRange(0, 1.05).Title("Variance kept")), nil
	})
}

// Biplot draws the first two scores and, as arrows, the loadings of the features on the two axes, scaled to fill the picture.
func (p FittedPCA) Biplot() *plotting.Figure {
	return p.figure("Biplot", func(m *PCA) (*plotting.Figure, error) {
		if m.Components() < 2 {
			return nil, fault.Argument("Biplot", "the number of components", m.Components(), "2 at least", "call PCA(2)")
		}
		z, err := m.Transform(p.set.X)
		if err != nil {
			return nil, err
		}
		reach, longest := 0.0, 0.0
		n, _ := z.Dims()
		for i := range n {
			reach = max(reach, math.Hypot(z.At(i, 0), z.At(i, 1)))
		}
		u := m.Axes()
		for j := range m.Dim() {
			longest = max(longest, math.Hypot(u.At(j, 0), u.At(j, 1)))
		}
		scale := 0.8 * reach / max(longest, 1e-300)
		zero, ex, ey := make([]float64, m.Dim()), make([]float64, m.Dim()), make([]float64, m.Dim())
		for j := range ex {
			ex[j], ey[j] = scale*u.At(j, 0), scale*u.At(j, 1)
		}
		return plotting.New(cloud(p.set, z, 0, 1).Opacity(0.6), plotting.Arrows(zero, zero, ex, ey).Labels(p.set.FeatureNames...).Accent()).
			X(component(m, 0)).Y(component(m, 1)).Equal().Title("Biplot"), nil
	})
}

// Axes draws data of two features with their principal axes, each of length two standard deviations, and the ellipse of two standard deviations.
func (p FittedPCA) Axes() *plotting.Figure {
	return p.figure("Axes", func(m *PCA) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Axes", m.Dim()); err != nil {
			return nil, err
		}
		if m.state.Scale != nil {
			return nil, fault.Argument("Axes", "Scale", true, "false, for the picture shows the data in their own units", "leave out .Scale()")
		}
		mean := m.Mean()
		fig := plotting.New(cloud(p.set, p.set.X, 0, 1).Opacity(0.6))
		full, err := FitPCA(context.Background(), p.set.X, PCAOptions{Components: All, Divisor: m.state.Of})
		if err != nil {
			return nil, err
		}
		cov := mat.NewSymDense(2, nil)
		for j := range full.Components() {
			u, sd := full.Axis(j), math.Sqrt(full.Variances()[j])
			cov.SymRankOne(cov, full.Variances()[j], mat.NewVecDense(2, u))
			if j < m.Components() {
				fig = fig.Add(plotting.Arrow(mean[0], mean[1], mean[0]+2*sd*u[0], mean[1]+2*sd*u[1]).Accent().Label(fmt.Sprintf("u%d", j+1)))
			}
		}
		return fig.Add(plotting.Ellipse(mean, cov).Sigma(2).Muted()).X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1]).Equal().Title("Principal axes"), nil
	})
}

// At draws data of two features, a direction w at an angle in degrees from the first feature, the projections on it, and beside it a histogram of w^T x with its
// variance w^T S w.
func (p FittedPCA) At(degrees float64) *plotting.Figure {
	return p.figure("At", func(m *PCA) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("At", m.Dim()); err != nil {
			return nil, err
		}
		w := angle(degrees)
		left, z := projection(p.set, m.Mean(), w)
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
		if p.set.Y != nil {
			h = h.By(p.set.Y, p.set.ClassNames...)
		}
		right := plotting.New(h, plotting.VRule(mean).Dash().Muted()).X("w'x").Y("rows").Title(fmt.Sprintf("variance %.4g", variance/by))
		return plotting.Row(left.Title(fmt.Sprintf("w at %.4g degrees", degrees)), right), nil
	}, degrees)
}

// Reconstruction draws the mean squared error of rebuilding the rows from k components against k: the sum of the discarded variances.
func (p FittedPCA) Reconstruction() *plotting.Figure {
	return p.figure("Reconstruction", func(m *PCA) (*plotting.Figure, error) {
		k, lost := make([]float64, len(m.state.Values)+1), make([]float64, len(m.state.Values)+1)
		for j := range k {
			k[j], lost[j] = float64(j), m.Lost(j)
		}
		return plotting.New(plotting.Line(k, lost).Markers()).X("components kept").Y("mean squared error").Title("Reconstruction error"), nil
	})
}

// Table lists the components with variance and shares.
func (p FittedPCA) Table() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("component", "variance", "share", "kept so far").Title(m.String())
	sum, share := 0.0, m.Ratios()
	for j, v := range m.Variances()[:m.Components()] {
		sum += share[j]
		t = t.Row("PC"+strconv.Itoa(j+1), v, share[j], sum)
	}
	return t
}

// Show shows the scores beside the scree plot.
func (p FittedPCA) Show() {
	p.figure("Show", func(*PCA) (*plotting.Figure, error) { return plotting.Column(p.Scores(), p.Scree()), nil }).Show()
}

// bins is the number of bins of a histogram of projections: enough to see two classes overlap.
const bins = 20

func angle(degrees float64) []float64 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float64{c, s}
}

// projection draws data of two features with the line through centre along w (of unit length) and the perpendiculars from the rows to it, and returns w^T x.
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
