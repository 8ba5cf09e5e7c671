package markov

import (
	"math"
	"slices"
	"sort"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Path is a state sequence with the logarithm of its joint probability P(obs, path).
type Path struct {
	States  []int
	LogProb float64
}

// Viterbi returns the most probable state sequence, argmax_y P(y | obs) = argmax_y P(obs, y), by the recursion
//
//	delta_j(t+1) = max_i delta_i(t) P(j|i) P(x_{t+1}|j)
//
// on logarithms, in O(T K^2) time. Of equally probable predecessors the first state is taken. It fails on an impossible sequence.
// Source: A. J. Viterbi 1967; Rabiner 1989, section III.B.
func (m *HMM) Viterbi(obs []int) (Path, error) {
	if err := m.check("Viterbi", obs); err != nil {
		return Path{}, err
	}
	return m.viterbi("markov.HMM.Viterbi", m.evidence(obs))
}

// viterbi works with costs, -log probabilities shifted to be at least zero, so that one min-plus product goes from one time to the next.
func (h *stateChain) viterbi(function string, e evidence) (Path, error) {
	if h.k <= 256 {
		return viterbiBack[uint8](h, function, e)
	}
	return viterbiBack[int32](h, function, e)
}

func viterbiBack[B uint8 | int32](h *stateChain, function string, e evidence) (Path, error) {
	k := h.k
	trans, width := h.steps.of(h)
	back := make([]B, e.n*k)
	cost, next, arg := make([]float64, width), make([]float64, width), make([]int64, width)
	for i := k; i < width; i++ {
		cost[i] = math.Inf(1)
	}
	total := e.offset // log probability already moved out of cost
	for i, l := range e.logs(0) {
		cost[i] = -(ln(h.start[i]) + l)
	}
	var alive bool
	if total, alive = settle(cost[:k], total); !alive {
		return Path{}, impossible(function, "obs", 0)
	}
	// Costs never fall below zero by themselves; they are brought down now and then to keep their last digits.
	for from := 1; from < e.n; {
		to := min(from/64*64+65, e.n)
		if few(k) {
			advanceFew((*[16]float64)(trans), (*[4]float64)(cost), e, back, from, to)
			from = to
		}
		for ; from < to; from++ {
			tile.MinPlus(next, arg, cost[:k], trans, width)
			l, row := e.logs(from)[:k], back[from*k:(from+1)*k]
			for j, v := range l {
				next[j] -= v
				row[j] = B(arg[j])
			}
			cost, next = next, cost
		}
		if total, alive = settle(cost[:k], total); !alive {
			return Path{}, impossible(function, "obs", h.dead(e))
		}
	}
	cost = cost[:k]
	end := 0
	for i, v := range cost {
		if v < cost[end] {
			end = i
		}
	}
	path := make([]int, e.n)
	path[e.n-1] = end
	for t := e.n - 1; t > 0; t-- {
		path[t-1] = int(back[t*k+path[t]])
	}
	return Path{path, total - cost[end]}, nil
}

// of returns the costs in rows of width numbers; those of states that do not exist are infinite.
func (s *stepCosts) of(h *stateChain) (values []float64, width int) {
	s.once.Do(func() {
		rows := h.k
		if s.width = tile.Padded(h.k); few(h.k) {
			s.width, rows = 4, 4
		}
		s.values = slices.Repeat([]float64{math.Inf(1)}, rows*s.width)
		for i := range h.k {
			for j, v := range h.a[i*h.k : (i+1)*h.k] {
				s.values[i*s.width+j] = 0 - ln(v) // no zero has a sign
			}
		}
	})
	return s.values, s.width
}

// settle subtracts the smallest cost, and returns the log probability moved out of the costs so far, and whether any state is left.
func settle(cost []float64, total float64) (float64, bool) {
	least := cost[0]
	for _, v := range cost[1:] {
		if v < least {
			least = v
		}
	}
	if math.IsInf(least, 1) {
		return total, false
	}
	for i := range cost {
		cost[i] -= least
	}
	return total - least, true
}

// dead returns the first time at which the sequence is impossible.
func (h *stateChain) dead(e evidence) int {
	for t, row := range h.forwardLog(e) {
		if math.IsInf(gauss.LogSumExp(row), -1) {
			return t
		}
	}
	return e.n - 1
}

// A Trellis is the table that the Viterbi algorithm fills, for small examples: all probabilities are plain numbers, which underflow on
// long sequences, beside their logarithms, which do not.
type Trellis struct {
	Delta    [][]float64 // T x K; Delta[t][j] = max over paths that end in j at t of P(x_0 ... x_t, path)
	LogDelta [][]float64 // its logarithm
	Back     [][]int     // T x K; the predecessor in the best path to (t, j); -1 at t = 0 and where delta is 0
	Path     []int       // the most probable path
	Prob     float64     // its joint probability with the sequence
	LogProb  float64
}

// Trellis runs the Viterbi recursion as the textbook has it and keeps every entry and back-pointer.
func (m *HMM) Trellis(obs []int) (*Trellis, error) {
	if err := m.check("Trellis", obs); err != nil {
		return nil, err
	}
	return m.trellis("markov.HMM.Trellis", m.evidence(obs))
}

func (h *stateChain) trellis(function string, e evidence) (*Trellis, error) {
	tr := &Trellis{Delta: make([][]float64, e.n), LogDelta: make([][]float64, e.n), Back: make([][]int, e.n), LogProb: math.Inf(-1)}
	for t := range e.n {
		delta, logDelta, back := make([]float64, h.k), make([]float64, h.k), make([]int, h.k)
		alive := false
		for j := range h.k {
			back[j] = -1
			best, bestLog := h.start[j], ln(h.start[j])
			if t > 0 {
				best, bestLog = 0, math.Inf(-1)
				for i := range h.k {
					if l := tr.LogDelta[t-1][i] + ln(h.a[i*h.k+j]); l > bestLog {
						bestLog, back[j] = l, i
						best = tr.Delta[t-1][i] * h.a[i*h.k+j]
					}
				}
			}
			delta[j], logDelta[j] = best*e.at(t)[j], bestLog+e.logs(t)[j]
			alive = alive || !math.IsInf(logDelta[j], -1)
		}
		tr.Delta[t], tr.LogDelta[t], tr.Back[t] = delta, logDelta, back
		if !alive {
			return nil, impossible(function, "obs", t)
		}
	}
	end := 0
	for i, v := range tr.LogDelta[e.n-1] {
		if v > tr.LogDelta[e.n-1][end] {
			end = i
		}
	}
	tr.Path = make([]int, e.n)
	for t := e.n - 1; t >= 0; t-- {
		tr.Path[t] = end
		end = tr.Back[t][end]
	}
	factor := math.Exp(e.offset)
	tr.LogProb = tr.LogDelta[e.n-1][tr.Path[e.n-1]] + e.offset
	tr.Prob = tr.Delta[e.n-1][tr.Path[e.n-1]] * factor
	return tr, nil
}

// Branches returns for each state i the product delta_i(t-1) P(state|i) P(x_t|state), whose largest is delta_state(t); t from 1.
func (m *HMM) Branches(obs []int, t, state int) ([]float64, error) {
	const function = "markov.HMM.Branches"
	tr, err := m.Trellis(obs)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(function, "t", t, 1, len(obs)-1); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(function, "state", state, 0, m.k-1); err != nil {
		return nil, err
	}
	out := make([]float64, m.k)
	for i := range out {
		out[i] = tr.Delta[t-1][i] * m.a[i*m.k+state] * m.b[state*m.m+obs[t]]
	}
	return out, nil
}

// KBest returns the count most probable state sequences in falling order, or all possible ones when there are fewer (list Viterbi,
// Seshadri and Sundberg 1994, the parallel form: each cell of the trellis keeps its count best ways in).
func (m *HMM) KBest(obs []int, count int) ([]Path, error) {
	if err := m.check("KBest", obs); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount("markov.HMM.KBest", "count", count, 1, 1<<20); err != nil {
		return nil, err
	}
	return m.kBest("markov.HMM.KBest", m.evidence(obs), count)
}

type way struct {
	score      float64
	from, rank int
}

func (h *stateChain) kBest(function string, e evidence, count int) ([]Path, error) {
	logA := logs(h.a)
	cells := make([][][]way, e.n)
	for t := range cells {
		cells[t] = make([][]way, h.k)
		alive := false
		for j := range h.k {
			var ways []way
			if t == 0 {
				ways = append(ways, way{ln(h.start[j]), -1, 0})
			} else {
				for i, before := range cells[t-1] {
					for r, w := range before {
						ways = append(ways, way{w.score + logA[i*h.k+j], i, r})
					}
				}
			}
			kept := ways[:0]
			for _, w := range ways {
				if w.score += e.logs(t)[j]; !math.IsInf(w.score, -1) {
					kept = append(kept, w)
				}
			}
			cells[t][j] = best(kept, count)
			alive = alive || len(kept) > 0
		}
		if !alive {
			return nil, impossible(function, "obs", t)
		}
	}
	var ends []way
	for j, ways := range cells[e.n-1] {
		for r, w := range ways {
			ends = append(ends, way{w.score, j, r})
		}
	}
	var paths []Path
	for _, end := range best(ends, count) {
		p := Path{make([]int, e.n), end.score + e.offset}
		s, r := end.from, end.rank
		for t := e.n - 1; t >= 0; t-- {
			p.States[t] = s
			s, r = cells[t][s][r].from, cells[t][s][r].rank
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// best returns the count highest ways; ties keep their order.
func best(ways []way, count int) []way {
	sort.SliceStable(ways, func(a, b int) bool { return ways[a].score > ways[b].score })
	return append([]way(nil), ways[:min(count, len(ways))]...)
}

// MaxMarginals returns for each time t and state i the logarithm of max P(obs, path) over the paths through i at t: the max-product
// messages from both sides meet. Every row has the same largest entry, the Viterbi score.
func (m *HMM) MaxMarginals(obs []int) ([][]float64, error) {
	if err := m.check("MaxMarginals", obs); err != nil {
		return nil, err
	}
	tr, err := m.Trellis(obs)
	if err != nil {
		return nil, err
	}
	out := estimator.CloneRows(tr.LogDelta)
	after := make([]float64, m.k)
	for t := len(obs) - 2; t >= 0; t-- {
		message := make([]float64, m.k)
		for i := range message {
			message[i] = math.Inf(-1)
			for j := range m.k {
				message[i] = math.Max(message[i], ln(m.a[i*m.k+j])+m.logRows[obs[t+1]*m.k+j]+after[j])
			}
			out[t][i] += message[i]
		}
		after = message
	}
	return out, nil
}

// Paths calls visit with each of the K^T state sequences and log P(obs, path), until visit returns false: brute force for tests and small
// examples. The slice is reused. It refuses more than 10 million sequences.
func (m *HMM) Paths(obs []int, visit func(path []int, logProb float64) bool) error {
	if err := m.check("Paths", obs); err != nil {
		return err
	}
	if err := checkEnumeration("markov.HMM.Paths", m.k, len(obs)); err != nil {
		return err
	}
	e := m.evidence(obs)
	enumerate(m.k, len(obs), func(path []int) bool { return visit(path, m.joint(e, path)) })
	return nil
}
