package scene

import (
	"math"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestAdvances compares the table with Liberation Sans, whose widths are those of Arial and Helvetica.
func TestAdvances(t *testing.T) {
	for weight, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		var buf sfnt.Buffer
		n := 0
		for _, r := range []rune{0x20, 0xa0, 0x391} {
			for i := range 200 {
				r := r + rune(i)
				known := r < 0x7f || r >= 0xa0 && r < 0x180 || r >= 0x391 && r <= 0x3c9
				glyph, err := f.GlyphIndex(&buf, r)
				if err != nil || glyph == 0 || !known {
					continue
				}
				a, err := f.GlyphAdvance(&buf, glyph, fixed.I(2048), font.HintingNone)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := advance(r, weight == 1), float64(a)/64*1000/2048; math.Abs(got-want) > 0.51 && want > 0 {
					t.Errorf("%q: %v, want %.1f", r, got, want)
				}
				n++
			}
		}
		if n < 350 {
			t.Errorf("only %d letters compared", n)
		}
	}
	if got := TextWidth("Hello", 10, false); math.Abs(got-22.78) > 0.01 { // 722 + 556 + 222 + 222 + 556
		t.Errorf("width of Hello at 10 px: %v", got)
	}
}

func TestWrap(t *testing.T) {
	lines := Wrap("a title of many words that is far too long for one line of this picture", 120, 12, false, 3)
	if len(lines) != 3 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if TextWidth(l, 12, false) > 120 {
			t.Errorf("%q is wider than 120 px", l)
		}
	}
	if got := Fit(strings.Repeat("m", 50), 60, 12, false); TextWidth(got, 12, false) > 60 || !strings.HasSuffix(got, "…") {
		t.Errorf("fit: %q", got)
	}
	if got := Clean("a\x00b\tc\u202e\xff", 10); got != "ab c\ufffd" {
		t.Errorf("clean: %q", got)
	}
}
