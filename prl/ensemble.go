package prl

import "github.com/prlab/prlab/prl/ensemble"

// Forest begins a classification forest: Forest().Trees(500).Fit(set). Features of the set may hold words and gaps.
// [ensemble.Plan] has its steps and answers.
func Forest() ensemble.Plan { return ensemble.PlanForest() }

// RegressionForest begins a regression forest: RegressionForest().MinLeaf(5).Fit(set).
// [ensemble.RegressionPlan] has its steps and answers.
func RegressionForest() ensemble.RegressionPlan { return ensemble.PlanRegressionForest() }

// IsolationForest begins a search for rows that are unlike the others, as random cuts soon part them: IsolationForest().Fit(set), or with
// the share of rows that may lie outside IsolationForest().Nu(0.05).Fit(set). [ensemble.IsolationPlan] has its steps and answers,
// [ensemble.FitIsolation] the formula.
func IsolationForest() ensemble.IsolationPlan { return ensemble.PlanIsolationForest() }
