package prl

import (
	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/selection"
)

// CrossValidate tries a plan with its data on rows it was not fitted to: CrossValidate(SVM().Fit(iris), 10).Show().
func CrossValidate(p plan.Trainable, folds int) selection.CrossValidation {
	return selection.PlanCrossValidation(p, folds)
}

// Compare tries several plans on the same ten folds of a set: Compare(iris, LDA(), SVM().RBF(1), Tree()).Show().
func Compare(set datasets.Set, plans ...plan.Trainable) selection.Comparison {
	return selection.PlanComparison(set, plans...)
}

// Grid searches the settings that a function asks for:
//
//	Grid(func(g *prl.Settings) prl.Classifier { return prl.SVM().RBF(g.Over("gamma", 0.1, 1, 10)).C(g.Over("C", 1, 10)) }).Fit(iris).Best()
func Grid[P plan.Trainable](build func(*Settings) P) selection.Grid[P] {
	return selection.PlanGrid(build)
}

// Settings are what the function of a Grid asks for its numbers.
type Settings = selection.Settings

// Threshold begins a classifier of two classes that says the second from a score on, which is chosen on rows that the classifier given was
// not fitted to: Threshold(Logistic()).Recall(0.9).Fit(train). [selection.ThresholdPlan] has its rules and answers.
func Threshold(p Classifier) selection.ThresholdPlan { return selection.PlanThreshold(p) }

// LearningCurve shows what more rows would bring a plan with its data: LearningCurve(LDA().Fit(iris)).Show().
func LearningCurve(p plan.Trainable, rows ...int) selection.LearningCurve {
	return selection.PlanLearningCurve(p, rows...)
}

// PermutationTest asks whether a plan with its data has found anything, by classes in another order:
// PermutationTest(LDA().Fit(iris), 100).Show().
func PermutationTest(p plan.Trainable, permutations int) selection.PermutationTest {
	return selection.PlanPermutationTest(p, permutations)
}
