package boost

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/prlab/prlab/prl/internal/tile"
)

// A course answers for tile.FlagRows rows at a time. Of each test of the model, flags say for each row whether the row passes. Two
// operations on flags send all rows of a node to its two children, and the bits of the leaves' numbers are flags as well. So no branch
// depends on a row, and the work at a node of a tree is shared by all rows. A course adds up the numbers that score does, in its order.
type course struct {
	scales []scale
	rungs  int      // the most rungs of a scale
	gaps   []uint64 // of each test: all ones where missing values pass
	forks  []tile.Fork
	steps  []step
	values []float64 // of each exit Rate times the value of a leaf, or -0, which changes no sum
	leaves []float64 // of each leaf among the steps
	crowns []crown   // of each tree

	walkers sync.Pool
}

// A scale holds the thresholds of a feature, of tests first, first+1, ..., as tile.Pass wants them.
type scale struct {
	feature, first, tests int
	rungs                 []uint64
}

// A crown is the part of a tree next to its root: the whole tree if that has at most tile.MostExits leaves. Its inner nodes are in the
// order of its forks, and 256 values can be read from its first one on.
type crown struct {
	forks, values int // the numbers of the first ones
	exits         int
	deep          []int // of each exit that is no leaf: 1 more than the step from which its rows walk on one by one
}

// A step is a node below a crown. A row that passes its test goes to step next, another one to the step behind it. In a leaf, next is 0 and
// test is the number of the value.
type step struct{ test, next uint32 }

func newCourse(trees [][]GradientNode, rate float64) *course {
	c := &course{}
	var tests []test
	for _, list := range trees {
		tests = c.grow(list, rate, tests)
	}
	c.values = append(c.values, make([]float64, 256)...)
	slices.SortFunc(tests, func(a, b test) int {
		switch {
		case a.feature != b.feature:
			return a.feature - b.feature
		case a.limit != b.limit:
			return cmp.Compare(a.limit, b.limit)
		}
		return cmp.Compare(a.gaps, b.gaps)
	})
	var limits []uint64
	for i := 0; i < len(tests); {
		l := scale{feature: tests[i].feature, first: len(c.gaps)}
		for limits = limits[:0]; i < len(tests) && tests[i].feature == l.feature; i++ {
			if t, k := &tests[i], len(limits)-1; k < 0 || limits[k] != t.limit || c.gaps[l.first+k] != t.gaps {
				limits, c.gaps = append(limits, t.limit), append(c.gaps, t.gaps)
			}
			if number := uint32(len(c.gaps) - 1); tests[i].node >= 0 {
				c.forks[tests[i].node].Test = number
			} else {
				c.steps[^tests[i].node].test = number
			}
		}
		l.tests, l.rungs = len(limits), make([]uint64, max(tile.LeastRungs, 1<<bits.Len(uint(len(limits)))))
		l.climb(1, limits)
		c.scales, c.rungs = append(c.scales, l), max(c.rungs, len(l.rungs))
	}
	return c
}

// A test sends values whose keys are at most limit to the left, and missing ones where gaps is all ones. It belongs to fork node or, if
// node is negative, to step ^node.
type test struct {
	feature, node int
	limit, gaps   uint64
}

func (n *GradientNode) test(node int) test {
	t := test{feature: n.Feature, node: node, limit: tile.Key(n.Threshold)}
	if n.GapsLeft {
		t.gaps = math.MaxUint64
	}
	return t
}

// grow adds a tree and its tests: the crown level by level, then what is below each exit, also level by level.
func (c *course) grow(list []GradientNode, rate float64, tests []test) []test {
	p := crown{forks: len(c.forks), values: len(c.values)}
	queue, places := []int{0}, []uint16(nil)
	for i := 0; i < len(queue); i++ {
		n, inner := &list[queue[i]], len(c.forks)-p.forks
		if !n.Leaf() && len(queue)-inner < tile.MostExits {
			tests = append(tests, n.test(len(c.forks)))
			c.forks = append(c.forks, tile.Fork{})
			places, queue = append(places, uint16(tile.MostExits+inner)), append(queue, n.Left, n.Right)
			continue
		}
		value := math.Copysign(0, -1)
		if n.Leaf() {
			value = float64(rate * n.Value)
		} else {
			if p.deep == nil {
				p.deep = make([]int, tile.MostExits)
			}
			p.deep[p.exits] = len(c.steps) + 1
			tests = c.descend(list, queue[i], rate, tests)
		}
		c.values, places = append(c.values, value), append(places, uint16(p.exits))
		p.exits++
	}
	for i := range c.forks[p.forks:] {
		b := &c.forks[p.forks+i]
		b.Left, b.Right = places[2*i+1], places[2*i+2]
	}
	c.crowns = append(c.crowns, p)
	return tests
}

// descend adds the steps from a node on, level by level, and their tests.
func (c *course) descend(list []GradientNode, node int, rate float64, tests []test) []test {
	queue, first := []int{node}, len(c.steps)
	for i := 0; i < len(queue); i++ {
		n := &list[queue[i]]
		if n.Leaf() {
			c.steps, c.leaves = append(c.steps, step{test: uint32(len(c.leaves))}), append(c.leaves, float64(rate*n.Value))
			continue
		}
		tests = append(tests, n.test(^len(c.steps)))
		c.steps, queue = append(c.steps, step{next: uint32(first + len(queue))}), append(queue, n.Left, n.Right)
	}
	return tests
}

// climb writes rising limits into rung i and those behind it and returns the limits that are left.
func (l *scale) climb(i int, limits []uint64) []uint64 {
	if i >= len(l.rungs) {
		return limits
	}
	limits = l.climb(2*i, limits)
	if l.rungs[i] = math.MaxUint64; len(limits) > 0 {
		l.rungs[i], limits = limits[0], limits[1:]
	}
	return l.climb(2*i+1, limits)
}

// scoreRows writes the scores of n rows, of which those of row i begin at f[i stride].
func (s *gradientState) scoreRows(f []float64, stride int, x []float64, made func() *course) {
	n := len(x) / s.D
	if n < tile.FlagsLeast {
		for i := range n {
			s.score(f[i*stride:i*stride+s.Outputs], x[i*s.D:(i+1)*s.D])
		}
		return
	}
	c := made()
	w, _ := c.walkers.Get().(*walker)
	if w == nil {
		w = &walker{passed: make([]tile.Flags, len(c.gaps)), scratch: make([]tile.Flags, c.rungs)}
	}
	defer c.walkers.Put(w)
	for from := 0; from < n; from += tile.FlagRows {
		rows := min(tile.FlagRows, n-from)
		for i := range c.scales {
			l := &c.scales[i]
			end := l.first + l.tests
			tile.Pass(w.passed[l.first:end], w.scratch, l.rungs, c.gaps[l.first:end], x[from*s.D+l.feature:(from+rows)*s.D], s.D)
		}
		for output, start := range s.Start {
			sums := w.sums[:rows]
			for i := range sums {
				sums[i] = start
			}
			for t := output; t < len(c.crowns); {
				t += s.Outputs * c.add(w, rows, t, s.Outputs)
			}
			for i, sum := range sums {
				f[(from+i)*stride+output] = sum
			}
		}
	}
}

// A walker holds what is kept of the rows of flags: which pass each test, and the exits that they reach in up to four trees.
type walker struct {
	passed, scratch []tile.Flags
	sums            [tile.FlagRows]float64
	numbers         [4][tile.FlagRows]uint8
	reach           [2 * tile.MostExits]tile.Flags
}

// nothing are values that change no sum.
var nothing = func() (v [tile.MostExits]float64) {
	for i := range v {
		v[i] = math.Copysign(0, -1)
	}
	return v
}()

// add adds to the sums the values of the leaves that the rows reach in up to four trees t, t + stride, ... and returns how many trees that
// were. A tree with nodes below its crown is the last one.
func (c *course) add(w *walker, rows, t, stride int) (count int) {
	values, deep := [4]*[tile.MostExits]float64{&nothing, &nothing, &nothing, &nothing}, []int(nil)
	for ; count < 4 && t < len(c.crowns) && deep == nil; count, t = count+1, t+stride {
		p := &c.crowns[t]
		tile.Exits(&w.numbers[count], c.forks[p.forks:p.forks+p.exits-1], w.passed, &w.reach)
		values[count], deep = (*[tile.MostExits]float64)(c.values[p.values:]), p.deep
	}
	a, b, d, e := values[0], values[1], values[2], values[3]
	_, _, _, _ = *a, *b, *d, *e // the loop then need not check for nil
	sums := w.sums[:rows]
	for i, sum := range sums {
		sum += a[w.numbers[0][i]]
		sum += b[w.numbers[1][i]]
		sum += d[w.numbers[2][i]]
		sums[i] = sum + e[w.numbers[3][i]]
	}
	if deep != nil {
		for i := range sums {
			if step := deep[w.numbers[count-1][i]]; step > 0 {
				sums[i] += c.leaves[c.walk(step-1, i, w.passed)]
			}
		}
	}
	return count
}

// walk returns the number of the value of the leaf that a row reaches from a step.
func (c *course) walk(at, row int, passed []tile.Flags) uint32 {
	for s := &c.steps[at]; ; s = &c.steps[at] {
		if s.next == 0 {
			return s.test
		}
		at = int(s.next) + 1 - passed[s.test].FlagAt(row)
	}
}
