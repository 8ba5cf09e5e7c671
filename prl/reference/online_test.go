package reference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/online"
)

func TestOnline(t *testing.T) { run(t, "online") }

// chances is the generator's table of rewards: of arm i 1 in a row where a number is below 0.3 + 0.04 i.
func chances(rows, arms int) *mat.Dense {
	out := mat.NewDense(rows, arms, nil)
	for t, s := 0, uint64(112); t < rows; t++ {
		for i := range arms {
			s = s*6364136223846793005 + 1442695040888963407
			if float64(s>>11)/(1<<53) < 0.3+0.04*float64(i) {
				out.Set(t, i, 1)
			}
		}
	}
	return out
}

var onlineCases = runners{
	"weighted-majority-bound": func(c *check) {
		const experts, best = 16, 5
		c.near("bound", []float64{online.MistakeBound(experts, best, 0.5), online.MistakeBound(experts, best, 0.9)})
		// The bound grows by this for each mistake of the best expert.
		c.near("coefficient_2_41", online.MistakeBound(experts, best+1, 0.5)-online.MistakeBound(experts, best, 0.5))
		c.near("halving_mistakes_N16", must(online.WorstMistakes(experts, 0, 0)))
	},
	"hedge-small": func(c *check) {
		r := must(online.Play(online.NewHedge(2, 1), mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 0, 1, 0})))
		var first []float64
		loss := 0.0
		for t, v := range r.Loss {
			first = append(first, r.Weights[t][0])
			loss += v
		}
		_, best := r.Best()
		c.near("p_first", first)
		c.near("loss", loss)
		c.near("best", best)
		c.near("bound_value", online.HedgeBound(4, 2, 1))
		c.near("bound", "regret <= ln N/eta + eta T/8") // the formula of bound_value, in words
	},
	"exp3-bound": func(c *check) {
		const n, k = 10_000, 10
		c.near("gamma", online.Exp3Rate(n, k))
		c.near("bound", online.Exp3Bound(n, k))
		c.near("coefficient", online.Exp3Bound(n, k)/math.Sqrt(n*k*math.Log(k)))
	},
	"ucb1-trace": func(c *check) {
		const n, k = 20_000, 10
		p := must(online.Pull(online.NewUCB(k), online.Tape(chances(n, k)), n, 1))
		total := 0.0
		for _, v := range p.Gains {
			total += v
		}
		c.near("total_reward", total)
		c.near("pulls", p.Counts(k))
		c.near("first_20_choices_after_init", p.Arms[k:k+20])
	},
}
