package mixture

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// atLeastOne reports a number of components or clusters that no data could have.
func atLeastOne(step string, k int) error {
	if k < 1 {
		return fault.Argument(step, "k", k, "at least 1", "")
	}
	return nil
}

// A GMMPlan is a Gaussian mixture described step by step: PlanGMM(3).Full().Seed(1).Fit(set). Its clusters are the components: each row
// belongs to the one most responsible for it.
type GMMPlan struct {
	plan.Clusterer[*GMM, GMMOptions]
}

// PlanGMM begins a mixture of k Gaussians with the settings of DefaultGMM.
func PlanGMM(k int) GMMPlan {
	return GMMPlan{plan.NewClusterer(plan.Spec[*GMM, GMMOptions]{
		Name: "GMM", Args: []any{k}, Options: DefaultGMM(k), Needs: plan.Rows,
		Check: func(step string, o GMMOptions) error {
			if err := atLeastOne(step, o.K); err != nil {
				return err
			}
			return o.check(step)
		},
		CheckData: func(step string, set datasets.Set, o GMMOptions) error { return checkGMM(step, set.X, o) },
		Fit:       func(ctx context.Context, set datasets.Set, o GMMOptions) (*GMM, error) { return fitGMM(ctx, set.X, o) },
	})}
}

// Full gives each component its own covariance matrix.
func (p GMMPlan) Full() GMMPlan { return p.covariance("Full", Full) }

// Tied gives all components one covariance matrix.
func (p GMMPlan) Tied() GMMPlan { return p.covariance("Tied", Tied) }

// Diagonal gives each component its own variances, without correlation.
func (p GMMPlan) Diagonal() GMMPlan { return p.covariance("Diagonal", Diagonal) }

// Spherical gives each component one variance.
func (p GMMPlan) Spherical() GMMPlan { return p.covariance("Spherical", Spherical) }

func (p GMMPlan) covariance(step string, kind Covariance) GMMPlan {
	return plan.With(p, step, func(o *GMMOptions) { o.Covariance = kind })
}

// Seed sets the seed of the starts; 1 unless set.
func (p GMMPlan) Seed(seed uint64) GMMPlan {
	return plan.With(p, "Seed", func(o *GMMOptions) { o.Seed = seed }, seed)
}

// Restarts sets the number of starts, of which the likeliest end counts; 3 unless set.
func (p GMMPlan) Restarts(n int) GMMPlan {
	return plan.With(p, "Restarts", func(o *GMMOptions) { o.Restarts = n }, n)
}

// Reg sets what is added to each variance in each M-step; 1e-6 unless set, 0 is pure maximum likelihood.
func (p GMMPlan) Reg(reg float64) GMMPlan {
	return plan.With(p, "Reg", func(o *GMMOptions) { o.Reg = reg }, reg)
}

// Tol sets the rise of the log-likelihood an observation at which EM stops; 1e-7 unless set, 0 runs all iterations.
func (p GMMPlan) Tol(tol float64) GMMPlan {
	return plan.With(p, "Tol", func(o *GMMOptions) { o.Tol = tol }, tol)
}

// MaxIter sets the limit on iterations; 500 unless set.
func (p GMMPlan) MaxIter(n int) GMMPlan {
	return plan.With(p, "MaxIter", func(o *GMMOptions) { o.MaxIter = n }, n)
}

// Random starts from K random rows instead of from k-means.
func (p GMMPlan) Random() GMMPlan {
	return plan.With(p, "Random", func(o *GMMOptions) { o.Init = InitRandom })
}

// SampleWeights sets a weight for each row.
func (p GMMPlan) SampleWeights(w []float64) GMMPlan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *GMMOptions) { o.Weights = w }, w)
}

// From starts EM from the given numbers and sets the type of the covariances to theirs.
func (p GMMPlan) From(start GMMParameters) GMMPlan {
	m, err := NewGMM(start)
	if err != nil {
		return plan.Broken(p, "From", err, start)
	}
	return plan.With(p, "From", func(o *GMMOptions) { o.Start, o.Covariance = m, m.kind }, start)
}

// HoldWeights leaves the mixing probabilities at their start.
func (p GMMPlan) HoldWeights() GMMPlan {
	return plan.With(p, "HoldWeights", func(o *GMMOptions) { o.HoldWeights = true })
}

// HoldCovariances leaves the covariances at their start, so that EM moves means (and weights) only.
func (p GMMPlan) HoldCovariances() GMMPlan {
	return plan.With(p, "HoldCovariances", func(o *GMMOptions) { o.HoldCovariances = true })
}

// Fit names the data. Class labels of the set are not used.
func (p GMMPlan) Fit(set datasets.Set) GMMPlan { return plan.Fit(p, set) }

// Keep keeps the mixture on disk for later cells and sessions.
func (p GMMPlan) Keep() GMMPlan { return plan.Keep(p) }

// trace returns the mixture with its iterations, fitted once.
func (p GMMPlan) trace(*GMM) (*GMM, error) {
	return plan.Once(p, "Trace", func() (*GMM, error) {
		o := plan.Options(p)
		o.Trace = true
		return fitGMM(context.Background(), plan.Data(p).X, o)
	})
}

// Trace returns the mixture with its Iterations.
func (p GMMPlan) Trace() *GMM { return plan.Value(p, "Trace", p.trace) }

// LogDensity returns log p(x) of a point, in nats.
func (p GMMPlan) LogDensity(x ...float64) float64 {
	return plan.Value(p, "LogDensity", func(m *GMM) (float64, error) {
		if err := estimator.CheckPoint("LogDensity", x, m.d); err != nil {
			return 0, err
		}
		l, err := m.LogDensities(mat.NewDense(1, m.d, x))
		if err != nil {
			return 0, err
		}
		return l[0], nil
	}, fault.Args(x)...)
}

// Sample draws n rows from the mixture; their class is the component. The same seed gives the same rows.
func (p GMMPlan) Sample(n int, seed uint64) datasets.Set {
	return plan.Set(p, "Sample", func(m *GMM) (datasets.Set, error) {
		X, y, err := m.Sample(n, seed)
		if err != nil {
			return datasets.Set{}, err
		}
		return datasets.New("sample", X, y, componentNames("component", m.k)...).Named(plan.Data(p).FeatureNames...), nil
	}, n, seed)
}

// A KMeansPlan is a clustering described step by step: PlanKMeans(3).Seed(1).Fit(set).
type KMeansPlan struct {
	plan.Clusterer[*KMeans, KMeansOptions]
}

// PlanKMeans begins a clustering into k groups with the settings of DefaultKMeans.
func PlanKMeans(k int) KMeansPlan {
	return KMeansPlan{plan.NewClusterer(plan.Spec[*KMeans, KMeansOptions]{
		Name: "KMeans", Args: []any{k}, Options: DefaultKMeans(k), Needs: plan.Rows,
		Check: func(step string, o KMeansOptions) error {
			if err := atLeastOne(step, o.K); err != nil {
				return err
			}
			return o.check(step)
		},
		CheckData: func(step string, set datasets.Set, o KMeansOptions) error {
			if err := estimator.CheckCount(step, "k", o.K, 1, set.N()); err != nil {
				return err
			}
			if err := estimator.CheckWeights(step, o.Weights, set.N()); err != nil {
				return err
			}
			return checkRows(step, "Centres", o.Centres, o.K, set.D())
		},
		Fit: func(ctx context.Context, set datasets.Set, o KMeansOptions) (*KMeans, error) {
			return fitKMeans(ctx, set.X, o)
		},
	})}
}

// Seed sets the seed of the starts; 1 unless set.
func (p KMeansPlan) Seed(seed uint64) KMeansPlan {
	return plan.With(p, "Seed", func(o *KMeansOptions) { o.Seed = seed }, seed)
}

// Restarts sets the number of starts, of which the best end counts; 10 unless set.
func (p KMeansPlan) Restarts(n int) KMeansPlan {
	return plan.With(p, "Restarts", func(o *KMeansOptions) { o.Restarts = n }, n)
}

// MaxIter sets the limit on rounds; 300 unless set.
func (p KMeansPlan) MaxIter(n int) KMeansPlan {
	return plan.With(p, "MaxIter", func(o *KMeansOptions) { o.MaxIter = n }, n)
}

// Lloyd computes all distances in each round instead of using bounds. The result is the same.
func (p KMeansPlan) Lloyd() KMeansPlan {
	return plan.With(p, "Lloyd", func(o *KMeansOptions) { o.Algorithm = Lloyd })
}

// From starts at the given centres: From([]float64{0, 0}, []float64{1, 1}).
func (p KMeansPlan) From(centres ...[]float64) KMeansPlan {
	centres = estimator.CloneRows(centres)
	return plan.With(p, "From", func(o *KMeansOptions) { o.Centres = centres }, centres)
}

// SampleWeights sets a weight for each row.
func (p KMeansPlan) SampleWeights(w []float64) KMeansPlan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *KMeansOptions) { o.Weights = w }, w)
}

// Fit names the data. Class labels of the set are not used.
func (p KMeansPlan) Fit(set datasets.Set) KMeansPlan { return plan.Fit(p, set) }

// Keep keeps the clustering on disk for later cells and sessions.
func (p KMeansPlan) Keep() KMeansPlan { return plan.Keep(p) }

// trace returns the clustering with its rounds, made once.
func (p KMeansPlan) trace(*KMeans) (*KMeans, error) {
	return plan.Once(p, "Trace", func() (*KMeans, error) {
		o := plan.Options(p)
		o.Trace = true
		return fitKMeans(context.Background(), plan.Data(p).X, o)
	})
}

// Trace returns the clustering with its Rounds.
func (p KMeansPlan) Trace() *KMeans { return plan.Value(p, "Trace", p.trace) }
