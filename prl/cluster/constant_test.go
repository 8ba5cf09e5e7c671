package cluster_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cluster"
)

// TestConstantUpToRounding refuses equal numbers whose mean is not one of them by rounding (sklearn#9864).
func TestConstantUpToRounding(t *testing.T) {
	for _, v := range []float64{0.1, 0.3} {
		x := mat.NewDense(10, 1, []float64{0.5, v, v, v, 0.957, v, v, v, 0.4285, v})
		if e, err := cluster.MCD(context.Background(), x, cluster.MCDOptions{}); err == nil {
			t.Errorf("MCD of seven times %v: covariance %v, nil error", v, e.Covariance.At(0, 0))
		}
		if e, err := cluster.Mahalanobis(mat.NewDense(7, 1, []float64{v, v, v, v, v, v, v})); err == nil {
			t.Errorf("Mahalanobis of seven times %v: covariance %v, nil error", v, e.Covariance.At(0, 0))
		}
	}
}
