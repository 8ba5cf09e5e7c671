package prl

import "github.com/prlab/prlab/prl/bayes"

// Bayes begins a decision between Gaussian classes: prl.Bayes().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1). Gaussian takes the mean
// and the standard deviation. [bayes.Decision] has its steps and answers.
func Bayes() bayes.Decision { return bayes.PlanDecision() }

// LDA begins linear discriminant analysis: Gaussian classes with one covariance. [bayes.Plan] has its steps and answers, [bayes.FitLDA]
// the formula.
func LDA() bayes.Plan { return bayes.PlanLDA() }

// QDA begins quadratic discriminant analysis: Gaussian classes with covariances of their own. [bayes.Plan] has its steps and answers,
// [bayes.FitQDA] the formula.
func QDA() bayes.Plan { return bayes.PlanQDA() }

// NearestMean begins the minimum-distance classifier. [bayes.Plan] has its steps and answers, [bayes.FitNearestMean] the formula.
func NearestMean() bayes.Plan { return bayes.PlanNearestMean() }

// GaussianNB begins Gaussian naive Bayes. [bayes.Plan] has its steps and answers, [bayes.FitGaussianNB] the formula.
func GaussianNB() bayes.Plan { return bayes.PlanGaussianNB() }

// MultinomialNB begins naive Bayes on counts: a bag of words for each class. [bayes.CountPlan] has its steps and answers,
// [bayes.FitMultinomialNB] the formula.
func MultinomialNB() bayes.CountPlan { return bayes.PlanMultinomialNB() }

// BernoulliNB begins naive Bayes on features that are present or absent. [bayes.CountPlan] has its steps and answers,
// [bayes.FitBernoulliNB] the formula.
func BernoulliNB() bayes.CountPlan { return bayes.PlanBernoulliNB() }

// ComplementNB begins naive Bayes on counts by the bags of the other classes. [bayes.CountPlan] has its steps and answers,
// [bayes.FitComplementNB] the formula.
func ComplementNB() bayes.CountPlan { return bayes.PlanComplementNB() }

// CategoricalNB begins naive Bayes of features with finitely many values, 0, 1, 2, ... [bayes.TreePlan] has its steps and answers.
func CategoricalNB() bayes.TreePlan { return bayes.PlanCategoricalNB() }

// ChainNB begins a Bayes classifier in which each feature depends on the class and on the feature before it. [bayes.TreePlan] has its
// steps and answers.
func ChainNB() bayes.TreePlan { return bayes.PlanChainNB() }

// TreeNB begins a Bayes classifier in which features depend on the class and on each other along the best tree. [bayes.TreePlan] has its
// steps and answers, [bayes.FitTreeNB] the formula.
func TreeNB() bayes.TreePlan { return bayes.PlanTreeNB() }

// ZeroOne returns the K x K zero-one loss table.
func ZeroOne(classes int) bayes.LossTable { return bayes.ZeroOne(classes) }
