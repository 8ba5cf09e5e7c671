package markov

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// TestSmallUnits learns the spreads of daily returns, of which 1e-6 is a large square: hidden states of sd .0012 and .004.
func TestSmallUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	n, state := 2000, 0
	x, large := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		if random.Float64() < 0.02 {
			state = 1 - state
		}
		v := random.NormFloat64() * []float64{0.0012, 0.004}[state]
		x.Set(i, 0, v)
		large.Set(i, 0, math.Ldexp(v, 20))
	}
	deviations := func(x mat.Matrix, reg float64) []float64 {
		o := GaussianOptions{}
		o.Reg = reg
		m, err := FitGaussian(context.Background(), []mat.Matrix{x}, 2, o)
		if err != nil {
			t.Fatal(err)
		}
		var sd []float64
		for _, c := range m.Model.Covariances() {
			sd = append(sd, math.Sqrt(c[0][0]))
		}
		slices.Sort(sd)
		return sd
	}
	got, pure, scaled := deviations(x, 0), deviations(x, estimator.None), deviations(large, 0)
	for i, truth := range []float64{0.0012, 0.004} {
		if math.Abs(got[i]/truth-1) > 0.1 || math.Abs(got[i]/pure[i]-1) > 1e-4 || math.Abs(math.Ldexp(got[i], 20)/scaled[i]-1) > 1e-9 {
			t.Errorf("sd %v; without Reg %v, in units of 2^-20 %v, truth %v", got[i], pure[i], scaled[i], truth)
		}
	}
}
