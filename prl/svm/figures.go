package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// Show displays the machine: Boundary for two features, Scores otherwise.
func (p Plan) Show() {
	m, err := p.Fitted()
	switch {
	case err != nil:
		cell.Fail(err)
	case m.D == 2:
		p.Boundary().Show()
	case m.K == 2:
		p.Scores().Show()
	default:
		p.Summary().Show()
	}
}

// plane returns the model of a plan on two features.
func (p Plan) plane(method string) (*Model, error) {
	m, err := p.Fitted()
	if err == nil && m.D != 2 {
		err = p.Chain.Step(method).Break(fault.Argument(method, "number of features", m.D, "2 for a picture of the plane", "choose two with .Features(a, b)")).Err()
	}
	return m, err
}

// normal returns the model of a two-class linear plan on two features, and its weights, w in their only row.
func (p Plan) normal(method string) (m *Model, w [][]float64, err error) {
	if m, err = p.two(method); err == nil {
		m, err = p.plane(method)
	}
	if err == nil {
		w, err = cell.End(p.Outcome, (*Model).Weights, method)
	}
	return m, w, err
}

// frame lays the points with the support vectors ringed over the given layers.
func (p Plan) frame(m *Model, below ...plotting.Layer) *plotting.Figure {
	x, y := p.set.Points()
	sx, sy := make([]float64, len(m.Rows)), make([]float64, len(m.Rows))
	for k, r := range m.Rows {
		sx[k], sy[k] = x[r], y[r]
	}
	return plotting.New(below...).
		Add(plotting.Points(x, y).By(p.set.Y, p.set.ClassNames...), plotting.Points(sx, sy).Name("support vectors").Marker("circle").Hollow().Size(15).Accent().Rows(m.Rows)).
		X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1])
}

// Boundary draws the decision regions, the lines f = -1, 0, 1 of a two-class machine, and rings round the support vectors.
func (p Plan) Boundary() *plotting.Figure {
	m, err := p.plane("Boundary")
	if err != nil {
		return plotting.Fault(err)
	}
	if m.K > 2 {
		return p.frame(m, plotting.Regions(func(x, y float64) int { return m.Class(x, y) }, p.set.ClassNames...)).Title(m.String())
	}
	f := plotting.NewField(func(x, y float64) float64 { return m.Value(x, y) })
	return p.frame(m, f.Regions(p.set.ClassNames...).NoBoundary(), f.Contours().Levels(0).Name("f = 0").Width(2),
		f.Contours().Levels(-1, 1).Dash().Name("f = ±1")).Title(m.String())
}

// Sticks draws the slack of every point of a two-class linear machine as a stick from the point to its margin line, of length xi/|w|.
func (p Plan) Sticks() *plotting.Figure {
	m, w, err := p.normal("Sticks")
	if err != nil {
		return plotting.Fault(err)
	}
	x, y := p.set.Points()
	var x0, y0, x1, y1 []float64
	machine := m.machine(0)
	sum := 0.0
	for i, xi := range machine.Slacks() {
		if xi < 1e-9 {
			continue
		}
		r, s := machine.Rows[i], float64(machine.Labels[i])*xi/m.Norm2()
		x0, y0 = append(x0, x[r]), append(y0, y[r])
		x1, y1 = append(x1, x[r]+s*w[0][0]), append(y1, y[r]+s*w[0][1])
		sum += xi
	}
	f := plotting.NewField(func(x, y float64) float64 { return m.Value(x, y) })
	return p.frame(m, f.Contours().Levels(0).Name("f = 0").Width(2), f.Contours().Levels(-1, 1).Dash().Name("f = ±1")).
		Add(plotting.Arrows(x0, y0, x1, y1).Name("slack")).Equal().
		Title(fmt.Sprintf("Slacks: sum ξ = %.4g, |w| = %.4g", sum, math.Sqrt(m.Norm2())))
}

// Forces draws alpha_i y_i x_i of every support vector, one arrow after the other from the origin: they end at w.
func (p Plan) Forces() *plotting.Figure {
	m, w, err := p.normal("Forces")
	if err != nil {
		return plotting.Fault(err)
	}
	machine := m.machine(0)
	fig := plotting.New()
	x, y := 0.0, 0.0
	for i, a := range machine.Alpha {
		if a == 0 {
			continue
		}
		v, coef := p.set.X.RawRowView(machine.Rows[i]), a*float64(machine.Labels[i])
		u, t := x+coef*v[0], y+coef*v[1]
		class := p.set.ClassNames[p.set.Y[machine.Rows[i]]]
		fig = fig.Add(plotting.Arrow(x, y, u, t).Class(class).Name(class))
		x, y = u, t
	}
	return fig.Add(plotting.Arrow(0, 0, w[0][0], w[0][1]).Accent().Name("w")).Equal().
		X("w1").Y("w2").Title("w as the sum of alpha y x over the support vectors")
}

// Alphas draws the dual variables of a two-class machine, one bar for each row, with the bound C.
func (p Plan) Alphas() *plotting.Figure {
	m, err := p.two("Alphas")
	if err != nil {
		return plotting.Fault(err)
	}
	alpha := m.Alpha()
	classes, names := make([]string, m.N), make([]string, m.N)
	for i, c := range p.set.Y {
		classes[i], names[i] = p.set.ClassNames[c], fmt.Sprint(i)
	}
	fig := plotting.New(plotting.Bars(alpha).Categories(names...).By(classes...)).X("row").Y("alpha").
		Title(fmt.Sprintf("Dual variables: %d of %d are positive", len(m.Rows), m.N))
	if p.o.Slack == LinearSlack && p.o.Weights == nil && p.o.ClassWeights == nil {
		fig = fig.Add(plotting.HRule(p.o.C).Label("C").Dash())
	}
	return fig
}

// AlphaSlack draws alpha_i against xi_i: with quadratic slack a line of slope C.
func (p Plan) AlphaSlack() *plotting.Figure {
	m, err := p.two("AlphaSlack")
	if err != nil {
		return plotting.Fault(err)
	}
	machine := m.machine(0)
	labels := make([]int, len(machine.Rows))
	for i, r := range machine.Rows {
		labels[i] = p.set.Y[r]
	}
	fig := plotting.New(plotting.Points(machine.Slacks(), machine.Alpha).By(labels, p.set.ClassNames...).Rows(machine.Rows)).X("slack ξ").Y("alpha")
	switch {
	case p.o.Slack == QuadraticSlack && p.o.Weights == nil && p.o.ClassWeights == nil:
		fig = fig.Add(plotting.Slope(0, p.o.C).Label("alpha = C ξ").Dash())
	case p.o.Slack == LinearSlack && p.o.Weights == nil && p.o.ClassWeights == nil:
		fig = fig.Add(plotting.HRule(p.o.C).Label("C").Dash())
	}
	return fig.Title("Dual variables against slacks")
}

// Scores draws the distribution of y f(x) over the rows by class: the functional margins along the normal, whatever the number of features.
func (p Plan) Scores() *plotting.Figure {
	m, err := p.two("Scores")
	if err != nil {
		return plotting.Fault(err)
	}
	machine := m.machine(0)
	f, labels := make([]float64, len(machine.Rows)), make([]int, len(machine.Rows))
	for i, v := range machine.Margins {
		f[i], labels[i] = v*float64(machine.Labels[i]), p.set.Y[machine.Rows[i]]
	}
	return plotting.New(plotting.Histogram(f).By(labels, p.set.ClassNames...), plotting.VRule(0).Label("f = 0"), plotting.VRule(-1, 1).Dash().Muted()).
		X("f(x)").Y("rows").Title(m.String())
}

// Convergence draws the primal and the dual objective of a two-class machine after each SMO step, and on the right their gap.
func (p Plan) Convergence() *plotting.Figure {
	t, err := p.trace("Convergence")
	if err != nil {
		return plotting.Fault(err)
	}
	// Most happens in the first steps, so that a long run is drawn over the logarithm of the step, with at most some 400 points.
	long := len(t.Steps) > 50
	next := 0
	var at, dual, primalAt, primal, gapAt, gap []float64
	optimum := t.Steps[len(t.Steps)-1].Dual
	for i, s := range t.Steps {
		if i < next && i != len(t.Steps)-1 {
			continue
		}
		next = i + 1 + i/50
		k := float64(s.Iteration)
		at, dual = append(at, k), append(dual, s.Dual)
		if !math.IsInf(s.Primal, 1) {
			primalAt, primal = append(primalAt, k), append(primal, s.Primal)
			if g := s.Primal - s.Dual; g > 1e-15*math.Abs(optimum) {
				gapAt, gap = append(gapAt, k), append(gap, g)
			}
		}
	}
	objectives := plotting.New(plotting.Line(at, dual).Name("dual"), plotting.Line(primalAt, primal).Name("primal"), plotting.HRule(optimum).Dash().Muted()).
		X("SMO step").Y("objective").YRange(0, 2.5*optimum).Title("Primal and dual meet")
	gaps := plotting.New(plotting.Line(gapAt, gap).Name("gap")).X("SMO step").Y("primal - dual").LogY().Title("Gap")
	if long {
		objectives, gaps = objectives.LogX(), gaps.LogX()
	}
	if len(gap) < 2 {
		return objectives
	}
	return plotting.Row(objectives, gaps)
}

// Stepper draws the plane after SMO steps, chosen evenly when there are more than 24: the line f = 0 with f = ±1, points in proportion to
// alpha, and the pair that moved.
func (p Plan) Stepper() *plotting.Figure {
	m, err := p.plane("Stepper")
	if err != nil {
		return plotting.Fault(err)
	}
	t, err := p.trace("Stepper")
	if err != nil {
		return plotting.Fault(err)
	}
	var steps []int
	frames := min(24, len(t.Steps))
	for k := range frames {
		steps = append(steps, (k+1)*len(t.Steps)/frames)
	}
	x, y := p.set.Points()
	signs := p.set.Y
	labels := make([]string, len(steps))
	for i, k := range steps {
		labels[i] = fmt.Sprintf("%d: Q = %.3g", k, t.Steps[k-1].Dual)
	}
	return plotting.Slide("SMO step", steps, func(k int) *plotting.Figure {
		s := t.Steps[k-1]
		top := 1e-300
		for _, a := range s.Alpha {
			top = math.Max(top, a)
		}
		sizes := make([]float64, len(x))
		var support []int
		for i, a := range s.Alpha {
			sizes[i] = 4 + 12*math.Sqrt(a/top)
			if a > 0 {
				support = append(support, i)
			}
		}
		f := plotting.NewField(func(u, v float64) float64 {
			sum := s.B
			for _, i := range support {
				sum += s.Alpha[i] * float64(2*signs[i]-1) * m.Kernel.Eval([]float64{x[i], y[i]}, []float64{u, v})
			}
			return sum
		})
		px, py := []float64{x[s.I]}, []float64{y[s.I]}
		if s.J >= 0 {
			px, py = append(px, x[s.J]), append(py, y[s.J])
		}
		return plotting.New(f.Contours().Levels(0).Name("f = 0").Width(2), f.Contours().Levels(-1, 1).Dash().Name("f = ±1"),
			plotting.Points(x, y).By(signs, p.set.ClassNames...).Sizes(sizes), plotting.Points(px, py).Name("pair moved").Marker("circle").Hollow().Size(20).Accent()).
			X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1]).
			Title("SMO, step by step")
	}).Labels(labels...)
}

// Path refits a two-class plan for each price C and draws the margin 1/|w| and the sum of slacks against log C. A hard margin is taken with
// linear slack, which it is the limit of.
func (p Plan) Path(prices ...float64) *plotting.Figure {
	if _, err := p.two("Path"); err != nil {
		return plotting.Fault(err)
	}
	var margin, slack []float64
	for _, c := range prices {
		o := p.o
		o.C, o.Probability = c, false
		if o.Slack == HardMargin {
			o.Slack = LinearSlack
		}
		m, err := Fit(context.Background(), p.set.X, p.set.Y, o)
		if err != nil {
			return plotting.Fault(p.Chain.Step("Path").Break(err).Err())
		}
		sum := 0.0
		machine := m.machine(0)
		for _, xi := range machine.Slacks() {
			sum += xi
		}
		margin, slack = append(margin, m.Margin()), append(slack, sum)
	}
	return plotting.Row(
		plotting.New(plotting.Line(prices, margin).Markers()).LogX().X("C").Y("margin 1/|w|").Title("Margin"),
		plotting.New(plotting.Line(prices, slack).Markers()).LogX().X("C").Y("sum ξ").Title("Slacks"))
}

// Confusion draws the table of true against predicted classes of a set.
func (p Plan) Confusion(test datasets.Set) *plotting.Figure {
	k := len(p.set.ClassNames)
	z := make([][]float64, k)
	for c := range z {
		z[c] = make([]float64, k)
	}
	_, err := cell.End(p.Outcome, func(m *Model) ([]int, error) {
		if err := test.CheckClasses("Confusion"); err != nil {
			return nil, err
		}
		classes, err := m.Predict(test.X)
		for i, c := range classes {
			if test.Y[i] >= k {
				return nil, fault.Argument("Confusion", "data set "+test.Name, "of other classes", "a set with the classes of the fit", "")
			}
			z[test.Y[i]][c]++
		}
		return classes, err
	}, "Confusion", test)
	if err != nil {
		return plotting.Fault(err)
	}
	return plotting.New(plotting.Heat(z).Rows(p.set.ClassNames...).Columns(p.set.ClassNames...).Values("%.0f")).
		X("predicted").Y("true").Title("Confusion of " + test.Name)
}
