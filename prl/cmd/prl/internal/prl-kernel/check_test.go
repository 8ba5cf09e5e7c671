package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// TestCheck takes one thing after the other away from a set-up and looks for it in the message.
func TestCheck(t *testing.T) {
	root := checkout.Checkout(t.TempDir())
	goRoot := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	getenv := func(name string) string {
		if name == goenv.GoVar {
			return filepath.Join(goRoot, "bin", "go")
		}
		return ""
	}
	complete := func() {
		write(root.Path("go.mod"), "module "+checkout.Module+"\n\ngo 1.26\n")
		write(root.Bin("gonb"), "")
		write(root.Bin("goimports"), "")
		write(root.State("shim", "go"), "")
		write(filepath.Join(goRoot, "bin", "go"), "")
		write(filepath.Join(goRoot, "VERSION"), "go1.26.3\ntime 2026-01-01T00:00:00Z\n")
	}
	complete()
	if program, err := check(root, getenv); err != nil || program != filepath.Join(goRoot, "bin", "go") {
		t.Fatalf("complete: %s, %v", program, err)
	}
	t.Setenv("PATH", t.TempDir())
	for what, c := range map[string]struct {
		spoil func()
		want  string
	}{
		"gonb":      {func() { os.Remove(root.Bin("gonb")) }, "gonb is not built. Mend: go tool prl lab"},
		"goimports": {func() { os.Remove(root.Bin("goimports")) }, "goimports is not built"},
		"shim":      {func() { os.Remove(root.State("shim", "go")) }, "is not complete"},
		"no go":     {func() { os.Remove(filepath.Join(goRoot, "bin", "go")) }, "nor in PATH. Mend: install Go"},
		"old go":    {func() { write(filepath.Join(goRoot, "VERSION"), "go1.24.1\n") }, "is go1.24.1, but the lab needs go1.26 or newer"},
	} {
		complete()
		c.spoil()
		_, err := check(root, getenv)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", what, err, c.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %q", what, err)
		}
	}
}
