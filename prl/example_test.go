package prl_test

import (
	"fmt"

	"github.com/prlab/prlab/prl"
)

// A cell states a problem once, looks at it, and proves a claim about it.
func Example() {
	bet := prl.Bayes().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1)

	bet.Policies().Show()
	prl.Check("", "the Bayes error is 0.138749").Near(bet.BayesRisk(), 0.138749, 5e-7)
	prl.Check("", "no threshold does better").AtMost(bet.BayesRisk(), bet.ThresholdRisk(1))
	// Output:
	// rule              risk
	// ──────────────  ──────
	// Bayes rule      0.1387
	// always class 0  0.3
	// always class 1  0.7
	// the Bayes rule changes its action at x = (1.42365)
	// ✓ the Bayes error is 0.138749: 0.138749 against 0.138749, |difference| 4.7×10⁻⁷ ≤ 5×10⁻⁷
	// ✓ no threshold does better: 0.138749 ≤ 0.158655
}

// Five classifiers are compared in a loop of three lines.
func Example_compare() {
	train, test := prl.Wine().Split(0.5, 1)
	train, test = train.Standardize(), test.StandardizeBy(train)
	for _, c := range []prl.Classifier{
		prl.LDA().Fit(train), prl.GaussianNB().Fit(train), prl.KNN(5).Fit(train), prl.SVM().RBF(0.1).Fit(train),
		prl.Tree().Fit(train),
	} {
		fmt.Printf("%.3f  %v\n", c.Accuracy(test), c)
	}
	// Output:
	// 0.978  LDA().Fit(wine (train))
	// 0.944  GaussianNB().Fit(wine (train))
	// 0.955  KNN(5).Fit(wine (train))
	// 0.978  SVM().RBF(0.1).Fit(wine (train))
	// 0.820  Tree().Fit(wine (train))
}
