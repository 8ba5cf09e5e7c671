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

// ZeroOne returns the K x K zero-one loss table.
func ZeroOne(classes int) bayes.LossTable { return bayes.ZeroOne(classes) }
