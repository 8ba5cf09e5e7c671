package estimate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/prl/estimate"
)

func ExampleLedoitWolf() {
	X := mat.NewDense(4, 2, []float64{1, 2, 2, 1, 3, 5, 4, 4})
	cov, share, err := estimate.LedoitWolf(X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("share %.4f, covariance %.4f\n", share, []float64{cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)})
	// Output: share 0.2160, covariance [1.3850 0.9800 2.3650]
}

// On draws of a known law the automatic share comes close to the least squared error that any share has, and is better than none.
func TestLedoitWolfIsNearTheBestShare(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n, d, draws = 60, 40, 40
	var none, auto, best float64
	errors := make([]float64, 51)
	for range draws {
		X := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				X.Set(i, j, math.Sqrt(1+float64(j)/4)*r.NormFloat64())
			}
		}
		far := func(S mat.Matrix) (sum float64) {
			for i := range d {
				for j := range d {
					truth := 0.0
					if i == j {
						truth = 1 + float64(j)/4
					}
					sum += (S.At(i, j) - truth) * (S.At(i, j) - truth)
				}
			}
			return sum
		}
		cov, s, err := estimate.LedoitWolf(X)
		if err != nil {
			t.Fatal(err)
		}
		if !(s >= 0 && s <= 1) {
			t.Fatalf("share %g", s)
		}
		auto += far(cov)
		S := mat.NewSymDense(d, nil)
		stat.CovarianceMatrix(S, X, nil)
		S.ScaleSym(float64(n-1)/n, S)
		m := mat.Trace(S) / d
		none += far(S)
		for k := range errors {
			a := float64(k) / 50
			A := mat.NewSymDense(d, nil)
			A.ScaleSym(1-a, S)
			for j := range d {
				A.SetSym(j, j, A.At(j, j)+a*m)
			}
			errors[k] += far(A)
		}
	}
	best = errors[0]
	for _, e := range errors {
		best = min(best, e)
	}
	if !(auto < 0.5*none && auto < 1.15*best) {
		t.Errorf("squared errors: none %g, automatic %g, best constant share %g", none/draws, auto/draws, best/draws)
	}
}

func TestLedoitWolfRefusals(t *testing.T) {
	for _, X := range []mat.Matrix{nil, mat.NewDense(1, 2, []float64{1, math.NaN()}), mat.NewDense(2, 2, []float64{1e200, 0, 0, 1e200})} {
		if _, _, err := estimate.LedoitWolf(X); err == nil {
			t.Errorf("%v was taken", X)
		}
	}
	if _, s, err := estimate.LedoitWolf(mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2})); err != nil || s != 0 {
		t.Errorf("rows that do not vary: %g, %v", s, err)
	}
}
