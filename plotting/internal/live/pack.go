package live

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// A Mark is a mark as it travels to the browser: short names, colours as words of the runtime ("c3@0.5"), and coordinates as
// whole numbers of 1/Unit of the panel's domain, which gzip halves again. Rings hold differences between vertices.
type Mark struct {
	ID      string       `json:"id,omitempty"`
	Kind    scene.Kind   `json:"k"`
	Z       int          `json:"z,omitempty"`
	Key     string       `json:"key,omitempty"`
	Fill    string       `json:"f,omitempty"`
	Stroke  string       `json:"s,omitempty"`
	Width   float64      `json:"w,omitempty"`
	Dash    []float64    `json:"d,omitempty"`
	Symbol  scene.Symbol `json:"sy,omitempty"`
	Size    float64      `json:"size,omitempty"`
	Smooth  bool         `json:"sm,omitempty"`
	Clip    bool         `json:"c,omitempty"`
	Unit    int          `json:"u"`
	Points  []int        `json:"q,omitempty"`
	Points2 []int        `json:"q2,omitempty"`
	Lengths []int        `json:"r,omitempty"`
	Fills   []string     `json:"fs,omitempty"`
	Strokes []string     `json:"ss,omitempty"`
	Sizes   []float64    `json:"sz,omitempty"`
	Texts   []string     `json:"t,omitempty"`
	Notes   []string     `json:"nt,omitempty"`
	Rows    []int        `json:"rw,omitempty"`
	Members []int        `json:"br,omitempty"` // the rows that the shapes count, one shape after the other
	Counts  []int        `json:"bl,omitempty"` // how many of them each shape has
	FirstID *int         `json:"r0,omitempty"` // the rows are r0, r0+1, ...
	H       string       `json:"ah,omitempty"`
	V       string       `json:"av,omitempty"`
	Offset  *[2]float64  `json:"o,omitempty"`
	Halo    bool         `json:"h,omitempty"`
	Angle   float64      `json:"a,omitempty"`
	Bold    bool         `json:"b,omitempty"`
	As      []string     `json:"as,omitempty"` // fields equal to those of the first frame that has the mark, left out here
}

const (
	pointUnit  = 1 << 16 // a reader's tooltip shows four digits
	ringUnit   = 1 << 14 // 1/25 of a pixel
	coarseUnit = 1 << 13 // 1/12 of a pixel, for crowds
	manyPoints = 3000
	missing    = math.MinInt32
	farOutside = 1 << 28
)

func pack(m *scene.Mark, p *scene.Panel) *Mark {
	out := &Mark{
		ID: m.ID, Kind: m.Kind, Z: m.Z, Key: m.Key, Fill: word(m.Fill), Stroke: word(m.Stroke), Width: round(m.Width, 2),
		Dash: m.Dash, Symbol: m.Symbol, Size: round(m.Size, 2), Smooth: m.Smooth, Clip: m.Clip, Unit: pointUnit, Texts: m.Texts,
		H: m.Anchor.H, V: m.Anchor.V, Halo: m.Halo, Angle: m.Angle, Bold: m.Bold,
	}
	if m.Kind != scene.Symbols {
		out.Symbol = ""
	}
	if len(m.Notes) > 0 {
		out.Notes = m.Notes
	}
	if m.Offset != [2]float64{} {
		out.Offset = &m.Offset
	}
	for _, f := range m.Fills {
		out.Fills = append(out.Fills, word(f))
	}
	for _, s := range m.Strokes {
		out.Strokes = append(out.Strokes, word(s))
	}
	for _, s := range m.Sizes {
		out.Sizes = append(out.Sizes, round(s, 2))
	}
	out.Rows, out.FirstID = packRows(m.Rows)
	for _, rows := range m.Members {
		out.Members, out.Counts = append(out.Members, rows...), append(out.Counts, len(rows))
	}
	switch m.Kind {
	case scene.Areas, scene.Paths:
		out.Unit = ringUnit
		out.packRings(m, p)
	default:
		if len(m.XY) > manyPoints {
			out.Unit = coarseUnit
		}
		out.Points = packPoints(m.XY, p, out.Unit)
		out.Points2 = packPoints(m.XY2, p, out.Unit)
	}
	return out
}

func packRows(rows []int) ([]int, *int) {
	for i, r := range rows {
		if r != rows[0]+i {
			return rows, nil
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	first := rows[0]
	return nil, &first
}

func packPoints(xy [][2]float64, p *scene.Panel, unit int) []int {
	if len(xy) == 0 {
		return nil
	}
	out := make([]int, 0, 2*len(xy))
	for _, v := range xy {
		out = append(out, quantise(&p.X, v[0], float64(unit)), quantise(&p.Y, v[1], float64(unit)))
	}
	return out
}

// packRings leaves out vertices that fall on the one before them. A gap (NaN) in a path parts it in two.
func (out *Mark) packRings(m *scene.Mark, p *scene.Panel) {
	perShape := len(m.Fills) > 0 || len(m.Strokes) > 0 || len(m.Notes) > 0
	for _, ring := range m.Rings {
		var px, py, n int
		flush := func(always bool) {
			if n > 0 || always {
				out.Lengths = append(out.Lengths, n)
			}
			px, py, n = 0, 0, 0
		}
		for i, v := range ring {
			x, y := quantise(&p.X, v[0], ringUnit), quantise(&p.Y, v[1], ringUnit)
			if x == missing || y == missing {
				if !perShape {
					flush(false)
				}
				continue
			}
			if n > 0 && x == px && y == py && i < len(ring)-1 {
				continue
			}
			out.Points = append(out.Points, x-px, y-py)
			px, py = x, y
			n++
		}
		flush(perShape)
	}
	if out.Lengths == nil {
		out.Lengths = []int{}
	}
}

// quantise maps the domain onto 0..unit; a log axis is straightened first, so that the browser draws every axis as a linear one.
func quantise(a *scene.Axis, v float64, unit float64) int {
	lo, hi := a.Straight(a.Lo), a.Straight(a.Hi)
	q := (a.Straight(v) - lo) / (hi - lo) * unit
	if math.IsNaN(q) {
		return missing
	}
	return int(math.Round(math.Max(-farOutside, math.Min(farOutside, q))))
}

// word spells a paint for the runtime: a letter for the token, its number, and "@opacity".
func word(p scene.Paint) string {
	var b strings.Builder
	switch p.Token {
	case scene.TokenNone:
		return ""
	case scene.TokenClass:
		b.WriteByte('c')
		b.WriteString(strconv.Itoa(p.Slot))
	case scene.TokenForeground:
		b.WriteByte('f')
	case scene.TokenMuted:
		b.WriteByte('m')
	case scene.TokenGrid:
		b.WriteByte('g')
	case scene.TokenBackground:
		b.WriteByte('b')
	case scene.TokenAccent:
		b.WriteByte('a')
	case scene.TokenInk:
		b.WriteByte('i')
	case scene.TokenPaper:
		b.WriteByte('p')
	case scene.TokenSequential:
		b.WriteByte('s')
		b.WriteString(thousandth(p.Value))
	case scene.TokenDiverging:
		b.WriteByte('d')
		b.WriteString(thousandth(p.Value))
	case scene.TokenMix:
		b.WriteByte('x')
		for i, part := range p.Mix {
			if part[1] < 0.005 {
				continue
			}
			if b.Len() > 1 && i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(int(part[0])))
			b.WriteByte(':')
			b.WriteString(decimal(part[1], 2))
		}
	}
	if p.Opacity != 0 && p.Opacity != 1 {
		b.WriteByte('@')
		b.WriteString(thousandth(p.Opacity))
	}
	return b.String()
}

func decimal(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	return strconv.FormatFloat(round(v, digits), 'f', -1, 64)
}

func round(v float64, digits int) float64 {
	k := 1.0
	for range digits {
		k *= 10
	}
	return math.Round(v*k) / k
}

// thousandths are the numbers 0, 0.001, ..., 1 as decimal spells them: a picture of many cells asks for the same few again and again.
var thousandths = sync.OnceValue(func() (words []string) {
	for i := range 1001 {
		words = append(words, strconv.FormatFloat(float64(i)/1000, 'f', -1, 64))
	}
	return words
})

// thousandth is decimal with three digits.
func thousandth(v float64) string {
	if i := math.Round(1000 * v); i >= 0 && i <= 1000 && !math.Signbit(i) {
		return thousandths()[int(i)]
	}
	return decimal(v, 3)
}

// share drops the long fields m has in common with first, the same mark in an earlier frame.
func (m *Mark) share(first *Mark) {
	drop := func(name string, equal bool, clear func()) {
		if equal {
			m.As = append(m.As, name)
			clear()
		}
	}
	drop("q", len(m.Points) > 0 && slices.Equal(m.Points, first.Points) && slices.Equal(m.Lengths, first.Lengths),
		func() { m.Points = nil })
	drop("q2", len(m.Points2) > 0 && slices.Equal(m.Points2, first.Points2), func() { m.Points2 = nil })
	drop("fs", len(m.Fills) > 0 && slices.Equal(m.Fills, first.Fills), func() { m.Fills = nil })
	drop("ss", len(m.Strokes) > 0 && slices.Equal(m.Strokes, first.Strokes), func() { m.Strokes = nil })
	drop("sz", len(m.Sizes) > 0 && slices.Equal(m.Sizes, first.Sizes), func() { m.Sizes = nil })
	drop("t", len(m.Texts) > 0 && slices.Equal(m.Texts, first.Texts), func() { m.Texts = nil })
	drop("nt", len(m.Notes) > 0 && slices.Equal(m.Notes, first.Notes), func() { m.Notes = nil })
	drop("rw", len(m.Rows) > 0 && slices.Equal(m.Rows, first.Rows), func() { m.Rows = nil })
}
