package sparse_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

func thin(n, d int) *mat.Dense {
	random, X := rand.New(rand.NewPCG(7, 7)), mat.NewDense(n, d, nil)
	for range n * d / 20 {
		X.Set(random.IntN(n), random.IntN(d), random.NormFloat64())
	}
	return X
}

// A CSR is the matrix it was made of, with its zeros left out.
func TestOf(t *testing.T) {
	X := thin(60, 80)
	S := sparse.Of(X)
	if !mat.Equal(S, X) || !mat.Equal(S.Dense(), X) || !mat.Equal(S.T(), X.T()) || sparse.Of(S) != S {
		t.Error("the numbers differ")
	}
	count := 0
	for i := range 60 {
		for j, v := range S.Row(i) {
			if count++; v == 0 || v != X.At(i, j) {
				t.Errorf("%d, %d: %v", i, j, v)
			}
		}
	}
	if count != S.NonZeros() || count == 0 || count > 60*80/20 {
		t.Errorf("%d numbers, NonZeros says %d", count, S.NonZeros())
	}
	if i, j, finite := S.Finite(); !finite {
		t.Errorf("%d, %d", i, j)
	}
	X.Set(5, 3, math.Inf(1))
	if i, j, finite := sparse.Of(X).Finite(); finite || i != 5 || j != 3 {
		t.Errorf("%d, %d, %v", i, j, finite)
	}
}

func TestGram(t *testing.T) {
	X := thin(60, 80)
	var want mat.Dense
	want.Mul(X, X.T())
	if !mat.EqualApprox(sparse.Of(X).Gram(), &want, 1e-12) {
		t.Error("the inner products differ")
	}
}

// What works on stored numbers gives what the dense rows give.
func TestRows(t *testing.T) {
	X := thin(60, 80)
	S := sparse.Of(X)
	w := make([]float64, 80)
	for j := range w {
		w[j] = float64(j%7) - 3
	}
	for i := range 60 {
		row := mat.NewVecDense(80, mat.Row(nil, i, X))
		if got, want := S.Dot(i, w), mat.Dot(row, mat.NewVecDense(80, w)); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: product %v, want %v", i, got, want)
		}
		if got, want := S.Square(i), mat.Dot(row, row); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: square %v, want %v", i, got, want)
		}
		sum := append([]float64(nil), w...)
		S.AddTo(sum, i, -2)
		for j, v := range sum {
			if want := w[j] - 2*X.At(i, j); v != want {
				t.Errorf("row %d, column %d: %v, want %v", i, j, v, want)
			}
		}
	}
	some := S.Select(7, 3, 7)
	for k, i := range []int{7, 3, 7} {
		for j := range 80 {
			if some.At(k, j) != X.At(i, j) {
				t.Fatalf("row %d is not row %d", k, i)
			}
		}
	}
	small := S.Map(func(i, j int, v float64) float64 {
		if v != X.At(i, j) {
			t.Errorf("%v is said to stand at %d, %d", v, i, j)
		}
		return v / 8
	})
	for i := range 60 {
		for j, v := range small.Row(i) {
			if v != X.At(i, j)/8 {
				t.Fatalf("%v is not an eighth of %v", v, X.At(i, j))
			}
		}
	}
	if len(S.Values()) != S.NonZeros() || small.NonZeros() != S.NonZeros() {
		t.Error("numbers are lost")
	}
	for what, f := range map[string]func(){
		"no rows": func() { S.Select() }, "a row beyond": func() { S.Select(60) }, "a row before": func() { S.Select(0, -1) },
		"a number beyond": func() { S.At(0, 80) }, "a number before": func() { S.At(-1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}

func TestMistakes(t *testing.T) {
	if _, err := sparse.NewCSR(1<<40, []int{0, 0}, nil, nil); err == nil {
		t.Error("more columns than an int32 counts")
	}
	for name, c := range map[string]struct {
		columns int
		start   []int
		at      []int32
		values  []float64
	}{
		"no rows":         {3, []int{0}, nil, nil},
		"no columns":      {0, []int{0, 0}, nil, nil},
		"a column twice":  {3, []int{0, 2}, []int32{1, 1}, []float64{1, 1}},
		"out of order":    {3, []int{0, 2}, []int32{2, 1}, []float64{1, 1}},
		"beyond":          {3, []int{0, 1}, []int32{3}, []float64{1}},
		"negative":        {3, []int{0, 1}, []int32{-1}, []float64{1}},
		"too few values":  {3, []int{0, 1}, []int32{0}, nil},
		"starts fall":     {3, []int{0, 2, 1, 2}, []int32{0, 1}, []float64{1, 1}},
		"start is not 0":  {3, []int{1, 2}, []int32{0, 1}, []float64{1, 1}},
		"rows end early":  {3, []int{0, 1}, []int32{0, 1}, []float64{1, 1}},
		"negative starts": {3, []int{0, -1, 1}, []int32{0}, []float64{1}},
	} {
		if _, err := sparse.NewCSR(c.columns, c.start, c.at, c.values); err == nil {
			t.Error(name)
		}
	}
}

func ExampleCSR() {
	counts, err := sparse.NewCSR(4, []int{0, 2, 3}, []int32{0, 3, 1}, []float64{2, 1, 5})
	if err != nil {
		panic(err)
	}
	for j, v := range counts.Row(0) {
		fmt.Println(j, v)
	}
	fmt.Println(counts)
	// Output:
	// 0 2
	// 3 1
	// 2 x 4 with 3 numbers, 37.5 % of all
}
