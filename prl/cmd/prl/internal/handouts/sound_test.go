package handouts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	prlcell "github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
)

// A sound of the library passes the cleaner as it is; other sources of sound, and sound that starts by itself, do not.
func TestSoundsPass(t *testing.T) {
	block := prlcell.Capture(prlcell.NewSound([]float64{0, 1, 0, -1}, 8000).Name("a tone").Show).HTML()
	kept := clean.HTML(block)
	for _, part := range []string{`<audio controls`, `src="data:audio/wav;base64,UklGR`, "a tone"} {
		if !strings.Contains(kept, part) {
			t.Errorf("%s is missing in %s", part, kept)
		}
	}
	if !strings.Contains(screenPolicy(nil, ""), "media-src data:;") {
		t.Error("the page's policy lets no sound play")
	}
	for _, bad := range []string{
		`<audio src="https://example.org/a.wav"></audio>`, `<audio src="a.wav"></audio>`, `<audio src="data:text/html;base64,AAAA"></audio>`,
		`<audio src="data:audio/wav;base64,AAAA,https://example.org"></audio>`, `<img src="data:audio/wav;base64,AAAA">`,
		`<video src="data:audio/wav;base64,AAAA"></video>`,
	} {
		if kept := clean.HTML(bad); strings.Contains(kept, "src") {
			t.Errorf("%s becomes %s", bad, kept)
		}
	}
	if kept := clean.HTML(`<audio autoplay onplay="x()" src="data:audio/wav;base64,AAAA" loop></audio>`); strings.Contains(kept, "play=") ||
		strings.Contains(kept, "autoplay") || strings.Contains(kept, "loop") {
		t.Errorf("a sound starts by itself: %s", kept)
	}
}

// In a browser, under the page's own policy, the sound can be played; without media-src it could not.
func TestSoundLoads(t *testing.T) {
	press := testPress(t)
	samples := make([]float64, 800)
	for i := range samples {
		samples[i] = float64(i % 20)
	}
	block := clean.HTML(prlcell.Capture(prlcell.NewSound(samples, 8000).Show).HTML())
	policy := screenPolicy(nil, "")
	for policy, want := range map[string]string{policy: "0.1", strings.Replace(policy, "media-src data:; ", "", 1): "refused"} {
		file := filepath.Join(t.TempDir(), "page.html")
		page := `<!doctype html><meta http-equiv="Content-Security-Policy" content="` + policy + `"><title>x</title>` + block
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		v := openPage(t, press, file, true, 600, 400)
		got := ask[string](v, `new Promise(done => { const a = document.querySelector("audio"); `+
			`a.onloadedmetadata = () => done(a.duration.toFixed(1)); `+
			`a.onerror = () => done("refused"); a.preload = "auto"; a.load(); })`)
		if got != want {
			t.Errorf("under %q the sound lasts %q, want %q", policy, got, want)
		}
	}
}
