package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A mass is a binomial probability, root(square) e^exponent: the exponential of large deviations and a root of moderate size.
type mass struct{ exponent, square float64 }

func (m mass) log() float64 { return m.exponent + 0.5*math.Log(m.square) }

// rest returns one minus the mass, without cancellation when the mass is near one.
func (m mass) rest() float64 {
	if v := m.value(); v < 0.5 {
		return 1 - v
	}
	return max(-math.Expm1(m.log()), 0)
}

func (m mass) value() float64 {
	switch {
	case m.exponent < vanishing:
		return 0
	case m.exponent < -700: // a subnormal power would have lost digits
		return math.Exp(m.log())
	}
	return math.Exp(m.exponent) * math.Sqrt(m.square)
}

// side returns the logarithm of the mass of an event, or of that of its complement.
func (m mass) side(complement bool) float64 {
	switch {
	case !complement:
		return min(m.log(), 0)
	case math.IsInf(m.exponent, -1):
		return 0
	}
	return log1mexp(min(m.log(), 0))
}

// pmf returns P(X = k) for X ~ Binomial(n, p) with a relative error of about 1e-14 for every n, or 3e-15 |log P| far from the mean: the
// saddle-point form of C. Loader (2000), Fast and Accurate Computation of Binomial Probabilities. Arguments have to make sense: 0 <= k <=
// n, 0 < p < 1, q = 1 - p, both given so that neither loses digits.
func pmf(k, n int, p, q float64) mass {
	switch k {
	case 0:
		return mass{float64(n) * logShare(q, p), 1}
	case n:
		return mass{float64(n) * logShare(p, q), 1}
	}
	x, y, m := float64(k), float64(n-k), float64(n)
	e := excess(k, n, p, q)
	return mass{stirling(m) - stirling(x) - stirling(y) - deviance(x, m*p, e) - deviance(y, m*q, -e), m / (2 * math.Pi * x * y)}
}

// excess returns k - np, rounded only at the end: from whichever of p and q is at most one half, because that one is exact and the other
// may not be.
func excess(k, n int, p, q float64) float64 {
	m := float64(n)
	if p <= q {
		mean := float64(m * p) // rounded here: a compiler may fuse the product with what follows
		return float64(k) - mean - math.FMA(m, p, -mean)
	}
	mean := float64(m * q)
	return mean - float64(n-k) + math.FMA(m, q, -mean)
}

// logShare returns log p, where q = 1 - p.
func logShare(p, q float64) float64 {
	if q < 0.5 {
		return math.Log1p(-q)
	}
	return math.Log(p)
}

// smallStirling holds stirling(n) for n from 1 to 15, computed with 40 digits.
var smallStirling = [16]float64{
	0, // not used
	0.08106146679532725822, 0.041340695955409294094, 0.027677925684998339149, 0.020790672103765093112, 0.016644691189821192163,
	0.013876128823070747999, 0.011896709945891770095, 0.010411265261972096497, 0.0092554621827127329177, 0.0083305634333628712565,
	0.007573675487951840795, 0.0069428401072095298657, 0.0064089941880042070684, 0.0059513701127588477356, 0.005554733551962801371,
}

// stirling returns log(n!) minus Stirling's formula for it, for a whole number n from 1.
func stirling(n float64) float64 {
	if n < 16 {
		return smallStirling[int(n)]
	}
	u := 1 / n
	v := u * u
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188*v)*v)*v)*v) * u
}

// deviance returns x log(x/m) + m - x, where excess = x - m, without cancellation near x = m.
func deviance(x, m, excess float64) float64 {
	if math.Abs(excess) < 0.1*(x+m) {
		// x log(x/m) = 2 x artanh v, and the series of artanh up to v^19; v^2 is below 0.01.
		v := excess / (x + m)
		u := v * v
		low := 1.0/3 + u*(1.0/5) + u*u*(1.0/7+u*(1.0/9))
		high := 1.0/11 + u*(1.0/13) + u*u*(1.0/15+u*(1.0/17)+u*u*(1.0/19))
		return excess*v + 2*x*v*u*(low+u*u*u*u*high)
	}
	return x*math.Log(x/m) - excess
}

func checkBinomial(who string, n int, p float64) error {
	if err := estimator.CheckCount(who, "n", n, 1, 1<<50); err != nil {
		return err
	}
	return checkProbability(who, "p", p)
}

func checkProbability(who, name string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fault.Argument(who, name, p, "a probability from 0 to 1", "")
	}
	return nil
}

// steepness returns d log P(X >= k) / d log(p/q) = k q P(X = k) / P(X >= k) for 1 <= k <= n and 0 < p < 1, q = 1 - p, by the continued
// fraction of the incomplete beta function I_p(k, n-k+1). Away from the mean some twenty terms do, whatever n; at the mean it takes about
// 540 for n = 1e6 and, which is the most, 440,000 for n = 2^50, some 3 ms. The relative error grows with n from 1e-15 to 3e-13:
// steepnessByQuadrature in the tests says so.
//
// Source: A. R. Didonato & A. H. Morris (1992), Algorithm 708, ACM Transactions on Mathematical Software 18, 360-373, equation 9.
// Numerators and denominators are multiplied through, so that no term needs a division.
func steepness(k, n int, p, q float64) float64 {
	const precision = 1e-15
	const large = 1e100 // one term multiplies by less than 1e50, and the test for the end by the square of what is then there: below 1e300
	a, b := float64(k), float64(n-k+1)
	first := excess(k, n, p, q) + q // (a+1) q - (b-1) p
	above, below := a*first/(a+1), 1.0
	aboveBefore, belowBefore := 1.0, 0.0
	link := 1 / (a + 1) // of the equivalence: c_m c_{m-1} (a+2m-1)^-2 with c_m = (a+2m-1)(a+2m+1), c_0 = 1
	for m := 1.0; m < b; m++ {
		before, after := a+2*m-1, a+2*m+1
		numerator := after * link * m * (b - m) * (a + m - 1) * (a + b + m - 1) * p * p
		denominator := m*(before+(b-m)*p)*after + (a+m)*(first+m*(1+q))*before
		aboveBefore, above = above, denominator*above+numerator*aboveBefore
		belowBefore, below = below, denominator*below+numerator*belowBefore
		if math.Abs(above*belowBefore-aboveBefore*below) <= precision*math.Abs(above*belowBefore) {
			break
		}
		if below > large {
			above, below, aboveBefore, belowBefore = above/large, below/large, aboveBefore/large, belowBefore/large
		}
		link = before
	}
	return above / below
}

// Exponents of P(X = k) below which P(X >= k), at most n times as much for k above the mean, need not be told from it.
const (
	vanishing = -800.0 // zero in double precision
	unseen    = -100.0 // one minus it is one
)

// tail returns P(X >= k) for k above the mean, or something of that order when the exponent is below least.
func tail(k, n int, p, q, least float64) mass {
	m := pmf(k, n, p, q)
	if k < n && m.exponent >= least {
		factor := float64(k) * q / steepness(k, n, p, q)
		m.square *= factor * factor
	}
	return m
}

// LogUpperTail returns log P(X >= k) for X ~ Binomial(n, p): exact far below the smallest float64, where the probability itself would be
// zero.
func LogUpperTail(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.LogUpperTail", n, p); err != nil {
		return 0, err
	}
	return logUpper(k, n, p), nil
}

// LogLowerTail returns log P(X <= k) for X ~ Binomial(n, p).
func LogLowerTail(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.LogLowerTail", n, p); err != nil {
		return 0, err
	}
	return logLower(k, n, p), nil
}

// upper returns P(X >= k), as it is or as one minus the mass when rest is set: the smaller of both sides is computed, with the least
// exponent that matters for either.
func upper(k, n int, p, direct, complement float64) (m mass, rest bool) {
	switch {
	case k <= 0 || p == 1 && k <= n:
		return mass{math.Inf(-1), 1}, true
	case k > n || p == 0:
		return mass{math.Inf(-1), 1}, false
	case float64(k) > float64(n)*p:
		return tail(k, n, p, 1-p, direct), false
	}
	return tail(n-k+1, n, 1-p, p, complement), true // n - X >= n - k + 1
}

func logUpper(k, n int, p float64) float64 {
	m, rest := upper(k, n, p, math.Inf(-1), math.Inf(-1))
	return m.side(rest)
}

// logLower is the logarithm of one minus P(X >= k+1).
func logLower(k, n int, p float64) float64 {
	m, rest := upper(k+1, n, p, math.Inf(-1), math.Inf(-1))
	return m.side(!rest)
}

// log1mexp returns log(1 - e^x) for x <= 0.
func log1mexp(x float64) float64 {
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// UpperTail returns P(X >= k) for X ~ Binomial(n, p).
func UpperTail(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.UpperTail", n, p); err != nil {
		return 0, err
	}
	m, rest := upper(k, n, p, vanishing, unseen)
	if rest {
		return m.rest(), nil
	}
	return min(m.value(), 1), nil
}

// LowerTail returns P(X <= k) for X ~ Binomial(n, p), the regularised incomplete beta function I_{1-p}(n-k, k+1).
func LowerTail(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.LowerTail", n, p); err != nil {
		return 0, err
	}
	m, rest := upper(k+1, n, p, unseen, vanishing)
	if rest {
		return min(m.value(), 1), nil
	}
	return m.rest(), nil
}

// PMF returns P(X = k) for X ~ Binomial(n, p).
func PMF(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.PMF", n, p); err != nil {
		return 0, err
	}
	switch {
	case k < 0 || k > n || p == 0 && k > 0 || p == 1 && k < n:
		return 0, nil
	case p == 0 || p == 1:
		return 1, nil
	}
	return pmf(k, n, p, 1-p).value(), nil
}

// DeviationTail returns the exact P(|X/n - p| >= epsilon) for X ~ Binomial(n, p), which Hoeffding bounds by 2 exp(-2 n epsilon^2). With
// strict it returns P(|X/n - p| > epsilon). So that 0.5 + 0.1 means what it says, a count counts as equal to n(p +- epsilon) when it is
// within 1e-9 of it, or within what the rounding of p and epsilon to float64 makes of n (p + epsilon), 0.25 at n = 2^50.
func DeviationTail(n int, p, epsilon float64, strict bool) (float64, error) {
	const who = "learn.DeviationTail"
	if err := checkBinomial(who, n, p); err != nil {
		return 0, err
	}
	if !(epsilon >= 0) {
		return 0, fault.Argument(who, "epsilon", epsilon, "a deviation of 0 or more", "")
	}
	return math.Exp(logDeviation(n, p, epsilon, strict)), nil
}

func logDeviation(n int, p, epsilon float64, strict bool) float64 {
	if epsilon > 1 {
		return math.Inf(-1)
	}
	slack := max(1e-9, 0x1p-53*float64(n)*(p+epsilon))
	up, down := ceilTimes(n, p, epsilon, -slack), floorTimes(n, p, -epsilon, slack)
	if strict {
		up, down = floorTimes(n, p, epsilon, slack)+1, ceilTimes(n, p, -epsilon, -slack)-1
	}
	if up <= down+1 {
		return 0
	}
	return min(logAdd(logUpper(int(min(up, float64(n)+1)), n, p), logLower(int(max(down, -1)), n, p)), 0)
}

// floorTimes returns the largest whole number that is at most n(p + e) + slack; sum and product are exact, whatever n.
func floorTimes(n int, p, e, slack float64) float64 {
	m, sum := float64(n), p+e
	back := sum - p
	lost := (p - (sum - back)) + (e - back) // of the sum: D. E. Knuth, Seminumerical Algorithms, section 4.2.2
	product := float64(m * sum)
	whole := math.Floor(product)
	return whole + math.Floor(product-whole+math.FMA(m, sum, -product)+m*lost+slack)
}

func ceilTimes(n int, p, e, slack float64) float64 { return -floorTimes(n, -p, -e, -slack) }

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// ClopperPearson returns the exact interval for p after k successes in n trials: at every true p it covers p with at least the given
// confidence (0.95). An end at 0 or 1 is one-sided, as usual.
//
// Source: C. J. Clopper & E. S. Pearson (1934), Biometrika 26, 404-413.
func ClopperPearson(k, n int, confidence float64) (lo, hi float64, err error) {
	const who = "learn.ClopperPearson"
	if err := estimator.CheckCount(who, "n", n, 1, 1<<50); err != nil {
		return 0, 0, err
	}
	if err := estimator.CheckCount(who, "k", k, 0, n); err != nil {
		return 0, 0, err
	}
	if !(confidence > 0 && confidence < 1) {
		return 0, 0, fault.Argument(who, "confidence", confidence, "a probability between 0 and 1", "0.95 is usual")
	}
	want, z := math.Log((1-confidence)/2), math.Sqrt2*math.Erfinv(confidence)
	hi = 1
	if k > 0 { // P(X >= k) rises with p
		lo, _ = lowerEnd(k, n, want, z)
	}
	if k < n { // P(X <= k) = P(n - X >= n - k) rises with 1 - p
		_, hi = lowerEnd(n-k, n, want, z)
	}
	return lo, hi, nil
}

// lowerEnd returns the p at which log P(X >= k) is want, and 1 - p, where z is the normal number with the same upper tail.
//
// g(t) = log P(X >= k) - want is a rising, concave function of t = log(p/q), so Newton's method finds its zero from everywhere. Its first
// derivative is c = steepness, and with s = d log(q P(X = k)) / dt = k - (n+1)p the next ones are
//
//	c1 = c (s - c),  c2 = c1 (s - c) + c (s1 - c1),  c3 = c2 (s - c) + 2 c1 (s1 - c1) + c (s2 - c2).
//
// Near the zero four terms of the inverse function's series are taken at a time. From the start by G. W. Cran, K. J. Martin & G. E. Thomas
// (1977), algorithm AS 109, Applied Statistics 26, 111-114, one or two evaluations do.
func lowerEnd(k, n int, want, z float64) (p, q float64) {
	if k == n {
		return math.Exp(want / float64(n)), -math.Expm1(want / float64(n))
	}
	a, b := float64(k), float64(n-k+1)
	r, u, v := (z*z-3)/6, 1/(2*a-1), 1/(2*b-1)
	h := 2 / (u + v)
	odds := a / b * min(math.Exp(-2*(z*math.Sqrt(h+r)/h-(v-u)*(r+5.0/6-2/(3*h)))), 1)
	const rounds = 100 // never needed
	for range rounds {
		q = 1 / (1 + odds)
		p = odds * q
		c, m := steepness(k, n, p, q), pmf(k, n, p, q)
		factor := a * q / c
		m.square *= factor * factor
		step := (want - m.log()) / c

		s, s1 := a-float64(n+1)*p, -float64(n+1)*p*q
		s2 := s1 * (q - p)
		c1 := c * (s - c)
		c2 := c1*(s-c) + c*(s1-c1)
		c3 := c2*(s-c) + 2*c1*(s1-c1) + c*(s2-c2)
		e1, e2, e3 := c1/(2*c), c2/(6*c), c3/(24*c)
		// Terms shrink by this factor from one to the next: derivatives grow with k where that is large and are about one where it is small.
		factor = max(math.Abs(e1), 1) * math.Abs(step)
		done := math.Abs(step)*factor*factor*factor*factor < 1e-17 // about the first term that is left out
		if factor < 0.1 {
			step *= 1 - step*(e1-step*(2*e1*e1-e2+step*(5*e1*(e2-e1*e1)-e3)))
		}
		odds *= math.Exp(step)
		if done {
			break
		}
	}
	q = 1 / (1 + odds)
	return odds * q, q
}

// UnionBound returns min(1, sum of p): at least one of several events happens with at most this probability, whatever their dependence.
func UnionBound(p ...float64) (float64, error) {
	sum := 0.0
	for i, v := range p {
		if err := checkProbability("learn.UnionBound", fmt.Sprintf("p[%d]", i), v); err != nil {
			return 0, err
		}
		sum += v
	}
	return min(sum, 1), nil
}
