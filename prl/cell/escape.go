package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD")

// Escape returns s as text of an HTML element or of a quoted attribute. Bytes that are not UTF-8 become U+FFFD.
func Escape(s string) string { return escaper.Replace(strings.ToValidUTF8(s, "\uFFFD")) }

// plain returns s on one line of a terminal: control characters, with which a string could move the cursor or forge a line, become spaces.
func plain(s string) string {
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

func width(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
