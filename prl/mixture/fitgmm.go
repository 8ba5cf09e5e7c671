package mixture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// Init names a way to find the start of EM.
type Init string

const (
	InitKMeans Init = "k-means" // the clusters of one run of k-means (the default)
	InitRandom Init = "random"  // K rows as means, the covariance of all data for each component
)

// GMMOptions set the fit of a Gaussian mixture.
type GMMOptions struct {
	K          int
	Covariance Covariance // default Full
	Restarts   int        // starts of which the likeliest end counts, default 3; ignored when Start is given
	MaxIter    int        // iterations of one start, default 500; estimator.None only evaluates the start
	// stop when the log-likelihood rises by less than Tol times the total weight; default 1e-7; estimator.None runs all iterations
	Tol float64
	// added to each variance in each M-step, as a share of the variance of its column over all rows, so that the unit of X does not matter;
	// default 1e-6; estimator.None is pure maximum likelihood. A constant column takes the mean of what is added to the others, or Reg
	Reg     float64
	Seed    uint64    // default 1
	Init    Init      // default InitKMeans
	Start   *GMM      // where EM starts; nil uses Init. Its Kind must be Covariance
	Weights []float64 // n sample weights; nil weighs all rows alike

	HoldWeights, HoldMeans, HoldCovariances bool // leave these parameters at their start

	Trace    bool // keep the model, responsibilities, Q and H of each iteration
	Progress estimator.ProgressFunc
}

// filled returns o with defaults in the place of zeros, and zeros in the place of None.
func (o GMMOptions) filled() GMMOptions {
	estimator.Or(&o.Restarts, 3)
	estimator.Or(&o.MaxIter, 500)
	estimator.Or(&o.Tol, 1e-7)
	estimator.Or(&o.Reg, 1e-6)
	o.Covariance, o.Init, o.Seed = cmp.Or(o.Covariance, Full), cmp.Or(o.Init, InitKMeans), cmp.Or(o.Seed, 1)
	return o
}

// An Iteration is one step of EM. At every theta and its own responsibilities LogLik = Q + H.
type Iteration struct {
	Model            *GMM
	LogLik           float64     // L(theta), nats
	Q                float64     // Q(theta; theta), the expected complete log-likelihood
	H                float64     // H(theta; theta), the entropy of the hidden labels given the data
	Responsibilities [][]float64 // n x K
}

// A CollapseError says that a component shrank onto so few points that its variance is zero and the likelihood has no bound, or that it
// lost them all.
type CollapseError struct {
	Component int       // from 0
	Iteration int       // of EM, from 1; 0 when the start was made
	LogLik    []float64 // log-likelihood up to there, nats
	Empty     bool      // no row belongs to the component
	Reg       float64   // the share of the variances of the columns that was added to its variances
	Model     *GMM      // the mixture before the iteration; nil without one
}

func (e *CollapseError) Error() string {
	when, remedy := fmt.Sprintf("in iteration %d", e.Iteration), "set Reg above 0"
	if e.Iteration == 0 {
		when = "at the start"
	}
	if e.Empty {
		const why = "as it does when there are fewer different rows than components; use fewer components or another start"
		return fmt.Sprintf("component %d lost all its rows %s, %s", e.Component+1, when, why)
	}
	if e.Reg > 0 {
		remedy = fmt.Sprintf("raise Reg above %g", e.Reg)
	}
	return fmt.Sprintf("component %d collapsed %s: its covariance is singular, so the likelihood grows without bound; %s, "+
		"use fewer components, a simpler covariance or another start", e.Component+1, when, remedy)
}

// FitGMM fits a Gaussian mixture to the rows of X (n x d) by EM (Dempster, Laird and Rubin 1977; C. Bishop, Pattern Recognition and Machine
// Learning, 2006, section 9.2). The log-likelihood never falls when Reg is 0. Starts that collapse are dropped; a *CollapseError is
// returned when all do.
func FitGMM(ctx context.Context, X mat.Matrix, o GMMOptions) (*GMM, error) {
	return fitGMM(ctx, X, o.filled())
}

func fitGMM(ctx context.Context, X mat.Matrix, o GMMOptions) (*GMM, error) {
	const function = "mixture.FitGMM"
	if err := checkGMM(function, X, o); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	x := estimator.Dense(X).RawMatrix().Data[:n*d]
	weights, unit := scaleWeights(o.Weights)
	o.Weights = weights
	if report := o.Progress; report != nil && unit != 1 {
		o.Progress = func(p estimator.Progress) {
			p.Objective *= unit
			report(p)
		}
	}
	restarts := o.Restarts
	if o.Start != nil {
		restarts = 1
	}
	var best *GMM
	var failed error
	collapsed := 0
	for r := range restarts {
		start := o.Start
		if start == nil {
			var err error
			if start, err = startGMM(ctx, x, n, d, o, o.Seed+uint64(r)); err != nil {
				return nil, fmt.Errorf("%s: %w", function, err)
			}
		}
		m, err := climb(ctx, start, x, n, o)
		var collapse *CollapseError
		if errors.As(err, &collapse) {
			collapsed++
			failed = err
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: start %d: %w", function, r+1, err)
		}
		if best == nil || m.logLik > best.logLik {
			best = m
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s: %w", function, failed)
	}
	best.end.Collapsed = collapsed
	best.times(unit)
	return best, nil
}

// times multiplies what sums over weights with the unit of these.
func (m *GMM) times(unit float64) {
	if unit == 1 {
		return
	}
	m.logLik *= unit
	m.n *= unit
	for i := range m.history {
		m.history[i] *= unit
	}
	for i := range m.trace {
		m.trace[i].LogLik *= unit
		m.trace[i].Q *= unit
		m.trace[i].H *= unit
	}
}

func checkGMM(function string, X mat.Matrix, o GMMOptions) error {
	if err := estimator.CheckX(function, X); err != nil {
		return err
	}
	n, d := X.Dims()
	if err := estimator.CheckCount(function, "K", o.K, 1, n); err != nil {
		return err
	}
	if err := o.check(function); err != nil {
		return err
	}
	if s := o.Start; s != nil {
		if s.k != o.K || s.d != d {
			return fault.Argument(
				function,
				"Start",
				fmt.Sprintf("%d components in %d dimensions", s.k, s.d),
				fmt.Sprintf("%d components in %d dimensions", o.K, d),
				"",
			)
		}
		if s.kind != o.Covariance {
			return fault.Argument(
				function,
				"Start",
				fmt.Sprintf("a %s mixture", s.kind),
				fmt.Sprintf("a %s mixture like Covariance", o.Covariance),
				"set Kind in GMMParameters",
			)
		}
	} else if o.HoldWeights || o.HoldMeans || o.HoldCovariances {
		return fault.Argument(function, "Start", "nil", "the mixture whose parameters are held", "")
	}
	return estimator.CheckWeights(function, o.Weights, n)
}

// check reports settings that no data could make right.
func (o GMMOptions) check(function string) error {
	if err := o.Covariance.Check(function); err != nil {
		return err
	}
	if err := estimator.CheckCount(function, "Restarts", o.Restarts, 1, math.MaxInt); err != nil {
		return err
	}
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 0, math.MaxInt); err != nil {
		return err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) {
		return fault.Argument(function, "Tol", o.Tol, "a finite number of at least 0", "the default is 1e-07")
	}
	if !(o.Reg >= 0) || math.IsInf(o.Reg, 0) {
		return fault.Argument(function, "Reg", o.Reg, "a finite number of at least 0", "the default is 1e-06")
	}
	if o.Init != InitKMeans && o.Init != InitRandom {
		return fault.Argument(function, "Init", fmt.Sprintf("%q", o.Init), `"k-means" or "random"`, "")
	}
	return nil
}

// startGMM makes the start of EM from the data.
func startGMM(ctx context.Context, x []float64, n, d int, o GMMOptions, seed uint64) (*GMM, error) {
	k := o.K
	shape := &GMM{kind: o.Covariance, k: k, d: d, weights: make([]float64, k), means: make([]float64, k*d), covs: make([][]float64, k)}
	reg := ridge(max(o.Reg, 1e-6), x, n, d, o.Weights) // clusters of one row need a variance too
	r := make([]float64, n*k)
	if o.Init == InitKMeans && k > 1 {
		ko := KMeansOptions{K: k}
		ko.Restarts, ko.Seed, ko.Weights = 1, seed, o.Weights
		km, err := FitKMeans(ctx, mat.NewDense(n, d, x), ko)
		if err != nil {
			return nil, err
		}
		for i, c := range km.labels {
			r[i*k+c] = 1
		}
	} else {
		for i := range r {
			r[i] = 1 / float64(k)
		}
	}
	m, err := shape.maximise(ctx, x, n, o.Weights, r, reg, hold{})
	if err != nil {
		return nil, err
	}
	if o.Init == InitRandom && k > 1 {
		rng := generator(seed)
		for c, i := range rng.Perm(n)[:k] {
			copy(m.means[c*d:(c+1)*d], x[i*d:(i+1)*d])
		}
		m.prepare()
	}
	return m, nil
}

// climb alternates E-step and M-step from the start.
func climb(ctx context.Context, m *GMM, x []float64, n int, o GMMOptions) (*GMM, error) {
	r := make([]float64, n*m.k)
	total, reg := totalWeight(o.Weights, n), ridge(o.Reg, x, n, m.d, o.Weights)
	var history []float64
	var trace []Iteration
	var end Ending
	for it := 0; ; it++ {
		l := m.expect(ctx, x, n, o.Weights, r)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("stopped after %d iterations: %w", it, err)
		}
		history = append(history, l)
		if o.Trace {
			h := entropy(r, n, m.k, o.Weights)
			trace = append(trace, Iteration{m, l, l - h, h, cut(slices.Clone(r), m.k)})
		}
		if it > 0 {
			if o.Progress != nil {
				o.Progress(estimator.Progress{Iteration: it, Of: o.MaxIter, Objective: l})
			}
			end.Converged = o.Tol > 0 && l-history[it-1] < o.Tol*total
		}
		if end.Converged || it == o.MaxIter {
			end.Iterations = it
			out := *m
			out.logLik, out.n, out.history, out.end, out.trace = l, total, history, end, trace
			out.labels = argmax(r, n, m.k)
			return &out, nil
		}
		next, err := m.maximise(ctx, x, n, o.Weights, r, reg, hold{o.HoldWeights, o.HoldMeans, o.HoldCovariances})
		if collapse := (*CollapseError)(nil); errors.As(err, &collapse) {
			collapse.Iteration, collapse.LogLik, collapse.Model = it+1, history, m
			return nil, collapse
		}
		if err != nil {
			return nil, fmt.Errorf("stopped after %d iterations: %w", it, err)
		}
		m = next
	}
}

// entropy returns -sum_i w_i sum_k r_ik log r_ik.
func entropy(r []float64, n, k int, w []float64) float64 {
	h := 0.0
	for i := range n {
		for _, v := range r[i*k : (i+1)*k] {
			if v > 0 {
				h -= weight(w, i) * v * math.Log(v)
			}
		}
	}
	return h
}

// Decompose splits the log-likelihood of theta with the hidden labels distributed as under before: L(theta) = Q(before; theta) + H(before;
// theta),
//
//	Q = sum_i sum_k r_ik log(pi_k N(x_i; mu_k, Sigma_k)),   H = -sum_i sum_k r_ik log P(k | x_i; theta),
//
// where r are the responsibilities under before. H(before; theta) >= H(before; before) (Gibbs), so raising Q raises L.
func Decompose(X mat.Matrix, before, theta *GMM) (q, h float64, err error) {
	const function = "mixture.Decompose"
	if before == nil || theta == nil || before.k != theta.k || before.d != theta.d {
		return 0, 0, fault.Argument(function, "theta", "another shape than before, or nil", "two mixtures of one shape", "")
	}
	r, err := before.Proba(X)
	if err != nil {
		return 0, 0, err
	}
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	joint := make([]float64, theta.k)
	for i := range n {
		theta.logJoint(joint, dense.RawRowView(i))
		whole := gauss.LogSumExp(joint)
		for c, v := range joint {
			if u := r.At(i, c); u > 0 {
				q += u * v
				h -= u * (v - whole)
			}
		}
	}
	return q, h, nil
}

// LowerBound returns Q(at; theta) + H(at; at), the function of theta that touches the log-likelihood at theta = at and lies below it
// elsewhere. EM maximises it in each M-step.
func LowerBound(X mat.Matrix, at, theta *GMM) (float64, error) {
	q, _, err := Decompose(X, at, theta)
	if err != nil {
		return 0, err
	}
	_, h, err := Decompose(X, at, at)
	return q + h, err
}
