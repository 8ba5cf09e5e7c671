package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// TestLines holds lines of Go to 140 characters, a tab being one. What an example prints is a line of its own and may be longer.
func TestLines(t *testing.T) {
	const most = 140
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(string(root), path)
		number, output := 0, false
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimRight(line, "\n")
			comment := strings.HasPrefix(strings.TrimSpace(line), "//")
			output = comment && (output || strings.Contains(line, "// Output:"))
			if n := utf8.RuneCountInString(line); n > most && !output {
				t.Errorf("%s:%d: %d characters, at most %d", name, number, n, most)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const least = 500
	if files < least {
		t.Errorf("only %d files were read", files)
	}
}

// TestTree holds the top level to what has its place there, and the tree to sources: no built program, and nothing larger than a notebook.
func TestTree(t *testing.T) {
	const largest = 1 << 20
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	top := map[string]bool{
		"go.mod": true, "go.sum": true, "README.md": true, "LICENSE": true,
		"prl": true, "notebooks": true, "plotting": true, "datasets": true, "docker": true,
	}
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(string(root), path)
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), name == "handouts", strings.HasSuffix(name, ".test"): // git ignores them
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Dir(name) == "." && !top[name] {
			t.Errorf("%s has no place at the top level", name)
		}
		if d.IsDir() {
			return nil
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		if info.Size() > largest {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		start := make([]byte, 4)
		n, _ := file.Read(start)
		for _, program := range []string{"\x7fELF", "\xfe\xed\xfa\xcf", "\xcf\xfa\xed\xfe", "MZ\x90\x00", "\x00asm"} {
			if string(start[:n]) == program {
				t.Errorf("%s is a built program", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
