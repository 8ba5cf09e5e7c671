package prl

import (
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
)

// A Classifier is the plan of any classifier, so that several can stand in one list and be compared.
type Classifier = plan.Classifying

// Regressor is a plan of any regression, as Classifier is of any classifier.
type Regressor = plan.Regressing

// Pipeline begins transformations before a classifier, before a regression with ThenRegression, or before a detection of novelty with
// ThenNovelty, all fitted to the same rows:
//
//	Pipeline(Impute(), OneHot(), Standardize(), PCA(5)).Then(SVM()).Fit(train)
func Pipeline(steps ...plan.Trainable) plan.Steps { return plan.PlanPipeline(steps...) }

// None stands for zero in a field of options whose zero value stands for the default, such as the Tol of a fit that is to run all its
// iterations.
const None = estimator.None
