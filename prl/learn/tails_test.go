package learn

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/integrate/quad"
)

// steepnessByQuadrature is the second algorithm for steepness(k, n, p, q): with t = p e^-s in the integral of the incomplete beta function
// I_p(a, b), a = k and b = n-k+1,
//
//	1 / steepness = 1/q * integral over s > 0 of exp(h(s)),  h(s) = -a s + (b-1) log1p(w),  w = p/q (1 - e^-s),
//
// by Gauss-Legendre rules on pieces of equal fall of h. Shares nothing with the continued fraction or the asymptotic expansion.
func steepnessByQuadrature(k, n int, p, q float64) float64 {
	a, c := float64(k), float64(n-k)
	slope := excess(k, n, p, q) / q
	h := func(s float64) float64 {
		w := -p / q * math.Expm1(-s)
		if w > 0.5 || s > 0.5 {
			return -a*s + c*math.Log1p(w)
		}
		return -slope*s - c*remainder(-w) - c*p/q*exponentialRemainder(s)
	}
	// where returns s with h(s) = -fall.
	where := func(fall float64) float64 {
		lo, hi := 0.0, 1e-18
		for h(hi) > -fall {
			lo, hi = hi, 2*hi
		}
		for range 60 {
			if mid := (lo + hi) / 2; h(mid) > -fall {
				lo = mid
			} else {
				hi = mid
			}
		}
		return hi
	}
	sum, from := 0.0, 0.0
	for _, fall := range []float64{0.01, 0.1, 0.3, 1, 2, 4, 7, 11, 16, 23, 31, 45} {
		to := where(fall)
		sum += quad.Fixed(func(s float64) float64 { return math.Exp(h(s)) }, from, to, 24, quad.Legendre{}, 0)
		from = to
	}
	return q / sum
}

// remainder returns -u - log(1-u), u^2/2 + u^3/3 + ..., for |u| <= 0.5.
func remainder(u float64) float64 {
	if math.Abs(u) > 0.1 {
		return -u - math.Log1p(-u)
	}
	sum, power := 0.0, u
	for i := 2.0; i < 22; i++ {
		power *= u
		sum += power / i
	}
	return sum
}

// exponentialRemainder returns s - (1 - e^-s), s^2/2 - s^3/6 + ...
func exponentialRemainder(s float64) float64 {
	if s > 0.1 {
		return s + math.Expm1(-s)
	}
	sum, term := 0.0, -s
	for i := 2.0; i < 20; i++ {
		term *= -s / i
		sum += term
	}
	return sum
}

// drawBinomial returns n from 2 to 2^50 and p, both log-uniform (p towards both ends), and a count k above the mean, in three of four draws
// within three standard deviations of it.
func drawBinomial(rng *rand.Rand) (k, n int, p, q float64) {
	for {
		n = int(math.Exp2(1 + 49*rng.Float64()))
		p = math.Exp(-rng.Float64() * (math.Log(float64(n)) + 3))
		if rng.IntN(2) == 0 {
			p = math.Exp(-rng.Float64() * 5)
		}
		q = 1 - p
		if rng.IntN(2) == 0 {
			q = p
			p = 1 - q
			q = 1 - p
		}
		z := 3 * rng.Float64()
		if rng.IntN(4) == 0 {
			z *= 12
		}
		k = int(math.Ceil(float64(n)*p + z*math.Sqrt(float64(n)*p*q)))
		if p < 1 && q < 1 && k >= 1 && k < n && float64(k) > float64(n)*p {
			return k, n, p, q
		}
	}
}

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// Both algorithms agree to 3e-13 for every n, near the mean above all, where the continued fraction takes longest.
func TestSteepnessAgainstQuadrature(t *testing.T) {
	rng := generator(7, 7)
	for range 4000 {
		k, n, p, q := drawBinomial(rng)
		if e := relative(steepness(k, n, p, q), steepnessByQuadrature(k, n, p, q)); !(e < 1.5e-13) {
			t.Errorf("k %d, n %d, p %v, %.2g sd above the mean: relative difference %.2g", k, n, p, excess(k, n, p,
				q)/math.Sqrt(float64(n)*p*q), e)
		}
	}
}

// tailsBySums returns P(X >= k) and P(X = k) from ratios of neighbouring terms alone: the sums of all terms above and below, in units of
// P(X = k), have to make up one. No gamma function and no continued fraction has a part in it. It takes of the order of sqrt(n) steps.
func tailsBySums(k, n int, p, q float64) (upper, lower, at float64) {
	above, below := 1.0, 1.0
	for term, j := 1.0, k; j < n && term > 1e-18*above; j++ {
		term *= float64(n-j) / float64(j+1) * (p / q)
		above += term
	}
	for term, j := 1.0, k; j > 0 && term > 1e-18*below; j-- {
		term *= float64(j) / float64(n-j+1) * (q / p)
		below += term
	}
	total := above + below - 1
	return above / total, below / total, 1 / total
}

func TestTailsAgainstSums(t *testing.T) {
	rng := generator(8, 8)
	for tried := 0; tried < 1500; {
		k, n, p, q := drawBinomial(rng)
		if n > 1<<34 {
			continue
		}
		tried++
		if rng.IntN(2) == 0 {
			k = max(k-int(2*excess(k, n, p, q)), 0) // as far below the mean
		}
		// A term is a product of as many rounded ratios as it is steps away, and those that count reach from k to six deviations beyond the
		// mean.
		tol := 1e-13 + 2.5e-16*(math.Abs(excess(k, n, p, q))+6*math.Sqrt(float64(n)*p*q))
		upper, lower, at := tailsBySums(k, n, p, q)
		tol += 3e-15 * math.Abs(math.Log(at)) // as pmf says
		for what, e := range map[string]float64{
			"UpperTail": relative(ok(UpperTail(k, n, p)), upper), "LowerTail": relative(ok(LowerTail(k, n, p)), lower),
			"PMF":          relative(ok(PMF(k, n, p)), at),
			"LogUpperTail": math.Abs(ok(LogUpperTail(k, n, p)) - math.Log(upper)), "LogLowerTail": math.Abs(ok(LogLowerTail(k, n,
				p)) - math.Log(lower)),
		} {
			if at > 1e-290 && !(e < tol) {
				t.Errorf("%s(%d, %d, %v) differs by %.2g", what, k, n, p, e)
			}
		}
	}
}

// testdata/tails.csv is what mpmath computes with 60 digits: python3 testdata/tails.py > testdata/tails.csv (it names the version).
func TestTailsAgainstMpmath(t *testing.T) {
	file, err := os.Open("testdata/tails.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil || len(records) < 130 {
		t.Fatal(len(records), err)
	}
	for _, r := range records[1:] {
		var v [6]float64
		for j := range v {
			v[j] = ok(strconv.ParseFloat(r[j], 64))
		}
		k, n, p := int(v[0]), int(v[1]), v[2]
		for what, e := range map[string]float64{
			"UpperTail": relative(ok(UpperTail(k, n, p)), v[3]), "LowerTail": relative(ok(LowerTail(k, n, p)), v[4]),
			"PMF": relative(ok(PMF(k, n, p)), v[5]),
		} {
			if !(e < 3e-13) {
				t.Errorf("%s(%d, %d, %v) differs by %.2g", what, k, n, p, e)
			}
		}
	}
}

// At every confidence the ends are where the tails are (1 - confidence) / 2, and intervals of higher confidence contain those of lower.
func TestClopperPearsonAtEveryConfidence(t *testing.T) {
	rng := generator(9, 9)
	for range 1500 {
		n := int(math.Exp2(1 + 29*rng.Float64()))
		k := 1 + rng.IntN(n-1)
		if rng.IntN(2) == 0 {
			k = 1 + int(float64(n-2)*math.Exp(-rng.Float64()*math.Log(float64(n))))
		}
		inner, outer := 0.5, 0.5
		for i, confidence := range []float64{1e-9, 0.001, 0.1, 0.2, 0.5, 0.8, 0.95, 1 - 1e-9} {
			lo, hi, err := ClopperPearson(k, n, confidence)
			if err != nil || !(lo < hi) || i > 0 && !(lo <= inner && outer <= hi) {
				t.Fatalf("%d of %d at %v: [%v, %v] after [%v, %v], %v", k, n, confidence, lo, hi, inner, outer, err)
			}
			inner, outer = lo, hi
			// The rounding of p changes the odds by p / (1-p) times 1e-16, and the logarithm of the tail by at most n times that.
			tol := func(p float64) float64 { return 1e-12 + 4e-16*float64(n)/(1-p) }
			want := math.Log((1 - confidence) / 2)
			if l := ok(LogUpperTail(k, n, lo)); !(math.Abs(l-want) < tol(lo)*(1-want)) {
				t.Errorf("%d of %d at %v: log P(X >= k) at the lower end is %v, want %v", k, n, confidence, l, want)
			}
			if l := ok(LogLowerTail(k, n, hi)); !(math.Abs(l-want) < tol(hi)*(1-want)) {
				t.Errorf("%d of %d at %v: log P(X <= k) at the upper end is %v, want %v", k, n, confidence, l, want)
			}
		}
	}
	// mpmath 1.4.1: zeros of I_p(k, n-k+1) - 0.45 and I_p(k+1, n-k) - 0.55, quad with 40 digits
	lo, hi, err := ClopperPearson(820267, 1357237, 0.1)
	if err != nil || relative(lo, 0.60431220072695362057) > 1e-14 || relative(hi, 0.60441842495060267122) > 1e-14 {
		t.Error(lo, hi, err)
	}
}

// P(|X/n - p| >= epsilon) is one minus the probabilities between, however fine epsilon is.
func TestDeviationTailAtTheMean(t *testing.T) {
	for _, n := range []int{100_000, 10_000_000, 1 << 50} {
		p := 0.3
		if n == 1<<50 {
			p = 0.25 // so that n p is whole
		}
		at := int(math.Round(float64(n) * p))
		e := 1 / float64(n)
		if got, want := ok(DeviationTail(n, p, e, false)), 1-ok(PMF(at, n, p)); !(math.Abs(got-want) < 3e-13) {
			t.Errorf("n %d: %v, want %v", n, got, want)
		}
		want := 1 - ok(PMF(at, n, p)) - ok(PMF(at-1, n, p)) - ok(PMF(at+1, n, p))
		if got := ok(DeviationTail(n, p, e, true)); !(math.Abs(got-want) < 3e-13) {
			t.Errorf("n %d, strict: %v, want %v", n, got, want)
		}
	}
	for _, e := range []float64{1.5, 1e300, math.Inf(1)} {
		if got := ok(DeviationTail(1<<50, 0.3, e, false)); got != 0 {
			t.Errorf("epsilon %v: %v", e, got)
		}
	}
}

// A sample size that an int cannot hold is an error, and one beyond 2^53 is still the number.
func TestHugeSampleSizes(t *testing.T) {
	n, err := FiniteOf(1).ConsistentSampleSizePower(1e-15, 0.05)
	if want := -math.Log(0.05) / 1e-15; err != nil || relative(float64(n), want) > 1e-14 {
		t.Error(n, want, err)
	}
	n, err = FiniteOf(1000).UniformSampleSize(1e-8, 0.05)
	if want := math.Log(2*1000/0.05) / 2e-16; err != nil || relative(float64(n), want) > 1e-14 {
		t.Error(n, want, err)
	}
	for what, err := range map[string]error{
		"consistent": errOf(FiniteOf(10).ConsistentSampleSize(1e-19, 0.05)), "power": errOf(FiniteOf(10).ConsistentSampleSizePower(1e-300,
			0.05)),
		"uniform": errOf(FiniteOf(10).UniformSampleSize(1e-12, 0.05)),
	} {
		if err == nil || !strings.Contains(err.Error(), "below 2^63") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Two hundred points are what HalfPlanes admits, and all functions of 14 instances are shattered: both take a moment.
func TestLargestSpaces(t *testing.T) {
	rng := generator(3, 3)
	points := make([][2]float64, 200)
	for i := range points {
		points[i] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	planes := ok(HalfPlanes(points))
	if got, want := planes.Size(), 200*200-200+2; got != want || planes.Distinct().Size() != want {
		t.Errorf("%d labelings, want %d as T. M. Cover counts them", got, want)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if d, set, err := planes.VCDimensionContext(ctx); d != 3 || len(set) != 3 || !errors.Is(err, context.DeadlineExceeded) ||
		time.Since(began) > 250*time.Millisecond {
		t.Error(d, set, err, time.Since(began))
	}
	if d, set := ok(AllFunctions(14)).VCDimension(); d != 14 || len(set) != 14 {
		t.Error(d, set)
	}
	if r := ok(ok(AllFunctions(20)).Rademacher()); r != 1 {
		t.Error("Rademacher complexity of all functions is", r)
	}
	// On few instances, against the definition.
	labels := make([][]bool, 9)
	for h := range labels {
		for range 7 {
			labels[h] = append(labels[h], rng.IntN(2) == 0)
		}
	}
	space, sum := ok(NewSpace(labels)), 0
	for sigma := range 1 << 7 {
		best := -7
		for h := range labels {
			agree := 0
			for x := range 7 {
				if space.Label(h, x) == (sigma>>x&1 == 1) {
					agree += 2
				}
			}
			best = max(best, agree-7)
		}
		sum += best
	}
	near(t, "Rademacher complexity", ok(space.Rademacher()), float64(sum)/128/7, 1e-15)
}

func errOf[T any](_ T, err error) error { return err }

// Weights of instances are probabilities up to scale, whatever the scale.
func TestWeightsOfInstances(t *testing.T) {
	space := ok(Rays(3))
	want := ok(NewProblem(space, []bool{false, true, true}, []float64{1, 2, 1}, 0)).TrueErrors()
	for _, c := range []float64{1e-320, 1e-300, 8e307} {
		got := ok(NewProblem(space, []bool{false, true, true}, []float64{c, 2 * c, c}, 0)).TrueErrors()
		for h, e := range got {
			near(t, "true error", e, want[h], 1e-15)
		}
	}
}
