package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The median is the middle of the sorted numbers: of few and many, of ties, in order, and where every place that a sample is taken from
// misleads.
func TestMedian(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 27))
	for trial := range 400 {
		n := 1 + r.IntN(4000)
		xs := make([]float64, n)
		for i := range xs {
			switch trial % 6 {
			case 0:
				xs[i] = r.NormFloat64()
			case 1:
				xs[i] = float64(r.IntN(1 + trial/40))
			case 2:
				xs[i] = float64(i)
			case 3:
				xs[i] = float64(-i * i)
			default:
				xs[i] = r.Float64()
			}
		}
		size := int(math.Pow(float64(n), 2.0/3))
		for i := range size { // the greatest numbers, or the smallest, are where the sample is taken from
			switch trial % 6 {
			case 4:
				xs[i*n/size] += 10
			case 5:
				xs[i*n/size] -= 10
			}
		}
		sorted := slices.Clone(xs)
		slices.Sort(sorted)
		want := sorted[n/2]
		if n%2 == 0 {
			want = sorted[n/2-1]/2 + sorted[n/2]/2
		}
		before := slices.Clone(xs)
		if got := median(xs); got != want {
			t.Fatalf("trial %d: median of %d numbers %v, want %v", trial, n, got, want)
		}
		if !slices.Equal(xs, before) {
			t.Fatalf("trial %d: the numbers have been moved", trial)
		}
	}
}
