package markov

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// Scaled passes agree with logarithms for numbers of states on both sides of a whole strip, for sequences on both sides of a pass, for
// evidence from a table or time by time, and where evidence is so weak that rows have to be scaled at once.
func TestPasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, k := range []int{1, 2, 3, 4, 5, 8, 9, 16, 17} {
		m := random(t, k, 2, uint64(k))
		for _, n := range []int{1, 2, steps - 1, steps, steps + 1, steps + 2, 2*steps + 1} {
			for _, symbols := range []int{0, 3, 1000} { // none: a row for each time
				for _, weak := range []float64{1, 1e-70, 1e-200} {
					e := evidence{n: n, k: k}
					rows := symbols
					if symbols == 0 {
						rows = n
					} else {
						for range n {
							e.index = append(e.index, r.IntN(symbols))
						}
					}
					for range rows {
						factor := 1.0
						if r.IntN(3) == 0 {
							factor = weak
						}
						for range k {
							e.rows = append(e.rows, factor*r.Float64())
						}
					}
					e.logRows, e.width = logs(e.rows), m.forwardStep.Width
					e.rows = widen(e.rows, k, e.width)
					m.comparePasses(t, fmt.Sprintf("%d states, %d times, %d symbols, %g, ", k, n, symbols, weak), e)
				}
			}
		}
	}
}

func (h *stateChain) comparePasses(t *testing.T, what string, e evidence) {
	t.Helper()
	n, k := e.n, h.k
	la, lb := h.forwardLog(e), h.backwardLog(e)
	l := gauss.LogSumExp(la[n-1])
	near(t, what+"log-likelihood", h.logLikelihood(e), l, 1e-10*(1+math.Abs(l)))

	alpha, beta, scales := make([]float64, n*k), make([]float64, n*k), make([]float64, n)
	if dead := h.filter(new(pass), e, alpha, scales); dead >= 0 {
		t.Fatalf("%simpossible at %d", what, dead)
	}
	posterior, err := h.posterior("Posterior", e)
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := h.backward("Backward", e)
	if err != nil {
		t.Fatal(err)
	}
	h.smooth(new(pass), e, beta, nil)
	product := 0.0
	for s := range n {
		product += math.Log(scales[s])
		near(t, what+"sum of the scales", product, gauss.LogSumExp(la[s]), 1e-10*(1+math.Abs(product)))
		filtered, back, smoothed := make([]float64, k), make([]float64, k), make([]float64, k)
		for i := range k {
			filtered[i] = math.Exp(la[s][i] - gauss.LogSumExp(la[s]))
			back[i] = math.Exp(lb[s][i] - gauss.LogSumExp(lb[s]))
			smoothed[i] = math.Exp(la[s][i] + lb[s][i] - l)
		}
		estimatortest.NearAll(t, what+"filtered", alpha[s*k:(s+1)*k], filtered, 1e-9)
		estimatortest.NearAll(t, what+"posterior", posterior.RawRowView(s), smoothed, 1e-9)
		row := beta[s*k : (s+1)*k]
		scale(row, 1/total(row))
		estimatortest.NearAll(t, what+"backward", row, back, 1e-9)
		near(t, what+"sum of alpha beta", dot(alpha[s*k:(s+1)*k], scaled[s]), 1, 1e-9)
	}
}

// A sequence that cannot be is found out, at the time when it becomes so.
func TestImpossibleInPasses(t *testing.T) {
	for _, k := range []int{1, 2, 3, 4, 5, 8, 16} {
		m := random(t, k, 2, uint64(k))
		for _, dead := range []int{0, 1, steps - 1, steps, steps + 7, 2*steps - 1} {
			e := evidence{n: 2 * steps, k: k, rows: make([]float64, 2*steps*k)}
			for i := range e.rows {
				if i/k != dead {
					e.rows[i] = 0.5
				}
			}
			e.logRows, e.width = logs(e.rows), m.forwardStep.Width
			e.rows = widen(e.rows, k, e.width)
			if at := m.filter(new(pass), e, make([]float64, e.n*k), make([]float64, e.n)); at != dead {
				t.Errorf("%d states: dead at %d, want %d", k, at, dead)
			}
			if l := m.logLikelihood(e); !math.IsInf(l, -1) {
				t.Errorf("%d states, dead at %d: log-likelihood %v", k, dead, l)
			}
			if _, err := m.posterior("markov.HMM.Posterior", e); err == nil {
				t.Errorf("%d states, dead at %d: posteriors", k, dead)
			}
			if _, err := m.backward("markov.HMM.Backward", e); err == nil {
				t.Errorf("%d states, dead at %d: backward variables", k, dead)
			}
			if _, err := m.viterbi("markov.HMM.Viterbi", e); err == nil {
				t.Errorf("%d states, dead at %d: a best path", k, dead)
			}
			if _, _, err := m.expect(t.Context(), "BaumWelch", 0, e, 1, newExpected(k), newWorkspace(k, e.n)); err == nil {
				t.Errorf("%d states, dead at %d: expected counts", k, dead)
			}
		}
	}
}
