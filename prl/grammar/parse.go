package grammar

import (
	"context"
	"math"
	"slices"
)

// A Parse holds all trees of a sentence, in a chart: for each part i < j of the words (from i
// inclusive to j exclusive, counted from 0) and each symbol, the best derivation of that part.
type Parse struct {
	g      *Grammar
	words  []string
	cells  [][]best // by cell, then symbol
	sums   *sums
	splits int
}

// best is the most probable derivation of a part from a symbol: a chain of steps down to the symbol
// via, whose own first rule is by, at the split at; by.c < 0 is a rule that writes a terminal.
type best struct {
	log, own float64
	via, at  int
	by       pair
}

func (p *Parse) cell(i, j int) int { return i*(len(p.words)+1) + j }

// Parse fills the chart of a sentence by the algorithm of Cocke, Younger and Kasami, for any
// context-free grammar: long rules are read in two parts, and chains of unit rules and empty parts
// are closed once for the grammar and applied in each cell (Lange & Leiß 2009). It takes
// (n³ − n)/6 splits for n words, each with work for the rules that fit. A sentence that is not in
// the language has no trees; that is no error.
//
// Errors: that of ctx.
func (g *Grammar) Parse(ctx context.Context, words []string) (*Parse, error) {
	p := &Parse{g: g, words: slices.Clone(words)}
	n := len(words)
	p.cells = make([][]best, (n+1)*(n+1))
	p.sums = &sums{in: make([][]float64, len(p.cells)), inExp: make([]int, len(p.cells)), live: make([][]int, len(p.cells))}
	live := make([][]int, len(p.cells)) // the symbols that derive the part
	for width := 1; width <= n; width++ {
		for i := 0; i+width <= n; i++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			j := i + width
			cell := make([]best, len(g.bin.names))
			for a := range cell {
				cell[a] = best{log: math.Inf(-1), own: math.Inf(-1), via: -1}
			}
			if width == 1 {
				for _, r := range p.lexicon(i) {
					if r.log > cell[r.a].own {
						cell[r.a].own, cell[r.a].by, cell[r.a].at = r.log, pair{a: r.a, b: r.b, c: -1, rule: r.rule}, -1
					}
				}
			}
			for k := i + 1; k < j; k++ {
				p.splits++
				left, right := p.cells[p.cell(i, k)], p.cells[p.cell(k, j)]
				for _, b := range live[p.cell(i, k)] {
					for _, r := range g.bin.byLeft[b] {
						if v := r.log + left[b].log + right[r.c].log; v > cell[r.a].own {
							cell[r.a].own, cell[r.a].by, cell[r.a].at = v, r, k
						}
					}
				}
			}
			for b := range cell {
				if cell[b].own == math.Inf(-1) {
					continue
				}
				for _, c := range g.bin.best.chains[b] {
					if v := c.log + cell[b].own; v > cell[c.a].log {
						cell[c.a].log, cell[c.a].via = v, b
					}
				}
			}
			p.cells[p.cell(i, j)] = cell
			for a := range cell {
				if cell[a].via >= 0 {
					live[p.cell(i, j)] = append(live[p.cell(i, j)], a)
				}
			}
			p.inside(i, j)
		}
	}
	return p, nil
}

// Accepted reports whether the sentence is in the language.
func (p *Parse) Accepted() bool { return p.live(0, 0, len(p.words)) }

// Splits returns how many times a part was cut in two: (n³ − n)/6.
func (p *Parse) Splits() int { return p.splits }

// live reports whether a symbol derives the part.
func (p *Parse) live(a, i, j int) bool {
	if i == j {
		return p.g.bin.best.null[a] > math.Inf(-1)
	}
	return p.cells[p.cell(i, j)][a].via >= 0
}

// Cell returns the non-terminals that derive the words from i inclusive to j exclusive.
func (p *Parse) Cell(i, j int) (symbols []string) {
	if i < 0 || j > len(p.words) || i > j {
		return nil
	}
	for a, name := range p.g.symbols[:p.g.n] {
		if p.live(a, i, j) {
			symbols = append(symbols, name)
		}
	}
	return symbols
}

// BestLogP returns the logarithm of the probability of the best tree of the words from i to j under
// a symbol, -Inf if there is none.
func (p *Parse) BestLogP(symbol string, i, j int) float64 {
	a := slices.Index(p.g.symbols[:p.g.n], symbol)
	switch {
	case a < 0 || i < 0 || j > len(p.words) || i > j:
		return math.Inf(-1)
	case i == j:
		return p.g.bin.best.null[a]
	}
	return p.cells[p.cell(i, j)][a].log
}

// Tree returns the most probable tree, or nil if there is none. Of equally probable trees it takes
// the one whose left part is shorter, then the rule that comes first in the order of the grammar.
func (p *Parse) Tree() *Tree {
	if !p.Accepted() {
		return nil
	}
	return p.g.tree(p.node(0, 0, len(p.words)))
}

// node returns the best tree of the part under a.
func (p *Parse) node(a, i, j int) *node {
	if i == j {
		return p.g.bin.nothing(a)
	}
	c := p.cells[p.cell(i, j)][a]
	return p.g.bin.unroll(a, c.via, func() *node {
		c := p.cells[p.cell(i, j)][c.via]
		if c.by.c < 0 {
			return &node{rule: c.by.rule, children: []*node{{rule: -2, word: p.words[i]}}}
		}
		return &node{rule: c.by.rule, children: []*node{p.node(c.by.b, i, c.at), p.node(c.by.c, c.at, j)}}
	})
}

// unroll returns the best chain of steps from a down to via, with end at its end.
func (b *binary) unroll(a, via int, end func() *node) *node {
	if a == via {
		return end()
	}
	s := b.steps[b.best.next[a][via]]
	return b.chained(s, b.unroll(s.b, via, end))
}

// chained returns the tree of a step over the tree of the symbol that it leads to.
func (b *binary) chained(s step, rest *node) *node {
	n := &node{rule: s.by.rule, children: []*node{rest}}
	switch {
	case s.empty < 0:
	case s.b == s.by.b && s.empty == s.by.c:
		n.children = append(n.children, b.nothing(s.empty))
	default:
		n.children = []*node{b.nothing(s.empty), rest}
	}
	return n
}

// nothing returns the best tree of the empty word under a.
func (b *binary) nothing(a int) *node {
	r := b.best.nullBy[a]
	n := &node{rule: r.rule}
	for _, e := range b.empties {
		if e == r {
			return n
		}
	}
	n.children = []*node{b.nothing(r.b)}
	for _, u := range b.units {
		if u == r {
			return n
		}
	}
	n.children = append(n.children, b.nothing(r.c))
	return n
}
