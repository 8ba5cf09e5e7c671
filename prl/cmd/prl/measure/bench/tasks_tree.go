package bench

import (
	"context"

	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

func treeOptions(depth int, c tree.Criterion) tree.Options {
	o := tree.Options{}
	o.MaxDepth, o.Criterion = depth, c
	return o
}

func treeFit(depth int, c tree.Criterion) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		var model *tree.Classifier
		return &job{n: in.n(), d: in.d(), run: func() (err error) {
			model, err = tree.Fit(context.Background(), in.X, in.y, treeOptions(depth, c))
			return err
		}, quality: func() (map[string]float64, error) {
			train, err := model.Predict(in.X)
			if err != nil {
				return nil, err
			}
			test, err := model.Predict(in.Xt)
			if err != nil {
				return nil, err
			}
			return map[string]float64{
				"training accuracy": estimator.Accuracy(train, in.y),
				"test accuracy":     estimator.Accuracy(test, in.yt),
				"impurity":          model.Impurity(),
			}, nil
		}}, nil
	}
}

func regressionFit(in *input) (*job, error) {
	var model *tree.Regressor
	o := treeOptions(10, tree.Gini)
	return &job{n: in.n(), d: in.d(), run: func() (err error) {
		model, err = tree.FitRegression(context.Background(), in.X, in.t, o)
		return err
	}, quality: func() (map[string]float64, error) {
		train, err := model.Predict(in.X)
		if err != nil {
			return nil, err
		}
		return only("training mse", meanSquared(train, in.t)), nil
	}}, nil
}

func meanSquared(got, want []float64) float64 {
	sum := 0.0
	for i, v := range got {
		sum += (v - want[i]) * (v - want[i])
	}
	return sum / float64(len(got))
}

// Between equally good splits the two sides choose differently, which changes the test accuracy by chance.
var fullTree = []Gauge{{"training accuracy", Higher, same}, {"test accuracy", Higher, Chance}}

var treeTasks = []Task{
	{
		Name:     "tree fit",
		Data:     "bin",
		Peers:    []string{""},
		Gauges:   fullTree,
		Settings: "Gini, until pure",
		make:     treeFit(tree.Unlimited, tree.Gini),
	},
	{
		Name: "tree fit of one-hot rows", Data: "bin", Rows: [3]int{200, 2000, 5000}, Peers: []string{""}, Gauges: fullTree,
		Settings: "six columns of each, Gini, until pure", make: ofOneHot(treeFit(tree.Unlimited, tree.Gini)),
	},
	{
		Name: "tree fit depth 6", Data: "bin", Peers: []string{""}, Rivals: []string{"lightgbm"}, Gauges: []Gauge{{"impurity", Lower, same}},
		Settings: "Gini, depth 6", make: treeFit(6, tree.Gini),
	},
	{
		Name: "tree fit classes", Data: "cls", Rows: [3]int{200, 5000, 20000}, Peers: []string{""}, Gauges: fullTree,
		Settings: "entropy, until pure", make: treeFit(tree.Unlimited, tree.Entropy),
	},
	{
		Name: "tree predict", Data: "bin", Peers: []string{""}, Gauges: []Gauge{{"test accuracy", Higher, Chance}},
		Settings: "classes of the test rows", make: func(in *input) (*job, error) {
			model, err := tree.Fit(context.Background(), in.X, in.y, treeOptions(tree.Unlimited, tree.Gini))
			if err != nil {
				return nil, err
			}
			var got []int
			return &job{n: in.m(), d: in.d(), run: func() (err error) {
				got, err = model.Predict(in.Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
		},
	},
	{
		Name:     "regression tree fit",
		Data:     "fried",
		Rows:     [3]int{200, 5000, 20000},
		Peers:    []string{""},
		Rivals:   []string{"lightgbm"},
		Gauges:   []Gauge{{"training mse", Lower, same}},
		Settings: "squared error, depth 10",
		make:     regressionFit,
	},
	{
		Name:     "regression tree predict",
		Data:     "fried",
		Rows:     [3]int{200, 5000, 20000},
		Peers:    []string{""},
		Gauges:   []Gauge{{"test mse", Lower, 0.02}},
		Settings: "test rows, tree of depth 10",
		make: func(in *input) (*job, error) {
			model, err := tree.FitRegression(context.Background(), in.X, in.t, treeOptions(10, tree.Gini))
			if err != nil {
				return nil, err
			}
			var got []float64
			return &job{n: in.m(), d: in.d(), run: func() (err error) {
				got, err = model.Predict(in.Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test mse", meanSquared(got, in.tt)), nil }}, nil
		},
	},
	{
		Name: "pruning path", Data: "bin", Peers: []string{""}, Gauges: []Gauge{{"largest alpha", Equal, same}},
		Settings: "fit with depth 6 and its path", make: func(in *input) (*job, error) {
			var path []tree.PruneStep
			return &job{n: in.n(), d: in.d(), run: func() error {
				model, err := tree.Fit(context.Background(), in.X, in.y, treeOptions(6, tree.Gini))
				if err != nil {
					return err
				}
				path = model.PruningPath(tree.Gini)
				return nil
			}, quality: func() (map[string]float64, error) { return only("largest alpha", path[len(path)-1].Alpha), nil }}, nil
		},
	},
}

func fitBoost(in *input) (*boost.Model, error) {
	o := boost.Options{}
	o.Rounds = in.pick(50, 100, 100)
	return boost.Fit(context.Background(), in.X, in.y, o)
}

// The peer boosts trees of depth one that lower the Gini index; ours takes the stump of least weighted error, which lowers the exponential
// loss most. Both then weigh by the same rule.
var boostTasks = []Task{
	{
		Name:     "adaboost fit",
		Data:     "bin",
		Peers:    []string{""},
		Gauges:   []Gauge{{"exponential loss", Lower, same}, {"training error", Lower, Chance}, {"test error", Lower, Chance}},
		Settings: "100 rounds of stumps (peer: by the Gini index; ours: by the weighted error)",
		make: func(in *input) (*job, error) {
			var model *boost.Model
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				model, err = fitBoost(in)
				return err
			}, quality: func() (map[string]float64, error) {
				trace, err := model.Trace(in.X, in.y, nil)
				if err != nil {
					return nil, err
				}
				train, err := model.Predict(in.X)
				if err != nil {
					return nil, err
				}
				test, err := model.Predict(in.Xt)
				if err != nil {
					return nil, err
				}
				return map[string]float64{
					"exponential loss": trace.Loss[len(trace.Loss)-1],
					"training error":   1 - estimator.Accuracy(train, in.y), "test error": 1 - estimator.Accuracy(test, in.yt),
				}, nil
			}}, nil
		},
	},
	{
		Name: "adaboost predict", Data: "bin", Peers: []string{""}, Gauges: []Gauge{{"test accuracy", Higher, Chance}},
		Settings: "classes of the test rows", make: func(in *input) (*job, error) {
			model, err := fitBoost(in)
			if err != nil {
				return nil, err
			}
			var got []int
			return &job{n: in.m(), d: in.d(), run: func() (err error) {
				got, err = model.Predict(in.Xt)
				return err
			}, quality: func() (map[string]float64, error) { return only("test accuracy", estimator.Accuracy(got, in.yt)), nil }}, nil
		},
	},
}
