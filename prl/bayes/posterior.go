package bayes

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// Posterior applies Bayes' rule to one observation: p(y|x) = p(x|y) p(y) / p(x). The likelihoods p(x|y) are densities or probabilities of
// the observation in each class and need not sum to one. It returns the evidence p(x) = sum_y p(x|y) p(y) too, and fails when that is zero.
func Posterior(priors, likelihoods []float64) (posterior []float64, evidence float64, err error) {
	const f = "bayes.Posterior"
	if err := checkPriors(f, priors, len(likelihoods)); err != nil {
		return nil, 0, err
	}
	posterior = make([]float64, len(priors))
	for j, l := range likelihoods {
		if !(l >= 0) || math.IsInf(l, 0) {
			return nil, 0, fault.Argument(f, fmt.Sprintf("likelihoods[%d]", j), l, "a finite number of at least 0", "")
		}
		posterior[j] = l * priors[j]
		evidence += posterior[j]
	}
	if evidence == 0 {
		return nil, 0, fault.Argument(
			f,
			"evidence",
			0,
			"positive: the observation is impossible in every class",
			"use PosteriorLog when densities underflow",
		)
	}
	for j := range posterior {
		posterior[j] /= evidence
	}
	return posterior, evidence, nil
}

// PosteriorLog is Posterior from log p(x|y). It subtracts the largest term before it exponentiates, so that densities far below the
// smallest float64 still give the posterior. The evidence is returned as log p(x), in nats.
func PosteriorLog(priors, logLikelihoods []float64) (posterior []float64, logEvidence float64, err error) {
	const f = "bayes.PosteriorLog"
	if err := checkPriors(f, priors, len(logLikelihoods)); err != nil {
		return nil, 0, err
	}
	a := make([]float64, len(priors))
	for j, l := range logLikelihoods {
		if math.IsNaN(l) || math.IsInf(l, 1) {
			return nil, 0, fault.Argument(f, fmt.Sprintf("logLikelihoods[%d]", j), l, "a finite number or -Inf", "")
		}
		a[j] = l + math.Log(priors[j])
	}
	logEvidence = Softmax(a)
	if math.IsInf(logEvidence, -1) {
		return nil, 0, fault.Argument(f, "evidence", 0, "positive: the observation is impossible in every class", "")
	}
	return a, logEvidence, nil
}

// Softmax replaces a by exp(a_j) / sum_l exp(a_l) and returns log sum_l exp(a_l). When every a_j is -Inf, or there is none, it leaves a
// alone and returns -Inf.
func Softmax(a []float64) float64 { return gauss.Softmax(a) }

func checkPriors(function string, priors []float64, classes int) error {
	if len(priors) == 0 || len(priors) != classes {
		return fault.Argument(
			function,
			"priors",
			fmt.Sprintf("%d numbers", len(priors)),
			fmt.Sprintf("one probability for each of the %d classes", classes),
			"",
		)
	}
	return estimator.CheckProbabilities(function, "priors", priors)
}
