package bayes_test

import (
	"context"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
)

// TestConstantUpToRounding refuses a column of equal numbers, also where their mean is not one of them by rounding.
func TestConstantUpToRounding(t *testing.T) {
	y := []int{0, 0, 0, 1, 1, 1}
	for _, v := range []float64{0.1, 0.3, 1} {
		x := mat.NewDense(6, 2, []float64{1, v, 2, v, 3, v, 4, v, 5, v, 7, v})
		for name, fit := range map[string]func(context.Context, mat.Matrix, []int, bayes.Options) (*bayes.Classifier, error){
			"LDA": bayes.FitLDA, "QDA": bayes.FitQDA, "GaussianNB": bayes.FitGaussianNB,
		} {
			if _, err := fit(context.Background(), x, y, bayes.Options{}); err == nil || !strings.Contains(err.Error(), "variance 0 in column 1") {
				t.Errorf("%s with a column of %v: %v", name, v, err)
			}
		}
	}
}
