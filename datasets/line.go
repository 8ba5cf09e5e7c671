package datasets

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Line draws n points of a line with Gaussian noise: x uniform in [-1, 1], Target = intercept + slope x + noise.
func Line(n int, intercept, slope, noise float64, seed uint64) Set {
	s := generated("Line", n, intercept, slope, noise, seed)
	const who = "datasets.Line"
	if err := checkRows(who, n, 1); err != nil {
		return s.fail(err)
	}
	if err := checkNoise(who, noise); err != nil {
		return s.fail(err)
	}
	for name, v := range map[string]float64{"intercept": intercept, "slope": slope} {
		if v-v != 0 {
			return s.fail(fault.Argument(who, name, v, "a finite number", ""))
		}
	}
	rng := generator(seed, 0x6c696e65)
	s.X, s.Target = mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x := 2*rng.Float64() - 1
		s.X.Set(i, 0, x)
		s.Target[i] = intercept + float64(slope*x) + float64(noise*rng.NormFloat64())
	}
	s.FeatureNames, s.TargetName = []string{"x"}, "y"
	return s
}
