package prl

import (
	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/linear"
)

// Linear begins a least squares regression: Linear().Fit(set).Summary().Show().
// [linear.Plan] has its steps and answers.
func Linear() linear.Plan { return linear.PlanLinear() }

// Ridge begins a ridge regression, the least of RSS + lambda |w|^2: Ridge(1).Standardize().Fit(set).
// [linear.RidgePlan] has its steps and answers.
func Ridge(lambda float64) linear.RidgePlan { return linear.PlanRidge(lambda) }

// Lasso begins a lasso, the least of RSS / 2n + lambda |w|_1: Lasso(0.1).Standardize().Fit(set).
// [linear.LassoPlan] has its steps and answers.
func Lasso(lambda float64) linear.LassoPlan { return linear.PlanLasso(lambda) }

// ElasticNet begins an elastic net, the least of RSS / 2n + lambda (share |w|_1 + (1 - share)/2 |w|^2): ElasticNet(0.1, 0.5).Fit(set).
// [linear.LassoPlan] has its steps and answers.
func ElasticNet(lambda, share float64) linear.LassoPlan { return linear.PlanElasticNet(lambda, share) }

// Lp begins the closest plane in the norm p, from 1 (least absolute residuals) to math.Inf(1) (Chebyshev): Lp(1).Fit(set).
// [linear.NormPlan] has its steps and answers.
func Lp(p float64) linear.NormPlan { return linear.PlanLp(p) }

// Quantile begins a quantile regression, a plane below which a share tau of the targets lies: Quantile(0.9).Fit(set).
// [linear.NormPlan] has its steps and answers.
func Quantile(tau float64) linear.NormPlan { return linear.PlanQuantile(tau) }

// Huber begins a robust regression that counts large residuals by their size: Huber().Fit(set).
// [linear.RobustPlan] has its steps and answers.
func Huber() linear.RobustPlan { return linear.PlanHuber() }

// Tukey begins a robust regression that leaves the largest residuals out: Tukey().Fit(set).
// [linear.RobustPlan] has its steps and answers.
func Tukey() linear.RobustPlan { return linear.PlanTukey() }

// TotalLeastSquares begins the plane of least distance, for errors in features and target: TotalLeastSquares().Fit(set).
// [linear.PlanePlan] has its steps and answers.
func TotalLeastSquares() linear.PlanePlan { return linear.PlanTotalLeastSquares() }

// NonNegative begins least squares without negative coefficients: NonNegative().Fit(set).
// [linear.PlanePlan] has its steps and answers.
func NonNegative() linear.PlanePlan { return linear.PlanNonNegative() }

// Formula makes the features and the target of a table by a formula: Linear().Fit(Formula("price ~ log(area) + district", table)).
func Formula(text string, table datasets.Table) datasets.Set { return linear.Formulate(text, table) }
