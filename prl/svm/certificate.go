package svm

import (
	"fmt"
	"math"
)

// A Certificate proves how good a machine is: by weak duality the optimum lies between Dual and Primal, so that no other machine for the
// same data and settings is better by more than Gap. For the hard margin and Balance 0, Gap = 1/2 |w - sum alpha_i y_i x_i|^2 +
// sum alpha_i (y_i f(x_i) - 1): what is still broken of the conditions of Kuhn and Tucker.
type Certificate struct {
	Primal     float64 // primal objective; for the hard margin after scaling to canonical form
	Dual       float64 // sum alpha - 1/2 |w|^2 (- 1/2 sum alpha^2/C with quadratic slack)
	Gap        float64 // Primal - Dual
	Violation  float64 // worst violation of complementarity: of y f >= 1 at alpha = 0, y f = 1 at free, y f <= 1 at bounded support vectors
	Pair       float64 // violation by the worst pair, which SMO brings below Tol; negative when strictly satisfied
	Balance    float64 // |sum alpha_i y_i|, which a machine with a bias makes zero; not defined, and 0, without a bias
	Iterations int     // SMO steps
	Values     int     // kernel values computed
	Support    int     // points with alpha > 0
	Bounded    int     // points with alpha = C
}

// RelativeGap returns Gap / max(1, |Primal|).
func (c Certificate) RelativeGap() float64 { return c.Gap / math.Max(1, math.Abs(c.Primal)) }

// String returns "primal 0.7480580, dual 0.7480579, gap 1e-07, KKT violation 3e-08 after 12 steps".
func (c Certificate) String() string {
	return fmt.Sprintf(
		"primal %.7g, dual %.7g, gap %.1e, KKT violation %.1e after %d steps",
		c.Primal,
		c.Dual,
		c.Gap,
		c.Violation,
		c.Iterations,
	)
}

// certify makes a machine of the solution of its problem, without its classes and support vectors.
func (p *problem) certify(s *solution, slack Slack, converged bool) (out pair) {
	f := s.room[0]
	norm2 := p.outputs(f, s)
	b := p.biasOf(s)
	if !converged {
		b = p.bestBias(slack, f)
	}
	out = pair{B: b, Norm2: norm2, Margins: s.room[1]}
	c := &out.Certificate
	balance := 0.0
	for i, y := range p.y {
		f[i] += b
		alpha := math.Abs(s.beta[i])
		out.Margins[i] = y * f[i]
		balance += s.beta[i]
		reach := y * f[i] // against which the conditions are written; the ridge stands for the slack
		if p.ridge != nil {
			reach += p.ridge[i] * alpha
		}
		switch {
		case alpha == 0:
			c.Violation = math.Max(c.Violation, 1-reach)
		case alpha >= p.upper[i]-p.lower[i]:
			c.Violation = math.Max(c.Violation, reach-1)
			c.Bounded++
		default:
			c.Violation = math.Max(c.Violation, math.Abs(1-reach))
		}
		if alpha > 0 {
			c.Support++
		}
	}
	c.Primal, c.Dual = p.primal(slack, f, norm2), p.dualOf(s)
	c.Gap = c.Primal - c.Dual
	c.Pair = s.hi - s.lo
	if !p.bias {
		c.Pair = math.Max(s.hi, -s.lo)
	} else {
		c.Balance = math.Abs(balance)
	}
	c.Iterations, c.Values = s.iterations, s.values
	return out
}
