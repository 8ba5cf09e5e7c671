package cell

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Tol sets the tolerance of the claims over many cases, 1e-9 unless set: in Every relative to 1 + |want| for each number, in identities
// relative to 1 + the largest |want| of a case.
func (c *Checker) Tol(tol float64) *Checker {
	c.tol = tol
	return c
}

// many claims got = want, within Tol, in every one of the cases that next yields: each returns the two sides and a word for the case. In
// cases that are to vary the right-hand side is not always the same.
func (c *Checker) many(kind string, vary bool, cases func(yield func(name string, got, want any) bool)) {
	n, largest, all, spread := 0, 0.0, true, map[string]bool{}
	cases(func(name string, got, want any) bool {
		n++
		if w, _ := numbersOf(want); len(spread) < 2 {
			spread[fmt.Sprint(w.values)] = true
		}
		holds, numbers, off := c.sides(got, want, vary)
		if !holds {
			all = false
			c.show(false, name+": "+numbers)
		}
		largest = max(largest, off)
		return holds
	})
	switch {
	case !all:
	case n == 0:
		c.show(false, "there is no case to look at")
	case vary && len(spread) < 2 && n > 1:
		c.show(false, fmt.Sprintf("%d %s, but the right-hand side is the same in all of them", n, kind))
	default:
		c.show(true, fmt.Sprintf("%d %s, largest |difference|/(1+|right side|) %s ≤ %s", n, kind, Digits(largest, 2), Digits(c.tol, 2)))
	}
}

// Cases are those in all of which a claim is to hold, such as the states of an instrument or the frames of a film. All yields the name of
// each case, and both sides of the claim in it.
type Cases struct {
	Kind string // "states"
	All  func(yield func(name string, got, want any) bool)
}

// Every claims got = want in every case: numbers within Tol, each by itself, so that a large one does not excuse a small one beside it,
// and all else, such as titles, as Equal does. The zero Cases claim nothing: they are those of a page, whose program has been proved when
// it was made.
func (c *Checker) Every(cases Cases) {
	if cases.All == nil {
		return
	}
	c.many(cases.Kind, false, cases.All)
}

// sides compares the sides of one case: numbers within Tol, all else for equality. An error on the left says why there are none. With one
// scale for all numbers of the case, the largest of the right-hand side sets it; without, each number sets its own.
func (c *Checker) sides(got, want any, oneScale bool) (holds bool, numbers string, off float64) {
	if err, ok := got.(error); ok {
		return false, err.Error(), 0
	}
	w, err := numbersOf(want)
	if _, other := numbersOf(got); err != nil && other != nil {
		holds, numbers = equal(got, want)
		return holds, numbers, 0
	}
	if !oneScale {
		return near(got, want, c.tol, mixed)
	}
	scale := 0.0
	for _, v := range w.values {
		scale = max(scale, math.Abs(v))
	}
	if err != nil || math.IsInf(scale, 1) {
		scale = 0
	}
	holds, numbers, off = near(got, want, c.tol*(1+scale), absolute)
	return holds, numbers, off / (1 + scale)
}

// Draws claims an identity on n random draws: f draws a case and returns both sides, numbers or whatever Near takes. The draws are the same
// in every run. Two sides that never change are no identity, and fail.
//
//	prl.Check("CS-3.2-12", "the gradient is that of J").Tol(1e-6).Draws(1000, func(r *rand.Rand) (got, want any) { ... })
func (c *Checker) Draws(n int, f func(r *rand.Rand) (got, want any)) {
	r := rand.New(rand.NewPCG(1, 2))
	c.many("random draws", true, func(yield func(string, any, any) bool) {
		for i := range n {
			got, want := f(r)
			if !yield(fmt.Sprintf("draw %d", i+1), got, want) {
				return
			}
		}
	})
}

// Over claims an identity at every place of a grid.
func (c *Checker) Over(grid []float64, f func(x float64) (got, want any)) {
	c.many("places", true, func(yield func(string, any, any) bool) {
		for _, x := range grid {
			got, want := f(x)
			if !yield("at "+Digits(x, 6), got, want) {
				return
			}
		}
	})
}

// Subsets claims an identity for each of the 2^n subsets of 0 ... n-1, n at most 20.
func (c *Checker) Subsets(n int, f func(subset []int) (got, want any)) {
	if n < 0 || n > 20 {
		c.show(false, fmt.Sprintf("subsets of %d, but needs to be from 0 to 20", n))
		return
	}
	c.many("subsets", true, func(yield func(string, any, any) bool) {
		for set := range 1 << n {
			var subset []int
			for i := range n {
				if set>>i&1 == 1 {
					subset = append(subset, i)
				}
			}
			got, want := f(subset)
			if !yield(fmt.Sprintf("subset %v", subset), got, want) {
				return
			}
		}
	})
}

// Bounded claims value <= bound on n random draws, and that the bound is not idle: in some draw value reaches the share tight of it, 0 <=
// tight <= 1. With tight = 0 only the first is claimed.
func (c *Checker) Bounded(n int, tight float64, f func(r *rand.Rand) (value, bound float64)) {
	r := rand.New(rand.NewPCG(1, 2))
	best := math.Inf(-1)
	for i := range n {
		value, bound := f(r)
		if !(value <= bound) {
			c.show(false, fmt.Sprintf("draw %d: %s > %s", i+1, Digits(value, 6), Digits(bound, 6)))
			return
		}
		if bound > 0 {
			best = max(best, value/bound)
		}
	}
	switch {
	case n < 1:
		c.show(false, "there is no case to look at")
	case tight > 0 && !(best >= tight):
		c.show(
			false,
			fmt.Sprintf("%d random draws reach at most the share %s of the bound, but some should reach %s", n, Digits(best, 3), Digits(tight, 3)),
		)
	default:
		c.show(true, fmt.Sprintf("%d random draws, none above, one at the share %s of the bound", n, Digits(best, 3)))
	}
}

// Tight claims value <= bound, and that a bound smaller by the factor would be broken: value > factor * bound, 0 < factor < 1.
func (c *Checker) Tight(value, bound, factor float64) {
	s := fmt.Sprintf("%s ≤ %s, and more than %s of it", Digits(value, 6), Digits(bound, 6), Digits(factor, 4))
	switch {
	case !(factor > 0 && factor < 1):
		c.show(false, fmt.Sprintf("the factor is %v, but needs to be between 0 and 1", factor))
	case !(value <= bound):
		c.show(false, fmt.Sprintf("%s ≤ %s does not hold", Digits(value, 6), Digits(bound, 6)))
	case !(value > factor*bound):
		c.show(
			false,
			fmt.Sprintf("%s is below %s of the bound %s, which is therefore not tight", Digits(value, 6), Digits(factor, 4), Digits(bound, 6)),
		)
	default:
		c.show(true, s)
	}
}

// Convex claims that the values of a function at growing places lie on or below each chord between neighbours, within tol.
func (c *Checker) Convex(x, y []float64, tol float64) { c.bent(x, y, tol, 1) }

// Concave claims that the values of a function at growing places lie on or above each chord between neighbours, within tol.
func (c *Checker) Concave(x, y []float64, tol float64) { c.bent(x, y, tol, -1) }

func (c *Checker) bent(x, y []float64, tol, sign float64) {
	if len(x) != len(y) || len(x) < 3 {
		c.show(false, fmt.Sprintf("%d places and %d values, but needs as many of both, at least three", len(x), len(y)))
		return
	}
	worst := math.Inf(-1)
	for i := 1; i+1 < len(x); i++ {
		t := (x[i] - x[i-1]) / (x[i+1] - x[i-1])
		over := sign * (y[i] - ((1-t)*y[i-1] + t*y[i+1]))
		if !(t > 0 && t < 1) {
			c.show(false, fmt.Sprintf("the places do not grow from %s to %s to %s", Number(x[i-1]), Number(x[i]), Number(x[i+1])))
			return
		}
		if !(over <= tol) {
			c.show(false, fmt.Sprintf("at %s the value is beyond the chord by %s > %s", Digits(x[i], 6), Digits(over, 2), Digits(tol, 2)))
			return
		}
		worst = max(worst, over)
	}
	c.show(true, fmt.Sprintf("%d places, never beyond a chord by more than %s ≤ %s", len(x), Digits(max(worst, 0), 2), Digits(tol, 2)))
}

// UpToSign claims that got is want or -want within tol, as an axis is an axis whichever way it points. Each row of a matrix may turn by
// itself.
func (c *Checker) UpToSign(got, want any, tol float64) {
	g, err := numbersOf(got)
	w, err2 := numbersOf(want)
	if err != nil || err2 != nil || g.shape != w.shape || g.shape == "" {
		c.compare(got, want, tol, false)
		return
	}
	width := len(g.values)
	if g.rows > 0 {
		width = g.cols
	}
	turned := slices.Clone(g.values)
	for at := 0; at < len(turned); at += width {
		dot := 0.0
		for j := at; j < at+width; j++ {
			dot += turned[j] * w.values[j]
		}
		for j := at; dot < 0 && j < at+width; j++ {
			turned[j] = -turned[j]
		}
	}
	c.compare(turned, w.values, tol, false)
}

// UpToOrder claims that the rows of got, or its numbers, are those of want in some order, within tol: each of want is met by one of got.
func (c *Checker) UpToOrder(got, want any, tol float64) {
	g, err := numbersOf(got)
	w, err2 := numbersOf(want)
	if err != nil || err2 != nil || g.shape != w.shape || g.shape == "" {
		c.compare(got, want, tol, false)
		return
	}
	width := 1
	if g.rows > 0 {
		width = g.cols
	}
	left := slices.Collect(slices.Chunk(g.values, max(width, 1)))
	var ordered []float64
	for row := range slices.Chunk(w.values, max(width, 1)) {
		best, at := math.Inf(1), 0
		for i, candidate := range left {
			worst := 0.0
			for j, v := range candidate {
				worst = max(worst, math.Abs(v-row[j]))
			}
			if worst < best {
				best, at = worst, i
			}
		}
		ordered = append(ordered, left[at]...)
		left = slices.Delete(left, at, at+1)
	}
	c.compare(ordered, w.values, tol, false)
}

// Rate claims that errs falls or grows as a power of ns: the slope of log errs over log ns is exponent within band.
func (c *Checker) Rate(ns, errs []float64, exponent, band float64) {
	if len(ns) != len(errs) || len(ns) < 3 {
		c.show(false, fmt.Sprintf("%d sizes and %d errors, but needs as many of both, at least three", len(ns), len(errs)))
		return
	}
	var mx, my, sxx, sxy float64
	for i := range ns {
		mx, my = mx+math.Log(ns[i])/float64(len(ns)), my+math.Log(errs[i])/float64(len(ns))
	}
	for i := range ns {
		sxx += (math.Log(ns[i]) - mx) * (math.Log(ns[i]) - mx)
		sxy += (math.Log(ns[i]) - mx) * (math.Log(errs[i]) - my)
	}
	slope := sxy / sxx
	holds := math.Abs(slope-exponent) <= band
	c.show(
		holds,
		fmt.Sprintf(
			"slope %s %s %s ± %s in doubly logarithmic coordinates",
			Digits(slope, 4),
			relation(holds, "within", "outside"),
			Digits(exponent, 4),
			Digits(band, 2),
		),
	)
}
