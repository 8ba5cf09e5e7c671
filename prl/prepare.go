package prl

import "github.com/prlab/prlab/prl/prepare"

// Impute begins a filling of gaps, of numbers with the median and of words with the most frequent one: Impute().Fit(train).
// [prepare.ImputePlan] has its steps and answers, [prepare.FitImputer] the formula.
func Impute() prepare.ImputePlan { return prepare.PlanImpute() }

// TFIDF begins weights of words by how few texts have them, for counts of words: Pipeline(TFIDF()).Then(LDA().AutoShrinkage()).
// [prepare.TFIDFPlan] has its steps and answers, [prepare.FitTFIDF] the formula.
func TFIDF() prepare.TFIDFPlan { return prepare.PlanTFIDF() }

// OneHot begins a coding of words by a column of 0 and 1 for each, of the named features or of all that hold words: OneHot().Fit(train).
// [prepare.OneHotPlan] has its steps and answers, [prepare.FitOneHot] the formula.
func OneHot(features ...string) prepare.OneHotPlan { return prepare.PlanOneHot(features...) }

// Ordinal begins a coding of words by the numbers of their order: Ordinal().Order("size", "small", "medium", "large").Fit(train).
// [prepare.OrdinalPlan] has its steps and answers, [prepare.FitOrdinal] the formula.
func Ordinal(features ...string) prepare.OrdinalPlan { return prepare.PlanOrdinal(features...) }

// Standardize begins a standardisation of each feature to mean 0 and standard deviation 1: Standardize().Fit(train).
// [prepare.StandardizePlan] has its steps and answers.
func Standardize() prepare.StandardizePlan { return prepare.PlanStandardize() }
