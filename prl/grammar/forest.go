package grammar

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// place is a symbol over a part of the sentence. Empty parts stand at 0, as they are all alike.
type place struct{ a, i, j int }

// edge is a way to derive a place: a rule and the places of its right side.
type edge struct {
	by   pair
	from []place
}

// edges returns the ways to derive a place: by shorter left part, then by rule.
func (p *Parse) edges(at place) (out []edge) {
	b := p.g.bin
	empty := func(s, i, j int) place {
		if i == j {
			return place{s, 0, 0}
		}
		return place{s, i, j}
	}
	if at.i == at.j {
		for _, r := range b.empties {
			if r.a == at.a {
				out = append(out, edge{by: r})
			}
		}
	} else if at.j == at.i+1 {
		for _, r := range p.lexicon(at.i) {
			if r.a == at.a {
				out = append(out, edge{by: r})
			}
		}
	}
	for _, r := range b.units {
		if r.a == at.a && p.live(r.b, at.i, at.j) {
			out = append(out, edge{r, []place{{r.b, at.i, at.j}}})
		}
	}
	for k := at.i; k <= at.j; k++ {
		for _, r := range b.pairs {
			if r.a == at.a && p.live(r.b, at.i, k) && p.live(r.c, k, at.j) {
				out = append(out, edge{r, []place{empty(r.b, at.i, k), empty(r.c, k, at.j)}})
			}
		}
	}
	return out
}

// Count returns the number of trees of the sentence, exactly, or nil if there are infinitely many: a
// symbol then derives itself on the way.
//
// Errors: that of ctx.
func (p *Parse) Count(ctx context.Context) (*big.Int, error) {
	if !p.Accepted() {
		return new(big.Int), nil
	}
	counts, open, endless := map[place]*big.Int{}, map[place]bool{}, false
	var count func(at place) *big.Int
	count = func(at place) *big.Int {
		if c, ok := counts[at]; ok {
			return c
		}
		total := new(big.Int)
		if open[at] || ctx.Err() != nil {
			endless = true
			return total
		}
		open[at] = true
		for _, e := range p.edges(at) {
			product := big.NewInt(1)
			for _, f := range e.from {
				if product.Mul(product, count(f)); endless {
					return total
				}
			}
			total.Add(total, product)
		}
		open[at] = false
		counts[at] = total
		return total
	}
	if total := count(place{0, 0, len(p.words)}); !endless {
		return total, nil
	}
	return nil, ctx.Err()
}

// Trees returns the k most probable trees, the best first, or all if there are fewer (Huang & Chiang 2005).
//
// Errors: negative k; a sentence with infinitely many trees; that of ctx.
func (p *Parse) Trees(ctx context.Context, k int) ([]*Tree, error) {
	const op = "grammar.Parse.Trees"
	if k < 0 {
		return nil, fault.Argument(op, "k", k, "a number from 0 on", "")
	}
	total, err := p.Count(ctx)
	if err != nil {
		return nil, err
	}
	if total == nil {
		return nil, fault.Argument(op, "sentence", "infinitely many trees", "a grammar in which no symbol derives itself alone", "use Tree")
	}
	l := &lister{p: p, lists: map[place]*ranking{}}
	root := place{0, 0, len(p.words)}
	var out []*Tree
	for len(out) < k && total.Cmp(big.NewInt(int64(len(out)))) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, _ := l.find(root, len(out)) // it was counted
		out = append(out, p.g.tree(l.node(root, d)))
	}
	return out, nil
}

// ranking lists the derivations of a place by probability, as far as they were asked for.
type ranking struct {
	edges []edge
	best  []derivation
	next  candidates
	seen  map[[3]int]bool
}

// derivation takes an edge, and of its places the derivations of the given ranks.
type derivation struct {
	edge, left, right int
	log               float64
}

type candidates []derivation

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	a, b := c[i], c[j]
	if a.log != b.log {
		return a.log > b.log
	}
	return cmp.Or(a.edge-b.edge, a.left-b.left, a.right-b.right) < 0
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(derivation)) }
func (c *candidates) Pop() any {
	old := *c
	d := old[len(old)-1]
	*c = old[:len(old)-1]
	return d
}

type lister struct {
	p     *Parse
	lists map[place]*ranking
}

// find returns the derivation of a place with the given rank, and whether there are so many.
func (l *lister) find(at place, rank int) (derivation, bool) {
	r := l.lists[at]
	if r == nil {
		r = &ranking{edges: l.p.edges(at), seen: map[[3]int]bool{}}
		l.lists[at] = r
		for e := range r.edges {
			l.offer(r, e, 0, 0)
		}
	}
	for len(r.best) <= rank && len(r.next) > 0 {
		d := heap.Pop(&r.next).(derivation)
		r.best = append(r.best, d)
		if n := len(r.edges[d.edge].from); n > 0 {
			l.offer(r, d.edge, d.left+1, d.right)
			if n > 1 {
				l.offer(r, d.edge, d.left, d.right+1)
			}
		}
	}
	if rank < len(r.best) {
		return r.best[rank], true
	}
	return derivation{log: math.Inf(-1)}, false
}

func (l *lister) offer(r *ranking, e, left, right int) {
	if r.seen[[3]int{e, left, right}] {
		return
	}
	r.seen[[3]int{e, left, right}] = true
	log := r.edges[e].by.log
	for i, f := range r.edges[e].from {
		d, ok := l.find(f, []int{left, right}[i])
		if !ok {
			return
		}
		log += d.log
	}
	heap.Push(&r.next, derivation{e, left, right, log})
}

func (l *lister) node(at place, d derivation) *node {
	e := l.lists[at].edges[d.edge]
	n := &node{rule: e.by.rule}
	for i, f := range e.from {
		n.children = append(n.children, l.node(f, l.lists[f].best[[]int{d.left, d.right}[i]]))
	}
	if len(e.from) == 0 && at.i < at.j {
		n.children = []*node{{rule: -2, word: l.p.words[at.i]}}
	}
	return n
}

// Posterior returns the share of a tree in the probability of the sentence, 0 for a tree of other words
// or with another symbol than the start at its root.
func (p *Parse) Posterior(t *Tree) float64 {
	if !p.Accepted() || t == nil || t.Symbol != p.g.symbols[0] || !slices.Equal(t.Words(), p.words) {
		return 0
	}
	return math.Exp(p.g.LogP(t) - p.LogP())
}
