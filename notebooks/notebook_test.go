package notebooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/notebook"
)

// A chapter is a notebook of this folder.
type chapter struct {
	*notebook.Notebook
	name  string
	bytes int
}

// guides are the notebooks that teach the lab itself: the page that it opens with, and the workbench for one's own files.
var guides = []string{"00-start.ipynb", "00-workbench.ipynb"}

func readNotebooks(t *testing.T) []chapter {
	t.Helper()
	paths, err := filepath.Glob("[0-9][0-9]-*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks here (error %v)", err)
	}
	var all []chapter
	for _, path := range paths {
		if slices.Contains(guides, path) {
			continue // it belongs to no item
		}
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, chapter{n, strings.TrimSuffix(path, ".ipynb"), int(info.Size())})
	}
	return all
}

// An item of the syllabus: one statement, derivation, algorithm or example of the course documents.
type item struct {
	ID, Notebook, Title, Kind, States, Check string
	Errata                                   []string
}

func readItems(t *testing.T) []item {
	t.Helper()
	data, err := os.ReadFile("items.json")
	if err != nil {
		t.Fatal(err)
	}
	var items []item
	if err := json.Unmarshal(data, &items); err != nil {
		t.Fatal(err)
	}
	return items
}

var checkLine = regexp.MustCompile(`data-prl-check="([^"]*)" data-prl-outcome="(\w+)"`)

// coverage maps each item, and each "ID:erratum", to the cell that covers it, apart for executed checks and for cells that name the item
// in their metadata.
func coverage(nb chapter) (checked, told map[string]string) {
	checked, told = map[string]string{}, map[string]string{}
	for i, c := range nb.Cells {
		place := fmt.Sprintf("%s cell %d (%s)", nb.name, i+1, c.ID())
		for _, id := range c.Items() {
			told[id] = place
		}
		for _, out := range c.Outputs() {
			for _, m := range checkLine.FindAllStringSubmatch(notebook.Data(out)["text/html"], -1) {
				for id := range strings.FieldsSeq(m[1]) {
					if m[2] != "passed" && !(m[2] == "remark" && strings.HasSuffix(id, ":erratum")) { // a misprinted number is shown by arithmetic
						continue
					}
					checked[id] = place
				}
			}
		}
	}
	return checked, told
}

// proved are the kinds of item that only an executed check can cover; the others may also be covered by a cell that tells them.
var proved = []string{"derivation", "theorem", "bound", "algorithm", "example"}

// onlyTypos says that the errata of an item are misprints of words, which are told and need no proof by numbers.
func onlyTypos(it item) bool {
	return !slices.ContainsFunc(it.Errata, func(e string) bool { return !strings.Contains(e, "[typo]") })
}

// TestCoverage lists, for every item of the syllabus, the executed check or the cell that covers it, or the notebook that it waits for, and
// fails for an item that a notebook leaves out. Run it with -v to read the list.
func TestCoverage(t *testing.T) {
	items := readItems(t)
	if len(items) != 881 {
		t.Errorf("items.json holds %d items, want 881", len(items))
	}
	known := map[string]item{}
	for _, it := range items {
		if _, twice := known[it.ID]; twice {
			t.Errorf("item %s stands twice in items.json", it.ID)
		}
		known[it.ID] = it
	}
	written := map[string]bool{}
	for _, nb := range readNotebooks(t) {
		written[nb.name] = true
		checked, told := coverage(nb)
		t.Run(nb.name, func(t *testing.T) {
			count := 0
			for _, it := range items {
				if it.Notebook != nb.name {
					continue
				}
				count++
				switch {
				case checked[it.ID] != "":
					t.Logf("%-12s check   %s: %s", it.ID, checked[it.ID], it.Title)
				case slices.Contains(proved, it.Kind):
					t.Errorf("%s (%s: %s) has no passed check", it.ID, it.Kind, it.Title)
				case told[it.ID] != "":
					t.Logf("%-12s cell    %s: %s", it.ID, told[it.ID], it.Title)
				default:
					t.Errorf("%s (%s: %s) is covered by no check and no cell", it.ID, it.Kind, it.Title)
				}
				if erratum := it.ID + ":erratum"; len(it.Errata) > 0 && checked[erratum] == "" && !(told[erratum] != "" && onlyTypos(it)) {
					t.Errorf("%s has an erratum that no passed check named %s proves: %s", it.ID, erratum, it.Errata[0])
				}
			}
			if count == 0 {
				t.Errorf("items.json has no item for this notebook")
			}
			for _, ids := range []map[string]string{checked, told} {
				for id, place := range ids {
					if _, ok := known[strings.TrimSuffix(id, ":erratum")]; !ok {
						t.Errorf("%s names %q, which is no item", place, id)
					}
				}
			}
		})
	}
	missing := 0
	for _, it := range items {
		if !written[it.Notebook] {
			t.Logf("%-12s waits   for %s: %s", it.ID, it.Notebook, it.Title)
			missing++
		}
	}
	t.Logf("%d of %d items belong to written notebooks", len(items)-missing, len(items))
}

var tags = []string{"exercise", "solution", "check", "hide-input", "seals"}

// outside finds what a browser would fetch from another machine.
var outside = regexp.MustCompile(`(?i)(?:src|href)=["']?(?:https?:)?//[^"' ]+\.(?:js|css|mjs|woff2?|png|svg)|@import|cdn\.|unpkg|jsdelivr`)

// TestForm checks what every notebook must be: for our kernel, with cell ids, executed without errors, light enough for a repository, and
// free of anything fetched from a network.
func TestForm(t *testing.T) {
	for _, nb := range readNotebooks(t) {
		t.Run(nb.name, func(t *testing.T) {
			if major, minor := nb.Format(); major != 4 || minor < 5 {
				t.Errorf("format %d.%d, want 4.5", major, minor)
			}
			if nb.Kernel() != "gonb" {
				t.Errorf("kernel %q, want gonb", nb.Kernel())
			}
			if nb.bytes > 1<<20 {
				t.Errorf("%d bytes, want at most 1 MB", nb.bytes)
			}
			ids := map[string]bool{}
			exercises, solutions, imports := 0, 0, 0
			for i, c := range nb.Cells {
				if c.ID() == "" || ids[c.ID()] {
					t.Errorf("cell %d has no id of its own", i+1)
				}
				ids[c.ID()] = true
				for _, tag := range c.Tags() {
					if !slices.Contains(tags, tag) {
						t.Errorf("cell %d has the unknown tag %q", i+1, tag)
					}
					switch tag {
					case "exercise":
						exercises++
					case "solution":
						solutions++
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
						if m := outside.FindString(data); m != "" {
							t.Errorf("cell %d, %s fetches %s", i+1, mime, m)
						}
					}
				}
			}
			holdsNoAnswer(t, nb.Cells)
			if imports != 1 {
				t.Errorf("%d cells import packages, want one", imports)
			}
			if exercises < 3 || solutions < exercises/2 {
				t.Errorf("%d cells of exercises and %d of solutions, want three to six exercises, each with its solution", exercises, solutions)
			}
		})
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

// TestGuides checks that the guides are executed without errors, narrow enough for a page and light, and that the first one has the place
// where the lab puts the map of the chapters.
func TestGuides(t *testing.T) {
	mapped := false
	for _, path := range guides {
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 {
			t.Errorf("%s: %v, or more than 1 MB", path, err)
		}
		for i, c := range n.Cells {
			mapped = mapped || c.ID() == "map"
			if strings.Contains(c.Source(), "\n%%\n") && len(c.Outputs()) == 0 {
				t.Errorf("%s: cell %d shows nothing: not executed?", path, i+1)
			}
			for line := range strings.Lines(c.Source()) {
				line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
				if c.IsCode() && utf8.RuneCountInString(line) > 100 {
					t.Errorf("%s: cell %d has a line wider than a page: %s", path, i+1, line)
				}
			}
			for _, out := range c.Outputs() {
				if out["output_type"] == "error" || strings.Contains(notebook.Data(out)["text/html"], `data-prl-outcome="failed"`) {
					t.Errorf("%s: cell %d failed", path, i+1)
				}
				for mime, data := range notebook.Data(out) {
					if m := outside.FindString(data); m != "" {
						t.Errorf("%s: cell %d, %s fetches %s", path, i+1, mime, m)
					}
				}
			}
		}
	}
	if !mapped {
		t.Error("there is no cell with the id map")
	}
}
