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
