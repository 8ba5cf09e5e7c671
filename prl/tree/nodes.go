package tree

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Node is one node of a tree. Nodes stand in preorder: the root is number 0, the left child of node i is i+1.
type Node struct {
	Feature   int       // the feature tested, or -1 in a leaf
	Threshold float64   // rows with x[Feature] <= Threshold go left; math.MaxFloat64 sends all rows that have a value there
	Words     []int     // of a feature of words, in the place of Threshold: those that go left, rising; nil for a feature of numbers
	GapsLeft  bool      // rows without a value of the feature, or with a word that the fit has not seen, go left
	Left      int       // number of the left child, 0 in a leaf
	Right     int       // number of the right child, 0 in a leaf
	Depth     int       // 0 at the root
	Rows      int       // training rows that reach the node
	Weight    float64   // their weight; weights beyond 1e-100 ... 1e100 count in a power of two near the largest
	Impurity  float64   // i(t), or the mean squared error in a regression tree
	Value     []float64 // the weight of each class, not its share; in a regression tree the mean target alone
}

// Leaf reports whether n tests nothing.
func (n Node) Leaf() bool { return n.Feature < 0 }

// nodes is what classification and regression trees have in common.
type nodes struct {
	estimator.Names
	d    int
	list pages
	walk []step

	special special
}

// step is a node as the walk down the tree needs it, 16 bytes. A leaf leads to itself: every number is above its threshold.
type step struct {
	threshold uint64 // rank of the threshold
	feature   int32
	jump      int32 // from the left child to the right one
}

// next returns the number of the node after node i for a row with the given value of the feature. The borrow of a subtraction does the work
// of a branch, which the processor would guess wrong every other time.
func (s *step) next(i int, value float64) int {
	_, above := bits.Sub64(s.threshold, rank(value), 0)
	return i + 1 + int(s.jump)&-int(above)
}

// rank maps numbers to whole numbers above zero in the same order; that of -0 is one less than that of 0.
func rank(v float64) uint64 {
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func newNodes(d int, list pages) nodes {
	t := nodes{d: d, list: list, walk: make([]step, list.len())}
	for i, n := range list.all() {
		t.walk[i] = step{rank(n.Threshold + 0), int32(n.Feature), int32(n.Right - n.Left)} // + 0 makes a 0 of -0
		if n.Leaf() {
			t.walk[i] = step{0, 0, -1}
		}
	}
	return t
}

// newNodes is that of a tree grown with these options.
func (o Options) newNodes(X mat.Matrix, list pages) nodes {
	_, d := X.Dims()
	t := newNodes(d, list)
	t.special = special{Gaps: o.Gaps, Seen: o.Gaps && gaps(X), Words: slices.Clone(o.Words)}
	return t
}

// nodeState is a node in storage, but for what special.Sides holds.
type nodeState struct {
	Feature   int
	Threshold float64
	Left      int
	Right     int
	Depth     int
	Rows      int
	Weight    float64
	Impurity  float64
	Value     []float64
}

func states(list pages) []nodeState {
	out := make([]nodeState, 0, list.len())
	for _, n := range list.all() {
		out = append(out, nodeState{n.Feature, n.Threshold, n.Left, n.Right, n.Depth, n.Rows, n.Weight, n.Impurity, n.Value})
	}
	return out
}

// fromStates returns the nodes that were stored, and whether they form a tree.
func fromStates(d, values int, stored []nodeState, s special) (nodes, bool) {
	list := make([]Node, len(stored))
	for i, n := range stored {
		list[i] = Node{
			Feature: n.Feature, Threshold: n.Threshold, Left: n.Left, Right: n.Right, Depth: n.Depth, Rows: n.Rows, Weight: n.Weight,
			Impurity: n.Impurity, Value: n.Value,
		}
	}
	if !valid(d, values, list) {
		return nodes{}, false
	}
	known, ok := s.restore(d, list)
	if !ok {
		return nodes{}, false
	}
	t := newNodes(d, paged(list))
	t.special = known
	return t, true
}

// valid reports whether decoded nodes form a tree in preorder with the given length of Value, every number of which can be used.
func valid(d, values int, list []Node) bool {
	if d < 1 || d > math.MaxInt32 || len(list) == 0 {
		return false
	}
	// open holds the depth of each node that must still come: a left child comes next, its sibling after the left subtree.
	type place struct{ depth, parent int }
	open := []place{{0, -1}}
	for i, n := range list {
		if len(open) == 0 {
			return false
		}
		at := open[len(open)-1]
		open = open[:len(open)-1]
		if n.Depth != at.depth || n.Feature < -1 || n.Feature >= d || n.Rows < 1 || !positive(n.Weight) || !(n.Impurity >= 0) ||
			!finite(n.Impurity, n.Threshold) ||
			len(n.Value) != values ||
			!finite(n.Value...) {
			return false
		}
		if at.parent >= 0 && list[at.parent].Right != i && list[at.parent].Left != i {
			return false
		}
		if n.Leaf() {
			if n.Left != 0 || n.Right != 0 {
				return false
			}
			continue
		}
		if n.Left != i+1 || n.Right <= n.Left {
			return false
		}
		open = append(open, place{at.depth + 1, i}, place{at.depth + 1, i})
	}
	return len(open) == 0
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

func finite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 { // true for NaN and both infinities
			return false
		}
	}
	return true
}

func (t *nodes) leaf(x []float64) int {
	i := 0
	if !t.special.plain(x) {
		for n := t.list.at(0); !n.Leaf(); n = t.list.at(i) {
			if i = n.Right; t.goesLeft(n, x) {
				i = n.Left
			}
		}
		return i
	}
	for t.walk[i].jump > 0 {
		s := &t.walk[i]
		i = s.next(i, x[s.feature])
	}
	return i
}

// leaves writes to out the leaf that each row of x reaches. Four rows go down side by side, so that none waits for the memory of another.
func (t *nodes) leaves(out []int, x []float64) {
	d, walk := t.d, t.walk
	for plain := t.special.plain(x); plain && len(out) >= 4; {
		a, b, c, e := 0, 0, 0, 0
		for {
			s := &walk[a]
			a1 := s.next(a, x[s.feature])
			s = &walk[b]
			b1 := s.next(b, x[d+int(s.feature)])
			s = &walk[c]
			c1 := s.next(c, x[2*d+int(s.feature)])
			s = &walk[e]
			e1 := s.next(e, x[3*d+int(s.feature)])
			moved := (a ^ a1) | (b ^ b1) | (c ^ c1) | (e ^ e1)
			a, b, c, e = a1, b1, c1, e1
			if moved == 0 {
				break
			}
		}
		out[0], out[1], out[2], out[3] = a, b, c, e
		out, x = out[4:], x[4*d:]
	}
	for i := range out {
		out[i] = t.leaf(x[i*d : (i+1)*d])
	}
}

// Dim returns d, the number of features.
func (t *nodes) Dim() int { return t.d }

// Nodes returns all nodes in preorder.
func (t *nodes) Nodes() []Node {
	list := t.list.flat()
	for i := range list {
		list[i].Value, list[i].Words = slices.Clone(list[i].Value), slices.Clone(list[i].Words)
	}
	return list
}

// Leaves returns the number of leaves.
func (t *nodes) Leaves() int { return (t.list.len() + 1) / 2 }

// Depth returns the length of the longest path from the root to a leaf.
func (t *nodes) Depth() int {
	d := 0
	for _, n := range t.list.all() {
		d = max(d, n.Depth)
	}
	return d
}

// Impurity returns I(T) = sum over the leaves of p(t) i(t), where p(t) is the share of the weight that reaches leaf t.
func (t *nodes) Impurity() float64 {
	if t.list.len() == 0 {
		return 0
	}
	s := 0.0
	for _, n := range t.list.all() {
		if n.Leaf() {
			s += n.Weight / t.list.at(0).Weight * n.Impurity
		}
	}
	return s
}

// Importances returns for each feature the sum of p(t) Delta i(t) over the nodes that test it, divided by the sum over all features. All
// are zero for a tree of one leaf. Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 5.3.4.
func (t *nodes) Importances() []float64 {
	v := make([]float64, t.d)
	for _, n := range t.list.all() {
		if !n.Leaf() {
			l, r := t.list.at(n.Left), t.list.at(n.Right)
			v[n.Feature] += n.Weight*n.Impurity - l.Weight*l.Impurity - r.Weight*r.Impurity
		}
	}
	if s := sum(v); s > 0 {
		for j := range v {
			v[j] = max(v[j], 0) / s
		}
	}
	return v
}

// block is the number of rows that are checked and then sent down the tree while they are near.
const block = 128

// apply returns for each row of X (n x d) the number of the leaf it reaches.
func (t *nodes) apply(function string, X mat.Matrix) ([]int, error) {
	if err := estimator.CheckShape(function, X, t.d); err != nil {
		return nil, err
	}
	check := estimator.CheckRows
	if t.special.Gaps {
		check = estimator.CheckGaps
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	out := make([]int, n)
	for i := 0; i < n; i += block {
		end := min(i+block, n)
		if err := check(function, x, i, end); err != nil {
			return nil, err
		}
		t.leaves(out[i:end], x.RawMatrix().Data[i*t.d:end*t.d])
	}
	return out, nil
}

// Path returns the numbers of the nodes that the row x of d numbers visits, from the root to its leaf.
func (t *nodes) Path(x []float64) ([]int, error) {
	if err := t.checkRow("tree.Path", x, t.special.Gaps); err != nil {
		return nil, err
	}
	path := []int{0}
	for i := 0; !t.list.at(i).Leaf(); path = append(path, i) {
		if n := t.list.at(i); t.goesLeft(n, x) {
			i = n.Left
		} else {
			i = n.Right
		}
	}
	return path, nil
}

// Flow returns the share in which the row x of d numbers reaches each leaf, indexed by node (0 for inner nodes); the shares sum to one. A
// value that is NaN is missing: a test on it sends the row both ways, in proportion to the training weight of the children, also in a tree
// that has learned to which side gaps go. Source: Quinlan, C4.5, 1993, section 3.2.
func (t *nodes) Flow(x []float64) ([]float64, error) {
	if err := t.checkRow("tree.Flow", x, true); err != nil {
		return nil, err
	}
	share := make([]float64, t.list.len())
	share[0] = 1
	for i, n := range t.list.all() {
		if n.Leaf() || share[i] == 0 {
			continue
		}
		s := share[i]
		share[i] = 0
		switch v := x[n.Feature]; {
		case math.IsNaN(v):
			p := t.list.at(n.Left).Weight / n.Weight
			share[n.Left], share[n.Right] = p*s, (1-p)*s
		case t.goesLeft(&n, x):
			share[n.Left] = s
		default:
			share[n.Right] = s
		}
	}
	return share, nil
}

func (t *nodes) checkRow(name string, x []float64, missing bool) error {
	if len(x) != t.d || t.d == 0 {
		return fault.Argument(name, "x", fmt.Sprintf("%d numbers", len(x)), fmt.Sprintf("%d numbers like the data of the fit", t.d), "")
	}
	for j, v := range x {
		if math.IsInf(v, 0) || (math.IsNaN(v) && !missing) {
			return fault.Argument(name, fmt.Sprintf("x[%d]", j), v, "a finite number", "")
		}
	}
	return nil
}

// Box returns the box of node i: lo[j] < x_j <= hi[j] for each feature, with infinities where nothing bounds it, as in features of words.
// The boxes of the leaves part the space where all features are numbers.
func (t *nodes) Box(i int) (lo, hi []float64, err error) {
	if i < 0 || i >= t.list.len() {
		return nil, nil, fault.Argument("tree.Box", "i", i, fmt.Sprintf("a node 0 ... %d", t.list.len()-1), "")
	}
	lo, hi = make([]float64, t.d), make([]float64, t.d)
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
	}
	for at := 0; at != i; {
		n := t.list.at(at)
		left := i < n.Right
		switch {
		case n.Words != nil:
		case left:
			hi[n.Feature] = min(hi[n.Feature], n.Threshold)
		default:
			lo[n.Feature] = max(lo[n.Feature], n.Threshold)
		}
		if at = n.Right; left {
			at = n.Left
		}
	}
	return lo, hi, nil
}

// rules prints the tree, one line a node, with the text that label gives a node.
func (t *nodes) rules(label func(Node) string, features []string) string {
	var b strings.Builder
	var write func(i int, test string)
	write = func(i int, test string) {
		n := t.list.at(i)
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", n.Depth), test)
		if n.Leaf() {
			b.WriteString(" " + label(*n) + "\n")
			return
		}
		b.WriteString("\n")
		name := fmt.Sprintf("x[%d]", n.Feature)
		if n.Feature < len(features) {
			name = features[n.Feature]
		}
		write(n.Left, t.asked(*n, name, true, "<=", "%.6g")+":")
		write(n.Right, t.asked(*n, name, false, ">", "%.6g")+":")
	}
	write(0, "root:")
	return b.String()
}

// test says what a node asks of a row.
func (t *nodes) test(n Node) string {
	if n.Leaf() {
		return "leaf"
	}
	return t.asked(n, t.FeatureName(n.Feature), true, "≤", "%.4g")
}

// part returns the tree in which the nodes marked in leaf have become leaves.
func (t *nodes) part(leaf []bool) nodes {
	part := newNodes(t.d, t.cut(leaf))
	part.Names, part.special = t.Names, t.special
	return part
}

// cut returns the nodes of the tree in which the nodes marked in leaf have become leaves, in preorder again.
func (t *nodes) cut(leaf []bool) pages {
	var out pages
	var copyNode func(i int) int
	copyNode = func(i int) int {
		n, at := *t.list.at(i), out.len()
		out = out.append(n)
		copied := out.at(at)
		if n.Leaf() || leaf[i] {
			copied.Feature, copied.Threshold, copied.Left, copied.Right = -1, 0, 0, 0
			copied.Words, copied.GapsLeft = nil, false
			return at
		}
		copied.Left, copied.Right = copyNode(n.Left), copyNode(n.Right)
		return at
	}
	copyNode(0)
	return out
}
