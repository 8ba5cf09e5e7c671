package scene

import (
	"strings"
	"unicode"
)

// TextWidth returns the width of s in pixels in Helvetica of the given size.
func TextWidth(s string, size float64, bold bool) float64 {
	sum := 0.0
	for _, r := range s {
		sum += advance(r, bold)
	}
	return sum * size / 1000
}

// advance returns the width of a letter in thousandths of the font size. Letters that Helvetica lacks are taken from another font by
// the reader's program draws them, so their width is an estimate.
func advance(r rune, bold bool) float64 {
	for _, t := range advances {
		if i := int(r - t.first); i >= 0 && i < len(t.regular) {
			w := t.regular[i]
			if bold {
				w = t.bold[i]
			}
			if w > 0 {
				return float64(w)
			}
		}
	}
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return 0
	case r >= 0x2070 && r <= 0x209f || r == 0x00b9 || r >= 0x1d2c && r <= 0x1d6a: // superscripts and subscripts
		return 365
	case r == '−' || r == '×':
		return 584
	case r == '\u2018' || r == '\u2019':
		return 222
	case r == '\u201c' || r == '\u201d':
		return 333
	case r == '…' || r == '—' || r == '→' || r == '←':
		return 1000
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f ||
		r >= 0xff00 && r <= 0xff60 || r >= 0x1f300):
		return 1000 // East Asian and pictures
	}
	return 600
}

// Clean makes a text of a user safe to write: control characters become spaces, so that XML and terminals keep their sense, and what is
// longer than limit letters is cut.
func Clean(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			r = ' '
		case unicode.IsControl(r), r == 0xfffe, r == 0xffff, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			continue
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Fit cuts s with an ellipsis so that it is at most width wide.
func Fit(s string, width, size float64, bold bool) string {
	if TextWidth(s, size, bold) <= width {
		return s
	}
	runes := []rune(s)
	room := width - TextWidth("…", size, bold)
	sum, n := 0.0, 0
	for n < len(runes) {
		sum += advance(runes[n], bold) * size / 1000
		if sum > room {
			break
		}
		n++
	}
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// Wrap breaks s at spaces into lines at most width wide, and cuts words that are wider; it keeps at most the given number of lines.
func Wrap(s string, width, size float64, bold bool, most int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		next := word
		if line != "" {
			next = line + " " + word
		}
		if line == "" || TextWidth(next, size, bold) <= width {
			line = next
			continue
		}
		lines = append(lines, line)
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines[most-1] = strings.Join(lines[most-1:], " ")
		lines = lines[:most]
	}
	for i := range lines {
		lines[i] = Fit(lines[i], width, size, bold)
	}
	return lines
}
