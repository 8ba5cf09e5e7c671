package markov

import (
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

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

// Show shows the picture or table that says most: Graph.
func (c ChainPlan) Show() { c.Graph().Show() }

// Graph draws the model as nodes and edges: the states and the transitions; the named walk, if any, stands out.
func (c ChainPlan) Graph(walk ...string) *plotting.Figure {
	return plan.Figure(c, "Graph", func(m *Chain) (*plotting.Figure, error) {
		path, err := m.Index(walk...)
		if err != nil {
			return nil, err
		}
		return graph(m.states, m.p, path).Title("Markov chain"), nil
	}, fault.Args(walk)...)
}

// Convergence draws P(state at time n) for n = 0 ... steps, and dashed the stationary distribution when it is unique.
func (c ChainPlan) Convergence(steps int) *plotting.Figure {
	return plan.Figure(c, "Convergence", func(m *Chain) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Convergence", "steps", steps, 1, 100000); err != nil {
			return nil, err
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
		return f.X("step").Y("probability").Title("Distribution of the state"), nil
	}, steps)
}

// Table lists parameters and diagnostics: the start and transition probabilities, one row a state.
func (c ChainPlan) Table() cell.Table {
	return plan.Table(c, "Table", func(m *Chain) (cell.Table, error) {
		return parameters(m.states, m.start, prefixed("to ", m.states), m.p), nil
	})
}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = prefix + name
	}
	return out
}

// parameters sets start probabilities and rows of others, one row a state, under their heads.
func parameters(states []string, start []float64, heads []string, rows [][]float64) cell.Table {
	t := cell.NewTable(append([]string{"state", "start"}, heads...)...)
	for i, s := range states {
		t = t.Row(append([]any{s, start[i]}, fault.Args(rows[i])...)...)
	}
	return t.Title("Probabilities")
}

// Show shows the picture or table that says most: Graph.
func (h HMMPlan) Show() { h.Graph().Show() }

// Graph draws the model as nodes and edges: the hidden states and their transitions.
func (h HMMPlan) Graph() *plotting.Figure {
	return plan.Figure(h, "Graph", func(m *HMM) (*plotting.Figure, error) {
		return graph(m.states, m.Transitions(), nil).Title("Hidden states"), nil
	})
}

// Heat draws the matrix of numbers as colours: transition and emission probabilities as coloured tables.
func (h HMMPlan) Heat() *plotting.Figure {
	return plan.Figure(h, "Heat", func(m *HMM) (*plotting.Figure, error) {
		a := plotting.Heat(m.Transitions()).Rows(m.states...).Columns(m.states...).Values("%.2g").Range(0, 1)
		b := plotting.Heat(m.Emissions()).Rows(m.states...).Columns(m.symbols...).Values("%.2g").Range(0, 1)
		return plotting.Row(plotting.New(a).X("to").Y("from").Title("Transitions"), plotting.New(b).X("symbol").Title("Emissions")), nil
	})
}

// Table lists parameters and diagnostics: start, transition and emission probabilities, one row a state.
func (h HMMPlan) Table() cell.Table {
	return plan.Table(h, "Table", func(m *HMM) (cell.Table, error) {
		rows, emissions := m.Transitions(), m.Emissions()
		for i := range rows {
			rows[i] = append(rows[i], emissions[i]...)
		}
		return parameters(m.states, m.start, append(prefixed("to ", m.states), prefixed("emits ", m.symbols)...), rows), nil
	})
}

// StatePosteriors draws the probabilities of the states over time: P(state at t | obs), as a table of states by times.
func (h HMMPlan) StatePosteriors(obs ...string) *plotting.Figure {
	return plan.Figure(h, "StatePosteriors", observed("StatePosteriors", obs, func(m *HMM, x []int) (*plotting.Figure, error) {
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
		heat := plotting.Heat(z).Rows(m.states...).Columns(columns...).Values("%.3f").Range(0, 1).Label("posterior")
		return plotting.New(heat).Title("Posterior of the states"), nil
	}), fault.Args(obs)...)
}

// Underflow draws log10 of the unscaled forward sum, computed with plain numbers and with scaling: the plain line ends where the numbers
// become zero.
func (h HMMPlan) Underflow(obs ...string) *plotting.Figure {
	return plan.Figure(h, "Underflow", observed("Underflow", obs, func(m *HMM, x []int) (*plotting.Figure, error) {
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
	}), fault.Args(obs)...)
}

// Show shows the picture or table that says most: Trellis.
func (d Decoded) Show() { d.Trellis().Show() }

// figure is plan.Figure with the model and the numbers of the symbols.
func (d Decoded) figure(step string, draw func(m *HMM, x []int, t *Trellis) (*plotting.Figure, error), args ...any) *plotting.Figure {
	return plan.Figure(d, step, func(t *Trellis) (*plotting.Figure, error) {
		return observed(step, d.obs, func(m *HMM, x []int) (*plotting.Figure, error) { return draw(m, x, t) })(d.h.Model())
	}, args...)
}

// Trellis draws the lattice with delta in its nodes, the back-pointers and the best path. On the arrows of the path stand the transition
// and the emission it takes. With up to ten states each node, pointed at, lists the products that compete for it.
func (d Decoded) Trellis() *plotting.Figure {
	return d.figure("Trellis", func(m *HMM, x []int, t *Trellis) (*plotting.Figure, error) {
		trans, emit := m.Transitions(), m.Emissions()
		labels, notes := make([][]string, len(x)), make([][]string, len(x))
		for at := range x {
			labels[at], notes[at] = make([]string, m.k), make([]string, m.k)
			for s := 0; m.k <= 10 && s < m.k; s++ { // a note is no place for more
				notes[at][s] = m.ways(x, at, s, t, trans, emit)
			}
			if at > 0 {
				from, to := t.Path[at-1], t.Path[at]
				labels[at][to] = cell.Digits(trans[from][to], 2) + " · " + cell.Digits(emit[to][x[at]], 2)
			}
		}
		l := plotting.Trellis(m.states, len(d.obs)).Values(t.Delta).Back(t.Back).Path(t.Path).Observations(d.obs...)
		title, subtitle := "Viterbi: "+strings.Join(m.Names(t.Path), " "), fmt.Sprintf("P(obs, path) = %.6g", t.Prob)
		return plotting.New(l.Labels(labels).Notes(notes)).NoAxes().Title(title).Subtitle(subtitle), nil
	})
}

// ways lists the products that compete for a state, the winner marked: delta of the state before, transition, emission.
func (m *HMM) ways(x []int, at, s int, t *Trellis, trans, emit [][]float64) string {
	if at == 0 {
		return fmt.Sprintf("start %s · %s", cell.Digits(m.start[s], 3), cell.Digits(emit[s][x[0]], 3))
	}
	var lines []string
	for v, name := range m.states {
		p := t.Delta[at-1][v] * trans[v][s] * emit[s][x[at]]
		line := fmt.Sprintf("from %s: %s · %s · %s = %s", name, cell.Digits(t.Delta[at-1][v], 3), cell.Digits(trans[v][s], 3),
			cell.Digits(emit[s][x[at]], 3), cell.Digits(p, 3))
		if v == t.Back[at][s] {
			line += " ←"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Best returns the most probable paths as a table: joint probability, and share of P(obs).
func (d Decoded) Best(count int) cell.Table {
	return plan.Table(d, "Best", func(*Trellis) (cell.Table, error) {
		return observed("Best", d.obs, func(m *HMM, x []int) (cell.Table, error) {
			paths, err := m.KBest(x, count)
			if err != nil {
				return cell.Table{}, err
			}
			total, err := m.LogLikelihood(x)
			if err != nil {
				return cell.Table{}, err
			}
			t := cell.NewTable("rank", "path", "P(obs, path)", "P(path | obs)").Title("Most probable paths")
			for i, p := range paths {
				t = t.Row(i+1, strings.Join(m.Names(p.States), " "), math.Exp(p.LogProb), math.Exp(p.LogProb-total))
			}
			return t, nil
		})(d.h.Model())
	}, count)
}

// Table lists parameters and diagnostics: delta and the back-pointers, one row a state.
func (d Decoded) Table() cell.Table {
	return plan.Table(d, "Table", func(t *Trellis) (cell.Table, error) {
		states, columns := d.h.Model().states, []string{"state"}
		for i, w := range d.obs {
			columns = append(columns, fmt.Sprintf("%d %s", i+1, w))
		}
		table := cell.NewTable(columns...).Title("delta (via)")
		for i, s := range states {
			row := []any{s}
			for at := range d.obs {
				text := cell.Digits(t.Delta[at][i], 6)
				if b := t.Back[at][i]; b >= 0 {
					text += " (" + states[b] + ")"
				}
				row = append(row, text)
			}
			table = table.Row(row...)
		}
		return table, nil
	})
}
