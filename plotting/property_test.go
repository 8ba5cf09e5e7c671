package plotting

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// drawDomain draws an axis from wide to hair-thin, near zero and far from it.
func drawDomain(t *rapid.T) (lo, hi float64) {
	middle := rapid.Float64Range(-1e6, 1e6).Draw(t, "middle")
	if rapid.Bool().Draw(t, "about zero") {
		middle = 0
	}
	span := math.Pow(10, rapid.Float64Range(-6, 8).Draw(t, "log span"))
	return middle - span/2, middle + span/2
}

// Ticks of a linear axis lie inside it, rise by equal steps of 1, 2 or 5 times a power of ten, are neither too few nor too many, and have
// labels that differ and say where they are.
func TestLinearTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo, hi := drawDomain(t)
		n := rapid.IntRange(2, 12).Draw(t, "n")
		ticks := scene.LinearTicks(lo, hi, n)
		if len(ticks) > 2*n+2 || len(ticks) < n/3 {
			t.Fatalf("%d ticks for about %d in [%v, %v]", len(ticks), n, lo, hi)
		}
		step := scene.NiceStep(hi-lo, n)
		mantissa := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
		if m := math.Round(mantissa); math.Abs(mantissa-m) > 1e-9 || m != 1 && m != 2 && m != 5 {
			t.Fatalf("step %v", step)
		}
		seen := map[string]bool{}
		for i, tick := range ticks {
			if tick.At < lo-1e-9*(hi-lo) || tick.At > hi+1e-9*(hi-lo) {
				t.Fatalf("the tick %v is outside [%v, %v]", tick.At, lo, hi)
			}
			if i > 0 && math.Abs(tick.At-ticks[i-1].At-step) > 1e-6*step+1e-15*max(math.Abs(lo), math.Abs(hi)) {
				t.Fatalf("from %v to %v with the step %v", ticks[i-1].At, tick.At, step)
			}
			if seen[tick.Label] {
				t.Fatalf("two ticks are labelled %q", tick.Label)
			}
			seen[tick.Label] = true
			if v, err := readBack(tick.Label); err != nil || math.Abs(v-tick.At) > 0.01*step {
				t.Fatalf("the tick %v is labelled %q (%v)", tick.At, tick.Label, err)
			}
		}
	})
}

// Ticks of a logarithmic axis lie inside it and rise.
func TestLogTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := math.Pow(10, rapid.Float64Range(-250, 200).Draw(t, "log lo"))
		hi := lo * math.Pow(10, rapid.Float64Range(0.001, 60).Draw(t, "decades"))
		n := rapid.IntRange(2, 12).Draw(t, "n")
		ticks := scene.LogTicks(lo, hi, n)
		if len(ticks) > 3*n+12 {
			t.Fatalf("%d ticks for about %d", len(ticks), n)
		}
		for i, tick := range ticks {
			if tick.At < lo*(1-1e-6) || tick.At > hi*(1+1e-6) || i > 0 && tick.At <= ticks[i-1].At {
				t.Fatalf("ticks %v in [%v, %v]", ticks, lo, hi)
			}
			if v, err := readBack(tick.Label); err != nil || math.Abs(v-tick.At) > 0.01*tick.At {
				t.Fatalf("the tick %v is labelled %q (%v)", tick.At, tick.Label, err)
			}
		}
	})
}

// Regions of any rule cut the panel into pieces: rings of at least three corners inside the panel, whose areas sum to the panel's.
func TestRegionsFillThePanel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type half struct{ a, b, c float64 }
		var halves []half
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			angle := rapid.Float64Range(0, 6.28).Draw(t, "angle")
			halves = append(halves, half{math.Cos(angle), math.Sin(angle), rapid.Float64Range(-1, 1).Draw(t, "offset")})
		}
		classes := rapid.IntRange(1, 4).Draw(t, "classes")
		rule := func(x, y float64) int {
			side := 0
			for i, h := range halves {
				if h.a*x+h.b*y > h.c {
					side |= 1 << i
				}
			}
			return side % classes
		}
		names := make([]string, classes)
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		s, err := New(Regions(rule, names...).Resolution(40)).XRange(-1, 1).YRange(-1, 1).scene()
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		for _, m := range s.Panels[0].Marks {
			if m.Kind != scene.Areas {
				continue
			}
			for _, ring := range m.Rings {
				if len(ring) < 3 {
					t.Fatalf("a ring of %d corners", len(ring))
				}
				for _, p := range ring {
					if math.Abs(p[0]) > 1+1e-9 || math.Abs(p[1]) > 1+1e-9 {
						t.Fatalf("the corner %v lies outside", p)
					}
				}
			}
			area += math.Abs(signedArea(m.Rings))
		}
		if math.Abs(area-4) > 0.02 {
			t.Fatalf("the regions cover %v of 4", area)
		}
	})
}
