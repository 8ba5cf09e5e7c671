package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// An Estimate is what a simulation says about a number.
type Estimate struct {
	Value  float64 // mean over the trials
	SE     float64 // standard error of Value
	Trials int
}

// String returns "0.0306 +- 0.0017 (10000 trials)".
func (e Estimate) String() string {
	return fmt.Sprintf("%.4g ± %.2g (%d trials)", e.Value, e.SE, e.Trials)
}

// proportion returns k of n with the standard error sqrt(p(1-p)/n). With k = 0 or n, where that would be zero, p is moved by one half
// trial.
func proportion(k, n int) Estimate {
	p := float64(k) / float64(n)
	q := min(max(p, 0.5/float64(n)), 1-0.5/float64(n))
	return Estimate{Value: p, SE: math.Sqrt(q * (1 - q) / float64(n)), Trials: n}
}

const maxTrials = 10_000_000

func generator(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
