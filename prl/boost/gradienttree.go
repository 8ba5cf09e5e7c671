package boost

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
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

// A bar sums the rows of a node in one bin: whole multiples of the grower's units, so that the sums do not depend on any order.
type bar struct{ g, h, n int64 }

// grower grows the trees of a fit one after another.
type grower struct {
	b       *binned
	o       *GradientOptions
	bounded bool    // some features are monotone
	cap     float64 // largest size of a leaf
	offset  []int   // of each feature in a histogram, and the end
	size    int     // of a histogram
	used    []bool  // features of the round
	u       units

	team    *share.Team
	rows    []int32       // leaf by leaf, those of a leaf rising
	near    [][2]int64    // the derivatives of these rows, in units
	spare   []int32       // room for rows
	spares  [][2]int64    // and for their derivatives
	parting parting       // of the leaf that is divided
	tallies []*tile.Tally // of each worker, zero between uses
	free    [][]bar       // histograms to use again
	kept    int           // histograms in use
	budget  int           // bars that they may hold when a leaf has been searched
	bests   [2][]split    // of the features, for the leaves that are searched
	out     []GradientNode
	leaves  []open // of the tree under way
}

// units are the powers of two that sums of derivatives are whole multiples of. The units of a round follow from the number of rows and from
// the largest derivatives alone, so sums in parts, on any number of processors, are the same bit for bit. An entry of a tally sums at most
// 2^Count - 1 rows: its second number holds the second derivatives above, the number of rows in the lowest Count bits.
type units struct {
	Count int
	G, H  float64 // a derivative of 1 in units
}

// newUnits returns the units for n rows of derivatives up to g and h.
func newUnits(n int, g, h float64) units {
	whole := bits.Len(uint(n))
	u := units{Count: min(whole, 16)}
	_, up := math.Frexp(g)
	u.G = math.Ldexp(1, min(62-whole-up, 1000))
	_, up = math.Frexp(h)
	u.H = math.Ldexp(1, min(62-2*u.Count-up, 1000))
	return u
}

// sound reports whether units that were stored can be.
func (u *units) sound() bool { return u.Count >= 0 && u.Count < 32 }

// of returns the derivatives g and h of a row in units, as a tally adds them.
func (u *units) of(g, h float64) [2]int64 {
	return [2]int64{int64(math.RoundToEven(g * u.G)), int64(math.RoundToEven(h*u.H))<<u.Count | 1}
}

// into adds the entries of a tally to bars, which it begins if they are new, and clears them.
func (u *units) into(bars []bar, sums [][2]int64, begin bool) {
	sums = sums[:len(bars)]
	for i := range bars {
		b, s := &bars[i], &sums[i]
		if begin {
			*b = bar{}
		}
		b.g += s[0]
		b.h += s[1] >> (u.Count & 63)
		b.n += s[1] & (1<<(u.Count&63) - 1)
		*s = [2]int64{}
	}
}

// open is a leaf that may be split.
type open struct {
	node, from, to, depth int // its rows are rows[from:to]
	lo, hi                float64
	sum                   bar // of its rows
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

func newGrower(b *binned, o *GradientOptions, limit float64) *grower {
	g := &grower{
		b: b, o: o, cap: limit, budget: budget, offset: make([]int, b.d+1), used: make([]bool, b.d),
		rows: make([]int32, b.n), spare: make([]int32, b.n), near: make([][2]int64, b.n), spares: make([][2]int64, b.n),
		bests: [2][]split{make([]split, b.d), make([]split, b.d)},
	}
	for j := range b.d {
		g.size += b.gap(j) + 1
		g.offset[j+1] = g.size
		g.used[j] = true
	}
	for _, s := range o.Monotone {
		g.bounded = g.bounded || s != 0
	}
	return g
}

// grow grows a tree on rows[:n], of which the derivatives are known and add up to sum. It splits the leaf of the largest gain until there
// are enough leaves.
func (g *grower) grow(ctx context.Context, n int, sum bar) error {
	root := g.plant(sum)
	if root.to = n; g.splittable(root) {
		g.survey(root, nil)
	}
	for at := g.next(); at >= 0; at = g.next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &g.leaves[at]
		a, b := g.divide(l, g.part(l))
		g.prepare(l, &a, &b)
		g.leaves[at] = a
		g.leaves = append(g.leaves, b)
	}
	for i := range g.leaves {
		g.release(&g.leaves[i])
	}
	return nil
}

// ranges calls work(w, from, to) for ranges that make up 0 ... n-1, each of which takes ns nanoseconds a number.
func (g *grower) ranges(n int, ns float64, work func(w, from, to int)) {
	pieces := (n + leastPart - 1) / leastPart
	g.team.Turns(pieces, ns*float64(n), func(w, i int) { work(w, i*n/pieces, (i+1)*n/pieces) })
}

// plant begins a tree whose root has the given sums.
func (g *grower) plant(sum bar) (root *open) {
	g.out, g.leaves = []GradientNode{{Feature: -1}}, append(g.leaves[:0], open{lo: math.Inf(-1), hi: math.Inf(1)})
	g.describe(&g.leaves[0], sum)
	return &g.leaves[0]
}

// next returns the number of the leaf to split, that of the largest gain, or -1 where the tree is finished.
func (g *grower) next() int {
	if len(g.leaves) >= g.o.Leaves && g.o.Leaves != tree.Unlimited {
		return -1
	}
	at := 0
	for i := range g.leaves {
		if g.leaves[i].best.gain > g.leaves[at].best.gain*(1+tie) {
			at = i
		}
	}
	if !(g.leaves[at].best.gain > 0) {
		return -1
	}
	return at
}

// describe writes the sums of an open leaf into its node, and its value.
func (g *grower) describe(l *open, sum bar) {
	n := &g.out[l.node]
	n.Rows, n.G, n.H = int(sum.n), float64(sum.g)/g.u.G, float64(sum.h)/g.u.H
	n.Value = g.value(l, n.G, n.H)
	l.sum = sum
}

// value returns -G/(H+lambda) within the bounds of the leaf.
func (g *grower) value(l *open, G, H float64) float64 {
	h := H + g.o.Lambda
	if !(h > 0) {
		return min(max(0, l.lo), l.hi)
	}
	return min(max(-G/h, -g.cap, l.lo), g.cap, l.hi)
}

// splittable reports whether a leaf is large enough to be split and not too deep.
func (g *grower) splittable(l *open) bool {
	return l.sum.n >= 2*int64(g.o.MinLeaf) && (g.o.Depth == tree.Unlimited || l.depth < g.o.Depth)
}

// survey sums the rows of a leaf by bins and finds its best test, and that of rest, if there is one: a leaf with the bars of both, from
// which those of the first are subtracted. The work is divided by blocks of features, and the rows of a block into parts where blocks are
// few; the goroutine that ends the last part of a block adds up the parts.
func (g *grower) survey(l, rest *open) {
	l.bars = g.histogram()
	rows, near, blocks := g.rows[l.from:l.to], g.near[l.from:l.to], len(g.b.blocks)
	parts := 1
	if workers := g.team.Size(); workers > 1 {
		parts = max(1, min((16*workers+blocks-1)/blocks, len(rows)/leastPart))
	}
	whole := make([]open, parts) // a histogram for each part
	for p := range whole {
		if whole[p].bars = l.bars; p > 0 {
			whole[p].bars = g.histogram()
		}
	}
	for len(g.tallies) < g.team.Size() {
		g.tallies = append(g.tallies, new(tile.Tally))
	}
	left := make([]atomic.Int32, blocks) // parts under way
	for at := range left {
		left[at].Store(int32(parts))
	}
	ns := 0.6*float64(len(rows))*float64(g.b.d) + 10*float64(g.size)
	g.team.Turns(blocks*parts, ns, func(w, piece int) {
		at, p := piece/parts, piece%parts
		from, to := p*len(rows)/parts, (p+1)*len(rows)/parts
		g.fill(&whole[p], at, rows[from:to], near[from:to], g.tallies[w])
		if left[at].Add(-1) > 0 {
			return
		}
		first, end := at*tile.Lanes, min((at+1)*tile.Lanes, g.b.d)
		own := l.bars[g.offset[first]:g.offset[end]]
		for p := range whole[1:] {
			add(own, whole[p+1].bars[g.offset[first]:g.offset[end]])
		}
		g.scanBlock(0, l, at)
		if rest != nil {
			subtract(rest.bars[g.offset[first]:g.offset[end]], own)
			g.scanBlock(1, rest, at)
		}
	})
	for p := range whole[1:] {
		g.release(&whole[p+1])
	}
	g.choose(0, l)
	if rest != nil {
		g.choose(1, rest)
	}
}

// leastPart is the number of rows of a part at the least.
const leastPart = 1 << 14

// fill sums rows by the bins of the features of a block.
func (g *grower) fill(l *open, at int, rows []int32, near [][2]int64, t *tile.Tally) {
	first, end := at*tile.Lanes, min((at+1)*tile.Lanes, g.b.d)
	for from, most := 0, 1<<g.u.Count-1; from < len(rows); from += most {
		to := min(from+most, len(rows))
		for j := first; j < end; j++ {
			k := j
			for k < end && g.used[k] {
				k++
			}
			t.Add(j-first, k-first, rows[from:to], g.b.blocks[at], near[from:to])
			for ; j < k; j++ {
				g.u.into(g.bars(l, j), t[(j-first)*tile.TallyStride:], from == 0)
			}
		}
	}
}

// bars returns the bins of a feature, the last of which is that of the gaps.
func (g *grower) bars(l *open, j int) []bar { return l.bars[g.offset[j]:g.offset[j+1]] }

// histogram returns a histogram of any content.
func (g *grower) histogram() []bar {
	g.kept++
	if last := len(g.free) - 1; last >= 0 {
		bars := g.free[last]
		g.free = g.free[:last]
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

// budget is the number of bars that the open leaves of a fit may keep: 0.2 GB.
const budget = 1 << 23

// search finds the best test of a leaf among all features.
func (g *grower) search(l *open) {
	blocks := (g.b.d + tile.Lanes - 1) / tile.Lanes
	g.team.Turns(blocks, 4*float64(g.size), func(_, at int) { g.scanBlock(0, l, at) })
	g.choose(0, l)
}

// scanBlock finds the best test of each feature of a block, unless the leaf may not be split.
func (g *grower) scanBlock(number int, l *open, at int) {
	for j := at * tile.Lanes; j < min((at+1)*tile.Lanes, g.b.d); j++ {
		g.bests[number][j] = split{}
		if g.used[j] && g.splittable(l) {
			g.bests[number][j] = g.scan(l, j)
		}
	}
}

// choose takes the best test of a leaf among those of the features.
func (g *grower) choose(number int, l *open) {
	l.best = split{}
	node := &g.out[l.node]
	whole := g.gainOf(l, node.G, node.H)
	for _, s := range g.bests[number] {
		if s.gain > l.best.gain+tie*(l.best.gain+whole) {
			l.best = s
		}
	}
	if s := &l.best; s.gain > 0 { // the middle of the empty bins behind the cut
		bars := g.bars(l, s.feature)
		next, gap := s.cut+1, len(bars)-1
		for next < gap && bars[next].n == 0 {
			next++
		}
		if s.cut += (next - s.cut - 1) / 2; next == gap {
			s.cut = gap - 1
		}
	}
	if l.best.gain == 0 || g.kept*g.size > g.budget {
		g.release(l)
	}
}

// scan finds the best cut of feature j, of equal ones the lowest: with the missing values on the right, then on the left.
func (g *grower) scan(l *open, j int) split {
	bars := g.bars(l, j)
	gap := bars[len(bars)-1]
	bars = bars[:len(bars)-1]
	best := split{feature: j}
	g.sweep(l, j, bar{}, bars, gap.n > 0, &best)
	if gap.n > 0 {
		before := best.gain
		g.sweep(l, j, gap, bars, false, &best)
		best.gapsLeft = best.gain > before
	} else if best.gain > 0 {
		best.gapsLeft = 2*best.left.n >= l.sum.n // of a gap that the fit has not seen: with the most rows
	}
	return best
}

// sweep moves the bins of a feature to the left one after another. all allows to move all of them.
func (g *grower) sweep(l *open, j int, left bar, bars []bar, all bool, best *split) {
	node := &g.out[l.node]
	lambda, gamma, least, sum, whole := g.o.Lambda, g.o.Gamma, int64(g.o.MinLeaf), l.sum, g.gainOf(l, node.G, node.H)
	unitG, unitH := 1/g.u.G, 1/g.u.H
	if !all {
		bars = bars[:len(bars)-1]
	}
	sign := 0
	if g.o.Monotone != nil {
		sign = g.o.Monotone[j]
	}
	over := best.gain + tie*(best.gain+whole)
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
		gl, hl := float64(left.g)*unitG, float64(left.h)*unitH
		gr, hr := float64(sum.g-left.g)*unitG, float64(sum.h-left.h)*unitH
		gain := 0.0
		if g.bounded {
			if wl, wr := g.value(l, gl, hl), g.value(l, gr, hr); float64(sign)*(wr-wl) < 0 {
				continue
			}
			gain = g.gainOf(l, gl, hl) + g.gainOf(l, gr, hr) - whole - gamma
		} else {
			gain = (gl*gl/(hl+lambda)+gr*gr/(hr+lambda))/2 - whole - gamma
		}
		if gain > over && !math.IsInf(gain, 1) {
			best.gain, best.cut, best.left = gain, k, left
			over = gain + tie*(gain+whole)
		}
	}
}

// gainOf returns how much a leaf of sums G and H lowers the loss: -(G w + (H + lambda) w^2 / 2) at its value w.
func (g *grower) gainOf(l *open, G, H float64) float64 {
	h := H + g.o.Lambda
	if !g.bounded {
		if !(h > 0) {
			return 0
		}
		return G * G / h / 2
	}
	w := g.value(l, G, H)
	return -w * (G + h*w/2)
}

// part moves the rows of a leaf that pass its best test before the others and returns their number. Of many rows one goroutine takes the
// first half from the front, another the second half from the back, so that what is to go to the other side has its place between them.
func (g *grower) part(l *open) int {
	s := l.best
	n, rows := l.to-l.from, &g.parting
	rows.column, rows.rows, rows.near = g.b.columns[s.feature], g.rows[l.from:l.to], g.near[l.from:l.to]
	rows.spare, rows.spares = g.spare[:n], g.spares[:n]
	gap := g.b.gap(s.feature)
	for c := range rows.goes {
		rows.goes[c] = 0
		if c <= s.cut || c == gap && s.gapsLeft {
			rows.goes[c] = 1
		}
	}
	half := n
	if n >= 2*leastPart {
		half /= 2
	}
	left, right := 0, 0 // of the first half, of the second half
	g.team.Turns(2, 4*float64(n), func(_, end int) {
		if end == 0 {
			left = rows.forward(half)
		} else {
			right = rows.backward(half)
		}
	})
	k := left + n - half - right
	g.team.Turns(2, float64(n), func(_, end int) {
		from, to, at := 0, half-left, k // the first half's rows that go to the right
		if end == 1 {
			from, to, at = half+right, n, left
		}
		copy(rows.rows[at:], rows.spare[from:to])
		copy(rows.near[at:], rows.spares[from:to])
	})
	return k
}

// parting is a leaf whose rows are divided.
type parting struct {
	goes         [256]int // of each bin: 1 to the left, 0 to the right
	column       []uint8
	rows, spare  []int32
	near, spares [][2]int64
}

// forward puts the rows before end that go to the left in front, the others into spare, and returns how many go to the left. It has no
// branches, which no processor would foresee.
func (p *parting) forward(end int) (k int) {
	rows, column := p.rows[:end], p.column
	near, spare, spares := p.near[:end], p.spare[:end], p.spares[:end]
	for i, r := range rows {
		d := near[i]
		rows[k], near[k] = r, d
		spare[i-k], spares[i-k] = r, d
		k += p.goes[column[r]]
	}
	return k
}

// backward puts the rows from begin on that go to the right at the end, the others at the end of spare, and returns how many go to the
// right.
func (p *parting) backward(begin int) int {
	rows, column := p.rows[begin:], p.column
	near, spare, spares := p.near[begin:], p.spare[begin:], p.spares[begin:]
	last := len(rows) - 1
	k := last
	for i := last; i >= 0; i-- {
		r, d := rows[i], near[i]
		rows[k], near[k] = r, d
		spare[last-k+i], spares[last-k+i] = r, d
		k += p.goes[column[r]] - 1
	}
	return last - k
}

// limit returns the threshold of a test.
func (g *grower) limit(s split) float64 {
	if c := g.b.cuts[s.feature]; s.cut < len(c) {
		return c[s.cut]
	}
	return math.MaxFloat64
}

// divide makes two leaves of a leaf by its best test, which its first k rows pass.
func (g *grower) divide(l *open, k int) (a, b open) {
	s := l.best
	node := &g.out[l.node]
	node.Feature, node.GapsLeft, node.Gain, node.Threshold = s.feature, s.gapsLeft, s.gain, g.limit(s)
	node.Left, node.Right = len(g.out), len(g.out)+1
	right := bar{l.sum.g - s.left.g, l.sum.h - s.left.h, l.sum.n - s.left.n}
	a = open{node: node.Left, from: l.from, to: l.from + k, depth: l.depth + 1, lo: l.lo, hi: l.hi}
	b = open{node: node.Right, from: l.from + k, to: l.to, depth: l.depth + 1, lo: l.lo, hi: l.hi}
	node.Value = 0
	g.out = append(g.out, GradientNode{Feature: -1}, GradientNode{Feature: -1})
	g.describe(&a, s.left)
	g.describe(&b, right)
	if g.bounded && g.o.Monotone[s.feature] != 0 {
		middle := (g.out[a.node].Value + g.out[b.node].Value) / 2
		if g.o.Monotone[s.feature] > 0 {
			a.hi, b.lo = middle, middle
		} else {
			a.lo, b.hi = middle, middle
		}
	}
	return a, b
}

// prepare makes the histograms of two new leaves, that of the larger one out of the parent's, and finds their best tests.
func (g *grower) prepare(parent, a, b *open) {
	small, large := a, b
	if a.to-a.from > b.to-b.from {
		small, large = b, a
	}
	switch most := large.to - large.from; {
	case !g.splittable(large):
		g.release(parent)
	case parent.bars != nil && most > g.size/g.b.d:
		large.bars, parent.bars = parent.bars, nil
		g.survey(small, large)
	default:
		g.release(parent)
		g.survey(large, nil)
		if g.splittable(small) {
			g.survey(small, nil)
		}
	}
}

// subtract takes from the sums of a leaf those of a child, which leaves those of the other one.
func subtract(from, part []bar) {
	part = part[:len(from)]
	for i := range from {
		p, q := &from[i], &part[i]
		p.g -= q.g
		p.h -= q.h
		p.n -= q.n
	}
}

// add adds to the sums of some rows those of others.
func add(to, part []bar) {
	part = part[:len(to)]
	for i := range to {
		p, q := &to[i], &part[i]
		p.g += q.g
		p.h += q.h
		p.n += q.n
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
func answer(list []GradientNode, x []float64) float64 { return list[leafOf(list, x)].Value }

// leafOf returns the number of the leaf that a row reaches.
func leafOf(list []GradientNode, x []float64) int {
	at := 0
	for n := &list[0]; n.Feature >= 0; n = &list[at] {
		if v := x[n.Feature]; v <= n.Threshold || v != v && n.GapsLeft {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return at
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
