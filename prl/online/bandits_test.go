package online

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// All 1024 tables of five rounds of two arms: the worst expected regret of EXP3 by the tree of its
// choices, below the bound.
func TestExactExp3(t *testing.T) {
	worst, gamma := 0.0, Exp3Rate(5, 2)
	for code := range 1 << 10 {
		gains := mat.NewDense(5, 2, nil)
		best := [2]float64{}
		for i := range 10 {
			g := float64(code >> i & 1)
			gains.Set(i/2, i%2, g)
			best[i%2] += g
		}
		got, err := ExactExp3(gains, gamma)
		if err != nil {
			t.Fatal(err)
		}
		worst = max(worst, max(best[0], best[1])-got)
	}
	near(t, "the worst regret", worst, 2.2156519582, 1e-9)
	near(t, "the bound", Exp3Bound(5, 2), 6.902, 5e-4)
	if _, err := ExactExp3(mat.NewDense(30, 2, nil), 0.1); err == nil {
		t.Error("2^30 courses are taken")
	}
}

// The mean of simulated runs is the exact expectation.
func TestExp3IsWhatTheTreeSays(t *testing.T) {
	gains := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 0.5, 0, 1, 0})
	want, err := ExactExp3(gains, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 20000
	total, squares := 0.0, 0.0
	for seed := range uint64(runs) {
		p, err := Pull(NewExp3(2, 0.3), Tape(gains), 4, seed)
		if err != nil {
			t.Fatal(err)
		}
		total += p.Total()
		squares += p.Total() * p.Total()
	}
	mean := total / runs
	near(t, "mean gain", mean, want, 5*math.Sqrt((squares/runs-mean*mean)/runs))
}

// Every player finds the better of two honest coins, and an owner who reads a deterministic program
// lets it gain nothing.
func TestPlayers(t *testing.T) {
	const n = 2000
	owner := func(_ int, p []float64, _ *rand.Rand) []float64 {
		gains := make([]float64, len(p))
		for i, v := range p {
			if v < 0.5 || v == 0.5 && i == 0 {
				gains[i] = 1
			}
		}
		return gains
	}
	likely := math.Log(2 * n / 0.05) // theorem 6.3 of Auer and others
	boundP := 4*math.Sqrt(2*n*likely) + 4*math.Sqrt(5.0/3*2*n*math.Ln2) + 8*likely
	for name, begin := range map[string]func() Player{
		"EXP3":     func() Player { return NewExp3(2, Exp3Rate(n, 2)) },
		"EXP3.P":   func() Player { return NewExp3P(2, n, 0.05) },
		"UCB1":     func() Player { return NewUCB(2) },
		"KL-UCB":   func() Player { return NewKLUCB(2) },
		"Thompson": func() Player { return NewThompson(2) },
	} {
		p, err := Pull(begin(), Coins(0.4, 0.7), n, 7)
		if err != nil {
			t.Fatal(err)
		}
		bound := Exp3Bound(n, 2)
		if name == "EXP3.P" {
			bound = boundP
		}
		if r := p.Regret(); r > bound || p.Counts(2)[1] < n/2 {
			t.Errorf("%s: regret %v, pulls %v", name, r, p.Counts(2))
		}
		if again, _ := Pull(begin(), Coins(0.4, 0.7), n, 7); again.Total() != p.Total() {
			t.Errorf("%s: the same seed gives another run", name)
		}
	}
	caught, err := Pull(NewUCB(2), owner, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "UCB1's gain from an owner who reads it", caught.Total(), 0, 0)
	free, err := Pull(NewExp3(2, Exp3Rate(n, 2)), owner, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	if free.Total() < 0.4*n {
		t.Errorf("EXP3 gains %v from him", free.Total())
	}
}

// The bound of KL-UCB solves n KL(mean, q) = ln t, and it is inside that of UCB1 (Pinsker).
func TestKLUCBIndex(t *testing.T) {
	k := NewKLUCB(2)
	for _, g := range []float64{1, 0, 1, 1} {
		k.Update(0, g, 1)
	}
	for range 30 {
		k.Update(1, 0.5, 1)
	}
	if arm, _ := k.Choose(nil); arm != 0 {
		t.Errorf("arm %d", arm)
	}
	if d := bernoulliKL(0.3, 0.6); math.Abs(d-(0.3*math.Log(0.5)+0.7*math.Log(1.75))) > 1e-15 || bernoulliKL(0, 0.5) != math.Ln2 {
		t.Errorf("divergence %v", d)
	}
}

// Beta draws of Thompson have the mean and variance of Beta(3, 5).
func TestGamma(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const draws = 40000
	mean, square := 0.0, 0.0
	for range draws {
		a, b := gamma(rng, 3), gamma(rng, 5)
		v := a / (a + b)
		mean += v / draws
		square += v * v / draws
	}
	variance := 15.0 / (64 * 9)
	near(t, "mean", mean, 3.0/8, 5*math.Sqrt(variance/draws))
	near(t, "variance", square-mean*mean, variance, 0.03*variance)
}

// LinUCB with four arms finds the direction of the gains.
func TestLinUCB(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	theta := []float64{0.8, -0.2, 0.1}
	l, late := NewLinUCB(3, 0.5), 0.0
	for round := range 400 {
		x := mat.NewDense(4, 3, nil)
		best := math.Inf(-1)
		value := make([]float64, 4)
		for i := range 4 {
			for j := range 3 {
				x.Set(i, j, rng.Float64())
			}
			value[i] = dot(theta, x.RawRowView(i))
			best = max(best, value[i])
		}
		arm := l.Choose(x)
		l.Update(x.RawRowView(arm), value[arm]+0.05*rng.NormFloat64())
		if round >= 300 {
			late += best - value[arm]
		}
	}
	if late > 1 {
		t.Errorf("regret of the last hundred rounds %v", late)
	}
}

func TestPullIsChecked(t *testing.T) {
	if _, err := Pull(NewUCB(2), Coins(0.5, 0.5), 0, 1); err == nil {
		t.Error("no rounds are taken")
	}
	if _, err := Pull(NewUCB(2), Coins(0.5), 3, 1); err == nil {
		t.Error("a world of one arm is taken for two")
	}
	big := func(int, []float64, *rand.Rand) []float64 { return []float64{2, 0} }
	if _, err := Pull(NewUCB(2), big, 3, 1); err == nil {
		t.Error("a gain of 2 is taken")
	}
}
