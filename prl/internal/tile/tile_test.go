package tile

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prlab/prlab/prl/internal/share"
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
func productEntry(a, b []float64) float64 {
	s := 0.0
	for r, v := range a {
		s = math.FMA(v, b[r], s)
	}
	return s
}

func distanceEntry(a, b []float64) float64 {
	s := 0.0
	for r, v := range a {
		s = math.FMA(v-b[r], v-b[r], s)
	}
	return s
}

func TestProductAndDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, m := range []int{1, 3, 8, 9, 21} {
		for _, n := range []int{1, 7, 8, 9, 35} {
			for _, k := range []int{1, 2, 20, 33, 520} {
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
				projection, apart := make([]float64, m*n), make([]float64, m*n)
				c.Project(projection, x, m)
				c.Apart(apart, x, m)
				for i := range m {
					for j := range n {
						at := fmt.Sprintf("%d x %d x %d, entry (%d, %d)", m, n, k, i, j)
						a, b := x[i*k:(i+1)*k], rows[j*k:(j+1)*k]
						want := productEntry(a, b)
						same(t, "product "+at, product[i*width+j:][:1], []float64{want})
						same(t, "product of packed "+at, packed[i*width+j:][:1], []float64{want})
						same(t, "distance "+at, distance[i*width+j:][:1], []float64{distanceEntry(a, b)})
						same(t, "projection "+at, projection[i*n+j:][:1], []float64{want})
						same(t, "distance without padding "+at, apart[i*n+j:][:1], []float64{distanceEntry(a, b)})
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
			same(t, "square", []float64{c.Square(n - 1)}, []float64{productEntry(column, column)})
			for range 10 {
				from := r.IntN(n)
				dst := make([]float64, 1+r.IntN(n-from))
				c.RowProduct(dst, x, from)
				for j := range dst {
					same(t, "product", dst[j:j+1], []float64{productEntry(x, rows[(from+j)*k:])})
				}
				c.RowDistances(dst, x, from)
				for j := range dst {
					same(t, "distance", dst[j:j+1], []float64{distanceEntry(x, rows[(from+j)*k:])})
				}
				c.RowAbsolute(dst, x, from)
				for j := range dst {
					want := 0.0
					for q, v := range x {
						want += math.Abs(v - rows[(from+j)*k+q])
					}
					same(t, "absolute", dst[j:j+1], []float64{want})
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
					want = math.FMA(a[q*width+i], b[q*width+j], want)
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
	testExp(t)
	restore := narrow(t)
	defer restore()
	testExp(t)
}

func testExp(t *testing.T) {
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

// The tangent is that of the standard library to rounding, and the same bits with registers of any width, at the end of a row too.
func TestTanh(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	x := []float64{0, 1e-300, -1e-17, 20, -20, 354, 355, -354, -355, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 1000 {
		x = append(x, 6*r.NormFloat64())
	}
	for n := range len(x) {
		if n > 60 && n < len(x)-60 {
			continue
		}
		got, slope := append([]float64(nil), x[:n]...), make([]float64, n)
		Tanh(got, slope)
		want, wantSlope := append([]float64(nil), x[:n]...), make([]float64, n)
		plainTanh(want, wantSlope)
		same(t, "tangents", got, want)
		same(t, "slopes", slope, wantSlope)
		for i, v := range x[:n] {
			if y := math.Tanh(v); math.Abs(got[i]-y) > 5e-16 || math.Abs(slope[i]-(1-y*y)) > 1.2e-15 || (y != y) != (got[i] != got[i]) {
				t.Errorf("tanh %v = %v with the slope %v, want %v and %v", v, got[i], slope[i], y, 1-y*y)
			}
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
		k, rows, cols, fresh := 1+r.IntN(60), 1+r.IntN(tall), 1+r.IntN(2*Wide), r.IntN(2) == 0
		ai, ar, br, cr := k+r.IntN(3), 1, Wide+r.IntN(9), cols+r.IntN(9)
		if r.IntN(2) == 0 {
			ai, ar = 1, tall+r.IntN(9)
		}
		right := Wide + r.IntN(20)
		if right < br {
			right = k * br
		}
		a, b, c := numbers(r, (tall-1)*ai+(k-1)*ar+1), numbers(r, right+(k-1)*br+Wide), numbers(r, (rows-1)*cr+cols)
		for _, what := range []kind{products, squares} {
			want, got := append([]float64(nil), c...), append([]float64(nil), c...)
			plainTile(what, k, a, ai, ar, b, br, right, want, cr, rows, cols, fresh)
			addTile(what, k, a, ai, ar, b, br, right, got, cr, rows, cols, fresh)
			same(t, fmt.Sprintf("tile of kind %d, %d x %d", what, rows, cols), got, want)
		}
		turned, straight := make([]float64, 4*k), make([]float64, 4*k)
		lines := numbers(r, 4*(k+2))
		turnFour(k, lines, k+2, turned, 4)
		plainTurn(k, 4, lines, k+2, straight, 4)
		same(t, "turned rows", turned, straight)
		strips := numbers(r, 4*8*k)
		for _, what := range []kind{products, squares, absolutes} {
			want, got := make([]float64, 32), make([]float64, 32)
			for _, apart := range []int{8 * k, 0} { // 0 reads one strip four times
				plainRow(what, k, a, strips, apart, want)
				rowTile(what, k, a, strips, apart, got)
				same(t, fmt.Sprintf("row of kind %d, strips %d apart", what, apart), got, want)
			}
		}
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

// Matrices of any shape and layout, parts of them, signs and triangles: each entry is one chain.
func TestAddProduct(t *testing.T) {
	test := func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 1))
		for trial := range 60 {
			m, n, k := 1+r.IntN(60), 1+r.IntN(60), 1+r.IntN(40)
			switch trial % 20 {
			case 0:
				m = 300
			case 1:
				n = 1100
			case 2:
				k = 600
			}
			upper := r.IntN(3) == 0
			if upper {
				n = m
			}
			layout := func(rows, cols int) Matrix {
				data := numbers(r, (rows+3)*(cols+3))
				if r.IntN(2) == 0 {
					return Dense(data, rows+3, cols+3, cols+3).Part(2, 1, rows, cols)
				}
				return Dense(data, cols+3, rows+3, rows+3).T().Part(1, 2, rows, cols)
			}
			a, b := layout(m, k), layout(k, n)
			sign := float64(1 - 2*r.IntN(2))
			data := numbers(r, m*(n+5))
			before := append([]float64(nil), data...)
			c := Dense(data, m, n, n+5)
			fresh := !upper && sign > 0 && r.IntN(2) == 0
			switch {
			case upper:
				c.AddUpper(sign, a, b)
			case fresh:
				c.SetProduct(a, b)
			default:
				c.AddProduct(sign, a, b)
			}
			for i := range m {
				from := 0
				if upper {
					from = i
				}
				for j := from; j < n+5; j++ {
					want := before[i*(n+5)+j]
					if fresh && j < n {
						want = 0
					}
					for q := 0; j < n && q < k; q++ {
						want = math.FMA(sign*a.Data[i*a.Down+q*a.Right], b.Data[q*b.Down+j*b.Right], want)
					}
					same(t, fmt.Sprintf("%d x %d x %d, upper %v, entry (%d, %d)", m, n, k, upper, i, j), data[i*(n+5)+j:][:1], []float64{want})
				}
			}
		}
	}
	test(t)
	t.Run("shared", func(t *testing.T) { share.Eagerly(func() { test(t) }) })
	restore := narrow(t)
	defer restore()
	t.Run("narrow", test)
}

// The machine's speed in products, beside which other programs can be measured: the least of the runs counts.
func BenchmarkAddProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, shape := range [][3]int{
		{512, 512, 512},
		{784, 784, 2000},
		{1000, 4000, 784},
		{613, 541, 777},
		{2000, 4000, 20},
		{500, 500, 20},
		{2000, 16, 2000},
		{64, 64, 64},
	} {
		m, n, k := shape[0], shape[1], shape[2]
		b.Run(fmt.Sprintf("%dx%dx%d", m, n, k), func(b *testing.B) {
			x, y, z := Dense(numbers(r, m*k), m, k, k), Dense(numbers(r, k*n), k, n, n), Dense(make([]float64, m*n), m, n, n)
			for b.Loop() {
				z.SetProduct(x, y)
			}
			b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
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

func BenchmarkTanh(b *testing.B) {
	x, y, slope := make([]float64, 1024), make([]float64, 1024), make([]float64, 1024)
	for i := range x {
		x[i] = float64(i)/200 - 2
	}
	for b.Loop() {
		copy(y, x)
		Tanh(y, slope)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/number")
}

func TestScatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 63, 64, 65, 9000} {
		for _, d := range []int{1, 5, 8, 11, 101} {
			if d > scatterSmall && n > 100 {
				n = 700
			}
			x, w, mean := numbers(r, n*d), make([]float64, n), numbers(r, d)
			var rows []int
			for i := range w {
				w[i] = r.Float64()
				if i%3 != 1 {
					rows = append(rows, i)
				}
			}
			got, _ := Scatter(context.Background(), x, n, d, rows, w, func(int) []float64 { return mean })
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
