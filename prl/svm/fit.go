package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// Fit trains a support vector machine on X (n x d, row = observation) with classes y in 0 ... K-1; for K > 2 one machine for each pair of
// classes. With kernel.Precomputed, X is the n x n Gram matrix. The result is exact up to Options.Tol: see Certificate.
//
// Errors are an *fault.ArgumentError for arguments that cannot be used, among them a hard margin on classes that no hyperplane
// separates by more than 1e-6 of the data's size; an *IterationError, which holds the model reached, when MaxIter was too small; and the
// wrapped error of ctx.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Model, error) {
	return fitIn(ctx, X, y, o, &workspace{})
}

// fitIn is Fit in the memory of earlier fits.
func fitIn(ctx context.Context, X mat.Matrix, y []int, o Options, work *workspace) (*Model, error) {
	const fn = "svm.Fit"
	o = o.filled()
	classes, err := estimator.CheckLabelled(fn, X, y)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := o.check(fn); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(fn, o.Weights, n); err != nil {
		return nil, err
	}
	if err := o.weighClasses(fn, y, classes); err != nil {
		return nil, err
	}
	if o.Trace != nil && classes > 2 {
		return nil, fault.Argument(
			fn,
			"Trace",
			fmt.Sprintf("set for %d classes", classes),
			"nil for more than two classes",
			"choose two classes to watch",
		)
	}
	dense := estimator.Dense(X)
	if _, ok := o.Kernel.(kernel.Precomputed); ok {
		if err := checkGram(fn, dense); err != nil {
			return nil, err
		}
	}
	class, seen := make([]int32, n), make([]bool, classes)
	for i, c := range y {
		if class[i] = absent; o.Weights == nil || o.Weights[i] > 0 {
			class[i], seen[c] = int32(c), true
		}
	}
	if c := slices.Index(seen, false); c >= 0 {
		return nil, fault.Argument(
			fn,
			"Weights",
			fmt.Sprintf("zero for all rows of class %d", c),
			"positive for at least one row of each class",
			"",
		)
	}
	pairs := make([]pair, 0, classes*(classes-1)/2)
	var prices []float64 // that fits with Nu find
	var exhausted *IterationError
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			p, err := fitPair(ctx, dense, class, classes, a, b, &o, work)
			var late *IterationError
			if err != nil && !errors.As(err, &late) {
				return nil, err
			}
			pairs, exhausted = append(pairs, p), worse(exhausted, late)
			if o.Nu > 0 {
				prices = append(prices, work.price)
			}
		}
	}
	m, err := newModel(dense, class, classes, pairs, &o)
	if err != nil {
		return nil, err
	}
	m.Prices = prices
	if exhausted != nil {
		exhausted.Model = m
		return nil, exhausted
	}
	return m, nil
}

// checkGram reports a matrix that is not square, or of which two entries that should be equal differ by more than rounding errors of the
// points' size. The kernel matrix between two sets of points, passed by mistake, does.
func checkGram(fn string, K *mat.Dense) error {
	n, d := K.Dims()
	if n != d {
		return fault.Argument(fn, "X", fmt.Sprintf("%d x %d", n, d), "a square Gram matrix for a precomputed kernel",
			"pass K(x_i, x_j) for all pairs of training points")
	}
	for i := range n {
		for j, v := range K.RawRowView(i)[:i] {
			w := K.At(j, i)
			if size := max(math.Abs(v), math.Abs(w), math.Abs(K.At(i, i)), math.Abs(K.At(j, j))); math.Abs(v-w) > 1e-8*size {
				return fault.Argument(fn, fmt.Sprintf("K[%d, %d]", i, j), fmt.Sprintf("%.6g where K[%d, %d] is %.6g", v, j, i, w),
					"the same number, since a kernel is symmetric",
					"pass the kernel values between the training points; those between new points and training points go to Predict")
			}
		}
	}
	return nil
}

// fitPair trains the machine that separates class a (-1) from class b (+1). With an *IterationError it returns the machine reached.
func fitPair(ctx context.Context, X *mat.Dense, class []int32, classes, a, b int, o *Options, work *workspace) (pair, error) {
	rows, y := work.two(class, a, b)
	trained, err := trainFrom(ctx, X, rows, y, a, b, o, work, work.seed(a, b))
	var late *IterationError
	if err != nil && !errors.As(err, &late) {
		return pair{}, err
	}
	if classes > 2 {
		trained.Margins = nil
	}
	trained = trained.clone()
	if o.Probability {
		quiet, price := *o, work.price
		quiet.Trace, quiet.Progress = nil, nil
		f, err := crossValidate(ctx, X, class, rows, y, a, b, &quiet, work)
		work.price = price
		var later *IterationError
		if err != nil && !errors.As(err, &later) {
			return pair{}, err
		}
		late = worse(late, later)
		trained.PlattA, trained.PlattB = Platt(f, y)
	}
	if late != nil {
		return trained, late
	}
	return trained, nil
}

// train solves one two-class problem on the given rows with signs y. The slices of the result are the workspace's: they hold until its next
// fit. Support names rows of X. With an *IterationError it returns the machine reached.
func train(ctx context.Context, X *mat.Dense, rows, y []int, negative, positive int, o *Options, work *workspace) (pair, error) {
	return trainFrom(ctx, X, rows, y, negative, positive, o, work, nil)
}

// trainFrom is train from the last solution of a path, which it replaces by its own; nil starts at zero.
func trainFrom(
	ctx context.Context, X *mat.Dense, rows, y []int, negative, positive int, o *Options, work *workspace, from *seed,
) (pair, error) {
	p, mean, err := newProblem(X, rows, y, negative, positive, o, work)
	if err != nil {
		return pair{}, err
	}
	if from != nil {
		p.begin(from)
	}
	if o.Slack == HardMargin {
		h, err := p.hulls(ctx)
		if err != nil {
			return pair{}, fault.In("svm.Fit", err)
		}
		if !h.Separable {
			what := "a hyperplane"
			if o.NoBias {
				what = "a hyperplane through the origin"
			}
			return pair{}, fault.Argument(
				"svm.Fit",
				"Slack",
				"a hard margin",
				fmt.Sprintf(
					"soft, since with the %s kernel %s does not separate classes %d and %d by more than 1e-6 of the largest feature vector",
					o.Kernel,
					what,
					negative,
					positive,
				),
				"allow slack (C = 1, say), or take a richer kernel",
			)
		}
	}
	p.shrink = !o.NoShrink && o.Trace == nil
	if o.Progress != nil {
		p.report = func(iteration int, dual float64) {
			o.Progress(estimator.Progress{Iteration: iteration, Of: o.MaxIter, Objective: dual})
		}
	}
	// With a linear kernel and a bias the points were centred; <w, mean> moves b back.
	offset := func(beta []float64) float64 { return along(mean, beta, X, rows) }
	if o.Trace != nil {
		p.step = func(s *solution, i, j int, d float64) {
			g := make([]float64, len(rows))
			norm2 := p.outputs(g, s)
			b := p.bestBias(o.Slack, g)
			for i := range g {
				g[i] += b
			}
			t := Step{
				Iteration: s.iterations, I: rows[i], J: -1, Delta: d, Alpha: make([]float64, X.RawMatrix().Rows), B: b - offset(s.beta),
				Dual: s.dual, Primal: p.primal(o.Slack, g, norm2), Violation: math.Max(s.hi, -s.lo),
			}
			if p.bias {
				t.J, t.Violation = rows[j], s.hi-s.lo
			}
			for k, b := range s.beta {
				t.Alpha[rows[k]] = math.Abs(b)
			}
			o.Trace(t)
		}
	}
	s, err := p.solve(ctx)
	if s == nil {
		return pair{}, err
	}
	if o.Nu > 0 {
		var ok bool
		if work.price, ok = p.canonical(s, y, err == nil); !ok {
			return pair{}, meeting(o, negative, positive)
		}
	}
	if from != nil {
		p.sow(s, from)
	}
	out := p.certify(s, o.Slack, err == nil)
	out.Negative, out.Positive = negative, positive
	out.B -= offset(s.beta)
	work.support, work.coef = work.support[:0], work.coef[:0]
	for i, b := range s.beta {
		if b != 0 {
			work.support, work.coef = append(work.support, int32(rows[i])), append(work.coef, b)
		}
	}
	out.Support, out.Coef = work.support, work.coef
	return out, err
}

// along returns <w, mean> for w = sum_i beta_i x_i over the given rows; 0 without a mean.
func along(mean, beta []float64, X *mat.Dense, rows []int) float64 {
	w := make([]float64, len(mean))
	for i, b := range beta {
		if b != 0 && mean != nil {
			for j, v := range X.RawRowView(rows[i]) {
				w[j] += b * v
			}
		}
	}
	sum := 0.0
	for j, v := range mean {
		sum += w[j] * v
	}
	return sum
}

// vanishing reports points that differ although all their inner products underflow to zero.
func vanishing(k kernel.Kernel, X *mat.Dense, index []int, rows *kernel.Rows) error {
	if _, ok := k.(kernel.Linear); !ok {
		return nil
	}
	for i := range rows.Len() {
		if rows.Diag(i) > 0 {
			return nil
		}
	}
	for _, r := range index {
		if !slices.Equal(X.RawRowView(r), X.RawRowView(index[0])) {
			return fault.Argument("svm.Fit", "X", fmt.Sprintf("of numbers as small as %.3g, whose squares vanish",
				floats.Norm(X.RawRowView(r), math.Inf(1))),
				"of numbers above 1e-150", "multiply X by a number, or standardise the columns")
		}
	}
	return nil
}

// newProblem sets up the dual of the given rows. With a linear kernel and a bias it takes the points about their mean, which changes b only
// and keeps the differences of large coordinates.
func newProblem(X *mat.Dense, rows, y []int, negative, positive int, o *Options, work *workspace) (p *problem, mean []float64, err error) {
	n := len(rows)
	work.reset(n)
	p = &problem{
		fn:      "svm.Fit",
		work:    work,
		bias:    !o.NoBias,
		tol:     o.Tol,
		maxIter: o.MaxIter,
		bytes:   o.CacheBytes,
		y:       work.vector(),
		lower:   work.vector(),
		upper:   work.vector(),
	}
	if o.Slack == QuadraticSlack {
		p.ridge = work.vector()
	}
	if o.Nu > 0 {
		unit := *o
		unit.C = 1 // the bounds of the multipliers are the weights
		o = &unit
	}
	for i, r := range rows {
		p.y[i] = float64(y[i])
		bound, class := math.Inf(1), negative
		if y[i] > 0 {
			class = positive
		}
		switch o.Slack {
		case LinearSlack:
			bound = o.price(r, class)
		case QuadraticSlack:
			p.ridge[i] = 1 / o.price(r, class)
		}
		if y[i] > 0 {
			p.upper[i] = bound
		} else {
			p.lower[i] = -bound
		}
	}
	if p.bias {
		mean = centre(o.Kernel, X, rows)
	}
	p.rows = &work.rows
	if err := p.rows.Reset(o.Kernel, X, rows, mean); err != nil {
		return nil, nil, err
	}
	if err := vanishing(o.Kernel, X, rows, p.rows); err != nil {
		return nil, nil, err
	}
	if o.Nu > 0 {
		err = p.share(o, negative, positive)
	}
	return p, mean, err
}

// centre returns the mean of the rows for a linear kernel, nil for others.
func centre(k kernel.Kernel, X *mat.Dense, rows []int) []float64 {
	if _, ok := k.(kernel.Linear); !ok {
		return nil
	}
	_, d := X.Dims()
	mean := make([]float64, d)
	for _, r := range rows {
		for j, v := range X.RawRowView(r) {
			mean[j] += v / float64(len(rows))
		}
	}
	return mean
}
