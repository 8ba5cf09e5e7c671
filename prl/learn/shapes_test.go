package learn_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/prlab/prlab/prl/learn"
)

// lattice draws n points with small whole coordinates, so that three in line, four on a circle and equal points all happen.
func lattice(r *rand.Rand, n, side int) [][2]float64 {
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{float64(r.IntN(side)), float64(r.IntN(side))}
	}
	return points
}

func ring(n int, arc float64) [][2]float64 {
	points := make([][2]float64, n)
	for i := range points {
		sin, cos := math.Sincos(arc * float64(i))
		points[i] = [2]float64{cos, sin}
	}
	return points
}

func labelings(t *testing.T, s learn.Shape, points [][2]float64) *learn.Labelings {
	t.Helper()
	l, err := s.Labelings(points)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLinesAgainstTheSweep compares the exact enumeration with the sweep of HalfPlanes, which shares no code with it.
func TestLinesAgainstTheSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	for trial := range 200 {
		points := lattice(r, 1+r.IntN(8), 3+trial%5)
		sweep, err := learn.HalfPlanes(points)
		if err != nil {
			t.Fatal(err)
		}
		l := labelings(t, learn.Line, points)
		if l.Count() != sweep.Size() {
			t.Fatalf("%v: %d labelings, the sweep finds %d", points, l.Count(), sweep.Size())
		}
		for h := range sweep.Size() {
			mask := 0
			for x, label := range sweep.Labels(h) {
				if label {
					mask |= 1 << x
				}
			}
			if !l.Possible(mask) {
				t.Fatalf("%v: labeling %b is missing", points, mask)
			}
		}
	}
}

// TestGrowthOfGeneralPosition compares with Cover's count 2 (C(n-1,0) + ... + C(n-1,k-1)) for k weights, and with Sauer's sum for discs.
func TestGrowthOfGeneralPosition(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 2))
	for n := 1; n <= 9; n++ {
		points := make([][2]float64, n)
		for i := range points {
			points[i] = [2]float64{r.NormFloat64(), r.NormFloat64()}
		}
		for shape, want := range map[learn.Shape]float64{
			learn.Line: 2 * choices(n-1, 2), learn.Circle: 2 * choices(n-1, 3), learn.Disc: choices(n, 3),
			learn.Ray: float64(n + 1), learn.TwoSidedRay: float64(2 * n), learn.Interval: choices(n, 2), learn.TwoIntervals: choices(n, 4),
		} {
			if got := labelings(t, shape, points).Count(); float64(got) != want {
				t.Errorf("%v of %d points: %d, want %v", shape, n, got, want)
			}
		}
	}
	var grid [][2]float64
	for i := range 9 {
		grid = append(grid, [2]float64{float64(i % 3), float64(i / 3)})
	}
	if got := labelings(t, learn.Line, grid).Count(); got != 58 {
		t.Errorf("3 x 3 grid: %d, want 58", got)
	}
	row := [][2]float64{{0, 0}, {1, 1}, {2, 2}, {5, 1}, {3, 4}}
	if got := labelings(t, learn.Line, row).Count(); got != 20 {
		t.Errorf("three of five in line: %d, want 20", got)
	}
	square := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	if got := labelings(t, learn.Circle, square).Count(); got != 14 {
		t.Errorf("a square on its circle: %d labelings by circles, want 14", got)
	}
}

// TestRulesBringAboutTheirLabelings asks each rule about each of its points.
func TestRulesBringAboutTheirLabelings(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 3))
	for trial := range 60 {
		points := lattice(r, 1+r.IntN(6), 4)
		if trial%2 == 0 {
			for i := range points {
				points[i] = [2]float64{r.NormFloat64(), r.NormFloat64()}
			}
		}
		for _, shape := range learn.Shapes() {
			l := labelings(t, shape, points)
			for mask := range 1 << len(points) {
				rule, ok := l.Rule(mask)
				if ok != l.Possible(mask) {
					t.Fatalf("%v: Rule and Possible differ about %b", shape, mask)
				}
				for i, p := range points {
					if ok && rule.Positive(p[0], p[1]) != (mask>>i&1 == 1) {
						t.Fatalf("%v %v: the rule of labeling %b is wrong about point %d: %+v", shape, points, mask, i, rule)
					}
				}
				if shape == learn.Disc && ok && rule.Conic[2] >= 0 {
					t.Fatalf("a disc opens outward: %+v", rule)
				}
			}
			if d, _ := l.Space().VCDimension(); d > shape.VCDimension() {
				t.Fatalf("%v shatter %d of %v", shape, d, points)
			}
		}
	}
}

// TestNoLabelingIsForgotten draws rules at random: what one brings about must be possible.
func TestNoLabelingIsForgotten(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 4))
	for range 40 {
		points := lattice(r, 3+r.IntN(4), 6)
		tri, box, disc := labelings(t, learn.Triangle, points), labelings(t, learn.Box, points), labelings(t, learn.Disc, points)
		for range 3000 {
			var c [3][2]float64
			for i := range c {
				c[i] = [2]float64{-2 + 9*r.Float64(), -2 + 9*r.Float64()}
			}
			rule := learn.Rule{Shape: learn.Triangle, Corners: c[:]}
			inTri, inBox, inDisc := 0, 0, 0
			for i, p := range points {
				if rule.Positive(p[0], p[1]) {
					inTri |= 1 << i
				}
				if p[0] > min(c[0][0], c[1][0]) && p[0] < max(c[0][0], c[1][0]) && p[1] > min(c[0][1], c[1][1]) && p[1] < max(c[0][1], c[1][1]) {
					inBox |= 1 << i
				}
				if math.Hypot(p[0]-c[0][0], p[1]-c[0][1]) < c[1][0] {
					inDisc |= 1 << i
				}
			}
			if !tri.Possible(inTri) || !box.Possible(inBox) || !disc.Possible(inDisc) {
				t.Fatalf("%v: %v %b, %b, %b: not all possible", points, c, inTri, inBox, inDisc)
			}
		}
	}
}

// TestTriangles: seven on a regular ring are shattered; on an arc of 215 degrees one labeling is refused, and eight lose both alternations.
func TestTriangles(t *testing.T) {
	const degree = math.Pi / 180
	for _, c := range []struct {
		n, want int
		arc     float64
	}{{7, 128, 360. / 7}, {7, 128, 220. / 6}, {7, 127, 215. / 6}, {7, 127, 30}, {8, 254, 45}, {6, 64, 60}} {
		if got := labelings(t, learn.Triangle, ring(c.n, c.arc*degree)).Count(); got != c.want {
			t.Errorf("%d points, %.1f degrees apart: %d labelings, want %d", c.n, c.arc, got, c.want)
		}
	}
	if labelings(t, learn.Triangle, ring(8, 45*degree)).Possible(0b01010101) {
		t.Error("eight with alternating labels")
	}
}

func TestHyperplanesAndRadon(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 5))
	for dim := 1; dim <= 6; dim++ {
		simplex := make([][]float64, dim+1)
		for i := range simplex {
			simplex[i] = make([]float64, dim)
			if i > 0 {
				simplex[i][i-1] = 1
			}
		}
		s, err := learn.Hyperplanes(simplex)
		if err != nil || s.Size() != 1<<(dim+1) {
			t.Fatalf("%d dimensions: %v, %v", dim, s, err)
		}
		for range 40 {
			points := make([][]float64, dim+2)
			for i := range points {
				for range dim {
					points[i] = append(points[i], float64(r.IntN(7)))
				}
			}
			weights, common, err := learn.Radon(points)
			if err != nil {
				t.Fatal(err)
			}
			s, err := learn.Hyperplanes(points)
			if err != nil {
				t.Fatal(err)
			}
			sum, negative, heap := new(big.Rat), make([]*big.Rat, dim), 0
			for j := range negative {
				negative[j] = new(big.Rat)
			}
			for i, w := range weights {
				sum.Add(sum, w)
				if w.Sign() > 0 {
					heap |= 1 << i
				} else {
					for j := range dim {
						negative[j].Sub(negative[j], new(big.Rat).Mul(w, new(big.Rat).SetFloat64(points[i][j])))
					}
				}
			}
			if sum.Sign() != 0 || heap == 0 {
				t.Fatalf("weights %v", weights)
			}
			for j := range dim {
				if negative[j].Cmp(common[j]) != 0 {
					t.Fatalf("two different points: %v and %v", negative, common)
				}
			}
			for h := range s.Size() {
				mask := 0
				for i, label := range s.Labels(h) {
					if label {
						mask |= 1 << i
					}
				}
				if mask == heap {
					t.Fatalf("%v: Radon refuses labeling %b, a hyperplane brings it about", points, heap)
				}
			}
		}
	}
}

// TestPajor: never more labelings than shattered sets, and Sauer's sum is reached by rays and intervals.
func TestPajor(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 6))
	for range 200 {
		rows := make([][]bool, 1+r.IntN(30))
		for h := range rows {
			for range 6 {
				rows[h] = append(rows[h], r.IntN(3) == 0)
			}
		}
		s, err := learn.NewSpace(rows)
		if err != nil {
			t.Fatal(err)
		}
		sets, err := s.ShatteredSets()
		if err != nil || s.Distinct().Size() > sets {
			t.Fatalf("%d labelings, %d shattered sets, %v", s.Distinct().Size(), sets, err)
		}
	}
	for n := range 30 {
		for d := range 8 {
			sum, err := learn.SauerSum(n, d)
			if f, _ := new(big.Float).SetInt(sum).Float64(); err != nil || f != choices(n, d) {
				t.Errorf("SauerSum(%d, %d) = %v, %v", n, d, sum, err)
			}
		}
	}
}

func TestSine(t *testing.T) {
	for _, n := range []int{1, 3, 6, 10} {
		for mask := range 1 << n {
			labels := make([]bool, n)
			for i := range labels {
				labels[i] = mask>>i&1 == 1
			}
			k := learn.SineFrequency(labels)
			for i, want := range labels {
				if learn.SineLabel(k, i) != want {
					t.Fatalf("%v: k = %v is wrong at %d", labels, k, i)
				}
				if x, _ := new(big.Float).SetInt(k).Float64(); n <= 6 && (math.Sin(math.Pi*math.Mod(x*math.Pow(10, -float64(i+1)), 2)) > 0) != want {
					t.Fatalf("sin disagrees at %v, %d", labels, i)
				}
			}
		}
	}
}

func TestRademacherDraws(t *testing.T) {
	for _, build := range []func(int) (*learn.Space, error){learn.Rays, learn.Intervals} {
		s, err := build(12)
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := s.Rademacher()
		mean, se, err := s.RademacherDraws(4000, 1)
		if err != nil || math.Abs(mean-exact) > 4*se || se > 0.01 || se < 0.001 {
			t.Errorf("%v ± %v, exactly %v, %v", mean, se, exact, err)
		}
	}
}

func TestMargins(t *testing.T) {
	for d := 1; d <= 6; d++ {
		units := make([][]float64, d)
		for i := range units {
			units[i] = make([]float64, d)
			units[i][i] = 1
		}
		margin, _, err := learn.ShatteringMargin(units)
		if err != nil || math.Abs(margin-1/math.Sqrt(float64(d))) > 1e-9 {
			t.Errorf("%d unit vectors: margin %v, %v", d, margin, err)
		}
		if k, err := learn.MarginDimension(1, 1/math.Sqrt(float64(d)), d, false); err != nil || k != d {
			t.Errorf("R²/gamma² = %d: %d, %v", d, k, err)
		}
	}
	r := rand.New(rand.NewPCG(33, 7))
	for range 50 {
		d := 2 + r.IntN(4)
		points, longest := make([][]float64, d), 0.0
		for i := range points {
			squares := 0.0
			for range 4 {
				x := r.NormFloat64()
				points[i], squares = append(points[i], x), squares+x*x
			}
			longest = max(longest, squares)
		}
		margin, _, err := learn.ShatteringMargin(points)
		if err != nil || margin > math.Sqrt(longest/float64(d))+1e-9 {
			t.Fatalf("margin %v, R/sqrt(d) %v, %v", margin, math.Sqrt(longest/float64(d)), err)
		}
	}
	if k, _ := learn.MarginDimension(1, 0.75, 2, true); k != 3 {
		t.Errorf("the equilateral triangle: %d, want 3", k)
	}
}

// TestFloors compares both floors with the average over all worlds and all samples.
func TestFloors(t *testing.T) {
	const d, n, light = 4, 3, 0.6
	weight := []float64{1 - light, light / 3, light / 3, light / 3}
	total := 0.0
	for sample := range 1 << (2 * n) { // d = 4: two bits an example
		p, seen := 1.0, uint(1)
		for e := range n {
			x := sample >> (2 * e) & 3
			p, seen = p*weight[x], seen|1<<x
		}
		for x := range d {
			if seen>>x&1 == 0 {
				total += p * weight[x] / 2 // over both labels
			}
		}
	}
	if got, err := learn.RealizableFloor(d, n, light); err != nil || math.Abs(got-total) > 1e-12 {
		t.Errorf("realizable floor %v, all samples %v, %v", got, total, err)
	}
	const bias = 0.2
	excess := 0.0
	for sample := range 1 << (2 * n) { // d = 2: a bit for the point, a bit for a right label
		p, score := 1.0, [2]int{}
		for e := range n {
			bits := sample >> (2 * e) & 3
			right := bits&1 == 1
			if p /= 2; right {
				p, score[bits>>1] = p*(0.5+bias), score[bits>>1]+1
			} else {
				p, score[bits>>1] = p*(0.5-bias), score[bits>>1]-1
			}
		}
		for _, s := range score {
			switch {
			case s < 0:
				excess += p * 2 * bias / 2
			case s == 0:
				excess += p * bias / 2
			}
		}
	}
	if got, err := learn.AgnosticFloor(2, n, bias); err != nil || math.Abs(got-excess) > 1e-12 {
		t.Errorf("agnostic floor %v, all samples %v, %v", got, excess, err)
	}
	for d := 1; d <= 4; d++ { // certain labels: only an unseen point is wrong, half the time
		want := math.Pow(1-1/float64(d), 5) / 2
		if got, err := learn.AgnosticFloor(d, 5, 0.5); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("certain labels, d = %d: %v, want %v, %v", d, got, want, err)
		}
	}
}

func TestCapacityNumbers(t *testing.T) {
	must := func(v float64, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := must(learn.VapnikSquareRoot(3, 1000, .05)); math.Abs(got-0.163978344) > 1e-9 {
		t.Errorf("Vapnik's form %v", got)
	}
	if got := must(learn.CompressionBound(20, 2, .1)); math.Abs(190*math.Pow(1-got, 18)-.1) > 1e-12 {
		t.Errorf("compression %v", got)
	}
	if got, want := must(learn.MarginBound(2, .5, 100, .05)), 0.8+math.Sqrt(math.Log(20)/200); math.Abs(got-want) > 1e-12 {
		t.Errorf("margin %v, want %v", got, want)
	}
	n, err := learn.AgnosticSampleSize(3, 0.2, 0.05)
	for k, holds := range map[int]bool{n: true, n - 1: false} {
		if phi := must(learn.VapnikSquareRoot(3, k, .05)); (phi+1/float64(k) <= 0.1) != holds || err != nil {
			t.Errorf("%d of %d examples: %v", k, n, phi)
		}
	}
	if n, err := learn.RealizableSampleSize(3, 0.1, 0.05); err != nil || n != int(math.Ceil(240*math.Log2(130))) {
		t.Errorf("realizable: %d, %v", n, err)
	}
}

func TestShapeFaults(t *testing.T) {
	two := [][2]float64{{0, 0}, {1, 1}}
	calls := map[string]func() error{
		"no shape":         func() error { _, err := learn.Shape(9).Labelings(two); return err },
		"no points":        func() error { _, err := learn.Line.Labelings(nil); return err },
		"13 points":        func() error { _, err := learn.Box.Labelings(make([][2]float64, 13)); return err },
		"NaN":              func() error { _, err := learn.Disc.Labelings([][2]float64{{math.NaN(), 0}}); return err },
		"infinite":         func() error { _, err := learn.Disc.Labelings([][2]float64{{0, math.Inf(1)}}); return err },
		"ragged":           func() error { _, err := learn.Hyperplanes([][]float64{{1}, {1, 2}}); return err },
		"no numbers":       func() error { _, _, err := learn.ShatteringMargin([][]float64{{}}); return err },
		"Radon of three":   func() error { _, _, err := learn.Radon([][]float64{{1, 2}, {1, 3}, {0, 0}}); return err },
		"negative n":       func() error { _, err := learn.SauerSum(-1, 2); return err },
		"n < d":            func() error { _, err := learn.VapnikSquareRoot(3, 2, .1); return err },
		"delta 0":          func() error { _, err := learn.CompressionBound(10, 2, 0); return err },
		"k = n":            func() error { _, err := learn.CompressionBound(10, 10, .1); return err },
		"light 2":          func() error { _, err := learn.RealizableFloor(3, 5, 2); return err },
		"bias 1":           func() error { _, err := learn.AgnosticFloor(3, 5, 1); return err },
		"gamma 0":          func() error { _, err := learn.MarginBound(1, 0, 5, .1); return err },
		"radius NaN":       func() error { _, err := learn.MarginDimension(math.NaN(), 1, 5, false); return err },
		"epsilon 0":        func() error { _, err := learn.AgnosticSampleSize(3, 0, .1); return err },
		"tiny epsilon":     func() error { _, err := learn.AgnosticSampleSize(3, 1e-9, .1); return err },
		"d = 0":            func() error { _, err := learn.RealizableSampleSize(0, .1, .1); return err },
		"one draw":         func() error { s, _ := learn.Rays(3); _, _, err := s.RademacherDraws(1, 1); return err },
		"many instances":   func() error { s, _ := learn.Rays(17); _, err := s.ShatteredSets(); return err },
		"no points at all": func() error { _, err := learn.Hyperplanes(nil); return err },
	}
	for name, call := range calls {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzLabelings feeds points of any position: nothing panics, the constant labelings are possible, and complements of lines go together.
func FuzzLabelings(f *testing.F) {
	f.Add(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5)
	f.Add(1e-300, 1e90, -1e90, 1.0, 1.0, 1.0, 1.0, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h, i float64) {
		points := [][2]float64{{a, b}, {c, d}, {e, g}, {h, i}}
		for _, shape := range learn.Shapes() {
			l, err := shape.Labelings(points)
			if err != nil {
				continue
			}
			if !l.Possible(0) || shape != learn.Triangle && !l.Possible(15) {
				t.Fatalf("%v of %v: a constant labeling is refused", shape, points)
			}
			for mask := range 16 {
				if shape == learn.Line && l.Possible(mask) != l.Possible(15-mask) {
					t.Fatalf("%v: labeling %b without its complement", points, mask)
				}
				l.Rule(mask)
			}
			if l.Shattered() != (l.Count() == 16) {
				t.Fatal("Shattered disagrees with Count")
			}
		}
	})
}

func ExampleShape_Labelings() {
	four := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, shape := range []learn.Shape{learn.Line, learn.Box, learn.Triangle} {
		l, err := shape.Labelings(four)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(shape, l.Count(), "of 16")
	}
	// Output:
	// lines 14 of 16
	// boxes 10 of 16
	// triangles 16 of 16
}

// choices is C(n,0) + ... + C(n,d), by Pascal's rule.
func choices(n, d int) float64 {
	if n == 0 || d == 0 {
		return 1
	}
	return choices(n-1, d) + choices(n-1, d-1)
}
