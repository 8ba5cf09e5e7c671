package prepare

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// OrdinalOptions are the settings of FitOrdinal.
type OrdinalOptions struct {
	Features []int      // the features of words that become numbers; nil for all of them
	Orders   [][]string // for each of Features the words from the least on; nil for the words of the fit in their own order
	Words    [][]string // the words that the numbers of features stand for, nil for numbers; nil without words
}

// An OrdinalEncoder makes of a feature of words one of the numbers 0, 1, ... of their order.
type OrdinalEncoder struct {
	columns
	state ordinalState
}

type ordinalState struct {
	Coded []bool
	Rank  [][]int // for each feature that is coded the rank of each word, -1 for a word that has none
	Words [][]string
	Names estimator.Names
}

// FitOrdinal finds the ranks of the words that the rows of X (n x d) have. Errors: a gap, a feature that holds numbers, a word of the rows
// that the given order does not name.
func FitOrdinal(ctx context.Context, X mat.Matrix, o OrdinalOptions) (*OrdinalEncoder, error) {
	const name = "prepare.FitOrdinal"
	x, coded, err := codes(ctx, name, X, o.Words, o.Features)
	if err != nil {
		return nil, err
	}
	if o.Orders != nil && len(o.Orders) != len(o.Features) {
		return nil, fault.Argument(
			name,
			"Orders",
			fmt.Sprintf("%d lists", len(o.Orders)),
			fmt.Sprintf("one for each of %d features", len(o.Features)),
			"",
		)
	}
	n, d := x.Dims()
	s := ordinalState{Coded: coded, Rank: make([][]int, d), Words: o.Words}
	for j := range d {
		if !coded[j] {
			continue
		}
		words := o.Words[j]
		seen := make([]bool, len(words)+1)
		for i := range n {
			seen[int(x.At(i, j))] = true
		}
		s.Rank[j] = make([]int, len(words))
		var order []string
		if at := slices.Index(o.Features, j); at >= 0 && o.Orders != nil {
			order = o.Orders[at]
		}
		next := 0
		for k, word := range words {
			switch s.Rank[j][k] = -1; {
			case order != nil:
				if s.Rank[j][k] = slices.Index(order, word); s.Rank[j][k] < 0 && seen[k] {
					return nil, fault.Argument(name, fmt.Sprintf("column %d of X", j), fmt.Sprintf("of the word %q", word),
						"one of the words "+strings.Join(order, ", "), "name every word in the order")
				}
			case seen[k]:
				s.Rank[j][k] = next
				next++
			}
		}
	}
	return &OrdinalEncoder{columns{words: o.Words}, s}, nil
}

// Dim returns the number of features.
func (m *OrdinalEncoder) Dim() int { return len(m.state.Coded) }

// Transform returns X (n x d) with ranks in place of words. Errors: a gap there, and a word without a rank.
func (m *OrdinalEncoder) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "prepare.OrdinalEncoder.Transform"
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	z := mat.DenseCopyOf(X)
	if err := checkWords(name, z, m.words); err != nil {
		return nil, err
	}
	if err := noGaps(name, z, m.state.Coded); err != nil {
		return nil, m.naming(err)
	}
	n, _ := z.Dims()
	for i := range n {
		for j, coded := range m.state.Coded {
			if !coded {
				continue
			}
			k, rank := int(z.At(i, j)), -1
			if k < len(m.state.Rank[j]) {
				rank = m.state.Rank[j][k]
			}
			if rank < 0 {
				return nil, m.strange(name, j, k, "or name it in the order, with .Order")
			}
			z.Set(i, j, float64(rank))
		}
	}
	return z, nil
}

// Shape returns the names, and the words of the features that are not coded.
func (m *OrdinalEncoder) Shape(names []string, _ [][]string) ([]string, [][]string) {
	words, left := make([][]string, m.Dim()), false
	for j, coded := range m.state.Coded {
		if !coded {
			words[j] = m.wordsOf(j)
			left = left || words[j] != nil
		}
	}
	if !left {
		words = nil
	}
	return names, words
}

// String says how many features are coded.
func (m *OrdinalEncoder) String() string {
	coded := 0
	for _, is := range m.state.Coded {
		if is {
			coded++
		}
	}
	return fmt.Sprintf("ranks of %d features", coded)
}

func (m *OrdinalEncoder) prepare() { m.words = m.state.Words }

// sound reports whether the parts fit together.
func (s *ordinalState) sound() bool {
	d := len(s.Coded)
	fit := d > 0 && len(s.Rank) == d && (s.Words == nil || len(s.Words) == d)
	for j := 0; fit && j < d; j++ {
		fit = !s.Coded[j] || s.Words != nil && s.Words[j] != nil && len(s.Rank[j]) == len(s.Words[j])
		for _, rank := range s.Rank[j] {
			fit = fit && rank >= -1
		}
	}
	return fit
}

type ordinalSettings struct {
	Features []string
	Orders   []order
}

type order struct {
	Feature string
	Words   []string
}

// An OrdinalPlan makes numbers of words that have an order: PlanOrdinal().Order("size", "small", "medium", "large").Fit(train).
//
//plan:face
type OrdinalPlan struct {
	plan.Transformer[*OrdinalEncoder, ordinalSettings]
}

// PlanOrdinal begins a coding of words by the numbers 0, 1, ...: of the named features, or of all features of words when none is named,
// whose words then have the order of their names, and of those that Order names.
func PlanOrdinal(features ...string) OrdinalPlan {
	return OrdinalPlan{plan.NewTransformer(plan.Spec[*OrdinalEncoder, ordinalSettings]{
		Name: "Ordinal", Args: fault.Args(features), Options: ordinalSettings{Features: features}, Needs: plan.Rows, Raw: true,
		Fit: func(ctx context.Context, set datasets.Set, o ordinalSettings) (*OrdinalEncoder, error) {
			names, orders := slices.Clone(o.Features), make([][]string, len(o.Features))
			for _, by := range o.Orders {
				k := slices.Index(names, by.Feature)
				if k < 0 {
					k, names, orders = len(names), append(names, by.Feature), append(orders, nil)
				}
				orders[k] = by.Words
			}
			places, err := places(set, names)
			if err != nil {
				return nil, err
			}
			if places == nil {
				orders = nil
			}
			return FitOrdinal(ctx, set.X, OrdinalOptions{places, orders, set.Words})
		},
	}, "")}
}

// Order names the words of a feature from the least on.
func (p OrdinalPlan) Order(feature string, words ...string) OrdinalPlan {
	args := append([]any{feature}, fault.Args(words)...)
	if len(words) == 0 {
		return plan.Broken(
			p,
			"Order",
			fault.Argument("Order", "the order of "+strconv.Quote(feature), "empty", "the words from the least on", ""),
			args...,
		)
	}
	words = slices.Clone(words)
	return plan.With(p, "Order", func(o *ordinalSettings) {
		o.Orders = append(o.Orders[:len(o.Orders):len(o.Orders)], order{feature, words})
	}, args...)
}

// Table lists parameters and diagnostics: the rank of each word.
func (p OrdinalPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *OrdinalEncoder) (cell.Table, error) {
		t := cell.NewTable("feature", "word", "rank")
		for j, ranks := range m.state.Rank {
			for k, rank := range ranks {
				if rank >= 0 {
					t = t.Row(m.FeatureName(j), m.words[j][k], rank)
				}
			}
		}
		return t.Title(p.String()).Note(m.String()), nil
	})
}

// Show shows the picture or table that says most: the table.
func (p OrdinalPlan) Show() { p.Table().Show() }
