package cell

import (
	"bytes"
	"encoding/gob"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/internal/seal"
)

// oneLine reports characters with which a string could move the cursor, forge a line or reorder its neighbours.
func oneLine(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U came through: %q", r, text)
		}
	}
	if !utf8.ValidString(text) {
		t.Errorf("%q is not UTF-8", text)
	}
}

// FuzzTable puts texts into every place of a table.
func FuzzTable(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c string) {
		table := NewTable(a, b).Row(b, c).Row(1.5, a).Title(c).Note(a)
		var html, text string
		fuzztest.Bounded(t, 3*len(a)+2*len(b)+2*len(c), fuzztest.Allowance, func() { html, text = table.HTML(), table.String() })
		if err := fuzztest.Markup(html, "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"); err != nil {
			t.Errorf("%v: %s", err, html)
		}
		if n, want := strings.Count(html, `"`), strings.Count(NewTable("", "").Row("", "").Row(1.5, "").Title(mark(c)).Note(mark(a)).HTML(),
			`"`); n != want {
			t.Errorf("a string closed an attribute: %s", html)
		}
		oneLine(t, text)
		if n, want := strings.Count(text, "\n"), 3+btoi(c != "")+btoi(a != ""); n != want {
			t.Errorf("%d line ends, want %d: %q", n, want, text)
		}
	})
}

// FuzzCheck puts texts into the lines of the board.
func FuzzCheck(f *testing.F) {
	f.Fuzz(func(t *testing.T, id, claim, numbers string, holds, _ bool) {
		c := Check(id, claim)
		l := line{c.id, c.claim, numbers, holds, false}
		b := &board{lines: []line{l, l}}
		if err := fuzztest.Markup(b.html(), "details", "summary", "div", "span", "b"); err != nil {
			t.Errorf("%v: %s", err, b.html())
		}
		oneLine(t, l.text())
		if strings.Contains(l.text(), "\n") {
			t.Errorf("more than one line: %q", l.text())
		}
	})
}

// FuzzSeals reads lines as seals, and writes those that are sound again.
func FuzzSeals(f *testing.F) {
	sound, err := seal.Make("26-3", 7, 0.25, 0.01, []seal.Mistake{{Answer: 0.5, Word: "half"}}, []string{"think"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sound.String())
	f.Add("26-3 0 1f AA")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := seal.Parse(text)
		if err != nil {
			return
		}
		again, err := seal.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("%q becomes %q, %v", text, s, err)
		}
	})
}

// FuzzFail puts texts into a chain, its step and its error.
func FuzzFail(f *testing.F) {
	f.Fuzz(func(t *testing.T, name, step, message, remedy string, number float64) {
		chain := fault.Start(name, number).Step(step, message, remedy, []string{message}).Break(fault.Argument("F", message, step, name, remedy))
		var html, text string
		fuzztest.Bounded(
			t,
			4*(len(name)+len(step)+len(message)+len(remedy)),
			fuzztest.Allowance,
			func() { html, text = blockHTML(chain.Err(), step), blockText(chain.Err(), step) },
		)
		if err := fuzztest.Markup(html, "div", "span", "b", "pre", "table", "tbody", "tr", "th", "td"); err != nil {
			t.Errorf("%v: %s", err, html)
		}
		oneLine(t, text)
		plain := errors.New(message)
		if err := fuzztest.Markup(blockHTML(plain, ""), "div", "span"); err != nil {
			t.Errorf("%v: %s", err, blockHTML(plain, ""))
		}
	})
}

// FuzzKeep reads files of the store: bytes as they are, and bytes as the body of an entry whose header and checksum are right.
func FuzzKeep(f *testing.F) {
	type inside struct {
		Name    string
		Numbers [][]float64
		Next    *inside
		Places  map[string]int
	}
	type boxed struct{ Value inside }
	s := store{f.TempDir(), ".keep", 1 << 20}
	h := header{Format: keepFormat, Library: Version, Plan: "F()", Data: 7, Type: "T"}
	if err := s.save(h, &boxed{inside{"a", [][]float64{{1, 2}, {3}}, &inside{Name: "b"}, map[string]int{"x": 1}}}); err != nil {
		f.Fatal(err)
	}
	path := s.path(h)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, false)
	f.Add(whole[:len(whole)-1], false)
	var body bytes.Buffer
	gob.NewEncoder(&body).Encode(boxed{inside{"a", [][]float64{{1, 2}, {3}}, nil, map[string]int{"x": 1}}})
	f.Add(body.Bytes(), true)
	f.Add(body.Bytes()[:body.Len()/2], true)
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		file := data
		if sealed {
			sum := sumOf(data)
			sealedHeader := h
			sealedHeader.Size, sealedHeader.SumHi, sealedHeader.SumLo = len(data), sum.hi, sum.lo
			var b bytes.Buffer
			b.WriteString(keepMagic)
			if err := gob.NewEncoder(&b).Encode(sealedHeader); err != nil {
				t.Fatal(err)
			}
			b.Write(data)
			file = b.Bytes()
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		var got, again boxed
		found := false
		fuzztest.Bounded(t, len(file), fuzztest.Gob, func() { found = s.load(h, &got) })
		if !found {
			return
		}
		if err := s.save(h, &got); err != nil {
			t.Fatal(err)
		}
		if !s.load(h, &again) {
			t.Fatal("what was kept is not found")
		}
		var a, b bytes.Buffer
		gob.NewEncoder(&a).Encode(got)
		gob.NewEncoder(&b).Encode(again)
		if len(got.Value.Places) < 2 && !bytes.Equal(a.Bytes(), b.Bytes()) { // a map has no order
			t.Fatalf("%v became %v", got, again)
		}
	})
}

// FuzzSuggest looks for a word among others.
func FuzzSuggest(f *testing.F) {
	f.Fuzz(func(t *testing.T, word, a, b string) {
		var s string
		fuzztest.Bounded(t, 4*(len(word)+len(a)+len(b)), fuzztest.Allowance, func() { s = Suggest(word, []string{a, b}) })
		if s != "" && s != "did you mean "+strconv.Quote(a)+"?" && s != "did you mean "+strconv.Quote(b)+"?" {
			t.Errorf("neither %q nor %q: %s", a, b, s)
		}
	})
}
