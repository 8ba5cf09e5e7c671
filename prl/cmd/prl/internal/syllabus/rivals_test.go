package syllabus

import (
	"path/filepath"
	"regexp"
	"testing"
)

// TestRivals wants one rival for each chapter, named in full, and one sentence each on what it does, what it does better, and what the
// chapter does.
func TestRivals(t *testing.T) {
	b, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	sentence := regexp.MustCompile(`^[A-Z][^.?!]*(?:\d\.\d[^.?!]*)*\.$`)
	known := map[string]int{}
	for _, r := range b.Rivals {
		known[r.Chapter]++
		if r.Author == "" || r.Title == "" || r.Place == "" {
			t.Errorf("the rival of chapter %s is not named in full", r.Chapter)
		}
		for _, s := range []string{r.Does, r.Better, r.Here} {
			if !sentence.MatchString(s) {
				t.Errorf("chapter %s: %q is no sentence, or more than one", r.Chapter, s)
			}
		}
	}
	chapters, err := filepath.Glob(filepath.Join(folder, "[0-9][0-9]-*.ipynb"))
	if err != nil || len(chapters) == 0 {
		t.Fatal("no chapters", err)
	}
	for _, path := range chapters {
		number := filepath.Base(path)[:2]
		if n := known[number]; n != 1 && number != "00" {
			t.Errorf("chapter %s has %d rivals", number, n)
		}
		delete(known, number)
	}
	if len(known) > 0 {
		t.Errorf("rivals without a chapter: %v", known)
	}
}
