package svm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

// Points in pieces give the same bits as points in one, whatever room there is for them.
func TestPointsInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 7, 50} {
		X, z := mat.NewDense(500, d, nil), make([]float64, d)
		for i := range 500 {
			for j := range d {
				X.Set(i, j, random.NormFloat64())
				z[j] = random.NormFloat64()
			}
		}
		index := random.Perm(500)[:421]
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.1}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 1, Coef0: 1}, kernel.Laplacian{Gamma: 0.1}, kernel.Brownian{}} {
			whole, err := newPoints(k, X, index, nil)
			if err != nil || len(whole) != 1 {
				t.Fatal(len(whole), err)
			}
			want, got, x := make([]float64, 421), make([]float64, 421), make([]float64, d)
			whole.Row(want, z)
			for _, sizes := range [][]int{{40 * d}, {1, 96*d + d, 200 * d, 104 * d}, {216 * d, 200 * d}, {400 * d, 8 * d, 32 * d}, {424 * d}, {10000 * d}} {
				var room [][]float64
				for _, s := range sizes {
					room = append(room, make([]float64, s))
					for i := range room[len(room)-1] {
						room[len(room)-1][i] = -1e300
					}
				}
				p, err := newPoints(k, X, index, room)
				if err != nil {
					t.Fatal(err)
				}
				if p.Row(got, z); !slices.Equal(got, want) {
					t.Errorf("%s, d = %d, room %v: other values", k, d, sizes)
				}
				for place, i := range index {
					if p.Point(x, place); !slices.Equal(x, X.RawRowView(i)) {
						t.Fatalf("%s, d = %d, room %v: point %d is %v", k, d, sizes, place, x)
					}
				}
				for _, r := range p {
					if len(p) > 1 && r.Len() < piece {
						t.Errorf("d = %d, room %v: a piece of %d points", d, sizes, r.Len())
					}
				}
			}
		}
	}
}
