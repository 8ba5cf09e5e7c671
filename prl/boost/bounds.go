package boost

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Bounds returns, for t = 0 ... T, the two bounds on the training error of two classes after t rounds:
//
//	Err(H_t) <= prod_s Z_s <= exp(-2 sum_s gamma_s^2),   gamma_s = 1/2 - eps_s
//
// Both begin with 1. Of K > 2 classes, with gamma_s = 1 - 1/K - eps_s, they bound the share of the rows whose own class gets no more than
// 1/K of the votes, which is less than the training error: a row with 0.4 of the votes for its class may lose to one with 0.5. (Z_s is
// exp(-KL) of the law of a guess, right with 1/K, from that of h_s, and KL >= 2 gamma_s^2 by Pinsker's inequality.) No exponent above 2
// gamma^2 would do: on one point for each pattern of right and wrong answers, weighted as if the answers were independent, the error is the
// tail of a binomial, which falls as fast for small edges. Source: Freund and Schapire 1997, theorem 6.
func (m *Model) Bounds() (product, exponential []float64) {
	product, exponential = []float64{1}, []float64{1}
	p, edges := 1.0, 0.0
	for _, r := range m.state.Rounds {
		p *= r.Z
		edges += r.Edge() * r.Edge()
		product, exponential = append(product, p), append(exponential, math.Exp(-2*edges))
	}
	return product, exponential
}

// Margins returns the normalised margins y_i F(x_i) / sum_t alpha_t of the rows of X (n x d), in [-1, 1]; of more than two classes the
// votes for the class of the row less those for the best of the others, over sum_t alpha_t. A margin is positive when the row is classified
// right and near 1 when nearly all votes agree. A model without rounds gives zeros.
func (m *Model) Margins(X mat.Matrix, y []int) ([]float64, error) {
	x, _, err := m.labelled("boost.Model.Margins", X, y, nil)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for _, a := range m.Alphas() {
		total += math.Abs(a)
	}
	f, b := make([]float64, len(y)), ballot{k: m.Classes(), votes: m.polls(x)}
	for i, c := range y {
		switch {
		case total == 0:
		case b.k > 2:
			f[i] = min(max(b.margin(i, c)/total, -1), 1)
		default:
			f[i] = min(max(b.votes[2*i+1]*sign(c)/total, -1), 1)
		}
	}
	return f, nil
}

// MarginBound returns the bound on the share of training rows of two classes of margin at most theta (-1 < theta < 1),
//
//	P(y F / sum alpha <= theta) <= prod_t 2 sqrt(eps_t^(1-theta) (1 - eps_t)^(1+theta)).
//
// At theta = 0 it is the product of the Z_t. It falls with every round whose edge gamma_t = 1/2 - eps_t is at least theta. Source:
// Schapire, Freund, Bartlett, Lee, Boosting the margin, 1998, theorem 5.
func (m *Model) MarginBound(theta float64) (float64, error) {
	if !(theta > -1 && theta < 1) {
		return 0, fault.Argument("boost.Model.MarginBound", "theta", theta, "a number between -1 and 1", "")
	}
	if k := m.Classes(); k > 2 {
		return 0, fault.Argument("boost.Model.MarginBound", "the model", fmt.Sprintf("of %d classes", k), "a model of 2 classes", "")
	}
	b := 1.0
	for _, r := range m.state.Rounds {
		b *= r.Z * math.Exp(theta*r.Alpha) // the exact sum behind the formula, right also when the last weak classifier made no error
	}
	return b, nil
}

// Normaliser returns Z(alpha) = (1 - eps) exp(-alpha) + eps exp(alpha), the factor by which a term alpha h with weighted error eps
// multiplies the exponential loss.
func Normaliser(eps, alpha float64) float64 { return (1-eps)*math.Exp(-alpha) + eps*math.Exp(alpha) }

// Alpha returns the minimiser of Normaliser, 1/2 log((1 - eps) / eps): positive for eps < 1/2, zero at 1/2, odd about it, infinite at 0 and
// 1.
func Alpha(eps float64) float64 { return 0.5 * math.Log((1-eps)/eps) }

// MinNormaliser returns the minimum of Normaliser over alpha, 2 sqrt(eps (1 - eps)).
func MinNormaliser(eps float64) float64 { return 2 * math.Sqrt(eps*(1-eps)) }

// RoundsToZero returns a number of rounds after which the training error of n equally weighted rows is zero if every edge is at least
// gamma: the least T with exp(-2 gamma^2 T) < 1/n. It is 0 when gamma is not positive, for which there is none, and math.MaxInt when T is
// larger than that.
func RoundsToZero(n int, gamma float64) int {
	if !(gamma > 0) || n < 1 {
		return 0
	}
	rounds := math.Floor(math.Log(float64(n))/(2*gamma)/gamma) + 1
	if rounds >= math.MaxInt {
		return math.MaxInt
	}
	return int(rounds)
}

// MajorityError returns the error of the majority vote of an odd number of classifiers that err independently, each with probability e:
// P(Bin(T, e) > T/2). For an even number a tied vote counts as half an error.
func MajorityError(voters int, e float64) float64 {
	if voters < 1 || e <= 0 {
		return 0
	}
	if e >= 1 {
		return 1
	}
	n := float64(voters)
	ln, _ := math.Lgamma(n + 1)
	p := 0.0
	for k := voters; 2*k >= voters; k-- {
		a, _ := math.Lgamma(float64(k) + 1)
		b, _ := math.Lgamma(n - float64(k) + 1)
		q := math.Exp(ln - a - b + float64(k)*math.Log(e) + (n-float64(k))*math.Log1p(-e))
		if 2*k == voters {
			q /= 2
		}
		p += q
	}
	return min(p, 1)
}
