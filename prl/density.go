package prl

import "github.com/prlab/prlab/prl/density"

// KNN begins a classification by the k nearest neighbours: KNN(5).Fit(set).
func KNN(k int) density.KNNPlan { return density.PlanKNN(k) }

// KNNDensity begins a density estimate by balls that hold k rows: KNNDensity(10).Fit(set).
func KNNDensity(k int) density.KNNDensityPlan { return density.PlanKNNDensity(k) }

// Parzen begins a density of bumps: Parzen().Width(0.3).Fit(set).
func Parzen() density.ParzenPlan { return density.PlanParzen() }

// PNN begins a classification by Parzen densities of the classes with bumps of width sigma: PNN(0.5).Fit(set).
func PNN(sigma float64) density.PNNPlan { return density.PlanPNN(sigma) }
