package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func tempStore(t *testing.T) store {
	t.Helper()
	return store{shared: t.TempDir(), own: t.TempDir(), now: time.Now, limit: ownLimit}
}

func id(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func TestPutGoesToTheOwnFolderAndGetFindsBoth(t *testing.T) {
	s := tempStore(t)
	if _, found := s.get(id(1)); found {
		t.Fatal("found in an empty cache")
	}
	shared := s
	shared.own = s.shared
	if _, err := shared.put(id(1), id(2), []byte("shared")); err != nil {
		t.Fatal(err)
	}
	path, err := s.put(id(3), id(4), []byte("own"))
	if err != nil || !strings.HasPrefix(path, s.own) {
		t.Fatalf("put: %q, %v", path, err)
	}
	for action, want := range map[byte]string{1: "shared", 3: "own"} {
		e, found := s.get(id(action))
		text, err := os.ReadFile(e.path)
		if !found || err != nil || string(text) != want || e.size != int64(len(want)) {
			t.Errorf("action %d: %q, %v, %v; want %q", action, text, found, err, want)
		}
	}
}

func TestDamagedEntryCountsAsMissing(t *testing.T) {
	s := tempStore(t)
	path, err := s.put(id(1), id(2), []byte("whole"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("ha"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, found := s.get(id(1)); found {
		t.Error("an output of the wrong size was found")
	}
	for _, text := range []string{"", "v1", "v1 x y 1 2", "v2 a b c d"} {
		if err := os.WriteFile(file(s.own, id(1), "a"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, found := s.get(id(1)); found {
			t.Errorf("the entry %q was found", text)
		}
	}
}

func TestTrimKeepsTheLimitAndWhatIsInUse(t *testing.T) {
	s := tempStore(t)
	s.limit = 3000
	body := make([]byte, 1000)
	for i := range byte(6) {
		path, err := s.put(id(2*i), id(2*i+1), body)
		if err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-time.Duration(6-i) * time.Hour)
		for _, name := range []string{path, file(s.own, id(2*i), "a")} {
			if err := os.Chtimes(name, used, used); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.trim()
	if _, found := s.get(id(0)); found {
		t.Error("the oldest entry is still there")
	}
	if _, found := s.get(id(10)); !found {
		t.Error("the newest entry is gone")
	}
	s.limit = 0
	s.trim()
	if _, found := s.get(id(10)); !found {
		t.Error("trimmed twice within the hour")
	}
}

// TestGoBuildsThroughTheCache lets go build a program by an ordinary cache, makes that the shared one, and builds again through prl-cache.
func TestGoBuildsThroughTheCache(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "prl-cache")
	run := func(env []string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(env, "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=")...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	run(nil, "-C", here, "build", "-o", program, ".")
	for name, text := range map[string]string{
		"go.mod":  "module example.test/cell\n\ngo 1.26\n",
		"main.go": "package main\n\nimport \"unicode/utf16\"\n\nfunc main() { println(len(utf16.Encode([]rune(\"a\")))) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shared, own := filepath.Join(dir, "shared"), filepath.Join(dir, "own")
	run([]string{"GOCACHE=" + shared}, "build", "-o", "cell", ".")
	through := []string{"GOCACHE=" + own, "GOCACHEPROG=" + program + " " + shared}
	if built := run(through, "build", "-v", "-o", "cell", "."); strings.Contains(built, "utf16") {
		t.Errorf("a package of the shared cache was compiled again:\n%s", built)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { println(2) }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if built := run(through, "build", "-v", "-o", "cell", "."); !strings.Contains(built, "example.test/cell") {
		t.Errorf("the changed program was not compiled:\n%s", built)
	}
	if built := run(through, "build", "-v", "-o", "cell", "."); strings.Contains(built, "example.test/cell") {
		t.Errorf("the program was compiled again although the own cache has it:\n%s", built)
	}
}
