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

var unmoved = transformation{1, 0, 0, 1, 0, 0}

// readContent reads the operators of a page (ISO 32000-1, annex A).
func readContent(data []byte) *pageContent {
	r := &contentReader{
		page: &pageContent{data: data, pieces: map[int]*marked{}, codes: map[pdfName][]string{}}, scanner: &pdfScanner{data: data},
		now: unmoved, text: unmoved, artifact: &marked{}, from: -1, drawn: -1, outline: emptyBox,
	}
	for {
		r.scanner.space()
		at := r.scanner.at
		value := r.scanner.value()
		if value == nil {
			if r.scanner.at >= len(data) {
				return r.page
			}
			r.scanner.at++
			continue
		}
		if r.from < 0 {
			r.from = at
		}
		word, is := value.(pdfWord)
		if !is || word[0] >= '0' && word[0] <= '9' || word[0] == '-' || word[0] == '.' || word[0] == '+' {
			r.operands = append(r.operands, value)
			continue
		}
		if !r.state(word) && !r.path(word) && !r.words(word) {
			r.mark(word)
		}
		r.operands, r.from = r.operands[:0], -1
	}
}

// A contentReader is on its way through the operators of a page.
type contentReader struct {
	page     *pageContent
	scanner  *pdfScanner
	operands []any
	from     int // where the operands begin, or -1

	now, text transformation
	stack     []transformation
	font      pdfName
	size      float64

	drawn    int // where the path or the text under way begins, or -1
	outline  box // of it
	artifact *marked
	open     []*marked // nil for what has no number, as words with others in their place
}

// numbers are the first operands, 0 where one is no number.
func (r *contentReader) numbers() (all [6]float64) {
	for i := range min(len(all), len(r.operands)) {
		if w, is := r.operands[i].(pdfWord); is {
			all[i], _ = strconv.ParseFloat(string(w), 64)
		}
	}
	return all
}

// begin says that something is drawn from here on, unless it has begun.
func (r *contentReader) begin() {
	if r.drawn < 0 {
		r.drawn = r.from
	}
}

// reach takes points, an x and a y each, into the outline.
func (r *contentReader) reach(m transformation, points ...float64) {
	for i := 0; i+1 < len(points); i += 2 {
		r.outline.add(m.point(points[i], points[i+1]))
	}
}

// owner is the piece that what is drawn belongs to, or nil.
func (r *contentReader) owner() *marked {
	for _, piece := range slices.Backward(r.open) {
		if piece != nil {
			return piece
		}
	}
	return nil
}

// paint gives what was drawn, words or not, to its owner.
func (r *contentReader) paint(words bool) {
	if piece := r.owner(); piece == nil {
		r.page.loose = append(r.page.loose, [2]int{r.drawn, r.scanner.at})
	} else {
		piece.text, piece.drawn = piece.text || words, piece.drawn || !words
		piece.box.join(r.outline)
	}
	r.drawn, r.outline = -1, emptyBox
}

// state follows an operator of the graphics state. Like the two below, it says whether the operator is one of its own.
func (r *contentReader) state(operator pdfWord) bool {
	switch operator {
	case "q":
		r.stack = append(r.stack, r.now)
	case "Q":
		if n := len(r.stack); n > 0 {
			r.now, r.stack = r.stack[n-1], r.stack[:n-1]
		}
	case "cm":
		r.now = r.now.times(transformation(r.numbers()))
	default:
		return false
	}
	return true
}

// coordinates are how many numbers an operator takes that draws a line or a curve.
var coordinates = map[pdfWord]int{"m": 2, "l": 2, "v": 4, "y": 4, "c": 6}

// path follows an operator that draws.
func (r *contentReader) path(operator pdfWord) bool {
	switch operator {
	case "m", "l", "v", "y", "c":
		r.begin()
		at := r.numbers()
		r.reach(r.now, at[:coordinates[operator]]...)
	case "re":
		r.begin()
		at := r.numbers()
		x, y, w, h := at[0], at[1], at[2], at[3]
		r.reach(r.now, x, y, x+w, y, x, y+h, x+w, y+h)
	case "f", "F", "f*", "S", "s", "B", "B*", "b", "b*":
		r.begin()
		r.paint(false)
	case "n":
		r.drawn, r.outline = -1, emptyBox
	case "Do", "sh":
		r.begin()
		r.reach(r.now, 0, 0, 1, 0, 0, 1, 1, 1)
		r.paint(false)
	default:
		return false
	}
	return true
}

// words follows an operator that shows words.
func (r *contentReader) words(operator pdfWord) bool {
	switch operator {
	case "BT":
		r.begin()
		r.text = unmoved
	case "Tf":
		if len(r.operands) > 0 {
			r.font, _ = r.operands[0].(pdfName)
			r.size = r.numbers()[1]
		}
	case "Tm":
		r.text = transformation(r.numbers())
	case "Td":
		by := r.numbers()
		r.text = r.text.times(transformation{1, 0, 0, 1, by[0], by[1]})
	case "Tj", "TJ":
		r.reach(r.now.times(r.text), 0, 0, r.size/2, r.size)
		for _, operand := range r.operands {
			if code, is := operand.(pdfText); is {
				r.page.codes[r.font] = append(r.page.codes[r.font], string(code))
			}
		}
	case "ET":
		r.paint(true)
	default:
		return false
	}
	return true
}

// mark follows an operator that begins a piece, or ends one.
func (r *contentReader) mark(operator pdfWord) {
	switch operator {
	case "BDC", "BMC":
		var piece *marked
		if len(r.operands) > 0 && r.operands[0] == pdfName("Artifact") {
			piece = r.artifact
		}
		if operator == "BDC" && len(r.operands) == 2 {
			if properties, is := r.operands[1].(*pdfDict); is && properties.get("MCID") != nil {
				r.operands = []any{properties.get("MCID")}
				piece = &marked{tag: [2]int{r.from, r.scanner.at}, box: emptyBox}
				r.page.pieces[int(r.numbers()[0])] = piece
			}
		}
		owner := r.owner()
		r.page.nested = r.page.nested || piece != nil && owner != nil || owner == r.artifact
		r.open = append(r.open, piece)
	case "EMC":
		if n := len(r.open); n > 0 {
			r.open = r.open[:n-1]
		}
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
