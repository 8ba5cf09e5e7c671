package tile

import "math"

// The plain forms: what is computed, and what runs where no faster form exists. A conversion to float64 keeps the compiler from fusing a product
// with the addition after it, which would round once instead of twice.

// plainMul adds to the 4 x 8 tile c, whose rows are cr apart, the product of a and b over k steps: c[i][j] += sum_r a[i ai + r ar] b[r br + j].
func plainMul(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	for i := range 4 {
		row := c[i*cr : i*cr+8 : i*cr+8]
		s0, s1, s2, s3, s4, s5, s6, s7 := row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
		for r := range k {
			v, u := a[i*ai+r*ar], b[r*br:r*br+8:r*br+8]
			s0 += float64(v * u[0])
			s1 += float64(v * u[1])
			s2 += float64(v * u[2])
			s3 += float64(v * u[3])
			s4 += float64(v * u[4])
			s5 += float64(v * u[5])
			s6 += float64(v * u[6])
			s7 += float64(v * u[7])
		}
		row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7] = s0, s1, s2, s3, s4, s5, s6, s7
	}
}

// plainDistances adds squared differences instead of products: c[i][j] += sum_r (a[i ai + r ar] - b[r br + j])^2.
func plainDistances(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	for i := range 4 {
		row := c[i*cr : i*cr+8 : i*cr+8]
		for j := range row {
			s := row[j]
			for r := range k {
				v := a[i*ai+r*ar] - b[r*br+j]
				s += float64(v * v)
			}
			row[j] = s
		}
	}
}

// plainMulRow sets c to the products of one row with the 32 columns in four strips: c[8 s + j] = sum_r a[r] b[s strip + 8 r + j].
func plainMulRow(k int, a, b []float64, strip int, c []float64) {
	for s := range 4 {
		for j := range Wide {
			sum := 0.0
			for r := range k {
				sum += float64(a[r] * b[s*strip+r*Wide+j])
			}
			c[s*Wide+j] = sum
		}
	}
}

// plainDistancesRow does the same with squared differences.
func plainDistancesRow(k int, a, b []float64, strip int, c []float64) {
	for s := range 4 {
		for j := range Wide {
			sum := 0.0
			for r := range k {
				v := a[r] - b[s*strip+r*Wide+j]
				sum += float64(v * v)
			}
			c[s*Wide+j] = sum
		}
	}
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

// The exponential is 2^n e^r with n the whole number nearest x / log 2 and |r| <= log(2)/2, and e^r its Taylor polynomial of degree 13, whose
// remainder is below 5e-18. log 2 is split in two, so that n times its first part is exact.
const (
	log2e   = 1.44269504088896338700
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	lowest  = -708.0 // below it the result is zero; e^-708 = 3e-308 is near the smallest normal number
	highest = 709.0  // above it the result is infinite
)

var taylor = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

func plainExp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < lowest:
		return 0
	case x > highest:
		return math.Inf(1)
	}
	n := math.RoundToEven(float64(x * log2e))
	r := float64(x-float64(n*ln2High)) - float64(n*ln2Low)
	p := taylor[0]
	for _, t := range taylor[1:] {
		p = float64(p*r) + t
	}
	return math.Float64frombits(math.Float64bits(p) + uint64(int64(n))<<52)
}
