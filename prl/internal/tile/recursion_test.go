package tile

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// evenOdd is the sum of n terms in two parts.
func evenOdd(n int, term func(i int) float64) float64 {
	var part [2]float64
	for i := range n {
		part[i%2] += term(i)
	}
	return part[0] + part[1]
}

func TestRecursion(t *testing.T) {
	recursion(t)
	restore := narrow(t)
	defer restore()
	recursion(t)
}

func recursion(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	positive := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.Float64()
		}
		return x
	}
	for k := 1; k <= 41; k++ {
		matrix := positive(k * k)
		re := NewRecursion(matrix, k)
		width := re.Width
		pad := func(n int) []float64 {
			x := make([]float64, n*width)
			for i := range n {
				copy(x[i*width:], positive(k))
			}
			return x
		}
		for _, steps := range []int{1, 2, 7} {
			b := Table{Rows: pad(steps + 2)}
			if r.IntN(2) == 0 {
				for range steps {
					b.Index = append(b.Index, r.IntN(steps+2))
				}
			}
			row := func(s int) []float64 {
				if b.Index != nil {
					s = b.Index[s]
				}
				return b.Rows[s*width : (s+1)*width]
			}
			at := fmt.Sprintf("k = %d, %d steps, ", k, steps)

			x, sums := pad(steps+1), make([]float64, steps)
			want := append([]float64(nil), x[:width]...)
			if done := re.Forward(x, b, sums, 0); done != steps {
				t.Fatalf("%sonly %d done", at, done)
			}
			for s := range steps {
				before := append([]float64(nil), want...)
				for j := range k {
					want[j] = evenOdd(k, func(i int) float64 { return before[i] * matrix[i*k+j] }) * row(s)[j]
				}
				same(t, at+"row", x[(s+1)*width:(s+2)*width], want)
				same(t, at+"sum", sums[s:s+1], []float64{evenOdd(k, func(j int) float64 { return want[j] })})
			}
			if stop := r.IntN(steps); stop < steps-1 {
				low := sums[stop] * 1.0001
				first := 0
				for sums[first] >= low {
					first++
				}
				y := append([]float64(nil), x...)
				clear(y[width:])
				if done := re.Forward(y, b, make([]float64, steps), low); done != first+1 {
					t.Fatalf("%sstopped after %d, want %d", at, done, first+1)
				}
				same(t, at+"rows after the stop", y, append(append([]float64(nil), x[:(first+2)*width]...), make([]float64, (steps-first-1)*width)...))
			}

			x, w := pad(steps+1), make([]float64, width)
			want = append([]float64(nil), x[steps*width:]...)
			if done := re.Backward(x, w, b, sums, 0); done != steps {
				t.Fatalf("%sonly %d done backwards", at, done)
			}
			for s := steps - 1; s >= 0; s-- {
				after := append([]float64(nil), want...)
				for i := range k {
					want[i] = evenOdd(k, func(j int) float64 { return row(s)[j] * after[j] * matrix[j*k+i] })
				}
				same(t, at+"backward row", x[s*width:(s+1)*width], want)
				same(t, at+"backward sum", sums[s:s+1], []float64{evenOdd(k, func(j int) float64 { return want[j] })})
			}
			if stop := r.IntN(steps); stop > 0 {
				low := sums[stop] * 1.0001
				last := steps - 1
				for sums[last] >= low {
					last--
				}
				y := append([]float64(nil), x...)
				clear(y[:steps*width])
				if done := re.Backward(y, w, b, make([]float64, steps), low); done != steps-last {
					t.Fatalf("%sstopped after %d backwards, want %d", at, done, steps-last)
				}
				same(t, at+"rows after the stop backwards", y, append(make([]float64, last*width), x[last*width:]...))
			}

			x, beta, scales := pad(steps), pad(1), positive(steps)
			was, state := append([]float64(nil), x...), append([]float64(nil), beta...)
			re.Smooth(x, w, b, scales, beta)
			for s := steps - 1; s >= 0; s-- {
				c, after := 1/scales[s], append([]float64(nil), state...)
				for i := range k {
					state[i] = evenOdd(k, func(j int) float64 { return row(s)[j] * after[j] * c * matrix[j*k+i] })
				}
				product := make([]float64, width)
				for i := range product {
					product[i] = was[s*width+i] * state[i]
				}
				inverse := 1 / evenOdd(k, func(i int) float64 { return product[i] })
				for i := range product {
					product[i] *= inverse
				}
				same(t, at+"smoothed row", x[s*width:(s+1)*width], product)
			}
			same(t, at+"beta", beta, state)
		}
	}
	NewRecursion(nil, 0).Smooth(nil, nil, Table{}, nil, nil)
}

// A table without the row that is asked for is noticed before the assembly reads elsewhere.
func TestRecursionChecksItsTable(t *testing.T) {
	const k = 8
	r := NewRecursion(make([]float64, k*k), k)
	for _, index := range [][]int{{0, 2}, {-1, 0}, {1 << 40, 1}, {0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("index %v of 2 rows passed", index)
				}
			}()
			r.Forward(make([]float64, 3*k), Table{Rows: make([]float64, 2*k), Index: index}, make([]float64, 2), 0)
		}()
	}
}
