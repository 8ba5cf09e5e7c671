package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Finite is a hypothesis space of which only the size matters. It is kept as a logarithm, because 3^1000 conjunctions are an ordinary
// space.
type Finite struct {
	LogSize float64 // log |H|, 0 or more
}

// FiniteOf returns the space of the given size.
func FiniteOf(size float64) Finite { return Finite{math.Log(size)} }

// Conjunctions returns the space of all conjunctions of literals over n Boolean variables: each occurs plain, negated or not at all, which
// makes 3^n; withFalse adds the one that is never true.
func Conjunctions(n int, withFalse bool) (Finite, error) {
	if err := estimator.CheckCount("learn.Conjunctions", "n", n, 1, 1<<40); err != nil {
		return Finite{}, err
	}
	l := float64(n) * math.Log(3)
	if withFalse {
		l = logAdd(l, 0)
	}
	return Finite{l}, nil
}

// ConjunctionsOf returns the space of conjunctions of exactly k literals over n Boolean variables: C(n, k) 2^k.
func ConjunctionsOf(k, n int) (Finite, error) {
	const who = "learn.ConjunctionsOf"
	if err := estimator.CheckCount(who, "n", n, 1, 1<<40); err != nil {
		return Finite{}, err
	}
	if err := estimator.CheckCount(who, "k", k, 0, n); err != nil {
		return Finite{}, err
	}
	if c := binomialCoefficient(n, k) * math.Pow(2, float64(k)); c < 1<<53 {
		return FiniteOf(c), nil
	}
	l := float64(k) * math.Ln2
	// C(n, k) = P(X = k) / (p^k q^(n-k)) for X ~ Binomial(n, p) with p = k/n, which keeps the digits that a difference of factorials loses
	if k < n {
		p, q := float64(k)/float64(n), float64(n-k)/float64(n)
		l += pmf(k, n, p, q).log() - float64(k)*logShare(p, q) - float64(n-k)*logShare(q, p)
	}
	return Finite{l}, nil
}

func binomialCoefficient(n, k int) float64 {
	c := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		c = c * float64(n-i+1) / float64(i)
		if c > 1e300 {
			return math.Inf(1)
		}
	}
	return math.Round(c)
}

// Size returns |H|, rounded when it is a number that float64 can count.
func (h Finite) Size() float64 {
	s := math.Exp(h.LogSize)
	if s < 1e12 {
		return math.Round(s)
	}
	return s
}

// String returns "|H| = 960".
func (h Finite) String() string {
	if h.LogSize > 27 {
		return fmt.Sprintf("|H| = e^%.4g", h.LogSize)
	}
	return fmt.Sprintf("|H| = %.0f", h.Size())
}

func (h Finite) check(who string) error {
	if !(h.LogSize >= 0) || math.IsInf(h.LogSize, 1) {
		return fault.Argument(who, "|H|", math.Exp(h.LogSize), "at least 1 hypothesis", "")
	}
	return nil
}

// CheckEpsilon reports an error tolerance outside (0, 1).
func checkEpsilon(who string, epsilon float64) error {
	if !(epsilon > 0 && epsilon < 1) {
		return fault.Argument(who, "epsilon", epsilon, "an error between 0 and 1", "0.1 is usual")
	}
	return nil
}

func checkDelta(who string, delta float64) error {
	if !(delta > 0 && delta < 1) {
		return fault.Argument(who, "delta", delta, "a failure probability between 0 and 1", "0.05 is usual")
	}
	return nil
}

func checkExamples(who string, n int) error {
	return estimator.CheckCount(who, "n", n, 1, 1<<50)
}

// Survival returns (1 - epsilon)^n: one hypothesis with true error epsilon (or more) makes no mistake on n independent examples with at
// most this probability.
func Survival(n int, epsilon float64) (float64, error) {
	const who = "learn.Survival"
	if err := estimator.CheckCount(who, "n", n, 0, 1<<50); err != nil {
		return 0, err
	}
	if err := checkEpsilon(who, epsilon); err != nil {
		return 0, err
	}
	return math.Exp(float64(n) * math.Log1p(-epsilon)), nil
}

// ConsistentBound returns both bounds on the probability that some hypothesis with true error of at least epsilon is consistent with n
// examples: |H| (1-epsilon)^n, and the simpler and larger |H| exp(-epsilon n). Neither is cut at 1. This is the case without noise: some
// hypothesis makes no error, and the learner returns one without training error.
//
// Source: Mitchell (1997), section 7.3.1; D. Haussler (1988), Artificial Intelligence 36, 177-221.
func (h Finite) ConsistentBound(n int, epsilon float64) (power, exponential float64, err error) {
	const who = "learn.ConsistentBound"
	if err := firstOf(h.check(who), checkExamples(who, n), checkEpsilon(who, epsilon)); err != nil {
		return 0, 0, err
	}
	m := float64(n)
	return math.Exp(h.LogSize + m*math.Log1p(-epsilon)), math.Exp(h.LogSize - m*epsilon), nil
}

// ConsistentSampleSize returns the smallest n with |H| exp(-epsilon n) <= delta, which is ceil((log|H| - log delta) / epsilon). Beyond 1e14
// it is right to 15 digits; a number of 2^63 or more is an error.
func (h Finite) ConsistentSampleSize(epsilon, delta float64) (int, error) {
	x, err := h.ConsistentThreshold(epsilon, delta)
	if err != nil {
		return 0, err
	}
	return whole("learn.ConsistentSampleSize", x)
}

// ConsistentThreshold returns (log|H| - log delta) / epsilon before rounding.
func (h Finite) ConsistentThreshold(epsilon, delta float64) (float64, error) {
	const who = "learn.ConsistentSampleSize"
	if err := firstOf(h.check(who), checkEpsilon(who, epsilon), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return (h.LogSize - math.Log(delta)) / epsilon, nil
}

// ConsistentSampleSizePower returns the smallest n with |H| (1-epsilon)^n <= delta, a little less than ConsistentSampleSize,
// with its accuracy and its limit.
func (h Finite) ConsistentSampleSizePower(epsilon, delta float64) (int, error) {
	const who = "learn.ConsistentSampleSizePower"
	if err := firstOf(h.check(who), checkEpsilon(who, epsilon), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return whole(who, (h.LogSize-math.Log(delta))/-math.Log1p(-epsilon))
}

// ConsistentError returns epsilon = (log|H| - log delta) / n: with probability 1 - delta every consistent hypothesis has at most this true
// error. It may exceed 1 when n is small.
func (h Finite) ConsistentError(n int, delta float64) (float64, error) {
	const who = "learn.ConsistentError"
	if err := firstOf(h.check(who), checkExamples(who, n), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return (h.LogSize - math.Log(delta)) / float64(n), nil
}

// UniformBound returns 2 |H| exp(-2 n epsilon^2), which bounds P(max over h of |Err_S(h) - Err_P(h)| > epsilon); it is not cut at 1. No
// assumption on noise or on the target is made (the agnostic case).
func (h Finite) UniformBound(n int, epsilon float64) (float64, error) {
	const who = "learn.UniformBound"
	if err := firstOf(h.check(who), checkExamples(who, n), checkEpsilon(who, epsilon)); err != nil {
		return 0, err
	}
	return math.Exp(math.Ln2 + h.LogSize - 2*float64(n)*epsilon*epsilon), nil
}

// UniformSampleSize returns the smallest n with 2 |H| exp(-2 n epsilon^2) <= delta, which is ceil((log|H| - log delta + log 2) / (2
// epsilon^2)), with the accuracy and the limit of ConsistentSampleSize.
func (h Finite) UniformSampleSize(epsilon, delta float64) (int, error) {
	x, err := h.UniformThreshold(epsilon, delta)
	if err != nil {
		return 0, err
	}
	return whole("learn.UniformSampleSize", x)
}

// UniformThreshold returns (log|H| - log delta + log 2) / (2 epsilon^2) before rounding.
func (h Finite) UniformThreshold(epsilon, delta float64) (float64, error) {
	const who = "learn.UniformSampleSize"
	if err := firstOf(h.check(who), checkEpsilon(who, epsilon), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return (h.LogSize - math.Log(delta) + math.Ln2) / (2 * epsilon * epsilon), nil
}

// Deviation returns epsilon = sqrt((log(2|H|) - log delta) / (2n)): with probability 1 - delta no hypothesis has a true error more than
// epsilon away from its training error.
func (h Finite) Deviation(n int, delta float64) (float64, error) {
	const who = "learn.Deviation"
	if err := firstOf(h.check(who), checkExamples(who, n), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return math.Sqrt((h.LogSize + math.Ln2 - math.Log(delta)) / (2 * float64(n))), nil
}

// IndependentDeviation returns the exact P(max |Err_S - Err_P| > epsilon) of |H| hypotheses whose errors are independent and all have the
// true error p: 1 - (1 - P(|X/n - p| > epsilon))^|H|. With p = 1/2 it is the worst case for UniformBound, and shows how loose that is.
func (h Finite) IndependentDeviation(n int, p, epsilon float64) (float64, error) {
	const who = "learn.IndependentDeviation"
	if err := firstOf(h.check(who), checkBinomial(who, n, p), checkEpsilon(who, epsilon)); err != nil {
		return 0, err
	}
	return anyOf(h, logDeviation(n, p, epsilon, true)), nil
}

// anyOf returns 1 - (1 - q)^|H| for log q.
func anyOf(h Finite, logQ float64) float64 {
	if logQ >= 0 {
		return 1
	}
	stay := log1mexp(logQ) // log(1 - q)
	if stay > -1e-12 {
		stay = -math.Exp(logQ)
	}
	return -math.Expm1(math.Exp(h.LogSize) * stay)
}

// whole rounds up, but not when x exceeds a whole number only by rounding. It fails when an int cannot count that far.
func whole(who string, x float64) (int, error) {
	if !(x < 1<<63) {
		return 0, fault.Argument(who, "the sample size", fmt.Sprintf("%.3g", x), "below 2^63, 9.2e18",
			"take a larger epsilon; the threshold before rounding is always there")
	}
	if r := math.Round(x); math.Abs(x-r) <= 4e-15*math.Abs(x) {
		return int(max(r, 1)), nil
	}
	return int(max(math.Ceil(x), 1)), nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
