package grammar

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// binary is a grammar with right sides of at most two symbols. Long right sides are read through
// symbols that stand for their ends, and terminals in them through symbols that stand for a letter;
// these have one rule of probability 1, so its trees are those of the grammar. Rules have the index
// of the rule of the grammar that they come from, or -1.
type binary struct {
	names   []string
	pairs   []pair // A -> B C
	units   []pair // A -> B
	words   []pair // A -> the terminal b
	empties []pair // A -> the empty word
	byLeft  [][]pair
	byRight [][]pair
	lexicon [][]pair // by terminal
	null    []float64
	steps   []step // what replaces one symbol by one symbol
	star    [][]step
	back    [][]step
	best    *greatest
}

type pair struct {
	a, b, c, rule int
	p, log        float64
}

// A step replaces a by b: by a unit rule, or by a rule of two symbols one of which is empty.
type step struct {
	a, b  int
	p     float64
	by    pair
	empty int // the symbol that is empty, or -1
}

func (g *Grammar) binarise() error {
	b := &binary{names: append([]string(nil), g.symbols[:g.n]...)}
	made := map[string]int{}
	symbol := func(symbols []string, fill func(a int)) int {
		key := strings.Join(symbols, " ") // names hold no blanks
		a, ok := made[key]
		if !ok {
			a = len(b.names)
			made[key] = a
			b.names = append(b.names, "⟨"+strings.Join(symbols, "·")+"⟩")
			fill(a)
		}
		return a
	}
	single := func(s int) int {
		if s < g.n {
			return s
		}
		return symbol([]string{g.symbols[s]}, func(a int) { b.words = append(b.words, pair{a: a, b: s - g.n, rule: -1, p: 1}) })
	}
	var end func(right []int) int
	end = func(right []int) int {
		if len(right) == 1 {
			return single(right[0])
		}
		var names []string
		for _, s := range right {
			names = append(names, g.symbols[s])
		}
		return symbol(names, func(a int) {
			first, rest := single(right[0]), end(right[1:])
			b.pairs = append(b.pairs, pair{a: a, b: first, c: rest, rule: -1, p: 1})
		})
	}
	for i, r := range g.rules {
		to := pair{a: r.left, rule: i, p: r.p, log: math.Log(r.p)}
		switch {
		case r.p == 0:
		case len(r.right) == 0:
			b.empties = append(b.empties, to)
		case len(r.right) > 1:
			to.b, to.c = single(r.right[0]), end(r.right[1:])
			b.pairs = append(b.pairs, to)
		case r.right[0] < g.n:
			to.b = r.right[0]
			b.units = append(b.units, to)
		default:
			to.b = r.right[0] - g.n
			b.words = append(b.words, to)
		}
	}
	n := len(b.names)
	b.byLeft, b.byRight, b.lexicon = make([][]pair, n), make([][]pair, n), make([][]pair, len(g.symbols)-g.n)
	for _, r := range b.pairs {
		b.byLeft[r.b], b.byRight[r.c] = append(b.byLeft[r.b], r), append(b.byRight[r.c], r)
	}
	for _, r := range b.words {
		b.lexicon[r.b] = append(b.lexicon[r.b], r)
	}
	g.bin = b
	b.null = b.leastFixedPoint(b.empties)
	b.replace()
	b.best = b.closeBest()
	return b.closeSums()
}

// positive reports which symbols produce something if the given rules end derivations.
func (b *binary) positive(ends []pair) []bool {
	out := make([]bool, len(b.names))
	for _, r := range ends {
		out[r.a] = true
	}
	for changed := true; changed; {
		changed = false
		for _, r := range b.units {
			if out[r.b] && !out[r.a] {
				out[r.a], changed = true, true
			}
		}
		for _, r := range b.pairs {
			if out[r.b] && out[r.c] && !out[r.a] {
				out[r.a], changed = true, true
			}
		}
	}
	return out
}

// leastFixedPoint returns the least nonnegative solution of
//
//	x_A = sum of p over the ends of A + sum over A -> B of p x_B + sum over A -> B C of p x_B x_C
//
// by Newton's method from 0, which rises to it (Etessami & Yannakakis 2009). At a critical point,
// where the derivative has the eigenvalue 1, about eight digits are right, else all.
func (b *binary) leastFixedPoint(ends []pair) []float64 {
	n := len(b.names)
	x, alive := make([]float64, n), b.positive(ends)
	for range 60 {
		f, jac := mat.NewVecDense(n, nil), identity(n)
		for i := range n {
			f.SetVec(i, -x[i])
		}
		for _, r := range ends {
			f.SetVec(r.a, f.AtVec(r.a)+r.p)
		}
		for _, r := range b.units {
			if alive[r.b] {
				f.SetVec(r.a, f.AtVec(r.a)+r.p*x[r.b])
				jac.Set(r.a, r.b, jac.At(r.a, r.b)-r.p)
			}
		}
		for _, r := range b.pairs {
			if alive[r.b] && alive[r.c] {
				f.SetVec(r.a, f.AtVec(r.a)+r.p*x[r.b]*x[r.c])
				jac.Set(r.a, r.b, jac.At(r.a, r.b)-r.p*x[r.c])
				jac.Set(r.a, r.c, jac.At(r.a, r.c)-r.p*x[r.b])
			}
		}
		var d mat.VecDense
		if err := d.SolveVec(jac, f); err != nil && !conditioned(err) {
			return x
		}
		largest := 0.0
		for i := range n {
			if v := d.AtVec(i); alive[i] && v > 0 {
				x[i] = min(1, x[i]+v)
				largest = max(largest, v)
			}
		}
		if largest < 1e-16 {
			break
		}
	}
	return x
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// conditioned reports whether an error of a solution only warns of its accuracy.
func conditioned(err error) bool {
	c, ok := err.(mat.Condition)
	return ok && !math.IsInf(float64(c), 1)
}

// replace lists the steps between symbols that can produce a word that is not empty.
func (b *binary) replace() {
	ok := make([]bool, len(b.names)) // produces a word that is not empty
	for _, r := range b.words {
		ok[r.a] = true
	}
	empty := b.positive(b.empties)
	for changed := true; changed; {
		changed = false
		mark := func(a int, does bool) {
			if does && !ok[a] {
				ok[a], changed = true, true
			}
		}
		for _, r := range b.units {
			mark(r.a, ok[r.b])
		}
		for _, r := range b.pairs {
			mark(r.a, ok[r.b] && (ok[r.c] || empty[r.c]) || ok[r.c] && empty[r.b])
		}
	}
	for _, r := range b.units {
		if ok[r.b] {
			b.steps = append(b.steps, step{r.a, r.b, r.p, r, -1})
		}
	}
	for _, r := range b.pairs {
		if ok[r.b] && empty[r.c] {
			b.steps = append(b.steps, step{r.a, r.b, r.p * b.null[r.c], r, r.c})
		}
		if ok[r.c] && empty[r.b] {
			b.steps = append(b.steps, step{r.a, r.c, r.p * b.null[r.b], r, r.b})
		}
	}
}

// closeSums computes the rows of (I - U)^-1, where U holds the steps: the sum over all chains of them.
// Where no chain leads from a to c, closeBest knows it, and the rounding of the inverse does not count.
func (b *binary) closeSums() error {
	n := len(b.names)
	b.star, b.back = make([][]step, n), make([][]step, n)
	star := identity(n)
	if len(b.steps) > 0 {
		m := identity(n)
		for _, s := range b.steps {
			m.Set(s.a, s.b, m.At(s.a, s.b)-s.p)
		}
		if err := star.Inverse(m); err != nil && !conditioned(err) {
			return err
		}
	}
	for a := range n {
		for c := range n {
			if v := star.At(a, c); v > 0 && (a == c || b.best.next[a][c] >= 0) {
				b.star[c] = append(b.star[c], step{a: a, b: c, p: v})
				b.back[a] = append(b.back[a], step{a: a, b: c, p: v})
			}
		}
	}
	return nil
}

// greatest holds the most probable chains of steps and derivations of the empty word, as logarithms.
type greatest struct {
	null   []float64 // -Inf for none
	nullBy []pair    // the first rule of the best derivation of the empty word
	chains [][]chain // by the last symbol
	next   [][]int   // next[a][b] is the first step from a to b, as an index of steps, or -1
	logs   []float64 // of the steps
}

type chain struct {
	a   int
	log float64
}

func (b *binary) closeBest() *greatest {
	n := len(b.names)
	g := &greatest{null: make([]float64, n), nullBy: make([]pair, n), chains: make([][]chain, n), next: make([][]int, n)}
	for a := range n {
		g.null[a] = math.Inf(-1)
	}
	for changed := true; changed; {
		changed = false
		try := func(r pair, log float64) {
			if log > g.null[r.a] {
				g.null[r.a], g.nullBy[r.a], changed = log, r, true
			}
		}
		for _, r := range b.empties {
			try(r, r.log)
		}
		for _, r := range b.units {
			try(r, r.log+g.null[r.b])
		}
		for _, r := range b.pairs {
			try(r, r.log+g.null[r.b]+g.null[r.c])
		}
	}
	d := make([][]float64, n)
	for a := range n {
		d[a], g.next[a] = make([]float64, n), make([]int, n)
		for c := range n {
			d[a][c], g.next[a][c] = math.Inf(-1), -1
		}
		d[a][a] = 0
	}
	for i, s := range b.steps {
		log := s.by.log
		if s.empty >= 0 {
			log += g.null[s.empty]
		}
		g.logs = append(g.logs, log)
		if log > d[s.a][s.b] {
			d[s.a][s.b], g.next[s.a][s.b] = log, i
		}
	}
	for k := range n {
		for a := range n {
			for c := range n {
				if v := d[a][k] + d[k][c]; v > d[a][c] {
					d[a][c], g.next[a][c] = v, g.next[a][k]
				}
			}
		}
	}
	for c := range n {
		for a := range n {
			if d[a][c] > math.Inf(-1) {
				g.chains[c] = append(g.chains[c], chain{a, d[a][c]})
			}
		}
	}
	return g
}
