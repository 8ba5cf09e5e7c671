package mixture

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Predict finds a number that is not finite by the distances, and takes finite rows whose squares overflow.
func TestPredictNotFinite(t *testing.T) {
	const n, d = 3000, 5
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64((i*7+j*3)%11))
		}
	}
	o := KMeansOptions{K: 3}
	o.Restarts = 1
	m, err := FitKMeans(t.Context(), X, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, i := range []int{0, 1023, 2999} {
			old := X.At(i, 4)
			X.Set(i, 4, v)
			var argument *fault.ArgumentError
			if _, err := m.Predict(X); !errors.As(err, &argument) {
				t.Errorf("%v in row %d: %v, want an ArgumentError", v, i, err)
			}
			X.Set(i, 4, old)
		}
	}
	want, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	X.Set(17, 2, 1e200)
	got, err := m.Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range got {
		if i != 17 && c != want[i] {
			t.Errorf("row %d: cluster %d, want %d", i, c, want[i])
		}
	}
	nearest := 0 // where squared distances are beyond float64, the centre that lies farthest in the direction of the row
	for c, centre := range m.Centres() {
		if centre[2] > m.Centres()[nearest][2] {
			nearest = c
		}
	}
	if got[17] != nearest {
		t.Errorf("a row of infinite distances is in cluster %d, want %d", got[17], nearest)
	}
}
