package boost

import (
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
	"github.com/prlab/prlab/prl/tree"
)

// A Plan is AdaBoost described step by step: New().Rounds(50).Fit(set). It is an immutable value.
type Plan struct {
	fault.Chain
	opts Options
}

// New begins a plan with the settings of DefaultOptions: 50 rounds of stumps.
func New() Plan { return Plan{Chain: fault.Start("AdaBoost"), opts: DefaultOptions()} }

// Rounds sets the number of rounds T, at most.
func (p Plan) Rounds(t int) Plan {
	p.Chain, p.opts.Rounds = p.Chain.Step("Rounds", t).Break(estimator.CheckCount("Rounds", "rounds", t, 1, math.MaxInt)), t
	return p
}

// Stumps boosts decision stumps, the default.
func (p Plan) Stumps() Plan { p.Chain, p.opts.Learner = p.Chain.Step("Stumps"), Stumps(); return p }

// Trees boosts trees of the given depth.
func (p Plan) Trees(depth int) Plan {
	o := tree.DefaultOptions()
	o.MaxDepth = depth
	p.Chain, p.opts.Learner = p.Chain.Step("Trees", depth).Break(estimator.CheckCount("Trees", "depth", depth, 1, math.MaxInt)), Trees(o)
	return p
}

// Learner boosts any weak learner.
func (p Plan) Learner(l Learner) Plan {
	p.Chain, p.opts.Learner = p.Chain.Step("Learner", l), l
	return p
}

// Resample draws a sample with the weights as probabilities each round instead of passing the weights on.
func (p Plan) Resample(seed uint64) Plan {
	p.Chain, p.opts.Resample, p.opts.Seed = p.Chain.Step("Resample", seed), true, seed
	return p
}

// Until stops as soon as the training error is at most e.
func (p Plan) Until(e float64) Plan {
	p.Chain, p.opts.TargetError = p.Chain.Step("Until", e), e
	return p
}

// Weights sets a sample weight for each row.
func (p Plan) Weights(w []float64) Plan {
	p.Chain, p.opts.Weights = p.Chain.Step("Weights", w), slices.Clone(w)
	return p
}

// Fit names the data, of two classes. They are used when a result is asked for.
func (p Plan) Fit(set datasets.Set) Fitted {
	chain := p.Chain.Step("Fit", set).Break(set.CheckClasses("Fit"))
	model := cell.NewOutcome(chain, func() (*Model, error) { return Fit(context.Background(), set.X, set.Y, p.opts) })
	trace := cell.NewOutcome(chain, func() (*Trace, error) {
		m, err := model.Fitted()
		if err != nil {
			return nil, err
		}
		return m.Trace(set.X, set.Y, p.opts.Weights)
	})
	return Fitted{model, set, p.opts.Weights, trace}
}

// A Fitted is a plan with data. Its figures and numbers are computed when they are asked for, and the model once.
type Fitted struct {
	cell.Outcome[*Model]
	set     datasets.Set
	weights []float64
	trace   cell.Outcome[*Trace]
}

// Trace returns scores, weights, errors and losses of each round on the training set.
func (f Fitted) Trace() *Trace { return f.trace.Model() }

func (f Fitted) figure(step string, draw func(m *Model, t *Trace) (*plotting.Figure, error), args ...any) *plotting.Figure {
	fig, err := cell.End(f.trace, func(t *Trace) (*plotting.Figure, error) { return draw(f.Model(), t) }, step, args...)
	if err != nil {
		return plotting.Fault(err)
	}
	return fig
}

// ofRounds is figure for a picture of the rounds, of which there must be one.
func (f Fitted) ofRounds(step string, draw func(m *Model, t *Trace) (*plotting.Figure, error), args ...any) *plotting.Figure {
	return f.figure(step, func(m *Model, t *Trace) (*plotting.Figure, error) {
		if m.Len() == 0 {
			return nil, fault.Argument(step, "the number of rounds done", 0, "1 at least ("+m.Reason()+")", "try deeper weak learners with .Trees(2)")
		}
		return draw(m, t)
	}, args...)
}

// Weights returns D_t, the weights the weak classifier of round t (from 1) was fitted with; t = T+1 gives the weights after the last round.
func (f Fitted) Weights(t int) []float64 {
	return cell.Must(cell.End(f.trace, func(tr *Trace) ([]float64, error) {
		if err := estimator.CheckCount("Weights", "t", t, 1, len(tr.Weights)); err != nil {
			return nil, err
		}
		return slices.Clone(tr.Weights[t-1]), nil
	}, "Weights", t))
}

// Predict returns the class index of each row of another set.
func (f Fitted) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(f.Outcome, datasets.On(set, (*Model).Predict), "Predict", set))
}

// Accuracy returns the share of the rows of set that are classified right.
func (f Fitted) Accuracy(set datasets.Set) float64 {
	return cell.Must(cell.End(f.Outcome, datasets.Accuracy(set, "Accuracy", (*Model).Predict), "Accuracy", set))
}

// Error draws, on a logarithmic axis, the training error, its bounds prod Z and exp(-2 sum gamma^2), and the error on test sets, against the number of rounds.
// Errors of zero cannot stand on the axis and are left out.
func (f Fitted) Error(test ...datasets.Set) *plotting.Figure {
	return f.ofRounds("Error", func(m *Model, t *Trace) (*plotting.Figure, error) {
		rounds := make([]float64, m.Len())
		for i := range rounds {
			rounds[i] = float64(i + 1)
		}
		product, exponential := m.Bounds()
		fig := plotting.New(plotting.Line(rounds, exponential[1:]).Dash().Name("exp(-2 Σγ²)"), plotting.Line(rounds, product[1:]).Name("Π Z"),
			plotting.Line(rounds, positive(t.Error[1:])).Markers().Name("training error"))
		for i, s := range test {
			if err := s.CheckClasses("Error"); err != nil {
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
		return fig.X("rounds").Y("error").LogY().Title("Training error and its bounds"), nil
	})
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

// Round draws round t (from 1): the rows with an area proportional to their weight D_t, the weak classifier of the round, and beside it the score after t rounds. Data of one
// feature show the score as a step function; data of two features the decision regions.
func (f Fitted) Round(t int) *plotting.Figure {
	return f.ofRounds("Round", func(m *Model, tr *Trace) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Round", "t", t, 1, m.Len()); err != nil {
			return nil, err
		}
		r := m.state.Rounds[t-1]
		part, err := m.First(t)
		if err != nil {
			return nil, err
		}
		sizes := areas(tr.Weights[t-1])
		left := fmt.Sprintf("Round %d: ε = %.4g, α = %.4g, Z = %.4g", t, r.Error, r.Alpha, r.Z)
		right := fmt.Sprintf("After %s: training error %.3g", after(t), tr.Error[t])
		switch f.set.D() {
		case 1:
			x := mat.Col(nil, 0, f.set.X)
			lo, hi := span(x)
			y := make([]float64, len(x))
			for i, c := range f.set.Y {
				y[i] = sign(c)
			}
			points := plotting.Points(x, y).By(f.set.Y, f.set.ClassNames...).Sizes(sizes)
			hx, hy := steps(x, lo, hi, func(v float64) float64 { return sign(r.Hypothesis.Class(v)) })
			sx, sy := steps(x, lo, hi, func(v float64) float64 { return part.Score([]float64{v}) })
			return plotting.Row(
				plotting.New(plotting.Line(hx, hy).Accent(), points).X(f.set.FeatureNames[0]).Y("y, h").YRange(-1.6, 1.6).Title(left),
				plotting.New(plotting.HRule(0).Muted(), plotting.Line(sx, sy).Accent(), plotting.Points(x, tr.Scores[t]).By(f.set.Y, f.set.ClassNames...)).X(f.set.FeatureNames[0]).Y("F(x)").Title(right)), nil
		case 2:
			x, y := f.set.Points()
			points := plotting.Points(x, y).By(f.set.Y, f.set.ClassNames...)
			return plotting.Row(
				plotting.New(plotting.Regions(func(a, b float64) int { return r.Hypothesis.Class(a, b) }, f.set.ClassNames...), points.Sizes(sizes)).
					X(f.set.FeatureNames[0]).Y(f.set.FeatureNames[1]).Title(left),
				plotting.New(plotting.Regions(func(a, b float64) int { return part.Class(a, b) }, f.set.ClassNames...), points).
					X(f.set.FeatureNames[0]).Y(f.set.FeatureNames[1]).Title(right)), nil
		}
		return nil, fault.Argument("Round", "the data set", fmt.Sprintf("of %d features", f.set.D()), "a set of 1 or 2 features", "choose them with .Features(a, b)")
	}, t)
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

// Rounds returns a slider over the rounds, at most 20 of them evenly spread.
func (f Fitted) Rounds() *plotting.Figure {
	return f.ofRounds("Rounds", func(m *Model, _ *Trace) (*plotting.Figure, error) {
		const most = 20
		var rounds []int
		for i := range min(m.Len(), most) {
			t := i + 1
			if m.Len() > most {
				t = 1 + int(math.Round(float64(i)*float64(m.Len()-1)/(most-1)))
			}
			rounds = append(rounds, t)
		}
		return plotting.Slide("round", rounds, f.Round), nil
	})
}

// Regions draws data of two features with the decision regions of the whole vote and the score as contours.
func (f Fitted) Regions() *plotting.Figure {
	return f.figure("Regions", func(m *Model, _ *Trace) (*plotting.Figure, error) {
		if err := estimator.CheckPlane("Regions", f.set.D()); err != nil {
			return nil, err
		}
		x, y := f.set.Points()
		return plotting.New(plotting.Regions(func(a, b float64) int { return m.Class(a, b) }, f.set.ClassNames...), plotting.Points(x, y).By(f.set.Y, f.set.ClassNames...)).
			X(f.set.FeatureNames[0]).Y(f.set.FeatureNames[1]).Title("AdaBoost after " + after(m.Len())), nil
	})
}

// Margins draws the cumulative distribution of the margins y F / sum alpha after the given numbers of rounds; without any, after 1, 5, 20 and all rounds as far as there are so many.
func (f Fitted) Margins(rounds ...int) *plotting.Figure {
	return f.ofRounds("Margins", func(m *Model, tr *Trace) (*plotting.Figure, error) {
		if len(rounds) == 0 {
			for _, t := range []int{1, 5, 20, m.Len()} {
				if t <= m.Len() && !slices.Contains(rounds, t) {
					rounds = append(rounds, t)
				}
			}
		}
		fig := plotting.New(plotting.VRule(0).Muted())
		for _, t := range rounds {
			if err := estimator.CheckCount("Margins", "t", t, 1, m.Len()); err != nil {
				return nil, err
			}
			part, err := m.First(t)
			if err != nil {
				return nil, err
			}
			margins, err := part.Margins(f.set.X, f.set.Y)
			if err != nil {
				return nil, err
			}
			slices.Sort(margins)
			share := make([]float64, len(margins))
			for i := range share {
				share[i] = float64(i+1) / float64(len(share))
			}
			fig = fig.Add(plotting.Line(append(append([]float64{-1}, margins...), 1), append(append([]float64{0}, share...), 1)).Steps().Name(after(t)))
		}
		return fig.X("margin").Y("share of the rows with at most this margin").XRange(-1, 1).Title("Distribution of the margins"), nil
	})
}

func after(t int) string {
	if t == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", t)
}

// Alphas draws alpha_t and epsilon_t against the round.
func (f Fitted) Alphas() *plotting.Figure {
	return f.ofRounds("Alphas", func(m *Model, _ *Trace) (*plotting.Figure, error) {
		var t, a, e []float64
		for i, r := range m.state.Rounds {
			t, a, e = append(t, float64(i+1)), append(a, r.Alpha), append(e, r.Error)
		}
		return plotting.Row(plotting.New(plotting.Line(t, a).Markers()).X("round").Y("α").Title("Weights of the votes"),
			plotting.New(plotting.Line(t, e).Markers(), plotting.HRule(0.5).Dash().Muted().Label("chance")).X("round").Y("ε").Title("Weighted errors")), nil
	})
}

// Pool draws the weighted error of every stump on the data against its threshold, one panel a feature, under the weights D_t of round t (from 1). The stump of the round is marked.
func (f Fitted) Pool(t int) *plotting.Figure {
	return f.figure("Pool", func(m *Model, tr *Trace) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Pool", "t", t, 1, len(tr.Weights)); err != nil {
			return nil, err
		}
		pool, err := tree.Stumps(f.set.X)
		if err != nil {
			return nil, err
		}
		var figs []*plotting.Figure
		for j, name := range f.set.FeatureNames {
			var x, one, zero []float64
			for _, s := range pool {
				if s.Feature != j || math.IsInf(s.Threshold, 1) {
					continue
				}
				e, err := s.Error(f.set.X, f.set.Y, tr.Weights[t-1])
				if err != nil {
					return nil, err
				}
				if s.Left == 1 {
					x, one = append(x, s.Threshold), append(one, e)
				} else {
					zero = append(zero, e)
				}
			}
			fig := plotting.New(plotting.HRule(0.5).Dash().Muted(), plotting.Line(x, one).Markers().Name(f.set.ClassNames[1]+" on the left"), plotting.Line(x, zero).Markers().Name(f.set.ClassNames[0]+" on the left")).
				X(name).Y("weighted error").YRange(0, 1)
			if t <= m.Len() {
				if s, ok := m.state.Rounds[t-1].Hypothesis.(tree.Stump); ok && s.Feature == j && !math.IsInf(s.Threshold, 1) {
					fig = fig.Add(plotting.Points([]float64{s.Threshold}, []float64{m.state.Rounds[t-1].Error}).Accent().Size(12).Name("chosen"))
				}
			}
			figs = append(figs, fig)
		}
		return plotting.Grid(min(len(figs), 2), figs...).Title(fmt.Sprintf("Weighted errors of all stumps in round %d", t)), nil
	}, t)
}

// Table lists the rounds: weak classifier, error, alpha, Z, the product of the Z so far and the training error.
func (f Fitted) Table() cell.Table {
	tr, err := f.trace.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	m, _ := f.Fitted() // the trace has it
	t := cell.NewTable("round", "weak classifier", "ε", "α", "Z", "Π Z", "training error").Title(m.String()).Note(m.Reason())
	product, _ := m.Bounds()
	for i, r := range m.state.Rounds {
		t = t.Row(i+1, f.describe(r.Hypothesis), r.Error, r.Alpha, r.Z, product[i+1], tr.Error[i+1])
	}
	return t
}

// describe says what a weak classifier does in the names of the data set.
func (f Fitted) describe(h Hypothesis) string {
	s, ok := h.(tree.Stump)
	if !ok {
		return fmt.Sprint(h)
	}
	if math.IsInf(s.Threshold, 1) {
		return "always " + f.set.ClassNames[s.Left]
	}
	return fmt.Sprintf("%s ≤ %.6g: %s, else %s", f.set.FeatureNames[s.Feature], s.Threshold, f.set.ClassNames[s.Left], f.set.ClassNames[s.Right])
}

// Show shows the error with its bounds and, for data of two features, the decision regions.
func (f Fitted) Show() {
	f.figure("Show", func(m *Model, _ *Trace) (*plotting.Figure, error) {
		if f.set.D() == 2 {
			return plotting.Row(f.Regions(), f.Error()), nil
		}
		return f.Error(), nil
	}).Show()
}

// Losses draws the zero-one loss and the surrogates against the margin u = y F(x).
func Losses() *plotting.Figure {
	fig := plotting.New(plotting.Line([]float64{-2, 0, 0, 3}, []float64{1, 1, 0, 0}).Name(ZeroOne.String()).Width(2.5))
	for _, l := range []Loss{Exponential, Logistic, Hinge, Squared} {
		fig = fig.Add(plotting.Curve(l.At, -2, 3).Name(l.String()))
	}
	return fig.X("margin y F(x)").Y("loss").YRange(0, 4).Title("Losses against the margin")
}
