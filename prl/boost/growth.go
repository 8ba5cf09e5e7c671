package boost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Growth grows one model of gradient boosting from rows that lie in parts, on any number of machines. Every machine takes in its rows by
// a part of the pass under way, the parts are merged, and the growth takes them:
//
//	for !g.Done() {
//		all := g.Part()           // merged from parts that took in all rows
//		g.Take(all)
//	}
//	model, err := g.Regressor()
//
// Parts sum derivatives as whole multiples of powers of two, so no division of the rows and no order changes a bit of the model. Where the
// sample that the bins are made from is all rows, at most 32768, it is bit for bit that of FitGradient or FitGradientRegression. A tree
// takes one pass and as many as it is deep: a pass sums for all leaves at once the rows that pass the best test of the leaf; sums of the
// others are the difference. More than two classes have a tree each in a round, one after the other.
type Growth struct {
	o      GradientOptions
	grower *grower
	t      task
	sums   map[int][]bar // by leaf: of all rows of the root, of other leaves of those that go left
}

// stage says what a pass sums.
type stage int

const (
	extremes stage = iota // of targets and weights
	means                 // of targets
	slopes                // the largest derivatives
	histograms
)

// task is what a part knows of the growth: new fields at the end.
type task struct {
	Stage  stage
	State  gradientState // the model so far
	Cuts   [][]float64
	Middle middle
	Units  units
	Tree   []GradientNode   // under way
	Wanted []wanted         // histograms
	Grown  [][]GradientNode // trees of the round under way, of the first classes of more than two
}

// wanted asks for a histogram of the rows of a leaf that pass a test.
type wanted struct {
	Leaf      int
	All       bool // without a test
	Feature   int
	Threshold float64
	GapsLeft  bool
}

// NewGrowth begins a growth. The bins of the features are made from the rows of sample, and so many classes, at least 2, are to be told
// apart; 0 is a regression. More than two classes have the softmax loss, whatever the options say. Of the options, Rows, Columns, Held,
// Weights, ClassWeights, Balanced and Progress must be left out, and so must losses whose start or whose leaves are quantiles: the
// absolute, Huber's and QuantileLoss.
//
// Errors: unusable options or samples.
func NewGrowth(ctx context.Context, sample mat.Matrix, classes int, o GradientOptions) (*Growth, error) {
	const op = "boost.NewGrowth"
	if classes < 0 || classes == 1 {
		return nil, fault.Argument(op, "classes", classes, "0 for a regression, or at least 2", "")
	}
	if err := o.ready(op, sample, classes > 0); err != nil {
		return nil, err
	}
	if o.Loss.kind == unset {
		o.Loss = SquaredLoss()
		if classes > 0 {
			o.Loss = LogisticLoss()
		}
	}
	switch _, quantiles := o.Loss.level(); {
	case quantiles || o.Loss.kind == huberLoss:
		return nil, fault.Argument(op, "Loss", o.Loss, "a loss whose start is a mean", "fit in one process")
	case o.Rows < 1 || o.Columns < 1 || o.Held > 0 || o.Weights != nil || o.ClassWeights != nil || o.Balanced || o.Progress != nil:
		return nil, fault.Argument(op, "o", "Rows, Columns, Held, weights or Progress", "left out", "fit in one process")
	}
	_, d := sample.Dims()
	if err := o.checkOn(op, d, classes); err != nil {
		return nil, err
	}
	outputs := 1
	if classes > 2 {
		outputs, o.Loss = classes, RowLoss{kind: softmaxLoss}
	}
	b, err := newBinned(ctx, estimator.Dense(sample), o.Bins, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	g := &Growth{o: o, sums: map[int][]bar{}}
	g.grower = newGrower(&binned{d: d, cuts: b.cuts, gaps: b.gaps}, &g.o, o.Loss.cap())
	g.grower.budget = math.MaxInt
	g.t = task{Cuts: b.cuts, State: gradientState{
		D: d, K: classes, Rate: o.Rate, Loss: int(o.Loss.kind), Parameter: o.Loss.parameter, Gaps: o.Gaps, Outputs: outputs,
	}}
	return g, nil
}

// Done reports whether the model is finished.
func (g *Growth) Done() bool {
	return g.t.State.Stop != AllRounds || g.t.State.rounds() == g.o.Rounds && g.t.Stage == slopes
}

// Part returns a part of the pass under way that has seen no row.
func (g *Growth) Part() *GrowthPart {
	p := &GrowthPart{s: partState{Task: g.t, Middle: g.t.Middle}}
	p.s.Middle.Shares = slices.Clone(p.s.Middle.Shares)
	for range g.t.Wanted {
		p.s.Sums = append(p.s.Sums, make([]int64, g.t.size()))
	}
	p.index()
	return p
}

// Take takes the sums of all rows and goes on to the next pass.
//
// Errors: a part of another pass; no rows; targets that the loss cannot take; a class without rows.
func (g *Growth) Take(p *GrowthPart) error {
	const op = "boost.Growth.Take"
	if g.Done() || !p.of(&g.t) {
		return fault.Argument(op, "the part", "of another pass", "a part of the pass under way", "")
	}
	m := &g.t.Middle
	switch g.t.Stage {
	case extremes:
		*m = p.s.Middle
		switch low, high := m.Low, m.High; {
		case m.N == 0:
			return fault.Argument(op, "the rows", "none", "at least one", "")
		case g.t.State.K == 2 && low == high:
			return fault.Argument(op, "the rows", "of one class", "of two", "")
		case g.o.Loss.kind == poissonLoss:
			if err := g.o.Loss.checkTarget(op, []float64{low, high}); err != nil {
				return err
			}
		}
		if err := checkSpread(op, m.Low, m.High); err != nil {
			return err
		}
		m.settle()
		g.o.settle(int(m.N))
		if g.t.State.Outputs > 1 {
			m.Shares = make([]int64, g.t.State.Outputs)
		}
		g.t.Stage = means
	case means:
		m.Sum, m.Weight, m.Shares = p.s.Middle.Sum, p.s.Middle.Weight, p.s.Middle.Shares
		if c := slices.Index(m.Shares, 0); c >= 0 {
			return fault.Argument(op, "the rows", fmt.Sprintf("without class %d", c), fmt.Sprintf("of %d classes", len(m.Shares)), "")
		}
		if g.t.State.Start = m.logShares(); m.Shares == nil {
			g.t.State.Start = []float64{g.o.Loss.startAt(m.mean())}
		}
		g.t.Stage = slopes
	case slopes:
		g.t.Units = newUnits(int(m.N), p.s.TopG, p.s.TopH)
		g.grower.u, g.grower.out = g.t.Units, nil
		g.t.Tree, g.t.Wanted, g.t.Stage = []GradientNode{{Feature: -1}}, []wanted{{All: true}}, histograms
	case histograms:
		for k, w := range g.t.Wanted {
			bars := g.grower.histogram()
			for i := range bars {
				bars[i] = bar{p.s.Sums[k][3*i], p.s.Sums[k][3*i+1], p.s.Sums[k][3*i+2]}
			}
			g.sums[w.Leaf] = bars
		}
		g.grow()
	}
	return nil
}

// grow splits leaves as long as the sums of the next one are known, and asks for what it lacks.
func (g *Growth) grow() {
	r := g.grower
	search := func(l *open) {
		if r.splittable(l) {
			r.search(l)
		} else {
			r.release(l)
		}
	}
	if r.out == nil {
		sum := bar{}
		for _, b := range g.sums[0][:r.offset[1]] {
			sum = bar{sum.g + b.g, sum.h + b.h, sum.n + b.n}
		}
		root := r.plant(sum)
		root.bars = g.sums[0]
		delete(g.sums, 0)
		search(root)
	}
	for at := r.next(); at >= 0; at = r.next() {
		l := &r.leaves[at]
		left, known := g.sums[l.node]
		if !known {
			g.ask()
			return
		}
		delete(g.sums, l.node)
		a, b := r.divide(l, 0)
		a.bars, b.bars, l.bars = left, l.bars, nil
		subtract(b.bars, left)
		search(&a)
		search(&b)
		r.leaves[at] = a
		r.leaves = append(r.leaves, b)
	}
	for i := range r.leaves {
		r.release(&r.leaves[i])
	}
	clear(g.sums)
	g.t.Tree, g.t.Wanted, g.t.Stage = nil, nil, slopes
	if g.t.Grown = append(slices.Clip(g.t.Grown), r.out); len(g.t.Grown) < g.t.State.Outputs {
		return
	}
	if slices.ContainsFunc(g.t.Grown, func(tree []GradientNode) bool { return len(tree) > 1 }) {
		g.t.State.Trees = append(g.t.State.Trees, g.t.Grown...)
	} else {
		g.t.State.Stop = NoGain
	}
	g.t.Grown = nil
}

// ask asks for the sums of all leaves that may be split.
func (g *Growth) ask() {
	g.t.Tree, g.t.Wanted = append([]GradientNode{}, g.grower.out...), nil
	for i := range g.grower.leaves {
		l := &g.grower.leaves[i]
		if _, known := g.sums[l.node]; !known && l.best.gain > 0 {
			g.t.Wanted = append(g.t.Wanted, wanted{
				Leaf: l.node, Feature: l.best.feature, Threshold: g.grower.limit(l.best), GapsLeft: l.best.gapsLeft,
			})
		}
	}
}

// Classifier returns the model of classes.
//
// Errors: a growth that is not done, or a regression.
func (g *Growth) Classifier() (*GradientClassifier, error) {
	if !g.Done() || g.t.State.K == 0 {
		return nil, fault.Argument("boost.Growth.Classifier", "the growth", "under way, or a regression", "done, of classes", "")
	}
	return newGradientClassifier(estimator.Names{}, g.t.State), nil
}

// Regressor returns the model of a regression.
//
// Errors: a growth that is not done, or one of classes.
func (g *Growth) Regressor() (*GradientRegressor, error) {
	if !g.Done() || g.t.State.K != 0 {
		return nil, fault.Argument("boost.Growth.Regressor", "the growth", "under way, or of classes", "done, of a regression", "")
	}
	return newGradientRegressor(estimator.Names{}, g.t.State), nil
}

// A GrowthPart takes in rows for a pass of a Growth.
type GrowthPart struct {
	s    partState
	want []int // the number of the histogram wanted of each node, or -1
}

// partState is what is stored: new fields at the end.
type partState struct {
	Task       task
	Middle     middle
	TopG, TopH float64
	Sums       [][]int64 // of each histogram the bars of all features in turn: g, h and rows
}

// size returns the numbers of a histogram.
func (t *task) size() (n int) {
	for _, cuts := range t.Cuts {
		n += 3 * (len(cuts) + 2)
	}
	return n
}

// index finds the wanted leaves.
func (p *GrowthPart) index() {
	p.want = make([]int, len(p.s.Task.Tree))
	for i := range p.want {
		p.want[i] = -1
	}
	for k, w := range p.s.Task.Wanted {
		p.want[w.Leaf] = k
	}
}

// Classes returns the number of classes, or 0 for a regression.
func (p *GrowthPart) Classes() int { return p.s.Task.State.K }

// Add takes in the rows of X (n x d) with n targets, of classes their numbers from 0, and n weights; nil means ones.
//
// Errors, which leave p as it was: rows, targets or weights that do not fit.
func (p *GrowthPart) Add(X mat.Matrix, target, weights []float64) error {
	const op = "boost.GrowthPart.Add"
	s := &p.s.Task.State
	if err := checkData(op, X, s.D, s.Gaps, "target", len(target), weights); err != nil {
		return err
	}
	if err := estimator.CheckTargets(op, target, len(target)); err != nil {
		return err
	}
	for i, z := range target {
		if s.K > 0 && !(z >= 0 && z < float64(s.K) && z == math.Trunc(z)) {
			return fault.Argument(op, fmt.Sprintf("target[%d]", i), z, fmt.Sprintf("a class from 0 to %d", s.K-1), "")
		}
	}
	x, scores := estimator.Dense(X), make([]float64, len(s.Start))
	for i, z := range target {
		p.add(x.RawRowView(i), z, weightOf(weights, i), scores)
	}
	return nil
}

// add takes in a row; f has room for its scores, once there are any.
func (p *GrowthPart) add(x []float64, z, w float64, f []float64) {
	t := &p.s.Task
	switch t.Stage {
	case extremes:
		p.s.Middle.see(z, w)
		return
	case means:
		p.s.Middle.add(z, w)
		return
	}
	t.State.score(f, x)
	var g, h float64
	if c := len(t.Grown); len(f) > 1 {
		softmax(f)
		g, h = softSlopes(f[c], int(z) == c)
	} else {
		g, h = RowLoss{lossKind(t.State.Loss), t.State.Parameter}.slopes(z, f[0])
	}
	g, h = w*g, w*h
	if t.Stage == slopes {
		p.s.TopG, p.s.TopH = max(p.s.TopG, math.Abs(g)), max(p.s.TopH, h)
		return
	}
	k := p.want[leafOf(t.Tree, x)]
	if k < 0 {
		return
	}
	if q := &t.Wanted[k]; !q.All && !(x[q.Feature] <= q.Threshold || x[q.Feature] != x[q.Feature] && q.GapsLeft) {
		return
	}
	d, at := t.Units.of(g, h), 0
	for j, cuts := range t.Cuts {
		bin := len(cuts) + 1
		if x[j] == x[j] {
			bin = int(binOf(cuts, x[j]))
		}
		b := p.s.Sums[k][3*(at+bin):][:3]
		b[0], b[1], b[2] = b[0]+d[0], b[1]+d[1]>>t.Units.Count, b[2]+1
		at += len(cuts) + 2
	}
}

// of reports whether p belongs to the pass of a task.
func (p *GrowthPart) of(t *task) bool {
	own := &p.s.Task
	return own.Stage == t.Stage && own.State.D == t.State.D && len(own.State.Trees) == len(t.State.Trees) && len(own.Tree) == len(t.Tree) &&
		len(own.Grown) == len(t.Grown) && len(p.s.Middle.Shares) == len(t.Middle.Shares) && len(p.s.Sums) == len(t.Wanted) &&
		own.size() == t.size()
}

// Merge takes in all that other has seen. It fails when that is a part of another pass.
func (p *GrowthPart) Merge(other *GrowthPart) error {
	if p.s.Task.State.D == 0 || !other.of(&p.s.Task) {
		return fault.Argument("boost.GrowthPart.Merge", "the other", "a part of another pass", "a part of the same pass", "")
	}
	p.s.TopG, p.s.TopH = max(p.s.TopG, other.s.TopG), max(p.s.TopH, other.s.TopH)
	p.s.Middle.merge(&other.s.Middle, p.s.Task.Stage)
	for k, sums := range other.s.Sums {
		for i, v := range sums {
			p.s.Sums[k][i] += v
		}
	}
	return nil
}

// merge takes in another middle.
func (m *middle) merge(other *middle, pass stage) {
	switch {
	case pass == means:
		m.Sum, m.Weight = m.Sum+other.Sum, m.Weight+other.Weight
		for c, v := range other.Shares {
			m.Shares[c] += v
		}
	case pass == extremes && m.N == 0:
		*m = *other
	case pass == extremes && other.N > 0:
		m.Low, m.High, m.Top, m.N = min(m.Low, other.Low), max(m.High, other.High), max(m.Top, other.Top), m.N+other.N
	}
}

// MarshalBinary encodes the part, with the model so far.
func (p *GrowthPart) MarshalBinary() ([]byte, error) {
	if p.s.Task.State.D == 0 {
		return nil, estimator.Unfitted("boost.GrowthPart.MarshalBinary")
	}
	return estimator.Encode("boost.GrowthPart", 1, &p.s)
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (p *GrowthPart) UnmarshalBinary(data []byte) error {
	var next GrowthPart
	if err := estimator.Decode(data, "boost.GrowthPart", 1, &next.s); err != nil {
		return err
	}
	if !next.s.sound() {
		return fault.Argument("boost.GrowthPart.UnmarshalBinary", "data", "parts that do not fit together", "what MarshalBinary wrote", "")
	}
	next.index()
	*p = next
	return nil
}

// sound reports whether the parts of a stored state fit together.
func (s *partState) sound() bool {
	t := &s.Task
	ok := t.Stage >= extremes && t.Stage <= histograms && t.State.D > 0 && len(t.Cuts) == t.State.D && len(s.Sums) == len(t.Wanted) &&
		t.Units.sound() && s.Middle.Units.sound()
	shares := 0
	if t.State.Outputs > 1 && t.Stage > extremes {
		shares = t.State.K
	}
	if ok = ok && len(s.Middle.Shares) == shares && len(t.Middle.Shares) == shares; !ok || t.Stage < slopes {
		return ok && len(t.Wanted) == 0 && t.State.Outputs > 0
	}
	ok = t.State.sound(t.State.K > 0) && len(t.Grown) < t.State.Outputs
	if t.Stage == histograms {
		ok = ok && soundTree(t.Tree, t.State.D)
	}
	for _, cuts := range t.Cuts {
		ok = ok && len(cuts) < 254 && slices.IsSorted(cuts)
	}
	for k, w := range t.Wanted {
		ok = ok && w.Leaf >= 0 && w.Leaf < len(t.Tree) && w.Feature >= 0 && w.Feature < t.State.D && len(s.Sums[k]) == t.size()
	}
	return ok
}
