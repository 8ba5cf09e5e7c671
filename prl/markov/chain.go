package markov

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// ChainParameters are the numbers of a Markov chain with K states.
type ChainParameters struct {
	States      []string    // names; nil gives s1 ... sK
	Start       []float64   // K start probabilities
	Transitions [][]float64 // K x K; Transitions[i][j] = P(next is j | now in i), rows sum to one
}

// A Chain is a Markov chain of first order, P(s) = P(s_1) prod_{i>=2} P(s_i | s_{i-1}).
type Chain struct {
	states []string
	start  []float64
	p      [][]float64
}

// NewChain returns the chain with the given probabilities. It fails when they are not probabilities that sum to one within 1e-9.
func NewChain(p ChainParameters) (*Chain, error) {
	const function = "markov.NewChain"
	k := len(p.Start)
	if k == 0 {
		return nil, fault.Argument(function, "Start", "empty", "one probability for each state", "")
	}
	if err := estimator.CheckProbabilities(function, "Start", p.Start); err != nil {
		return nil, err
	}
	if err := checkStochastic(function, "Transitions", p.Transitions, k, k); err != nil {
		return nil, err
	}
	states, err := names(function, "States", p.States, k, "s")
	if err != nil {
		return nil, err
	}
	return &Chain{states, append([]float64(nil), p.Start...), estimator.CloneRows(p.Transitions)}, nil
}

// States returns the names of the states.
func (c *Chain) States() []string { return append([]string(nil), c.states...) }

// Start returns the start probabilities.
func (c *Chain) Start() []float64 { return append([]float64(nil), c.start...) }

// Transitions returns the K x K transition probabilities.
func (c *Chain) Transitions() [][]float64 { return estimator.CloneRows(c.p) }

// Index returns the indices of the named states.
func (c *Chain) Index(words ...string) ([]int, error) {
	return lookup("markov.Chain.Index", "words", "state", c.states, words)
}

// Parameters returns how many numbers describe the chain, K + K^2, and how many of them are free, K^2 - 1.
func (c *Chain) Parameters() (numbers, free int) {
	k := len(c.start)
	return k + k*k, k*k - 1
}

// LogProb returns log P(seq); impossible sequences have -Inf.
func (c *Chain) LogProb(seq []int) (float64, error) {
	if err := checkSequence("markov.Chain.LogProb", "seq", seq, len(c.start), "state"); err != nil {
		return 0, err
	}
	l := ln(c.start[seq[0]])
	for t := 1; t < len(seq); t++ {
		l += ln(c.p[seq[t-1]][seq[t]])
	}
	return l, nil
}

// Prob returns P(seq), which underflows to zero for long sequences; see LogProb.
func (c *Chain) Prob(seq []int) (float64, error) {
	if err := checkSequence("markov.Chain.Prob", "seq", seq, len(c.start), "state"); err != nil {
		return 0, err
	}
	p := c.start[seq[0]]
	for t := 1; t < len(seq); t++ {
		p *= c.p[seq[t-1]][seq[t]]
	}
	return p, nil
}

// Power returns P^n, whose entry (i, j) is the probability of being in j exactly n steps after i, by repeated squaring. Every
// product's rows are divided by their sums, so that they stay probabilities for each n: without, an error of 1e-16 would double with every
// square.
func (c *Chain) Power(n int) ([][]float64, error) {
	if err := estimator.CheckCount("markov.Chain.Power", "n", n, 0, math.MaxInt); err != nil {
		return nil, err
	}
	k := len(c.start)
	out := make([][]float64, k)
	for i := range out {
		out[i] = make([]float64, k)
		out[i][i] = 1
	}
	square := estimator.CloneRows(c.p)
	for i := range square {
		normalise(square[i])
	}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = product(out, square)
		}
		if n > 1 {
			square = product(square, square)
		}
	}
	return out, nil
}

func product(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = advance(a[i], b)
		normalise(out[i])
	}
	return out
}

// normalise divides probabilities by their sum, which rounding has taken away from one.
func normalise(p []float64) { floats.Scale(1/floats.Sum(p), p) }

// advance returns the row vector p times the matrix b.
func advance(p []float64, b [][]float64) []float64 {
	out := make([]float64, len(b[0]))
	for l, v := range p {
		if v == 0 {
			continue
		}
		for j, w := range b[l] {
			out[j] += v * w
		}
	}
	return out
}

// After returns the distribution of the state n steps after the start, start * P^n.
func (c *Chain) After(n int) ([]float64, error) {
	power, err := c.Power(n)
	if err != nil {
		return nil, err
	}
	p := advance(c.start, power)
	normalise(p)
	return p, nil
}

// Sequences calls visit with each of the K^length sequences and its probability, in lexical order, until visit returns false. The
// slice is reused. It is meant for tests and small examples and refuses more than 10 million sequences.
func (c *Chain) Sequences(length int, visit func(seq []int, p float64) bool) error {
	k := len(c.start)
	if err := checkEnumeration("markov.Chain.Sequences", k, length); err != nil {
		return err
	}
	enumerate(k, length, func(seq []int) bool {
		p := c.start[seq[0]]
		for t := 1; t < length; t++ {
			p *= c.p[seq[t-1]][seq[t]]
		}
		return visit(seq, p)
	})
	return nil
}

const mostSequences = 10_000_000

func checkEnumeration(function string, k, length int) error {
	if length < 1 {
		return fault.Argument(function, "length", length, "at least 1", "")
	}
	if float64(length)*ln(float64(k)) > ln(mostSequences) {
		return fault.Argument(
			function,
			"length",
			fmt.Sprintf("%d, which makes %d^%d sequences", length, k, length),
			fmt.Sprintf("short enough for at most %d sequences", mostSequences),
			"use the Viterbi algorithm",
		)
	}
	return nil
}

// enumerate calls visit with all words of the length over 0 ... k-1 in lexical order until it returns false.
func enumerate(k, length int, visit func([]int) bool) {
	seq := make([]int, length)
	for visit(seq) {
		t := length - 1
		for t >= 0 && seq[t] == k-1 {
			seq[t] = 0
			t--
		}
		if t < 0 {
			return
		}
		seq[t]++
	}
}

// String describes the chain in one line.
func (c *Chain) String() string {
	return fmt.Sprintf("Markov chain of %d states (%s)", len(c.states), list(c.states))
}
