package plotting

import (
	"math"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting/internal/scene"
)

func labels(ticks []scene.Tick) string {
	var s []string
	for _, t := range ticks {
		s = append(s, t.Label)
	}
	return strings.Join(s, " ")
}

func TestTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		n      int
		log    bool
		want   string
	}{
		{0, 1, 5, false, "0 0.2 0.4 0.6 0.8 1.0"},
		{-3.2, 3.7, 8, false, "−3 −2 −1 0 1 2 3"},
		{0, 0.001, 4, false, "0 0.0002 0.0004 0.0006 0.0008 0.0010"},
		{10000, 50000, 4, false, "10,000 20,000 30,000 40,000 50,000"},
		{0, 4e8, 4, false, "0 10⁸ 2×10⁸ 3×10⁸ 4×10⁸"},
		{9e-10, 1.1e-9, 4, false, "9×10⁻¹⁰ 9.5×10⁻¹⁰ 10⁻⁹ 1.05×10⁻⁹ 1.1×10⁻⁹"},
		{1, 1000, 5, true, "1 10 100 1000"},
		{1e-8, 1e8, 5, true, "10⁻⁸ 10⁻⁴ 1 10⁴ 10⁸"},
		{1, 20, 5, true, "1 2 5 10 20"},
		{1, 1.5, 5, true, "1.0 1.1 1.2 1.3 1.4 1.5"},
	}
	for _, c := range tests {
		var got string
		if c.log {
			got = labels(scene.LogTicks(c.lo, c.hi, c.n))
		} else {
			got = labels(scene.LinearTicks(c.lo, c.hi, c.n))
		}
		if got != c.want && !(c.log && strings.ReplaceAll(got, "10⁰", "1") == c.want) {
			t.Errorf("ticks of [%v, %v]: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	// over many ranges: inside the domain, increasing, labels all different, few
	for e := -12; e <= 12; e++ {
		for _, m := range []float64{1, 1.7, 3.3, 9.9} {
			span := m * math.Pow(10, float64(e))
			for _, lo := range []float64{0, -span / 3, 7 * span} {
				ticks := scene.LinearTicks(lo, lo+span, 6)
				if len(ticks) < 2 || len(ticks) > 13 {
					t.Errorf("[%v, %v]: %d ticks", lo, lo+span, len(ticks))
				}
				for i, k := range ticks {
					if k.At < lo-1e-8*span || k.At > lo+span*(1+1e-8) || i > 0 && (k.At <= ticks[i-1].At || k.Label == ticks[i-1].Label) {
						t.Errorf("[%v, %v]: %s", lo, lo+span, labels(ticks))
						break
					}
				}
			}
		}
	}
}

func TestDomain(t *testing.T) {
	var points extent
	points.soft(2, 4)
	if lo, hi := points.domain(axisOptions{}, 0.05, extent{}); lo != 1.9 || hi != 4.1 {
		t.Errorf("margins: %v, %v", lo, hi)
	}
	var bars extent
	bars.hard(0)
	bars.soft(3, 4)
	if lo, hi := bars.domain(axisOptions{}, 0.05, extent{}); lo != 0 || hi != 4.2 {
		t.Errorf("bars: %v, %v", lo, hi)
	}
	var one extent
	one.soft(5)
	if lo, hi := one.domain(axisOptions{}, 0.05, extent{}); lo != 4.5 || hi != 5.5 {
		t.Errorf("constant: %v, %v", lo, hi)
	}
	var log extent
	log.soft(-3, 0, 10, 1000)
	if lo, hi := log.domain(axisOptions{log: true}, 0.05, extent{}); !(lo > 5 && lo < 10 && hi > 1000 && hi < 2000) {
		t.Errorf("log: %v, %v", lo, hi)
	}
}
