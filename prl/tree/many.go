package tree

import (
	"context"
	"fmt"

	"github.com/prlab/prlab/prl/estimator"
)

// A Grower grows a tree on the rows that it was made for, whose weights take the place of those of the options; rows of weight 0 are left
// out, and nil means ones. The seed is that of the draws. Several goroutines may call it at the same time.
type Grower[M any] func(ctx context.Context, weights []float64, seed uint64) (M, error)

// Many returns what grows one classification tree after another on rows that are checked and sorted once: Options.CheckX has passed them.
// Its trees know all K classes, though some may have no row of positive weight. It is made for committees of trees on drawn rows.
func Many(ctx context.Context, op string, l *estimator.Labelled, o Options) (Grower[*Classifier], error) {
	if o = o.filled(); max(l.N, l.K) <= narrow {
		return manyClasses[uint16](ctx, op, l, o)
	}
	return manyClasses[int32](ctx, op, l, o)
}

func manyClasses[R row](ctx context.Context, op string, l *estimator.Labelled, o Options) (Grower[*Classifier], error) {
	labels := make([]R, l.N)
	for i, c := range l.Y {
		labels[i] = R(c)
	}
	return repeat(ctx, op, l.Rows, o, func(w []float64) task[R] { return newClasses(labels, w, l.K, o.Criterion) },
		func(n nodes) *Classifier { return &Classifier{nodes: n, classes: l.K, criterion: o.Criterion} })
}

// ManyRegressions is Many for regression trees.
func ManyRegressions(ctx context.Context, op string, t *estimator.Targeted, o Options) (Grower[*Regressor], error) {
	if o = o.filled(); t.N <= narrow {
		return manySquares[uint16](ctx, op, t, o)
	}
	return manySquares[int32](ctx, op, t, o)
}

func manySquares[R row](ctx context.Context, op string, t *estimator.Targeted, o Options) (Grower[*Regressor], error) {
	if err := checkSpread(op, t.Y); err != nil {
		return nil, err
	}
	return repeat(ctx, op, t.Rows, o, func(w []float64) task[R] { return &squares[R]{t: t.Y, w: w} },
		func(n nodes) *Regressor { return &Regressor{n} })
}

func repeat[R row, M any](
	ctx context.Context, op string, rows *estimator.Rows, o Options, of func(w []float64) task[R], tree func(nodes) M,
) (Grower[M], error) {
	if err := o.Check(op, rows.D); err != nil {
		return nil, err
	}
	all, err := presort[R](ctx, o.columns(rows))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	frame := o.newNodes(rows.X, pages{})
	return func(ctx context.Context, weights []float64, seed uint64) (M, error) {
		opts := o
		opts.Seed = seed
		list, err := grow(ctx, op, all.drawn(weights), of(weights), opts)
		if err != nil {
			var none M
			return none, err
		}
		n := newNodes(rows.D, list)
		n.special = frame.special
		return tree(n), nil
	}, nil
}

// drawn returns lists of the rows of positive weight, which a tree may put into another order.
func (s *sorted[R]) drawn(weights []float64) *sorted[R] {
	part := &sorted[R]{n: s.n, d: s.d, values: s.values, order: make([][]R, s.d), spare: make([][]R, s.d)}
	rows := make([]R, 0, s.n*s.d)
	for j, order := range s.order {
		from := len(rows)
		if weights == nil {
			rows = append(rows, order...)
		} else {
			for _, r := range order {
				if weights[r] > 0 {
					rows = append(rows, r)
				}
			}
		}
		part.order[j] = rows[from:len(rows):len(rows)]
	}
	part.grown = len(rows) / s.d
	return part
}
