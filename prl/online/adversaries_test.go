package online

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const adversaries = 1000

// lossTable returns a table of losses by one of five adversaries: noise, experts that differ, a best expert that changes, one who always
// blames the expert with the least loss so far, and one who deals halves and wholes.
func lossTable(r *rand.Rand, n, k int) *mat.Dense {
	losses, total, kind, shift := mat.NewDense(n, k, nil), make([]float64, k), r.IntN(5), r.Float64()
	period := 1 + r.IntN(n)
	for i := range n {
		least := 0
		for j, v := range total {
			if v < total[least] {
				least = j
			}
		}
		for j := range k {
			v := r.Float64()
			switch kind {
			case 1:
				v = math.Min(1, v*(shift+float64(j)/float64(k)))
			case 2:
				v = 1
				if i/period%k == j {
					v = 0
				}
			case 3:
				v = 0
				if j == least {
					v = 1
				}
			case 4:
				v = float64(r.IntN(3)) / 2
			}
			losses.Set(i, j, v)
			total[j] += v
		}
	}
	return losses
}

// TestBoundsHold lets a thousand adversaries meet each forecaster that has a theorem for every table of losses.
func TestBoundsHold(t *testing.T) {
	const n, k = 60, 5
	root := math.Sqrt(n * math.Log(k) / 2)
	r := rand.New(rand.NewPCG(34, 1))
	closest := map[string]float64{}
	for range adversaries {
		losses := lossTable(r, n, k)
		for name, c := range map[string]struct {
			f     Forecaster
			bound float64
		}{
			"Hedge":          {NewHedge(k, HedgeRate(n, k)), root},
			"anytime Hedge":  {NewAnytimeHedge(k), 2*root + math.Sqrt(math.Log(k)/8)},
			"AdaNormalHedge": {NewAdaNormalHedge(k), math.Sqrt(3 * n * (math.Log(k) + math.Log(1+1.5*math.Log(1+n)) + 1))},
		} {
			regret := run(t, c.f, losses).Regret()
			if regret > c.bound {
				t.Errorf("%s: regret %v above %v", name, regret, c.bound)
			}
			closest[name] = max(closest[name], regret/c.bound)
		}
	}
	if closest["Hedge"] < 0.4 { // or these adversaries would try nothing
		t.Errorf("the largest share of its bound that a regret reaches: %v", closest)
	}
}

// TestMistakesAreBounded does so with weighted majority and halving, whose votes and truths are drawn.
func TestMistakesAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 2))
	for range adversaries {
		n, k := 1+r.IntN(60), 1+r.IntN(12)
		votes, truth := make([][]int, n), make([]int, n)
		good, known := r.IntN(k), max(0.2, 2*r.Float64()) // the good expert of every second table is perfect
		for i := range n {
			truth[i] = 2*r.IntN(2) - 1
			votes[i] = make([]int, k)
			for j := range k {
				votes[i][j] = 2*r.IntN(2) - 1
				if j == good && r.Float64() < known {
					votes[i][j] = truth[i]
				}
			}
		}
		for _, beta := range []float64{0, 0.1, 0.5, 0.9} {
			if beta == 0 && known < 1 {
				continue // halving needs a perfect one
			}
			m, err := WeightedMajority(votes, truth, beta)
			if err != nil {
				t.Fatal(err)
			}
			if bound := MistakeBound(k, m.Best(), beta); float64(m.Mistakes) > bound {
				t.Errorf("%d experts, best %d, beta %v: %d mistakes above %v", k, m.Best(), beta, m.Mistakes, bound)
			}
		}
	}
}

// TestBoundsOfChance looks at the players whose theorems are about a mean or a probability, over a thousand adversaries or worlds.
func TestBoundsOfChance(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 3))
	excess, late, pseudo := 0.0, 0, 0.0
	for seed := range uint64(adversaries) {
		// Follow the perturbed leader: E L <= e^eps (L* + (1 + ln N)/eps) for noise of mean 1/eps (Kalai and Vempala 2005).
		losses := lossTable(r, 60, 5)
		const eps = 0.3
		played := run(t, NewPerturbedLeader(5, 1/eps, seed), losses)
		_, best := played.Best()
		excess += played.Total() - math.Exp(eps)*(best+(1+math.Log(5))/eps)

		gains := lossTable(r, 8, 2)
		mean, err := ExactExp3(gains, Exp3Rate(8, 2))
		if err != nil {
			t.Fatal(err)
		}
		if regret := max(mat.Sum(gains.ColView(0)), mat.Sum(gains.ColView(1))) - mean; regret > Exp3Bound(8, 2) {
			t.Errorf("EXP3: expected regret %v above %v", regret, Exp3Bound(8, 2))
		}

		const n, delta = 300, 0.05
		likely := math.Log(3 * n / delta)
		bound := 4*math.Sqrt(3*n*likely) + 4*math.Sqrt(5.0/3*3*n*math.Log(3)) + 8*likely
		p, err := Pull(NewExp3P(3, n, delta), Tape(lossTable(r, n, 3)), n, seed)
		if err != nil {
			t.Fatal(err)
		}
		if p.Regret() > bound {
			late++
		}

		// UCB1: the pulls of a worse arm cost 8 ln n/gap + (1 + pi^2/3) gap at most in the mean (Auer, Cesa-Bianchi and Fischer 2002).
		a, b := 0.3*r.Float64(), 0.7+0.3*r.Float64()
		if seed%2 == 0 {
			a, b = b, a
		}
		p, err = Pull(NewUCB(2), Coins(a, b), n, seed)
		if err != nil {
			t.Fatal(err)
		}
		worse, gap := 0, math.Abs(a-b)
		if a > b {
			worse = 1
		}
		pseudo += gap*float64(p.Counts(2)[worse]) - 8*math.Log(n)/gap - (1+math.Pi*math.Pi/3)*gap
	}
	if excess > 0 || pseudo > 0 || float64(late) > 0.05*adversaries {
		t.Errorf("beyond the bounds: the perturbed leader by %v, UCB1 by %v, EXP3.P in %d of %d games", excess, pseudo, late, adversaries)
	}
}

// TestFixedShareIsBounded compares the fixed share with the best sequence of experts that changes m times, for every m at once: a sequence
// has the prior weight (1/k) (alpha/k)^m (1 - alpha + alpha/k)^(n-1-m), which takes the place of 1/k in the proof for Hedge.
func TestFixedShareIsBounded(t *testing.T) {
	const n, k, eta, alpha = 60, 5, 0.5, 0.1
	r := rand.New(rand.NewPCG(34, 4))
	closest := 0.0
	for range adversaries {
		losses := lossTable(r, n, k)
		total := run(t, NewFixedShare(k, eta, alpha), losses).Total()
		var best [6][k]float64 // of the sequences with m changes, the last expert being j
		for i := range n {
			for m := len(best) - 1; m >= 0; m-- {
				var next [k]float64
				for j := range k {
					next[j] = best[m][j]
					for from := range k {
						if m > 0 && i > 0 && from != j {
							next[j] = min(next[j], best[m-1][from])
						}
					}
					next[j] += losses.At(i, j)
				}
				best[m] = next
			}
		}
		for m, ends := range best {
			least := ends[0]
			for _, v := range ends {
				least = min(least, v)
			}
			price := math.Log(k) + float64(m)*math.Log(k/alpha) - float64(n-1-m)*math.Log(1-alpha+alpha/k)
			bound := price/eta + eta*n/8
			if total-least > bound {
				t.Errorf("%d changes: regret %v above %v", m, total-least, bound)
			}
			closest = max(closest, (total-least)/bound)
		}
	}
	if closest < 0.4 {
		t.Errorf("the largest share of its bound that a regret reaches: %v", closest)
	}
}

// TestNoForecasterBeatsCoins lets a fair coin choose which of two experts pays. Every forecaster pays n/2 on average, so its mean regret
// is the value of the game, below which no forecaster stays against every table.
func TestNoForecasterBeatsCoins(t *testing.T) {
	const n = 100
	r := rand.New(rand.NewPCG(34, 5))
	sums, squares := map[string]float64{}, map[string]float64{}
	for range adversaries {
		losses := mat.NewDense(n, 2, nil)
		for i := range n {
			losses.Set(i, r.IntN(2), 1)
		}
		for name, f := range map[string]Forecaster{
			"Hedge": NewHedge(2, HedgeRate(n, 2)), "anytime Hedge": NewAnytimeHedge(2), "AdaNormalHedge": NewAdaNormalHedge(2),
			"fixed share": NewFixedShare(2, HedgeRate(n, 2), 0.01), "leader": NewLeader(2),
		} {
			regret := run(t, f, losses).Regret()
			sums[name] += regret / adversaries
			squares[name] += regret * regret / adversaries
		}
	}
	for name, mean := range sums {
		se := math.Sqrt((squares[name] - mean*mean) / adversaries)
		if math.Abs(mean-CoinGame(n)) > 4*se {
			t.Errorf("%s: mean regret %v, the value is %v", name, mean, CoinGame(n))
		}
	}
}

// TestNearLaiAndRobbins counts the pulls of the worse of two arms. A player that is good in all worlds needs about ln n/KL of them
// (T. L. Lai & H. Robbins, 1985); KL-UCB and Thompson sampling come near it, and UCB1 needs more.
func TestNearLaiAndRobbins(t *testing.T) {
	const n, runs = 2000, 40
	least := math.Log(n) / bernoulliKL(0.4, 0.7)
	pulls := map[string]float64{}
	for seed := range uint64(runs) {
		for name, player := range map[string]Player{"KL-UCB": NewKLUCB(2), "Thompson": NewThompson(2), "UCB1": NewUCB(2)} {
			p, err := Pull(player, Coins(0.4, 0.7), n, seed)
			if err != nil {
				t.Fatal(err)
			}
			pulls[name] += float64(p.Counts(2)[0]) / runs
		}
	}
	for _, name := range []string{"KL-UCB", "Thompson"} {
		if share := pulls[name] / least; share < 0.5 || share > 1.5 {
			t.Errorf("%s: %v pulls of the worse arm, %v are needed", name, pulls[name], least)
		}
	}
	if pulls["UCB1"] < 1.5*least || pulls["UCB1"] > 8*math.Log(n)/0.09+1+math.Pi*math.Pi/3 {
		t.Errorf("UCB1: %v pulls of the worse arm", pulls["UCB1"])
	}
}
