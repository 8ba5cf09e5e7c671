package learn

import (
	"cmp"
	"math"
	"slices"
)

// sliver is the length of an arc of directions that counts as empty.
const sliver = 1e-9

// orderBy returns 0 ... n-1 sorted by key.
func orderBy(n int, key func(i int) float64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
	return order
}

// triangle returns a triangle that holds the positive points and no other.
//
// A side with outward direction t, pushed against the positive points, cuts off the negative q if t
// lies in an open arc: the directions in which q is farther than each positive point. Three
// directions have to meet all arcs, and to close: none of the three turns between them may be half
// a turn or more.
func triangle(points [][2]float64, mask uint64) (Rule, bool) {
	rule := Rule{Shape: Triangle}
	var in, out [][2]float64
	for i, p := range points {
		if mask>>i&1 == 1 {
			in = append(in, p)
		} else {
			out = append(out, p)
		}
	}
	if len(in) == 0 {
		return away(rule, points), true
	}
	arcs := make([][2]float64, len(out))
	ends := []float64{0}
	for k, q := range out {
		arc, ok := cutOff(q, in)
		if !ok {
			return rule, false
		}
		arcs[k] = arc
		ends = append(ends, turn(arc[0]), turn(arc[1]))
	}
	slices.Sort(ends)
	var stretches [][2]float64 // between neighbouring ends nothing changes
	var met []uint64           // the arcs that a direction in the stretch lies in
	for e, from := range ends {
		to := 2 * math.Pi
		if e+1 < len(ends) {
			to = ends[e+1]
		}
		if to-from < sliver {
			continue
		}
		stretches = append(stretches, [2]float64{from, to})
		var set uint64
		for k, arc := range arcs {
			if turn((from+to)/2-arc[0]) < arc[1]-arc[0] {
				set |= 1 << k
			}
		}
		met = append(met, set)
	}
	all := uint64(1)<<len(out) - 1
	widest := 0.0
	for a := range stretches {
		for b := a; b < len(stretches); b++ {
			for c := b; c < len(stretches); c++ {
				if met[a]|met[b]|met[c] != all {
					continue
				}
				sides, room, ok := closing(stretches[a], stretches[b], stretches[c])
				if ok && room > widest {
					widest, rule.Corners = room, corners(sides, in, out)
				}
			}
		}
	}
	return rule, widest > 0
}

// turn returns the angle in [0, 2π).
func turn(angle float64) float64 {
	angle = math.Mod(angle, 2*math.Pi)
	if angle < 0 {
		angle += 2 * math.Pi
	}
	return angle
}

// cutOff returns the open arc of directions in which q is farther than all of in.
func cutOff(q [2]float64, in [][2]float64) (arc [2]float64, ok bool) {
	var first, lo, hi float64
	for i, p := range in {
		if p == q {
			return arc, false
		}
		angle := math.Atan2(q[1]-p[1], q[0]-p[0])
		if i == 0 {
			first = angle
		}
		d := math.Remainder(angle-first, 2*math.Pi)
		lo, hi = min(lo, d), max(hi, d)
	}
	return [2]float64{first + hi - math.Pi/2, first + lo + math.Pi/2}, math.Pi-(hi-lo) > sliver
}

// closing chooses a direction in each of three stretches, in order, so that less than half a turn
// lies between neighbours; room is how much the tightest of the choices could move.
func closing(a, b, c [2]float64) (sides [3]float64, room float64, ok bool) {
	const half = math.Pi
	if c[0] >= b[1]+half {
		return sides, 0, false
	}
	lo, hi := max(a[0], b[0]-half, c[0]-2*half), min(a[1], b[1], c[1]-half)
	sides[0], room = (lo+hi)/2, hi-lo
	lo, hi = max(b[0], c[0]-half, sides[0]), min(b[1], sides[0]+half)
	sides[1], room = (lo+hi)/2, min(room, hi-lo)
	lo, hi = max(c[0], sides[0]+half), min(c[1], sides[1]+half)
	sides[2], room = (lo+hi)/2, min(room, hi-lo)
	return sides, room, room > sliver
}

// corners returns the meeting places of the sides, each halfway between the positive points and the
// nearest point that it cuts off.
func corners(sides [3]float64, in, out [][2]float64) [][2]float64 {
	var normal [3][2]float64
	var offset [3]float64
	for s, t := range sides {
		sin, cos := math.Sincos(t)
		normal[s] = [2]float64{cos, sin}
		reach := math.Inf(-1)
		for _, p := range in {
			reach = max(reach, cos*p[0]+sin*p[1])
		}
		next := reach + 1
		for _, q := range out {
			if at := cos*q[0] + sin*q[1]; at > reach {
				next = min(next, at)
			}
		}
		offset[s] = (reach + next) / 2
	}
	out = nil
	for s := range sides {
		a, b := normal[s], normal[(s+1)%3]
		det := a[0]*b[1] - a[1]*b[0]
		out = append(out, [2]float64{
			(offset[s]*b[1] - offset[(s+1)%3]*a[1]) / det,
			(a[0]*offset[(s+1)%3] - b[0]*offset[s]) / det,
		})
	}
	return out
}

// nearest returns the point of the convex hull of the rows that is nearest to 0, and its distance:
// w/|w| is the direction that all rows have the most of, and the distance is their margin.
// Exchanges of weight between two rows; it stops at a gap of 1e-13 of the squared length.
//
// Source: B. F. Mitchell, V. F. Dem'yanov & V. N. Malozemov (1974), SIAM Journal on Control 12,
// 19-26.
func nearest(rows [][]float64) (w []float64, distance float64) {
	share := make([]float64, len(rows))
	share[0] = 1
	w = slices.Clone(rows[0])
	for range 20_000 {
		least, most := 0, -1
		var low, high float64
		for i, r := range rows {
			d := 0.0
			for j := range r {
				d += w[j] * r[j]
			}
			if i == 0 || d < low {
				least, low = i, d
			}
			if share[i] > 0 && (most < 0 || d > high) {
				most, high = i, d
			}
		}
		length, squared := 0.0, 0.0
		for j := range w {
			d := rows[least][j] - rows[most][j]
			length += d * d
			squared += w[j] * w[j]
		}
		if high-low <= 1e-13*squared || length == 0 || squared < 1e-24 {
			break
		}
		step := min(share[most], (high-low)/length)
		share[least], share[most] = share[least]+step, share[most]-step
		for j := range w {
			w[j] += step * (rows[least][j] - rows[most][j])
		}
	}
	for _, x := range w {
		distance += x * x
	}
	return w, math.Sqrt(distance)
}
