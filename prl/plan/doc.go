// Package plan is the one frame of every model that a cell can write as a sentence: Tree().Depth(3).Fit(iris). A plan holds settings and
// data, and fits a model when a number or a picture is asked for, once in a process. It is an immutable value: every step returns a changed
// copy, and settings may come before or after the data. The first wrong step is remembered with the chain that led to it, and reported
// where the chain ends.
//
// In a cell, a fit or a search that takes longer than 0.3 s is stored on disk (cell.KeepSlow), and later cells read its model while plan,
// data and library are the same. Keep in a chain stores quick ones too, and in any program.
//
// A family embeds what its models are, and thereby has what every model of that kind can do:
//
//	Plan         Model, Fitted, Err, String
//	Classifier   Plan and Predict, Proba, LogProba, Class, Accuracy, Confusion, ROC, PrecisionRecall, Regions, Show,
//	             AUC, AveragePrecision, LogLoss, Brier, Permutation, Partial
//	Regressor    Plan and Predict, R2, RMSE, Curve, Residuals, Permutation, Partial, Show
//	Transformer  Plan and Transform, Inverse
//	Clusterer    Plan and Predict, Labels, Sizes, Silhouettes
//	Novelty      Plan and Predict, Class, Value, Flagged, Regions, Table, Show
//
// It adds its settings, a line each, and the figures and tables that are its own:
//
//	type Plan struct{ plan.Classifier[*Model, Options] }
//
//	func PlanX() Plan {
//		return Plan{plan.NewClassifier(plan.Spec[*Model, Options]{
//			Name: "X", Options: Options{}, Needs: plan.Classes, Check: check, Fit: fit,
//		})}
//	}
//
//	func (p Plan) Depth(n int) Plan         { return plan.With(p, "Depth", func(o *Options) { o.Depth = n }, n) }
//	func (p Plan) Fit(set datasets.Set) Plan { return plan.Fit(p, set) }
//	func (p Plan) Keep() Plan               { return plan.Keep(p) }
//
// What is needed to write a family (With, Fit, Keep, Value, Figure, Table, Once) are functions of this package, so that a plan has no
// methods but those that are meant for a cell.
package plan
