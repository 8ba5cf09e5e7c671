package prl

import "github.com/prlab/prlab/prl/markov"

// Chain begins a Markov chain: Chain("sun", "rain").Start(.5, .5).Transitions(sun, rain). [markov.ChainPlan] has its steps and answers.
func Chain(states ...string) markov.ChainPlan { return markov.PlanChain(states...) }

// HMM begins a hidden Markov model: HMM("hot", "cold").Start(.8, .2).Transitions(hot, cold).Symbols("1", "2", "3").Emissions(hot, cold).
// [markov.HMMPlan] has its steps and answers, [markov.FitHMM] the formula.
func HMM(states ...string) markov.HMMPlan { return markov.PlanHMM(states...) }

// GaussianHMM begins a hidden Markov model of k states that emit points: GaussianHMM(3).Diagonal().LeftRight(1).Fit(set). The rows of the
// set are in the order of time. [markov.GaussianHMMPlan] has its steps and answers.
func GaussianHMM(k int) markov.GaussianHMMPlan { return markov.PlanGaussianHMM(k) }

// Tagging is the part-of-speech example with tags DET, PRP, N, PREP, V: Tagging().Viterbi("I", "bank", "at", "CFCU").Trellis().Show().
// [markov.HMMPlan] has its steps and answers.
func Tagging() markov.HMMPlan { return markov.PlanOf(markov.Tagging()) }

// SequenceClassifier joins one chain a class and the prior of the classes.
func SequenceClassifier(prior []float64, chains ...markov.ChainPlan) *markov.Classifier {
	models := make([]*markov.Chain, len(chains))
	for i, c := range chains {
		models[i] = c.Model()
	}
	return Must(markov.NewClassifier(prior, models...))
}
