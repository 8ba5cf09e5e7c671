package handouts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe asks axe-core, which testdata/axe holds, for what keeps people from reading a page: the findings that it calls serious or critical.
const axe = `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact == "serious" || v.impact == "critical").map(v =>
	v.impact + ": " + v.id + ", " + v.nodes.length + " times, first " + v.nodes[0].target.join(" ") + ": " + ((v.nodes[0].any[0] || {}).message || v.help)))`

func openWithAxe(t *testing.T, press *printer, file, theme string) *visit {
	t.Helper()
	program, err := os.ReadFile(filepath.Join("testdata", "axe", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	v := openPage(t, press, file, true, 1280, 900)
	scheme := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}
	v.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: scheme}))
	v.do(chromedp.Reload())
	v.until(`document.readyState == "complete"`)
	ask[bool](v, string(program)+"; true")
	return v
}

// testAccess wants a page without a serious finding of axe-core, light and dark. Pages with live figures are not for it: they are built
// anew while they wake, which axe-core does not stand.
func testAccess(t *testing.T, press *printer, file string) {
	t.Helper()
	for _, theme := range []string{"light", "dark"} {
		for _, fault := range ask[[]string](openWithAxe(t, press, file, theme), axe) {
			t.Errorf("%s, %s: %s", filepath.Base(file), theme, fault)
		}
	}
}

// A page that axe-core must find fault with shows that testAccess can fail.
func TestAccessFindsFaults(t *testing.T) {
	l, _ := lab(t)
	file := filepath.Join(t.TempDir(), "pale.html")
	const pale = `<!doctype html><html lang=en><title>Pale</title><main><h1>Pale</h1><p style="color:#aaa;background:#fff">Words in pale grey</p></main>`
	if err := os.WriteFile(file, []byte(pale), 0o600); err != nil {
		t.Fatal(err)
	}
	v := openWithAxe(t, testPress(t, l), file, "light")
	if got := ask[[]string](v, axe); len(got) != 1 || !strings.HasPrefix(got[0], "serious: color-contrast, ") {
		t.Errorf("pale words: %q", got)
	}
}
