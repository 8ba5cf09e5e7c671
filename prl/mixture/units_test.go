package mixture

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestUnits fits the same data in other units: parameters scale with them, and the number of components stays.
func TestUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	n := 400
	x, y := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	const big, small = 1024, 1.0 / (1 << 20) // powers of two scale without rounding
	for i := range n {
		x.SetRow(i, []float64{random.NormFloat64() + 6*float64(i%2), random.NormFloat64()})
		y.SetRow(i, []float64{small * x.At(i, 0), big * x.At(i, 1)})
	}
	for _, kind := range []Covariance{Full, Diagonal, Tied} {
		a, err := FitGMM(context.Background(), x, GMMOptions{K: 2, Covariance: kind, Start: startAt(t, kind, 1, 1)})
		if err != nil {
			t.Fatal(err)
		}
		b, err := FitGMM(context.Background(), y, GMMOptions{K: 2, Covariance: kind, Start: startAt(t, kind, small, big)})
		if err != nil {
			t.Fatal(err)
		}
		for c := range 2 {
			for j, unit := range []float64{small, big} {
				if v, w := a.Means()[c][j]*unit, b.Means()[c][j]; math.Abs(v-w) > 1e-9*unit {
					t.Errorf("%s: mean %v in the unit %v, not %v", kind, w, unit, v)
				}
				if v, w := a.Covariances()[c][j][j]*unit*unit, b.Covariances()[c][j][j]; math.Abs(v-w) > 1e-9*unit*unit {
					t.Errorf("%s: variance %v in the unit %v, not %v", kind, w, unit, v)
				}
			}
		}
	}
	for _, scale := range []float64{1, 1e-4, 1e-8, 1e6} {
		z := mat.NewDense(n, 1, nil)
		for i := range n {
			z.Set(i, 0, scale*x.At(i, 0))
		}
		candidates, best, err := Select(context.Background(), z, 4, []Covariance{Full}, GMMOptions{})
		if err != nil || candidates[best].K != 2 {
			t.Errorf("scale %v: %d components, %v", scale, candidates[best].K, err)
		}
	}
}

func startAt(t *testing.T, kind Covariance, unit ...float64) *GMM {
	cov := [][]float64{{unit[0] * unit[0], 0}, {0, unit[1] * unit[1]}}
	m, err := NewGMM(GMMParameters{
		Weights: []float64{0.5, 0.5}, Means: [][]float64{{0, 0}, {6 * unit[0], 0}}, Covariances: [][][]float64{cov, cov}, Kind: kind,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestConstantColumn says that a column without variance, also one that has some by rounding only, does not end a fit.
func TestConstantColumn(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 3))
	x := mat.NewDense(100, 2, nil)
	for i := range 100 {
		x.SetRow(i, []float64{1e-3 * (random.NormFloat64() + 9*float64(i%2)), 0.1})
	}
	m, err := FitGMM(context.Background(), x, GMMOptions{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if v := m.Covariances()[0][1][1]; !(v > 1e-13 && v < 1e-10) {
		t.Errorf("the constant column has variance %v", v)
	}
	if _, err := FitGMM(context.Background(), mat.NewDense(5, 1, []float64{0.1, 0.1, 0.1, 0.1, 0.1}), GMMOptions{K: 1}); err != nil {
		t.Errorf("equal rows: %v", err)
	}
}
