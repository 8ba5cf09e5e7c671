package fault

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s on one line of a terminal: control characters, with which a string could move the cursor or forge a line, become spaces.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, r): // would reorder what stands beside it
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Cut returns s, or its beginning and an ellipsis when it has more than most characters.
func Cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
