package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Rows of a group are those found one by one, to the last bit.
func TestFillGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	const n, d = 700, 9
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
	}
	for _, k := range []Kernel{Linear{}, Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, Sigmoid{Gamma: 0.1}, RBF{Gamma: 0.3}} {
		rows, err := NewRows(k, x, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !rows.Grouped() {
			t.Fatalf("%v is not grouped", k)
		}
		for _, span := range [][2]int{{0, n}, {0, 1}, {3, 300}, {255, 257}, {699, 700}, {512, 600}} {
			from, to := span[0], span[1]
			places := []int{5, 0, 699, 5, 300}
			got := make([][]float32, len(places))
			for g := range got {
				got[g] = make([]float32, to-from)
			}
			FillGroup(rows, got, places, from)
			for g, i := range places {
				want := make([]float32, to-from)
				rows.FillSingle(want, i, from, to)
				if fmt.Sprint(got[g]) != fmt.Sprint(want) {
					t.Fatalf("%v, places %d ... %d: row %d differs", k, from, to, i)
				}
			}
		}
	}
	if rows, err := NewRows(Laplacian{Gamma: 1}, x, nil, nil); err != nil || rows.Grouped() {
		t.Errorf("the Laplacian kernel is grouped (%v)", err)
	}
}

// Reset in any memory, of more points or fewer, longer or shorter, and of another kind of kernel, is NewRows.
func TestReset(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 1))
	kernels := []Kernel{
		Linear{},
		RBF{Gamma: 0.3},
		Laplacian{Gamma: 0.2},
		Precomputed{},
		Func("sum", func(a, b []float64) float64 { return a[0] + b[0] }),
		Poly{Degree: 2, Gamma: 1, Coef0: 1},
	}
	var rows Rows
	for trial := range 60 {
		k, n, d := kernels[r.IntN(len(kernels))], 1+r.IntN(40), 1+r.IntN(30)
		var origin []float64
		if _, whole := k.(Precomputed); whole {
			d = n
		} else if trial%2 == 0 {
			origin = make([]float64, d)
			for j := range origin {
				origin[j] = r.NormFloat64()
			}
		}
		X := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				X.Set(i, j, r.NormFloat64())
			}
		}
		index := r.Perm(n)[:1+r.IntN(n)]
		want, err := NewRows(k, X, index, origin)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Reset(k, X, index, origin); err != nil {
			t.Fatal(err)
		}
		m := len(index)
		if rows.Len() != m || rows.Dim() != d {
			t.Fatalf("trial %d: %d points of %d numbers, want %d of %d", trial, rows.Len(), rows.Dim(), m, d)
		}
		a, b := make([]float64, m), make([]float64, m)
		for i := range m {
			rows.Fill(a, i, 0, m)
			want.Fill(b, i, 0, m)
			if !slices.Equal(a, b) || rows.Diag(i) != want.Diag(i) {
				t.Fatalf("trial %d: row %d of %v is %v, want %v", trial, i, k, a, b)
			}
		}
	}
	if err := rows.Reset(Linear{}, mat.NewDense(2, 2, nil), []int{2}, nil); err == nil {
		t.Error("an index beyond the rows passes")
	}
}
