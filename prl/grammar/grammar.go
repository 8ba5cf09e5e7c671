package grammar

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// A Rule replaces one non-terminal by a list of symbols, with probability P among the rules of the
// same left side. An empty Right is the empty word.
type Rule struct {
	Left  string
	Right []string
	P     float64
}

// String writes the rule as New reads it: "S -> NP VP [0.7]".
func (r Rule) String() string {
	right := strings.Join(r.Right, " ")
	if right == "" {
		right = "ε"
	}
	return fmt.Sprintf("%s -> %s [%.4g]", r.Left, right, r.P)
}

// Key returns the rule without its probability: "S -> NP VP".
func (r Rule) Key() string {
	s := r.String()
	return s[:strings.LastIndex(s, " [")]
}

// A Grammar is a stochastic context-free grammar (V_N, V_T, R, p, s). It never changes. Its rules
// stand in one order, that of their left sides (the start symbol first) and right sides, so that no
// result depends on the order in which they were written.
type Grammar struct {
	symbols []string // the n non-terminals, the start symbol first, then the terminals
	n       int
	rules   []rule
	bin     *binary
}

type rule struct {
	left  int
	right []int
	p     float64
}

// Read returns the grammar of rules in words, one or several alternatives a line:
//
//	S -> NP VP [0.7] | VP [0.3]
//	NP -> 'she' | ε
//
// Symbols are parted by blanks. A quoted symbol is a terminal; another symbol is a non-terminal if
// it stands on a left side, else a terminal. The first left side is the start symbol. Probabilities
// stand in brackets; where a left side has none, its rules are equally likely. The empty word is
// written ε. Empty lines are left out.
//
// Errors: a line without arrow, a quoted symbol that is also a left side, and those of New.
func Read(lines ...string) (*Grammar, error) {
	const op = "grammar.Read"
	var rules []Rule
	var quoted []string
	for _, line := range strings.Split(strings.Join(lines, "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		left, right, ok := strings.Cut(strings.ReplaceAll(line, "→", "->"), "->")
		if !ok {
			return nil, fault.Argument(op, "rule", line, "a left side, an arrow and a right side", `write "S -> a S b"`)
		}
		for alternative := range strings.SplitSeq(right, "|") {
			r := Rule{Left: strings.TrimSpace(left)}
			for _, word := range strings.Fields(alternative) {
				if inner, ok := strings.CutPrefix(word, "["); ok {
					p, err := strconv.ParseFloat(strings.TrimSuffix(inner, "]"), 64)
					if err != nil || !strings.HasSuffix(inner, "]") {
						return nil, fault.Argument(op, "probability", word, "a number in brackets", "")
					}
					r.P = p
					continue
				}
				if len(word) > 2 && word[0] == '\'' && strings.HasSuffix(word, "'") {
					word = word[1 : len(word)-1]
					quoted = append(quoted, word)
				}
				if word != "ε" {
					r.Right = append(r.Right, word)
				}
			}
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return nil, fault.Argument(op, "rules", "none", "at least one", "")
	}
	for _, r := range rules {
		if slices.Contains(quoted, r.Left) {
			return nil, fault.Argument(op, "symbol", r.Left, "a terminal or a non-terminal, not both", "name the non-terminal otherwise")
		}
	}
	g, err := New(rules[0].Left, rules)
	return g, fault.In(op, err)
}

// New returns the grammar of rules with the given start symbol. Left sides are non-terminals, all
// other symbols are terminals. If all rules of a left side have P = 0, they are equally likely;
// otherwise a rule with P = 0 is never used.
//
// Errors: a start symbol without a rule, an empty name of a symbol, a rule that stands twice,
// probabilities that are negative or whose sum for one left side differs from 1 by more than 1e-9.
func New(start string, rules []Rule) (*Grammar, error) {
	const op = "grammar.New"
	lefts := map[string]bool{}
	for _, r := range rules {
		lefts[r.Left] = true
	}
	if !lefts[start] {
		return nil, fault.Argument(op, "start symbol", start, "the left side of a rule", "")
	}
	g := &Grammar{symbols: []string{start}}
	for _, side := range []bool{true, false} {
		var names []string
		for _, r := range rules {
			for _, s := range append([]string{r.Left}, r.Right...) {
				if s == "" || strings.ContainsAny(s, " \t\n") {
					return nil, fault.Argument(op, "symbol", s, "a name without blanks", "")
				}
				if s != start && lefts[s] == side {
					names = append(names, s)
				}
			}
		}
		slices.Sort(names)
		g.symbols = append(g.symbols, slices.Compact(names)...)
		if side {
			g.n = len(g.symbols)
		}
	}
	for _, r := range rules {
		to := rule{left: g.index(r.Left), right: make([]int, len(r.Right)), p: r.P}
		for i, s := range r.Right {
			to.right[i] = g.index(s)
		}
		if !(r.P >= 0 && r.P <= 1+1e-9) {
			return nil, fault.Argument(op, "probability of "+r.Key(), r.P, "a number in [0, 1]", "")
		}
		g.rules = append(g.rules, to)
	}
	slices.SortStableFunc(g.rules, func(a, b rule) int {
		if a.left != b.left {
			return a.left - b.left
		}
		return slices.Compare(a.right, b.right)
	})
	for i := 1; i < len(g.rules); i++ {
		if a, b := g.rules[i-1], g.rules[i]; a.left == b.left && slices.Equal(a.right, b.right) {
			return nil, fault.Argument(op, "rules", g.rule(i).Key()+" twice", "each rule once", "add the probabilities")
		}
	}
	if err := g.share(op); err != nil {
		return nil, err
	}
	return g, g.binarise()
}

// share makes the rules of left sides without probabilities equally likely, and scales the sums to 1.
func (g *Grammar) share(op string) error {
	for a := range g.n {
		sum, of := 0.0, g.of(a)
		for _, r := range of {
			sum += r.p
		}
		for i := range of {
			switch {
			case sum == 0:
				of[i].p = 1 / float64(len(of))
			case math.Abs(sum-1) > 1e-9:
				need := "a sum of 1"
				return fault.Argument(op, "probabilities of "+g.symbols[a], fmt.Sprintf("sum %.6g", sum), need, "divide them by their sum")
			default:
				of[i].p /= sum
			}
		}
	}
	return nil
}

// of returns the rules with left side a.
func (g *Grammar) of(a int) []rule {
	lo, _ := slices.BinarySearchFunc(g.rules, a, func(r rule, a int) int { return r.left - a })
	hi, _ := slices.BinarySearchFunc(g.rules, a+1, func(r rule, a int) int { return r.left - a })
	return g.rules[lo:hi]
}

// index returns the number of a symbol, or -1.
func (g *Grammar) index(s string) int { return slices.Index(g.symbols, s) }

func (g *Grammar) rule(i int) Rule {
	r := g.rules[i]
	out := Rule{Left: g.symbols[r.left], P: r.p}
	for _, s := range r.right {
		out.Right = append(out.Right, g.symbols[s])
	}
	return out
}

// Rules returns the rules in their order.
func (g *Grammar) Rules() []Rule {
	out := make([]Rule, len(g.rules))
	for i := range out {
		out[i] = g.rule(i)
	}
	return out
}

// Start returns the start symbol.
func (g *Grammar) Start() string { return g.symbols[0] }

// NonTerminals returns V_N, the start symbol first, the others in alphabetical order.
func (g *Grammar) NonTerminals() []string { return slices.Clone(g.symbols[:g.n]) }

// Terminals returns V_T in alphabetical order.
func (g *Grammar) Terminals() []string { return slices.Clone(g.symbols[g.n:]) }

// String writes the rules, one a line.
func (g *Grammar) String() string {
	var lines []string
	for _, r := range g.Rules() {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "\n")
}

// Faults names what cannot take part in a derivation: "A is never reached", "B produces nothing".
// The grammar still works; such symbols and their rules have no effect.
func (g *Grammar) Faults() (faults []string) {
	reached, productive := g.useful()
	for a, name := range g.symbols[:g.n] {
		if !reached[a] {
			faults = append(faults, name+" is never reached")
		}
		if !productive[a] {
			faults = append(faults, name+" produces nothing")
		}
	}
	return faults
}

// useful reports which symbols are reached from the start, and which produce terminal words.
func (g *Grammar) useful() (reached, productive []bool) {
	reached, productive = make([]bool, len(g.symbols)), make([]bool, len(g.symbols))
	reached[0] = true
	for t := g.n; t < len(g.symbols); t++ {
		productive[t] = true
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.rules {
			if r.p == 0 {
				continue
			}
			all := true
			for _, s := range r.right {
				if reached[r.left] && !reached[s] {
					reached[s], changed = true, true
				}
				all = all && productive[s]
			}
			if all && !productive[r.left] {
				productive[r.left], changed = true, true
			}
		}
	}
	return reached, productive
}

// Language returns the words of the language with at most maxLength symbols, short ones first. It
// collects the words of each non-terminal until no rule adds one, and parses nothing.
func (g *Grammar) Language(maxLength int) [][]string {
	words := make([]map[string]int, len(g.symbols)) // the word, with blanks, and its length
	for s := range words {
		words[s] = map[string]int{}
		if s >= g.n && maxLength > 0 {
			words[s][g.symbols[s]+" "] = 1
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.rules {
			if r.p == 0 {
				continue
			}
			made := map[string]int{"": 0}
			for _, s := range r.right {
				longer := map[string]int{}
				for w, n := range made {
					for v, m := range words[s] {
						if n+m <= maxLength {
							longer[w+v] = n + m
						}
					}
				}
				made = longer
			}
			for w, n := range made {
				if _, old := words[r.left][w]; !old {
					words[r.left][w], changed = n, true
				}
			}
		}
	}
	var out [][]string
	for w := range words[0] {
		out = append(out, strings.Fields(w))
	}
	slices.SortFunc(out, func(a, b []string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return out
}
