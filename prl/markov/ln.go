package markov

import "math"

// ln returns the natural logarithm of x also for subnormal x, where math.Log on amd64 (Go 1.26) is off by up to 35: it gives -709.09 for
// 5e-324 instead of -744.44. Learned probabilities do come that close to zero.
func ln(x float64) float64 {
	if x < 0x1p-1022 && x > 0 {
		return math.Log(x*0x1p60) - 60*math.Ln2
	}
	return math.Log(x)
}
