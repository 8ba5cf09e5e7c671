package boost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/tree"
)

// A Hypothesis is a weak classifier that has been fitted. A model with weak classifiers of a type of your own can be stored once
// estimator.Register knows the type.
type Hypothesis interface {
	// Class returns the class, 0 ... K-1, of a row of d numbers.
	Class(x ...float64) int
}

// A Learner fits weak classifiers to weighted data.
type Learner interface {
	// Prepare looks at the data once and returns the fit of one round; what takes long, such as sorting, is for the first round, which can
	// be stopped. The fit gets n non-negative weights that sum to one, or whole numbers that sum to n when the rows were drawn at random,
	// and returns a classifier of small weighted error.
	Prepare(X *mat.Dense, y []int) (Fit1, error)
	// String names the learner: "stumps".
	String() string
}

// A Fit1 fits one weak classifier.
type Fit1 func(ctx context.Context, weights []float64) (Hypothesis, error)

func init() {
	estimator.Register("tree.Stump", tree.Stump{})
	estimator.Register("tree.Classifier", &tree.Classifier{})
}

type stumps struct{}

// Stumps returns the learner that finds the stump of least weighted error. It sorts each feature once; a round is one scan of n d weights.
func Stumps() Learner { return stumps{} }

func (stumps) String() string { return "stumps" }

func (stumps) Prepare(X *mat.Dense, y []int) (Fit1, error) {
	var f *tree.StumpFinder
	return func(ctx context.Context, w []float64) (Hypothesis, error) {
		if f == nil { // only now is there a context that can stop the sorting
			var err error
			if f, err = tree.NewStumpFinder(ctx, X, y); err != nil {
				return nil, err
			}
		}
		s, _, err := f.Best(w)
		return s, err
	}, nil
}

type trees struct{ opts tree.Options }

// Trees returns the learner that grows a classification tree with opts each round, for example of depth 2. Weights in opts are replaced by
// those of the round. With Gaps and Words in opts the boosted model takes gaps and words as a tree does.
func Trees(opts tree.Options) Learner { return trees{opts} }

func (t trees) String() string {
	if t.opts.MaxDepth == tree.Unlimited || t.opts.MaxDepth == 0 {
		return "trees"
	}
	return fmt.Sprintf("trees of depth %d", t.opts.MaxDepth)
}

func (t trees) Prepare(X *mat.Dense, y []int) (Fit1, error) {
	k := slices.Max(y) + 1
	return func(ctx context.Context, w []float64) (Hypothesis, error) {
		if c, ok := only(y, w); ok {
			return tree.Stump{Threshold: math.Inf(1), Left: c, Right: c}, nil
		}
		opts := t.opts
		opts.Weights, opts.Progress = w, nil
		return tree.Grow(ctx, X, y, k, opts)
	}, nil
}

// only returns the class that has all the weight, as one may have when rows were drawn.
func only(y []int, w []float64) (class int, ok bool) {
	class = -1
	for i, c := range y {
		switch {
		case w[i] == 0 || c == class:
		case class >= 0:
			return 0, false
		default:
			class = c
		}
	}
	return max(class, 0), true
}

type weighted struct {
	name string
	fit  func(ctx context.Context, X *mat.Dense, y []int, w []float64) (Hypothesis, error)
}

// Weighted makes a learner of a function that fits a classifier to weighted data.
func Weighted(name string, fit func(ctx context.Context, X *mat.Dense, y []int, w []float64) (Hypothesis, error)) Learner {
	return weighted{name, fit}
}

func (l weighted) String() string { return l.name }

func (l weighted) Prepare(X *mat.Dense, y []int) (Fit1, error) {
	return func(ctx context.Context, w []float64) (Hypothesis, error) { return l.fit(ctx, X, y, w) }, nil
}

type unweighted struct {
	name string
	fit  func(ctx context.Context, X *mat.Dense, y []int) (Hypothesis, error)
}

// Unweighted makes a learner of a function that knows no weights. It works in the resampling form only: each round it is given n rows drawn
// at random with the probabilities of the round.
func Unweighted(name string, fit func(ctx context.Context, X *mat.Dense, y []int) (Hypothesis, error)) Learner {
	return unweighted{name, fit}
}

func (l unweighted) String() string { return l.name }

func (l unweighted) Prepare(X *mat.Dense, y []int) (Fit1, error) {
	_, d := X.Dims()
	return func(ctx context.Context, w []float64) (Hypothesis, error) {
		var rows []float64
		var labels []int
		for i, v := range w {
			if v != math.Trunc(v) {
				return nil, fault.Argument(
					"boost.Fit",
					"Resample",
					false,
					"true for a learner that knows no weights",
					"set Resample, or make the learner with Weighted",
				)
			}
			for range int(v) {
				rows = append(rows, X.RawRowView(i)...)
				labels = append(labels, y[i])
			}
		}
		return l.fit(ctx, mat.NewDense(len(labels), d, rows), labels)
	}, nil
}
