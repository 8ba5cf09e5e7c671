package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func numbers(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: entry %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// The definitions, entry by entry. A result must equal them bit for bit.
func entry(k int, term func(r int) float64) float64 {
	s := 0.0
	for r := range k {
		s += term(r)
	}
	return s
}

func TestProductAndDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, m := range []int{1, 3, 4, 5, 9} {
		for _, n := range []int{1, 7, 8, 9, 35} {
			for _, k := range []int{1, 2, 20, 33} {
				x, rows := numbers(r, m*k), numbers(r, n*k)
				if n == 35 { // triangular
					for j := range n {
						clear(rows[j*k+min(j+1, k) : (j+1)*k])
					}
				}
				c := Transpose(rows, n, k)
				flat := make([]float64, k*n)
				for j := range n {
					for i := range k {
						flat[i*n+j] = rows[j*k+i]
					}
				}
				width := c.Width()
				product, packed, distance := make([]float64, m*width), make([]float64, m*width), make([]float64, m*width)
				c.Product(product, x, m)
				Pack(flat, k, n).Product(packed, x, m)
				c.Distances(distance, x, m)
				for i := range m {
					for j := range n {
						at := fmt.Sprintf("%d x %d x %d, entry (%d, %d)", m, n, k, i, j)
						want := entry(k, func(r int) float64 { return x[i*k+r] * rows[j*k+r] })
						same(t, "product "+at, product[i*width+j:][:1], []float64{want})
						same(t, "product of packed "+at, packed[i*width+j:][:1], []float64{want})
						same(t, "distance "+at, distance[i*width+j:][:1], []float64{entry(k, func(r int) float64 {
							v := x[i*k+r] - rows[j*k+r]
							return v * v
						})})
					}
				}
			}
		}
	}
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{1, 9, 32, 33, 70, 128} {
		for _, k := range []int{1, 5, 21} {
			rows, x := numbers(r, n*k), numbers(r, k)
			c := Transpose(rows, n, k)
			for range 3 {
				i, j := r.IntN(n), r.IntN(n)
				c.Swap(i, j)
				for q := range k {
					rows[i*k+q], rows[j*k+q] = rows[j*k+q], rows[i*k+q]
				}
			}
			column := make([]float64, k)
			c.Column(column, n-1)
			same(t, "column", column, rows[(n-1)*k:])
			same(t, "square", []float64{c.Square(n - 1)}, []float64{entry(k, func(q int) float64 { return column[q] * column[q] })})
			for range 10 {
				from := r.IntN(n)
				dst := make([]float64, 1+r.IntN(n-from))
				c.RowProduct(dst, x, from)
				for j := range dst {
					row := rows[(from+j)*k:]
					same(t, "product", dst[j:j+1], []float64{entry(k, func(q int) float64 { return x[q] * row[q] })})
				}
				c.RowDistances(dst, x, from)
				for j := range dst {
					row := rows[(from+j)*k:]
					same(t, "distance", dst[j:j+1], []float64{entry(k, func(q int) float64 { return (x[q] - row[q]) * (x[q] - row[q]) })})
				}
				c.RowAbsolute(dst, x, from)
				for j := range dst {
					row := rows[(from+j)*k:]
					same(t, "absolute", dst[j:j+1], []float64{entry(k, func(q int) float64 { return math.Abs(x[q] - row[q]) })})
				}
			}
		}
	}
}

func TestAddOuter(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, width := range []int{8, 24} {
		const m = 37
		a, b, acc := numbers(r, m*width), numbers(r, m*width), numbers(r, width*width)
		before := append([]float64(nil), acc...)
		AddOuter(acc, a, b, m, width)
		for i := range width {
			for j := range width {
				want := before[i*width+j]
				for q := range m {
					want += a[q*width+i] * b[q*width+j]
				}
				same(t, fmt.Sprintf("width %d, entry (%d, %d)", width, i, j), acc[i*width+j:][:1], []float64{want})
			}
		}
		gram, outer := make([]float64, width*width), make([]float64, width*width)
		AddGram(gram, a, m, width)
		AddOuter(outer, a, a, m, width)
		for i := range width {
			same(t, "upper triangle", gram[i*width+i:(i+1)*width], outer[i*width+i:(i+1)*width])
		}
	}
}

func TestMinPlus(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, k := range []int{1, 3, 16, 40} {
		width := Padded(k)
		cost, b := numbers(r, k), numbers(r, k*width)
		for i := range b { // ties and impossible steps
			switch r.IntN(4) {
			case 0:
				b[i] = math.Inf(1)
			case 1:
				b[i] = 1 - cost[i/width]
			}
		}
		best, arg := make([]float64, width), make([]int64, width)
		MinPlus(best, arg, cost, b, width)
		for j := range width {
			least, at := math.Inf(1), 0
			for i, v := range cost {
				if s := v + b[i*width+j]; s < least {
					least, at = s, i
				}
			}
			if best[j] != least || arg[j] != int64(at) {
				t.Fatalf("k = %d, column %d: %v at %d, want %v at %d", k, j, best[j], arg[j], least, at)
			}
		}
	}
}

func TestArgMin(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1))
	for _, n := range []int{8, 16, 40, 1024} {
		for range 50 {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(r.IntN(6))
			}
			want := 0
			for i, v := range x {
				if v < x[want] {
					want = i
				}
			}
			if at, least := ArgMin(x); at != want || least != x[want] {
				t.Fatalf("%v: %v at %d, want %v at %d", x, least, at, x[want], want)
			}
		}
	}
}

func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	x := []float64{0, -0.5, 0.34, -0.3466, 1, -1, 700, -707.9, -708, -708.1, -1e9, math.Inf(-1), 708.9, 709.1, math.Inf(1), 1e-300, -1e-17}
	for range 20000 {
		x = append(x, r.Float64()*1400-700, -30*r.Float64())
	}
	got := append([]float64(nil), x...)
	Exp(got)
	worst := 0.0
	for i, v := range x {
		same(t, fmt.Sprintf("plain and fast at %v", v), got[i:i+1], []float64{plainExp(v)})
		want := math.Exp(v)
		if v < exponential.lowest {
			want = 0
		} else if v > exponential.highest {
			want = math.Inf(1)
		}
		if got[i] != want {
			ulp := math.Abs(got[i]-want) / (math.Nextafter(want, math.Inf(1)) - want)
			worst = math.Max(worst, ulp)
		}
	}
	t.Logf("at most %.0f ulp from math.Exp", worst)
	if !(worst <= 2) { // math.Exp itself is within one
		t.Errorf("%v ulp from math.Exp", worst)
	}
	if v := []float64{math.NaN(), 0, 0, 0}; true {
		Exp(v)
		if v[0] == v[0] || v[1] != 1 {
			t.Errorf("the exponentials of NaN and 0 are %v", v[:2])
		}
	}
}

func TestFinite(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for n := range 70 {
		x := numbers(r, n)
		if n > 0 {
			x[0] = -math.MaxFloat64
			x[n-1] = 5e-324
		}
		if !Finite(x) {
			t.Errorf("%d finite numbers are taken for others", n)
		}
		for i := range x {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				old := x[i]
				if x[i] = v; Finite(x) {
					t.Errorf("%v at %d of %d is not found", v, i, n)
				}
				x[i] = old
			}
		}
	}
}

// Plain loops and assembly are the same function, with registers of any width.
func TestFastIsPlain(t *testing.T) {
	t.Logf("registers of four numbers: %v, of eight: %v", fast, wide)
	fastIsPlain(t)
	restore := narrow(t)
	defer restore()
	fastIsPlain(t)
}

func fastIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 200 {
		k := 1 + r.IntN(60)
		ai, ar, br, cr := k+r.IntN(3), 1, 8+r.IntN(9), 8+r.IntN(9)
		if r.IntN(2) == 0 {
			ai, ar = 1, 4+r.IntN(9)
		}
		a, b, c := numbers(r, 3*ai+(k-1)*ar+1), numbers(r, (k-1)*br+8), numbers(r, 3*cr+8)
		want := append([]float64(nil), c...)
		got := append([]float64(nil), c...)
		plainMul(k, a, ai, ar, b, br, want, cr)
		mul(k, a, ai, ar, b, br, got, cr)
		same(t, "mul", got, want)
		plainDistances(k, a, ai, ar, b, br, want, cr)
		distances(k, a, ai, ar, b, br, got, cr)
		same(t, "distances", got, want)
		if wide {
			right := 8 + r.IntN(20)
			if right < br {
				right = k * br
			}
			cr := cr + 8
			b, c := numbers(r, right+(k-1)*br+8), numbers(r, 3*cr+16)
			want, got := append([]float64(nil), c...), append([]float64(nil), c...)
			plainMul(k, a, ai, ar, b, br, want, cr)
			plainMul(k, a, ai, ar, b[right:], br, want[8:], cr)
			mulWide(k, a, ai, ar, b, br, right, got, cr)
			same(t, "mul of two strips", got, want)
			plainDistances(k, a, ai, ar, b, br, want, cr)
			plainDistances(k, a, ai, ar, b[right:], br, want[8:], cr)
			distancesWide(k, a, ai, ar, b, br, right, got, cr)
			same(t, "distances of two strips", got, want)
		}
		strips := numbers(r, 4*8*k)
		want, got = make([]float64, 32), make([]float64, 32)
		plainMulRow(k, a, strips, 8*k, want)
		mulRow(k, a, strips, 8*k, got)
		same(t, "mul of a row", got, want)
		plainDistancesRow(k, a, strips, 8*k, want)
		distancesRow(k, a, strips, 8*k, got)
		same(t, "distances of a row", got, want)
		plainAbsoluteRow(k, a, strips, 8*k, want)
		absoluteRow(k, a, strips, 8*k, got)
		same(t, "absolute differences of a row", got, want)
		bestGot, bestWant, argGot, argWant := make([]float64, 8), make([]float64, 8), make([]int64, 8), make([]int64, 8)
		minPlus(a[:k], b, br, bestGot, argGot)
		plainMinPlus(a[:k], b, br, bestWant, argWant)
		same(t, "min-plus", bestGot, bestWant)
		for j := range argWant {
			if argGot[j] != argWant[j] {
				t.Fatalf("min-plus: column %d is attained at %d, want %d", j, argGot[j], argWant[j])
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, n, k = 256, 64, 64
	x, c, dst := numbers(r, m*k), Transpose(numbers(r, n*k), n, k), make([]float64, m*n)
	for b.Loop() {
		c.Product(dst, x, m)
	}
	b.ReportMetric(2*m*n*k*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkDistances(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, n, k = 256, 35, 20
	x, c, dst := numbers(r, m*k), Transpose(numbers(r, n*k), n, k), make([]float64, m*40)
	for b.Loop() {
		c.Distances(dst, x, m)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/m/n, "ns/distance")
}

func BenchmarkAddGram(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, width = 64, 56
	x, acc := numbers(r, m*width), make([]float64, width*width)
	for b.Loop() {
		AddGram(acc, x, m, width)
	}
	b.ReportMetric(m*width*width*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkRowDistances(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const n, k = 256, 20
	x, c, dst := numbers(r, k), Transpose(numbers(r, n*k), n, k), make([]float64, n)
	for b.Loop() {
		c.RowDistances(dst, x, 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/distance")
}

func BenchmarkMinPlus(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const k = 16
	cost, m, best, arg := numbers(r, k), numbers(r, k*k), make([]float64, k), make([]int64, k)
	for b.Loop() {
		MinPlus(best, arg, cost, m, k)
	}
}

func BenchmarkExp(b *testing.B) {
	x, y := make([]float64, 1024), make([]float64, 1024)
	for i := range x {
		x[i] = -float64(i) / 50
	}
	for b.Loop() {
		copy(y, x)
		Exp(y)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/number")
}

func TestScatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 63, 64, 65, 9000} {
		for _, d := range []int{1, 5, 8, 11} {
			x, w, mean := numbers(r, n*d), make([]float64, n), numbers(r, d)
			var rows []int
			for i := range w {
				w[i] = r.Float64()
				if i%3 != 1 {
					rows = append(rows, i)
				}
			}
			got := Scatter(x, n, d, rows, w, func(int) []float64 { return mean })
			for a := range d {
				for b := range d {
					want := 0.0
					if a <= b {
						for _, i := range rows {
							want += w[i] * (x[i*d+a] - mean[a]) * (x[i*d+b] - mean[b])
						}
					}
					if !(math.Abs(got[a*d+b]-want) <= 1e-12*float64(n)) {
						t.Fatalf("n = %d, d = %d: entry (%d, %d) is %v, want %v", n, d, a, b, got[a*d+b], want)
					}
				}
			}
		}
	}
}
