package grammar

import (
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// A regular expression while it is read: the places of letters that can come first and last, and
// whether the empty word is among its words (Glushkov 1961).
type fragment struct {
	first, last []int
	empty       bool
}

type expressionReader struct {
	text    []rune
	at      int
	letters []string
	follow  []Move // from place to place
}

// Expression returns the automaton of a regular expression over letters of one character: a
// sequence, alternatives with |, repetition with *, + and ?, parentheses, and ε for the empty word. Its
// states are the start and the places of the letters.
//
// Errors: an expression that cannot be read, with the place.
func Expression(text string) (*Automaton, error) {
	r := &expressionReader{text: []rune(strings.ReplaceAll(text, " ", "")), letters: []string{""}}
	f, ok := r.alternatives()
	if !ok || r.at < len(r.text) {
		return nil, fault.Argument("grammar.Expression", "expression", string(r.text[:r.at])+"…",
			"letters, ε, | * + ? and closed parentheses", "")
	}
	moves := r.follow
	for _, s := range f.first {
		moves = append(moves, Move{From: 0, To: s})
	}
	for i := range moves {
		moves[i].Letter = r.letters[moves[i].To]
	}
	accepting := slices.Clone(f.last)
	if f.empty {
		accepting = append(accepting, 0)
	}
	return NewAutomaton(len(r.letters), []int{0}, accepting, moves)
}

func (r *expressionReader) peek() rune {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *expressionReader) alternatives() (fragment, bool) {
	f, ok := r.sequence()
	for ok && r.peek() == '|' {
		r.at++
		var g fragment
		g, ok = r.sequence()
		f = fragment{append(f.first, g.first...), append(f.last, g.last...), f.empty || g.empty}
	}
	return f, ok
}

func (r *expressionReader) sequence() (fragment, bool) {
	f, ok := r.repeated()
	for ok && r.peek() != 0 && r.peek() != '|' && r.peek() != ')' {
		var g fragment
		if g, ok = r.repeated(); !ok {
			break
		}
		r.join(f, g)
		h := fragment{first: slices.Clone(f.first), last: slices.Clone(g.last), empty: f.empty && g.empty}
		if f.empty {
			h.first = append(h.first, g.first...)
		}
		if g.empty {
			h.last = append(h.last, f.last...)
		}
		f = h
	}
	return f, ok
}

func (r *expressionReader) join(f, g fragment) {
	for _, from := range f.last {
		for _, to := range g.first {
			r.follow = append(r.follow, Move{From: from, To: to})
		}
	}
}

func (r *expressionReader) repeated() (f fragment, ok bool) {
	switch c := r.peek(); c {
	case 0, '|', ')', '*', '+', '?':
		return f, false
	case '(':
		r.at++
		if f, ok = r.alternatives(); !ok || r.peek() != ')' {
			return f, false
		}
	case 'ε':
		f.empty = true
	default:
		f = fragment{first: []int{len(r.letters)}, last: []int{len(r.letters)}}
		r.letters = append(r.letters, string(c))
	}
	r.at++
	for c := r.peek(); c == '*' || c == '+' || c == '?'; c = r.peek() {
		if c != '?' {
			r.join(f, f)
		}
		f.empty = f.empty || c != '+'
		r.at++
	}
	return f, true
}

// Expression returns a regular expression of the same language, from the minimal automaton by
// elimination of its states; "" if the automaton accepts no word.
func (a *Automaton) Expression() string {
	m := a.Minimal()
	n := m.States()
	type way struct{ from, to int }
	ways := map[way]string{}
	add := func(from, to int, text string) {
		if old, ok := ways[way{from, to}]; ok && old != text {
			text = old + "|" + text
		}
		ways[way{from, to}] = text
	}
	for _, move := range m.Moves() {
		add(move.From, move.To, move.Letter)
	}
	add(n, 0, "ε")
	for _, s := range m.Accepting() {
		add(s, n+1, "ε")
	}
	for gone := n - 1; gone >= 0; gone-- {
		loop, has := ways[way{gone, gone}]
		if has {
			loop = "(" + loop + ")*"
		}
		for from := range n + 2 {
			in, ok := ways[way{from, gone}]
			if !ok || from == gone {
				continue
			}
			for to := range n + 2 {
				if out, ok := ways[way{gone, to}]; ok && to != gone {
					add(from, to, sequence(in, loop, out))
				}
			}
		}
		for s := range n + 2 {
			delete(ways, way{s, gone})
			delete(ways, way{gone, s})
		}
	}
	return ways[way{n, n + 1}]
}

// sequence writes expressions one after another, in parentheses where they have alternatives.
func sequence(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p == "" || p == "ε":
		case bare(p):
			b.WriteString(p)
		default:
			b.WriteString("(" + p + ")")
		}
	}
	if b.Len() == 0 {
		return "ε"
	}
	return b.String()
}

// bare reports whether an expression has no alternatives outside of parentheses.
func bare(p string) bool {
	depth := 0
	for _, c := range p {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				return false
			}
		}
	}
	return true
}
