package tree

import (
	"math"
	"slices"
)

// A manyFinder finds the stumps of more than two classes in features that a stumpFinder has sorted.
type manyFinder[R row] struct {
	*stumpFinder[R]
	y []int
	k int
}

func (f *manyFinder[R]) best(weights []float64) (Stump, float64) {
	if weights == nil {
		weights = slices.Repeat([]float64{1}, f.s.n)
	}
	total, sum := make([]float64, f.k), 0.0
	for i, c := range f.y {
		total[c] += weights[i]
		sum += weights[i]
	}
	margin := tie * sum
	f.s.features(f.s.n, 6, func(_, from, to int) {
		left, right, rest := make([]float64, f.k), make([]float64, f.k), make([]float64, f.s.n)
		for j := from; j < to; j++ {
			clear(left)
			clear(right)
			f.places[j] = f.scan(f.s.order[j], f.starts[j], weights, left, right, rest, margin)
		}
	})
	win, score := -1, slices.Max(total)
	for j, b := range f.places {
		if b.at >= 0 && b.score > score+margin {
			win, score = j, b.score
		}
	}
	s := Stump{Threshold: math.Inf(1), Left: heaviest(total, margin)}
	s.Right = s.Left
	if win < 0 {
		return s, f.loss(s, weights, sum)
	}
	v, order := f.s.column(win), f.s.order[win]
	lo, hi, ok := neighbours(order, f.places[win].at, weights)
	if !ok {
		return s, f.loss(s, weights, sum)
	}
	s.Feature, s.Threshold = win, between(v.at(int(order[lo])), v.at(int(order[hi])))
	left, right := make([]float64, f.k), make([]float64, f.k)
	for i, c := range f.y {
		if v.at(i) <= s.Threshold {
			left[c] += weights[i]
		} else {
			right[c] += weights[i]
		}
	}
	s.Left, s.Right = heaviest(left, margin), heaviest(right, margin)
	return s, f.loss(s, weights, sum)
}

// heaviest returns the first of the classes of largest weight, but for a margin.
func heaviest(weights []float64, margin float64) int {
	top := slices.Max(weights)
	return slices.IndexFunc(weights, func(w float64) bool { return w >= top-margin })
}

// scan moves the threshold upwards. What a cut gets right is the largest weight of a class on the left, which only grows on the way, and
// the largest on the right, which a walk from the other end has noted.
func (f *manyFinder[R]) scan(order []R, starts []uint64, weights, left, right, rest []float64, margin float64) place {
	most := 0.0
	for i := len(order) - 1; i > 0; i-- {
		r := order[i]
		c := f.y[r]
		right[c] += weights[r]
		most = max(most, right[c])
		rest[i] = most
	}
	best, at := -1.0, -1
	most = 0
	for i, r := range order[:len(order)-1] {
		c := f.y[r]
		left[c] += weights[r]
		most = max(most, left[c])
		if v := most + rest[i+1]; v > best && (starts == nil || starts[i>>6]>>(uint(i)&63)&1 == 1) {
			best, at = v+margin, i
		}
	}
	return place{at: at, score: best - margin}
}

// loss adds up the weight of the mistakes.
func (f *manyFinder[R]) loss(s Stump, weights []float64, sum float64) float64 {
	wrong, v := 0.0, f.s.column(s.Feature)
	for i, c := range f.y {
		class := s.Right
		if v.at(i) <= s.Threshold {
			class = s.Left
		}
		if class != c {
			wrong += weights[i]
		}
	}
	return wrong / sum
}
