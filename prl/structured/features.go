package structured

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/fault"
)

// A Feature says what a tagger sees of a word: the word At places further on, whole, or the first or last Length letters of it, or its
// shape. Beyond the ends of the sentence stands the empty word.
type Feature struct {
	Kind   Kind
	At     int // 0 is the word itself, -1 the one before
	Length int // letters of Prefix and Suffix
}

// Kind is a kind of Feature.
type Kind int

const (
	Word   Kind = iota // the word as it stands
	Lower              // the word in small letters
	Prefix             // its first letters
	Suffix             // its last letters
	Shape              // its kinds of letters, runs counted once: X for capitals, x for small letters, 0 for digits, other signs as they are
)

var kinds = [...]string{"word", "lower", "prefix", "suffix", "shape"}

// String returns "word", "word-1", "suffix3".
func (f Feature) String() string {
	if f.Kind < Word || f.Kind > Shape {
		return fmt.Sprintf("Kind(%d)", int(f.Kind))
	}
	s := kinds[f.Kind]
	if f.Kind == Prefix || f.Kind == Suffix {
		s += fmt.Sprint(f.Length)
	}
	if f.At != 0 {
		s += fmt.Sprintf("%+d", f.At)
	}
	return s
}

// Overlapping returns features that a hidden Markov model cannot use, since they depend on each other: the word, its neighbours, its
// endings of one to three letters, its first letter and its shape.
func Overlapping() []Feature {
	return []Feature{
		{},
		{At: -1},
		{At: 1},
		{Kind: Suffix, Length: 1},
		{Kind: Suffix, Length: 2},
		{Kind: Suffix, Length: 3},
		{Kind: Prefix, Length: 1},
		{Kind: Shape},
	}
}

func checkFeatures(op string, features []Feature) error {
	for i, f := range features {
		name := fmt.Sprintf("Features[%d]", i)
		switch {
		case f.Kind < Word || f.Kind > Shape:
			return fault.Argument(op, name+".Kind", int(f.Kind), "Word, Lower, Prefix, Suffix or Shape", "")
		case (f.Kind == Prefix || f.Kind == Suffix) && !(f.Length >= 1 && f.Length <= math.MaxInt16):
			return fault.Argument(op, name+".Length", f.Length, "a number of letters from 1", "")
		case f.At < -math.MaxInt16 || f.At > math.MaxInt16:
			return fault.Argument(op, name+".At", f.At, "a place near the word", "")
		}
	}
	return nil
}

// of returns what the feature sees at word t.
func (f Feature) of(words []string, t int) string {
	w := ""
	if i := t + f.At; i >= 0 && i < len(words) {
		w = words[i]
	}
	switch f.Kind {
	case Lower:
		return strings.ToLower(w)
	case Prefix:
		n := 0
		for i := range w {
			if n == f.Length {
				return w[:i]
			}
			n++
		}
		return w
	case Suffix:
		from := len(w)
		for n := 0; n < f.Length && from > 0; n++ {
			_, size := utf8.DecodeLastRuneInString(w[:from])
			from -= size
		}
		return w[from:]
	case Shape:
		return shape(w)
	}
	return w
}

func shape(w string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range w {
		switch {
		case unicode.IsUpper(r):
			r = 'X'
		case unicode.IsLetter(r):
			r = 'x'
		case unicode.IsDigit(r):
			r = '0'
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// A lexicon numbers what the features of a tagger have seen: an attribute is a feature with a value, "suffix3=ing".
type lexicon struct {
	features []Feature
	number   []map[string]int32 // one for each feature
	names    []string
}

func newLexicon(features []Feature) *lexicon {
	l := &lexicon{features: features, number: make([]map[string]int32, len(features))}
	for i := range l.number {
		l.number[i] = map[string]int32{}
	}
	return l
}

// encode returns the attributes of the words, len(features) for each. Unknown ones are added while the lexicon is open, and otherwise -1.
func (l *lexicon) encode(words []string, open bool) []int32 {
	out := make([]int32, 0, len(words)*len(l.features))
	for t := range words {
		for i, f := range l.features {
			value := f.of(words, t)
			id, ok := l.number[i][value]
			if !ok {
				if id = -1; open {
					id = int32(len(l.names))
					l.number[i][value] = id
					l.names = append(l.names, f.String()+"="+value)
				}
			}
			out = append(out, id)
		}
	}
	return out
}
