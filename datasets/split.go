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
	a, b, err := halves(s.N(), s.Y, s.ClassNames, trainFraction, seed)
	if err != nil {
		s = s.fail(err)
		return s, s
	}
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
