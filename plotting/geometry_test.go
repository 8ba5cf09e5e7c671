package plotting

import (
	"math"
	"testing"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// area is the signed area of rings, positive anticlockwise.
func signedArea(rings [][][2]float64) float64 {
	sum := 0.0
	for _, r := range rings {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			sum += (p[0]*q[1] - q[0]*p[1]) / 2
		}
	}
	return sum
}

// ringsOf returns the rings that Regions draws for a class over the given domain.
func ringsOf(t *testing.T, f func(x, y float64) int, k int, lo, hi float64) [][][2]float64 {
	t.Helper()
	s, err := New(Regions(f, "a", "b", "c", "d")).XRange(lo, hi).YRange(lo, hi).scene()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Panels[0].Marks {
		if m.Kind == scene.Areas && m.Key == string(rune('a'+k)) {
			return m.Rings
		}
	}
	return nil
}

func TestRegionAreas(t *testing.T) {
	disc := func(x, y float64) int {
		if x*x+y*y < 1 {
			return 1
		}
		return 0
	}
	ring := func(x, y float64) int {
		if r := math.Hypot(x, y); r > 0.5 && r < 1.5 {
			return 1
		}
		return 0
	}
	half := func(x, y float64) int {
		if x+2*y > 0.3 {
			return 1
		}
		return 0
	}
	three := func(x, y float64) int { // sectors of 120 degrees
		a := math.Atan2(y, x)
		return int(math.Floor((a+math.Pi)/(2*math.Pi/3))) % 3
	}
	tests := []struct {
		name string
		f    func(x, y float64) int
		k    int
		want float64
		tol  float64
		n    int
	}{
		{"disc", disc, 1, math.Pi, 0.004, 1},
		{"outside of a disc", disc, 0, 16 - math.Pi, 0.004, 2},
		{"ring with a hole", ring, 1, math.Pi * 2, 0.008, 2},
		{"half plane", half, 1, 0, 0.004, 1}, // by symmetry, see below
	}
	for _, c := range tests {
		rings := ringsOf(t, c.f, c.k, -2, 2)
		if len(rings) != c.n {
			t.Errorf("%s: %d rings, want %d", c.name, len(rings), c.n)
		}
		want := c.want
		if c.name == "half plane" { // y > (0.3 - x)/2 over [-2, 2]: 4 * (2 - 0.15)
			want = 4 * (2 - 0.15)
		}
		if got := signedArea(rings); math.Abs(got-want) > c.tol {
			t.Errorf("%s: area %.5f, want %.5f", c.name, got, want)
		}
	}
	total := 0.0
	for k := range 3 {
		total += signedArea(ringsOf(t, three, k, -2, 2))
	}
	if math.Abs(total-16) > 0.02 {
		t.Errorf("three sectors cover %.5f of 16", total)
	}
}

// TestRegionCuts checks that the axis-parallel cuts of a tree are straight and where they belong, corners included.
func TestRegionCuts(t *testing.T) {
	tree := func(x, y float64) int {
		switch {
		case x < 0.37:
			return 0
		case y < 0.613:
			return 1
		case x < 0.8:
			return 2
		}
		return 3
	}
	want := []float64{0.37, 0.63 * 0.613, 0.43 * 0.387, 0.2 * 0.387}
	for k, a := range want {
		rings := ringsOf(t, tree, k, 0, 1)
		if len(rings) != 1 || len(rings[0]) > 8 {
			t.Errorf("class %d: %d rings of %d points", k, len(rings), len(rings[0]))
		}
		if got := signedArea(rings); math.Abs(got-a) > 5e-5 {
			t.Errorf("class %d: area %.6f, want %.6f", k, got, a)
		}
	}
	inner := ringsOf(t, func(x, y float64) int {
		if x > 0.21 && x < 0.71 && y > 0.13 && y < 0.47 {
			return 1
		}
		return 0
	}, 1, 0, 1)
	if got := signedArea(inner); math.Abs(got-0.5*0.34) > 2e-5 || len(inner[0]) > 6 {
		t.Errorf("rectangle: area %.6f, want 0.17; %d points", got, len(inner[0]))
	}
}

func TestContourAreas(t *testing.T) {
	s, err := New(Contours(func(x, y float64) float64 { return -x*x - y*y }).Levels(-1).Filled()).XRange(-2, 2).YRange(-2, 2).scene()
	if err != nil {
		t.Fatal(err)
	}
	var last scene.Mark
	for _, m := range s.Panels[0].Marks {
		if m.Kind == scene.Areas {
			last = m
		}
	}
	if got := signedArea(last.Rings); math.Abs(got-math.Pi) > 0.004 {
		t.Errorf("area of the unit disc: %.5f", got)
	}
}

func TestContourLabelsDoNotMeet(t *testing.T) {
	s, err := gallery()["04contour_labels"].scene()
	if err != nil {
		t.Fatal(err)
	}
	var boxes []box
	p := s.Panels[0]
	for _, m := range p.Marks {
		if m.Kind != scene.Texts {
			continue
		}
		x, y := p.X.At(m.XY[0][0])*560, p.Y.At(m.XY[0][1])*330
		b := textBox(x, y, scene.TextWidth(m.Texts[0], m.Size, false)*math.Abs(math.Cos(m.Angle*math.Pi/180)), m.Size, m.Anchor)
		for _, o := range boxes {
			if b.meets(o) {
				t.Errorf("label %s meets another", m.Texts[0])
			}
		}
		boxes = append(boxes, b)
	}
	if len(boxes) < 4 {
		t.Errorf("only %d labels", len(boxes))
	}
}

func TestEllipse(t *testing.T) {
	ring := EllipseOf([]float64{1, 2}, [][]float64{{4, 1}, {1, 2}}).Sigma(2).ring()
	for _, p := range ring {
		x, y := p[0]-1, p[1]-2
		if m := (2*x*x - 2*x*y + 4*y*y) / 7; math.Abs(m-4) > 1e-12 { // inverse of the covariance: {2,-1;-1,4}/7
			t.Fatalf("Mahalanobis distance squared %v, want 4", m)
		}
	}
	if got, want := signedArea([][][2]float64{ring}), math.Pi*4*math.Sqrt(7); math.Abs(got/want-1) > 0.001 {
		t.Errorf("area %v, want %v", got, want)
	}
}

func TestDensityArea(t *testing.T) {
	v := []float64{1, 2, 2.5, 4, 7, math.NaN()}
	for _, d := range []DensityLayer{Density(v), Density(v).Bandwidth(0.3), Density(v).By([]int{0, 1, 0, 1, 0, 0})} {
		sum := 0.0
		for _, c := range d.curves() {
			for i := 1; i < len(c); i++ {
				sum += (c[i][0] - c[i-1][0]) * (c[i][1] + c[i-1][1]) / 2
			}
		}
		if math.Abs(sum-1) > 0.005 {
			t.Errorf("area %v, want 1", sum)
		}
	}
	// the interquartile range of these values is 2, and 2/1.34 is less than their standard deviation
	if got, want := Density(nil).width([]float64{1, 2, 2.5, 4, 7}), 0.9*2/1.34*math.Pow(5, -0.2); math.Abs(got-want) > 1e-12 {
		t.Errorf("bandwidth %v, want %v", got, want)
	}
}

func TestHistogram(t *testing.T) {
	v := []float64{0, 0.5, 1, 1.5, 2, math.NaN(), math.Inf(1)}
	h := Histogram(v).Bins(2)
	heights, _, lost := h.counts(h.edges())
	if lost != 2 || heights[0][0] != 2 || heights[0][1] != 3 {
		t.Errorf("counts %v, lost %d", heights, lost)
	}
	h = Histogram(v).Density()
	edges := h.edges()
	heights, _, _ = h.counts(edges)
	sum := 0.0
	for b, y := range heights[0] {
		sum += y * (edges[b+1] - edges[b])
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("area %v", sum)
	}
}

// The outer bins hold the smallest and the largest value, whatever the rounding of their edges.
func TestHistogramKeepsExtremes(t *testing.T) {
	for k := 1; k <= 400; k++ {
		values := make([]float64, 60)
		for i := range values {
			values[i] = float64(i%20) * float64(k) / 19 / 100
		}
		values[59] = math.Nextafter(float64(k)/100, 2e3) // one rounding beyond a multiple of the step
		h := Histogram(values)
		if _, _, lost := h.counts(h.edges()); lost != 0 {
			t.Fatalf("scale %d: %d values fall outside the bins %v", k, lost, h.edges())
		}
	}
}
