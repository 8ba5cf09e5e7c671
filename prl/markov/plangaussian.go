package markov

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/plan"
)

// gaussianSettings are what the steps of a Gaussian hidden Markov model's plan set.
type gaussianSettings struct {
	GaussianOptions
	K       int
	Lengths []int // of the sequences; nil: the rows are one
	Begin   *GaussianHMM
}

// learn learns the model from the rows of a set.
func (o gaussianSettings) learn(ctx context.Context, set datasets.Set) (*Learned[*GaussianHMM], error) {
	sequences := o.cut(set.X)
	if o.Begin != nil {
		const function = "markov.BaumWelchGaussian"
		data, err := series(function, sequences, o.Begin.d)
		if err != nil {
			return nil, err
		}
		start := *o.Begin
		if o.States != nil {
			start.states = o.States
		}
		return baumWelchGaussian(ctx, function, &start, data, o.BaumWelchOptions)
	}
	return fitGaussian(ctx, sequences, o.K, o.GaussianOptions)
}

// cut returns the sequences that the rows of X are.
func (o gaussianSettings) cut(X mat.Matrix) []mat.Matrix {
	if o.Lengths == nil {
		return []mat.Matrix{X}
	}
	var out []mat.Matrix
	_, d := X.Dims()
	at := 0
	for _, n := range o.Lengths {
		out = append(out, estimator.Dense(X).Slice(at, at+n, 0, d))
		at += n
	}
	return out
}

func (o gaussianSettings) check(step string, set datasets.Set) error {
	if o.Begin != nil && o.Begin.d != set.D() {
		need := fmt.Sprintf("a set of %d features", o.Begin.d)
		return fault.Argument(step, "the data set "+set.Name, fmt.Sprintf("of %d features", set.D()), need, "")
	}
	if o.Begin == nil && set.N() < o.K {
		need := fmt.Sprintf("at least %d rows, one for each state", o.K)
		return fault.Argument(step, "the data set "+set.Name, fmt.Sprintf("of %d rows", set.N()), need, "")
	}
	if o.Lengths == nil {
		return nil
	}
	rest := set.N()
	for i, n := range o.Lengths {
		if err := estimator.CheckCount(step, fmt.Sprintf("lengths[%d]", i), n, 1, rest); err != nil {
			return err
		}
		rest -= n
	}
	if rest > 0 {
		return fault.Argument(step, "lengths", fmt.Sprintf("%d in all", set.N()-rest), fmt.Sprintf("%d, the number of rows", set.N()), "")
	}
	return nil
}

// A GaussianHMMPlan is a Gaussian hidden Markov model described step by step: PlanGaussianHMM(3).Diagonal().LeftRight(1).Fit(set). The rows
// of the set are the points of one sequence in the order of time, or of several, one after the other. Its clusters are the states: each row
// belongs to that of the most probable sequence of states.
//
//plan:step States States(names ...string) // names the states, which are s1, s2 and so on otherwise
//plan:step Components Mixture(components int) // lets each state emit from a mixture of so many Gaussians; 1 unless set
//plan:step Lengths Lengths(rows ...int) // says how many rows each of several sequences has. Without it all rows are one sequence
//plan:step Seed Seed // of the starts; 1 unless set
//plan:step Restarts Restarts // the likeliest; 3 unless set
//plan:step Reg Regularise // to each in each M-step, as a share of the variance of its column over all rows; 1e-6 unless
//plan:text set, 0 is pure maximum likelihood
//plan:step Tol Tol // the rise of the log-likelihood in Baum-Welch; 1e-6 unless set, 0 runs all iterations
//plan:step MaxIter MaxIter // of Baum-Welch; 100 unless set
//plan:fit rows in the order of time. Class labels of the set are not used
//plan:step Begin From(start GaussianParameters) =! NewGaussianHMM(start) // those of Baum-Welch, which also say what kind the covariances
//plan:text are, how many components a state has and which steps are possible
type GaussianHMMPlan struct {
	plan.Clusterer[*GaussianHMM, gaussianSettings]
}

// PlanGaussianHMM begins a model of k states with the settings of GaussianOptions{}.
func PlanGaussianHMM(k int) GaussianHMMPlan {
	return GaussianHMMPlan{plan.NewClusterer(plan.Spec[*GaussianHMM, gaussianSettings]{
		Name: "GaussianHMM", Args: []any{k}, Options: gaussianSettings{GaussianOptions: GaussianOptions{}.filled(), K: k}, Needs: plan.Rows,
		Check: func(step string, o gaussianSettings) error {
			if err := o.GaussianOptions.check(step, o.K); err != nil {
				return err
			}
			if o.Begin != nil && o.Begin.k != o.K {
				return fault.Argument(step, "the start", fmt.Sprintf("of %d states", o.Begin.k), fmt.Sprintf("of %d states, like the plan", o.K), "")
			}
			return o.BaumWelchOptions.check(step, 0)
		},
		CheckData: func(step string, set datasets.Set, o gaussianSettings) error { return o.check(step, set) },
		Fit: func(ctx context.Context, set datasets.Set, o gaussianSettings) (*GaussianHMM, error) {
			l, err := o.learn(ctx, set)
			if err != nil {
				return nil, err
			}
			return l.Model, nil
		},
	})}
}

// Full gives each component its own covariance matrix: in each state.
func (p GaussianHMMPlan) Full() GaussianHMMPlan { return p.covariance("Full", mixture.Full) }

// Tied gives all components one covariance matrix: in all states.
func (p GaussianHMMPlan) Tied() GaussianHMMPlan { return p.covariance("Tied", mixture.Tied) }

// Diagonal gives each component its own variances, without correlation.
func (p GaussianHMMPlan) Diagonal() GaussianHMMPlan {
	return p.covariance("Diagonal", mixture.Diagonal)
}

// Spherical gives each component one variance.
func (p GaussianHMMPlan) Spherical() GaussianHMMPlan {
	return p.covariance("Spherical", mixture.Spherical)
}

func (p GaussianHMMPlan) covariance(step string, kind mixture.Covariance) GaussianHMMPlan {
	return plan.With(p, step, func(o *gaussianSettings) { o.Covariance = kind })
}

// LeftRight starts in the first state and lets a step lead at most so many states onwards and never back.
func (p GaussianHMMPlan) LeftRight(jump int) GaussianHMMPlan {
	if jump < 1 {
		return plan.Broken(p, "LeftRight", estimator.CheckCount("LeftRight", "jump", jump, 1, math.MaxInt), jump)
	}
	return plan.With(p, "LeftRight", func(o *gaussianSettings) { o.LeftRight = jump }, jump)
}

// Trace returns the steps of the fit: how Baum-Welch went, the log-likelihood of each iteration of the best start.
func (p GaussianHMMPlan) Trace() *Learned[*GaussianHMM] { return plan.Value(p, "Trace", p.trace) }

func (p GaussianHMMPlan) trace(*GaussianHMM) (*Learned[*GaussianHMM], error) {
	return plan.Once(p, "Trace", func() (*Learned[*GaussianHMM], error) {
		return plan.Options(p).learn(context.Background(), plan.Data(p))
	})
}

// Labels returns the group, from 0, of each row of the data of the fit: the most probable state, from 0, of each row of the data of the
// fit, one sequence at a time.
func (p GaussianHMMPlan) Labels() []int { return plan.Value(p, "Labels", p.labels) }

func (p GaussianHMMPlan) labels(m *GaussianHMM) ([]int, error) {
	var out []int
	for _, X := range plan.Options(p).cut(plan.Data(p).X) {
		path, err := m.Predict(X)
		if err != nil {
			return nil, err
		}
		out = append(out, path...)
	}
	return out, nil
}

// Sizes returns the number of rows in each group: of the data of the fit, in each state.
func (p GaussianHMMPlan) Sizes() []int {
	return plan.Value(p, "Sizes", func(m *GaussianHMM) ([]int, error) {
		labels, err := p.labels(m)
		sizes := make([]int, m.k)
		for _, i := range labels {
			sizes[i]++
		}
		return sizes, err
	})
}

// LogLikelihood returns log p of sequences, in nats: of the density of sets each of which is a sequence; without a
// set, of the data of the fit.
func (p GaussianHMMPlan) LogLikelihood(sequences ...datasets.Set) float64 {
	return plan.Value(p, "LogLikelihood", func(m *GaussianHMM) (float64, error) {
		var series []mat.Matrix
		for _, set := range sequences {
			set, err := plan.Admitted(m, "LogLikelihood", set)
			if err != nil {
				return 0, err
			}
			series = append(series, set.X)
		}
		if sequences == nil {
			series = plan.Options(p).cut(plan.Data(p).X)
		}
		sum := 0.0
		for _, X := range series {
			l, err := m.LogLikelihood(X)
			if err != nil {
				return 0, err
			}
			sum += l
		}
		return sum, nil
	}, fault.Args(sequences)...)
}

// Sample draws n rows from the model: one sequence; their class is the state. The same seed gives the same rows.
func (p GaussianHMMPlan) Sample(n int, seed uint64) datasets.Set {
	return plan.Set(p, "Sample", func(m *GaussianHMM) (datasets.Set, error) {
		states, X, err := m.Sample(n, seed)
		if err != nil {
			return datasets.Set{}, err
		}
		return datasets.New("sample", X, states, m.states...).Named(plan.Data(p).FeatureNames...), nil
	}, n, seed)
}

// Show shows the picture or table that says most: Segmentation.
func (p GaussianHMMPlan) Show() { p.Segmentation().Show() }

// Segmentation draws the first feature of the data of the fit over time, each row in the colour of its most probable state. Rules part the
// sequences.
func (p GaussianHMMPlan) Segmentation() *plotting.Figure {
	return plan.Figure(p, "Segmentation", func(m *GaussianHMM) (*plotting.Figure, error) {
		labels, err := p.labels(m)
		if err != nil {
			return nil, err
		}
		set := plan.Data(p)
		x := mat.Col(nil, 0, set.X)
		time := make([]float64, len(x))
		for t := range time {
			time[t] = float64(t + 1)
		}
		f := plotting.New(plotting.Line(time, x).Muted().Width(0.5), plotting.Points(time, x).By(labels, m.states...))
		if m.d > 1 {
			f = f.Caption(fmt.Sprintf("The first of %d features.", m.d))
		}
		at, lengths := 0, plan.Options(p).Lengths
		for i, n := range lengths {
			if at += n; i < len(lengths)-1 {
				f = f.Add(plotting.VRule(float64(at) + 0.5).Muted())
			}
		}
		label := set.FeatureNames[0]
		if len(set.Units) > 0 && set.Units[0] != "" {
			label += " (" + set.Units[0] + ")"
		}
		return f.X("t").Y(label).Title("Most probable states"), nil
	})
}

// StatePosteriors draws the probabilities of the states over time: P(state at t | its sequence) for the rows of the fit as a table of
// states by times.
func (p GaussianHMMPlan) StatePosteriors() *plotting.Figure {
	return plan.Figure(p, "StatePosteriors", func(m *GaussianHMM) (*plotting.Figure, error) {
		of := make([][]float64, m.k)
		for _, X := range plan.Options(p).cut(plan.Data(p).X) {
			post, err := m.Posterior(X)
			if err != nil {
				return nil, err
			}
			for i := range of {
				of[i] = append(of[i], mat.Col(nil, i, post)...)
			}
		}
		columns := make([]string, len(of[0]))
		for t := range columns {
			columns[t] = strconv.Itoa(t + 1)
		}
		heat := plotting.Heat(of).Rows(m.states...).Columns(columns...).Range(0, 1).Label("posterior")
		return plotting.New(heat).X("t").Title("Posterior of the states"), nil
	})
}

// Iterations shows what the fit did, step by step: the log-likelihood against the iteration of Baum-Welch.
func (p GaussianHMMPlan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *GaussianHMM) (*plotting.Figure, error) {
		l, err := p.trace(m)
		if err != nil {
			return nil, err
		}
		at := make([]float64, len(l.LogLik))
		for i := range at {
			at[i] = float64(i)
		}
		return plotting.New(plotting.Line(at, l.LogLik).Name("log-likelihood")).X("iteration").Y("nats").Title("Baum-Welch"), nil
	})
}

// Graph draws the model as nodes and edges: the hidden states and their transitions.
func (p GaussianHMMPlan) Graph() *plotting.Figure {
	return plan.Figure(p, "Graph", func(m *GaussianHMM) (*plotting.Figure, error) {
		return graph(m.states, m.Transitions(), nil).Title("Hidden states"), nil
	})
}

// Table lists parameters and diagnostics: start and transition probabilities, means and standard deviations, one row a state. Of mixtures
// these are those of the state as a whole.
func (p GaussianHMMPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *GaussianHMM) (cell.Table, error) {
		features := plan.Data(p).FeatureNames
		heads := slices.Concat(prefixed("to ", m.states), prefixed("mean ", features), prefixed("sd ", features))
		rows := m.Transitions()
		for i := range rows {
			mean, sd := m.overall(i)
			rows[i] = slices.Concat(rows[i], mean, sd)
		}
		return parameters(m.states, m.start, heads, rows).Title(m.String()), nil
	})
}

// overall returns the means and standard deviations of what state i emits: mu = sum_c w_c mu_c and
// sigma^2 = sum_c w_c (Sigma_c + (mu_c - mu)^2).
func (m *GaussianHMM) overall(i int) (mean, sd []float64) {
	mean, sd = make([]float64, m.d), make([]float64, m.d)
	for j := i * m.c; j < (i+1)*m.c; j++ {
		for a, v := range m.means[j] {
			mean[a] += m.weights[j] * v
		}
	}
	for a := range sd {
		for j := i * m.c; j < (i+1)*m.c; j++ {
			shift := m.means[j][a] - mean[a]
			sd[a] += m.weights[j] * (m.covs[j][a][a] + shift*shift)
		}
		sd[a] = math.Sqrt(sd[a])
	}
	return mean, sd
}
