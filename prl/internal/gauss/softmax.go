package gauss

import "math"

// LogSumExp returns log sum_j exp(l_j) without overflow or underflow; -Inf for no terms.
func LogSumExp(l []float64) float64 {
	top := math.Inf(-1)
	for _, v := range l {
		top = math.Max(top, v)
	}
	if math.IsInf(top, 0) || top != top {
		return top
	}
	sum := 0.0
	for _, v := range l {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// Softmax replaces l by exp(l_j) / sum_i exp(l_i) and returns log sum_i exp(l_i). When no l_j is above -Inf it leaves l alone and returns
// -Inf.
func Softmax(l []float64) float64 {
	top := math.Inf(-1)
	for _, v := range l {
		top = math.Max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for j, v := range l {
		l[j] = math.Exp(v - top)
		sum += l[j]
	}
	for j := range l {
		l[j] /= sum
	}
	return top + math.Log(sum)
}

// LogSoftmax replaces l by l_j - log sum_i exp(l_i). When no l_j is above -Inf it leaves l alone.
func LogSoftmax(l []float64) {
	if sum := LogSumExp(l); !math.IsInf(sum, 0) {
		for j := range l {
			l[j] -= sum
		}
	}
}

// LogLogistic returns log 1/(1 + exp(-z)) without overflow or underflow.
func LogLogistic(z float64) float64 {
	if z >= 0 {
		return -math.Log1p(math.Exp(-z))
	}
	return z - math.Log1p(math.Exp(z))
}
