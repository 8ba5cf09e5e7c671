package prl

import "github.com/prlab/prlab/prl/svm"

// SVM begins a support vector machine: SVM().RBF(0.5).C(10).Fit(set), or with the share of rows that may break the margin in the place of
// the price of slack SVM().RBF(0.5).Nu(0.1).Fit(set). [svm.Plan] has its steps and answers, [svm.Fit] the formula.
func SVM() svm.Plan { return svm.PlanSVM() }

// SVR begins a support vector regression: SVR().RBF(0.5).C(10).Epsilon(0.2).Fit(set), or with the share of rows that may lie outside the
// tube in the place of its width SVR().RBF(0.5).Nu(0.1).Fit(set). [svm.RegressionPlan] has its steps and answers, [svm.FitRegression] the
// formula.
func SVR() svm.RegressionPlan { return svm.PlanSVR() }

// OneClassSVM begins a region that holds all but a share of the rows, to find novel ones: OneClassSVM().Nu(0.05).Fit(set).
// [svm.OneClassPlan] has its steps and answers, [svm.FitOneClass] the formula.
func OneClassSVM() svm.OneClassPlan { return svm.PlanOneClass() }
