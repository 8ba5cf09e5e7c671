package logistic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Case says how the classes lie to each other.
type Case int

const (
	// Overlapping classes: every direction puts some row on a wrong side, and the likelihood has its maximum.
	Overlapping Case = iota
	// Touching classes: a direction puts no row on a wrong side, but leaves some between. There is no maximum.
	Touching
	// Apart: a direction puts all rows strictly on their sides. There is no maximum, and the likelihood tends to one.
	Apart
)

// String returns "overlapping", "touching" or "apart".
func (c Case) String() string {
	switch c {
	case Overlapping:
		return "overlapping"
	case Touching:
		return "touching"
	case Apart:
		return "apart"
	}
	return fmt.Sprintf("Case(%d)", int(c))
}

// A Verdict is a case with its certificate, which can be multiplied out.
type Verdict struct {
	Case Case
	// Direction of classes that do not overlap: for each class an intercept, where there is one, and d coefficients, zeros for class 0. The
	// score of a row's own class is at least that of every other class, and somewhere above; everywhere above when the case is Apart.
	Direction [][]float64
	// Balance of classes that overlap: n x K weights, positive for the wrong classes of each row and zero for its own, for which
	// sum_i sum_k Balance[i][k] (e_y_i - e_k) (1, x_i) is zero: no direction can be on the right side of all these terms.
	Balance [][]float64
}

// Separate decides whether some scores that are linear in the features put no row on a wrong side, by a linear program: maximise the sum of
// z v over the terms z = (e_y_i - e_k) (1, x_i), subject to z v >= 0 for each and |v_j| <= 1. Its dual starts with a feasible basis, and is
// solved by the simplex method. Rows of any weight count; intercept says whether scores have one.
//
// The terms count as zero below 1e-9 of their length; perceptron.Separate answers for two classes without a tolerance.
//
// Source: A. Albert and J. Anderson, On the existence of maximum likelihood estimates in logistic regression models, Biometrika 71 (1984).
//
// Errors: unusable data or labels; a linear program that rounding does not let end.
func Separate(ctx context.Context, X mat.Matrix, y []int, intercept bool) (*Verdict, error) {
	const name = "logistic.Separate"
	p, err := newProblem(ctx, name, X, y, Options{L2: 1, NoIntercept: !intercept})
	if err != nil {
		return nil, err
	}
	return p.separate(ctx, name)
}

// existence returns a *SeparableError where the likelihood has no maximum. At a maximum the weighted residuals are a certificate of
// overlap: they are positive, and their balance is that of the slope. Only where one of them may be rounding is the linear program asked.
func (p *problem) existence(ctx context.Context, name string, s *state) error {
	if s.least > 1e-6 {
		return nil
	}
	v, err := p.separate(ctx, name)
	if err != nil {
		return err
	}
	if v.Case == Overlapping {
		return nil
	}
	return &SeparableError{Func: name, Verdict: v}
}

// terms returns z for each row and wrong class, with the largest entry 1, and its length before.
func (p *problem) terms() (z [][]float64, lengths []float64) {
	for i := range p.n {
		x := p.row(i)
		for k := range p.q + 1 {
			if k == p.y[i] {
				continue
			}
			t := make([]float64, p.q*p.p)
			if own := p.y[i]; own > 0 {
				copy(t[(own-1)*p.p:], x)
			}
			if k > 0 {
				floats.AddScaled(t[(k-1)*p.p:k*p.p], -1, x)
			}
			length := floats.Norm(t, math.Inf(1))
			if length > 0 {
				floats.Scale(1/length, t)
			}
			z, lengths = append(z, t), append(lengths, length)
		}
	}
	return z, lengths
}

// tiny is what counts as zero in terms of length one.
const tiny = 1e-9

func (p *problem) separate(ctx context.Context, name string) (*Verdict, error) {
	z, lengths := p.terms()
	size := p.q * p.p
	goal := make([]float64, size)
	for _, t := range z {
		floats.AddScaled(goal, 1/float64(len(z)), t)
	}
	v, alpha, err := cone(ctx, name, z, goal)
	if err != nil {
		return nil, err
	}
	if largest(z, v) <= tiny { // the balance: -sum alpha z = goal = mean of z
		out := &Verdict{Case: Overlapping}
		at := 0
		for i := range p.n {
			row := make([]float64, p.q+1)
			for k := range row {
				if k == p.y[i] {
					continue
				}
				if row[k] = 1; lengths[at] > 0 {
					row[k] = (alpha[at] + 1/float64(len(z))) / lengths[at]
				}
				at++
			}
			out.Balance = append(out.Balance, row)
		}
		return out, nil
	}
	out := &Verdict{Case: Touching}
	wide := make([][]float64, len(z)) // maximise t subject to z v >= t
	for i, t := range z {
		wide[i] = append(slices.Clone(t), -1)
	}
	margin := make([]float64, size+1)
	margin[size] = 1
	strict, _, err := cone(ctx, name, wide, margin)
	if err != nil {
		return nil, err
	}
	if strict[size] > tiny {
		out.Case, v = Apart, strict[:size]
	}
	theta := p.outside(v)
	floats.Scale(1/floats.Norm(theta, math.Inf(1)), theta)
	out.Direction = append(out.Direction, make([]float64, p.p))
	for a := range p.q {
		out.Direction = append(out.Direction, theta[a*p.p:(a+1)*p.p])
	}
	return out, nil
}

// largest returns the largest product of a term with v.
func largest(z [][]float64, v []float64) float64 {
	most := 0.0
	for _, t := range z {
		most = max(most, floats.Dot(t, v))
	}
	return most
}

// cone maximises goal v subject to z v >= 0 for all z and |v_j| <= 1. The dual program is: minimise sum_j (a_j + b_j) subject to
// -sum_i alpha_i z_i + a - b = goal, all at least 0.
func cone(ctx context.Context, name string, z [][]float64, goal []float64) (v, alpha []float64, err error) {
	p := len(goal)
	s := &simplex{b: goal}
	for _, t := range z {
		minus := make([]float64, p)
		floats.AddScaled(minus, -1, t)
		s.add(minus, 0, 0, math.Inf(1))
	}
	for j, c := range goal {
		for _, sign := range []float64{1, -1} {
			unit := make([]float64, p)
			unit[j] = sign
			s.add(unit, 1, 0, math.Inf(1))
		}
		at := len(z) + 2*j
		if c < 0 {
			at++
		}
		s.basis = append(s.basis, at)
	}
	if err := s.solve(ctx, name); err != nil {
		return nil, nil, err
	}
	return s.multipliers(), s.values()[:len(z)], nil
}

// A SlackFit is the optimum of MinimumSlack.
type SlackFit struct {
	W         []float64
	B         float64
	Slack     []float64 // of each row, max(0, 1 - y_i (w x_i + b))
	Objective float64   // sum of slacks + l1 |w|_1
	Dual      float64   // sum of Alpha; equal to Objective, which proves both
	Alpha     []float64 // multiplier of each row, 0 ... 1
}

// MinimumSlack solves the linear program
//
//	minimise sum_i xi_i + l1 |w|_1  subject to  s_i (w x_i + b) >= 1 - xi_i, xi_i >= 0,  s_i = +1 for class 1 and -1 for class 0,
//
// through its dual: maximise sum alpha_i subject to sum alpha_i s_i = 0, |sum alpha_i s_i x_ij| <= l1, 0 <= alpha_i <= 1, by the simplex
// method with bounds. With l1 = 0 the optimum is 0 exactly when the classes are apart. Sources: F. W. Smith (1968); K. Bennett and
// O. Mangasarian (1992), who divide the slacks by the sizes of the classes so that w = 0 is no solution.
//
// Errors: unusable data or labels; more than two classes; a price that is negative; a program that rounding does not let end.
func MinimumSlack(ctx context.Context, X mat.Matrix, y []int, l1 float64) (*SlackFit, error) {
	const name = "logistic.MinimumSlack"
	if !(l1 >= 0) || math.IsInf(l1, 0) {
		return nil, fault.Argument(name, "l1", l1, "a finite number of at least 0", "")
	}
	p, err := newProblem(ctx, name, X, y, Options{L2: 1})
	if err != nil {
		return nil, err
	}
	if p.q != 1 {
		return nil, fault.Argument(name, "y", fmt.Sprintf("of %d classes", p.q+1), "labels of 2 classes", "")
	}
	s := &simplex{b: make([]float64, p.p)}
	sign := func(i int) float64 { return float64(2*p.y[i] - 1) }
	for i := range p.n {
		column := slices.Clone(p.row(i))
		floats.Scale(sign(i), column)
		s.add(column, -1, 0, 1)
	}
	for j := range p.p {
		unit := make([]float64, p.p)
		unit[j] = 1
		price := 0.0
		if j > 0 {
			price = l1 / p.scale[j-1]
		}
		s.add(unit, 0, -price, price)
		s.basis = append(s.basis, p.n+j)
	}
	if err := s.solve(ctx, name); err != nil {
		return nil, err
	}
	theta := s.multipliers()
	floats.Scale(-1, theta)
	theta = p.outside(theta)
	out := &SlackFit{B: theta[0], W: theta[1:], Alpha: s.values()[:p.n]}
	out.Dual = floats.Sum(out.Alpha)
	out.Objective = l1 * floats.Norm(out.W, 1)
	x := estimator.Dense(X)
	for i := range p.n {
		slack := max(0, 1-sign(i)*(floats.Dot(out.W, x.RawRowView(i))+out.B))
		out.Slack = append(out.Slack, slack)
		out.Objective += slack
	}
	return out, nil
}
