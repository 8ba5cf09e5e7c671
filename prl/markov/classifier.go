package markov

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Classifier tells kinds of sequences apart: class y has prior P(y) and a Markov chain P(s | y), and P(y | s) is proportional to
// P(y) P(s_1|y) prod_i P(s_i | s_{i-1}, y). Unlike naive Bayes it sees the order of the words.
type Classifier struct {
	prior  []float64
	chains []*Chain
}

// NewClassifier joins one chain a class; all must have as many states.
func NewClassifier(prior []float64, chains ...*Chain) (*Classifier, error) {
	const function = "markov.NewClassifier"
	if len(chains) == 0 {
		return nil, fault.Argument(function, "chains", "empty", "one chain for each class", "")
	}
	if len(prior) != len(chains) {
		return nil, fault.Argument(
			function,
			"prior",
			fmt.Sprintf("%d numbers", len(prior)),
			fmt.Sprintf("one for each of the %d chains", len(chains)),
			"",
		)
	}
	if err := estimator.CheckProbabilities(function, "prior", prior); err != nil {
		return nil, err
	}
	for i, c := range chains {
		if c == nil {
			return nil, fault.Argument(function, fmt.Sprintf("chains[%d]", i), "nil", "a chain", "")
		}
		if len(c.start) != len(chains[0].start) {
			return nil, fault.Argument(
				function,
				fmt.Sprintf("chains[%d]", i),
				fmt.Sprintf("of %d states", len(c.start)),
				fmt.Sprintf("of %d states like chains[0]", len(chains[0].start)),
				"",
			)
		}
	}
	return &Classifier{append([]float64(nil), prior...), append([]*Chain(nil), chains...)}, nil
}

// FitClassifier counts priors, and one chain of k states for each of the K classes y[s] of the sequences. Smoothing applies to the chains.
func FitClassifier(sequences [][]int, y []int, k int, o CountOptions) (*Classifier, error) {
	const function = "markov.FitClassifier"
	if err := estimator.CheckCount(function, "k", k, 1, maxStates); err != nil {
		return nil, err
	}
	if err := checkSequences(function, "sequences", sequences, k, "state"); err != nil {
		return nil, err
	}
	classes, err := estimator.CheckLabels(function, y, len(sequences))
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckWeightsOf(function, o.Weights, len(sequences), "sequences"); err != nil {
		return nil, err
	}
	if err := estimator.CheckClassWeights(function, y, o.Weights, classes); err != nil {
		return nil, err
	}
	prior := make([]float64, classes)
	total := 0.0
	chains := make([]*Chain, classes)
	for c := range classes {
		var part [][]int
		own := o
		own.Weights = nil
		for s, seq := range sequences {
			if y[s] == c {
				w := weight(o.Weights, s)
				part = append(part, seq)
				own.Weights = append(own.Weights, w)
				prior[c] += w
				total += w
			}
		}
		if chains[c], err = CountChain(part, k, own); err != nil {
			return nil, fault.In(function, err)
		}
	}
	for c := range prior {
		prior[c] /= total
	}
	return &Classifier{prior, chains}, nil
}

// Chains returns the class-conditional chains.
func (c *Classifier) Chains() []*Chain { return append([]*Chain(nil), c.chains...) }

// Parameters returns the number of free parameters, (|Y|-1) + |Y| (V^2 - 1).
func (c *Classifier) Parameters() int {
	if len(c.chains) == 0 {
		return 0
	}
	_, free := c.chains[0].Parameters()
	return len(c.prior) - 1 + len(c.chains)*free
}

// Classes returns the number of classes.
func (c *Classifier) Classes() int { return len(c.chains) }

// String describes the classifier in one line.
func (c *Classifier) String() string {
	states := 0
	if len(c.chains) > 0 {
		states = len(c.chains[0].start)
	}
	return fmt.Sprintf("Markov classifier of %d classes, chains of %d states", len(c.chains), states)
}

func (c *Classifier) check(function string, seq []int) error {
	if len(c.chains) == 0 {
		return estimator.Unfitted(function)
	}
	return checkSequence(function, "seq", seq, len(c.chains[0].start), "state")
}

// Joint returns P(seq, y) for each class y.
func (c *Classifier) Joint(seq []int) ([]float64, error) {
	if err := c.check("markov.Classifier.Joint", seq); err != nil {
		return nil, err
	}
	out := make([]float64, len(c.chains))
	for i, chain := range c.chains {
		p, err := chain.Prob(seq)
		if err != nil {
			return nil, err
		}
		out[i] = c.prior[i] * p
	}
	return out, nil
}

// Proba returns P(y | seq). It fails when the sequence is impossible in every class.
func (c *Classifier) Proba(seq []int) ([]float64, error) {
	if err := c.check("markov.Classifier.Proba", seq); err != nil {
		return nil, err
	}
	l := make([]float64, len(c.chains))
	for i, chain := range c.chains {
		p, err := chain.LogProb(seq)
		if err != nil {
			return nil, err
		}
		l[i] = ln(c.prior[i]) + p
	}
	total := gauss.LogSumExp(l)
	if math.IsInf(total, -1) {
		return nil, fault.Argument(
			"markov.Classifier.Proba",
			"seq",
			"impossible in every class",
			"a sequence that some class can produce",
			"fit with Smoothing above 0",
		)
	}
	for i := range l {
		l[i] = math.Exp(l[i] - total)
	}
	return l, nil
}

// Class returns the most probable class of the sequence.
func (c *Classifier) Class(seq []int) (int, error) {
	p, err := c.Proba(seq)
	if err != nil {
		return 0, fault.In("markov.Classifier.Class", err)
	}
	best := 0
	for i, v := range p {
		if v > p[best] {
			best = i
		}
	}
	return best, nil
}
