package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Criterion measures the impurity i(t) of a node from the shares p_j of the classes in it. All are concave, zero for a pure node and
// largest for equal shares.
type Criterion int

const (
	// Gini is 1 - sum_j p_j^2, the probability that two independent draws differ in class.
	Gini Criterion = iota
	// Entropy is - sum_j p_j log2 p_j, in bits.
	Entropy
	// Error is 1 - max_j p_j, the share that the majority label gets wrong. It is not strictly concave, so useful splits may show no gain.
	Error
)

// String returns "gini", "entropy" or "error".
func (c Criterion) String() string {
	if c < Gini || c > Error {
		return fmt.Sprintf("Criterion(%d)", int(c))
	}
	return [...]string{"gini", "entropy", "error"}[c]
}

// Impurity returns i(t) for class counts or weights, which need not sum to one. No weight at all gives 0. Entropy is in bits.
func (c Criterion) Impurity(counts ...float64) float64 {
	sum, top := 0.0, 0.0
	for _, v := range counts {
		sum += v
		top = max(top, v)
	}
	if !(sum > 0) {
		return 0
	}
	switch c {
	case Entropy:
		h := 0.0
		for _, v := range counts {
			if v > 0 {
				h -= v / sum * math.Log2(v/sum)
			}
		}
		return h
	case Error:
		return 1 - top/sum
	}
	rest := 1.0
	for _, v := range counts {
		rest -= v / sum * (v / sum)
	}
	return rest
}

// Gain returns the impurity decrease of a split with any number of children,
//
//	Delta i = i(t) - sum_c N(t_c)/N(t) i(t_c),
//
// from the table of class counts, one row a child. With Entropy it is the information gain, the mutual information of class and test in
// bits. It fails when rows differ in length or a count is negative.
func (c Criterion) Gain(table [][]float64) (float64, error) {
	parent, err := columnSums("tree.Criterion.Gain", table)
	if err != nil {
		return 0, err
	}
	n := sum(parent)
	if n == 0 {
		return 0, nil
	}
	g := c.Impurity(parent...)
	for _, row := range table {
		g -= sum(row) / n * c.Impurity(row...)
	}
	return max(g, 0), nil
}

// GainRatio returns the information gain over the entropy of the test itself, Gain / H(t). It is 0 when the test has one outcome only.
// Source: Quinlan, C4.5, 1993, section 2.2.
func GainRatio(table [][]float64) (float64, error) {
	g, err := Entropy.Gain(table)
	if err != nil {
		return 0, err
	}
	sizes := make([]float64, len(table))
	for i, row := range table {
		sizes[i] = sum(row)
	}
	h := Entropy.Impurity(sizes...)
	if h == 0 {
		return 0, nil
	}
	return g / h, nil
}

func columnSums(name string, table [][]float64) ([]float64, error) {
	if len(table) == 0 || len(table[0]) == 0 {
		return nil, fault.Argument(name, "table", "empty", "class counts, one row a child", "")
	}
	total := make([]float64, len(table[0]))
	for i, row := range table {
		if len(row) != len(total) {
			return nil, fault.Argument(
				name,
				fmt.Sprintf("table[%d]", i),
				fmt.Sprintf("%d counts", len(row)),
				fmt.Sprintf("%d counts like the first row", len(total)),
				"",
			)
		}
		for j, v := range row {
			if !(v >= 0) || math.IsInf(v, 0) {
				return nil, fault.Argument(name, fmt.Sprintf("table[%d][%d]", i, j), v, "a finite count of at least 0", "")
			}
			total[j] += v
		}
	}
	return total, nil
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// A Candidate is a possible threshold with the impurity decrease of its split.
type Candidate struct {
	Threshold, Gain float64
}

// Candidates returns all thresholds of one feature, rising, with the gain of each. x and y are the n values and class labels; weights nil
// means ones. A threshold between two rows of the same class can never be the best one of a strictly concave criterion (Fayyad and Irani
// 1992), so the maximum lies where the class changes.
func (c Criterion) Candidates(x []float64, y []int, weights []float64) ([]Candidate, error) {
	const name = "tree.Criterion.Candidates"
	X := column(x)
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n := len(x)
	k, err := estimator.CheckLabels(name, y, n)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(name, weights, n); err != nil {
		return nil, err
	}
	weights = estimator.ScaleWeights(weights)
	s, err := presort[int32](context.Background(), X)
	if err != nil {
		return nil, err
	}
	table := [][]float64{make([]float64, k), make([]float64, k)}
	w := func(i int32) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	for i := range n {
		table[1][y[i]] += w(int32(i))
	}
	var list []Candidate
	order := s.order[0]
	for i := 1; i < n; i++ {
		r := order[i-1]
		table[0][y[r]] += w(r)
		table[1][y[r]] = max(table[1][y[r]]-w(r), 0)
		if lo, hi := x[r], x[order[i]]; lo < hi {
			g, err := c.Gain(table)
			if err != nil {
				return nil, err
			}
			list = append(list, Candidate{between(lo, hi), g})
		}
	}
	return list, nil
}

func column(x []float64) *mat.Dense {
	if len(x) == 0 {
		return nil
	}
	return mat.NewDense(len(x), 1, append([]float64(nil), x...))
}
