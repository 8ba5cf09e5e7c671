package assess

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A Confusion counts how often a row of class k was put into class l: Counts[k][l], K x K, the true class by row. With sample weights it
// holds sums of weights.
type Confusion struct {
	Counts [][]float64
}

// NewConfusion counts n pairs of a true and a predicted class. classes is K; 0 takes the least K that holds all classes that occur. Weights
// may be nil, which weighs each row as one. Errors: lengths that differ, no rows, classes out of range, weights that are negative, all zero
// or without a finite sum.
func NewConfusion(truth, predicted []int, weights []float64, classes int) (Confusion, error) {
	const name = "assess.NewConfusion"
	n := len(truth)
	if n == 0 {
		return Confusion{}, fault.Argument(name, "truth", "empty", "at least one class", "")
	}
	if len(predicted) != n {
		return Confusion{}, fault.Argument(
			name,
			"predicted",
			fmt.Sprintf("%d classes", len(predicted)),
			fmt.Sprintf("one class for each of the %d rows", n),
			"",
		)
	}
	if weights != nil && len(weights) != n {
		return Confusion{}, fault.Argument(
			name,
			"weights",
			fmt.Sprintf("%d numbers", len(weights)),
			fmt.Sprintf("one weight for each of the %d rows", n),
			"nil weighs all rows alike",
		)
	}
	k := classes
	for i := range truth {
		for _, class := range []struct {
			argument string
			value    int
		}{{"truth", truth[i]}, {"predicted", predicted[i]}} {
			if class.value < 0 || classes > 0 && class.value >= classes {
				need := "a class 0 ... K-1"
				if classes > 0 {
					need = fmt.Sprintf("a class 0 ... %d", classes-1)
				}
				return Confusion{}, fault.Argument(name, fmt.Sprintf("%s[%d]", class.argument, i), class.value, need, "")
			}
			k = max(k, class.value+1)
		}
		if weights != nil && (!(weights[i] >= 0) || math.IsInf(weights[i], 0)) {
			return Confusion{}, fault.Argument(name, fmt.Sprintf("weights[%d]", i), weights[i], "a finite number of at least 0", "")
		}
	}
	if err := checkTotal(name, weights); err != nil {
		return Confusion{}, err
	}
	if classes == 0 && k > n+1 && k > 1000 {
		return Confusion{}, fault.Argument(name, "the classes", fmt.Sprintf("numbered up to %d", k-1), "numbered from 0 without gaps", "")
	}
	c := Confusion{make([][]float64, k)}
	for i := range c.Counts {
		c.Counts[i] = make([]float64, k)
	}
	for i, class := range truth {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		c.Counts[class][predicted[i]] += w
	}
	return c, nil
}

// Total returns the number of rows, or the sum of their weights.
func (c Confusion) Total() float64 {
	sum := 0.0
	for k := range c.Counts {
		sum += c.row(k)
	}
	return sum
}

func (c Confusion) row(k int) float64 {
	sum := 0.0
	for _, v := range c.Counts[k] {
		sum += v
	}
	return sum
}

func (c Confusion) column(k int) float64 {
	sum := 0.0
	for i := range c.Counts {
		sum += c.Counts[i][k]
	}
	return sum
}

// Right returns the number of rows whose class was predicted right, or the sum of their weights.
func (c Confusion) Right() float64 {
	sum := 0.0
	for k := range c.Counts {
		sum += c.Counts[k][k]
	}
	return sum
}

// Accuracy returns the share of rows whose class was predicted right.
func (c Confusion) Accuracy() float64 { return c.Right() / c.Total() }

// Recall returns the share of the rows of class k that were put into it (sensitivity, true positive rate); NaN when the class has no row.
func (c Confusion) Recall(k int) float64 { return c.Counts[k][k] / c.row(k) }

// Precision returns the share of the rows put into class k that belong to it (positive predictive value); NaN when none was put there.
func (c Confusion) Precision(k int) float64 { return c.Counts[k][k] / c.column(k) }

// F1 returns the harmonic mean of precision and recall of class k, 2 TP/(2 TP + FP + FN); NaN when the class neither occurs nor is
// predicted.
func (c Confusion) F1(k int) float64 { return 2 * c.Counts[k][k] / (c.row(k) + c.column(k)) }

// F returns the weighted harmonic mean of precision and recall of class k,
//
//	(1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP),
//
// in which recall counts beta times as much as precision: 2 where a miss is worse than a false alarm, 1/2 the other way round. NaN when
// the class neither occurs nor is predicted, or for a beta that is not positive. Source: van Rijsbergen, Information Retrieval (1979),
// chapter 7.
func (c Confusion) F(k int, beta float64) float64 {
	if !(beta > 0) {
		return math.NaN()
	}
	b := beta * beta
	return (1 + b) * c.Counts[k][k] / (b*c.row(k) + c.column(k))
}

// BalancedAccuracy returns the mean of the recalls of the classes that occur.
func (c Confusion) BalancedAccuracy() float64 {
	sum, n := 0.0, 0
	for k := range c.Counts {
		if c.row(k) > 0 {
			sum += c.Recall(k)
			n++
		}
	}
	return sum / float64(n)
}

// Matthews returns Matthews' correlation coefficient in its form for K classes (Gorodkin 2004), from -1 to 1. Where it is 0/0, since all
// rows belong to one class or are put into one, it is 1 when all of them are right, -1 when all of one class are put into one other, and 0
// otherwise (Chicco and Jurman, BMC Genomics 21, 2020).
func (c Confusion) Matthews() float64 {
	total, right := c.Total(), c.Right()
	var both, truth, predicted float64
	for k := range c.Counts {
		r, p := c.row(k)/total, c.column(k)/total
		both += r * p
		truth += r * r
		predicted += p * p
	}
	switch scale := math.Sqrt((1 - predicted) * (1 - truth)); {
	case scale > 0:
		return (right/total - both) / scale
	case right == total:
		return 1
	case truth == 1 && predicted == 1:
		return -1
	}
	return 0
}

// Specificity returns the share of the rows of other classes than k that were not put into k (true negative rate); NaN when there are none.
func (c Confusion) Specificity(k int) float64 {
	others := c.Total() - c.row(k)
	return (others - (c.column(k) - c.Counts[k][k])) / others
}

// Kappa returns Cohen's kappa, (p_o - p_e)/(1 - p_e), the agreement beyond that of two independent raters with the same shares of classes;
// NaN when chance alone agrees always. Source: Cohen, Educational and Psychological Measurement 20 (1960).
func (c Confusion) Kappa() float64 {
	total, chance := c.Total(), 0.0
	for k := range c.Counts {
		chance += c.row(k) / total * (c.column(k) / total)
	}
	return (c.Accuracy() - chance) / (1 - chance)
}

// MacroPrecision returns the mean of the precision over the classes that occur or are predicted, in which a class that was never predicted
// counts as 0.
func (c Confusion) MacroPrecision() float64 { return c.macro(c.Precision) }

// MacroRecall returns the mean of the recall over the classes that occur or are predicted, in which a class without rows counts as 0. See
// BalancedAccuracy.
func (c Confusion) MacroRecall() float64 { return c.macro(c.Recall) }

// MacroF1 returns the mean of F1 over the classes that occur or are predicted, so that a fold of a cross-validation that lacks a class can
// reach 1. The micro average of precision, recall and F1 alike is the accuracy, as every row has one class.
func (c Confusion) MacroF1() float64 { return c.macro(c.F1) }

func (c Confusion) macro(rate func(k int) float64) float64 {
	sum, classes := 0.0, 0
	for k := range c.Counts {
		if c.row(k) == 0 && c.column(k) == 0 {
			continue
		}
		classes++
		if v := rate(k); !math.IsNaN(v) {
			sum += v
		}
	}
	return sum / float64(classes)
}

// Cost returns the mean loss of a row when putting class k into class l costs loss[k][l]. Errors: a table that is not K x K.
func (c Confusion) Cost(loss [][]float64) (float64, error) {
	k := len(c.Counts)
	if len(loss) != k {
		return 0, fault.Argument("assess.Confusion.Cost", "loss", fmt.Sprintf("%d rows", len(loss)), fmt.Sprintf("%d x %d numbers", k, k), "")
	}
	sum := 0.0
	for i, row := range loss {
		if len(row) != k {
			return 0, fault.Argument(
				"assess.Confusion.Cost",
				fmt.Sprintf("loss[%d]", i),
				fmt.Sprintf("%d numbers", len(row)),
				fmt.Sprintf("%d x %d numbers", k, k),
				"",
			)
		}
		for j, v := range row {
			sum += v * c.Counts[i][j]
		}
	}
	return sum / c.Total(), nil
}

// MeanLoss returns the mean of loss[p][t] over n rows of true class t and predicted class p: row p of the table is what the answer p costs,
// a column for each true class. With the zero-one table it is the share of errors. Weights may be nil.
//
// Errors: lengths that differ, no rows, a class without a row or column of the table, a loss that is not finite, weights that are negative
// or all zero.
func MeanLoss(truth, predicted []int, loss [][]float64, weights []float64) (float64, error) {
	const name = "assess.MeanLoss"
	if len(predicted) != len(truth) {
		return 0, fault.Argument(name, "predicted", fmt.Sprintf("%d classes", len(predicted)),
			fmt.Sprintf("one class for each of the %d rows", len(truth)), "")
	}
	for i, t := range truth {
		p := predicted[i]
		if p < 0 || p >= len(loss) || t < 0 || t >= len(loss[p]) {
			return 0, fault.Argument(name, "loss", fmt.Sprintf("without row %d, column %d", p, t),
				"a row for each answer, with a column for each true class", "")
		}
		if v := loss[p][t]; math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fault.Argument(name, fmt.Sprintf("loss[%d][%d]", p, t), v, "a finite number", "")
		}
	}
	return weighted(name, len(truth), weights, func(i int) float64 { return loss[predicted[i]][truth[i]] })
}
