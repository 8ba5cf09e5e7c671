package sufficient

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/markov"
)

// mostStates bounds the matrix of steps, 8 MB.
const mostStates = 1000

// Transitions are the starts and steps of sequences of states. Make them with NewTransitions.
type Transitions struct {
	k           int
	start, step []float64
}

// NewTransitions returns the counts of chains of k states, from 1 to 1000, that have seen nothing.
func NewTransitions(k int) (*Transitions, error) {
	if err := estimator.CheckCount("sufficient.NewTransitions", "k", k, 1, mostStates); err != nil {
		return nil, err
	}
	return &Transitions{k: k, start: make([]float64, k), step: make([]float64, k*k)}, nil
}

// Add takes in sequences of states 0 ... k-1, sequence i as weights[i] sequences; nil weights count each once. A sequence must not be cut
// in two, or the step between the parts is a start.
//
// Errors, which leave t as it was: an empty sequence, a state that there is not; weights that are negative, not finite, or not one a
// sequence.
func (t *Transitions) Add(sequences [][]int, weights []float64) error {
	const function = "sufficient.Transitions.Add"
	if t.k == 0 {
		return estimator.Unfitted(function)
	}
	if err := checkWeights(function, weights, len(sequences)); err != nil {
		return err
	}
	for i, sequence := range sequences {
		if len(sequence) == 0 {
			return fault.Argument(function, fmt.Sprintf("sequences[%d]", i), "empty", "at least one state", "drop it")
		}
		for at, state := range sequence {
			if state < 0 || state >= t.k {
				return fault.Argument(function, fmt.Sprintf("sequences[%d][%d]", i, at), state, fmt.Sprintf("a state 0 ... %d", t.k-1), "")
			}
		}
	}
	for i, sequence := range sequences {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		t.start[sequence[0]] += w
		for at := 1; at < len(sequence); at++ {
			t.step[sequence[at-1]*t.k+sequence[at]] += w
		}
	}
	return nil
}

// Merge takes in all that other has seen. It fails on another number of states.
func (t *Transitions) Merge(other *Transitions) error {
	if t.k != other.k {
		return fault.Argument("sufficient.Transitions.Merge", "the other", fmt.Sprintf("of %d states", other.k),
			fmt.Sprintf("of %d states", t.k), "")
	}
	for i, v := range other.start {
		t.start[i] += v
	}
	for i, v := range other.step {
		t.step[i] += v
	}
	return nil
}

// Chain returns what markov.CountChain finds on the sequences. Weights of the options must be nil.
func (t *Transitions) Chain(o markov.CountOptions) (*markov.Chain, error) {
	const function = "sufficient.Transitions.Chain"
	if t.k == 0 {
		return nil, estimator.Unfitted(function)
	}
	rows := make([][]float64, t.k)
	for i := range rows {
		rows[i] = t.step[i*t.k : (i+1)*t.k]
	}
	c, err := markov.ChainOf(t.start, rows, o)
	return c, fault.In(function, err)
}

// String returns a line such as "steps of 12 sequences of 3 states".
func (t *Transitions) String() string {
	n := 0.0
	for _, v := range t.start {
		n += v
	}
	return fmt.Sprintf("steps of %g sequences of %d states", n, t.k)
}

type transitionsState struct {
	K           int
	Start, Step []float64
}

// MarshalBinary encodes the counts.
func (t *Transitions) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.Transitions", 1, transitionsState{t.k, t.start, t.step})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (t *Transitions) UnmarshalBinary(data []byte) error {
	const kind = "sufficient.Transitions"
	var s transitionsState
	if err := estimator.Decode(data, kind, 1, &s); err != nil {
		return err
	}
	negative := func(v float64) bool { return !(v >= 0) }
	if s.K < 1 || s.K > mostStates || len(s.Start) != s.K || len(s.Step) != s.K*s.K || !tile.Finite(s.Start) || !tile.Finite(s.Step) ||
		slices.ContainsFunc(s.Start, negative) || slices.ContainsFunc(s.Step, negative) {
		return damage(kind)
	}
	*t = Transitions{s.K, s.Start, s.Step}
	return nil
}
