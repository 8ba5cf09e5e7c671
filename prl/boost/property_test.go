package boost

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/tree"
)

// AdaBoost on rows that repeat and contradict each other: weights stay a distribution, half of them lie on the last mistakes, and the
// training error stays below the product of the Z, which is the exponential loss.
func TestWeightsAndBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 25).Draw(t, "n")
		x, y := fuzztest.Matrix(t, n, 2, 2), fuzztest.Labels(t, n, 2)
		o := Options{}
		o.Rounds = 12
		if rapid.Bool().Draw(t, "weights") {
			for range n {
				o.Weights = append(o.Weights, float64(rapid.IntRange(1, 4).Draw(t, "weight")))
			}
		}
		if rapid.Bool().Draw(t, "trees") {
			to := tree.Options{}
			to.MaxDepth = 2
			o.Learner = Trees(to)
		}
		m, err := Fit(ctx, x, y, o)
		if err != nil {
			return // nothing beats one half in the first round
		}
		tr, err := m.Trace(x, y, o.Weights)
		if err != nil {
			t.Fatal(err)
		}
		product, exponential := m.Bounds()
		for s, w := range tr.Weights {
			sum, half := 0.0, 0.0
			for i, v := range w {
				if !(v >= 0) {
					t.Fatalf("weight %v in round %d", v, s)
				}
				sum += v
				if s > 0 && tr.Votes[s-1][i] != sign(y[i]) {
					half += v
				}
			}
			perfect := s > 0 && m.Rounds()[s-1].Error == 0
			if math.Abs(sum-1) > 1e-12 || s > 0 && !perfect && math.Abs(half-0.5) > 1e-9 {
				t.Fatalf("round %d: the weights sum to %v, the mistakes hold %v", s, sum, half)
			}
			if s < len(product) && (tr.Error[s] > product[s]+1e-12 || product[s] > exponential[s]+1e-12) {
				t.Fatalf("round %d: error %v, product of Z %v, exp(-2 sum gamma^2) %v", s, tr.Error[s], product[s], exponential[s])
			}
		}
		for s, r := range m.Rounds() {
			if !(r.Error >= 0 && r.Error < 0.5) || r.Error > 0 && math.Abs(r.Z-2*math.Sqrt(r.Error*(1-r.Error))) > 1e-12 {
				t.Fatalf("round %d: %+v", s, r)
			}
		}
	})
}
