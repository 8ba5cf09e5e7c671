package handouts

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// measure asks each live figure of a page for drafts and for whole pictures, one after the other, and leaves the milliseconds of each:
// what the program took, what the painting took, and all from the wish to the picture.
const measure = `(async () => {
	const wait = (ms) => new Promise((done) => setTimeout(done, ms)), result = [];
	for (const img of document.querySelectorAll('[data-prl-live]')) {
		for (let i = 0; i < 600 && !img.closest('.prl-host'); i++) await wait(50);
		let l;
		img.closest('.prl-live').scrollIntoView({block: 'center'});
		for (let i = 0; i < 600 && !(l && l.times.length); i++) { await wait(50); l = ([...PrlPlot.live].find((f) => f.img === img) || ` +
	`{}).moves; }
		if (!l || !l.times.length) { result.push({cell: img.getAttribute('data-prl-live'), drafts: [], wholes: []}); continue; }
		await wait(400);
		const ask = async (draft) => {
			l.times.length = 0;
			l.wish(draft);
			clearTimeout(l.resting);
			for (let i = 0; i < 3000 && !l.times.length; i++) await wait(4);
			const t = l.times[0] || {step: NaN, paint: NaN, whole: NaN};
			return [t.step, t.paint, t.step + t.paint];
		};
		const drafts = [], wholes = [];
		for (let i = 0; i < 15; i++) drafts.push(await ask(true));
		for (let i = 0; i < 5; i++) wholes.push(await ask(false));
		result.push({cell: l.cell + (l.n ? '.' + l.n : ''), drafts, wholes});
	}
	return result;
})()`

// TestLatency prints what every instrument of the pages in the folder PRL_PAGES takes, in milliseconds. A machine with other work is
// slower by as much as it has of that, so the least of the times stands beside the median, and a test cannot judge them.
func TestLatency(t *testing.T) {
	folder := os.Getenv("PRL_PAGES")
	if folder == "" {
		t.Skip("PRL_PAGES names no folder of handouts")
	}
	pages, err := filepath.Glob(filepath.Join(folder, "[0-9]*.html"))
	if err != nil {
		t.Fatal(err)
	}
	press := testPress(t)
	type figure struct {
		Cell           string
		Drafts, Wholes [][3]float64
	}
	t.Logf("%-16s %-20s %-28s %s", "", "", "draft: program + paint", "whole: program + paint")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "data-prl-live=") {
			continue
		}
		v := openPage(t, press, page, true, 1000, 900)
		v.until(`window.PrlPlot`)
		for _, f := range ask[[]figure](v, measure) {
			if len(f.Drafts) == 0 {
				t.Errorf("%s: a figure does not compute: %s", filepath.Base(page), f.Cell)
				continue
			}
			d, w := f.Drafts, f.Wholes
			t.Logf("%-16.16s %-20s %5.1f + %4.1f, least %5.1f     %5.1f + %4.1f, least %5.1f", filepath.Base(page), f.Cell,
				median(d, 0), median(d, 1), least(d, 2), median(w, 0), median(w, 1), least(w, 2))
		}
	}
}

// median and least are those of one of the three times.
func median(times [][3]float64, k int) float64 { return sorted(times, k)[len(times)/2][k] }
func least(times [][3]float64, k int) float64  { return sorted(times, k)[0][k] }

func sorted(times [][3]float64, k int) [][3]float64 {
	return slices.SortedFunc(slices.Values(times), func(a, b [3]float64) int { return cmp.Compare(a[k], b[k]) })
}
