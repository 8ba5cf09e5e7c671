package markov

import (
	"cmp"
	"context"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// FitOptions set the learning of an HMM from scratch.
type FitOptions struct {
	BaumWelchOptions
	States   []string // names; nil gives s1 ... sK
	Symbols  []string // names; nil gives x1 ... xM
	Restarts int      // random starts of which the best end counts, default 5
	Seed     uint64   // default 1
}

// FitHMM learns a model of k states and m symbols by Baum-Welch from several random starts and returns the likeliest. Nothing in the data
// tells the states apart by name: they come in any order.
func FitHMM(ctx context.Context, sequences [][]int, k, m int, o FitOptions) (*Learned[*HMM], error) {
	const function = "markov.FitHMM"
	o.Restarts, o.Seed = cmp.Or(o.Restarts, 5), cmp.Or(o.Seed, 1)
	if err := estimator.CheckCount(function, "Restarts", o.Restarts, 1, math.MaxInt); err != nil {
		return nil, err
	}
	var best *Learned[*HMM]
	for r := range o.Restarts {
		start, err := RandomHMM(k, m, o.Seed+uint64(r))
		if err != nil {
			return nil, fault.In(function, err)
		}
		if start.states, err = names(function, "States", o.States, k, "s"); err != nil {
			return nil, err
		}
		if start.symbols, err = names(function, "Symbols", o.Symbols, m, "x"); err != nil {
			return nil, err
		}
		got, err := BaumWelch(ctx, start, sequences, o.BaumWelchOptions)
		if err != nil {
			return nil, fault.In(function, err)
		}
		if best == nil || last(got.LogLik) > last(best.LogLik) {
			best = got
		}
	}
	return best, nil
}

func last(x []float64) float64 { return x[len(x)-1] }

// RandomHMM returns a model whose probabilities are drawn from flat Dirichlet distributions, with some weight moved to staying in a state.
// It is a start for Baum-Welch.
func RandomHMM(k, m int, seed uint64) (*HMM, error) {
	const function = "markov.RandomHMM"
	if err := estimator.CheckCount(function, "k", k, 1, maxStates); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(function, "m", m, 1, maxNumbers/k); err != nil {
		return nil, err
	}
	rng := generator(seed)
	flat := func(width, own int) []float64 {
		p := make([]float64, width)
		for i := range p {
			p[i] = rng.ExpFloat64()
		}
		if own >= 0 {
			p[own] += float64(width)
		}
		return shares(p, 0, -1)
	}
	p := Parameters{Start: flat(k, -1)}
	for i := range k {
		p.Transitions = append(p.Transitions, flat(k, i))
		p.Emissions = append(p.Emissions, flat(m, -1))
	}
	return NewHMM(p)
}
