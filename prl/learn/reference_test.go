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

// Sources: Y. Abu-Mostafa, M. Magdon-Ismail & H.-T. Lin (2012), Learning From Data, and its homework 2, 3 and 4; the digits were recomputed in closed
// form. VC bounds there put m_H(n) = n^50 for every n, also below 50.
func TestReferenceCases(t *testing.T) {
	// 2 M exp(-2 eps^2 N) <= 0.03 at eps = 0.05 for M = 1, 10, 100.
	for m, want := range map[float64]int{1: 840, 10: 1301, 100: 1761} {
		if got := ok(FiniteOf(m).UniformSampleSize(0.05, 0.03)); got != want {
			t.Errorf("M = %v: N = %d, want %d", m, got, want)
		}
	}
	bounds := []func(Growth, int, float64) (float64, error){VapnikBound, RademacherBound, ParrondoBound, DevroyeBound}
	for n, want := range map[int][]float64{
		10000: {0.63217491520084, 0.33130878596164, 0.22369829368092, 0.21522804980825},
		5:     {13.828161484991, 7.0487765641837, 5.10136198199, 5.5931255431827},
	} {
		for i, b := range bounds {
			near(t, "VC bound", ok(b(PolynomialGrowth(50), n, 0.05)), want[i], 1e-6)
		}
	}
	// With the true growth 2^n for n <= d: 4.254, 2.814, 1.744, 2.265 at n = 5, cut to three digits.
	for i, want := range []float64{4.254, 2.814, 1.744, 2.265} {
		near(t, "VC bound with 2^n", ok(bounds[i](SauerGrowth(50), 5, 0.05)), want, 1e-3)
	}
	for n := 1; n <= 6; n++ {
		for i, want := range [][]int{{2, 3, 4, 5, 6, 7}, {2, 4, 7, 11, 16, 22}, {2, 4, 6, 8, 10, 12}, {2, 4, 8, 16, 32, 64}} {
			space := ok([]func(int) (*Space, error){Rays, Intervals, TwoSidedRays, AllFunctions}[i](n))
			if space.Size() != want[n-1] {
				t.Errorf("growth function %d at %d is %d, want %d", i, n, space.Size(), want[n-1])
			}
		}
	}
	for i, want := range []int{1, 2, 2} {
		space := ok([]func(int) (*Space, error){Rays, Intervals, TwoSidedRays}[i](6))
		if d, _ := space.VCDimension(); d != want {
			t.Errorf("VC dimension %d is %d, want %d", i, d, want)
		}
	}
	// Convex sets shatter any number of points on a circle.
	if d, set := ok(AllFunctions(6)).VCDimension(); d != 6 || len(set) != 6 {
		t.Error("convex sets", d, set)
	}
	// Empirical Rademacher complexity on three points of a line, by hand over 8 sign vectors.
	constants := ok(NewSpace([][]bool{{false, false, false}, {true, true, true}}))
	near(t, "Rademacher of constants", ok(constants.Rademacher()), 0.5, 1e-12)
	near(t, "Rademacher of thresholds", ok(ok(TwoSidedRays(3)).Rademacher()), 0.83333333333333, 1e-12)
	near(t, "Massart's bound", ok(Massart(2, 3)), 0.67977799344587, 1e-12)
	// Linearly separable labelings: three points in general position 8, the corners of a square 14 of 16 (not XOR), a collinear triple 6.
	for i, c := range []struct {
		points [][2]float64
		want   int
	}{{[][2]float64{{0, 0}, {1, 0}, {0, 1}}, 8}, {[][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, 14}, {[][2]float64{{0, 0}, {1, 0}, {2, 0}}, 6}} {
		if got := ok(HalfPlanes(c.points)).Size(); got != c.want {
			t.Errorf("half planes %d: %d labelings, want %d", i, got, c.want)
		}
	}
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

// The worked numbers of the lecture notes, as corrected (errata of lectures 3, 18 and 19).
func TestLectureNumbers(t *testing.T) {
	binder := ok(NewDomain(
		Attribute{"correct", []string{"complete", "partial", "guess"}}, Attribute{"color", []string{"yes", "no"}}, Attribute{"original", []string{"yes", "no"}},
		Attribute{"presentation", []string{"clear", "unclear"}}, Attribute{"binder", []string{"yes", "no"}}))
	if binder.Size() != 48 || binder.Functions() != 281474976710656 {
		t.Error("instance space", binder.Size(), binder.Functions())
	}
	space := ok(binder.Conjunctions())
	if space.Size() != 325 || space.Distinct().Size() != 325 {
		t.Error("conjunctions", space, space.Distinct())
	}
	if ok(AllFunctions(3)).Size() != 8 {
		t.Error("all functions")
	}
	p := ok(binder.Pattern("complete", "?", "yes", "?", "?"))
	covered := 0
	for x := range 48 {
		if binder.Covers(p, x) {
			covered++
			if h := space.Index(binder.Name(p)); !space.Label(h, x) {
				t.Error("the space and the pattern differ")
			}
		}
	}
	if covered != 8 {
		t.Error("covered", covered)
	}
	if x := ok(binder.Instance("guess", "no", "yes", "clear", "no")); binder.Describe(x) != "(guess, no, yes, clear, no)" {
		t.Error(binder.Describe(x))
	}

	g := Psychic{173, 0.5}
	near(t, "one student", ok(Psychic{1, 0.5}.One(4)), 0.0625, 0)
	near(t, "some student", ok(g.Some(4)), 0.9999858411, 5e-11)
	near(t, "no student", ok(g.None(4)), 1.41589e-5, 5e-11)
	near(t, "bits", ok(g.Bits(0.05)), 11.719928, 5e-7)
	near(t, "11 bits", ok(g.Some(11)), 0.0810, 5e-5)
	near(t, "12 bits", ok(g.Some(12)), 0.0414, 5e-5)

	near(t, "survival", ok(Survival(20, 0.1)), 0.1216, 5e-5)
	power, exponential, _ := FiniteOf(325).ConsistentBound(88, 0.1)
	near(t, "|H|(1-eps)^n", power, 0.0306, 5e-5)
	near(t, "|H|exp(-eps n)", exponential, 0.0490, 5e-5)
	near(t, "threshold 325", ok(FiniteOf(325).ConsistentThreshold(0.1, 0.05)), 87.796, 5e-4)
	near(t, "threshold 960", ok(FiniteOf(960).ConsistentThreshold(0.1, 0.05)), 98.63, 5e-3)
	if ok(FiniteOf(325).ConsistentSampleSize(0.1, 0.05)) != 88 || ok(FiniteOf(960).ConsistentSampleSize(0.1, 0.05)) != 99 {
		t.Error("sample sizes")
	}

	h := ok(ConjunctionsOf(3, 10))
	if h.Size() != 960 {
		t.Error(h)
	}
	near(t, "threshold", ok(h.UniformThreshold(0.1, 0.05)), 527.79, 5e-3)
	if ok(h.UniformSampleSize(0.1, 0.05)) != 528 {
		t.Error("528")
	}
	near(t, "bound at 528", ok(h.UniformBound(528, 0.1)), 0.049791, 5e-7)
	near(t, "bound at 527", ok(h.UniformBound(527, 0.1)), 0.050797, 5e-7)
	near(t, "deviation at 528", ok(h.Deviation(528, 0.05)), 0.099980, 5e-7)
	near(t, "exact tail at 528", ok(DeviationTail(528, 0.5, 0.1, false)), 4.56e-6, 5e-9)
	near(t, "Hoeffding at 528", ok(Hoeffding{}.Bound(528, 0.1)), 5.19e-5, 5e-8)
	near(t, "independent at 400", ok(h.IndependentDeviation(400, 0.5, 0.1)), 0.0454, 5e-5)
	near(t, "independent at 528", ok(h.IndependentDeviation(528, 0.5, 0.1)), 0.0044, 5e-5)
	// Lecture 5: P(X <= 10 | n = 500, p = 0.1), exact rational sum.
	near(t, "10 errors in 500", ok(LowerTail(10, 500, 0.1))/1.13569e-12, 1, 5e-6)
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
				}{{"P(X >= k)", ok(UpperTail(k, n, pf)), upper}, {"P(X <= k)", ok(LowerTail(k, n, pf)), lower}, {"P(X = k)", ok(PMF(k, n, pf)), pmf[k]}} {
					want, _ := c.reference.Float64()
					if math.Abs(c.got-want) > 2e-12*want {
						t.Errorf("n %d, k %d, p %v: %s is %v, want %v", n, k, pf, c.what, c.got, want)
					}
				}
			}
		}
	}
}
