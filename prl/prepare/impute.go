package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// columns are what a preparation knows of the features that it was fitted to.
type columns struct {
	estimator.Names
	words [][]string // that numbers of features stand for, nil for numbers; nil without words
}

// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers.
func (c *columns) Columns() (names []string, words [][]string) { return c.FeatureNames, c.words }

func (c *columns) wordsOf(j int) []string {
	if j < len(c.words) {
		return c.words[j]
	}
	return nil
}

// checkWords reports words of another number of features than X has, and numbers of X that stand for no word.
func checkWords(function string, X *mat.Dense, words [][]string) error {
	n, d := X.Dims()
	if words != nil && len(words) != d {
		return fault.Argument(
			function,
			"Words",
			fmt.Sprintf("of %d features", len(words)),
			fmt.Sprintf("of %d, one list for each column of X", d),
			"",
		)
	}
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if math.IsInf(v, 0) {
				return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), v, "a finite number, or NaN for a gap", "")
			}
			if words != nil && words[j] != nil && v == v && (v != math.Trunc(v) || v < 0 || v > float64(len(words[j]))) {
				return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), v,
					fmt.Sprintf("the number of one of %d words, from 0, or %d for another word", len(words[j]), len(words[j])), "")
			}
		}
	}
	return nil
}

// Filling is what an Imputer puts into gaps of numbers.
type Filling int

const (
	Median Filling = iota
	Mean
	Constant
)

func (f Filling) String() string { return [...]string{"median", "mean", "constant"}[f] }

// ImputeOptions are the settings of FitImputer. The zero value fills with medians and the most frequent words.
type ImputeOptions struct {
	Filling    Filling
	Constant   float64    // what the filling Constant puts into gaps of numbers
	Word       string     // what is put into gaps of words; "" for the most frequent word, the first of equals
	Indicators bool       // adds a feature "x is missing", 0 or 1, for each feature with gaps in the rows of the fit
	Words      [][]string // the words that the numbers of features stand for, nil for numbers; nil without words
}

func (o ImputeOptions) check(function string) error {
	if o.Filling < Median || o.Filling > Constant {
		return fault.Argument(function, "Filling", int(o.Filling), "Median, Mean or Constant", "")
	}
	if o.Constant-o.Constant != 0 {
		return fault.Argument(function, "Constant", o.Constant, "a finite number", "")
	}
	return nil
}

// An Imputer fills gaps with what it has seen in the rows of the fit.
type Imputer struct {
	columns
	state imputerState
}

type imputerState struct {
	Fill  []float64 // for each feature
	Gaps  []int     // in the rows of the fit
	Flags []int     // the features that have an indicator
	Words [][]string
	Out   [][]string // the words after the fit, with the one that is put into gaps
	Names estimator.Names
}

// FitImputer measures what to put into the gaps (NaN) of X (n x d): of numbers the median or the mean of the others, of words the most
// frequent one. Errors: an infinity; a feature with nothing but gaps, of which nothing can be learned, unless it is filled with what is
// given.
func FitImputer(ctx context.Context, X mat.Matrix, o ImputeOptions) (*Imputer, error) {
	const name = "prepare.FitImputer"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := o.check(name); err != nil {
		return nil, err
	}
	x, err := raw(name, X)
	if err != nil {
		return nil, err
	}
	if err := checkWords(name, x, o.Words); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	m := &Imputer{columns: columns{words: o.Words}}
	s := imputerState{Fill: make([]float64, d), Gaps: make([]int, d), Words: o.Words, Out: slices.Clone(o.Words)}
	for j := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var v []float64
		for i := range n {
			if x := x.At(i, j); x == x {
				v = append(v, x)
			}
		}
		if s.Gaps[j] = n - len(v); s.Gaps[j] > 0 && o.Indicators {
			s.Flags = append(s.Flags, j)
		}
		words := m.wordsOf(j)
		given := words == nil && o.Filling == Constant || words != nil && o.Word != ""
		if len(v) == 0 && !given {
			return nil, fault.Argument(
				name,
				fmt.Sprintf("column %d of X", j),
				"nothing but gaps",
				"a column with values in the rows of the fit",
				"leave the feature out",
			)
		}
		switch {
		case words != nil && o.Word != "":
			k := slices.Index(words, o.Word)
			if k < 0 {
				k = len(words)
				s.Out[j] = append(words[:k:k], o.Word)
			}
			s.Fill[j] = float64(k)
		case words != nil:
			rows := make([]int, len(words)+1)
			for _, k := range v {
				rows[int(k)]++
			}
			s.Fill[j] = float64(slices.Index(rows, slices.Max(rows)))
		case o.Filling == Constant:
			s.Fill[j] = o.Constant
		case o.Filling == Mean:
			for i, x := range v {
				s.Fill[j] += (x - s.Fill[j]) / float64(i+1)
			}
		default:
			slices.Sort(v)
			s.Fill[j] = v[(len(v)-1)/2]/2 + v[len(v)/2]/2
		}
	}
	m.state = s
	return m, nil
}

// raw returns X as a dense matrix, which may hold NaN.
func raw(function string, X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckSize(function, X); err != nil {
		return nil, err
	}
	return estimator.Dense(X), nil
}

// Dim returns the number of features.
func (m *Imputer) Dim() int { return len(m.state.Fill) }

// Transform returns X (n x d) with its gaps filled, and with indicators behind the features when they were asked for. A word that the data
// of the fit do not have stays another word.
func (m *Imputer) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "prepare.Imputer.Transform"
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := checkWords(name, x, m.words); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	z := mat.NewDense(n, d+len(m.state.Flags), nil)
	for i := range n {
		row := z.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			switch words := m.wordsOf(j); {
			case v != v:
				row[j] = m.state.Fill[j]
			case words != nil && int(v) == len(words):
				row[j] = float64(len(m.state.Out[j])) // behind a word that was put into gaps
			default:
				row[j] = v
			}
		}
		for k, j := range m.state.Flags {
			if v := x.At(i, j); v != v {
				row[d+k] = 1
			}
		}
	}
	return z, nil
}

// Shape returns the names and the words of what Transform makes.
func (m *Imputer) Shape(names []string, _ [][]string) ([]string, [][]string) {
	names = slices.Clone(names)
	words := m.state.Out
	if words != nil {
		words = slices.Clone(words)
	}
	for _, j := range m.state.Flags {
		if names = append(names, names[j]+" is missing"); words != nil {
			words = append(words, nil)
		}
	}
	return names, words
}

// String says how many gaps the rows of the fit had.
func (m *Imputer) String() string {
	gaps, features := 0, 0
	for _, g := range m.state.Gaps {
		if gaps += g; g > 0 {
			features++
		}
	}
	return fmt.Sprintf("imputer of %d gaps in %d of %d features", gaps, features, m.Dim())
}

func (m *Imputer) prepare() { m.words = m.state.Words }

// sound reports whether the parts fit together.
func (s *imputerState) sound() bool {
	d := len(s.Fill)
	fit := d > 0 && len(s.Gaps) == d && (s.Words == nil || len(s.Words) == d) && len(s.Words) == len(s.Out)
	for j := range s.Words {
		fit = fit && (s.Words[j] == nil) == (s.Out[j] == nil)
	}
	for _, j := range s.Flags {
		fit = fit && j >= 0 && j < d
	}
	return fit
}

// An ImputePlan fills the gaps of features: PlanImpute().Fit(train).
//
//plan:step Filling Mean() = Mean // fills gaps of numbers with the mean in place of the median
//plan:step Word Word(word string) // fills gaps of words with a word, "unknown" say, which may be a new one
//plan:step Indicators Indicators // adds a feature of 0 and 1, "x is missing", for each feature with gaps in the rows of the fit: that
//plan:text nobody measured it may mean something
type ImputePlan struct {
	plan.Transformer[*Imputer, ImputeOptions]
}

// PlanImpute begins a filling of gaps, of numbers with the median and of words with the most frequent word of the rows that it is fitted
// to.
func PlanImpute() ImputePlan {
	return ImputePlan{plan.NewTransformer(plan.Spec[*Imputer, ImputeOptions]{
		Name: "Impute", Needs: plan.Rows, Raw: true,
		Check: func(step string, o ImputeOptions) error { return o.check(step) },
		Fit: func(ctx context.Context, set datasets.Set, o ImputeOptions) (*Imputer, error) {
			o.Words = set.Words
			return FitImputer(ctx, set.X, o)
		},
	}, "")}
}

// Constant fills gaps of numbers with v.
func (p ImputePlan) Constant(v float64) ImputePlan {
	return plan.With(p, "Constant", func(o *ImputeOptions) { o.Filling, o.Constant = Constant, v }, v)
}

// Table lists parameters and diagnostics: for each feature with gaps their number in the rows of the fit, and what is put there.
func (p ImputePlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Imputer) (cell.Table, error) {
		t := cell.NewTable("feature", "gaps", "filled with")
		for j, gaps := range m.state.Gaps {
			if gaps == 0 {
				continue
			}
			var fill any = m.state.Fill[j]
			if m.wordsOf(j) != nil {
				fill = m.state.Out[j][int(m.state.Fill[j])]
			}
			t = t.Row(m.FeatureName(j), gaps, fill)
		}
		return t.Title(p.String()).Note(m.String()), nil
	})
}

// Show shows the picture or table that says most: the table.
func (p ImputePlan) Show() { p.Table().Show() }
