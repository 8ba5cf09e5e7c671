package mixture

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
)

// componentNames returns "component 1" ... for legends.
func componentNames(what string, k int) []string {
	out := make([]string, k)
	for c := range out {
		out[c] = fmt.Sprintf("%s %d", what, c+1)
	}
	return out
}

// plane returns the first two coordinates of each row and their labels.
func plane(set datasets.Set) (x, y []float64, xLabel, yLabel string) {
	x, y = set.Points()
	xLabel = label(set, 0)
	if set.D() > 1 {
		yLabel = label(set, 1)
	}
	return x, y, xLabel, yLabel
}

func label(set datasets.Set, j int) string {
	if j < len(set.Units) && set.Units[j] != "" {
		return set.FeatureNames[j] + " (" + set.Units[j] + ")"
	}
	return set.FeatureNames[j]
}

// shadow says that a picture of d > 2 dimensions shows two of them.
func shadow(f *plotting.Figure, d int) *plotting.Figure {
	if d > 2 {
		return f.Caption(fmt.Sprintf("The first two of %d features.", d))
	}
	return f
}

// regions draws the cells of a model of two features, and the points by their label.
func regions(set datasets.Set, step string, class func(x ...float64) int, labels []int, names []string) (*plotting.Figure, error) {
	if err := estimator.CheckPlane(step, set.D()); err != nil {
		return nil, err
	}
	x, y, xLabel, yLabel := plane(set)
	cells := plotting.Regions(func(a, b float64) int { return class(a, b) }, names...)
	return plotting.New(cells, plotting.Points(x, y).By(labels, names...)).X(xLabel).Y(yLabel), nil
}

// Show shows the picture or table that says most: Clusters.
func (p GMMPlan) Show() { p.Clusters().Show() }

// Clusters draws the rows by cluster: each coloured by its responsibilities, with an ellipse of one and two standard
// deviations for each component. With one feature it draws the histogram, the weighted components and their sum. With more than two it
// shows the first two.
func (p GMMPlan) Clusters() *plotting.Figure {
	return plan.Figure(p, "Clusters", func(m *GMM) (*plotting.Figure, error) {
		r, err := m.Proba(plan.Data(p).X)
		if err != nil {
			return nil, err
		}
		title := fmt.Sprintf("%d Gaussians (%s covariance), log-likelihood %.2f", m.k, m.kind, m.logLik)
		return m.picture(plan.Data(p), cut(r.RawMatrix().Data, m.k)).Title(title), nil
	})
}

func (m *GMM) picture(set datasets.Set, r [][]float64) *plotting.Figure {
	x, y, xLabel, yLabel := plane(set)
	names := componentNames("component", m.k)
	if m.d == 1 {
		return m.curves(x).X(xLabel)
	}
	f := plotting.New(plotting.Points(x, y).Mix(r, names...))
	for c, name := range names {
		mean, cov := m.marginal(c)
		f = f.Add(plotting.EllipseOf(mean, cov).Sigma(1).Class(name), plotting.EllipseOf(mean, cov).Sigma(2).Class(name).Dash())
	}
	return shadow(f.X(xLabel).Y(yLabel), m.d)
}

// marginal returns mean and covariance of the first two coordinates.
func (m *GMM) marginal(c int) ([]float64, [][]float64) {
	at := func(i, j int) float64 { return m.cov(c, i, j) }
	return []float64{m.means[c*m.d], m.means[c*m.d+1]}, [][]float64{{at(0, 0), at(0, 1)}, {at(1, 0), at(1, 1)}}
}

// curves draws a mixture in one dimension over the histogram of x.
func (m *GMM) curves(x []float64) *plotting.Figure {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	margin := 0.15*(hi-lo) + 1e-9
	sum := plotting.Curve(func(v float64) float64 { return m.Density(v) }, lo-margin, hi+margin).Accent().Width(4).Name("mixture")
	f := plotting.New(plotting.Histogram(x).Density().Muted().Name("data"), sum)
	for c, name := range componentNames("component", m.k) {
		f = f.Add(plotting.Curve(func(v float64) float64 { return m.Component(c, v) }, lo-margin, hi+margin).Class(name).Name(name).Dash())
	}
	return f.Y("density")
}

// Regions draws data of two features over the regions of the classes: for each point of the plane the component that is most responsible
// there.
func (p GMMPlan) Regions() *plotting.Figure {
	return plan.Figure(p, "Regions", func(m *GMM) (*plotting.Figure, error) {
		f, err := regions(plan.Data(p), "Regions", m.Class, m.labels, componentNames("component", m.k))
		if err != nil {
			return nil, err
		}
		return f.Title("Most responsible component"), nil
	})
}

// frames picks the iterations worth a frame: the first ones one by one, later ones further apart, the last always, fewer the more points
// there are.
func frames(iterations, n int) []int {
	most := min(24, max(6, 3000/max(1, n)))
	if iterations <= most {
		out := make([]int, iterations)
		for i := range out {
			out[i] = i
		}
		return out
	}
	var out []int
	for i := range most {
		u := float64(i) / float64(most-1)
		at := max(i, int(math.Round(math.Pow(float64(iterations), u)))-1)
		if len(out) == 0 || at > out[len(out)-1] {
			out = append(out, min(at, iterations-1))
		}
	}
	return out
}

// Iterations shows what the fit did, step by step: EM at work, frame by frame, responsibilities as colours, components as ellipses. The
// first frame is the start.
func (p GMMPlan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *GMM) (*plotting.Figure, error) {
		m, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		set := plan.Data(p)
		return plotting.Slide("iteration", frames(len(m.trace), set.N()), func(i int) *plotting.Figure {
			s := m.trace[i]
			subtitle := fmt.Sprintf("iteration %d: log-likelihood %.4f", i, s.LogLik)
			return s.Model.picture(set, s.Responsibilities).Title("Expectation maximisation").Subtitle(subtitle)
		}), nil
	})
}

// Decomposition draws L, Q and H, L = Q + H, against the iteration: the log-likelihood, the expected complete log-likelihood and the
// entropy of the hidden labels, each about its own parameters.
func (p GMMPlan) Decomposition() *plotting.Figure {
	return plan.Figure(p, "Decomposition", func(m *GMM) (*plotting.Figure, error) {
		m, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		var at, l, q, h []float64
		for i, s := range m.trace {
			at, l, q, h = append(at, float64(i)), append(l, s.LogLik), append(q, s.Q), append(h, s.H)
		}
		top := plotting.New(plotting.Line(at, l).Name("L"), plotting.Line(at, q).Name("Q").Dash()).Y("nats").X("iteration")
		low := plotting.New(plotting.Line(at, h).Name("H")).Y("nats").X("iteration")
		return plotting.Row(top.Title("L = Q + H"), low.Title("H, the entropy of the labels")), nil
	})
}

// BIC fits 1 ... kMax components (6 unless given) of each type of covariance and draws their BIC; the smallest is marked. See Select.
func (p GMMPlan) BIC(kMax ...int) *plotting.Figure {
	return plan.Figure(p, "BIC", func(*GMM) (*plotting.Figure, error) {
		set := plan.Data(p)
		top := min(6, set.N())
		if len(kMax) > 0 {
			top = kMax[0]
		}
		kinds := []Covariance{Full, Tied, Diagonal, Spherical}
		candidates, best, err := Select(context.Background(), set.X, top, kinds, plan.Options(p))
		if err != nil {
			return nil, err
		}
		f := plotting.New()
		for _, kind := range kinds {
			var k, bic []float64
			for _, c := range candidates {
				if c.Covariance == kind && c.Model != nil {
					k, bic = append(k, float64(c.K)), append(bic, c.BIC)
				}
			}
			if len(k) > 0 {
				f = f.Add(plotting.Line(k, bic).Markers().Name(string(kind)))
			}
		}
		w := candidates[best]
		f = f.Add(plotting.Points([]float64{float64(w.K)}, []float64{w.BIC}).Hollow().Size(16).Accent())
		return f.X("components").Y("BIC").Title(fmt.Sprintf("Smallest BIC: %d components, %s", w.K, w.Covariance)), nil
	})
}

// Table lists parameters and diagnostics: the weights, means and standard deviations.
func (p GMMPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *GMM) (cell.Table, error) {
		columns := []string{"component", "weight"}
		for _, statistic := range []string{"mean ", "sd "} {
			for j := range m.d {
				columns = append(columns, statistic+m.FeatureName(j))
			}
		}
		t := cell.NewTable(columns...).Title(m.String())
		for c := range m.k {
			row := []any{c + 1, m.weights[c]}
			for j := range m.d {
				row = append(row, m.means[c*m.d+j])
			}
			for j := range m.d {
				row = append(row, math.Sqrt(m.cov(c, j, j)))
			}
			t = t.Row(row...)
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: Clusters.
func (p KMeansPlan) Show() { p.Clusters().Show() }

// Clusters draws the rows by cluster: with the centres, and for two features the cells of the centres.
func (p KMeansPlan) Clusters() *plotting.Figure {
	return plan.Figure(p, "Clusters", func(m *KMeans) (*plotting.Figure, error) {
		return picture(plan.Data(p), Round{m.Centres(), m.labels, m.inertia}, true).Title(fmt.Sprintf("%d means, J = %.4g", m.k, m.inertia)), nil
	})
}

func picture(set datasets.Set, r Round, cells bool) *plotting.Figure {
	x, y, xLabel, yLabel := plane(set)
	names := componentNames("cluster", len(r.Centres))
	f := plotting.New()
	if cells && set.D() == 2 {
		near := &KMeans{k: len(r.Centres), d: 2}
		for _, c := range r.Centres {
			near.centres = append(near.centres, c...)
		}
		f = f.Add(plotting.Regions(func(a, b float64) int { return near.Class(a, b) }, names...))
	}
	var cx, cy []float64
	for _, c := range r.Centres {
		cx = append(cx, c[0])
		if len(c) > 1 {
			cy = append(cy, c[1])
		} else {
			cy = append(cy, 0)
		}
	}
	f = f.Add(plotting.Points(x, y).By(r.Labels, names...), plotting.Points(cx, cy).Marker("star").Size(15).Accent().Name("centres"))
	return shadow(f.X(xLabel).Y(yLabel), set.D())
}

// Regions draws data of two features over the regions of the classes: for each point of the plane the cluster of the nearest centre.
func (p KMeansPlan) Regions() *plotting.Figure {
	return plan.Figure(p, "Regions", func(m *KMeans) (*plotting.Figure, error) {
		f, err := regions(plan.Data(p), "Regions", m.Class, m.labels, componentNames("cluster", m.k))
		if err != nil {
			return nil, err
		}
		return f.Title("Nearest centre"), nil
	})
}

// Iterations shows what the fit did, step by step: the rounds frame by frame, the assignment to the centres of each round.
func (p KMeansPlan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *KMeans) (*plotting.Figure, error) {
		m, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		set := plan.Data(p)
		return plotting.Slide("round", frames(len(m.rounds), set.N()), func(i int) *plotting.Figure {
			return picture(set, m.rounds[i], false).Title("k-means").Subtitle(fmt.Sprintf("round %d: J = %.6g", i, m.rounds[i].Inertia))
		}), nil
	})
}

// Table lists parameters and diagnostics: sizes, centres and sums of squares.
func (p KMeansPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *KMeans) (cell.Table, error) {
		within, err := m.Within(plan.Data(p).X)
		if err != nil {
			return cell.Table{}, err
		}
		columns := []string{"cluster", "size", "sum of squares"}
		for j := range m.d {
			columns = append(columns, m.FeatureName(j))
		}
		t := cell.NewTable(columns...).Title(m.String())
		for c, size := range m.Sizes() {
			row := []any{c + 1, size, within[c]}
			for _, v := range m.centres[c*m.d : (c+1)*m.d] {
				row = append(row, v)
			}
			t = t.Row(row...)
		}
		return t, nil
	})
}
