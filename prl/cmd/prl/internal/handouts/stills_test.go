package handouts

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
)

// TestFitStills puts figures on paper: whole ones, film strips that are cut between frames of one and of several panels, and what is no
// still of a figure. The pieces of a strip are as high together as the strip.
func TestFitStills(t *testing.T) {
	line := func(k float64) *plotting.Figure {
		return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, k}).Name("slope"))
	}
	stacked := plotting.Grid(1, line(1), line(2))
	slide := plotting.Slide("k", []float64{1, 2, 3, 4, 5, 6}, func(k float64) *plotting.Figure { return line(k).Size(640, 300) })
	four := plotting.Slide("k", []float64{1, 2, 3, 4, 5, 6}, line)
	pairs := plotting.Slide("k", []float64{1, 2, 3}, func(k float64) *plotting.Figure { return plotting.Row(line(k), line(-k)) })
	towers := plotting.Slide("k", []float64{1, 2, 3, 4}, func(k float64) *plotting.Figure {
		return plotting.Grid(2, line(k), line(-k), line(2*k), line(-2*k))
	})
	for name, c := range map[string]struct {
		figure *plotting.Figure
		pieces int
	}{
		"whole": {line(1), 1}, "wide": {line(1).Size(1200, 300), 1}, "tall": {line(1).Size(400, 1600), 1}, "stacked panels": {stacked, 1},
		"six frames in pairs": {slide, 3}, "four frames in pairs": {four, 2}, "frames of two panels": {pairs, 3},
		"frames of two rows": {towers, 4},
	} {
		t.Run(name, func(t *testing.T) {
			shown, err := c.figure.HTML()
			if err != nil {
				t.Fatal(err)
			}
			body := parse(`<div class="display">` + shown + `</div>`)
			still := first(body, tag("img", "prl-figure"))
			alt := attr(still, "alt")
			code, _ := strings.CutPrefix(attr(still, "src"), svgData)
			svg, err := base64.StdEncoding.DecodeString(code)
			if err != nil {
				t.Fatal(err)
			}
			fitStills(body)
			stills := slices.Collect(elements(body, tag("img", "prl-figure")))
			if len(stills) != c.pieces {
				t.Fatalf("%d pieces, want %d", len(stills), c.pieces)
			}
			root := regexp.MustCompile(`<svg [^>]*?height="([\d.]+)" viewBox="0 (\d+) [\d.]+ (\d+)"`)
			whole := root.FindStringSubmatch(string(svg))
			want, _ := strconv.ParseFloat(whole[1], 64)
			total, next := 0.0, 0
			size := stillSize.FindStringSubmatch(string(svg))
			stillWidth, _ := strconv.ParseFloat(size[1], 64)
			for i, s := range stills {
				if got := attr(s, "alt"); i == 0 && got != alt || i > 0 && !regexp.MustCompile(`: k = [2-6]`).MatchString(got) {
					t.Errorf("piece %d is said to be %q", i, got)
				}
				code, _ := strings.CutPrefix(attr(s, "src"), svgData)
				drawing, err := base64.StdEncoding.DecodeString(code)
				if err != nil {
					t.Fatal(err)
				}
				m := root.FindStringSubmatch(string(drawing))
				if m == nil {
					t.Fatalf("piece %d begins with %.90s", i, drawing)
				}
				high, _ := strconv.ParseFloat(m[1], 64)
				top, _ := strconv.Atoi(m[2])
				tall, _ := strconv.Atoi(m[3])
				if top != next {
					t.Errorf("piece %d begins at %d, want %d", i, top, next)
				}
				total, next = total+high, top+tall
				width, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimPrefix(attr(s, "style"), "--width: "), "pt"), 64)
				points := width * high / stillWidth
				if err != nil || width > widest || points > tallest+1 || width < narrowest && points < tallest-1 {
					t.Errorf("the style of a piece is %q", attr(s, "style"))
				}
			}
			if total < want-0.5 || total > want+0.5 || strconv.Itoa(next) != whole[3] {
				t.Errorf("%g pixels and %d units in all, want %g and %s", total, next, want, whole[3])
			}
		})
	}
	const foreign = `<img class="prl-figure" src="data:image/png;base64,AAAA"/><img class="prl-figure" src="data:image/svg+xml;base64,%%%"/>`
	body := parse(foreign)
	fitStills(body)
	if got := inner(body); got != foreign {
		t.Errorf("what is no still became %s", got)
	}
}

// A draft has figures as large as they will be, whole and in pieces, without what is drawn in them. What is no still stays.
func TestEmptyStills(t *testing.T) {
	slide := plotting.Slide("k", []float64{1, 2, 3, 4, 5, 6}, func(k float64) *plotting.Figure {
		return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, k})).Size(640, 300)
	})
	shown, err := slide.HTML()
	if err != nil {
		t.Fatal(err)
	}
	const foreign = `<img src="data:image/png;base64,AAAA"/><img src="data:image/svg+xml;base64,%%%"/>`
	body := parse(shown + foreign)
	fitStills(body)
	page := inner(body)
	empty := emptyStills(page)
	before, after := slices.Collect(elements(body, tag("img", "prl-figure"))), slices.Collect(elements(parse(empty), tag("img", "prl-figure")))
	if len(before) != 3 || len(after) != 3 || !strings.HasSuffix(empty, foreign) {
		t.Fatalf("%d figures became %d on %s", len(before), len(after), empty)
	}
	for i := range before {
		width, high, wide := stillMeasures(before[i])
		gotWidth, gotHigh, gotWide := stillMeasures(after[i])
		if width == 0 || gotWidth != width || gotHigh != high || gotWide != wide {
			t.Errorf("a figure of %g %g %g became one of %g %g %g", width, high, wide, gotWidth, gotHigh, gotWide)
		}
		if n := len(attr(after[i], "src")); n > 500 || n >= len(attr(before[i], "src")) {
			t.Errorf("the drawing is still there, %d bytes", n)
		}
	}
}

// Words that would be under six points on paper get that size, and others stay as they are.
func TestReadable(t *testing.T) {
	const drawn = `<text font-size="105">a</text><text font-size="120">b</text>`
	for scale, want := range map[float64]string{
		0.05465: `<text font-size="109.8">a</text><text font-size="120">b</text>`,
		0.06:    drawn,
		0.048:   `<text font-size="125.0">a</text><text font-size="125.0">b</text>`,
	} {
		if got := readable(drawn, scale); got != want {
			t.Errorf("at %g: got %s, want %s", scale, got, want)
		}
	}
}
