package markov

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// Posterior returns the T x K matrix of P(state i at t | all of obs) (smoothing); rows sum to one. It fails on an impossible sequence.
func (m *HMM) Posterior(obs []int) (*mat.Dense, error) {
	if err := m.check("Posterior", obs); err != nil {
		return nil, err
	}
	return m.posterior("markov.HMM.Posterior", m.evidence(obs))
}

func (h *stateChain) posterior(function string, e evidence) (*mat.Dense, error) {
	k := h.k
	alpha := make([]float64, e.n*k)
	scales := make([]float64, e.n)
	p := new(pass)
	dead := h.filter(p, e, alpha, scales)
	if dead >= 0 {
		return h.posteriorFromLogs(function, e)
	}
	// Only one row of beta is kept; alpha is overwritten by the posterior.
	p.begin(e, h.backwardStep)
	beta := make([]float64, p.Width)
	for i := range k {
		beta[i] = 1
	}
	for hi := e.n - 1; hi > 0; {
		n := min(steps, hi)
		lo := hi - n
		b, after, rows := p.table(lo+1, n), scales[lo+1:hi+1], alpha[lo*k:hi*k]
		if p.Width == k {
			p.Smooth(rows, p.w, b, after, beta)
		} else {
			for t := range n {
				copyFew(p.row(t), rows[t*k:])
			}
			p.Smooth(p.x, p.w, b, after, beta)
			for t := range n {
				copyFew(rows[t*k:(t+1)*k], p.row(t))
			}
		}
		hi = lo
	}
	return mat.NewDense(e.n, k, alpha), nil
}

func (h *stateChain) posteriorFromLogs(function string, e evidence) (*mat.Dense, error) {
	la, lb := h.forwardLog(e), h.backwardLog(e)
	l := gauss.LogSumExp(la[e.n-1])
	if math.IsInf(l, -1) {
		for t, row := range la {
			if math.IsInf(gauss.LogSumExp(row), -1) {
				return nil, impossible(function, "obs", t)
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

// MarginalPath returns at each time the state that is most probable by itself, argmax_i P(state i at t | obs). The sequence of these states
// need not be a possible path; compare Viterbi.
func (m *HMM) MarginalPath(obs []int) ([]int, error) {
	p, err := m.Posterior(obs)
	if err != nil {
		return nil, fault.In("markov.HMM.MarginalPath", err)
	}
	path := make([]int, len(obs))
	for t := range path {
		path[t] = estimator.Argmax(p.RawRowView(t))
	}
	return path, nil
}
