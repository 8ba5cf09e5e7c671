package online

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

func run(t *testing.T, f Forecaster, losses mat.Matrix) *Run {
	t.Helper()
	r, err := Play(f, losses)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Values computed by exact recursion and, for the game of coins, by counting.
func TestHedgeByHand(t *testing.T) {
	golden := mat.NewDense(4, 3, []float64{1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1})
	r := run(t, NewHedge(3, 0.5), golden)
	_, best := r.Best()
	near(t, "loss", r.Total(), 2.0359896138, 1e-10)
	near(t, "best", best, 1, 0)
	near(t, "bound", best+HedgeBound(4, 3, 0.5), 3.4472245774, 1e-10)
	near(t, "last regret", r.Regrets()[3], r.Regret(), 1e-15)
	near(t, "bound at the best rate", HedgeBound(1000, 10, HedgeRate(1000, 10)), 33.93070212, 1e-8)
	near(t, "EXP3's bound", Exp3Bound(1000, 10), 397.8185578, 1e-7)

	trap := mat.NewDense(100, 2, []float64{0: 0.5, 199: 0})
	for i := 1; i < 100; i++ {
		trap.SetRow(i, []float64{float64((i + 1) % 2), float64(i % 2)})
	}
	near(t, "the leader in the trap", run(t, NewLeader(2), trap).Total(), 99.5, 0)
	near(t, "Hedge in the trap", run(t, NewHedge(2, HedgeRate(100, 2)), trap).Total(), 52.660727978, 1e-8)
	near(t, "the game of 12 coins", CoinGame(12), 1.353515625, 1e-12)
	near(t, "the game of 100 coins", CoinGame(100), 3.979, 5e-4)
}

// All sequences of twelve rounds in which one of two experts errs: the worst regret of Hedge lies
// between the value of the game and the bound.
func TestWorstRegret(t *testing.T) {
	worst, eta := 0.0, HedgeRate(12, 2)
	for code := range 1 << 12 {
		losses := mat.NewDense(12, 2, nil)
		for i := range 12 {
			losses.Set(i, code>>i&1, 1)
		}
		worst = max(worst, run(t, NewHedge(2, eta), losses).Regret())
	}
	near(t, "the worst regret", worst, 1.8105144815, 1e-9)
	if bound := HedgeBound(12, 2, eta); !(CoinGame(12) <= worst && worst <= bound) {
		t.Errorf("%v is not between %v and %v", worst, CoinGame(12), bound)
	}
}

// Every forecaster with a theorem keeps it on random and on adaptive losses: the adversary lets the
// expert with the largest share pay.
func TestRegretBounds(t *testing.T) {
	const n, k = 300, 5
	root := math.Sqrt(n * math.Log(k) / 2)
	rng := rand.New(rand.NewPCG(3, 3))
	for name, c := range map[string]struct {
		begin func() Forecaster
		bound float64
	}{
		"Hedge":         {func() Forecaster { return NewHedge(k, HedgeRate(n, k)) }, root},
		"anytime Hedge": {func() Forecaster { return NewAnytimeHedge(k) }, 2*root + math.Sqrt(math.Log(k)/8)},
		"AdaNormalHedge": {
			func() Forecaster { return NewAdaNormalHedge(k) },
			math.Sqrt(3 * n * (math.Log(k) + math.Log(1+1.5*math.Log(1+n)) + 1)),
		},
		"fixed share 0": {func() Forecaster { return NewFixedShare(k, HedgeRate(n, k), 0) }, root},
	} {
		adaptive, err := PlayAgainst(c.begin(), n, func(_ int, p []float64) []float64 {
			losses, at := make([]float64, k), 0
			for i, v := range p {
				if v > p[at] {
					at = i
				}
			}
			losses[at] = 1
			return losses
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := adaptive.Regret(); r > c.bound {
			t.Errorf("%s, adaptive: regret %v above %v", name, r, c.bound)
		}
		for range 20 {
			losses := mat.NewDense(n, k, nil)
			shift := rng.Float64()
			for i := range n {
				for j := range k {
					losses.Set(i, j, math.Min(1, rng.Float64()*(shift+float64(j)/k)))
				}
			}
			if r := run(t, c.begin(), losses).Regret(); r > c.bound {
				t.Errorf("%s: regret %v above %v", name, r, c.bound)
			}
		}
	}
}

// A fixed share follows a best expert that changes; Hedge does not.
func TestFixedShareTracks(t *testing.T) {
	losses := mat.NewDense(400, 2, nil)
	for i := range 400 {
		losses.Set(i, i/200, 1) // expert 1 is right first, then expert 0
	}
	share := run(t, NewFixedShare(2, 0.5, 0.01), losses).Total()
	hedge := run(t, NewHedge(2, 0.5), losses).Total()
	if !(share < 30 && hedge > 150) {
		t.Errorf("fixed share %v, Hedge %v", share, hedge)
	}
}

// Weights of a million losses of 1 stay weights.
func TestLongRuns(t *testing.T) {
	h := NewHedge(3, 0.5)
	for range 1_000_000 {
		h.Update([]float64{1, 1, 1})
	}
	h.Update([]float64{0, 1, 1})
	want := math.Exp(0.5) / (math.Exp(0.5) + 2)
	near(t, "the share", h.Weights()[0], want, 1e-9)
}

// The mean strategies of two learners in stone, paper, scissors near a third within the sum of the regrets.
func TestDuel(t *testing.T) {
	game := mat.NewDense(3, 3, []float64{0.5, 1, 0, 0, 0.5, 1, 1, 0, 0.5})
	const n = 4000
	p, q, err := Duel(game, n, NewHedge(3, HedgeRate(n, 3)), NewHedge(3, 0.1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range p {
		near(t, "row", p[i], 1.0/3, 0.02)
		near(t, "column", q[i], 1.0/3, 0.05)
	}
	if _, _, err := Duel(mat.NewDense(1, 1, []float64{2}), 3, NewHedge(1, 1), NewHedge(1, 1)); err == nil {
		t.Error("a payment of 2 is taken")
	}
}

func TestPlayIsChecked(t *testing.T) {
	for name, losses := range map[string]mat.Matrix{
		"none": nil, "a width": mat.NewDense(1, 3, nil), "two": mat.NewDense(1, 2, []float64{0, 2}),
		"NaN": mat.NewDense(1, 2, []float64{0, math.NaN()}),
	} {
		if r, err := Play(NewHedge(2, 1), losses); err == nil || r != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPerturbedLeader(t *testing.T) {
	losses := mat.NewDense(1000, 2, nil)
	for i := range 1000 {
		losses.Set(i, i%2, 1)
	}
	losses.Set(0, 0, 0.5)
	if r := run(t, NewPerturbedLeader(2, 30, 1), losses).Regret(); r > 60 {
		t.Errorf("regret %v", r)
	}
	if r := run(t, NewLeader(2), losses).Regret(); r < 400 {
		t.Errorf("the trap does not catch the leader: %v", r)
	}
}
