package plotting

import "github.com/prlab/prlab/plotting/internal/geometry"

// tolerance is how far, in pixels, a simplified line may stray from the exact one.
const tolerance = 0.15

// thin drops the points of a polyline in data coordinates that the eye does not miss.
func (d *panelDrawing) thin(line [][2]float64) [][2]float64 {
	if len(line) < 3 {
		return line
	}
	px := make([][2]float64, len(line))
	for i, p := range line {
		px[i][0], px[i][1] = d.px(p[0], p[1])
	}
	keep := geometry.Thin(px, tolerance)
	out := make([][2]float64, 0, len(keep))
	for _, i := range keep {
		out = append(out, line[i])
	}
	return out
}

// fromShares turns lines and rings in shares of the axes into simplified ones in data coordinates.
func (d *panelDrawing) fromShares(lines [][][2]float64, closed bool) [][][2]float64 {
	var out [][][2]float64
	for _, line := range lines {
		px := make([][2]float64, 0, len(line)+1)
		for _, p := range line {
			px = append(px, [2]float64{p[0] * d.w, p[1] * d.h})
		}
		if closed { // begin at a corner, so that the start is not an extra point
			k := 0
			for i, p := range px {
				if p[0]+p[1] < px[k][0]+px[k][1] {
					k = i
				}
			}
			px = append(append([][2]float64{}, px[k:]...), px[:k]...)
			px = append(px, px[0])
		}
		keep := geometry.Thin(px, tolerance)
		if closed {
			keep = keep[:len(keep)-1]
			if len(keep) < 3 {
				continue
			}
		}
		thin := make([][2]float64, 0, len(keep))
		for _, i := range keep {
			thin = append(thin, [2]float64{d.x.Value(px[i][0] / d.w), d.y.Value(px[i][1] / d.h)})
		}
		out = append(out, thin)
	}
	return out
}
