package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// RuleLayer draws straight lines across the panel. Make one with VRule, HRule or Slope.
type RuleLayer struct {
	style
	who              string
	at               []float64
	intercept, slope float64
	labels           []string
	dash             bool
	width            float64
}

// VRule draws vertical lines at the given places. Its default look is a thin dark line.
func VRule(x ...float64) RuleLayer { return RuleLayer{who: "VRule", at: slices.Clone(x)} }

// HRule draws horizontal lines at the given heights.
func HRule(y ...float64) RuleLayer { return RuleLayer{who: "HRule", at: slices.Clone(y)} }

// Slope draws the line y = intercept + slope x across the panel. It does not widen the domain.
func Slope(intercept, slope float64) RuleLayer {
	return RuleLayer{who: "Slope", intercept: intercept, slope: slope, at: []float64{0}}
}

// Name sets the legend entry.
func (r RuleLayer) Name(legend string) RuleLayer { r.name = legend; return r }

// Class gives the lines the colour of a class.
func (r RuleLayer) Class(name string) RuleLayer { r.class = name; return r }

// Label writes a text at the end of the first line.
func (r RuleLayer) Label(s string) RuleLayer { r.labels = []string{s}; return r }

// Labels writes a text at the end of each line.
func (r RuleLayer) Labels(texts ...string) RuleLayer { r.labels = slices.Clone(texts); return r }

// Dash draws the lines dashed.
func (r RuleLayer) Dash() RuleLayer { r.dash = true; return r }

// Width sets the width in pixels; the default is 1.25.
func (r RuleLayer) Width(px float64) RuleLayer { r.width = px; return r }

// Accent draws the lines in the accent colour.
func (r RuleLayer) Accent() RuleLayer { r.accent = true; return r }

// Muted draws the lines in grey.
func (r RuleLayer) Muted() RuleLayer { r.muted = true; return r }

func (r RuleLayer) check() error {
	if r.who == "Slope" {
		if err := first(checkFinite("Slope", "intercept", r.intercept), checkFinite("Slope", "slope", r.slope)); err != nil {
			return err
		}
	}
	if len(r.labels) > len(r.at) {
		return argument(r.who+".Labels", "texts", count(len(r.labels), "text"), fmt.Sprintf("at most one a line: %d", len(r.at)), "")
	}
	return checkPixels(r.who+".Width", r.width)
}

func (r RuleLayer) survey(v *survey) {
	switch r.who {
	case "VRule":
		v.x.soft(r.at...)
	case "HRule":
		v.y.soft(r.at...)
	}
	if r.class != "" {
		v.pic.slot(r.class)
	}
}

func (r RuleLayer) lower(d *panelDrawing) {
	colour := r.plain(d)
	width := orPx(r.width, 1.25)
	key := r.key()
	m := scene.Mark{Kind: scene.Paths, Key: key, Stroke: colour, Width: width, Dash: pattern(r.dash, false), Clip: true, Smooth: true}
	t := scene.Mark{Kind: scene.Texts, Key: key, Z: d.over(), Fill: colour, Size: 11, Halo: true}
	if colour.Token == scene.TokenForeground {
		t.Fill = scene.Paint{Token: scene.TokenMuted}
	}
	label := func(i int, x, y float64) {
		m.Names = append(m.Names, "")
		if i < len(r.labels) && r.labels[i] != "" {
			t.XY = append(t.XY, [2]float64{x, y})
			t.Texts = append(t.Texts, scene.Clean(r.labels[i], 80))
			m.Names[len(m.Names)-1] = scene.Clean(r.labels[i], 80)
		}
	}
	for i, v := range r.at {
		switch r.who {
		case "VRule":
			if !d.x.Shows(v) || v < d.x.Lo || v > d.x.Hi {
				continue
			}
			m.Rings = append(m.Rings, [][2]float64{{v, d.y.Lo}, {v, d.y.Hi}})
			label(i, v, d.y.Hi)
			d.rowText(key, scene.FormatNumber(v), "", "")
		case "HRule":
			if !d.y.Shows(v) || v < d.y.Lo || v > d.y.Hi {
				continue
			}
			m.Rings = append(m.Rings, [][2]float64{{d.x.Lo, v}, {d.x.Hi, v}})
			label(i, d.x.Hi, v)
			d.rowText(key, "", scene.FormatNumber(v), "")
		case "Slope":
			const steps = 128 // straight on linear axes, a curve on log axes
			n := 1
			if d.x.Log || d.y.Log {
				n = steps
			}
			var run [][2]float64
			for j := 0; j <= n; j++ {
				x := d.x.Value(float64(j) / float64(n))
				if y := r.intercept + r.slope*x; d.ok(x, y) {
					run = append(run, [2]float64{x, y})
				}
			}
			if len(run) > 1 {
				m.Rings = append(m.Rings, run)
				end := run[len(run)-1]
				if end[1] >= d.y.Lo && end[1] <= d.y.Hi {
					label(i, end[0], end[1])
				} else if r.slope != 0 {
					y := min(max(end[1], d.y.Lo), d.y.Hi)
					label(i, (y-r.intercept)/r.slope, y)
				}
			}
		}
	}
	switch r.who {
	case "VRule":
		t.Anchor, t.Offset = scene.At("start", "top"), [2]float64{4, 2}
		if len(t.XY) > 0 && d.x.At(t.XY[0][0]) > 0.8 {
			t.Anchor, t.Offset = scene.At("end", "top"), [2]float64{-4, 2}
		}
	default:
		t.Anchor, t.Offset = scene.At("end", "bottom"), [2]float64{-4, -3}
		if len(t.XY) > 0 && d.y.At(t.XY[0][1]) > 0.92 {
			t.Anchor, t.Offset = scene.At("end", "top"), [2]float64{-4, 3}
		}
	}
	if r.who == "Slope" && len(t.XY) > 0 && !d.x.Log && !d.y.Log { // along the line
		t.Angle = math.Round(math.Atan(r.slope*(d.h/(d.y.Hi-d.y.Lo))/(d.w/(d.x.Hi-d.x.Lo))) * 180 / math.Pi)
		t.Anchor, t.Offset = scene.At("end", "bottom"), [2]float64{-6, -4}
	}
	d.add(m)
	if len(t.XY) > 0 {
		d.add(t)
	}
	d.entry(scene.LegendEntry{Key: key, Stroke: colour, Width: width, Dash: m.Dash})
	d.describe("a rule%s", named(or(key, strings.Join(r.labels, ", "))))
}
