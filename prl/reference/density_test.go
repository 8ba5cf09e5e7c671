package reference

import (
	"context"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/density"
)

func TestNeighbours(t *testing.T) { run(t, "knn") }

var neighbourCases = runners{
	"knn-digits-loo": func(c *check) {
		digits := datasets.Digits()
		m := must(density.FitKNN(context.Background(), digits.X, digits.Y, density.KNNOptions{K: 1}))
		errors := 0
		for i, class := range must(m.LeaveOneOut()) {
			if class != digits.Y[i] {
				errors++
			}
		}
		c.near("errors", errors)
		// The nearest other row: the second of the two nearest of a model of two neighbours, whose first is the row itself.
		two := must(density.FitKNN(context.Background(), digits.X, digits.Y, density.KNNOptions{K: 2}))
		sum, ambiguous := 0.0, 0
		for i := range digits.N() {
			rows, distances, err := two.Neighbours(digits.X.RawRowView(i)...)
			if err != nil {
				c.Fatal(err)
			}
			if len(rows) > 2 {
				classes := map[int]bool{}
				for _, r := range rows[1:] {
					classes[digits.Y[r]] = true
				}
				if len(classes) > 1 {
					ambiguous++
				}
			}
			sum += distances[1] * distances[1]
		}
		c.near("rows_with_ambiguous_ties", ambiguous)
		c.near("sum_of_nearest_squared_distances", float64(int(sum+0.5))) // whole numbers behind the roots
	},
	"knn-cover-hart": func(c *check) {
		var upper []float64
		for _, r := range []float64{0.05, 0.1, 0.25} {
			upper = append(upper, must(density.CoverHart(r, 2)))
		}
		c.near("upper", upper)
	},
}
