package still

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/plotting/internal/svg"
)

// Above this number of tiles the still shows shades a hundredth of the ramp apart, so that tiles share them.
const manyTiles = 400

// tiles draws the cells of a heat map by colour: cells of one colour that stand side by side are one. It does nothing and returns false
// when the panel shows a part of the table only.
func (a area) tiles(p *pen, m *scene.Mark) bool {
	if len(m.XY) == 0 || len(m.Fills) != len(m.XY) || len(m.Strokes) > 0 {
		return false
	}
	type colour struct {
		paint scene.Paint
		runs  [][3]int
		path  vg.Path
	}
	const slack = 0.5
	found := map[string]*colour{}
	var colours []*colour
	columns, rows := 0, 0
	for i := range m.XY {
		px := a.at(m.XY[i])
		if to := a.at(m.XY2[i]); min(px[0], to[0]) < a.x0-slack || max(px[0], to[0]) > a.x1+slack || min(px[1], to[1]) < a.y0-slack ||
			max(px[1], to[1]) > a.y1+slack {
			return false
		}
		columns, rows = max(columns, column(m, i)+1), max(rows, row(m, i)+1)
	}
	origin, next := a.at([2]float64{-0.5, 0.5}), a.at([2]float64{0.5, -0.5})
	t := svg.Tiles{X: origin[0], Y: origin[1], Dx: next[0] - origin[0], Dy: next[1] - origin[1]}
	for i := range m.XY {
		c := m.Fills[i]
		if len(m.XY) > manyTiles {
			c.Value = math.Round(100*c.Value) / 100
		}
		key := fmt.Sprint(c)
		f := found[key]
		if f == nil {
			f = &colour{paint: c}
			found[key] = f
			colours = append(colours, f)
		}
		x, y := column(m, i), row(m, i)
		if n := len(f.runs); n > 0 && f.runs[n-1][1] == y && f.runs[n-1][0]+f.runs[n-1][2] == x {
			f.runs[n-1][2]++
		} else {
			f.runs = append(f.runs, [3]int{x, y, 1})
		}
		from, to := a.at(m.XY[i]), a.at(m.XY2[i])
		f.path = append(f.path, p.rect(min(from[0], to[0]), min(from[1], to[1]), max(from[0], to[0]), max(from[1], to[1]))...)
	}
	for _, f := range colours {
		own := t
		own.Runs = f.runs
		if k, ok := p.ink(f.paint); ok {
			p.svg.Tiles(own, k)
		}
	}
	var lines vg.Path
	if len(m.XY) == columns*rows {
		right, bottom := t.X+float64(columns)*t.Dx, t.Y+float64(rows)*t.Dy
		for i := range rows + 1 {
			y := t.Y + float64(i)*t.Dy
			lines = append(lines, p.poly([][2]float64{{t.X, y}, {right, y}}, false)...)
		}
		for j := range columns + 1 {
			x := t.X + float64(j)*t.Dx
			lines = append(lines, p.poly([][2]float64{{x, t.Y}, {x, bottom}}, false)...)
		}
	} else {
		for _, f := range colours {
			lines = append(lines, f.path...)
		}
	}
	p.stroke(lines, m.Stroke, m.Width, m.Dash)
	return true
}

func column(m *scene.Mark, i int) int { return int(math.Round((m.XY[i][0] + m.XY2[i][0]) / 2)) }

func row(m *scene.Mark, i int) int { return -int(math.Round((m.XY[i][1] + m.XY2[i][1]) / 2)) }
