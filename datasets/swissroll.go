package datasets

import (
	"math"
)

// SwissRoll draws n points of a rolled-up sheet in three dimensions: (t cos t, h, t sin t) with t = 1.5 pi (1 + 2u) and h = 21v for uniform
// u, v, and adds Gaussian noise. Target is t, the position along the roll; the feature "height" is the other coordinate of the sheet.
//
// Source: S. T. Roweis & L. K. Saul (2000), Science 290, 2323-2326; S. Marsland (2009), Machine Learning, chapter 10 (as in scikit-learn).
func SwissRoll(n int, noise float64, seed uint64) Set {
	s := generated("SwissRoll", n, noise, seed)
	s.Name = "Swiss roll"
	return s.sheet("datasets.SwissRoll", n, noise, seed, 0x7377697373, func(u, v float64) (t float64, row [3]float64) {
		t = 1.5 * math.Pi * (1 + 2*u)
		sin, cos := math.Sincos(t)
		return t, [3]float64{t * cos, 21 * v, t * sin}
	})
}
