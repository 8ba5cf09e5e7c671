package prl

import "github.com/prlab/prlab/prl/perceptron"

// Perceptron begins Rosenblatt's perceptron: Perceptron().Fit(set), Perceptron().ByAverage().Fit(set), Perceptron().RBF(0.5).Fit(set).
// [perceptron.Plan] has its steps and answers, [perceptron.Fit] the rule.
func Perceptron() perceptron.Plan { return perceptron.PlanPerceptron() }

// PassiveAggressive begins passive-aggressive learning, which moves as little as a row asks for: PassiveAggressive().C(0.1).Fit(set).
// [perceptron.PassivePlan] has its steps and answers, [perceptron.FitPassive] the rule.
func PassiveAggressive() perceptron.PassivePlan { return perceptron.PlanPassiveAggressive() }

// Winnow begins balanced Winnow, which multiplies weights where a perceptron adds: Winnow().Factor(2).Fit(set).
// [perceptron.WinnowPlan] has its steps and answers, [perceptron.FitWinnow] the rule.
func Winnow() perceptron.WinnowPlan { return perceptron.PlanWinnow() }
