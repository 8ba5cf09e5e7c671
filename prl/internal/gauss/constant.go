package gauss

// Constant reports whether a variance about a mean is no more than the rounding of numbers that are all equal.
func Constant(mean, variance float64) bool {
	return !(variance > 1e-28*mean*mean)
}
