package grammar

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// SearchOptions say in which order BestFirst takes the items of its agenda: by the logarithm of the
// best inside probability found, plus Bound times that of an upper bound of the outside probability,
// plus PerWord for each word covered.
//
// With Bound = 0 the search is Knuth's generalisation of Dijkstra's algorithm, with Bound = 1 it is
// A*: the bound is the best context with the same numbers of words on the left and on the right, which
// is admissible and consistent. Both find the best tree. A Bound above 1, or PerWord other than 0, is
// greedy: the first tree need not be the best.
type SearchOptions struct {
	Bound   float64
	PerWord float64
}

// A Search is what BestFirst found: its first tree (nil if there is none), the logarithm of the
// probability of this tree, and the items that it took from the agenda, in their order.
type Search struct {
	Tree  *Tree
	LogP  float64
	Items []SearchItem
}

// A SearchItem is a symbol over the words from I inclusive to J exclusive.
type SearchItem struct {
	Symbol string
	I, J   int
}

type entry struct {
	at           place
	score, log   float64
	number       int // of the entry, which breaks ties
	by           pair
	step, middle int // an index of steps, or -1; where a pair is cut
}

type agenda []entry

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(a[j].score, a[i].score), cmp.Compare(a[i].number, a[j].number)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(entry)) }
func (a *agenda) Pop() any {
	old := *a
	e := old[len(old)-1]
	*a = old[:len(old)-1]
	return e
}

type search struct {
	g      *Grammar
	words  []string
	o      SearchOptions
	bound  [][]float64 // by words on the left and right, then symbol
	queue  agenda
	number int
	closed map[place]entry
	from   [][]place // the closed places that begin at a word
	to     [][]place
}

// BestFirst parses with an agenda: it takes the most promising item, closes it, and joins it with
// closed neighbours, until the whole sentence is closed.
//
// Errors: options that are not finite or a negative Bound; that of ctx.
func (g *Grammar) BestFirst(ctx context.Context, words []string, o SearchOptions) (*Search, error) {
	const op = "grammar.Grammar.BestFirst"
	if !(o.Bound >= 0) || math.IsInf(o.Bound, 0) || math.IsNaN(o.PerWord) || math.IsInf(o.PerWord, 0) {
		return nil, fault.Argument(op, "options", o, "finite numbers, Bound from 0 on", "")
	}
	n := len(words)
	s := &search{
		g: g, words: slices.Clone(words), o: o,
		closed: map[place]entry{}, from: make([][]place, n+1), to: make([][]place, n+1),
	}
	found := &Search{LogP: math.Inf(-1)}
	if n == 0 {
		if found.LogP = g.bin.best.null[0]; found.LogP > math.Inf(-1) {
			found.Tree = g.tree(g.bin.nothing(0))
		}
		return found, nil
	}
	if o.Bound > 0 {
		var err error
		if s.bound, err = g.outsideByLength(ctx, n); err != nil {
			return nil, err
		}
	}
	for i, w := range words {
		if t := g.index(w); t >= g.n {
			for _, r := range g.bin.lexicon[t-g.n] {
				s.push(entry{at: place{r.a, i, i + 1}, log: r.log, by: r, step: -1, middle: -1})
			}
		}
	}
	for len(s.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := heap.Pop(&s.queue).(entry)
		if _, done := s.closed[e.at]; done {
			continue
		}
		s.closed[e.at] = e
		found.Items = append(found.Items, SearchItem{g.bin.names[e.at.a], e.at.i, e.at.j})
		if e.at == (place{0, 0, n}) {
			found.LogP, found.Tree = e.log, g.tree(s.node(e.at))
			return found, nil
		}
		s.join(e)
	}
	return found, nil
}

func (s *search) push(e entry) {
	e.score = e.log + s.o.PerWord*float64(e.at.j-e.at.i)
	if s.bound != nil {
		b := s.bound[e.at.i*(len(s.words)+1)+len(s.words)-e.at.j][e.at.a]
		if math.IsInf(b, -1) {
			return // no context of these lengths
		}
		e.score += s.o.Bound * b
	}
	e.number = s.number
	s.number++
	heap.Push(&s.queue, e)
}

// join offers what a newly closed item makes with steps and with closed neighbours.
func (s *search) join(e entry) {
	b := s.g.bin
	at := e.at
	for i, t := range b.steps {
		if t.b == at.a {
			s.push(entry{at: place{t.a, at.i, at.j}, log: b.best.logs[i] + e.log, step: i})
		}
	}
	for _, c := range s.from[at.j] {
		for _, r := range b.byLeft[at.a] {
			if r.c == c.a {
				s.push(entry{at: place{r.a, at.i, c.j}, log: r.log + e.log + s.closed[c].log, by: r, step: -1, middle: at.j})
			}
		}
	}
	for _, c := range s.to[at.i] {
		for _, r := range b.byRight[at.a] {
			if r.b == c.a {
				s.push(entry{at: place{r.a, c.i, at.j}, log: r.log + e.log + s.closed[c].log, by: r, step: -1, middle: at.i})
			}
		}
	}
	s.from[at.i], s.to[at.j] = append(s.from[at.i], at), append(s.to[at.j], at)
}

func (s *search) node(at place) *node {
	e := s.closed[at]
	switch {
	case e.step >= 0:
		t := s.g.bin.steps[e.step]
		rest := s.node(place{t.b, at.i, at.j})
		return s.g.bin.chained(t, rest)
	case e.middle < 0:
		return &node{rule: e.by.rule, children: []*node{{rule: -2, word: s.words[at.i]}}}
	}
	return &node{rule: e.by.rule, children: []*node{s.node(place{e.by.b, at.i, e.middle}), s.node(place{e.by.c, e.middle, at.j})}}
}

// outsideByLength returns for each symbol and each number of words on the left and on the right the
// logarithm of the greatest outside probability that any sentence of this length has.
func (g *Grammar) outsideByLength(ctx context.Context, n int) ([][]float64, error) {
	b := g.bin
	none := func() []float64 { return slices.Repeat([]float64{math.Inf(-1)}, len(b.names)) }
	in := make([][]float64, n+1)
	for width := 1; width <= n; width++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := none()
		if width == 1 {
			for _, r := range b.words {
				own[r.a] = max(own[r.a], r.log)
			}
		}
		for k := 1; k < width; k++ {
			for _, r := range b.pairs {
				own[r.a] = max(own[r.a], r.log+in[k][r.b]+in[width-k][r.c])
			}
		}
		in[width] = none()
		for x, v := range own {
			for _, c := range b.best.chains[x] {
				in[width][c.a] = max(in[width][c.a], v+c.log)
			}
		}
	}
	out := make([][]float64, (n+1)*(n+1))
	for l := range n + 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for r := range n + 1 - l {
			out[l*(n+1)+r] = none()
		}
	}
	out[0][0] = 0
	for outer := range n {
		for l := 0; l <= outer; l++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			own := out[l*(n+1)+outer-l]
			all := slices.Clone(own)
			for x := range all {
				for _, c := range b.best.chains[x] { // x below c.a
					all[x] = max(all[x], own[c.a]+c.log)
				}
			}
			out[l*(n+1)+outer-l] = all
			for m := 1; m < n-outer; m++ {
				right, left := out[l*(n+1)+outer-l+m], out[(l+m)*(n+1)+outer-l]
				for _, r := range b.pairs {
					right[r.b] = max(right[r.b], all[r.a]+r.log+in[m][r.c])
					left[r.c] = max(left[r.c], all[r.a]+r.log+in[m][r.b])
				}
			}
		}
	}
	return out, nil
}
