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
		part[i%2] += float64(term(i)) // rounded: other processors would fuse the product with the addition
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
		lengths := []int{1, 2, 7}
		if k < 10 {
			lengths = append(lengths, 63, 64, 65)
		}
		for _, steps := range lengths {
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

			// Filter: what Forward gives, with all rows but the last one scaled.
			inverses, filtered := append(positive(1), make([]float64, steps)...), make([]float64, (steps+1)*k)
			again, sumsAgain := append(append([]float64(nil), x[:width]...), make([]float64, steps*width)...), make([]float64, steps)
			first := inverses[0]
			if done := re.Filter(filtered, again, b, sumsAgain, inverses, 0); done != steps {
				t.Fatalf("%sonly %d filtered", at, done)
			}
			same(t, at+"sums of Filter", sumsAgain, sums)
			scaled := make([]float64, 0, len(filtered))
			for s := range steps + 1 {
				inverse := first
				if s > 0 {
					inverse = 1 / sums[s-1]
				}
				same(t, at+"inverse", inverses[s:s+1], []float64{inverse})
				if s == steps {
					inverse = 1
				}
				for _, v := range x[s*width : s*width+k] {
					scaled = append(scaled, v*inverse)
				}
			}
			same(t, at+"filtered rows", filtered, scaled)
			if width == k {
				again = append(append([]float64(nil), x[:width]...), make([]float64, steps*width)...)
				re.Filter(again, again, b, sumsAgain, inverses, 0)
				same(t, at+"rows filtered in place", again, scaled)
			}

			x, w := pad(steps+1), make([]float64, width)
			want = append([]float64(nil), x[steps*width:]...)
			if done := re.Backward(x, w, b, nil, sums, 0); done != steps {
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
				if done := re.Backward(y, w, b, nil, make([]float64, steps), low); done != steps-last {
					t.Fatalf("%sstopped after %d backwards, want %d", at, done, steps-last)
				}
				same(t, at+"rows after the stop backwards", y, append(make([]float64, last*width), x[last*width:]...))
			}

			divisors := positive(steps)
			want = append([]float64(nil), x[steps*width:]...)
			if done := re.Backward(x, w, b, divisors, sums, 0); done != steps {
				t.Fatalf("%sonly %d done backwards with scales", at, done)
			}
			for s := steps - 1; s >= 0; s-- {
				c, after := 1/divisors[s], append([]float64(nil), want...)
				for i := range k {
					want[i] = evenOdd(k, func(j int) float64 { return row(s)[j] * after[j] * matrix[j*k+i] })
				}
				same(t, at+"sum before the division", sums[s:s+1], []float64{evenOdd(k, func(j int) float64 { return want[j] })})
				for i := range k {
					want[i] *= c
				}
				same(t, at+"scaled backward row", x[s*width:(s+1)*width], want)
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

// The passes for few states give the bits of the plain forms, also for numbers that are zero or next to it, and stop where these do.
func TestFewLikePlain(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	numbers := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			switch r.IntN(8) {
			case 0:
			case 1:
				x[i] = r.Float64() * 1e-308
			default:
				x[i] = r.Float64()
			}
		}
		return x
	}
	for range 2000 {
		k, n := 1+r.IntN(most), 1+r.IntN(70)
		matrix := numbers(k * k)
		few := NewRecursion(matrix, k)
		padded := func(x []float64) []float64 { // rows of k numbers as rows of four
			out := make([]float64, len(x)/k*most)
			for i := range len(x) / k {
				copy(out[i*most:], x[i*k:(i+1)*k])
			}
			return out
		}
		plain := &Recursion{K: k, Width: k, columns: make([]float64, k*k)}
		for i := range k {
			for j := range k {
				plain.columns[j*k+i] = matrix[i*k+j]
			}
		}
		b := Table{Rows: numbers(n * k)}
		if r.IntN(2) == 0 {
			for range n {
				b.Index = append(b.Index, r.IntN(n))
			}
		}
		low := 0.0
		if r.IntN(2) == 0 {
			low = 1e-9
		}
		at := fmt.Sprintf("k = %d, %d steps, ", k, n)
		agree := func(what string, x []float64, pass func(re *Recursion, x, sums []float64) int) {
			y, p, q := padded(x), make([]float64, n), make([]float64, n)
			if did, does := pass(few, y, p), pass(plain, x, q); did != does {
				t.Fatalf("%s%s: %d steps done, want %d", at, what, did, does)
			}
			same(t, at+what+", rows", y, padded(x))
			same(t, at+what+", sums", p, q)
		}
		agree("forward", numbers((n+1)*k), func(re *Recursion, x, sums []float64) int {
			if re == few {
				return re.Forward(x, Table{padded(b.Rows), b.Index}, sums, low)
			}
			return re.plainForward(x, b, sums, low)
		})
		var scales []float64
		if r.IntN(2) == 0 {
			scales = numbers(n)
			for i := range scales {
				scales[i]++
			}
		}
		agree("backward", numbers((n+1)*k), func(re *Recursion, x, sums []float64) int {
			w := make([]float64, re.Width)
			if re == few {
				return re.Backward(x, w, Table{padded(b.Rows), b.Index}, scales, sums, low)
			}
			return re.plainBackward(x, w, b, scales, sums, low)
		})
		if scales == nil {
			continue
		}
		for i := range b.Rows {
			b.Rows[i]++ // no division by a sum of zero
		}
		for i := range matrix {
			matrix[i]++
			plain.columns[i%k*k+i/k]++
		}
		few = NewRecursion(matrix, k)
		beta := numbers(k)
		beta[0]++
		agree("smooth", append(numbers(n*k), beta...), func(re *Recursion, x, _ []float64) int {
			w, rows, beta := make([]float64, re.Width), x[:n*re.Width], x[n*re.Width:]
			for i := range rows {
				if i%re.Width < k {
					rows[i]++
				}
			}
			if re == few {
				re.Smooth(rows, w, Table{padded(b.Rows), b.Index}, scales, beta)
			} else {
				re.plainSmooth(rows, w, b, scales, beta)
			}
			return n
		})
	}
}

// A table without the row that is asked for is noticed before the assembly reads elsewhere.
func TestRecursionChecksItsTable(t *testing.T) {
	for _, k := range []int{1, 2, 3, 4, 5, 8} {
		r := NewRecursion(make([]float64, k*k), k)
		width := r.Width
		for _, index := range [][]int{{0, 2}, {-1, 0}, {1 << 40, 1}, {0}} {
			b, w, two := Table{Rows: make([]float64, 2*width), Index: index}, make([]float64, width), make([]float64, 2)
			x := make([]float64, 3*width)
			for i, pass := range []func(){
				func() { r.Forward(x, b, two, 0) },
				func() { r.Filter(make([]float64, 3*k), x, b, two, make([]float64, 3), 0) },
				func() { r.Backward(x, w, b, nil, two, 0) },
				func() { r.Smooth(x, w, b, two, w) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("k = %d, pass %d: index %v of 2 rows passed", k, i, index)
						}
					}()
					pass()
				}()
			}
		}
	}
}
