package reference

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

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

func TestParzen(t *testing.T) { run(t, "parzen") }

var parzenCases = runners{
	"kde-wikipedia-6": func(c *check) {
		rows := mat.NewDense(6, 1, []float64{-2.1, -1.3, -0.4, 1.9, 5.1, 6.2})
		m := must(density.FitParzen(context.Background(), rows, density.ParzenOptions{Width: 1.5}))
		at := []float64{-4, -1, 0, 2, 5.5}
		c.near("x", at)
		var heights []float64
		for _, x := range at {
			heights = append(heights, m.Density(x))
		}
		c.near("density", heights)
		// LSCV is the integral of p^2 less twice the mean density of the others at each row.
		others := 0.0
		for i := range 6 {
			var rest []float64
			for j := range 6 {
				if j != i {
					rest = append(rest, rows.At(j, 0))
				}
			}
			left := must(density.FitParzen(context.Background(), mat.NewDense(5, 1, rest), density.ParzenOptions{Width: 1.5}))
			others += left.Density(rows.At(i, 0)) / 6
		}
		c.near("integral_squared", must(m.LSCV())+2*others)
	},
	"kde-lscv-faithful": func(c *check) {
		durations := datasets.Faithful().Features("eruptions")
		fit := func(o density.ParzenOptions) *density.Parzen {
			return must(density.FitParzen(context.Background(), durations.X, o))
		}
		m := fit(density.ParzenOptions{Rule: density.LSCV})
		c.near("h", m.Width())
		c.near("lscv", must(m.LSCV()))
		c.near("lscv_at_0_1", must(fit(density.ParzenOptions{Width: 0.1}).LSCV()))
		c.near("lscv_at_0_3347", must(fit(density.ParzenOptions{Width: 0.3347}).LSCV()))
	},
	"kde-scott-faithful2d": func(c *check) {
		m := must(density.FitParzen(context.Background(), datasets.Faithful().X, density.ParzenOptions{Whitens: true}))
		c.near("factor", m.Width())
		logs := must(m.LogDensities(mat.NewDense(3, 2, []float64{2, 50, 3.5, 70, 4.5, 80})))
		for i, v := range logs {
			logs[i] = math.Exp(v)
		}
		c.near("density", logs)
	},
}
