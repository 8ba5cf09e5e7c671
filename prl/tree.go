package prl

import "github.com/prlab/prlab/prl/tree"

// Tree begins a classification tree: Tree().Entropy().Depth(3).Fit(set).
func Tree() tree.Plan { return tree.New() }

// RegressionTree begins a regression tree: RegressionTree().MinLeaf(5).FitTarget(set).
func RegressionTree() tree.Plan { return tree.NewRegression() }
