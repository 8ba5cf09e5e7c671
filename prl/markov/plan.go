package markov

import (
	"context"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// chainSettings are what the steps of a chain's plan set.
type chainSettings struct {
	ChainParameters
	Sequences [][]string // of states, from which the transitions are counted; nil: they are given
	Smoothing float64
}

func (o chainSettings) check(step string) error {
	k := len(o.States)
	switch step {
	case "Chain":
		return checkNamed(step, o.States)
	case "Start":
		return checkStart(step, o.Start, k)
	case "Transitions":
		return checkStochastic(step, "rows", o.Transitions, k, k)
	case "Smoothing":
		return checkSmoothing(step, o.Smoothing)
	case "Fit":
		_, err := numbers(step, "state", o.States, o.Sequences)
		return err
	}
	return nil
}

func checkNamed(step string, states []string) error {
	if len(states) == 0 {
		return fault.Argument(step, "states", "empty", "the names of the states", "")
	}
	return nil
}

func checkStart(step string, p []float64, k int) error {
	if len(p) != k {
		return fault.Argument(step, "p", len(p), "one probability for each state", "")
	}
	return estimator.CheckProbabilities(step, "p", p)
}

// numbers returns sequences of names as sequences of their numbers.
func numbers(step, what string, names []string, sequences [][]string) ([][]int, error) {
	out := make([][]int, len(sequences))
	for i, seq := range sequences {
		var err error
		if out[i], err = lookup(step, "sequences", what, names, seq); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// even returns K equal probabilities.
func even(k int) []float64 { return shares(make([]float64, k), 1, -1) }

// A ChainPlan is a Markov chain described step by step: PlanChain("sun", "rain").Start(.5, .5).Transitions(row, row).
type ChainPlan struct {
	plan.Plan[*Chain, chainSettings]
}

// PlanChain begins a chain over the named states. Without Start all states are equally probable at first, or as often first as in the
// sequences of Fit.
func PlanChain(states ...string) ChainPlan {
	return ChainPlan{plan.New(plan.Spec[*Chain, chainSettings]{
		Name: "Chain", Args: fault.Args(states), Needs: plan.Nothing,
		Options: chainSettings{ChainParameters: ChainParameters{States: slices.Clone(states)}, Smoothing: 1},
		Check:   func(step string, o chainSettings) error { return o.check(step) },
		Fit:     func(_ context.Context, _ datasets.Set, o chainSettings) (*Chain, error) { return o.chain() },
	})}
}

// chain returns the chain that the settings describe.
func (o chainSettings) chain() (*Chain, error) {
	p := o.ChainParameters
	if o.Sequences != nil {
		sequences, err := numbers("Fit", "state", o.States, o.Sequences)
		if err != nil {
			return nil, err
		}
		m, err := countChain(sequences, len(o.States), CountOptions{States: o.States, Smoothing: o.Smoothing})
		if err != nil || p.Start == nil {
			return m, err
		}
		p.Transitions = m.p
	}
	if p.Transitions == nil {
		return nil, fault.Argument("Chain", "the plan", "without transitions", "followed by Transitions(rows...) or Fit(sequences)", "")
	}
	if p.Start == nil {
		p.Start = even(len(p.States))
	}
	return NewChain(p)
}

// Start sets the probabilities of the first state.
func (c ChainPlan) Start(p ...float64) ChainPlan {
	p = slices.Clone(p)
	return plan.With(c, "Start", func(o *chainSettings) { o.Start = p }, fault.Args(p)...)
}

// Transitions sets a row of probabilities for each state.
func (c ChainPlan) Transitions(rows ...[]float64) ChainPlan {
	rows = estimator.CloneRows(rows)
	return plan.With(c, "Transitions", func(o *chainSettings) { o.Transitions, o.Sequences = rows, nil }, fault.Args(rows)...)
}

// Smoothing sets what is added to counts: by Fit; 1, Laplace's rule, unless set; 0 is maximum likelihood.
func (c ChainPlan) Smoothing(s float64) ChainPlan {
	return plan.With(c, "Smoothing", func(o *chainSettings) { o.Smoothing = s }, s)
}

// Fit names the data: sequences of state names, whose transitions are counted, and their starts unless Start sets them.
func (c ChainPlan) Fit(sequences [][]string) ChainPlan {
	return plan.With(c, "Fit", func(o *chainSettings) { o.Sequences, o.Transitions = sequences, nil }, fault.Args(sequences)...)
}

// Keep keeps the model on disk for later cells and sessions.
func (c ChainPlan) Keep() ChainPlan { return plan.Keep(c) }

// Sample draws n rows from the model: the names of a random walk. The same seed gives the same walk.
func (c ChainPlan) Sample(length int, seed uint64) []string {
	return plan.Value(c, "Sample", func(m *Chain) ([]string, error) {
		seq, err := m.Sample(length, seed)
		if err != nil {
			return nil, err
		}
		return m.pick(seq), nil
	}, length, seed)
}

// Prob returns the probability of the named sequence.
func (c ChainPlan) Prob(states ...string) float64 {
	return plan.Value(c, "Prob", func(m *Chain) (float64, error) {
		seq, err := m.Index(states...)
		if err != nil {
			return 0, err
		}
		return m.Prob(seq)
	}, fault.Args(states)...)
}

// hmmSettings are what the steps of a hidden Markov model's plan set.
type hmmSettings struct {
	Parameters
	Sequences [][]string // of symbols, on which Baum-Welch improves the parameters; nil: they stay
	Learning  BaumWelchOptions
}

func (o hmmSettings) check(step string) error {
	k := len(o.States)
	switch step {
	case "HMM":
		return checkNamed(step, o.States)
	case "HMMOf":
		_, err := NewHMM(o.Parameters)
		return err
	case "Start":
		return checkStart(step, o.Start, k)
	case "Transitions":
		return checkStochastic(step, "rows", o.Transitions, k, k)
	case "Emissions":
		width := len(o.Symbols)
		if o.Symbols == nil && len(o.Emissions) > 0 {
			width = len(o.Emissions[0])
		}
		return checkStochastic(step, "rows", o.Emissions, k, width)
	}
	return nil
}

// model returns the model before it learns.
func (o hmmSettings) model() (*HMM, error) {
	p := o.Parameters
	if p.Transitions == nil || p.Emissions == nil {
		need := "given both, by Transitions(rows...) and Emissions(rows...)"
		return nil, fault.Argument("HMM", "the plan", "without transitions or emissions", need, "")
	}
	if p.Start == nil {
		p.Start = even(len(p.States))
	}
	return NewHMM(p)
}

// learn improves the model by Baum-Welch.
func (o hmmSettings) learn(ctx context.Context) (*Learned[*HMM], error) {
	m, err := o.model()
	if err != nil {
		return nil, err
	}
	obs, err := numbers("Fit", "symbol", m.symbols, o.Sequences)
	if err != nil {
		return nil, err
	}
	return baumWelch(ctx, m, obs, o.Learning)
}

// An HMMPlan is a hidden Markov model described step by step:
//
//	PlanHMM("hot", "cold").Start(.8, .2).Transitions(hot, cold).Symbols("1", "2", "3").Emissions(hotEmits, coldEmits)
//
// Sequences are given by the names of the symbols.
type HMMPlan struct {
	plan.Plan[*HMM, hmmSettings]
}

// PlanHMM begins a model with the named states. Without Start all states are equally probable at first.
func PlanHMM(states ...string) HMMPlan {
	return newHMMPlan("HMM", Parameters{States: slices.Clone(states)}, fault.Args(states)...)
}

// PlanOf begins a plan from the numbers of a model, such as Tagging().
func PlanOf(p Parameters) HMMPlan {
	given := p
	if m, err := NewHMM(p); err == nil {
		p.States, p.Symbols = m.states, m.symbols
	}
	return newHMMPlan("HMMOf", p, given)
}

func newHMMPlan(name string, p Parameters, args ...any) HMMPlan {
	return HMMPlan{plan.New(plan.Spec[*HMM, hmmSettings]{
		Name: name, Args: args, Needs: plan.Nothing, Options: hmmSettings{Parameters: p, Learning: BaumWelchOptions{}.filled()},
		Check: func(step string, o hmmSettings) error { return o.check(step) },
		Fit: func(ctx context.Context, _ datasets.Set, o hmmSettings) (*HMM, error) {
			if o.Sequences == nil {
				return o.model()
			}
			l, err := o.learn(ctx)
			if err != nil {
				return nil, err
			}
			return l.Model, nil
		},
	})}
}

// Start sets the probabilities of the first state.
func (h HMMPlan) Start(p ...float64) HMMPlan {
	p = slices.Clone(p)
	return plan.With(h, "Start", func(o *hmmSettings) { o.Start = p }, fault.Args(p)...)
}

// Transitions sets a row of probabilities for each state.
func (h HMMPlan) Transitions(rows ...[]float64) HMMPlan {
	rows = estimator.CloneRows(rows)
	return plan.With(h, "Transitions", func(o *hmmSettings) { o.Transitions = rows }, fault.Args(rows)...)
}

// Symbols names the symbols.
func (h HMMPlan) Symbols(words ...string) HMMPlan {
	words = slices.Clone(words)
	return plan.With(h, "Symbols", func(o *hmmSettings) { o.Parameters.Symbols = words }, fault.Args(words)...)
}

// Emissions sets the emission probabilities, one row for each state and one column for each symbol. Without Symbols these are x1, x2, ...
func (h HMMPlan) Emissions(rows ...[]float64) HMMPlan {
	rows = estimator.CloneRows(rows)
	return plan.With(h, "Emissions", func(o *hmmSettings) { o.Emissions = rows }, fault.Args(rows)...)
}

// MaxIter sets the limit on iterations: of Baum-Welch; 100 unless set.
func (h HMMPlan) MaxIter(n int) HMMPlan {
	return plan.With(h, "MaxIter", func(o *hmmSettings) { o.Learning.MaxIter = n }, n)
}

// Tol sets the change at which the fit stops: the rise of the log-likelihood at which Baum-Welch stops; 1e-6 unless set.
func (h HMMPlan) Tol(tol float64) HMMPlan {
	return plan.With(h, "Tol", func(o *hmmSettings) { o.Learning.Tol = tol }, tol)
}

// Fit names the data: sequences of symbol names, on which Baum-Welch improves the model, starting from the probabilities given.
func (h HMMPlan) Fit(sequences [][]string) HMMPlan {
	return plan.With(h, "Fit", func(o *hmmSettings) { o.Sequences = sequences }, fault.Args(sequences)...)
}

// Keep keeps the model on disk for later cells and sessions.
func (h HMMPlan) Keep() HMMPlan { return plan.Keep(h) }

// Trace returns the steps of the fit: how Baum-Welch went, the log-likelihood of each iteration.
func (h HMMPlan) Trace() *Learned[*HMM] {
	return plan.Value(h, "Trace", func(*HMM) (*Learned[*HMM], error) {
		o := plan.Options(h)
		if o.Sequences == nil {
			return nil, fault.Argument("Trace", "the plan", "not learned from data", "followed by Fit(sequences)", "")
		}
		return plan.Once(h, "Trace", func() (*Learned[*HMM], error) { return o.learn(context.Background()) })
	})
}

// observed returns f for a sequence of symbols given by their names.
func observed[T any](step string, obs []string, f func(m *HMM, x []int) (T, error)) func(*HMM) (T, error) {
	return func(m *HMM) (T, error) {
		x, err := lookup(step, "obs", "symbol", m.symbols, obs)
		if err == nil {
			err = checkSequence(step, "obs", x, m.m, "symbol")
		}
		if err != nil {
			var none T
			return none, err
		}
		return f(m, x)
	}
}

// A Walk is a sampled sequence by names.
type Walk struct{ States, Symbols []string }

// Sample draws n rows from the model: a state sequence and its symbols. The same seed gives the same walk.
func (h HMMPlan) Sample(length int, seed uint64) Walk {
	return plan.Value(h, "Sample", func(m *HMM) (Walk, error) {
		s, x, err := m.Sample(length, seed)
		if err != nil {
			return Walk{}, err
		}
		return Walk{m.Names(s), m.Words(x)}, nil
	}, length, seed)
}

// LogLikelihood returns log p of sequences, in nats: log P(obs).
func (h HMMPlan) LogLikelihood(obs ...string) float64 {
	return plan.Value(h, "LogLikelihood", observed("LogLikelihood", obs, (*HMM).LogLikelihood), fault.Args(obs)...)
}

// A Decoded is a sequence of symbols with its most probable states. Its model is the table of the Viterbi algorithm.
type Decoded struct {
	plan.Plan[*Trellis, struct{}]
	h   HMMPlan
	obs []string
}

// Viterbi decodes the sequence of symbol names.
func (h HMMPlan) Viterbi(obs ...string) Decoded {
	obs = slices.Clone(obs)
	return Decoded{plan.Then(h, "Viterbi", observed("Viterbi", obs, (*HMM).Trellis), fault.Args(obs)...), h, obs}
}

// Path returns the names of the most probable states.
func (d Decoded) Path() []string {
	t := d.Model()
	return d.h.Model().Names(t.Path)
}

// Prob returns P(obs, path) of the most probable path.
func (d Decoded) Prob() float64 { return d.Model().Prob }

// Delta returns the table delta, one row a time.
func (d Decoded) Delta() [][]float64 { return estimator.CloneRows(d.Model().Delta) }
