package prepare_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/logistic"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
)

// Birds whose sex nobody noted are a group of their own, and an island that the fit has not met is none of those it knows.
func ExampleOneHotPlan_Unseen() {
	known := datasets.PalmerPenguins().Select("species", "island", "sex", "flipper length").DropMissing("flipper length").Label("species")
	found := datasets.NewTable("found").
		With("island", []string{"Anvers", "Dream"}).
		With("sex", []string{"female", ""}).
		With("flipper length", []float64{221, 190}).
		Unlabelled()
	fit := plan.PlanPipeline(prepare.PlanImpute().Word("unknown"), prepare.PlanOneHot().Unseen(), prepare.PlanStandardize()).
		Then(logistic.PlanLogistic().L2(1)).
		Fit(known)
	for _, class := range fit.Predict(found) {
		fmt.Println(known.ClassNames[class])
	}
	fmt.Println(prepare.PlanOneHot().Fit(known.Features("island")).Transform(found.Features("island")).Err())
	// Output:
	// Gentoo
	// Adelie
	// Transform: the feature "island" is a word that the data of the fit do not have, but needs to be one of the words [Biscoe Dream Torgersen]; fit to rows that have the word, or let it be 0 in all columns, with .Unseen()
}

// A hundred times "the" hides the one rare word. Sublinear takes 1 + ln 100 = 5.6 in place of 100; Raw leaves the row its length, which is
// otherwise 1.
func ExampleTFIDFPlan_Sublinear() {
	counts := mat.NewDense(2, 2, []float64{100, 1, 1, 0})
	texts := datasets.New("texts", counts, nil).Named("the", "eigenvalue")
	for _, p := range []prepare.TFIDFPlan{
		prepare.PlanTFIDF(), prepare.PlanTFIDF().Raw(), prepare.PlanTFIDF().Sublinear(), prepare.PlanTFIDF().Sublinear().Raw(),
	} {
		fmt.Printf("%.3f %v\n", p.Fit(texts).Transform().X.RawRowView(0), p)
	}
	// Output:
	// [1.000 0.014] TFIDF()
	// [100.000 1.405] TFIDF().Raw()
	// [0.970 0.243] TFIDF().Sublinear()
	// [5.605 1.405] TFIDF().Sublinear().Raw()
}
