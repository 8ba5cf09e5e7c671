package ensemble

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

// A Regressor is a committee of regression trees, which predicts their mean. It is immutable and safe for concurrent use.
type Regressor struct {
	estimator.Names
	committee[*tree.Regressor]
}

// FitRegression grows a forest on X (n x d) and targets (n numbers) as Fit does, of trees that split by the squared error. The default of
// o.MaxFeatures is d/3, as Breiman has it; scikit-learn's is d.
//
// Errors: unusable data, targets, weights or options, weights of classes, and the error of ctx.
func FitRegression(ctx context.Context, X mat.Matrix, target []float64, o Options) (*Regressor, error) {
	const op = "ensemble.FitRegression"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	if err := o.checkNoClasses(op); err != nil {
		return nil, err
	}
	if err := o.trees().CheckX(op, X); err != nil {
		return nil, err
	}
	t, err := estimator.CheckedTargeted(ctx, op, X, target, o.Weights)
	if err != nil {
		return nil, err
	}
	o = o.sized(t.N, t.D/3)
	grow, err := tree.ManyRegressions(ctx, op, t, o.trees())
	if err != nil {
		return nil, err
	}
	s, err := assemble(ctx, t.Rows, 1, o, grow)
	if err != nil {
		return nil, err
	}
	s.Error, _ = s.mean(t.Rows, func(i int, v []float64) float64 { return (v[0] - t.Y[i]) * (v[0] - t.Y[i]) })
	return &Regressor{committee: committee[*tree.Regressor]{s}}, nil
}

// spine gives the forest the methods that all regressions have.
func (f *Regressor) spine() estimator.Regression[*Regressor] {
	return estimator.Regression[*Regressor]{
		Model: f, Kind: "ensemble.Regressor", D: f.s.D, Gaps: f.s.Gaps, Cost: f.cost(),
		Values: func(f *Regressor, y, x []float64) { f.s.answer(y, x) },
	}
}

// OOBPredictions returns for each row of the fit of positive weight the mean prediction of the trees that have not seen it; NaN for a row
// that all trees have seen.
func (f *Regressor) OOBPredictions() []float64 { return slices.Clone(f.s.OOB) }

// OOBError returns the mean squared error, by weight, of OOBPredictions; NaN when all trees have seen all rows.
func (f *Regressor) OOBError() float64 { return f.s.Error }

// Permutation returns for each feature by how much the mean squared error on the rows of X (n x d) with n targets rises when the values of
// the feature are shuffled among them, the mean of o.Repeats shuffles. The rows should be held out from the fit.
//
// Errors: X of another width; targets that are not as many; those of o; that of ctx.
func (f *Regressor) Permutation(ctx context.Context, X mat.Matrix, target []float64, o Shuffles) ([]float64, error) {
	const op = "ensemble.Regressor.Permutation"
	if err := f.checkTargets(op, X, target); err != nil {
		return nil, err
	}
	return permutation(ctx, op, X, o, func(X *mat.Dense) (float64, error) {
		got, err := f.Predict(X)
		sum := 0.0
		for i, v := range got {
			sum += (v - target[i]) * (v - target[i])
		}
		return sum / float64(len(target)), err
	})
}

// OOBPermutation returns for each feature by how much the mean squared error of a tree on the rows that it has not seen rises when the
// values of the feature are shuffled among them, the mean over trees. X and targets are those of the fit. Source: Breiman 2001, section 10.
//
// Errors: X or targets of another size than those of the fit; those of o; that of ctx.
func (f *Regressor) OOBPermutation(ctx context.Context, X mat.Matrix, target []float64, o Shuffles) ([]float64, error) {
	const op = "ensemble.Regressor.OOBPermutation"
	if err := f.checkTargets(op, X, target); err != nil {
		return nil, err
	}
	return f.s.oobPermutation(ctx, op, X, o, func(t *tree.Regressor, X *mat.Dense, rows []int) (float64, error) {
		got, err := t.Predict(X)
		sum := 0.0
		for i, v := range got {
			sum += (v - target[rows[i]]) * (v - target[rows[i]])
		}
		return sum, err
	})
}

func (f *Regressor) checkTargets(op string, X mat.Matrix, target []float64) error {
	if err := estimator.CheckShape(op, X, f.s.D); err != nil {
		return err
	}
	n, _ := X.Dims()
	return estimator.CheckTargets(op, target, n)
}

// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers.
func (f *Regressor) Columns() (names []string, words [][]string) {
	return columns(&f.Names, f.s.D, f.s.Words)
}

// String returns a line such as "regression forest of 100 trees, out-of-bag squared error 0.047".
func (f *Regressor) String() string {
	return fmt.Sprintf("regression forest of %d trees", f.Len()) + f.s.note("squared error", f.s.Error)
}

// MarshalBinary encodes the forest.
func (f *Regressor) MarshalBinary() ([]byte, error) { return f.store("ensemble.Regressor", f.Names) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *Regressor) UnmarshalBinary(data []byte) error {
	s, names, err := restore(data, "ensemble.Regressor", func(s *state[*tree.Regressor]) bool { return s.K == 1 })
	if err == nil {
		*f = Regressor{names, committee[*tree.Regressor]{s}}
	}
	return err
}
