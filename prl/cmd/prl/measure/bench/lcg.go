package bench

import "math"

// A lcg is the generator behind every data set of the benchmark: s <- 6364136223846793005 s + 1442695040888963407 (mod 2^64).
type lcg uint64

// uniform returns (s >> 11) 2^-53 after one step, a number in [0, 1).
func (s *lcg) uniform() float64 {
	*s = *s*6364136223846793005 + 1442695040888963407
	return float64(*s>>11) * 0x1p-53
}

// normal returns the sum of twelve uniform numbers less six, added from left to right: nearly a standard normal, without a function that
// differs from one library to another.
func (s *lcg) normal() float64 {
	sum := s.uniform()
	for range 11 {
		sum += s.uniform()
	}
	return sum - 6
}

func (s *lcg) normals(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = s.normal()
	}
	return all
}

// sixDigits rounds to six digits after the point.
func sixDigits(v float64) float64 { return math.RoundToEven(v*1e6) / 1e6 }
