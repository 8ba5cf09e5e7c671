package prl

import (
	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
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

// LearningCurve shows what more rows would bring a plan with its data: LearningCurve(LDA().Fit(iris)).Show().
func LearningCurve(p plan.Trainable, rows ...int) selection.LearningCurve {
	return selection.PlanLearningCurve(p, rows...)
}

// PermutationTest asks whether a plan with its data has found anything, by classes in another order:
// PermutationTest(LDA().Fit(iris), 100).Show().
func PermutationTest(p plan.Trainable, permutations int) selection.PermutationTest {
	return selection.PlanPermutationTest(p, permutations)
}

// Pipeline begins transformations before a classifier, before a regression with ThenRegression, or before a detection of novelty with
// ThenNovelty, all fitted to the same rows:
//
//	Pipeline(Impute(), OneHot(), Standardize(), PCA(5)).Then(SVM()).Fit(train)
func Pipeline(steps ...plan.Trainable) plan.Steps { return plan.PlanPipeline(steps...) }

// Regressor is a plan of any regression, as Classifier is of any classifier.
type Regressor = plan.Regressing

// Impute begins a filling of gaps, of numbers with the median and of words with the most frequent one: Impute().Fit(train).
func Impute() prepare.ImputePlan { return prepare.PlanImpute() }

// TFIDF begins weights of words by how few texts have them, for counts of words: Pipeline(TFIDF()).Then(LDA().AutoShrinkage()).
func TFIDF() prepare.TFIDFPlan { return prepare.PlanTFIDF() }

// OneHot begins a coding of words by a column of 0 and 1 for each, of the named features or of all that hold words: OneHot().Fit(train).
func OneHot(features ...string) prepare.OneHotPlan { return prepare.PlanOneHot(features...) }

// Ordinal begins a coding of words by the numbers of their order: Ordinal().Order("size", "small", "medium", "large").Fit(train).
func Ordinal(features ...string) prepare.OrdinalPlan { return prepare.PlanOrdinal(features...) }

// Standardize begins a standardisation of each feature to mean 0 and standard deviation 1: Standardize().Fit(train).
func Standardize() prepare.StandardizePlan { return prepare.PlanStandardize() }
