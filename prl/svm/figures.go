package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// framed lays the points with the support vectors ringed over the given layers.
func framed(m *Model, set datasets.Set, below ...plotting.Layer) *plotting.Figure {
	x, y := set.Points()
	sx, sy := make([]float64, len(m.Rows)), make([]float64, len(m.Rows))
	for k, r := range m.Rows {
		sx[k], sy[k] = x[r], y[r]
	}
	rings := plotting.Points(sx, sy).Name("support vectors").Marker("circle").Hollow().Size(15).Accent().Rows(m.Rows)
	return plotting.New(below...).Add(plotting.Points(x, y).By(set.Y, set.ClassNames...), rings).
		X(set.FeatureNames[0]).Y(set.FeatureNames[1])
}

// street returns the lines f = -1, 0, 1.
func street(f *plotting.Field) []plotting.Layer {
	return []plotting.Layer{f.Contours().Levels(0).Name("f = 0").Width(2), f.Contours().Levels(-1, 1).Dash().Name("f = ±1")}
}

// Regions draws data of two features over the regions of the classes: with the lines f = -1, 0, 1 of a two-class machine,
// and rings round the support vectors.
func (p Plan) Regions() *plotting.Figure {
	return plan.Figure(p, "Regions", func(m *Model) (*plotting.Figure, error) {
		set := plan.Data(p)
		if err := estimator.CheckPlane("Regions", set.D()); err != nil {
			return nil, err
		}
		if m.K > 2 {
			return framed(m, set, plotting.Regions(func(x, y float64) int { return m.Class(x, y) }, set.ClassNames...)).Title(m.String()), nil
		}
		f := plotting.NewField(func(x, y float64) float64 { return m.Value(x, y) })
		below := []plotting.Layer{f.Regions(set.ClassNames...).NoBoundary()}
		return framed(m, set, append(below, street(f)...)...).Title(m.String()), nil
	})
}

// inPlane returns a picture of a two-class linear machine on two features, drawn from the model, its only machine and w.
func (p Plan) inPlane(step string, draw func(m *Model, a *Machine, w []float64, set datasets.Set) *plotting.Figure) *plotting.Figure {
	return plan.Figure(p, step, two(step, func(m *Model) (*plotting.Figure, error) {
		set := plan.Data(p)
		if err := estimator.CheckPlane(step, set.D()); err != nil {
			return nil, err
		}
		w, err := normal(m)
		if err != nil {
			return nil, err
		}
		machine := m.machine(0)
		return draw(m, &machine, w, set), nil
	}))
}

// Sticks draws the slack of every point of a two-class linear machine as a stick from the point to its margin line, of length xi/|w|.
func (p Plan) Sticks() *plotting.Figure {
	return p.inPlane("Sticks", func(m *Model, a *Machine, w []float64, set datasets.Set) *plotting.Figure {
		x, y := set.Points()
		var x0, y0, x1, y1 []float64
		sum := 0.0
		for i, xi := range a.Slacks() {
			if xi < 1e-9 {
				continue
			}
			r, s := a.Rows[i], float64(a.Labels[i])*xi/a.Norm2
			x0, y0 = append(x0, x[r]), append(y0, y[r])
			x1, y1 = append(x1, x[r]+s*w[0]), append(y1, y[r]+s*w[1])
			sum += xi
		}
		f := plotting.NewField(func(x, y float64) float64 { return m.Value(x, y) })
		return framed(m, set, street(f)...).Add(plotting.Arrows(x0, y0, x1, y1).Name("slack")).Equal().
			Title(fmt.Sprintf("Slacks: sum ξ = %.4g, |w| = %.4g", sum, math.Sqrt(a.Norm2)))
	})
}

// Forces draws alpha_i y_i x_i of every support vector, one arrow after the other from the origin: they end at w.
func (p Plan) Forces() *plotting.Figure {
	return p.inPlane("Forces", func(_ *Model, machine *Machine, w []float64, set datasets.Set) *plotting.Figure {
		fig := plotting.New()
		x, y := 0.0, 0.0
		for i, a := range machine.Alpha {
			if a == 0 {
				continue
			}
			v, coef := set.X.RawRowView(machine.Rows[i]), a*float64(machine.Labels[i])
			u, t := x+coef*v[0], y+coef*v[1]
			class := set.ClassNames[set.Y[machine.Rows[i]]]
			fig = fig.Add(plotting.Arrow(x, y, u, t).Class(class).Name(class))
			x, y = u, t
		}
		return fig.Add(plotting.Arrow(0, 0, w[0], w[1]).Accent().Name("w")).Equal().
			X("w1").Y("w2").Title("w as the sum of alpha y x over the support vectors")
	})
}

// ofMachine returns a picture of a two-class machine, whatever the number of features; classes are those of its rows.
func (p Plan) ofMachine(step string, draw func(m *Model, a *Machine, classes []int) *plotting.Figure) *plotting.Figure {
	return plan.Figure(p, step, two(step, func(m *Model) (*plotting.Figure, error) {
		machine := m.machine(0)
		classes := make([]int, len(machine.Rows))
		for i, r := range machine.Rows {
			classes[i] = plan.Data(p).Y[r]
		}
		return draw(m, &machine, classes), nil
	}))
}

// onePrice reports whether all rows have the same price C.
func (o Options) onePrice() bool { return o.Weights == nil && o.ClassWeights == nil && !o.Balanced }

// Alphas draws the dual variables of a two-class machine, one bar for each row, with the bound C.
func (p Plan) Alphas() *plotting.Figure {
	return p.ofMachine("Alphas", func(m *Model, _ *Machine, _ []int) *plotting.Figure {
		set, o := plan.Data(p), plan.Options(p)
		classes, names := make([]string, m.N), make([]string, m.N)
		for i, c := range set.Y {
			classes[i], names[i] = set.ClassNames[c], fmt.Sprint(i)
		}
		fig := plotting.New(plotting.Bars(m.Alpha()).Categories(names...).By(classes...)).X("row").Y("alpha").
			Title(fmt.Sprintf("Dual variables: %d of %d are positive", len(m.Rows), m.N))
		if o.Slack == LinearSlack && o.onePrice() {
			fig = fig.Add(plotting.HRule(o.C).Label("C").Dash())
		}
		return fig
	})
}

// AlphaSlack draws alpha_i against xi_i: with quadratic slack a line of slope C.
func (p Plan) AlphaSlack() *plotting.Figure {
	return p.ofMachine("AlphaSlack", func(_ *Model, a *Machine, classes []int) *plotting.Figure {
		o := plan.Options(p)
		fig := plotting.New(plotting.Points(a.Slacks(), a.Alpha).By(classes, plan.Data(p).ClassNames...).Rows(a.Rows)).X("slack ξ").Y("alpha")
		switch {
		case o.Slack == QuadraticSlack && o.onePrice():
			fig = fig.Add(plotting.Slope(0, o.C).Label("alpha = C ξ").Dash())
		case o.Slack == LinearSlack && o.onePrice():
			fig = fig.Add(plotting.HRule(o.C).Label("C").Dash())
		}
		return fig.Title("Dual variables against slacks")
	})
}

// Scores draws the data as the model sees them: the distribution of f(x) over the rows by class, the signed functional margins, whatever
// the number of features.
func (p Plan) Scores() *plotting.Figure {
	return p.ofMachine("Scores", func(m *Model, a *Machine, classes []int) *plotting.Figure {
		f := make([]float64, len(a.Rows))
		for i, v := range a.Margins {
			f[i] = v * float64(a.Labels[i])
		}
		bars := plotting.Histogram(f).By(classes, plan.Data(p).ClassNames...)
		return plotting.New(bars, plotting.VRule(0).Label("f = 0"), plotting.VRule(-1, 1).Dash().Muted()).
			X("f(x)").Y("rows").Title(m.String())
	})
}

// Path refits a two-class plan for each price C and draws the margin 1/|w| and the sum of slacks against log C. A hard margin is taken with
// linear slack, which it is the limit of.
func (p Plan) Path(prices ...float64) *plotting.Figure {
	return plan.Figure(p, "Path", two("Path", func(*Model) (*plotting.Figure, error) {
		var margin, slack []float64
		for _, c := range prices {
			o := plan.Options(p)
			o.C, o.Probability = c, false
			if o.Slack == HardMargin {
				o.Slack = LinearSlack
			}
			if err := o.check("Path"); err != nil {
				return nil, err
			}
			m, err := Fit(context.Background(), plan.Data(p).X, plan.Data(p).Y, o)
			if err != nil {
				return nil, err
			}
			machine := m.machine(0)
			margin, slack = append(margin, m.Margin()), append(slack, floats.Sum(machine.Slacks()))
		}
		return plotting.Row(
			plotting.New(plotting.Line(prices, margin).Markers()).LogX().X("C").Y("margin 1/|w|").Title("Margin"),
			plotting.New(plotting.Line(prices, slack).Markers()).LogX().X("C").Y("sum ξ").Title("Slacks"),
		), nil
	}), fault.Args(prices)...)
}

// Show shows the picture or table that says most: the regions of two features, and otherwise the scores of two classes or the confusion
// table of more.
func (p Plan) Show() {
	if p.Err() == nil && plan.Data(p).D() != 2 && p.Model().K == 2 {
		p.Scores().Show()
		return
	}
	p.Classifier.Show()
}
