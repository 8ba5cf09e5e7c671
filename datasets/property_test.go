package datasets

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fuzztest"
)

// drawSet draws a set with names of any letters.
func drawSet(t *rapid.T, n int) Set {
	k := rapid.IntRange(1, 3).Draw(t, "classes")
	d := rapid.IntRange(1, 4).Draw(t, "features")
	name := rapid.StringMatching(`[a-z"',; <&é-]{0,6}[a-zé]`)
	s := New(
		"drawn",
		fuzztest.Matrix(t, n, d, 1000),
		fuzztest.Labels(t, max(n, k), k)[:n],
		rapid.SliceOfNDistinct(name, k, k, rapid.ID[string]).Draw(t, "class names")...,
	)
	s.FeatureNames = rapid.SliceOfNDistinct(name, d, d, strings.TrimSpace).Draw(t, "feature names")
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return s
}

// What is written as CSV is read back: numbers to the last bit, and names with quotes, separators and blanks inside.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, rapid.IntRange(3, 12).Draw(t, "n"))
		for j, f := range s.FeatureNames {
			s.FeatureNames[j] = strings.TrimSpace(f) // blanks about a field do not survive
		}
		for c, name := range s.ClassNames {
			s.ClassNames[c] = strings.TrimSpace(name)
		}
		if duplicate(s.FeatureNames) != "" || duplicate(s.ClassNames) != "" {
			return
		}
		var b bytes.Buffer
		if err := s.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		again, err := ReadCSV(&b, "drawn", Header(true), Separator(','), Label(free("class", s.FeatureNames)))
		if err != nil {
			for _, name := range s.ClassNames {
				if nullWord(name) {
					return // a class called "na"
				}
			}
			t.Fatalf("%v in %q", err, text)
		}
		if !slices.Equal(again.X.RawMatrix().Data, s.X.RawMatrix().Data) || !slices.Equal(again.FeatureNames, s.FeatureNames) {
			t.Fatalf("%v %q became %v %q", s.X.RawMatrix().Data, s.FeatureNames, again.X.RawMatrix().Data, again.FeatureNames)
		}
		for i := range s.Y {
			if was, is := s.ClassNames[s.Y[i]], again.ClassNames[again.Y[i]]; was != is {
				t.Fatalf("class %q of row %d became %q", was, i, is)
			}
		}
	})
}

// A split parts the rows, each class nearly in proportion, and the same seed parts them alike.
func TestSplitParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, rapid.IntRange(6, 40).Draw(t, "n"))
		for i := range s.N() {
			s.X.Set(i, 0, float64(i)) // tells rows apart
		}
		share := float64(rapid.IntRange(1, 9).Draw(t, "tenths")) / 10
		seed := rapid.Uint64().Draw(t, "seed")
		train, test := s.Split(share, seed)
		if train.Err() != nil || test.Err() != nil {
			return // a part without rows
		}
		again, _ := s.Split(share, seed)
		if !slices.Equal(again.X.RawMatrix().Data, train.X.RawMatrix().Data) {
			t.Fatal("the same seed gives another split")
		}
		seen := make([]int, s.N())
		for _, part := range []Set{train, test} {
			for i := range part.N() {
				r := int(part.X.At(i, 0))
				seen[r]++
				if part.ClassNames[part.Y[i]] != s.ClassNames[s.Y[r]] {
					t.Fatalf("row %d changed its class", r)
				}
			}
		}
		if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
			t.Fatalf("rows are in the parts %v times", seen)
		}
		all, of := make([]float64, s.K()), make([]float64, s.K())
		for _, c := range s.Y {
			all[c]++
		}
		for _, c := range train.Y {
			of[c]++
		}
		for c := range all {
			if math.Abs(of[c]-share*all[c]) > 1+1e-9 {
				t.Fatalf("%v of %v rows of class %d train at the share %v", of[c], all[c], c, share)
			}
		}
	})
}

// Standardised columns have mean 0 and variance 1; constant ones stay finite.
func TestStandardizeIsStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSet(t, rapid.IntRange(2, 20).Draw(t, "n"))
		z := s.Standardize()
		if z.Err() != nil {
			return // a constant column may be refused
		}
		for j := range z.D() {
			sum, squares, spread := 0.0, 0.0, 0.0
			for i := range z.N() {
				v := z.X.At(i, j)
				sum, squares = sum+v, squares+v*v
				spread = max(spread, math.Abs(s.X.At(i, j)-s.X.At(0, j)))
			}
			n := float64(z.N())
			if math.Abs(sum) > 1e-9*n || spread > 0 && math.Abs(squares-n) > 1e-9*n && math.Abs(squares-(n-1)) > 1e-9*n ||
				spread == 0 && squares != 0 {
				t.Fatalf("column %d has mean %v and mean square %v", j, sum/n, squares/n)
			}
		}
	})
}
