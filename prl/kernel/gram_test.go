package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
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
	for _, k := range []Kernel{Linear{}, Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, RBF{Gamma: 0.3}, Sigmoid{Gamma: 0.1, Coef0: -1}, Laplacian{Gamma: 0.2}} {
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
