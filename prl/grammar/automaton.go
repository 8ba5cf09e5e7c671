package grammar

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Move leads an automaton from a state to a state when it reads a letter.
type Move struct {
	From, To int
	Letter   string
}

// An Automaton accepts the words that lead from a start state to an accepting state. It may have
// several moves for a letter, or none. It never changes.
type Automaton struct {
	letters []string
	starts  []int
	accepts []bool
	next    [][][]int // by state and letter
}

// NewAutomaton returns the automaton with the states 0 ... states-1.
//
// Errors: no states, a state outside 0 ... states-1, an empty letter.
func NewAutomaton(states int, starts, accepting []int, moves []Move) (*Automaton, error) {
	const op = "grammar.NewAutomaton"
	if states < 1 {
		return nil, fault.Argument(op, "states", states, "at least one", "")
	}
	a := &Automaton{starts: sorted(starts), accepts: make([]bool, states)}
	all := slices.Concat(starts, accepting)
	for _, m := range moves {
		if m.Letter == "" {
			return nil, fault.Argument(op, "letter", `""`, "a letter", "")
		}
		all = append(all, m.From, m.To)
		a.letters = append(a.letters, m.Letter)
	}
	for _, s := range all {
		if s < 0 || s >= states {
			return nil, fault.Argument(op, "state", s, fmt.Sprintf("a number from 0 to %d", states-1), "")
		}
	}
	slices.Sort(a.letters)
	a.letters = slices.Compact(a.letters)
	for _, s := range accepting {
		a.accepts[s] = true
	}
	a.next = make([][][]int, states)
	for s := range a.next {
		a.next[s] = make([][]int, len(a.letters))
	}
	for _, m := range moves {
		to := &a.next[m.From][slices.Index(a.letters, m.Letter)]
		*to = sorted(append(*to, m.To))
	}
	return a, nil
}

func sorted(states []int) []int {
	out := slices.Clone(states)
	slices.Sort(out)
	return slices.Compact(out)
}

// Automaton returns the automaton of a regular grammar: a state for each non-terminal in their order
// and one new accepting state, a move for each rule A -> a B and, to the new state, A -> a. A rule A ->
// ε makes A accepting.
//
// Errors: a rule of another form, which is named.
func (g *Grammar) Automaton() (*Automaton, error) {
	const op = "grammar.Grammar.Automaton"
	var moves []Move
	accepting := []int{g.n}
	for i, r := range g.rules {
		regular := len(r.right) == 0 || r.right[0] >= g.n && (len(r.right) == 1 || len(r.right) == 2 && r.right[1] < g.n)
		switch {
		case !regular:
			return nil, fault.Argument(op, "rule", g.rule(i).Key(), "A -> a B, A -> a or A -> ε", "")
		case r.p == 0:
		case len(r.right) == 0:
			accepting = append(accepting, r.left)
		case len(r.right) == 1:
			moves = append(moves, Move{r.left, g.n, g.symbols[r.right[0]]})
		default:
			moves = append(moves, Move{r.left, r.right[1], g.symbols[r.right[0]]})
		}
	}
	return NewAutomaton(g.n+1, []int{0}, accepting, moves)
}

// States returns the number of states.
func (a *Automaton) States() int { return len(a.next) }

// Accepting returns the accepting states.
func (a *Automaton) Accepting() (states []int) {
	for s, yes := range a.accepts {
		if yes {
			states = append(states, s)
		}
	}
	return states
}

// Moves returns the moves, by state, letter and state.
func (a *Automaton) Moves() (moves []Move) {
	for s, row := range a.next {
		for l, to := range row {
			for _, t := range to {
				moves = append(moves, Move{s, t, a.letters[l]})
			}
		}
	}
	return moves
}

// Run returns the states after 0, 1, ... words; the sets become empty where the automaton is stuck.
func (a *Automaton) Run(words []string) [][]int {
	sets := [][]int{a.starts}
	for _, w := range words {
		sets = append(sets, a.step(sets[len(sets)-1], slices.Index(a.letters, w)))
	}
	return sets
}

func (a *Automaton) step(set []int, letter int) []int {
	var to []int
	for _, s := range set {
		if letter >= 0 {
			to = append(to, a.next[s][letter]...)
		}
	}
	return sorted(to)
}

func (a *Automaton) final(set []int) bool {
	return slices.ContainsFunc(set, func(s int) bool { return a.accepts[s] })
}

// Accepts reports whether the automaton accepts a word.
func (a *Automaton) Accepts(words []string) bool {
	sets := a.Run(words)
	return a.final(sets[len(sets)-1])
}

// Deterministic returns an automaton for the same language with one start state, 0, and exactly one
// move for each state and letter: its states are the sets of states that can be reached (Rabin & Scott
// 1959), up to 2^n of them.
func (a *Automaton) Deterministic() *Automaton {
	d := &Automaton{letters: a.letters, starts: []int{0}}
	sets, place := [][]int{a.starts}, map[string]int{fmt.Sprint(a.starts): 0}
	for s := 0; s < len(sets); s++ {
		d.accepts = append(d.accepts, a.final(sets[s]))
		row := make([][]int, len(a.letters))
		for l := range a.letters {
			to := a.step(sets[s], l)
			t, known := place[fmt.Sprint(to)]
			if !known {
				t = len(sets)
				place[fmt.Sprint(to)] = t
				sets = append(sets, to)
			}
			row[l] = []int{t}
		}
		d.next = append(d.next, row)
	}
	return d
}

// Minimal returns the deterministic automaton with the fewest states for the same language over the
// same letters. It is unique: its states are the classes of Myhill and Nerode, numbered as a search in
// breadth from the start meets them.
func (a *Automaton) Minimal() *Automaton {
	d := a.Deterministic()
	class := make([]int, d.States())
	for s, yes := range d.accepts {
		if yes {
			class[s] = 1
		}
	}
	for count := -1; ; {
		names, next := map[string]int{}, make([]int, len(class))
		for s, row := range d.next {
			key := []int{class[s]}
			for _, to := range row {
				key = append(key, class[to[0]])
			}
			name := fmt.Sprint(key)
			if _, known := names[name]; !known {
				names[name] = len(names)
			}
			next[s] = names[name]
		}
		class = next
		if len(names) == count {
			break
		}
		count = len(names)
	}
	m := &Automaton{letters: d.letters, starts: []int{0}}
	order := []int{0} // a state of d for each class, as the search meets them
	number := map[int]int{class[0]: 0}
	for s := 0; s < len(order); s++ {
		row := make([][]int, len(d.letters))
		for l, to := range d.next[order[s]] {
			t, known := number[class[to[0]]]
			if !known {
				t = len(order)
				number[class[to[0]]] = t
				order = append(order, to[0])
			}
			row[l] = []int{t}
		}
		m.next, m.accepts = append(m.next, row), append(m.accepts, d.accepts[order[s]])
	}
	return m
}

// Difference returns the shortest word that one of two automata accepts and the other does not, in
// alphabetical order the first, and false if they accept the same language.
func (a *Automaton) Difference(b *Automaton) ([]string, bool) {
	letters := slices.Concat(a.letters, b.letters)
	slices.Sort(letters)
	letters = slices.Compact(letters)
	type pairOf struct {
		a, b []int
		word []string
	}
	queue, seen := []pairOf{{a.starts, b.starts, []string{}}}, map[string]bool{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if a.final(at.a) != b.final(at.b) {
			return at.word, true
		}
		for _, l := range letters {
			to := pairOf{a.step(at.a, slices.Index(a.letters, l)), b.step(at.b, slices.Index(b.letters, l)), nil}
			if key := fmt.Sprint(to.a, to.b); !seen[key] {
				seen[key] = true
				to.word = append(slices.Clone(at.word), l)
				queue = append(queue, to)
			}
		}
	}
	return nil, false
}

// Grammar returns a regular grammar of the same language: a non-terminal for each state of the
// minimal automaton from which a word is accepted, rules A -> a B, and A -> ε where A accepts. The
// rules of a state are equally likely.
//
// Errors: an automaton that accepts no word.
func (a *Automaton) Grammar() (*Grammar, error) {
	m := a.Minimal()
	useful := slices.Clone(m.accepts)
	for changed := true; changed; {
		changed = false
		for _, move := range m.Moves() {
			if useful[move.To] && !useful[move.From] {
				useful[move.From], changed = true, true
			}
		}
	}
	if !useful[0] {
		return nil, fault.Argument("Automaton.Grammar", "automaton", "no word accepted", "at least one", "")
	}
	var rules []Rule
	state := func(s int) string { return fmt.Sprintf("⟨%d⟩", s) }
	for _, move := range m.Moves() {
		if useful[move.To] {
			rules = append(rules, Rule{Left: state(move.From), Right: []string{move.Letter, state(move.To)}})
		}
	}
	for _, s := range m.Accepting() {
		rules = append(rules, Rule{Left: state(s)})
	}
	return New(state(0), rules)
}
