package bayes

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// An Estimate is a Monte Carlo mean with its standard error s/sqrt(n) and the 95 % confidence interval mean ± 1.959964 standard errors.
type Estimate struct {
	Mean, SE, Lo, Hi float64
	N                int
}

// String returns "0.1587 ± 0.0012 (n = 100000)".
func (e Estimate) String() string { return fmt.Sprintf("%.4g ± %.2g (n = %d)", e.Mean, e.SE, e.N) }

// MonteCarloRisk estimates the risk of a rule on a model of any dimension from n drawn pairs (x, y). The mean is taken over the conditional
// risk R(rule(x)|x) rather than over the loss itself: the same expectation with less variance. A nil rule is the Bayes rule.
func (m *Law) MonteCarloRisk(ctx context.Context, loss LossTable, rule func(x []float64) int, n int, seed uint64) (Estimate, error) {
	const f = "bayes.Law.MonteCarloRisk"
	if err := loss.check(f, m.Classes()); err != nil {
		return Estimate{}, err
	}
	if err := estimator.CheckCount(f, "n", n, 2, math.MaxInt); err != nil {
		return Estimate{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x7269736b))
	x, risks := make([]float64, m.Dim()), make([]float64, len(loss))
	var mean, m2 float64
	for i := range n {
		if i%4096 == 0 && ctx.Err() != nil {
			return Estimate{}, fmt.Errorf("%s: stopped after %d of %d draws: %w", f, i, n, ctx.Err())
		}
		m.class[m.drawClass(rng)].draw(x, rng)
		loss.risks(risks, m.Posterior(x...))
		a := argmin(risks)
		if rule != nil {
			if a = rule(x); a < 0 || a >= len(loss) {
				return Estimate{}, fault.Argument(f, "rule", fmt.Sprintf("action %d", a), fmt.Sprintf("an action 0 ... %d", len(loss)-1), "")
			}
		}
		d := risks[a] - mean
		mean += d / float64(i+1)
		m2 += d * (risks[a] - mean)
	}
	se := math.Sqrt(m2 / float64(n-1) / float64(n))
	return Estimate{mean, se, mean - z95*se, mean + z95*se, n}, nil
}

const z95 = 1.959963984540054 // 97.5 % point of the standard normal
