package structured

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Certificate says how a fit ended and how far from the least objective it can be: that lies between Lower and Upper.
type Certificate struct {
	Upper, Lower float64 // the objective reached, and a bound that no weights go below; both 0 of a perceptron, which has no objective
	Rounds       int     // of cutting planes or of the perceptron, or moves of L-BFGS
	Cuts         int     // rivals that were looked at in the end, of all that there are
	Violation    float64 // by how much the worst rival broke its inequality at the end, beyond the slack
	Mistakes     []int   // sentences that the perceptron got wrong in each round
}

// String returns "objective 1.2346, at least 1.2345, after 7 rounds and 12 cuts".
func (c Certificate) String() string {
	if c.Mistakes != nil {
		return fmt.Sprintf("%d mistakes in the last of %d rounds", c.Mistakes[len(c.Mistakes)-1], c.Rounds)
	}
	s := fmt.Sprintf("objective %.8g, at least %.8g, after %d rounds", c.Upper, c.Lower, c.Rounds)
	if c.Cuts > 0 {
		s += fmt.Sprintf(" and %d cuts", c.Cuts)
	}
	return s
}

// Table returns the certificate as a table.
func (c Certificate) Table() cell.Table {
	return cell.NewTable("", "").Row("objective", c.Upper).Row("at least", c.Lower).Row("rounds", c.Rounds).Row("cuts", c.Cuts).
		Row("violation", c.Violation)
}

// Show displays the certificate.
func (c Certificate) Show() { c.Table().Show() }

// A Cut is a rival of the right answer: what it costs, and the entries of phi(x, y) - phi(x, rival) that are not zero, places in ascending
// order. The inequality is w.(phi(x, y) - phi(x, rival)) >= Loss - slack.
type Cut struct {
	Loss   float64
	At     []int32
	Values []float64
}

// Violation returns Loss - w.difference, the slack that the rival needs.
func (c Cut) Violation(w []float64) float64 {
	s := c.Loss
	for i, a := range c.At {
		s -= w[a] * c.Values[i]
	}
	return s
}

// dot returns the product of two differences.
func (c Cut) dot(b Cut) float64 {
	s := 0.0
	for i, j := 0, 0; i < len(c.At) && j < len(b.At); {
		switch d := c.At[i] - b.At[j]; {
		case d < 0:
			i++
		case d > 0:
			j++
		default:
			s += c.Values[i] * b.Values[j]
			i, j = i+1, j+1
		}
	}
	return s
}

// PlaneOptions are the settings of CuttingPlane. A field that is zero stands for its default.
type PlaneOptions struct {
	C       float64 // price of slack, > 0; default 1
	Tol     float64 // what a rival may break beyond the slack, > 0; default 1e-3
	MaxIter int     // limit on rounds, > 0; default 1000
}

// Planes is the outcome of CuttingPlane.
type Planes struct {
	W           []float64    // d weights
	Slacks      []float64    // n: max over all rivals of loss - w.difference, at least 0
	Cuts        [][]Cut      // the rivals of each example that were looked at
	Alpha       [][]float64  // their multipliers: w = sum alpha difference, and those of an example sum to C at most
	Path        [][2]float64 // the two bounds of the least objective, lower and upper, before each round and at the end
	Certificate Certificate
}

// CuttingPlane minimises |w|^2/2 + C sum_i xi_i over w in R^d and xi >= 0 under w.difference >= loss - xi_i for every rival of each of n
// examples, of which there may be far too many to list. worst returns the rival of example i with the largest Violation at w; an example
// whose rivals all cost nothing and differ in nothing returns an empty Cut.
//
// Each round adds the worst rival of every example that breaks its inequality by more than Tol beyond the slack, and solves the dual of
// the small problem. When there is none left, the objective is within C n Tol, and what the small problem is inexact, of the least one:
// the small problem has fewer inequalities, so that its dual bounds the large one from below. Path holds the two bounds of each round.
// Columns of very different sizes make the small problem hard: the bounds then stay apart, and say so.
//
// Errors: settings out of range, a rival whose numbers are not finite or not in order, a context that ends.
//
// Source: I. Tsochantaridis, T. Joachims, T. Hofmann and Y. Altun (2005), JMLR 6, algorithm 1; the dual is solved by pairs of multipliers,
// as by J. Platt (1998).
func CuttingPlane(ctx context.Context, n, d int, worst func(i int, w []float64) Cut, o PlaneOptions) (*Planes, error) {
	const op = "structured.CuttingPlane"
	if worst == nil {
		return nil, fault.Argument(op, "worst", nil, "a function that finds the worst rival", "")
	}
	if err := fault.First(
		estimator.CheckCount(op, "n", n, 1, math.MaxInt32),
		estimator.CheckCount(op, "d", d, 1, math.MaxInt32),
		o.check(op),
	); err != nil {
		return nil, err
	}
	p, err := cutting(ctx, n, d, worst, o)
	return p, fault.In(op, err)
}

func (o PlaneOptions) check(op string) error {
	return fault.First(
		estimator.CheckPositive(op, "C", cmp.Or(o.C, 1), 1),
		estimator.CheckPositive(op, "Tol", cmp.Or(o.Tol, 1e-3), 1e-3),
		estimator.CheckCount(op, "MaxIter", cmp.Or(o.MaxIter, 1), 1, math.MaxInt32),
	)
}

// cutting is CuttingPlane for settings that are checked.
func cutting(ctx context.Context, n, d int, worst func(i int, w []float64) Cut, o PlaneOptions) (*Planes, error) {
	price, tol, limit := cmp.Or(o.C, 1), cmp.Or(o.Tol, 1e-3), cmp.Or(o.MaxIter, 1000)
	p := &Planes{W: make([]float64, d), Slacks: make([]float64, n)}
	working := make([]working, n)
	for i := range working {
		working[i].spare = price
	}
	for inner := tol / 10; ; {
		added, upper := false, 0.0
		c := &p.Certificate
		c.Violation = 0
		for i := range working {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			rival := worst(i, p.W)
			if !rival.sound(d) {
				return nil, fault.Argument("", fmt.Sprintf("the rival of example %d", i), rival, "finite numbers at places in ascending order", "")
			}
			known := working[i].slack(p.W)
			p.Slacks[i] = max(known, rival.Violation(p.W))
			upper += price * p.Slacks[i]
			c.Violation = max(c.Violation, p.Slacks[i]-known)
			if p.Slacks[i] > known+tol && c.Rounds < limit {
				working[i].add(rival)
				added = true
				c.Cuts++
			}
		}
		half := 0.0
		for _, v := range p.W {
			half += v * v / 2
		}
		c.Upper, c.Lower = half+upper, 0-half
		for i := range working {
			for r, a := range working[i].alpha {
				c.Lower += a * working[i].cuts[r].Loss
			}
		}
		p.Path = append(p.Path, [2]float64{c.Lower, c.Upper})
		if !added && inner <= tol/10 {
			for i := range working {
				p.Cuts, p.Alpha = append(p.Cuts, working[i].cuts), append(p.Alpha, working[i].alpha)
			}
			return p, nil
		}
		if added {
			c.Rounds++
		}
		if inner = tol / 10; added { // far from the end the small problem need not be exact
			inner = max(inner, c.Violation/10)
		}
		if err := solve(ctx, working, p.W, inner); err != nil {
			return nil, err
		}
	}
}

func (c Cut) sound(d int) bool {
	ok := len(c.At) == len(c.Values) && c.Loss-c.Loss == 0
	for i, a := range c.At {
		ok = ok && a >= 0 && int(a) < d && (i == 0 || a > c.At[i-1]) && c.Values[i]-c.Values[i] == 0
	}
	return ok
}

// working is the set of known rivals of an example. Their multipliers and the spare sum to C.
type working struct {
	cuts  []Cut
	alpha []float64
	spare float64
	gram  [][]float64 // products of the differences, lower triangle
	slope []float64
}

func (k *working) add(c Cut) {
	row := make([]float64, 0, len(k.cuts)+1)
	for _, b := range k.cuts {
		row = append(row, c.dot(b))
	}
	k.gram = append(k.gram, append(row, c.dot(c)))
	k.cuts, k.alpha, k.slope = append(k.cuts, c), append(k.alpha, 0), append(k.slope, 0)
}

// slack returns the slack that the known rivals need.
func (k *working) slack(w []float64) float64 {
	s := 0.0
	for _, c := range k.cuts {
		s = max(s, c.Violation(w))
	}
	return s
}

func (k *working) product(r, s int) float64 {
	if r < 0 || s < 0 {
		return 0
	}
	return k.gram[max(r, s)][min(r, s)]
}

// improve moves the multipliers of one example in pairs, each from the rival that is broken least to the one that is broken most, and w
// with them, until these differ by at most tol. It returns by how much they differed at first. The spare counts as a rival that is never
// broken.
func (k *working) improve(w []float64, tol float64) (first float64) {
	for r, c := range k.cuts {
		k.slope[r] = c.Violation(w)
	}
	for step := 0; ; step++ {
		up, down, hi, lo := -1, -1, 0.0, 0.0
		if k.spare <= 0 {
			lo = math.Inf(1)
		}
		for r, s := range k.slope {
			if s > hi {
				up, hi = r, s
			}
			if k.alpha[r] > 0 && s < lo {
				down, lo = r, s
			}
		}
		if step == 0 {
			first = hi - lo
		}
		if !(hi-lo > tol) || step == 10*len(k.cuts) {
			return first
		}
		from := &k.spare
		if down >= 0 {
			from = &k.alpha[down]
		}
		move := *from
		if curve := k.product(up, up) + k.product(down, down) - 2*k.product(up, down); curve*move > hi-lo {
			move = (hi - lo) / curve
		}
		if *from -= move; up >= 0 {
			k.alpha[up] += move
			k.cuts[up].onto(w, move)
		} else {
			k.spare += move
		}
		if down >= 0 {
			k.cuts[down].onto(w, -move)
		}
		for r := range k.slope {
			k.slope[r] -= move * (k.product(r, up) - k.product(r, down))
		}
	}
}

// onto adds by times the difference to w.
func (c Cut) onto(w []float64, by float64) {
	for i, a := range c.At {
		w[a] += by * c.Values[i]
	}
}

// solve maximises the dual of the small problem, sum alpha loss - |w|^2/2, until no pair of any example differs by more than tol, or
// rounding hides it. The weights are then added up again.
func solve(ctx context.Context, examples []working, w []float64, tol float64) error {
	for sweep, worst := 0, math.Inf(1); worst > tol && sweep < 10_000; sweep++ {
		worst = 0
		for i := range examples {
			if i%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			worst = max(worst, examples[i].improve(w, tol))
		}
	}
	clear(w)
	for i := range examples {
		for r, a := range examples[i].alpha {
			if a != 0 {
				examples[i].cuts[r].onto(w, a)
			}
		}
	}
	return nil
}

// fitSVM learns a tagger by cutting planes: the worst rival is the best tagging when every wrong tag scores its cost more.
func fitSVM(ctx context.Context, c *corpus, cost []float64, o TaggerOptions) ([]float64, Certificate, error) {
	base := c.k + c.k*c.k
	var v viterbi
	var scores []float64
	worst := func(i int, w []float64) Cut {
		s := &c.sentences[i]
		scores = slices.Grow(scores[:0], len(s.tags)*c.k)[:len(s.tags)*c.k]
		path := make([]int, len(s.tags))
		local(scores, w, c.k, c.features, s.attributes)
		augment(scores, c.k, s.tags, cost)
		v.best(path, c.k, w[c.k:base], scores)
		return c.cut(s, path, cost)
	}
	p, err := cutting(ctx, len(c.sentences), c.size(), worst, PlaneOptions{C: o.C, Tol: o.Tol, MaxIter: o.MaxIter})
	if err != nil {
		return nil, Certificate{}, err
	}
	return p.W, p.Certificate, nil
}

// cut returns the inequality of a rival of a sentence.
func (c *corpus) cut(s *sentence, rival []int, cost []float64) Cut {
	var out Cut
	var d difference
	for t, y := range s.tags {
		if y != rival[t] {
			out.Loss += cost[y]
		}
	}
	d.add(c.k, c.features, s.attributes, s.tags, 1)
	d.add(c.k, c.features, s.attributes, rival, -1)
	out.At, out.Values = d.sorted()
	return out
}
