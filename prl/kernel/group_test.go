package kernel

import (
	"fmt"
	"math/rand/v2"
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
