package cell

import (
	"strings"
	"unicode"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD")

// Escape returns s as text of an HTML element or of a quoted attribute. Bytes that are not UTF-8 become U+FFFD.
func Escape(s string) string { return escaper.Replace(strings.ToValidUTF8(s, "\uFFFD")) }

func width(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}
