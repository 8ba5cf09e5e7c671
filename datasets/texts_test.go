package datasets

import (
	"slices"
	"testing"

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
