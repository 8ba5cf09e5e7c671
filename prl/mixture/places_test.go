package mixture

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestFewerPlacesThanClusters says that k-means reports more clusters than different rows (sklearn#10059).
func TestFewerPlacesThanClusters(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		k    int
		says string
	}{
		{[]float64{1, 1, 1, 1}, 3, "only 1 rows are different"},
		{[]float64{0, math.Copysign(0, -1), 2, 2, 5, 5, 5}, 4, "only 3 rows are different"},
		{[]float64{0, 0, 2, 2, 5, 5, 5}, 3, ""},
	} {
		m, err := FitKMeans(context.Background(), mat.NewDense(len(c.x), 1, c.x), KMeansOptions{K: c.k})
		if err != nil || !strings.Contains(m.String(), c.says) || c.says == "" && strings.Contains(m.String(), "different") {
			t.Errorf("K = %d of %v: %v, %v", c.k, c.x, m, err)
		}
	}
}
