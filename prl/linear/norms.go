package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Certificate proves that no coefficients do better than Floor. Dual has one number for each row. These numbers sum to zero, where there
// is an intercept, and so do their products with each column of X; so for all b and w their products with y sum to the same Floor as those
// with the residuals, which cannot be more than the norm of the residuals times the dual norm of Dual, which is at most 1:
//
//	Floor = sum_i Dual_i y_i = sum_i Dual_i (y_i - b - x_i w) <= |y - b - X w|_p |Dual|_q,  1/p + 1/q = 1.
//
// For p = 1 no number of Dual is above 1 in size; for p = infinity their sizes sum to 1; for a quantile tau they lie between tau - 1 and
// tau. With weights the bound is for Dual_i / w_i^(1/p).
type Certificate struct {
	Value float64 // what the fit has reached: the norm of the residuals, or the loss of the quantile
	Floor float64 // what nothing is below
	Dual  []float64
}

// A NormFit is the closest plane in a norm, or a quantile, with its proof. It is immutable and safe for concurrent use.
type NormFit struct {
	Model
	c Certificate
}

// Certificate returns the proof.
func (m *NormFit) Certificate() Certificate {
	c := m.c
	c.Dual = slices.Clone(c.Dual)
	return c
}

// Lp minimises (sum_i w_i |y_i - b - x_i w|^p)^(1/p) for p from 1 to infinity, for infinity max |y_i - b - x_i w|, with a certificate. For
// p = 1 it goes from one plane through as many rows as there are coefficients to the next (Barrodale and Roberts 1973); for infinity it
// exchanges rows of largest residuals (Stiefel 1959), which is the simplex method; between them it takes Newton's steps with a search along
// the line, from p = 2 on in stages. Columns that depend on others get the coefficient 0.
//
// Errors: unusable data, targets or weights; a p below 1.
func Lp(ctx context.Context, X mat.Matrix, y []float64, p float64, o Rows) (*NormFit, error) {
	const op = "linear.Lp"
	if err := checkNorm(op, p); err != nil {
		return nil, err
	}
	s, err := newSheet(ctx, op, X, y, o, 1/p)
	if err != nil {
		return nil, err
	}
	var dual []float64
	switch {
	case p == 1:
		dual, err = s.quantile(ctx, op, 0.5)
		for i := range dual {
			dual[i] *= 2
		}
	case math.IsInf(p, 1):
		dual, err = s.exchange(ctx, op)
	default:
		dual, err = s.between(ctx, op, p)
	}
	if err != nil {
		return nil, err
	}
	r := s.residuals()
	name := "least maximum"
	if !math.IsInf(p, 1) {
		name = fmt.Sprintf("least L%v norm", p)
	}
	return s.certified(name, norm(r, p), dual, y), nil
}

// Quantile minimises sum_i w_i rho(y_i - b - x_i w) with rho(r) = tau r for r > 0 and (tau - 1) r otherwise: about a share tau of the
// targets lies below the plane. It comes with a certificate.
//
// Source: Koenker and Bassett (1978).
//
// Errors: unusable data, targets or weights; a tau that is not between 0 and 1.
func Quantile(ctx context.Context, X mat.Matrix, y []float64, tau float64, o Rows) (*NormFit, error) {
	const op = "linear.Quantile"
	if err := checkQuantile(op, tau); err != nil {
		return nil, err
	}
	s, err := newSheet(ctx, op, X, y, o, 1)
	if err != nil {
		return nil, err
	}
	dual, err := s.quantile(ctx, op, tau)
	if err != nil {
		return nil, err
	}
	loss := 0.0
	for _, v := range s.residuals() {
		loss += max(tau*v, (tau-1)*v)
	}
	return s.certified(fmt.Sprintf("%v-quantile", tau), loss, dual, y), nil
}

func checkNorm(op string, p float64) error {
	if !(p >= 1) {
		return fault.Argument(op, "p", p, "a number of at least 1", "below 1 it is no norm")
	}
	return nil
}

func checkQuantile(op string, tau float64) error {
	if !(tau > 0 && tau < 1) {
		return fault.Argument(op, "tau", tau, "a number between 0 and 1", "0.5 is the median")
	}
	return nil
}

// norm returns (sum |r|^p)^(1/p).
func norm(r []float64, p float64) float64 {
	top := 0.0
	for _, v := range r {
		top = max(top, math.Abs(v))
	}
	if top == 0 || math.IsInf(p, 1) {
		return top
	}
	sum := 0.0
	for _, v := range r {
		sum += math.Pow(math.Abs(v)/top, p)
	}
	return top * math.Pow(sum, 1/p)
}

// A sheet is the rows of positive weight with k independent columns, the first of ones where there is an intercept, the others centred and
// scaled; rows are multiplied by a power of their weights.
type sheet struct {
	*design
	k       int
	a, b    []float64 // n x k, and the targets
	factors []float64 // of the rows
	theta   []float64
	close   []float64 // residuals of least squares
}

func newSheet(ctx context.Context, op string, X mat.Matrix, y []float64, o Rows, power float64) (*sheet, error) {
	_, ls, err := leastSquares(ctx, op, X, y, Options{Rows: o})
	if err != nil {
		return nil, err
	}
	s := &sheet{design: ls.design, k: ls.d, close: ls.residuals[:ls.n]}
	one := 0
	if s.intercept {
		one = 1
	}
	s.k += one
	s.a, s.b, s.factors = make([]float64, s.n*s.k), make([]float64, s.n), make([]float64, s.n)
	for i, y := range s.target {
		root := s.rootOf(i)
		f := math.Pow(root, 2*power)
		row, from := s.a[i*s.k:(i+1)*s.k], s.X.RawRowView(i)
		if one == 1 {
			row[0] = f
		}
		for j, c := range s.columns {
			row[one+j] = (from[c] - s.mean[j]) / s.scale[j] * f
		}
		s.b[i], s.factors[i] = (y-s.yMean)/s.yScale*f, f
		s.close[i] *= f / root
	}
	s.theta = make([]float64, s.k)
	return s, nil
}

func (s *sheet) rowOf(i int) []float64 { return s.a[i*s.k : (i+1)*s.k] }

// residuals returns b - A theta.
func (s *sheet) residuals() []float64 {
	r := slices.Clone(s.b)
	for i := range r {
		r[i] -= dot(s.rowOf(i), s.theta)
	}
	return r
}

// certified returns the solution as a model.
func (s *sheet) certified(method string, value float64, dual, y []float64) *NormFit {
	beta, alpha := s.theta, 0.0
	if s.intercept {
		alpha, beta = beta[0], beta[1:]
	}
	coefficients, intercept := s.outside(beta)
	c := Certificate{Value: value * s.yScale, Dual: make([]float64, len(y))}
	for i, v := range dual {
		c.Dual[s.place(i)] = v * s.factors[i]
		c.Floor += v * s.b[i] * s.yScale
	}
	return &NormFit{newModel(method, coefficients, intercept+alpha*s.yScale, s.intercept), c}
}

// choose returns the first k independent rows of an order.
func (s *sheet) choose(order []int) []int {
	var basis [][]float64
	var chosen []int
	for _, i := range order {
		v := slices.Clone(s.rowOf(i))
		before := length(v)
		for range 2 {
			for _, u := range basis {
				by := dot(u, v)
				for j := range v {
					v[j] -= by * u[j]
				}
			}
		}
		if left := length(v); left > 1e-9*before {
			for j := range v {
				v[j] /= left
			}
			basis, chosen = append(basis, v), append(chosen, i)
			if len(chosen) == s.k {
				break
			}
		}
	}
	return chosen
}

// byResidual returns the rows in the order of their residuals of least squares, the smallest ones first.
func (s *sheet) byResidual() []int {
	order := upTo(s.n)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(s.close[i]), math.Abs(s.close[j])) })
	return order
}

// quantile finds theta and returns the dual numbers, from tau - 1 to tau. Each plane goes through the k rows of a basis, whose numbers
// solve Dual^T A = 0 when all others are tau above the plane and tau - 1 below. A row whose number is out of bounds leaves the plane, which
// turns until the loss rises again, at the row that takes its place. Targets are moved by some 1e-11 against ties; this does not touch the
// certificate.
func (s *sheet) quantile(ctx context.Context, op string, tau float64) ([]float64, error) {
	basis := s.choose(s.byResidual())
	if len(basis) < s.k {
		return nil, fmt.Errorf("%s: the columns are dependent to rounding; leave columns out", op)
	}
	moved, draw := slices.Clone(s.b), rand.New(rand.NewPCG(1, 0))
	for i := range moved {
		moved[i] += 1e-11 * draw.Float64() * s.factors[i]
	}
	in := make([]bool, s.n)
	for _, i := range basis {
		in[i] = true
	}
	var r, g []float64
	var inverse mat.Dense
	q := make([]float64, s.n)
	for turn := 0; ; turn++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		plane := mat.NewDense(s.k, s.k, nil)
		target := make([]float64, s.k)
		for k, i := range basis {
			plane.SetRow(k, s.rowOf(i))
			target[k] = moved[i]
		}
		if !invert(&inverse, plane) || turn > 50*(s.n+100) {
			return nil, fmt.Errorf("%s: no end after %d turns; standardise the columns", op, turn)
		}
		if turn%50 == 0 { // afresh
			theta := mat.NewVecDense(s.k, nil)
			theta.MulVec(&inverse, mat.NewVecDense(s.k, target))
			r, g = make([]float64, s.n), make([]float64, s.k)
			for i := range r {
				if !in[i] {
					r[i] = moved[i] - dot(s.rowOf(i), theta.RawVector().Data)
					addTo(g, side(r[i], tau), s.rowOf(i))
				}
			}
		}
		worst, leaves, own := 1e-9, -1, make([]float64, s.k)
		for k := range basis {
			for j, v := range g {
				own[k] -= inverse.At(j, k) * v
			}
			if out := max(own[k]-tau, tau-1-own[k]); out > worst {
				worst, leaves = out, k
			}
		}
		if leaves < 0 {
			if turn%50 != 0 {
				turn = turn/50*50 + 49 // once more, afresh
				continue
			}
			return s.vertex(basis, &inverse, r, own, tau), nil
		}
		up := 1.0
		if own[leaves] < tau-1 {
			up = -1
		}
		direction := make([]float64, s.k)
		for j := range direction {
			direction[j] = up * inverse.At(j, leaves)
		}
		var ts, weights []float64
		var at []int
		for i := range q {
			if in[i] {
				continue
			}
			if q[i] = dot(s.rowOf(i), direction); q[i]*r[i] < 0 {
				ts, weights, at = append(ts, -r[i]/q[i]), append(weights, math.Abs(q[i])), append(at, i)
			}
		}
		k := crossing(ts, weights, worst)
		if k < 0 {
			return nil, fmt.Errorf("%s: the loss falls without end; standardise the columns", op)
		}
		far, enters, leaver := ts[k], at[k], basis[leaves]
		for i, before := range r {
			if in[i] {
				continue
			}
			after := math.Copysign(max(math.Abs(before+far*q[i]), math.SmallestNonzeroFloat64), before)
			switch crosses := q[i]*before < 0 && -before/q[i] <= far; {
			case i == enters:
				addTo(g, -side(before, tau), s.rowOf(i))
			case crosses:
				after = -after
				addTo(g, side(after, tau)-side(before, tau), s.rowOf(i))
			}
			r[i] = after
		}
		in[leaver], in[enters], basis[leaves] = false, true, enters
		r[leaver], r[enters] = up*far, 0
		addTo(g, side(r[leaver], tau), s.rowOf(leaver))
	}
}

// invert reports whether a matrix has an inverse, be it a bad one.
func invert(to *mat.Dense, a mat.Matrix) bool {
	err := to.Inverse(a)
	var condition mat.Condition
	return err == nil || errors.As(err, &condition) && !math.IsInf(float64(condition), 0)
}

// side is the slope of the loss at a residual.
func side(r, tau float64) float64 {
	if r > 0 {
		return tau
	}
	return tau - 1
}

func addTo(y []float64, by float64, x []float64) {
	for i, v := range x {
		y[i] += by * v
	}
}

// vertex puts the plane through the rows of the basis, and returns the dual numbers of all rows.
func (s *sheet) vertex(basis []int, inverse *mat.Dense, r, own []float64, tau float64) []float64 {
	dual := make([]float64, s.n)
	for i, v := range r {
		dual[i] = side(v, tau)
	}
	clear(s.theta)
	for k, i := range basis {
		dual[i] = min(tau, max(tau-1, own[k]))
		for j := range s.theta {
			s.theta[j] += inverse.At(j, k) * s.b[i]
		}
	}
	return dual
}

// crossing returns the place of the smallest t at which the weights of all t up to it reach a level, -1 where they do not.
func crossing(ts, weights []float64, level float64) int {
	places := upTo(len(ts))
	for lo, hi := 0, len(places); lo < hi; {
		pivot := ts[places[lo+(hi-lo)/2]]
		below, equal := lo, lo // places[lo:below] are less, places[below:equal] as large
		sumBelow, sumEqual := 0.0, 0.0
		for i := lo; i < hi; i++ {
			switch p := places[i]; {
			case ts[p] < pivot:
				sumBelow += weights[p]
				places[i] = places[equal]
				places[equal] = places[below]
				places[below] = p
				below, equal = below+1, equal+1
			case ts[p] == pivot:
				sumEqual += weights[p]
				places[i], places[equal] = places[equal], p
				equal++
			}
		}
		switch {
		case sumBelow >= level:
			hi = below
		case sumBelow+sumEqual >= level:
			for _, p := range places[below:equal] {
				if sumBelow += weights[p]; sumBelow >= level {
					return p
				}
			}
			return places[equal-1]
		default:
			lo, level = equal, level-sumBelow-sumEqual
		}
	}
	return -1
}
