package optim_test

import (
	"context"
	"fmt"

	"github.com/prlab/prlab/prl/optim"
)

func ExampleMinimise() {
	valley := optim.Quadratic([]float64{10, 1}, []float64{4, 2})
	r, err := optim.Minimise(context.Background(), valley, optim.BFGS{}, []float64{0, 0}, optim.Options{})
	fmt.Printf("%.4f after %d moves: %s %v\n", r.X, r.Iterations, r.Reason, err)
	// Output: [4.0000 2.0000] after 7 moves: the gradient is zero <nil>
}

func ExampleSteps() {
	valley := optim.Quadratic([]float64{10, 1}, []float64{4, 2})
	path, err := optim.Walk(context.Background(), valley, optim.Steps{1, 0.1}, []float64{0, 0}, 2)
	for _, x := range path {
		fmt.Printf("f = %.0f ", valley.Value(x))
	}
	fmt.Println(err)
	// Output: f = 82 f = 6480 f = 0 <nil>
}

func ExampleNLMS() {
	w := []float64{1, -1}
	e := optim.NLMS(w, []float64{2, 1}, 4, 1)
	fmt.Printf("%.1f %.1f\n", e, w)
	// Output: 3.0 [2.2 -0.4]
}
