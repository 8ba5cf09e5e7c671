// Package syllabus reads what the course says of itself beside its chapters: the glossary, the notation, the contents of the course
// documents, and which chapter needs which.
package syllabus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Book is read from files beside the chapters. Chapters are numbers of two digits.
type Book struct {
	Terms     []Term
	Symbols   []Symbol
	Documents []Document
	Items     []Item
	Needs     []Need
	Plans     []Plan
	Methods   Methods
	Rivals    []Rival
	Mistakes  map[string][]Mistake // by the name of the chapter
}

// A Term of the glossary has a chapter that introduces it, and maybe a symbol and a name in the code there.
type Term struct{ Term, Symbol, Meaning, Chapter, Code string }

// A Symbol means one thing in the chapters that it names; the first of them introduces it.
type Symbol struct {
	Symbol, Meaning, Code string
	Chapters              []string
}

// A Document is one of those that the course derives, with its contents.
type Document struct {
	Code, Title string
	Sections    []Section
}

// A Section of a document begins with an item and ends where the next one begins.
type Section struct{ Title, First string }

// An Item is a statement, derivation, algorithm or example of a document, with the notebook that shows it.
type Item struct {
	ID, Notebook, Title, Kind string
	Errata                    []string
}

// A Need says that a chapter builds on another, and for what.
type Need struct{ Chapter, Needs, For string }

// A Plan is a course file that says what to read in which week. Its file lies in the folder handouts beside the chapters.
type Plan struct {
	File  string     `toml:"-"`
	Title string     `toml:"title"`
	Weeks [][]string `toml:"weeks"`
}

// Methods say how methods of the chapters did on one data set: of how many rows of the test set they found the class.
type Methods struct {
	Set     string   `json:"set"`
	Train   int      `json:"train"`
	Test    int      `json:"test"`
	Results []Result `json:"results"`
}

// A Result is that of one method, written as in the library.
type Result struct {
	Chapter string `json:"chapter"`
	Method  string `json:"method"`
	Right   int    `json:"right"`
}

// A Rival is one of the best other treatments of the subject of a chapter, with a sentence each on what it does, what it does better than
// the chapter, what the chapter does in its place, what the course does about what the rival does better, and, by a reader who did not
// write the chapter, whom each of them serves. Figure names the cell with the picture that shows best what the chapter does. Sentences may
// hold code and links to other notebooks, in Markdown.
type Rival struct {
	Chapter, Author, Title, Place       string
	Does, Better, Here, Answer, Verdict string
	Figure                              string
}

// Read reads the files of a folder. A folder without them gives an empty book.
func Read(dir string) (*Book, error) {
	b := &Book{}
	for name, to := range map[string]any{
		"glossary.json": &b.Terms, "notation.json": &b.Symbols, "documents.json": &b.Documents, "items.json": &b.Items,
		"prerequisites.json": &b.Needs, "methods.json": &b.Methods, "rivals.json": &b.Rivals,
	} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(data, to)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	paths, err := filepath.Glob(filepath.Join(dir, "handouts", "plan-*.toml"))
	for _, path := range paths {
		plan := Plan{File: filepath.Base(path)}
		if _, err := toml.DecodeFile(path, &plan); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		b.Plans = append(b.Plans, plan)
	}
	if err == nil {
		b.Mistakes, err = readMistakes(dir)
	}
	return b, err
}

// Notebook is the name of the chapter of a number, or "" if no item is of it.
func (b *Book) Notebook(number string) string {
	for _, it := range b.Items {
		if strings.HasPrefix(it.Notebook, number+"-") {
			return it.Notebook
		}
	}
	return ""
}

// Notation lists all symbols, those of the glossary among them, by the chapters that introduce them.
func (b *Book) Notation() []Symbol {
	all := slices.Clone(b.Symbols)
	for _, t := range b.Terms {
		if t.Symbol != "" {
			all = append(all, Symbol{t.Symbol, t.Term + ": " + t.Meaning, t.Code, []string{t.Chapter}})
		}
	}
	slices.SortStableFunc(all, func(a, b Symbol) int { return cmp.Compare(a.Chapters[0], b.Chapters[0]) })
	return all
}

// Contents lists the items of each section of a document, in their order.
func (b *Book) Contents(d Document) [][]Item {
	all := make([][]Item, len(d.Sections))
	at := -1
	for _, it := range b.Items {
		if !strings.HasPrefix(it.ID, d.Code+"-") {
			continue
		}
		if at+1 < len(d.Sections) && d.Sections[at+1].First == it.ID {
			at++
		}
		if at >= 0 {
			all[at] = append(all[at], it)
		}
	}
	return all
}

// Depths counts for each chapter the chapters of the longest chain that leads to it: 0 for a chapter that needs no other. Chapters that
// need each other are an error.
func (b *Book) Depths(chapters []string) (map[string]int, error) {
	depth, open := map[string]int{}, map[string]bool{}
	var visit func(c string) error
	visit = func(c string) error {
		if _, done := depth[c]; done {
			return nil
		}
		if open[c] {
			return fmt.Errorf("chapter %s needs itself, through others", c)
		}
		open[c] = true
		deepest := 0
		for _, n := range b.Needs {
			if n.Chapter != c || !slices.Contains(chapters, n.Needs) {
				continue
			}
			if err := visit(n.Needs); err != nil {
				return err
			}
			deepest = max(deepest, depth[n.Needs]+1)
		}
		depth[c] = deepest
		return nil
	}
	for _, c := range chapters {
		if err := visit(c); err != nil {
			return nil, err
		}
	}
	return depth, nil
}
