// Package geometry cuts and thins polylines and rings of points in the plane.
package geometry

// ClipLine returns the parts of a polyline inside the rectangle [x0, x1] x [y0, y1] (Liang and Barsky, 1984).
func ClipLine(line [][2]float64, x0, y0, x1, y1 float64) [][][2]float64 {
	var out [][][2]float64
	var run [][2]float64
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		t0, t1 := 0.0, 1.0
		dx, dy := b[0]-a[0], b[1]-a[1]
		inside := true
		for _, e := range [4][2]float64{{-dx, a[0] - x0}, {dx, x1 - a[0]}, {-dy, a[1] - y0}, {dy, y1 - a[1]}} {
			switch {
			case e[0] == 0:
				inside = inside && e[1] >= 0
			case e[0] < 0:
				t0 = max(t0, e[1]/e[0])
			default:
				t1 = min(t1, e[1]/e[0])
			}
		}
		if !inside || t0 > t1 {
			if run != nil {
				out, run = append(out, run), nil
			}
			continue
		}
		p, q := along(a, b, t0), along(a, b, t1)
		if t0 > 0 && run != nil {
			out, run = append(out, run), nil
		}
		if run == nil {
			run = append(run, p)
		}
		run = append(run, q)
		if t1 < 1 {
			out, run = append(out, run), nil
		}
	}
	if run != nil {
		out = append(out, run)
	}
	return out
}

// ClipRing returns the ring cut at the rectangle (Sutherland and Hodgman, 1974).
func ClipRing(ring [][2]float64, x0, y0, x1, y1 float64) [][2]float64 {
	for _, edge := range []struct {
		axis  int
		at    float64
		upper bool
	}{{0, x0, false}, {0, x1, true}, {1, y0, false}, {1, y1, true}} {
		in := func(p [2]float64) bool {
			if edge.upper {
				return p[edge.axis] <= edge.at
			}
			return p[edge.axis] >= edge.at
		}
		var out [][2]float64
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			if in(a) != in(b) {
				t := (edge.at - a[edge.axis]) / (b[edge.axis] - a[edge.axis])
				p := along(a, b, t)
				p[edge.axis] = edge.at
				out = append(out, p)
			}
			if in(b) {
				out = append(out, b)
			}
		}
		ring = out
	}
	return ring
}

// Within reports whether the whole line needs no clipping.
func Within(line [][2]float64, x0, y0, x1, y1 float64) bool {
	for _, p := range line {
		if !(p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1) {
			return false
		}
	}
	return true
}

// along is the point at the share t of the way from a to b. Here and in FromSegment products are rounded before they are added, by the
// conversions: a processor that would do both at once, as arm64 does, would draw another picture.
func along(a, b [2]float64, t float64) [2]float64 {
	return [2]float64{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1]))}
}
