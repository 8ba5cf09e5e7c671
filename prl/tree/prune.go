package tree

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A PruneStep is one tree of the nested sequence of cost-complexity pruning: the smallest tree that minimises R(T) + alpha |leaves| for all
// penalties from Alpha up to that of the next step.
type PruneStep struct {
	Alpha  float64
	Risk   float64 // R(T), per unit of training weight
	Leaves int
}

// weakest cuts again and again the node of least g(t) = (R(t) - R(T_t)) / (leaves(T_t) - 1) while it is at most limit. risk holds R(t) of
// each node. It reports each step and returns which nodes have become leaves. Source: Breiman, Friedman, Olshen, Stone, 1984, section 3.3.
func (t *nodes) weakest(risk []float64, limit float64, report func(PruneStep)) []bool {
	if t.list.len() == 0 {
		return nil
	}
	n := t.list.len()
	leaf := make([]bool, n)
	for i, v := range t.list.all() {
		leaf[i] = v.Leaf()
	}
	below, leaves := make([]float64, n), make([]int, n)
	update := func() {
		for i := n - 1; i >= 0; i-- { // children stand behind their parent
			if leaf[i] {
				below[i], leaves[i] = risk[i], 1
				continue
			}
			l, r := t.list.at(i).Left, t.list.at(i).Right
			below[i], leaves[i] = below[l]+below[r], leaves[l]+leaves[r]
		}
	}
	weakestLink := func() float64 {
		g := math.Inf(1)
		t.reach(leaf, func(i int) {
			if !leaf[i] {
				g = min(g, (risk[i]-below[i])/float64(leaves[i]-1))
			}
		})
		return g
	}
	slack := 1e-12 * math.Abs(risk[0])
	update()
	alpha := 0.0
	for first := true; ; first = false {
		g := weakestLink()
		if !first || g > slack { // splits without any gain are cut before the sequence begins
			report(PruneStep{alpha, below[0], leaves[0]})
		}
		if g > limit+slack || leaves[0] == 1 {
			if first && g <= slack {
				report(PruneStep{alpha, below[0], leaves[0]})
			}
			return leaf
		}
		alpha = max(g, 0)
		if g <= slack {
			alpha = 0
		}
		t.reach(leaf, func(i int) {
			if !leaf[i] && !((risk[i]-below[i])/float64(leaves[i]-1) > g+slack) { // NaN is cut too, so that every round cuts
				leaf[i] = true
			}
		})
		update()
	}
}

// reach calls f for the nodes of the pruned tree, from the root down.
func (t *nodes) reach(leaf []bool, f func(i int)) {
	var visit func(i int)
	visit = func(i int) {
		f(i)
		if !leaf[i] {
			visit(t.list.at(i).Left)
			visit(t.list.at(i).Right)
		}
	}
	visit(0)
}

// risks returns R(t) = p(t) i(t) of each node.
func (t *nodes) risks(impurity func(Node) float64) []float64 {
	r := make([]float64, t.list.len())
	for i, n := range t.list.all() {
		r[i] = n.Weight / t.list.at(0).Weight * impurity(n)
	}
	return r
}

func checkAlpha(name string, alpha float64) error {
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		return fault.Argument(name, "alpha", alpha, "a finite number of at least 0", "the steps of PruningPath show where the tree changes")
	}
	return nil
}

// PruningPath returns the nested sequence of subtrees by cost complexity, from the full tree at alpha = 0 to the root alone. R(T) is the
// share of the leaves' impurity measured by c: Error for the training error as in CART, or the criterion the tree was grown with.
func (t *Classifier) PruningPath(c Criterion) []PruneStep {
	var steps []PruneStep
	t.weakest(t.risks(func(n Node) float64 { return c.Impurity(n.Value...) }), math.Inf(1), func(s PruneStep) { steps = append(steps, s) })
	return steps
}

// Prune returns the smallest subtree that minimises R(T) + alpha |leaves|, where R(T) is the sum over the leaves of p(t) i(t) with the
// impurity c, which need not be the criterion the tree was grown with: Error makes R the training error.
func (t *Classifier) Prune(alpha float64, c Criterion) (*Classifier, error) {
	if t.list.len() == 0 {
		return nil, estimator.Unfitted("tree.Classifier.Prune")
	}
	if err := checkAlpha("tree.Classifier.Prune", alpha); err != nil {
		return nil, err
	}
	leaf := t.weakest(t.risks(func(n Node) float64 { return c.Impurity(n.Value...) }), alpha, func(PruneStep) {})
	return &Classifier{t.part(leaf), t.classes, t.criterion}, nil
}

// PruningPath returns the nested sequence of subtrees by cost complexity; R(T) is the mean squared error on the training rows.
func (t *Regressor) PruningPath() []PruneStep {
	var steps []PruneStep
	t.weakest(t.risks(func(n Node) float64 { return n.Impurity }), math.Inf(1), func(s PruneStep) { steps = append(steps, s) })
	return steps
}

// Prune returns the smallest subtree that minimises the mean squared error plus alpha times the number of leaves.
func (t *Regressor) Prune(alpha float64) (*Regressor, error) {
	if t.list.len() == 0 {
		return nil, estimator.Unfitted("tree.Regressor.Prune")
	}
	if err := checkAlpha("tree.Regressor.Prune", alpha); err != nil {
		return nil, err
	}
	leaf := t.weakest(t.risks(func(n Node) float64 { return n.Impurity }), alpha, func(PruneStep) {})
	return &Regressor{t.part(leaf)}, nil
}

// ReducedError replaces, from the bottom up, each subtree by a leaf when that does not raise the number of errors on a validation set X (n
// x d) with labels y. It returns the pruned tree and the validation error after each replacement, the full tree's first. Source: Quinlan,
// Simplifying decision trees, 1987.
func (t *Classifier) ReducedError(X mat.Matrix, y []int) (*Classifier, []float64, error) {
	const name = "tree.Classifier.ReducedError"
	at, err := t.apply(name, X)
	if err != nil {
		return nil, nil, err
	}
	if len(y) != len(at) {
		return nil, nil, fault.Argument(
			name,
			"y",
			fmt.Sprintf("%d labels", len(y)),
			fmt.Sprintf("one label for each of the %d rows of X", len(at)),
			"",
		)
	}
	for i, c := range y {
		if c < 0 || c >= t.classes {
			return nil, nil, fault.Argument(name, fmt.Sprintf("y[%d]", i), c, fmt.Sprintf("a class 0 ... %d", t.classes-1), "")
		}
	}
	n := t.list.len()
	count := make([][]int, n) // validation rows of each class that reach a node
	for i := range count {
		count[i] = make([]int, t.classes)
	}
	for i, leaf := range at {
		count[leaf][y[i]]++
	}
	leaf, wrong := make([]bool, n), make([]int, n)
	var pruned []int // errors saved by each replacement
	full := 0
	for i := n - 1; i >= 0; i-- {
		v := t.list.at(i)
		if !v.Leaf() {
			for c := range count[i] {
				count[i][c] = count[v.Left][c] + count[v.Right][c]
			}
		}
		total := 0
		for _, k := range count[i] {
			total += k
		}
		asLeaf := total - count[i][estimator.Argmax(v.Value)]
		if v.Leaf() {
			leaf[i], wrong[i] = true, asLeaf
			full += asLeaf
			continue
		}
		wrong[i] = wrong[v.Left] + wrong[v.Right]
		if asLeaf <= wrong[i] {
			pruned = append(pruned, wrong[i]-asLeaf)
			leaf[i], wrong[i] = true, asLeaf
		}
	}
	errors := []float64{float64(full) / float64(len(y))}
	for _, saved := range pruned {
		full -= saved
		errors = append(errors, float64(full)/float64(len(y)))
	}
	return &Classifier{t.part(leaf), t.classes, t.criterion}, errors, nil
}
