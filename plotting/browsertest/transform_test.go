package browsertest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/prlab/prlab/plotting"
)

// shown is what slides, presentations and readers do to a page: a part of it is larger, smaller or turned.
var shown = []struct{ name, style string }{
	{"half", "transform: scale(0.5)"},
	{"large", "transform: scale(1.7)"},
	{"moved", "transform: translate(60px, 35px) scale(0.8)"},
	{"flat", "transform: scale(1.3, 0.7)"},
	{"turned", "transform: translate(200px, 20px) rotate(20deg) scale(0.9)"},
	{"zoomed in", "zoom: 1.6"},
	{"zoomed out", "zoom: 0.6"},
	{"zoomed and scaled", "zoom: 1.5; transform: scale(0.5)"},
}

// openShown opens a figure in a box that stands as style says. On the page, screenOf tells where a place of the figure's stage is on the
// screen: it follows the style and the places of the boxes in one another, not what the runtime measures.
func openShown(t *testing.T, style string, f *plotting.Figure) *tab {
	t.Helper()
	p := open(t, `<!DOCTYPE html><body style="margin: 0; background: #fff"><div style="position: absolute; left: 20px; top: 10px">
		<div id=shown style="position: relative; display: flow-root; width: 700px; transform-origin: 0 0; `+style+`">`+element(t,
		f)+`</div></div>`+plotting.RuntimeHTML()+`</body>`, 1300, 1100)
	p.alive(1)
	p.do(run(`window.figure = [...PrlPlot.live][0];
		window.screenOf = (x, y) => {
			const box = document.getElementById('shown'), style = getComputedStyle(box), zoom = +style.zoom;
			for (let n = figure.stage; n !== box; n = n.offsetParent) { x += n.offsetLeft; y += n.offsetTop; }
			const q = new DOMMatrix(style.transform === 'none' ? '' : style.transform).transformPoint(new DOMPoint(zoom * x, zoom * y));
			return [20 + q.x, 10 + q.y];
		}`))
	return p
}

func TestPointingOnScaledPages(t *testing.T) {
	for _, s := range shown {
		t.Run(s.name, func(t *testing.T) {
			p := openShown(t, s.style, scatter())
			if off := eval[float64](p, `(() => { let most = 0;
				for (const [x, y] of [[0, 0], [1, 0], [0, 1], [1, 1], [0.3, 0.6]].map(([a, b]) => [a * figure.width, b * figure.stage.offsetHeight])) {
					const [clientX, clientY] = screenOf(x, y), [u, v] = figure.point({ clientX, clientY });
					most = Math.max(most, Math.hypot(u - x, v - y));
				}
				return most })()`); off > 1 {
				t.Errorf("a place on the screen is taken to be %.2f px from where it is in the figure", off)
			}

			// Every flower that stands apart from the others is the one that the pointer finds.
			type flower struct {
				Index int
				At    []float64
			}
			flowers := eval[[]flower](
				p,
				`(() => { const m = figure.marks().find(e => e.m.k === 'symbols').m, at = i => figure.views[0].place(m.xy[2 * i], `+
					`m.xy[2 * i + 1]), all = [];
				for (let i = 0; i < m.n; i++) { const [x, y] = at(i);
					if (Array.from({ length: m.n }, (_, k) => k).every(k => k === i || Math.hypot(at(k)[0] - x, at(k)[1] - y) > 8)) all.push({ Index: `+
					`i, At: screenOf(x, y) }); }
				return all })()`,
			)
			if len(flowers) < 5 {
				t.Fatalf("only %d flowers stand apart", len(flowers))
			}
			for _, f := range flowers[:5] {
				p.do(mouse(input.DispatchMouseEventTypeMouseMoved, f.At[0], f.At[1], 0, false))
				p.until(fmt.Sprintf(`!figure.tip.hidden && figure.hit && figure.hit.m.k === 'symbols' && figure.hit.i === %d`, f.Index))
			}
			if gap := eval[float64](p, `(() => { const r = figure.tip.getBoundingClientRect(), [x, y] = screenOf(figure.hit.x, figure.hit.y);
				return Math.hypot(Math.max(r.left - x, x - r.right, 0), Math.max(r.top - y, y - r.bottom, 0)) })()`); gap > 40 {
				t.Errorf("the tooltip stands %.0f px from the point it tells of", gap)
			}

			// A box dragged over the plot selects what is inside it.
			drag := func(x0, y0, x1, y1 float64) {
				t.Helper()
				r := eval[[]float64](
					p,
					fmt.Sprintf(
						`(() => { const r = figure.cells[0].rect; return [...screenOf(r.x + %g * r.width, r.y + %g * r.height), ...screenOf(r.x + %g * `+
							`r.width, r.y + %g * r.height)] })()`,
						x0,
						y0,
						x1,
						y1,
					),
				)
				const move, press, release = input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMousePressed,
					input.DispatchMouseEventTypeMouseReleased
				p.do(mouse(move, r[0], r[1], 0, false), mouse(press, r[0], r[1], 0, true), mouse(move, (r[0]+r[2])/2, (r[1]+r[3])/2, 0, true),
					mouse(move, r[2], r[3], 0, true), mouse(release, r[2], r[3], 0, true))
			}
			p.do(run(`figure.brushButton.click()`))
			drag(0.01, 0.6, 0.35, 0.99)
			const rows = `[...figure.group.selected].sort((a, b) => a - b)`
			got := eval[[]int](p, rows)
			want := eval[[]int](
				p,
				`(() => { const r = figure.cells[0].rect; return [...figure.rowsIn(figure.cells[0], [r.x + 0.01 * r.width, r.x + 0.35 * r.width], `+
					`[r.y + 0.6 * r.height, r.y + 0.99 * r.height])].sort((a, b) => a - b) })()`,
			)
			if !slices.Equal(got, want) || len(got) < 20 {
				t.Errorf("the brush selects %d rows %v, inside its box stand %d: %v", len(got), got, len(want), want)
			}
			p.do(run(`figure.brushButton.click()`))
			home := eval[[]float64](p, domain)
			drag(0.25, 0.25, 0.75, 0.75)
			d := eval[[]float64](p, domain)
			for k, at := range []float64{0.25, 0.75} {
				if x := (d[k] - home[0]) / (home[1] - home[0]); math.Abs(x-at) > 0.01 {
					t.Errorf("a box from %g of the width zooms to %.3f", at, x)
				}
				if y := (d[2+k] - home[2]) / (home[3] - home[2]); math.Abs(y-at) > 0.01 {
					t.Errorf("a box from %g of the height zooms to %.3f", at, y)
				}
			}
		})
	}
}

// savedPNG presses the button and reads the file.
func savedPNG(t *testing.T, p *tab) image.Image {
	t.Helper()
	text := eval[string](
		p,
		`new Promise(done => { figure.save = (blob) => { const r = new FileReader(); r.onload = () => done(r.result.split(',')[1]); `+
			`r.readAsDataURL(blob) };
		[...document.querySelectorAll('.prl-tools button')].find(b => b.textContent === 'PNG').click() })`,
	)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// The file that a figure is saved to does not depend on how the page shows it. A transform changes no pixel; under zoom the browser breaks
// the layout at other fractions of a pixel, so that the chart may be a pixel higher or lower: each flower and the words stand there all the
// same.
func TestSavingOnScaledPages(t *testing.T) {
	const flowers = `(() => { const m = figure.marks().find(e => e.m.k === 'symbols').m, out = [];
		for (let i = 0; i < m.n; i++) { const [x, y] = figure.views[0].place(m.xy[2 * i], m.xy[2 * i + 1]); ` +
		`out.push([Math.round(2 * (figure.stage.offsetLeft + x)), Math.round(2 * (figure.stage.offsetTop + y))]); }
		return out })()`
	for _, f := range []struct {
		name   string
		figure *plotting.Figure
		pages  []int
	}{{"scatter", scatter(), []int{0, 1, 3, 4, 5, 6}}, {"panels", panels(), []int{1, 7}}, {"frames", em(), []int{2}}} {
		rest := openShown(t, "", f.figure)
		plain, places := savedPNG(t, rest), eval[[][2]int](rest, flowers)
		head := eval[int](rest, `2 * figure.stage.offsetTop`)
		for _, k := range f.pages {
			s := shown[k]
			t.Run(f.name+" "+s.name, func(t *testing.T) {
				p := openShown(t, s.style, f.figure)
				got := savedPNG(t, p)
				// The file has no controls, and the room that they have above the chart is closed.
				box := eval[[]int](p, `[figure.box.clientWidth, figure.foot.offsetTop + figure.foot.offsetHeight + 8 - `+
					`(figure.stage.offsetTop - figure.head.offsetTop - figure.head.offsetHeight)]`)
				if size := got.Bounds().Size(); size != image.Pt(2*box[0], 2*box[1]) {
					t.Fatalf("the file is %v, the figure %v", size, box)
				}
				other := 0
				if !strings.Contains(s.style, "zoom") {
					if got.Bounds() != plain.Bounds() {
						t.Fatalf("the file is %v, that of a page at rest %v", got.Bounds(), plain.Bounds())
					}
					for y := range got.Bounds().Dy() {
						for x := range got.Bounds().Dx() {
							if differ(got.At(x, y), plain.At(x, y)) {
								other++
							}
						}
					}
					if other > 0 {
						t.Errorf("%d pixels differ from those of a page at rest", other)
					}
					return
				}
				if d := got.Bounds().Size().Sub(plain.Bounds().Size()); d.X != 0 || max(d.Y, -d.Y) > 6 {
					t.Errorf("the file is %v, that of a page at rest %v", got.Bounds().Size(), plain.Bounds().Size())
				}
				for i, at := range eval[[][2]int](p, flowers) {
					if differ(got.At(at[0], at[1]), plain.At(places[i][0], places[i][1])) {
						other++
					}
				}
				if other > len(places)/10 { // a flower may lie at the edge of another
					t.Errorf("%d of %d flowers are not where they were", other, len(places))
				}
				if a, b := ink(got, head), ink(plain, head); float64(max(a, b)-min(a, b)) > 0.1*float64(b) {
					t.Errorf("the head of the file has %d dark pixels, that of a page at rest %d", a, b)
				}
			})
		}
	}
}

// differ says whether two colours are further apart than the smoothing of letters makes them.
func differ(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r0, g0, bl0, _ := b.RGBA()
	apart := func(a, b uint32) uint32 { return max(a, b) - min(a, b) }
	return max(apart(r, r0), apart(g, g0), apart(bl, bl0)) > 0x6000
}

// ink counts the dark pixels of the first rows.
func ink(picture image.Image, rows int) int {
	n := 0
	for y := range rows {
		for x := range picture.Bounds().Dx() {
			if differ(picture.At(x, y), color.White) {
				n++
			}
		}
	}
	return n
}
