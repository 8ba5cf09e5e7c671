//go:build unix

package gopls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// TestBuild builds with a program in the place of go: once, in the module that pins gopls, and nothing stays of a build that fails.
func TestBuild(t *testing.T) {
	root := checkout.Checkout(t.TempDir())
	log := filepath.Join(t.TempDir(), "log")
	for _, dir := range []string{root.Path("notebooks", "kernel"), root.State("bin")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	goes := func(script string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "go")
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho \"$PWD $GOFLAGS $GOGC $*\" >> "+log+"\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOGC", "50")
	if err := Build(t.Context(), root, goes("echo no network; exit 1")); err == nil || !strings.Contains(err.Error(), "no network") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(root.State("bin")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	for range 2 {
		if err := Build(t.Context(), root, goes(`while [ "$1" != -o ]; do shift; done; echo built > "$2"`)); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(Program(root)); err != nil || string(text) != "built\n" {
		t.Errorf("%q, %v", text, err)
	}
	said, _ := os.ReadFile(log)
	if calls := strings.Split(strings.TrimSpace(string(said)), "\n"); len(calls) != 2 ||
		!strings.HasPrefix(calls[1], root.Path("notebooks", "kernel")+" -mod=readonly  build ") || !strings.HasSuffix(calls[1], " "+Package) {
		t.Errorf("go was called so: %q", calls)
	}
}
