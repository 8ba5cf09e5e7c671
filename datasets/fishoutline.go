package datasets

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// The outline of a fish: bodySteps parts along the back, the tail, and the belly back to the nose. A point of the tail is given from its
// root, along and across it.
const (
	bodySteps = 12
	tailWidth = 0.04
	landmarks = 2*bodySteps + 1 + 9
)

var tail = [9][2]float64{
	{0.13, 0.06}, {0.27, 0.11}, {0.40, 0.18}, {0.36, 0.09}, {0.33, 0}, {0.36, -0.09}, {0.40, -0.18}, {0.27, -0.11}, {0.13, -0.06},
}

// FishOutline returns the outline of a fish that swims to the left as 34 landmarks x1, y1, x2, y2, ...: nose, back, tail, belly. The body
// is length long about the origin and belly high on either side where it is highest; the tail, of length 0.4, is turned about its root by
// bend radians.
func FishOutline(length, belly, bend float64) []float64 {
	row := make([]float64, 0, 2*landmarks)
	side := func(s float64) float64 { return 2.6*belly*math.Sqrt(s)*(1-s) + tailWidth*s }
	for i := range bodySteps + 1 {
		s := float64(i) / bodySteps
		row = append(row, length*(s-0.5), side(s))
	}
	sin, cos := math.Sincos(bend)
	for _, p := range tail {
		row = append(row, length/2+cos*p[0]-sin*p[1], sin*p[0]+cos*p[1])
	}
	for i := bodySteps; i > 0; i-- {
		s := float64(i) / bodySteps
		row = append(row, length*(s-0.5), -side(s))
	}
	return row
}

// FishOutlines draws m outlines of fish as FishOutline makes them, m x 68: lengths from N(1, 0.1^2), bellies from N(0.2, 0.04^2), bends
// from N(0, 0.5^2), and on each coordinate noise of standard deviation 0.003, as of a hand that marks the landmarks. The outlines lie as
// they were made, so nothing has to be aligned. Target is the bend, the part of the truth that is not linear.
func FishOutlines(m int, seed uint64) Set {
	s := generated("FishOutlines", m, seed)
	s.Name = "fish outlines"
	if err := checkRows("datasets.FishOutlines", m, 2*landmarks); err != nil {
		return s.fail(err)
	}
	rng := generator(seed, 0x66696e73) // "fins"
	s.X, s.Target, s.TargetName = mat.NewDense(m, 2*landmarks, nil), make([]float64, m), "bend"
	for i := range m {
		length, belly := 1+0.1*rng.NormFloat64(), 0.2+0.04*rng.NormFloat64()
		s.Target[i] = 0.5 * rng.NormFloat64()
		row := FishOutline(length, belly, s.Target[i])
		for j := range row {
			row[j] += 0.003 * rng.NormFloat64()
		}
		s.X.SetRow(i, row)
	}
	for j := range landmarks {
		s.FeatureNames = append(s.FeatureNames, "x"+strconv.Itoa(j+1), "y"+strconv.Itoa(j+1))
	}
	return s
}
