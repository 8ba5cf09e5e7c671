package neural

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDrop asks that units keep their mean: a share is silent, the others are larger, and slopes go with answers.
func TestDrop(t *testing.T) {
	const n, share = 40000, 0.3
	d := (&training{o: &Options{Dropout: share}, draws: rand.New(rand.NewPCG(1, 1))}).drop()
	y, slope := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], slope[i] = 1, 2
	}
	d(y, slope)
	sum := 0.0
	for i, v := range y {
		if v != 0 && v != 1/(1-share) || slope[i] != 2*v {
			t.Fatalf("unit %d answers %g with slope %g", i, v, slope[i])
		}
		sum += v
	}
	if z := (sum/n - 1) / math.Sqrt(share/(1-share)/n); math.Abs(z) > 4 {
		t.Errorf("mean answer %g, %.1f standard errors from 1", sum/n, z)
	}
	if (&training{o: &Options{}}).drop() != nil {
		t.Error("without dropout units are changed")
	}
}
