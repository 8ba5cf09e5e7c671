package tile

// Finite reports whether there is neither a NaN nor an infinity.
func Finite(x []float64) bool {
	whole := 0
	if fast && len(x) >= 16 {
		whole = len(x) / 16 * 16
		if !finite16(whole/16, &x[0]) {
			return false
		}
	}
	return plainFinite(x[whole:])
}
