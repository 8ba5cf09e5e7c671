package prl

import "github.com/prlab/prlab/prl/ica"

// ICA begins independent component analysis with k components: ICA().Fit(mixtures). ICA() keeps as many as there are features. [ica.Plan]
// has its steps and answers, [ica.Fit] the formula.
func ICA(k ...int) ica.Plan { return ica.PlanICA(k...) }
