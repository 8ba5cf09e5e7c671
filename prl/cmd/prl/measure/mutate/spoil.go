package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
	"github.com/prlab/prlab/prl/notebook"
)

const (
	spoilTries = 6 // mistakes that are tried for a section
	mostTicks  = 6 // that a reader chooses from
	mostRed    = 3 // of them
)

// A spoiled section of a notebook is from one heading of the second level to the next.
type spoiled struct {
	cells  map[string]*notebook.Cell // by their ids
	judged []*judged                 // those with checks
}

// Spoil chooses for each section of a notebook a mistake for readers to find: one that turns some of the checks of the section red and
// leaves others as they are. Sections alternate between mistakes in what is drawn and in what is computed; those in the code of a check are
// left out. A mistake that ends a cell before its last check is not taken, nor is one that a check meets with another claim.
func Spoil(ctx context.Context, root, path string, o Options) ([]syllabus.Mistake, error) {
	all := []syllabus.Mistake{} // an empty list is written as one
	err := executed(ctx, root, path, o, func(n *notebook.Notebook, b *built, cells []*judged) error {
		r := rand.New(rand.NewPCG(o.Seed, 3))
		sections := b.sections(n, cells)
		for i, s := range sections {
			prefers := []bool{len(all)%2 == 0}
			for _, drawn := range append(prefers, !prefers[0]) {
				best, err := b.spoil(ctx, s, drawn, r, o)
				if err != nil {
					return err
				}
				if best != nil {
					all = append(all, *best)
					break
				}
			}
			if o.Progress != nil {
				o.Progress(i+1, len(sections))
			}
		}
		return nil
	})
	return all, err
}

// sections parts a notebook. Exercises and solutions are no part of any.
func (b *built) sections(n *notebook.Notebook, cells []*judged) (all []spoiled) {
	for _, c := range n.Cells {
		if !c.IsCode() && strings.HasPrefix("\n"+c.Source(), "\n## ") || len(all) == 0 {
			all = append(all, spoiled{cells: map[string]*notebook.Cell{}})
		}
		tags := c.Tags()
		if !c.Runs() || slices.Contains(tags, "exercise") || slices.Contains(tags, "solution") {
			continue
		}
		s := &all[len(all)-1]
		s.cells[c.ID()] = c
		if at := slices.IndexFunc(cells, func(j *judged) bool { return b.survey.cells[j.cell] == c.ID() }); at >= 0 {
			s.judged = append(s.judged, cells[at])
		}
	}
	return slices.DeleteFunc(all, func(s spoiled) bool { return len(s.judged) == 0 })
}

// spoil tries mistakes of one sort in a section and returns the one that turns the fewest checks red, nil if none does.
func (b *built) spoil(ctx context.Context, s spoiled, draws bool, r *rand.Rand, o Options) (*syllabus.Mistake, error) {
	var best *syllabus.Mistake
	fewest, tries := mostRed+1, 0
	for _, i := range r.Perm(len(b.survey.mutants)) {
		m := b.survey.mutants[i]
		cell, _ := b.survey.place(m.at[0].from)
		inCheck := slices.ContainsFunc(b.survey.sites, func(s *site) bool { return span{s.whole.Pos(), s.whole.End()}.holds(m.at[0].from) })
		if m.kind != drawn && m.kind != work && m.kind != method || draws != (m.kind == drawn) || inCheck ||
			s.cells[cell] == nil || !s.reaches(m) {
			continue
		}
		mistake := b.shown(s.cells[cell], m)
		if mistake == nil {
			continue
		}
		if tries++; tries > spoilTries {
			break
		}
		red := b.try(ctx, s, m, mistake, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if red > 0 && red < fewest {
			best, fewest = mistake, red
		}
		if fewest == 1 {
			break
		}
	}
	if best != nil {
		best.Ticks = offer(best.Ticks, r)
	}
	return best, nil
}

func (s spoiled) reaches(m *mutant) bool {
	return slices.ContainsFunc(s.judged, func(c *judged) bool {
		return slices.ContainsFunc(c.checks, func(u *underTest) bool { return u.Verdict == "" && slices.Contains(u.candidates, m) })
	})
}

// try makes a mistake in all cells of a section that have checks, and lists what became of these. It returns how many turned red, 0 if
// that says nothing.
func (b *built) try(ctx context.Context, s spoiled, m *mutant, to *syllabus.Mistake, o Options) (red int) {
	for _, c := range s.judged {
		id := b.survey.cells[c.cell] // which shows the checks, wherever their code stands
		said, end, _ := b.run(ctx, c.cell, m.number, c.limit(o))
		if end.Site >= 0 {
			return 0
		}
		for _, u := range c.checks {
			if u.Verdict != "" || !syllabus.HasPassed(s.cells[id], u.Claim) { // arithmetic, or of another state of an instrument
				continue
			}
			tick := syllabus.Tick{Cell: id, Claim: u.Claim}
			reached := false
			for _, out := range said {
				if keyOf(out.Site, out.ID, out.Claim) != keyOf(u.site, u.Item, u.Claim) {
					continue
				}
				reached = true
				if !out.Holds && !tick.Red {
					tick.Red, tick.Numbers = true, out.Numbers
				}
			}
			if !reached {
				return 0
			}
			// Where a claim is made twice nobody can point at one of the two.
			if slices.ContainsFunc(to.Ticks, func(t syllabus.Tick) bool { return t.Claim == tick.Claim }) {
				return 0
			}
			if to.Ticks = append(to.Ticks, tick); tick.Red {
				red++
			}
		}
	}
	if red > mostRed || len(to.Ticks)-red < 2 {
		return 0
	}
	return red
}

// offer leaves those that are red and some of the others, in their order.
func offer(ticks []syllabus.Tick, r *rand.Rand) (some []syllabus.Tick) {
	keep := map[int]bool{}
	for i, t := range ticks {
		keep[i] = t.Red
	}
	left := mostTicks
	for _, yes := range keep {
		if yes {
			left--
		}
	}
	for _, i := range r.Perm(len(ticks)) {
		if !keep[i] && left > 0 {
			keep[i] = true
			left--
		}
	}
	for i, t := range ticks {
		if keep[i] {
			some = append(some, t)
		}
	}
	return some
}

// shown is a mistake of a cell as a reader sees it, nil if it does not stand in one line.
func (b *built) shown(c *notebook.Cell, m *mutant) *syllabus.Mistake {
	p := b.survey.program
	id, line := p.place(m.at[0].from)
	from, to := p.offset(m.at[0].from), p.offset(m.at[0].to)
	begin := strings.LastIndexByte(p.source[:from], '\n') + 1
	end := begin + strings.IndexByte(p.source[begin:], '\n')
	lines := strings.Split(c.Source(), "\n")
	if to > end || line == 0 || line > len(lines) || lines[line-1] != p.source[begin:end] {
		return nil
	}
	shown := &syllabus.Mistake{
		Cell: id, Line: line, Change: strings.TrimPrefix(m.change, fmt.Sprintf("%s:%d ", id, line)),
		Code: [3]string{strings.TrimLeft(p.source[begin:from], " \t"), p.source[from:to], strings.TrimRight(p.source[to:end], " \t")},
	}
	bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	if before, after, has := strings.Cut(shown.Change, " → "); has && bare(before) == bare(shown.Code[1]) {
		shown.After = written(after)
	}
	return shown
}

// written is an expression as it can stand in the place of another, "" for what is none.
func written(text string) string {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return ""
	}
	if b, isBinary := e.(*ast.BinaryExpr); isBinary &&
		slices.Contains([]token.Token{token.LAND, token.LOR, token.AND, token.OR, token.XOR}, b.Op) { // bind otherwise than what stood there
		return "(" + text + ")"
	}
	return text
}
