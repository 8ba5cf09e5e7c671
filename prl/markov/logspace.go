package markov

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/internal/gauss"
)

// ForwardLog returns log P(x_0 ... x_t, state i at t) for all t and i, computed with log-sum-exp: slower than scaling by a factor of
// about ten, and immune to underflow within one time step.
func (m *HMM) ForwardLog(obs []int) ([][]float64, error) {
	if err := m.check("ForwardLog", obs); err != nil {
		return nil, err
	}
	return m.forwardLog(m.evidence(obs)), nil
}

func (h *stateChain) forwardLog(e evidence) [][]float64 {
	k := h.k
	logA := logs(h.at)
	terms := make([]float64, k)
	alpha := make([][]float64, e.n)
	for t := range alpha {
		alpha[t] = make([]float64, k)
		b := e.logs(t)
		for j := range k {
			if t == 0 {
				alpha[0][j] = ln(h.start[j]) + b[j]
				continue
			}
			for i, v := range alpha[t-1] {
				terms[i] = v + logA[j*k+i]
			}
			alpha[t][j] = gauss.LogSumExp(terms) + b[j]
		}
	}
	return alpha
}

// BackwardLog returns log P(x_{t+1} ... x_{T-1} | state i at t) for all t and i.
func (m *HMM) BackwardLog(obs []int) ([][]float64, error) {
	if err := m.check("BackwardLog", obs); err != nil {
		return nil, err
	}
	return m.backwardLog(m.evidence(obs)), nil
}

func (h *stateChain) backwardLog(e evidence) [][]float64 {
	k := h.k
	logA := logs(h.a)
	terms := make([]float64, k)
	beta := make([][]float64, e.n)
	beta[e.n-1] = make([]float64, k)
	for t := e.n - 2; t >= 0; t-- {
		beta[t] = make([]float64, k)
		b := e.logs(t + 1)
		for i := range k {
			for j, v := range beta[t+1] {
				terms[j] = logA[i*k+j] + b[j] + v
			}
			beta[t][i] = gauss.LogSumExp(terms)
		}
	}
	return beta
}

func (h *stateChain) logLikelihoodLog(e evidence) float64 {
	return gauss.LogSumExp(h.forwardLog(e)[e.n-1]) + e.offset
}

// forwardFromLogs serves sequences on which scaling failed: likelihoods within one step more than 1e308 apart, or impossible sequences.
func (h *stateChain) forwardFromLogs(function string, e evidence) (*Forward, error) {
	la := h.forwardLog(e)
	f := &Forward{Alpha: la, Scale: make([]float64, e.n)}
	before := 0.0
	for t, row := range la {
		l := gauss.LogSumExp(row)
		if math.IsInf(l, -1) {
			return nil, impossible(function, "obs", t)
		}
		for i := range row {
			row[i] = math.Exp(row[i] - l)
		}
		f.Scale[t] = math.Exp(l - before)
		before = l
	}
	f.LogLik = before + e.offset
	return f, nil
}

// expectFromLogs is expect for sequences on which scaling failed.
func (h *stateChain) expectFromLogs(
	function string,
	s int,
	e evidence,
	w float64,
	x *expected,
	r *workspace,
) (gamma []float64, logLik float64, err error) {
	const most = 709 // the logarithm of the largest number; xi lacks the factor a_ij
	k := h.k
	la, lb := h.forwardLog(e), h.backwardLog(e)
	l := gauss.LogSumExp(la[e.n-1])
	if math.IsInf(l, -1) {
		return nil, 0, impossible(function, fmt.Sprintf("sequences[%d]", s), h.dead(e))
	}
	gamma = r.beta[:e.n*k]
	for t := range la {
		b := e.logs(t)
		for j := range k {
			gamma[t*k+j] = w * math.Exp(la[t][j]+lb[t][j]-l)
			for i := 0; t > 0 && i < k; i++ {
				if h.a[i*k+j] > 0 {
					x.xi[i*k+j] += w * math.Exp(min(most, la[t-1][i]+b[j]+lb[t][j]-l))
				}
			}
		}
	}
	for i := range k {
		x.start[i] += gamma[i]
	}
	return gamma, l + e.offset, nil
}
