package grammar

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Termination returns for each non-terminal the probability that its tree ends: the least solution
// of T_A = sum over the rules of A of p times the product of T over the right side.
func (g *Grammar) Termination() []float64 {
	return g.bin.leastFixedPoint(slices.Concat(g.bin.words, g.bin.empties))[:g.n]
}

// Leak returns the probability that a tree from the start symbol never ends, 1 - T_s.
func (g *Grammar) Leak() float64 { return 1 - g.Termination()[0] }

// Means returns the matrix M: M_AB is how many B are expected in the right side of a rule of A.
func (g *Grammar) Means() *mat.Dense {
	m := mat.NewDense(g.n, g.n, nil)
	for _, r := range g.rules {
		for _, s := range r.right {
			if s < g.n {
				m.Set(r.left, s, m.At(r.left, s)+r.p)
			}
		}
	}
	return m
}

// Radius returns the spectral radius of Means over the symbols that are reached and produce
// something. Below 1 every tree ends, and its expected size is finite.
func (g *Grammar) Radius() float64 {
	reached, productive := g.useful()
	var keep []int
	for a := range g.n {
		if reached[a] && productive[a] {
			keep = append(keep, a)
		}
	}
	if len(keep) == 0 {
		return 0
	}
	m, full := mat.NewDense(len(keep), len(keep), nil), g.Means()
	for i, a := range keep {
		for j, b := range keep {
			m.Set(i, j, full.At(a, b))
		}
	}
	var eig mat.Eigen
	if !eig.Factorize(m, mat.EigenNone) {
		return math.NaN()
	}
	radius := 0.0
	for _, v := range eig.Values(nil) {
		radius = max(radius, math.Hypot(real(v), imag(v)))
	}
	return radius
}

// ExpectedLength returns the mean number of words of a sentence, +Inf if Radius is 1 or more.
func (g *Grammar) ExpectedLength() float64 {
	if g.Radius() >= 1 {
		return math.Inf(1)
	}
	m, words := g.Means(), mat.NewVecDense(g.n, nil)
	m.Sub(identity(g.n), m)
	for _, r := range g.rules {
		for _, s := range r.right {
			if s >= g.n {
				words.SetVec(r.left, words.AtVec(r.left)+r.p)
			}
		}
	}
	var e mat.VecDense
	if err := e.SolveVec(m, words); err != nil && !conditioned(err) {
		return math.Inf(1)
	}
	return e.AtVec(0)
}

// Normal returns the grammar in Chomsky normal form, A -> B C or A -> a, that generates the same
// words except the empty one, and the probability mass of these words: P(w) = mass · P'(w). In four
// steps long rules are cut, letters in company get a symbol of their own, empty parts and chains of
// unit rules are summed by (I - U)^-1, and useless symbols fall away. Each rule is then weighted by
// the probability that its right side ends, which makes the probabilities of the new grammar sum to 1
// also where the old one loses mass.
//
// Errors: a language that has no word but the empty one.
func (g *Grammar) Normal() (*Grammar, float64, error) {
	const op = "grammar.Grammar.Normal"
	b := g.bin
	type key struct{ a, b, c int }
	weights := map[key]float64{}
	for _, r := range b.pairs {
		for _, s := range b.star[r.a] {
			weights[key{s.a, r.b, r.c}] += s.p * r.p
		}
	}
	var ends []pair
	for _, r := range b.words {
		for _, s := range b.star[r.a] {
			weights[key{s.a, r.b, -1}] += s.p * r.p
			ends = append(ends, pair{a: s.a, p: s.p * r.p})
		}
	}
	normal := &binary{names: b.names}
	for k, w := range weights {
		if k.c >= 0 {
			normal.pairs = append(normal.pairs, pair{a: k.a, b: k.b, c: k.c, p: w})
		}
	}
	slices.SortFunc(normal.pairs, func(x, y pair) int { return slices.Compare([]int{x.a, x.b, x.c}, []int{y.a, y.b, y.c}) })
	ends = slices.DeleteFunc(ends, func(r pair) bool { return r.p == 0 })
	mass := normal.leastFixedPoint(ends)
	if mass[0] == 0 {
		return nil, 0, fault.Argument(op, "language", "no word that is not empty", "at least one", "")
	}
	reached, stack := map[int]bool{0: true}, []int{0}
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, r := range normal.pairs {
			if r.a != a || mass[r.b] == 0 || mass[r.c] == 0 {
				continue
			}
			for _, s := range []int{r.b, r.c} {
				if !reached[s] {
					reached[s] = true
					stack = append(stack, s)
				}
			}
		}
	}
	var rules []Rule
	sums := map[string]float64{}
	for k, w := range weights {
		if !reached[k.a] || mass[k.a] == 0 {
			continue
		}
		r := Rule{Left: b.names[k.a], P: w / mass[k.a]}
		if k.c >= 0 {
			r.Right, r.P = []string{b.names[k.b], b.names[k.c]}, r.P*mass[k.b]*mass[k.c]
		} else {
			r.Right = []string{g.symbols[g.n+k.b]}
		}
		if r.P > 0 {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(x, y Rule) int {
		return slices.Compare(append([]string{x.Left}, x.Right...), append([]string{y.Left}, y.Right...))
	})
	for _, r := range rules {
		sums[r.Left] += r.P
	}
	for i := range rules {
		rules[i].P /= sums[rules[i].Left] // a critical point is known to eight digits only
	}
	out, err := New(g.symbols[0], rules)
	return out, mass[0], fault.In(op, err)
}
