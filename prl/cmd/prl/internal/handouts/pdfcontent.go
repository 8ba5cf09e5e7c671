package handouts

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// A marked piece is what a page shows between the operators BDC and EMC: content that an element of the structure owns.
type marked struct {
	tag   [2]int // where the name and the properties of the piece stand
	text  bool   // it shows words
	drawn bool   // it shows anything else
	box   box
}

// A box is a rectangle on a page in points, from its lower left corner to its upper right one.
type box [4]float64

var emptyBox = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (b *box) add(x, y float64) {
	b[0], b[1], b[2], b[3] = min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)
}

func (b *box) join(o box) {
	if o[0] <= o[2] {
		b.add(o[0], o[1])
		b.add(o[2], o[3])
	}
}

// A pageContent is what the operators of a page say of its structure.
type pageContent struct {
	data   []byte
	pieces map[int]*marked
	loose  [][2]int             // what is drawn outside of all pieces: running heads, page numbers, the ground
	nested bool                 // a piece stands in another, or in an artifact
	codes  map[pdfName][]string // of the words, by the name of their font
}

// A transformation takes a point to a x + c y + e, b x + d y + f.
type transformation [6]float64

func (m transformation) times(n transformation) transformation {
	return transformation{
		n[0]*m[0] + n[1]*m[2], n[0]*m[1] + n[1]*m[3], n[2]*m[0] + n[3]*m[2], n[2]*m[1] + n[3]*m[3],
		n[4]*m[0] + n[5]*m[2] + m[4], n[4]*m[1] + n[5]*m[3] + m[5],
	}
}

func (m transformation) point(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// readContent reads the operators of a page (ISO 32000-1, annex A).
func readContent(data []byte) *pageContent {
	p := &pageContent{data: data, pieces: map[int]*marked{}, codes: map[pdfName][]string{}}
	s := &pdfScanner{data: data}
	unit := transformation{1, 0, 0, 1, 0, 0}
	now, text := unit, unit
	var stack []transformation
	artifact := &marked{}
	var open []*marked // nil for what has no number, as words with others in their place
	var operands []any
	from, drawn, size := -1, -1, 0.0 // where the operands, and the path or text under way, begin
	outline := emptyBox
	font := pdfName("")
	number := func(i int) float64 {
		if i < len(operands) {
			if w, is := operands[i].(pdfWord); is {
				v, _ := strconv.ParseFloat(string(w), 64)
				return v
			}
		}
		return 0
	}
	reach := func(m transformation, points ...float64) {
		for i := 0; i+1 < len(points); i += 2 {
			outline.add(m.point(points[i], points[i+1]))
		}
	}
	owner := func() *marked {
		for _, piece := range slices.Backward(open) {
			if piece != nil {
				return piece
			}
		}
		return nil
	}
	paint := func(words bool) {
		if piece := owner(); piece == nil {
			p.loose = append(p.loose, [2]int{drawn, s.at})
		} else {
			piece.text, piece.drawn = piece.text || words, piece.drawn || !words
			piece.box.join(outline)
		}
		drawn, outline = -1, emptyBox
	}
	for {
		s.space()
		at := s.at
		value := s.value()
		if value == nil {
			if s.at >= len(data) {
				return p
			}
			s.at++
			continue
		}
		if from < 0 {
			from = at
		}
		word, is := value.(pdfWord)
		if !is || word[0] >= '0' && word[0] <= '9' || word[0] == '-' || word[0] == '.' || word[0] == '+' {
			operands = append(operands, value)
			continue
		}
		begin := func() {
			if drawn < 0 {
				drawn = from
			}
		}
		switch word {
		case "q":
			stack = append(stack, now)
		case "Q":
			if n := len(stack); n > 0 {
				now, stack = stack[n-1], stack[:n-1]
			}
		case "cm":
			now = now.times(transformation{number(0), number(1), number(2), number(3), number(4), number(5)})
		case "m", "l":
			begin()
			reach(now, number(0), number(1))
		case "c":
			begin()
			reach(now, number(0), number(1), number(2), number(3), number(4), number(5))
		case "v", "y":
			begin()
			reach(now, number(0), number(1), number(2), number(3))
		case "re":
			begin()
			x, y, w, h := number(0), number(1), number(2), number(3)
			reach(now, x, y, x+w, y, x, y+h, x+w, y+h)
		case "f", "F", "f*", "S", "s", "B", "B*", "b", "b*":
			begin()
			paint(false)
		case "n":
			drawn, outline = -1, emptyBox
		case "Do", "sh":
			begin()
			reach(now, 0, 0, 1, 0, 0, 1, 1, 1)
			paint(false)
		case "BT":
			begin()
			text = unit
		case "Tf":
			if len(operands) == 0 {
				break
			}
			font, _ = operands[0].(pdfName)
			size = number(1)
		case "Tm":
			text = transformation{number(0), number(1), number(2), number(3), number(4), number(5)}
		case "Td":
			text = text.times(transformation{1, 0, 0, 1, number(0), number(1)})
		case "Tj", "TJ":
			reach(now.times(text), 0, 0, size/2, size)
			for _, operand := range operands {
				if code, is := operand.(pdfText); is {
					p.codes[font] = append(p.codes[font], string(code))
				}
			}
		case "ET":
			paint(true)
		case "BDC", "BMC":
			var piece *marked
			if len(operands) > 0 && operands[0] == pdfName("Artifact") {
				piece = artifact
			}
			if word == "BDC" && len(operands) == 2 {
				if properties, is := operands[1].(*pdfDict); is && properties.get("MCID") != nil {
					operands = []any{properties.get("MCID")}
					piece = &marked{tag: [2]int{from, s.at}, box: emptyBox}
					p.pieces[int(number(0))] = piece
				}
			}
			p.nested = p.nested || piece != nil && owner() != nil || owner() == artifact
			open = append(open, piece)
		case "EMC":
			if n := len(open); n > 0 {
				open = open[:n-1]
			}
		}
		operands, from = operands[:0], -1
	}
}

// marking is the content with what is loose as an artifact, and pieces too that show nothing to be read.
func (p *pageContent) marking(artifacts map[int]bool) []byte {
	type change struct {
		at, end int
		by      string
	}
	var changes []change
	for number := range artifacts {
		if piece := p.pieces[number]; piece != nil {
			changes = append(changes, change{piece.tag[0], piece.tag[1], "/Artifact BMC"})
		}
	}
	for _, span := range p.loose {
		changes = append(changes, change{span[0], span[0], "/Artifact BMC\n"}, change{span[1], span[1], "\nEMC"})
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.at - b.at })
	var b bytes.Buffer
	at := 0
	for _, c := range changes {
		b.Write(p.data[at:c.at])
		b.WriteString(c.by)
		at = c.end
	}
	b.Write(p.data[at:])
	return b.Bytes()
}
