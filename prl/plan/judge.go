package plan

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// AUC returns the area below the ROC of a fitted classifier on a set, from 0 to 1: of the second class for two classes, and the mean over
// each class against the rest for more.
//
// Errors: a set without rows of a class, a model without decision values and probabilities.
func AUC(m any, set datasets.Set) (float64, error) { return meanROC(m, set, assess.ROC.AUC) }

// AveragePrecision returns the mean of the precisions over the recall, sum (R_n - R_(n-1)) P_n, of a fitted classifier on a set, from 0 to
// 1: of the second class for two classes, and the mean over each class against the rest for more. Chance reaches the share of the class.
//
// Errors: as for AUC.
func AveragePrecision(m any, set datasets.Set) (float64, error) {
	return meanROC(m, set, assess.ROC.AveragePrecision)
}

// LogLoss returns the mean of -ln p(true class), in nats, of a fitted classifier on a set. Errors: a model without probabilities.
func LogLoss(m any, set datasets.Set) (float64, error) { return probable(m, set, assess.LogLoss) }

// Brier returns the mean of sum_k (p_k - [k is the true class])^2, from 0 to 2, of a fitted classifier on a set. Errors: a model without
// probabilities.
func Brier(m any, set datasets.Set) (float64, error) { return probable(m, set, assess.Brier) }

// CalibrationError returns the expected calibration error of a fitted classifier on a set: the mean over the rows of |share that came -
// probability said| of their bin, of ten bins of equal width; of the second class for two classes, and the mean over the classes for more.
// Errors: a model without probabilities.
func CalibrationError(m any, set datasets.Set) (float64, error) {
	return probable(m, set, func(truth []int, p mat.Matrix, _ []float64) (float64, error) {
		_, classes := p.Dims()
		return overClasses(classes, func(k int) (float64, error) {
			is := make([]int, len(truth))
			for i, c := range truth {
				if c == k {
					is[i] = 1
				}
			}
			c, err := assess.NewCalibration(is, mat.Col(nil, k, p), nil, 10)
			return c.Error(), err
		})
	})
}

// overClasses returns f of the second of two classes, and the mean of f over more.
func overClasses(classes int, f func(k int) (float64, error)) (float64, error) {
	if classes == 2 {
		return f(1)
	}
	sum := 0.0
	for k := range classes {
		v, err := f(k)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum / float64(classes), nil
}

func meanROC(m any, set datasets.Set, of func(assess.ROC) float64) (float64, error) {
	d, err := Scores(m, set.X)
	if err != nil {
		return 0, err
	}
	classes, rows := m.(estimator.Classifier).Classes(), set.Counts()
	return overClasses(classes, func(k int) (float64, error) {
		if err := bothSides(set, rows, k); err != nil {
			return 0, err
		}
		truth, values := Against(d, set.Y, k, classes)
		r, err := assess.NewROC(truth, values, nil)
		return of(r), err
	})
}

// bothSides reports a set without rows of class k, or of that class alone.
func bothSides(set datasets.Set, rows []int, k int) error {
	switch {
	case k >= len(rows) || rows[k] == 0:
		return fault.Argument("", "the data set "+set.Name, "without rows of class "+className(set.ClassNames, k),
			"a set with rows of each class of the fit", "draw the rows to test on by .Split, which keeps the shares of the classes")
	case rows[k] == set.N():
		return fault.Argument("", "the data set "+set.Name, "of class "+className(set.ClassNames, k)+" alone", "a set of all classes", "")
	}
	return nil
}

func probable(m any, set datasets.Set, f func([]int, mat.Matrix, []float64) (float64, error)) (float64, error) {
	p, err := Proba(m, set.X)
	if err != nil {
		return 0, err
	}
	return f(set.Y, p, nil)
}

// Proba returns the n x K probabilities of the classes that a fitted classifier gives the rows of X, or an error when it has none.
func Proba(m any, X mat.Matrix) (*mat.Dense, error) {
	probabilistic, ok := m.(estimator.ProbabilisticClassifier)
	if !ok {
		return nil, fmt.Errorf("a %T has no probabilities; judge it by its accuracy or AUC", m)
	}
	return probabilistic.Proba(X)
}

// number judges the model of the plan on a test set, or on the data of the fit.
func (p classifier) number(step string, test []datasets.Set, judge func(any, datasets.Set) (float64, error)) float64 {
	return Value(p.any(), step, func(m estimator.PointClassifier) (float64, error) {
		set, err := tested(m, p.base().set, step, Classes, test)
		if err != nil {
			return 0, err
		}
		v, err := judge(m, set)
		return v, fault.In(step, err)
	}, sets(test)...)
}

// AUC returns the area below the ROC: of a test set, or of the data of the fit, of the second class for two classes, and the mean over
// each class against the rest for more.
func (p classifier) AUC(test ...datasets.Set) float64 { return p.number("AUC", test, AUC) }

// AveragePrecision returns the mean of the precisions over the recall: of a test set, or of the data of the fit, of the second class for
// two classes, and the mean over each class against the rest for more.
func (p classifier) AveragePrecision(test ...datasets.Set) float64 {
	return p.number("AveragePrecision", test, AveragePrecision)
}

// LogLoss returns the mean of -ln p(true class), in nats: of a test set, or of the data of the fit.
func (p classifier) LogLoss(test ...datasets.Set) float64 { return p.number("LogLoss", test, LogLoss) }

// Brier returns the mean of sum_k (p_k - [k is the true class])^2, from 0 to 2: of a test set, or of the data of the fit. For two classes
// it is twice the mean of (p - y)^2.
func (p classifier) Brier(test ...datasets.Set) float64 { return p.number("Brier", test, Brier) }
