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
	"github.com/prlab/prlab/prl/notebook/formtest"
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

// TestForm checks what every notebook must be, and that it is light enough for a repository and has exercises enough for a course.
func TestForm(t *testing.T) {
	for _, nb := range readNotebooks(t) {
		t.Run(nb.name, func(t *testing.T) {
			formtest.Check(t, nb.Notebook)
			if nb.bytes > 1<<20 {
				t.Errorf("%d bytes, want at most 1 MB", nb.bytes)
			}
			exercises, solutions := 0, 0
			for _, c := range nb.Cells {
				if slices.Contains(c.Tags(), "exercise") {
					exercises++
				}
				if slices.Contains(c.Tags(), "solution") {
					solutions++
				}
			}
			if exercises < 3 || solutions < exercises/2 {
				t.Errorf("%d cells of exercises and %d of solutions, want three to six exercises, each with its solution", exercises, solutions)
			}
		})
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
					if m := formtest.Outside.FindString(data); m != "" {
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
