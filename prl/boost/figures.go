package boost

import (
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
	"github.com/prlab/prlab/prl/tree"
)

// ofRounds is plan.Figure for a picture of the rounds, of which there must be one.
func (p Plan) ofRounds(step string, draw func(m *Model, t *Trace) (*plotting.Figure, error), args ...any) *plotting.Figure {
	return plan.Figure(p, step, func(m *Model) (*plotting.Figure, error) {
		if m.Len() == 0 {
			need := "1 at least (" + m.Reason() + ")"
			return nil, fault.Argument(step, "the number of rounds done", 0, need, "try deeper weak learners with .TreeDepth(2)")
		}
		t, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		return draw(m, t)
	}, args...)
}

// Curves draws errors on the data of the fit and on others: the training error with its bounds prod Z and exp(-2 sum gamma^2), and the
// error on test sets against the number of rounds, on a logarithmic axis. Errors of zero cannot stand there and are left out. Of more than
// two classes prod Z is the exponential loss and bounds the error no more.
func (p Plan) Curves(test ...datasets.Set) *plotting.Figure {
	return p.ofRounds("Curves", func(m *Model, t *Trace) (*plotting.Figure, error) {
		rounds := make([]float64, m.Len())
		for i := range rounds {
			rounds[i] = float64(i + 1)
		}
		product, exponential := m.Bounds()
		errors := plotting.Line(rounds, positive(t.Error[1:])).Markers().Name("training error")
		fig := plotting.New(plotting.Line(rounds, exponential[1:]).Dash().Name("exp(-2 Σγ²)"), plotting.Line(rounds, product[1:]).Name("Π Z"),
			errors).Title("Training error and its bounds")
		if m.Classes() > 2 {
			loss := plotting.Line(rounds, product[1:]).Name("exponential loss Π Z")
			fig = plotting.New(loss, errors).Title("Training error and exponential loss")
		}
		for i, s := range test {
			if err := s.CheckClasses("Curves"); err != nil {
				return nil, err
			}
			e, err := m.Staged(s.X, s.Y, nil)
			if err != nil {
				return nil, err
			}
			name := "test error"
			if i > 0 {
				name += " " + strconv.Itoa(i+1)
			}
			fig = fig.Add(plotting.Line(rounds, positive(e[1:])).Name(name))
		}
		return fig.X("rounds").Y("error").LogY(), nil
	}, fault.Args(test)...)
}

// positive turns zeros into gaps, for a logarithmic axis.
func positive(v []float64) []float64 {
	out := slices.Clone(v)
	for i, x := range out {
		if x <= 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

// Round draws round t (from 1): the rows with an area proportional to their weight D_t, the weak classifier of the round, and beside it the
// score after t rounds. Data of one feature show the score as a step function, of more than two classes one for each; data of two features
// the decision regions.
func (p Plan) Round(t int) *plotting.Figure {
	return p.ofRounds("Round", func(m *Model, tr *Trace) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Round", "t", t, 1, m.Len()); err != nil {
			return nil, err
		}
		set, r := plan.Data(p), m.state.Rounds[t-1]
		part, err := m.First(t)
		if err != nil {
			return nil, err
		}
		sizes := areas(tr.Weights[t-1])
		left := fmt.Sprintf("Round %d: ε = %.4g, α = %.4g, Z = %.4g", t, r.Error, r.Alpha, r.Z)
		right := fmt.Sprintf("After %s: training error %.3g", after(t), tr.Error[t])
		if set.D() > 2 {
			got := fmt.Sprintf("of %d features", set.D())
			return nil, fault.Argument("Round", "the data set", got, "a set of 1 or 2 features", "choose them with .Features(a, b)")
		}
		if set.D() == 1 {
			x := mat.Col(nil, 0, set.X)
			lo, hi := span(x)
			if m.Classes() > 2 {
				return lines(set, part, r.Hypothesis, x, sizes, left, right)
			}
			y := make([]float64, len(x))
			for i, c := range set.Y {
				y[i] = sign(c)
			}
			points := plotting.Points(x, y).By(set.Y, set.ClassNames...).Sizes(sizes)
			hx, hy := steps(x, lo, hi, func(v float64) float64 { return sign(r.Hypothesis.Class(v)) })
			sx, sy := steps(x, lo, hi, func(v float64) float64 { return part.Score([]float64{v}) })
			scores := plotting.Points(x, tr.Scores[t]).By(set.Y, set.ClassNames...)
			return plotting.Row(
				plotting.New(plotting.Line(hx, hy).Accent(), points).X(set.FeatureNames[0]).Y("y, h").YRange(-1.6, 1.6).Title(left),
				plotting.New(plotting.HRule(0).Muted(), plotting.Line(sx, sy).Accent(), scores).X(set.FeatureNames[0]).Y("F(x)").Title(right),
			), nil
		}
		x, y := set.Points()
		points := plotting.Points(x, y).By(set.Y, set.ClassNames...)
		panel := func(class func(x ...float64) int, points plotting.Layer) *plotting.Figure {
			regions := plotting.Regions(func(a, b float64) int { return class(a, b) }, set.ClassNames...)
			return plotting.New(regions, points).X(set.FeatureNames[0]).Y(set.FeatureNames[1])
		}
		return plotting.Row(panel(r.Hypothesis.Class, points.Sizes(sizes)).Title(left), panel(part.Class, points).Title(right)), nil
	}, t)
}

// lines draws a round of more than two classes over one feature: classes by number, and the score of each.
func lines(set datasets.Set, part *Model, h Hypothesis, x, sizes []float64, left, right string) (*plotting.Figure, error) {
	lo, hi := span(x)
	classes := make([]float64, len(x))
	for i, c := range set.Y {
		classes[i] = float64(c)
	}
	hx, hy := steps(x, lo, hi, func(v float64) float64 { return float64(h.Class(v)) })
	name := set.FeatureNames[0]
	chosen := plotting.New(plotting.Line(hx, hy).Accent(), plotting.Points(x, classes).By(set.Y, set.ClassNames...).Sizes(sizes)).
		X(name).Y("class").YRange(-0.5, float64(part.Classes())-0.5).Title(left)
	scores := plotting.New(plotting.HRule(0).Muted()).X(name).Y("score").Title(right)
	for c := range part.Classes() {
		var failed error
		sx, sy := steps(x, lo, hi, func(v float64) float64 {
			f, err := part.Decision(mat.NewDense(1, 1, []float64{v}))
			if err != nil {
				failed = err
				return 0
			}
			return f.At(0, c)
		})
		if failed != nil {
			return nil, failed
		}
		scores = scores.Add(plotting.Line(sx, sy).Name(part.ClassName(c)))
	}
	return plotting.Row(chosen, scores), nil
}

// areas returns diameters whose squares are proportional to the weights, 9 pixels for the mean weight, at least 2 and at most 40.
func areas(w []float64) []float64 {
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = min(max(9*math.Sqrt(v*float64(len(w))), 2), 40)
	}
	return out
}

func span(x []float64) (lo, hi float64) {
	lo, hi = slices.Min(x), slices.Max(x)
	pad := 0.05 * (hi - lo)
	if pad == 0 {
		pad = 1
	}
	return lo - pad, hi + pad
}

// steps returns the graph of a function that changes only between neighbouring values of x, at their midpoints.
func steps(x []float64, lo, hi float64, f func(float64) float64) (px, py []float64) {
	v := slices.Clone(x)
	slices.Sort(v)
	v = slices.Compact(v)
	from := lo
	for i, at := range v {
		to := hi
		if i+1 < len(v) {
			to = (at + v[i+1]) / 2
		}
		px, py = append(px, from, to), append(py, f(at), f(at))
		from = to
	}
	return px, py
}

// Iterations shows what the fit did, step by step: a slider over the rounds, at most 20 of them evenly spread; see Round.
func (p Plan) Iterations() *plotting.Figure {
	return p.ofRounds("Iterations", func(m *Model, _ *Trace) (*plotting.Figure, error) {
		const most = 20
		var rounds []int
		for i := range min(m.Len(), most) {
			t := i + 1
			if m.Len() > most {
				t = 1 + int(math.Round(float64(i)*float64(m.Len()-1)/(most-1)))
			}
			rounds = append(rounds, t)
		}
		return plotting.Slide("round", rounds, p.Round), nil
	})
}

func after(t int) string {
	if t == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", t)
}

// Table lists parameters and diagnostics: the rounds, weak classifier, error, alpha, Z, the product of the Z so far and the training
// error.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) {
		tr, err := p.trace(m)
		if err != nil {
			return cell.Table{}, err
		}
		t := cell.NewTable("round", "weak classifier", "ε", "α", "Z", "Π Z", "training error").Title(m.String()).Note(m.Reason())
		product, _ := m.Bounds()
		for i, r := range m.state.Rounds {
			t = t.Row(i+1, m.describe(r.Hypothesis), r.Error, r.Alpha, r.Z, product[i+1], tr.Error[i+1])
		}
		return t, nil
	})
}

// describe says what a weak classifier does in the names of features and classes.
func (m *Model) describe(h Hypothesis) string {
	s, ok := h.(tree.Stump)
	if !ok {
		return fmt.Sprint(h)
	}
	if math.IsInf(s.Threshold, 1) {
		return "always " + m.ClassName(s.Left)
	}
	return fmt.Sprintf("%s ≤ %.6g: %s, else %s", m.FeatureName(s.Feature), s.Threshold, m.ClassName(s.Left), m.ClassName(s.Right))
}

// Show shows the picture or table that says most: the error with its bounds and, for data of two features, the decision regions.
func (p Plan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 2 {
		plotting.Row(p.Regions(), p.Curves()).Show()
		return
	}
	p.Curves().Show()
}

// Losses draws the zero-one loss and the surrogates against the margin u = y F(x).
func Losses() *plotting.Figure {
	fig := plotting.New(plotting.Line([]float64{-2, 0, 0, 3}, []float64{1, 1, 0, 0}).Name(ZeroOne.String()).Width(2.5))
	for _, l := range []Loss{Exponential, Logistic, Hinge, Squared} {
		fig = fig.Add(plotting.Curve(l.At, -2, 3).Name(l.String()))
	}
	return fig.X("margin y F(x)").Y("loss").YRange(0, 4).Title("Losses against the margin")
}
