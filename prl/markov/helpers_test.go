package markov

import (
	"math"
	"testing"

	"github.com/prlab/prlab/prl/internal/gauss"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func must(t testing.TB, p Parameters) *HMM {
	t.Helper()
	m, err := NewHMM(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A long sequence needs scaled or logarithmic sums: both agree, and plain products vanish after some hundred symbols.
func TestUnderflow(t *testing.T) {
	m := random(t, 8, 16, 5)
	obs := drawn(t, m, 10_000, 6)
	l, err := m.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	logs, err := m.ForwardLog(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood in log space", gauss.LogSumExp(logs[len(obs)-1]), l, 1e-7)
	path, err := m.Viterbi(obs)
	if err != nil {
		t.Fatal(err)
	}
	joint, err := m.Joint(obs, path.States)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "joint log-probability of the path", joint, path.LogProb, 1e-7)
	naive, err := m.ForwardNaive(obs)
	if err != nil {
		t.Fatal(err)
	}
	dead := 0
	for dead < len(naive) && naive[dead][0] > 0 {
		dead++
	}
	if dead < 200 || dead > 500 {
		t.Errorf("the unscaled pass underflows at t = %d, expected between 200 and 500", dead)
	}
}
