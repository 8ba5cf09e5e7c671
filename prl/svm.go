package prl

import "github.com/prlab/prlab/prl/svm"

// SVM begins a support vector machine: SVM().RBF(0.5).C(10).Fit(set).
func SVM() svm.Plan { return svm.PlanSVM() }
