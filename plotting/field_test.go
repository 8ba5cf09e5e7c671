package plotting

import (
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// Regions and contours of one field cost one raster and one tracing of each line, and look as if each layer had a function of its own.
func TestFieldIsSampledOnce(t *testing.T) {
	var calls atomic.Int64
	f := func(x, y float64) float64 {
		calls.Add(1)
		return x*x + y*y/2 - 1 + 0.3*math.Sin(3*x*y)
	}
	draw := func(regions RegionsLayer, zero, margins ContoursLayer) *scene.Scene {
		t.Helper()
		s, err := New(regions.NoBoundary(), zero.Levels(0).Name("f = 0"), margins.Levels(-0.5, 0.5).Dash()).XRange(-2, 2).YRange(-2, 2).scene()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	q := NewField(f)
	one := draw(q.Regions("in", "out"), q.Contours(), q.Contours())
	shared := calls.Swap(0)
	side := func(x, y float64) int {
		if f(x, y) >= 0 {
			return 1
		}
		return 0
	}
	three := draw(Regions(side, "in", "out"), Contours(f), Contours(f))
	apart := calls.Load()
	if nodes := int64((fullRaster + 1) * (fullRaster + 1)); 2*shared > 3*nodes || 2*shared > apart {
		t.Errorf("%d calls of the function, %d apart; the raster has %d nodes", shared, apart, nodes)
	}
	lines := func(s *scene.Scene) (out []scene.Mark) {
		for _, m := range s.Panels[0].Marks {
			if m.Kind == scene.Paths {
				out = append(out, m)
			}
		}
		return out
	}
	if a, b := lines(one), lines(three); !reflect.DeepEqual(a, b) {
		t.Errorf("the lines differ: %d and %d marks", len(a), len(b))
	}
	// the edge of the region is the line f = 0: every vertex inside the panel lies on it
	for _, m := range one.Panels[0].Marks {
		if m.Kind != scene.Areas {
			continue
		}
		for _, ring := range m.Rings {
			for _, p := range ring {
				if inside := math.Abs(p[0]) < 1.999 && math.Abs(p[1]) < 1.999; inside && math.Abs(f(p[0], p[1])) > 0.02 {
					t.Errorf("region %s has the vertex %v, where f = %.3f", m.Key, p, f(p[0], p[1]))
				}
			}
		}
	}
}

// A second figure with other axes samples the field again, and the first keeps its lines.
func TestFieldServesTwoFigures(t *testing.T) {
	q := NewField(func(x, y float64) float64 { return x - y })
	a := New(q.Contours().Levels(0)).XRange(0, 1).YRange(0, 1)
	b := New(q.Contours().Levels(0)).XRange(0, 10).YRange(0, 10)
	for _, f := range []*Figure{a, b, a.Title("again")} {
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		hi := s.Panels[0].X.Hi
		for _, p := range s.Panels[0].Marks[0].Rings[0] {
			if math.Abs(p[0]-p[1]) > 1e-9*hi || p[0] < 0 || p[0] > hi {
				t.Errorf("axis to %g: vertex %v", hi, p)
			}
		}
	}
}

// Where the field is not finite its regions fall back on the sides.
func TestFieldWithHoles(t *testing.T) {
	q := NewField(func(x, y float64) float64 { return math.Log(x) }) // NaN for x < 0, -Inf at 0
	s, err := New(q.Regions("low", "high"), q.Contours().Levels(0)).XRange(-1, 3).YRange(0, 1).scene()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Panels[0].Marks {
		if m.Kind == scene.Paths {
			for _, line := range m.Rings {
				for _, p := range line {
					if math.Abs(p[0]-1) > 0.02 {
						t.Errorf("%s: the line x = 1 passes %v", m.ID, p)
					}
				}
			}
		}
	}
}

func TestFieldWithoutFunction(t *testing.T) {
	var none *Field
	for _, l := range []Layer{NewField(nil).Contours(), NewField(nil).Regions(), none.Contours(), none.Regions(), ContoursLayer{}} {
		if New(l).Err() == nil {
			t.Errorf("%T without a function is no error", l)
		}
	}
	panics := NewField(func(x, y float64) float64 { panic("no") })
	if _, err := New(panics.Regions("a", "b")).scene(); err == nil {
		t.Error("a panic of the function is no error")
	}
}

func BenchmarkBoundary(b *testing.B) {
	for b.Loop() {
		q := NewField(func(x, y float64) float64 { return math.Exp(-x*x-y*y) - 0.5 })
		f := New(q.Regions("a", "b").NoBoundary(), q.Contours().Levels(0), q.Contours().Levels(-0.2, 0.2)).XRange(-2, 2).YRange(-2, 2)
		if _, err := f.scene(); err != nil {
			b.Fatal(err)
		}
	}
}
