package prl_test

import (
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
)

// A test set that cannot be compared with the fit is reported in the name of the end, with what it got and needs.
func TestTestSets(t *testing.T) {
	iris := prl.Iris().Features("petal length", "petal width")
	lda := prl.LDA().Fit(iris)
	const remedy = "; choose the classes before the set is split, or the same ones in the same order with .Classes"
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			lda.Confusion(iris.Classes("versicolor", "virginica")).Err(),
			"Confusion: class 0 of the data set iris is versicolor, but needs to be setosa, as in the data of the fit" + remedy,
		},
		{
			lda.ROC(iris.Classes("setosa", "virginica")).Err(),
			"ROC: class 1 of the data set iris is virginica, but needs to be versicolor, as in the data of the fit" + remedy,
		},
		{
			prl.LDA().Fit(iris.Classes("setosa", "versicolor")).Confusion(iris.Classes("virginica")).Err(),
			"Confusion: class 0 of the data set iris is virginica, but needs to be setosa, as in the data of the fit" + remedy,
		},
		{
			lda.ROC(iris.Classes("setosa", "versicolor")).Err(),
			"ROC: the data set iris is without rows of class virginica, but needs to be a set with rows of each class of the fit; " +
				"draw the rows to test on by .Split, which keeps the shares of the classes",
		},
		{
			prl.PCA(1).Fit(iris).Transform(iris, iris).Err(),
			"Transform: the number of sets is 2, but needs to be 0 or 1; without a set the data of the fit are used",
		},
		{lda.Confusion(datasets.New("plain", iris.X, iris.Y)).Err(), ""},
		{lda.Confusion(iris.Classes("setosa", "versicolor")).Err(), ""},
		{prl.LDA().Fit(iris.Classes("setosa", "versicolor")).Confusion(iris).Err(), ""},
	} {
		if got := text(c.err); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
