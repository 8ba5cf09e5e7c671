package svg

import (
	"bytes"
	"html"
	"slices"
	"strings"
)

// Bytes returns the document, with a title and, unless it is empty, a description. The canvas is used up.
func (c *Canvas) Bytes(title, description string) []byte {
	c.gather()
	segments := c.share()
	var b bytes.Buffer
	w, h := short(c.width, 1), short(c.height, 1)
	b.WriteString(
		`<svg xmlns="http://www.w3.org/2000/svg" width="` + w + `" height="` + h + `" viewBox="0 0 ` + tenths(c.width) + " " + tenths(c.height) +
			`" font-family="` + html.EscapeString(c.family) + `" font-size="` + tenths(c.size) +
			`" fill="none" stroke-linejoin="round" role="img"><title>` +
			html.EscapeString(title) + "</title>",
	)
	if description != "" {
		b.WriteString("<desc>" + html.EscapeString(description) + "</desc>")
	}
	b.WriteByte('\n')
	c.write(&b, segments)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// segment is a run of elements that is written at one place, or used again from another.
type segment struct {
	first, end int
	cell       int
	id         string // of elements used again
	use        string // written elsewhere, under this name
}

// useCost is about what it costs to write something apart and use it once.
const useCost = 55

// share finds what cells of a film strip have in common with earlier ones, in maximal runs, and cuts the elements into segments.
func (c *Canvas) share() (segments []segment) {
	n := len(c.elements)
	texts := make([]string, n)
	first := map[string]int{} // where a text stands first
	origin := make([]int, n)  // of each element: where its text stands first
	for i := range c.elements {
		e := &c.elements[i]
		texts[i] = e.plain()
		origin[i] = i
		if e.cell < 0 {
			continue
		}
		if k, ok := first[texts[i]]; ok && c.elements[k].cell != e.cell {
			origin[i] = k
		} else if !ok {
			first[texts[i]] = i
		}
	}
	// Runs of elements that repeat a run of an earlier cell, and the cuts that they make there.
	cuts := map[int]bool{}
	var runs [][2]int
	for i := 0; i < n; {
		if origin[i] == i {
			i++
			continue
		}
		j, size := i+1, len(texts[i])
		for j < n && c.elements[j].cell == c.elements[i].cell && origin[j] == origin[j-1]+1 &&
			c.elements[origin[j]].cell == c.elements[origin[i]].cell {
			size += len(texts[j])
			j++
		}
		if size < useCost { // not worth it
			for ; i < j; i++ {
				origin[i] = i
			}
			continue
		}
		runs = append(runs, [2]int{i, j})
		cuts[origin[i]], cuts[origin[j-1]+1] = true, true
		i = j
	}
	used := map[int]bool{} // first elements of segments that are used again
	for _, r := range runs {
		for i := r[0]; i < r[1]; i++ {
			if cuts[origin[i]] {
				used[origin[i]] = true
			}
		}
	}
	for i := 0; i < n; {
		s := segment{first: i, cell: c.elements[i].cell}
		k := origin[i]
		j := i + 1
		for j < n && c.elements[j].cell == s.cell && !cuts[j] && (k != i && origin[j] == origin[j-1]+1 && !cuts[origin[j]] || k == i &&
			origin[j] == j) {
			j++
		}
		s.end = j
		all := name(strings.Join(texts[i:j], "\n"))
		switch {
		case k != i:
			s.use = all
		case used[i]:
			s.id = all
		}
		segments = append(segments, s)
		i = j
	}
	return segments
}

func (c *Canvas) write(b *bytes.Buffer, segments []segment) {
	if len(c.markers)+len(c.ramps) > 0 {
		markers := slices.Clone(c.markers)
		b.WriteString("<defs>" + strings.Join(c.ramps, ""))
		for i := 0; i < len(markers); { // those with one outline inherit it
			j := i
			for j < len(markers) && markers[j].shared == markers[i].shared {
				j++
			}
			grouped := j-i > 1 && markers[i].shared != ""
			if grouped {
				b.WriteString("<g" + markers[i].shared + ">")
			}
			for ; i < j; i++ {
				m := markers[i]
				b.WriteString(`<marker id="` + m.body + `" overflow="visible">`)
				m.body = ""
				m.write(b, true, !grouped)
				b.WriteString("</marker>")
			}
			if grouped {
				b.WriteString("</g>")
			}
		}
		b.WriteString("</defs>\n")
	}
	cell := -1
	open := false
	for _, s := range segments {
		if s.cell != cell {
			if open {
				b.WriteString("</g>\n")
			}
			cell = s.cell
			if open = cell >= 0; open {
				o := c.cells[cell]
				b.WriteString(`<g`)
				if x, y := tenths(o[0]), tenths(o[1]); x != "0" || y != "0" {
					b.WriteString(` transform="translate(` + x + " " + y + `)"`)
				}
				b.WriteString(">\n")
			}
		}
		if s.use != "" {
			b.WriteString(`<use href="#` + s.use + `"/>` + "\n")
			continue
		}
		c.run(b, c.elements[s.first:s.end], s.id)
	}
	if open {
		b.WriteString("</g>\n")
	}
}

// run writes elements; three or more in a row with the same attributes share a group, with the fill or else without it.
func (c *Canvas) run(b *bytes.Buffer, elements []element, id string) {
	if id != "" {
		b.WriteString(`<g id="` + id + `">`)
	}
	const enough = 3
	alike := func(i int) int { // end of the run of elements with the attributes and the fill of element i
		j := i
		for j < len(elements) && elements[j].shared == elements[i].shared && elements[j].fill == elements[i].fill {
			j++
		}
		return j
	}
	for i := 0; i < len(elements); {
		first := elements[i]
		j := alike(i)
		sameFill := j-i >= enough
		if !sameFill && first.shared != "" {
			for j < len(elements) && elements[j].shared == first.shared {
				next := alike(j)
				if next-j >= enough {
					break
				}
				j = next
			}
		}
		grouped := j-i >= enough && first.shared+first.fill != ""
		if grouped {
			b.WriteString("<g")
			if sameFill {
				b.WriteString(first.fill)
			}
			b.WriteString(first.shared + ">")
		}
		for ; i < j; i++ {
			elements[i].write(b, !grouped || !sameFill, !grouped)
			if !grouped && i+1 < len(elements) {
				b.WriteByte('\n')
			}
		}
		if grouped {
			b.WriteString("</g>")
			if i < len(elements) {
				b.WriteByte('\n')
			}
		}
	}
	if id != "" {
		b.WriteString("</g>")
	}
	b.WriteByte('\n')
}

// plain is an element as text, with all its attributes.
func (e *element) plain() string {
	return e.name + e.own + e.fill + e.shared + ">" + e.body
}

func (e *element) write(b *bytes.Buffer, fill, shared bool) {
	b.WriteString("<" + e.name + e.own)
	if fill {
		b.WriteString(e.fill)
	}
	if shared {
		b.WriteString(e.shared)
	}
	if e.name == "text" {
		b.WriteString(">" + e.body + "</text>")
	} else {
		b.WriteString("/>")
	}
}
