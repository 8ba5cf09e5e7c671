package kernel

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/fault"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

func errorOf[T any](_ T, err error) error { return err }

// Each kernel at (1, 2) and (3, -1): inner product 1, squared distance 13, sum of distances 5.
func TestValuesByHand(t *testing.T) {
	a, b := []float64{1, 2}, []float64{3, -1}
	for _, c := range []struct {
		k    Kernel
		want float64
	}{
		{Linear{}, 1},
		{Poly{3, 0.5, 1}, 3.375},
		{Poly{2, 3, 0}, 9},
		{RBF{0.1}, math.Exp(-1.3)},
		{Width(2), math.Exp(-13.0 / 8)},
		{Laplacian{0.1}, math.Exp(-0.5)},
		{Sigmoid{2, -1}, math.Tanh(1)},
		{Boolean{}, 4 * -1},
		{Sum(Linear{}, Poly{2, 3, 0}), 10},
		{Product(Linear{}, Poly{2, 3, 0}), 9},
		{Scale(4, Linear{}), 4},
		{Normalize(Linear{}), 1 / math.Sqrt(50)},
		{Polynomial(Poly{1, 2, 0}, 1, 3, 0, 5), 1 + 6 + 40},
		{Exp(Linear{}), math.E},
		{Difference(Linear{}, Poly{2, 3, 0}), -8},
		{Conformal(func(x []float64) float64 { return x[0] }, Linear{}), 3},
	} {
		near(t, c.k.String(), c.k.Eval(a, b), c.want, 1e-14)
		near(t, c.k.String()+", the other way", c.k.Eval(b, a), c.want, 1e-14)
	}
	near(t, "Brownian", Brownian{}.Eval([]float64{1, 0.5}, []float64{0.25, 2}), 0.125, 0)
	near(t, "its series", BrownianSeries(0.3, 0.7, 20000), 0.3, 1e-4)
	near(t, "normalised at zero", Normalize(Linear{}).Eval([]float64{0, 0}, b), 0, 0)
	near(t, "normalised where there is no length", Normalize(Scale(0, Linear{})).Eval(a, b), 0, 0)
	near(t, "distance", Distance(Linear{}, a, b), math.Sqrt(13), 1e-15)
	D := Distances(mat.NewSymDense(2, []float64{5, 1, 1, 10}))
	near(t, "distances", D.At(0, 1), math.Sqrt(13), 1e-15)
	near(t, "distance from itself", D.At(1, 1), 0, 0)
	if !math.IsNaN(Precomputed{}.Eval(a, b)) {
		t.Error("a precomputed kernel knows points")
	}
	near(t, "2-grams", KGrams(2)("banana", "nana"), 2*2+2*1, 0) // an: 2 and 1, na: 2 and 2
	near(t, "characters", KGrams(0)("aab", "ab"), 3, 0)
	near(t, "too short", KGrams(3)("ab", "ab"), 0, 0)
}

// (x y + 1)^2 on the line is 1 + 2 x y + x^2 y^2; in the plane (a b)^2 has the monomials x1^2, x1 x2, x2^2.
func TestFeaturesByHand(t *testing.T) {
	for want, k := range map[string]Poly{"[x1^2 1.414 x1 1] [1 1.4142 1]": {2, 1, 1}, "[1.732 x1] [1.7321]": {1, 3, 0}} {
		m, err := Features(k, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%v %.5v", m.Names(), m.Factors); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	m, err := Features(Poly{2, 1, 0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %.5v", m.Names(), m.At([]float64{3, 5})); got != "[x1^2 1.414 x1 x2 x2^2] [9 21.213 25]" {
		t.Error(got)
	}
	for _, c := range [][3]int{{1, 1, 2}, {2, 3, 10}, {10, 2, 66}, {5, 0, 1}, {1000, 1000, math.MaxInt}} {
		if got := Monomials(c[0], c[1]); got != c[2] {
			t.Errorf("%d variables, degree %d: %d monomials, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestSpectrumByHand(t *testing.T) {
	d, err := PSD(mat.NewSymDense(3, []float64{2, 0, 0, 0, -1, 0, 0, 0, 0}), 0.25)
	if err != nil || d.Min != -1 || d.Max != 2 || d.Rank != 1 || d.Tolerance != 0.5 || d.SemiDefinite {
		t.Errorf("%+v (%v)", d, err)
	}
	if d, err = PSD(mat.NewSymDense(2, []float64{1, 0, 0, -0.25}), 0.25); err != nil || !d.SemiDefinite {
		t.Errorf("%+v (%v)", d, err)
	}
	K := mat.NewSymDense(2, []float64{1, 2, 2, 7})
	C := Centre(K) // row means 1.5 and 4.5, of all 3
	if C.At(0, 0) != 1 || C.At(0, 1) != -1 || C.At(1, 1) != 1 {
		t.Errorf("centred %v", mat.Formatted(C))
	}
	cross, err := CentreCross(mat.NewDense(1, 2, []float64{4, 8}), K)
	if err != nil || cross.At(0, 0) != -0.5 || cross.At(0, 1) != 0.5 {
		t.Errorf("centred %v (%v)", cross, err)
	}
}

// Point gives back the coordinates, in the order of the rows after they were exchanged.
func TestPoints(t *testing.T) {
	X := points(8, 20, 3)
	for _, k := range []Kernel{Linear{}, RBF{1}, Laplacian{1}, Boolean{}} {
		r, err := NewRows(k, X, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Swap(2, 17)
		for i := range 20 {
			from := map[int]int{2: 17, 17: 2}[i]
			if from == 0 {
				from = i
			}
			point := make([]float64, 3)
			r.Point(point, i)
			for j, v := range point {
				near(t, fmt.Sprintf("%s: point %d", k, i), v, X.At(from, j), 0)
			}
			near(t, "diagonal", r.Diag(i), k.Eval(X.RawRowView(from), X.RawRowView(from)), 1e-12*(1+math.Abs(r.Diag(i))))
		}
	}
}

// All kernels of the package can stand in a stored model.
func TestStored(t *testing.T) {
	type model struct{ K Kernel }
	for _, k := range []Kernel{
		Linear{},
		Poly{2, 1, 1},
		RBF{1},
		Laplacian{1},
		Sigmoid{1, 1},
		Boolean{},
		Brownian{},
		Precomputed{},
		Sum(Linear{}), Product(RBF{1}), Scale(2, Linear{}),
		Normalize(Linear{}), Polynomial(Linear{}, 1), Exp(Linear{}),
	} {
		var back model
		if data, err := estimator.Encode("k", 1, model{k}); err != nil {
			t.Errorf("%s: %v", k, err)
		} else if err := estimator.Decode(data, "k", 1, &back); err != nil || back.K.String() != k.String() {
			t.Errorf("%s became %v (%v)", k, back.K, err)
		}
	}
}

func TestSettings(t *testing.T) {
	X := points(1, 4, 2)
	nan, inf := math.NaN(), math.Inf(1)
	for want, k := range map[string]Kernel{
		"Kernel is nil": nil, "degree is 0": Poly{0, 1, 1}, "constant is -1": Poly{2, 1, -1}, "constant is NaN": Poly{2, 1, nan},
		"polynomial constant is +Inf": Poly{2, 1, inf},
		"polynomial gamma is 0":       Poly{2, 0, 1}, "RBF gamma is -1": RBF{-1}, "RBF gamma is NaN": RBF{nan},
		"Laplacian gamma is +Inf": Laplacian{inf},
		"sigmoid constant is NaN": Sigmoid{1, nan}, "sigmoid constant is +Inf": Sigmoid{1, inf}, "sigmoid gamma is 0": Sigmoid{0, 1},
		"sum of kernels is empty": Sum(), "product of kernels is empty": Product(), "with a precomputed part": Sum(Linear{}, Precomputed{}),
		"RBF gamma is 0":      Product(Linear{}, RBF{}),
		"kernel factor is -1": Scale(-1, Linear{}), "kernel factor is +Inf": Scale(inf, Linear{}), "Laplacian gamma is 0": Scale(1, Laplacian{}),
		"RBF gamma is -2":      Normalize(RBF{-2}),
		"without coefficients": Polynomial(Linear{}), "coefficient 1 of the polynomial is -1": Polynomial(Linear{}, 1, -1),
		"coefficient 0 of the polynomial is NaN": Polynomial(Linear{}, nan),
		"RBF gamma is -3":                        Polynomial(RBF{-3}, 1), "RBF gamma is -4": Exp(RBF{-4}),
	} {
		for name, err := range map[string]error{"Check": Check("f", k), "Gram": errorOf(Gram(k, X)), "Cross": errorOf(Cross(k, X, X))} {
			var a *fault.ArgumentError
			if !errors.As(err, &a) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	}
	for _, k := range []Kernel{Poly{1, 1, 0}, Scale(0, Linear{}), Polynomial(Linear{}, 0), Sigmoid{1, -5}} {
		if err := Check("f", k); err != nil {
			t.Error(err)
		}
	}
	K := mat.NewSymDense(2, []float64{1, nan, nan, 1})
	estimatortest.Refused(t, map[string]error{
		"Features: polynomial degree is 0": errorOf(Features(Poly{}, 2)),
		"Features: d is 0":                 errorOf(Features(Poly{1, 1, 1}, 0)),
		"number of features is":            errorOf(Features(Poly{10, 1, 1}, 30)),
		"PSD: tol is -1":                   errorOf(PSD(mat.NewSymDense(1, nil), -1)),
		"PSD: tol is +Inf":                 errorOf(PSD(mat.NewSymDense(1, nil), inf)),
		"PSD: tol is NaN":                  errorOf(PSD(mat.NewSymDense(1, nil), nan)),
		"Spectrum: K is empty":             errorOf(Spectrum(nil)),
		"Spectrum: X[0, 1] is NaN":         errorOf(PSD(K, 0)),
		"CentreCross: C is 1 x 3":          errorOf(CentreCross(mat.NewDense(1, 3, nil), K)),
		"GramOf: items is empty":           errorOf(GramOf(nil, KGrams(1))),
		"Cross: Z is 1 x 3":                errorOf(Cross(Linear{}, mat.NewDense(1, 3, nil), X)),
		"Cross: Kernel is precomputed":     errorOf(Cross(Precomputed{}, X, X)),
		"Cross: X is nil":                  errorOf(Cross(Linear{}, X, nil)),
	})
}
