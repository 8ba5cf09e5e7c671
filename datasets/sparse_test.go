package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A set and its rows without zeros are one another, and are split alike.
func TestSparseSet(t *testing.T) {
	counts := Opticks().Counts(Opticks().Vocabulary(300))
	s, err := Opticks().SparseCounts(Opticks().Vocabulary(300))
	if err != nil {
		t.Fatal(err)
	}
	same(t, s.Dense(), counts)
	if !slices.Equal(s.FeatureNames, counts.FeatureNames) || !slices.Equal(s.ClassNames, counts.ClassNames) || s.Citation != counts.Citation {
		t.Error("names differ")
	}
	again, err := counts.Sparse()
	if err != nil {
		t.Fatal(err)
	}
	if again.String() != s.String() || s.N() != counts.N() || s.D() != 300 || s.K() != 3 {
		t.Error(again, s)
	}
	train, test, err := s.Split(0.7, 5)
	if err != nil {
		t.Fatal(err)
	}
	a, b := counts.Split(0.7, 5)
	same(t, train.Dense(), a)
	same(t, test.Dense(), b)
	if train.Name != a.Name || test.Name != b.Name {
		t.Error(train.Name, test.Name)
	}
	rows, err := s.Rows(5, 2)
	if err != nil {
		t.Fatal(err)
	}
	same(t, rows.Dense(), counts.Rows(5, 2))
	for what, err := range map[string]error{
		"no rows":           ofTwo(s.Rows()),
		"a row beyond":      ofTwo(s.Rows(s.N())),
		"a row before":      ofTwo(s.Rows(-1)),
		"fraction":          ofThree(s.Split(1.5, 1)),
		"nothing to split":  ofThree(SparseSet{}.Split(0.5, 1)),
		"a word twice":      ofTwo(Opticks().SparseCounts([]string{"light", "light"})),
		"no words":          ofTwo(Opticks().SparseCounts(nil)),
		"a broken set":      ofTwo(Broken("x", os.ErrClosed).Sparse()),
		"a file not there":  ofTwo(SparseLIBSVM(filepath.Join(t.TempDir(), "none"))),
		"classes of a file": ofTwo(ReadSparseLIBSVM(strings.NewReader("1 1:1\n"), "f", Classes("1", "2"))),
	} {
		if err == nil {
			t.Error(what)
		}
	}
	if err := (SparseSet{}).Dense().Err(); err == nil {
		t.Error("an empty set has rows")
	}
}

func ofTwo[T any](_ T, err error) error      { return err }
func ofThree[T any](_, _ T, err error) error { return err }

// Indices that fall or repeat, values that are no numbers and rows in the wrong form are named by line and column.
func TestSparseLIBSVMMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"1 1:1\n1 3:1 2:1\n":    "f:2:7: the index 2 follows 3",
		"1 1:1\n1 3:1 3:1\n":    "f:2:7: the index 3 follows 3",
		"1 0:1\n":               "f:1:3: the index is 0",
		"1 1:nan\n":             `f:1:3: the value "nan"`,
		"1 1:1e999\n":           `f:1:3: the value "1e999"`,
		"1 1\n":                 `f:1:3: "1" is not index:value`,
		"1:1 2:1\n":             "begins with a feature",
		"1,2 1:1\n":             "several labels",
		"1.5 1:1\n":             "the label 1.5 is not a whole number",
		"1 200000:1\n":          "at most 100000 features",
		"1 99999999999999:1\n":  "at most 100000 features",
		"# nothing\n":           "no row",
		"1\n2\n":                "no line has a feature",
		"1 qid:1 1:2\n":         "qid",
		"1 1:1\n2 1:1 2:0x10\n": `f:2:7: the value "0x10"`,
	} {
		if _, err := ReadSparseLIBSVM(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Sparse rows come back from a file, packed or not.
func TestSparseLIBSVMFile(t *testing.T) {
	s, err := Opticks().SparseCounts(Opticks().Vocabulary(50))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.WriteLIBSVM(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "opticks")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := SparseLIBSVM(path, Width(50))
	if err != nil {
		t.Fatal(err)
	}
	same(t, again.Dense(), s.Dense())
}
