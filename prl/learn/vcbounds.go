package learn

import (
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Growth is a bound on the logarithm of a growth function: log m_H(n), the number of ways to label n points.
type Growth func(n float64) float64

// PolynomialGrowth returns d log n, the simple bound n^d for VC dimension d.
func PolynomialGrowth(d int) Growth {
	return func(n float64) float64 { return float64(d) * math.Log(n) }
}

// SauerGrowth returns the logarithm of C(n,0) + ... + C(n,d), which no space of VC dimension d exceeds (Sauer 1972), and n log 2 up to n =
// d.
func SauerGrowth(d int) Growth {
	return func(n float64) float64 {
		if n <= float64(d) {
			return n * math.Ln2
		}
		term, sum := 0.0, 0.0 // log C(n, i), and the log of the sum so far
		for i := 1; i <= d; i++ {
			term += math.Log((n - float64(i) + 1) / float64(i))
			sum = logAdd(sum, term)
		}
		return sum
	}
}

func checkVC(who string, growth Growth, n int, delta float64) error {
	if growth == nil {
		return fault.Argument(who, "growth", "nil", "a growth function", "learn.SauerGrowth(d) is one")
	}
	return firstOf(checkExamples(who, n), checkDelta(who, delta))
}

// VapnikBound returns sqrt(8/n log(4 m_H(2n) / delta)): with probability 1 - delta no hypothesis has a true error above its training error
// by more.
//
// Source: V. N. Vapnik & A. Ya. Chervonenkis (1971), Theory of Probability and its Applications 16, 264-280.
func VapnikBound(growth Growth, n int, delta float64) (float64, error) {
	if err := checkVC("learn.VapnikBound", growth, n, delta); err != nil {
		return 0, err
	}
	m := float64(n)
	return math.Sqrt(8 / m * (math.Log(4) + growth(2*m) - math.Log(delta))), nil
}

// RademacherBound returns sqrt(2 log(2n m_H(n)) / n) + sqrt(2/n log(1/delta)) + 1/n, the Rademacher penalty bound.
func RademacherBound(growth Growth, n int, delta float64) (float64, error) {
	if err := checkVC("learn.RademacherBound", growth, n, delta); err != nil {
		return 0, err
	}
	m := float64(n)
	return math.Sqrt(2*(math.Log(2*m)+growth(m))/m) + math.Sqrt(-2/m*math.Log(delta)) + 1/m, nil
}

// ParrondoBound returns the solution of epsilon = sqrt((2 epsilon + log(6 m_H(2n) / delta)) / n).
//
// Source: J. M. R. Parrondo & C. Van den Broeck (1993), Journal of Physics A 26, 2211-2223.
func ParrondoBound(growth Growth, n int, delta float64) (float64, error) {
	if err := checkVC("learn.ParrondoBound", growth, n, delta); err != nil {
		return 0, err
	}
	m := float64(n)
	c := math.Log(6) + growth(2*m) - math.Log(delta)
	return (1 + math.Sqrt(1+m*c)) / m, nil
}

// DevroyeBound returns the solution of epsilon = sqrt((4 epsilon (1 + epsilon) + log(4 m_H(n^2) / delta)) / (2n)); it needs n > 2.
//
// Source: L. Devroye (1982), Journal of Multivariate Analysis 12, 72-79.
func DevroyeBound(growth Growth, n int, delta float64) (float64, error) {
	const who = "learn.DevroyeBound"
	if err := firstOf(checkVC(who, growth, n, delta), estimator.CheckCount(who, "n", n, 3, 1<<50)); err != nil {
		return 0, err
	}
	m := float64(n)
	c := math.Log(4) + growth(m*m) - math.Log(delta)
	return (2 + math.Sqrt(4+(2*m-4)*c)) / (2*m - 4), nil
}
