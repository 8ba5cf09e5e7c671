package bayes_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
)

func ExampleNewLoss() {
	loss, err := bayes.NewLoss([]float64{0, 1, 5}, []float64{1, 0, 2}, []float64{3, 1, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	action, risk, err := bayes.Decide(loss, []float64{0.5, 0.3, 0.2})
	fmt.Printf("%d %.1f %v\n", action, risk, err)
	// Output: 1 0.9 <nil>
}

func ExamplePosterior() {
	posterior, evidence, err := bayes.Posterior([]float64{0.99, 0.01}, []float64{0.05, 0.9})
	fmt.Printf("%.6f %.4f %v\n", posterior[1], evidence, err)
	// Output: 0.153846 0.0585 <nil>
}

func ExampleNewJoint() {
	table, err := bayes.NewJoint([]float64{.28, .12}, []float64{.06, .24}, []float64{.15, .15})
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, _ := table.Policy(bayes.ZeroOne(2))
	fmt.Printf("%v %.2f\n", policy, table.BayesError())
	// Output: [0 1 0] 0.33
}

func ExampleNewLaw() {
	a, _ := bayes.Normal(0, 1)
	b, _ := bayes.Normal(2, 1)
	m, err := bayes.NewLaw([]float64{0.5, 0.5}, a, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	rule, _ := m.Rule(bayes.ZeroOne(2))
	e, _ := m.BayesError()
	fmt.Printf("%v %.6f\n", rule.Cuts, e)
	// Output: [1] 0.158655
}

func ExampleFitLDA() {
	X := mat.NewDense(6, 2, []float64{-2, -1, -1, -1, -1, -2, 1, 1, 1, 2, 2, 1})
	m, err := bayes.FitLDA(context.Background(), X, []int{0, 0, 0, 1, 1, 1}, bayes.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	y, _ := m.Predict(mat.NewDense(2, 2, []float64{-0.5, -0.5, 3, 0}))
	fmt.Println(m, y)
	// Output: LDA with 2 classes in 2 dimensions [0 1]
}

func ExampleFitQDA() {
	X := mat.NewDense(6, 1, []float64{-1, 0, 1, -9, 1, 11})
	m, err := bayes.FitQDA(context.Background(), X, []int{0, 0, 0, 1, 1, 1}, bayes.Options{})
	fmt.Println(m.Class(0.5), m.Class(-20), m.Class(20), err)
	// Output: 0 1 1 <nil>
}

func ExampleFitNearestMean() {
	m, err := bayes.FitNearestMean(context.Background(), mat.NewDense(4, 1, []float64{0, 2, 9, 11}), []int{0, 0, 1, 1}, bayes.Options{})
	fmt.Println(m.Class(5.4), m.Class(5.6), err)
	// Output: 0 1 <nil>
}

func ExampleFitGaussianNB() {
	X := mat.NewDense(4, 1, []float64{0, 2, 9, 11})
	_, err := bayes.FitGaussianNB(context.Background(), mat.NewDense(4, 1, []float64{1, 1, 2, 3}), []int{0, 0, 1, 1}, bayes.Options{})
	fmt.Println(err)
	m, err := bayes.FitGaussianNB(context.Background(), X, []int{0, 0, 1, 1}, bayes.Options{})
	fmt.Println(m.Class(5), err)
	// Output:
	// bayes.FitGaussianNB: the covariance of class 0 is singular (variance 0 in column 0), but needs to be positive definite; drop the constant column, or set Shrinkage above 0
	// 0 <nil>
}

func ExampleFitNominal() {
	m, err := bayes.FitNominal([][]int{{0}, {0}, {1}, {1}}, []int{0, 0, 1, 0}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ := m.Posterior(1)
	fmt.Printf("%.4f\n", p)
	// Output: [0.6429 0.3571]
}

func ExamplePlanDecision() {
	d := bayes.PlanDecision().Gaussian(0, 1).Gaussian(2, 1).Names("salmon", "bass").Reject(0.2)
	fmt.Printf("%.4f %.4f\n", d.Cuts(), d.BayesRisk())
	d.RiskAt(1).Show()
	fmt.Println(d.Gaussian(1, -1).Err())
	// Output:
	// [0.3069 1.6931] 0.1121
	// Risk at x = (1)
	// action  conditional risk R(a|x)
	// ──────  ───────────────────────
	// salmon                      0.5
	// bass                        0.5
	// reject                      0.2
	// Gaussian: the standard deviation is -1, but needs to be a positive number; the default is 1
}

// In the plane a Bayes risk is estimated from draws. This one is also known: the means lie two standard deviations apart, and half-way
// between them one is left, so the risk is Phi(-1) = 0.158655.
func ExampleDecision_MonteCarlo() {
	d := bayes.PlanDecision().
		GaussianIn([]float64{0, 0}, []float64{1, 0}, []float64{0, 1}).
		GaussianIn([]float64{2, 0}, []float64{1, 0}, []float64{0, 1})
	e := d.MonteCarlo(20000, 1)
	fmt.Printf("%.2f, Phi(-1) in the interval: %v\n", e.Mean, e.Lo < 0.158655 && 0.158655 < e.Hi)
	fmt.Println(d.Action(0.9, 5), d.Action(1.1, -5))
	// Output:
	// 0.16, Phi(-1) in the interval: true
	// 0 1
}

// Two texts about programs and one about cooking; columns: the, art, of, programming, code, cooking.
func ExampleFitMultinomialNB() {
	X := mat.NewDense(3, 6, []float64{
		1, 1, 1, 1, 0, 0,
		1, 0, 1, 1, 1, 0,
		1, 1, 1, 0, 0, 1,
	})
	m, err := bayes.FitMultinomialNB(context.Background(), X, []int{0, 0, 1}, bayes.CountOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Proba(mat.NewDense(1, 6, []float64{1, 1, 1, 1, 0, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", p.At(0, 0))
	// Output: 0.778
}

// The weights join feature 0 to 1, and 1 to 2.
func ExampleChowLiu() {
	w := mat.NewSymDense(3, []float64{0, 0.5, 0.1, 0.5, 0, 0.3, 0.1, 0.3, 0})
	fmt.Println(bayes.ChowLiu(w))
	// Output: [-1 0 1]
}

func ExampleClassifier_LogProba() {
	iris := datasets.Iris().Classes("setosa", "virginica")
	m, err := bayes.FitLDA(context.Background(), iris.X, iris.Y, bayes.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := mat.NewDense(1, 4, []float64{50, 34, 14, 2}) // a setosa in millimetres
	p, _ := m.Proba(x)
	l, _ := m.LogProba(x)
	fmt.Printf("p = %.2g, log p = %.1f\n", p.At(0, 1), l.At(0, 1))
	// Output: p = 2.1e-285, log p = -655.5
}

func ExamplePlan_AutoShrinkage() {
	wine := datasets.Wine()
	few, rest := wine.Split(0.15, 1)
	for _, p := range []bayes.Plan{bayes.PlanQDA().Shrinkage(0.5), bayes.PlanQDA().AutoShrinkage(), bayes.PlanLDA().AutoShrinkage()} {
		fmt.Printf("%v: %.3f\n", p.Fit(few), p.Fit(few).Accuracy(rest))
	}
	// Output:
	// QDA().Shrinkage(0.5).Fit(wine (train)): 0.695
	// QDA().AutoShrinkage().Fit(wine (train)): 0.954
	// LDA().AutoShrinkage().Fit(wine (train)): 0.967
}
