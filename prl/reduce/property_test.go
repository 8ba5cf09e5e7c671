package reduce

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
)

// close reports whether a and b agree to 1e-9 of scale.
func close(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(scale)) }

// invertible draws a d x d matrix whose inverse is exact enough: a product of a lower and an upper triangle.
func invertible(t *rapid.T, d int) *mat.Dense {
	l, u := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	for i := range d {
		l.Set(i, i, 1)
		u.Set(i, i, rapid.SampledFrom([]float64{-2, -1, 0.5, 1, 3}).Draw(t, "diagonal"))
		for j := range i {
			l.Set(i, j, float64(rapid.IntRange(-3, 3).Draw(t, "below"))/2)
			u.Set(j, i, float64(rapid.IntRange(-3, 3).Draw(t, "above"))/2)
		}
	}
	var a mat.Dense
	a.Mul(l, u)
	return &a
}

// rotation draws an orthogonal d x d matrix as a product of plane rotations.
func rotation(t *rapid.T, d int) *mat.Dense {
	identity := func() *mat.Dense {
		g := mat.NewDense(d, d, nil)
		for k := range d {
			g.Set(k, k, 1)
		}
		return g
	}
	q := identity()
	for i := range d {
		for j := range i {
			angle := float64(rapid.IntRange(0, 35).Draw(t, "tens of degrees")) * math.Pi / 18
			g := identity()
			g.Set(i, i, math.Cos(angle))
			g.Set(j, j, math.Cos(angle))
			g.Set(i, j, math.Sin(angle))
			g.Set(j, i, -math.Sin(angle))
			var next mat.Dense
			next.Mul(q, g)
			q = &next
		}
	}
	return q
}

// mapped returns the rows A x + shift.
func mapped(X, A *mat.Dense, shift float64) *mat.Dense {
	var out mat.Dense
	out.Mul(X, A.T())
	out.Apply(func(i, j int, v float64) float64 { return v + shift*float64(j+1) }, &out)
	return &out
}

// PCA, also of rows on a line or all alike: both paths agree, variances fall and sum to the total, scores are uncorrelated, a turned and
// shifted cloud has the same variances, one c times as large c^2 times those, and its Gram matrix the same eigenvalues (linear kernel PCA,
// classical scaling).
func TestPCA(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 15).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		X := fuzztest.Matrix(t, n, d, 4)
		o := PCAOptions{}
		o.Components, o.Divisor, o.Path = All, Population, Covariance
		fit := func(X mat.Matrix) *PCA {
			p, err := FitPCA(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		p := fit(X)
		v, total := p.Variances(), p.Total()
		sum := 0.0
		for j, value := range v {
			sum += value
			if value < -1e-12 || j > 0 && value > v[j-1]+1e-12 {
				t.Fatalf("variances %v", v)
			}
		}
		if !close(sum, total, total) {
			t.Fatalf("variances %v sum to %v, not to %v", v, sum, total)
		}
		o.Path = SVD
		s := fit(X)
		turned := fit(mapped(X, rotation(t, d), 7))
		var doubled mat.Dense
		doubled.Scale(-2, X)
		large := fit(&doubled)
		centred := mat.DenseCopyOf(X)
		for j := range d {
			centred.Apply(func(i, k int, v float64) float64 {
				if k == j {
					return v - p.Mean()[j]
				}
				return v
			}, centred)
		}
		var gram mat.SymDense
		gram.SymOuterK(1/float64(n), centred)
		inner, _, err := Eigen(&gram)
		if err != nil {
			t.Fatal(err)
		}
		for j, value := range v {
			if !close(s.Variances()[j], value, total) || !close(turned.Variances()[j], value, total) ||
				!close(large.Variances()[j], 4*value, 4*total) ||
				j < n && !close(inner[j], value, total) {
				t.Fatalf(
					"variance %d: %v by the covariance, %v by the singular values, %v turned, %v doubled, %v by the Gram matrix",
					j,
					value,
					s.Variances()[j],
					turned.Variances()[j],
					large.Variances()[j],
					inner[j],
				)
			}
		}
		scores, err := p.Transform(X)
		if err != nil {
			t.Fatal(err)
		}
		_, k := scores.Dims()
		for a := range k {
			for b := range a {
				if c := mat.Dot(scores.ColView(a), scores.ColView(b)) / float64(n); !close(c, 0, total) {
					t.Fatalf("scores %d and %d have the covariance %v", a, b, c)
				}
			}
		}
	})
}

// refused reports whether there is an error, which has to be about an argument.
func refused(t *rapid.T, err error) bool {
	var argument *fault.ArgumentError
	if err != nil && !errors.As(err, &argument) {
		t.Fatal(err)
	}
	return err != nil
}

// The discriminants' eigenvalues, J and decisions do not notice an invertible affine map; with two classes MDA is Fisher.
func TestDiscriminantsAreAffine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 3).Draw(t, "classes")
		n, d := rapid.IntRange(8, 24).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		X, y := fuzztest.Matrix(t, n, d, 4), fuzztest.Labels(t, n, k)
		A := invertible(t, d)
		Z := mapped(X, A, -3)
		s, err := Scatters(X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if mat.Cond(s.Within, 2) > 1e5 || mat.Cond(A, 2) > 1e4 {
			return // rounding decides
		}
		m, err1 := FitMDA(ctx, X, y, MDAOptions{})
		z, err2 := FitMDA(ctx, Z, y, MDAOptions{})
		if refused(t, err1) || refused(t, err2) {
			t.Fatal(err1, err2)
		}
		for j, v := range m.Values() {
			if math.Abs(v-z.Values()[j]) > 1e-6*(1+v) {
				t.Fatalf("eigenvalues %v become %v", m.Values(), z.Values())
			}
		}
		p, err1 := m.Proba(X)
		q, err2 := z.Proba(Z)
		if err1 != nil || err2 != nil || !mat.EqualApprox(p, q, 1e-6) {
			t.Fatalf("posteriors change under an affine map (%v, %v)", err1, err2)
		}
		if k > 2 {
			return
		}
		f, err1 := FitFisher(ctx, X, y, FisherOptions{})
		g, err2 := FitFisher(ctx, Z, y, FisherOptions{})
		if refused(t, err1) || refused(t, err2) {
			return // equal means have no direction
		}
		if math.Abs(f.J()-g.J()) > 1e-6*(1+f.J()) {
			t.Fatalf("J = %v becomes %v", f.J(), g.J())
		}
		w := mat.NewVecDense(d, f.Direction())
		if c := math.Abs(mat.Dot(w, m.Axes().ColView(0))) / mat.Norm(m.Axes().ColView(0), 2); math.Abs(c-1) > 1e-6 && m.Values()[0] > 1e-6 {
			t.Fatalf("Fisher's direction and the discriminant have the cosine %v", c)
		}
	})
}

// Whitened rows have the identity as their covariance, in all forms, and come back.
func TestWhiteningIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(6, 20).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		X := fuzztest.Matrix(t, n, d, 4)
		o := WhitenOptions{}
		o.Form = rapid.SampledFrom([]Form{Axes, ZCA, Triangular}).Draw(t, "form")
		w, err := FitWhitening(ctx, X, o)
		if refused(t, err) {
			return
		}
		Z, err := w.Transform(X)
		if err != nil {
			t.Fatal(err)
		}
		again, err := FitPCA(ctx, Z, PCAOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range again.Variances() {
			if math.Abs(v-1) > 1e-6 {
				t.Fatalf("whitened variances %v", again.Variances())
			}
		}
		back, err := w.Inverse(Z)
		if err != nil || !mat.EqualApprox(back, X, 1e-7) {
			t.Fatalf("whitening does not come back (%v)", err)
		}
	})
}
