package plotting

import (
	"math"
	"sync/atomic"
	"testing"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// A draft asks a classifier less often than its raster has nodes, and draws the same border to a pixel; the fine raster that a layer wishes
// is for the whole picture only.
func TestDraftRegions(t *testing.T) {
	var calls atomic.Int64
	disc := func(x, y float64) int {
		calls.Add(1)
		if x*x+y*y < 1 {
			return 1
		}
		return 0
	}
	axis := scene.Axis{Lo: -2, Hi: 2}
	all, err := sample(axis, axis, finest, disc)
	if err != nil {
		t.Fatal(err)
	}
	calls.Store(0)
	some, err := sparse(axis, axis, finest, disc)
	if err != nil {
		t.Fatal(err)
	}
	if n := calls.Load(); n > (finest+1)*(finest+1)/2 {
		t.Errorf("the classifier is asked %d times", n)
	}
	for k, v := range all.values {
		if some.values[k] != v {
			t.Fatalf("node %d has the label %d, and unasked %d", k, v, some.values[k])
		}
	}

	layer := Regions(disc, "out", "in").Resolution(300)
	m, labels, err := layer.partition(axis, axis, fineness{cells: finest, draft: true})
	if err != nil || len(labels) != 2 {
		t.Fatalf("labels %v, error %v", labels, err)
	}
	const pixel = 1.0 / 400
	for _, line := range m.lines() {
		for _, p := range line {
			if off := math.Abs(math.Hypot(p[0]-0.5, p[1]-0.5) - 0.25); off > pixel {
				t.Fatalf("the border is off by %.2f pixels", off/pixel)
			}
		}
	}
	var g Stage
	fig := New(layer).XRange(-2, 2).YRange(-2, 2)
	for _, draft := range []bool{false, true} {
		calls.Store(0)
		if _, err := g.Spec(fig, draft); err != nil {
			t.Fatal(err)
		}
		if n := calls.Load(); draft != (n < 300*300/10) {
			t.Errorf("draft %v: the classifier is asked %d times", draft, n)
		}
	}
}

// The axes and the picture ask a curve once, and a draft asks it less often.
func TestCurveAsksOnce(t *testing.T) {
	calls := 0
	var g Stage
	draw := func() *Figure {
		return New(Curve(func(x float64) float64 { calls++; return x }, 0, 1))
	}
	for _, c := range []struct {
		draft bool
		want  int
	}{{false, 301}, {true, 121}} {
		calls = 0
		if _, err := g.Spec(draw(), c.draft); err != nil {
			t.Fatal(err)
		}
		if calls != c.want {
			t.Errorf("draft %v: the curve is asked %d times, want %d", c.draft, calls, c.want)
		}
	}
}
