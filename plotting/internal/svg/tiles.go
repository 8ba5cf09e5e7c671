package svg

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Tiles are cells of one colour in a table of equal cells, as runs of (column, row, length). The table begins at (X, Y) and its cells are
// Dx by Dy pixels.
type Tiles struct {
	X, Y, Dx, Dy float64
	Runs         [][3]int
}

// Tiles draws the cells as strokes one row wide, in the units of the table: exact at any size of its cells.
func (c *Canvas) Tiles(t Tiles, k color.Color) {
	stroke, opacity := paint("stroke", k)
	if stroke == "" {
		return
	}
	var path trail
	for _, r := range t.Runs {
		path.move(r[0], r[1])
		path.line(r[0]+r[2], r[1])
	}
	at := func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }
	c.add(
		element{
			name: "path",
			own:  path.attribute() + stroke + opacity,
			shared: ` transform="matrix(` + at(t.Dx*tenth) + " 0 0 " + at(t.Dy*tenth) +
				" " + at(t.X*tenth) + " " + at((t.Y+t.Dy/2)*tenth) + `)"`,
		},
	)
}

// Ramp draws a bar shaded from bottom to top with colours like "#0072b2", evenly spaced.
func (c *Canvas) Ramp(x0, y0, x1, y1 float64, stops []string) {
	var path trail
	path.subpath(Subpath{[][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, true}, false)
	c.add(element{name: "path", own: path.attribute(), fill: ` fill="url(#` + c.ramp(stops) + `)"`})
}

// ramp defines the shades of a colour bar from bottom to top, once, and returns their name.
func (c *Canvas) ramp(stops []string) string {
	id := name(strings.Join(stops, " "))
	var b strings.Builder
	b.WriteString(`<linearGradient id="` + id + `" x2="0" y1="1" y2="0">`)
	for i, stop := range stops {
		b.WriteString("<stop")
		if i > 0 {
			b.WriteString(` offset="` + short(float64(i)/float64(len(stops)-1), 3) + `"`)
		}
		b.WriteString(` stop-color="` + shortColour(stop) + `"/>`)
	}
	b.WriteString("</linearGradient>")
	if all := b.String(); !slices.Contains(c.ramps, all) {
		c.ramps = append(c.ramps, all)
	}
	return id
}
