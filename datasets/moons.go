package datasets

import (
	"math"
)

// Moons draws n points on two interleaving half circles of radius 1: "upper" around (0, 0) and "lower" around (1, 0.5), in turn, at uniform
// angles, and adds Gaussian noise with the given standard deviation to both coordinates.
func Moons(n int, noise float64, seed uint64) Set {
	s := generated("Moons", n, noise, seed)
	return s.planar("datasets.Moons", n, noise, seed, 0x6d6f6f6e73, []string{"upper", "lower"}, func(c int, u float64) (x, y float64) {
		sin, cos := math.Sincos(math.Pi * u)
		if c == 0 {
			return cos, sin
		}
		return 1 - cos, 0.5 - sin
	})
}
