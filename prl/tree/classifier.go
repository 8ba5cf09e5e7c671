package tree

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Classifier is a tree whose leaves hold the class shares of the training rows that reach them. It predicts the class of the largest
// weight in the leaf.
type Classifier struct {
	nodes
	classes   int
	criterion Criterion
}

type classifierState struct {
	D, K      int
	Criterion Criterion
	Nodes     []nodeState
	Names     estimator.Names
	Special   special
}

// Fit grows a classification tree on X (n x d) with labels y of K classes. At each node it takes the test x_j <= threshold that lowers the
// impurity most,
//
//	Delta i = i(t) - p_L i(t_L) - p_R i(t_R),
//
// and goes on until the leaves are pure or a limit of opts is met. Of equal tests (within 1e-12) the first feature wins, then the lowest
// threshold. With Options.Gaps the rows with a gap in x_j are tried on either side of every threshold, and the test may be whether x_j is
// known; with Options.Words a test on words is whether x_j is one of a set, the best one for two classes. What the rows of the fit leave
// open, a gap where there was none or a word they do not have, goes with the larger side. Source: Breiman, Friedman, Olshen, Stone,
// Classification and Regression Trees, 1984, chapter 2; of gaps on the side where they do best, Chen and Guestrin, XGBoost, 2016.
func Fit(ctx context.Context, X mat.Matrix, y []int, opts Options) (*Classifier, error) {
	const name = "tree.Fit"
	if err := opts.CheckX(name, X); err != nil {
		return nil, err
	}
	l, err := estimator.CheckedLabelled(ctx, name, X, y, opts.weighting())
	if err != nil {
		return nil, err
	}
	return growOn(ctx, name, X, l, opts)
}

// Grow is Fit for K = classes classes of which some may be without rows, or have rows of weight zero only, as when rows were drawn at
// random: y holds labels 0 ... K-1.
func Grow(ctx context.Context, X mat.Matrix, y []int, classes int, opts Options) (*Classifier, error) {
	const name = "tree.Grow"
	if err := opts.CheckX(name, X); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(name, "classes", classes, 2, math.MaxInt); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if len(y) != n {
		return nil, fault.Argument(name, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows of X", n), "")
	}
	for i, c := range y {
		if c < 0 || c >= classes {
			return nil, fault.Argument(name, fmt.Sprintf("y[%d]", i), c, fmt.Sprintf("a class 0 ... %d", classes-1), "")
		}
	}
	l, err := estimator.LabelledOf(ctx, name, X, y, classes, opts.weighting())
	if err != nil {
		return nil, err
	}
	return growOn(ctx, name, X, l, opts)
}

// growOn grows a tree on data that were checked.
func growOn(ctx context.Context, name string, X mat.Matrix, l *estimator.Labelled, opts Options) (*Classifier, error) {
	opts = opts.filled()
	if err := opts.Check(name, l.D); err != nil {
		return nil, err
	}
	grow := growClasses[int32]
	if max(l.N, l.K) <= narrow {
		grow = growClasses[uint16]
	}
	list, err := grow(ctx, name, l, opts)
	if err != nil {
		return nil, err
	}
	return &Classifier{nodes: opts.newNodes(X, list), classes: l.K, criterion: opts.Criterion}, nil
}

// growClasses grows the nodes of a classification tree.
func growClasses[R row](ctx context.Context, name string, l *estimator.Labelled, opts Options) (pages, error) {
	labels := make([]R, l.N)
	for i, c := range l.Y {
		labels[i] = R(c)
	}
	s, err := presort[R](ctx, opts.columns(l.Rows))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return grow(ctx, name, s, newClasses(labels, l.W, l.K, opts.Criterion), opts)
}

// weighting is what the options say about the weights of rows.
func (o Options) weighting() estimator.Weighting {
	return estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced}
}

// columns returns the rows of a fit as presort takes them.
func (o Options) columns(r *estimator.Rows) *mat.Dense {
	if o.Gaps {
		return canonical(r.Dense())
	}
	return r.Dense()
}

// spine gives the tree the methods that all classifiers have.
func (t *Classifier) spine() estimator.Classification[*Classifier] {
	return estimator.Classification[*Classifier]{
		Model: t, Kind: "tree.Classifier", D: t.d, K: t.classes, Gaps: t.special.Gaps,
		Scores: (*Classifier).shares, Labels: (*Classifier).labels,
	}
}

// labels writes the class of each row: the one of the largest weight in its leaf, of equal ones the first.
func (t *Classifier) labels(y []int, x []float64) {
	t.leaves(y, x)
	for i, leaf := range y {
		y[i] = estimator.Argmax(t.list.at(leaf).Value)
	}
}

// shares writes the shares of the classes in the leaf of each row.
func (t *Classifier) shares(p, x []float64) {
	leaves := make([]int, len(x)/t.d)
	t.leaves(leaves, x)
	for i, leaf := range leaves {
		n := t.list.at(leaf)
		for c, v := range n.Value {
			p[i*t.classes+c] = v / n.Weight
		}
	}
}

// Criterion returns the criterion the tree was grown with.
func (t *Classifier) Criterion() Criterion { return t.criterion }

// Apply returns for each row of X (n x d) the number of the leaf it reaches.
func (t *Classifier) Apply(X mat.Matrix) ([]int, error) { return t.apply("tree.Classifier.Apply", X) }

// ProbaMissing returns the K class probabilities of the row x, in which NaN marks a missing value: the shares of the leaves, weighed with
// Flow.
func (t *Classifier) ProbaMissing(x []float64) ([]float64, error) {
	flow, err := t.Flow(x)
	if err != nil {
		return nil, err
	}
	p := make([]float64, t.classes)
	for i, f := range flow {
		if f > 0 {
			n := t.list.at(i)
			for c, v := range n.Value {
				p[c] += f * v / n.Weight
			}
		}
	}
	return p, nil
}

// Rules prints the tree, one line a node; features may name the columns.
func (t *Classifier) Rules(features ...string) string {
	return t.rules(func(n Node) string { return fmt.Sprintf("class %d %.6g", estimator.Argmax(n.Value), n.Value) }, features)
}

// String returns a line such as "classification tree: 3 leaves, depth 2, gini 0.1".
func (t *Classifier) String() string {
	return fmt.Sprintf("classification tree: %d leaves, depth %d, %s %.4g", t.Leaves(), t.Depth(), t.criterion, t.Impurity())
}

// MarshalBinary encodes the tree.
func (t *Classifier) MarshalBinary() ([]byte, error) {
	return estimator.Encode("tree.Classifier", 1, classifierState{t.d, t.classes, t.criterion, states(t.list), t.Names, t.sides()})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (t *Classifier) UnmarshalBinary(data []byte) error {
	var s classifierState
	if err := estimator.Decode(data, "tree.Classifier", 1, &s); err != nil {
		return err
	}
	nodes, ok := fromStates(s.D, s.K, s.Nodes, s.Special)
	if !ok || s.K < 2 || s.Criterion < Gini || s.Criterion > Error {
		return fmt.Errorf("tree.Classifier: decode: the nodes do not form a tree")
	}
	for _, n := range s.Nodes {
		if slices.Min(n.Value) < 0 || !finite(sum(n.Value)) {
			return fmt.Errorf("tree.Classifier: decode: a node has a negative weight, or one that is too large")
		}
	}
	*t = Classifier{nodes: nodes, classes: s.K, criterion: s.Criterion}
	t.Remember(s.Names)
	return nil
}

// classes is the task of classification.
type classes[R row] struct {
	y         []R
	w         []float64 // nil: ones
	k         int
	criterion Criterion
	logs      []float64 // logs[i] = i log2 i, for unit weights
}

func newClasses[R row](y []R, w []float64, k int, criterion Criterion) *classes[R] {
	t := &classes[R]{y: y, w: w, k: k, criterion: criterion}
	if w == nil && criterion == Entropy {
		t.logs = make([]float64, len(y)+1)
		for i := range t.logs {
			t.logs[i] = xlogx(float64(i))
		}
	}
	return t
}

func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log2(x)
}

func (t *classes[R]) weight(r R) float64 {
	if t.w == nil {
		return 1
	}
	return t.w[r]
}

func (t *classes[R]) values() int { return t.k }

func (t *classes[R]) node(rows []R, v []float64) (weight, impurity float64) {
	pure := true
	for _, r := range rows {
		v[t.y[r]] += t.weight(r)
		pure = pure && t.y[r] == t.y[rows[0]]
	}
	if pure {
		return sum(v), 0
	}
	return sum(v), t.criterion.Impurity(v...)
}

func (t *classes[R]) scan(rows []R, column feature, n Node, least int, margin float64) cut {
	switch {
	case t.k == 2 && t.criterion == Gini:
		return t.scanPair(rows, column, n, least, margin)
	case t.logs != nil:
		return t.scanCounts(rows, column, n, least, margin)
	}
	return t.scanWeights(rows, column, n, least, margin)
}

// scanPair minimises the Gini cost of two classes, 2 l0 l1 / (l0 + l1) + 2 r0 r1 / (r0 + r1).
func (t *classes[R]) scanPair(rows []R, column feature, n Node, least int, margin float64) cut {
	t0, t1 := n.Value[0], n.Value[1]
	l0, l1 := 0.0, 0.0
	if t.w == nil { // counts of rows are exact, from whichever side
		if k := onlyCut(rows, column); k > 0 {
			if k < least || len(rows)-k < least {
				return cut{at: -1}
			}
			if 2*k < len(rows) {
				l1 = t.ones(rows[:k])
			} else {
				l1 = t1 - t.ones(rows[k:])
			}
			l, q := float64(k), float64(len(rows)-k)
			l0 = l - l1
			return cut{at: k - 1, cost: 2*((l0*l1*q+(t0-l0)*(t1-l1)*l)/(l*q)-margin/2) + margin}
		}
	}
	for _, r := range rows[:least-1] {
		w := t.weight(r)
		one := w * float64(t.y[r]) // w or 0, without a branch
		l0 += w - one
		l1 += one
	}
	best, at := math.Inf(1), -1
	for i, r := range rows[least-1 : len(rows)-least] {
		w := t.weight(r)
		one := w * float64(t.y[r])
		l0 += w - one
		l1 += one
		r0, r1 := t0-l0, t1-l1
		l, q := l0+l1, r0+r1
		if cost := (l0*l1*q + r0*r1*l) / (l * q); cost < best {
			if k := i + least; column.at(int(r)) < column.at(int(rows[k])) {
				best, at = cost-margin/2, k-1
			}
		}
	}
	return cut{at: at, cost: 2*best + margin}
}

// ones returns how many of the rows are of class 1 of two.
func (t *classes[R]) ones(rows []R) float64 {
	n := 0
	for _, r := range rows {
		n += int(t.y[r])
	}
	return float64(n)
}

// onlyCut returns the number of rows with the lower value of a column that has two values in these rows, in rising order, and 0 for other
// columns.
func onlyCut[R row](rows []R, column feature) int {
	low, middle, high := column.at(int(rows[0])), column.at(int(rows[len(rows)/2])), column.at(int(rows[len(rows)-1]))
	if middle != low && middle != high || !(low < high) {
		return 0
	}
	k := sort.Search(len(rows), func(i int) bool { return column.at(int(rows[i])) > low })
	if column.at(int(rows[k])) != high {
		return 0
	}
	return k
}

// scanCounts minimises the entropy cost sum_children (N log N - sum_c N_c log N_c) of unit weights with a table of x log x.
func (t *classes[R]) scanCounts(rows []R, column feature, n Node, least int, margin float64) cut {
	var few [2 * 16]int32 // most often there is no need to allocate
	counts := few[:]
	if 2*t.k > len(few) {
		counts = make([]int32, 2*t.k)
	}
	left, right := counts[:t.k], counts[t.k:2*t.k]
	inner := 0.0 // sum over both children and all classes of N_c log N_c
	for c, v := range n.Value {
		right[c] = int32(v)
		inner += t.logs[right[c]]
	}
	best, at, m := math.Inf(1), -1, len(rows)
	for i, r := range rows[:m-least] {
		c := t.y[r]
		l, q := left[c], right[c]
		inner += t.logs[l+1] - t.logs[l] + t.logs[q-1] - t.logs[q]
		left[c], right[c] = l+1, q-1
		if i < least-1 {
			continue
		}
		if cost := t.logs[i+1] + t.logs[m-i-1] - inner; cost < best && column.at(int(r)) < column.at(int(rows[i+1])) {
			best, at = cost-margin, i
		}
	}
	return cut{at: at, cost: best + margin}
}

// scanWeights serves every criterion, any number of classes and any weights.
func (t *classes[R]) scanWeights(rows []R, column feature, n Node, least int, margin float64) cut {
	var few [2 * 16]float64 // as in scanCounts
	weights := few[:]
	if 2*t.k > len(few) {
		weights = make([]float64, 2*t.k)
	}
	left, right := weights[:t.k], weights[t.k:2*t.k]
	copy(right, n.Value)
	var l, ql, qr, inner float64 // ql, qr: sums of squares (Gini); inner: as in scanCounts (entropy)
	for _, v := range right {
		qr += v * v
		if t.criterion == Entropy {
			inner += xlogx(v)
		}
	}
	best, at := math.Inf(1), -1
	for i, r := range rows[:len(rows)-least] {
		c, w := t.y[r], t.weight(r)
		a, b := left[c], right[c]
		rest := max(b-w, 0)
		switch t.criterion {
		case Gini:
			ql += w * (2*a + w)
			qr -= w * (2*b - w)
		case Entropy:
			inner += xlogx(a+w) - xlogx(a) + xlogx(rest) - xlogx(b)
		}
		left[c], right[c] = a+w, rest
		l += w
		if i < least-1 || !(column.at(int(r)) < column.at(int(rows[i+1]))) {
			continue
		}
		q, cost := n.Weight-l, 0.0
		switch t.criterion {
		case Gini:
			cost = n.Weight - ql/l - qr/q
		case Entropy:
			cost = xlogx(l) + xlogx(q) - inner
		case Error:
			var tl, tr float64
			for j, v := range left {
				tl, tr = max(tl, v), max(tr, right[j])
			}
			cost = n.Weight - tl - tr
		}
		if cost < best {
			best, at = cost-margin, i
		}
	}
	return cut{at: at, cost: best + margin}
}
