package bayes

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
)

// Means and variances of many rows come from one pass about the means of the first rows. Here the columns lie far from zero, one rises from
// row to row, and one is constant but for its first rows; rows have weights, and the first rows next to none. Two passes of the textbook
// are the reference.
func TestMomentsOfManyRows(t *testing.T) {
	momentsOfManyRows(t, 1)
	momentsOfManyRows(t, 1e-14)
}

// momentsOfManyRows multiplies the weights of the first rows by a factor.
func momentsOfManyRows(t *testing.T, factor float64) {
	const n, d = 30_000, 3
	r := rand.New(rand.NewPCG(39, 1))
	X, y, weights := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range y {
		y[i], weights[i] = i%3%2, 0.5+r.Float64() // two thirds of the rows are of class 0
		X.SetRow(i, []float64{1e6 + r.NormFloat64(), float64(i) + r.NormFloat64(), 1e-3 * r.NormFloat64()})
		if i < 900 {
			X.Set(i, 2, 1000)
		}
		if i < 3*firstRows {
			weights[i] *= factor
		}
	}
	fit := func() *moments {
		m, err := newMoments("test", t.Context(), X, y, Options{Weights: weights}, true)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := fit()
	var again *moments
	share.Eagerly(func() { again = fit() })
	for c := range 2 {
		for j := range d {
			count, mean, square := 0.0, 0.0, 0.0
			for i, k := range y {
				if k == c {
					count += weights[i]
					mean += weights[i] * X.At(i, j)
				}
			}
			mean /= count
			for i, k := range y {
				if k == c {
					square += weights[i] * math.Pow(X.At(i, j)-mean, 2)
				}
			}
			if got, want := m.scatter[c][j]/m.count[c], square/count; math.Abs(got-want) > 1e-11*want {
				t.Errorf("factor %g, class %d: variance %d is %v, not %v", factor, c, j, got, want)
			}
			if got := m.mean[c][j]; math.Abs(got-mean) > 1e-12*(math.Abs(mean)+math.Sqrt(square/count)) {
				t.Errorf("class %d: mean %d is %v, not %v", c, j, got, mean)
			}
			if again.mean[c][j] != m.mean[c][j] || again.scatter[c][j] != m.scatter[c][j] {
				t.Errorf("class %d: the moments of column %d depend on the number of goroutines", c, j)
			}
		}
	}
}

// Classes of one mean have no direction between them, and no share of one.
func TestCoordinatesOfEqualMeans(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{1, 0, -1, 0, 0, 1, 1, 0, -1, 0, 0, 1})
	m, err := FitLDA(t.Context(), X, []int{0, 0, 0, 1, 1, 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, s, share, err := m.Coordinates(6); err != nil || s[0] != 0 || share[0] != 0 {
		t.Errorf("size %v, share %v, error %v", s, share, err)
	}
}

// Numbers whose squares overflow or vanish ask for another unit; nothing is constant there.
func TestVariancesWithoutNumber(t *testing.T) {
	for _, unit := range []float64{1e-160, 1e160} {
		X := mat.NewDense(4, 1, []float64{unit, 2 * unit, 3 * unit, 5 * unit})
		if _, err := FitGaussianNB(t.Context(), X, []int{0, 0, 1, 1}, Options{}); err == nil || !strings.Contains(err.Error(), "another unit") {
			t.Errorf("unit %g: %v", unit, err)
		}
	}
}
