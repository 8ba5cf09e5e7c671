package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/prlab/prlab/prl/cell"
)

// Split divides the rows at random into a training set with trainFraction of them (0 < trainFraction < 1) and a test set with the rest. The
// split is stratified: each class is divided in that proportion, to within one row, and has at least one row on both sides. Rows keep their
// order. The same seed gives the same split.
func (s Set) Split(trainFraction float64, seed uint64) (train, test Set) {
	s, ok := s.step("Split", trainFraction, seed)
	if !ok {
		return s, s
	}
	if !(trainFraction > 0 && trainFraction < 1) {
		s = s.fail(fmt.Errorf("the training fraction is %v, but needs to lie between 0 and 1; 0.7 is usual", trainFraction))
		return s, s
	}
	groups := [][]int{nil}
	if s.Y != nil {
		groups = make([][]int, s.K())
	}
	for i := range s.N() {
		c := 0
		if s.Y != nil {
			c = s.Y[i]
		}
		groups[c] = append(groups[c], i)
	}
	for c, g := range groups {
		if len(g) == 1 {
			what := "the set"
			if s.Y != nil {
				what = fmt.Sprintf("class %q", s.ClassNames[c])
			}
			s = s.fail(fmt.Errorf("%s has 1 row, but both sides need one; leave the class out with .Classes", what))
			return s, s
		}
	}
	sizes := shares(groups, trainFraction)
	rng := rand.New(rand.NewPCG(seed, 0x73706c6974)) // "split"
	var a, b []int
	for c, g := range groups {
		g = slices.Clone(g)
		rng.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		a, b = append(a, g[:sizes[c]]...), append(b, g[sizes[c]:]...)
	}
	slices.Sort(a)
	slices.Sort(b)
	train, test = s.take(a), s.take(b)
	train.Name, test.Name = s.Name+" (train)", s.Name+" (test)"
	return train, test
}

// shares returns how many rows of each group go to the training side: the groups' shares rounded by the largest remainder, so that their
// sum is the rounded share of the whole, then held between 1 and size-1.
func shares(groups [][]int, fraction float64) []int {
	total, given := 0, 0
	sizes, order := make([]int, len(groups)), make([]int, len(groups))
	rest := make([]float64, len(groups))
	for c, g := range groups {
		whole, part := math.Modf(fraction * float64(len(g)))
		sizes[c], rest[c], order[c] = int(whole), part, c
		total += len(g)
		given += sizes[c]
	}
	sort.SliceStable(order, func(i, j int) bool { return rest[order[i]] > rest[order[j]] })
	left := int(math.Round(fraction*float64(total))) - given
	for _, c := range order {
		if left > 0 && rest[c] > 0 {
			sizes[c]++
			left--
		}
	}
	for c, g := range groups {
		if len(g) > 1 {
			sizes[c] = min(max(sizes[c], 1), len(g)-1)
		}
	}
	return sizes
}

// Sample returns n rows drawn at random without replacement, in their old order.
func (s Set) Sample(n int, seed uint64) Set {
	s, ok := s.step("Sample", n, seed)
	if !ok {
		return s
	}
	if n < 1 || n > s.N() {
		return s.fail(fmt.Errorf("%d rows asked for, but the set has %d; sampling is without replacement", n, s.N()))
	}
	idx := rand.New(rand.NewPCG(seed, 0x73616d706c65)).Perm(s.N())[:n] // "sample"
	slices.Sort(idx)
	return s.take(idx)
}

var _ cell.Keyed = Set{}
