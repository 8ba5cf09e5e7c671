package boost

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// A course holds the trees of a model side by side for many rows at a time: no step of a walk has a branch that a processor could foresee
// wrongly, and eight rows walk together, so that they need not wait for each other. It adds what answer finds, in the same order.
type course struct {
	steps  []step
	values []float64 // Rate times the value of a leaf
	depth  []int     // the longest path of each tree
	roots  []uint32
	of     [][]GradientNode
}

// latest is the course that was made last, for the next rows of the same model: predictions come in blocks.
var latest atomic.Pointer[course]

// A step sends the keys up to limit to the node next, others to the one behind it. A leaf sends all keys to itself.
type step struct {
	limit   uint64
	feature uint32
	next    uint32
	gap     uint64 // 1 sends missing values, whose key is the largest, to the left: it is added to both sides
}

// courseRows is the number of rows from which a course saves the time of making it.
const courseRows = 32

func (s *gradientState) course() *course {
	if c := latest.Load(); c != nil && len(s.Trees) == len(c.of) && len(c.of) > 0 && &s.Trees[0] == &c.of[0] {
		return c
	}
	nodes := 0
	for _, list := range s.Trees {
		nodes += len(list)
	}
	c := &course{steps: make([]step, 0, nodes), values: make([]float64, 0, nodes), of: s.Trees}
	type visit struct{ node, depth int }
	var order []visit
	for _, list := range s.Trees {
		root, depth := len(c.steps), 0
		order = append(order[:0], visit{})
		for i := 0; i < len(order); i++ {
			at, n := uint32(root+i), &list[order[i].node]
			depth = max(depth, order[i].depth)
			if n.Leaf() {
				c.steps = append(c.steps, step{limit: math.MaxUint64, next: at})
				c.values = append(c.values, float64(s.Rate*n.Value))
				continue
			}
			gap := uint64(0)
			if n.GapsLeft {
				gap = 1
			}
			c.steps = append(c.steps, step{limit: key(n.Threshold) + gap, feature: uint32(n.Feature), next: uint32(root + len(order)), gap: gap})
			c.values = append(c.values, 0)
			order = append(order, visit{n.Left, order[i].depth + 1}, visit{n.Right, order[i].depth + 1})
		}
		c.roots, c.depth = append(c.roots, uint32(root)), append(c.depth, depth)
	}
	latest.Store(c)
	return c
}

// scoreRows writes the scores of n rows, of which those of row i begin at f[i stride].
func (s *gradientState) scoreRows(f []float64, stride int, x []float64) {
	n := len(x) / s.D
	if n < courseRows {
		for i := range n {
			s.score(f[i*stride:i*stride+s.Outputs], x[i*s.D:(i+1)*s.D])
		}
		return
	}
	c, keys := s.course(), make([]uint64, courseRows*s.D)
	for from := 0; from < n; from += courseRows {
		to := min(from+courseRows, n)
		for i, v := range x[from*s.D : to*s.D] {
			keys[i] = key(v)
			if v != v {
				keys[i] = math.MaxUint64
			}
		}
		for i := from; i < to; i++ {
			copy(f[i*stride:i*stride+s.Outputs], s.Start)
		}
		for t := range c.roots {
			output := t % s.Outputs
			for lo := from; lo < to; lo += 8 {
				at := c.walk(t, keys[(lo-from)*s.D:], s.D)
				for i, leaf := range at[:min(8, to-lo)] {
					f[(lo+i)*stride+output] += c.values[leaf]
				}
			}
		}
	}
}

// walk returns the leaves of tree t that eight rows of keys reach.
func (c *course) walk(t int, keys []uint64, d int) (at [8]uint32) {
	for i := range at {
		at[i] = c.roots[t]
	}
	steps := c.steps
	for range c.depth[t] {
		for i := range at {
			s := &steps[at[i]]
			_, right := bits.Sub64(s.limit, keys[i*d+int(s.feature)]+s.gap, 0)
			at[i] = s.next + uint32(right)
		}
	}
	return at
}
