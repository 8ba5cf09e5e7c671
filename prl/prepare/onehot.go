package prepare

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/sparse"
)

// OneHotOptions are the settings of FitOneHot.
type OneHotOptions struct {
	Features  []int      // the features of words that are coded; nil for all of them
	DropFirst bool       // no column for the first word, which the others tell when they are all 0
	Unseen    bool       // a word that the rows of the fit do not have is 0 in all columns, and no error
	Words     [][]string // the words that the numbers of features stand for, nil for numbers; nil without words
}

// A OneHotEncoder makes of a feature of words a column of 0 and 1 for each word.
type OneHotEncoder struct {
	columns
	state oneHotState
}

type oneHotState struct {
	Coded  []bool  // the features of words that are coded; the others stay as they are
	Seen   [][]int // for each feature the words that have a column
	First  []int   // the word that has none, or -1
	Unseen bool
	Words  [][]string
	Names  estimator.Names
}

// FitOneHot finds the words that the rows of X (n x d) have; columns in place of a feature follow the order of its words. Errors: a gap in
// a feature of words, and features that hold numbers.
func FitOneHot(ctx context.Context, X mat.Matrix, o OneHotOptions) (*OneHotEncoder, error) {
	const name = "prepare.FitOneHot"
	x, coded, err := codes(ctx, name, X, o.Words, o.Features)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	s := oneHotState{Coded: coded, Seen: make([][]int, d), First: make([]int, d), Unseen: o.Unseen, Words: o.Words}
	for j := range d {
		if s.First[j] = -1; !coded[j] {
			continue
		}
		seen := make([]bool, len(o.Words[j])+1)
		for i := range n {
			seen[int(x.At(i, j))] = true
		}
		for k, is := range seen[:len(o.Words[j])] {
			switch {
			case !is:
			case o.DropFirst && s.First[j] < 0:
				s.First[j] = k
			default:
				s.Seen[j] = append(s.Seen[j], k)
			}
		}
	}
	return &OneHotEncoder{columns{words: o.Words}, s}, nil
}

// codes checks rows of which some features are coded, and tells which.
func codes(ctx context.Context, name string, X mat.Matrix, words [][]string, features []int) (*mat.Dense, []bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	x, err := raw(name, X)
	if err != nil {
		return nil, nil, err
	}
	if err := checkWords(name, x, words); err != nil {
		return nil, nil, err
	}
	_, d := x.Dims()
	coded := make([]bool, d)
	for _, j := range features {
		if j < 0 || j >= d {
			return nil, nil, fault.Argument(name, "a feature", j, fmt.Sprintf("0 to %d", d-1), "")
		}
		if j >= len(words) || words[j] == nil {
			return nil, nil, fault.Argument(
				name,
				fmt.Sprintf("column %d of X", j),
				"numbers",
				"words",
				"say so in the table, with .AsWords",
			)
		}
		coded[j] = true
	}
	for j := range words {
		coded[j] = coded[j] || features == nil && words[j] != nil
	}
	return x, coded, noGaps(name, x, coded)
}

// noGaps reports a gap in a feature that is coded.
func noGaps(name string, x *mat.Dense, coded []bool) error {
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if coded[j] && v != v {
				return fault.Argument(name, fmt.Sprintf("column %d of X", j), "with a gap", "without gaps", "put prl.Impute() before it")
			}
		}
	}
	return nil
}

// Dim returns the number of features of the fit.
func (m *OneHotEncoder) Dim() int { return len(m.state.Coded) }

// Transform returns the rows of X (n x d) with columns of 0 and 1 in place of features of words. Errors: a gap there, and a word that the
// rows of the fit do not have, unless the options let it be 0 in all columns.
func (m *OneHotEncoder) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "prepare.OneHotEncoder.Transform"
	x, width, err := m.ready(name, X)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	z := mat.NewDense(n, width, nil)
	for i := range n {
		row := z.RawRowView(i)
		if err := m.code(name, x.RawRowView(i), func(j int, v float64) { row[j] = v }); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// TransformSparse is Transform without the zeros, for features of many words: a row of d features takes 12 d bytes whatever their words.
func (m *OneHotEncoder) TransformSparse(X mat.Matrix) (*sparse.CSR, error) {
	const name = "prepare.OneHotEncoder.TransformSparse"
	x, width, err := m.ready(name, X)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	start, at, values := make([]int, 1, n+1), make([]int32, 0, n*d), make([]float64, 0, n*d)
	for i := range n {
		err := m.code(name, x.RawRowView(i), func(j int, v float64) {
			if v != 0 { // a gap in numbers stays one
				at, values = append(at, int32(j)), append(values, v)
			}
		})
		if err != nil {
			return nil, err
		}
		start = append(start, len(at))
	}
	return sparse.NewCSR(width, start, at, values)
}

// ready checks rows that are to be coded, and returns them with the number of columns of the code.
func (m *OneHotEncoder) ready(name string, X mat.Matrix) (x *mat.Dense, width int, err error) {
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, 0, err
	}
	x = estimator.Dense(X)
	if err := checkWords(name, x, m.words); err != nil {
		return nil, 0, err
	}
	coded := m.state.Coded
	for j, seen := range m.state.Seen {
		if coded[j] {
			width += len(seen)
		} else {
			width++
		}
	}
	if err := noGaps(name, x, coded); err != nil {
		return nil, 0, m.naming(err)
	}
	if width == 0 {
		return nil, 0, fault.Argument(
			name,
			"the features",
			"of one word each",
			"at least one with two words",
			"keep the first word, or leave the step out",
		)
	}
	return x, width, nil
}

// code calls put with the columns and numbers of a row's code that are not zero, and with the numbers that are not coded.
func (m *OneHotEncoder) code(name string, row []float64, put func(j int, v float64)) error {
	at := 0
	for j, v := range row {
		seen := m.state.Seen[j]
		if !m.state.Coded[j] {
			put(at, v)
			at++
			continue
		}
		switch k := slices.Index(seen, int(v)); {
		case k >= 0:
			put(at+k, 1)
		case int(v) != m.state.First[j] && !m.state.Unseen:
			return m.strange(name, j, int(v), "or let it be 0 in all columns, with .Unseen()")
		}
		at += len(seen)
	}
	return nil
}

// strange is the error of a word that the rows of the fit do not have.
func (c *columns) strange(name string, j, k int, remedy string) error {
	words := c.wordsOf(j)
	got := "a word that the data of the fit do not have"
	if k < len(words) {
		got = strconv.Quote(words[k]) + ", which no row of the fit has"
	}
	return fault.Argument(name, "the feature "+strconv.Quote(c.FeatureName(j)), got,
		fmt.Sprintf("one of the words %s", fault.Short(words)), "fit to rows that have the word, "+remedy)
}

// naming puts the name of a feature in place of its number.
func (c *columns) naming(err error) error {
	return plan.ByName(err, c.FeatureNames)
}

// Shape returns the names of what Transform makes: "island = Dream" for the column of a word.
func (m *OneHotEncoder) Shape(names []string, words [][]string) (newNames []string, newWords [][]string) {
	left := false
	for j, seen := range m.state.Seen {
		if !m.state.Coded[j] {
			newNames, newWords = append(newNames, names[j]), append(newWords, m.wordsOf(j))
			left = left || m.wordsOf(j) != nil
			continue
		}
		for _, k := range seen {
			newNames, newWords = append(newNames, names[j]+" = "+m.words[j][k]), append(newWords, nil)
		}
	}
	if !left {
		newWords = nil
	}
	return newNames, newWords
}

// String says how many columns are made.
func (m *OneHotEncoder) String() string {
	features, made := 0, 0
	for j, seen := range m.state.Seen {
		if m.state.Coded[j] {
			features++
			made += len(seen)
		}
	}
	if features == 1 {
		return fmt.Sprintf("one-hot code of a feature in %d columns", made)
	}
	return fmt.Sprintf("one-hot code of %d features in %d columns", features, made)
}

func (m *OneHotEncoder) prepare() { m.words = m.state.Words }

// sound reports whether the parts fit together.
func (s *oneHotState) sound() bool {
	d := len(s.Coded)
	fit := d > 0 && len(s.Seen) == d && len(s.First) == d && (s.Words == nil || len(s.Words) == d)
	for j := 0; fit && j < d; j++ {
		words := 0
		if j < len(s.Words) {
			words = len(s.Words[j])
		}
		fit = (!s.Coded[j] || words > 0) && s.First[j] >= -1 && s.First[j] < words
		for _, k := range s.Seen[j] {
			fit = fit && k >= 0 && k < words
		}
	}
	return fit
}

// PlanOneHot begins a coding of words by a column of 0 and 1 for each: of the named features, or of all features of words when none is
// named.
func PlanOneHot(features ...string) OneHotPlan {
	return OneHotPlan{plan.NewTransformer(plan.Spec[*OneHotEncoder, oneHotSettings]{
		Name: "OneHot", Args: fault.Args(features), Options: oneHotSettings{Features: features}, Needs: plan.Rows, Raw: true,
		Fit: func(ctx context.Context, set datasets.Set, o oneHotSettings) (*OneHotEncoder, error) {
			places, err := places(set, o.Features)
			if err != nil {
				return nil, err
			}
			return FitOneHot(ctx, set.X, OneHotOptions{places, o.DropFirst, o.Unseen, set.Words})
		},
	}, "")}
}

type oneHotSettings struct {
	Features          []string
	DropFirst, Unseen bool
}

// places returns the columns of features.
func places(set datasets.Set, features []string) (at []int, err error) {
	for _, name := range features {
		j, err := set.FeatureIndex(name)
		if err != nil {
			return nil, err
		}
		at = append(at, j)
	}
	return at, nil
}

// A OneHotPlan codes words by columns of 0 and 1: PlanOneHot().Fit(train).
//
//plan:step DropFirst DropFirst // makes no column for the first word of a feature, so that the columns of a feature do not sum to one in
//plan:text every row
//plan:step Unseen Unseen // lets a word that the rows of the fit do not have be 0 in all columns. Otherwise it is an error
type OneHotPlan struct {
	plan.Transformer[*OneHotEncoder, oneHotSettings]
}

// Table lists parameters and diagnostics: the words of each feature that is coded.
func (p OneHotPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *OneHotEncoder) (cell.Table, error) {
		t := cell.NewTable("feature", "word", "column")
		for j, seen := range m.state.Seen {
			if k := m.state.First[j]; k >= 0 {
				t = t.Row(m.FeatureName(j), m.words[j][k], "none")
			}
			for _, k := range seen {
				t = t.Row(m.FeatureName(j), m.words[j][k], m.FeatureName(j)+" = "+m.words[j][k])
			}
		}
		return t.Title(p.String()).Note(m.String()), nil
	})
}

// Show shows the picture or table that says most: the table.
func (p OneHotPlan) Show() { p.Table().Show() }
