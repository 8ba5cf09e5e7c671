package structured

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/svm"
)

// mostDifferences is how many numbers the differences of all pairs may have: they are kept, 1 GB of them.
const mostDifferences = 1 << 27

// RankOptions are the settings of FitRank. A field that is zero stands for its default.
type RankOptions struct {
	C       float64 // price of slack of a pair, > 0; default 1
	Queries []int   // n numbers: rows of different queries are never compared; nil means one query
	Tol     float64 // as in svm.LinearOptions; default 1e-3
}

func (o RankOptions) check(op string) error {
	return fault.First(estimator.CheckPositive(op, "C", cmp.Or(o.C, 1), 1), estimator.CheckPositive(op, "Tol", cmp.Or(o.Tol, 1e-3), 1e-3))
}

// A Ranker gives each row a utility w.x; of two rows the one with the larger utility comes first. It is immutable and safe for concurrent
// use.
type Ranker struct {
	estimator.Names
	s rankState
}

// A rankState is what is stored.
type rankState struct {
	W           []float64
	Pairs       int
	Certificate svm.Certificate
	Names       estimator.Names // in storage only
}

// FitRank learns a utility u(x) = w.x that orders the rows of X (n x d) of a query by their grades, larger ones first. It minimises
//
//	|w|^2/2 + C sum max(0, 1 - w.(x_i - x_j))   over all pairs of rows of one query with grade_i > grade_j
//
// which is a support vector machine without bias on the differences x_i - x_j: what is added to all rows of a query changes no order.
//
// Errors: unusable data, grades that are all equal within the queries, more than 2^27 differences of all pairs, settings out of range, a
// context that ends.
//
// Sources: R. Herbrich, T. Graepel and K. Obermayer (2000), Large margin rank boundaries for ordinal regression; T. Joachims (2002),
// Optimizing search engines using clickthrough data, KDD.
func FitRank(ctx context.Context, X mat.Matrix, grade []float64, o RankOptions) (*Ranker, error) {
	const op = "structured.FitRank"
	if err := o.check(op); err != nil {
		return nil, err
	}
	l, err := estimator.NewTargeted(ctx, op, X, grade, nil)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckSquares(op, l.Dense()); err != nil {
		return nil, err
	}
	count, err := countPairs(op, grade, o.Queries)
	if err != nil {
		return nil, err
	}
	if float64(count)*float64(l.D) > mostDifferences {
		return nil, fault.Argument(op, "X", fmt.Sprintf("of %d pairs with %d differences each", count, l.D),
			fmt.Sprintf("at most %d differences in all", mostDifferences), "take a sample of the rows, or fewer grades")
	}
	// Half of the pairs are turned round, so that there are two classes, and a single pair stands for both at half the price.
	D, sign, o2 := mat.NewDense(max(count, 2), l.D, nil), make([]int, max(count, 2)), svm.LinearOptions{C: o.C, NoBias: true, Tol: o.Tol}
	if count == 1 {
		o2.C = cmp.Or(o.C, 1) / 2
	}
	at := 0
	put := func(i, j int) {
		row := D.RawRowView(at)
		if sign[at] = at % 2; sign[at] == 0 {
			i, j = j, i
		}
		floats.SubTo(row, l.Dense().RawRowView(i), l.Dense().RawRowView(j))
		at++
	}
	for _, rows := range byQuery(len(grade), o.Queries) {
		for _, i := range rows {
			if err := ctx.Err(); err != nil {
				return nil, fault.In(op, err)
			}
			for _, j := range rows {
				if grade[i] > grade[j] {
					put(i, j)
					if count == 1 {
						put(i, j)
					}
				}
			}
		}
	}
	m, err := svm.FitLinear(ctx, D, sign, o2)
	if late := (*svm.IterationError)(nil); errors.As(err, &late) {
		m, err = late.Linear, nil // the certificate says how near
	}
	if err != nil {
		return nil, fault.In(op, err)
	}
	return &Ranker{s: rankState{W: m.Weights()[0], Pairs: count, Certificate: m.Certificates()[0]}}, nil
}

// byQuery returns the rows of each query, in the order of the queries' numbers.
func byQuery(n int, queries []int) [][]int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if queries == nil {
		return [][]int{rows}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(queries[a], queries[b]) })
	var out [][]int
	for from := 0; from < n; {
		to := from
		for to < n && queries[rows[to]] == queries[rows[from]] {
			to++
		}
		out, from = append(out, rows[from:to]), to
	}
	return out
}

// countPairs returns the number of pairs of rows of one query with different grades.
func countPairs(op string, grade []float64, queries []int) (int, error) {
	if queries != nil && len(queries) != len(grade) {
		return 0, fault.Argument(op, "Queries", fmt.Sprintf("%d numbers", len(queries)),
			fmt.Sprintf("one for each of the %d rows", len(grade)), "")
	}
	pairs := 0
	for _, rows := range byQuery(len(grade), queries) {
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(grade[a], grade[b]) })
		for from := 0; from < len(rows); {
			to := from
			for to < len(rows) && grade[rows[to]] == grade[rows[from]] {
				to++
			}
			pairs, from = pairs+(to-from)*from, to
		}
	}
	if pairs == 0 {
		return 0, fault.Argument(op, "grade", "the same for all rows of each query", "different somewhere, since equal rows have no order", "")
	}
	return pairs, nil
}

// Swaps counts the pairs of rows of one query with different grades, and how many of them the utilities swap or tie, in n log n time. Of
// two grades and one query, swapped + tied/2 is (1 - AUC) times the pairs. queries nil means one query.
//
// Errors: slices of unequal lengths, numbers that are not finite, no pair.
func Swaps(utility, grade []float64, queries []int) (swapped, tied, pairs int, err error) {
	const op = "structured.Swaps"
	if len(utility) != len(grade) {
		return 0, 0, 0, fault.Argument(op, "utility", fmt.Sprintf("%d numbers", len(utility)),
			fmt.Sprintf("%d, like the grades", len(grade)), "")
	}
	if !finite(utility) || !finite(grade) {
		return 0, 0, 0, fault.Argument(op, "utility or grade", "not finite", "finite numbers", "")
	}
	if pairs, err = countPairs(op, grade, queries); err != nil {
		return 0, 0, 0, err
	}
	for _, rows := range byQuery(len(grade), queries) {
		slices.SortFunc(rows, func(a, b int) int {
			return cmp.Or(cmp.Compare(grade[a], grade[b]), cmp.Compare(utility[a], utility[b]))
		})
		u := make([]float64, len(rows))
		var groups []int // where the next grade begins
		for i, r := range rows {
			if u[i] = utility[r]; i > 0 && grade[r] != grade[rows[i-1]] {
				groups = append(groups, i)
			}
		}
		groups = append(groups, len(rows))
		s, t := merge(u, groups)
		swapped, tied = swapped+s, tied+t
	}
	return swapped, tied, pairs, nil
}

// merge sorts u, of which the groups, whose ends are given, are sorted, and counts the pairs of different groups that are the wrong way
// round or equal.
func merge(u []float64, ends []int) (swapped, tied int) {
	if len(ends) < 2 {
		return 0, 0
	}
	half := len(ends) / 2
	cut := ends[half-1]
	later := make([]int, 0, len(ends)-half)
	for _, e := range ends[half:] {
		later = append(later, e-cut)
	}
	low, high := u[:cut], u[cut:]
	s1, t1 := merge(low, ends[:half])
	s2, t2 := merge(high, later)
	swapped, tied = s1+s2, t1+t2
	below, upTo := 0, 0 // of low: less than the number of high, and at most that
	for _, v := range high {
		for below < len(low) && low[below] < v {
			below++
		}
		for upTo < len(low) && low[upTo] <= v {
			upTo++
		}
		swapped, tied = swapped+len(low)-upTo, tied+upTo-below
	}
	slices.Sort(u)
	return swapped, tied
}

// Weights returns w of the utility w.x.
func (m *Ranker) Weights() []float64 { return slices.Clone(m.s.W) }

// Pairs returns the number of pairs of the fit.
func (m *Ranker) Pairs() int { return m.s.Pairs }

// Certificate returns the proof that the fit is optimal: the two objectives of the machine on differences.
func (m *Ranker) Certificate() svm.Certificate { return m.s.Certificate }

// spine gives the model the methods that all regressions have; what it predicts is a utility, whose size and origin mean nothing.
func (m *Ranker) spine() estimator.Regression[*Ranker] {
	return estimator.Regression[*Ranker]{Model: m, Kind: "structured.Ranker", D: len(m.s.W), Values: (*Ranker).values}
}

func (m *Ranker) values(y, x []float64) {
	for i := range y {
		y[i] = floats.Dot(m.s.W, x[i*len(m.s.W):(i+1)*len(m.s.W)])
	}
}

// String returns "ranking SVM: 30 features, 19140 pairs".
func (m *Ranker) String() string {
	return fmt.Sprintf("ranking SVM: %d features, %d pairs", len(m.s.W), m.s.Pairs)
}

// sound reports whether the parts of a stored model fit together.
func (s *rankState) sound() bool { return len(s.W) > 0 && finite(s.W) && s.Pairs > 0 }
