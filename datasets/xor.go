package datasets

import (
	"gonum.org/v1/gonum/mat"
)

// XOR draws n points around the corners (1, 1), (-1, -1) of class "same" and (1, -1), (-1, 1) of class "different", one corner after the
// other, with Gaussian noise of the given standard deviation. With n = 4 and noise 0 these are the four points no line separates.
func XOR(n int, noise float64, seed uint64) Set {
	s := generated("XOR", n, noise, seed)
	s.Name = "XOR"
	const who = "datasets.XOR"
	if err := checkRows(who, n, 2); err != nil {
		return s.fail(err)
	}
	if err := checkNoise(who, noise); err != nil {
		return s.fail(err)
	}
	rng := generator(seed, 0x786f72)
	s.X, s.Y = mat.NewDense(n, 2, nil), make([]int, n)
	corners := [4][2]float64{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	for i := range n {
		s.Y[i] = i % 2
		for j := range 2 {
			s.X.Set(i, j, corners[i%4][j]+float64(noise*rng.NormFloat64()))
		}
	}
	s.ClassNames, s.FeatureNames = []string{"same", "different"}, []string{"x1", "x2"}
	return s
}
