//go:build !purego

package tile

func thinProduct(sums *[Thin]float64, at []int32, values, table []float64) {
	if !fast {
		plainThin(sums, at, values, table)
		return
	}
	thin16(len(at), &at[0], &values[0], &table[0], sums)
}

// thin16 is plainThin for n > 0.
//
//go:noescape
func thin16(n int, at *int32, values, table *float64, sums *[Thin]float64)
