package prl

import (
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
)

// A Classifier is the plan of any classifier, so that several can stand in one list and be compared.
type Classifier = plan.Classifying

// Regressor is a plan of any regression, as Classifier is of any classifier.
type Regressor = plan.Regressing

// Pipeline begins transformations before a classifier, all fitted to the same rows; RegressionPipeline and NoveltyPipeline do so before
// other models:
//
//	Pipeline(Impute(), OneHot(), Standardize(), PCA(5)).Then(SVM()).Fit(train)
func Pipeline(steps ...plan.Trainable) plan.Steps { return plan.PlanPipeline(steps...) }

// RegressionPipeline begins transformations before a regression, all fitted to the same rows:
//
//	RegressionPipeline(Impute(), OneHot(), Standardize()).Then(Ridge(1)).Fit(train)
func RegressionPipeline(steps ...plan.Trainable) plan.RegressionSteps {
	return plan.PlanRegressionPipeline(steps...)
}

// NoveltyPipeline begins transformations before a detection of novelty, all fitted to the same rows:
//
//	NoveltyPipeline(Impute(), OneHot(), Standardize()).Then(OneClassSVM()).Fit(usual)
func NoveltyPipeline(steps ...plan.Trainable) plan.NoveltySteps {
	return plan.PlanNoveltyPipeline(steps...)
}

// None stands for zero in a field of options whose zero value stands for the default, such as the Tol of a fit that is to run all its
// iterations.
const None = estimator.None
