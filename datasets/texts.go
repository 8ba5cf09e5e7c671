package datasets

import (
	_ "embed" // for the text below
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

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

// Words returns the words of a text in small letters: runs of letters with the marks that belong to them, as in हिन्दी, and with
// apostrophes between them. Letters that can be written in two ways, as é and e with an accent, become one (the form NFC of Unicode).
func Words(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(norm.NFC.String(text)), "’", "'")
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '\u200c' && r != '\u200d' // joiners stand within words
	})
	for i, w := range words {
		words[i] = strings.TrimRight(strings.TrimLeftFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }), "'\u200c\u200d")
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
	thin, err := t.SparseCounts(vocabulary)
	if err != nil {
		return s.fail(err)
	}
	counted := New(t.Name, thin.X.Dense(), t.Y, t.ClassNames...).Named(vocabulary...)
	counted.Source, counted.Licence, counted.Citation = t.Source, t.Licence, t.Citation
	return counted
}

// SparseCounts is Counts without the zeros, for vocabularies of many words. It fails when the vocabulary or the documents are empty, and
// when a word stands twice in the vocabulary.
func (t Texts) SparseCounts(vocabulary []string) (SparseSet, error) {
	if len(vocabulary) == 0 || len(t.Documents) == 0 {
		return SparseSet{}, fault.Argument("Counts", "the vocabulary or the documents", "empty", "at least one of each", "")
	}
	if twice := duplicate(vocabulary); twice != "" {
		return SparseSet{}, fault.Argument("Counts", "the vocabulary", fmt.Sprintf("with %q twice", twice), "each word once", "")
	}
	column := make(map[string]int, len(vocabulary))
	for j, w := range vocabulary {
		if found := Words(w); len(found) != 1 || found[0] != w {
			return SparseSet{}, fault.Argument("Counts", fmt.Sprintf("word %d of the vocabulary", j), strconv.Quote(w),
				"one that datasets.Words returns: in small letters, without blanks, digits or signs", "")
		}
		column[w] = j
	}
	return t.counted(vocabulary, func(word string) (int, bool) {
		j, ok := column[word]
		return j, ok
	})
}

// counted returns how often each document has words of each column.
func (t Texts) counted(features []string, column func(word string) (int, bool)) (SparseSet, error) {
	var rows thinRows
	for i, text := range t.Documents {
		count := map[int]float64{}
		for _, w := range Words(text) {
			if j, ok := column(w); ok {
				count[j]++
			}
		}
		row := make([]entry, 0, len(count))
		for j, n := range count {
			row = append(row, entry{j + 1, n})
		}
		slices.SortFunc(row, func(a, b entry) int { return a.index - b.index })
		rows.put(i, row)
	}
	X, err := rows.matrix(len(features), nil)
	return SparseSet{
		X: X, Y: slices.Clone(t.Y), ClassNames: slices.Clone(t.ClassNames), FeatureNames: slices.Clone(features),
		Name: t.Name, Source: t.Source, Licence: t.Licence, Citation: t.Citation,
	}, err
}

// Hashed returns the documents as rows of so many columns without a vocabulary: a word is counted in the column that its hash names, so
// that words of new documents have their place too, and different words may share one. The hash is MurmurHash3 (32 bits, seed 0) of the
// word in UTF-8, read as a signed number whose magnitude is taken modulo the columns, as scikit-learn's FeatureHasher does without
// alternating signs. The set is broken when there is no document, or no column or more than a million. Source: Weinberger and others,
// Feature hashing for large scale multitask learning, ICML 2009.
func (t Texts) Hashed(columns int) Set {
	s := Set{Name: t.Name, chain: fault.Start("Hashed", columns)}
	thin, err := t.SparseHashed(columns)
	if err != nil {
		return s.fail(err)
	}
	hashed := New(t.Name, thin.X.Dense(), t.Y, t.ClassNames...)
	hashed.Source, hashed.Licence, hashed.Citation = t.Source, t.Licence, t.Citation
	return hashed
}

// SparseHashed is Hashed without the zeros. It fails where Hashed breaks the set.
func (t Texts) SparseHashed(columns int) (SparseSet, error) {
	if columns < 1 || columns > 1e6 {
		return SparseSet{}, fault.Argument("Hashed", "columns", columns, "a number from 1 to 1,000,000",
			"1000 hold a small vocabulary with few collisions")
	}
	if len(t.Documents) == 0 {
		return SparseSet{}, fault.Argument("Hashed", "the documents", "empty", "at least one", "")
	}
	return t.counted(numbered("x", 1, columns), func(word string) (int, bool) {
		h := int64(int32(murmur3(word)))
		return int(max(h, -h) % int64(columns)), true
	})
}

// murmur3 is MurmurHash3 of 32 bits with the seed 0, by Austin Appleby, who gave it to the public.
func murmur3(s string) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h, k uint32
	for i := range len(s) {
		if k |= uint32(s[i]) << (8 * (i % 4)); i%4 == 3 {
			h = bits.RotateLeft32(h^bits.RotateLeft32(k*c1, 15)*c2, 13)*5 + 0xe6546b64
			k = 0
		}
	}
	h ^= bits.RotateLeft32(k*c1, 15)*c2 ^ uint32(len(s))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// Texts are the words of a column as documents, with those of another column as classes, or without when it is "". Rows with a gap in
// either are left out.
func (t Table) Texts(documents, classes string) (Texts, error) {
	columns := []string{documents}
	if classes != "" {
		columns = append(columns, classes)
	}
	if t = t.DropMissing(columns...); t.Err() != nil {
		return Texts{}, t.Err()
	}
	if classes != "" {
		set := t.Select(documents, classes).Label(classes)
		out := Texts{Documents: t.Words(documents), Y: set.Y, ClassNames: set.ClassNames, Name: t.Name}
		return out, set.Err()
	}
	return Texts{Documents: t.Words(documents), Name: t.Name}, nil
}
