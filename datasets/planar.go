package datasets

import (
	"gonum.org/v1/gonum/mat"
)

// planar fills in n points of two curves, each a function of a uniform number.
func (s Set) planar(
	who string,
	n int,
	noise float64,
	seed, stream uint64,
	names []string,
	curve func(c int, u float64) (x, y float64),
) Set {
	if err := checkRows(who, n, 2); err != nil {
		return s.fail(err)
	}
	if err := checkNoise(who, noise); err != nil {
		return s.fail(err)
	}
	rng := generator(seed, stream)
	s.X, s.Y = mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		c := i % 2
		x, y := curve(c, rng.Float64())
		s.Y[i] = c
		s.X.SetRow(i, []float64{x + float64(noise*rng.NormFloat64()), y + float64(noise*rng.NormFloat64())})
	}
	s.ClassNames, s.FeatureNames = names, []string{"x1", "x2"}
	return s
}
