package assess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// Averaging says how the areas below the curves of K classes become one number.
type Averaging int

const (
	Macro  Averaging = iota // the mean over the classes, each against the rest
	ByRows                  // the same mean, in which each class counts by its rows
	Micro                   // of one curve, for which each row stands K times: once right, K-1 times wrong
	Pairs                   // the mean over all pairs of classes, each tried on the rows of the two alone
)

// String returns "macro", "by rows", "micro" or "pairs".
func (a Averaging) String() string {
	if a < Macro || a > Pairs {
		return fmt.Sprintf("Averaging(%d)", int(a))
	}
	return [...]string{"macro", "by rows", "micro", "pairs"}[a]
}

// AreaOfClasses returns the area below the ROC of n rows of K classes and their n x K scores, such as probabilities, of which that of the
// row's own class should be high. Against the rest an area depends on how many rows the classes have; of pairs (the M of Hand and Till) it
// does not. Scores of a column are compared from row to row, and for Micro those of all columns as well. Weights may be nil.
//
// Errors: sizes that differ, a class outside 0 ... K-1, fewer than two columns, a class without rows, scores that are NaN. Source: Hand and
// Till, Machine Learning 45 (2001).
func AreaOfClasses(truth []int, scores mat.Matrix, weights []float64, by Averaging) (float64, error) {
	const name = "assess.AreaOfClasses"
	n, classes := scores.Dims()
	if n != len(truth) || classes < 2 || weights != nil && len(weights) != n {
		return 0, fault.Argument(name, "scores", fmt.Sprintf("%d x %d with %d weights", n, classes, len(weights)),
			fmt.Sprintf("a row and a weight, or no weights, for each of the %d rows, and two columns or more", len(truth)), "")
	}
	total := make([]float64, classes)
	for i, k := range truth {
		if k < 0 || k >= classes {
			return 0, fault.Argument(name, fmt.Sprintf("truth[%d]", i), k, fmt.Sprintf("a class from 0 to %d", classes-1), "")
		}
		total[k] += at(weights, i)
	}
	area := func(from func(i int) bool, positive, column int) (float64, error) {
		var is []int
		var s, w []float64
		for i, k := range truth {
			if !from(i) {
				continue
			}
			is, s, w = append(is, 0), append(s, scores.At(i, column)), append(w, at(weights, i))
			if k == positive {
				is[len(is)-1] = 1
			}
		}
		r, err := NewROC(is, s, w)
		if err != nil {
			return 0, fault.In(fmt.Sprintf("%s, class %d", name, positive), err)
		}
		return r.AUC(), nil
	}
	sum, parts := 0.0, 0.0
	switch by {
	case Macro, ByRows:
		for k := range classes {
			a, err := area(func(int) bool { return true }, k, k)
			if err != nil {
				return 0, err
			}
			w := 1.0
			if by == ByRows {
				w = total[k]
			}
			sum, parts = sum+w*a, parts+w
		}
	case Micro:
		var is []int
		var s, w []float64
		for i, k := range truth {
			for c := range classes {
				is, s, w = append(is, 0), append(s, scores.At(i, c)), append(w, at(weights, i))
				if c == k {
					is[len(is)-1] = 1
				}
			}
		}
		r, err := NewROC(is, s, w)
		if err != nil {
			return 0, fault.In(name, err)
		}
		return r.AUC(), nil
	case Pairs:
		for j := range classes {
			for k := range j {
				among := func(i int) bool { return truth[i] == j || truth[i] == k }
				a, err := area(among, j, j)
				if err != nil {
					return 0, err
				}
				b, err := area(among, k, k)
				if err != nil {
					return 0, err
				}
				sum, parts = sum+(a+b)/2, parts+1
			}
		}
	default:
		return math.NaN(), fault.Argument(name, "by", by, "Macro, ByRows, Micro or Pairs", "")
	}
	return sum / parts, nil
}

func at(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
