package mixture

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

type kmeansState struct {
	K, D       int
	Centres    []float64
	Labels     []int
	Inertia    float64
	Iterations int
	Converged  bool
	Names      estimator.Names
}

// MarshalBinary encodes the model without the rounds of a trace.
func (m *KMeans) MarshalBinary() ([]byte, error) {
	s := kmeansState{m.k, m.d, m.centres, m.labels, m.inertia, m.iterations, m.converged, m.Names}
	return estimator.Encode("mixture.KMeans", 1, s)
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
		return fault.Argument(
			"mixture.KMeans.UnmarshalBinary",
			"data",
			"of mixed-up sizes or without finite centres",
			"what MarshalBinary wrote",
			"",
		)
	}
	for _, c := range s.Labels {
		if c < 0 || c >= s.K {
			return fault.Argument("mixture.KMeans.UnmarshalBinary", "data", fmt.Sprintf("with label %d", c), "what MarshalBinary wrote", "")
		}
	}
	*m = KMeans{
		Names:      s.Names,
		centres:    s.Centres,
		k:          s.K,
		d:          s.D,
		labels:     s.Labels,
		inertia:    s.Inertia,
		iterations: s.Iterations,
		converged:  s.Converged,
	}
	return nil
}

type gmmState struct {
	Kind       Covariance
	D          int
	Weights    []float64
	Means      []float64   // k x d
	Covs       [][]float64 // as in GMM, one for all of a tied mixture
	LogLik, N  float64
	Labels     []int
	History    []float64
	Iterations int
	Converged  bool
	Collapsed  int
	Names      estimator.Names
}

const gmmVersion = 2

// MarshalBinary encodes the mixture without the iterations of a trace.
func (m *GMM) MarshalBinary() ([]byte, error) {
	covs := m.covs
	if m.kind == Tied {
		covs = covs[:1]
	}
	return estimator.Encode(
		"mixture.GMM",
		gmmVersion,
		gmmState{
			m.kind,
			m.d,
			m.weights,
			m.means,
			covs,
			m.logLik,
			m.n,
			m.labels,
			m.history,
			m.end.Iterations,
			m.end.Converged,
			m.end.Collapsed,
			m.Names,
		},
	)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *GMM) UnmarshalBinary(data []byte) error {
	const function = "mixture.GMM.UnmarshalBinary"
	var s gmmState
	if err := estimator.Decode(data, "mixture.GMM", gmmVersion, &s); err != nil {
		return err
	}
	if err := s.Kind.Check(function); err != nil {
		return err
	}
	if err := estimator.CheckProbabilities(function, "Weights", s.Weights); err != nil {
		return err
	}
	k, d := len(s.Weights), s.D
	covariances := k
	if s.Kind == Tied {
		covariances = 1
	}
	damaged := !estimator.Fits(len(s.Means), k, d) || len(s.Covs) != covariances || !tile.Finite(s.Means)
	for _, cov := range s.Covs {
		if s.Kind.full() {
			damaged = damaged || !estimator.Fits(len(cov), d, d) || !symmetric(cov, d)
		} else {
			damaged = damaged || len(cov) != d
		}
	}
	for _, c := range s.Labels {
		damaged = damaged || c < 0 || c >= k
	}
	if damaged {
		return fault.Argument(function, "data", "of mixed-up sizes or numbers", "what MarshalBinary wrote", "")
	}
	made := &GMM{
		Names:   s.Names,
		kind:    s.Kind,
		k:       k,
		d:       d,
		weights: s.Weights,
		means:   s.Means,
		covs:    s.Covs,
		logLik:  s.LogLik,
		n:       s.N,
		labels:  s.Labels,
		history: s.History,
		end:     Ending{s.Iterations, s.Converged, s.Collapsed},
	}
	if s.Kind == Tied {
		made.covs = slices.Repeat(s.Covs, k)
	}
	if bad := made.prepare(); bad >= 0 {
		return fault.Argument(function, "data", fmt.Sprintf("with a singular covariance of component %d", bad), "what MarshalBinary wrote", "")
	}
	*m = *made
	return nil
}

// symmetric reports whether a d x d matrix is its own mirror image to the last digits.
func symmetric(a []float64, d int) bool {
	for i := range d {
		for j := range i {
			if !(math.Abs(a[i*d+j]-a[j*d+i]) <= 1e-9*(1+math.Abs(a[i*d+j]))) {
				return false
			}
		}
	}
	return true
}
