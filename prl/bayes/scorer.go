package bayes

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A scorer knows log p(y) + log p(x|y) of rows, which may be impossible in every class.
type scorer interface {
	Dim() int
	Classes() int
	Predict(X mat.Matrix) ([]int, error)

	// each calls use with the K scores of each row of X.
	each(function string, X mat.Matrix, use func(i int, scores []float64) error) error
}

// scoresOf returns the scores, n x K.
func scoresOf(m scorer, function string, X mat.Matrix) (*mat.Dense, error) {
	var rows []float64
	err := m.each(function, X, func(_ int, a []float64) error { rows = append(rows, a...); return nil })
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(rows)/m.Classes(), m.Classes(), rows), nil
}

// posteriorsOf returns what soften makes of the K scores of each row, n x K.
func posteriorsOf(m scorer, function string, X mat.Matrix, soften func([]float64)) (*mat.Dense, error) {
	var rows []float64
	err := m.each(function, X, func(i int, a []float64) error {
		if err := impossible(function, i, a); err != nil {
			return err
		}
		soften(a)
		rows = append(rows, a...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(rows)/m.Classes(), m.Classes(), rows), nil
}

// classesOf returns the class of the highest score of each row.
func classesOf(m scorer, function string, X mat.Matrix) ([]int, error) {
	var y []int
	err := m.each(function, X, func(i int, a []float64) error {
		y = append(y, estimator.Argmax(a))
		return impossible(function, i, a)
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// classOf returns the class of one row, or -1 where Predict would fail.
func classOf(m scorer, x []float64) int {
	if len(x) == 0 || len(x) != m.Dim() {
		return -1
	}
	y, err := m.Predict(mat.NewDense(1, len(x), slices.Clone(x)))
	if err != nil {
		return -1
	}
	return y[0]
}

// impossible reports row i when no class can have produced it.
func impossible(function string, i int, scores []float64) error {
	if math.IsInf(slices.Max(scores), -1) {
		row := fmt.Sprintf("row %d", i)
		return fault.Argument(function, row, "impossible in every class", "possible in some class", "fit with Smoothing above 0")
	}
	return nil
}
