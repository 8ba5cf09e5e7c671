package prepare_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/prepare"
)

// TestTFIDFLargeCounts weighs counts whose length overflows as it does the same counts in another unit.
func TestTFIDFLargeCounts(t *testing.T) {
	rows := func(v float64) *mat.Dense { return mat.NewDense(2, 2, []float64{v, v, 0, v}) }
	m, err := prepare.FitTFIDF(context.Background(), rows(1), prepare.TFIDFOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Transform(rows(1))
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Transform(rows(1.7e308))
	if err != nil || !mat.EqualApprox(got, want, 1e-15) || !(math.Abs(got.At(0, 0)-0.81) < 0.01) {
		t.Errorf("%v, not %v, %v", mat.Formatted(got), mat.Formatted(want), err)
	}
}
