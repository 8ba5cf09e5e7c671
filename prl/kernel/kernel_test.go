package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func points(seed uint64, n, d int) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, r.NormFloat64())
		}
	}
	return X
}

var kernels = []Kernel{
	Linear{},
	Poly{2, 1, 1},
	Poly{3, 0.5, 2},
	Poly{5, 0.5, 1},
	RBF{0.3},
	Laplacian{0.3},
	Sigmoid{0.2, -0.5},
	Sum(Linear{}, RBF{1}), Product(Poly{2, 1, 1}, RBF{0.5}), Scale(3, RBF{0.5}), Normalize(Poly{2, 1, 1}), Polynomial(Linear{}, 1, 0, 2),
	Exp(Linear{}), Conformal(func(x []float64) float64 { return 1 + x[0]*x[0] }, RBF{0.5}),
}

// The fast rows and the definition agree, in any order of points, and also for more than one span.
func TestRowsAgreeWithEval(t *testing.T) {
	X := points(1, 700, 3)
	for _, k := range kernels {
		r, err := NewRows(k, X, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		row, single, z := make([]float64, 700), make([]float32, 30), make([]float64, 700)
		r.Fill(row, 5, 0, 700)
		r.FillSingle(single, 5, 300, 330)
		r.Row(z, X.RawRowView(5))
		for j := range row {
			want := k.Eval(X.RawRowView(5), X.RawRowView(j))
			scale := math.Max(1, math.Abs(want))
			near(t, k.String(), row[j], want, 1e-13*scale)
			near(t, k.String()+" of a point", z[j], want, 1e-13*scale)
			if j >= 300 && j < 330 {
				near(t, k.String()+" in single precision", float64(single[j-300]), want, 1e-6*scale)
			}
		}
		block := make([]float64, 11*700)
		r.Block(block, X.RawMatrix().Data[:11*3], 11)
		for i := range 11 {
			r.Row(z, X.RawRowView(i))
			for j, want := range z {
				near(t, k.String()+" in a block", block[i*700+j], want, 0)
			}
		}
		r.Swap(5, 600)
		r.Fill(row, 600, 0, 700)
		near(t, k.String()+" after Swap", row[5], k.Eval(X.RawRowView(5), X.RawRowView(600)), 1e-13*math.Max(1, math.Abs(row[5])))
	}
}

// Cross is the definition, bit for bit what a row of Rows is, for more than one block of points.
func TestCross(t *testing.T) {
	X, Z := points(1, 2100, 3), points(2, 21, 3)
	for _, k := range kernels {
		C, err := Cross(k, Z, X)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRows(k, X, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, 2100)
		for i := range 21 {
			r.Row(row, Z.RawRowView(i))
			for j, same := range row {
				want := k.Eval(Z.RawRowView(i), X.RawRowView(j))
				near(t, k.String(), C.At(i, j), want, 1e-13*math.Max(1, math.Abs(want)))
				near(t, k.String()+" beside a row", C.At(i, j), same, 0)
			}
		}
	}
}

// Mercer: Gram matrices of kernels and of what is closed under building are positive semi-definite; three functions that are no kernels are
// found out.
func TestMercer(t *testing.T) {
	for seed := range uint64(10) {
		X := points(seed, 25, 2)
		for _, k := range kernels {
			if _, ok := k.(Sigmoid); ok {
				continue
			}
			G, err := Gram(k, X)
			if err != nil {
				t.Fatal(err)
			}
			if d, err := PSD(G, 1e-12); err != nil || !d.SemiDefinite {
				t.Errorf("%v: smallest eigenvalue %g, %v", k, d.Min, err)
			}
		}
	}
	X := points(3, 20, 2)
	for _, k := range []Kernel{Difference(Linear{}, RBF{1}), Func("-|a-b|^2",
		func(a, b []float64) float64 { return -math.Pow(Distance(Linear{}, a, b), 2) }), Sigmoid{1, -1}} {
		G, err := Gram(k, X)
		if err != nil {
			t.Fatal(err)
		}
		if d, _ := PSD(G, 1e-12); d.SemiDefinite {
			t.Errorf("%v passes as positive semi-definite", k)
		}
	}
}

// Course notes LN 12-06, FA 11: (1,2) and (3,4) have (<a,b> + 1)^2 = 144 = <phi(a), phi(b)>; in general the explicit map is the kernel.
func TestFeatures(t *testing.T) {
	near(t, "golden", Poly{2, 1, 1}.Eval([]float64{1, 2}, []float64{3, 4}), 144, 0)
	X := points(4, 6, 3)
	for _, k := range []Poly{{2, 1, 1}, {3, 0.5, 2}, {3, 1, 0}, {1, 1, 1}} {
		m, err := Features(k, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			for j := range 6 {
				a, b := X.RawRowView(i), X.RawRowView(j)
				near(t, k.String(), dot(m.At(a), m.At(b)), k.Eval(a, b), 1e-11)
			}
		}
		if k.Coef0 > 0 && m.Len() != Monomials(3, k.Degree) {
			t.Errorf("%v: %d features, want %d", k, m.Len(), Monomials(3, k.Degree))
		}
	}
	for _, c := range [][3]int{{2, 2, 6}, {3, 2, 10}, {10, 3, 286}, {100, 2, 5151}} { // LN 12-05
		if got := Monomials(c[0], c[1]); got != c[2] {
			t.Errorf("Monomials(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// FA 11-06: centring the matrix is centring the features; row sums vanish.
func TestCentre(t *testing.T) {
	X := points(5, 12, 3)
	k := Poly{2, 1, 1}
	m, _ := Features(k, 3)
	P, err := m.Transform(X)
	if err != nil {
		t.Fatal(err)
	}
	for j := range m.Len() {
		mean := 0.0
		for i := range 12 {
			mean += P.At(i, j) / 12
		}
		for i := range 12 {
			P.Set(i, j, P.At(i, j)-mean)
		}
	}
	G, _ := Gram(k, X)
	want, _ := Gram(Linear{}, P)
	got := Centre(G)
	if !mat.EqualApprox(got, want, 1e-11) {
		t.Error("centred Gram matrix differs from the Gram matrix of centred features")
	}
	C, err := CentreCross(G, G)
	if err != nil || !mat.EqualApprox(C, got, 1e-11) {
		t.Errorf("centring the cross matrix of the training points: %v", err)
	}
}

// LN 12-14: on {0,1}^3 the boolean kernel has rank 8.
func TestBooleanRank(t *testing.T) {
	X := mat.NewDense(8, 3, nil)
	for i := range 8 {
		X.SetRow(i, []float64{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2 & 1)})
	}
	G, _ := Gram(Boolean{}, X)
	d, err := PSD(G, 1e-12)
	if err != nil || d.Rank != 8 {
		t.Errorf("rank %d, want 8 (%v)", d.Rank, err)
	}
}

// CS 5.2-12: the Mercer series of min(s, t).
func TestBrownianSeries(t *testing.T) {
	for _, p := range [][2]float64{{0.2, 0.7}, {0.5, 0.5}, {1, 0.3}} {
		near(t, "min", BrownianSeries(p[0], p[1], 20000), Brownian{}.Eval(p[:1], p[1:]), 2e-5)
	}
}

func TestKGrams(t *testing.T) {
	k := KGrams(2)
	near(t, "banana, ananas", k("banana", "ananas"), 8, 0) // an 2x2 + na 2x2
	G, err := GramOf([]string{"banana", "ananas", "cat"}, k)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := PSD(G, 1e-12); !d.SemiDefinite {
		t.Error("the string kernel is not positive semi-definite")
	}
}

func TestDistances(t *testing.T) {
	X := points(6, 9, 2)
	k := Poly{2, 1, 1}
	m, _ := Features(k, 2)
	G, _ := Gram(k, X)
	D := Distances(G)
	for i := range 9 {
		for j := range 9 {
			want := Distance(Linear{}, m.At(X.RawRowView(i)), m.At(X.RawRowView(j)))
			near(t, "distance", D.At(i, j), want, 1e-7)
			near(t, "distance of two points", Distance(k, X.RawRowView(i), X.RawRowView(j)), want, 1e-7)
		}
	}
}

func TestErrors(t *testing.T) {
	X := points(7, 4, 2)
	for _, k := range []Kernel{
		nil,
		RBF{0},
		RBF{math.NaN()},
		Poly{0, 1, 1},
		Poly{2, 1, -1},
		Poly{2, 0, 1},
		Sigmoid{1, math.Inf(1)},
		Laplacian{-1},
		Scale(-1, Linear{}), Sum(), Sum(Linear{}, RBF{0}), Polynomial(Linear{}), Polynomial(Linear{}, 1, -1), Exp(nil), Normalize(nil),
		Product(Precomputed{}),
		Precomputed{},
	} {
		_, err := Gram(k, X)
		var argument *fault.ArgumentError
		if !errors.As(err, &argument) {
			t.Errorf("%v: %v, want an ArgumentError", k, err)
		}
	}
	if _, err := Cross(Linear{}, points(1, 3, 3), X); err == nil {
		t.Error("Cross takes points of another length")
	}
	if _, err := PSD(mat.NewSymDense(1, []float64{math.NaN()}), 1e-12); err == nil {
		t.Error("PSD takes NaN")
	}
	if _, err := Features(Poly{20, 1, 1}, 100); err == nil {
		t.Error("Features writes out billions of features")
	}
}

// A row is the same to the last bit however many goroutines share it.
func TestRowsDoNotDependOnThreads(t *testing.T) {
	r, err := NewRows(RBF{0.3}, points(8, 7001, 3), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	one, four := make([]float64, 6991), make([]float64, 6991)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r.Fill(one, 17, 10, 7001)
	runtime.GOMAXPROCS(4)
	share.Eagerly(func() { r.Fill(four, 17, 10, 7001) })
	for j := range one {
		if one[j] != four[j] {
			t.Fatalf("value %d differs: %g and %g", j, one[j], four[j])
		}
	}
}

// Neither do whole matrices.
func TestGramsDoNotDependOnThreads(t *testing.T) {
	X, Z := points(8, 601, 3), points(9, 43, 3)
	grams := func() (G *mat.SymDense, C *mat.Dense) {
		G, err := Gram(RBF{0.3}, X)
		if err != nil {
			t.Fatal(err)
		}
		if C, err = Cross(Poly{2, 1, 1}, Z, X); err != nil {
			t.Fatal(err)
		}
		return G, C
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	G, C := grams()
	runtime.GOMAXPROCS(4)
	share.Eagerly(func() {
		if G4, C4 := grams(); !mat.Equal(G, G4) || !mat.Equal(C, C4) {
			t.Error("the matrices of one goroutine and of four differ")
		}
	})
}
