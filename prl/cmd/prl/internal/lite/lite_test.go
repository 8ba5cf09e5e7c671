package lite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/cells"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A site replaces the one from before and leaves what else is in the folder, such as Git's; it does not go where other things are.
func TestPlace(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	site := func(files ...string) string {
		folder := t.TempDir()
		for _, name := range files {
			write(t, filepath.Join(folder, name), name)
		}
		return folder
	}
	if err := free(out); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(out, ".git", "HEAD"), "ref")
	if err := free(out); err != nil {
		t.Error(err)
	}
	for _, files := range [][]string{{mark, "build/1.js", ".nojekyll"}, {mark, "build/2.js", ".nojekyll"}} {
		if err := place(site(files...), out); err != nil {
			t.Fatal(err)
		}
		if err := free(out); err != nil {
			t.Error(err)
		}
	}
	s := Site{Folder: out}
	if err := s.measure(); err != nil {
		t.Fatal(err)
	}
	if want := int64(len(mark + "build/2.js" + ".nojekyll")); s.Files != 3 || s.Bytes != want {
		t.Errorf("%d files of %d bytes, want 3 of %d", s.Files, s.Bytes, want)
	}
	if _, err := os.Stat(filepath.Join(out, ".git", "HEAD")); err != nil {
		t.Error(err)
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "thesis.tex"), "mine")
	if err := free(other); err == nil || !strings.Contains(err.Error(), "such as thesis.tex") {
		t.Errorf("a folder of something else: %v", err)
	}
}

// The extension names the toolchain by its hash, and holds no word any more that stands for another.
func TestWriteKernel(t *testing.T) {
	folder := t.TempDir()
	kit := filepath.Join(folder, "kit.js")
	write(t, kit, "abc")
	if err := writeKernel(filepath.Join(folder, "out"), kit, "go1.26.8"); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(folder, "out", "static", "kernel.*.js"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"TOOLCHAIN", "SUM", "KERNEL", "DISPLAY", "GOVERSION", "FIRST"} {
		if strings.Contains(string(text), word) || !strings.Contains(cells.Kernel, word) {
			t.Errorf("%s stands in the extension, or not in its template", word)
		}
	}
	for _, want := range []string{
		playground.FileName + "?ba7816bf8f01cfea", "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "1.26.8", "00-start.ipynb",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the extension does not name %s", want)
		}
	}
}
