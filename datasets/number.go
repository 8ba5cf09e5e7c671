package datasets

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	errNotFinite = errors.New("is not a finite number")
	errNotNumber = errors.New("is not a number")
	errNotAlike  = errors.New("is written with other signs between thousands and decimals than numbers before or behind it")
)

// A notation says how a number is written.
type notation uint8

const (
	notNumber  notation = 1 << iota
	fractional          // with a decimal sign or an exponent
	padded              // with leading zeros, such as 007
	long                // a whole number beyond 2^53, which float64 may round
	pointed             // with a point as the decimal sign
	withComma           // or with a comma

	bothSigns = pointed | withComma // of a column, in which one of them stands between thousands
)

var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// decimal reads a number in decimal digits, with a point, or a comma where that may be the decimal sign, and an exponent. The value is the
// float64 nearest to the text, an infinity beyond the largest.
func decimal(b []byte, comma bool) (float64, notation) {
	i, end := 0, len(b)
	if end > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	var m uint64
	start := i
	for ; i < end && b[i]-'0' <= 9; i++ {
		m = 10*m + uint64(b[i]-'0')
	}
	digits, exponent := i-start, 0
	var how notation
	if digits > 1 && b[start] == '0' {
		how = padded
	}
	if i < end && (b[i] == '.' || comma && b[i] == ',') {
		if how |= fractional | pointed; b[i] == ',' {
			how ^= bothSigns
		}
		i++
		point := i
		for ; i < end && b[i]-'0' <= 9; i++ {
			m = 10*m + uint64(b[i]-'0')
		}
		exponent = point - i
		digits += i - point
	}
	if digits == 0 {
		return 0, notNumber
	}
	if i < end && b[i]|0x20 == 'e' {
		how |= fractional
		i++
		minus := i < end && b[i] == '-'
		if i < end && (b[i] == '-' || b[i] == '+') {
			i++
		}
		first, e := i, 0
		for ; i < end && b[i]-'0' <= 9; i++ {
			e = min(10*e+int(b[i]-'0'), 100_000)
		}
		if i == first {
			return 0, notNumber
		}
		if minus {
			e = -e
		}
		exponent += e
	}
	if i < end {
		return 0, notNumber
	}
	if digits > 19 || m >= 1<<53 || exponent < -22 || exponent > 22 {
		if how&fractional == 0 && (digits > 19 || m >= 1<<53) {
			how |= long
		}
		text := string(b)
		if comma {
			text = strings.Replace(text, ",", ".", 1)
		}
		v, _ := strconv.ParseFloat(text, 64)
		return v + 0, how
	}
	v := float64(m)
	if exponent < 0 {
		v /= powersOfTen[-exponent]
	} else {
		v *= powersOfTen[exponent]
	}
	if b[0] == '-' && m != 0 {
		v = -v
	}
	return v, how
}

// number reads a decimal number, which needs to be finite.
func number(text string, comma bool) (float64, error) {
	v, how := decimal([]byte(text), comma)
	if how&notNumber == 0 {
		if math.IsInf(v, 0) {
			return 0, errNotFinite
		}
		return v, nil
	}
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "inf", "infinity", "nan":
		return 0, errNotFinite
	}
	return 0, errNotNumber
}

// numberText writes a number as a person does, 2100000 and not 2.1e+06, so that reading it gives the same number.
func numberText(v float64) string {
	if a := math.Abs(v); a >= 1e21 || a < 1e-6 && a > 0 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64) // 0 is added, or a negative zero would stay one
}

// exact is the largest whole number that no other is rounded to in float64.
const exact = 1<<53 - 1

// A style is how a column writes its numbers where that is not in digits alone.
type style struct {
	decimal, group rune
}

// styles are found out, the first one first that fits all entries of a column.
var styles = []style{{'.', ','}, {'.', '\''}, {'.', '’'}, {'.', ' '}, {',', '.'}, {',', ' '}, {',', '\''}}

// currencies may stand before or behind a number.
const currencies = "$€£¥₹₽₩"

// read reads a number with a currency or percent sign, groups of three digits, or brackets for a minus; unit is the sign, if any. groups is
// the number of signs between groups.
func (s style) read(text string) (v float64, unit string, groups int, ok bool) {
	t := strings.TrimSpace(strings.ReplaceAll(text, "\u2212", "-"))
	sign := ""
	if inner, found := strings.CutPrefix(t, "("); found {
		if inner, found = strings.CutSuffix(inner, ")"); !found {
			return 0, "", 0, false
		}
		t, sign = strings.TrimSpace(inner), "-"
	}
	strip := func() {
		if r, size := utf8.DecodeRuneInString(t); size > 0 && unit == "" && strings.ContainsRune(currencies, r) {
			t, unit = strings.TrimSpace(t[size:]), string(r)
		}
	}
	strip()
	if sign == "" && t != "" && (t[0] == '-' || t[0] == '+') {
		sign, t = t[:1], t[1:]
		strip()
	}
	if r, size := utf8.DecodeLastRuneInString(t); size > 0 && unit == "" && strings.ContainsRune(currencies+"%", r) {
		t, unit = strings.TrimSpace(t[:len(t)-size]), string(r)
	}
	whole, fraction, point := strings.Cut(t, string(s.decimal))
	whole = strings.Map(func(r rune) rune {
		if r == '\u00a0' || r == '\u202f' { // blanks that no line is broken at
			return ' '
		}
		return r
	}, whole)
	parts := strings.Split(whole, string(s.group))
	for i, p := range parts {
		if i > 0 && len(p) != 3 || len(parts) > 1 && (i == 0 && (len(p) > 3 || p == "" || p[0] == '0')) {
			return 0, "", 0, false
		}
	}
	if t = strings.Join(parts, ""); s.decimal != '.' && strings.Contains(t, ".") {
		return 0, "", 0, false
	}
	if point {
		t += "." + fraction
	}
	if t == "" || t[0] == '-' || t[0] == '+' {
		return 0, "", 0, false
	}
	v, err := number(sign+t, false)
	return v, unit, len(parts) - 1, err == nil
}

// nullWord reports whether an entry that is not in quotes is a gap.
func nullWord(s string) bool {
	switch s {
	case "", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "?":
		return true
	}
	return false
}
