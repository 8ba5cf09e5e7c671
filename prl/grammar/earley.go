package grammar

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// An Item is a rule of which a part was found: the symbols before the dot cover the words from
// Origin on.
type Item struct {
	Rule   Rule
	Dot    int
	Origin int
}

// String writes the item as "[S -> S · + M, 0]".
func (i Item) String() string {
	right := slices.Clone(i.Rule.Right)
	right = slices.Insert(right, i.Dot, "·")
	return fmt.Sprintf("[%s -> %s, %d]", i.Rule.Left, strings.Join(right, " "), i.Origin)
}

// Earley is the chart of Earley's algorithm: set j holds [A -> α · β, i] if and only if s ⇒* w_1..i A γ
// for some γ and α ⇒* w_i+1..j.
type Earley struct {
	Accepted bool
	sets     [][]item
	g        *Grammar
	rules    []rule
}

type item struct{ rule, dot, origin int }

// Earley reads a sentence from left to right and keeps in each set the items that the words so far
// allow. It takes any context-free grammar as it stands, with unit rules, left recursion and empty
// right sides (predicted symbols that can be empty are passed over at once: Aycock & Horspool 2002);
// rules with symbols that produce nothing are left out. It stops after the set that is empty. Time
// grows with n for grammars that are LR(k), with n² for unambiguous ones and with n³ for all.
//
// Errors: that of ctx.
func (g *Grammar) Earley(ctx context.Context, words []string) (*Earley, error) {
	_, productive := g.useful()
	empty := g.bin.positive(g.bin.empties)
	e := &Earley{g: g}
	by := make([][]int, g.n)
	for _, r := range g.rules {
		if r.p > 0 && !slices.ContainsFunc(r.right, func(s int) bool { return !productive[s] }) {
			by[r.left] = append(by[r.left], len(e.rules))
			e.rules = append(e.rules, r)
		}
	}
	waiting := make([]map[int][]item, 0, len(words)+1) // of each set, the items before each symbol
	next := []item{}
	for _, r := range by[0] {
		next = append(next, item{rule: r})
	}
	for j := 0; j <= len(words); j++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		set, seen := []item{}, map[item]bool{}
		wait, predicted := map[int][]item{}, make([]bool, g.n)
		waiting = append(waiting, wait)
		add := func(i item) {
			if !seen[i] {
				seen[i] = true
				set = append(set, i)
			}
		}
		for _, i := range next {
			add(i)
		}
		for k := 0; k < len(set); k++ {
			i := set[k]
			r := e.rules[i.rule]
			if i.dot == len(r.right) { // complete
				for _, w := range waiting[i.origin][r.left] {
					add(item{w.rule, w.dot + 1, w.origin})
				}
				continue
			}
			s := r.right[i.dot]
			wait[s] = append(wait[s], i)
			if s < g.n { // predict
				if !predicted[s] {
					predicted[s] = true
					for _, p := range by[s] {
						add(item{rule: p, origin: j})
					}
				}
				if empty[s] {
					add(item{i.rule, i.dot + 1, i.origin})
				}
			}
		}
		e.sets = append(e.sets, set)
		next = nil
		if j < len(words) { // scan
			if t := g.index(words[j]); t >= g.n {
				for _, i := range wait[t] {
					next = append(next, item{i.rule, i.dot + 1, i.origin})
				}
			}
			if len(next) == 0 {
				break
			}
		}
	}
	if len(e.sets) == len(words)+1 {
		for _, i := range e.sets[len(words)] {
			r := e.rules[i.rule]
			e.Accepted = e.Accepted || r.left == 0 && i.origin == 0 && i.dot == len(r.right)
		}
	}
	return e, nil
}

// Sets returns the items after each word, from 0 words on, in the order in which they were added.
func (e *Earley) Sets() [][]Item {
	out := make([][]Item, len(e.sets))
	for j, set := range e.sets {
		for _, i := range set {
			r := e.rules[i.rule]
			rule := Rule{Left: e.g.symbols[r.left], P: r.p}
			for _, s := range r.right {
				rule.Right = append(rule.Right, e.g.symbols[s])
			}
			out[j] = append(out[j], Item{rule, i.dot, i.origin})
		}
	}
	return out
}

// Sizes returns the number of items after each word.
func (e *Earley) Sizes() []int {
	out := make([]int, len(e.sets))
	for j, set := range e.sets {
		out[j] = len(set)
	}
	return out
}

// Valid returns how many words from the start begin some sentence of the language.
func (e *Earley) Valid() int { return len(e.sets) - 1 }

// Next returns the terminals that can follow the valid words, in alphabetical order.
func (e *Earley) Next() []string {
	var out []string
	for _, i := range e.sets[len(e.sets)-1] {
		if r := e.rules[i.rule]; i.dot < len(r.right) && r.right[i.dot] >= e.g.n {
			out = append(out, e.g.symbols[r.right[i.dot]])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
