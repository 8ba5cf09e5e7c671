package boost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prlab/prlab/prl/internal/tile"
)

// drawnTree returns a tree of so many leaves that tests d features against quarters, zeros of both signs and the largest numbers. A deep
// one is a chain.
func drawnTree(r *rand.Rand, leaves, d int, chain bool) []GradientNode {
	limits := []float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324}
	list, open := []GradientNode{{Feature: -1}}, []int{0}
	for len(open) < leaves {
		k := r.IntN(len(open))
		if chain {
			k = len(open) - 1
		}
		n := &list[open[k]]
		n.Feature, n.Threshold, n.GapsLeft = r.IntN(d), math.Round(8*r.NormFloat64())/4, r.IntN(2) == 0
		if r.IntN(10) == 0 {
			n.Threshold = limits[r.IntN(len(limits))]
		}
		n.Left, n.Right = len(list), len(list)+1
		open[k] = n.Left
		open = append(open, n.Right)
		list = append(list, GradientNode{Feature: -1}, GradientNode{Feature: -1})
	}
	for _, k := range open {
		if list[k].Value = r.NormFloat64(); r.IntN(20) == 0 {
			list[k].Value = math.Copysign(0, -1)
		}
	}
	return list
}

// Many rows at once get the scores of one row at a time, bit for bit: from trees of any size, below crowns too, of one output and of
// several, with values that are missing or equal to thresholds, for any number of rows.
func TestScoreRows(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 28))
	for _, leaves := range [][]int{{1}, {2}, {1, 2, 3}, {31, 32, 33}, {255, 256, 1}, {257, 258, 4}, {1000, 5, 700}, {3000}} {
		for _, chain := range []bool{false, true} {
			for _, outputs := range []int{1, 3} {
				d := 1 + r.IntN(7)
				s := gradientState{D: d, Outputs: outputs, Rate: 0.1, Start: make([]float64, outputs)}
				for c := range s.Start {
					s.Start[c] = []float64{math.Copysign(0, -1), 1, r.NormFloat64()}[r.IntN(3)]
				}
				for k := range 4 * outputs {
					s.Trees = append(s.Trees, drawnTree(r, leaves[k%len(leaves)], d, chain))
				}
				made, want := s.course(), make([]float64, outputs)
				for _, n := range []int{1, tile.FlagsLeast - 1, tile.FlagsLeast, 33, tile.FlagRows - 1, tile.FlagRows, tile.FlagRows + 1, 600} {
					x := make([]float64, n*d)
					for i := range x {
						x[i] = []float64{math.Round(8*r.NormFloat64()) / 4, r.NormFloat64(), math.NaN(), math.Copysign(0, -1)}[r.IntN(4)]
					}
					have := make([]float64, n*(outputs+1))
					s.scoreRows(have, outputs+1, x, made)
					for i := range n {
						s.score(want, x[i*d:(i+1)*d])
						if row := have[i*(outputs+1):][:outputs]; fmt.Sprintf("%x", row) != fmt.Sprintf("%x", want) {
							t.Fatalf("trees of %d leaves, chain %t, row %d of %d: scores %v, not %v", leaves, chain, i, n, row, want)
						}
					}
				}
			}
		}
	}
}

// The first rounds of a model predict with their own trees, also after the model itself has predicted.
func TestCourseOfFirst(t *testing.T) {
	X, z := wavy(rand.New(rand.NewPCG(13, 28)), 300, 4, 0)
	m := regress(t, X, z, GradientOptions{Rounds: 6})
	if _, err := m.Predict(X); err != nil {
		t.Fatal(err)
	}
	for rounds := range 7 {
		part, err := m.First(rounds)
		if err != nil {
			t.Fatal(err)
		}
		y, err := part.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range y {
			var f [1]float64
			if part.s.score(f[:], X.RawRowView(i)); f[0] != v {
				t.Fatalf("%d rounds, row %d: %v, not %v", rounds, i, v, f[0])
			}
		}
	}
}
