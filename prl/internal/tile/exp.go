package tile

// Exp replaces each number by its exponential, right to two units in the last place; below -708 that is zero and above 709 infinite.
func Exp(x []float64) {
	if !fast {
		for i, v := range x {
			x[i] = plainExp(v)
		}
		return
	}
	const group = 16
	whole := len(x) / group * group
	if whole > 0 {
		exp16(whole/group, &x[0])
	}
	if whole < len(x) {
		var rest [group]float64
		copy(rest[:], x[whole:])
		exp16(1, &rest[0])
		copy(x[whole:], rest[:])
	}
}
