package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
)

// logPMF returns log P(X = k) for X ~ Binomial(n, p), accurate to about 1e-14 relative to the probability for every n: the saddle-point form of
// C. Loader (2000), Fast and Accurate Computation of Binomial Probabilities. It is -Inf where the probability is zero. Arguments have to make
// sense: 0 <= k <= n, 0 <= p <= 1.
func logPMF(k, n int, p float64) float64 {
	switch {
	case k < 0 || k > n:
		return math.Inf(-1)
	case p == 0:
		if k == 0 {
			return 0
		}
		return math.Inf(-1)
	case p == 1:
		if k == n {
			return 0
		}
		return math.Inf(-1)
	case k == 0:
		return float64(n) * math.Log1p(-p)
	case k == n:
		return float64(n) * math.Log(p)
	}
	x, m := float64(k), float64(n)
	dev := stirling(m) - stirling(x) - stirling(m-x) - deviance(x, m*p) - deviance(m-x, m*(1-p))
	return dev + 0.5*math.Log(m/(2*math.Pi*x*(m-x)))
}

// stirling returns log(n!) minus Stirling's formula for it.
func stirling(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	nn := n * n
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188/nn)/nn)/nn)/nn) / n
}

// deviance returns x log(x/m) + m - x without cancellation near x = m.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) < 0.1*(x+m) {
		v := (x - m) / (x + m)
		s := (x - m) * v
		e := 2 * x * v
		for j := 1; j < 1000; j++ {
			e *= v * v
			next := s + e/float64(2*j+1)
			if next == s {
				return s
			}
			s = next
		}
	}
	return x*math.Log(x/m) + m - x
}

func checkBinomial(who string, n int, p float64) error {
	if err := estimator.CheckCount(who, "n", n, 1, 1<<50); err != nil {
		return err
	}
	return checkProbability(who, "p", p)
}

func checkProbability(who, name string, p float64) error {
	if !(p >= 0 && p <= 1) {
		return estimator.Argument(who, name, p, "a probability from 0 to 1", "")
	}
	return nil
}

// logSum returns the log of the sum of P(X = j) from j = k outward, away from the mean: up to n or down to 0.
func logSum(k, n int, p float64, up bool) float64 {
	first := logPMF(k, n, p)
	if math.IsInf(first, -1) {
		if up && k < 0 || !up && k > n {
			return 0
		}
		return first
	}
	odds := p / (1 - p)
	sum, term := 1.0, 1.0
	if up {
		for j := k; j < n && term > 1e-17*sum; j++ {
			term *= float64(n-j) / float64(j+1) * odds
			sum += term
		}
	} else {
		for j := k; j > 0 && term > 1e-17*sum; j-- {
			term *= float64(j) / float64(n-j+1) / odds
			sum += term
		}
	}
	return min(first+math.Log(sum), 0)
}

// LogUpperTail returns log P(X >= k) for X ~ Binomial(n, p): exact far below the smallest float64, where the probability itself would be zero.
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

func logUpper(k, n int, p float64) float64 {
	switch {
	case k <= 0:
		return 0
	case k > n || p == 0:
		return math.Inf(-1)
	case p == 1:
		return 0
	case float64(k) > float64(n)*p:
		return logSum(k, n, p, true)
	}
	return log1mexp(logSum(k-1, n, p, false))
}

func logLower(k, n int, p float64) float64 {
	switch {
	case k >= n:
		return 0
	case k < 0 || p == 1:
		return math.Inf(-1)
	case p == 0:
		return 0
	case float64(k) < float64(n)*p:
		return logSum(k, n, p, false)
	}
	return log1mexp(logSum(k+1, n, p, true))
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
	l, err := LogUpperTail(k, n, p)
	return math.Exp(l), err
}

// LowerTail returns P(X <= k) for X ~ Binomial(n, p), the regularised incomplete beta function I_{1-p}(n-k, k+1).
func LowerTail(k, n int, p float64) (float64, error) {
	l, err := LogLowerTail(k, n, p)
	return math.Exp(l), err
}

// PMF returns P(X = k) for X ~ Binomial(n, p).
func PMF(k, n int, p float64) (float64, error) {
	if err := checkBinomial("learn.PMF", n, p); err != nil {
		return 0, err
	}
	return math.Exp(logPMF(k, n, p)), nil
}

// DeviationTail returns the exact P(|X/n - p| >= epsilon) for X ~ Binomial(n, p), which Hoeffding bounds by 2 exp(-2 n epsilon^2). With strict it
// returns P(|X/n - p| > epsilon). A count within 1e-9 of n(p +- epsilon) counts as equal to it, so that 0.5 + 0.1 means what it says.
func DeviationTail(n int, p, epsilon float64, strict bool) (float64, error) {
	const who = "learn.DeviationTail"
	if err := checkBinomial(who, n, p); err != nil {
		return 0, err
	}
	if !(epsilon >= 0) {
		return 0, estimator.Argument(who, "epsilon", epsilon, "a deviation of 0 or more", "")
	}
	return math.Exp(logDeviation(n, p, epsilon, strict)), nil
}

func logDeviation(n int, p, epsilon float64, strict bool) float64 {
	m := float64(n)
	slack := 1e-9 * max(1, m*1e-6)
	up, down := math.Ceil(m*(p+epsilon)-slack), math.Floor(m*(p-epsilon)+slack)
	if strict {
		up, down = math.Floor(m*(p+epsilon)+slack)+1, math.Ceil(m*(p-epsilon)-slack)-1
	}
	if up <= down+1 {
		return 0
	}
	return min(logAdd(logUpper(int(min(up, m+1)), n, p), logLower(int(max(down, -1)), n, p)), 0)
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// ClopperPearson returns the exact interval for p after k successes in n trials: at every true p it covers p with at least the given confidence
// (0.95). An end at 0 or 1 is one-sided, as usual.
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
		return 0, 0, estimator.Argument(who, "confidence", confidence, "a probability between 0 and 1", "0.95 is usual")
	}
	want := math.Log((1 - confidence) / 2)
	hi = 1
	if k > 0 { // P(X >= k) rises with p
		lo = bisect(0, float64(k)/float64(n), func(p float64) bool { return logUpper(k, n, p) >= want })
	}
	if k < n { // P(X <= k) falls with p
		hi = bisect(float64(k)/float64(n), 1, func(p float64) bool { return logLower(k, n, p) <= want })
	}
	return lo, hi, nil
}

// bisect returns where above turns from false to true between a and b.
func bisect(a, b float64, above func(float64) bool) float64 {
	for range 200 {
		m := a + (b-a)/2
		if m == a || m == b {
			break
		}
		if above(m) {
			b = m
		} else {
			a = m
		}
	}
	return b
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
