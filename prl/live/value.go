package live

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A value is what a page gives for an input: null, a number, a boolean, text, or a list of values. The zero value is null.
type value struct {
	kind   valueKind
	number float64
	bool   bool
	text   string
	list   []value
}

type valueKind byte

const (
	isNull valueKind = iota
	isNumber
	isBool
	isText
	isList
)

// numbers returns the numbers of a list of n of them.
func (v value) numbers(n int) ([]float64, bool) {
	if v.kind != isList || len(v.list) != n {
		return nil, false
	}
	list := make([]float64, n)
	for i := range list {
		if v.list[i].kind != isNumber {
			return nil, false
		}
		list[i] = v.list[i].number
	}
	return list, true
}

// index returns a whole number from 0 to n-1.
func (v value) index(n int) (int, bool) {
	if v.kind != isNumber || v.number != math.Trunc(v.number) || v.number < 0 || v.number >= float64(n) {
		return 0, false
	}
	return int(v.number), true
}

// read reads JSON without objects, of bounded depth. It stands here because encoding/json would double what a page has to load.
func read(s string) (value, error) {
	r := reader{rest: s}
	v := r.value(0)
	r.blanks()
	if r.err == nil && r.rest != "" {
		r.fail("something stands behind the value")
	}
	return v, r.err
}

type reader struct {
	rest string
	err  error
}

func (r *reader) fail(why string) value {
	if r.err == nil {
		r.err = errors.New("the page gives values that cannot be read: " + why)
	}
	r.rest = ""
	return value{}
}

func (r *reader) blanks() { r.rest = strings.TrimLeft(r.rest, " \t\r\n") }

func (r *reader) next(prefix string) bool {
	r.blanks()
	rest, ok := strings.CutPrefix(r.rest, prefix)
	if ok {
		r.rest = rest
	}
	return ok
}

func (r *reader) value(depth int) value {
	const deepest = 8
	switch {
	case depth > deepest:
		return r.fail("lists in lists in lists")
	case r.next("null"):
		return value{}
	case r.next("true"):
		return value{kind: isBool, bool: true}
	case r.next("false"):
		return value{kind: isBool}
	case r.next(`"`):
		return r.text()
	case r.next("["):
		v := value{kind: isList}
		if r.next("]") {
			return v
		}
		for r.err == nil {
			v.list = append(v.list, r.value(depth+1))
			if r.next("]") {
				return v
			}
			if !r.next(",") {
				r.fail("a list has no end")
			}
		}
		return value{}
	}
	return r.number()
}

func (r *reader) number() value {
	n := 0
	for n < len(r.rest) && strings.IndexByte("+-0123456789.eE", r.rest[n]) >= 0 {
		n++
	}
	digits := strings.TrimPrefix(r.rest[:n], "-")
	whole := strings.TrimLeft(digits, "0123456789")
	first := len(digits) - len(whole) // digits before the point
	if first == 0 || first > 1 && digits[0] == '0' {
		return r.fail("a number is expected")
	}
	if fraction, ok := strings.CutPrefix(whole, "."); ok && strings.TrimLeft(fraction, "0123456789") == fraction {
		return r.fail("a number is expected")
	}
	v, err := strconv.ParseFloat(r.rest[:n], 64)
	if err != nil {
		return r.fail("a number is expected")
	}
	r.rest = r.rest[n:]
	return value{kind: isNumber, number: v}
}

// text reads a string behind its opening quote.
func (r *reader) text() value {
	var b strings.Builder
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '"':
			r.rest = r.rest[i+1:]
			return value{kind: isText, text: strings.ToValidUTF8(b.String(), "\uFFFD")}
		case c < ' ':
			return r.fail("a control character stands in a text")
		case c != '\\':
			b.WriteByte(c)
		default:
			i++
			if i == len(r.rest) {
				return r.fail("a text has no end")
			}
			switch c := r.rest[i]; c {
			case '"', '\\', '/':
				b.WriteByte(c)
			case 'b', 'f', 'n', 'r', 't':
				b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
			case 'u':
				first, ok := hex4(r.rest[i+1:])
				if !ok {
					return r.fail("an escape has no four digits")
				}
				i += 4
				if utf16.IsSurrogate(first) {
					second, ok := rune(0), false
					if rest, escaped := strings.CutPrefix(r.rest[i+1:], `\u`); escaped {
						second, ok = hex4(rest)
					}
					if first = utf16.DecodeRune(first, second); ok && first != utf8.RuneError {
						i += 6
					}
				}
				b.WriteRune(first)
			default:
				return r.fail("an escape is unknown")
			}
		}
	}
	return r.fail("a text has no end")
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(v), err == nil && !strings.ContainsAny(s[:4], "+-_")
}
