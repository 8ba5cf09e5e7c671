package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// secondsADay turns seconds into the days that a Set has of a date.
const secondsADay = 86400

// set makes a set of all columns but one.
func (t Table) set(without int) Set {
	s := Set{Name: t.label(), Source: t.Source, Licence: t.Licence, Citation: t.Citation, chain: t.chain}
	for _, r := range t.remarks {
		s.Source += "; " + r
	}
	var places []int
	units, words := false, false
	for j := range t.columns {
		if j != without {
			places = append(places, j)
			units = units || t.columns[j].unit != "" || t.columns[j].kind == Temporal
			words = words || t.columns[j].kind == Nominal
		}
	}
	if len(places) == 0 {
		return s.fail(fmt.Errorf("no column is left to be a feature"))
	}
	s.X = mat.NewDense(t.rows, len(places), nil)
	if units {
		s.Units = make([]string, len(places))
	}
	if words {
		s.Words = make([][]string, len(places))
	}
	for k, j := range places {
		c := t.columns[j]
		s.FeatureNames = append(s.FeatureNames, c.name)
		if c.kind == Nominal {
			s.Words[k] = c.words
		}
		if units {
			if s.Units[k] = c.unit; c.kind == Temporal {
				s.Units[k] = "days since 1970-01-01"
			}
		}
		for i := range t.rows {
			v := math.NaN()
			switch {
			case c.gap(i):
			case c.kind == Nominal:
				v = float64(c.codes[i])
			case c.kind == Temporal:
				v = c.numbers[i] / secondsADay
			default:
				v = c.numbers[i]
			}
			s.X.Set(i, k, v)
		}
	}
	return s
}

// Label makes a set of the table, in which a column says the class of each row and the others are the features. Words become classes in
// alphabetic order, whole numbers in numeric order. Features may hold words and gaps: a pipeline with Impute and OneHot makes numbers of
// them. Dates become days since 1970-01-01. A row without a class is an error; .DropMissing(column) leaves such rows out.
func (t Table) Label(column string) Set {
	t, ok := t.ready("Label", column)
	if !ok {
		return t.broken()
	}
	j, err := t.find(column)
	if err != nil {
		return t.fail(err).broken()
	}
	c := t.columns[j]
	if n := c.gaps(); n > 0 {
		return t.fail(fmt.Errorf("%s without a %s; leave them out with .DropMissing(%q)", count(n, "row"), c.name, c.name)).broken()
	}
	if at := slices.IndexFunc(c.numbers, func(v float64) bool { return v != math.Trunc(v) }); c.kind == Numeric && at >= 0 {
		return t.fail(fmt.Errorf("the column %q holds numbers such as %s, which are no classes; make it a .Target(%q), or words by .Bin(%q, "+
			"edges...)", c.name, c.text(at), c.name, c.name)).broken()
	}
	s := t.set(j)
	if s.Err() == nil {
		c = c.worded()
		s.ClassNames, s.Y = c.words, make([]int, t.rows)
		for i, k := range c.codes {
			s.Y[i] = int(k)
		}
	}
	return s
}

// Target makes a set of the table, in which a column of numbers is the target of each row and the others are the features, as for Label. A
// row without a target is an error; .DropMissing(column) leaves such rows out.
func (t Table) Target(column string) Set {
	t, ok := t.ready("Target", column)
	if !ok {
		return t.broken()
	}
	j, err := t.of(Numeric, column)
	if err != nil {
		return t.fail(err).broken()
	}
	c := t.columns[j]
	if n := c.gaps(); n > 0 {
		return t.fail(fmt.Errorf("%s without a %s; leave them out with .DropMissing(%q)", count(n, "row"), c.name, c.name)).broken()
	}
	s := t.set(j)
	if s.Err() == nil {
		s.TargetName, s.Target = c.name, append([]float64{}, c.numbers...)
	}
	return s
}

// Unlabelled makes a set of the table in which every column is a feature, as for Label.
func (t Table) Unlabelled() Set {
	t, ok := t.ready("Unlabelled")
	if !ok {
		return t.broken()
	}
	return t.set(-1)
}

func (t Table) broken() Set { return Set{Name: t.label(), chain: t.chain} }

// Table returns the rows of a set as a table, with the classes or the target in the last column.
func (s Set) Table() Table {
	t := Table{Name: s.Name, Source: s.Source, Licence: s.Licence, Citation: s.Citation, chain: s.chain}
	if s.Err() != nil {
		return t
	}
	t.rows = s.N()
	for j, name := range s.FeatureNames {
		c := column{name: name, unit: s.unit(j)}
		if words := s.words(j); words != nil {
			c.kind, c.words, c.codes = Nominal, words, make([]int32, t.rows)
			for i := range c.codes {
				c.codes[i] = -1
				if v := s.X.At(i, j); v == v {
					c.codes[i] = int32(v)
				}
			}
			c = c.tight()
		} else {
			c.numbers = mat.Col(nil, j, s.X)
		}
		t.columns = append(t.columns, c)
	}
	if s.Y != nil {
		c := column{name: free("class", s.FeatureNames), kind: Nominal, words: s.ClassNames, codes: make([]int32, t.rows)}
		for i, y := range s.Y {
			c.codes[i] = int32(y)
		}
		t.columns = append(t.columns, c.tight())
	}
	if s.Target != nil {
		t.columns = append(t.columns, column{name: free(s.targetLabel(), t.names()), numbers: append([]float64{}, s.Target...)})
	}
	return t
}

// words returns the words that the numbers of a feature stand for, or nil for a feature of numbers.
func (s Set) words(j int) []string {
	if j < len(s.Words) {
		return s.Words[j]
	}
	return nil
}

// gaps returns the number of gaps in a feature.
func (s Set) gaps(j int) int {
	n := 0
	for i := range s.N() {
		if v := s.X.At(i, j); v != v {
			n++
		}
	}
	return n
}

// CheckNumbers reports features that hold words, or gaps, in the name of a step that can do with neither.
func (s Set) CheckNumbers(step string) error {
	for j, name := range s.FeatureNames {
		if s.words(j) != nil {
			return fault.Argument(
				step,
				"the feature "+strconv.Quote(name),
				"words",
				"numbers",
				"make columns of them in a pipeline, prl.Pipeline(prl.Impute(), prl.OneHot()).Then(...), or choose other features with .Features",
			)
		}
	}
	for i := range s.N() {
		for j, v := range s.X.RawRowView(i) {
			if v != v {
				return fault.Argument(
					step,
					"the feature "+strconv.Quote(s.FeatureNames[j]),
					"with "+count(s.gaps(j), "gap"),
					"without gaps",
					"fill them in a pipeline, prl.Pipeline(prl.Impute()).Then(...), or leave the rows out with .DropMissing",
				)
			}
		}
	}
	return nil
}

// Recoded returns s with the words of its features numbered as they are in another set, of whose features words are given by WordsOf. A
// word that is not there has the number len(words). Errors: another number of features, and words where the other set has numbers, or the
// other way about.
func (s Set) Recoded(step string, names []string, words [][]string) (Set, error) {
	if err := s.CheckRows(step); err != nil {
		return s, err
	}
	if s.D() != len(names) {
		return s, fault.Argument(
			step,
			"the data set "+s.Name,
			fmt.Sprintf("of %d features", s.D()),
			fmt.Sprintf("of %d, like the data of the fit",
				len(names)),
			"",
		)
	}
	copied := false
	for j, name := range names {
		mine, theirs := s.words(j), []string(nil)
		if j < len(words) {
			theirs = words[j]
		}
		if (mine == nil) != (theirs == nil) {
			if mine == nil && s.gaps(j) == s.N() {
				continue // nothing but gaps, which have no kind
			}
			holds := map[bool]string{true: "numbers", false: "words"}
			return s, fault.Argument(
				step,
				"the feature "+strconv.Quote(s.FeatureNames[j]),
				holds[mine == nil],
				fmt.Sprintf(
					"%s, like %q of the fit",
					holds[theirs == nil],
					name,
				),
				"state it when the file is read, with datasets.AsWords or datasets.AsNumbers",
			)
		}
		if mine == nil || slices.Equal(mine, theirs) {
			continue
		}
		to := make([]float64, len(mine))
		for k, word := range mine {
			to[k] = float64(len(theirs))
			for m, other := range theirs {
				if other == word {
					to[k] = float64(m)
				}
			}
		}
		if !copied {
			s.X, copied = mat.DenseCopyOf(s.X), true
			s.Words = append([][]string(nil), s.Words...)
		}
		for i := range s.N() {
			if v := s.X.At(i, j); v == v {
				s.X.Set(i, j, to[int(v)])
			}
		}
		s.Words[j] = theirs
	}
	return s, nil
}
