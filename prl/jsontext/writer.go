// Package jsontext writes JSON without reflection: a program that runs in a page has to be small, and encoding/json would add a quarter to
// it. The package imports nothing of the library.
package jsontext

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// A Writer writes one value; commas come by themselves. The zero Writer is ready to write.
type Writer struct {
	b     []byte
	comma bool // before what comes next
	err   error
}

// Bytes returns what has been written.
func (w *Writer) Bytes() []byte { return w.b }

// Err returns the first error, which is about a number that JSON does not have, or nil.
func (w *Writer) Err() error { return w.err }

func (w *Writer) next() {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.comma = true
}

// Open begins a list or an object, with its bracket.
func (w *Writer) Open(bracket byte) {
	w.next()
	w.b = append(w.b, bracket)
	w.comma = false
}

// Close ends it.
func (w *Writer) Close(bracket byte) {
	w.b = append(w.b, bracket)
	w.comma = true
}

// Name writes the name of a member; its value comes next.
func (w *Writer) Name(s string) *Writer {
	w.Text(s)
	w.b = append(w.b, ':')
	w.comma = false
	return w
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(s string) {
	w.next()
	w.b = append(w.b, s...)
}

// Int writes a whole number.
func (w *Writer) Int(v int) {
	w.next()
	w.b = strconv.AppendInt(w.b, int64(v), 10)
}

// Float writes a finite number, as encoding/json does; another one is an error, and 0 stands in its place.
func (w *Writer) Float(v float64) {
	w.next()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		if w.err == nil {
			w.err = fmt.Errorf("it holds the number %v", v)
		}
		v = 0
	}
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		w.b = strconv.AppendFloat(w.b, v, 'e', -1, 64)
		if n := len(w.b); w.b[n-4] == 'e' && w.b[n-3] == '-' && w.b[n-2] == '0' { // e-09 is e-9
			w.b[n-2] = w.b[n-1]
			w.b = w.b[:n-1]
		}
		return
	}
	w.b = strconv.AppendFloat(w.b, v, 'f', -1, 64)
}

// Text writes a string; what is no UTF-8 in it becomes U+FFFD.
func (w *Writer) Text(s string) {
	w.next()
	w.b = append(w.b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				w.b = append(append(w.b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			w.b = append(w.b, s[start:i]...)
			switch c {
			case '"', '\\':
				w.b = append(w.b, '\\', c)
			case '\n':
				w.b = append(w.b, `\n`...)
			default:
				const hex = "0123456789abcdef"
				w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			start = i + 1
		}
		i++
	}
	w.b = append(append(w.b, s[start:]...), '"')
}

// Texts writes a list of strings.
func (w *Writer) Texts(list []string) {
	w.Open('[')
	for _, s := range list {
		w.Text(s)
	}
	w.Close(']')
}

// Floats writes a list of finite numbers.
func (w *Writer) Floats(list []float64) {
	w.Open('[')
	for _, v := range list {
		w.Float(v)
	}
	w.Close(']')
}

// Ints writes a list of whole numbers.
func (w *Writer) Ints(list []int) {
	w.Open('[')
	for _, v := range list {
		w.Int(v)
	}
	w.Close(']')
}
