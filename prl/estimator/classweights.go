package estimator

import (
	"fmt"

	"github.com/prlab/prlab/prl/fault"
)

// CheckFactors reports factors of classes, the setting ClassWeights, whose number is not that of the classes, or that are not positive and
// finite. Nil factors are fine.
func CheckFactors(function string, factors []float64, classes int) error {
	if factors == nil {
		return nil
	}
	if len(factors) != classes {
		got, need := fmt.Sprintf("%d numbers", len(factors)), fmt.Sprintf("one factor for each of the %d classes", classes)
		return fault.Argument(function, "ClassWeights", got, need, "nil weighs all classes alike")
	}
	for c, w := range factors {
		if err := CheckPositive(function, fmt.Sprintf("ClassWeights[%d]", c), w, 1); err != nil {
			return err
		}
	}
	return nil
}

// Balanced returns for each class c the factor W / (K W_c) that makes the classes weigh alike, times its given factor (nil: 1): W_c is the
// weight of the rows of class c, W that of all and K the number of classes that have any. The total weight stays what it is; without
// weights these are the numbers n / (K n_c).
func Balanced(y []int, weights, given []float64, classes int) []float64 {
	weights = ScaleWeights(weights)
	of, total, present := make([]float64, classes), 0.0, 0.0
	for i, c := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if of[c] == 0 && w > 0 {
			present++
		}
		of[c] += w
		total += w
	}
	for c, w := range of {
		if of[c] = 1; w > 0 {
			of[c] = total / (present * w)
		}
		if given != nil {
			of[c] *= given[c]
		}
	}
	return of
}

// RowWeights returns the weights of rows (nil: ones) times the factors of their classes: those given, which CheckFactors has passed, and
// those of Balanced where that is asked for. Without either it returns the weights themselves.
func RowWeights(y []int, weights, given []float64, balanced bool, classes int) []float64 {
	if given == nil && !balanced {
		return weights
	}
	weights = ScaleWeights(weights)
	if balanced {
		given = Balanced(y, weights, given, classes)
	}
	out := make([]float64, len(y))
	for i, c := range y {
		out[i] = given[c]
		if weights != nil {
			out[i] *= weights[i]
		}
	}
	return out
}
