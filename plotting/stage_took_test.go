package plotting

import (
	"bytes"
	"testing"
	"time"
)

// Slow drafts become coarser, down to a bound, and quick ones fine again; the whole picture stays as it is.
func TestStageTook(t *testing.T) {
	var g Stage
	fig := New(Regions(func(x, y float64) int {
		if x*x+y*y < 1 {
			return 1
		}
		return 0
	}, "out", "in")).XRange(-2, 2).YRange(-2, 2)
	spec := func(draft bool) []byte {
		t.Helper()
		s, err := g.Spec(fig, draft)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole, first := spec(false), spec(true)
	g.Took(10 * time.Millisecond)
	if g.raster() != finest || !bytes.Equal(spec(true), first) {
		t.Errorf("a draft in time leaves a raster of %d", g.raster())
	}
	g.Took(24 * time.Millisecond)
	if n := g.raster(); n != 28 { // half the cells
		t.Errorf("a draft that takes twice the time leaves a raster of %d", n)
	}
	if bytes.Equal(spec(true), first) || !bytes.Equal(spec(false), whole) {
		t.Error("a coarser draft is as fine, or the whole picture another one")
	}
	g.Took(time.Second)
	if n := g.raster(); n != coarsest {
		t.Errorf("after a second the raster is %d", n)
	}
	for range 3 {
		g.Took(time.Millisecond)
	}
	if g.raster() != finest || !bytes.Equal(spec(true), first) {
		t.Errorf("quick drafts leave a raster of %d", g.raster())
	}
}
