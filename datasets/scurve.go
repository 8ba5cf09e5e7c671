package datasets

import (
	"math"
)

// SCurve draws n points of a sheet bent into an S in three dimensions: (sin t, 2v, sign(t) (cos t - 1)) with t = 3 pi (u - 1/2) for uniform
// u, v, and adds Gaussian noise. Target is t, the position along the S; the feature "height" is the other coordinate of the sheet.
func SCurve(n int, noise float64, seed uint64) Set {
	s := generated("SCurve", n, noise, seed)
	s.Name = "S curve"
	return s.sheet("datasets.SCurve", n, noise, seed, 0x736375727665, func(u, v float64) (t float64, row [3]float64) {
		t = 3 * math.Pi * (u - 0.5)
		sin, cos := math.Sincos(t)
		return t, [3]float64{sin, 2 * v, math.Copysign(1-cos, -t)}
	})
}
