package mixture

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
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

// Show displays Clusters.
func (p GMMPlan) Show() { p.Clusters().Show() }

// Clusters draws the points, each coloured by its responsibilities, with an ellipse of one and two standard deviations for each component. With one
// feature it draws the histogram, the weighted components and their sum. With more than two it shows the first two.
func (p GMMPlan) Clusters() *plotting.Figure {
	m, err := p.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	r, err := m.Proba(p.set.X)
	if err != nil {
		return plotting.Fault(err)
	}
	title := fmt.Sprintf("%d Gaussians (%s covariance), log-likelihood %.2f", m.k, m.kind, m.logLik)
	return p.picture(m, cut(r.RawMatrix().Data, m.k)).Title(title)
}

func (p GMMPlan) picture(m *GMM, r [][]float64) *plotting.Figure {
	x, y, xLabel, yLabel := plane(p.set)
	names := componentNames("component", m.k)
	if m.d == 1 {
		return p.curves(m, x).X(xLabel)
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
func (p GMMPlan) curves(m *GMM, x []float64) *plotting.Figure {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	margin := 0.15*(hi-lo) + 1e-9
	f := plotting.New(plotting.Histogram(x).Density().Muted().Name("data"), plotting.Curve(func(v float64) float64 { return m.Density(v) }, lo-margin, hi+margin).Accent().Width(4).Name("mixture"))
	for c, name := range componentNames("component", m.k) {
		f = f.Add(plotting.Curve(func(v float64) float64 { return m.Component(c, v) }, lo-margin, hi+margin).Class(name).Name(name).Dash())
	}
	return f.Y("density")
}

// Density draws the density of the mixture: contours for two features, the curve for one.
func (p GMMPlan) Density() *plotting.Figure {
	m, err := p.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	x, y, xLabel, yLabel := plane(p.set)
	switch m.d {
	case 1:
		return p.curves(m, x).X(xLabel).Title("Density of the mixture")
	case 2:
		return plotting.New(plotting.Contours(func(a, b float64) float64 { return m.Density(a, b) }).Label("density"), plotting.Points(x, y).Muted().Size(3)).X(xLabel).Y(yLabel).Title("Density of the mixture")
	}
	return plotting.Fault(p.Chain.Step("Density").Break(fault.Argument("Density", "number of features", m.d, "1 or 2", "choose two with .Features(a, b)")).Err())
}

// Regions draws for each point of the plane the component that is most responsible there.
func (p GMMPlan) Regions() *plotting.Figure {
	m, err := p.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	if m.d != 2 {
		return plotting.Fault(p.Chain.Step("Regions").Break(fault.Argument("Regions", "number of features", m.d, "2", "choose two with .Features(a, b)")).Err())
	}
	x, y, xLabel, yLabel := plane(p.set)
	names := componentNames("component", m.k)
	f := plotting.New(plotting.Regions(func(a, b float64) int { return m.Class(a, b) }, names...), plotting.Points(x, y).By(m.labels, names...))
	return f.X(xLabel).Y(yLabel).Title("Most responsible component")
}

// frames picks the iterations worth a frame: the first ones one by one, later ones further apart, the last always, fewer the more points there are.
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

// Iterations shows EM at work, frame by frame: responsibilities as colours, components as ellipses. The first frame is the start.
func (p GMMPlan) Iterations() *plotting.Figure {
	m, err := p.Trace()
	if err != nil {
		return plotting.Fault(err)
	}
	steps := m.trace
	return plotting.Slide("iteration", frames(len(steps), p.set.N()), func(i int) *plotting.Figure {
		return p.picture(steps[i].Model, steps[i].Responsibilities).Title("Expectation maximisation").Subtitle(fmt.Sprintf("iteration %d: log-likelihood %.4f", i, steps[i].LogLik))
	})
}

// Convergence draws the log-likelihood against the iteration.
func (p GMMPlan) Convergence() *plotting.Figure {
	m, err := p.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	return convergence(m.history, "log-likelihood (nats)").Title("EM never lowers the log-likelihood")
}

func convergence(values []float64, name string) *plotting.Figure {
	at := make([]float64, len(values))
	for i := range at {
		at[i] = float64(i)
	}
	line := plotting.Line(at, values).Name(name)
	if len(at) < 40 {
		line = line.Markers()
	}
	return plotting.New(line).X("iteration").Y(name).NoLegend()
}

// Decomposition draws L, Q and H, L = Q + H, against the iteration: the log-likelihood, the expected complete log-likelihood and the entropy of the hidden
// labels, each about its own parameters.
func (p GMMPlan) Decomposition() *plotting.Figure {
	m, err := p.Trace()
	if err != nil {
		return plotting.Fault(err)
	}
	var at, l, q, h []float64
	for i, s := range m.trace {
		at, l, q, h = append(at, float64(i)), append(l, s.LogLik), append(q, s.Q), append(h, s.H)
	}
	top := plotting.New(plotting.Line(at, l).Name("L"), plotting.Line(at, q).Name("Q").Dash()).Y("nats").X("iteration")
	low := plotting.New(plotting.Line(at, h).Name("H")).Y("nats").X("iteration")
	return plotting.Row(top.Title("L = Q + H"), low.Title("H, the entropy of the labels"))
}

// Steps returns the iterations as a table: L, Q, H and the rise of L.
func (p GMMPlan) Steps() cell.Table {
	t := cell.NewTable("iteration", "L", "Q", "H", "rise of L").Title("Expectation maximisation")
	m, err := p.Trace()
	if err != nil {
		return cell.BrokenTable(err)
	}
	for _, i := range frames(len(m.trace), 1) {
		s := m.trace[i]
		rise := any("")
		if i > 0 {
			rise = s.LogLik - m.trace[i-1].LogLik
		}
		t = t.Row(i, s.LogLik, s.Q, s.H, rise)
	}
	return t
}

// BIC fits 1 ... kMax components (6 unless given) of each type of covariance and draws their BIC; the smallest is marked.
func (p GMMPlan) BIC(kMax ...int) *plotting.Figure {
	candidates, best, err := p.Candidates(kMax...)
	if err != nil {
		return plotting.Fault(err)
	}
	f := plotting.New()
	for _, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
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
	return f.X("components").Y("BIC").Title(fmt.Sprintf("Smallest BIC: %d components, %s", w.K, w.Covariance))
}

// Candidates fits 1 ... kMax components (6 unless given) of each type of covariance to the data of the plan.
func (p GMMPlan) Candidates(kMax ...int) ([]Candidate, int, error) {
	if err := p.Chain.Err(); err != nil {
		return nil, 0, err
	}
	if !p.data {
		return nil, 0, p.Err()
	}
	top := min(6, p.set.N())
	if len(kMax) > 0 {
		top = kMax[0]
	}
	candidates, best, err := Select(context.Background(), p.set.X, top, []Covariance{Full, Tied, Diagonal, Spherical}, p.o)
	if err != nil {
		return nil, 0, p.Chain.Step("BIC", top).Break(err).Err()
	}
	return candidates, best, nil
}

// Summary returns the weights, means and standard deviations as a table.
func (p GMMPlan) Summary() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	columns := []string{"component", "weight"}
	for _, f := range p.set.FeatureNames {
		columns = append(columns, "mean "+f)
	}
	for _, f := range p.set.FeatureNames {
		columns = append(columns, "sd "+f)
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
	return t
}

// Show displays Clusters.
func (p KMeansPlan) Show() { p.Clusters().Show() }

// Clusters draws the points by cluster, the centres, and for two features the cells of the centres.
func (p KMeansPlan) Clusters() *plotting.Figure {
	m, err := p.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	return p.picture(Round{m.Centres(), m.labels, m.inertia}, true).Title(fmt.Sprintf("%d means, J = %.4g", m.k, m.inertia))
}

func (p KMeansPlan) picture(r Round, regions bool) *plotting.Figure {
	x, y, xLabel, yLabel := plane(p.set)
	names := componentNames("cluster", len(r.Centres))
	f := plotting.New()
	if regions && p.set.D() == 2 {
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
	return shadow(f.X(xLabel).Y(yLabel), p.set.D())
}

// Iterations shows the rounds frame by frame: the assignment to the centres of each round.
func (p KMeansPlan) Iterations() *plotting.Figure {
	m, err := p.Trace()
	if err != nil {
		return plotting.Fault(err)
	}
	return plotting.Slide("round", frames(len(m.rounds), p.set.N()), func(i int) *plotting.Figure {
		return p.picture(m.rounds[i], false).Title("k-means").Subtitle(fmt.Sprintf("round %d: J = %.6g", i, m.rounds[i].Inertia))
	})
}

// Convergence draws the objective J against the round.
func (p KMeansPlan) Convergence() *plotting.Figure {
	m, err := p.Trace()
	if err != nil {
		return plotting.Fault(err)
	}
	var j []float64
	for _, r := range m.rounds {
		j = append(j, r.Inertia)
	}
	return convergence(j, "J").X("round").Title("k-means never raises J")
}

// Elbow draws the best J for 1 ... kMax clusters (8 unless given).
func (p KMeansPlan) Elbow(kMax ...int) *plotting.Figure {
	if _, err := p.Fitted(); err != nil {
		return plotting.Fault(err)
	}
	top := min(8, p.set.N())
	if len(kMax) > 0 {
		top = kMax[0]
	}
	var at, j []float64
	for k := 1; k <= top; k++ {
		o := p.o
		o.K, o.Centres = k, nil
		m, err := FitKMeans(context.Background(), p.set.X, o)
		if err != nil {
			return plotting.Fault(p.Chain.Step("Elbow", top).Break(err).Err())
		}
		at, j = append(at, float64(k)), append(j, m.inertia)
	}
	return plotting.New(plotting.Line(at, j).Markers()).X("clusters").Y("J").Title("Objective and number of clusters")
}

// Summary returns sizes, centres and sums of squares as a table.
func (p KMeansPlan) Summary() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	within, err := m.Within(mat.DenseCopyOf(p.set.X))
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable(append([]string{"cluster", "size", "sum of squares"}, p.set.FeatureNames...)...).Title(m.String())
	for c, size := range m.Sizes() {
		row := []any{c + 1, size, within[c]}
		for _, v := range m.centres[c*m.d : (c+1)*m.d] {
			row = append(row, v)
		}
		t = t.Row(row...)
	}
	return t
}
