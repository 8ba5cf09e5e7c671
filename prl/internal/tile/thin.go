package tile

import "github.com/prlab/prlab/prl/internal/fused"

// Thin is the number of columns that ThinProduct works on.
const Thin = 16

// ThinProduct sets sums to the products of a row without its zeros, values in the places at, which increase, with the columns of a table of
// 16 numbers a row. Each is one chain of fused multiply-add in the order of the places.
func ThinProduct(sums *[Thin]float64, at []int32, values, table []float64) {
	if n := len(at); n > 0 {
		_, _ = values[n-1], table[int(at[n-1])*Thin+Thin-1]
		thinProduct(sums, at, values, table)
		return
	}
	clear(sums[:])
}

// plainThin is ThinProduct without assembly.
func plainThin(sums *[Thin]float64, at []int32, values, table []float64) {
	values = values[:len(at)]
	for c := 0; c < Thin; c += 8 {
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		for p, j := range at {
			v, row := values[p], (*[8]float64)(table[int(j)*Thin+c:])
			s0, s1, s2, s3 = fused.FMA(v, row[0], s0), fused.FMA(v, row[1], s1), fused.FMA(v, row[2], s2), fused.FMA(v, row[3], s3)
			s4, s5, s6, s7 = fused.FMA(v, row[4], s4), fused.FMA(v, row[5], s5), fused.FMA(v, row[6], s6), fused.FMA(v, row[7], s7)
		}
		*(*[8]float64)(sums[c:]) = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}
