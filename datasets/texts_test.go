package datasets

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"gonum.org/v1/gonum/mat"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"The fix'd Stars, by reason of 'light'": {"the", "fix'd", "stars", "by", "reason", "of", "light"},
		"don’t 12 'tis -- Æther":                {"don't", "tis", "æther"},
		"":                                      {},
		" ' '' ":                                {},
	} {
		if got := Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The counts of two documents, by hand.
func TestCounts(t *testing.T) {
	texts := Texts{
		Documents: []string{"the dog bites the man", "A man, a plan"}, Y: []int{0, 1}, ClassNames: []string{"news", "verse"},
		Name: "two",
	}
	if got, want := texts.Vocabulary(4), []string{"a", "man", "the", "bites"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := texts.Vocabulary(100); len(got) != 6 {
		t.Errorf("%q", got)
	}
	if got := texts.Vocabulary(-1); len(got) != 0 {
		t.Errorf("%q", got)
	}
	s := texts.Counts([]string{"the", "man", "plan"})
	if want := mat.NewDense(2, 3, []float64{2, 1, 0, 0, 1, 1}); s.Err() != nil || !mat.Equal(s.X, want) || !slices.Equal(s.Y, texts.Y) {
		t.Errorf("%v %v", s.Err(), mat.Formatted(s.X))
	}
	if s.FeatureNames[2] != "plan" || s.ClassNames[1] != "verse" {
		t.Errorf("%q %q", s.FeatureNames, s.ClassNames)
	}
	for _, broken := range []Set{texts.Counts(nil), Texts{}.Counts([]string{"a"}), texts.Counts([]string{"a", "a"})} {
		if broken.Err() == nil {
			t.Error("no error")
		}
	}
}

// The hashes are those of scikit-learn 1.9.1, sklearn.utils.murmurhash3_32(word, 0), and the row that of
// FeatureHasher(16, input_type="string", alternate_sign=False).
func TestHashed(t *testing.T) {
	for word, want := range map[string]int32{
		"a": 1009084850, "colour": 931321953, "prism's": -1796251189, "refrangibility": -2143994911, "naïve": 992511445, "light": -1539683617,
	} {
		if got := int32(murmur3(word)); got != want {
			t.Errorf("%s: %d, want %d", word, got, want)
		}
	}
	texts := Texts{Documents: []string{"The colours of the light are seven"}, Y: []int{0}, ClassNames: []string{"optics"}}
	s := texts.Hashed(16)
	if want := []float64{1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 2, 0}; s.Err() != nil || !slices.Equal(s.X.RawRowView(0), want) {
		t.Errorf("%v, %v", s.X, s.Err())
	}
	for _, broken := range []Set{texts.Hashed(0), texts.Hashed(1e7), Texts{}.Hashed(4)} {
		if broken.Err() == nil {
			t.Error("no error")
		}
	}
}

func TestTableTexts(t *testing.T) {
	table := NewTable("letters").With("kind", []string{"spam", "ham", "", "ham"}).
		With("text", []string{"buy now", "dear all", "lost", "see you"})
	texts, err := table.Texts("text", "kind")
	if err != nil || !slices.Equal(texts.Documents, []string{"buy now", "dear all", "see you"}) || !slices.Equal(texts.Y, []int{1, 0, 0}) ||
		!slices.Equal(texts.ClassNames, []string{"ham", "spam"}) {
		t.Errorf("%+v, %v", texts, err)
	}
	if texts, err = table.Texts("text", ""); err != nil || len(texts.Documents) != 4 || texts.Y != nil {
		t.Errorf("%+v, %v", texts, err)
	}
	if _, err := table.Texts("txt", "kind"); err == nil || !strings.Contains(err.Error(), `"text"`) {
		t.Error(err)
	}
}

func TestOpticks(t *testing.T) {
	o := Opticks()
	s := o.Counts(o.Vocabulary(200))
	if s.Err() != nil || !slices.Equal(s.Counts(), []int{194, 164, 101}) || s.Source == "" || s.Licence == "" || s.Citation == "" {
		t.Fatal(s.Err(), s.Counts())
	}
	if got := o.Vocabulary(5); !slices.Equal(got, []string{"the", "of", "and", "to", "in"}) {
		t.Errorf("the commonest words are %q", got)
	}
	for i, text := range o.Documents {
		if n := len(Words(text)); n < 29 { // an apostrophe may stand alone in the print
			t.Errorf("paragraph %d has %d words", i, n)
		}
	}
}

// Words of every script stay whole (sklearn#10320, #15087), however their accents are written.
func TestWordsOfEveryScript(t *testing.T) {
	for text, want := range map[string]string{
		"हिन्दी भाषा": "हिन्दी|भाषा", "தமிழ்": "தமிழ்", "שָׁלוֹם עוֹלָם": "שָׁלוֹם|עוֹלָם", "مَرْحَبًا": "مَرْحَبًا",
		"Vie\u0323\u0302t Nam": "việt|nam", "Cafe\u0301, café": "café|café", "\u0301x 'a' don’t": "x|a|don't", "می\u200cخواهم": "می\u200cخواهم",
		"Ω ohm 3 kΩ": "ω|ohm|kω",
	} {
		if got := strings.Join(Words(text), "|"); got != norm.NFC.String(want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A vocabulary of what Words never returns would count nothing (sklearn#19311).
func TestVocabularyOfOtherWords(t *testing.T) {
	texts := Texts{Documents: []string{"A b a"}}
	for _, word := range []string{"A", "a b", "Vie\u0323\u0302t", "3", ""} {
		if err := texts.Counts([]string{"b", word}).Err(); err == nil || !strings.Contains(err.Error(), "word 1 of the vocabulary") {
			t.Errorf("%q: %v", word, err)
		}
	}
	if s := texts.Counts([]string{"a", "b"}); s.Err() != nil || s.X.At(0, 0) != 2 {
		t.Error(s)
	}
}
