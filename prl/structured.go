package prl

import "github.com/prlab/prlab/prl/structured"

// Tagger begins a tagger of sentences: Tagger().CRF().Overlapping().Fit(words, tags).Tag("the", "bank", "opens"). Perceptron and
// StructuralSVM learn in other ways. [structured.TaggerPlan] has its steps and answers, [structured.FitTagger] the formula.
func Tagger() structured.TaggerPlan { return structured.PlanTagger() }

// RankSVM begins a machine that orders rows: RankSVM().C(0.1).Fit(set.WithTarget("grade", grades)). [structured.RankPlan] has its steps and
// answers, [structured.FitRank] the formula.
func RankSVM() structured.RankPlan { return structured.PlanRankSVM() }

// LaplacianSVM begins a classifier that learns from few labels and many rows without: LaplacianSVM().Unlabelled(silent).Fit(few).
// [structured.LaplacianPlan] has its steps and answers, [structured.FitLaplacian] the formula.
func LaplacianSVM() structured.LaplacianPlan { return structured.PlanLaplacianSVM() }
