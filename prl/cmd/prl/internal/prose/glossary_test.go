package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// aboutTheCourse is what the folder of the chapters says of the course.
func aboutTheCourse(t *testing.T) *syllabus.Book {
	t.Helper()
	root, _ := chapters(t)
	b, err := syllabus.Read(root.Path("notebooks"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wordsOf are the texts and the programs of the chapters, by their numbers.
func wordsOf(t *testing.T) (texts, programs map[string]string) {
	t.Helper()
	_, all := chapters(t)
	texts, programs = map[string]string{}, map[string]string{}
	for _, c := range all {
		for _, cell := range c.Cells {
			if cell.IsCode() {
				programs[c.name[:2]] += cell.Source() + "\n"
			} else {
				texts[c.name[:2]] += anyComment.ReplaceAllString(cell.Source(), "") + "\n"
			}
		}
	}
	return texts, programs
}

// TestGlossary holds the glossary to the chapters: each term, symbol and name in code occurs in the chapter that introduces it, and a term
// has one meaning.
func TestGlossary(t *testing.T) {
	_, all := chapters(t)
	texts, _ := wordsOf(t)
	terms, introduced := map[string]bool{}, map[string]int{}
	for _, e := range aboutTheCourse(t).Terms {
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
	}
	for _, c := range all {
		if introduced[c.name[:2]] == 0 {
			t.Errorf("%s introduces no term of the glossary", c.name)
		}
	}
}

// TestNotation holds the symbols, those of the glossary among them, to the chapters: a symbol has one meaning in a chapter, occurs in the
// formulas of each chapter that its line names, and has its name in the code of the first.
func TestNotation(t *testing.T) {
	texts, programs := wordsOf(t)
	symbols := aboutTheCourse(t).Notation()
	for _, fault := range notationFaults(symbols, texts, programs) {
		t.Error(fault)
	}
	spoilt := append(slices.Clone(symbols), syllabus.Symbol{Symbol: `\eta`, Meaning: "another", Chapters: []string{"17"}},
		syllabus.Symbol{Symbol: `\aleph`, Meaning: "never met", Chapters: []string{"01"}},
		syllabus.Symbol{Symbol: "x", Meaning: "a row", Chapters: []string{"01"}, Code: "noSuchName"})
	if faults := notationFaults(spoilt, texts, programs); len(faults) != 3 {
		t.Errorf("of three planted faults %d are found: %q", len(faults), faults)
	}
}

func notationFaults(symbols []syllabus.Symbol, texts, programs map[string]string) (faults []string) {
	meanings := map[[2]string]string{}
	for _, s := range symbols {
		for _, c := range s.Chapters {
			if known := meanings[[2]string{c, s.Symbol}]; known != "" {
				faults = append(faults, "in chapter "+c+" the symbol "+s.Symbol+" stands for "+known+" and for "+s.Meaning)
			}
			meanings[[2]string{c, s.Symbol}] = s.Meaning
			if !slices.ContainsFunc(mathPlace.FindAllString(texts[c], -1), func(formula string) bool { return hasSymbol(formula, s.Symbol) }) {
				faults = append(faults, "no formula of chapter "+c+" has the symbol "+s.Symbol)
			}
		}
		if s.Code != "" && !regexp.MustCompile(`\b`+regexp.QuoteMeta(s.Code)+`\b`).MatchString(programs[s.Chapters[0]]) {
			faults = append(faults, "the code of chapter "+s.Chapters[0]+" has no "+s.Code)
		}
	}
	return faults
}

// hasSymbol reports whether a formula has a symbol that is no part of a longer word.
func hasSymbol(formula, symbol string) bool {
	letter := regexp.MustCompile(`^[A-Za-z]`)
	for at := 0; ; {
		i := strings.Index(formula[at:], symbol)
		if i < 0 {
			return false
		}
		before, after := formula[:at+i], formula[at+i+len(symbol):]
		if !(letter.MatchString(symbol) && regexp.MustCompile(`[A-Za-z\\]$`).MatchString(before)) &&
			!(regexp.MustCompile(`[A-Za-z]$`).MatchString(symbol) && letter.MatchString(after)) {
			return true
		}
		at += i + 1
	}
}

// need is a link to another chapter among what a chapter needs.
var need = regexp.MustCompile(`\]\((\d\d)-[^)]*\.ipynb[^)]*\)`)

// TestPrerequisites holds the list of prerequisites to the chapters: it is what the paragraph "What you need" of each chapter links, with
// its words, and no chapter needs itself through others. A chapter may name there one that builds on it.
func TestPrerequisites(t *testing.T) {
	_, all := chapters(t)
	b := aboutTheCourse(t)
	listed := map[[2]string]string{}
	var numbers []string
	for _, n := range b.Needs {
		listed[[2]string{n.Chapter, n.Needs}] = n.For
	}
	for _, c := range all {
		number := c.name[:2]
		numbers = append(numbers, number)
		said := ""
		for _, cell := range c.Cells {
			if _, after, found := strings.Cut(cell.Source(), "**What you need**"); found && !cell.IsCode() && said == "" {
				said, _, _ = strings.Cut(after, "\n\n")
			}
		}
		for _, m := range need.FindAllStringSubmatch(said, -1) {
			if listed[[2]string{number, m[1]}] == "" && listed[[2]string{m[1], number}] == "" {
				t.Errorf("chapter %s says that it needs %s, and prerequisites.json does not", number, m[1])
			}
		}
		words := strings.Join(strings.Fields(said), " ")
		for pair, why := range listed {
			if pair[0] == number && (!strings.Contains(said, "]("+pair[1]+"-") || !strings.Contains(words, why)) {
				t.Errorf("prerequisites.json: chapter %s needs %s for %q; the chapter says: %s", number, pair[1], why, words)
			}
		}
	}
	if _, err := b.Depths(numbers); err != nil {
		t.Error(err)
	}
	b.Needs = append(b.Needs, syllabus.Need{Chapter: "01", Needs: "30", For: "a planted circle"})
	if _, err := b.Depths(numbers); err == nil {
		t.Error("a circle of prerequisites is not found")
	}
	for _, n := range b.Needs {
		if !slices.Contains(numbers, n.Chapter) || !slices.Contains(numbers, n.Needs) {
			t.Errorf("prerequisites.json names the chapters %s and %s, and one is not there", n.Chapter, n.Needs)
		}
	}
}
