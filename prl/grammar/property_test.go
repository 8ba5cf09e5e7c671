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
	"time"

	"github.com/prlab/prlab/prl/fault"
)

// randomRules returns rules over S, A, B and a, b, with empty right sides and unit rules if asked for.
func randomRules(r *rand.Rand, all bool) []Rule {
	var rules []Rule
	lefts := []string{"S", "A", "B"}[:1+r.IntN(3)]
	symbols := append(slices.Clone(lefts), "a", "b")
	for _, left := range lefts {
		seen := map[string]bool{}
		for range 1 + r.IntN(4) {
			n := r.IntN(4)
			if !all && n < 2 {
				n = 2
			}
			rule := Rule{Left: left, P: 0.05 + r.Float64()}
			for range n {
				rule.Right = append(rule.Right, symbols[r.IntN(len(symbols))])
			}
			if !all && r.IntN(2) == 0 {
				rule.Right = []string{string("ab"[r.IntN(2)])}
			}
			if !seen[rule.Key()] {
				seen[rule.Key()] = true
				rules = append(rules, rule)
			}
		}
	}
	sums := map[string]float64{}
	for _, rule := range rules {
		sums[rule.Left] += rule.P
	}
	for i := range rules {
		rules[i].P /= sums[rules[i].Left]
	}
	return rules
}

func random(r *rand.Rand, all bool) *Grammar { return must(New("S", randomRules(r, all))) }

// Earley and CYK take different ways to the same verdict; the set of all words is a third one.
func TestEarleyIsCYK(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 30))
	accepted, tried := 0, 0
	for round := range 10000 {
		g := random(r, true)
		var language map[string]bool
		if round%20 == 0 {
			language = map[string]bool{}
			for _, w := range g.Language(5) {
				language[strings.Join(w, " ")] = true
			}
		}
		for range 8 {
			w := randomWord(r, 5)
			p, e := parse2(g, w), must(g.Earley(ctx, w))
			if p.Accepted() != e.Accepted || language != nil && language[strings.Join(w, " ")] != e.Accepted {
				t.Fatalf("%v\n%v: CYK %v, Earley %v, language %v", g, w, p.Accepted(), e.Accepted, language)
			}
			if tried++; e.Accepted {
				accepted++
				if tree := p.Tree(); !slices.Equal(tree.Words(), w) || math.Abs(g.LogP(tree)-p.BestLogP("S", 0, len(w))) > 1e-9 {
					t.Fatalf("%v\n%v: tree %v, log P %v, in the chart %v", g, w, tree, g.LogP(tree), p.BestLogP("S", 0, len(w)))
				}
			}
		}
	}
	if accepted < tried/10 {
		t.Errorf("only %d of %d accepted", accepted, tried)
	}
}

// heights counts the trees of each height at most, over the rules as they stand, until nothing
// changes, or endless is true; and it sums their probabilities and takes the greatest.
func heights(g *Grammar, w []string) (count *big.Int, sum, best float64, endless bool) {
	n := len(w)
	rules := g.Rules()
	type cell struct {
		count     *big.Int
		sum, best float64
	}
	at := func(a string, i, j int) string { return fmt.Sprint(a, " ", i, " ", j) }
	table := map[string]cell{}
	for height := 0; ; height++ {
		next, same, long := map[string]cell{}, true, false
		for i := 0; i <= n; i++ {
			for j := i; j <= n; j++ {
				for _, r := range rules {
					if r.P == 0 {
						continue
					}
					ways := map[int]cell{i: {big.NewInt(1), r.P, r.P}}
					for _, s := range r.Right {
						more := map[int]cell{}
						for k, c := range ways {
							for m := k; m <= j; m++ {
								d, ok := table[at(s, k, m)]
								if !slices.Contains(g.NonTerminals(), s) {
									d, ok = cell{big.NewInt(1), 1, 1}, m == k+1 && w[k] == s
								}
								if !ok {
									continue
								}
								e, old := more[m]
								if !old {
									e.count = new(big.Int)
								}
								product := new(big.Int).Mul(c.count, d.count)
								more[m] = cell{product.Add(product, e.count), e.sum + c.sum*d.sum, max(e.best, c.best*d.best)}
							}
						}
						ways = more
					}
					if c, ok := ways[j]; ok {
						e, old := next[at(r.Left, i, j)]
						if !old {
							e.count = new(big.Int)
						}
						next[at(r.Left, i, j)] = cell{new(big.Int).Add(e.count, c.count), e.sum + c.sum, max(e.best, c.best)}
					}
				}
			}
		}
		for k, c := range next {
			if old, ok := table[k]; !ok || old.count.Cmp(c.count) != 0 {
				same = false
			}
			long = long || c.count.BitLen() > 60
		}
		table = next
		if root, ok := table[at("S", 0, n)]; same || height == 40 || long {
			if !ok {
				return new(big.Int), 0, 0, false
			}
			return root.count, root.sum, root.best, !same
		}
	}
}

// Counts, sums and the greatest probability against all trees by height, with the endless cases.
func TestAllTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 30))
	finite, infinite := 0, 0
	for range 600 {
		g := random(r, r.IntN(3) > 0)
		w := randomWord(r, 4)
		p := parse2(g, w)
		count, sum, best, endless := heights(g, w)
		if got := must(p.Count(ctx)); got != nil {
			if endless {
				continue // of a symbol that the sentence does not need
			}
			if got.Cmp(count) != 0 {
				t.Fatalf("%v\n%v: %v trees, want %v", g, w, got, count)
			}
			finite++
			near(t, fmt.Sprint(g, w), p.P(), sum, 1e-9)
			trees := must(p.Trees(ctx, 50))
			if int64(len(trees)) != min(50, got.Int64()) {
				t.Fatalf("%d trees of %v", len(trees), got)
			}
			last, total, seen := math.Inf(1), 0.0, map[string]bool{}
			for _, tree := range trees {
				log := g.LogP(tree)
				if log > last+1e-9 || seen[tree.String()] || !slices.Equal(tree.Words(), w) {
					t.Fatalf("%v\n%v: %v", g, w, trees)
				}
				last, total = log, total+math.Exp(log)
				seen[tree.String()] = true
			}
			if got.Int64() <= 50 {
				near(t, "all trees", total, sum, 1e-9)
			}
		} else {
			infinite++
			if !endless {
				t.Fatalf("%v\n%v: endless, want %v", g, w, count)
			}
			if p.P() < sum*(1-1e-9) {
				t.Fatalf("%v\n%v: P = %v < %v", g, w, p.P(), sum)
			}
		}
		if endless && p.BestLogP("S", 0, len(w)) >= math.Log(best)-1e-9 {
			continue // the heights ended before the best tree
		}
		near(t, fmt.Sprint(g, w, " best"), math.Exp(p.BestLogP("S", 0, len(w))), best, 1e-9)
	}
	if finite < 50 || infinite < 20 {
		t.Errorf("%d finite and %d infinite cases", finite, infinite)
	}
}

// Nothing depends on the order in which rules are written, to the last bit.
func TestOrderOfRules(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 30))
	for range 200 {
		rules := randomRules(r, true)
		g := must(New("S", rules))
		r.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
		h := must(New("S", rules))
		for range 5 {
			w := randomWord(r, 5)
			p, q := parse2(g, w), parse2(h, w)
			if p.LogP() != q.LogP() && math.Abs(p.LogP()-q.LogP()) > 1e-13 || fmt.Sprint(p.Tree()) != fmt.Sprint(q.Tree()) {
				t.Fatalf("%v\n%v: %v %v, %v %v", g, w, p.LogP(), p.Tree(), q.LogP(), q.Tree())
			}
		}
	}
}

// The expected counts are p ∂log P/∂p, by central differences; sums of counts are those of trees.
func TestCountsAreDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 30))
	tested := 0
	for tested < 60 {
		g := random(r, true)
		w := randomWord(r, 5)
		p := parse2(g, w)
		if !p.Accepted() || p.P() < 1e-9 {
			continue
		}
		tested++
		counts := must(p.Outside(ctx)).Counts()
		for i := range g.rules {
			log := func(by float64) float64 {
				h := *g
				h.rules = slices.Clone(g.rules)
				h.rules[i].p *= 1 + by
				if err := h.binarise(); err != nil {
					t.Fatal(err)
				}
				return must(h.Parse(ctx, w)).LogP()
			}
			const step = 1e-5
			near(t, fmt.Sprintf("%v\n%v: count of %v", g, w, g.rule(i)), counts[i], (3*log(0)-4*log(-step)+log(-2*step))/(2*step), 1e-4)
		}
	}
}

// α β summed over the symbols of a word is P in normal form; inside is P.
func TestOutside(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 30))
	tested := 0
	for tested < 100 {
		g, _, err := random(r, true).Normal()
		if err != nil {
			continue
		}
		w := randomWord(r, 6)
		p := parse2(g, w)
		if len(w) == 0 || !p.Accepted() {
			continue
		}
		tested++
		out := must(p.Outside(ctx))
		for i := range w {
			sum := 0.0
			for _, a := range g.NonTerminals() {
				sum += math.Exp(p.LogInside(a, i, i+1) + out.LogP(a, i, i+1) - p.LogP())
			}
			near(t, "the sum of α β", sum, 1, 1e-9)
		}
	}
	unit := must(Read("A -> B", "B -> a"))
	p := parse(unit, "a")
	out := must(p.Outside(ctx))
	near(t, "unit rules count twice", math.Exp(out.LogP("A", 0, 1)+p.LogInside("A", 0, 1))+
		math.Exp(out.LogP("B", 0, 1)+p.LogInside("B", 0, 1)), 2, 1e-14)
}

// Learning never lowers the likelihood, with empty and unit rules too.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 30))
	tested := 0
	for tested < 100 {
		g := random(r, true)
		var sentences [][]string
		for range 4 {
			if w := randomWord(r, 6); parse2(g, w).Accepted() {
				sentences = append(sentences, w)
			}
		}
		if len(sentences) < 2 {
			continue
		}
		tested++
		l := must(g.Fit(ctx, sentences, FitOptions{MaxIter: 15}))
		for i := 1; i < len(l.Trace); i++ {
			if l.Trace[i] < l.Trace[i-1]-1e-8 {
				t.Fatalf("%v\n%v: %v", g, sentences, l.Trace)
			}
		}
	}
	l := must(must(Read("S -> S S | a")).Fit(ctx, [][]string{words("aaa"), words("a")}, FitOptions{}))
	near(t, "one step: 2 branchings, 4 ends", l.Grammar.Rules()[0].P, 1./3, 1e-12)
	if _, err := l.Grammar.Fit(ctx, [][]string{words("b")}, FitOptions{}); !errors.As(err, new(*fault.ArgumentError)) {
		t.Error("a sentence outside of the language was taken")
	}
}

// Chi & Geman: what is learned from trees is tight; the mean matrix has a radius below 1.
func TestFitTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 30))
	for range 200 {
		g := random(r, true)
		var trees []*Tree
		for range 20 {
			if tree, ok := g.Sample(r, 200); ok {
				trees = append(trees, tree)
			}
		}
		if len(trees) == 0 {
			continue
		}
		if fitted := must(g.FitTrees(trees, 0)); fitted.Radius() >= 1 || fitted.Leak() > 1e-9 {
			t.Fatalf("%v\nradius %v, leak %v", fitted, fitted.Radius(), fitted.Leak())
		}
	}
}

func TestSampleFollowsP(t *testing.T) {
	g, r := must(Read("S -> S S [0.4] | a [0.6]")), rand.New(rand.NewPCG(9, 30))
	const draws = 20000
	three, size := 0, 0
	for range draws {
		tree, ok := g.Sample(r, 10000)
		if !ok {
			t.Fatal("a tree did not end")
		}
		n := len(tree.Words())
		size += n
		if n == 3 {
			three++
		}
	}
	near(t, "share of aaa", float64(three)/draws, 0.06912, 4*math.Sqrt(.07*.93/draws))
	near(t, "mean length", float64(size)/draws, 3, 0.1)
}

// Best-first finds the tree of the chart; A* takes at most as many items; greedy search can err.
func TestBestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 30))
	tested, wrong, fewer := 0, 0, 0
	for tested < 200 {
		g := random(r, true)
		w := randomWord(r, 7)
		p := parse2(g, w)
		if len(w) == 0 {
			continue
		}
		inside, star := must(g.BestFirst(ctx, w, SearchOptions{})), must(g.BestFirst(ctx, w, SearchOptions{Bound: 1}))
		if (inside.Tree != nil) != p.Accepted() || (star.Tree != nil) != p.Accepted() {
			t.Fatalf("%v\n%v: %v %v %v", g, w, inside.Tree, star.Tree, p.Accepted())
		}
		if !p.Accepted() {
			continue
		}
		tested++
		best := p.BestLogP("S", 0, len(w))
		for _, s := range []*Search{inside, star} {
			near(t, fmt.Sprint(g, w), s.LogP, best, 1e-9)
			near(t, "tree", g.LogP(s.Tree), best, 1e-9)
		}
		if len(star.Items) < len(inside.Items) {
			fewer++
		}
		if greedy := must(g.BestFirst(ctx, w, SearchOptions{PerWord: 3})); greedy.LogP < best-1e-9 {
			wrong++
		}
	}
	if wrong == 0 || fewer < 100 {
		t.Errorf("greedy was wrong %d times, A* took fewer items %d times of %d", wrong, fewer, tested)
	}
}

// Long sentences neither underflow nor run on after an interrupt.
func TestLongSentences(t *testing.T) {
	g := must(Read("S -> S S [0.4] | a [0.3] | b [0.3]"))
	n := 250
	p := must(g.Parse(ctx, slices.Repeat([]string{"a", "b"}, n/2)))
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	catalan := lgamma(2*float64(n)-1) - lgamma(float64(n)) - lgamma(float64(n)+1)
	near(t, "log P", p.LogP(), catalan+float64(n-1)*math.Log(.4)+float64(n)*math.Log(.3), 1e-10)
	stopped, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	long := slices.Repeat([]string{"a"}, 1000)
	begin := time.Now()
	_, err1 := g.Parse(stopped, long)
	_, err2 := g.Earley(stopped, long)
	_, err3 := g.BestFirst(stopped, long, SearchOptions{Bound: 1})
	_, err4 := g.Fit(stopped, [][]string{long}, FitOptions{})
	for _, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	if d := time.Since(begin); d > 2*time.Second {
		t.Errorf("stopped after %v", d)
	}
}

// steps counts what Earley's algorithm does: the items, and for each finished item those that waited
// for it.
func steps(e *Earley) (count int) {
	for _, set := range e.sets {
		count += len(set)
		for _, i := range set {
			r := e.rules[i.rule]
			if i.dot < len(r.right) {
				continue
			}
			for _, w := range e.sets[i.origin] {
				if right := e.rules[w.rule].right; w.dot < len(right) && right[w.dot] == r.left {
					count++
				}
			}
		}
	}
	return count
}

// Steps grow with the cube of the length where a sentence has many trees, with its square for a
// grammar without ambiguity, and linearly for regular rules that lean to the left (Earley 1970).
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		rule        string
		lowest, top float64
	}{{"S -> S S | a", 2.7, 3.3}, {"S -> a S a | a", 1.7, 2.3}, {"S -> S a | a", 0.9, 1.3}} {
		g := must(Read(c.rule))
		work := func(n int) float64 {
			e := must(g.Earley(ctx, slices.Repeat([]string{"a"}, n)))
			if !e.Accepted {
				t.Fatalf("%v: %d words are refused", c.rule, n)
			}
			return float64(steps(e))
		}
		for _, n := range []int{41, 81} {
			exponent := math.Log2(work(2*n-1) / work(n))
			t.Logf("%v: %d steps for %d words, exponent %.3f", c.rule, int(work(n)), n, exponent)
			if exponent < c.lowest || exponent > c.top {
				t.Errorf("%v: exponent %.3f from %d words, want %v to %v", c.rule, exponent, n, c.lowest, c.top)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("S -> S S [0.4] | a [0.6]", "aab")
	f.Add("S -> A 'b' | ε\nA -> S | a", "ab")
	f.Fuzz(func(t *testing.T, text, sentence string) {
		if len(text) > 200 || len(sentence) > 8 {
			return
		}
		g, err := Read(text)
		if err != nil {
			return
		}
		w := strings.Split(sentence, "")
		p, e := parse2(g, w), must(g.Earley(ctx, w))
		if p.Accepted() != e.Accepted {
			t.Errorf("%v\n%v: CYK %v, Earley %v", g, w, p.Accepted(), e.Accepted)
		}
		if p.Accepted() && !slices.Equal(p.Tree().Words(), w) {
			t.Errorf("%v\n%v: %v", g, w, p.Tree())
		}
	})
}
