package markov

import (
	"context"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A ChainPlan is a Markov chain described step by step: Chain("sun", "rain").Start(.5, .5).Transitions(row, row). It is an immutable value that
// remembers its first wrong step.
type ChainPlan struct {
	fault.Chain
	p ChainParameters
}

// PlanChain begins a chain over the named states. Without Start all states are equally probable at first.
func PlanChain(states ...string) ChainPlan {
	c := ChainPlan{Chain: fault.Start("Chain", fault.Args(states)...), p: ChainParameters{States: states}}
	if len(states) == 0 {
		c.Chain = c.Chain.Break(fault.Argument("Chain", "states", "empty", "the names of the states", ""))
	}
	return c
}

// Start sets the start probabilities.
func (c ChainPlan) Start(p ...float64) ChainPlan {
	c.Chain = c.Chain.Step("Start", fault.Args(p)...)
	c.p.Start = p
	if len(p) != len(c.p.States) {
		c.Chain = c.Chain.Break(fault.Argument("Start", "p", len(p), "one probability for each state", ""))
	} else {
		c.Chain = c.Chain.Break(estimator.CheckProbabilities("Start", "p", p))
	}
	return c
}

// Transitions sets the transition probabilities, one row for each state.
func (c ChainPlan) Transitions(rows ...[]float64) ChainPlan {
	c.Chain = c.Chain.Step("Transitions", fault.Args(rows)...).Break(checkStochastic("Transitions", "rows", rows, len(c.p.States), len(c.p.States)))
	c.p.Transitions = rows
	return c
}

// Fit counts the transitions of the sequences of state names, with Laplace smoothing 1 unless another is given.
func (c ChainPlan) Fit(sequences [][]string, smoothing ...float64) ChainPlan {
	c.Chain = c.Chain.Step("Fit", fault.Args(sequences)...)
	if c.Err() != nil {
		return c
	}
	o := DefaultCount()
	o.States = c.p.States
	if len(smoothing) > 0 {
		o.Smoothing = smoothing[0]
	}
	indices := make([][]int, len(sequences))
	for i, seq := range sequences {
		var err error
		if indices[i], err = lookup("Fit", "sequences", "state", c.p.States, seq); err != nil {
			c.Chain = c.Chain.Break(err)
			return c
		}
	}
	m, err := CountChain(indices, len(c.p.States), o)
	if err != nil {
		c.Chain = c.Chain.Break(err)
		return c
	}
	c.p = ChainParameters{m.states, m.start, m.p}
	return c
}

// Fitted returns the chain, or the first error of the plan.
func (c ChainPlan) Fitted() (*Chain, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	if c.p.Transitions == nil {
		return nil, c.Chain.Break(fault.Argument("Chain", "the plan", "without transitions", "followed by Transitions(rows...) or Fit(sequences)", "")).Err()
	}
	p := c.p
	if p.Start == nil {
		p.Start = shares(make([]float64, len(p.States)), 1, -1)
	}
	m, err := NewChain(p)
	if err != nil {
		return nil, c.Chain.Break(err).Err()
	}
	return m, nil
}

// Model returns the chain; an error ends the cell with a message.
func (c ChainPlan) Model() *Chain { return cell.Must(c.Fitted()) }

// outcome is the plan as an outcome, whose ends are taken by cell.End.
func (c ChainPlan) outcome() cell.Outcome[*Chain] { return cell.NewOutcome(c.Chain, c.Fitted) }

// Sample returns the names of a random walk. The same seed gives the same walk.
func (c ChainPlan) Sample(length int, seed uint64) []string {
	m, err := c.Fitted()
	if err == nil {
		var seq []int
		if seq, err = m.Sample(length, seed); err == nil {
			return m.pick(seq)
		}
	}
	cell.Fail(err)
	return nil
}

// Prob returns the probability of the named sequence.
func (c ChainPlan) Prob(states ...string) float64 {
	m, err := c.Fitted()
	if err == nil {
		var seq []int
		if seq, err = m.Index(states...); err == nil {
			var p float64
			if p, err = m.Prob(seq); err == nil {
				return p
			}
		}
	}
	cell.Fail(err)
	return 0
}

// An HMMPlan is a hidden Markov model described step by step:
//
//	HMM("hot", "cold").Start(.8, .2).Transitions(hot, cold).Symbols("1", "2", "3").Emissions(hotEmits, coldEmits)
//
// It is an immutable value that remembers its first wrong step. Sequences are given by the names of the symbols.
type HMMPlan struct {
	fault.Chain
	p       Parameters
	learned *cell.Lazy[*Learned[*HMM]] // after BaumWelch
}

// PlanHMM begins a model with the named states. Without Start all states are equally probable at first.
func PlanHMM(states ...string) HMMPlan {
	h := HMMPlan{Chain: fault.Start("HMM", fault.Args(states)...), p: Parameters{States: states}}
	if len(states) == 0 {
		h.Chain = h.Chain.Break(fault.Argument("HMM", "states", "empty", "the names of the states", ""))
	}
	return h
}

// PlanOf begins a plan from the numbers of a model, such as Tagging().
func PlanOf(p Parameters) HMMPlan {
	h := HMMPlan{Chain: fault.Start("HMMOf", p), p: p}
	m, err := NewHMM(p)
	if err != nil {
		h.Chain = h.Chain.Break(err)
		return h
	}
	h.p.States, h.p.Symbols = m.states, m.symbols
	return h
}

// Start sets the start probabilities.
func (h HMMPlan) Start(p ...float64) HMMPlan {
	h.Chain = h.Chain.Step("Start", fault.Args(p)...)
	h.p.Start, h.learned = p, nil
	if len(p) != len(h.p.States) {
		h.Chain = h.Chain.Break(fault.Argument("Start", "p", len(p), "one probability for each state", ""))
	} else {
		h.Chain = h.Chain.Break(estimator.CheckProbabilities("Start", "p", p))
	}
	return h
}

// Transitions sets the transition probabilities, one row for each state.
func (h HMMPlan) Transitions(rows ...[]float64) HMMPlan {
	h.Chain = h.Chain.Step("Transitions", fault.Args(rows)...).Break(checkStochastic("Transitions", "rows", rows, len(h.p.States), len(h.p.States)))
	h.p.Transitions, h.learned = rows, nil
	return h
}

// Symbols names the symbols.
func (h HMMPlan) Symbols(words ...string) HMMPlan {
	h.Chain = h.Chain.Step("Symbols", fault.Args(words)...)
	h.p.Symbols, h.learned = words, nil
	return h
}

// Emissions sets the emission probabilities, one row for each state and one column for each symbol. Without Symbols the symbols are x1, x2, ...
func (h HMMPlan) Emissions(rows ...[]float64) HMMPlan {
	h.Chain = h.Chain.Step("Emissions", fault.Args(rows)...)
	h.p.Emissions, h.learned = rows, nil
	width := len(h.p.Symbols)
	if h.p.Symbols == nil && len(rows) > 0 {
		width = len(rows[0])
	}
	h.Chain = h.Chain.Break(checkStochastic("Emissions", "rows", rows, len(h.p.States), width))
	return h
}

// Fitted returns the model, or the first error of the plan.
func (h HMMPlan) Fitted() (*HMM, error) {
	if h.learned != nil {
		l, err := h.Learned()
		if err != nil {
			return nil, err
		}
		return l.Model, nil
	}
	if err := h.Err(); err != nil {
		return nil, err
	}
	if h.p.Transitions == nil || h.p.Emissions == nil {
		return nil, h.Chain.Break(fault.Argument("HMM", "the plan", "without transitions or emissions", "given both, by Transitions(rows...) and Emissions(rows...)", "")).Err()
	}
	p := h.p
	if p.Start == nil {
		p.Start = shares(make([]float64, len(p.States)), 1, -1)
	}
	m, err := NewHMM(p)
	if err != nil {
		return nil, h.Chain.Break(err).Err()
	}
	return m, nil
}

// Model returns the model; an error ends the cell with a message.
func (h HMMPlan) Model() *HMM { return cell.Must(h.Fitted()) }

// end returns what f makes of the model and a sequence of symbols, by their numbers, at an end of the chain with the name of the method.
func end[T any](h HMMPlan, method string, obs []string, f func(m *HMM, x []int) (T, error)) (T, error) {
	return cell.End(cell.NewOutcome(h.Chain, h.Fitted), func(m *HMM) (T, error) {
		x, err := lookup(method, "obs", "symbol", m.symbols, obs)
		if err == nil {
			err = checkSequence(method, "obs", x, m.m, "symbol")
		}
		if err != nil {
			var none T
			return none, err
		}
		return f(m, x)
	}, method, fault.Args(obs)...)
}

// BaumWelch improves the model on sequences of symbol names, with the settings of DefaultBaumWelch. It runs when a result is asked for.
func (h HMMPlan) BaumWelch(sequences [][]string) HMMPlan {
	return h.BaumWelchWith(sequences, DefaultBaumWelch())
}

// BaumWelchWith is BaumWelch with settings.
func (h HMMPlan) BaumWelchWith(sequences [][]string, o BaumWelchOptions) HMMPlan {
	before := h
	h.Chain = h.Chain.Step("BaumWelch", fault.Args(sequences)...)
	if h.Err() != nil {
		return h
	}
	chain := h.Chain
	h.learned = cell.NewLazy(func() (*Learned[*HMM], error) {
		m, err := before.Fitted()
		if err != nil {
			return nil, err
		}
		obs := make([][]int, len(sequences))
		for i, s := range sequences {
			if obs[i], err = lookup("BaumWelch", "sequences", "symbol", m.symbols, s); err != nil {
				return nil, chain.Break(err).Err()
			}
		}
		l, err := BaumWelch(context.Background(), m, obs, o)
		if err != nil {
			return nil, chain.Break(err).Err()
		}
		return l, nil
	})
	return h
}

// Learned returns the outcome of BaumWelch.
func (h HMMPlan) Learned() (*Learned[*HMM], error) {
	if err := h.Err(); err != nil {
		return nil, err
	}
	if h.learned == nil {
		return nil, h.Chain.Break(fault.Argument("HMM", "the plan", "not learned from data", "followed by BaumWelch(sequences)", "")).Err()
	}
	return h.learned.Get()
}

// A Walk is a sampled sequence by names.
type Walk struct{ States, Symbols []string }

// Sample draws a state sequence and its symbols. The same seed gives the same walk.
func (h HMMPlan) Sample(length int, seed uint64) Walk {
	m, err := h.Fitted()
	if err == nil {
		var s, x []int
		if s, x, err = m.Sample(length, seed); err == nil {
			return Walk{m.Names(s), m.Words(x)}
		}
	}
	cell.Fail(err)
	return Walk{}
}

// LogLikelihood returns log P(obs) in nats.
func (h HMMPlan) LogLikelihood(obs ...string) float64 {
	return cell.Must(end(h, "LogLikelihood", obs, func(m *HMM, x []int) (float64, error) { return m.logLikelihood(m.evidence(x)), nil }))
}

// A Decoded is a sequence of symbols with its most probable states.
type Decoded struct {
	fault.Chain
	model   *HMM
	obs     []int
	trellis *Trellis
}

// Viterbi decodes the sequence of symbol names.
func (h HMMPlan) Viterbi(obs ...string) Decoded {
	d, err := end(h, "Viterbi", obs, func(m *HMM, x []int) (Decoded, error) {
		tr, err := m.Trellis(x)
		return Decoded{model: m, obs: x, trellis: tr}, err
	})
	d.Chain = h.Chain.Step("Viterbi", fault.Args(obs)...).Break(err)
	return d
}

// Fitted returns the table of the Viterbi algorithm, or the first error.
func (d Decoded) Fitted() (*Trellis, error) {
	if err := d.Err(); err != nil {
		return nil, err
	}
	return d.trellis, nil
}

func (d Decoded) outcome() cell.Outcome[*Trellis] { return cell.NewOutcome(d.Chain, d.Fitted) }

// Path returns the names of the most probable states; an error ends the cell with a message.
func (d Decoded) Path() []string { return d.model.Names(cell.Must(d.Fitted()).Path) }

// Prob returns P(obs, path) of the most probable path.
func (d Decoded) Prob() float64 { return cell.Must(d.Fitted()).Prob }

// Delta returns the table delta, one row a time; an error ends the cell with a message.
func (d Decoded) Delta() [][]float64 { return copyRows(cell.Must(d.Fitted()).Delta) }
