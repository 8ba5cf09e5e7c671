package learn

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Coverage returns the probability that an interval for p holds p, sum_k P(X = k) [lo(k) <= p <= hi(k)] for X ~ Binomial(n, p): what the
// interval keeps of its promise. interval is asked for each k from 0 to n; n is at most a million. Errors: n or p outside their range,
// an end that is NaN, and those of the interval.
func Coverage(n int, p float64, interval func(k int) (lo, hi float64, err error)) (float64, error) {
	const op = "learn.Coverage"
	if err := estimator.CheckCount(op, "n", n, 1, 1_000_000); err != nil {
		return 0, err
	}
	if err := checkProbability(op, "p", p); err != nil {
		return 0, err
	}
	sum := 0.0
	for k := range n + 1 {
		lo, hi, err := interval(k)
		if err != nil {
			return 0, err
		}
		if math.IsNaN(lo) || math.IsNaN(hi) {
			return 0, fault.Argument(op, fmt.Sprintf("the interval for k = %d", k), [2]float64{lo, hi}, "two numbers", "")
		}
		if lo <= p && p <= hi {
			m, err := PMF(k, n, p)
			if err != nil {
				return 0, err
			}
			sum += m
		}
	}
	return min(1, sum), nil
}

// Trials returns the least number n of test cases, and the largest count of errors, with which a test of "the error is at least p0" keeps
// both promises: P(X <= most | p0) <= alpha, and P(X <= most | p1) >= power if the error is p1 < p0. The probabilities are exact, so that
// some larger n, at which the count jumps, may not do.
//
// Errors: p0, p1, alpha or power outside (0, 1), p1 not below p0, more than 100,000 cases.
func Trials(p0, p1, alpha, power float64) (n, most int, err error) {
	const op, largest = "learn.Trials", 100_000
	for _, v := range []struct {
		name string
		p    float64
	}{{"p0", p0}, {"p1", p1}, {"alpha", alpha}, {"power", power}} {
		if !(v.p > 0 && v.p < 1) {
			return 0, 0, fault.Argument(op, v.name, v.p, "a probability between 0 and 1", "")
		}
	}
	if p1 >= p0 {
		return 0, 0, fault.Argument(op, "p1", p1, fmt.Sprintf("an error below p0 = %v", p0), "")
	}
	most = -1
	for n = 1; n <= largest; n++ {
		if m, err := LowerTail(most+1, n, p0); err == nil && m <= alpha { // it never jumps by two
			most++
		}
		if m, err := LowerTail(most, n, p1); err == nil && most >= 0 && m >= power {
			return n, most, nil
		}
	}
	return 0, 0, fault.Argument(op, "the difference of p0 and p1", p0-p1, "one that 100,000 cases can show", "")
}
