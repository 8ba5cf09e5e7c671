package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// pair is what Step and Partner work on.
type pair[F float32 | float64] struct {
	e, up, down, diag []float64
	ki, kj            []F
}

func newPair[F float32 | float64](r *rand.Rand, n int, number func() float64) pair[F] {
	p := pair[F]{
		e:    make([]float64, n),
		up:   make([]float64, n),
		down: make([]float64, n),
		diag: make([]float64, n),
		ki:   make([]F, n),
		kj:   make([]F, n),
	}
	for t := range n {
		p.e[t], p.diag[t], p.ki[t], p.kj[t] = number(), math.Abs(number()), F(number()), F(number())
		switch r.IntN(4) {
		case 0:
			p.up[t] = math.Inf(-1)
		case 1:
			p.down[t] = math.Inf(1)
		}
	}
	return p
}

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// What Step and Partner do, with the sums and the choices each on its own. Products are rounded, as on a processor that cannot fuse them
// with the sum after them.
func (p pair[F]) check(t *testing.T, what string, d, kii, hi, tau float64) {
	t.Helper()
	best, num, den := -1, 0.0, 1.0
	for i, v := range p.e {
		b, a := hi-(v+p.down[i]), kii+p.diag[i]-float64(2*float64(p.ki[i]))
		if a < tau {
			a = tau
		}
		if g := float64(b * b); b > 0 && float64(g*den) > float64(num*a) {
			best, num, den = i, g, a
		}
	}
	if got := Partner(p.e, p.down, p.diag, p.ki, kii, hi, tau); got != best {
		t.Fatalf("%s: the partner is %d, want %d", what, got, best)
	}

	want := make([]float64, len(p.e))
	first, top, bottom := 0, math.Inf(-1), math.Inf(1)
	for i, v := range p.e {
		step := float64(d * (float64(p.ki[i]) - float64(p.kj[i])))
		want[i] = v - step
		if u := want[i] + p.up[i]; u > top {
			first, top = i, u
		}
		if u := want[i] + p.down[i]; u < bottom {
			bottom = u
		}
	}
	e := append(append([]float64(nil), p.e...), 77)
	gotFirst, gotTop, gotBottom := Step(e[:len(p.e)], p.up, p.down, p.ki, p.kj, d)
	if gotFirst != first || !sameNumber(gotTop, top+0) || !sameNumber(gotBottom, bottom+0) {
		t.Fatalf("%s: step gives %d, %v, %v, want %d, %v, %v", what, gotFirst, gotTop, gotBottom, first, top, bottom)
	}
	for i := range want {
		if !sameNumber(e[i], want[i]) {
			t.Fatalf("%s: e[%d] is %v, want %v", what, i, e[i], want[i])
		}
	}
	if e[len(p.e)] != 77 {
		t.Fatalf("%s: step writes beyond its slice", what)
	}
}

func TestStepAndPartner(t *testing.T) {
	stepAndPartner[float32](t)
	stepAndPartner[float64](t)
	restore := narrow(t)
	defer restore()
	stepAndPartner[float32](t)
	stepAndPartner[float64](t)
}

func stepAndPartner[F float32 | float64](t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	strange := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 1, -1, math.MaxFloat64, 5e-324, 1e-170}
	kinds := []struct {
		name   string
		number func() float64
	}{
		{"normal", r.NormFloat64},
		{"ties", func() float64 { return float64(r.IntN(5) - 2) }},
		{"zeros", func() float64 { return math.Copysign(0, float64(r.IntN(2))-0.5) }},
		{"strange", func() float64 { return strange[r.IntN(len(strange))] }},
		{"rarely strange", func() float64 {
			if r.IntN(40) == 0 {
				return strange[r.IntN(len(strange))]
			}
			return r.NormFloat64()
		}},
	}
	for _, kind := range kinds {
		for n := range 71 {
			for range 8 {
				p := newPair[F](r, n, kind.number)
				what := fmt.Sprintf("%s numbers, n = %d, rows of %T", kind.name, n, F(0))
				p.check(t, what, kind.number(), math.Abs(kind.number()), kind.number(), 1e-12)
				p.check(t, what, 0, 1, 3, 1e-12)
				for i := range n { // curvatures below tau
					p.ki[i] += 2
				}
				p.check(t, what+", negative curvature", 0.5, 1, 3, 1e-12)
			}
		}
	}
	for _, n := range []int{16, 48, 70} {
		normal := newPair[F](r, n, r.NormFloat64)
		for i := range n { // every place is better than the one before
			normal.e[i], normal.up[i], normal.down[i] = -float64(i), 0, 0
			normal.diag[i], normal.ki[i], normal.kj[i] = 1, 0, 0
		}
		normal.check(t, "falling", 0, 1, 1, 1e-12)
		for i := range n {
			normal.e[i] = 1 // all places are equal
		}
		normal.check(t, "equal", 0, 1, 2, 1e-12)
		for i := range n { // quotients that differ by rounding only, so that it matters in which order they are compared
			normal.e[i] = 1 - 1/math.Sqrt(3+1e-15*float64(r.IntN(9)))
			normal.diag[i] = 2 + 1e-15*float64(r.IntN(9))
		}
		normal.check(t, "near ties", 0, 1, 1+1e-9, 1e-12)
		for i := range n { // nobody may move
			normal.up[i], normal.down[i] = math.Inf(-1), math.Inf(1)
		}
		normal.check(t, "hidden", 1, 1, math.Inf(-1), 1e-12)
	}
}

// The assembly stops where plain loops go on, and both say the same at that place.
func TestSMOBlocksArePlain(t *testing.T) {
	smoBlocksArePlain[float32](t)
	smoBlocksArePlain[float64](t)
	restore := narrow(t)
	defer restore()
	smoBlocksArePlain[float32](t)
	smoBlocksArePlain[float64](t)
}

func smoBlocksArePlain[F float32 | float64](t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for n := range 71 {
		p := newPair[F](r, n, r.NormFloat64)
		e := append([]float64(nil), p.e...)
		done, best := partnerBlocks(e, p.down, p.diag, p.ki, 1, 2, 1e-12)
		if want := plainPartner(e[:done], p.down, p.diag, p.ki, 1, 2, 1e-12, 0, noPartner()); best != want {
			t.Fatalf("%d places: best %+v, want %+v", done, best, want)
		}
		plain := append([]float64(nil), p.e...)
		done, found := stepBlocks(e, p.up, p.down, p.ki, p.kj, 0.3)
		if want := plainStep(plain[:done], p.up, p.down, p.ki, p.kj, 0.3, 0, noExtremes()); found != want {
			t.Fatalf("%d places: found %+v, want %+v", done, found, want)
		}
		same(t, "e", e, plain)
		if !fast && done != 0 {
			t.Fatalf("%d places done without registers for it", done)
		}
	}
}

func TestSMOAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	p := newPair[float32](r, 100, r.NormFloat64)
	if n := testing.AllocsPerRun(10, func() {
		Step(p.e, p.up, p.down, p.ki, p.kj, 0.1)
		Partner(p.e, p.down, p.diag, p.ki, 1, 2, 1e-12)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkSMO times both loops as they run here, without registers of eight numbers, and plain.
func BenchmarkSMO(b *testing.B) {
	for _, n := range []int{1000, 5000, 10000} {
		benchmarkSMO[float64](b, n)
		benchmarkSMO[float32](b, n)
	}
}

func benchmarkSMO[F float32 | float64](b *testing.B, n int) {
	r := rand.New(rand.NewPCG(14, 1))
	p := newPair[F](r, n, r.NormFloat64)
	for t := range p.ki { // as of a Gaussian kernel
		p.diag[t], p.ki[t], p.kj[t] = 1, F(r.Float64()), F(r.Float64())
	}
	d := 1e-9
	run := func(name string, f func()) {
		b.Run(fmt.Sprintf("%s/%T/n=%d", name, F(0), n), func(b *testing.B) {
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/place")
		})
	}
	step := func() { d = -d; Step(p.e, p.up, p.down, p.ki, p.kj, d) }
	partner := func() { Partner(p.e, p.down, p.diag, p.ki, 1, 3, 1e-12) }
	run("Step", step)
	run("Partner", partner)
	run("StepPlain", func() { d = -d; plainStep(p.e, p.up, p.down, p.ki, p.kj, d, 0, noExtremes()) })
	run("PartnerPlain", func() { plainPartner(p.e, p.down, p.diag, p.ki, 1, 3, 1e-12, 0, noPartner()) })
	restore := narrow(nil)
	defer restore()
	run("StepNarrow", step)
	run("PartnerNarrow", partner)
}
