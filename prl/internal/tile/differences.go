package tile

// Subtract writes the m rows of x, each as long as mean, less mean to dst, whose rows are stride apart.
func Subtract(dst []float64, stride int, x, mean []float64, m int) {
	if m > 0 && len(mean) > 0 {
		subtract(m, len(mean), x, mean, dst, stride)
	}
}

// SumDifferences adds the m rows of x less pilot, one after the other, to sum.
func SumDifferences(sum, x, pilot []float64, m int) {
	if m > 0 && len(sum) > 0 {
		sumDifferences(m, len(sum), x, pilot, sum)
	}
}

// SumMoments adds the m rows of x less pilot, times w, to sum, and their squares times w to squares.
func SumMoments(sum, squares, x, pilot []float64, w float64, m int) {
	if m > 0 && len(sum) > 0 {
		sumMoments(m, len(sum), x, pilot, w, sum, squares)
	}
}

func plainSubtract(m, d int, x, mean, dst []float64, stride int) {
	for i := range m {
		to := dst[i*stride:][:d]
		for j, v := range x[i*d : (i+1)*d] {
			to[j] = v - mean[j]
		}
	}
}

func plainSumDifferences(m, d int, x, pilot, sum []float64) {
	for i := range m {
		for j, v := range x[i*d : (i+1)*d] {
			sum[j] += v - pilot[j]
		}
	}
}

func plainSumMoments(m, d int, x, pilot []float64, w float64, sum, squares []float64) {
	for i := range m {
		for j, v := range x[i*d : (i+1)*d] {
			u := v - pilot[j]
			part := float64(w * u)
			sum[j] += part
			squares[j] += float64(part * u)
		}
	}
}
