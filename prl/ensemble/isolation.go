package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/plan"
)

// IsolationOptions are the settings of FitIsolation. A field that is zero stands for its default.
type IsolationOptions struct {
	Trees    int       // number of trees; default 100
	Draw     int       // rows drawn without replacement for each tree, at least 2; default 256; all of them where there are no more
	Nu       float64   // share of the weight of the rows that may lie outside, above 0 and at most 1; without it a score above 1/2 does
	Seed     uint64    // of all draws; default 1
	Weights  []float64 // n sample weights, which are those of the draw; nil means ones
	Progress estimator.ProgressFunc
}

// filled returns o with defaults in the place of zeros.
func (o IsolationOptions) filled() IsolationOptions {
	o.Trees, o.Draw, o.Seed = cmp.Or(o.Trees, 100), cmp.Or(o.Draw, 256), cmp.Or(o.Seed, 1)
	return o
}

// check reports settings that no data can take.
func (o IsolationOptions) check(op string) error {
	if err := estimator.CheckCount(op, "Trees", o.Trees, 1, 1<<20); err != nil {
		return err
	}
	if err := estimator.CheckCount(op, "Draw", o.Draw, 2, math.MaxInt32); err != nil {
		return err
	}
	if o.Nu != 0 && !(o.Nu > 0 && o.Nu <= 1) {
		return fault.Argument(op, "Nu", o.Nu, "a share above 0 and at most 1", "without it rows of a score above 1/2 lie outside")
	}
	return nil
}

// An Isolation is a forest of random trees, in which a row unlike the others is soon alone. It is immutable and safe for concurrent use.
type Isolation struct {
	estimator.Names
	s isolationState
}

type isolationState struct {
	D, N, Size int               // features, rows of the fit of positive weight, rows that each tree was grown on
	Threshold  float64           // rows of a higher score lie outside
	Trees      [][]isolationNode // in preorder: the left child of node i is i+1
	Names      estimator.Names   // in storage only
}

// isolationNode sends rows with x[Feature] <= Value to the left. In a leaf Right is 0 and Value is h / c(Size).
type isolationNode struct {
	Feature, Right int32
	Value          float64
}

// FitIsolation grows an isolation forest on X (n x d): each tree on o.Draw rows drawn without replacement. A node draws a feature that is
// not constant among its rows, and a cut evenly between the least and the largest value; a leaf has one row, or rows that are all equal,
// or is as deep as a balanced tree of all rows, ceil(log2 Draw) cuts. The path length of a row is
//
//	h(x) = e + c(m)
//
// with e the number of cuts on the way to its leaf, m the number of the drawn rows there, and c(m) the mean number of cuts that would
// still part a row from m-1 others, that of an unsuccessful search in a binary search tree:
//
//	c(m) = 2 (1 + 1/2 + ... + 1/(m-1)) - 2 (m-1)/m,    c(1) = 0
//
// The score of a row is 2^(-E h(x) / c(Draw)), E the mean over the trees: near 1 of a row that is soon alone, below 1/2 of one deep among
// others, and 1/2 everywhere when all drawn rows are equal. The decision function is f(x) = threshold - score, at least zero inside. The
// threshold is 1/2, or with o.Nu the least score of a row of the fit that leaves at most this share of the weight above it.
//
// Weights are those of the draw: the next row is drawn with odds equal to the weights of those not drawn yet. Where a tree is grown on all
// rows they count for Nu only. c is exact here; scikit-learn takes 2 (ln(m-1) + 0.5772) - 2 (m-1)/m.
//
// Errors: unusable data, weights or options, and the error of ctx. Source: F. T. Liu, K. M. Ting, Z.-H. Zhou, Isolation forest, ICDM 2008.
func FitIsolation(ctx context.Context, X mat.Matrix, o IsolationOptions) (*Isolation, error) {
	const op = "ensemble.FitIsolation"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	r, err := estimator.NewRows(ctx, op, X, o.Weights)
	if err != nil {
		return nil, err
	}
	if r.W != nil && slices.Min(r.W) == slices.Max(r.W) { // drawn as rows without weights are
		r.W = nil
	}
	f := &Isolation{s: isolationState{D: r.D, N: r.N, Size: min(o.Draw, r.N), Threshold: 0.5, Trees: make([][]isolationNode, o.Trees)}}
	lengths, x := meanPaths(f.s.Size), r.Dense()
	part := (o.Trees + 9) / 10
	for from := 0; from < o.Trees; from += part { // a part of the trees at a time, for reports
		to := min(from+part, o.Trees)
		workers := share.Workers(to-from, float64(to-from)*200*float64(f.s.Size))
		share.Turns(workers, to-from, func(_, i int) {
			g := &isolator{ctx: ctx, rng: rand.New(rand.NewPCG(o.Seed, uint64(from+i))), x: x, lengths: lengths}
			f.s.Trees[from+i] = g.grow(r, f.s.Size)
		})
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped before tree %d: %w", op, to, err)
		}
		if o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: to, Of: o.Trees})
		}
	}
	if o.Nu > 0 {
		if f.s.Threshold, err = f.quantile(ctx, r, o.Nu); err != nil {
			return nil, fmt.Errorf("%s: stopped before the threshold: %w", op, err)
		}
	}
	return f, nil
}

// meanPaths returns c(m) for m = 0 ... n.
func meanPaths(n int) []float64 {
	c, harmonic := make([]float64, n+1), 0.0
	for m := 2; m <= n; m++ {
		harmonic += 1 / float64(m-1)
		c[m] = 2*harmonic - 2*float64(m-1)/float64(m)
	}
	return c
}

// isolator grows one tree.
type isolator struct {
	ctx     context.Context
	rng     *rand.Rand
	x       *mat.Dense
	lengths []float64 // c(m) of all m up to the number of rows of the tree
	perm    []int     // the features, in the order of the last draws
	nodes   []isolationNode
}

func (g *isolator) grow(r *estimator.Rows, size int) []isolationNode {
	g.perm = make([]int, r.D)
	for j := range g.perm {
		g.perm[j] = j
	}
	rows := distinct(g.rng, r, size)
	g.part(rows, 0, bits.Len(uint(size-1)))
	return slices.Clip(g.nodes)
}

// distinct draws so many different rows; the odds of those not drawn yet are as their weights. Source: P. S. Efraimidis, P. G. Spirakis,
// Weighted random sampling with a reservoir, Information Processing Letters 97, 2006: the rows whose exponential clocks of these rates ring
// first.
func distinct(rng *rand.Rand, r *estimator.Rows, size int) []int {
	if size == r.N || r.W == nil {
		rows := make([]int, 0, size)
		moved := map[int]int{} // what stands at a place of 0 ... N-1 after the swaps so far
		at := func(i int) int {
			if v, ok := moved[i]; ok {
				return v
			}
			return i
		}
		for i := range size {
			j := i + rng.IntN(r.N-i)
			rows = append(rows, at(j))
			moved[j] = at(i)
		}
		return rows
	}
	type clock struct {
		time float64 // its logarithm
		row  int
	}
	first, last := make([]clock, 0, 2*size), math.Inf(1)
	keep := func() {
		slices.SortFunc(first, func(a, b clock) int { return cmp.Or(cmp.Compare(a.time, b.time), a.row-b.row) })
		first = first[:size]
		last = first[size-1].time
	}
	for i, w := range r.W {
		if t := math.Log(rng.ExpFloat64()) - math.Log(w); t < last || len(first) < size {
			if first = append(first, clock{t, i}); len(first) == 2*size {
				keep()
			}
		}
	}
	keep()
	rows := make([]int, size)
	for i, c := range first {
		rows[i] = c.row
	}
	return rows
}

// many is the number of rows of a node from which ctx is looked at.
const many = 1 << 14

// part grows the tree below a node of the given rows, whose order it changes.
func (g *isolator) part(rows []int, depth, limit int) {
	at, feature, cut := len(g.nodes), -1, 0.0
	if depth < limit && len(rows) > 1 && (len(rows) < many || g.ctx.Err() == nil) {
		feature, cut = g.cut(rows)
	}
	if feature < 0 {
		h := 1.0 // of the only row, too
		if all := g.lengths[len(g.lengths)-1]; depth > 0 {
			h = (float64(depth) + g.lengths[len(rows)]) / all
		}
		g.nodes = append(g.nodes, isolationNode{Value: h})
		return
	}
	g.nodes = append(g.nodes, isolationNode{Feature: int32(feature), Value: cut})
	left := 0
	for i, r := range rows {
		if g.x.At(r, feature) <= cut {
			rows[i], rows[left] = rows[left], r
			left++
		}
	}
	g.part(rows[:left], depth+1, limit)
	g.nodes[at].Right = int32(len(g.nodes))
	g.part(rows[left:], depth+1, limit)
}

// cut draws a feature that is not constant among the rows, and a cut that leaves rows on both sides; -1 when all rows are equal.
func (g *isolator) cut(rows []int) (int, float64) {
	for k := range g.perm {
		o := k + g.rng.IntN(len(g.perm)-k)
		g.perm[k], g.perm[o] = g.perm[o], g.perm[k]
		j := g.perm[k]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			v := g.x.At(r, j)
			lo, hi = min(lo, v), max(hi, v)
		}
		if lo < hi {
			u := g.rng.Float64()
			if c := lo*(1-u) + hi*u; c >= lo && c < hi {
				return j, c
			}
			return j, lo // the numbers between them are rounded away
		}
	}
	return -1, 0
}

// lengths returns the means of h / c(Size), from which all answers are made.
func (f *Isolation) lengths() estimator.Regression[*Isolation] {
	return estimator.Regression[*Isolation]{
		Model: f, Kind: "ensemble.Isolation", D: f.s.D, Cost: 40 * float64(len(f.s.Trees)), Values: (*Isolation).mean,
	}
}

func (f *Isolation) mean(y, x []float64) {
	clear(y)
	for _, t := range f.s.Trees {
		for i := range y {
			row, at := x[i*f.s.D:(i+1)*f.s.D], int32(0)
			n := &t[0]
			for ; n.Right > 0; n = &t[at] {
				if at++; row[n.Feature] > n.Value {
					at = n.Right
				}
			}
			y[i] += n.Value
		}
	}
	for i := range y {
		y[i] /= float64(len(f.s.Trees))
	}
}

// quantile returns the least score of a row of the fit with at most the share nu of the weight above it.
func (f *Isolation) quantile(ctx context.Context, r *estimator.Rows, nu float64) (float64, error) {
	const block = 1024
	x, y := r.Dense(), make([]float64, r.N)
	blocks := (r.N + block - 1) / block
	share.Turns(share.Workers(blocks, f.lengths().Cost*float64(r.N)), blocks, func(_, b int) {
		if lo, hi := b*block, min((b+1)*block, r.N); ctx.Err() == nil {
			f.mean(y[lo:hi], x.RawMatrix().Data[lo*r.D:hi*r.D])
		}
	})
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	shares, order := r.Shares(), make([]int, r.N)
	for i := range order {
		order[i], y[i] = i, score(y[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[b], y[a]) })
	above, threshold := 0.0, y[order[0]]
	for _, row := range order {
		if y[row] < threshold {
			if above > nu*(1+1e-12) {
				break
			}
			threshold = y[row]
		}
		above += shares[row]
	}
	return threshold, nil
}

func score(h float64) float64 { return math.Exp2(-h) }

// Scores returns the score of each row of X (n x d), 2^(-E h(x) / c(Draw)): above Threshold outside.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (f *Isolation) Scores(X mat.Matrix) ([]float64, error) { return f.each("Scores", X, score) }

// PathLengths returns E h(x), the mean path length of each row of X (n x d), in cuts.
//
// Errors: those of Scores.
func (f *Isolation) PathLengths(X mat.Matrix) ([]float64, error) {
	c := meanPaths(f.s.Size)[f.s.Size]
	return f.each("PathLengths", X, func(h float64) float64 { return c * h })
}

// Decision returns the n x 1 values f(x) = threshold - score of the rows of X (n x d), at least zero inside.
//
// Errors: those of Scores.
func (f *Isolation) Decision(X mat.Matrix) (*mat.Dense, error) {
	v, err := f.each("Decision", X, f.value)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(v), 1, v), nil
}

// Predict returns plan.Inside or plan.Novel for each row of X (n x d).
//
// Errors: those of Scores.
func (f *Isolation) Predict(X mat.Matrix) ([]int, error) {
	v, err := f.each("Predict", X, f.value)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(v))
	for i, v := range v {
		out[i] = class(v)
	}
	return out, nil
}

func (f *Isolation) each(method string, X mat.Matrix, of func(h float64) float64) ([]float64, error) {
	spine := f.lengths()
	y, err := spine.Predict(X)
	if err != nil {
		return nil, fault.In(spine.Kind+"."+method, err)
	}
	for i, h := range y {
		y[i] = of(h)
	}
	return y, nil
}

func (f *Isolation) value(h float64) float64 { return f.s.Threshold - score(h) }

func class(value float64) int {
	if value >= 0 {
		return plan.Inside
	}
	return plan.Novel
}

// Class returns plan.Inside or plan.Novel for one point of d coordinates, and -1 for a point that Predict refuses.
func (f *Isolation) Class(x ...float64) int {
	v := f.Value(x...)
	if v != v {
		return -1
	}
	return class(v)
}

// Value returns f(x) of one point of d coordinates, at least zero inside, and NaN for a point that Predict refuses.
func (f *Isolation) Value(x ...float64) float64 {
	spine := f.lengths()
	return f.value(spine.Value(x...))
}

// Classes returns 2.
func (f *Isolation) Classes() int { return 2 }

// Dim returns d, the number of columns the model was fitted on, or 0 before a fit.
func (f *Isolation) Dim() int { return f.s.D }

// Len returns the number of trees.
func (f *Isolation) Len() int { return len(f.s.Trees) }

// Threshold returns the score above which a row lies outside.
func (f *Isolation) Threshold() float64 { return f.s.Threshold }

// String returns a line such as "isolation forest of 100 trees of 256 rows, threshold 0.5".
func (f *Isolation) String() string {
	return fmt.Sprintf("isolation forest of %d trees of %d rows, threshold %.4g", len(f.s.Trees), f.s.Size, f.s.Threshold)
}

// MarshalBinary encodes the forest.
func (f *Isolation) MarshalBinary() ([]byte, error) {
	s := f.s
	return estimator.Store("ensemble.Isolation", s.D, &s, &s.Names, f.Names)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *Isolation) UnmarshalBinary(data []byte) error {
	s := isolationState{}
	names, err := estimator.Restore(data, "ensemble.Isolation", &s, &s.Names, func() bool {
		ok := s.D > 0 && s.Size > 0 && s.Size <= s.N && s.Threshold > 0 && s.Threshold <= 1 && len(s.Trees) > 0
		for _, t := range s.Trees {
			ok = ok && soundIsolation(t, s.D)
		}
		return ok
	})
	if err == nil {
		*f = Isolation{names, s}
	}
	return err
}

// soundIsolation reports whether nodes form a tree in preorder of numbers that can be used.
func soundIsolation(t []isolationNode, d int) bool {
	ends := []int{len(t)} // of the subtrees that are still to come, each where the next one begins
	for i, n := range t {
		if len(ends) == 0 || n.Value-n.Value != 0 {
			return false
		}
		end := ends[len(ends)-1]
		if n.Right == 0 {
			if ends = ends[:len(ends)-1]; end != i+1 || n.Value < 0 {
				return false
			}
			continue
		}
		if n.Feature < 0 || int(n.Feature) >= d || int(n.Right) <= i+1 || int(n.Right) >= end {
			return false
		}
		ends = append(ends, int(n.Right))
	}
	return len(ends) == 0
}
