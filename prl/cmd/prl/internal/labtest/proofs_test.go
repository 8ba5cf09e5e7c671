//go:build unix

package labtest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestProofsAreReadable measures the contrast of the numbers and of the id of a proof, of a notebook that is not trusted, as it is kept,
// and of one whose cell has been run, in the light theme and in the dark one.
func TestProofsAreReadable(t *testing.T) {
	s := start(t)
	s.notebook("proofs.ipynb", true,
		"import \"github.com/prlab/prlab/prl\"\n%%\nprl.Check(\"sum-1\", \"the sum is right\").AtMost(0.25, 0.5)")
	p := s.open("proofs.ipynb")
	p.until(`document.querySelector('.jp-OutputArea .prl-proofs')`)
	const contrasts = `(() => {
		const parsed = (c) => { const n = c.match(/[\d.]+/g).map(Number); return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1] };
		const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 });
			return 0.2126 * r + 0.7152 * g + 0.0722 * b };
		const all = {};
		document.querySelectorAll('.jp-OutputArea .prl-proofs').forEach((d) => { d.open = true;
			[...d.querySelectorAll('div > span')].filter((e) => e.textContent.length > 1).forEach((e) => { // not the sign
				let [r, g, b, alpha] = parsed(getComputedStyle(e).color), behind = null;
				for (let up = e; up; up = up.parentElement) {
					const style = getComputedStyle(up), back = parsed(style.backgroundColor);
					alpha *= Number(style.opacity);
					if (!behind && back[3] === 1) behind = back.slice(0, 3);
				}
				const seen = [r, g, b].map((v, i) => alpha * v + (1 - alpha) * behind[i]);
				const [low, high] = [light(seen), light(behind)].sort((a, b) => a - b);
				all[e.textContent] = (high + 0.05) / (low + 0.05);
			}) });
		return all })()`
	measure := func(when string) {
		t.Helper()
		all := eval[map[string]float64](p, contrasts)
		if len(all) != 2 || all["sum-1"] == 0 {
			t.Errorf("%s: measured %v, want the numbers and the id of the proof", when, all)
		}
		for text, contrast := range all {
			if t.Logf("%s: %q has the contrast %.2f", when, text, contrast); contrast < 4.5 {
				t.Errorf("%s: %q has the contrast %.2f, less than 4.5", when, text, contrast)
			}
		}
	}
	theme := func(scheme, isLight string) { // the lab follows the system
		p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		}))
		p.until(`document.body.dataset.jpThemeLight === '` + isLight + `'`)
	}
	for _, when := range []string{"as it is kept", "run"} {
		if when == "run" {
			p.run(0)
			p.until("jupyterapp.shell.currentWidget.content.widgets[0].model.trusted")
			p.idle()
		}
		theme("light", "true")
		measure(when + ", light")
		theme("dark", "false")
		measure(when + ", dark")
	}
}
