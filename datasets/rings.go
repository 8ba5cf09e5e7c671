package datasets

import (
	"math"
)

// Rings draws n points on two concentric circles of radius 1 ("inner") and 2 ("outer"), in turn, at uniform angles, and adds Gaussian noise
// with the given standard deviation to both coordinates. No line does better than chance by much; the squared radius separates the classes.
func Rings(n int, noise float64, seed uint64) Set {
	s := generated("Rings", n, noise, seed)
	return s.planar("datasets.Rings", n, noise, seed, 0x72696e6773, []string{"inner", "outer"}, func(c int, u float64) (x, y float64) {
		sin, cos := math.Sincos(2 * math.Pi * u)
		r := float64(1 + c)
		return r * cos, r * sin
	})
}
