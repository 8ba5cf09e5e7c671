package prl

import "github.com/prlab/prlab/prl/logistic"

// Logistic begins a logistic regression, for more than two classes a softmax regression: Logistic().Fit(set), Logistic().L2(1).Fit(set).
// [logistic.Plan] has its steps and answers, [logistic.Fit] the formula.
func Logistic() logistic.Plan { return logistic.PlanLogistic() }
