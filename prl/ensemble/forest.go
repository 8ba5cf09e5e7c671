// Package ensemble grows committees of trees on drawn rows: bagging, random forests and extremely randomised trees, for classes and for
// numbers, with the error on rows that a tree has not seen, and the importance of features; and isolation forests, which find rows unlike
// the others.
//
// Everywhere X is n x d with one observation a row and class labels are 0 ... K-1. Features may hold words and gaps as those of package
// tree. Weights are those of the draw: a row of weight 2 is drawn twice as often as one of weight 1.
package ensemble

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

// A Forest is a committee of classification trees. Its probabilities are the means of those of its trees, the class shares of their leaves.
// It is immutable and safe for concurrent use.
type Forest struct {
	estimator.Names
	committee[*tree.Classifier]
}

// Fit grows a forest on X (n x d) with labels y of K classes: each tree on o.Draw rows drawn with replacement, the best test of each node
// among o.MaxFeatures features drawn without. With MaxFeatures tree.All it is bagging.
//
// Errors: unusable data, labels, weights or options, and the error of ctx. Source: L. Breiman, Bagging predictors, Machine Learning 24,
// 1996; Random forests, Machine Learning 45, 2001; of Extra, P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning
// 63, 2006. As in scikit-learn the trees' probabilities are averaged; Breiman counts their votes.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Forest, error) {
	const op = "ensemble.Fit"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	if err := o.trees().CheckX(op, X); err != nil {
		return nil, err
	}
	w := estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced}
	l, err := estimator.CheckedLabelled(ctx, op, X, y, w)
	if err != nil {
		return nil, err
	}
	o = o.sized(l.N, int(math.Sqrt(float64(l.D))))
	grow, err := tree.Many(ctx, op, l, o.trees())
	if err != nil {
		return nil, err
	}
	s, err := assemble(ctx, l.Rows, l.K, o, grow)
	if err != nil {
		return nil, err
	}
	s.Error, _ = s.mean(l.Rows, func(i int, p []float64) float64 {
		if estimator.Argmax(p) != l.Y[i] {
			return 1
		}
		return 0
	})
	return &Forest{committee: committee[*tree.Classifier]{s}}, nil
}

// spine gives the forest the methods that all classifiers have.
func (f *Forest) spine() estimator.Classification[*Forest] {
	return estimator.Classification[*Forest]{
		Model: f, Kind: "ensemble.Forest", D: f.s.D, K: f.s.K, Gaps: f.s.Gaps, Cost: f.cost(),
		Scores: func(f *Forest, p, x []float64) { f.s.answer(p, x) },
	}
}

// OOBProba returns the n x K mean probabilities of the trees that have not seen a row, for the rows of the fit of positive weight; NaN for
// a row that all trees have seen. It is empty before a fit.
func (f *Forest) OOBProba() *mat.Dense {
	if f.s.N == 0 {
		return &mat.Dense{}
	}
	return mat.NewDense(f.s.N, f.s.K, slices.Clone(f.s.OOB))
}

// OOBError returns the share, by weight, of the rows that the trees which have not seen them put into a wrong class; NaN when all trees
// have seen all rows. It is the error of a smaller committee, of about 37 % of the trees, and no test where rows are copies of others.
func (f *Forest) OOBError() float64 { return f.s.Error }

// Permutation returns for each feature by how much the share of errors among the rows of X (n x d) with labels y rises when the values of
// the feature are shuffled among them, the mean of o.Repeats shuffles. The rows should be held out from the fit.
//
// Errors: X of another width; labels that are not as many or not those of the fit; those of o; that of ctx.
func (f *Forest) Permutation(ctx context.Context, X mat.Matrix, y []int, o Shuffles) ([]float64, error) {
	const op = "ensemble.Forest.Permutation"
	if err := f.checkLabels(op, X, y); err != nil {
		return nil, err
	}
	return permutation(ctx, op, X, o, func(X *mat.Dense) (float64, error) {
		got, err := f.Predict(X)
		return 1 - estimator.Accuracy(got, y), err
	})
}

// OOBPermutation returns for each feature by how much the error of a tree on the rows that it has not seen rises when the values of the
// feature are shuffled among them, the mean over trees. X and y are those of the fit. Source: Breiman 2001, section 10.
//
// Errors: X or y of another size than those of the fit; those of o; that of ctx.
func (f *Forest) OOBPermutation(ctx context.Context, X mat.Matrix, y []int, o Shuffles) ([]float64, error) {
	const op = "ensemble.Forest.OOBPermutation"
	if err := f.checkLabels(op, X, y); err != nil {
		return nil, err
	}
	return f.s.oobPermutation(ctx, op, X, o, func(t *tree.Classifier, X *mat.Dense, rows []int) (float64, error) {
		got, err := t.Predict(X)
		wrong := 0.0
		for i, c := range got {
			if c != y[rows[i]] {
				wrong++
			}
		}
		return wrong, err
	})
}

func (f *Forest) checkLabels(op string, X mat.Matrix, y []int) error {
	if err := estimator.CheckShape(op, X, f.s.D); err != nil {
		return err
	}
	n, _ := X.Dims()
	return checkLength(op, "y", len(y), n)
}

// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers.
func (f *Forest) Columns() (names []string, words [][]string) {
	return columns(&f.Names, f.s.D, f.s.Words)
}

// String returns a line such as "forest of 100 trees, out-of-bag error 0.047".
func (f *Forest) String() string {
	return fmt.Sprintf("forest of %d trees", f.Len()) + f.s.note("error", f.s.Error)
}

// MarshalBinary encodes the forest.
func (f *Forest) MarshalBinary() ([]byte, error) { return f.store("ensemble.Forest", f.Names) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *Forest) UnmarshalBinary(data []byte) error {
	s, names, err := restore[*tree.Classifier](data, "ensemble.Forest", func(s *state[*tree.Classifier]) bool {
		ok := s.K > 1
		for _, t := range s.Trees {
			ok = ok && t.Classes() == s.K
		}
		return ok
	})
	if err == nil {
		*f = Forest{names, committee[*tree.Classifier]{s}}
	}
	return err
}
