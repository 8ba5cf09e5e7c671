package markov

import (
	"fmt"
	"math"
	"sync"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// Parameters are the numbers of a hidden Markov model with K states and M symbols.
type Parameters struct {
	States      []string    // names of the states; nil gives s1 ... sK
	Symbols     []string    // names of the symbols; nil gives x1 ... xM
	Start       []float64   // K start probabilities
	Transitions [][]float64 // K x K; Transitions[i][j] = P(next is j | now in i)
	Emissions   [][]float64 // K x M; Emissions[i][x] = P(x | in i)
}

// A stateChain is the part that all hidden Markov models share: the Markov chain of their hidden states.
type stateChain struct {
	states []string
	k      int
	start  []float64 // k
	a, at  []float64 // k x k row-major, and its transpose

	forwardStep, backwardStep *tile.Recursion // with a and at
	steps                     *stepCosts
}

// stepCosts are -log a for the min-plus products of the Viterbi algorithm, computed when it is asked for first.
type stepCosts struct {
	once   sync.Once
	width  int
	values []float64
}

// An HMM is a hidden Markov model with discrete emissions. Its sequences are slices of symbols 0 ... M-1.
type HMM struct {
	stateChain
	symbols []string
	m       int
	b       []float64 // k x m row-major
	rows    []float64 // the transpose, m x width of a recursion: row x holds P(x | state) for all states, and zeros
	logRows []float64
}

func newHidden(function string, states []string, start []float64, transitions [][]float64) (stateChain, error) {
	k := len(start)
	if k == 0 {
		return stateChain{}, fault.Argument(function, "Start", "empty", "one probability for each state", "")
	}
	if err := estimator.CheckProbabilities(function, "Start", start); err != nil {
		return stateChain{}, err
	}
	if err := checkStochastic(function, "Transitions", transitions, k, k); err != nil {
		return stateChain{}, err
	}
	states, err := names(function, "States", states, k, "s")
	if err != nil {
		return stateChain{}, err
	}
	h := stateChain{states: states, k: k, start: append([]float64(nil), start...)}
	h.setTransitions(flatten(transitions))
	return h, nil
}

// setTransitions sets the transition probabilities, which are not to be changed any more.
func (h *stateChain) setTransitions(a []float64) {
	h.a, h.at = a, transpose(a, h.k, h.k)
	h.forwardStep, h.backwardStep = tile.NewRecursion(h.a, h.k), tile.NewRecursion(h.at, h.k)
	h.steps = &stepCosts{}
}

// NewHMM returns the model with the given probabilities. It fails when they are not probabilities that sum to one within 1e-9.
func NewHMM(p Parameters) (*HMM, error) {
	const function = "markov.NewHMM"
	h, err := newHidden(function, p.States, p.Start, p.Transitions)
	if err != nil {
		return nil, err
	}
	if len(p.Emissions) == 0 || len(p.Emissions[0]) == 0 {
		return nil, fault.Argument(function, "Emissions", "empty", "one row of symbol probabilities for each state", "")
	}
	m := len(p.Emissions[0])
	if err := checkStochastic(function, "Emissions", p.Emissions, h.k, m); err != nil {
		return nil, err
	}
	symbols, err := names(function, "Symbols", p.Symbols, m, "x")
	if err != nil {
		return nil, err
	}
	return newHMM(h, symbols, flatten(p.Emissions)), nil
}

func newHMM(h stateChain, symbols []string, b []float64) *HMM {
	m := len(symbols)
	rows := transpose(b, h.k, m)
	return &HMM{stateChain: h, symbols: symbols, m: m, b: b, rows: widen(rows, h.k, h.forwardStep.Width), logRows: logs(rows)}
}

// States returns the names of the states.
func (h *stateChain) States() []string { return append([]string(nil), h.states...) }

// K returns the number of states.
func (h *stateChain) K() int { return h.k }

// Start returns the start probabilities.
func (h *stateChain) Start() []float64 { return append([]float64(nil), h.start...) }

// Transitions returns the K x K transition probabilities.
func (h *stateChain) Transitions() [][]float64 { return rowsOf(h.a, h.k) }

// Chain returns the Markov chain of the hidden states, the prior over state sequences.
func (h *stateChain) Chain() *Chain { return &Chain{h.States(), h.Start(), h.Transitions()} }

// Index returns the indices of the named states.
func (h *stateChain) Index(states ...string) ([]int, error) {
	return lookup("markov.HMM.Index", "states", "state", h.states, states)
}

// Names returns the names of the states of a path.
func (h *stateChain) Names(path []int) []string {
	out := make([]string, len(path))
	for t, s := range path {
		out[t] = h.states[s]
	}
	return out
}

// Symbols returns the names of the symbols.
func (m *HMM) Symbols() []string { return append([]string(nil), m.symbols...) }

// Emissions returns the K x M emission probabilities.
func (m *HMM) Emissions() [][]float64 { return rowsOf(m.b, m.m) }

// Encode turns symbols into their numbers, and names a symbol that the model does not know.
func (m *HMM) Encode(words ...string) ([]int, error) {
	return lookup("markov.HMM.Encode", "words", "symbol", m.symbols, words)
}

// Words is the inverse of Encode.
func (m *HMM) Words(obs []int) []string {
	out := make([]string, len(obs))
	for t, x := range obs {
		out[t] = m.symbols[x]
	}
	return out
}

// Parameters returns how many numbers describe the model, K + K^2 + K M, and how many of them are free, (K-1) + K (K-1) + K (M-1).
func (m *HMM) Parameters() (numbers, free int) {
	k := m.k
	return k + k*k + k*m.m, k - 1 + k*(k-1) + k*(m.m-1)
}

// Joint returns log P(obs, path) of a sequence together with its states.
func (m *HMM) Joint(obs, path []int) (float64, error) {
	const function = "markov.HMM.Joint"
	if err := checkSequence(function, "obs", obs, m.m, "symbol"); err != nil {
		return 0, err
	}
	if err := checkSequence(function, "path", path, m.k, "state"); err != nil {
		return 0, err
	}
	if len(path) != len(obs) {
		return 0, fault.Argument(function, "path", fmt.Sprintf("%d long", len(path)), fmt.Sprintf("as long as obs, %d", len(obs)), "")
	}
	return m.joint(m.evidence(obs), path), nil
}

func (h *stateChain) joint(e evidence, path []int) float64 {
	l := ln(h.start[path[0]]) + e.logs(0)[path[0]]
	for t := 1; t < len(path); t++ {
		l += ln(h.a[path[t-1]*h.k+path[t]]) + e.logs(t)[path[t]]
	}
	return l + e.offset
}

// String describes the model in one line.
func (m *HMM) String() string {
	return fmt.Sprintf("HMM of %d states (%s) and %d symbols", m.k, list(m.states), m.m)
}

// evidence is what a sequence says about the states: at each time the likelihoods P(x_t | state), up to a factor whose logarithms sum to
// offset. Discrete emissions look rows up in a table, Gaussian ones have a row of their own at each time.
type evidence struct {
	n       int
	k       int
	width   int       // of a row of rows, as the recursions want it: k, padded
	index   []int     // row of time t; nil means row t
	rows    []float64 // nil where logarithms are enough
	logRows []float64 // rows of k
	offset  float64
}

// exponentiate fills rows, n x width, from logRows.
func (e *evidence) exponentiate(rows []float64, width int) {
	e.rows, e.width = rows, width
	for t := range e.n {
		row := rows[t*width : (t+1)*width]
		copy(row, e.logRows[t*e.k:(t+1)*e.k])
		for i := e.k; i < width; i++ {
			row[i] = math.Inf(-1)
		}
	}
	tile.Exp(rows)
}

// widen returns rows of k numbers as rows of width numbers, with zeros at their ends.
func widen(rows []float64, k, width int) []float64 {
	if k == width {
		return rows
	}
	out := make([]float64, len(rows)/k*width)
	for i := range len(rows) / k {
		copy(out[i*width:], rows[i*k:(i+1)*k])
	}
	return out
}

func (e *evidence) at(t int) []float64 {
	if e.index != nil {
		t = e.index[t]
	}
	return e.rows[t*e.width : t*e.width+e.k]
}

func (e *evidence) logs(t int) []float64 {
	if e.index != nil {
		t = e.index[t]
	}
	return e.logRows[t*e.k : (t+1)*e.k]
}

func (m *HMM) evidence(obs []int) evidence {
	return evidence{n: len(obs), k: m.k, width: m.forwardStep.Width, index: obs, rows: m.rows, logRows: m.logRows}
}

func (m *HMM) check(function string, obs []int) error {
	return checkSequence("markov.HMM."+function, "obs", obs, m.m, "symbol")
}

// impossible is the error of everything that conditions on a sequence of probability zero.
func impossible(function, sequence string, t int) error {
	return fault.Argument(function, fmt.Sprintf("%s[0:%d]", sequence, t+1), "impossible (probability 0)", "a sequence that the model can emit",
		"smooth the emission and transition probabilities")
}
