package boost_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/tree"
)

var (
	x = mat.NewDense(10, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	y = []int{1, 1, 1, 0, 0, 0, 1, 1, 1, 0}
)

func ExampleFit() {
	opts := boost.Options{}
	opts.Rounds = 3
	m, err := boost.Fit(context.Background(), x, y, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range m.Rounds() {
		fmt.Printf("%v; eps %.6f, alpha %.6f, Z %.6f\n", r.Hypothesis, r.Error, r.Alpha, r.Z)
	}
	errors, _ := m.Staged(x, y, nil)
	fmt.Println("training error", errors[1:])
	// Output:
	// x[0] <= 2.5: class 1, else class 0; eps 0.300000, alpha 0.423649, Z 0.916515
	// x[0] <= 8.5: class 1, else class 0; eps 0.214286, alpha 0.649641, Z 0.820652
	// x[0] <= 5.5: class 0, else class 1; eps 0.181818, alpha 0.752039, Z 0.771389
	// training error [0.30000000000000004 0.30000000000000004 0]
}

func ExampleTrees() {
	depth2 := tree.Options{}
	depth2.MaxDepth = 2
	xor := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	for _, l := range []boost.Learner{boost.Stumps(), boost.Trees(depth2)} {
		opts := boost.Options{}
		opts.Learner = l
		m, err := boost.Fit(context.Background(), xor, []int{0, 1, 1, 0}, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Reason())
	}
	// Output:
	// round 1: the best of the stumps errs on 0.5 of the weight, no better than chance
	// round 1: the weak classifier makes no error under the weights of its round and decides alone
}

func ExampleWeighted() {
	first := boost.Weighted("first stump", func(ctx context.Context, X *mat.Dense, y []int, w []float64) (boost.Hypothesis, error) {
		s, _, err := tree.FitStump(ctx, X, y, w)
		return s, err
	})
	opts := boost.Options{}
	opts.Learner, opts.TargetError = first, boost.NoError
	m, err := boost.Fit(context.Background(), x, y, opts)
	fmt.Println(m, err)
	// Output:
	// AdaBoost: 3 rounds of first stump, product of Z 0.5802 (the training error is as low as asked) <nil>
}

func ExampleCoordinateDescent() {
	var pool []boost.Hypothesis
	stumps, _ := tree.Stumps(x)
	for _, s := range stumps {
		pool = append(pool, s)
	}
	h, _ := boost.Votes(x, pool)
	path, _, err := boost.CoordinateDescent(context.Background(), h, y, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range path {
		fmt.Printf("%v by %.6f: loss %.6f\n", pool[c.Member], c.Step, c.Loss)
	}
	// Output:
	// x[0] <= 2.5: class 1, else class 0 by 0.423649: loss 0.916515
	// x[0] <= 8.5: class 1, else class 0 by 0.649641: loss 0.752140
	// x[0] <= 5.5: class 0, else class 1 by 0.752039: loss 0.580193
}

func ExampleFit_manyClasses() {
	iris := datasets.Iris()
	m, err := boost.Fit(context.Background(), iris.X, iris.Y, boost.Options{Rounds: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range m.Rounds() {
		fmt.Printf("%v; eps %.4f, alpha %.4f\n", r.Hypothesis, r.Error, r.Alpha)
	}
	errors, _ := m.Staged(iris.X, iris.Y, nil)
	fmt.Printf("training error %.4f\n", errors[1:])
	// Output:
	// x[2] <= 2.45: class 0, else class 1; eps 0.3333, alpha 0.6931
	// x[2] <= 2.45: class 0, else class 2; eps 0.1667, alpha 1.1513
	// x[3] <= 1.75: class 1, else class 2; eps 0.1067, alpha 1.4092
	// x[2] <= 2.45: class 0, else class 1; eps 0.2562, alpha 0.8794
	// training error [0.3333 0.3333 0.0400 0.0400]
}

func ExamplePlanAdaBoost() {
	set := datasets.New("ten points", x, y, "-", "+")
	plan := boost.PlanAdaBoost().Rounds(3).Fit(set)
	fmt.Println(plan)
	fmt.Println(plan.Model())
	// Output:
	// AdaBoost().Rounds(3).Fit(ten points)
	// AdaBoost: 3 rounds of stumps, product of Z 0.5802 (all rounds done)
}
