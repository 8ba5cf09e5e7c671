package mutate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// A hidden error is a mistake in a figure or in a method, and the cells whose checks may notice it.
type hidden struct {
	*Error
	m     *mutant
	cells []*judged
	void  bool // it changes nothing that is drawn or computed
}

// errors chooses the mistakes in figures and in methods: of each cell at most enough of a kind. What no check can see survives, and what no
// check sees of a method is not counted: nothing is said of it. A figure in a cell without a check is one survivor more.
func (b *built) errors(cells []*judged, n *notebook.Notebook, o Options) (all []*hidden) {
	left := map[string]bool{} // cells whose figures nobody has to prove
	place := map[string]int{}
	for i, c := range n.Cells {
		place[c.ID()] = i
		left[c.ID()] = slices.Contains(c.Tags(), "exercise") || slices.Contains(c.Tags(), "solution")
	}
	type of struct{ kind, cell string }
	count := map[of]int{}
	for _, i := range rand.New(rand.NewPCG(o.Seed, 2)).Perm(len(b.survey.mutants)) {
		m := b.survey.mutants[i]
		kind := map[kind]string{drawn: Figure, method: Method}[m.kind]
		id, line := b.survey.place(m.at[0].from)
		if kind == "" || o.Cell != "" && o.Cell != id || left[id] || count[of{kind, id}] >= enough {
			continue
		}
		change := strings.TrimPrefix(m.change, fmt.Sprintf("%s:%d ", id, line))
		h := &hidden{Error: &Error{Kind: kind, Cell: id, Line: line, Change: change}, m: m}
		for _, c := range cells {
			if slices.ContainsFunc(c.checks, func(u *underTest) bool { return u.Verdict == "" && slices.Contains(u.candidates, m) }) {
				h.cells = append(h.cells, c)
			}
		}
		if kind == Figure || len(h.cells) > 0 {
			count[of{kind, id}]++
			all = append(all, h)
		}
	}
	for _, at := range b.survey.shown {
		k := slices.IndexFunc(b.survey.bodies, func(body span) bool { return body.holds(at) })
		if k < 0 {
			continue
		}
		id, line := b.survey.place(at)
		if o.Cell != "" && o.Cell != id || left[id] || slices.ContainsFunc(cells, func(c *judged) bool { return c.cell == k && c.proves() }) {
			continue
		}
		left[id] = true
		all = append(all, &hidden{Error: &Error{Kind: Figure, Cell: id, Line: line, Change: "no check stands beside what is shown"}})
	}
	slices.SortStableFunc(all, func(x, y *hidden) int {
		return cmp.Or(cmp.Compare(place[x.Cell], place[y.Cell]), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Change, y.Change))
	})
	return all
}

// proves says that the cell has a check that is no arithmetic.
func (c *judged) proves() bool {
	return slices.ContainsFunc(c.checks, func(u *underTest) bool { return u.Verdict != Remark && u.Verdict != Arithmetic })
}

// notice runs the cells that may notice an error, until one does: a check turns red, or the cell fails.
func (b *built) notice(ctx context.Context, h *hidden, o Options) (runs int) {
	h.void = len(h.cells) > 0
	for _, c := range h.cells {
		said, end, fault := b.run(ctx, c.cell, h.m.number, c.limit(o))
		runs++
		for _, s := range said {
			if h.By == "" && !s.Holds && !c.red[keyOf(s.Site, s.ID, s.Claim)] {
				h.By = s.Claim
			}
		}
		if h.By == "" && end.Site == 0 && fault != nil {
			h.By = "the cell fails"
		}
		h.void = h.void && h.By == "" && end.Site < 0 && !end.Holds
		if h.By != "" || ctx.Err() != nil {
			break
		}
	}
	return runs
}
