package learn

import (
	"fmt"
	"math"
	"math/big"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Shape is a class of rules that label the points of the plane; those of one axis look at x
// alone.
type Shape int

const (
	Ray          Shape = iota // x > a is positive
	TwoSidedRay               // x > a or x < a is positive
	Interval                  // a < x < b is positive
	TwoIntervals              // the union of two intervals is positive
	Line                      // one side of a line is positive
	Disc                      // the inside of a circle is positive
	Circle                    // the inside or the outside of a circle is positive
	Box                       // the inside of a rectangle parallel to the axes is positive
	Triangle                  // the inside of a triangle is positive
)

var shapeNames = []string{
	"rays", "two-sided rays", "intervals", "two intervals", "lines", "discs", "circles", "boxes", "triangles",
}

// Shapes returns all classes, in the order of the constants.
func Shapes() []Shape {
	all := make([]Shape, len(shapeNames))
	for i := range all {
		all[i] = Shape(i)
	}
	return all
}

// String returns the name of the class in the plural: "lines".
func (s Shape) String() string {
	if s < 0 || int(s) >= len(shapeNames) {
		return fmt.Sprintf("Shape(%d)", int(s))
	}
	return shapeNames[s]
}

// VCDimension returns the VC dimension of the class: 1, 2, 2, 4 on the axis, 3 for lines and discs,
// 4 for circles of both signs and for boxes, 7 for triangles.
func (s Shape) VCDimension() int { return []int{1, 2, 2, 4, 3, 3, 4, 4, 7}[s] }

// Labelings are the labelings of some points that a class of rules brings about, each with a rule
// that does.
type Labelings struct {
	shape  Shape
	points [][2]float64
	exact  map[uint64][]*big.Int // witnesses of lines, discs and circles
	n      int
	can    []bool // by labeling: bit i is the label of point i
}

// Labelings returns which of the 2^n labelings of n <= 12 points of the plane the class brings
// about. Lines, discs and circles are decided in whole numbers, rays, intervals and boxes by
// comparing coordinates; all are exact for points in any position, three in line or four on a
// circle. Triangles are decided by angles, to 1e-9.
func (s Shape) Labelings(points [][2]float64) (*Labelings, error) {
	const who = "learn.Shape.Labelings"
	if s < 0 || int(s) >= len(shapeNames) {
		return nil, fault.Argument(who, "the shape", int(s), "one of learn.Shapes()", "")
	}
	rows := make([][]float64, len(points))
	for i := range points {
		rows[i] = points[i][:]
	}
	if err := checkRows(who, rows, 12); err != nil {
		return nil, err
	}
	l := &Labelings{shape: s, points: append([][2]float64(nil), points...), can: make([]bool, 1<<len(points)), n: len(points)}
	if s == Line || s == Disc || s == Circle {
		l.exact = l.cut()
	}
	for mask := range l.can {
		if l.exact != nil {
			_, l.can[mask] = l.exact[uint64(mask)]
		} else {
			_, l.can[mask] = l.rule(uint64(mask))
		}
	}
	return l, nil
}

// cut enumerates the half-spaces of (x, y, 1), or of (x, y, x² + y², 1) for circles. A disc is a
// circle whose third weight is negative, and since all inequalities are strict, half-planes are
// among the discs.
func (l *Labelings) cut() map[uint64][]*big.Int {
	var vectors [][]*big.Rat
	for _, p := range l.points {
		x, y := new(big.Rat).SetFloat64(p[0]), new(big.Rat).SetFloat64(p[1])
		v := []*big.Rat{x, y}
		if l.shape != Line {
			xx, yy := new(big.Rat).Mul(x, x), new(big.Rat).Mul(y, y)
			v = append(v, xx.Add(xx, yy))
		}
		vectors = append(vectors, append(v, big.NewRat(1, 1)))
	}
	if l.shape != Disc {
		return cells(wholes(vectors), len(vectors[0]))
	}
	zero := new(big.Rat)
	inside := uint64(1) << l.n
	out := map[uint64][]*big.Int{}
	for mask, w := range cells(wholes(append(vectors, []*big.Rat{zero, zero, big.NewRat(-1, 1), zero})), 4) {
		if mask&inside != 0 {
			out[mask&^inside] = w
		}
	}
	return out
}

// Count returns the number of labelings that the class brings about.
func (l *Labelings) Count() int {
	count := 0
	for _, can := range l.can {
		if can {
			count++
		}
	}
	return count
}

// Shattered reports whether the class brings about every labeling.
func (l *Labelings) Shattered() bool { return l.Count() == len(l.can) }

// Possible reports whether the class brings about a labeling: bit i of the number is the label of
// point i.
func (l *Labelings) Possible(labeling int) bool {
	return labeling >= 0 && labeling < len(l.can) && l.can[labeling]
}

// Space returns the labelings as a hypothesis space on the points.
func (l *Labelings) Space() *Space {
	s := &Space{instances: l.n, words: 1}
	for mask, can := range l.can {
		if can {
			s.rows = append(s.rows, uint64(mask))
		}
	}
	return s
}

// Rule returns a rule of the class that brings the labeling about, as far from the points as it can
// easily be; ok is false when there is none.
func (l *Labelings) Rule(labeling int) (rule Rule, ok bool) {
	if !l.Possible(labeling) {
		return Rule{}, false
	}
	return l.rule(uint64(labeling))
}

func (l *Labelings) rule(mask uint64) (Rule, bool) {
	switch l.shape {
	case Ray, TwoSidedRay, Interval, TwoIntervals:
		return onAxis(l.shape, l.points, mask)
	case Box:
		return box(l.points, mask)
	case Triangle:
		return triangle(l.points, mask)
	}
	return l.conic(mask), true
}

// A Rule is one member of a class.
type Rule struct {
	Shape Shape
	// Conic is (u, v, q, b) of lines and circles: u x + v y + q (x² + y²) + b > 0 is positive.
	Conic [4]float64
	// Intervals are the positive stretches of x, with infinite ends for rays.
	Intervals [][2]float64
	// Corners are those of a box or triangle, in order.
	Corners [][2]float64
}

// Positive reports what the rule says about a point.
func (r Rule) Positive(x, y float64) bool {
	switch {
	case len(r.Corners) > 0:
		return r.inside(x, y)
	case r.Shape < Line:
		for _, i := range r.Intervals {
			if x > i[0] && x < i[1] {
				return true
			}
		}
		return false
	}
	w := r.Conic
	return w[0]*x+w[1]*y+w[2]*(x*x+y*y)+w[3] > 0
}

// inside reports whether the point is on the same side of all edges.
func (r Rule) inside(x, y float64) bool {
	left, right := false, false
	for i, a := range r.Corners {
		b := r.Corners[(i+1)%len(r.Corners)]
		c := (b[0]-a[0])*(y-a[1]) - (b[1]-a[1])*(x-a[0])
		left, right = left || c > 0, right || c < 0
	}
	return left != right
}

// onAxis counts the positive stretches along x.
func onAxis(s Shape, points [][2]float64, mask uint64) (Rule, bool) {
	order := orderBy(len(points), func(i int) float64 { return points[i][0] })
	rule := Rule{Shape: s}
	before, edge := false, math.Inf(-1)
	for k, i := range order {
		label := mask>>i&1 == 1
		if k > 0 && points[i][0] == points[order[k-1]][0] {
			if label != before {
				return rule, false
			}
			continue
		}
		if k > 0 {
			edge = (points[i][0] + points[order[k-1]][0]) / 2
		}
		if label && !before {
			rule.Intervals = append(rule.Intervals, [2]float64{edge, math.Inf(1)})
		} else if before && !label {
			rule.Intervals[len(rule.Intervals)-1][1] = edge
		}
		before = label
	}
	runs := len(rule.Intervals)
	right := runs == 0 || runs == 1 && before
	switch s {
	case Ray:
		return rule, right
	case TwoSidedRay:
		return rule, right || runs == 1 && math.IsInf(rule.Intervals[0][0], -1)
	case Interval:
		return rule, runs <= 1
	}
	return rule, runs <= 2
}

// box returns a rectangle around the positive points, halfway to the nearest negative coordinate on
// each side.
func box(points [][2]float64, mask uint64) (Rule, bool) {
	rule := Rule{Shape: Box}
	if mask == 0 {
		return away(rule, points), true
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, p := range points {
		if mask>>i&1 == 1 {
			for a := range lo {
				lo[a], hi[a] = min(lo[a], p[a]), max(hi[a], p[a])
			}
		}
	}
	room := [4]float64{1, 1, 1, 1} // left, right, below, above
	for i, p := range points {
		if mask>>i&1 == 1 {
			continue
		}
		if p[0] >= lo[0] && p[0] <= hi[0] && p[1] >= lo[1] && p[1] <= hi[1] {
			return rule, false
		}
		for a := range lo {
			if d := lo[a] - p[a]; d > 0 {
				room[2*a] = min(room[2*a], d)
			}
			if d := p[a] - hi[a]; d > 0 {
				room[2*a+1] = min(room[2*a+1], d)
			}
		}
	}
	x0, x1, y0, y1 := lo[0]-room[0]/2, hi[0]+room[1]/2, lo[1]-room[2]/2, hi[1]+room[3]/2
	rule.Corners = [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	return rule, true
}

// away returns a small shape to the right of all points.
func away(rule Rule, points [][2]float64) Rule {
	x, y := points[0][0], points[0][1]
	for _, p := range points {
		x = max(x, p[0])
	}
	rule.Corners = [][2]float64{{x + 0.5, y - 0.25}, {x + 1, y - 0.25}, {x + 1, y + 0.25}, {x + 0.5, y + 0.25}}
	if rule.Shape == Triangle {
		rule.Corners = rule.Corners[:3]
	}
	return rule
}

// conic returns the line or circle with a wide margin in the space of its features, centred and
// scaled; where rounding spoils it, the exact witness.
func (l *Labelings) conic(mask uint64) Rule {
	rule := Rule{Shape: l.shape}
	var centre [2]float64
	for _, p := range l.points {
		centre[0], centre[1] = centre[0]+p[0]/float64(l.n), centre[1]+p[1]/float64(l.n)
	}
	radius := 1e-300
	for _, p := range l.points {
		radius = max(radius, math.Hypot(p[0]-centre[0], p[1]-centre[1]))
	}
	var rows [][]float64
	for i, p := range l.points {
		x, y, sign := (p[0]-centre[0])/radius, (p[1]-centre[1])/radius, -1.0
		if mask>>i&1 == 1 {
			sign = 1
		}
		row := []float64{sign * x, sign * y, 0, sign}
		if l.shape != Line {
			row[2] = sign * (x*x + y*y - 0.5)
		}
		rows = append(rows, row)
	}
	if l.shape == Disc {
		rows = append(rows, []float64{0, 0, -0.1, 0})
	}
	w, _ := nearest(rows)
	u, v, q, b := w[0]/radius, w[1]/radius, w[2]/radius/radius, w[3]-w[2]/2
	rule.Conic = [4]float64{
		u - 2*q*centre[0], v - 2*q*centre[1], q,
		b - u*centre[0] - v*centre[1] + q*(centre[0]*centre[0]+centre[1]*centre[1]),
	}
	for i, p := range l.points {
		if rule.Positive(p[0], p[1]) != (mask>>i&1 == 1) {
			return l.witness(mask)
		}
	}
	if l.shape == Disc && q >= 0 {
		return l.witness(mask)
	}
	return rule
}

// witness returns the exact witness of a labeling, rounded to float64 at the end.
func (l *Labelings) witness(mask uint64) Rule {
	w := l.exact[mask]
	most := 0
	for _, x := range w {
		most = max(most, x.BitLen())
	}
	f := make([]float64, len(w))
	for j, x := range w {
		f[j], _ = new(big.Float).SetMantExp(new(big.Float).SetInt(x), -most).Float64()
	}
	if l.shape == Line {
		return Rule{Shape: l.shape, Conic: [4]float64{f[0], f[1], 0, f[2]}}
	}
	return Rule{Shape: l.shape, Conic: [4]float64{f[0], f[1], f[2], f[3]}}
}

func checkRows(who string, points [][]float64, most int) error {
	if err := estimator.CheckCount(who, "the number of points", len(points), 1, most); err != nil {
		return err
	}
	for i, p := range points {
		if len(p) == 0 || len(p) != len(points[0]) {
			return fault.Argument(who, fmt.Sprintf("points[%d]", i), fmt.Sprintf("%d numbers", len(p)),
				"as many as in points[0], at least one", "")
		}
		for _, x := range p {
			if math.IsNaN(x) || math.Abs(x) > 1e100 {
				return fault.Argument(who, fmt.Sprintf("points[%d]", i), p, "numbers of at most 1e100", "")
			}
		}
	}
	return nil
}

func checkSmall(who string, instances int) error {
	return estimator.CheckCount(who, "the number of instances", instances, 1, 16)
}
