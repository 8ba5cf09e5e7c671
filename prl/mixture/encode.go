package mixture

import (
	"fmt"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

type kmeansState struct {
	K, D       int
	Centres    []float64
	Labels     []int
	Inertia    float64
	Iterations int
	Converged  bool
}

// MarshalBinary encodes the model without the rounds of a trace.
func (m *KMeans) MarshalBinary() ([]byte, error) {
	return estimator.Encode("mixture.KMeans", 1, kmeansState{m.k, m.d, m.centres, m.labels, m.inertia, m.iterations, m.converged})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *KMeans) UnmarshalBinary(data []byte) error {
	var s kmeansState
	if err := estimator.Decode(data, "mixture.KMeans", 1, &s); err != nil {
		return err
	}
	bad := !estimator.Fits(len(s.Centres), s.K, s.D)
	for _, v := range s.Centres {
		bad = bad || v-v != 0
	}
	if bad {
		return fault.Argument("mixture.KMeans.UnmarshalBinary", "data", "of mixed-up sizes or without finite centres", "what MarshalBinary wrote", "")
	}
	for _, c := range s.Labels {
		if c < 0 || c >= s.K {
			return fault.Argument("mixture.KMeans.UnmarshalBinary", "data", fmt.Sprintf("with label %d", c), "what MarshalBinary wrote", "")
		}
	}
	*m = KMeans{centres: s.Centres, k: s.K, d: s.D, labels: s.Labels, inertia: s.Inertia, iterations: s.Iterations, converged: s.Converged}
	return nil
}

type gmmState struct {
	Parameters GMMParameters
	LogLik, N  float64
	Labels     []int
	History    []float64
	End        Ending
}

// MarshalBinary encodes the mixture without the iterations of a trace.
func (m *GMM) MarshalBinary() ([]byte, error) {
	return estimator.Encode("mixture.GMM", 1, gmmState{GMMParameters{m.weights, m.Means(), m.Covariances(), m.kind}, m.logLik, m.n, m.labels, m.history, m.end})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *GMM) UnmarshalBinary(data []byte) error {
	var s gmmState
	if err := estimator.Decode(data, "mixture.GMM", 1, &s); err != nil {
		return err
	}
	made, err := NewGMM(s.Parameters)
	if err != nil {
		return err
	}
	made.logLik, made.n, made.labels, made.history, made.end = s.LogLik, s.N, s.Labels, s.History, s.End
	*m = *made
	return nil
}
