package gauss

// A Ridge is what a regularisation adds to the variance of each column: a share of the variance that the column has over all rows, so that
// the unit of the data does not matter.
type Ridge struct {
	Share float64
	Add   []float64 // one number a column
}

// NewRidge returns the ridge of columns of these means and variances. A column that is constant up to rounding takes the mean of the
// additions to those that vary, and Share itself when none does.
func NewRidge(share float64, mean, variance []float64) Ridge {
	r := Ridge{share, make([]float64, len(mean))}
	sum, vary := 0.0, 0.0
	for j, v := range variance {
		if !Constant(mean[j], v) {
			r.Add[j] = share * v
			sum += r.Add[j]
			vary++
		}
	}
	still := share
	if vary > 0 {
		still = sum / vary
	}
	for j, v := range variance {
		if Constant(mean[j], v) {
			r.Add[j] = still
		}
	}
	return r
}
