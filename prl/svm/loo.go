package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// A LeaveOneOut report compares the leave-one-out errors of a two-class machine with the bounds that need no retraining.
type LeaveOneOut struct {
	N      int
	Wrong  []bool // row i is misclassified by the machine trained without it
	Errors int    // how many
	Fits   int    // machines trained
	// The only rows that can be wrong: k alpha_i R^2 + xi_i >= 1 with k = 2 with a bias and 1 without, or no witness; all rows unless
	// Determined. With a bias and linear slack the lemma needs another point that pays in its own class and stays below its price when row i
	// is left out, or one of the other class that pays then and is below its price now. Such a witness must exist if the support vectors of
	// the own class besides row i have a larger sum of prices C_j than the bounded ones of the other class
	Suspect  []bool
	Suspects int       // how many: a bound on Errors
	Score    []float64 // k alpha_i R^2 + xi_i
	Support  int       // support vectors: another bound on Errors when Determined
	// Determined says that a free support vector, 0 < alpha < C, determines b, or that there is no b. Without one, every b of an interval is
	// optimal, and leaving a row out may move it as far as it likes. Then every row is suspect and none is pruned.
	Determined bool
	R2         float64 // R^2 of the bound
	RadiusW    float64 // R^2 |w|^2 = R^2/gamma^2, which bounds Errors for the unbiased hard margin
	FullModel  *Model
}

// LeaveOneOutErrors trains a two-class machine n times, each time without one row, and reports the errors beside the bounds of Joachims
// (2000). With prune set, rows that are not suspect are taken as right without retraining, which the lemma allows for linear slack and the
// hard margin where it is certain that the lemma applies (see Suspect); otherwise it retrains. Where the rest is of one class, the row left
// out counts as wrong when there is a bias.
//
// R^2 is the smallest number with c <= K(x, x') <= c + R^2 for all pairs of rows and some c when there is a bias, and max K(x, x) without;
// R^2 >= K(x, x) alone does not make the biased lemma true when some kernel values are negative.
func LeaveOneOutErrors(ctx context.Context, X mat.Matrix, y []int, o Options, prune bool) (*LeaveOneOut, error) {
	const fn = "svm.LeaveOneOutErrors"
	o = o.filled()
	if err := o.needsPrice(fn); err != nil {
		return nil, err
	}
	o.Trace, o.Probability = nil, false
	var work workspace
	full, err := fitIn(ctx, X, y, o, &work)
	if err != nil {
		return nil, err
	}
	if full.K != 2 {
		return nil, fault.Argument(fn, "y", fmt.Sprintf("of %d classes", full.K), "of two classes", "choose two classes")
	}
	if prune && o.Slack == QuadraticSlack {
		return nil, fault.Argument(
			fn,
			"prune",
			"true with quadratic slack",
			"false there: the lemma is about linear slack",
			"retrain for every row",
		)
	}
	o.ClassWeights, o.Balanced = full.state.ClassWeights, false // the prices of the full data hold for all fits
	dense := estimator.Dense(X)
	n := full.N
	lo, hi, diagonal, gram, err := kernelValues(ctx, o.Kernel, dense)
	if err != nil {
		return nil, err
	}
	if gram != nil { // all fits share it
		o.Kernel, dense, work = kernel.Precomputed{}, gram, workspace{}
	}
	r := &LeaveOneOut{
		N:         n,
		Wrong:     make([]bool, n),
		Suspect:   make([]bool, n),
		Score:     make([]float64, n),
		Support:   len(full.Rows),
		R2:        hi - lo,
		FullModel: full,
		Fits:      1,
	}
	factor := 2.0
	if o.NoBias {
		factor, r.R2 = 1, diagonal
	}
	machine := full.machine(0)
	r.RadiusW = r.R2 * machine.Norm2
	xi := machine.Slacks()
	r.Determined = o.NoBias
	for k := range machine.Rows {
		r.Determined = r.Determined || machine.Role(k) == Free
	}
	var support, bounded [2]float64 // sums of prices by class
	for k, row := range machine.Rows {
		if machine.Alpha[k] > 0 {
			support[y[row]] += machine.Upper[k]
		}
		if machine.Role(k) == Bounded {
			bounded[y[row]] += machine.Upper[k]
		}
	}
	for k, row := range machine.Rows {
		r.Score[row] = factor*machine.Alpha[k]*r.R2 + xi[k]
		witness := o.NoBias || machine.Alpha[k] == 0 || math.IsInf(machine.Upper[k], 1) ||
			support[y[row]]-machine.Upper[k] > bounded[1-y[row]]*(1+1e-9)
		r.Suspect[row] = r.Score[row] >= 1-10*o.Tol || !r.Determined || !witness
		if r.Suspect[row] {
			r.Suspects++
		}
	}
	count := [2]int{}
	for _, row := range machine.Rows {
		count[y[row]]++
	}
	var rows, signs []int
	for _, row := range machine.Rows {
		if prune && !r.Suspect[row] {
			continue
		}
		if count[y[row]] == 1 && !o.NoBias { // what is left is of the other class, and b alone decides
			r.Wrong[row] = true
			r.Errors++
			continue
		}
		rows, signs = rows[:0], signs[:0]
		for k, i := range machine.Rows {
			if i != row {
				rows, signs = append(rows, i), append(signs, machine.Labels[k])
			}
		}
		m, err := train(ctx, dense, rows, signs, 0, 1, &o, &work)
		if err != nil {
			return nil, fault.In(fn, err)
		}
		r.Fits++
		class := 0
		if m.value(o.Kernel, dense, row) > 0 {
			class = 1
		}
		if class != y[row] {
			r.Wrong[row] = true
			r.Errors++
		}
	}
	return r, nil
}

// value returns f at a row of the training matrix, while Support names rows of it.
func (p *pair) value(k kernel.Kernel, X *mat.Dense, row int) float64 {
	z := X.RawRowView(row)
	_, precomputed := k.(kernel.Precomputed)
	f := p.B
	for i, r := range p.Support {
		if precomputed {
			f += p.Coef[i] * z[r]
		} else {
			f += p.Coef[i] * k.Eval(X.RawRowView(int(r)), z)
		}
	}
	return f
}

// Rate returns the leave-one-out error rate.
func (r *LeaveOneOut) Rate() float64 { return float64(r.Errors) / float64(r.N) }

// wholeGram is up to how many points their kernel values are kept as a matrix of 8 MB, or less than the points take.
const wholeGram = 1024

// kernelValues returns the smallest and the largest K(x_i, x_j), the largest K(x_i, x_i), and, where it is not large, the matrix of all. A
// linear kernel has none: fits take points about their mean.
func kernelValues(ctx context.Context, k kernel.Kernel, X *mat.Dense) (lo, hi, diagonal float64, gram *mat.Dense, err error) {
	rows, err := kernel.NewRows(k, X, nil, nil)
	if err != nil {
		return 0, 0, 0, nil, err
	}
	n := rows.Len()
	_, d := X.Dims()
	switch k.(type) {
	case kernel.Linear, kernel.Precomputed:
	default:
		if n <= max(wholeGram, d) {
			gram = mat.NewDense(n, n, nil)
		}
	}
	row := make([]float64, n)
	lo, hi, diagonal = math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range n {
		if i%patience(n) == 0 {
			if err := ctx.Err(); err != nil {
				return 0, 0, 0, nil, fmt.Errorf("svm.LeaveOneOutErrors: stopped: %w", err)
			}
		}
		if gram != nil {
			row = gram.RawRowView(i)
		}
		rows.Fill(row, i, 0, n)
		for _, v := range row {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		diagonal = math.Max(diagonal, rows.Diag(i))
	}
	return lo, hi, diagonal, gram, nil
}
