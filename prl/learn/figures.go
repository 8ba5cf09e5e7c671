package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// counts returns about k whole numbers from lo to hi without repetition.
func counts(lo, hi, k int) []int {
	var out []int
	for i := range k {
		n := lo + int(math.Round(float64(i)*float64(hi-lo)/float64(max(k-1, 1))))
		if len(out) == 0 || n > out[len(out)-1] {
			out = append(out, n)
		}
	}
	return out
}

func floats(v []int) []float64 {
	out := make([]float64, len(v))
	for i, n := range v {
		out[i] = float64(n)
	}
	return out
}

// fault ends a chain with a figure that carries the error.
func (p Plan) fault(err error) *plotting.Figure { return plotting.Fault(p.Break(err).Err()) }

// BoundCurve draws the bound on the probability of failure against n on a log axis, with delta and the number of examples that suffices.
func (p Plan) BoundCurve() *plotting.Figure {
	p = p.ready("BoundCurve", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	top, err := p.horizon()
	if err != nil {
		return p.fault(err)
	}
	enough, _ := p.size(p.space)
	ns := counts(1, top, 200)
	power, exponential := make([]float64, len(ns)), make([]float64, len(ns))
	for i, n := range ns {
		if p.agnostic {
			exponential[i], err = p.space.UniformBound(n, p.epsilon)
		} else {
			power[i], exponential[i], err = p.space.ConsistentBound(n, p.epsilon)
		}
		if err != nil {
			return p.fault(err)
		}
	}
	x := floats(ns)
	f := plotting.New()
	if p.agnostic {
		f = f.Add(plotting.Line(x, exponential).Name("2|H| exp(−2nε²)"))
	} else {
		f = f.Add(plotting.Line(x, exponential).Name("|H| exp(−εn)"), plotting.Line(x, power).Name("|H| (1−ε)ⁿ").Dash())
	}
	f = f.Add(plotting.HRule(p.delta).Label("δ").Dash(), plotting.HRule(1).Muted(), plotting.VRule(float64(enough)).Label(fmt.Sprintf("n = %d", enough)).Dash())
	return f.LogY().X("examples n").Y("bound on the probability of failure").Title(fmt.Sprintf("%v, ε = %g, δ = %g", p.space, p.epsilon, p.delta))
}

// SampleSizes draws the number of examples that suffices against epsilon, for the consistent and the agnostic case.
func (p Plan) SampleSizes() *plotting.Figure {
	p = p.ready("SampleSizes", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	var x, consistent, agnostic []float64
	for i := range 120 {
		e := 0.01 * math.Pow(50, float64(i)/119)
		a, err := p.space.ConsistentThreshold(e, p.delta)
		if err != nil {
			return p.fault(err)
		}
		b, err := p.space.UniformThreshold(e, p.delta)
		if err != nil {
			return p.fault(err)
		}
		x, consistent, agnostic = append(x, e), append(consistent, a), append(agnostic, b)
	}
	return plotting.New(
		plotting.Line(x, consistent).Name("consistent learner, ~1/ε"),
		plotting.Line(x, agnostic).Name("agnostic, ~1/ε²"),
		plotting.VRule(p.epsilon).Label("ε").Dash(),
	).LogX().LogY().X("error ε").Y("examples that suffice").Title(fmt.Sprintf("%v, δ = %g", p.space, p.delta))
}

// Staircase draws the number of examples that suffices against |H|, on a log axis.
func (p Plan) Staircase() *plotting.Figure {
	p = p.ready("Staircase", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	top := max(2*p.space.LogSize, math.Log(1000))
	if top > 700 {
		return p.fault(fmt.Errorf("log|H| is %.4g, which leaves the axis of |H|; draw a smaller space", p.space.LogSize))
	}
	var x, y []float64
	for i := range 240 {
		h := Finite{top * float64(i) / 239}
		n, err := p.size(h)
		if err != nil {
			return p.fault(err)
		}
		x, y = append(x, math.Exp(h.LogSize)), append(y, float64(n))
	}
	n, err := p.size(p.space)
	if err != nil {
		return p.fault(err)
	}
	return plotting.New(
		plotting.Line(x, y).Steps(),
		plotting.Points([]float64{math.Exp(p.space.LogSize)}, []float64{float64(n)}).Accent().Name(fmt.Sprintf("%v: n = %d", p.space, n)),
	).LogX().X("hypotheses |H|").Y("examples that suffice").Title(fmt.Sprintf("ε = %g, δ = %g", p.epsilon, p.delta))
}

// DeviationCurve draws the guaranteed error against n for this space, and for spaces a hundred times smaller and larger.
func (p Plan) DeviationCurve() *plotting.Figure {
	p = p.ready("DeviationCurve", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	top, err := p.horizon()
	if err != nil {
		return p.fault(err)
	}
	ns := counts(max(top/50, 1), top, 150)
	f := plotting.New()
	for _, shift := range []float64{-math.Log(100), 0, math.Log(100)} {
		h := Finite{p.space.LogSize + shift}
		if h.LogSize < 0 {
			continue
		}
		y := make([]float64, len(ns))
		for i, n := range ns {
			if y[i], err = p.deviation(h, n); err != nil {
				return p.fault(err)
			}
		}
		line := plotting.Line(floats(ns), y).Name(h.String())
		if shift != 0 {
			line = line.Dash()
		}
		f = f.Add(line)
	}
	return f.Add(plotting.HRule(p.epsilon).Label("ε").Muted()).X("examples n").Y("guaranteed error").Title(fmt.Sprintf("δ = %g", p.delta))
}

// Surface draws the guaranteed error over n and |H| as a map.
func (p Plan) Surface() *plotting.Figure {
	p = p.ready("Surface", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	top, err := p.horizon()
	if err != nil {
		return p.fault(err)
	}
	const lines, columns = 8, 10
	z := make([][]float64, lines)
	var rows, cols []string
	ns := counts(max(top/columns, 1), top, columns)
	for _, n := range ns {
		cols = append(cols, fmt.Sprint(n))
	}
	for i := range z {
		h := Finite{2 * max(p.space.LogSize, 1) * float64(lines-1-i) / (lines - 1)}
		rows = append(rows, fmt.Sprintf("%.3g", math.Exp(h.LogSize)))
		for _, n := range ns {
			d, err := p.deviation(h, n)
			if err != nil {
				return p.fault(err)
			}
			z[i] = append(z[i], d)
		}
	}
	return plotting.New(plotting.Heat(z).Rows(rows...).Columns(cols...).Values("%.2f").Label("ε")).X("examples n").Y("hypotheses |H|").Title(fmt.Sprintf("Guaranteed error, δ = %g", p.delta))
}

// Looseness draws 2|H| exp(-2 n epsilon^2) beside the exact probability for |H| independent hypotheses of true error p, the worst case at p = 1/2.
func (p Plan) Looseness(trueError float64) *plotting.Figure {
	p = p.ready("Looseness", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	n, err := p.space.UniformSampleSize(p.epsilon, p.delta)
	if err == nil && n > 1_000_000 {
		err = fmt.Errorf("%d examples are too many to draw; enlarge epsilon", n)
	}
	if err != nil {
		return p.fault(err)
	}
	ns := counts(max(n/5, 1), n+n/5, 160)
	bound, exact := make([]float64, len(ns)), make([]float64, len(ns))
	for i, m := range ns {
		if bound[i], err = p.space.UniformBound(m, p.epsilon); err != nil {
			return p.fault(err)
		}
		if exact[i], err = p.space.IndependentDeviation(m, trueError, p.epsilon); err != nil {
			return p.fault(err)
		}
		bound[i] = min(bound[i], 1)
	}
	return plotting.New(
		plotting.Line(floats(ns), bound).Name("bound 2|H| exp(−2nε²), at most 1"),
		plotting.Line(floats(ns), exact).Name(fmt.Sprintf("exact, independent hypotheses with error %g", trueError)),
		plotting.HRule(p.delta).Label("δ").Dash(),
	).X("examples n").Y("P(largest deviation > ε)").Title(fmt.Sprintf("%v, ε = %g", p.space, p.epsilon))
}

// Failures draws how often a bad hypothesis survives in simulation (with two standard errors) beside both bounds of the consistent case. ns are the
// sample sizes to simulate.
func (p Plan) Failures(world *Problem, ns []int, trials int, seed uint64) *plotting.Figure {
	if world == nil {
		return p.fault(fault.Argument("learn.PAC", "world", "nil", "a problem", "NewProblem makes one"))
	}
	if !p.sized && p.Err() == nil {
		p = p.In(world.Space())
	}
	p = p.ready("Failures", false)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	if len(ns) == 0 {
		return p.fault(fault.Argument("learn.PAC", "ns", "empty", "at least one sample size", ""))
	}
	k := len(ns)
	power, exponential, some, lo, hi, learner := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
	for i, n := range ns {
		var err error
		if power[i], exponential[i], err = p.space.ConsistentBound(n, p.epsilon); err != nil {
			return p.fault(err)
		}
		s, err := world.Simulate(n, p.epsilon, trials, seed+uint64(i))
		if err != nil {
			return p.fault(err)
		}
		power[i], exponential[i] = min(power[i], 1), min(exponential[i], 1)
		some[i], learner[i] = s.SomeBad.Value, s.Failed.Value
		lo[i], hi[i] = max(some[i]-2*s.SomeBad.SE, 0), min(some[i]+2*s.SomeBad.SE, 1)
	}
	x := floats(ns)
	return plotting.New(
		plotting.Line(x, exponential).Name("|H| exp(−εn), at most 1"),
		plotting.Line(x, power).Name("|H| (1−ε)ⁿ, at most 1").Dash(),
		plotting.Points(x, some).Name("some bad hypothesis is consistent"),
		plotting.ErrorBars(x, some, lo, hi).Muted(),
		plotting.Line(x, learner).Name("the learner returns a bad one").Markers(),
		plotting.HRule(p.delta).Label("δ").Muted(),
	).X("examples n").Y("probability").Title(fmt.Sprintf("%v, ε = %g", p.space, p.epsilon))
}

// Structure draws training error, deviation and their sum against log|H|: the U of structural risk minimisation. trainingErrors[i] is the smallest
// training error in a space of size sizes[i].
func (p Plan) Structure(sizes, trainingErrors []float64) *plotting.Figure {
	p = p.Agnostic()
	p.sized = true
	p = p.ready("Structure", true)
	if p.Err() != nil {
		return plotting.Fault(p.Err())
	}
	if len(sizes) == 0 || len(sizes) != len(trainingErrors) {
		return p.fault(fmt.Errorf("%d sizes and %d training errors, but one error is needed for each size", len(sizes), len(trainingErrors)))
	}
	dev, sum := make([]float64, len(sizes)), make([]float64, len(sizes))
	best := 0
	for i, size := range sizes {
		d, err := FiniteOf(size).Deviation(p.examples, p.delta)
		if err != nil {
			return p.fault(err)
		}
		dev[i], sum[i] = d, d+trainingErrors[i]
		if sum[i] < sum[best] {
			best = i
		}
	}
	return plotting.New(
		plotting.Line(sizes, trainingErrors).Name("training error"),
		plotting.Line(sizes, dev).Name("deviation").Dash(),
		plotting.Line(sizes, sum).Name("bound on the true error").Accent(),
		plotting.VRule(sizes[best]).Label("smallest bound").Dash(),
	).LogX().X("hypotheses |H|").Y("error").Title(fmt.Sprintf("n = %d, δ = %g", p.examples, p.delta))
}

// Chances draws the probability that somebody has no wrong bit against the length of the code, beside the union bound, up to the given length.
func (g Psychic) Chances(bits int, delta float64) *plotting.Figure {
	const who = "learn.Psychic.Chances"
	if err := firstOf(g.check(who), estimator.CheckCount(who, "bits", bits, 1, 10000), checkDelta(who, delta)); err != nil {
		return plotting.Fault(err)
	}
	var x, some, union []float64
	for n := range bits + 1 {
		s, err := g.Some(n)
		if err != nil {
			return plotting.Fault(err)
		}
		u, err := g.Union(n)
		if err != nil {
			return plotting.Fault(err)
		}
		x, some, union = append(x, float64(n)), append(some, s), append(union, min(u, 1))
	}
	need, err := g.Bits(delta)
	if err != nil {
		return plotting.Fault(err)
	}
	return plotting.New(
		plotting.Line(x, some).Markers().Name("somebody has no wrong bit"),
		plotting.Line(x, union).Dash().Name("union bound, at most 1"),
		plotting.HRule(delta).Label("δ").Muted(),
		plotting.VRule(need).Label(fmt.Sprintf("%.2f bits", need)).Dash(),
	).X("bits n").Y("probability").Title(fmt.Sprintf("%d students, %g wrong a bit", g.Students, g.Miss))
}

// Tails draws the exact P(|X/n - p| >= epsilon) beside the bounds of Hoeffding and Chernoff (both sides) against n on a log axis.
func Tails(p, epsilon float64, most int) *plotting.Figure {
	const who = "learn.Tails"
	if err := firstOf(checkProbability(who, "p", p), checkEpsilon(who, epsilon), estimator.CheckCount(who, "most", most, 2, 1_000_000)); err != nil {
		return plotting.Fault(err)
	}
	var x, exact, hoeffding, chernoff []float64
	for _, n := range counts(1, most, 250) {
		m := float64(n)
		x = append(x, m)
		exact = append(exact, positive(math.Exp(logDeviation(n, p, epsilon, false))))
		hoeffding = append(hoeffding, positive(2*math.Exp(-2*m*epsilon*epsilon)))
		up, down := math.Exp(-m*binaryKL(p+epsilon, p)), math.Exp(-m*binaryKL(1-p+epsilon, 1-p))
		chernoff = append(chernoff, positive(up+down))
	}
	return plotting.New(
		plotting.Line(x, hoeffding).Name("Hoeffding 2 exp(−2nε²)"),
		plotting.Line(x, chernoff).Name("Chernoff, both sides").Dash(),
		plotting.Line(x, exact).Name("exact"),
	).LogY().X("examples n").Y("P(|mean − p| ≥ ε)").Title(fmt.Sprintf("p = %g, ε = %g", p, epsilon))
}

// positive keeps a number on a log axis.
func positive(v float64) float64 { return max(v, 1e-300) }

// Dots draws true against training error of every hypothesis on a sample: the consistent ones on the left edge, the bad ones above epsilon.
func (p *Problem) Dots(s Sample, epsilon float64) *plotting.Figure {
	if err := checkEpsilon("learn.Problem.Dots", epsilon); err != nil {
		return plotting.Fault(err)
	}
	train, err := p.TrainingErrors(s)
	if err != nil {
		return plotting.Fault(err)
	}
	kind, notes := make([]int, len(train)), make([]string, len(train))
	for h, e := range train {
		notes[h] = p.space.Hypothesis(h)
		if e == 0 {
			kind[h] = 1
			if p.errs[h] >= epsilon {
				kind[h] = 2
			}
		}
	}
	return plotting.New(
		plotting.Points(train, p.errs).By(kind, "has training errors", "consistent and good", "consistent and bad").Notes(notes...),
		plotting.HRule(epsilon).Label("ε").Dash(),
	).X("training error").Y("true error").Title(fmt.Sprintf("%v, n = %d", p.space, len(s.Instances)))
}

// Histogram draws the largest deviations of all trials beside epsilon and the deviation guaranteed with probability 1 - delta.
func (s *Simulation) Histogram(space Finite, delta float64) *plotting.Figure {
	d, err := space.Deviation(s.N, delta)
	if err != nil {
		return plotting.Fault(err)
	}
	return plotting.New(
		plotting.Histogram(s.MaxDeviation),
		plotting.VRule(d).Label(fmt.Sprintf("bound %.3g", d)).Dash(),
	).X("largest |training − true error|").Y("samples").Title(fmt.Sprintf("%d samples of n = %d", len(s.MaxDeviation), s.N))
}
