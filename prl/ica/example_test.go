package ica_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/ica"
)

func ExampleFit() {
	party := datasets.CocktailParty(2000, 3, 1)
	m, err := ica.Fit(context.Background(), party.Mixtures, ica.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := m.Transform(party.Mixtures)
	match, _ := ica.Match(s, party.Sources)
	fmt.Println(m)
	fmt.Printf("%.2f\n", match.Correlation)
	// Output:
	// 3 independent components of 3 features by symmetric FastICA (log cosh)
	// [1.00 1.00 1.00]
}

func ExampleMatch() {
	found := mat.NewDense(3, 2, []float64{1, -2, 4, 2, 7, -3})
	truth := mat.NewDense(3, 2, []float64{4, 1, -4, 2, 6, 3})
	m, _ := ica.Match(found, truth)
	fmt.Println(m.Order, m.Correlation)
	fmt.Printf("%.3f\n", m.Scale)
	// Output:
	// [1 0] [1 1]
	// [-2.000 0.333]
}

func ExampleAmari() {
	A := mat.NewDense(2, 2, []float64{0, 3, -1, 0})
	W := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	fmt.Println(ica.Amari(W, A))
	// Output: 0 <nil>
}

func ExampleKurtosis() {
	fmt.Println(ica.Kurtosis([]float64{-1, 1}), ica.Kurtosis([]float64{-3, 0, 0, 0, 0, 3}))
	// Output: -2 0
}

func ExamplePlanICA() {
	party := datasets.CocktailParty(2000, 2, 1)
	plan := ica.PlanICA().Cube().Deflation().Fit(party.Set())
	fmt.Println(plan)
	fmt.Println(plan.Model())
	// Output:
	// ICA().Cube().Deflation().Fit(cocktail party)
	// 2 independent components of 2 features by FastICA by deflation (cube)
}
