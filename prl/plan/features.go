package plan

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Importance draws a number for each feature as a bar: what it means is written below.
func Importance(features []string, v []float64, what string) *plotting.Figure {
	return plotting.New(plotting.Bars(v).Categories(features...).Horizontal()).X(what).Title("Importance of the features")
}

const shuffles = 5 // of each feature

// shuffled draws by how much the loss of a model on a set rises when a feature is shuffled.
func shuffled(set datasets.Set, what string, loss func(*mat.Dense) (float64, error)) (*plotting.Figure, error) {
	rise, err := assess.PermutationImportance(context.Background(), mat.DenseCopyOf(set.X), shuffles, rand.New(rand.NewPCG(1, 0)), loss)
	if err != nil {
		return nil, fault.In("Permutation", err)
	}
	return Importance(set.FeatureNames, rise, what), nil
}

// Permutation draws by how much the error rises when a feature is shuffled: the share of rows put into a wrong class, of a test set, which
// tells what the model needs for new rows, or of the data of the fit; the mean of five shuffles of each feature.
func (p classifier) Permutation(test ...datasets.Set) *plotting.Figure {
	return Figure(p.any(), "Permutation", func(m estimator.PointClassifier) (*plotting.Figure, error) {
		set, err := tested(m, p.base().set, "Permutation", Classes, test)
		if err != nil {
			return nil, err
		}
		return shuffled(set, "rise of the error", func(X *mat.Dense) (float64, error) {
			got, err := m.Predict(X)
			return 1 - estimator.Accuracy(got, set.Y), err
		})
	}, sets(test)...)
}

// Permutation draws by how much the error rises when a feature is shuffled: the mean squared error, on a test set, which tells what the
// model needs for new rows, or on the data of the fit; the mean of five shuffles of each feature.
func (p regressor) Permutation(test ...datasets.Set) *plotting.Figure {
	return Figure(p.any(), "Permutation", func(m estimator.Regressor) (*plotting.Figure, error) {
		set, err := tested(m, p.base().set, "Permutation", Target, test)
		if err != nil {
			return nil, err
		}
		return shuffled(set, "rise of the squared error", func(X *mat.Dense) (float64, error) {
			got, err := m.Predict(X)
			if err != nil {
				return 0, err
			}
			r, err := assess.NewRegression(set.Target, got, nil)
			return r.MSE, err
		})
	}, sets(test)...)
}

// Of a partial dependence: rows of the data over which it is the mean, and values of a feature.
const (
	partialRows   = 1000
	partialValues = 100
)

// partial draws what a model says when a feature has the same value in all rows: a curve for each name over the values of the feature, or
// bars over its words.
func partial(set datasets.Set, feature, y string, names []string, says func(*mat.Dense) (*mat.Dense, error)) (*plotting.Figure, error) {
	if err := set.Features(feature).Err(); err != nil {
		return nil, err
	}
	j := slices.Index(set.FeatureNames, feature)
	var words []string
	if j < len(set.Words) {
		words = set.Words[j]
	}
	at := places(mat.Col(nil, j, set.X), len(words))
	rows := make([]int, min(set.N(), partialRows))
	for i := range rows {
		rows[i] = i * set.N() / len(rows)
	}
	means, err := assess.PartialDependence(context.Background(), mat.DenseCopyOf(set.Rows(rows...).X), j, at, says)
	if err != nil {
		return nil, fault.In("Partial", err)
	}
	fig := plotting.New().X(feature).Y(y)
	var bars []plotting.BarSeries
	for k, name := range names {
		v := mat.Col(nil, k, means)
		switch {
		case words != nil:
			bars = append(bars, plotting.BarSeries{Name: name, Values: v})
		case len(names) == 1:
			fig = fig.Add(plotting.Line(at, v))
		default:
			fig = fig.Add(plotting.Line(at, v).Class(name).Name(name))
		}
	}
	switch len(bars) {
	case 0:
	case 1:
		fig = fig.Add(plotting.Bars(bars[0].Values).Categories(words...))
	default:
		fig = fig.Add(plotting.BarGroups(words, bars...))
	}
	return fig, nil
}

// places returns the values at which a feature is tried: the numbers of its words, the values that occur where there are few, and as many
// at equal steps otherwise.
func places(column []float64, words int) []float64 {
	v := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	if words > 0 {
		v = nil
		for w := range words {
			v = append(v, float64(w))
		}
	}
	slices.Sort(v)
	v = slices.Compact(v)
	if len(v) <= partialValues {
		return v
	}
	at := make([]float64, partialValues)
	for i := range at {
		at[i] = v[0] + (v[len(v)-1]-v[0])*float64(i)/(partialValues-1)
	}
	return at
}

// Partial draws the mean of what the model says over a feature: the probability of each class, of the second for two, in the data of the
// fit when all rows have the same value of the feature and the other features are as they are (partial dependence); for a model without
// probabilities the share of rows put into the class. The mean is over 1000 rows at equal steps, or all of fewer.
func (p classifier) Partial(feature string) *plotting.Figure {
	return Figure(p.any(), "Partial", func(m estimator.PointClassifier) (*plotting.Figure, error) {
		set := p.base().set
		_, lacking := Proba(m, set.Rows(0).X)
		says, y := func(X *mat.Dense) (*mat.Dense, error) { return Proba(m, X) }, "mean probability"
		if lacking != nil {
			says, y = func(X *mat.Dense) (*mat.Dense, error) { return indicators(m, X) }, "share of rows"
		}
		names := make([]string, m.Classes())
		for k := range names {
			names[k] = className(set.ClassNames, k)
		}
		if len(names) == 2 {
			all := says
			names, y = names[1:], y+" of "+names[1]
			says = func(X *mat.Dense) (*mat.Dense, error) {
				d, err := all(X)
				if err != nil {
					return nil, err
				}
				return mat.DenseCopyOf(d.ColView(1)), nil
			}
		}
		fig, err := partial(set, feature, y, names, says)
		if err != nil {
			return nil, err
		}
		return fig.Title(fmt.Sprintf("Partial dependence of %s on %s", p.base().name, feature)), nil
	}, feature)
}

// indicators returns 1 in the column of the class of each row, and 0 elsewhere.
func indicators(m estimator.PointClassifier, X *mat.Dense) (*mat.Dense, error) {
	classes, err := m.Predict(X)
	out := mat.NewDense(len(classes), m.Classes(), nil)
	for i, k := range classes {
		out.Set(i, k, 1)
	}
	return out, err
}

// Partial draws the mean of what the model says over a feature: the prediction, in the data of the fit when all rows have the same value of
// the feature and the other features are as they are (partial dependence). The mean is over 1000 rows at equal steps, or all of fewer.
func (p regressor) Partial(feature string) *plotting.Figure {
	return Figure(p.any(), "Partial", func(m estimator.Regressor) (*plotting.Figure, error) {
		set := p.base().set
		fig, err := partial(set, feature, "mean prediction of "+set.TargetName, []string{set.TargetName}, func(X *mat.Dense) (*mat.Dense, error) {
			got, err := m.Predict(X)
			if err != nil {
				return nil, err
			}
			return mat.NewDense(len(got), 1, got), nil
		})
		if err != nil {
			return nil, err
		}
		return fig.Title(fmt.Sprintf("Partial dependence of %s on %s", p.base().name, feature)), nil
	}, feature)
}
