package bench

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/selection"
	"github.com/prlab/prlab/prl/svm"
)

// inRanges deals rows to k folds in their order, the first n mod k of which have one row more, as the peer's KFold does. The classes of all
// data sets alternate, so that each fold has its share of each.
func inRanges(n, k int) []assess.Split {
	splits := make([]assess.Split, k)
	from := 0
	for i := range splits {
		to := from + n/k
		if i < n%k {
			to++
		}
		for r := range n {
			if r >= from && r < to {
				splits[i].Test = append(splits[i].Test, r)
			} else {
				splits[i].Train = append(splits[i].Train, r)
			}
		}
		from = to
	}
	return splits
}

// validation times ten folds of a plan; folds run side by side on as many threads as the task has.
func validation(p func(d int) plan.Trainable) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		set, splits, how := datasets.New("data", in.X, in.y), inRanges(in.n(), 10), p(in.d())
		var v *selection.Validation
		return &job{n: in.n(), d: in.d(), run: func() (err error) {
			v, err = selection.Validate(context.Background(), how, set, splits, "accuracy")
			return err
		}, quality: func() (map[string]float64, error) { return only("mean accuracy", average(v.Scores)), nil }}, nil
	}
}

func average(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// The values of the grid. A search also has to find the place of the best mean.
var gridC, gridGamma = []float64{0.1, 1, 10, 100, 1000}, []float64{0.01, 0.1, 1, 10, 100}

func gridSearch(in *input) (*job, error) {
	set := datasets.New("data", in.X, in.y)
	var s *selection.Search
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		s, err = selection.PlanGrid(func(g *selection.Settings) svm.Plan {
			return svm.PlanSVM().Tol(peerTol).C(g.Over("C", gridC...)).RBF(g.Over("gamma", gridGamma...) / float64(in.d()))
		}).Fit(set).Fitted()
		return err
	}, quality: func() (map[string]float64, error) { return only("best accuracy", s.Scores[s.Best]), nil }}, nil
}

// Both sides agree on the accuracy up to rows that lie on a boundary.
var meanAccuracy = []Gauge{{"mean accuracy", Higher, Chance}}

// On two threads the folds of the peer are dealt to two processes, or to two threads where those are faster, by its n_jobs.
var workers = []string{"loky", "threading"}

var assessTasks = []Task{
	{
		Name: "cross-validation of lda", Data: "cls", Peers: workers, Gauges: meanAccuracy, Settings: "10 folds in order (peer: lsqr, n_jobs)",
		make: validation(func(int) plan.Trainable { return bayes.PlanLDA() }),
	},
	{
		Name: "cross-validation of logistic regression", Data: "lin", Rows: [3]int{200, 5000, 20000}, Peers: workers, Gauges: meanAccuracy,
		Settings: "10 folds in order, L2 penalty 1 (peer: newton-cholesky, n_jobs)",
		make:     validation(func(int) plan.Trainable { return logistic.PlanLogistic().L2(1) }),
	},
	{
		Name: "cross-validation of svm", Data: "bin", Rows: [3]int{200, 1000, 4000}, Peers: workers, Gauges: meanAccuracy,
		Settings: "10 folds in order, RBF, C 10, gamma 1/d, tolerance 1e-3 (peer: n_jobs)",
		make:     validation(func(d int) plan.Trainable { return svm.PlanSVM().RBF(1 / float64(d)).C(10).Tol(peerTol) }),
	},
	{
		Name: "grid search of svm", Data: "bin", Rows: [3]int{100, 300, 1000}, Peers: workers, Gauges: []Gauge{{"best accuracy", Higher, Chance}},
		Settings: "5 values of C, 5 of gamma, 5 folds, tolerance 1e-3; 125 fits (peer: n_jobs)", make: gridSearch,
	},
}
