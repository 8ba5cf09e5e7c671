package prl

import "github.com/prlab/prlab/prl/density"

// KNN begins a classification by the k nearest neighbours: KNN(5).Fit(set). [density.KNNPlan] has its steps and answers, [density.FitKNN]
// the formula.
func KNN(k int) density.KNNPlan { return density.PlanKNN(k) }

// KNNDensity begins a density estimate by balls that hold k rows: KNNDensity(10).Fit(set). [density.KNNDensityPlan] has its steps and
// answers, [density.FitKNNDensity] the formula.
func KNNDensity(k int) density.KNNDensityPlan { return density.PlanKNNDensity(k) }

// Parzen begins a density of bumps: Parzen().Width(0.3).Fit(set). [density.ParzenPlan] has its steps and answers, [density.FitParzen] the
// formula.
func Parzen() density.ParzenPlan { return density.PlanParzen() }

// PNN begins a classification by Parzen densities of the classes with bumps of width sigma: PNN(0.5).Fit(set). [density.PNNPlan] has its
// steps and answers, [density.FitPNN] the formula.
func PNN(sigma float64) density.PNNPlan { return density.PlanPNN(sigma) }
