package tile

// MinPlus sets best[j] = min_i cost[i] + b[i][j] for all j, and arg[j] to the first i that attains it, 0 when all are infinite. Rows of b,
// best and arg are width long, a whole number of strips.
func MinPlus(best []float64, arg []int64, cost, b []float64, width int) {
	for j := 0; j < width; j += Wide {
		minPlus(cost, b[j:], width, best[j:j+Wide], arg[j:j+Wide])
	}
}

// ArgMin returns the place of the least number of x, the first of equal ones, and that number. x is a whole number of strips long.
func ArgMin(x []float64) (at int, least float64) {
	var none [64]float64
	zeros := none[:]
	if strips := len(x) / Wide; strips > len(none) {
		zeros = make([]float64, strips)
	}
	var best [Wide]float64
	var strip [Wide]int64
	minPlus(zeros[:len(x)/Wide], x, Wide, best[:], strip[:])
	at, least = int(strip[0])*Wide, best[0]
	for j := 1; j < Wide; j++ {
		if place := int(strip[j])*Wide + j; best[j] < least || best[j] == least && place < at {
			at, least = place, best[j]
		}
	}
	return at, least
}
