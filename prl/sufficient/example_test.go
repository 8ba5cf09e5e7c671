package sufficient_test

import (
	"context"
	"fmt"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/sufficient"
)

// Two machines see half of the iris each; what they send home are the moments of the classes, and the model is that of all rows.
func Example() {
	iris := datasets.Iris()
	half := func(from, to int) []byte {
		var c sufficient.Classes
		if err := c.Add(iris.X.Slice(from, to, 0, 4), iris.Y[from:to], nil); err != nil {
			panic(err)
		}
		data, err := c.MarshalBinary()
		if err != nil {
			panic(err)
		}
		return data
	}
	var all sufficient.Classes
	for _, data := range [][]byte{half(0, 80), half(80, 150)} {
		var part sufficient.Classes
		if err := part.UnmarshalBinary(data); err != nil {
			panic(err)
		}
		if err := all.Merge(&part); err != nil {
			panic(err)
		}
	}
	parts, err := all.LDA(bayes.Options{})
	if err != nil {
		panic(err)
	}
	whole, err := bayes.FitLDA(context.Background(), iris.X, iris.Y, bayes.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(parts)
	fmt.Printf("%.6f\n%.6f\n", parts.Pooled().At(0, 2), whole.Pooled().At(0, 2))
	// Output:
	// LDA with 3 classes in 4 dimensions
	// 0.167514
	// 0.167514
}
