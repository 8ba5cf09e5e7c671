package logistic

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
)

// Options are the settings of Fit. The zero value is the default: maximum likelihood.
type Options struct {
	// L2 is the penalty lambda: Fit maximises L - L2/2 |w|^2, where the intercepts are free; 0 by default. With two classes w are the
	// coefficients
	// of the log-odds, with more the sum goes over all K classes, whose coefficients then sum to zero (scikit-learn's C is 1/L2). It is the
	// mode of the posterior under normal priors N(0, 1/L2).
	L2 float64
	// NoIntercept leaves the intercepts out; give X a column of ones to have them penalised.
	NoIntercept bool
	// Weights counts row i as Weights[i] rows; nil counts each once.
	Weights []float64
	// ClassWeights are factors of the weights of the rows of each class; nil are ones.
	ClassWeights []float64
	// Balanced makes the classes weigh alike, whatever their sizes.
	Balanced bool
	// Start are the (K-1)(d+1) coefficients, or (K-1)d without intercepts, that the first step starts from: of class 1, intercept first, then
	// of class 2, ...; nil are zeros.
	Start []float64
	// MaxIter is the limit on Newton steps; 0 stands for 100.
	MaxIter int
	// Tol ends the fit at a step that promises less than Tol times the weight of all rows, in nats; 0 stands for 1e-12.
	Tol      float64
	Progress estimator.ProgressFunc
}

func (o Options) check(function string) error {
	if !(o.L2 >= 0) || math.IsInf(o.L2, 0) {
		return fault.Argument(function, "L2", o.L2, "a finite number of at least 0", "0 is maximum likelihood")
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		return fault.Argument(function, "Tol", o.Tol, "a number from 0 to 1", "0 stands for 1e-12")
	}
	if o.MaxIter < 0 {
		return fault.Argument(function, "MaxIter", o.MaxIter, "at least 0", "0 stands for 100")
	}
	for i, v := range o.Start {
		if v-v != 0 {
			return fault.Argument(function, fmt.Sprintf("Start[%d]", i), v, "a finite number", "")
		}
	}
	return nil
}

// An IterationError says that Newton's method had not come to an end after the allowed number of steps, and hands over what it has reached.
type IterationError struct {
	Iterations int
	Promised   float64 // what the next step would gain, in nats
	Model      *Model
}

// Error names the numbers and the ways out.
func (e *IterationError) Error() string {
	const text = "logistic.Fit: no convergence after %d steps: the next one promises %.3g nats; raise MaxIter or L2"
	return fmt.Sprintf(text, e.Iterations, e.Promised)
}

// A SeparableError says that the likelihood has no maximum: along a direction that puts no row on a wrong side it rises for ever.
type SeparableError struct {
	Func    string
	Verdict *Verdict
}

// Error names the direction and the way out.
func (e *SeparableError) Error() string {
	v := e.Verdict
	what := "no row lies on a wrong side"
	if v.Case == Apart {
		what = "all rows lie strictly on their sides"
	}
	direction := fault.Short(v.Direction[len(v.Direction)-1])
	if len(v.Direction) > 2 {
		direction = fault.Short(v.Direction)
	}
	return fmt.Sprintf(
		"%s: the likelihood has no maximum: along the direction %s (intercept first) %s; set L2 above 0, or drop the feature that tells "+
			"the classes apart", e.Func, direction, what,
	)
}

// Fit maximises the log-likelihood in nats, less the penalty of the options,
//
//	L = sum_i w_i log p(y_i | x_i),  p(k | x) = exp(b_k + w_k x) / sum_l exp(b_l + w_l x),  b_0 = w_0 = 0,
//
// which for two classes is logistic regression, log p(1|x)/p(0|x) = b + w x. L is concave. A Newton step solves
// X^T W X delta = X^T (y - p), and is halved until L rises by a ten-thousandth of what its slope promises, so that every start leads to
// the maximum where there is one. Columns are centred and scaled inside, which changes neither steps nor result. It takes O(n d^2 K^2) a
// step; with a penalty and fewer rows than features the same step comes from n (K-1) equations, in O(n^3 K^3).
//
// Sources: Cox (1958); Nelder and Wedderburn (1972), iteratively reweighted least squares; Albert and Anderson (1984), existence.
//
// Errors: unusable data, labels, weights or options; without a penalty columns that are linearly dependent, and a *SeparableError where no
// maximum exists; an *IterationError with the model reached.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Model, error) {
	return fit(ctx, "logistic.Fit", X, y, o, nil)
}

// Trace is Fit with what happened in each step; the steps come beside an error, too.
func Trace(ctx context.Context, X mat.Matrix, y []int, o Options) (*Model, []Step, error) {
	var steps []Step
	m, err := fit(ctx, "logistic.Trace", X, y, o, func(s Step) { steps = append(steps, s) })
	return m, steps, err
}

func fit(ctx context.Context, name string, X mat.Matrix, y []int, o Options, tell func(Step)) (*Model, error) {
	p, err := newProblem(ctx, name, X, y, o)
	if err != nil {
		return nil, err
	}
	p.widen()
	s, err := p.climb(ctx, name, o, tell)
	var late *IterationError
	if err != nil && !errors.As(err, &late) {
		return nil, err
	}
	if o.L2 == 0 {
		if err := p.existence(ctx, name, s); err != nil {
			return nil, err
		}
	}
	m := p.model(s, o)
	if late != nil {
		late.Model = m
		return nil, late
	}
	return m, nil
}

// A Step is where one Newton step of a fit has led.
type Step struct {
	Theta     []float64 // coefficients as in Options.Start
	Objective float64   // the log-likelihood in nats less the penalty
	Promised  float64   // half the slope along the whole step: the gain of a parabola
	Halvings  int       // of the step that led here
}

// newProblem checks all arguments and standardises the columns.
func newProblem(ctx context.Context, name string, X mat.Matrix, y []int, o Options) (*problem, error) {
	if err := o.check(name); err != nil {
		return nil, err
	}
	l, err := estimator.NewLabelled(ctx, name, X, y, estimator.Weighting{
		Weights:      o.Weights,
		ClassWeights: o.ClassWeights, Balanced: o.Balanced,
	})
	if err != nil {
		return nil, err
	}
	x := l.Dense()
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	p := &problem{n: l.N, d: l.D, q: l.K - 1, p: l.D + 1, y: l.Y, unit: l.Factor, intercept: !o.NoIntercept, l2: o.L2}
	if o.NoIntercept {
		p.p = l.D
	}
	if o.Start != nil && len(o.Start) != p.q*p.p {
		need := fmt.Sprintf("%d, %d for each class but the first", p.q*p.p, p.p)
		return nil, fault.Argument(name, "Start", fmt.Sprintf("%d numbers", len(o.Start)), need, "intercept first")
	}
	if l.W != nil {
		largest := slices.Max(l.W)
		p.unit *= largest
		p.w = make([]float64, l.N)
		for i, w := range l.W {
			p.w[i] = w / largest
		}
	}
	if math.IsInf(o.L2/p.unit, 0) {
		return nil, fault.Argument(name, "L2", o.L2, "a number that float64 can hold as a multiple of the largest weight", "")
	}
	p.standardise(x)
	if o.L2 == 0 {
		if err := p.independent(name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// climb takes Newton steps to the top from the start of the options; tell may be nil. With an *IterationError it returns where it stands.
func (p *problem) climb(ctx context.Context, name string, o Options, tell func(Step)) (*state, error) {
	theta := make([]float64, p.q*p.p)
	if o.Start != nil {
		p.inside(theta, o.Start)
	}
	return p.ascend(ctx, name, o, theta, tell)
}

// ascend takes Newton steps to the top from theta.
func (p *problem) ascend(ctx context.Context, name string, o Options, theta []float64, tell func(Step)) (*state, error) {
	estimator.Or(&o.MaxIter, 100)
	estimator.Or(&o.Tol, 1e-12)
	size := len(theta)
	s, next := p.newState(), p.newState()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.evaluate(s, theta, true)
	if math.IsInf(s.value, 0) || math.IsNaN(s.value) {
		return nil, fault.Argument(name, "Start", fault.Short(o.Start), "coefficients at which the likelihood is a number", "start nearer to 0")
	}
	report := func(promised float64, halvings int) {
		if tell != nil {
			tell(Step{p.outside(s.theta), s.value * p.unit, promised * p.unit, halvings})
		}
	}
	total := p.total()
	delta := make([]float64, size)
	for iteration := 1; ; iteration++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.step(s, delta)
		slope := floats.Dot(s.gradient, delta)
		if iteration == 1 {
			report(slope/2, 0)
		}
		if iteration > o.MaxIter {
			return s, &IterationError{Iterations: o.MaxIter, Promised: slope / 2 * p.unit}
		}
		last := slope/2 <= o.Tol*total
		rate, halvings := 1.0, 0
		for ; ; halvings++ {
			if halvings == 50 { // where the curvature is rounding its direction leads nowhere: uphill instead
				p.uphill(s, delta)
				slope, rate = floats.Dot(s.gradient, delta), 1
			}
			copy(next.theta, s.theta)
			floats.AddScaled(next.theta, rate, delta)
			// mostly the whole step is taken, and its curvature wanted
			p.evaluate(next, next.theta, halvings == 0)
			if next.value >= s.value+1e-4*rate*slope || last && next.value >= s.value-1e-13*total { // what the last step promises is rounding
				break
			}
			if halvings == 110 {
				return s, &IterationError{Iterations: iteration, Promised: slope / 2 * p.unit}
			}
			rate /= 2
		}
		if halvings > 0 {
			p.evaluate(next, next.theta, true)
		}
		s, next = next, s
		if o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: iteration, Of: o.MaxIter, Objective: s.value * p.unit})
		}
		s.iterations = iteration
		report(slope/2, halvings)
		if last {
			return s, nil
		}
	}
}
