package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Regressor is a tree whose leaves hold the weighted mean target of the training rows that reach them.
type Regressor struct{ nodes }

// FitRegression grows a regression tree on X (n x d) and targets (n numbers). At each node it takes the test that lowers the squared error
// about the means of the children most; Options.Criterion plays no part. The impurity of a node is its mean squared error. Source: Breiman,
// Friedman, Olshen, Stone, 1984, chapter 8.
func FitRegression(ctx context.Context, X mat.Matrix, target []float64, opts Options) (*Regressor, error) {
	const name = "tree.FitRegression"
	opts = opts.filled()
	if err := opts.CheckX(name, X); err != nil {
		return nil, err
	}
	t, err := estimator.CheckedTargeted(ctx, name, X, target, opts.Weights)
	if err != nil {
		return nil, err
	}
	if err := opts.Check(name, t.D); err != nil {
		return nil, err
	}
	if opts.ClassWeights != nil || opts.Balanced {
		return nil, fault.Argument(name, "ClassWeights", "set, or Balanced", "left out: a regression has no classes", "set Weights")
	}
	if err := checkSpread(name, target); err != nil {
		return nil, err
	}
	grow := growSquares[int32]
	if t.N <= narrow {
		grow = growSquares[uint16]
	}
	list, err := grow(ctx, name, t, opts)
	if err != nil {
		return nil, err
	}
	return &Regressor{opts.newNodes(X, list)}, nil
}

// checkSpread reports targets whose squared errors float64 cannot hold.
func checkSpread(op string, target []float64) error {
	if spread := floats.Max(target) - floats.Min(target); spread > 1e150 || spread > 0 && spread < 1e-150 {
		return fault.Argument(op, "target", fmt.Sprintf("spread over %.3g", spread),
			"spread over 1e-150 to 1e150, for squares of errors to be numbers", "divide the targets by a number")
	}
	return nil
}

// growSquares grows the nodes of a regression tree.
func growSquares[R row](ctx context.Context, name string, t *estimator.Targeted, opts Options) (pages, error) {
	s, err := presort[R](ctx, opts.columns(t.Rows))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return grow(ctx, name, s, &squares[R]{t: t.Y, w: t.W}, opts)
}

// spine gives the tree the methods that all regressions have.
func (t *Regressor) spine() estimator.Regression[*Regressor] {
	return estimator.Regression[*Regressor]{
		Model: t, Kind: "tree.Regressor", D: t.d, Values: (*Regressor).means, Gaps: t.special.Gaps,
	}
}

// means writes the mean target of the leaf of each row.
func (t *Regressor) means(y, x []float64) {
	leaves := make([]int, len(y))
	t.leaves(leaves, x)
	for i, leaf := range leaves {
		y[i] = t.list.at(leaf).Value[0]
	}
}

// Apply returns for each row of X (n x d) the number of the leaf it reaches.
func (t *Regressor) Apply(X mat.Matrix) ([]int, error) { return t.apply("tree.Regressor.Apply", X) }

// Rules prints the tree, one line a node; features may name the columns.
func (t *Regressor) Rules(features ...string) string {
	return t.rules(func(n Node) string { return fmt.Sprintf("%.6g (%d rows)", n.Value[0], n.Rows) }, features)
}

// String returns a line such as "regression tree: 3 leaves, depth 2, mean squared error 229.3".
func (t *Regressor) String() string {
	return fmt.Sprintf("regression tree: %d leaves, depth %d, mean squared error %.4g", t.Leaves(), t.Depth(), t.Impurity())
}

type regressorState struct {
	D       int
	Nodes   []nodeState
	Names   estimator.Names
	Special special
}

// MarshalBinary encodes the tree.
func (t *Regressor) MarshalBinary() ([]byte, error) {
	return estimator.Encode("tree.Regressor", 1, regressorState{t.d, states(t.list), t.Names, t.sides()})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (t *Regressor) UnmarshalBinary(data []byte) error {
	var s regressorState
	if err := estimator.Decode(data, "tree.Regressor", 1, &s); err != nil {
		return err
	}
	nodes, ok := fromStates(s.D, 1, s.Nodes, s.Special)
	if !ok {
		return fmt.Errorf("tree.Regressor: decode: the nodes do not form a tree")
	}
	*t = Regressor{nodes: nodes}
	t.Remember(s.Names)
	return nil
}

// squares is the task of regression.
type squares[R row] struct{ t, w []float64 }

func (t *squares[R]) weight(r R) float64 {
	if t.w == nil {
		return 1
	}
	return t.w[r]
}

func (t *squares[R]) values() int { return 1 }

func (t *squares[R]) node(rows []R, value []float64) (weight, impurity float64) {
	pilot, total, mean := t.t[rows[0]], 0.0, 0.0
	for _, r := range rows {
		w := t.weight(r)
		total += w
		mean += w * (t.t[r] - pilot)
	}
	mean = pilot + mean/total
	sse, equal := 0.0, true
	for _, r := range rows {
		sse += t.weight(r) * (t.t[r] - mean) * (t.t[r] - mean)
		equal = equal && t.t[r] == pilot
	}
	if equal {
		value[0] = pilot
		return total, 0
	}
	value[0] = mean
	return total, sse / total
}

// scan maximises s_L^2 / W_L + s_R^2 / W_R, where s sums the targets about the node's mean; the cost of the children is the node's cost
// less that.
func (t *squares[R]) scan(rows []R, column feature, n Node, least int, margin float64) cut {
	mean, s, l := n.Value[0], 0.0, 0.0
	best, at := math.Inf(-1), -1
	for i, r := range rows[:len(rows)-least] {
		w := t.weight(r)
		l += w
		s += w * (t.t[r] - mean)
		if i < least-1 {
			continue
		}
		if gain := s * s * (1/l + 1/(n.Weight-l)); gain > best && column.at(int(r)) < column.at(int(rows[i+1])) {
			best, at = gain+margin, i
		}
	}
	return cut{at: at, cost: n.Weight*n.Impurity - best + margin}
}
