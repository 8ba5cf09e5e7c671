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

// addLogCosh adds G(y) = log cosh of the numbers y (rows of k), at most batch rows, to sums: |y| - log 2 + log(1 + exp(-2 |y|)), where one
// logarithm is taken of the product over a column, of factors from 1 to 2. room has the length of y.
func addLogCosh(y, room, sums []float64) {
	k := len(sums)
	for i, v := range y {
		room[i] = -2 * math.Abs(v)
	}
	tile.Exp(room)
	products := make([]float64, k)
	for j := range products {
		products[j] = 1
	}
	for lo := 0; lo < len(y); lo += k {
		e := room[lo : lo+k]
		for j, v := range y[lo : lo+k] {
			sums[j] += math.Abs(v) - math.Ln2
			products[j] *= 1 + e[j]
		}
	}
	for j, v := range products {
		sums[j] += math.Log(v)
	}
}

// addRows adds rows as long as sums to it.
func addRows(sums, rows []float64) {
	k := len(sums)
	if k == 1 { // four sums side by side, for each addition waits for the one before
		var s [4]float64
		for ; len(rows) >= 4; rows = rows[4:] {
			s[0], s[1], s[2], s[3] = s[0]+rows[0], s[1]+rows[1], s[2]+rows[2], s[3]+rows[3]
		}
		sums[0] += s[0] + s[1] + (s[2] + s[3])
	}
	tile.SumDifferences(sums, rows, make([]float64, k), len(rows)/k)
}

// slopes replaces the numbers y (rows of k) by g(y), and adds g'(y) of column j to sums[j]. room has the length of y.
func (c Contrast) slopes(y, room, sums []float64) {
	if c == Cube {
		for i, v := range y {
			y[i], room[i] = v*v*v, 3*v*v
		}
		addRows(sums, room)
		return
	}
	if c == LogCosh {
		tile.Tanh(y, room)
		addRows(sums, room)
		return
	}
	for i, v := range y {
		room[i] = -v * v / 2
	}
	tile.Exp(room)
	for i, e := range room {
		v := y[i]
		y[i], room[i] = v*e, (1-v*v)*e
	}
	addRows(sums, room)
}
