package markov

import (
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/gauss"
)

const stream = 0x6d61726b6f76 // "markov": the second word of every generator's seed

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// draw returns an index with the given probabilities.
func draw(p []float64, rng *rand.Rand) int { return gauss.Pick(p, rng.Float64()) }

// Sample returns a random walk of the given length. The same seed gives the same walk.
func (c *Chain) Sample(length int, seed uint64) ([]int, error) {
	if err := estimator.CheckCount("markov.Chain.Sample", "length", length, 1, math.MaxInt); err != nil {
		return nil, err
	}
	return walk(c.start, c.p, length, generator(seed)), nil
}

func walk(start []float64, p [][]float64, length int, rng *rand.Rand) []int {
	seq := make([]int, length)
	seq[0] = draw(start, rng)
	for t := 1; t < length; t++ {
		seq[t] = draw(p[seq[t-1]], rng)
	}
	return seq
}

// Sample draws a state sequence and the symbols it emits. The same seed gives the same sequence.
func (m *HMM) Sample(length int, seed uint64) (states, symbols []int, err error) {
	if err := estimator.CheckCount("markov.HMM.Sample", "length", length, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	rng := generator(seed)
	states = walk(m.start, rowsOf(m.a, m.k), length, rng)
	symbols = make([]int, length)
	for t, s := range states {
		symbols[t] = draw(m.b[s*m.m:(s+1)*m.m], rng)
	}
	return states, symbols, nil
}
