package markov

import (
	"fmt"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// CountOptions set how counts become probabilities.
type CountOptions struct {
	States    []string  // names of the states; nil gives s1 ... sK
	Symbols   []string  // names of the symbols (HMM only); nil gives x1 ... xM
	Smoothing float64   // added to each count, default 1, Laplace's rule; estimator.None is maximum likelihood
	Weights   []float64 // one a sequence; nil weighs all alike
}

// CountChain estimates a chain of k states from sequences by counting: P(j|i) = (n_ij + s) / (n_i + k s) with smoothing s. With
// s = 0 it is the maximum-likelihood estimate, and a state that is never left keeps to itself.
func CountChain(sequences [][]int, k int, o CountOptions) (*Chain, error) {
	estimator.Or(&o.Smoothing, 1)
	return countChain(sequences, k, o)
}

func countChain(sequences [][]int, k int, o CountOptions) (*Chain, error) {
	const function = "markov.CountChain"
	if err := estimator.CheckCount(function, "k", k, 1, maxStates); err != nil {
		return nil, err
	}
	if err := checkSequences(function, "sequences", sequences, k, "state"); err != nil {
		return nil, err
	}
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeightsOf(function, o.Weights, len(sequences), "sequences"); err != nil {
		return nil, err
	}
	start, a := countTransitions(sequences, k, o.Weights)
	return ofTransitions(function, start, a, o)
}

// ChainOf is CountChain of what was counted: start[i] sequences that begin in state i, and transitions[i][j] steps from i to j, for k
// states. Counts need not be whole, and Weights of the options has no place here.
func ChainOf(start []float64, transitions [][]float64, o CountOptions) (*Chain, error) {
	const function = "markov.ChainOf"
	k := len(start)
	if err := estimator.CheckCount(function, "len(start)", k, 1, maxStates); err != nil {
		return nil, err
	}
	if len(transitions) != k {
		return nil, fault.Argument(function, "transitions", fmt.Sprintf("%d rows", len(transitions)), fmt.Sprintf("%d, one a state", k), "")
	}
	if o.Weights != nil {
		return nil, fault.Argument(function, "Weights", fmt.Sprintf("%d numbers", len(o.Weights)), "nil: the counts are weighted already", "")
	}
	estimator.Or(&o.Smoothing, 1)
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return nil, err
	}
	rows := append([][]float64{start}, transitions...)
	a := make([]float64, 0, k*k)
	for i, row := range rows {
		what := "start"
		if i > 0 {
			what = fmt.Sprintf("transitions[%d]", i-1)
			a = append(a, row...)
		}
		if len(row) != k {
			return nil, fault.Argument(function, what, fmt.Sprintf("%d numbers", len(row)), fmt.Sprintf("%d, one a state", k), "")
		}
		for j, v := range row {
			if !(v >= 0 && v < 1e300) {
				return nil, fault.Argument(function, fmt.Sprintf("%s[%d]", what, j), v, "a count from 0 to 1e300", "")
			}
		}
	}
	return ofTransitions(function, start, a, o)
}

// ofTransitions makes the chain of counts, those of the steps row by row.
func ofTransitions(function string, start, a []float64, o CountOptions) (*Chain, error) {
	c, err := NewChain(
		ChainParameters{
			States: o.States, Start: shares(start, o.Smoothing, -1), Transitions: shareRows(a, len(start), o.Smoothing, true),
		},
	)
	return c, fault.In(function, err)
}

func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

func countTransitions(sequences [][]int, k int, weights []float64) (start, a []float64) {
	start = make([]float64, k)
	a = make([]float64, k*k)
	for s, seq := range sequences {
		w := weight(weights, s)
		start[seq[0]] += w
		for t := 1; t < len(seq); t++ {
			a[seq[t-1]*k+seq[t]] += w
		}
	}
	return start, a
}

// shares divides smoothed counts by their sum; without any count all weight goes to place own, or to all alike when own is negative.
func shares(counts []float64, smoothing float64, own int) []float64 {
	out := make([]float64, len(counts))
	sum := 0.0
	for i, v := range counts {
		out[i] = v + smoothing
		sum += out[i]
	}
	for i := range out {
		switch {
		case sum > 0:
			out[i] /= sum
		case own < 0:
			out[i] = 1 / float64(len(out))
		case i == own:
			out[i] = 1
		}
	}
	return out
}

func shareRows(counts []float64, width int, smoothing float64, stay bool) [][]float64 {
	rows := make([][]float64, len(counts)/width)
	for i := range rows {
		own := -1
		if stay {
			own = i
		}
		rows[i] = shares(counts[i*width:(i+1)*width], smoothing, own)
	}
	return rows
}

// CountHMM estimates an HMM with k states and m symbols from sequences whose states are known (supervised learning): relative
// frequencies of starts, transitions and emissions, each count raised by the smoothing. Without smoothing a symbol never seen in a
// state has probability zero there; a state never seen emits all symbols alike.
func CountHMM(states, symbols [][]int, k, m int, o CountOptions) (*HMM, error) {
	const function = "markov.CountHMM"
	estimator.Or(&o.Smoothing, 1)
	if err := estimator.CheckCount(function, "k", k, 1, maxStates); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(function, "m", m, 1, maxNumbers/k); err != nil {
		return nil, err
	}
	if err := checkSequences(function, "states", states, k, "state"); err != nil {
		return nil, err
	}
	if err := checkSequences(function, "symbols", symbols, m, "symbol"); err != nil {
		return nil, err
	}
	if len(symbols) != len(states) {
		return nil, fault.Argument(
			function,
			"symbols",
			fmt.Sprintf("%d sequences", len(symbols)),
			fmt.Sprintf("as many sequences as states has, %d", len(states)),
			"",
		)
	}
	for s := range states {
		if len(symbols[s]) != len(states[s]) {
			return nil, fault.Argument(
				function,
				fmt.Sprintf("symbols[%d]", s),
				fmt.Sprintf("%d long", len(symbols[s])),
				fmt.Sprintf("as long as states[%d], %d", s, len(states[s])),
				"",
			)
		}
	}
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeightsOf(function, o.Weights, len(states), "sequences"); err != nil {
		return nil, err
	}
	start, a := countTransitions(states, k, o.Weights)
	b := make([]float64, k*m)
	for s := range states {
		w := weight(o.Weights, s)
		for t, y := range states[s] {
			b[y*m+symbols[s][t]] += w
		}
	}
	h, err := NewHMM(Parameters{
		States: o.States, Symbols: o.Symbols,
		Start: shares(start, o.Smoothing, -1), Transitions: shareRows(a, k, o.Smoothing, true), Emissions: shareRows(b, m, o.Smoothing, false),
	})
	return h, fault.In(function, err)
}
