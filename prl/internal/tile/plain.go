package tile

import "math"

// The plain forms: what is computed, and what runs where no faster form exists. A conversion to float64 keeps the compiler from fusing a
// product with the addition after it where a result rounds both.

// plainFinite reports whether there is neither a NaN nor an infinity.
func plainFinite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// plainMinPlus sets best[j] = min_i cost[i] + b[i br + j] for j = 0 ... 7, and arg[j] to the first i that attains it.
func plainMinPlus(cost []float64, b []float64, br int, best []float64, arg []int64) {
	for j := range 8 {
		least, at := math.Inf(1), int64(0)
		for i, v := range cost {
			if s := v + b[i*br+j]; s < least {
				least, at = s, int64(i)
			}
		}
		best[j], arg[j] = least, at
	}
}

// The exponential is 2^n e^r with n the whole number nearest x / log 2 and |r| <= log(2)/2, and e^r a polynomial of degree 11. log 2 is
// split in two, so that n times its first part is exact. The polynomial equals e^r at the Chebyshev nodes of the interval (solved with 60
// digits); its relative error is below 5e-18.
var exponential = struct {
	log2e, ln2High, ln2Low float64
	whole                  float64 // adding it leaves a whole number in the low bits
	lowest, highest        float64 // below the result is zero, for e^-708 = 3e-308 is near the smallest normal number; above it is infinite
	infinity               float64
	polynomial             [12]float64 // from the highest power down
}{
	1.44269504088896338700, 6.93147180369123816490e-01, 1.90821492927058770002e-10,
	3 << 51,
	-708, 709,
	math.Inf(1),
	[12]float64{
		2.511004920481865979348e-8, 2.763265472252779188975e-7, 2.755724088722986859644e-6, 2.480148544156131296626e-5,
		1.984126989007640282934e-4, 1.388888895235286286635e-3, 8.333333333319589616304e-3, 4.166666666648795251975e-2,
		0.1666666666666668081981, 0.5000000000000018403927, 1, 1,
	},
}

func plainExp(x float64) float64 {
	e := &exponential
	switch {
	case x != x:
		return x
	case x < e.lowest:
		return 0
	case x > e.highest:
		return e.infinity
	}
	n := math.RoundToEven(float64(x * e.log2e))
	r := float64(x-float64(n*e.ln2High)) - float64(n*e.ln2Low)
	c := &e.polynomial
	p := float64(c[0]*r) + c[1] // written out: a loop takes twice as long
	p = float64(p*r) + c[2]
	p = float64(p*r) + c[3]
	p = float64(p*r) + c[4]
	p = float64(p*r) + c[5]
	p = float64(p*r) + c[6]
	p = float64(p*r) + c[7]
	p = float64(p*r) + c[8]
	p = float64(p*r) + c[9]
	p = float64(p*r) + c[10]
	p = float64(p*r) + c[11]
	return math.Float64frombits(math.Float64bits(p) + uint64(int64(n))<<52)
}
