package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fuzztest"
)

// expression draws a kernel built by the closure rules: sums, products, multiples, polynomials with coefficients >= 0, exponentials,
// normalisation and f(a) K(a, b) f(b).
func expression(t *rapid.T, depth int) Kernel {
	gamma := float64(rapid.IntRange(1, 8).Draw(t, "8 gamma")) / 8
	if depth == 0 {
		return rapid.SampledFrom([]Kernel{Linear{}, RBF{gamma}, Laplacian{gamma}, Poly{2, gamma, 1}, Poly{3, gamma, 0}}).Draw(t, "kernel")
	}
	switch rapid.IntRange(0, 7).Draw(t, "rule") {
	case 0:
		return Sum(expression(t, depth-1), expression(t, depth-1))
	case 1:
		return Product(expression(t, depth-1), expression(t, depth-1))
	case 2:
		return Scale(gamma, expression(t, depth-1))
	case 3:
		return Polynomial(expression(t, depth-1), gamma, 0, 1)
	case 4:
		return Exp(Scale(0.01, Normalize(expression(t, depth-1))))
	case 5:
		return Normalize(expression(t, depth-1))
	case 6:
		return Conformal(func(x []float64) float64 { return x[0] - gamma }, expression(t, depth-1))
	}
	return expression(t, 0)
}

// Whatever the closure rules build is a kernel: its Gram matrices are symmetric and positive semi-definite, rows computed together are
// those computed alone, |K(a,b)|^2 <= K(a,a) K(b,b), and its distance keeps the triangle inequality. Centring leaves rows that sum to zero.
func TestClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		X := fuzztest.Matrix(t, n, 2, 2)
		k := expression(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		if err := Check("test", k); err != nil {
			t.Fatal(err)
		}
		G, err := Gram(k, X)
		if err != nil {
			return // values beyond float64
		}
		top := 0.0
		for i := range n {
			top = max(top, G.At(i, i))
		}
		d, err := PSD(G, 1e-10)
		if err != nil || !d.SemiDefinite {
			t.Fatalf("%v has the eigenvalue %v (largest %v), %v", k, d.Min, d.Max, err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b))+1e-12*top }
		for i := range n {
			for j := range n {
				a, b := X.RawRowView(i), X.RawRowView(j)
				if !near(G.At(i, j), k.Eval(a, b)) || !near(k.Eval(a, b), k.Eval(b, a)) {
					t.Fatalf("%v: Gram %v, alone %v and %v", k, G.At(i, j), k.Eval(a, b), k.Eval(b, a))
				}
				if v := G.At(i, j); v*v > G.At(i, i)*G.At(j, j)*(1+1e-9)+1e-12*top*top {
					t.Fatalf("%v: K(a,b) = %v, K(a,a) = %v, K(b,b) = %v", k, v, G.At(i, i), G.At(j, j))
				}
				for l := range n {
					c := X.RawRowView(l)
					if ab, bc, ac := Distance(k, a, b), Distance(k, b, c), Distance(k, a, c); ac > ab+bc+1e-6*math.Sqrt(top) {
						t.Fatalf("%v: %v from a to c, %v and %v by b", k, ac, ab, bc)
					}
				}
			}
		}
		centred := Centre(G)
		for i := range n {
			sum := 0.0
			for j := range n {
				sum += centred.At(i, j)
			}
			if math.Abs(sum) > 1e-9*top*float64(n) {
				t.Fatalf("a centred row sums to %v", sum)
			}
		}
	})
}

// The distance of two rows is that of their images: it can be read off the Gram matrix.
func TestDistanceIsGram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		X := fuzztest.Matrix(t, 4, 2, 3)
		k := expression(t, 1)
		G, err := Gram(k, X)
		if err != nil {
			return
		}
		D := Distances(G)
		for i := range 4 {
			for j := range 4 {
				want := Distance(k, X.RawRowView(i), X.RawRowView(j))
				if math.Abs(D.At(i, j)-want) > 1e-6*(1+want+math.Sqrt(mat.Max(G))) {
					t.Fatalf("%v: %v and %v", k, D.At(i, j), want)
				}
			}
		}
	})
}
