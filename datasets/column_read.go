package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// An entries is what the entries of a file stand for beside what they say: the rules that all its columns share.
type entries struct {
	comma   bool
	sign    rune      // the decimal sign, where that was stated
	commas  bool      // a column has commas as decimal signs
	group   rune      // between groups of three digits, where that was stated
	missing []string  // further texts that are gaps
	values  []float64 // of missing, NaN for one that is no number
	found   []bool    // which of missing were
	only    bool      // nothing else but an empty field is a gap
	western bool      // there were bytes that are not UTF-8
	styles  []style
}

func (o *readOptions) entries(l *layout) *entries {
	e := &entries{
		comma: l.comma, sign: o.decimal, group: o.group,
		missing: o.missing, found: make([]bool, len(o.missing)), only: o.onlyEmpty, western: l.western, styles: styles,
	}
	for _, text := range o.missing {
		v, err := number(text, l.comma)
		if err != nil {
			v = math.NaN()
		}
		e.values = append(e.values, v)
	}
	switch {
	case o.group != 0:
		e.styles = []style{{'.', o.group}}
		if o.group == '.' || o.decimal == ',' {
			e.styles[0].decimal = ','
		}
	case o.decimal != 0:
		e.styles = e.decimals(o.decimal)
	}
	return e
}

// decimals are the styles with a decimal sign.
func (e *entries) decimals(sign rune) []style {
	return slices.DeleteFunc(slices.Clone(e.styles), func(s style) bool { return s.decimal != sign })
}

// gap reports whether an entry is one by its text; words in quotes are none.
func (e *entries) gap(text string, quoted bool) bool {
	if text == "" || !quoted && !e.only && len(text) <= 4 && nullWord(text) {
		return true
	}
	for k, m := range e.missing {
		if text == m {
			e.found[k] = true
			return true
		}
	}
	return false
}

// code reports whether a number is one that stands for a gap.
func (e *entries) code(v float64) bool {
	for k, c := range e.values {
		if v == c {
			e.found[k] = true
			return true
		}
	}
	return false
}

// decimal reads a number in decimal digits, and with a sign between groups of three where one was stated.
func (e *entries) decimal(b []byte) (float64, notation) {
	if e.group == 0 {
		v, how := decimal(b, e.comma)
		if e.sign == ',' && how&pointed != 0 {
			how = notNumber
		}
		return v, how
	}
	v, unit, _, ok := e.styles[0].read(string(b))
	switch {
	case !ok || unit != "":
		return 0, notNumber
	case v != math.Trunc(v):
		return v, fractional
	case v > exact || v < -exact:
		return v, long
	case len(b) > 1 && b[0] == '0':
		return v, padded
	}
	return v, 0
}

// number reads an entry that was said to be a number.
func (e *entries) number(text string) (float64, error) {
	v, how := e.decimal([]byte(text))
	if how&notNumber == 0 && v-v == 0 {
		return v, nil
	}
	for _, s := range e.styles {
		if w, _, _, ok := s.read(text); ok {
			return w, nil
		}
	}
	if v, err := number(text, e.comma); err != nil {
		return v, err
	}
	return v, errNotNumber
}

// A manner is how the numbers of a column of a set have been written so far.
type manner struct {
	how    notation
	styles []style // which fit all that are not in digits alone; nil before the first
	unsure bool    // these give one of them different values
}

// plain reports whether a number in digits has the decimal sign of those before.
func (m *manner) plain(how notation) bool {
	m.how |= how
	return m.how&bothSigns != bothSigns
}

// styled reads a number that is not in digits alone, as those before.
func (m *manner) styled(e *entries, text string) (float64, error) {
	if _, err := e.number(text); err != nil {
		return 0, err
	}
	if m.styles == nil {
		m.styles = e.styles
	}
	var left []style
	var value float64
	unsure := m.unsure
	for _, s := range m.styles {
		if v, _, _, ok := s.read(text); ok {
			if left = append(left, s); len(left) == 1 {
				value = v
			}
			unsure = unsure || v != value
		}
	}
	if left == nil || m.unsure && left[0] != m.styles[0] {
		return 0, errNotAlike
	}
	m.styles, m.unsure = left, unsure
	return value, nil
}

// text returns the text of bytes.
func (e *entries) text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	e.western = true
	return western(b)
}

// notes says what was found out of all entries.
func (e *entries) notes() (notes []string) {
	if e.western {
		notes = append(notes, "what is not UTF-8 was taken for Windows 1252; datasets.Encoding says otherwise")
	}
	for k, found := range e.found {
		if !found {
			notes = append(notes, fmt.Sprintf("no entry is %q, which Missing names", e.missing[k]))
		}
	}
	return notes
}

type state uint8

const (
	onlyGaps    state = iota // so far
	onlyNumbers              // and gaps
	onlyDates                // of ISO 8601, and gaps
	anyWords
	mixture // of numbers or dates and of words: the file has to be read again
)

// A builder takes the entries of one column as they come. It keeps numbers and dates as such until an entry is neither; the words are then
// read in a second pass over the file. Words are kept once each, and what they are is found out of them at the end.
type builder struct {
	*entries
	name  string
	done  bool // by the first pass
	told  *stated
	state state

	numbers  []float64 // of numbers, dates, and gaps at the begin
	how      notation  // of all numbers
	inQuotes bool      // a gap in quotes, which is a word if the column is one of words

	codes []int32
	index map[string]int32
	words []string
	lines []int // where each word occurs first
	last  int32
}

func (b *builder) add(at int, text []byte, quoted bool, line int) {
	switch b.state {
	case onlyGaps:
		b.begin(text, quoted)
		if b.state != onlyGaps {
			b.add(at, text, quoted, line)
			return
		}
		b.numbers = put(b.numbers, at, math.NaN())
	case onlyNumbers:
		v, how := b.decimal(text)
		switch {
		case how&(notNumber|padded) == 0 && v-v == 0:
			if b.how |= how; b.how&bothSigns == bothSigns {
				b.lose()
				return
			}
			if b.values != nil && b.code(v) {
				v = math.NaN()
			}
		case b.gap(string(text), false):
			v = math.NaN()
			b.inQuotes = b.inQuotes || quoted && len(text) > 0
		default:
			b.lose()
			return
		}
		b.numbers = put(b.numbers, at, v)
	case onlyDates:
		v, ok := isoDate(text)
		if !ok {
			if !b.gap(string(text), false) {
				b.lose()
				return
			}
			v = math.NaN()
			b.inQuotes = b.inQuotes || quoted && len(text) > 0
		}
		b.numbers = put(b.numbers, at, v)
	case anyWords:
		b.codes = put(b.codes, at, b.word(text, quoted, line))
	}
}

func (b *builder) lose() { b.state, b.numbers = mixture, nil }

// begin finds out what the first entry is that is no gap.
func (b *builder) begin(text []byte, quoted bool) {
	if b.gap(string(text), false) {
		b.inQuotes = b.inQuotes || quoted && len(text) > 0
		return
	}
	_, how := b.decimal(text)
	_, date := isoDate(text)
	switch {
	case how&(notNumber|padded) == 0:
		b.state = onlyNumbers
	case date:
		b.state = onlyDates
	case b.inQuotes:
		b.lose()
	default:
		b.asWords()
	}
}

func (b *builder) asWords() {
	b.codes, b.numbers = make([]int32, len(b.numbers), cap(b.numbers)), nil
	for i := range b.codes {
		b.codes[i] = -1
	}
	b.state, b.last, b.index = anyWords, -1, map[string]int32{}
}

// word returns the number of a word, -1 for a gap.
func (b *builder) word(field []byte, quoted bool, line int) int32 {
	if b.last >= 0 && string(field) == b.words[b.last] && len(field) > 4 {
		return b.last
	}
	if b.gap(string(field), quoted) {
		return -1
	}
	k, known := b.index[string(field)]
	if !known {
		text := b.text(field)
		if k, known = b.index[text]; !known {
			k = int32(len(b.words))
			b.words, b.lines = append(b.words, text), append(b.lines, line)
			b.index[text] = k
		}
		if text != string(field) {
			b.index[string(field)] = k
		}
	}
	b.last = k
	return k
}

// reserve makes room for so many rows.
func (b *builder) reserve(rows int) {
	if b.state == anyWords {
		b.codes = slices.Grow(b.codes, max(0, rows-len(b.codes)))
	} else if b.state != mixture {
		b.numbers = slices.Grow(b.numbers, max(0, rows-len(b.numbers)))
	}
}

// again reports whether the column has to be read as words in a second pass: a point may stand between thousands where commas are decimal
// signs in another column.
func (b *builder) again() bool {
	return b.state == mixture || b.state == onlyNumbers && (b.how&(long|fractional) == long || b.commas && b.how&pointed != 0)
}

// finish decides what the column is. Rows are taken in the given order.
func (b *builder) finish(file string, order []int) (c column, remark string, err error) {
	c.name = b.name
	switch {
	case b.state == onlyDates:
		c.kind, c.numbers = Temporal, arranged(b.numbers, order)
	case b.state != anyWords:
		if c.numbers = arranged(b.numbers, order); b.state == onlyGaps {
			remark = onlyGapsRemark(b.name)
		}
	default:
		c.codes = arranged(b.codes, order)
		return b.decide(file, c)
	}
	return c, remark, nil
}

func onlyGapsRemark(column string) string {
	return fmt.Sprintf("the column %q holds nothing but gaps", column)
}

// decide finds out what the words of a column are, or takes what was stated.
func (b *builder) decide(file string, c column) (column, string, error) {
	rows := make([]int, len(b.words))
	for i, k := range c.codes {
		if k >= 0 && b.code(b.value(k)) {
			c.codes[i] = -1
		} else if k >= 0 {
			rows[k]++
		}
	}
	codes := c.codes
	// quiet are those which no row has, and gaps in quotes.
	quiet := func(k int) bool { return rows[k] == 0 || !b.only && nullWord(b.words[k]) }
	replace := func(kind Kind, read func(text string) (float64, error)) (wrong int, err error) {
		values := make([]float64, len(b.words))
		for k, text := range b.words {
			if values[k] = math.NaN(); !quiet(k) {
				if values[k], err = read(text); err != nil {
					return k, err
				}
			}
		}
		c.kind, c.codes, c.numbers = kind, nil, make([]float64, len(codes))
		for i, k := range codes {
			if c.numbers[i] = math.NaN(); k >= 0 {
				c.numbers[i] = values[k]
			}
		}
		return -1, nil
	}
	layout := func(layout string) func(string) (float64, error) {
		return func(text string) (float64, error) { return dateOf(text, layout) }
	}
	asWords := func(remark string) (column, string, error) {
		c.kind, c.words, c.codes, c.numbers = Nominal, b.words, codes, nil
		return c.sorted(), remark, nil
	}
	if b.told != nil && b.told.kind != Nominal {
		err := b.asTold(file, replace, layout)
		return c, "", err
	} else if b.told != nil {
		return asWords("")
	}
	present, right, odd, tooLong := 0, 0, -1, -1
	var how notation
	for k, text := range b.words {
		if quiet(k) {
			continue
		}
		present += rows[k]
		v, h := b.decimal([]byte(text))
		if h&notNumber != 0 || math.IsInf(v, 0) {
			if odd < 0 {
				odd = k
			}
			continue
		}
		right += rows[k]
		if how |= h; h&long != 0 && tooLong < 0 {
			tooLong = k
		}
	}
	switch {
	case !slices.ContainsFunc(codes, func(k int32) bool { return k >= 0 }):
		replace(Numeric, b.number)
		return c, onlyGapsRemark(b.name), nil
	case present == 0:
		return asWords("")
	case right == present && how&padded == 0 && (how&bothSigns == bothSigns || b.commas && how&pointed != 0):
		if remark, unit, ok := b.people(b.decimals(','), replace, quiet); ok {
			c.unit = unit
			return c, remark, nil
		} else if how&bothSigns == bothSigns {
			return asWords(fmt.Sprintf("the column %q was taken for words, since both point and comma are decimal signs in it", b.name))
		}
		replace(Numeric, b.number)
		return c, "", nil
	case right == present && how&padded == 0 && (how&long == 0 || how&fractional != 0):
		replace(Numeric, b.number)
		return c, "", nil
	case right == present && how&padded == 0:
		return asWords(longRemark(b.name, b.words[tooLong]))
	case right == present:
		return asWords("")
	}
	if remark, ok := b.dates(replace, layout, quiet); ok {
		return c, remark, nil
	} else if remark != "" {
		return asWords(remark)
	}
	if remark, unit, ok := b.people(b.styles, replace, quiet); ok {
		c.unit = unit
		return c, remark, nil
	} else if remark != "" {
		return asWords(remark)
	}
	if 2*right > present && how&padded == 0 {
		return asWords(fmt.Sprintf("The column %q was taken for words: %d of %d entries are numbers, but in line %d stands %q",
			b.name, right, present, b.lines[odd], clip(b.words[odd])))
	}
	return asWords("")
}

// asTold reads the words as the numbers or dates that they were said to be.
func (b *builder) asTold(
	file string, replace func(Kind, func(string) (float64, error)) (int, error), layout func(string) func(string) (float64, error),
) error {
	read, remedy, unlike := b.number, "if it stands for a gap, say datasets.Missing(%q)", -1
	if b.told.kind == Temporal {
		read, remedy = layout(b.told.layout), ""
	} else {
		var signs notation
		plain := func(text string) (float64, error) {
			v, how := b.decimal([]byte(text))
			if signs |= how; how&notNumber != 0 || math.IsInf(v, 0) || signs&bothSigns == bothSigns {
				return 0, errNotNumber
			}
			return v, nil
		}
		k, err := replace(Numeric, plain)
		if err == nil {
			return nil
		}
		unlike = k
		for _, s := range b.styles {
			if _, err := replace(Numeric, func(text string) (float64, error) {
				v, _, _, ok := s.read(text)
				if !ok {
					return v, errNotNumber
				}
				return v, nil
			}); err == nil {
				return nil
			}
		}
	}
	k, err := replace(b.told.kind, read)
	if err == nil && unlike < 0 {
		return nil
	}
	if err == nil { // each of them is a number, but not all in one way
		k, err = unlike, errNotAlike
	}
	word := clip(b.words[k])
	if remedy != "" {
		remedy = fmt.Sprintf(remedy, word)
	} else {
		err = fmt.Errorf("is no date of the form %s", b.told.layout)
	}
	return &ReadError{File: file, Line: b.lines[k], Field: b.name, What: fmt.Sprintf("%q %v", word, err), Remedy: remedy}
}

// value returns the number that a word is, NaN if it is none.
func (b *builder) value(k int32) float64 {
	if b.values == nil {
		return math.NaN()
	}
	v, err := number(b.words[k], b.comma)
	if err != nil {
		return math.NaN()
	}
	return v
}

// dayLayouts are the forms of dates, beside those of ISO 8601, that are found out.
var dayLayouts = []string{
	"2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05", "2006/1/2", "2006/1/2 15:04", "2006/1/2 15:04:05", "2 Jan 2006", "2 January 2006",
	"2-Jan-2006", "Jan 2, 2006", "January 2, 2006",
}

// dates reads the words as dates, if all are.
func (b *builder) dates(
	replace func(Kind, func(string) (float64, error)) (int, error), layout func(string) func(string) (float64, error), quiet func(k int) bool,
) (remark string, ok bool) {
	if _, err := replace(Temporal, func(text string) (float64, error) {
		v, ok := isoDate([]byte(text))
		if !ok {
			return v, errNotNumber
		}
		return v, nil
	}); err == nil {
		return "", true
	}
	for _, form := range dayLayouts {
		if _, err := replace(Temporal, layout(form)); err == nil {
			return "", true
		}
	}
	for _, clock := range []string{"", " 15:04", " 15:04:05"} {
		fits := func(form string) bool {
			for k, text := range b.words {
				if _, err := dateOf(text, form); err != nil && !quiet(k) {
					return false
				}
			}
			return true
		}
		day, month := "2/1/2006"+clock, "1/2/2006"+clock
		dayFirst, monthFirst := fits(day), fits(month)
		switch {
		case dayFirst && monthFirst:
			return fmt.Sprintf("the column %q holds dates, but whether the day or the month stands first is not clear; datasets.AsDates(%q, %q) or "+
				"datasets.AsDates(%q, %q) says it", b.name, day, b.name, month, b.name), false
		case dayFirst:
			replace(Temporal, layout(day))
			return fmt.Sprintf("the dates of %q were read as day/month/year, since a number above 12 stands first", b.name), true
		case monthFirst:
			replace(Temporal, layout(month))
			return fmt.Sprintf("the dates of %q were read as month/day/year, since a number above 12 stands second", b.name), true
		}
	}
	return "", false
}

// people reads the words as numbers with groups of digits, currencies or percent signs, if all are.
func (b *builder) people(styles []style, replace func(Kind, func(string) (float64, error)) (int, error), quiet func(k int) bool) (
	remark, unit string, ok bool,
) {
	for _, s := range styles {
		stated := b.group != 0 || b.sign != 0 || b.commas && s.decimal == ','
		signs, groups, several, sure, first := map[string]bool{}, 0, false, s.group == ' ' || stated, true
		_, err := replace(Numeric, func(text string) (float64, error) {
			v, sign, n, ok := s.read(text)
			if !ok {
				return 0, errNotNumber
			}
			if first {
				unit, first = sign, false
			}
			signs[sign] = true
			groups += n
			several = several || n > 1
			sure = sure || n == 0 && v > -1000 && v < 1000 || n > 0 && v != math.Trunc(v)
			if n == 0 && (v <= -1000 || v >= 1000) && b.group == 0 {
				return 0, errNotNumber // written without groups, though others are not
			}
			return v, nil
		})
		if err != nil && groups == 0 {
			_, err = replace(Numeric, func(text string) (float64, error) {
				v, _, n, ok := s.read(text)
				if !ok || n > 0 {
					return 0, errNotNumber
				}
				return v, nil
			})
		}
		if err != nil || len(signs) > 1 && !(len(signs) == 2 && signs[""]) {
			continue
		}
		if groups == 0 && !stated && (b.comma || s.decimal == ',') && b.doubtful(s.decimal, quiet) {
			s.group = s.decimal
			groups, sure = 1, false
		}
		if groups > 0 && !several && !sure {
			return fmt.Sprintf("the column %q was taken for words, since the %q in it may separate thousands or be the decimal sign; "+
				"datasets.Thousands(%q) or datasets.Decimal(%q) says it", b.name, s.group, s.group, s.group), "", false
		}
		switch {
		case groups > 0 && unit != "":
			remark = fmt.Sprintf("the entries of %q were read as numbers in %s with %q between thousands", b.name, unit, s.group)
		case groups > 0:
			remark = fmt.Sprintf("the entries of %q were read as numbers with %q between thousands", b.name, s.group)
		default:
			remark = fmt.Sprintf("the entries of %q were read as numbers in %s", b.name, unit)
		}
		return remark, unit, true
	}
	return "", "", false
}

// doubtful reports whether a sign stands in the words, and everywhere where it may separate thousands as well.
func (b *builder) doubtful(sign rune, quiet func(k int) bool) bool {
	stands := false
	for k, text := range b.words {
		whole, fraction, found := strings.Cut(text, string(sign))
		if !found || quiet(k) {
			continue
		}
		stands = true
		before, after := strings.TrimLeft(whole, currencies+"(+-\u2212 "), strings.TrimRight(fraction, currencies+"%) ")
		if len(after) != 3 || before == "" || len(before) > 3 || before[0] == '0' {
			return false
		}
	}
	return stands
}

// sorted returns c with its words in the order in which classes are, without words that no row has.
func (c column) sorted() column {
	c = c.tight()
	order := wordOrder(c.words)
	to, sortedWords := make([]int32, len(order)), make([]string, len(order))
	for place, k := range order {
		to[k], sortedWords[place] = int32(place), c.words[k]
	}
	for i, k := range c.codes {
		if k >= 0 {
			c.codes[i] = to[k]
		}
	}
	c.words = sortedWords
	return c
}

func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return strings.ToValidUTF8(string(r[:most]), "\ufffd") + "..."
	}
	return s
}
