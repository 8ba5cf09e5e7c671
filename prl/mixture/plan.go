package mixture

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A plan is what the plans of the package have in common: settings O, data, and the model M that comes of them, without and with the trace of its
// iterations. Settings may follow the data.
type plan[M, O any] struct {
	cell.Outcome[M]
	traced cell.Outcome[M]
	run    func(X mat.Matrix, o O, trace bool) (M, error)
	o      O
	set    datasets.Set
	data   bool
}

func begin[M, O any](name string, k int, o O, run func(X mat.Matrix, o O, trace bool) (M, error)) plan[M, O] {
	p := plan[M, O]{Outcome: cell.NewOutcome[M](fault.Start(name, k), nil), run: run, o: o}
	if k < 1 {
		p.Chain = p.Chain.Break(fault.Argument(name, "k", k, "at least 1", ""))
	}
	return p
}

func (p plan[M, O]) step(change func(*O), name string, args ...any) plan[M, O] {
	p.Chain = p.Chain.Step(name, args...)
	change(&p.o)
	return p.renew()
}

// fit takes the data, and checks the settings on them when nothing was wrong so far.
func (p plan[M, O]) fit(set datasets.Set, check func() error) plan[M, O] {
	p.Chain = p.Chain.Step("Fit", set).Break(set.Check("Fit"))
	p.set, p.data = set, true
	if p.Chain.Err() == nil {
		p.Chain = p.Chain.Break(check())
	}
	return p.renew()
}

// renew forgets results, which the changed settings no longer describe.
func (p plan[M, O]) renew() plan[M, O] {
	if !p.data {
		return p
	}
	p.Outcome = cell.NewOutcome(p.Chain, func() (M, error) { return p.run(p.set.X, p.o, false) })
	p.traced = cell.NewOutcome(p.Chain, func() (M, error) { return p.run(p.set.X, p.o, true) })
	return p
}

func (p plan[M, O]) trace() (M, error) {
	if !p.data {
		return p.Fitted()
	}
	return p.traced.Fitted()
}

// A GMMPlan is a Gaussian mixture described step by step: GMM(3).Full().Seed(1).Fit(set). It is an immutable value; the fit runs once, when a number or a
// picture is asked for. The first wrong step is remembered: Show and the other ends report it, Err tells it to programs. Fitted and Model return the
// mixture, see cell.Outcome.
type GMMPlan struct{ plan[*GMM, GMMOptions] }

// PlanGMM begins a mixture of k Gaussians with the settings of DefaultGMM.
func PlanGMM(k int) GMMPlan {
	return GMMPlan{begin("GMM", k, DefaultGMM(k), func(X mat.Matrix, o GMMOptions, trace bool) (*GMM, error) {
		o.Trace = trace
		return FitGMM(context.Background(), X, o)
	})}
}

func (p GMMPlan) step(change func(*GMMOptions), name string, args ...any) GMMPlan {
	return GMMPlan{p.plan.step(change, name, args...)}
}

// Full gives each component its own covariance matrix.
func (p GMMPlan) Full() GMMPlan { return p.step(func(o *GMMOptions) { o.Covariance = Full }, "Full") }

// Tied gives all components one covariance matrix.
func (p GMMPlan) Tied() GMMPlan { return p.step(func(o *GMMOptions) { o.Covariance = Tied }, "Tied") }

// Diagonal gives each component its own variances, without correlation.
func (p GMMPlan) Diagonal() GMMPlan {
	return p.step(func(o *GMMOptions) { o.Covariance = Diagonal }, "Diagonal")
}

// Spherical gives each component one variance.
func (p GMMPlan) Spherical() GMMPlan {
	return p.step(func(o *GMMOptions) { o.Covariance = Spherical }, "Spherical")
}

// Seed sets the seed of the starts; 1 unless set.
func (p GMMPlan) Seed(seed uint64) GMMPlan {
	return p.step(func(o *GMMOptions) { o.Seed = seed }, "Seed", seed)
}

// Restarts sets the number of starts, of which the likeliest end counts; 3 unless set.
func (p GMMPlan) Restarts(n int) GMMPlan {
	return p.step(func(o *GMMOptions) { o.Restarts = n }, "Restarts", n)
}

// Reg sets what is added to each variance in each M-step; 1e-6 unless set, 0 is pure maximum likelihood.
func (p GMMPlan) Reg(reg float64) GMMPlan {
	return p.step(func(o *GMMOptions) { o.Reg = reg }, "Reg", reg)
}

// Tol sets the rise of the log-likelihood an observation at which EM stops; 1e-7 unless set, 0 runs all iterations.
func (p GMMPlan) Tol(tol float64) GMMPlan {
	return p.step(func(o *GMMOptions) { o.Tol = tol }, "Tol", tol)
}

// MaxIter sets the limit on iterations; 500 unless set.
func (p GMMPlan) MaxIter(n int) GMMPlan {
	return p.step(func(o *GMMOptions) { o.MaxIter = n }, "MaxIter", n)
}

// Random starts from K random rows instead of from k-means.
func (p GMMPlan) Random() GMMPlan {
	return p.step(func(o *GMMOptions) { o.Init = InitRandom }, "Random")
}

// RowWeights weighs the rows.
func (p GMMPlan) RowWeights(w []float64) GMMPlan {
	return p.step(func(o *GMMOptions) { o.Weights = w }, "RowWeights", w)
}

// From starts EM from the given numbers and sets the type of the covariances to theirs.
func (p GMMPlan) From(start GMMParameters) GMMPlan {
	p.Chain = p.Chain.Step("From", start)
	m, err := NewGMM(start)
	if err != nil {
		p.Chain = p.Chain.Break(err)
		return p
	}
	p.o.Start, p.o.Covariance = m, m.kind
	return GMMPlan{p.renew()}
}

// HoldWeights leaves the mixing probabilities at their start.
func (p GMMPlan) HoldWeights() GMMPlan {
	return p.step(func(o *GMMOptions) { o.HoldWeights = true }, "HoldWeights")
}

// HoldCovariances leaves the covariances at their start, so that EM moves means (and weights) only.
func (p GMMPlan) HoldCovariances() GMMPlan {
	return p.step(func(o *GMMOptions) { o.HoldCovariances = true }, "HoldCovariances")
}

// Fit names the data. Class labels of the set are not used.
func (p GMMPlan) Fit(set datasets.Set) GMMPlan {
	return GMMPlan{p.fit(set, func() error { return checkGMM("Fit", set.X, p.o) })}
}

// Trace returns the mixture with its Iterations.
func (p GMMPlan) Trace() (*GMM, error) { return p.trace() }

// A KMeansPlan is a clustering described step by step: KMeans(3).Seed(1).Fit(set). It is an immutable value; the fit runs once, when a number or a
// picture is asked for. Fitted and Model return the clustering, see cell.Outcome.
type KMeansPlan struct{ plan[*KMeans, KMeansOptions] }

// PlanKMeans begins a clustering into k groups with the settings of DefaultKMeans.
func PlanKMeans(k int) KMeansPlan {
	return KMeansPlan{begin("KMeans", k, DefaultKMeans(k), func(X mat.Matrix, o KMeansOptions, trace bool) (*KMeans, error) {
		o.Trace = trace
		return FitKMeans(context.Background(), X, o)
	})}
}

func (p KMeansPlan) step(change func(*KMeansOptions), name string, args ...any) KMeansPlan {
	return KMeansPlan{p.plan.step(change, name, args...)}
}

// Seed sets the seed of the starts; 1 unless set.
func (p KMeansPlan) Seed(seed uint64) KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.Seed = seed }, "Seed", seed)
}

// Restarts sets the number of starts, of which the best end counts; 10 unless set.
func (p KMeansPlan) Restarts(n int) KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.Restarts = n }, "Restarts", n)
}

// MaxIter sets the limit on rounds; 300 unless set.
func (p KMeansPlan) MaxIter(n int) KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.MaxIter = n }, "MaxIter", n)
}

// Lloyd computes all distances in each round instead of using bounds. The result is the same.
func (p KMeansPlan) Lloyd() KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.Algorithm = Lloyd }, "Lloyd")
}

// From starts at the given centres: From([]float64{0, 0}, []float64{1, 1}).
func (p KMeansPlan) From(centres ...[]float64) KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.Centres = centres }, "From", centres)
}

// RowWeights weighs the rows.
func (p KMeansPlan) RowWeights(w []float64) KMeansPlan {
	return p.step(func(o *KMeansOptions) { o.Weights = w }, "RowWeights", w)
}

// Fit names the data. Class labels of the set are not used.
func (p KMeansPlan) Fit(set datasets.Set) KMeansPlan {
	return KMeansPlan{p.fit(set, func() error { return estimator.CheckCount("Fit", "k", p.o.K, 1, set.N()) })}
}

// Trace returns the clustering with its Rounds.
func (p KMeansPlan) Trace() (*KMeans, error) { return p.trace() }
