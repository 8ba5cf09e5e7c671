package plotting

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// trace returns the polyline that the steps of bend draw.
func trace(from [2]float64, steps []bent) [][2]float64 {
	out := [][2]float64{from}
	for _, s := range steps {
		if s.curved {
			for k := 1; k < 40; k++ {
				out = append(out, s.at(from, float64(k)/40))
			}
		}
		out = append(out, s.to)
		from = s.to
	}
	return out
}

// strays returns how far a polyline is from another at most.
func strays(a, b [][2]float64) float64 {
	most := 0.0
	for _, p := range a {
		least := math.Inf(1)
		for i := 1; i < len(b); i++ {
			least = min(least, fromSegment(p, b[i-1], b[i]))
		}
		most = max(most, least)
	}
	return most
}

func TestBend(t *testing.T) {
	var wave, zigzag, ring [][2]float64
	for i := range 240 {
		x := float64(i) / 4
		wave = append(wave, [2]float64{5 * x, 80 * math.Sin(x/8)})
	}
	for i := range 60 {
		x := float64(i)
		zigzag = append(zigzag, [2]float64{5 * x, float64(i%2) * 30})
		sin, cos := math.Sincos(2 * math.Pi * x / 60)
		ring = append(ring, [2]float64{90 * cos, 40 * sin})
	}
	for _, c := range []struct {
		name   string
		p      subpath
		curves int // at most steps
	}{{"wave", subpath{wave, false}, 16}, {"zigzag", subpath{zigzag, false}, 59}, {"ring", subpath{ring, true}, 12}} {
		line := slices.Clone(c.p.points)
		if c.p.closed {
			line = append(line, line[0])
		}
		steps := bend(subpath{slices.Clone(c.p.points), c.p.closed})
		drawn := trace(line[0], steps)
		if c.p.closed {
			drawn = append(drawn, line[0])
		}
		if len(steps) > c.curves {
			t.Errorf("%s: %d steps, more than %d", c.name, len(steps), c.curves)
		}
		if d := max(strays(drawn, line), strays(line, drawn)); d > 0.3 {
			t.Errorf("%s: strays by %g px", c.name, d)
		}
	}
	if steps := bend(subpath{zigzag, false}); slices.ContainsFunc(steps, func(s bent) bool { return s.curved }) {
		t.Error("corners become curves")
	}
}

// Symbols change places only with those they do not touch.
func TestScheduleKeepsWhatLiesOver(t *testing.T) {
	var items []element
	var looks []string
	for i := range 300 {
		x, y := float64(i*37%101), float64(i*53%97)
		items = append(items, element{symbol: &placed{symbolCircle, x, y, 8}})
		looks = append(looks, string(rune('a'+i*i%7)))
	}
	place := make([]int, len(items))
	n := 0
	for _, batch := range schedule(items, looks) {
		for _, i := range batch {
			if looks[i] != looks[batch[0]] {
				t.Fatal("a batch of two looks")
			}
			place[i] = n
			n++
		}
	}
	if n != len(items) {
		t.Fatalf("%d of %d drawn", n, len(items))
	}
	for i, a := range items {
		for j, b := range items[:i] {
			if math.Hypot(a.symbol.x-b.symbol.x, a.symbol.y-b.symbol.y) < 8 && place[i] < place[j] {
				t.Fatalf("symbol %d lies under %d", i, j)
			}
		}
	}
}

// What frames have in common is written once.
func TestStripWritesOnce(t *testing.T) {
	x, y, l := irisLike(50, 3)
	strip := func(n int) []byte {
		svg, err := Slide("at", []float64{1, 2, 3, 4}[:n], func(v float64) *Figure {
			return New(Points(x, y).By(l, species...), VRule(v).Accent())
		}).SVG()
		if err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(svg); err != nil {
			t.Error(err)
		}
		return svg
	}
	two, four := strip(2), strip(4)
	if more := len(four) - len(two); more > len(two)/4 {
		t.Errorf("two more frames take %d bytes of %d", more, len(four))
	}
	if !bytes.Contains(four, []byte(`<use href="#`)) {
		t.Error("nothing is used again")
	}
}
