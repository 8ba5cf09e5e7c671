package kernel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/sparse"
)

// Gram and Cross work on many rows at once and give the bits of rows one by one, on both sides of the borders between blocks.
func TestGramIsRows(t *testing.T) {
	const n, d = 1100, 5
	r := rand.New(rand.NewPCG(12, 1))
	X := mat.NewDense(n, d, nil)
	for i := range X.RawMatrix().Data {
		X.RawMatrix().Data[i] = r.NormFloat64()
	}
	Z := X.Slice(0, 37, 0, d)
	for _, k := range []Kernel{
		Linear{},
		Poly{Degree: 3, Gamma: 0.5, Coef0: 1},
		RBF{Gamma: 0.3},
		Sigmoid{Gamma: 0.1, Coef0: -1},
		Laplacian{Gamma: 0.2},
	} {
		share.Eagerly(func() {
			G, err := Gram(k, X)
			if err != nil {
				t.Fatal(err)
			}
			C, err := Cross(k, Z, X)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := NewRows(k, X, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, n)
			for i := range n {
				rows.Fill(want, i, 0, n)
				for j, v := range want {
					if i != j && math.Float64bits(G.At(i, j)) != math.Float64bits(v) {
						t.Fatalf("%v: entry (%d, %d) of the Gram matrix is %v, of the row %v", k, i, j, G.At(i, j), v)
					}
					if i < 37 && math.Float64bits(C.At(i, j)) != math.Float64bits(v) {
						t.Fatalf("%v: entry (%d, %d) of the cross matrix is %v, of the row %v", k, i, j, C.At(i, j), v)
					}
				}
				if exact := k.Eval(X.RawRowView(i), X.RawRowView(i)); math.Abs(G.At(i, i)-exact) > 1e-12*(1+math.Abs(exact)) {
					t.Fatalf("%v: K(x, x) is %v, want %v", k, G.At(i, i), exact)
				}
			}
		})
	}
}

// With many columns squared distances come from products. They are right to the bound that Gram tells, also for rows that lie close
// together far from the mean, alone or all of them; a row and its copy have the kernel 1, and the entries do not depend on what else is in
// the matrices.
func TestWideDistances(t *testing.T) {
	const n, m = 600, 70
	for _, d := range []int{64, 67, 300} {
		r := rand.New(rand.NewPCG(12, uint64(d)))
		for _, what := range []struct {
			name         string
			away, spread func(i int) float64
		}{
			{"about the origin", func(int) float64 { return 0 }, func(int) float64 { return 1 }},
			{"far from the origin", func(int) float64 { return 1e6 }, func(int) float64 { return 1 }},
			{"in two heaps", func(i int) float64 { return 50 * float64(i%2) }, func(int) float64 { return 1 }},
			{"a few pairs", func(i int) float64 { return 0 }, func(i int) float64 { return []float64{1, 1e-6}[i%40/39] }},
			{"too long to be squared", func(int) float64 { return 0 }, func(i int) float64 { return []float64{1, 1e160}[i%100/99] }},
		} {
			X := mat.NewDense(n, d, nil)
			for i := range n {
				row := X.RawRowView(i)
				if i > 0 && what.spread(i) < 1 { // near the row before
					copy(row, X.RawRowView(i-1))
				}
				for j := range row {
					row[j] += what.away(i) + what.spread(i)*r.NormFloat64()
				}
			}
			copy(X.RawRowView(n-1), X.RawRowView(1)) // one row twice
			k := RBF{Gamma: 0.5 / float64(d)}
			G, err := Gram(k, X)
			if err != nil {
				t.Fatal(err)
			}
			C, err := Cross(k, X.Slice(0, m, 0, d), X)
			if err != nil {
				t.Fatal(err)
			}
			if G.At(1, n-1) != 1 || C.At(1, n-1) != 1 || C.At(2, 2) != 1 {
				t.Errorf("%s: a row and its copy have the kernels %v, %v and %v", what.name, G.At(1, n-1), C.At(1, n-1), C.At(2, 2))
			}
			for i := range n {
				for j := i; j < n; j++ {
					square := 0.0
					for c, v := range X.RawRowView(i) {
						square += (v - X.At(j, c)) * (v - X.At(j, c))
					}
					got, want := G.At(i, j), math.Exp(-k.Gamma*square)
					if miss := math.Abs(got - want); !(miss <= want*(k.Gamma*square*float64(d+8)/closeness*0x1p-52+0x1p-50)) && want > 1e-300 {
						t.Fatalf("%s: entry (%d, %d) is %v, want %v", what.name, i, j, got, want)
					}
					if i < m && math.Float64bits(C.At(i, j)) != math.Float64bits(got) {
						t.Fatalf("%s: entry (%d, %d) is %v in the Gram and %v in the cross matrix", what.name, i, j, got, C.At(i, j))
					}
				}
			}
		}
	}
}

// The inner products of rows without their zeros are those of the dense rows, and other kernels take such rows too.
func TestGramOfSparseRows(t *testing.T) {
	r, X := rand.New(rand.NewPCG(13, 1)), mat.NewDense(50, 90, nil)
	for range 400 {
		X.Set(r.IntN(50), r.IntN(90), r.NormFloat64())
	}
	for _, k := range []Kernel{Linear{}, RBF{Gamma: 0.1}, Poly{Degree: 2, Gamma: 1}} {
		want, err := Gram(k, X)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Gram(k, sparse.Of(X)); err != nil || !mat.EqualApprox(got, want, 1e-12) {
			t.Errorf("%v: the values differ, %v", k, err)
		}
	}
	X.Set(3, 4, math.NaN())
	if _, err := Gram(Linear{}, sparse.Of(X)); err == nil || !strings.Contains(err.Error(), "X[3, 4]") {
		t.Error(err)
	}
}

// Where few rows meet many points, each goroutine packs points of its own. The matrix is bit for bit that of one goroutine, also where
// squared distances come from products and where points lie so close that they do not.
func TestCrossOfFewRows(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	r := rand.New(rand.NewPCG(39, 2))
	for _, d := range []int{5, broad + 3} {
		X := mat.NewDense(1500, d, nil)
		for i := range X.RawMatrix().Data {
			X.RawMatrix().Data[i] = 100 + r.NormFloat64()
		}
		for i := 700; i < 800; i++ { // close to row 1
			X.SetRow(i, X.RawRowView(1))
			X.Set(i, 0, X.At(i, 0)+1e-9*r.Float64())
		}
		for _, m := range []int{1, 3, 40, 70} {
			Z := X.Slice(0, m, 0, d)
			for _, k := range []Kernel{Poly{Degree: 2, Gamma: 0.1, Coef0: 1}, RBF{Gamma: 0.01}, Laplacian{Gamma: 0.02}} {
				want, err := Cross(k, Z, X)
				if err != nil {
					t.Fatal(err)
				}
				share.Eagerly(func() {
					if got, err := Cross(k, Z, X); err != nil || !mat.Equal(got, want) {
						t.Errorf("%v, %d rows of %d columns: several goroutines find another matrix (%v)", k, m, d, err)
					}
				})
			}
		}
	}
}
