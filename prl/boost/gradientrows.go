package boost

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

const (
	// courseRows is the number of rows that a course takes at a time, one in each bit of a word.
	courseRows = 64
	// courseLeast is the number of rows from which a course is faster than walks down the trees.
	courseLeast = 16
	// mostExits is the largest number of exits of a crown: a byte holds the number of an exit.
	mostExits = 256
)

// A course answers for 64 rows at a time. Of each test of the model, a word has a bit for each row that says whether the row passes. Two
// operations on words send all rows of a node to its two children, and the bits of the leaves' numbers are words as well. So no branch
// depends on a row, and the work at a node of a tree is shared by 64 rows. A course adds up the numbers that score does, in its order.
type course struct {
	scales   []scale
	gaps     []uint64 // of each test: all ones where missing values pass
	branches []branch
	steps    []step
	values   []float64 // of each exit Rate times the value of a leaf, or -0, which changes no sum
	leaves   []float64 // of each leaf among the steps
	crowns   []crown   // of each tree
}

// A scale holds the thresholds of a feature, of tests first, first+1, ..., as keys in the order of a search without branches: those behind
// rung i are the rungs 2i and 2i+1, and the root is rung 1. Rungs without a test hold the largest key.
type scale struct {
	feature, first, tests int
	rungs                 []uint64
}

// A branch sends the rows of a node that pass a test to one place, and the others to another one. The places from 0 on are exits, those
// from mostExits on inner nodes.
type branch struct {
	test        uint32
	left, right uint16
}

// A crown is the part of a tree next to its root: the whole tree if that has at most mostExits leaves. Its inner nodes are in the order of
// its branches, and 256 values can be read from its first one on.
type crown struct {
	branches, values int // the numbers of the first ones
	exits            int
	deep             []deep
}

// deep is an exit that is no leaf, and the step from which its rows walk on one by one.
type deep struct{ exit, step int }

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
				c.branches[tests[i].node].test = number
			} else {
				c.steps[^tests[i].node].test = number
			}
		}
		l.tests, l.rungs = len(limits), make([]uint64, 1<<bits.Len(uint(len(limits))))
		l.climb(1, limits)
		c.scales, c.gaps = append(c.scales, l), append(c.gaps, 0)
	}
	return c
}

// A test sends values whose keys are at most limit to the left, and missing ones where gaps is all ones. It belongs to branch node or, if
// node is negative, to step ^node.
type test struct {
	feature, node int
	limit, gaps   uint64
}

func (n *GradientNode) test(node int) test {
	t := test{feature: n.Feature, node: node, limit: key(n.Threshold)}
	if n.GapsLeft {
		t.gaps = math.MaxUint64
	}
	return t
}

// grow adds a tree and its tests: the crown level by level, then what is below each exit, also level by level.
func (c *course) grow(list []GradientNode, rate float64, tests []test) []test {
	p := crown{branches: len(c.branches), values: len(c.values)}
	queue, places := []int{0}, []uint16(nil)
	for i := 0; i < len(queue); i++ {
		n, inner := &list[queue[i]], len(c.branches)-p.branches
		if !n.Leaf() && len(queue)-inner < mostExits {
			tests = append(tests, n.test(len(c.branches)))
			c.branches = append(c.branches, branch{})
			places, queue = append(places, uint16(mostExits+inner)), append(queue, n.Left, n.Right)
			continue
		}
		value := math.Copysign(0, -1)
		if n.Leaf() {
			value = float64(rate * n.Value)
		} else {
			p.deep = append(p.deep, deep{p.exits, len(c.steps)})
			tests = c.descend(list, queue[i], rate, tests)
		}
		c.values, places = append(c.values, value), append(places, uint16(p.exits))
		p.exits++
	}
	for i := range c.branches[p.branches:] {
		b := &c.branches[p.branches+i]
		b.left, b.right = places[2*i+1], places[2*i+2]
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
	if n < courseLeast {
		for i := range n {
			s.score(f[i*stride:i*stride+s.Outputs], x[i*s.D:(i+1)*s.D])
		}
		return
	}
	c := made()
	passed := make([]uint64, len(c.gaps))
	var reach [2 * mostExits]uint64
	for from := 0; from < n; from += courseRows {
		rows := min(courseRows, n-from)
		reach[mostExits] = math.MaxUint64 >> (courseRows - rows)
		c.pass(passed, x[from*s.D:(from+rows)*s.D], s.D)
		for output, start := range s.Start {
			var sums [courseRows]float64
			for i := range sums {
				sums[i] = start
			}
			for t := output; t < len(c.crowns); t += s.Outputs {
				c.add(&sums, &c.crowns[t], passed, &reach)
			}
			for i, sum := range sums[:rows] {
				f[(from+i)*stride+output] = sum
			}
		}
	}
}

// pass writes the rows of x that pass each test.
func (c *course) pass(passed []uint64, x []float64, d int) {
	clear(passed)
	for i := range c.scales {
		l := &c.scales[i]
		words, all := passed[l.first:l.first+l.tests+1], uint64(0)
		missing := l.sort(words, x, d)
		for k, gaps := range c.gaps[l.first : l.first+l.tests] {
			all |= words[k]
			words[k] = all | missing&gaps
		}
	}
}

// sort sets the bit of each row in the word of the lowest test that it passes, the last word if it passes none, and returns the rows
// without a value. Four rows climb side by side, so that none waits for the memory of another.
func (l *scale) sort(words []uint64, x []float64, d int) (missing uint64) {
	size, last := uint64(len(l.rungs)), len(x)-d+l.feature
	for row, at := 0, l.feature; at <= last; row, at = row+4, at+4*d {
		ka, ma := keyOrGap(x[at])
		kb, mb := keyOrGap(x[min(at+d, last)])
		kc, mc := keyOrGap(x[min(at+2*d, last)])
		ke, me := keyOrGap(x[min(at+3*d, last)])
		a, b, c, e := uint64(1), uint64(1), uint64(1), uint64(1)
		for a < size {
			_, overA := bits.Sub64(l.rungs[a], ka, 0)
			_, overB := bits.Sub64(l.rungs[b], kb, 0)
			_, overC := bits.Sub64(l.rungs[c], kc, 0)
			_, overE := bits.Sub64(l.rungs[e], ke, 0)
			a, b, c, e = 2*a+overA, 2*b+overB, 2*c+overC, 2*e+overE
		}
		words[a-size] |= 1 << (row & 63)
		words[b-size] |= 2 << (row & 63)
		words[c-size] |= 4 << (row & 63)
		words[e-size] |= 8 << (row & 63)
		missing |= (ma | mb<<1 | mc<<2 | me<<3) << (row & 63)
	}
	return missing
}

// keyOrGap returns the key of v, or the largest one and 1 where v is missing.
func keyOrGap(v float64) (k, gap uint64) {
	_, gap = bits.Sub64(math.Float64bits(math.Inf(1))<<1, math.Float64bits(v)<<1, 0)
	return key(v) | -gap, gap
}

// add adds to the sums of the rows at the root of a crown the values of the leaves that they reach. The root is at reach[mostExits].
func (c *course) add(sums *[courseRows]float64, p *crown, passed []uint64, reach *[2 * mostExits]uint64) {
	branches := c.branches[p.branches : p.branches+p.exits-1]
	inner := reach[mostExits:][:len(branches)]
	for i := range branches {
		b := &branches[i]
		left := inner[i] & passed[b.test]
		reach[b.right%(2*mostExits)] = inner[i] ^ left
		reach[b.left%(2*mostExits)] = left
	}
	for _, d := range p.deep {
		for rows := reach[d.exit]; rows != 0; rows &= rows - 1 {
			row := bits.TrailingZeros64(rows)
			sums[row] += c.leaves[c.walk(d.step, row, passed)]
		}
	}
	var numbers [8]uint64
	top := bits.Len(uint(p.exits - 1))
	clear(reach[p.exits : 1<<top])
	for b := top - 1; b >= 0; b-- {
		high, set := reach[1<<b:2<<b], uint64(0)
		low := reach[:len(high)]
		for i, rows := range high {
			set |= rows
			low[i] |= rows
		}
		numbers[b&7] = set
	}
	transpose(&numbers)
	values := (*[256]float64)(c.values[p.values:])
	for i, w := range numbers {
		f := (*[57]float64)(sums[i:])
		f[0] += values[uint8(w)]
		f[8] += values[uint8(w>>8)]
		f[16] += values[uint8(w>>16)]
		f[24] += values[uint8(w>>24)]
		f[32] += values[uint8(w>>32)]
		f[40] += values[uint8(w>>40)]
		f[48] += values[uint8(w>>48)]
		f[56] += values[w>>56]
	}
}

// walk returns the number of the value of the leaf that a row reaches from a step.
func (c *course) walk(at, row int, passed []uint64) uint32 {
	for s := &c.steps[at]; ; s = &c.steps[at] {
		if s.next == 0 {
			return s.test
		}
		at = int(s.next) + 1 - int(passed[s.test]>>(row&63)&1)
	}
}

// transpose changes eight words, each with a bit for each of 64 rows, into words of which byte j of word i has the eight bits of row 8j+i.
func transpose(w *[8]uint64) {
	const nibbles, pairs, ones = 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
	a, e := exchange(w[0], w[4], 4, nibbles)
	b, f := exchange(w[1], w[5], 4, nibbles)
	c, g := exchange(w[2], w[6], 4, nibbles)
	d, h := exchange(w[3], w[7], 4, nibbles)
	a, c = exchange(a, c, 2, pairs)
	b, d = exchange(b, d, 2, pairs)
	e, g = exchange(e, g, 2, pairs)
	f, h = exchange(f, h, 2, pairs)
	w[0], w[1] = exchange(a, b, 1, ones)
	w[2], w[3] = exchange(c, d, 1, ones)
	w[4], w[5] = exchange(e, f, 1, ones)
	w[6], w[7] = exchange(g, h, 1, ones)
}

// exchange swaps the bits of mask in v with those bits of u that are higher by shift.
func exchange(u, v uint64, shift int, mask uint64) (uint64, uint64) {
	t := (u>>shift ^ v) & mask
	return u ^ t<<shift, v ^ t
}
