package datasets

import "gonum.org/v1/gonum/mat"

// sheet fills in n points of a surface, each a function of two uniform numbers.
func (s Set) sheet(who string, n int, noise float64, seed, stream uint64, point func(u, v float64) (float64, [3]float64)) Set {
	if err := checkRows(who, n, 3); err != nil {
		return s.fail(err)
	}
	if err := checkNoise(who, noise); err != nil {
		return s.fail(err)
	}
	rng := generator(seed, stream)
	s.X, s.Target = mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range n {
		u, v := rng.Float64(), rng.Float64()
		t, row := point(u, v)
		s.Target[i] = t
		for j := range 3 {
			s.X.Set(i, j, row[j]+float64(noise*rng.NormFloat64()))
		}
	}
	s.FeatureNames, s.TargetName = []string{"x", "height", "z"}, "position"
	return s
}
