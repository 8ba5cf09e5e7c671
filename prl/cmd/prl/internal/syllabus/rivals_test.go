package syllabus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// TestRivals wants one rival for each chapter, named in full, and one sentence each on what it does, what it does better, what the chapter
// does, what is done about it, and whom each serves. Links lead to notebooks, and the cell that is named has a figure.
func TestRivals(t *testing.T) {
	b, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	sentence := regexp.MustCompile(`^[A-Z][^.?!]*(?:\d\.\d[^.?!]*)*\.$`)
	address := regexp.MustCompile(`\]\(([^)]*)\)`)
	known := map[string]int{}
	for _, r := range b.Rivals {
		known[r.Chapter]++
		if r.Author == "" || r.Title == "" || r.Place == "" {
			t.Errorf("the rival of chapter %s is not named in full", r.Chapter)
		}
		for _, s := range []string{r.Does, r.Better, r.Here, r.Answer, r.Verdict} {
			if !sentence.MatchString(strings.TrimPrefix(address.ReplaceAllString(s, "]"), "[")) {
				t.Errorf("chapter %s: %q is no sentence, or more than one", r.Chapter, s)
			}
			for _, to := range address.FindAllStringSubmatch(s, -1) {
				if _, err := os.Stat(filepath.Join(folder, to[1])); err != nil {
					t.Errorf("chapter %s leads to a notebook that is not there: %v", r.Chapter, err)
				}
			}
		}
	}
	chapters, err := filepath.Glob(filepath.Join(folder, "[0-9][0-9]-*.ipynb"))
	if err != nil || len(chapters) == 0 {
		t.Fatal("no chapters", err)
	}
	for _, path := range chapters {
		number := filepath.Base(path)[:2]
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		drawn := map[string]bool{}
		for _, c := range n.Cells {
			drawn[c.ID()] = strings.Contains(fmt.Sprint(c.Outputs()), "<img")
		}
		for _, r := range b.Rivals {
			if r.Chapter == number && !drawn[r.Figure] {
				t.Errorf("chapter %s has no cell %q with a figure", number, r.Figure)
			}
		}
		if n := known[number]; n != 1 && number != "00" {
			t.Errorf("chapter %s has %d rivals", number, n)
		}
		delete(known, number)
	}
	if len(known) > 0 {
		t.Errorf("rivals without a chapter: %v", known)
	}
}
