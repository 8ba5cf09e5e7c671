package live

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/plotting/internal/scene"
)

func TestQuantise(t *testing.T) {
	linear, log := scene.Axis{Lo: -1, Hi: 3}, scene.Axis{Lo: 0.01, Hi: 100, Log: true}
	for _, c := range []struct {
		axis scene.Axis
		v    float64
		want int
	}{
		{linear, -1, 0},
		{linear, 3, 1000},
		{linear, 0, 250},
		{linear, 7, 2000},
		{linear, math.NaN(), missing},
		{linear, math.Inf(1), farOutside},
		{log, 1, 500},
		{log, 0.01, 0},
		{log, -1, missing},
		{log, 0, -farOutside},
	} {
		if got := quantise(&c.axis, c.v, 1000); got != c.want {
			t.Errorf("quantise(%v) on [%v, %v] = %d, want %d", c.v, c.axis.Lo, c.axis.Hi, got, c.want)
		}
	}
}

func TestPackRings(t *testing.T) {
	p := &scene.Panel{X: scene.Axis{Lo: 0, Hi: 1}, Y: scene.Axis{Lo: 0, Hi: 1}}
	nan := math.NaN()
	m := pack(&scene.Mark{Kind: scene.Paths, Rings: [][][2]float64{{{0, 0}, {1e-9, 0}, {1, 0}, {nan, 0}, {1, 1}, {0, 1}}}}, p)
	if want := []int{2, 2}; !slices.Equal(m.Lengths, want) {
		t.Errorf("lengths %v, want %v: a vertex on the one before goes, a gap parts the path", m.Lengths, want)
	}
	if want := []int{0, 0, ringUnit, 0, ringUnit, ringUnit, -ringUnit, 0}; !slices.Equal(m.Points, want) {
		t.Errorf("differences %v, want %v", m.Points, want)
	}
}

func TestPaintWords(t *testing.T) {
	for want, p := range map[string]scene.Paint{
		"": {}, "c3": {Token: scene.TokenClass, Slot: 3}, "c0@0.5": {Token: scene.TokenClass, Opacity: 0.5},
		"f":      {Token: scene.TokenForeground, Opacity: 1},
		"s0.123": {Token: scene.TokenSequential, Value: 0.1234}, "d0.5": {Token: scene.TokenDiverging, Value: 0.5},
		"x0:0.25,2:0.75": {Token: scene.TokenMix, Mix: [][2]float64{{0, 0.25}, {1, 0}, {2, 0.75}}},
		"s0":             {Token: scene.TokenSequential, Value: math.NaN()},
		"x2:1":           {Token: scene.TokenMix, Mix: [][2]float64{{0, 0}, {2, 1}}},
	} {
		if got := word(p); got != want {
			t.Errorf("%+v is spelled %q, want %q", p, got, want)
		}
	}
}

// What travels to the browser is the place on the axis: it keeps the order, and comes back to within a unit.
func TestQuantiseIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := scene.Axis{Log: rapid.Bool().Draw(t, "log")}
		a.Lo = rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		a.Hi = a.Lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "span")
		if a.Log {
			a.Lo = math.Pow(10, rapid.Float64Range(-100, 100).Draw(t, "log lo"))
			a.Hi = a.Lo * math.Pow(10, rapid.Float64Range(0.1, 10).Draw(t, "decades"))
		}
		u, v := rapid.Float64Range(0, 1).Draw(t, "u"), rapid.Float64Range(0, 1).Draw(t, "v")
		at := func(share float64) float64 {
			place := a.Straight(a.Lo) + share*(a.Straight(a.Hi)-a.Straight(a.Lo))
			if a.Log {
				return math.Pow(10, place)
			}
			return place
		}
		q, r := quantise(&a, at(min(u, v)), pointUnit), quantise(&a, at(max(u, v)), pointUnit)
		if q > r || q < -1 || r > pointUnit+1 {
			t.Fatalf("%v and %v become %d and %d", at(min(u, v)), at(max(u, v)), q, r)
		}
		if math.Abs(float64(q)-min(u, v)*pointUnit) > 1 {
			t.Fatalf("the share %v of the axis becomes %v", min(u, v), float64(q)/pointUnit)
		}
	})
}

func TestThousandth(t *testing.T) {
	for _, v := range []float64{0, 1, 0.5, 1.0 / 3, 0.0005, 0.9996, 1.0004, 1.3, -0.2, -0.0001, math.NaN(), math.Inf(1)} {
		if got, want := thousandth(v), decimal(v, 3); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
