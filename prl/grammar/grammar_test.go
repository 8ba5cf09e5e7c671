package grammar

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

var ctx = context.Background()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

func words(s string) []string {
	if strings.Contains(s, " ") {
		return strings.Fields(s)
	}
	return strings.Split(s, "")[:len([]rune(s))]
}

func parse(g *Grammar, s string) *Parse { return must(g.Parse(ctx, words(s))) }

// Manning & Schütze (1999), chapter 11; Hopcroft & Ullman (1979), figure 6.8.
func TestByHand(t *testing.T) {
	astronomers := must(Read("S -> NP VP", "PP -> P NP", "VP -> V NP [0.7] | VP PP [0.3]", "P -> with", "V -> saw",
		"NP -> NP PP [0.4] | astronomers [0.1] | ears [0.18] | saw [0.04] | stars [0.18] | telescopes [0.1]"))
	p := parse(astronomers, "astronomers saw stars with ears")
	near(t, "P", p.P(), 0.0015876, 1e-14)
	trees := must(p.Trees(ctx, 9))
	if len(trees) != 2 || must(p.Count(ctx)).Int64() != 2 || trees[0].String() != p.Tree().String() {
		t.Fatalf("trees: %v, count %v, best %v", trees, must(p.Count(ctx)), p.Tree())
	}
	near(t, "best", math.Exp(astronomers.LogP(trees[0])), 0.0009072, 1e-14)
	near(t, "second", math.Exp(astronomers.LogP(trees[1])), 0.0006804, 1e-14)
	near(t, "posterior", p.Posterior(trees[0]), 4./7, 1e-14)
	near(t, "best in the chart", p.BestLogP("S", 0, 5), math.Log(0.0009072), 1e-14)
	if want := "(S (NP astronomers) (VP (V saw) (NP (NP stars) (PP (P with) (NP ears)))))"; trees[0].String() != want {
		t.Errorf("best tree %s", trees[0])
	}

	hopcroft := must(Read("S -> A B | B C", "A -> B A | a", "B -> C C | b", "C -> A B | a"))
	p = parse(hopcroft, "baaba")
	if got := p.Cell(1, 5); !slices.Equal(got, []string{"S", "A", "C"}) || must(p.Count(ctx)).Int64() != 2 || p.Splits() != 20 {
		t.Errorf("cell %v, %v trees, %d splits", got, must(p.Count(ctx)), p.Splits())
	}

	branch := must(Read("S -> S S [0.4] | a [0.6]"))
	for n, want := range []float64{.6, .144, .06912, .041472} {
		near(t, "P(a^n)", parse(branch, strings.Repeat("a", n+1)).P(), want, 1e-14)
	}
	near(t, "mean length", branch.ExpectedLength(), 3, 1e-12)
	near(t, "no leak", branch.Leak(), 0, 1e-12)
	leaky := must(Read("S -> S S [0.6] | a [0.4]"))
	near(t, "termination", leaky.Termination()[0], 2./3, 1e-14)
	near(t, "radius", leaky.Radius(), 1.2, 1e-14)
	near(t, "critical", must(Read("S -> S S | a")).Leak(), 0, 1e-7)
	if got, want := must(parse(branch, strings.Repeat("a", 20)).Count(ctx)).String(), "1767263190"; got != want {
		t.Errorf("a^20 has %s trees, want %s", got, want)
	}
	if n := new(big.Int).Binomial(198, 99); must(parse(branch, strings.Repeat("a", 100)).Count(ctx)).Cmp(n.Div(n, big.NewInt(100))) != 0 {
		t.Error("a^100 does not have Catalan(99) trees")
	}
}

func TestEarleyByHand(t *testing.T) {
	g := must(Read("P -> S", "S -> S + M | M", "M -> M * T | T", "T -> number"))
	e := must(g.Earley(ctx, words("number + number * number")))
	if !e.Accepted || !slices.Equal(e.Sizes(), []int{6, 6, 4, 6, 2, 6}) {
		t.Errorf("accepted %v, sizes %v", e.Accepted, e.Sizes())
	}
	got := must(g.Earley(ctx, words("number + + number")))
	if got.Valid() != 2 || got.Accepted || !slices.Equal(got.Next(), []string{"number"}) {
		t.Errorf("valid %d, next %v", got.Valid(), got.Next())
	}
	if got := e.Sets()[0][0].String(); got != "[P -> · S, 0]" {
		t.Error(got)
	}
	for _, c := range []struct {
		rule string
		want int
	}{{"S -> S a | a", 82}, {"S -> a S | a", 942}, {"S -> S S | a", 1722}} {
		sum := 0
		for _, n := range must(must(Read(c.rule)).Earley(ctx, slices.Repeat([]string{"a"}, 40))).Sizes() {
			sum += n
		}
		if sum < c.want-2 || sum > c.want+2 {
			t.Errorf("%s: %d items on a^40, want about %d", c.rule, sum, c.want)
		}
	}
}

// Symbols that derive themselves, empty words and unit chains.
func TestCycles(t *testing.T) {
	g := must(Read("S -> S S [0.2] | A [0.3] | ε [0.1] | a [0.4]", "A -> S [0.5] | b [0.5]"))
	p := parse(g, "ab")
	if must(p.Count(ctx)) != nil || !p.Accepted() {
		t.Errorf("count %v, accepted %v", must(p.Count(ctx)), p.Accepted())
	}
	if _, err := p.Trees(ctx, 1); !errors.As(err, new(*fault.ArgumentError)) {
		t.Error("no error for infinitely many trees")
	}
	if got := p.Tree().String(); got != "(S (S a) (S (A b)))" {
		t.Error(got)
	}
	x := (1 - math.Sqrt(1-4*.2*.1/(1-.15)/(1-.15))) / (2 * .2 / (1 - .15)) // x = .2x² + .3·.5x + .1
	near(t, "P(empty)", must(g.Parse(ctx, nil)).P(), x, 1e-12)
	near(t, "P(b)", parse(g, "b").P(), .15/(1-.15-.4*x), 1e-12)
	if tree := must(g.Parse(ctx, nil)).Tree(); tree.String() != "(S)" {
		t.Error(tree)
	}
	normal, mass, err := g.Normal()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"a", "b", "ab", "abba", "bbbbb"} {
		near(t, s, mass*parse(normal, s).P(), parse(g, s).P(), 1e-12)
	}
}

func TestFaults(t *testing.T) {
	g := must(Read("S -> a | B", "B -> B b", "C -> c"))
	if got := strings.Join(g.Faults(), "; "); got != "B produces nothing; C is never reached" {
		t.Error(got)
	}
	for _, lines := range [][]string{
		{},
		{"S a"},
		{"S -> 'S'"},
		{"S -> a [x]"},
		{"S -> a [0.5] | b [0.4]"},
		{"S -> a | a"},
		{"S -> a [-1] | b [2]"},
		{" -> a"},
	} {
		if _, err := Read(lines...); !errors.As(err, new(*fault.ArgumentError)) {
			t.Errorf("%q: error %v", lines, err)
		}
	}
	if got := must(Read("S → 'NP' X [1]", "X -> ε")).Terminals(); !slices.Equal(got, []string{"NP"}) {
		t.Error(got)
	}
}

func TestLanguage(t *testing.T) {
	g := must(Read("S -> a S b | a b"))
	counts := make([]int, 9)
	for _, w := range g.Language(8) {
		counts[len(w)]++
	}
	if !slices.Equal(counts, []int{0, 0, 1, 0, 1, 0, 1, 0, 1}) {
		t.Error(counts)
	}
	abc := must(ReadRewriting("S -> a S B C | a B C", "C B -> C Z", "C Z -> W Z", "W Z -> W C", "W C -> B C", "a B -> a b", "b B -> b b",
		"b C -> b c", "c C -> c c"))
	w, forms, err := abc.Words(ctx, 12)
	if err != nil || len(w) != 4 || strings.Join(w[3], "") != "aaaabbbbcccc" || forms != 892 || abc.Kind() != 1 {
		t.Errorf("%v, %d forms, kind %d, %v", w, forms, abc.Kind(), err)
	}
	for text, want := range map[string]int{"C B -> B C": 0, "S -> a S | b": 3, "S -> S a": 2, "S -> ε": 0, "A -> B": 2, "a A b -> a b": 0} {
		if got := must(ReadRewriting(text)).Kind(); got != want {
			t.Errorf("%s has kind %d, want %d", text, got, want)
		}
	}
}

func TestAutomata(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 30))
	for range 300 {
		n := 1 + r.IntN(5)
		var moves []Move
		for range r.IntN(3 * n) {
			moves = append(moves, Move{r.IntN(n), r.IntN(n), string("ab"[r.IntN(2)])})
		}
		a := must(NewAutomaton(n, []int{r.IntN(n)}, []int{r.IntN(n), r.IntN(n)}, moves))
		m := a.Minimal()
		if _, different := a.Difference(m); different {
			t.Fatal("the minimal automaton accepts other words")
		}
		text := a.Expression()
		if text == "" {
			if m.States() != 1 || m.Accepts(nil) {
				t.Fatal("no expression")
			}
			continue
		}
		back := must(Expression(text))
		if w, different := a.Difference(back); different {
			t.Fatalf("%v -> %s differs on %v", moves, text, w)
		}
		if back.Minimal().States() != m.States() && len(back.letters) == len(m.letters) {
			t.Fatalf("%s: %d states, and %d", text, m.States(), back.Minimal().States())
		}
		g := must(a.Grammar())
		again := must(g.Automaton())
		for range 30 {
			w := randomWord(r, 7)
			if want := a.Accepts(w); again.Accepts(w) != want || parse2(g, w).Accepted() != want {
				t.Fatalf("%v: the grammar differs", w)
			}
		}
	}
	// Words whose third letter from the end is a: 8 states (2^3), from 4.
	if got := must(Expression("(a|b)*a(a|b)(a|b)")).Minimal().States(); got != 8 {
		t.Errorf("%d states, want 8", got)
	}
	for _, text := range []string{"", "(", "a|", "a)", "*", "(a"} {
		if _, err := Expression(text); !errors.As(err, new(*fault.ArgumentError)) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if _, err := must(Read("S -> S a | b")).Automaton(); !errors.As(err, new(*fault.ArgumentError)) {
		t.Error("a left-linear grammar was taken")
	}
}

func parse2(g *Grammar, w []string) *Parse { return must(g.Parse(ctx, w)) }

func randomWord(r *rand.Rand, longest int) []string {
	w := make([]string, r.IntN(longest+1))
	for i := range w {
		w[i] = string("ab"[r.IntN(2)])
	}
	return w
}

// A sentence outside the language has no tree; asking for its share or its probability gives 0.
func TestNoTree(t *testing.T) {
	g := must(Read("S -> A", "A -> a | a A"))
	p := parse(g, "b")
	if p.Tree() != nil || p.Posterior(p.Tree()) != 0 || g.LogP(p.Tree()) != math.Inf(-1) || p.Tree().String() != "no tree" {
		t.Errorf("no tree: %v", p.Tree())
	}
	if _, err := g.FitTrees([]*Tree{nil}, 0); err == nil {
		t.Error("a nil tree was counted")
	}
	p = parse(g, "a")
	near(t, "the tree from the start symbol", p.Posterior(p.Tree()), 1, 1e-12)
	near(t, "its part from another symbol", p.Posterior(p.Tree().Children[0]), 0, 0)
	one := must(Read("S -> a b c | a·b d"))
	if parse(one, "a b d").Accepted() || !parse(one, "a·b d").Accepted() {
		t.Error("a name with a dot was taken for two symbols")
	}
	r := rand.New(rand.NewPCG(1386, 30))
	for range 2000 { // rounding in the chains of unit rules gave words outside the language 1e-18
		u, v, w, x := r.Float64(), r.Float64(), r.Float64(), r.Float64()
		g := must(Read(fmt.Sprintf("S -> S [%.17g] | a [%.17g] | a A b [%.17g]", u, (1-u)*v, (1-u)*(1-v)), "A -> B",
			fmt.Sprintf("B -> S [%.17g] | B [%.17g] | B A B [%.17g]", w, (1-w)*x, (1-w)*(1-x))))
		if p := parse(g, "a a a"); p.P() != 0 || p.Accepted() {
			t.Fatalf("aaa is not of this language, but has P = %g", p.P())
		}
	}
}
