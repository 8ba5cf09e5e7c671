package prl

import "github.com/prlab/prlab/prl/bayes"

// Bayes begins a decision between Gaussian classes: prl.Bayes().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1). Gaussian takes the mean and
// the standard deviation.
func Bayes() bayes.Decision { return bayes.PlanDecision() }

// LDA begins linear discriminant analysis: Gaussian classes with one covariance.
func LDA() bayes.Plan { return bayes.PlanLDA() }

// QDA begins quadratic discriminant analysis: Gaussian classes with covariances of their own.
func QDA() bayes.Plan { return bayes.PlanQDA() }

// NearestMean begins the minimum-distance classifier.
func NearestMean() bayes.Plan { return bayes.PlanNearestMean() }

// GaussianNB begins Gaussian naive Bayes.
func GaussianNB() bayes.Plan { return bayes.PlanGaussianNB() }

// MultinomialNB begins naive Bayes on counts: a bag of words for each class.
func MultinomialNB() bayes.CountPlan { return bayes.PlanMultinomialNB() }

// BernoulliNB begins naive Bayes on features that are present or absent.
func BernoulliNB() bayes.CountPlan { return bayes.PlanBernoulliNB() }

// ComplementNB begins naive Bayes on counts by the bags of the other classes.
func ComplementNB() bayes.CountPlan { return bayes.PlanComplementNB() }

// CategoricalNB begins naive Bayes of features with finitely many values, 0, 1, 2, ...
func CategoricalNB() bayes.TreePlan { return bayes.PlanCategoricalNB() }

// ChainNB begins a Bayes classifier in which each feature depends on the class and on the feature before it.
func ChainNB() bayes.TreePlan { return bayes.PlanChainNB() }

// TreeNB begins a Bayes classifier in which features depend on the class and on each other along the best tree.
func TreeNB() bayes.TreePlan { return bayes.PlanTreeNB() }

// ZeroOne returns the K x K zero-one loss table.
func ZeroOne(classes int) bayes.LossTable { return bayes.ZeroOne(classes) }
