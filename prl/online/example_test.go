package online_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/online"
)

func ExampleWeightedMajority() {
	votes := [][]int{{1, 1, -1}, {-1, 1, -1}}
	m, err := online.WeightedMajority(votes, []int{-1, -1}, 0.5)
	fmt.Println(m.Predictions, m.Mistakes, m.Weights(2), err)
	// Output: [1 -1] 1 [0.5 0.25 1] <nil>
}

func ExamplePlay() {
	losses := mat.NewDense(4, 3, []float64{
		1, 1, 0,
		0, 1, 0,
		1, 0, 0,
		0, 1, 1,
	})
	run, err := online.Play(online.NewHedge(3, 0.5), losses)
	expert, loss := run.Best()
	fmt.Printf("%.6f, expert %d pays %g, regret at most %.6f %v\n", run.Total(), expert, loss, online.HedgeBound(4, 3, 0.5), err)
	// Output: 2.035990, expert 2 pays 1, regret at most 2.447225 <nil>
}

func ExamplePull() {
	pulls, err := online.Pull(online.NewUCB(2), online.Coins(0.2, 0.8), 1000, 1)
	counts := pulls.Counts(2)
	fmt.Println(counts[1] > 900, pulls.Regret() < 100, err)
	// Output: true true <nil>
}

func ExampleWorstMistakes() {
	for best := range 4 {
		worst, _ := online.WorstMistakes(5, best, 0.5)
		fmt.Printf("%d of at most %.2f\n", worst, online.MistakeBound(5, best, 0.5))
	}
	// Output:
	// 3 of at most 5.59
	// 6 of at most 8.00
	// 8 of at most 10.41
	// 10 of at most 12.82
}
