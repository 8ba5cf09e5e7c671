package selection_test

import (
	"fmt"
	"regexp"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/selection"
)

// Ten folds, dealt three times, give thirty scores. Three flowers are taken for another species by the model that was not fitted to them.
func ExampleCrossValidation_Repeats() {
	iris := datasets.Iris()
	v := selection.PlanCrossValidation(bayes.PlanLDA().Fit(iris), 10).Repeats(3)
	fmt.Printf("%d scores, mean %.2f\n", len(v.Model().Scores), v.Mean().Estimate)
	for i, class := range v.Predicted() {
		if class != iris.Y[i] {
			fmt.Printf("row %d: %s, taken for %s\n", i, iris.ClassNames[iris.Y[i]], iris.ClassNames[class])
		}
	}
	// Output:
	// 30 scores, mean 0.98
	// row 70: versicolor, taken for virginica
	// row 83: versicolor, taken for virginica
	// row 133: virginica, taken for versicolor
}

// Naive Bayes is too sure of itself, logistic regression is not; the legend of the figure has the mean distance of both from the diagonal.
func ExampleCrossValidation_Calibration() {
	tumours := datasets.BreastCancer().Standardize()
	for _, p := range []plan.Trainable{bayes.PlanGaussianNB().Fit(tumours), logistic.PlanLogistic().L2(1).Fit(tumours)} {
		svg, err := selection.PlanCrossValidation(p, 5).Calibration().SVG()
		fmt.Printf("%s %v %v\n", regexp.MustCompile(`\w+, error 0\.\d\d`).Find(svg), p, err)
	}
	// Output:
	// benign, error 0.06 GaussianNB().Fit(breast cancer) <nil>
	// benign, error 0.01 Logistic().L2(1).Fit(breast cancer) <nil>
}
