package estimator

// Argmax returns the place of the largest number, the first of equal ones; 0 of none.
func Argmax(v []float64) int {
	at := 0
	for i, x := range v {
		if x > v[at] {
			at = i
		}
	}
	return at
}
