package density

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The tree of Auto grows when places enough have been asked for; what is found is the same before and after, also while several ask.
func TestLateTree(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	const n = 500
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.SetRow(i, []float64{float64(r.IntN(9)), float64(r.IntN(9)), r.NormFloat64()})
	}
	auto, err := FitKNN(t.Context(), x, y, KNNOptions{K: 7})
	if err != nil {
		t.Fatal(err)
	}
	products, err := FitKNN(t.Context(), x, y, KNNOptions{K: 7, Search: Products})
	if err != nil {
		t.Fatal(err)
	}
	if first := auto.points.after(1); first != nil {
		t.Error("one place grows a tree")
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := g; i < 400; i += 4 {
				place := x.RawRowView(i)
				rows, distances, err := auto.Neighbours(place...)
				want, far, err2 := products.Neighbours(place...)
				if err != nil || err2 != nil || !slices.Equal(rows, want) || !slices.Equal(distances, far) {
					t.Errorf("place %d: rows %v and %v, distances %v and %v (%v, %v)", i, rows, want, distances, far, err, err2)
				}
			}
		})
	}
	all.Wait()
	if last := auto.points.after(1); last == nil {
		t.Error("four hundred places grow no tree")
	}
}
