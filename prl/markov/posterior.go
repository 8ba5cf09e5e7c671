package markov

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// Posterior returns the T x K matrix of P(state i at t | all of obs) (smoothing); rows sum to one. It fails on an impossible sequence.
func (m *HMM) Posterior(obs []int) (*mat.Dense, error) {
	if err := m.check("Posterior", obs); err != nil {
		return nil, err
	}
	return m.posterior("HMM.Posterior", m.evidence(obs))
}

func (h *hidden) posterior(function string, e evidence) (*mat.Dense, error) {
	k := h.k
	alpha := make([]float64, e.n*k)
	scales := make([]float64, e.n)
	dead := h.filter(e, alpha, scales)
	if dead >= 0 {
		return h.posteriorFromLogs(function, e)
	}
	// Only two rows of beta are kept; alpha is overwritten by the posterior.
	beta, after := make([]float64, k), make([]float64, k)
	w := make([]float64, k)
	for i := range beta {
		beta[i] = 1
	}
	for t := e.n - 2; t >= 0; t-- {
		beta, after = after, beta
		b := e.at(t + 1)
		c := 1 / scales[t+1]
		for j := range w {
			w[j] = b[j] * after[j] * c
		}
		times(beta, h.a, w)
		row := alpha[t*k : (t+1)*k]
		scale(row, 1/weigh(row, row, beta)) // the sum is one up to rounding
	}
	return mat.NewDense(e.n, k, alpha), nil
}

func (h *hidden) posteriorFromLogs(function string, e evidence) (*mat.Dense, error) {
	la, lb := h.forwardLog(e), h.backwardLog(e)
	l := logSumExp(la[e.n-1])
	if math.IsInf(l, -1) {
		for t, row := range la {
			if math.IsInf(logSumExp(row), -1) {
				return nil, impossible(function, t)
			}
		}
	}
	out := mat.NewDense(e.n, h.k, nil)
	for t := range la {
		for i := range la[t] {
			out.Set(t, i, math.Exp(la[t][i]+lb[t][i]-l))
		}
	}
	return out, nil
}

// MarginalPath returns at each time the state that is most probable by itself, argmax_i P(state i at t | obs). The sequence of these states need
// not be a possible path; compare Viterbi.
func (m *HMM) MarginalPath(obs []int) ([]int, error) {
	p, err := m.Posterior(obs)
	if err != nil {
		return nil, estimator.In("markov.HMM.MarginalPath", err)
	}
	path := make([]int, len(obs))
	for t := range path {
		row := p.RawRowView(t)
		for i, v := range row {
			if v > row[path[t]] {
				path[t] = i
			}
		}
	}
	return path, nil
}
