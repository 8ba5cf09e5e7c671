package optim

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func TestNLMS(t *testing.T) {
	w := []float64{1, -1}
	if e := NLMS(w, []float64{2, 1}, 4, 1); e != 3 || math.Abs(w[0]-2.2)+math.Abs(w[1]+0.4) > 1e-15 {
		t.Error(e, w)
	}
	r := draws(11)
	for range 1000 {
		lambda := 2.5 * r.Float64()
		pair := func() []float64 { return []float64{r.NormFloat64(), r.NormFloat64()} }
		truth, w, x := pair(), pair(), pair()
		before := math.Pow(floats.Distance(w, truth, 2), 2)
		e := NLMS(w, x, floats.Dot(truth, x), lambda)
		near(t, "error afterwards", floats.Dot(truth, x)-floats.Dot(w, x), (1-lambda)*e, 1e-12)
		near(t, "distance", math.Pow(floats.Distance(w, truth, 2), 2), before-lambda*(2-lambda)*e*e/floats.Dot(x, x), 1e-11)
	}
	w = []float64{1, 2}
	if NLMS(w, []float64{0, 0}, 3, 1); w[0] != 1 || w[1] != 2 {
		t.Error("x = 0 moves the weights:", w)
	}
	if LMS(w, []float64{1, 1}, 4, 0.5); w[0] != 1.5 || w[1] != 2.5 {
		t.Error(w)
	}
}

// TestRLS compares with the normal equations of all examples, with ridge and forgetting.
func TestRLS(t *testing.T) {
	r := draws(12)
	for _, forget := range []float64{1, 0.95} {
		rls, err := NewRLS(3, forget, 100)
		if err != nil {
			t.Fatal(err)
		}
		A, b := mat.NewSymDense(3, []float64{0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}), mat.NewVecDense(3, nil)
		for range 60 {
			x := []float64{r.NormFloat64(), r.NormFloat64(), 1}
			z := 2*x[0] - x[1] + 0.1*r.NormFloat64()
			if _, err := rls.Update(x, z); err != nil {
				t.Fatal(err)
			}
			A.ScaleSym(forget, A)
			b.ScaleVec(forget, b)
			A.SymRankOne(A, 1, mat.NewVecDense(3, x))
			b.AddScaledVec(b, z, mat.NewVecDense(3, x))
			var w mat.VecDense
			_ = w.SolveVec(A, b)
			near(t, "weights", floats.Distance(w.RawVector().Data, rls.W, 2), 0, 1e-10)
		}
	}
	quiet, _ := NewRLS(2, 0.9, 1) // one direction is never excited
	for range 10000 {
		if _, err := quiet.Update([]float64{1, 0}, 1); err != nil {
			t.Fatal(err)
		}
	}
	if !finite(quiet.W) || !finite(quiet.P.RawSymmetric().Data) || math.Abs(quiet.W[0]-1) > 1e-9 {
		t.Error("wound up:", quiet.W, mat.Formatted(quiet.P))
	}
	for _, f := range []func() error{
		func() error { _, err := NewRLS(0, 1, 1); return err }, func() error { _, err := NewRLS(1, 1.1, 1); return err },
		func() error { _, err := NewRLS(1, 1, 0); return err }, func() error { _, err := quiet.Update([]float64{1}, 1); return err },
		func() error { _, err := quiet.Update([]float64{1, math.NaN()}, 1); return err },
		func() error { _, err := NewKalman(nil, 1); return err },
		func() error { _, err := NewKalman([]float64{1}, -1); return err },
	} {
		if f() == nil {
			t.Error("a wrong argument is taken")
		}
	}
}

// TestKalman compares each move with one of Gauss-Newton that solves its normal equations, and a pass with least squares over all examples.
func TestKalman(t *testing.T) {
	r, truth := draws(13), []float64{0.8, -0.5, 0.3}
	k, err := NewKalman(make([]float64, 3), 10)
	if err != nil {
		t.Fatal(err)
	}
	w, A := make([]float64, 3), mat.NewSymDense(3, []float64{0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1})
	var xs [][]float64
	var zs []float64
	for range 30 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		z := math.Tanh(floats.Dot(truth, x)) + 0.05*r.NormFloat64()
		xs, zs = append(xs, x), append(zs, z)
		h := math.Tanh(floats.Dot(k.State(), x))
		c := make([]float64, 3)
		floats.AddScaled(c, 1-h*h, x)
		if err := k.Update(c, h, z); err != nil {
			t.Fatal(err)
		}
		A.SymRankOne(A, 1, mat.NewVecDense(3, c))
		var move mat.VecDense
		_ = move.SolveVec(A, mat.NewVecDense(3, c))
		floats.AddScaled(w, z-h, move.RawVector().Data)
		near(t, "a move", floats.Distance(w, k.State(), 2), 0, 1e-10)
	}
	batch, err := LeastSquares(context.Background(), Residuals{Value: func(w []float64) (res []float64) {
		for i, x := range xs {
			res = append(res, math.Tanh(floats.Dot(w, x))-zs[i])
		}
		for _, v := range w {
			res = append(res, v/math.Sqrt(10)) // the prior
		}
		return res
	}}, make([]float64, 3), Options{})
	if err != nil || !batch.Converged() {
		t.Fatal(batch, err)
	}
	if d := floats.Distance(batch.X, w, 2); d < 1e-3 || d > 0.5 {
		t.Errorf("one pass ends at %v, least squares at %v", w, batch.X)
	}
}

// TestMeanSquare compares with the exact expectation over Gauss-Hermite nodes, three a coordinate, which is exact for fourth powers.
func TestMeanSquare(t *testing.T) {
	nodes, weights := []float64{-math.Sqrt(3), 0, math.Sqrt(3)}, []float64{1.0 / 6, 2.0 / 3, 1.0 / 6}
	root := mat.NewDense(2, 2, []float64{2, 0, 0.5, 1}) // R = root root'
	R := mat.NewSymDense(2, nil)
	R.SymOuterK(1, root)
	K := mat.NewSymDense(2, []float64{1, -0.3, -0.3, 2})
	const step = 0.13
	want := mat.NewDense(2, 2, nil)
	for i, a := range nodes {
		for j, b := range nodes {
			x := mat.NewVecDense(2, nil)
			x.MulVec(root, mat.NewVecDense(2, []float64{a, b}))
			var M, MK, MKM mat.Dense
			M.Outer(-step, x, x)
			M.Set(0, 0, 1+M.At(0, 0))
			M.Set(1, 1, 1+M.At(1, 1))
			MK.Mul(&M, K)
			MKM.Mul(&MK, M.T())
			MKM.Scale(weights[i]*weights[j], &MKM)
			want.Add(want, &MKM)
		}
	}
	if got := MeanSquare(K, R, step); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
	near(t, "limit, one weight", MeanSquareLimit([]float64{1}), 2.0/3, 1e-12)
	limit := MeanSquareLimit([]float64{4, 1})
	near(t, "limit, R = diag(4, 1)", limit, 0.160973, 5e-7)
	R = mat.NewSymDense(2, []float64{4, 0, 0, 1})
	for _, c := range []struct {
		step float64
		down bool
	}{{limit * 0.999, true}, {limit * 1.001, false}} {
		K := mat.NewSymDense(2, []float64{1, 0, 0, 1})
		for range 20000 {
			K = MeanSquare(K, R, c.step)
		}
		if (mat.Trace(K) < 1) != c.down {
			t.Errorf("step %g: trace %g", c.step, mat.Trace(K))
		}
	}
}

// TestExtremeExamples moves weights by examples whose squared length is no number that a computer has.
func TestExtremeExamples(t *testing.T) {
	for _, scale := range []float64{1e-200, 1, 1e200} {
		w := []float64{0, 0}
		NLMS(w, []float64{3 * scale, 4 * scale}, 5*scale, 1)
		if math.Abs(w[0]-0.6) > 1e-15 || math.Abs(w[1]-0.8) > 1e-15 {
			t.Errorf("scale %v: weights %v", scale, w)
		}
	}
	for _, r := range [][]float64{nil, {0}, {-1, 1}, {math.NaN()}, {math.Inf(1)}} {
		if v := MeanSquareLimit(r); !math.IsNaN(v) {
			t.Errorf("eigenvalues %v have the limit %v", r, v)
		}
	}
}
