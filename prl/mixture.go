package prl

import "github.com/prlab/prlab/prl/mixture"

// GMM begins a mixture of k Gaussians: GMM(3).Full().Seed(1).Fit(set). [mixture.GMMPlan] has its steps and answers, [mixture.FitGMM] the
// formula.
func GMM(k int) mixture.GMMPlan { return mixture.PlanGMM(k) }

// KMeans begins a clustering into k groups: KMeans(3).Fit(set). [mixture.KMeansPlan] has its steps and answers, [mixture.FitKMeans] the
// formula.
func KMeans(k int) mixture.KMeansPlan { return mixture.PlanKMeans(k) }

// Mixture returns the Gaussian mixture with the given numbers; a wrong number ends the cell with a message.
func Mixture(p mixture.GMMParameters) *mixture.GMM { return Must(mixture.NewGMM(p)) }

// Coins begins EM for coins of unknown bias: the numbers of heads in rounds of so many tosses, each with one of the coins. Its result goes
// to EM of package mixture.
func Coins(tosses int, heads ...int) mixture.Problem[[]float64] {
	return Must(mixture.Coins(heads, tosses))
}
