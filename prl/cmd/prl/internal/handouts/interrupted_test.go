package handouts

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A call that fails in the middle leaves no archive of which a later call, which finds nothing to make, would believe that it is up to
// date.
func TestArchiveAfterAFailure(t *testing.T) {
	l, paths := lab(t)
	out := t.TempDir()
	o := Options{Slides: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, paths[:2], o); err != nil {
		t.Fatal(err)
	}
	spoilt := filepath.Join(out, (&chapter{Path: paths[1]}).slidesName())
	if err := errors.Join(os.Remove(spoilt), os.Mkdir(spoilt, 0o755)); err != nil {
		t.Fatal(err)
	}
	o.Course.Title = "Another title"
	if err := Build(t.Context(), l, paths[:2], o); err == nil || !strings.Contains(err.Error(), spoilt+" cannot be written") {
		t.Errorf("the second call: %v", err)
	}
	if err := Build(t.Context(), l, paths[:1], o); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(out, archiveName))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	name := (&chapter{Path: paths[0]}).slidesName()
	file, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(packed) != string(want) ||
		!strings.Contains(string(packed), "Another title") {
		t.Errorf("the archive does not hold the slides that are beside it (%v)", err)
	}
}

// A notebook that is saved while it is converted is not kept under the key of its former text.
func TestCacheOfANotebookSavedMeanwhile(t *testing.T) {
	cache := t.TempDir()
	for now, kept := range map[string]bool{"before": true, "after": false} {
		all := []*chapter{{Path: "a.ipynb", Key: "before"}}
		c := &chapter{Path: "a.ipynb", Cells: []cell{{HTML: "<p>text</p>"}}}
		if err := finish(c, all, mustRenderer(t), cache, func(string) (string, error) { return now, nil }); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(cache, "a.json")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) == kept {
			t.Errorf("the key is %q now, kept: %v, want %v", now, !kept, kept)
		}
		os.Remove(file)
	}
}
