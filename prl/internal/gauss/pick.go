package gauss

// Pick returns the place where the sum of the masses so far first exceeds u, for u drawn evenly from 0 to their sum: each place with a
// probability that is its share. What rounding leaves of u falls to the last place with a mass.
func Pick(mass []float64, u float64) int {
	last := 0
	for i, v := range mass {
		if v > 0 {
			last = i
			if u < v {
				return i
			}
		}
		u -= v
	}
	return last
}
