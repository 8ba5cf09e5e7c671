package prl

import "github.com/prlab/prlab/prl/neural"

// MLP begins a net for classes, a multilayer perceptron with hidden layers of so many units: MLP(100).Tanh().Fit(set). [neural.Plan] has
// its steps and answers, [neural.Fit] the formula.
func MLP(hidden ...int) neural.Plan { return neural.PlanMLP(hidden...) }

// RegressionMLP begins a net for numbers with hidden layers of so many units: RegressionMLP(100).Fit(set). [neural.RegressionPlan] has its
// steps and answers, [neural.FitRegression] the formula.
func RegressionMLP(hidden ...int) neural.RegressionPlan { return neural.PlanRegression(hidden...) }
