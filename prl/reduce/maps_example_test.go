package reduce_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/reduce"
)

func ExampleFitMDS() {
	roads := datasets.Roads()
	o := reduce.MDSOptions{}
	o.Scaling = reduce.Classical
	m, err := reduce.FitMDS(context.Background(), roads.X, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Negative(), "negative eigenvalues: roads are no straight lines")
	fmt.Printf("%s lies %.0f km east and %.0f km south of the middle\n", roads.RowNames[0], math.Abs(m.Y.At(0, 0)), math.Abs(m.Y.At(0, 1)))
	// Output:
	// 9 negative eigenvalues: roads are no straight lines
	// Athens lies 2290 km east and 1799 km south of the middle
}

func ExampleFitIsomap() {
	roll := datasets.SwissRoll(800, 0, 1)
	m, err := reduce.FitIsomap(context.Background(), roll.X, reduce.IsomapOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the plane leaves %.1f %% of the distances along the sheet unsaid\n", 100*m.ResidualVariance())
	// Output:
	// the plane leaves 0.1 % of the distances along the sheet unsaid
}

func ExampleFitLLE() {
	line := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	m, err := reduce.FitLLE(context.Background(), line, reduce.LLEOptions{Components: 1, Neighbours: 2, Regularise: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("inside %.3f, at the end %.3f\n", m.Weights[2], m.Weights[0])
	// Output:
	// inside [0.500 0.500], at the end [2.000 -1.000]
}

func ExampleProcrustes() {
	square := mat.NewDense(4, 2, []float64{0, 0, 2, 0, 2, 2, 0, 2})
	turned := mat.NewDense(4, 2, []float64{5, 5, 5, 6, 4, 6, 4, 5})
	a, err := reduce.Procrustes(square, turned, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f times as large, loss %.3f\n", a.Scale, a.Loss)
	// Output:
	// 2.000 times as large, loss 0.000
}

func ExampleIsotonic() {
	z, err := reduce.Isotonic([]float64{1, 3, 2, 4}, nil)
	fmt.Println(z, err)
	// Output: [1 2.5 2.5 4] <nil>
}
