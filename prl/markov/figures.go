package markov

import (
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// figure returns fig, or one that carries the error.
func figure(fig *plotting.Figure, err error) *plotting.Figure {
	if err != nil {
		return plotting.Fault(err)
	}
	return fig
}

// graph draws states on a circle and transitions of at least 0.005 as arrows.
func graph(states []string, p [][]float64, path []int) *plotting.Figure {
	on := map[[2]int]bool{}
	visited := map[int]bool{}
	for t, s := range path {
		visited[s] = true
		if t > 0 {
			on[[2]int{path[t-1], s}] = true
		}
	}
	var nodes []plotting.Node
	var edges []plotting.Edge
	for i, s := range states {
		nodes = append(nodes, plotting.Node{Name: s, Accent: visited[i]})
		for j, v := range p[i] {
			if v >= 0.005 || on[[2]int{i, j}] {
				edges = append(edges, plotting.Edge{From: s, To: states[j], Label: cell.Digits(v, 3), Weight: v, Accent: on[[2]int{i, j}]})
			}
		}
	}
	return plotting.New(plotting.Graph(nodes, edges).Circle().Directed()).NoAxes()
}

// Show displays Graph.
func (c ChainPlan) Show() { c.Graph().Show() }

// Graph draws the states and the transitions; the named walk, if any, stands out.
func (c ChainPlan) Graph(walk ...string) *plotting.Figure {
	return figure(cell.End(c.outcome(), func(m *Chain) (*plotting.Figure, error) {
		path, err := m.Index(walk...)
		if err != nil {
			return nil, err
		}
		return graph(m.states, m.p, path).Title("Markov chain"), nil
	}, "Graph", fault.Args(walk)...))
}

// Walk shows a random walk step by step: the state of each time and the arrow that led there.
func (c ChainPlan) Walk(length int, seed uint64) *plotting.Figure {
	return figure(cell.End(c.outcome(), func(m *Chain) (*plotting.Figure, error) {
		seq, err := m.Sample(length, seed)
		if err != nil {
			return nil, err
		}
		at := make([]int, length)
		for t := range at {
			at[t] = t
		}
		return plotting.Slide("step", at, func(t int) *plotting.Figure {
			return graph(m.states, m.p, seq[max(0, t-1):t+1]).Title("Random walk").Subtitle(strings.Join(m.pick(seq[:t+1]), " "))
		}), nil
	}, "Walk", length, seed))
}

// Convergence draws P(state at time n) for n = 0 ... steps, and dashed the stationary distribution when it is unique.
func (c ChainPlan) Convergence(steps int) *plotting.Figure {
	m, err := c.Fitted()
	if err == nil {
		err = estimator.CheckCount("Convergence", "steps", steps, 1, 100000)
	}
	if err != nil {
		return plotting.Fault(err)
	}
	at := make([]float64, steps+1)
	p := make([][]float64, len(m.start))
	now := m.Start()
	for n := range at {
		at[n] = float64(n)
		for i, v := range now {
			p[i] = append(p[i], v)
		}
		now = advance(now, m.p)
	}
	f := plotting.New()
	for i, s := range m.states {
		f = f.Add(plotting.Line(at, p[i]).Class(s).Name(s))
	}
	if pi, err := m.Stationary(); err == nil {
		for i, s := range m.states {
			f = f.Add(plotting.HRule(pi[i]).Class(s).Dash())
		}
	}
	return f.X("step").Y("probability").Title("Distribution of the state")
}

// Tables shows the transition probabilities as a coloured table.
func (c ChainPlan) Tables() *plotting.Figure {
	m, err := c.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	return plotting.New(plotting.Heat(m.p).Rows(m.states...).Columns(m.states...).Values("%.3g").Range(0, 1)).X("to").Y("from").Title("Transitions")
}

// Show displays Graph.
func (h HMMPlan) Show() { h.Graph().Show() }

// Graph draws the hidden states and their transitions.
func (h HMMPlan) Graph() *plotting.Figure {
	m, err := h.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	return graph(m.states, m.Transitions(), nil).Title("Hidden states")
}

// Tables shows start, transition and emission probabilities as coloured tables.
func (h HMMPlan) Tables() *plotting.Figure {
	m, err := h.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	a := plotting.New(plotting.Heat(m.Transitions()).Rows(m.states...).Columns(m.states...).Values("%.2g").Range(0, 1)).X("to").Y("from").Title("Transitions")
	b := plotting.New(plotting.Heat(m.Emissions()).Rows(m.states...).Columns(m.symbols...).Values("%.2g").Range(0, 1)).X("symbol").Title("Emissions")
	return plotting.Row(a, b)
}

// Posterior draws P(state at t | obs) as one line a state, and the Viterbi path as markers above.
func (h HMMPlan) Posterior(obs ...string) *plotting.Figure {
	return figure(end(h, "Posterior", obs, func(m *HMM, x []int) (*plotting.Figure, error) {
		post, err := m.Posterior(x)
		if err != nil {
			return nil, err
		}
		path, err := m.Viterbi(x)
		if err != nil {
			return nil, err
		}
		at := make([]float64, len(x))
		for t := range at {
			at[t] = float64(t + 1)
		}
		f := plotting.New()
		for i, s := range m.states {
			p := make([]float64, len(x))
			var px, py []float64
			for t := range p {
				p[t] = post.At(t, i)
				if path.States[t] == i {
					px, py = append(px, at[t]), append(py, 1.06)
				}
			}
			f = f.Add(plotting.Line(at, p).Class(s).Name(s))
			if len(px) > 0 {
				f = f.Add(plotting.Points(px, py).Class(s).Size(5))
			}
		}
		if len(x) <= 30 {
			f = f.XTicks(at, obs...)
		} else {
			f = f.X("t")
		}
		return f.YRange(0, 1.12).YTicks([]float64{0, .25, .5, .75, 1}).Y("posterior probability").Title("Posterior of the states").Caption("Markers on top: the Viterbi path."), nil
	}))
}

// PosteriorHeat draws the posteriors as a table of states by times.
func (h HMMPlan) PosteriorHeat(obs ...string) *plotting.Figure {
	return figure(end(h, "PosteriorHeat", obs, func(m *HMM, x []int) (*plotting.Figure, error) {
		post, err := m.Posterior(x)
		if err != nil {
			return nil, err
		}
		z := make([][]float64, m.k)
		for i := range z {
			for t := range x {
				z[i] = append(z[i], post.At(t, i))
			}
		}
		columns := make([]string, len(obs))
		for t, w := range obs {
			columns[t] = fmt.Sprintf("%d %s", t+1, w)
		}
		return plotting.New(plotting.Heat(z).Rows(m.states...).Columns(columns...).Values("%.3f").Range(0, 1).Label("posterior")).Title("Posterior of the states"), nil
	}))
}

// Convergence draws the log-likelihood of Baum-Welch against the iteration.
func (h HMMPlan) Convergence() *plotting.Figure {
	l, err := h.Learned()
	if err != nil {
		return plotting.Fault(err)
	}
	at := make([]float64, len(l.LogLik))
	for i := range at {
		at[i] = float64(i)
	}
	return plotting.New(plotting.Line(at, l.LogLik)).X("iteration").Y("log-likelihood (nats)").Title("Baum-Welch never lowers the log-likelihood")
}

// Underflow draws log10 of the unscaled forward sum, computed with plain numbers and with scaling: the plain line ends where the numbers become zero.
func (h HMMPlan) Underflow(obs ...string) *plotting.Figure {
	return figure(end(h, "Underflow", obs, func(m *HMM, x []int) (*plotting.Figure, error) {
		naive, err := m.ForwardNaive(x)
		if err != nil {
			return nil, err
		}
		scaled, err := m.Forward(x)
		if err != nil {
			return nil, err
		}
		var at, all, plainAt, plain []float64
		sum := 0.0
		for t, c := range scaled.Scale {
			sum += ln(c) / math.Ln10
			at, all = append(at, float64(t+1)), append(all, sum)
			s := 0.0
			for _, v := range naive[t] {
				s += v
			}
			if s > 0 {
				plainAt, plain = append(plainAt, float64(t+1)), append(plain, ln(s)/math.Ln10)
			}
		}
		f := plotting.New(plotting.Line(at, all).Name("scaled").Dash(), plotting.Line(plainAt, plain).Name("plain numbers").Accent())
		if len(plain) < len(all) {
			f = f.Add(plotting.VRule(float64(len(plain) + 1)).Label(fmt.Sprintf("zero from t = %d", len(plain)+1)).Muted())
		}
		return f.X("t").Y("log10 P(x_1 ... x_t)").Title("Underflow of the forward pass"), nil
	}))
}

// Show displays Trellis.
func (d Decoded) Show() { d.Trellis().Show() }

// Trellis draws the lattice with delta in its nodes, the back-pointers and the best path.
func (d Decoded) Trellis() *plotting.Figure {
	if err := d.Err(); err != nil {
		return plotting.Fault(err)
	}
	l := plotting.Trellis(d.model.states, len(d.obs)).Values(d.trellis.Delta).Back(d.trellis.Back).Path(d.trellis.Path).Observations(d.model.Words(d.obs)...)
	return plotting.New(l).NoAxes().Title("Viterbi: " + strings.Join(d.model.Names(d.trellis.Path), " ")).Subtitle(fmt.Sprintf("P(obs, path) = %.6g", d.trellis.Prob))
}

// Steps builds the trellis column by column, and traces the path in the last frame.
func (d Decoded) Steps() *plotting.Figure {
	if err := d.Err(); err != nil {
		return plotting.Fault(err)
	}
	at := make([]int, len(d.obs)+1)
	for i := range at {
		at[i] = i + 1
	}
	return plotting.Slide("column", at, func(n int) *plotting.Figure {
		if n > len(d.obs) {
			return d.lattice(len(d.obs), true).Title("Viterbi algorithm").Subtitle("trace back from the best end")
		}
		return d.lattice(n, false).Title("Viterbi algorithm").Subtitle(fmt.Sprintf("column %d: %s", n, d.model.symbols[d.obs[n-1]]))
	})
}

// lattice draws the first n columns filled and the others empty.
func (d Decoded) lattice(n int, path bool) *plotting.Figure {
	back := make([][]int, len(d.obs))
	layers := make([]plotting.Layer, 1, 1+n*d.model.k)
	for t := range back {
		back[t] = d.trellis.Back[t]
		if t >= n {
			back[t] = make([]int, d.model.k)
			for i := range back[t] {
				back[t][i] = -1
			}
			continue
		}
		for i, v := range d.trellis.Delta[t] {
			layers = append(layers, plotting.Text(float64(t), -float64(i), fmt.Sprintf("%.3g", v)).Anchor("middle", "middle").Size(11))
		}
	}
	l := plotting.Trellis(d.model.states, len(d.obs)).Back(back).Observations(d.model.Words(d.obs)...)
	if path {
		l = l.Path(d.trellis.Path)
	}
	layers[0] = l
	return plotting.New(layers...).NoAxes()
}

// Branches draws the products delta_i(t-1) P(state|i) P(x_t|state) whose largest is delta of the state at time t; t counts from 1, so that the
// first column with branches is t = 2.
func (d Decoded) Branches(t int, state string) *plotting.Figure {
	return figure(cell.End(d.outcome(), func(*Trellis) (*plotting.Figure, error) {
		s, err := lookup("Branches", "state", "state", d.model.states, []string{state})
		if err == nil {
			err = estimator.CheckCount("Branches", "t", t, 2, max(2, len(d.obs)))
		}
		if err != nil {
			return nil, err
		}
		v, err := d.model.Branches(d.obs, t-1, s[0])
		if err != nil {
			return nil, err
		}
		return plotting.New(plotting.Bars(v).Categories(d.model.states...).Values()).X("predecessor").Y("product").Title(fmt.Sprintf("Ways into %s at %d", state, t)), nil
	}, "Branches", t, state))
}

// Best returns the most probable paths as a table: joint probability, and share of P(obs).
func (d Decoded) Best(count int) cell.Table {
	paths, err := cell.End(d.outcome(), func(*Trellis) ([]Path, error) { return d.model.KBest(d.obs, count) }, "Best", count)
	if err != nil {
		return cell.BrokenTable(err)
	}
	total := d.model.logLikelihood(d.model.evidence(d.obs))
	t := cell.NewTable("rank", "path", "P(obs, path)", "P(path | obs)").Title("Most probable paths")
	for i, p := range paths {
		t = t.Row(i+1, strings.Join(d.model.Names(p.States), " "), math.Exp(p.LogProb), math.Exp(p.LogProb-total))
	}
	return t
}

// Table returns delta and the back-pointers, one row a state.
func (d Decoded) Table() cell.Table {
	if err := d.Err(); err != nil {
		return cell.BrokenTable(err)
	}
	columns := []string{"state"}
	for t, w := range d.model.Words(d.obs) {
		columns = append(columns, fmt.Sprintf("%d %s", t+1, w))
	}
	table := cell.NewTable(columns...).Title("delta (via)")
	for i, s := range d.model.states {
		row := []any{s}
		for t := range d.obs {
			text := cell.Digits(d.trellis.Delta[t][i], 6)
			if b := d.trellis.Back[t][i]; b >= 0 {
				text += " (" + d.model.states[b] + ")"
			}
			row = append(row, text)
		}
		table = table.Row(row...)
	}
	return table
}
