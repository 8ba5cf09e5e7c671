package kernel

import "math"

// The table of 2^(i/64) behind exp: with it the remaining argument is below ln 2/128 and five terms of the series reach the last bit.
var powers = func() (t [64]float64) {
	for i := range t {
		t[i] = math.Exp2(float64(i) / 64)
	}
	return t
}()

const (
	exp64  = 64 / math.Ln2
	shift  = 3 << 51               // adding it rounds a float64 to a whole number, found in its low bits
	ln64Hi = 0.010830424695086549  // ln 2/64 with 20 zero bits at the end, so that its small multiples are exact
	ln64Lo = 1.162596423439437e-12 // the rest
)

// exp returns e^x for -700 < x <= 0 within two units in the last place; the caller cuts off what is below. It is math.Exp without the
// special cases, small enough to be inlined into the loop over a kernel row, which makes that loop twice as fast.
func exp(x float64) float64 {
	s := x*exp64 + shift
	k := int32(math.Float64bits(s))
	n := s - shift
	r := (x - n*ln64Hi) - n*ln64Lo
	p := 1 + r*(1+r*(0.5+r*(1.0/6+r*(1.0/24+r*(1.0/120)))))
	return math.Float64frombits(math.Float64bits(powers[k&63])+uint64(int64(k>>6))<<52) * p
}
