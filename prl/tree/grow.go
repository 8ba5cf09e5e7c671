package tree

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
)

// A task is what is being predicted. The cost of a node is its weight times its impurity; a split is scored by how much it lowers the cost.
type task interface {
	// node returns the impurity and value of the node with the given rows.
	node(rows []int32) (weight, impurity float64, value []float64)
	// scan returns the best cut of rows in rising order of column: place i puts rows[:i+1] to the left. Only cuts between different values that leave least rows on
	// either side count; of equal ones (within margin) the first. The cost is that of both children together; at is -1 when there is no cut.
	scan(rows []int32, column feature, n Node, least int, margin float64) cut
}

type cut struct {
	at   int
	cost float64
}

// grower holds the sorted rows while a tree grows. Every node owns the same range lo ... hi of each sorted list.
type grower struct {
	s     *sorted
	task  task
	opts  Options
	total float64
	list  []Node
	left  []uint8
	best  []cut
	rng   *rand.Rand
	perm  []int
	now   float64 // impurity of the tree so far
	done  int
}

type job struct {
	lo, hi, depth, parent int
	right                 bool
}

func grow(ctx context.Context, name string, s *sorted, t task, opts Options) ([]Node, error) {
	g := &grower{s: s, task: t, opts: opts, left: make([]uint8, s.n), best: make([]cut, s.d)}
	if opts.MaxFeatures != All {
		g.rng = rand.New(rand.NewPCG(opts.Seed, 0x7ee))
		g.perm = make([]int, s.d)
		for j := range g.perm {
			g.perm[j] = j
		}
	}
	stack := []job{{lo: 0, hi: s.n, parent: -1}}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after %d splits: %w", name, g.done, err)
		}
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := len(g.list)
		w, impurity, value := t.node(s.order[0][b.lo:b.hi])
		if at == cap(g.list) { // append would grow it in smaller steps and leave more behind
			g.list = slices.Grow(g.list, at+64)
		}
		g.list = append(g.list, Node{Feature: -1, Depth: b.depth, Rows: b.hi - b.lo, Weight: w, Impurity: impurity, Value: value})
		if b.parent < 0 {
			g.total, g.now = w, impurity
		} else if b.right {
			g.list[b.parent].Right = at
		} else {
			g.list[b.parent].Left = at
		}
		feature, c := g.split(b, at)
		if feature < 0 {
			continue
		}
		n := &g.list[at]
		order := s.order[feature][b.lo:b.hi]
		col := s.column(feature)
		n.Feature, n.Threshold = feature, between(col.at(order[c.at]), col.at(order[c.at+1]))
		mid := b.lo + c.at + 1
		g.partition(b, feature, c.at)
		stack = append(stack, job{mid, b.hi, b.depth + 1, at, true}, job{b.lo, mid, b.depth + 1, at, false})
		g.done++
		if opts.Progress != nil {
			g.now -= (w*impurity - c.cost) / g.total
			opts.Progress(estimator.Progress{Iteration: g.done, Objective: max(g.now, 0)})
		}
	}
	return g.list, nil
}

// split returns the feature and cut that lower the cost of node at most, or -1.
func (g *grower) split(b job, at int) (int, cut) {
	n, m := g.list[at], b.hi-b.lo
	cost := n.Weight * n.Impurity
	if m < g.opts.MinSplit || m < 2*g.opts.MinLeaf || (g.opts.MaxDepth != Unlimited && b.depth >= g.opts.MaxDepth) || n.Impurity <= 0 {
		return -1, cut{}
	}
	margin := tie * cost
	try := func(j int) {
		rows, col := g.s.order[j][b.lo:b.hi], g.s.column(j)
		g.best[j].at = -1
		if col.at(rows[0]) < col.at(rows[m-1]) {
			g.best[j] = g.task.scan(rows, col, n, g.opts.MinLeaf, margin)
		}
	}
	win, most := -1, cut{at: -1, cost: math.Inf(1)}
	consider := func(j int) {
		if c := g.best[j]; c.at >= 0 && (win < 0 || c.cost < most.cost-margin) {
			win, most = j, c
		}
	}
	if g.rng == nil {
		features(m, g.s.d, func(_, from, to int) {
			for j := from; j < to; j++ {
				try(j)
			}
		})
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
			try(g.perm[k])
			consider(g.perm[k])
		}
	}
	if win < 0 || (cost-most.cost)/g.total < g.opts.MinGain-tie*n.Impurity {
		return -1, cut{}
	}
	return win, most
}

// partition sorts the rows of each list into left and right and keeps their order within both.
func (g *grower) partition(b job, feature, at int) {
	for i, r := range g.s.order[feature][b.lo:b.hi] {
		g.left[r] = 0
		if i <= at {
			g.left[r] = 1
		}
	}
	features(b.hi-b.lo, g.s.d, func(worker, from, to int) {
		right := g.s.room(worker)
		for j := from; j < to; j++ {
			if j == feature {
				continue
			}
			rows := g.s.order[j][b.lo:b.hi]
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
	})
}
