package prose

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// An entry of the glossary: a term, its symbol if it has one, what it means, the chapter that introduces it, and its name in
// the code there.
type entry struct{ Term, Symbol, Meaning, Chapter, Code string }

func glossary(t *testing.T) (all []entry) {
	t.Helper()
	root, _ := chapters(t)
	data, err := os.ReadFile(root.Path("notebooks", "glossary.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGlossary holds the glossary to the chapters: each term, symbol and name in code occurs in the chapter that introduces it, a term has
// one meaning, and a symbol one term.
func TestGlossary(t *testing.T) {
	_, all := chapters(t)
	texts, programs := map[string]string{}, map[string]string{}
	for _, c := range all {
		for _, cell := range c.Cells {
			if cell.IsCode() {
				programs[c.name[:2]] += cell.Source() + "\n"
			} else {
				texts[c.name[:2]] += anyComment.ReplaceAllString(cell.Source(), "") + "\n"
			}
		}
	}
	terms, symbols := map[string]bool{}, map[string]string{}
	introduced := map[string]int{}
	for _, e := range glossary(t) {
		introduced[e.Chapter]++
		switch term := strings.ToLower(e.Term); {
		case terms[term]:
			t.Errorf("%s has two meanings", e.Term)
		case e.Meaning == "":
			t.Errorf("%s has no meaning", e.Term)
		case !strings.Contains(strings.ToLower(texts[e.Chapter]), term):
			t.Errorf("chapter %q does not speak of %s", e.Chapter, e.Term)
		default:
			terms[term] = true
		}
		if e.Symbol != "" {
			if symbols[e.Symbol] != "" {
				t.Errorf("the symbol %s stands for %s and for %s", e.Symbol, symbols[e.Symbol], e.Term)
			}
			symbols[e.Symbol] = e.Term
			if !strings.Contains(texts[e.Chapter], e.Symbol) {
				t.Errorf("chapter %s has no symbol %s for %s", e.Chapter, e.Symbol, e.Term)
			}
		}
		if e.Code != "" && !regexp.MustCompile(`\b`+regexp.QuoteMeta(e.Code)+`\b`).MatchString(programs[e.Chapter]) {
			t.Errorf("the code of chapter %s has no %s for %s", e.Chapter, e.Code, e.Term)
		}
	}
	for _, c := range all {
		if introduced[c.name[:2]] == 0 {
			t.Errorf("%s introduces no term of the glossary", c.name)
		}
	}
}
