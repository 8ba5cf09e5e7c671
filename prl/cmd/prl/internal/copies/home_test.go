package copies

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func put(t *testing.T, folder string, all map[string]string) {
	t.Helper()
	for name, text := range all {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHome gives each clone a folder in the home, the same at each start, and the folder of a clone that is gone to the next.
func TestHome(t *testing.T) {
	home, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	want := func(clone, name string) {
		t.Helper()
		got, err := Home(clone)
		if err != nil || got != filepath.Join(home, name) {
			t.Errorf("%s, %v; want %s", got, err, name)
		}
	}
	want(first, "prlab-notebooks")
	want(second, "prlab-notebooks-2")
	want(first, "prlab-notebooks")
	put(t, filepath.Join(home, "prlab-notebooks"), map[string]string{"mine.ipynb": "a term"})
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	want(t.TempDir(), "prlab-notebooks")
	if got := files(t, filepath.Join(home, "prlab-notebooks"))["mine.ipynb"]; got != "a term" {
		t.Errorf("the notebook is %q", got)
	}
	t.Setenv("HOME", filepath.Join(home, "missing"))
	if _, err := Home(second); err == nil || !strings.Contains(err.Error(), "--folder") {
		t.Error(err)
	}
}

// TestTakeOver takes a term's work out of .prl, whatever lies at the new place, and loses none of it when it is interrupted.
func TestTakeOver(t *testing.T) {
	old, folder := filepath.Join(t.TempDir(), "notebooks"), t.TempDir()
	work := map[string]string{
		"01-a.ipynb": "solved", "mine/贝叶斯.ipynb": "own", ".chapters/01-a.ipynb": "as it came", "data.csv": "1,2", "empty": "",
	}
	put(t, old, work)
	when := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(old, "01-a.ipynb"), when, when); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("01-a.ipynb", filepath.Join(old, "link.ipynb")); err != nil {
		t.Fatal(err)
	}
	put(t, folder, map[string]string{"01-a.ipynb": "another", "data.csv": "1,2"})
	// A disk that is full in the middle: a folder stands where a file has to be.
	blocked := filepath.Join(folder, "mine")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := TakeOver(old, folder); err == nil || !strings.Contains(err.Error(), "stay there") {
		t.Fatalf("%v", err)
	}
	if got := files(t, old); len(got) != len(work)+1 || got["mine/贝叶斯.ipynb"] != "own" {
		t.Fatalf("the old folder has %v", got)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	if _, err := TakeOver(old, folder); err != nil {
		t.Fatal(err)
	}
	got := files(t, folder)
	for name, text := range map[string]string{
		"01-a.ipynb": "another", "01-a (2).ipynb": "solved", "mine/贝叶斯.ipynb": "own", ".chapters/01-a.ipynb": "as it came",
		"data.csv": "1,2", "empty": "", "link.ipynb": "another",
	} {
		if there, is := got[name]; !is || there != text {
			t.Errorf("%s is %q", name, there)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d files: %v", len(got), got)
	}
	if info, err := os.Stat(filepath.Join(folder, "01-a (2).ipynb")); err != nil || !info.ModTime().Equal(when) {
		t.Errorf("the time of a file is another: %v", err)
	}
	if aside := files(t, old+taken); len(aside) != len(work)+1 {
		t.Errorf("the old folder, put aside, has %v", aside)
	}
	if n, err := TakeOver(old, folder); n != 0 || err != nil {
		t.Errorf("it is taken over twice: %d, %v", n, err)
	}
}
