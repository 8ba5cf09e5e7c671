package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The means are those of all rows, although the first rows are estimates from which the others are counted: one column is far from zero and
// rises from row to row, the other is huge in the first row alone. The sum of i = 0 ... n-1 is n (n-1) / 2.
func TestMeansOfManyRows(t *testing.T) {
	const n = 20_000
	for _, weighted := range []bool{false, true} {
		X, y, o := mat.NewDense(n, 2, nil), make([]float64, n), Rows{}
		for i := range y {
			X.SetRow(i, []float64{1e6 + float64(i), 0.5})
			y[i] = 3 * float64(i)
			if weighted {
				o.Weights = append(o.Weights, 2)
			}
		}
		X.Set(0, 1, 1e10)
		p, err := centred(t.Context(), "test", X, y, o, blockRows)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name           string
			got, want, tol float64
		}{
			{"the rising column", p.mean[0], 1e6 + (n-1)/2., 1e-14},
			{"the column with one huge number", p.mean[1], (1e10 + 0.5*(n-1)) / n, 1e-14},
			{"the targets", p.yMean, 3 * (n - 1) / 2., 1e-14},
		} {
			if !(math.Abs(c.got-c.want) <= c.tol*c.want) {
				t.Errorf("weighted %t, %s: mean %.17g, want %.17g", weighted, c.name, c.got, c.want)
			}
		}
	}
}
