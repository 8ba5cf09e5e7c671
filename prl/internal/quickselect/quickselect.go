// Package quickselect finds the number of a rank without sorting all others.
package quickselect

import (
	"cmp"
	"math/bits"
	"slices"
)

// Nth brings the number of rank k, from 0, to place k: what stands before it is no larger, and what stands behind is no smaller. Rows, nil
// or as many, change places with the numbers. What does not shrink soon is sorted. Source: Hoare, Algorithm 65 (1961).
func Nth(s []float64, rows []int, k int) {
	lo, hi := 0, len(s)-1
	for rounds := 2 * bits.Len(uint(len(s))); lo < hi; rounds-- {
		if rounds == 0 {
			sorted(s[lo:hi+1], rows, lo)
			return
		}
		a, b, c := s[lo], s[lo+(hi-lo)/2], s[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for s[i] < pivot {
				i++
			}
			for s[j] > pivot {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				if rows != nil {
					rows[i], rows[j] = rows[j], rows[i]
				}
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// sorted sorts numbers with the rows that begin at place lo.
func sorted(s []float64, rows []int, lo int) {
	if rows == nil {
		slices.Sort(s)
		return
	}
	type pair struct {
		v   float64
		row int
	}
	pairs := make([]pair, len(s))
	for i, v := range s {
		pairs[i] = pair{v, rows[lo+i]}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.v, b.v) })
	for i, p := range pairs {
		s[i], rows[lo+i] = p.v, p.row
	}
}
