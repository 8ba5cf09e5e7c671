package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
)

// drawnRows are the settings of the draws, from which the weights of the rows in each tree are made again.
type drawnRows struct {
	Seed uint64    // 0 in models that were stored before weights of rows could be asked for
	Draw int       // 0: all rows as they are
	W    []float64 // N positive weights; nil: ones
}

func (d *drawnRows) sound(n int) bool {
	return d.Draw >= 0 && (d.W == nil || len(d.W) == n && !slices.ContainsFunc(d.W, func(w float64) bool { return !(w > 0) || w-w != 0 }))
}

// of returns the weights of the n rows in tree t, with random numbers that are then at the seed of the tree; nil means ones.
func (d *drawnRows) of(n, t int) ([]float64, *rand.Rand) {
	rng := rand.New(rand.NewPCG(d.Seed, uint64(t)))
	if d.Draw == 0 {
		return d.W, rng
	}
	sums := make([]float64, n)
	for i := range sums {
		sums[i] = 1
		if d.W != nil {
			sums[i] = d.W[i]
		}
	}
	floats.CumSum(sums, sums)
	return draw(rng, sums, d.W == nil, d.Draw), rng
}

// leaves are the drawn rows of the fit by the leaves of a tree.
type leaves struct {
	rows   []int     // leaf by leaf
	shares []float64 // of the weight of the leaf; they sum to one in each
	of     map[int][2]int
}

// neighbours returns the leaves of all trees. X are the rows of the fit in the caller's matrix.
func (s *state[M]) neighbours(ctx context.Context, op string, X mat.Matrix) ([]leaves, error) {
	if s.Drawn.Seed == 0 {
		return nil, fault.Argument(op, "the forest", "stored by a version that did not keep its draws", "one that knows them",
			"fit it again")
	}
	if err := s.checkFit(op, X); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if s.Kept != nil {
		x = subset(x, s.Kept)
	}
	all, errs := make([]leaves, len(s.Trees)), make([]error, len(s.Trees))
	share.Turns(share.Workers(len(s.Trees), float64(len(s.Trees))*100*float64(s.N)), len(s.Trees), func(_, t int) {
		if ctx.Err() == nil {
			all[t], errs[t] = s.leaves(t, x)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	for t, err := range errs {
		if err != nil {
			return nil, fault.In(op, err)
		}
		if len(all[t].of) != s.Trees[t].Leaves() {
			return nil, fault.Argument(op, "X", "rows that do not reach all leaves", "the rows of the fit", "")
		}
	}
	return all, nil
}

func (s *state[M]) leaves(t int, x *mat.Dense) (leaves, error) {
	at, err := s.Trees[t].Apply(x)
	if err != nil {
		return leaves{}, err
	}
	w, _ := s.Drawn.of(s.N, t)
	l := leaves{rows: make([]int, 0, s.N), of: map[int][2]int{}}
	for i := range at {
		if w == nil || w[i] > 0 {
			l.rows = append(l.rows, i)
		}
	}
	slices.SortStableFunc(l.rows, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	for lo := 0; lo < len(l.rows); {
		hi, total, leaf := lo, 0.0, at[l.rows[lo]]
		for ; hi < len(l.rows) && at[l.rows[hi]] == leaf; hi++ {
			l.shares = append(l.shares, 1)
			if w != nil {
				l.shares[hi] = w[l.rows[hi]]
			}
			total += l.shares[hi]
		}
		floats.Scale(1/total, l.shares[lo:hi])
		l.of[leaf] = [2]int{lo, hi}
		lo = hi
	}
	return l, nil
}

// each calls use with the weights of the rows of the fit, 0 ... N-1, for each row of A: those of positive weight, rising.
func (s *state[M]) each(ctx context.Context, op string, A, X mat.Matrix, use func(a int, rows []int, weights []float64)) error {
	near, err := s.neighbours(ctx, op, X)
	if err != nil {
		return err
	}
	reached := make([][]int, len(s.Trees))
	for t, m := range s.Trees {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		if reached[t], err = m.Apply(A); err != nil {
			return fault.In(op, err)
		}
	}
	sum, rows := make([]float64, s.N), []int(nil)
	n, _ := A.Dims()
	for a := range n {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		rows = rows[:0]
		for t := range near {
			span := near[t].of[reached[t][a]]
			for k := span[0]; k < span[1]; k++ {
				i := near[t].rows[k]
				if sum[i] == 0 {
					rows = append(rows, i)
				}
				sum[i] += near[t].shares[k] / float64(len(near))
			}
		}
		slices.Sort(rows)
		weights := make([]float64, len(rows))
		for k, i := range rows {
			weights[k], sum[i] = sum[i], 0
		}
		use(a, rows, weights)
	}
	return nil
}

// RowWeights returns for each row a of A (m x d) the weight of each row i of X (n x d), those of the fit:
//
//	w_i(a) = 1/T sum_t c_ti [i and a are in the same leaf of tree t] / sum_j c_tj [j and a are in the same leaf of tree t]
//
// with c_ti how often tree t drew row i, or its weight where no rows are drawn. The weights of a sum to one, and the weighted mean of the
// targets is what the forest predicts for a; of indicators of a class, its probability: a forest is a mean over neighbours that the trees
// choose. Source: N. Meinshausen, Quantile regression forests, Journal of Machine Learning Research 7, 2006; there all rows of a leaf count
// alike, drawn or not.
//
// Errors: A or X of another width than d, or with numbers that the forest does not take; other rows than those of the fit; a matrix that
// does not fit into memory; the error of ctx.
func (c *committee[M]) RowWeights(ctx context.Context, A, X mat.Matrix) (*mat.Dense, error) {
	const op = "ensemble.RowWeights"
	if err := estimator.CheckShape(op, A, c.s.D); err != nil {
		return nil, err
	}
	if err := estimator.CheckShape(op, X, c.s.D); err != nil {
		return nil, err
	}
	m, _ := A.Dims()
	n, _ := X.Dims()
	if err := estimator.CheckMemory(op, "the matrix of weights", m, n, "take fewer rows"); err != nil {
		return nil, err
	}
	out := mat.NewDense(m, n, nil)
	err := c.s.each(ctx, op, A, X, func(a int, rows []int, weights []float64) {
		for k, i := range rows {
			if c.s.Kept != nil {
				i = c.s.Kept[i]
			}
			out.Set(a, i, weights[k])
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Quantiles returns for each row of A (m x d) and each share of p the least target that at least this share of the weight of RowWeights
// does not exceed (m x len(p)): a quantile of the target, given the features. X (n x d) and the n targets are those of the fit. Leaves of
// several rows, MinLeaf 5 say, tell more of the spread than leaves of one. Source: Meinshausen 2006.
//
// Errors: those of RowWeights; targets that are not as many; a share that is not above 0 and at most 1, or none.
func (f *Regressor) Quantiles(ctx context.Context, A, X mat.Matrix, target []float64, p ...float64) (*mat.Dense, error) {
	const op = "ensemble.Regressor.Quantiles"
	if err := f.checkTargets(op, X, target); err != nil {
		return nil, err
	}
	if len(p) == 0 {
		return nil, fault.Argument(op, "p", "no shares", "at least one, 0.5 say", "")
	}
	for i, v := range p {
		if !(v > 0 && v <= 1) {
			return nil, fault.Argument(op, fmt.Sprintf("p[%d]", i), v, "a share above 0 and at most 1", "")
		}
	}
	if err := estimator.CheckShape(op, A, f.s.D); err != nil {
		return nil, err
	}
	m, _ := A.Dims()
	out := mat.NewDense(m, len(p), nil)
	err := f.s.each(ctx, op, A, X, func(a int, rows []int, weights []float64) {
		y, order := make([]float64, len(rows)), make([]int, len(rows))
		for k, i := range rows {
			if f.s.Kept != nil {
				i = f.s.Kept[i]
			}
			y[k], order[k] = target[i], k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(y[a], y[b]), a-b) })
		for j, share := range p {
			below := 0.0
			for _, k := range order {
				out.Set(a, j, y[k])
				if below += weights[k]; below >= share-1e-12 { // for sums that round below 1
					break
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
