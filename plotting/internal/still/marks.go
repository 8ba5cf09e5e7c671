package still

import (
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/geometry"
	"github.com/prlab/prlab/plotting/internal/scene"
)

// Above these numbers of points a mark's dots are merged into one path, and become an image.
const (
	mergeDots  = 500
	rasterDots = 4000
)

// mark draws one mark into the area.
func (a area) mark(p *pen, m *scene.Mark) {
	switch m.Kind {
	case scene.Areas:
		a.areas(p, m)
	case scene.Paths:
		a.paths(p, m)
	case scene.Symbols:
		a.symbols(p, m)
	case scene.Rects:
		a.rects(p, m)
	case scene.Arrows:
		a.arrows(p, m)
	case scene.Texts:
		a.texts(p, m)
	}
}

func fillOf(m *scene.Mark, i int) scene.Paint {
	if i < len(m.Fills) {
		return m.Fills[i]
	}
	return m.Fill
}

func strokeOf(m *scene.Mark, i int) scene.Paint {
	if i < len(m.Strokes) {
		return m.Strokes[i]
	}
	return m.Stroke
}

func (a area) place(line [][2]float64) [][2]float64 {
	out := make([][2]float64, len(line))
	for i, q := range line {
		out[i] = a.at(q)
	}
	return out
}

func (a area) areas(p *pen, m *scene.Mark) {
	var all, outlines vg.Path
	for i, ring := range m.Rings {
		px := a.place(ring)
		inside := geometry.Within(px, a.x0, a.y0, a.x1, a.y1)
		fill := px
		if m.Clip && !inside {
			fill = geometry.ClipRing(px, a.x0, a.y0, a.x1, a.y1)
		}
		path := p.poly(fill, true)
		outline := path
		if m.Clip && !inside && len(px) > 0 {
			outline = nil
			for _, run := range geometry.ClipLine(append(px, px[0]), a.x0, a.y0, a.x1, a.y1) {
				outline = append(outline, p.poly(run, false)...)
			}
		}
		if len(m.Fills) == 0 && len(m.Strokes) == 0 {
			all = append(all, path...)
			outlines = append(outlines, outline...)
			continue
		}
		p.fill(path, fillOf(m, i))
		p.stroke(outline, strokeOf(m, i), m.Width, m.Dash)
	}
	if len(all) > 0 {
		p.fill(all, m.Fill)
	}
	p.stroke(outlines, m.Stroke, m.Width, m.Dash)
}

func (a area) paths(p *pen, m *scene.Mark) {
	var all vg.Path
	for i, line := range m.Rings {
		px := a.place(line)
		runs := [][][2]float64{px}
		if m.Clip && !geometry.Within(px, a.x0, a.y0, a.x1, a.y1) {
			runs = geometry.ClipLine(px, a.x0, a.y0, a.x1, a.y1)
		}
		var path vg.Path
		for _, run := range runs {
			if n := len(run); n > 2 && run[0] == run[n-1] {
				path = append(path, p.poly(run[:n-1], true)...)
			} else {
				path = append(path, p.poly(run, false)...)
			}
		}
		if len(m.Strokes) == 0 {
			all = append(all, path...)
		} else {
			p.stroke(path, strokeOf(m, i), m.Width, m.Dash)
		}
	}
	p.stroke(all, m.Stroke, m.Width, m.Dash)
}

func (a area) symbols(p *pen, m *scene.Mark) {
	var places []int
	var at [][2]float64
	const slack = 0.5
	for i, q := range m.XY {
		px := a.at(q)
		if m.Clip && !(px[0] >= a.x0-slack && px[0] <= a.x1+slack && px[1] >= a.y0-slack && px[1] <= a.y1+slack) {
			continue
		}
		places, at = append(places, i), append(at, px)
	}
	lines := m.Symbol == scene.Plus || m.Symbol == scene.Cross
	if len(at) > rasterDots {
		a.raster(p, m, places, at)
		return
	}
	if len(at) > mergeDots && len(m.Fills) == 0 && len(m.Sizes) == 0 {
		if k, ok := p.ink(m.Fill); ok && p.svg != nil && m.Symbol == scene.Circle {
			p.svg.Dots(at, m.Size, k)
			return
		}
		var path vg.Path
		for _, q := range at {
			path = append(path, p.outlined(m.Symbol, q[0], q[1], m.Size)...)
		}
		if !lines {
			p.fill(path, m.Fill)
		}
		p.stroke(path, m.Stroke, m.Width, nil)
		return
	}
	for j, i := range places {
		size := m.Size
		if i < len(m.Sizes) {
			if size = m.Sizes[i]; p.svg != nil && size > sizeStep {
				size = math.Round(size/sizeStep) * sizeStep
			}
		}
		p.symbol(m.Symbol, at[j][0], at[j][1], size, fillOf(m, i), strokeOf(m, i), m.Width)
	}
}

func (a area) rects(p *pen, m *scene.Mark) {
	if m.Tiles && p.svg != nil && a.tiles(p, m) {
		return
	}
	var all vg.Path
	for i := range m.XY {
		px := [][2]float64{a.at(m.XY[i]), a.at(m.XY2[i])}
		x0, x1 := min(px[0][0], px[1][0]), max(px[0][0], px[1][0])
		y0, y1 := min(px[0][1], px[1][1]), max(px[0][1], px[1][1])
		if m.Clip {
			x0, x1, y0, y1 = max(x0, a.x0), min(x1, a.x1), max(y0, a.y0), min(y1, a.y1)
		}
		if !(x1 > x0 && y1 > y0) {
			continue
		}
		path := p.rect(x0, y0, x1, y1)
		if len(m.Fills) == 0 && len(m.Strokes) == 0 {
			all = append(all, path...)
			continue
		}
		p.fill(path, fillOf(m, i))
		p.stroke(path, strokeOf(m, i), m.Width, m.Dash)
	}
	if len(all) > 0 {
		p.fill(all, m.Fill)
		p.stroke(all, m.Stroke, m.Width, m.Dash)
	}
}

func (a area) arrows(p *pen, m *scene.Mark) {
	var shafts, heads vg.Path
	for i := range m.XY {
		from, to := a.at(m.XY[i]), a.at(m.XY2[i])
		if m.Clip {
			runs := geometry.ClipLine([][2]float64{from, to}, a.x0, a.y0, a.x1, a.y1)
			if len(runs) == 0 {
				continue
			}
			if last := runs[0][len(runs[0])-1]; last != to { // the head is outside
				shafts = append(shafts, p.poly(runs[0], false)...)
				continue
			}
			from = runs[0][0]
		}
		dx, dy := to[0]-from[0], to[1]-from[1]
		l := math.Hypot(dx, dy)
		if l == 0 {
			continue
		}
		ux, uy := dx/l, dy/l
		head := min(max(m.Size, 3*m.Width), max(l, 7))
		base := [2]float64{to[0] - head*ux, to[1] - head*uy}
		half := 0.42 * head
		if l > head {
			shafts = append(shafts, p.poly([][2]float64{from, {to[0] - 0.8*head*ux, to[1] - 0.8*head*uy}}, false)...)
		}
		heads = append(heads, p.poly([][2]float64{to, {base[0] - half*uy, base[1] + half*ux}, {base[0] + half*uy, base[1] - half*ux}}, true)...)
	}
	if m.Halo {
		page := scene.Paint{Token: scene.TokenBackground}
		p.stroke(shafts, page, m.Width+2.5, nil)
		p.stroke(heads, page, 2.5, nil)
	}
	p.stroke(shafts, m.Stroke, m.Width, m.Dash)
	if len(heads) > 0 {
		p.fill(heads, m.Fill.Or(m.Stroke))
	}
}

func (a area) texts(p *pen, m *scene.Mark) {
	for i := range m.XY {
		if i >= len(m.Texts) {
			return
		}
		q := a.at(m.XY[i])
		if m.Clip && !(q[0] >= a.x0-0.5 && q[0] <= a.x1+0.5 && q[1] >= a.y0-0.5 && q[1] <= a.y1+0.5) {
			continue
		}
		size := m.Size
		if i < len(m.Sizes) {
			size = m.Sizes[i]
		}
		p.text(q[0]+m.Offset[0], q[1]+m.Offset[1], m.Texts[i],
			lettering{size: size, bold: m.Bold, fill: fillOf(m, i), at: m.Anchor, angle: m.Angle, halo: m.Halo})
	}
}
