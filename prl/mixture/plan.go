package mixture

import (
	"context"

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
//
//plan:step Seed Seed // of the starts; 1 unless set
//plan:step Restarts Restarts // the likeliest; 3 unless set
//plan:step Reg Reg(reg float64) // sets what share of the variance of its column is added to each variance in each
//plan:text M-step; 1e-6 unless set, 0 is pure maximum likelihood
//plan:step Tol Tol // the rise of the log-likelihood an observation in EM; 1e-7 unless set, 0 runs all iterations
//plan:step MaxIter MaxIter // 500 unless set
//plan:step Init Random() = InitRandom // starts from K random rows instead of from k-means
//plan:step Weights SampleWeights
//plan:step HoldWeights HoldWeights // leaves the mixing probabilities at their start
//plan:step HoldCovariances HoldCovariances // leaves the covariances at their start, so that EM moves means (and weights) only
//plan:fit a set of rows. Class labels are not used
type GMMPlan struct {
	plan.Clusterer[*GMM, GMMOptions]
}

// PlanGMM begins a mixture of k Gaussians with the settings of GMMOptions{}.
func PlanGMM(k int) GMMPlan {
	return GMMPlan{plan.NewClusterer(plan.Spec[*GMM, GMMOptions]{
		Name: "GMM", Args: []any{k}, Options: GMMOptions{K: k}.filled(), Needs: plan.Rows,
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

// From sets the numbers that the fit starts from: those of EM, which also set the type of the covariances.
func (p GMMPlan) From(start GMMParameters) GMMPlan {
	m, err := NewGMM(start)
	if err != nil {
		return plan.Broken(p, "From", err, start)
	}
	return plan.With(p, "From", func(o *GMMOptions) { o.Start, o.Covariance = m, m.kind }, start)
}

// trace returns the mixture with its iterations, fitted once.
func (p GMMPlan) trace(*GMM) (*GMM, error) {
	return plan.Once(p, "Trace", func() (*GMM, error) {
		o := plan.Options(p)
		o.Trace = true
		return fitGMM(context.Background(), plan.Data(p).X, o)
	})
}

// Trace returns the steps of the fit: the mixture with its Iterations.
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

// Sample draws n rows from the model: n rows from the mixture; their class is the component. The same seed gives the same rows.
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
//
//plan:step Seed Seed // of the starts; 1 unless set
//plan:step Restarts Restarts // 10 unless set
//plan:step MaxIter MaxIter // 300 unless set
//plan:step Algorithm Lloyd() = Lloyd // computes all distances in each round instead of using bounds. The result is the same
//plan:step Centres From(centres ...[]float64) // the centres, as in From([]float64{0, 0}, []float64{1, 1})
//plan:step Weights SampleWeights
//plan:fit a set of rows. Class labels are not used
type KMeansPlan struct {
	plan.Clusterer[*KMeans, KMeansOptions]
}

// PlanKMeans begins a clustering into k groups with the settings of KMeansOptions{}.
func PlanKMeans(k int) KMeansPlan {
	return KMeansPlan{plan.NewClusterer(plan.Spec[*KMeans, KMeansOptions]{
		Name: "KMeans", Args: []any{k}, Options: KMeansOptions{K: k}.filled(), Needs: plan.Rows,
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

// trace returns the clustering with its rounds, made once.
func (p KMeansPlan) trace(*KMeans) (*KMeans, error) {
	return plan.Once(p, "Trace", func() (*KMeans, error) {
		o := plan.Options(p)
		o.Trace = true
		return fitKMeans(context.Background(), plan.Data(p).X, o)
	})
}

// Trace returns the steps of the fit: the clustering with its Rounds.
func (p KMeansPlan) Trace() *KMeans { return plan.Value(p, "Trace", p.trace) }
