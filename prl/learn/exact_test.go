package learn

import (
	"math"
	"math/big"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.12g, want %.12g within %g", what, got, want, tol)
	}
}

func ok[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Cover (1965): m points of the plane in general position have 2 (C(m-1,0) + C(m-1,1) + C(m-1,2)) = m^2 - m + 2 separable labelings.
func TestHalfPlanesFollowCover(t *testing.T) {
	rng := generator(1, 1)
	var points [][2]float64
	for m := 1; m <= 12; m++ {
		points = append(points, [2]float64{rng.NormFloat64(), rng.NormFloat64()})
		if got, want := ok(HalfPlanes(points)).Size(), m*m-m+2; got != want {
			t.Errorf("%d points: %d labelings, want %d", m, got, want)
		}
	}
	if d, _ := ok(HalfPlanes(points)).VCDimension(); d != 3 {
		t.Error("VC dimension of half planes is", d)
	}
}

// A pattern labels the instances that the hypothesis of its name labels.
func TestPatternsAreHypotheses(t *testing.T) {
	binder := ok(NewDomain(
		Attribute{
			"correct",
			[]string{"complete", "partial", "guess"},
		},
		Attribute{"color", []string{"yes", "no"}},
		Attribute{"original", []string{"yes", "no"}},
		Attribute{"presentation", []string{"clear", "unclear"}},
		Attribute{"binder", []string{"yes", "no"}},
	))
	space, p := ok(binder.Conjunctions()), ok(binder.Pattern("complete", "?", "yes", "?", "?"))
	h := space.Index(binder.Name(p))
	for x := range binder.Size() {
		if space.Label(h, x) != binder.Covers(p, x) {
			t.Errorf("the space and the pattern differ at %s", binder.Describe(x))
		}
	}
	if x := ok(binder.Instance("guess", "no", "yes", "clear", "no")); binder.Describe(x) != "(guess, no, yes, clear, no)" {
		t.Error(binder.Describe(x))
	}
}

// Exact rational sums of math/big are the reference for every tail.
func TestTailsAgainstRationals(t *testing.T) {
	for _, n := range []int{1, 2, 7, 30, 101} {
		for _, frac := range [][2]int64{{1, 10}, {1, 2}, {7, 8}, {1, 1000}} {
			p := big.NewRat(frac[0], frac[1])
			q := new(big.Rat).Sub(big.NewRat(1, 1), p)
			pf, _ := p.Float64()
			pmf := make([]*big.Rat, n+1)
			for k := range pmf {
				pmf[k] = new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
				for range k {
					pmf[k].Mul(pmf[k], p)
				}
				for range n - k {
					pmf[k].Mul(pmf[k], q)
				}
			}
			lower := new(big.Rat)
			for k := range n + 1 {
				upper := new(big.Rat).Sub(big.NewRat(1, 1), lower)
				lower.Add(lower, pmf[k])
				for _, c := range []struct {
					what      string
					got       float64
					reference *big.Rat
				}{
					{"P(X >= k)", ok(UpperTail(k, n, pf)), upper},
					{"P(X <= k)", ok(LowerTail(k, n, pf)), lower},
					{"P(X = k)", ok(PMF(k, n, pf)), pmf[k]},
				} {
					want, _ := c.reference.Float64()
					if math.Abs(c.got-want) > 2e-12*want {
						t.Errorf("n %d, k %d, p %v: %s is %v, want %v", n, k, pf, c.what, c.got, want)
					}
				}
			}
		}
	}
}
