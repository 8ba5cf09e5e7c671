package plotting

import "math"

// tolerance is how far, in pixels, a simplified line may stray from the exact one.
const tolerance = 0.15

// thin drops the points of a polyline in data coordinates that the eye cannot miss (Douglas and Peucker, 1973).
func (d *panelDrawing) thin(line [][2]float64) [][2]float64 {
	if len(line) < 3 {
		return line
	}
	px := make([][2]float64, len(line))
	for i, p := range line {
		px[i][0], px[i][1] = d.px(p[0], p[1])
	}
	keep := peucker(px, tolerance)
	out := make([][2]float64, 0, len(keep))
	for _, i := range keep {
		out = append(out, line[i])
	}
	return out
}

// peucker returns the indices of the points that stay.
func peucker(p [][2]float64, tol float64) []int {
	stay := make([]bool, len(p))
	stay[0], stay[len(p)-1] = true, true
	stack := [][2]int{{0, len(p) - 1}}
	for len(stack) > 0 {
		a, b := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		worst, at := tol, -1
		for i := a + 1; i < b; i++ {
			if e := fromSegment(p[i], p[a], p[b]); e > worst {
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

// fromSegment is the distance of p from the segment ab.
func fromSegment(p, a, b [2]float64) float64 {
	vx, vy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := vx*vx + vy*vy; l > 0 {
		t = min(max(((p[0]-a[0])*vx+(p[1]-a[1])*vy)/l, 0), 1)
	}
	return math.Hypot(p[0]-a[0]-t*vx, p[1]-a[1]-t*vy)
}

// fromShares turns lines and rings in shares of the axes into simplified ones in data coordinates.
func (d *panelDrawing) fromShares(lines [][][2]float64, closed bool) [][][2]float64 {
	var out [][][2]float64
	for _, line := range lines {
		px := make([][2]float64, 0, len(line)+1)
		for _, p := range line {
			px = append(px, [2]float64{p[0] * d.w, p[1] * d.h})
		}
		if closed { // begin at a corner, so that the start is not kept in vain
			k := 0
			for i, p := range px {
				if p[0]+p[1] < px[k][0]+px[k][1] {
					k = i
				}
			}
			px = append(append([][2]float64{}, px[k:]...), px[:k]...)
			px = append(px, px[0])
		}
		keep := peucker(px, tolerance)
		if closed {
			keep = keep[:len(keep)-1]
			if len(keep) < 3 {
				continue
			}
		}
		thin := make([][2]float64, 0, len(keep))
		for _, i := range keep {
			thin = append(thin, [2]float64{d.x.value(px[i][0] / d.w), d.y.value(px[i][1] / d.h)})
		}
		out = append(out, thin)
	}
	return out
}
