package handouts

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Chromium writes PDF files in the plainest form of the format: objects one after the other, each streams' length in its dictionary, one
// table of where they stand (ISO 32000-1, 7.3 and 7.5). What follows reads that form and writes it again; anything else is an error.

// The values of PDF: these, pdfDict and []any. A number, true, false or null is a pdfWord.
type (
	pdfName string
	pdfWord string
	pdfRef  int    // of an object, by its number
	pdfText string // a string, its bytes
)

// A pdfDict keeps the order of its keys.
type pdfDict struct {
	keys   []pdfName
	values map[pdfName]any
}

func dict(pairs ...any) *pdfDict {
	d := &pdfDict{values: map[pdfName]any{}}
	for i := 0; i < len(pairs); i += 2 {
		d.set(pdfName(pairs[i].(string)), pairs[i+1])
	}
	return d
}

func (d *pdfDict) get(key pdfName) any {
	if d == nil {
		return nil
	}
	return d.values[key]
}

// set gives a key a value, nil for none.
func (d *pdfDict) set(key pdfName, value any) {
	if _, found := d.values[key]; !found {
		d.keys = append(d.keys, key)
	}
	d.values[key] = value
	if value == nil {
		delete(d.values, key)
		d.keys = slices.DeleteFunc(d.keys, func(k pdfName) bool { return k == key })
	}
}

// textString is a string of text as PDF has it: ASCII as it is, anything else in UTF-16.
func textString(s string) pdfText {
	if strings.IndexFunc(s, func(r rune) bool { return r > 126 || r < ' ' }) < 0 {
		return pdfText(s)
	}
	b := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return pdfText(b)
}

// text reads it.
func (t pdfText) text() string {
	if !strings.HasPrefix(string(t), "\xfe\xff") {
		return string(t)
	}
	var units []uint16
	for i := 2; i+1 < len(t); i += 2 {
		units = append(units, uint16(t[i])<<8|uint16(t[i+1]))
	}
	return string(utf16.Decode(units))
}

// writePDF writes a value.
func writePDF(w *bytes.Buffer, value any) {
	switch v := value.(type) {
	case pdfName:
		w.WriteByte('/')
		for _, c := range []byte(v) {
			if c <= ' ' || c > '~' || strings.IndexByte("#()<>[]{}/%", c) >= 0 {
				fmt.Fprintf(w, "#%02X", c)
			} else {
				w.WriteByte(c)
			}
		}
	case pdfWord:
		w.WriteString(string(v))
	case int:
		w.WriteString(strconv.Itoa(v))
	case pdfRef:
		fmt.Fprintf(w, "%d 0 R", v)
	case pdfText:
		if strings.IndexFunc(string(v), func(r rune) bool { return r > 126 || r < ' ' }) >= 0 {
			fmt.Fprintf(w, "<%X>", string(v))
			return
		}
		w.WriteByte('(')
		w.WriteString(strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(string(v)))
		w.WriteByte(')')
	case []any:
		w.WriteByte('[')
		for i, each := range v {
			if i > 0 {
				w.WriteByte(' ')
			}
			writePDF(w, each)
		}
		w.WriteByte(']')
	case *pdfDict:
		w.WriteString("<<")
		for i, key := range v.keys {
			if i > 0 {
				w.WriteByte('\n')
			}
			writePDF(w, key)
			w.WriteByte(' ')
			writePDF(w, v.values[key])
		}
		w.WriteString(">>")
	}
}

// A pdfScanner reads values and, in the content of a page, operators, which it takes for words.
type pdfScanner struct {
	data []byte
	at   int
}

func isPDFSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isPDFEnd(c byte) bool { return isPDFSpace(c) || strings.IndexByte("()<>[]{}/%", c) >= 0 }

func (s *pdfScanner) space() {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case isPDFSpace(c):
			s.at++
		case c == '%':
			for s.at < len(s.data) && s.data[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

// word reads up to the next sign that ends a name, a number or an operator.
func (s *pdfScanner) word() string {
	from := s.at
	for s.at < len(s.data) && !isPDFEnd(s.data[s.at]) {
		s.at++
	}
	return string(s.data[from:s.at])
}

// value reads the next value, or nil at the end and at the end of a list or dictionary.
func (s *pdfScanner) value() any {
	s.space()
	if s.at >= len(s.data) {
		return nil
	}
	switch c := s.data[s.at]; {
	case c == '/':
		s.at++
		name := s.word()
		for i := strings.IndexByte(name, '#'); i >= 0 && i+2 < len(name); {
			b, err := hex.DecodeString(name[i+1 : i+3])
			if err != nil {
				break
			}
			name = name[:i] + string(b) + name[i+3:]
			next := strings.IndexByte(name[i+1:], '#')
			if next < 0 {
				break
			}
			i += 1 + next
		}
		return pdfName(name)
	case c == '(':
		return s.literal()
	case c == '<' && s.at+1 < len(s.data) && s.data[s.at+1] == '<':
		s.at += 2
		d := dict()
		for {
			key, is := s.value().(pdfName)
			if !is {
				break
			}
			d.set(key, s.value())
		}
		s.at = min(s.at+2, len(s.data))
		return d
	case c == '<':
		end := bytes.IndexByte(s.data[s.at:], '>')
		if end < 0 {
			s.at = len(s.data)
			return nil
		}
		digits := strings.Join(strings.Fields(string(s.data[s.at+1:s.at+end])), "")
		if len(digits)%2 == 1 {
			digits += "0"
		}
		b, _ := hex.DecodeString(digits)
		s.at += end + 1
		return pdfText(b)
	case c == '[':
		s.at++
		list := []any{}
		for v := s.value(); v != nil; v = s.value() {
			list = append(list, v)
		}
		s.at = min(s.at+1, len(s.data))
		return list
	case c == '>' || c == ']' || c == ')' || c == '{' || c == '}':
		return nil
	}
	word := s.word()
	if number, err := strconv.Atoi(word); err == nil && number >= 0 { // perhaps a reference
		back := s.at
		s.space()
		if s.word() == "0" {
			s.space()
			if s.at < len(s.data) && s.data[s.at] == 'R' && (s.at+1 == len(s.data) || isPDFEnd(s.data[s.at+1])) {
				s.at++
				return pdfRef(number)
			}
		}
		s.at = back
	}
	return pdfWord(word)
}

// literal reads a string in parentheses.
func (s *pdfScanner) literal() any {
	var b []byte
	depth := 0
	for ; s.at < len(s.data); s.at++ {
		c := s.data[s.at]
		switch {
		case c == '(':
			if depth++; depth > 1 {
				b = append(b, c)
			}
		case c == ')':
			if depth--; depth == 0 {
				s.at++
				return pdfText(b)
			}
			b = append(b, c)
		case c == '\\' && s.at+1 < len(s.data):
			s.at++
			c = s.data[s.at]
			if i := strings.IndexByte("nrtbf", c); i >= 0 {
				b = append(b, "\n\r\t\b\f"[i])
				break
			}
			if c < '0' || c > '7' {
				b = append(b, c)
				break
			}
			n, digits := 0, 0
			for ; digits < 3 && s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '7'; digits++ {
				n = 8*n + int(s.data[s.at]-'0')
				s.at++
			}
			s.at--
			b = append(b, byte(n))
		default:
			b = append(b, c)
		}
	}
	return nil
}

// A pdfFile is a file by its objects. The number of an object is its place; a missing one is nil.
type pdfFile struct {
	objects []*pdfObject
	trailer *pdfDict
}

// A pdfObject is a value, with the bytes of its stream if it has one.
type pdfObject struct {
	value  any
	stream []byte
	has    bool // a stream
}

// readPDF reads a file that Chromium wrote.
func readPDF(data []byte) (*pdfFile, error) {
	unknown := func(what string) error {
		return fmt.Errorf("the PDF that Chromium wrote is not of the known form: %s", what)
	}
	at := bytes.LastIndex(data, []byte("startxref"))
	if at < 0 {
		return nil, unknown("it does not say where its table is")
	}
	table, err := strconv.Atoi(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(data[at+len("startxref"):]), []byte("%%EOF")))))
	if err != nil || table <= 0 || table >= at || !bytes.HasPrefix(data[table:], []byte("xref")) {
		return nil, unknown("its table is elsewhere")
	}
	entries, rest, found := bytes.Cut(data[table:at], []byte("trailer"))
	if !found {
		return nil, unknown("it has no trailer")
	}
	f := &pdfFile{}
	f.trailer, _ = (&pdfScanner{data: rest}).value().(*pdfDict)
	lines := strings.Split(string(entries), "\n")
	if len(lines) < 3 || f.trailer == nil {
		return nil, unknown("its table is empty")
	}
	for i, line := range lines[2:] { // after "xref" and "0 n"
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		f.objects = append(f.objects, nil)
		from, err := strconv.Atoi(fields[0])
		if fields[2] != "n" {
			continue
		}
		if err != nil || from >= len(data) || !bytes.HasPrefix(data[from:], fmt.Appendf(nil, "%d 0 obj", i)) {
			return nil, unknown(fmt.Sprintf("object %d is not where its table says", i))
		}
		s := &pdfScanner{data: data, at: from + len(fmt.Sprintf("%d 0 obj", i))}
		object := &pdfObject{value: s.value()}
		if s.space(); bytes.HasPrefix(data[s.at:], []byte("stream")) {
			s.at += len("stream")
			if data[s.at] == '\r' {
				s.at++
			}
			s.at++
			d, _ := object.value.(*pdfDict)
			length, err := strconv.Atoi(fmt.Sprint(d.get("Length")))
			if err != nil || length < 0 || s.at+length > len(data) {
				return nil, unknown(fmt.Sprintf("the stream of object %d has no length", i))
			}
			object.stream, object.has = data[s.at:s.at+length], true
		}
		f.objects[i] = object
	}
	if f.catalogue() == nil {
		return nil, unknown("it has no catalogue")
	}
	return f, nil
}

// dict is the dictionary that a value is, or that it refers to, or nil.
func (f *pdfFile) dict(value any) *pdfDict {
	if ref, is := value.(pdfRef); is {
		if int(ref) >= len(f.objects) || f.objects[ref] == nil {
			return nil
		}
		value = f.objects[ref].value
	}
	d, _ := value.(*pdfDict)
	return d
}

// list is the list that a value is, or that it refers to; anything else is the one member of a list.
func (f *pdfFile) list(value any) []any {
	if ref, is := value.(pdfRef); is && int(ref) < len(f.objects) && f.objects[ref] != nil {
		if list, is := f.objects[ref].value.([]any); is {
			return list
		}
	}
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{value}
}

func (f *pdfFile) catalogue() *pdfDict { return f.dict(f.trailer.get("Root")) }

// add puts a new object into the file.
func (f *pdfFile) add(value any) pdfRef {
	f.objects = append(f.objects, &pdfObject{value: value})
	return pdfRef(len(f.objects) - 1)
}

// addStream puts a stream into the file, compressed unless it is to be read as it is.
func (f *pdfFile) addStream(d *pdfDict, data []byte, plain bool) pdfRef {
	ref := f.add(d)
	f.objects[ref].has = true
	if plain {
		f.objects[ref].stream = data
		return ref
	}
	f.setContent(ref, data)
	return ref
}

// content is the stream of an object, as it was before it was compressed.
func (f *pdfFile) content(ref pdfRef) ([]byte, error) {
	object := f.objects[ref]
	if object == nil || !object.has {
		return nil, fmt.Errorf("object %d of the PDF that Chromium wrote is no stream", ref)
	}
	switch filter := f.dict(object.value).get("Filter"); filter {
	case nil:
		return object.stream, nil
	case pdfName("FlateDecode"):
		r, err := zlib.NewReader(bytes.NewReader(object.stream))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	default:
		return nil, fmt.Errorf("object %d of the PDF that Chromium wrote has the filter %v", ref, filter)
	}
}

func (f *pdfFile) setContent(ref pdfRef, data []byte) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data) // a buffer takes everything
	w.Close()
	f.objects[ref].stream = b.Bytes()
	f.dict(ref).set("Filter", pdfName("FlateDecode"))
}

// bytes writes the file.
func (f *pdfFile) bytes() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xd3\xeb\xe9\xe1\n")
	offsets := make([]int, len(f.objects))
	for i, object := range f.objects {
		if object == nil {
			continue
		}
		offsets[i] = b.Len()
		if object.has {
			f.dict(object.value).set("Length", len(object.stream))
		}
		fmt.Fprintf(&b, "%d 0 obj\n", i)
		writePDF(&b, object.value)
		if object.has {
			b.WriteString(" stream\n")
			b.Write(object.stream)
			b.WriteString("\nendstream")
		}
		b.WriteString("\nendobj\n")
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n", len(f.objects))
	for _, at := range offsets {
		if at == 0 {
			b.WriteString("0000000000 65535 f \n")
		} else {
			fmt.Fprintf(&b, "%010d 00000 n \n", at)
		}
	}
	f.trailer.set("Size", len(f.objects))
	b.WriteString("trailer\n")
	writePDF(&b, f.trailer)
	fmt.Fprintf(&b, "\nstartxref\n%d\n%%%%EOF\n", table)
	return b.Bytes()
}

// pages lists the pages in their order.
func (f *pdfFile) pages() []pdfRef {
	var all []pdfRef
	var walk func(value any)
	walk = func(value any) {
		ref, is := value.(pdfRef)
		d := f.dict(value)
		switch {
		case !is || d == nil:
		case d.get("Type") == pdfName("Pages"):
			for _, kid := range f.list(d.get("Kids")) {
				walk(kid)
			}
		default:
			all = append(all, ref)
		}
	}
	walk(f.catalogue().get("Pages"))
	return all
}
