package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// records splits text into records of fields: lines, which end in LF, CR or both, and on which a field in quotation marks may go on. Fields
// that are not in quotes lose the blanks around them; lines of nothing but blanks are passed over. What next hands out holds until it is
// called again.
type records struct {
	in       io.Reader
	buf      []byte
	from, to int   // buf[from:to] is not split yet
	base     int64 // bytes before buf[0]
	line     int   // lines before buf[from]
	ended    bool  // nothing is left to be read
	most     int   // bytes of a record

	separator string
	blanks    bool // as many as there are separate two fields
	widths    []int
	special   [256]bool

	fields []field
	first  int // line of the record
	record int // where it begins in buf
}

// A field is one of a record.
type field struct {
	text   []byte
	quoted bool
	start  int // in the buffer
}

// place says where field j stands.
func (r *records) place(j int) place {
	if j >= len(r.fields) {
		return place{r.first, 0}
	}
	text := r.buf[r.record:r.fields[j].start]
	at := place{r.first + newlines(text), 0}
	at.column = len(text) - max(bytes.LastIndexByte(text, '\n'), bytes.LastIndexByte(text, '\r'))
	return at
}

// offset is where the next record begins, in bytes.
func (r *records) offset() int64 { return r.base + int64(r.from) }

func newlines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	for i, c := range text {
		if c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			n++
		}
	}
	return n
}

// separate sets what stands between two fields.
func (r *records) separate(separator rune, widths []int) {
	r.separator, r.blanks, r.widths = string(separator), separator == ' ', widths
	r.special = [256]bool{'\n': true, '\r': true}
	if r.special[r.separator[0]] = true; r.blanks {
		r.special['\t'] = true
	}
}

// fill reads more text; it keeps what is not split yet.
func (r *records) fill() error {
	if r.from > 0 {
		r.base += int64(r.from)
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	if r.to == len(r.buf) {
		if r.to > r.most {
			return errLongLine
		}
		bigger := make([]byte, max(1<<16, 2*len(r.buf)))
		copy(bigger, r.buf)
		r.buf = bigger
	}
	for range 100 {
		n, err := r.in.Read(r.buf[r.to:])
		r.to += n
		if err == io.EOF {
			r.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

var (
	errLongLine = errors.New("the line is too long")
	errOpen     = errors.New("a quotation mark opens a field here and none closes it")
	errBehind   = errors.New("text stands behind the closing quotation mark of a field")
)

// A quoteError is a mistake of quotation marks.
type quoteError struct {
	at    place
	cause error
}

func (e *quoteError) Error() string { return e.cause.Error() }

func (e *quoteError) Unwrap() error { return e.cause }

// next splits the next record; io.EOF ends the text.
func (r *records) next() error {
	for {
		ok, err := r.split()
		switch {
		case err != nil:
			return err
		case !ok:
			if err := r.fill(); err != nil {
				return err
			}
		case r.nothing():
			if r.ended && r.from == r.to {
				return io.EOF
			}
		default:
			return nil
		}
	}
}

// nothing reports whether the record is a line of blanks.
func (r *records) nothing() bool {
	return len(r.fields) == 0 || len(r.fields) == 1 && len(r.fields[0].text) == 0 && !r.fields[0].quoted
}

// split splits the record that begins at from; ok is false when more text is needed.
func (r *records) split() (ok bool, err error) {
	b, i := r.buf[:r.to], r.from
	r.fields = r.fields[:0]
	r.record, r.first = i, r.line+1
	if r.widths != nil {
		return r.cut()
	}
	tab := r.separator != "\t"
	lines := 1
	for {
		if n := len(r.fields); n == cap(r.fields) {
			r.fields = slices.Grow(r.fields, max(16, n))
		}
		for i < len(b) && (b[i] == ' ' || tab && b[i] == '\t') {
			i++
		}
		start := i
		if i < len(b) && b[i] == '"' {
			text, after, ok, err := r.quote(b, i)
			if !ok || err != nil {
				return false, err
			}
			lines += newlines(b[i:after])
			r.fields = append(r.fields, field{text, true, start})
			i = after
		} else {
			i = r.end(b, i)
			if r.blanks && i == start && (i == len(b) || b[i] == '\n' || b[i] == '\r') {
				goto ends // blanks at the end of the line
			}
			r.fields = append(r.fields, field{trimmed(b[start:i]), false, start})
		}
	ends:
		if i == len(b) {
			if !r.ended {
				return false, nil
			}
			break
		}
		if b[i] == '\n' {
			i++
			break
		}
		if b[i] == '\r' {
			if i++; i == len(b) && !r.ended {
				return false, nil
			}
			if i < len(b) && b[i] == '\n' {
				i++
			}
			break
		}
		i += len(r.separator)
	}
	r.from, r.line = i, r.line+lines
	return true, nil
}

// end returns where a field without quotes ends: at the next separator or line end, or with the text.
func (r *records) end(b []byte, i int) int {
	// Eight bytes at a time: a byte that is equal to one looked for becomes 0, of which the subtraction makes the topmost bit.
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	separator := uint64(r.separator[0]) * ones
	for ; i+8 <= len(b) && !r.blanks; i += 8 {
		v := binary.LittleEndian.Uint64(b[i:])
		x, y, z := v^separator, v^'\n'*ones, v^'\r'*ones
		found := ((x-ones)&^x | (y-ones)&^y | (z-ones)&^z) & tops
		if found == 0 {
			continue
		}
		if i += bits.TrailingZeros64(found) / 8; r.separates(b, i) {
			return i
		}
		i -= 7
	}
	for ; i < len(b); i++ {
		if r.special[b[i]] && r.separates(b, i) {
			break
		}
	}
	return i
}

// separates reports whether a byte that may begin a separator does.
func (r *records) separates(b []byte, i int) bool {
	return len(r.separator) == 1 || b[i] != r.separator[0] || bytes.HasPrefix(b[i:], []byte(r.separator))
}

// trimmed is text without the blanks at its end, and without blanks other than those of ASCII at its begin.
func trimmed(b []byte) []byte {
	if e := len(b); e == 0 || b[e-1]-'!' < 0x80-'!' && b[0]-'!' < 0x80-'!' {
		return b
	}
	return trim(b)
}

func trim(b []byte) []byte {
	e := len(b)
	for e > 0 && (b[e-1] == ' ' || b[e-1] == '\t') {
		e--
	}
	b = b[:e]
	if e > 0 && (b[0] >= 0x80 || b[e-1] >= 0x80 || b[0] < ' ' || b[e-1] < ' ') {
		return bytes.TrimSpace(b)
	}
	return b
}

// quote reads a field in quotation marks up to what ends it.
func (r *records) quote(b []byte, open int) (text []byte, after int, ok bool, err error) {
	i, start, twice := open+1, open+1, false
	for {
		k := bytes.IndexByte(b[i:], '"')
		if k < 0 {
			if r.ended {
				return nil, 0, false, r.mistake(open, errOpen)
			}
			return nil, 0, false, nil
		}
		if i += k + 1; i < len(b) && b[i] == '"' {
			i, twice = i+1, true
			continue
		}
		break
	}
	if text = b[start : i-1]; twice {
		text = bytes.ReplaceAll(text, []byte(`""`), []byte(`"`))
	}
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' && r.separator != "\t") && !r.blanks {
		i++
	}
	switch {
	case i == len(b):
		return text, i, r.ended, nil
	case r.special[b[i]] && r.separates(b, i):
		return text, i, true, nil
	case len(b)-i < len(r.separator) && !r.ended:
		return nil, 0, false, nil
	}
	return nil, 0, false, r.mistake(i, errBehind)
}

func (r *records) mistake(at int, cause error) error {
	r.fields = append(r.fields[:0], field{start: at})
	return &quoteError{r.place(0), cause}
}

// cut splits a line into fields of fixed widths, counted in letters; the last one takes the rest of the line.
func (r *records) cut() (ok bool, err error) {
	b := r.buf[r.from:r.to]
	end := bytes.IndexAny(b, "\r\n")
	if end < 0 || end+1 == len(b) {
		if !r.ended {
			return false, nil
		}
		if end < 0 {
			end = len(b)
		}
	}
	text, i := string(b[:end]), r.from
	for k, width := range r.widths {
		part := text
		if k < len(r.widths)-1 {
			letters := 0
			for at := range text {
				if letters == width {
					part = text[:at]
					break
				}
				letters++
			}
		}
		r.fields = append(r.fields, field{[]byte(strings.TrimSpace(part)), false, i})
		i, text = i+len(part), text[len(part):]
	}
	if strings.TrimSpace(string(b[:end])) == "" {
		r.fields = r.fields[:0]
	}
	if end < len(b) && b[end] == '\r' && end+1 < len(b) && b[end+1] == '\n' {
		end++
	}
	r.from, r.line = r.from+min(end+1, len(b)), r.line+1
	return true, nil
}

// skip passes over lines.
func (r *records) skip(lines int) error {
	for ; lines > 0; lines-- {
		for {
			b := r.buf[r.from:r.to]
			end := bytes.IndexAny(b, "\r\n")
			if (end < 0 || b[end] == '\r' && end+1 == len(b)) && !r.ended {
				if err := r.fill(); err != nil {
					return err
				}
				continue
			}
			if end < 0 {
				return io.EOF
			}
			if b[end] == '\r' && end+1 < len(b) && b[end+1] == '\n' {
				end++
			}
			r.from, r.line = r.from+end+1, r.line+1
			break
		}
	}
	return nil
}

// A line is a record that stays.
type line struct {
	fields []string
	quoted []bool
	number int // of the line

	western bool // there are bytes that are not UTF-8
}

// peek returns the next records without passing over them: those of the text that a buffer holds, and at least one, if there is one.
func (r *records) peek(most int) (lines []line, err error) {
	for len(lines) < most {
		from, at := r.from, r.line
		for len(lines) < most {
			ok, err := r.split()
			if err != nil {
				if len(lines) > 0 {
					break // it is reported when that record is read
				}
				return nil, err
			}
			if !ok {
				break
			}
			if !r.nothing() {
				l := line{fields: make([]string, len(r.fields)), quoted: make([]bool, len(r.fields)), number: r.first}
				for j, f := range r.fields {
					if l.fields[j], l.quoted[j] = string(f.text), f.quoted; !utf8.Valid(f.text) {
						l.fields[j], l.western = western(f.text), true
					}
				}
				lines = append(lines, l)
			}
			if r.ended && r.from == r.to {
				break
			}
		}
		r.from, r.line = from, at
		if r.ended || len(lines) > 1 && r.to-r.from > 1<<15 || len(lines) == most {
			return lines, nil
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
		lines = lines[:0]
	}
	return lines, nil
}
