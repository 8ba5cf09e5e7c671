package tree_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/tree"
)

func ExampleFit() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	xor, err := tree.Fit(context.Background(), x, []int{0, 1, 1, 0}, tree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(xor)
	fmt.Print(xor.Rules("a", "b"))
	// Output:
	// classification tree: 4 leaves, depth 2, gini 0
	// root:
	//   a <= 0.5:
	//     b <= 0.5: class 0 [1 0]
	//     b > 0.5: class 1 [0 1]
	//   a > 0.5:
	//     b <= 0.5: class 1 [0 1]
	//     b > 0.5: class 0 [1 0]
}

func ExampleFitRegression() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6})
	t, err := tree.FitRegression(
		context.Background(),
		x,
		[]float64{1, 1, 1, 5, 5, 6},
		tree.Options{MaxDepth: 1, MinLeaf: 1, MinSplit: 2, MaxFeatures: tree.All},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t.Rules("x"))
	// Output:
	// root:
	//   x <= 3.5: 1 (3 rows)
	//   x > 3.5: 5.33333 (3 rows)
}

func ExampleFitStump() {
	x := mat.NewDense(10, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	s, e, err := tree.FitStump(context.Background(), x, []int{1, 1, 1, 0, 0, 0, 1, 1, 1, 0}, nil)
	fmt.Println(s, e, err)
	// Output:
	// x[0] <= 2.5: class 1, else class 0 0.3 <nil>
}

func ExampleNewStumpFinder() {
	f, err := tree.NewStumpFinder(context.Background(), mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{0, 1, 0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range [][]float64{{1, 1, 1, 1}, {1, 5, 1, 1}, {1, 1, 5, 1}} {
		s, e, _ := f.Best(w)
		fmt.Printf("%v; error %.3f\n", s, e)
	}
	// Output:
	// x[0] <= 1.5: class 0, else class 1; error 0.250
	// x[0] <= 1.5: class 0, else class 1; error 0.125
	// x[0] <= 3.5: class 0, else class 1; error 0.125
}

func ExampleStumps() {
	pool, _ := tree.Stumps(mat.NewDense(3, 1, []float64{1, 2, 4}))
	for _, s := range pool {
		fmt.Println(s)
	}
	// Output:
	// x[0] <= 1.5: class 1, else class 0
	// x[0] <= 1.5: class 0, else class 1
	// x[0] <= 3: class 1, else class 0
	// x[0] <= 3: class 0, else class 1
	// always class 1
	// always class 0
}

func ExampleCriterion_Gain() {
	table := [][]float64{{8, 2}, {2, 8}} // class counts of the two children
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Error} {
		g, _ := c.Gain(table)
		fmt.Printf("%v %.6f\n", c, g)
	}
	// Output:
	// gini 0.180000
	// entropy 0.278072
	// error 0.300000
}

func ExamplePlanTree() {
	plan := tree.PlanTree().Entropy().Depth(2).Fit(datasets.Iris())
	fmt.Println(plan)
	fmt.Println(plan.Model())
	// Output:
	// Tree().Entropy().Depth(2).Fit(iris)
	// classification tree: 3 leaves, depth 2, entropy 0.2066
}

func ExamplePlanRegressionTree() {
	faithful := datasets.Faithful()
	set := faithful.Features(faithful.FeatureNames[0]).WithTarget("waiting", faithful.Column(faithful.FeatureNames[1]))
	fmt.Println(tree.PlanRegressionTree().Depth(1).Fit(set).Model())
	// Output:
	// regression tree: 2 leaves, depth 1, mean squared error 35.02
}
