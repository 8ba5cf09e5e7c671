package plotting

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// tidy rewrites the document that vgsvg draws: y down without a flip, presentation attributes for styles, short relative path data,
// circles as such, a fill and a stroke of one path as one element, runs of elements with the same attributes in one group. The result is a
// fifth of the size and survives sanitisers that drop style attributes.
func tidy(raw []byte, width, height float64, title, desc string) []byte {
	t := tidier{height: height}
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
			t.path(attribute(tag, "d"), attribute(tag, "style"))
		case strings.HasPrefix(tag, "<text"):
			close := bytes.Index(raw, []byte("</text>"))
			if close < 0 {
				close = len(raw)
			}
			t.text(tag, string(raw[:close]))
			raw = raw[close:]
		case strings.HasPrefix(tag, "<image"):
			t.image(tag)
		case strings.HasPrefix(tag, "<g"):
			t.turn(attribute(tag, "transform"))
		}
	}
	var b bytes.Buffer
	w, h := short(width, 1), short(height, 1)
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="` + w + `" height="` + h + `" viewBox="0 0 ` + w + " " + h +
		`" font-family="` + fontFamily + `" font-size="` + short(tickLabelSize, 1) + `" role="img"><title>` + title + "</title><desc>" + desc + "</desc>\n")
	t.write(&b)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// element is one shape: its own attributes, its fill, and the others that a group may carry for it.
type element struct {
	name, own, fill, shared, body string
}

type tidier struct {
	height   float64
	elements []element
	lastPath string // path data of the element before, for a fill and its stroke
	x, y     float64
	angle    float64 // of the texts that follow a translation and a rotation
	turned   bool
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

func shortColour(c string) string {
	c = strings.ToLower(c)
	if len(c) == 7 && c[1] == c[2] && c[3] == c[4] && c[5] == c[6] {
		return "#" + c[1:2] + c[3:4] + c[5:6]
	}
	return c
}

func (t *tidier) path(d, style string) {
	attributes, fill := "", ""
	stroked, noFill := false, false
	declarations(style, func(k, v string) {
		switch k {
		case "fill":
			noFill = v == "none"
			fill = ` fill="` + shortColour(v) + `"`
		case "stroke":
			stroked = true
			attributes += ` stroke="` + shortColour(v) + `"`
		case "stroke-width":
			attributes += ` stroke-width="` + decimal(v, 2) + `"`
		case "fill-opacity", "stroke-opacity":
			attributes += " " + k + `="` + decimal(v, 3) + `"`
		case "stroke-dasharray":
			attributes += ` stroke-dasharray="` + v + `"`
		}
	})
	if noFill && stroked && d == t.lastPath && len(t.elements) > 0 { // the stroke of the path just filled
		last := &t.elements[len(t.elements)-1]
		last.shared += attributes
		t.lastPath = ""
		return
	}
	e := element{name: "path"}
	if cx, cy, r, ok := circleOf(d); ok {
		e.name, e.own = "circle", ` cx="`+short(cx, 1)+`" cy="`+short(t.height-cy, 1)+`" r="`+short(r, 2)+`"`
	} else {
		data, dots := t.data(d)
		if dots {
			attributes += ` stroke-linecap="round"`
		}
		e.own = ` d="` + data + `"`
		if stroked {
			attributes += ` stroke-linejoin="round"`
		}
	}
	e.fill, e.shared = fill, attributes
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

// scanner reads path data.
type scanner struct {
	s string
	i int
}

func (s *scanner) command() byte {
	if s.i >= len(s.s) {
		return 0
	}
	c := s.s[s.i]
	s.i++
	return c
}

func (s *scanner) number() float64 {
	for s.i < len(s.s) && (s.s[s.i] == ',' || s.s[s.i] == ' ') {
		s.i++
	}
	start := s.i
	for s.i < len(s.s) {
		c := s.s[s.i]
		if c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' {
			s.i++
			continue
		}
		break
	}
	v, _ := strconv.ParseFloat(s.s[start:s.i], 64)
	return v
}

// circleOf recognises the path of one circle: M x+r,y and two arcs.
func circleOf(d string) (cx, cy, r float64, ok bool) {
	if strings.Count(d, "A") != 2 || strings.Count(d, "M") != 1 || strings.Contains(d, "L") {
		return
	}
	s := scanner{s: d}
	s.command()
	x, y := s.number(), s.number()
	s.command()
	r = s.number()
	return x - r, y, r, true
}

// data rewrites path data with relative coordinates, rounded so that errors do not add up. It reports whether the path is dots only.
func (t *tidier) data(d string) (string, bool) {
	var b strings.Builder
	decimals := 2
	if len(d) > 900 {
		decimals = 1
	}
	unit := math.Pow(10, float64(decimals))
	round := func(v float64) float64 { return math.Round(v*unit) / unit }
	s := scanner{s: d}
	var x, y, sx, sy float64 // pen and start of the subpath, rounded
	last := byte(0)
	space := false // whether the next number needs a separator
	put := func(v float64) {
		n := short(v, decimals)
		if space && n[0] != '-' {
			b.WriteByte(' ')
		}
		b.WriteString(n)
		space = true
	}
	op := func(c byte) {
		if c != last || c == 'M' {
			b.WriteByte(c)
			space = false
		}
		last = c
	}
	dots, drawn := true, false
	for c := s.command(); c != 0; c = s.command() {
		switch c {
		case 'M':
			x, y = round(s.number()), round(t.height-s.number())
			sx, sy = x, y
			op('M')
			put(x)
			put(y)
			last = 'M'
		case 'L':
			nx, ny := round(s.number()), round(t.height-s.number())
			dx, dy := nx-x, ny-y
			if math.Abs(dx) < 1e-9 && math.Abs(dy) < 1e-9 {
				if next := s.i; next >= len(s.s) || s.s[next] == 'M' { // a dot, or the end of a run
					if last == 'M' {
						op('h')
						put(0)
						drawn = true
					}
				}
				continue
			}
			dots = false
			switch {
			case math.Abs(dy) < 1e-9:
				op('h')
				put(dx)
			case math.Abs(dx) < 1e-9:
				op('v')
				put(dy)
			default:
				op('l')
				put(dx)
				put(dy)
			}
			x, y = nx, ny
		case 'A':
			dots = false
			rx, ry := s.number(), s.number()
			s.number()
			large, sweep := s.number(), s.number()
			nx, ny := round(s.number()), round(t.height-s.number())
			op('a')
			put(rx)
			put(ry)
			put(0)
			put(large)
			put(1 - sweep)
			put(nx - x)
			put(ny - y)
			x, y = nx, ny
		case 'Z':
			b.WriteByte('z')
			last, space = 'z', false
			x, y = sx, sy
		}
	}
	return b.String(), dots && drawn
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
	e := element{name: "text", body: body}
	if t.turned {
		px, py := short(t.x, 1), short(t.height-t.y, 1)
		e.own = ` x="` + px + `" y="` + short(t.height-t.y+y, 1) + `" transform="rotate(` + short(-t.angle, 1) + " " + px + " " + py + `)"`
		t.turned = false
	} else {
		e.own = ` x="` + short(x, 1) + `" y="` + short(t.height+y, 1) + `"`
	}
	size := short(tickLabelSize, 1)
	declarations(attribute(tag, "style"), func(k, v string) {
		switch k {
		case "fill":
			e.fill = ` fill="` + shortColour(v) + `"`
		case "font-size":
			if v = decimal(strings.TrimSuffix(v, "px"), 1); v != size {
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
				e.shared += ` stroke="` + shortColour(lightPalette.Background) + `" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`
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
	t.elements = append(t.elements, element{name: "image", own: ` x="` + short(x, 1) + `" y="` + short(t.height+y, 1) + `" width="` + decimal(attribute(tag, "width"), 1) +
		`" height="` + decimal(attribute(tag, "height"), 1) + `" preserveAspectRatio="none" href="` + src + `"`})
}

// write writes the elements; three or more in a row with the same attributes share a group, with the fill or else without it.
func (t *tidier) write(b *bytes.Buffer) {
	const run = 3
	alike := func(i int) int { // end of the run of elements with the attributes and the fill of element i
		j := i
		for j < len(t.elements) && t.elements[j].shared == t.elements[i].shared && t.elements[j].fill == t.elements[i].fill {
			j++
		}
		return j
	}
	for i := 0; i < len(t.elements); {
		first := t.elements[i]
		j := alike(i)
		sameFill := j-i >= run
		if !sameFill && first.shared != "" {
			for j < len(t.elements) && t.elements[j].shared == first.shared {
				next := alike(j)
				if next-j >= run {
					break
				}
				j = next
			}
		}
		grouped := j-i >= run && first.shared+first.fill != ""
		if grouped {
			b.WriteString("<g")
			if sameFill {
				b.WriteString(first.fill)
			}
			b.WriteString(first.shared + ">")
		}
		for ; i < j; i++ {
			e := t.elements[i]
			b.WriteString("<" + e.name + e.own)
			if !grouped || !sameFill {
				b.WriteString(e.fill)
			}
			if !grouped {
				b.WriteString(e.shared)
			}
			if e.name == "text" {
				b.WriteString(">" + e.body + "</text>")
			} else {
				b.WriteString("/>")
			}
			if !grouped {
				b.WriteByte('\n')
			}
		}
		if grouped {
			b.WriteString("</g>\n")
		}
	}
}
