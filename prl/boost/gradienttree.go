package boost

import (
	"context"
	"math"

	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/tree"
)

// A GradientNode is a node of a tree of gradient boosting. The root is number 0; children come behind their parent.
type GradientNode struct {
	Feature     int     // the feature tested, or -1 in a leaf
	Threshold   float64 // rows with x[Feature] <= Threshold go left; math.MaxFloat64 sends all rows that have a value there
	GapsLeft    bool    // rows without a value of the feature go left
	Left, Right int     // the numbers of the children, 0 in a leaf
	Rows        int     // rows of the round that reach the node
	G, H        float64 // sums of the first and second derivatives of the loss over these rows, times their weights
	Gain        float64 // 1/2 (G_L^2/(H_L+lambda) + G_R^2/(H_R+lambda) - G^2/(H+lambda)) - gamma of the test, 0 in a leaf
	Value       float64 // w = -G/(H+lambda) of a leaf, before it is multiplied by the rate; of losses by quantiles one of residuals
}

// Leaf reports whether n tests nothing.
func (n *GradientNode) Leaf() bool { return n.Feature < 0 }

// pair holds the derivatives of the loss of a row, times its weight.
type pair struct{ g, h float64 }

// A bar sums the rows of a node in one bin.
type bar struct {
	g, h float64
	n    int64
}

// grower grows the trees of a fit one after another.
type grower struct {
	b       *binned
	o       *GradientOptions
	bounded bool    // some features are monotone
	unit    bool    // all second derivatives are 1
	cap     float64 // largest size of a leaf
	offset  []int   // of each feature in a histogram
	size    int     // of a histogram, with room for 256 bars behind the last offset
	used    []bool  // features of the round

	derivatives []pair // of all rows
	rows, spare []int32
	near        []pair  // derivatives of the rows of a node, side by side
	free        [][]bar // histograms to use again
	kept        int     // histograms in use
	bests       []split // of the features, for the leaf that is searched
	out         []GradientNode
	leaves      []open // of the finished tree
}

// open is a leaf that may be split.
type open struct {
	node, from, to, depth int // its rows are rows[from:to]
	lo, hi                float64
	bars                  []bar
	best                  split
}

// split is a test: bins up to cut go left.
type split struct {
	feature, cut int
	gapsLeft     bool
	gain         float64
	left         bar
}

func newGrower(b *binned, o *GradientOptions, limit float64, unit bool) *grower {
	g := &grower{
		b: b, o: o, cap: limit, unit: unit, offset: make([]int, b.d), used: make([]bool, b.d),
		derivatives: make([]pair, b.n), rows: make([]int32, b.n), spare: make([]int32, b.n), near: make([]pair, b.n), bests: make([]split, b.d),
	}
	for j := range b.d {
		g.offset[j] = g.size
		g.size += b.gap(j) + 1
		g.used[j] = true
	}
	g.size += 256
	for _, s := range o.Monotone {
		g.bounded = g.bounded || s != 0
	}
	return g
}

// grow grows a tree on rows[:n], of which the derivatives are known. It splits the leaf of the largest gain until there are enough leaves.
func (g *grower) grow(ctx context.Context, n int) error {
	g.out, g.leaves = nil, g.leaves[:0]
	root := open{to: n, lo: math.Inf(-1), hi: math.Inf(1)}
	g.out = append(g.out, GradientNode{Feature: -1})
	sum := bar{n: int64(n)}
	for _, r := range g.rows[:n] {
		d := g.derivatives[r]
		sum.g += d.g
		sum.h += d.h
	}
	g.describe(&root, sum)
	leaves := []open{root}
	if g.splittable(&leaves[0]) {
		g.fill(&leaves[0])
		g.search(&leaves[0])
	}
	for len(leaves) < g.o.Leaves || g.o.Leaves == tree.Unlimited {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := 0
		for i := range leaves {
			if leaves[i].best.gain > leaves[at].best.gain*(1+tie) {
				at = i
			}
		}
		if !(leaves[at].best.gain > 0) {
			break
		}
		l, r := g.split(&leaves[at])
		leaves[at] = l
		leaves = append(leaves, r)
	}
	for i := range leaves {
		g.release(&leaves[i])
	}
	g.leaves = leaves
	return nil
}

// describe writes the sums of an open leaf into its node, and its value.
func (g *grower) describe(l *open, sum bar) {
	n := &g.out[l.node]
	n.Rows, n.G, n.H = l.to-l.from, sum.g, sum.h
	n.Value = g.value(l, sum)
}

// value returns -G/(H+lambda) within the bounds of the leaf.
func (g *grower) value(l *open, sum bar) float64 {
	h := sum.h + g.o.Lambda
	if !(h > 0) {
		return min(max(0, l.lo), l.hi)
	}
	return min(max(-sum.g/h, -g.cap, l.lo), g.cap, l.hi)
}

// splittable reports whether a leaf is large enough to be split and not too deep.
func (g *grower) splittable(l *open) bool {
	return l.to-l.from >= 2*g.o.MinLeaf && (g.o.Depth == tree.Unlimited || l.depth < g.o.Depth)
}

// fill sums the rows of a leaf by bins.
func (g *grower) fill(l *open) {
	l.bars = g.histogram()
	rows := g.rows[l.from:l.to]
	near := g.near[:len(rows)]
	for i, r := range rows {
		near[i] = g.derivatives[r]
	}
	twos := (g.b.d + 1) / 2
	share.Turns(share.Workers(twos, 2*float64(len(rows))*float64(g.b.d)), twos, func(_, two int) {
		j, k := 2*two, 2*two+1
		if k < g.b.d && g.used[j] && g.used[k] {
			g.sumTwo(l, j, k, rows, near)
			return
		}
		for ; j <= k && j < g.b.d; j++ {
			if g.used[j] {
				g.sumOne(l, j, rows, near)
			}
		}
	})
	if !g.unit {
		return
	}
	for j := range g.b.d {
		for k := range g.b.gap(j) + 1 {
			l.bars[g.offset[j]+k].h = float64(l.bars[g.offset[j]+k].n)
		}
	}
}

// bars returns the bins of a feature.
func (g *grower) bars(l *open, j int) *[256]bar { return (*[256]bar)(l.bars[g.offset[j]:]) }

// sumOne sums by the bins of a feature. Where all second derivatives are 1 it leaves their sum to fill.
func (g *grower) sumOne(l *open, j int, rows []int32, near []pair) {
	p, column := g.bars(l, j), g.b.columns[j]
	near = near[:len(rows)]
	if g.unit {
		for i, r := range rows {
			a := &p[column[r]]
			a.g += near[i].g
			a.n++
		}
		return
	}
	for i, r := range rows {
		a := &p[column[r]]
		a.g += near[i].g
		a.h += near[i].h
		a.n++
	}
}

// sumTwo is sumOne for two features, whose sums do not wait for each other.
func (g *grower) sumTwo(l *open, j, k int, rows []int32, near []pair) {
	p, q, first, second := g.bars(l, j), g.bars(l, k), g.b.columns[j], g.b.columns[k]
	near = near[:len(rows)]
	if g.unit {
		for i, r := range rows {
			v := near[i].g
			a := &p[first[r]]
			a.g += v
			a.n++
			b := &q[second[r]]
			b.g += v
			b.n++
		}
		return
	}
	for i, r := range rows {
		v := near[i]
		a := &p[first[r]]
		a.g += v.g
		a.h += v.h
		a.n++
		b := &q[second[r]]
		b.g += v.g
		b.h += v.h
		b.n++
	}
}

func (g *grower) histogram() []bar {
	g.kept++
	if last := len(g.free) - 1; last >= 0 {
		bars := g.free[last]
		g.free = g.free[:last]
		clear(bars)
		return bars
	}
	return make([]bar, g.size)
}

func (g *grower) release(l *open) {
	if l.bars != nil {
		g.free = append(g.free, l.bars)
		l.bars = nil
		g.kept--
	}
}

// tie is the share by which a gain must be larger than another to count as larger, beyond what the order of the rows makes of sums.
const tie = 1e-11

// budget is the number of bars that the open leaves may keep: 0.2 GB.
const budget = 1 << 23

// search finds the best test of a leaf among all features.
func (g *grower) search(l *open) {
	node := &g.out[l.node]
	sum := bar{node.G, node.H, int64(node.Rows)}
	share.Turns(share.Workers(g.b.d, 4*float64(g.size)), g.b.d, func(_, j int) {
		g.bests[j] = split{}
		if g.used[j] {
			g.bests[j] = g.scan(l, j, sum)
		}
	})
	l.best = split{}
	whole := g.gainOf(l, sum)
	for _, s := range g.bests {
		if s.gain > l.best.gain+tie*(l.best.gain+whole) {
			l.best = s
		}
	}
	if l.best.gain == 0 || g.kept*g.size > budget {
		g.release(l)
	}
}

// scan finds the best cut of feature j, of equal ones the lowest: with the missing values on the right, then on the left.
func (g *grower) scan(l *open, j int, sum bar) split {
	bars := l.bars[g.offset[j] : g.offset[j]+g.b.gap(j)+1]
	gap := bars[len(bars)-1]
	bars = bars[:len(bars)-1]
	best := split{feature: j}
	g.sweep(l, j, sum, bar{}, bars, gap.n > 0, &best)
	if gap.n > 0 {
		before := best.gain
		g.sweep(l, j, sum, gap, bars, false, &best)
		best.gapsLeft = best.gain > before
	} else if best.gain > 0 {
		best.gapsLeft = 2*best.left.n >= sum.n // of a gap that the fit has not seen: with the most rows
	}
	return best
}

// sweep moves the bins of a feature to the left one after another. all allows to move all of them.
func (g *grower) sweep(l *open, j int, sum, left bar, bars []bar, all bool, best *split) {
	lambda, least, whole := g.o.Lambda, int64(g.o.MinLeaf), g.gainOf(l, sum)
	if !all {
		bars = bars[:len(bars)-1]
	}
	sign := 0
	if g.o.Monotone != nil {
		sign = g.o.Monotone[j]
	}
	for k := range bars {
		b := &bars[k]
		if b.n == 0 {
			continue
		}
		left.g += b.g
		left.h += b.h
		left.n += b.n
		if left.n < least {
			continue
		}
		if sum.n-left.n < least {
			return
		}
		right := bar{sum.g - left.g, sum.h - left.h, sum.n - left.n}
		gain := 0.0
		if g.bounded {
			if wl, wr := g.value(l, left), g.value(l, right); float64(sign)*(wr-wl) < 0 {
				continue
			}
			gain = g.gainOf(l, left) + g.gainOf(l, right) - whole - g.o.Gamma
		} else {
			gain = (left.g*left.g/(left.h+lambda)+right.g*right.g/(right.h+lambda))/2 - whole - g.o.Gamma
		}
		if gain > best.gain+tie*(best.gain+whole) && !math.IsInf(gain, 1) {
			best.gain, best.cut, best.left = gain, k, left
		}
	}
}

// gainOf returns how much a leaf lowers the loss: -(G w + (H + lambda) w^2 / 2) at its value w.
func (g *grower) gainOf(l *open, sum bar) float64 {
	h := sum.h + g.o.Lambda
	if !g.bounded {
		if !(h > 0) {
			return 0
		}
		return sum.g * sum.g / h / 2
	}
	w := g.value(l, sum)
	return -w * (sum.g + h*w/2)
}

// split divides the rows of a leaf by its best test and returns the two leaves.
func (g *grower) split(l *open) (a, b open) {
	s := l.best
	bars := g.b.gap(s.feature)
	column, cut := g.b.columns[s.feature], s.cut
	if l.bars != nil { // the middle of the empty bins behind the cut
		next := cut + 1
		for next < bars && l.bars[g.offset[s.feature]+next].n == 0 {
			next++
		}
		if cut += (next - cut - 1) / 2; next == bars {
			cut = bars - 1
		}
	}
	rows, k, out := g.rows[l.from:l.to], 0, g.spare[:0]
	for _, r := range rows {
		if c := int(column[r]); c <= cut || c == bars && s.gapsLeft {
			rows[k] = r
			k++
		} else {
			out = append(out, r)
		}
	}
	copy(rows[k:], out)

	node := &g.out[l.node]
	node.Feature, node.GapsLeft, node.Gain, node.Threshold = s.feature, s.gapsLeft, s.gain, math.MaxFloat64
	if cut < len(g.b.cuts[s.feature]) {
		node.Threshold = g.b.cuts[s.feature][cut]
	}
	node.Left, node.Right = len(g.out), len(g.out)+1
	sum := bar{node.G, node.H, int64(node.Rows)}
	right := bar{sum.g - s.left.g, sum.h - s.left.h, sum.n - s.left.n}
	a = open{node: node.Left, from: l.from, to: l.from + k, depth: l.depth + 1, lo: l.lo, hi: l.hi}
	b = open{node: node.Right, from: l.from + k, to: l.to, depth: l.depth + 1, lo: l.lo, hi: l.hi}
	if g.bounded && g.o.Monotone[s.feature] != 0 {
		middle := (g.value(l, s.left) + g.value(l, right)) / 2
		if g.o.Monotone[s.feature] > 0 {
			a.hi, b.lo = middle, middle
		} else {
			a.lo, b.hi = middle, middle
		}
	}
	node.Value = 0
	g.out = append(g.out, GradientNode{Feature: -1}, GradientNode{Feature: -1})
	g.describe(&a, s.left)
	g.describe(&b, right)
	g.prepare(l, &a, &b)
	return a, b
}

// prepare makes the histograms of two new leaves, that of the larger one out of the parent's, and searches them.
func (g *grower) prepare(parent, a, b *open) {
	small, large := a, b
	if a.to-a.from > b.to-b.from {
		small, large = b, a
	}
	again, most := g.splittable(large), large.to-large.from
	if again && parent.bars != nil && most > g.size/g.b.d {
		g.fill(small)
		large.bars, parent.bars = parent.bars, nil
		for i := range large.bars {
			p, q := &large.bars[i], &small.bars[i]
			p.g -= q.g
			p.h -= q.h
			p.n -= q.n
		}
	} else if again {
		g.fill(large)
		if g.splittable(small) {
			g.fill(small)
		}
	}
	g.release(parent)
	for _, l := range []*open{a, b} {
		if l.bars == nil {
			continue
		}
		if g.splittable(l) {
			g.search(l)
		} else {
			g.release(l)
		}
	}
}

// walk returns the value of the leaf that a row of the bins reaches.
func (g *grower) walk(list []GradientNode, cuts []int, i int) float64 {
	at := 0
	for list[at].Feature >= 0 {
		n := &list[at]
		bin := int(g.b.columns[n.Feature][i])
		if bin <= cuts[at] || n.GapsLeft && bin == g.b.gap(n.Feature) {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return list[at].Value
}

// bins returns for each node of a tree the last bin that goes left.
func (g *grower) bins(list []GradientNode) []int {
	cuts := make([]int, len(list))
	for i, n := range list {
		if n.Leaf() {
			continue
		}
		c := g.b.cuts[n.Feature]
		cuts[i] = len(c)
		for k, v := range c {
			if v >= n.Threshold {
				cuts[i] = k
				break
			}
		}
	}
	return cuts
}

// answer returns the value of the leaf that a row reaches.
func answer(list []GradientNode, x []float64) float64 {
	n := &list[0]
	for n.Feature >= 0 {
		v := x[n.Feature]
		if v <= n.Threshold || v != v && n.GapsLeft {
			n = &list[n.Left]
		} else {
			n = &list[n.Right]
		}
	}
	return n.Value
}

// soundTree reports whether nodes form a tree on d features.
func soundTree(list []GradientNode, d int) bool {
	parents := make([]int, len(list))
	for i := range list {
		n := &list[i]
		if n.Feature < -1 || n.Feature >= d || n.Rows < 0 || n.Threshold != n.Threshold || !finite(n.G, n.H, n.Gain, n.Value) {
			return false
		}
		if n.Leaf() {
			continue
		}
		if n.Left <= i || n.Right <= i || n.Left == n.Right || max(n.Left, n.Right) >= len(list) {
			return false
		}
		parents[n.Left]++
		parents[n.Right]++
	}
	for i, p := range parents {
		if p != min(i, 1) {
			return false
		}
	}
	return len(list) > 0
}

func finite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 {
			return false
		}
	}
	return true
}
