package grammar

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// sums are the inside probabilities of a sentence. The numbers of a cell share a power
// of two, so that long sentences do not underflow.
type sums struct {
	in    [][]float64 // by cell, then symbol
	inExp []int
	live  [][]int
}

// inside fills a cell with the inside probabilities: the sum in place of the maximum.
func (p *Parse) inside(i, j int) {
	s, b := p.sums, p.g.bin
	own, top := make([]float64, len(b.names)), math.MinInt
	for k := i + 1; k < j; k++ {
		if len(s.live[p.cell(i, k)]) > 0 && len(s.live[p.cell(k, j)]) > 0 {
			top = max(top, s.inExp[p.cell(i, k)]+s.inExp[p.cell(k, j)])
		}
	}
	if j == i+1 {
		top = 0
		for _, r := range p.lexicon(i) {
			own[r.a] += r.p
		}
	}
	for k := i + 1; k < j && top > math.MinInt; k++ {
		left, right := p.cell(i, k), p.cell(k, j)
		scale := math.Ldexp(1, s.inExp[left]+s.inExp[right]-top)
		for _, x := range s.live[left] {
			for _, r := range b.byLeft[x] {
				own[r.a] += scale * r.p * s.in[left][x] * s.in[right][r.c]
			}
		}
	}
	s.close(p.cell(i, j), own, top, b.star)
}

// lexicon returns the rules that write a word of the sentence.
func (p *Parse) lexicon(i int) []pair {
	if t := p.g.index(p.words[i]); t >= p.g.n {
		return p.g.bin.lexicon[t-p.g.n]
	}
	return nil
}

// close sums over chains of steps and scales the cell.
func (s *sums) close(cell int, own []float64, exp int, star [][]step) {
	all := make([]float64, len(own))
	for x, v := range own {
		if v != 0 {
			for _, c := range star[x] {
				all[c.a] += c.p * v
			}
		}
	}
	s.in[cell], s.inExp[cell] = scaled(all, exp)
	for a, v := range all {
		if v > 0 {
			s.live[cell] = append(s.live[cell], a)
		}
	}
}

// scaled divides values by a power of two so that the largest is in [1/2, 1).
func scaled(values []float64, exp int) ([]float64, int) {
	top := 0.0
	for _, v := range values {
		top = max(top, v)
	}
	if top == 0 {
		return values, 0
	}
	_, e := math.Frexp(top)
	for i := range values {
		values[i] = math.Ldexp(values[i], -e)
	}
	return values, exp + e
}

// LogP returns the logarithm of the probability of the sentence, the sum over all its trees; -Inf if
// it has none.
func (p *Parse) LogP() float64 { return p.LogInside(p.g.symbols[0], 0, len(p.words)) }

// P returns the probability of the sentence; it may underflow to 0 where LogP does not.
func (p *Parse) P() float64 { return math.Exp(p.LogP()) }

// LogInside returns log β: the logarithm of P(A ⇒* words from i inclusive to j exclusive).
func (p *Parse) LogInside(symbol string, i, j int) float64 {
	a := slices.Index(p.g.symbols[:p.g.n], symbol)
	switch {
	case a < 0 || i < 0 || j > len(p.words) || i > j:
		return math.Inf(-1)
	case i == j:
		return math.Log(p.g.bin.null[a])
	}
	return math.Log(p.sums.in[p.cell(i, j)][a]) + float64(p.sums.inExp[p.cell(i, j)])*math.Ln2
}

// Outside holds the outside probabilities of a sentence, and with them the expected counts of rules.
type Outside struct {
	p      *Parse
	out    [][]float64 // by cell, then symbol
	outExp []int
}

// LogP returns log α: the logarithm of P(s ⇒* words before i, A, words from j on), for i < j.
func (s *Outside) LogP(symbol string, i, j int) float64 {
	a := slices.Index(s.p.g.symbols[:s.p.g.n], symbol)
	if a < 0 || i < 0 || j > len(s.p.words) || i >= j {
		return math.Inf(-1)
	}
	cell := s.p.cell(i, j)
	return math.Log(s.out[cell][a]) + float64(s.outExp[cell])*math.Ln2
}

// Outside computes the outside probabilities: the chain rule of differentiation, run from the whole
// sentence down to the words.
//
// Errors: that of ctx.
func (p *Parse) Outside(ctx context.Context) (*Outside, error) {
	n, b := len(p.words), p.g.bin
	s := &Outside{p: p, out: make([][]float64, len(p.cells)), outExp: make([]int, len(p.cells))}
	if n == 0 {
		return s, nil
	}
	for width := n; width >= 1; width-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := 0; i+width <= n; i++ {
			j := i + width
			g, top := make([]float64, len(b.names)), math.MinInt
			parents := func(do func(parent, sibling int, left bool)) {
				for k := j + 1; k <= n; k++ {
					do(p.cell(i, k), p.cell(j, k), true)
				}
				for k := range i {
					do(p.cell(k, j), p.cell(k, i), false)
				}
			}
			if width == n {
				g[0], top = 1, 0
			}
			parents(func(parent, sibling int, _ bool) {
				if len(p.sums.live[sibling]) > 0 && s.out[parent] != nil {
					top = max(top, s.outExp[parent]+p.sums.inExp[sibling])
				}
			})
			parents(func(parent, sibling int, left bool) {
				if len(p.sums.live[sibling]) == 0 {
					return
				}
				scale := math.Ldexp(1, s.outExp[parent]+p.sums.inExp[sibling]-top)
				for _, x := range p.sums.live[sibling] {
					if left {
						for _, r := range b.byRight[x] {
							g[r.b] += scale * s.out[parent][r.a] * r.p * p.sums.in[sibling][x]
						}
						continue
					}
					for _, r := range b.byLeft[x] {
						g[r.c] += scale * s.out[parent][r.a] * r.p * p.sums.in[sibling][x]
					}
				}
			})
			out := make([]float64, len(g))
			for a, v := range g {
				if v != 0 {
					for _, c := range b.back[a] {
						out[c.b] += c.p * v
					}
				}
			}
			s.out[p.cell(i, j)], s.outExp[p.cell(i, j)] = scaled(out, max(top, -1<<40))
		}
	}
	return s, nil
}

// Counts returns how often each rule is expected in a tree of the sentence, in the order of Rules:
// p ∂log P/∂p, which is 1/P times the sum over the places of α p β β. All are 0 for a sentence that
// is not in the language.
func (s *Outside) Counts() []float64 {
	p := s.p
	counts, n, b := make([]float64, len(p.g.rules)), len(p.words), p.g.bin
	if p.LogP() == math.Inf(-1) {
		return counts
	}
	add := func(r pair, v float64) {
		if r.rule >= 0 {
			counts[r.rule] += v
		}
	}
	z := make([]float64, len(b.names)) // the derivative with respect to the probabilities of the empty word
	if n == 0 {
		z[0] = 1 / b.null[0]
	} else {
		s.countParts(add, z)
	}
	jac := identity(len(b.names))
	for _, r := range b.units {
		jac.Set(r.b, r.a, jac.At(r.b, r.a)-r.p)
	}
	for _, r := range b.pairs {
		jac.Set(r.b, r.a, jac.At(r.b, r.a)-r.p*b.null[r.c])
		jac.Set(r.c, r.a, jac.At(r.c, r.a)-r.p*b.null[r.b])
	}
	var y mat.VecDense
	if slices.Max(z) > 0 {
		if err := y.SolveVec(jac, mat.NewVecDense(len(z), z)); err != nil && !conditioned(err) {
			return counts
		}
		for _, r := range b.empties {
			add(r, y.AtVec(r.a)*r.p)
		}
		for _, r := range b.units {
			add(r, y.AtVec(r.a)*r.p*b.null[r.b])
		}
		for _, r := range b.pairs {
			add(r, y.AtVec(r.a)*r.p*b.null[r.b]*b.null[r.c])
		}
	}
	return counts
}

// countParts adds the counts of rules over parts that are not empty, and to z the derivatives of log
// P with respect to the probabilities of the empty word.
func (s *Outside) countParts(add func(r pair, v float64), z []float64) {
	p, in := s.p, s.p.sums
	n, b, whole := len(p.words), p.g.bin, p.cell(0, len(p.words))
	mass, massExp := in.in[whole][0], in.inExp[whole]
	for i := range n {
		for j := i + 1; j <= n; j++ {
			cell := p.cell(i, j)
			out := s.out[cell]
			if j == i+1 {
				scale := math.Ldexp(1/mass, s.outExp[cell]-massExp)
				for _, r := range p.lexicon(i) {
					add(r, scale*out[r.a]*r.p)
				}
			}
			scale := math.Ldexp(1/mass, s.outExp[cell]+in.inExp[cell]-massExp)
			for _, t := range b.steps {
				v := scale * out[t.a] * in.in[cell][t.b]
				add(t.by, v*t.p)
				if t.empty >= 0 {
					z[t.empty] += v * t.by.p
				}
			}
			for k := i + 1; k < j; k++ {
				left, right := p.cell(i, k), p.cell(k, j)
				scale := math.Ldexp(1/mass, s.outExp[cell]+in.inExp[left]+in.inExp[right]-massExp)
				for _, x := range in.live[left] {
					for _, r := range b.byLeft[x] {
						if v := out[r.a] * in.in[right][r.c]; v > 0 {
							add(r, scale*r.p*in.in[left][x]*v)
						}
					}
				}
			}
		}
	}
}

// FitOptions say how long Fit learns.
type FitOptions struct {
	MaxIter int     // EM steps at most; 0 means 100
	Tol     float64 // stop when a step gains at most Tol in log-likelihood; 0 means 1e-8
}

// Learned is a grammar with the log-likelihood of the sentences before the first step and after each.
type Learned struct {
	Grammar *Grammar
	Trace   []float64
}

// Fit learns the probabilities of the rules from sentences without trees, by the inside-outside
// algorithm (EM; Baker 1979): the expected counts of the rules in the trees of the sentences, divided
// by their sum for each left side. No step lowers the likelihood. A local maximum depends on where g
// begins, and symbols with equal probabilities stay equal.
//
// Errors: no sentences, a sentence that is not in the language, options out of range, that of ctx.
func (g *Grammar) Fit(ctx context.Context, sentences [][]string, o FitOptions) (*Learned, error) {
	const op = "grammar.Grammar.Fit"
	if len(sentences) == 0 {
		return nil, fault.Argument(op, "sentences", "none", "at least one", "")
	}
	if o.MaxIter < 0 || !(o.Tol >= 0) {
		return nil, fault.Argument(op, "options", o, "MaxIter and Tol from 0 on", "")
	}
	if o.MaxIter == 0 {
		o.MaxIter = 100
	}
	if o.Tol == 0 {
		o.Tol = 1e-8
	}
	learned := &Learned{Grammar: g}
	for iter := 0; ; iter++ {
		counts, logL := make([]float64, len(g.rules)), 0.0
		for i, words := range sentences {
			p, err := learned.Grammar.Parse(ctx, words)
			if err != nil {
				return nil, err
			}
			if !p.Accepted() || math.IsInf(p.LogP(), -1) {
				return nil, fault.Argument(op, "sentence", i, "sentences of the language", "add rules, or leave it out")
			}
			logL += p.LogP()
			out, err := p.Outside(ctx)
			if err != nil {
				return nil, err
			}
			for r, c := range out.Counts() {
				counts[r] += c
			}
		}
		learned.Trace = append(learned.Trace, logL)
		if last := len(learned.Trace) - 1; iter == o.MaxIter || last > 0 && logL-learned.Trace[last-1] <= o.Tol {
			return learned, nil
		}
		next, err := learned.Grammar.shares(counts)
		if err != nil {
			return nil, fault.In(op, err)
		}
		learned.Grammar = next
	}
}
