package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
)

// Shuffles are the settings of a permutation importance. A field that is zero stands for its default.
type Shuffles struct {
	Repeats int    // shuffles of each feature, of each tree for OOBPermutation; default 5 and 1
	Seed    uint64 // of the shuffles; default 1
}

func (o Shuffles) check(op string, repeats int) (Shuffles, error) {
	o.Repeats, o.Seed = cmp.Or(o.Repeats, repeats), cmp.Or(o.Seed, 1)
	return o, estimator.CheckCount(op, "Repeats", o.Repeats, 1, 1<<20)
}

// permutation returns by how much the loss of the whole committee rises.
func permutation(ctx context.Context, op string, X mat.Matrix, o Shuffles, loss func(*mat.Dense) (float64, error)) ([]float64, error) {
	o, err := o.check(op, 5)
	if err != nil {
		return nil, err
	}
	rise, err := assess.PermutationImportance(ctx, mat.DenseCopyOf(X), o.Repeats, rand.New(rand.NewPCG(o.Seed, 0)), loss)
	return rise, fault.In(op, err)
}

// checkFit reports a matrix that cannot hold the rows of the fit.
func (s *state[M]) checkFit(op string, X mat.Matrix) error {
	if n, _ := X.Dims(); s.Kept != nil && n <= s.Kept[s.N-1] || s.Kept == nil && n != s.N {
		return fault.Argument(op, "X", fmt.Sprintf("%d rows", n), "the rows of the fit", "")
	}
	return nil
}

// oobPermutation returns the mean rise of the trees, each of which has random numbers of its own; loss sums over rows of the fit.
func (s *state[M]) oobPermutation(ctx context.Context, op string, X mat.Matrix, o Shuffles,
	loss func(t M, X *mat.Dense, rows []int) (float64, error),
) ([]float64, error) {
	o, err := o.check(op, 1)
	if err != nil {
		return nil, err
	}
	if err := s.checkFit(op, X); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	each, errs := make([][]float64, len(s.Trees)), make([]error, len(s.Trees))
	share.Turns(share.Workers(len(s.Trees), float64(len(s.Trees))*30*float64(s.N*s.D)), len(s.Trees), func(_, t int) {
		rows := s.out(t)
		for i, r := range rows {
			if s.Kept != nil {
				rows[i] = s.Kept[r]
			}
		}
		if len(rows) > 0 {
			rng := rand.New(rand.NewPCG(o.Seed, uint64(t)))
			each[t], errs[t] = assess.PermutationImportance(ctx, subset(x, rows), o.Repeats, rng, func(X *mat.Dense) (float64, error) {
				sum, err := loss(s.Trees[t], X, rows)
				return sum / float64(len(rows)), err
			})
		}
	})
	out, trees := make([]float64, s.D), 0.0
	for t, v := range each {
		if errs[t] != nil {
			return nil, fault.In(op, errs[t])
		}
		if v != nil {
			floats.Add(out, v)
			trees++
		}
	}
	if trees == 0 {
		return nil, fault.Argument(op, "the forest", "trees that have seen all rows", "rows that a tree has not seen",
			"set Draw, or use Permutation")
	}
	floats.Scale(1/trees, out)
	return out, nil
}
