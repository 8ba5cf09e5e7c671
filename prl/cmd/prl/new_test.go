//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
	"github.com/prlab/prlab/prl/notebook/formtest"
)

// TestNewChapterNames writes a chapter under good names and refuses bad ones, and a file that is there.
func TestNewChapterNames(t *testing.T) {
	folder := t.TempDir()
	for name, want := range map[string]string{
		"35-own": "# Own\n", "40-of-bees.ipynb": "# Of bees\n", "07-übung": "# Übung\n",
		"own": "own: a chapter is called by two digits", "3-own": "two digits", "35-": "two digits", "35-a b": "two digits", "": "two digits",
	} {
		path, err := newChapter(folder + "/" + name)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", name, err)
			}
			continue
		}
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(n.Cells[0].Source(), want) {
			t.Errorf("%q: %s", name, n.Cells[0].Source())
		}
		if text, _ := os.ReadFile(path); strings.Contains(string(text), "@") {
			t.Errorf("%q: a blank is not filled", name)
		}
	}
	if _, err := newChapter(filepath.Join(folder, "35-own")); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Error(err)
	}
}

// TestNewChapter makes a chapter in a folder whose name has blanks and a quote: it has the form of the lab's own chapters, a student's copy
// of it has the seal and no answer, and a handout is made of it. A copy that has not been executed is refused, with a command that a shell
// executes as it is printed, and executed when that is asked for.
func TestNewChapter(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	lab := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(&said)}
	if err := lab.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "Bayes' own course")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path, err := newChapter(filepath.Join(folder, "35-own"))
	if err != nil {
		t.Fatal(err)
	}
	if err := finishChapter(t.Context(), lab, path, runOptions{jobs: 1, timeout: defaultTimeout}); err != nil {
		t.Fatal(err, said.String())
	}
	n, err := notebook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	formtest.Check(t, n)
	for what, want := range map[string]int{`data-prl-live=`: 1, `data-prl-outcome=\"passed\"`: 3, `data-prl-exercise=\"35-1\"`: 1} {
		if text, _ := n.Bytes(); strings.Count(string(text), what) != want {
			t.Errorf("%s occurs %d times, want %d", what, strings.Count(string(text), what), want)
		}
	}
	bare := filepath.Join(folder, "36-bare.ipynb")
	unexecuted(t, n, bare)
	n.ForStudents()
	if text, _ := n.Bytes(); strings.Contains(string(text), "0.0668") || !strings.Contains(string(text), "35-1 0.001 ") {
		t.Error("the copy of a student has the answer, or no seal of it")
	}
	out := filepath.Join(folder, "out")
	handOut := func(args ...string) error {
		out, err := exec.CommandContext(t.Context(), "go",
			append([]string{"tool", "prl", "handouts", "--html", "-o", out, path, bare}, args...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w", out, err)
		}
		return nil
	}
	err = handOut()
	if err == nil {
		t.Fatal("a handout of what has not been executed")
	}
	_, remedy, _ := strings.Cut(err.Error(), "has not been executed: go tool prl ")
	remedy, _, _ = strings.Cut(remedy, ", or --run")
	words, err := exec.Command("sh", "-c", "printf '%s\\n' "+remedy).Output()
	if err != nil || string(words) != "run\n"+bare+"\n" {
		t.Errorf("a shell reads the remedy as %q: %v", words, err)
	}
	if err := handOut("--run"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"35-own.html", "36-bare.html"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if n, err = notebook.Read(bare); err != nil {
		t.Fatal(err)
	}
	formtest.Check(t, n)
}

// unexecuted writes a notebook without what its cells have shown.
func unexecuted(t *testing.T, n *notebook.Notebook, path string) {
	t.Helper()
	text, err := n.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]any
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for _, one := range raw["cells"].([]any) {
		if c := one.(map[string]any); c["cell_type"] == "code" {
			c["outputs"], c["execution_count"] = []any{}, nil
		}
	}
	if text, err = json.Marshal(raw); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
