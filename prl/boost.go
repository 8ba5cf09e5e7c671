package prl

import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/boost"
)

// AdaBoost begins boosting of weak classifiers, SAMME for more than two classes: AdaBoost().Rounds(50).Fit(set). [boost.Plan] has its
// steps and answers, [boost.Fit] the formula.
func AdaBoost() boost.Plan { return boost.PlanAdaBoost() }

// GradientBoosting begins a classifier by gradient boosting of trees: GradientBoosting().Rounds(200).Rate(0.05).Fit(set).
// [boost.GradientPlan] has its steps and answers, [boost.FitGradient] the formula.
func GradientBoosting() boost.GradientPlan { return boost.PlanGradient() }

// RegressionBoosting begins a regression by gradient boosting of trees: RegressionBoosting().Rounds(200).Fit(set).
// [boost.GradientRegressionPlan] has its steps and answers, [boost.FitGradientRegression] the formula.
func RegressionBoosting() boost.GradientRegressionPlan { return boost.PlanGradientRegression() }

// RealBoost begins boosting of votes that say how sure they are, over bins: RealBoost().Bins(8).Rounds(50).Fit(set). [boost.RealPlan] has
// its steps and answers, [boost.FitReal] the formula.
func RealBoost() boost.RealPlan { return boost.PlanRealBoost() }

// LogitBoost begins boosting of the logistic loss by Newton's steps: LogitBoost().Bins(8).Fit(set). [boost.LogitPlan] has its steps and
// answers, [boost.FitLogit] the formula.
func LogitBoost() boost.LogitPlan { return boost.PlanLogitBoost() }

// SquaredLoss is (z - F)^2 / 2 for RegressionBoosting().Minimise, the default.
func SquaredLoss() boost.RowLoss { return boost.SquaredLoss() }

// AbsoluteLoss is |z - F| for RegressionBoosting().Minimise.
func AbsoluteLoss() boost.RowLoss { return boost.AbsoluteLoss() }

// HuberLoss is the squared loss of residuals up to delta and linear beyond, for RegressionBoosting().Minimise.
func HuberLoss(delta float64) boost.RowLoss { return boost.HuberLoss(delta) }

// QuantileLoss is tau (z - F) above F and (1 - tau) (F - z) below, for RegressionBoosting().Minimise.
func QuantileLoss(tau float64) boost.RowLoss { return boost.QuantileLoss(tau) }

// PoissonLoss is e^F - z F of counts z, for RegressionBoosting().Minimise.
func PoissonLoss() boost.RowLoss { return boost.PoissonLoss() }

// LogisticLoss is log(1 + e^F) - z F for z in {0, 1}, for GradientBoosting().Minimise, the default.
func LogisticLoss() boost.RowLoss { return boost.LogisticLoss() }

// ExponentialLoss is exp(-F) for class 1 and exp(F) for class 0, for GradientBoosting().Minimise.
func ExponentialLoss() boost.RowLoss { return boost.ExponentialLoss() }

// Losses draws the zero-one loss and the surrogates of learning against the margin.
func Losses() *plotting.Figure { return boost.Losses() }
