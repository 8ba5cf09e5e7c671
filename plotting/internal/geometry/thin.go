package geometry

import "math"

// Thin returns the indices of the points of a polyline that stay when none may stray from the rest by more than tol (Douglas and Peucker,
// 1973).
func Thin(p [][2]float64, tol float64) []int {
	stay := make([]bool, len(p))
	stay[0], stay[len(p)-1] = true, true
	stack := [][2]int{{0, len(p) - 1}}
	for len(stack) > 0 {
		a, b := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		worst, at := tol, -1
		for i := a + 1; i < b; i++ {
			if e := FromSegment(p[i], p[a], p[b]); e > worst {
				worst, at = e, i
			}
		}
		if at >= 0 {
			stay[at] = true
			stack = append(stack, [2]int{a, at}, [2]int{at, b})
		}
	}
	var keep []int
	for i, s := range stay {
		if s {
			keep = append(keep, i)
		}
	}
	return keep
}

// FromSegment is the distance of p from the segment ab.
func FromSegment(p, a, b [2]float64) float64 {
	vx, vy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := float64(vx*vx) + float64(vy*vy); l > 0 {
		t = min(max((float64((p[0]-a[0])*vx)+float64((p[1]-a[1])*vy))/l, 0), 1)
	}
	return math.Hypot(p[0]-a[0]-float64(t*vx), p[1]-a[1]-float64(t*vy))
}
