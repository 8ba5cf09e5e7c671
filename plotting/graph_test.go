package plotting

import (
	"math"
	"testing"
)

// An edge makes room for its label: no point of its pieces lies under the label, and they end where the whole edge did.
func TestEdgeMakesRoomForItsLabel(t *testing.T) {
	for name, c := range map[string]struct {
		curve  [][2]float64
		pieces int
	}{
		"straight": {arc(0, 0, 200, 120, 15, 18, 0), 2},
		"upright":  {arc(0, 0, 0, 200, 15, 18, 0), 2},
		"bent":     {arc(0, 0, 200, 20, 15, 18, 0.16), 2},
		"short":    {arc(0, 0, 70, 0, 15, 18, 0), 1},
	} {
		mid := c.curve[len(c.curve)/2]
		if len(c.curve) == 2 {
			mid = [2]float64{(c.curve[0][0] + c.curve[1][0]) / 2, (c.curve[0][1] + c.curve[1][1]) / 2}
		}
		const across, down = 14, 7
		pieces := around(c.curve, mid, across, down)
		if len(pieces) != c.pieces {
			t.Errorf("%s: %d pieces, not %d", name, len(pieces), c.pieces)
			continue
		}
		first, last := pieces[0], pieces[len(pieces)-1]
		if first[0] != c.curve[0] || last[len(last)-1] != c.curve[len(c.curve)-1] {
			t.Errorf("%s: from %v to %v", name, first[0], last[len(last)-1])
		}
		if len(pieces) == 1 {
			continue
		}
		for _, piece := range pieces {
			for i := 1; i < len(piece); i++ {
				for s := range 101 {
					u := float64(s) / 100
					x, y := piece[i-1][0]+u*(piece[i][0]-piece[i-1][0]), piece[i-1][1]+u*(piece[i][1]-piece[i-1][1])
					if math.Abs(x-mid[0]) < across-0.5 && math.Abs(y-mid[1]) < down-0.5 {
						t.Errorf("%s: (%.1f, %.1f) lies under the label at %.1f", name, x, y, mid)
					}
				}
			}
		}
	}
}
