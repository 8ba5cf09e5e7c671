// Package formtest checks the form of chapters. Only tests use it.
package formtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/notebook"
)

var tags = []string{"exercise", "solution", "check", "hide-input", "seals"}

// Outside finds what a browser would fetch from another machine.
var Outside = regexp.MustCompile(
	`(?i)(?:src|href)=["']?(?:https?:)?//[^"' ]+\.(?:js|css|mjs|woff2?|png|svg)|@import|cdn\.|unpkg|jsdelivr`,
)

// Check checks what every chapter must be: for our kernel, with cell ids, executed without errors, narrow enough for a page, free of
// anything fetched from a network, and with exercises that have a seal and a solution and do not tell their answers.
func Check(t *testing.T, n *notebook.Notebook) {
	t.Helper()
	if major, minor := n.Format(); major != 4 || minor < 5 {
		t.Errorf("format %d.%d, want 4.5", major, minor)
	}
	if n.Kernel() != "gonb" {
		t.Errorf("kernel %q, want gonb", n.Kernel())
	}
	ids := map[string]bool{}
	imports := 0
	for i, c := range n.Cells {
		if c.ID() == "" || ids[c.ID()] {
			t.Errorf("cell %d has no id of its own", i+1)
		}
		ids[c.ID()] = true
		for _, tag := range c.Tags() {
			if !slices.Contains(tags, tag) {
				t.Errorf("cell %d has the unknown tag %q", i+1, tag)
			}
		}
		if !c.IsCode() {
			continue
		}
		for line := range strings.Lines(c.Source()) {
			if slices.Contains(c.Tags(), "seals") {
				break // nobody reads it
			}
			line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("cell %d has a line wider than a page: %s", i+1, line)
			}
		}
		if strings.Contains(c.Source(), "import (") || strings.HasPrefix(c.Source(), "import ") {
			imports++
		}
		if len(c.Outputs()) == 0 && strings.Contains(c.Source(), "\n%%\n") {
			t.Errorf("cell %d shows nothing: not executed?", i+1)
		}
		for _, out := range c.Outputs() {
			if out["output_type"] == "error" || strings.Contains(notebook.Data(out)["text/html"], `data-prl-outcome="failed"`) {
				t.Errorf("cell %d failed", i+1)
			}
			for mime, data := range notebook.Data(out) {
				if m := Outside.FindString(data); m != "" {
					t.Errorf("cell %d, %s fetches %s", i+1, mime, m)
				}
			}
		}
	}
	holdsNoAnswer(t, n.Cells)
	if imports != 1 {
		t.Errorf("%d cells import packages, want one", imports)
	}
}

var (
	sealedExercise = regexp.MustCompile(`prl\.Exercise\("([^"]+)", [^\n]*\)\.(?:Number|Choice)\((\w+|prl\.Blank|"")\)`)
	anyExercise    = regexp.MustCompile(`prl\.Exercise\("([^"]+)"`)
	solutionOf     = regexp.MustCompile(`(?s)prl\.Solution\("([^"]+)"\)(.*?)\.Holds\(\)`)
	blankAnswer    = regexp.MustCompile(`(?m)^var (answer\w+(?:, answer\w+)*) = (.*)$`)
)

// holdsNoAnswer makes sure that an exercise does not tell its answer: what a student fills in is blank, the cell that judges it holds no
// number, and each sealed answer has its seal and a solution that proves the seal.
func holdsNoAnswer(t *testing.T, cells []*notebook.Cell) {
	seals, solved, asked := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range cells {
		for _, m := range solutionOf.FindAllStringSubmatch(c.Source(), -1) {
			if !slices.Contains(c.Tags(), "solution") {
				t.Errorf("the solution of exercise %s stands in a cell that students get", m[1])
			}
			solved[m[1]] = true
		}
		if slices.Contains(c.Tags(), "seals") {
			for line := range strings.Lines(c.Source()) {
				id, _, _ := strings.Cut(line, " ")
				seals[id] = true
			}
		}
		if !slices.Contains(c.Tags(), "exercise") || !c.IsCode() {
			continue
		}
		for _, m := range blankAnswer.FindAllStringSubmatch(c.Source(), -1) {
			if strings.HasPrefix(m[2], "func(") { // what a function starts from
				continue
			}
			for value := range strings.SplitSeq(m[2], ", ") {
				if value != "prl.Blank" && value != `""` {
					t.Errorf("%s is not blank: %s", m[1], m[0])
				}
			}
		}
		for _, m := range sealedExercise.FindAllStringSubmatch(c.Source(), -1) {
			asked[m[1]] = true
		}
		if len(anyExercise.FindAllString(c.Source(), -1)) == 0 {
			t.Errorf("cell %s asks for nothing: prl.Exercise is missing", c.ID())
		}
	}
	for id := range asked {
		if !seals[id] || !solved[id] {
			t.Errorf("exercise %s: sealed %v, with a solution that proves it %v", id, seals[id], solved[id])
		}
	}
	if len(asked) == 0 {
		t.Error("no exercise has a sealed answer")
	}
}
