//go:build !js

package plotting

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// tenth is the unit of the stills: their coordinates are whole tenths of a pixel, for a digit is cheaper than a decimal point.
const tenth = 10.0

// tidy rewrites the document that vgsvg draws: y down without a flip, presentation attributes for styles, whole tenths of a pixel, short
// relative path data with curves for smooth polylines, a fill and a stroke of one path as one element, many equal symbols as markers of
// one path, runs of elements with the same attributes in one group, and what several frames have in common once. The result is an eighth
// of the size and survives sanitisers that drop style attributes.
func tidy(raw []byte, notes *notes, width, height float64, title, desc string) []byte {
	t := tidier{height: height, notes: notes, cell: -1}
	t.read(raw)
	t.gather()
	t.share()
	var b bytes.Buffer
	w, h := short(width, 1), short(height, 1)
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="` + w + `" height="` + h + `" viewBox="0 0 ` + tenths(width) + " " + tenths(height) +
		`" font-family="` + fontFamily + `" font-size="` + tenths(tickLabelSize) + `" fill="none" stroke-linejoin="round" role="img"><title>` + title + "</title>")
	if desc != "" {
		b.WriteString("<desc>" + desc + "</desc>")
	}
	b.WriteByte('\n')
	t.write(&b)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// element is one shape: its own attributes, its fill, and the others that a group may carry for it.
type element struct {
	name, own, fill, shared, body string
	cell                          int     // the cell of the grid it stands in; -1: above and below the grid
	symbol                        *placed // it is a symbol, its own attributes not yet written
}

type tidier struct {
	height   float64
	notes    *notes
	elements []element
	markers  []element // the symbols that paths repeat
	ramps    []string  // the shades of colour bars, as elements
	segments []segment // of cells, see share
	cell     int       // of the elements being read
	drawn    int       // elements of the document read so far
	lastPath string    // path data of the element before, for a fill and its stroke
	x, y     float64
	angle    float64 // of the texts that follow a translation and a rotation
	turned   bool
}

func (t *tidier) read(raw []byte) {
	for len(raw) > 0 {
		open := bytes.IndexByte(raw, '<')
		if open < 0 {
			break
		}
		raw = raw[open:]
		end := bytes.IndexByte(raw, '>')
		if end < 0 {
			break
		}
		tag := string(raw[:end+1])
		raw = raw[end+1:]
		switch {
		case strings.HasPrefix(tag, "<path"):
			t.enter()
			t.path(attribute(tag, "d"), attribute(tag, "style"))
		case strings.HasPrefix(tag, "<text"):
			t.enter()
			close := bytes.Index(raw, []byte("</text>"))
			if close < 0 {
				close = len(raw)
			}
			t.text(tag, string(raw[:close]))
			raw = raw[close:]
		case strings.HasPrefix(tag, "<image"):
			t.enter()
			t.image(tag)
		case strings.HasPrefix(tag, "<g"):
			t.turn(attribute(tag, "transform"))
		}
	}
}

// enter counts the element being read and finds the cell it stands in.
func (t *tidier) enter() {
	for t.cell+1 < len(t.notes.cells) && t.notes.cells[t.cell+1].first <= t.drawn {
		t.cell++
		t.lastPath = ""
	}
	t.drawn++
}

// attribute returns the value of an attribute of a tag.
func attribute(tag, name string) string {
	i := strings.Index(tag, " "+name+`="`)
	if i < 0 {
		i = strings.Index(tag, "\t"+name+`="`)
	}
	if i < 0 {
		return ""
	}
	rest := tag[i+len(name)+3:]
	return rest[:max(strings.IndexByte(rest, '"'), 0)]
}

// declarations calls f for each "key:value" of a style.
func declarations(style string, f func(key, value string)) {
	for _, d := range strings.Split(style, ";") {
		if k, v, ok := strings.Cut(d, ":"); ok {
			f(k, v)
		}
	}
}

// short writes a number with at most the given decimals and no needless zero.
func short(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	switch {
	case s == "-0" || s == "":
		return "0"
	case strings.HasPrefix(s, "0."):
		return s[1:]
	case strings.HasPrefix(s, "-0."):
		return "-" + s[2:]
	}
	return s
}

// tenths writes a length in pixels in the unit of the document.
func tenths(v float64) string { return strconv.Itoa(whole(v)) }

func whole(v float64) int { return int(math.Round(v * tenth)) }

func shortColour(c string) string {
	c = strings.ToLower(c)
	if len(c) == 7 && c[1] == c[2] && c[3] == c[4] && c[5] == c[6] {
		return "#" + c[1:2] + c[3:4] + c[5:6]
	}
	return c
}

func (t *tidier) path(d, style string) {
	attributes, fill, width := "", ` fill="#000"`, tenths(1) // the style leaves out what is black or one pixel wide
	stroked, noFill, dashed := false, false, false
	declarations(style, func(k, v string) {
		switch k {
		case "fill":
			if fill = ` fill="` + shortColour(v) + `"`; v == "none" {
				noFill, fill = true, ""
			}
		case "stroke":
			stroked = true
			attributes += ` stroke="` + shortColour(v) + `"`
		case "stroke-width":
			width = scaled(v, 1)
		case "fill-opacity", "stroke-opacity":
			attributes += " " + k + `="` + decimal(v, 3) + `"`
		case "stroke-dasharray":
			dashed = true
			parts := strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
			for i := range parts {
				parts[i] = scaled(parts[i], 1)
			}
			attributes += ` stroke-dasharray="` + strings.Join(parts, " ") + `"`
		}
	})
	if stroked {
		attributes += ` stroke-width="` + width + `"`
	}
	if noFill && stroked && d == t.lastPath && len(t.elements) > 0 { // the stroke of the path just filled
		t.elements[len(t.elements)-1].shared += attributes
		t.lastPath = ""
		return
	}
	e := element{name: "path", cell: t.cell, fill: fill, shared: attributes}
	switch h := t.notes.hints[t.drawn-1]; {
	case h.tiles != nil:
		t.tiles(&e, h.tiles)
		t.elements = append(t.elements, e)
		t.lastPath = ""
		return
	case h.ramp != nil:
		e.fill = ` fill="url(#` + t.ramp(h.ramp) + `)"`
	case h.symbol.size > 0:
		e.symbol = &h.symbol
	}
	if e.symbol != nil {
		// written by gather
	} else if cx, cy, r, ok := circleOf(d); ok {
		e.name, e.own = "circle", ` cx="`+tenths(cx)+`" cy="`+tenths(t.height-cy)+`" r="`+short(r*tenth, 1)+`"`
	} else {
		data, dots := t.data(d, dashed)
		if dots {
			e.shared += ` stroke-linecap="round"`
		}
		e.own = ` d="` + data + `"`
	}
	t.elements = append(t.elements, e)
	t.lastPath = d
	if noFill {
		t.lastPath = ""
	}
}

func decimal(s string, decimals int) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return short(v, decimals)
}

// scaled writes a length of the document that vgsvg drew in the unit of this one.
func scaled(s string, decimals int) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return short(v*tenth, decimals)
}

func (t *tidier) turn(transform string) {
	switch {
	case strings.HasPrefix(transform, "translate("):
		s := scanner{s: strings.TrimPrefix(transform, "translate(")}
		t.x, t.y, t.turned = s.number(), s.number(), true
	case strings.HasPrefix(transform, "rotate("):
		s := scanner{s: strings.TrimPrefix(transform, "rotate(")}
		t.angle = s.number()
	}
}

func (t *tidier) text(tag, body string) {
	t.lastPath = ""
	x, _ := strconv.ParseFloat(attribute(tag, "x"), 64)
	y, _ := strconv.ParseFloat(attribute(tag, "y"), 64)
	e := element{name: "text", body: body, cell: t.cell, fill: ` fill="#000"`}
	if t.turned {
		px, py := t.x, t.height-t.y
		e.own = ` x="` + tenths(px) + `" y="` + tenths(py+y) + `" transform="rotate(` + short(-t.angle, 1) + " " + tenths(px) + " " + tenths(py) + `)"`
		t.turned = false
	} else {
		e.own = ` x="` + tenths(x) + `" y="` + tenths(t.height+y) + `"`
	}
	size := tenths(tickLabelSize)
	declarations(attribute(tag, "style"), func(k, v string) {
		switch k {
		case "fill":
			e.fill = ` fill="` + shortColour(v) + `"`
		case "font-size":
			if v = scaled(strings.TrimSuffix(v, "px"), 0); v != size {
				e.shared += ` font-size="` + v + `"`
			}
		case "font-weight":
			if v == "bold" {
				e.shared += ` font-weight="bold"`
			}
		case "font-variant": // anchor and halo travel here
			at, halo, _ := strings.Cut(v, " ")
			if at == "middle" || at == "end" {
				e.shared += ` text-anchor="` + at + `"`
			}
			if halo != "" {
				e.shared += ` stroke="` + shortColour(lightPalette.Background) + `" stroke-width="` + tenths(3) + `" paint-order="stroke"`
			}
		}
	})
	t.elements = append(t.elements, e)
}

func (t *tidier) image(tag string) {
	t.lastPath = ""
	x, _ := strconv.ParseFloat(attribute(tag, "x"), 64)
	y, _ := strconv.ParseFloat(attribute(tag, "y"), 64)
	src := strings.Replace(attribute(tag, "xlink:href"), "data:image/jpg;", "data:image/png;", 1)
	t.elements = append(t.elements, element{name: "image", cell: t.cell, own: ` x="` + tenths(x) + `" y="` + tenths(t.height+y) +
		`" width="` + scaled(attribute(tag, "width"), 0) + `" height="` + scaled(attribute(tag, "height"), 0) + `" preserveAspectRatio="none" href="` + src + `"`})
}
