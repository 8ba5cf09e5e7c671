package prl_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/cluster"
	"github.com/prlab/prlab/prl/density"
	"github.com/prlab/prlab/prl/ensemble"
	"github.com/prlab/prlab/prl/estimator"
	suite "github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/ica"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/linear"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/neural"
	"github.com/prlab/prlab/prl/optim"
	"github.com/prlab/prlab/prl/perceptron"
	"github.com/prlab/prlab/prl/prepare"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/structured"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

// This file is where a family is told to the tests of all families: each plan and each estimator, a line each.

// plans holds a plan of every constructor of the package, by its name, fitted to a set of two classes and two features where it takes one.
// TestPlansAreComplete finds what is missing.
var plans = map[string]func(two datasets.Set) any{
	"Bayes":         func(datasets.Set) any { return prl.Bayes() },
	"LDA":           func(two datasets.Set) any { return prl.LDA().Fit(two) },
	"QDA":           func(two datasets.Set) any { return prl.QDA().Fit(two) },
	"NearestMean":   func(two datasets.Set) any { return prl.NearestMean().Fit(two) },
	"GaussianNB":    func(two datasets.Set) any { return prl.GaussianNB().Fit(two) },
	"MultinomialNB": func(two datasets.Set) any { return prl.MultinomialNB().Fit(two) },
	"BernoulliNB":   func(two datasets.Set) any { return prl.BernoulliNB().Fit(two) },
	"ComplementNB":  func(two datasets.Set) any { return prl.ComplementNB().Fit(two) },
	"CategoricalNB": func(two datasets.Set) any { return prl.CategoricalNB().Fit(whole(two)) },
	"ChainNB":       func(two datasets.Set) any { return prl.ChainNB().Fit(whole(two)) },
	"TreeNB":        func(two datasets.Set) any { return prl.TreeNB().Fit(whole(two)) },
	"Logistic":      func(two datasets.Set) any { return prl.Logistic().Fit(two) },
	"SVM":           func(two datasets.Set) any { return prl.SVM().Probability().Fit(two) },
	"OneClassSVM":   func(two datasets.Set) any { return prl.OneClassSVM().Fit(two) },
	"SVR": func(two datasets.Set) any {
		return prl.SVR().Fit(width(two))
	},
	"MLP":               func(two datasets.Set) any { return prl.MLP(5).Rounds(20).Fit(two) },
	"RegressionMLP":     func(two datasets.Set) any { return prl.RegressionMLP(5).Rounds(20).Fit(width(two)) },
	"Linear":            func(two datasets.Set) any { return prl.Linear().Fit(width(two)) },
	"Ridge":             func(two datasets.Set) any { return prl.Ridge(1).Fit(width(two)) },
	"Lasso":             func(two datasets.Set) any { return prl.Lasso(0.01).Fit(width(two)) },
	"ElasticNet":        func(two datasets.Set) any { return prl.ElasticNet(0.01, 0.5).Fit(width(two)) },
	"Lp":                func(two datasets.Set) any { return prl.Lp(1).Fit(width(two)) },
	"Quantile":          func(two datasets.Set) any { return prl.Quantile(0.9).Fit(width(two)) },
	"Huber":             func(two datasets.Set) any { return prl.Huber().Fit(width(two)) },
	"Tukey":             func(two datasets.Set) any { return prl.Tukey().Fit(width(two)) },
	"TotalLeastSquares": func(two datasets.Set) any { return prl.TotalLeastSquares().Fit(width(two)) },
	"NonNegative":       func(two datasets.Set) any { return prl.NonNegative().Fit(width(two)) },
	"Perceptron":        func(two datasets.Set) any { return prl.Perceptron().MaxIter(50).Fit(two) },
	"PassiveAggressive": func(two datasets.Set) any { return prl.PassiveAggressive().MaxIter(50).Fit(two) },
	"Winnow":            func(two datasets.Set) any { return prl.Winnow().MaxIter(50).Fit(two) },
	"Threshold":         func(two datasets.Set) any { return prl.Threshold(prl.LDA()).Fit(two) },
	"Tree":              func(two datasets.Set) any { return prl.Tree().Fit(two) },
	"RegressionTree": func(two datasets.Set) any {
		return prl.RegressionTree().Fit(width(two))
	},
	"Forest": func(two datasets.Set) any { return prl.Forest().Trees(5).Fit(two) },
	"RegressionForest": func(two datasets.Set) any {
		return prl.RegressionForest().Trees(5).Fit(width(two))
	},
	"IsolationForest":  func(two datasets.Set) any { return prl.IsolationForest().Trees(5).Fit(two) },
	"GradientBoosting": func(two datasets.Set) any { return prl.GradientBoosting().Rounds(5).Fit(two) },
	"RegressionBoosting": func(two datasets.Set) any {
		return prl.RegressionBoosting().Rounds(5).Fit(width(two))
	},
	"RealBoost":   func(two datasets.Set) any { return prl.RealBoost().Rounds(5).Fit(two) },
	"LogitBoost":  func(two datasets.Set) any { return prl.LogitBoost().Rounds(5).Fit(two) },
	"AdaBoost":    func(two datasets.Set) any { return prl.AdaBoost().Rounds(3).Fit(two) },
	"KNN":         func(two datasets.Set) any { return prl.KNN(5).Fit(two) },
	"KNNDensity":  func(two datasets.Set) any { return prl.KNNDensity(5).Fit(two) },
	"Parzen":      func(two datasets.Set) any { return prl.Parzen().Fit(two) },
	"PNN":         func(two datasets.Set) any { return prl.PNN(0.5).Fit(two) },
	"GMM":         func(two datasets.Set) any { return prl.GMM(2).Fit(two) },
	"KMeans":      func(two datasets.Set) any { return prl.KMeans(2).Fit(two) },
	"Hierarchy":   func(two datasets.Set) any { return prl.Hierarchy().Fit(two) },
	"DBSCAN":      func(two datasets.Set) any { return prl.DBSCAN(0.3, 5).Fit(two) },
	"Outliers":    func(two datasets.Set) any { return prl.Outliers().Fit(two) },
	"PCA":         func(two datasets.Set) any { return prl.PCA().Fit(two) },
	"PPCA":        func(two datasets.Set) any { return prl.PPCA(1).Fit(two) },
	"KernelPCA":   func(two datasets.Set) any { return prl.KernelPCA().RBF(0.5).Fit(two) },
	"Whiten":      func(two datasets.Set) any { return prl.Whiten().Fit(two) },
	"ICA":         func(two datasets.Set) any { return prl.ICA().Fit(two) },
	"FisherLDA":   func(two datasets.Set) any { return prl.FisherLDA().Fit(two) },
	"MDA":         func(two datasets.Set) any { return prl.MDA().Fit(two) },
	"MDS":         func(two datasets.Set) any { return prl.MDS().Fit(two) },
	"Isomap":      func(two datasets.Set) any { return prl.Isomap(1).Neighbours(60).Fit(two) },
	"LLE":         func(two datasets.Set) any { return prl.LLE(1).Fit(two) },
	"Kernel":      func(two datasets.Set) any { return prl.Kernel(kernel.Linear{}).Fit(two) },
	"Standardize": func(two datasets.Set) any { return prl.Standardize().Fit(two) },
	"Impute":      func(two datasets.Set) any { return prl.Impute().Fit(two) },
	"OneHot":      func(two datasets.Set) any { return prl.OneHot().Fit(two) },
	"TFIDF":       func(two datasets.Set) any { return prl.TFIDF().Fit(two) },
	"Ordinal":     func(two datasets.Set) any { return prl.Ordinal().Fit(two) },
	"Chain":       func(datasets.Set) any { return prl.Chain("sun", "rain") },
	"HMM":         func(datasets.Set) any { return prl.HMM("hot", "cold") },
	"GaussianHMM": func(two datasets.Set) any { return prl.GaussianHMM(2).Fit(two) },
	"Tagging":     func(datasets.Set) any { return prl.Tagging() },
	"Tagger": func(datasets.Set) any {
		return prl.Tagger().Fit([][]string{{"the", "bank", "opens"}}, [][]string{{"DET", "N", "V"}})
	},
	"RankSVM":      func(two datasets.Set) any { return prl.RankSVM().Fit(width(two)) },
	"LaplacianSVM": func(two datasets.Set) any { return prl.LaplacianSVM().Fit(two) },
	"PAC":          func(datasets.Set) any { return prl.PAC() },
}

// whole rounds the features, for plans that count. A broken set stays as it is.
func whole(s datasets.Set) datasets.Set {
	if s.Err() != nil {
		return s
	}
	X := mat.DenseCopyOf(s.X)
	X.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, X)
	return datasets.New("whole", X, s.Y, s.ClassNames...).Named(s.FeatureNames...)
}

// drawn is why forests depend on the order of rows.
// inTurn is why machines that learn row by row depend on the order of rows.
const inTurn = "rows are learnt in turn, and each changes what the next one meets"

const drawn = "rows are drawn at random by their numbers, so that others are drawn from rows in another order or from copies"

// outputs is why nets depend on the names of the classes.
const outputs = "the first weights are drawn class by class, so that classes in another order start from others"

// contract is the table of all estimators of the library, one line each. TestContractIsComplete finds what is missing.
var contract = []suite.Case{
	suite.Classifier("bayes.FitLDA", bayes.FitLDA, bayes.Options{}).ScaleFree(),
	suite.Classifier("bayes.FitLDA, two classes", bayes.FitLDA, bayes.Options{}).Binary().ScaleFree(),
	suite.Classifier("bayes.FitLDA, priors", bayes.FitLDA, with(bayes.Options{},
		func(o *bayes.Options) { o.Priors = []float64{0.6, 0.4} })).
		Binary().
		ScaleFree().
		Except("names of classes", "the priors belong to the numbers of the classes"),
	suite.Classifier("bayes.FitLDA, balanced", bayes.FitLDA, with(bayes.Options{},
		func(o *bayes.Options) { o.Balanced = true })).ScaleFree(),
	suite.Classifier("bayes.FitQDA", bayes.FitQDA, bayes.Options{}).ScaleFree(),
	suite.Classifier("bayes.FitQDA, shrunk", bayes.FitQDA, with(bayes.Options{}, func(o *bayes.Options) { o.Shrinkage = 0.2 })).
		ScaleFree(),
	suite.Classifier("bayes.FitLDA, automatic shrinkage", bayes.FitLDA, bayes.Options{ShrinkageAuto: true}).ScaleFree(),
	suite.Classifier("bayes.FitQDA, automatic shrinkage", bayes.FitQDA, bayes.Options{ShrinkageAuto: true}).ScaleFree(),
	suite.Classifier("bayes.FitQDA, pooled", bayes.FitQDA, with(bayes.Options{}, func(o *bayes.Options) { o.Pooling = 0.3 })).
		ScaleFree(),
	suite.Classifier("bayes.FitNearestMean", bayes.FitNearestMean, bayes.Options{}).ScaleFree(),
	suite.Classifier("bayes.FitGaussianNB", bayes.FitGaussianNB, bayes.Options{}).ScaleFree(),
	suite.Classifier("bayes.FitMultinomialNB", bayes.FitMultinomialNB, bayes.CountOptions{}).
		Counts().
		Except("one column", oneWord).
		Except("names of classes", noWord),
	suite.Classifier("bayes.FitMultinomialNB, pooled", bayes.FitMultinomialNB, bayes.CountOptions{Smoothing: 0.5, Pooled: true}).
		Counts().
		Binary().
		Except("one column", oneWord).
		Except("names of classes", noWord),
	suite.Classifier("bayes.FitBernoulliNB", bayes.FitBernoulliNB, bayes.CountOptions{}).
		Counts().
		Except("learns", oneBit).
		Except("one column", oneBit),
	suite.Classifier("bayes.FitBernoulliNB, threshold", bayes.FitBernoulliNB, bayes.CountOptions{Above: 1.35}).Except("learns", oneBit),
	suite.Classifier("bayes.FitComplementNB", bayes.FitComplementNB, bayes.CountOptions{}).
		Counts().
		Except("one column", oneWord).
		Except("names of classes", noWord),
	suite.Classifier("bayes.FitMultinomialNB, balanced", bayes.FitMultinomialNB, bayes.CountOptions{Balanced: true}).
		Counts().
		Except("one column", oneWord).
		Except("names of classes", noWord),
	suite.Classifier("bayes.FitTreeNB", bayes.FitTreeNB, bayes.TreeOptions{}).Counts().Except("other kinds of matrix", unseen),
	suite.Classifier("bayes.FitTreeNB, in order", bayes.FitTreeNB, bayes.TreeOptions{Dependence: bayes.InOrder, Smoothing: 0.1}).
		Counts().
		Except("other kinds of matrix", unseen),
	suite.Classifier("bayes.FitTreeNB, independent", bayes.FitTreeNB, bayes.TreeOptions{Dependence: bayes.Independent}).
		Counts().
		Except("other kinds of matrix", unseen),
	suite.LabelledSymbols("bayes.FitNominal", fitNominal, 1.0).Except("cancelled before", counted),

	suite.Classifier("reduce.FitFisher", reduce.FitFisher, reduce.FisherOptions{}).TwoClasses().ScaleFree(),
	suite.Classifier("reduce.FitFisher, priors", reduce.FitFisher, reduce.FisherOptions{Threshold: reduce.Priors, Regularise: 0.1}).
		TwoClasses().
		ScaleFree(),
	suite.Classifier("reduce.FitMDA", reduce.FitMDA, reduce.MDAOptions{}).ScaleFree(),
	suite.Classifier("reduce.FitMDA, equal spread", reduce.FitMDA, reduce.MDAOptions{Components: reduce.All, Spread: reduce.Equal}).
		ScaleFree(),
	suite.Unsupervised("reduce.FitPCA", reduce.FitPCA, reduce.PCAOptions{}),
	suite.Unsupervised("reduce.FitPCA, SVD", reduce.FitPCA, reduce.PCAOptions{Components: 1, Path: reduce.SVD}),
	suite.Unsupervised("reduce.FitPCA, Krylov", reduce.FitPCA, reduce.PCAOptions{Components: 1, Path: reduce.Krylov}),
	suite.Unsupervised(
		"reduce.FitPCA, scaled",
		reduce.FitPCA,
		reduce.PCAOptions{Components: reduce.All, Scale: true, Divisor: reduce.Population},
	),
	suite.Unsupervised("reduce.FitPCA, share of the variance", reduce.FitPCA, reduce.PCAOptions{Share: 0.5}),
	suite.Unsupervised("reduce.FitPPCA", reduce.FitPPCA, reduce.PPCAOptions{Components: 1}).Except("one column", oneAxis),
	suite.Unsupervised("reduce.FitPPCA, population", reduce.FitPPCA, reduce.PPCAOptions{Components: 1, Divisor: reduce.Population}).
		Except("one column", oneAxis),
	suite.Unsupervised("prepare.FitImputer", prepare.FitImputer, prepare.ImputeOptions{}).
		Except("bad options", "any word may be put into gaps").
		Except("bad data to predict", "it is there for gaps").
		Except("bad training data", "it is there for gaps"),
	suite.Unsupervised("prepare.FitOneHot", prepare.FitOneHot, prepare.OneHotOptions{}).
		Except("bad data to predict", "features of numbers pass with their gaps").
		Except("bad training data", "features of numbers pass with their gaps"),
	suite.Unsupervised("prepare.FitOrdinal", prepare.FitOrdinal, prepare.OrdinalOptions{}).
		Except("bad data to predict", "features of numbers pass with their gaps").
		Except("bad training data", "features of numbers pass with their gaps"),
	suite.Unsupervised("prepare.FitTFIDF", prepare.FitTFIDF, prepare.TFIDFOptions{}).Counts(),
	suite.Unsupervised("prepare.FitTFIDF, sublinear", prepare.FitTFIDF, prepare.TFIDFOptions{Sublinear: true, Raw: true}).Counts(),
	suite.Unsupervised("reduce.FitKernelPCA", reduce.FitKernelPCA, reduce.KernelPCAOptions{}).Large(700),
	suite.Unsupervised("reduce.FitKernelPCA, RBF", reduce.FitKernelPCA, reduce.KernelPCAOptions{
		Components: 1,
		Kernel:     kernel.RBF{Gamma: 0.1},
	}).Large(700),
	suite.Unsupervised("reduce.FitWhitening", reduce.FitWhitening, reduce.WhitenOptions{}),
	suite.Unsupervised("reduce.FitWhitening, ZCA", reduce.FitWhitening, reduce.WhitenOptions{Form: reduce.ZCA}),
	suite.Unsupervised("reduce.FitWhitening, triangular", reduce.FitWhitening, reduce.WhitenOptions{Form: reduce.Triangular, Regularise: 0.1}),
	suite.Unsupervised("ica.Fit", ica.Fit, ica.Options{}),
	suite.Unsupervised("ica.Fit, deflation", ica.Fit, ica.Options{Method: ica.Deflation, Contrast: ica.Cube}),
	suite.Unsupervised("ica.Fit, exp", ica.Fit, ica.Options{Contrast: ica.Exp, Components: 1}),
	suite.Unsupervised("ica.Fit, infomax", ica.Fit, ica.Options{Method: ica.Infomax}),
	suite.Unsupervised("reduce.FitIsomap", reduce.FitIsomap, reduce.IsomapOptions{Neighbours: 20}).
		Large(60).
		Except("zero options", "10 neighbours, where these are 20").
		Except("stored and read", unstored),
	suite.Unsupervised("reduce.FitLLE", reduce.FitLLE, with(reduce.LLEOptions{}, func(o *reduce.LLEOptions) { o.Neighbours = 20 })).
		Large(60).
		Except("zero options", "12 neighbours, where these are 20").
		Except("stored and read", unstored),
	suite.Unsupervised("reduce.FitMDS, classical", fitMDS, with(reduce.MDSOptions{},
		func(o *reduce.MDSOptions) { o.Scaling = reduce.Classical })).
		Large(300).
		Except("stored and read", unstored),
	suite.Embedding("reduce.FitMDS", fitMDS, placesOfMDS, with(reduce.MDSOptions{}, func(o *reduce.MDSOptions) { o.Tol = 1e-15 })).
		Large(200).
		Tolerance(1e-5).
		Except("zero options", "a tolerance of 1e-9, where this is 1e-15").
		Except("stored and read", unstored).
		Except("other kinds of matrix", "a symmetric matrix has other rows"),
	suite.Embedding("reduce.FitMDS, non-metric", fitMDS, placesOfMDS, with(reduce.MDSOptions{},
		func(o *reduce.MDSOptions) { o.Scaling = reduce.NonMetric })).
		Large(100).
		Tolerance(1e-5).
		Except("stored and read", unstored).
		Except("other kinds of matrix", "a symmetric matrix has other rows"),
	suite.Unsupervised("kernel.Features", fitFeatures, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}).
		Except("cancelled before", "nothing is fitted").
		Except("huge and tiny numbers", "nothing is fitted that could refuse them; Transform does").
		Except("stored and read", "the map follows from its kernel, which can be stored"),

	suite.Classifier("logistic.Fit, L2", logistic.Fit, logistic.Options{L2: 1}),
	suite.Classifier("logistic.Fit, L2 of two classes", logistic.Fit, logistic.Options{L2: 0.5, Balanced: true}).Binary(),
	suite.Classifier("logistic.Fit, no intercept", logistic.Fit, logistic.Options{L2: 1, NoIntercept: true}).
		Except("one column", "log-odds through the origin cannot part two classes on one side of it"),

	suite.Classifier("neural.Fit", neural.Fit, neural.Options{}).ScaleFree().
		Except("order of rows", drawn).Except("weights are copies", drawn).Except("names of classes", outputs),
	suite.Classifier("neural.Fit, two classes and held out", neural.Fit, neural.Options{
		Hidden: []int{8, 4}, Activation: neural.Tanh, Held: 0.2, Dropout: 0.1, Balanced: true,
	}).Binary().ScaleFree().
		Except("order of rows", drawn).Except("weights are copies", drawn).Except("names of classes", outputs),
	suite.Classifier("neural.Fit, all rows at once", neural.Fit, neural.Options{
		Hidden: []int{4}, Activation: neural.Logistic, Method: optim.LBFGS{}, L2: 0.1, Rounds: 60,
	}).ScaleFree().Except("names of classes", outputs),
	suite.Classifier("neural.Fit, best of two starts", neural.Fit, neural.Options{
		Hidden: []int{4}, Activation: neural.Softplus, Method: optim.Momentum{Step: 0.1, Mu: 0.9}, Batch: 1000, Restarts: 2, Rounds: 60,
	}).Binary().ScaleFree().Except("names of classes", outputs),
	suite.Regressor("neural.FitRegression", neural.FitRegression, neural.Options{}).ScaleFree().
		Except("order of rows", drawn).Except("weights are copies", drawn),
	suite.Regressor("neural.FitRegression, all rows at once", neural.FitRegression, neural.Options{
		Hidden: []int{4}, Activation: neural.Tanh, Method: optim.LBFGS{}, L2: 0.1, Rounds: 20,
	}),

	suite.Classifier("svm.Fit", svm.Fit, svm.Options{}).Tolerance(1e-4),
	suite.Classifier("svm.Fit, two classes", svm.Fit, with(svm.Options{}, func(o *svm.Options) { o.Tol = 1e-10 })).Binary(),
	suite.Classifier(
		"svm.Fit, RBF kernel",
		svm.Fit,
		with(svm.Options{}, func(o *svm.Options) { o.Kernel, o.Tol = kernel.RBF{Gamma: 0.3}, 1e-10 }),
	),
	suite.Classifier("svm.Fit, polynomial kernel", svm.Fit, with(svm.Options{},
		func(o *svm.Options) { o.Kernel, o.Tol = kernel.Poly{Degree: 3, Gamma: 0.1, Coef0: 1}, 1e-10 })).
		Tolerance(1e-6),
	suite.Classifier(
		"svm.Fit, quadratic slack",
		svm.Fit,
		with(svm.Options{}, func(o *svm.Options) { o.Slack, o.Tol = svm.QuadraticSlack, 1e-10 }),
	),
	suite.Classifier("svm.Fit, hard margin", svm.Fit, with(svm.Options{}, func(o *svm.Options) {
		o.Slack, o.Tol = svm.HardMargin,
			1e-10
	})).
		Except("bad options", "a hard margin has no price C").
		Except("too few iterations", "whether a hyperplane separates the classes is not known yet"),
	suite.Classifier("svm.Fit, probabilities", svm.Fit, with(svm.Options{}, func(o *svm.Options) { o.Probability, o.Tol = true, 1e-10 })).
		Except("order of rows", folds).Except("names of classes", folds).Except("weights are copies", folds),
	suite.Classifier("svm.Fit, two probabilities", svm.Fit, with(svm.Options{}, func(o *svm.Options) {
		o.Probability, o.Tol = true,
			1e-10
	})).
		Binary().
		Except("order of rows", folds).
		Except("names of classes", folds).
		Except("weights are copies", folds),
	suite.Classifier("svm.Fit, no bias", svm.Fit, with(svm.Options{}, func(o *svm.Options) {
		o.Kernel, o.NoBias,
			o.Tol = kernel.RBF{Gamma: 0.3}, true, 1e-10
	})).
		Binary().
		Large(600),
	suite.Classifier("svm.Fit, balanced", svm.Fit, with(svm.Options{}, func(o *svm.Options) {
		o.Kernel, o.Balanced, o.Tol = kernel.RBF{Gamma: 0.3}, true, 1e-10
	})).Large(600),
	suite.Classifier("svm.FitPath, RBF kernel", fitPath, with(svm.Options{}, func(o *svm.Options) {
		o.Kernel, o.Tol = kernel.RBF{Gamma: 0.3},
			1e-10
	})).
		Large(600),
	suite.Classifier("svm.Fit, nu", svm.Fit, with(svm.Options{}, func(o *svm.Options) {
		o.Kernel, o.Nu, o.Tol = kernel.RBF{Gamma: 0.3},
			0.2, 1e-10
	})).
		Large(600),
	suite.Classifier("svm.Fit, nu and two classes", svm.Fit, with(svm.Options{}, func(o *svm.Options) { o.Nu, o.Tol = 0.3, 1e-10 })).
		Binary().
		Large(600),
	suite.Regressor("svm.FitRegression", svm.FitRegression, svm.RegressionOptions{}).
		Tolerance(1e-4).
		Large(600).
		Except("learns", "the line of least absolute errors leaves 30 % of the variance of these targets"),
	suite.Regressor("svm.FitRegression, RBF kernel", svm.FitRegression, with(svm.RegressionOptions{}, func(o *svm.RegressionOptions) {
		o.Kernel, o.C, o.Tol = kernel.RBF{Gamma: 0.3}, 10, 1e-10
	})).Large(600),
	suite.Regressor("svm.FitRegression, nu", svm.FitRegression, with(svm.RegressionOptions{}, func(o *svm.RegressionOptions) {
		o.Kernel, o.C, o.Nu, o.Tol = kernel.RBF{Gamma: 0.3}, 2, 0.3, 1e-10
	})).Large(600),
	suite.Unsupervised("svm.FitOneClass", svm.FitOneClass, svm.OneClassOptions{}).Tolerance(1e-4).Large(600),
	suite.Unsupervised("svm.FitOneClass, linear", svm.FitOneClass, with(svm.OneClassOptions{}, func(o *svm.OneClassOptions) {
		o.Kernel, o.Nu, o.Tol = kernel.Linear{}, 0.3, 1e-10
	})).Large(600),
	suite.Classifier("svm.FitLinear", svm.FitLinear, svm.LinearOptions{}).Tolerance(1e-3),
	suite.Classifier("svm.FitLinear, two classes", svm.FitLinear, with(svm.LinearOptions{}, func(o *svm.LinearOptions) { o.Tol = 1e-10 })).
		Binary(),
	suite.Classifier(
		"svm.FitLinear, quadratic slack",
		svm.FitLinear,
		with(svm.LinearOptions{}, func(o *svm.LinearOptions) { o.Slack, o.Tol = svm.QuadraticSlack, 1e-10 }),
	),

	suite.Classifier("perceptron.Fit", perceptron.Fit, perceptron.Options{}).Except("order of rows", inTurn),
	suite.Classifier("perceptron.Fit, averaged", perceptron.Fit, perceptron.Options{Form: perceptron.Averaged, Shuffle: true}).
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.Fit, voted", perceptron.Fit, perceptron.Options{Form: perceptron.Voted, MaxIter: 10}).Binary().
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.Fit, pocket", perceptron.Fit, perceptron.Options{Form: perceptron.Pocket, MaxIter: 100}).
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.Fit, batch", perceptron.Fit, perceptron.Options{OncePerPass: true}),
	suite.Classifier("perceptron.Fit, RBF kernel", perceptron.Fit, perceptron.Options{Kernel: kernel.RBF{Gamma: 0.3}, MaxIter: 100}).
		Large(600).
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.Fit, averaged kernel", perceptron.Fit,
		perceptron.Options{Form: perceptron.Averaged, Kernel: kernel.RBF{Gamma: 0.3}, NoIntercept: true, MaxIter: 50}).Binary().
		Large(600).
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.FitPassive", perceptron.FitPassive, perceptron.PassiveOptions{}).
		Except("order of rows", inTurn).
		Except("learns", "no line separates the middle one of these classes from the rest, and the last weights sway"),
	suite.Classifier("perceptron.FitPassive, squared", perceptron.FitPassive, perceptron.PassiveOptions{Squared: true, C: 10}).Binary().
		Except("order of rows", inTurn),
	suite.Classifier("perceptron.FitWinnow", perceptron.FitWinnow, perceptron.WinnowOptions{}).Except("order of rows", inTurn),
	suite.Classifier("structured.FitMulticlass", structured.FitMulticlass, structured.MulticlassOptions{}).Tolerance(1e-2).Large(600),
	suite.Classifier("structured.FitMulticlass, two classes", structured.FitMulticlass, structured.MulticlassOptions{Tol: 1e-9}).
		Binary().
		Tolerance(1e-6).
		Large(600),
	suite.Classifier("structured.FitMulticlass, no bias", structured.FitMulticlass,
		structured.MulticlassOptions{Tol: 1e-6, C: 0.1, NoBias: true}).
		Tolerance(1e-4).
		Large(600).
		Except("one column", "scores through the origin cannot part two classes on one side of it"),
	suite.Regressor("structured.FitRank", structured.FitRank, structured.RankOptions{}).
		Tolerance(1e-2).
		Large(300).
		Except("learns", "a utility has neither the unit nor the origin of the grades"),
	suite.Classifier("structured.FitLaplacian", structured.FitLaplacian, structured.LaplacianOptions{}).TwoClasses().
		Tolerance(1e-5).
		Large(300),
	suite.Classifier("structured.FitLaplacian, linear kernel", structured.FitLaplacian,
		structured.LaplacianOptions{Kernel: kernel.Linear{}, Tol: 1e-10, Neighbours: 3}).
		TwoClasses().
		Tolerance(1e-6).
		Large(300),

	suite.Regressor("linear.LeastSquares", linear.LeastSquares, linear.Options{}).
		Except("learns", plane),
	suite.Regressor("linear.LeastSquares, shortest", linear.LeastSquares, linear.Options{MinimumNorm: true}).
		Except("learns", plane),
	suite.Regressor("linear.Ridge", linear.Ridge, linear.RidgeOptions{Lambda: 1}).
		Except("learns", plane).
		Except("zero options", "lambda is no option with a default: 0 is least squares"),
	suite.Regressor("linear.Lasso", linear.Lasso, linear.LassoOptions{Lambda: 0.01}).
		Except("learns", plane).
		Except("zero options", "lambda is no option with a default: 0 is least squares"),
	suite.Regressor("linear.Lasso, elastic net", linear.Lasso, linear.LassoOptions{Lambda: 0.01, L1: 0.5, Standardize: true}).
		Except("learns", plane),
	suite.Regressor("linear.GroupLasso", func(ctx context.Context, X mat.Matrix, y []float64,
		o linear.LassoOptions,
	) (*linear.LassoFit, error) {
		return linear.GroupLasso(ctx, X, y, together(X), o)
	}, linear.LassoOptions{Lambda: 0.01}).
		Except("learns", plane).
		Except("zero options", "lambda is no option with a default: 0 is least squares"),
	suite.Regressor("linear.Lp", func(ctx context.Context, X mat.Matrix, y []float64, o linear.Rows) (*linear.NormFit, error) {
		return linear.Lp(ctx, X, y, 1, o)
	}, linear.Rows{}).
		Except("learns", plane),
	suite.Regressor("linear.Lp, 3", func(ctx context.Context, X mat.Matrix, y []float64, o linear.Rows) (*linear.NormFit, error) {
		return linear.Lp(ctx, X, y, 3, o)
	}, linear.Rows{}).
		Except("learns", plane),
	suite.Regressor("linear.Lp, infinity", func(ctx context.Context, X mat.Matrix, y []float64, o linear.Rows) (*linear.NormFit, error) {
		return linear.Lp(ctx, X, y, math.Inf(1), o)
	}, linear.Rows{}).
		Except("learns", plane),
	suite.Regressor("linear.Quantile", func(ctx context.Context, X mat.Matrix, y []float64, o linear.Rows) (*linear.NormFit, error) {
		return linear.Quantile(ctx, X, y, 0.5, o)
	}, linear.Rows{}).
		Except("learns", plane),
	suite.Regressor("linear.Huber", linear.Huber, linear.RobustOptions{}).
		Except("learns", plane),
	suite.Regressor("linear.Tukey", linear.Tukey, linear.RobustOptions{}).
		Except("learns", plane),
	suite.Regressor("linear.Reweighted", func(ctx context.Context, X mat.Matrix, y []float64,
		o linear.RobustOptions,
	) (*linear.RobustFit, error) {
		return linear.Reweighted(ctx, X, y, func(u float64) float64 { return 1 / (1 + u*u) }, o)
	}, linear.RobustOptions{}).
		Except("learns", plane),
	suite.Regressor("linear.TotalLeastSquares", linear.TotalLeastSquares, linear.Rows{}).
		Except("learns", plane),
	suite.Regressor("linear.NonNegative", linear.NonNegative, linear.Rows{}).
		Except("learns", plane),

	suite.Classifier("tree.Fit", tree.Fit, tree.Options{}).ScaleFree().WeightRatios(),
	suite.Classifier("tree.Fit, two classes", tree.Fit, tree.Options{}).Binary().ScaleFree().WeightRatios(),
	suite.Classifier("tree.Fit, entropy", tree.Fit, with(tree.Options{}, func(o *tree.Options) {
		o.Criterion, o.MaxDepth = tree.Entropy,
			3
	})).
		ScaleFree().
		WeightRatios().
		Except("names of classes", "in a leaf where two classes weigh the same the first one wins"),
	suite.Classifier("tree.Fit, balanced", tree.Fit, with(tree.Options{}, func(o *tree.Options) { o.Balanced = true })).
		ScaleFree().
		WeightRatios(),
	suite.Classifier("tree.Fit, error", tree.Fit, with(tree.Options{}, func(o *tree.Options) { o.Criterion = tree.Error })).
		ScaleFree().
		WeightRatios(),
	suite.Classifier("tree.Fit, drawn features", tree.Fit, with(tree.Options{}, func(o *tree.Options) { o.MaxFeatures = 1 })).
		ScaleFree().
		WeightRatios(),
	suite.Classifier("tree.Fit, gaps", tree.Fit, with(tree.Options{}, func(o *tree.Options) { o.Gaps = true })).
		ScaleFree().
		WeightRatios().
		Except("bad training data", "NaN is a gap").
		Except("bad data to predict", "NaN is a gap"),
	suite.Regressor("tree.FitRegression, gaps", tree.FitRegression, with(tree.Options{}, func(o *tree.Options) { o.Gaps = true })).
		ScaleFree().
		WeightRatios().
		Except("bad training data", "NaN is a gap").
		Except("bad data to predict", "NaN is a gap"),
	suite.Regressor("tree.FitRegression", tree.FitRegression, tree.Options{}).ScaleFree().WeightRatios(),
	suite.Classifier("ensemble.Fit", ensemble.Fit, ensemble.Options{Trees: 10}).
		Except("zero options", "100 trees, where these are 10").
		Except("order of rows", drawn).
		Except("weights are copies", drawn),
	suite.Classifier("ensemble.Fit, two classes", ensemble.Fit, ensemble.Options{Trees: 10, Balanced: true}).Binary().
		Except("order of rows", drawn).
		Except("weights are copies", drawn),
	suite.Classifier("ensemble.Fit, extra", ensemble.Fit, ensemble.Options{Trees: 10, Extra: true}),
	suite.Classifier("ensemble.Fit, all rows and features", ensemble.Fit,
		ensemble.Options{Trees: 2, MaxFeatures: tree.All, Draw: estimator.None}).ScaleFree().WeightRatios(),
	suite.Classifier("ensemble.Fit, gaps", ensemble.Fit, ensemble.Options{Trees: 10, Gaps: true}).
		Except("order of rows", drawn).
		Except("weights are copies", drawn).
		Except("bad training data", "NaN is a gap").
		Except("bad data to predict", "NaN is a gap"),
	suite.Regressor("ensemble.FitRegression", ensemble.FitRegression, ensemble.Options{Trees: 10}).
		Except("zero options", "100 trees, where these are 10").
		Except("order of rows", drawn).
		Except("weights are copies", drawn),
	suite.Unsupervised("ensemble.FitIsolation", ensemble.FitIsolation, ensemble.IsolationOptions{}).
		ScaleFree().
		WeightRatios().
		Except("weights are copies", drawn),
	suite.Unsupervised("ensemble.FitIsolation, few rows", ensemble.FitIsolation, ensemble.IsolationOptions{Trees: 20, Draw: 16, Nu: 0.2}).
		WeightRatios().
		Except("order of rows", drawn).
		Except("weights are copies", drawn),
	suite.Classifier("boost.Fit", boost.Fit, boost.Options{}).ScaleFree().WeightRatios(),
	suite.Classifier("boost.Fit, two classes", boost.Fit, boost.Options{}).Binary().ScaleFree().WeightRatios(),
	suite.Classifier("boost.Fit, balanced", boost.Fit, with(boost.Options{}, func(o *boost.Options) { o.Balanced = true })).
		ScaleFree().
		WeightRatios(),
	suite.Classifier("boost.Fit, trees", boost.Fit, with(boost.Options{}, func(o *boost.Options) {
		o.Learner, o.Rounds = boost.Trees(with(tree.Options{}, func(o *tree.Options) { o.MaxDepth = 2 })), 20
	})).ScaleFree().WeightRatios(),
	suite.Classifier("boost.Fit, trees with gaps", boost.Fit, with(boost.Options{}, func(o *boost.Options) {
		o.Learner, o.Rounds = boost.Trees(tree.Options{MaxDepth: 2, Gaps: true}), 10
	})).ScaleFree().WeightRatios().Except("bad training data", "NaN is a gap").Except("bad data to predict", "NaN is a gap"),
	suite.Classifier("boost.Fit, two classes and trees", boost.Fit, with(boost.Options{}, func(o *boost.Options) {
		o.Learner, o.Rounds = boost.Trees(with(tree.Options{}, func(o *tree.Options) { o.MaxDepth = 2 })), 20
	})).Binary().ScaleFree().WeightRatios(),
	suite.Classifier("boost.Fit, resampling", boost.Fit, with(boost.Options{}, func(o *boost.Options) {
		o.Resample, o.Rounds = true,
			20
	})).
		Binary().
		ScaleFree().
		WeightRatios().
		Except("order of rows", "rows are drawn by number").
		Except("weights are copies", "rows are drawn by number"),

	suite.Classifier("boost.FitReal", boost.FitReal, boost.RealOptions{}).Binary().WeightRatios().
		Except("weights are copies", binRows),
	suite.Classifier("boost.FitReal, stumps", boost.FitReal, boost.RealOptions{Bins: 2, Smooth: 0.01}).Binary().WeightRatios(),
	suite.Classifier("boost.FitReal, gentle and balanced", boost.FitReal, boost.RealOptions{Gentle: true, Bins: 2, Balanced: true}).
		Binary().
		WeightRatios(),
	suite.Classifier("boost.FitLogit", boost.FitLogit, boost.LogitOptions{}).Binary().WeightRatios().
		Except("weights are copies", binRows),
	suite.Classifier("boost.FitLogit, stumps and clipped", boost.FitLogit, boost.LogitOptions{Bins: 2, Clip: 4}).Binary().WeightRatios(),
	suite.Classifier("boost.FitLogit, linear", boost.FitLogit, boost.LogitOptions{Linear: true}).Binary().WeightRatios(),
	suite.Classifier("boost.FitGradient", boost.FitGradient, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Rounds, o.MinLeaf = 10, 1 })).
		Except("zero options", fewRounds),
	suite.Classifier("boost.FitGradient, two classes", boost.FitGradient, boost.GradientOptions{}).Binary().
		Except("weights are copies", leafRows),
	suite.Classifier("boost.FitGradient, exponential and balanced", boost.FitGradient, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) {
			o.Loss, o.Depth, o.Lambda, o.Balanced, o.Rounds = boost.ExponentialLoss(), 2, estimator.None, true, 20
		})).Binary().Except("weights are copies", leafRows),
	suite.Classifier("boost.FitGradient, drawn and held out", boost.FitGradient, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Rows, o.Columns, o.Held, o.Rounds = 0.7, 0.7, 0.2, 20 })).
		Except("order of rows", drawn).
		Except("weights are copies", drawn),
	suite.Classifier("boost.FitGradient, gaps", boost.FitGradient, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Gaps, o.Rounds, o.MinLeaf = true, 10, 1 })).
		Except("bad training data", "NaN is a gap").
		Except("bad data to predict", "NaN is a gap"),
	suite.Regressor("boost.FitGradientRegression", boost.FitGradientRegression, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Rounds, o.MinLeaf, o.Rate = 10, 1, 0.4 })).
		Except("zero options", fewRounds),
	suite.Regressor("boost.FitGradientRegression, quantile", boost.FitGradientRegression, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Loss, o.Rounds, o.MinLeaf = boost.QuantileLoss(0.4), 20, 1 })),
	suite.Regressor("boost.FitGradientRegression, Huber", boost.FitGradientRegression, with(boost.GradientOptions{},
		func(o *boost.GradientOptions) { o.Loss, o.Rounds, o.Rate = boost.HuberLoss(1), 10, 0.4 })).
		Except("weights are copies", leafRows),

	suite.Classifier("density.FitKNN", density.FitKNN, density.KNNOptions{}),
	suite.Classifier("density.FitKNN, two classes", density.FitKNN, density.KNNOptions{K: 5}).Binary(),
	suite.Classifier("density.FitKNN, angles and similarity", density.FitKNN, density.KNNOptions{K: 7, Angle: true, Sigma: 0.2}).
		Except("one column", "on a line there are two directions"),
	suite.Classifier("density.FitKNN, balls", density.FitKNN, density.KNNOptions{Search: density.BallTree}),
	suite.Classifier("density.FitPNN", density.FitPNN, density.PNNOptions{}).ScaleFree(),
	suite.Unsupervised("density.FitParzen", density.FitParzen, density.ParzenOptions{}),
	suite.Unsupervised(
		"density.FitParzen, triangles",
		density.FitParzen,
		density.ParzenOptions{Window: density.Triangle, Rule: density.Silverman, Whitens: true},
	),
	suite.Unsupervised("density.FitKNNDensity", density.FitKNNDensity, density.KNNDensityOptions{}).
		Except("degenerate data", "where K rows are one point the estimate is infinite"),

	suite.Unsupervised("mixture.FitKMeans", mixture.FitKMeans, mixture.KMeansOptions{K: 3}).Except("order of rows", starts).WeightRatios(),
	suite.Unsupervised("mixture.FitKMeans, given start", kmeansFromCorners, mixture.KMeansOptions{K: 3}).ScaleFree().WeightRatios(),
	suite.Unsupervised("mixture.FitKMeans, Lloyd", kmeansFromCorners, with(mixture.KMeansOptions{K: 3},
		func(o *mixture.KMeansOptions) { o.Algorithm = mixture.Lloyd })).
		ScaleFree().
		WeightRatios(),
	suite.Unsupervised("mixture.FitGMM", mixture.FitGMM, mixture.GMMOptions{K: 3}).Except("order of rows", starts).WeightRatios(),
	suite.Unsupervised("mixture.FitGMM, full", gmmFromCorners, with(mixture.GMMOptions{K: 3}, func(o *mixture.GMMOptions) {
		o.Covariance,
			o.Tol = mixture.Full, 1e-14
	})).
		Tolerance(1e-5).
		WeightRatios(),
	suite.Unsupervised("mixture.FitGMM, tied", gmmFromCorners, with(mixture.GMMOptions{K: 3}, func(o *mixture.GMMOptions) {
		o.Covariance,
			o.Tol = mixture.Tied, 1e-14
	})).
		Tolerance(1e-5).
		WeightRatios(),
	suite.Unsupervised("mixture.FitGMM, diagonal", gmmFromCorners, with(mixture.GMMOptions{K: 3}, func(o *mixture.GMMOptions) {
		o.Covariance,
			o.Tol = mixture.Diagonal, 1e-14
	})).
		Tolerance(1e-5).
		WeightRatios(),
	suite.Unsupervised("mixture.FitGMM, spherical", gmmFromCorners, with(mixture.GMMOptions{K: 3}, func(o *mixture.GMMOptions) {
		o.Covariance,
			o.Tol = mixture.Spherical, 1e-14
	})).
		Tolerance(1e-5).
		WeightRatios(),

	suite.Unsupervised("cluster.FitDBSCAN", cluster.FitDBSCAN, cluster.DBSCANOptions{}),

	suite.Symbols("markov.CountChain", countChain, markov.CountOptions{}).Except("bad options", names).Except("cancelled before", counted),
	suite.Symbols("markov.CountHMM", countHMM, markov.CountOptions{}).Except("cancelled before", counted),
	suite.Symbols("markov.FitHMM", fitHMM, markov.FitOptions{}),
	suite.Symbols("markov.BaumWelch", baumWelch, markov.BaumWelchOptions{}),
	suite.LabelledSymbols("markov.FitClassifier", fitSequences, markov.CountOptions{}).
		Except("bad options", names).
		Except("cancelled before", counted),
	suite.Series("markov.BaumWelchGaussian", baumWelchGaussian, markov.BaumWelchOptions{}),
	suite.Series("markov.FitGaussian", fitGaussian, markov.GaussianOptions{}),
	suite.Series("markov.FitGaussian, mixtures", fitGaussian, with(markov.GaussianOptions{}, func(o *markov.GaussianOptions) {
		o.Covariance, o.Components, o.Restarts, o.Tol, o.MaxIter = mixture.Diagonal, 2, 1, 1e-12, 2000
	})).Tolerance(1e-6).Except("order of rows", starts),
	suite.Series("markov.FitGaussian, left-right", fitGaussian, with(markov.GaussianOptions{}, func(o *markov.GaussianOptions) {
		o.Covariance, o.LeftRight, o.Restarts = mixture.Tied, 1, 1
	})),
}

// Reasons of exceptions that several lines share.
const (
	fewRounds = "100 rounds of leaves of 5 rows, where these are fewer"
	leafRows  = "a leaf has at least 5 rows, whatever their weight"
	binRows   = "bins hold about equally many rows, whatever their weight"
	counted   = "one pass over the data takes no context"
	names     = "names of symbols are for CountHMM"
	folds     = "the folds of the cross-validation are drawn by row number"
	oneAxis   = "a latent variable leaves no column for the noise"
	oneWord   = "the only word of a bag has the share one in all bags"
	noWord    = "a row that has no words ties where the classes are equally large, and the first class wins"
	oneBit    = "whether a feature is present says less than how large it is"
	unseen    = "the matrix holds values that the fit has not seen"
	starts    = "starts are drawn by row number, and clusters have no names"

	unstored = "a map holds its points, which a table stores"
)

const gathered = "statistics of rows, of which the fits in the table make their models; its own tests compare the two"

const ofNumbers = "the law of a list of numbers, not of the rows of a matrix; its own tests hold it"

// notInTheTable gives the reason for each exported fit or model that no line of the table covers.
var notInTheTable = map[string]string{
	"selection.Threshold": "made of a plan, whose model it holds; threshold_test.go fits, stores and compares it",

	"boost.GrowthPart": gathered,

	"bayes.Law": "a joint law that is known, not fitted; the classifiers are built on it",

	"estimate.FitBernoulli":   ofNumbers,
	"estimate.FitCauchy":      ofNumbers,
	"estimate.FitExponential": ofNumbers,
	"estimate.FitLaplace":     ofNumbers,
	"estimate.FitNormal":      ofNumbers,
	"estimate.FitPoisson":     ofNumbers,
	"estimate.FitUniform":     ofNumbers,

	"sufficient.Classes":     gathered,
	"sufficient.Counts":      gathered,
	"sufficient.EMRound":     gathered,
	"sufficient.KMeansRound": gathered,
	"sufficient.Moments":     gathered,
	"sufficient.Regression":  gathered,
	"sufficient.Transitions": gathered,

	"structured.FitTagger": "of sentences of words, which the suite does not draw; its own tests store, damage and cancel it",
	"structured.Tagger":    "of sentences of words, which the suite does not draw; its own tests store, damage and cancel it",

	"tree.FitStump": "the weak classifier inside boost.Fit, which checks for it",
	"tree.Stump":    "four numbers without batch methods; boost.Model asks it row by row",
}

// with returns default options with some changed.
func with[O any](o O, change func(*O)) O {
	change(&o)
	return o
}

// The functions below bring fits of other shapes into that of the table.

// fitMDS maps rows by their distances, which it computes one row after another, so that it ends soon after its context.
func fitMDS(ctx context.Context, X mat.Matrix, o reduce.MDSOptions) (*reduce.MDS, error) {
	const name = "reduce.FitMDS"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := estimator.CheckMemory(name, "the distances", n, n, "take fewer rows"); err != nil {
		return nil, err
	}
	x, D := mat.DenseCopyOf(X), mat.NewSymDense(n, nil)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for j := range i {
			D.SetSym(i, j, floats.Distance(x.RawRowView(i), x.RawRowView(j), 2))
		}
	}
	m, err := reduce.FitMDS(ctx, D, o)
	if err == nil {
		m.Rows = mat.DenseCopyOf(X)
	}
	return m, err
}

func placesOfMDS(m *reduce.MDS) *mat.Dense { return m.Y }

func fitNominal(_ context.Context, sequences [][]int, y []int, alpha float64) (*bayes.Nominal, error) {
	return bayes.FitNominal(sequences, y, alpha)
}

func fitSequences(_ context.Context, sequences [][]int, y []int, o markov.CountOptions) (*markov.Classifier, error) {
	return markov.FitClassifier(sequences, y, 3, o)
}

func countChain(_ context.Context, sequences [][]int, o markov.CountOptions) (*markov.Chain, error) {
	return markov.CountChain(sequences, 3, o)
}

// countHMM takes half the symbol as the state.
func countHMM(_ context.Context, sequences [][]int, o markov.CountOptions) (*markov.HMM, error) {
	var states [][]int
	for _, seq := range sequences {
		var path []int
		for _, v := range seq {
			path = append(path, v/2)
		}
		states = append(states, path)
	}
	return markov.CountHMM(states, sequences, 2, 3, o)
}

func fitHMM(ctx context.Context, sequences [][]int, o markov.FitOptions) (*markov.HMM, error) {
	return learned(markov.FitHMM(ctx, sequences, 2, 3, o))
}

func baumWelch(ctx context.Context, sequences [][]int, o markov.BaumWelchOptions) (*markov.HMM, error) {
	start, err := markov.NewHMM(
		markov.Parameters{
			Start:       []float64{0.6, 0.4},
			Transitions: [][]float64{{0.8, 0.2}, {0.3, 0.7}},
			Emissions:   [][]float64{{0.5, 0.3, 0.2}, {0.1, 0.3, 0.6}},
		},
	)
	if err != nil {
		return nil, err
	}
	return learned(markov.BaumWelch(ctx, start, sequences, o))
}

func baumWelchGaussian(ctx context.Context, sequences []mat.Matrix, o markov.BaumWelchOptions) (*markov.GaussianHMM, error) {
	unit := [][]float64{{1, 0}, {0, 1}}
	start, err := markov.NewGaussianHMM(
		markov.GaussianParameters{
			Start:       []float64{0.5, 0.5},
			Transitions: [][]float64{{0.8, 0.2}, {0.2, 0.8}},
			Means:       [][]float64{{0, 0}, {5, 2}},
			Covariances: [][][]float64{unit, unit},
		},
	)
	if err != nil {
		return nil, err
	}
	return learned(markov.BaumWelchGaussian(ctx, start, sequences, o))
}

func fitGaussian(ctx context.Context, sequences []mat.Matrix, o markov.GaussianOptions) (*markov.GaussianHMM, error) {
	return learned(markov.FitGaussian(ctx, sequences, 2, o))
}

func learned[M any](l *markov.Learned[M], err error) (M, error) {
	if err != nil {
		var none M
		return none, err
	}
	return l.Model, nil
}

func fitFeatures(_ context.Context, X mat.Matrix, k kernel.Poly) (kernel.FeatureMap, error) {
	if err := estimator.CheckX("kernel.Features", X); err != nil {
		return kernel.FeatureMap{}, err
	}
	_, d := X.Dims()
	return kernel.Features(k, d)
}

// corners returns k corners of the box around the rows of positive weight, a start that does not depend on the order of the rows.
func corners(X mat.Matrix, weights []float64, k int) (centres [][]float64, spread float64) {
	if estimator.CheckX("", X) != nil {
		return nil, 0
	}
	n, d := X.Dims()
	if estimator.CheckWeights("", weights, n) != nil {
		return nil, 0
	}
	lo, hi, row := make([]float64, d), make([]float64, d), make([]float64, d)
	for j := range d {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
	}
	for i := range n {
		if weights != nil && weights[i] == 0 {
			continue
		}
		for j, v := range mat.Row(row, i, X) {
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	for j := range d {
		spread = max(spread, (hi[j]-lo[j])*(hi[j]-lo[j])/20)
	}
	for c := range k {
		centre := slices.Clone(lo)
		centre[c%d] = hi[c%d]
		centres = append(centres, centre)
	}
	return centres, spread
}

// fitPath returns the last machine of a path to the price of the options.
func fitPath(ctx context.Context, X mat.Matrix, y []int, o svm.Options) (*svm.Model, error) {
	price := cmp.Or(o.C, 1)
	models, err := svm.FitPath(ctx, X, y, []float64{price / 10, price / 3, price}, o)
	if err != nil {
		return nil, err
	}
	return models[len(models)-1], nil
}

func kmeansFromCorners(ctx context.Context, X mat.Matrix, o mixture.KMeansOptions) (*mixture.KMeans, error) {
	o.Centres, _ = corners(X, o.Weights, o.K)
	return mixture.FitKMeans(ctx, X, o)
}

func gmmFromCorners(ctx context.Context, X mat.Matrix, o mixture.GMMOptions) (*mixture.GMM, error) {
	p := mixture.GMMParameters{Kind: o.Covariance}
	var spread float64
	p.Means, spread = corners(X, o.Weights, o.K)
	for _, mean := range p.Means {
		cov := make([][]float64, len(mean))
		for j := range cov {
			cov[j] = make([]float64, len(mean))
			cov[j][j] = spread
		}
		p.Weights, p.Covariances = append(p.Weights, 1/float64(o.K)), append(p.Covariances, cov)
	}
	if start, err := mixture.NewGMM(p); err == nil {
		o.Start = start
	}
	return mixture.FitGMM(ctx, X, o)
}

// width gives a set of irises a target.
func width(two datasets.Set) datasets.Set { return two.WithTarget("width", two.Column("petal width")) }

// plane is what the targets of the contract are not.
const plane = "a plane leaves some 30 % of the variance of these targets, which are a step"

// together puts all columns into one group.
func together(X mat.Matrix) []int {
	if estimator.CheckSize("", X) != nil {
		return nil
	}
	_, d := X.Dims()
	return make([]int, d)
}
