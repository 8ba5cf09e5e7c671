package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
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
		p, err := checked(t.Context(), "test", X, y, o, blockRows)
		if err != nil {
			t.Fatal(err)
		}
		for way, find := range map[string]func() error{
			"alone":             func() error { p.centre(); return nil },
			"with the products": func() error { _, err := p.products(t.Context()); return err },
		} {
			if err := find(); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				name            string
				got, want, size float64 // the size: of the mean or the standard deviation, whichever is larger
			}{
				{"the rising column", p.mean[0], 1e6 + (n-1)/2., 1e6},
				{"the column with one huge number", p.mean[1], (1e10 + 0.5*(n-1)) / n, 7e7},
				{"the targets", p.yMean, 3 * (n - 1) / 2., 3e4},
			} {
				if !(math.Abs(c.got-c.want) <= 1e-14*c.size) {
					t.Errorf("weighted %t, %s, %s: mean %.17g, want %.17g", weighted, way, c.name, c.got, c.want)
				}
			}
		}
	}
}

// A problem with more columns than rows is that of the first columns alone, to the last digit: the others get the coefficient 0.
func TestWideLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for _, size := range [][2]int{{7, 12}, {60, 150}, {241, 500}, {300, 420}} {
		n, d := size[0], size[1]
		X, y := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			y[i] = r.NormFloat64()
			for j := range d {
				X.Set(i, j, r.NormFloat64())
			}
		}
		wide, err := LeastSquares(t.Context(), X, y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		few, err := LeastSquares(t.Context(), mat.DenseCopyOf(X.Slice(0, n, 0, n-1)), y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		share.Eagerly(func() {
			again, err := LeastSquares(t.Context(), X, y, Options{})
			if err != nil || !slices.Equal(again.Coefficients(), wide.Coefficients()) {
				t.Errorf("%d x %d: several processors find other coefficients (%v)", n, d, err)
			}
		})
		if got, want := len(wide.Dependent()), d-n+1; got != want {
			t.Errorf("%d x %d: %d columns are dependent, want %d", n, d, got, want)
		}
		largest := floats.Norm(few.Coefficients(), math.Inf(1))
		if worst := floats.Distance(wide.Coefficients()[:n-1], few.Coefficients(), math.Inf(1)); worst > 1e-9*largest {
			t.Errorf("%d x %d: the coefficients differ by %g of %g", n, d, worst, largest)
		}
		for i := range n {
			p, err := wide.Predict(X.Slice(i, i+1, 0, d))
			if err != nil || math.Abs(p[0]-y[i]) > 1e-9 {
				t.Fatalf("%d x %d, row %d: %v, want %v (%v)", n, d, i, p, y[i], err)
			}
		}
	}
}
