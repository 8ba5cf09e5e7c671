package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
)

// Fit trains a support vector machine on X (n x d, row = observation) with classes y in 0 ... K-1; for K > 2 one machine for each pair of
// classes. With kernel.Precomputed, X is the n x n Gram matrix. The result is exact up to Options.Tol: see Certificate.
//
// Errors are an *estimator.ArgumentError for arguments that cannot be used, among them a hard margin on classes that no hyperplane
// separates; an *IterationError when MaxIter was too small; and the wrapped error of ctx.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Model, error) {
	const fn = "svm.Fit"
	if err := estimator.CheckX(fn, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	classes, err := estimator.CheckLabels(fn, y, n)
	if err != nil {
		return nil, err
	}
	if err := o.check(fn); err != nil {
		return nil, err
	}
	if err := o.checkClassWeights(fn, classes); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(fn, o.Weights, n); err != nil {
		return nil, err
	}
	if o.Trace != nil && classes > 2 {
		return nil, estimator.Argument(fn, "Trace", fmt.Sprintf("set for %d classes", classes), "nil for more than two classes", "choose two classes to watch")
	}
	if _, ok := o.Kernel.(kernel.Precomputed); ok && n != d {
		return nil, estimator.Argument(fn, "X", fmt.Sprintf("%d x %d", n, d), "a square Gram matrix for a precomputed kernel", "pass K(x_i, x_j) for all pairs of training points")
	}

	dense := estimator.Dense(X)
	byClass, sizes := make([][]int, classes), make([]int, classes)
	for _, c := range y {
		sizes[c]++
	}
	for c, size := range sizes {
		byClass[c] = make([]int, 0, size)
	}
	for i, c := range y {
		if o.Weights == nil || o.Weights[i] > 0 {
			byClass[c] = append(byClass[c], i)
		}
	}
	for c, rows := range byClass {
		if len(rows) == 0 {
			return nil, estimator.Argument(fn, "Weights", fmt.Sprintf("zero for all rows of class %d", c), "positive for at least one row of each class", "")
		}
	}
	machines := make([]Machine, 0, classes*(classes-1)/2)
	var work workspace
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			m, err := fitPair(ctx, dense, byClass, a, b, &o, &work)
			if err != nil {
				return nil, err
			}
			machines = append(machines, *m)
		}
	}
	return newModel(dense, classes, machines, &o), nil
}

// fitPair trains the machine that separates class a (-1) from class b (+1).
func fitPair(ctx context.Context, X *mat.Dense, byClass [][]int, a, b int, o *Options, work *workspace) (*Machine, error) {
	rows, y := merge(byClass[a], byClass[b])
	m, err := train(ctx, X, rows, y, a, b, o, work)
	if err != nil {
		return nil, err
	}
	if o.Probability {
		quiet := *o
		quiet.Trace, quiet.Progress = nil, nil
		f, err := crossValidate(ctx, X, rows, y, a, b, &quiet, work)
		if err != nil {
			return nil, err
		}
		m.PlattA, m.PlattB = Platt(f, y)
	}
	return m, nil
}

// merge returns the rows of both classes in ascending order, which keeps the order in which they were given, and their signs.
func merge(negative, positive []int) (rows, y []int) {
	n := len(negative) + len(positive)
	rows, y = make([]int, 0, n), make([]int, 0, n)
	for len(negative)+len(positive) > 0 {
		if len(positive) == 0 || len(negative) > 0 && negative[0] < positive[0] {
			rows, y, negative = append(rows, negative[0]), append(y, -1), negative[1:]
		} else {
			rows, y, positive = append(rows, positive[0]), append(y, 1), positive[1:]
		}
	}
	return rows, y
}

// train solves one two-class problem on the given rows with signs y.
func train(ctx context.Context, X *mat.Dense, rows, y []int, negative, positive int, o *Options, work *workspace) (*Machine, error) {
	p, mean, err := newProblem(X, rows, y, negative, positive, o, work)
	if err != nil {
		return nil, err
	}
	if o.Slack == HardMargin {
		h, err := p.hulls(ctx)
		if err != nil {
			return nil, err
		}
		if !h.Separable {
			what := "a hyperplane"
			if o.NoBias {
				what = "a hyperplane through the origin"
			}
			return nil, estimator.Argument("svm.Fit", "Slack", "a hard margin",
				fmt.Sprintf("soft, since with the %s kernel %s does not separate classes %d and %d", o.Kernel, what, negative, positive),
				"allow slack (C = 1, say), or take a richer kernel")
		}
	}
	p.shrink = !o.NoShrink && o.Trace == nil
	if o.Progress != nil {
		p.report = func(iteration int, dual float64) {
			o.Progress(estimator.Progress{Iteration: iteration, Of: o.MaxIter, Objective: dual})
		}
	}
	// With a linear kernel and a bias the points were centred; <w, mean> moves b back.
	offset := func(beta []float64) float64 {
		sum := 0.0
		for j, v := range mean {
			w := 0.0
			for i, b := range beta {
				if b != 0 {
					w += b * X.At(rows[i], j)
				}
			}
			sum += w * v
		}
		return sum
	}
	if o.Trace != nil {
		p.step = func(s *solution, i, j int, d float64) {
			g, norm2 := p.outputs(s)
			b := p.bestBias(o.Slack, g)
			for i := range g {
				g[i] += b
			}
			t := Step{Iteration: s.iterations, I: rows[i], J: -1, Delta: d, Alpha: make([]float64, X.RawMatrix().Rows), B: b - offset(s.beta),
				Dual: s.dual, Primal: p.primal(o.Slack, g, norm2), Violation: math.Max(s.hi, -s.lo)}
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
	if err != nil {
		return nil, err
	}
	m := p.certify(s, o.Slack)
	m.Negative, m.Positive, m.Rows, m.Labels = negative, positive, rows, y
	m.B -= offset(s.beta)
	return &m, nil
}

// newProblem sets up the dual of the given rows. With a linear kernel and a bias it takes the points about their mean, which changes b only
// and keeps the differences of large coordinates.
func newProblem(X *mat.Dense, rows, y []int, negative, positive int, o *Options, work *workspace) (p *problem, mean []float64, err error) {
	n := len(rows)
	p = &problem{work: work, bias: !o.NoBias, tol: o.Tol, maxIter: o.MaxIter, bytes: o.CacheBytes,
		y: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n)}
	if o.Slack == QuadraticSlack {
		p.ridge = make([]float64, n)
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
	if _, ok := o.Kernel.(kernel.Linear); ok && p.bias {
		_, d := X.Dims()
		mean = make([]float64, d)
		for _, r := range rows {
			for j, v := range X.RawRowView(r) {
				mean[j] += v / float64(n)
			}
		}
		if cap(work.centred) < n*d {
			work.centred = make([]float64, n*d)
		}
		about := mat.NewDense(n, d, work.centred[:n*d])
		for i, r := range rows {
			row := about.RawRowView(i)
			for j, v := range X.RawRowView(r) {
				row[j] = v - mean[j]
			}
		}
		p.rows, err = kernel.Renew(work.rows, o.Kernel, about, nil)
		work.rows = p.rows
		return p, mean, err
	}
	p.rows, err = kernel.Renew(work.rows, o.Kernel, X, rows)
	work.rows = p.rows
	return p, nil, err
}
