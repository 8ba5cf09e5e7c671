package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = `{"cells":[{"cell_type":"code","id":"a","metadata":{"tags":[]},"source":"SOURCE","outputs":[],"execution_count":null},` +
	`{"cell_type":"code","id":"b","metadata":{"tags":["solution"]},"source":"the answer","outputs":[],"execution_count":null}],` +
	`"metadata":{},"nbformat":4,"nbformat_minor":5}`

// TestTerm is what the notebooks of a student's volume go through: the image is built without solutions, the volume filled, a correction
// comes, and a chapter is begun again.
func TestTerm(t *testing.T) {
	originals, volume := t.TempDir(), t.TempDir()
	image := func(source string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(originals, "01-a.ipynb"), []byte(strings.Replace(page, "SOURCE", source, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"strip", originals}, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	own := func(name string) string { text, _ := os.ReadFile(filepath.Join(volume, name)); return string(text) }
	image("first")
	text, err := os.ReadFile(filepath.Join(originals, "01-a.ipynb"))
	if err != nil || strings.Contains(string(text), "answer") || !strings.Contains(string(text), "first") {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := os.WriteFile(filepath.Join(volume, "01-a.ipynb"), text, 0o644); err != nil { // as the entry point fills it
		t.Fatal(err)
	}
	if err := run(nil, originals, volume); err != nil || own(news) != "" {
		t.Errorf("%v, news %q", err, own(news))
	}
	mine := strings.Replace(string(text), "first", "my work", 1)
	if err := os.WriteFile(filepath.Join(volume, "01-a.ipynb"), []byte(mine), 0o644); err != nil {
		t.Fatal(err)
	}
	image("corrected")
	if err := run(nil, originals, volume); err != nil {
		t.Fatal(err)
	}
	if now := own("01-a.ipynb"); !strings.Contains(now, "my work") || !strings.Contains(now, "corrected") {
		t.Errorf("after the correction: %s", now)
	}
	if !strings.Contains(own(news), "New versions with your cells in them: 01-a.") {
		t.Errorf("news: %q", own(news))
	}
	if err := run([]string{"reset", "01"}, originals, volume); err != nil || strings.Contains(own("01-a.ipynb"), "my work") {
		t.Errorf("%v\n%s", err, own("01-a.ipynb"))
	}
	for _, wrong := range [][]string{{"reset"}, {"reset", "07"}, {"rest", "01"}, {"strip"}} {
		if err := run(wrong, originals, volume); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}
