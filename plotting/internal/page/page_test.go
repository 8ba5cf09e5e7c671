package page

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShownOncePerSession(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PRL_RUNTIME", "")
	t.Setenv("GONB_TMP_DIR", dir)
	for _, name := range []string{"figures", "charts"} {
		if Shown(name) {
			t.Errorf("a new session has the script of %s already", name)
		}
		if !Shown(name) {
			t.Errorf("the second picture brings the script of %s again", name)
		}
	}
	t.Setenv("GONB_TMP_DIR", filepath.Join(dir, "gone"))
	if Shown("figures") {
		t.Error("where no note can be kept the script must come with the picture")
	}
	t.Setenv("PRL_RUNTIME", "none")
	if !Shown("figures") || !Off() {
		t.Error("PRL_RUNTIME=none brings the script")
	}
	if names, _ := os.ReadDir(dir); len(names) != 2 {
		t.Errorf("%d notes in the session's directory, want one a script", len(names))
	}
}
