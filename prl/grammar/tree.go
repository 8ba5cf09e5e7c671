package grammar

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// A Tree is a derivation: a non-terminal with what its rule puts in its place, or a leaf, which is a terminal.
// A nil tree stands for no derivation: it has no words and no rules, and the probability 0.
type Tree struct {
	Symbol   string
	Leaf     bool
	Children []*Tree
}

// String writes the tree in brackets: "(S (NP she) (VP sleeps))".
func (t *Tree) String() string {
	if t == nil {
		return "no tree"
	}
	if t.Leaf {
		return t.Symbol
	}
	parts := []string{t.Symbol}
	for _, c := range t.Children {
		parts = append(parts, c.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Words returns the leaves from left to right.
func (t *Tree) Words() []string {
	if t == nil {
		return nil
	}
	if t.Leaf {
		return []string{t.Symbol}
	}
	var out []string
	for _, c := range t.Children {
		out = append(out, c.Words()...)
	}
	return out
}

// Rules returns the rules of the tree without probabilities, as a leftmost derivation uses them.
func (t *Tree) Rules() []Rule {
	if t == nil || t.Leaf {
		return nil
	}
	own := Rule{Left: t.Symbol}
	var below []Rule
	for _, c := range t.Children {
		if c == nil {
			continue
		}
		own.Right = append(own.Right, c.Symbol)
		below = append(below, c.Rules()...)
	}
	return append([]Rule{own}, below...)
}

// LogP returns the logarithm of the probability of a tree, the sum over its rules; -Inf if one is not of the grammar.
func (g *Grammar) LogP(t *Tree) float64 {
	if t == nil {
		return math.Inf(-1)
	}
	p := map[string]float64{}
	for _, r := range g.Rules() {
		p[r.Key()] = r.P
	}
	sum := 0.0
	for _, r := range t.Rules() {
		sum += math.Log(p[r.Key()])
	}
	return sum
}

// Sample draws a tree: each non-terminal takes one of its rules by their probabilities. It gives up
// and returns false when the tree has more than limit non-terminals: a grammar can lose probability
// to trees that never end.
func (g *Grammar) Sample(r *rand.Rand, limit int) (*Tree, bool) {
	root := &Tree{Symbol: g.symbols[0]}
	waiting := []*Tree{root}
	for range limit {
		if len(waiting) == 0 {
			return root, true
		}
		t := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		of := g.of(g.index(t.Symbol))
		u, chosen := r.Float64(), len(of)-1
		for i := range of {
			if u -= of[i].p; u < 0 {
				chosen = i
				break
			}
		}
		for _, s := range of[chosen].right {
			t.Children = append(t.Children, &Tree{Symbol: g.symbols[s], Leaf: s >= g.n})
		}
		for i := len(t.Children) - 1; i >= 0; i-- {
			if !t.Children[i].Leaf {
				waiting = append(waiting, t.Children[i])
			}
		}
	}
	return nil, len(waiting) == 0 && limit > 0
}

// FitTrees returns the grammar with the same rules whose probabilities are their shares in a
// treebank, (count + smoothing) / sum for each left side: the maximum of the likelihood for
// smoothing = 0. A left side that never occurs keeps its probabilities. Without smoothing the
// result never loses probability to trees without end (Chi & Geman 1998).
//
// Errors: no trees, negative smoothing, a nil tree, a tree with a rule that the grammar lacks.
func (g *Grammar) FitTrees(trees []*Tree, smoothing float64) (*Grammar, error) {
	const op = "grammar.Grammar.FitTrees"
	if len(trees) == 0 {
		return nil, fault.Argument(op, "trees", "none", "at least one", "")
	}
	if !(smoothing >= 0) {
		return nil, fault.Argument(op, "smoothing", smoothing, "a number from 0 on", "")
	}
	place, counts := map[string]int{}, make([]float64, len(g.rules))
	for i, r := range g.Rules() {
		place[r.Key()] = i
	}
	for k, t := range trees {
		if t == nil {
			return nil, fault.Argument(op, "tree", k, "a tree that is not nil", "")
		}
		for _, r := range t.Rules() {
			i, ok := place[r.Key()]
			if !ok {
				return nil, fault.Argument(op, "tree", r.Key(), "rules of the grammar", "")
			}
			counts[i]++
		}
	}
	for i := range counts {
		counts[i] += smoothing
	}
	return g.shares(counts)
}

// shares returns g with probabilities in proportion to counts for each left side.
func (g *Grammar) shares(counts []float64) (*Grammar, error) {
	rules, sums := g.Rules(), map[string]float64{}
	for i, r := range rules {
		sums[r.Left] += counts[i]
	}
	for i, r := range rules {
		if sums[r.Left] > 0 {
			rules[i].P = counts[i] / sums[r.Left]
		}
	}
	return New(g.symbols[0], rules)
}

// node is a tree of the binary grammar.
type node struct {
	rule     int // of the grammar, -1 for a symbol that only stands for others, -2 for a leaf
	word     string
	children []*node
}

// tree returns the tree of the grammar that n stands for.
func (g *Grammar) tree(n *node) *Tree {
	t := &Tree{Symbol: g.symbols[g.rules[n.rule].left]}
	var add func(n *node)
	add = func(n *node) {
		for _, c := range n.children {
			switch c.rule {
			case -2:
				t.Children = append(t.Children, &Tree{Symbol: c.word, Leaf: true})
			case -1:
				add(c)
			default:
				t.Children = append(t.Children, g.tree(c))
			}
		}
	}
	add(n)
	return t
}
