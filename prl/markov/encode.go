package markov

import "github.com/prlab/prlab/prl/estimator"

// MarshalBinary encodes the chain.
func (c *Chain) MarshalBinary() ([]byte, error) {
	return estimator.Encode("markov.Chain", 1, ChainParameters{c.states, c.start, c.p})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Chain) UnmarshalBinary(data []byte) error {
	var p ChainParameters
	if err := estimator.Decode(data, "markov.Chain", 1, &p); err != nil {
		return err
	}
	made, err := NewChain(p)
	if err != nil {
		return err
	}
	*c = *made
	return nil
}

type classifierState struct {
	Prior  []float64
	Chains []ChainParameters
}

// MarshalBinary encodes the classifier.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	s := classifierState{Prior: c.prior}
	for _, chain := range c.chains {
		s.Chains = append(s.Chains, ChainParameters{chain.states, chain.start, chain.p})
	}
	return estimator.Encode("markov.Classifier", 1, s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	var s classifierState
	if err := estimator.Decode(data, "markov.Classifier", 1, &s); err != nil {
		return err
	}
	var chains []*Chain
	for _, p := range s.Chains {
		chain, err := NewChain(p)
		if err != nil {
			return err
		}
		chains = append(chains, chain)
	}
	made, err := NewClassifier(s.Prior, chains...)
	if err != nil {
		return err
	}
	*c = *made
	return nil
}

// MarshalBinary encodes the model.
func (m *HMM) MarshalBinary() ([]byte, error) {
	return estimator.Encode("markov.HMM", 1, Parameters{m.states, m.symbols, m.start, m.Transitions(), m.Emissions()})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *HMM) UnmarshalBinary(data []byte) error {
	var p Parameters
	if err := estimator.Decode(data, "markov.HMM", 1, &p); err != nil {
		return err
	}
	made, err := NewHMM(p)
	if err != nil {
		return err
	}
	*m = *made
	return nil
}

// MarshalBinary encodes the model.
func (m *GaussianHMM) MarshalBinary() ([]byte, error) {
	return estimator.Encode(
		"markov.GaussianHMM",
		1,
		GaussianParameters{m.states, m.start, m.Transitions(), m.means, m.covs, m.Weights(), m.kind},
	)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *GaussianHMM) UnmarshalBinary(data []byte) error {
	var p GaussianParameters
	if err := estimator.Decode(data, "markov.GaussianHMM", 1, &p); err != nil {
		return err
	}
	made, err := NewGaussianHMM(p)
	if err != nil {
		return err
	}
	*m = *made
	return nil
}
