package bayes

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Every kind, turned and moved at random: the name must not change.
func TestConicOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for _, c := range []struct {
		p, q, b, s, c float64 // p x^2 + q y^2 + b x + s y + c
		want          Conic
	}{
		{0, 0, 0, 0, 0, Everywhere},
		{0, 0, 0, 0, 2, Nowhere},
		{1, 2, 0, 0, 1, Nowhere},
		{1, 0, 0, 0, 1, Nowhere},
		{1, 2, 0, 0, 0, OnePoint},
		{0, 0, 1, 2, 3, Line},
		{2, 0, 0, 0, 0, Line},
		{2, 0, 0, 0, -3, ParallelLines},
		{2, -1, 0, 0, 0, CrossingLines},
		{2, 2, 0, 0, -1, Circle},
		{2, 1, 0, 0, -1, Ellipse},
		{-2, 0, 0, 1, 3, Parabola},
		{2, -1, 0, 0, 1, Hyperbola},
		{2, -1, 0, 0, -1, Hyperbola},
	} {
		for range 50 {
			phi, u, v, sign := 2*math.Pi*r.Float64(), 4*r.NormFloat64(), 4*r.NormFloat64(), float64(2*r.IntN(2)-1)
			co, si := math.Cos(phi), math.Sin(phi)
			// x^T D x + e^T x + c at R^T (x - m), with R = (co -si; si co) and m = (u, v)
			A := mat.NewSymDense(2, []float64{
				sign * (c.p*co*co + c.q*si*si), sign * (c.p - c.q) * co * si,
				sign * (c.p - c.q) * co * si, sign * (c.p*si*si + c.q*co*co),
			})
			e := []float64{sign * (c.b*co - c.s*si), sign * (c.b*si + c.s*co)}
			b := []float64{e[0] - 2*(A.At(0, 0)*u+A.At(0, 1)*v), e[1] - 2*(A.At(1, 0)*u+A.At(1, 1)*v)}
			k := sign*c.c - e[0]*u - e[1]*v + A.At(0, 0)*u*u + 2*A.At(0, 1)*u*v + A.At(1, 1)*v*v
			if got, err := ConicOf(A, b, k); err != nil || got != c.want {
				t.Fatalf("%v turned by %g and moved to %g, %g is %v (error %v)", c.want, phi, u, v, got, err)
			}
		}
	}
	for k := Everywhere; k <= Hyperbola+1; k++ {
		if k.String() == "" {
			t.Errorf("%d has no name", int(k))
		}
	}
}

func TestConicOfRefuses(t *testing.T) {
	good := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	for _, c := range []struct {
		A mat.Symmetric
		b []float64
		c float64
	}{
		{nil, []float64{1, 2}, 0},
		{mat.NewSymDense(1, []float64{1}), []float64{1, 2}, 0},
		{good, []float64{1}, 0},
		{good, []float64{1, math.NaN()}, 0},
		{good, []float64{1, 2}, math.Inf(1)},
	} {
		if k, err := ConicOf(c.A, c.b, c.c); err == nil {
			t.Errorf("%v, %v, %v is %v", c.A, c.b, c.c, k)
		}
	}
}

// With equal covariances the boundary is a line, with equal means one through both clouds; on a large circle a hyperbola changes sign four
// times, a parabola, and a line, twice, an ellipse never.
func TestConicOfDiscriminant(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	seen := map[Conic]int{}
	for range 300 {
		var g [2]*Gaussian
		for k := range g {
			a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			S := mat.NewSymDense(2, []float64{a*a + 0.2, a * b, a * b, b*b + c*c + 0.2})
			var err error
			if g[k], err = NewGaussian([]float64{2 * r.NormFloat64(), 2 * r.NormFloat64()}, S); err != nil {
				t.Fatal(err)
			}
		}
		A, b, c, err := Discriminant(g[0], g[1], 0.4, 0.6)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := ConicOf(A, b, c)
		if err != nil {
			t.Fatal(err)
		}
		changes, n := 0, 20000
		value := func(i int) bool {
			x, y := 1e5*math.Cos(2*math.Pi*float64(i)/float64(n)), 1e5*math.Sin(2*math.Pi*float64(i)/float64(n))
			return A.At(0, 0)*x*x+2*A.At(0, 1)*x*y+A.At(1, 1)*y*y+b[0]*x+b[1]*y+c > 0
		}
		for i := range n {
			if value(i) != value(i+1) {
				changes++
			}
		}
		if want := map[Conic]int{Hyperbola: 4}[kind]; changes != want {
			t.Errorf("%v changes sign %d times on a large circle", kind, changes)
		}
		seen[kind]++
	}
	if seen[Hyperbola] < 50 || seen[Ellipse] < 50 {
		t.Errorf("seen %v", seen)
	}
}
