package prl

import "github.com/prlab/prlab/prl/density"

// KNN begins a classification by the k nearest neighbours: KNN(5).Fit(set).
func KNN(k int) density.KNNPlan { return density.PlanKNN(k) }
