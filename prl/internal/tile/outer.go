package tile

// AddOuter adds sum_r a_r b_r^T over m rows to acc, a width x width matrix. Rows of a and b are width long, and width is a whole number of
// strips.
func AddOuter(acc, a, b []float64, m, width int) { outer(acc, a, b, m, width, false) }

// AddGram is AddOuter of x with itself; only the tiles that touch the upper triangle are worked on.
func AddGram(acc, x []float64, m, width int) { outer(acc, x, x, m, width, true) }

func outer(acc, a, b []float64, m, width int, upper bool) {
	if m == 0 {
		return
	}
	for i := 0; i < width; i += tall {
		j := 0
		if upper {
			j = i
		}
		for ; j < width; j += 2 * Wide {
			addTile(products, m, a[i:], 1, width, b[j:], width, Wide, acc[i*width+j:], width, tall, min(2*Wide, width-j), false)
		}
	}
}
