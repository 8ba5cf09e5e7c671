package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// oneHotRows draws rows of some features with three values each, which repeat.
func oneHotRows(r *rand.Rand, n, features int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, 3*features, nil), make([]int, n)
	for i := range n {
		score := 0.0
		for f := range features {
			v := r.IntN(3)
			x.Set(i, 3*f+v, 1)
			score += float64(v-1) * float64(f+1)
		}
		if score+3*r.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return x, y
}

// Sparse rows that are equal are one row of their common price: the machine is that of the same rows one by one, which dense rows are, up
// to the tolerance that the certificate of each proves.
func TestLinearEqualRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for _, slack := range []Slack{LinearSlack, QuadraticSlack} {
		x, y := oneHotRows(r, 700, 4)
		o := LinearOptions{C: 0.3, Slack: slack, Tol: 1e-9, MaxSweeps: 100_000, Weights: make([]float64, len(y))}
		for i := range y {
			o.Weights[i] = float64(r.IntN(3)) // some rows weigh nothing
		}
		thin := sparse.Of(x)
		rows, labels, price := alike(linearRowsOf(thin), y, o.Weights)
		if n, _ := rows.thin.Dims(); n > 162 || n != len(labels) || n != len(price) {
			t.Fatalf("%d rows of 81 kinds and two classes, %d labels, %d prices", n, len(labels), len(price))
		}
		sum := 0.0
		for i, v := range price {
			sum += v - o.Weights[i]
		}
		for _, v := range o.Weights[len(price):] {
			sum -= v
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("prices are lost: %g", sum)
		}
		together, err := FitLinear(t.Context(), thin, y, o)
		if err != nil {
			t.Fatal(err)
		}
		apart, err := FitLinear(t.Context(), x, y, o)
		if err != nil {
			t.Fatal(err)
		}
		a, b := together.Certificates()[0], apart.Certificates()[0]
		if math.Abs(a.Primal-b.Primal) > 1e-7*b.Primal || math.Abs(a.Dual-b.Dual) > 1e-7*b.Primal {
			t.Errorf("%v: objectives %v and %v of equal rows together, %v and %v apart", slack, a.Primal, a.Dual, b.Primal, b.Dual)
		}
		for j, w := range together.Weights()[0] {
			if math.Abs(w-apart.Weights()[0][j]) > 1e-4 {
				t.Errorf("%v: weight %d is %v together and %v apart", slack, j, w, apart.Weights()[0][j])
			}
		}
	}
	x, y := oneHotRows(r, 300, 12) // 531,441 kinds: hardly two rows are equal
	thin := sparse.Of(x)
	if rows, _, _ := alike(linearRowsOf(thin), y, make([]float64, len(y))); rows.thin != thin {
		t.Error("different rows are copied")
	}
}
