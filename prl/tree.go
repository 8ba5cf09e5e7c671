package prl

import "github.com/prlab/prlab/prl/tree"

// Tree begins a classification tree: Tree().Entropy().Depth(3).Fit(set). Features of the set may hold words and gaps. [tree.Plan] has its
// steps and answers, [tree.Fit] the formula.
func Tree() tree.Plan { return tree.PlanTree() }

// RegressionTree begins a regression tree: RegressionTree().MinLeaf(5).Fit(set). [tree.RegressionPlan] has its steps and answers,
// [tree.FitRegression] the formula.
func RegressionTree() tree.RegressionPlan { return tree.PlanRegressionTree() }
