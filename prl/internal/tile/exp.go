package tile

const group = 16 // numbers of a step of Exp and Tanh

// Exp replaces each number by its exponential, right to two units in the last place; below -708 that is zero and above 709 infinite.
func Exp(x []float64) {
	if !fast {
		for i, v := range x {
			x[i] = plainExp(v)
		}
		return
	}
	whole := len(x) / group * group
	if whole > 0 {
		exponentials(whole/group, &x[0])
	}
	if whole < len(x) {
		var rest [group]float64
		copy(rest[:], x[whole:])
		exponentials(1, &rest[0])
		copy(x[whole:], rest[:])
	}
}

// Tanh replaces each number x by t = tanh x = 1 - 2 / (1 + exp 2x), which errs by at most 5e-16, and sets slope, of as many numbers, to 1 -
// t^2.
func Tanh(x, slope []float64) {
	slope = slope[:len(x)]
	whole := 0
	if wide {
		if whole = len(x) / group * group; whole > 0 {
			tanhWide(whole/group, &x[0], &slope[0])
		}
	}
	plainTanh(x[whole:], slope[whole:])
}

// plainTanh is what Tanh computes.
func plainTanh(x, slope []float64) {
	for i, v := range x {
		slope[i] = 2 * v
	}
	Exp(slope)
	for i, e := range slope {
		t := 1 - 2/(1+e)
		x[i], slope[i] = t, 1-float64(t*t)
	}
}
