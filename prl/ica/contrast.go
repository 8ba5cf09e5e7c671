package ica

import (
	"math"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Contrast is the function G whose mean E G(y), against that of a Gaussian of the same variance, says how far y is from Gaussian. Source:
// Hyvärinen, IEEE Trans. Neural Networks 10 (1999) 626-634.
type Contrast int

const (
	// LogCosh is G(y) = log cosh y, g(y) = tanh y: the one for most data; it grows like |y|, so outliers weigh little.
	LogCosh Contrast = iota
	// Exp is G(y) = -exp(-y^2/2), g(y) = y exp(-y^2/2): for very peaked sources and many outliers.
	Exp
	// Cube is G(y) = y^4/4, g(y) = y^3: the kurtosis. Exact steps, but one outlier outweighs all else.
	Cube
)

func (c Contrast) String() string { return [...]string{"log cosh", "exp", "cube"}[c] }

// gaussian are E G(v) for v of N(0, 1): the integral of log cosh, -1/sqrt 2, 3/4.
var gaussian = [...]float64{0.374567207491438, -math.Sqrt2 / 2, 0.75}

func checkContrast(function string, c Contrast) error {
	if c < LogCosh || c > Cube {
		return fault.Argument(function, "Contrast", int(c), "LogCosh, Exp or Cube", "")
	}
	return nil
}

// G returns G(y).
func (c Contrast) G(y float64) float64 {
	switch c {
	case Exp:
		return -math.Exp(-y * y / 2)
	case Cube:
		return y * y * y * y / 4
	}
	a := math.Abs(y) // cosh itself overflows beyond 710
	return a + math.Log1p(math.Exp(-2*a)) - math.Ln2
}

// Slopes returns g(y) = G'(y) and g'(y).
func (c Contrast) Slopes(y float64) (first, second float64) {
	switch c {
	case Exp:
		e := math.Exp(-y * y / 2)
		return y * e, (1 - y*y) * e
	case Cube:
		return y * y * y, 3 * y * y
	}
	t := math.Tanh(y)
	return t, 1 - t*t
}

// slopes replaces the numbers y (rows of k) by g(y), and adds g'(y) of column j to sums[j]. room has the length of y.
func (c Contrast) slopes(y, room, sums []float64) {
	k := len(sums)
	if c == Cube {
		for i, v := range y {
			sums[i%k] += 3 * v * v
			y[i] = v * v * v
		}
		return
	}
	for i, v := range y {
		if c == Exp {
			room[i] = -v * v / 2
		} else {
			room[i] = 2 * v
		}
	}
	tile.Exp(room)
	for lo := 0; lo < len(y); lo += k {
		row, e := y[lo:lo+k], room[lo:lo+k]
		for j, v := range row {
			if c == Exp {
				sums[j] += (1 - v*v) * e[j]
				row[j] = v * e[j]
			} else {
				t := 1 - 2/(1+e[j]) // tanh v
				sums[j] += 1 - t*t
				row[j] = t
			}
		}
	}
}
