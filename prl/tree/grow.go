package tree

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/prlab/prlab/prl/estimator"
)

// A task is what is being predicted. The cost of a node is its weight times its impurity; a split is scored by how much it lowers the cost.
type task[R row] interface {
	// values is the length of a node's Value.
	values() int
	// node returns the weight and impurity of the node with the given rows and writes its Value, zeros so far.
	node(rows []R, value []float64) (weight, impurity float64)
	// scan returns the best cut of rows in rising order of column: place i puts rows[:i+1] to the left. Only cuts between different values
	// that leave least rows on either side count; of equal ones (within margin) the first. The cost is that of both children together; at is
	// -1 when there is no cut.
	scan(rows []R, column feature, n Node, least int, margin float64) cut
	// scores returns a number for each group of rows, which begin at starts, in whose order the groups are best cut in two.
	scores(rows []R, starts []int) []float64
}

type cut struct {
	at       int
	cost     float64
	gapsLeft bool // rows with a gap were put before the others
}

// grower holds the sorted rows while a tree grows. Every node owns the same range lo ... hi of each sorted list.
type grower[R row] struct {
	ctx   context.Context
	s     *sorted[R]
	task  task[R]
	opts  Options
	total float64
	list  pages
	value []float64 // of the nodes to come on the last page
	left  []uint8
	best  []cut
	rng   *rand.Rand
	perm  []int
	now   float64 // impurity of the tree so far
	done  int
	side  []float64     // the value of a side of a random cut
	odd   *unordered[R] // nil when all features are numbers without gaps

	// What the node being split is to the loops over the features. They are made once: a closure a node would take as much memory as the
	// nodes.
	job         job
	node        Node
	feature     int // of the split
	scan, sweep func(worker, from, to int)
}

type job struct {
	lo, hi, depth, parent int
	right                 bool
}

func grow[R row](ctx context.Context, name string, s *sorted[R], t task[R], opts Options) (pages, error) {
	g := &grower[R]{ctx: ctx, s: s, task: t, opts: opts, left: make([]uint8, s.n), best: make([]cut, s.d), odd: newUnordered(s, opts)}
	g.side = make([]float64, t.values())
	g.scan, g.sweep = g.scanFeatures, g.sweepFeatures
	if opts.RandomCuts && opts.MaxFeatures == All {
		g.opts.MaxFeatures = s.d
	}
	if g.opts.MaxFeatures != All {
		g.rng = rand.New(rand.NewPCG(opts.Seed, 0x7ee))
		g.perm = make([]int, s.d)
		for j := range g.perm {
			g.perm[j] = j
		}
	}
	stack := []job{{lo: 0, hi: s.grown, parent: -1}}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after %d splits: %w", name, g.done, err)
		}
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := g.list.len()
		value := g.room(t.values())
		w, impurity := t.node(s.order[0][b.lo:b.hi], value)
		g.list = g.list.append(Node{Feature: -1, Depth: b.depth, Rows: b.hi - b.lo, Weight: w, Impurity: impurity, Value: value})
		if b.parent < 0 {
			g.total, g.now = w, impurity
		} else if b.right {
			g.list.at(b.parent).Right = at
		} else {
			g.list.at(b.parent).Left = at
		}
		feature, c := g.split(b, at)
		if feature < 0 {
			continue
		}
		mid := b.lo + g.ask(b, at, feature, c)
		stack = append(stack, job{mid, b.hi, b.depth + 1, at, true}, job{b.lo, mid, b.depth + 1, at, false})
		g.done++
		if opts.Progress != nil {
			g.now -= (w*impurity - c.cost) / g.total
			opts.Progress(estimator.Progress{Iteration: g.done, Objective: max(g.now, 0)})
		}
	}
	if err := ctx.Err(); err != nil { // it may have cut the last node short
		return nil, fmt.Errorf("%s: stopped after %d splits: %w", name, g.done, err)
	}
	return g.list, nil
}

// room returns k zeros, cut from an array for a whole page of nodes.
func (g *grower[R]) room(k int) []float64 {
	if len(g.value) == 0 {
		g.value = make([]float64, page*k)
	}
	v := g.value[:k:k]
	g.value = g.value[k:]
	return v
}

// split returns the feature and cut that lower the cost of node at most, or -1.
func (g *grower[R]) split(b job, at int) (int, cut) {
	g.job, g.node = b, *g.list.at(at)
	n, m := &g.node, b.hi-b.lo
	cost := n.Weight * n.Impurity
	if m < g.opts.MinSplit || m < 2*g.opts.MinLeaf || (g.opts.MaxDepth != Unlimited && b.depth >= g.opts.MaxDepth) || n.Impurity <= 0 {
		return -1, cut{}
	}
	margin := tie * cost
	win, most := -1, cut{at: -1, cost: math.Inf(1)}
	consider := func(j int) {
		if c := g.best[j]; c.at >= 0 && (win < 0 || c.cost < most.cost-margin) {
			win, most = j, c
		}
	}
	if g.rng == nil {
		g.s.features(m, 2, g.scan)
		for j := range g.s.d {
			consider(j)
		}
	} else { // draw features without replacement; go on beyond MaxFeatures while none can be split
		for k := range g.perm {
			if k >= g.opts.MaxFeatures && win >= 0 {
				break
			}
			o := k + g.rng.IntN(len(g.perm)-k)
			g.perm[k], g.perm[o] = g.perm[o], g.perm[k]
			if g.stopped() {
				return -1, cut{}
			}
			g.scan(0, g.perm[k], g.perm[k]+1)
			consider(g.perm[k])
		}
	}
	if win < 0 || (cost-most.cost)/g.total < g.opts.MinGain-tie*n.Impurity {
		return -1, cut{}
	}
	return win, most
}

// many is the number of rows of a node from which ctx is looked at for every feature: less than a millisecond of work.
const many = 1 << 14

// stopped reports whether ctx has ended while a large node is worked on; grow finds out before the next one.
func (g *grower[R]) stopped() bool { return g.job.hi-g.job.lo > many && g.ctx.Err() != nil }

// scanFeatures finds the best cut of the node being split for some features.
func (g *grower[R]) scanFeatures(worker, from, to int) {
	margin := tie * (g.node.Weight * g.node.Impurity)
	for j := from; j < to; j++ {
		rows, col := g.s.order[j][g.job.lo:g.job.hi], g.s.column(j)
		g.best[j].at = -1
		if g.stopped() {
			continue
		}
		if g.odd.has(j) {
			g.best[j] = g.scanUnordered(worker, j, margin)
			continue
		}
		if lo, hi := col.at(int(rows[0])), col.at(int(rows[len(rows)-1])); lo < hi && g.opts.RandomCuts {
			g.best[j] = g.randomCut(rows, col, lo, hi)
		} else if lo < hi {
			g.best[j] = g.task.scan(rows, col, g.node, g.opts.MinLeaf, margin)
		}
	}
}

// randomCut cuts sorted rows at a number drawn evenly between their lowest and their highest value.
func (g *grower[R]) randomCut(rows []R, column feature, lo, hi float64) cut {
	u := g.rng.Float64()
	at := lo*(1-u) + hi*u
	k := sort.Search(len(rows), func(i int) bool { return column.at(int(rows[i])) > at })
	if k < g.opts.MinLeaf || len(rows)-k < g.opts.MinLeaf {
		return cut{at: -1}
	}
	cost := 0.0
	for _, side := range [][]R{rows[:k], rows[k:]} {
		clear(g.side)
		weight, impurity := g.task.node(side, g.side)
		cost += weight * impurity
	}
	return cut{at: k - 1, cost: cost}
}

// partition sorts the rows of each list into left and right and keeps their order within both.
func (g *grower[R]) partition(b job, feature, at int) {
	for i, r := range g.s.order[feature][b.lo:b.hi] {
		g.left[r] = 0
		if i <= at {
			g.left[r] = 1
		}
	}
	g.feature = feature
	g.s.features(b.hi-b.lo, 1, g.sweep)
}

// sweepFeatures does the work of partition for some features; the list of the feature that is split has its order already. One that does
// not vary in the node, as most of one-hot columns, does not vary below it, and its list is left as it is: there too its first and last
// rows, whichever they are, tell that it cannot be split. The first list stays in order for the values of the nodes.
func (g *grower[R]) sweepFeatures(worker, from, to int) {
	right := g.s.room(worker)
	for j := from; j < to; j++ {
		if j == g.feature || g.stopped() {
			continue
		}
		rows, column := g.s.order[j][g.job.lo:g.job.hi], g.s.column(j)
		if j > 0 && column.at(int(rows[0])) == column.at(int(rows[len(rows)-1])) && !g.odd.has(j) {
			continue
		}
		l, r := 0, 0
		for _, row := range rows { // both writes always happen and the counters decide: no branch to mispredict
			goes := int(g.left[row])
			rows[l] = row
			right[r] = row
			l += goes
			r += 1 - goes
		}
		copy(rows[l:], right[:r])
	}
}
