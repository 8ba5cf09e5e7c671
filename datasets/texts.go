package datasets

import (
	_ "embed" // for the text below
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Texts are documents of known classes.
type Texts struct {
	Documents  []string
	Y          []int    // class 0 ... K-1 of each document
	ClassNames []string // K names

	Name, Source, Licence, Citation string
}

//go:embed data/opticks.tsv.gz
var opticksGZ string

// Opticks returns the 459 paragraphs of at least 30 words of Newton's Opticks (fourth edition, 1730), in the order of the book, by the
// three Books they stand in: Book I (194) is about refraction and the prism, Book II (164) about the colours of thin plates, Book III (101)
// about inflexion, and ends in the Queries.
func Opticks() Texts {
	t := Texts{
		ClassNames: []string{"Book I", "Book II", "Book III"}, Name: "Opticks",
		Source:  "Isaac Newton, Opticks; transcribed by S. Lybarger, S. Harris, J. Paolucci and the Online Distributed Proofreading Team",
		Licence: "public domain",
		Citation: "I. Newton (1730). Opticks: or, a Treatise of the Reflections, Refractions, Inflections and Colours of Light, 4th ed. " +
			"London: William Innys.",
	}
	for line := range strings.Lines(unzip(opticksGZ)) {
		book, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		t.Y, t.Documents = append(t.Y, int(book[0]-'1')), append(t.Documents, text)
	}
	return t
}

// Words returns the words of a text in small letters: runs of letters, with apostrophes between them.
func Words(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	for i, w := range words {
		words[i] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// Vocabulary returns the n commonest words of all documents, commonest first, and all of them when there are fewer. Of words that are
// equally common the first of the alphabet comes first.
func (t Texts) Vocabulary(n int) []string {
	count := map[string]int{}
	for _, text := range t.Documents {
		for _, w := range Words(text) {
			count[w]++
		}
	}
	words := make([]string, 0, len(count))
	for w := range count {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return words[:min(max(n, 0), len(words))]
}

// Counts returns the documents as rows: how often each word of the vocabulary stands in each of them. Other words are left out. The set is
// broken when the vocabulary or the documents are empty.
func (t Texts) Counts(vocabulary []string) Set {
	s := Set{Name: t.Name, chain: fault.Start("Counts", fault.Short(vocabulary))}
	if len(vocabulary) == 0 || len(t.Documents) == 0 {
		return s.fail(fault.Argument("Counts", "the vocabulary or the documents", "empty", "at least one of each", ""))
	}
	column := make(map[string]int, len(vocabulary))
	for j, w := range vocabulary {
		column[w] = j
	}
	X := mat.NewDense(len(t.Documents), len(vocabulary), nil)
	for i, text := range t.Documents {
		row := X.RawRowView(i)
		for _, w := range Words(text) {
			if j, ok := column[w]; ok {
				row[j]++
			}
		}
	}
	counted := New(t.Name, X, t.Y, t.ClassNames...).Named(vocabulary...)
	counted.Source, counted.Licence, counted.Citation = t.Source, t.Licence, t.Citation
	return counted
}
