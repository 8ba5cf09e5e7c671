package svg

import (
	"math"
	"testing"
)

// Symbols change places only with those they do not touch.
func TestScheduleKeepsWhatLiesOver(t *testing.T) {
	var items []element
	var looks []string
	for i := range 300 {
		x, y := float64(i*37%101), float64(i*53%97)
		items = append(items, element{symbol: &symbol{"circle", x, y, 8}})
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
