package prl

import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/boost"
)

// AdaBoost begins boosting of weak classifiers, SAMME for more than two classes: AdaBoost().Rounds(50).Fit(set). [boost.Plan] has its
// steps and answers, [boost.Fit] the formula.
func AdaBoost() boost.Plan { return boost.PlanAdaBoost() }

// Losses draws the zero-one loss and the surrogates of learning against the margin.
func Losses() *plotting.Figure { return boost.Losses() }
