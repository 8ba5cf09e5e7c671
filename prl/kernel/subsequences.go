package kernel

import "math"

// Subsequences returns the kernel on strings whose features are all subsequences u of length n, with gaps or without: an occurrence of u at
// the places i_1 < ... < i_n of a string counts decay^(i_n - i_1 + 1), so that wide occurrences count less, and
//
//	K(a, b) = sum over u of (sum over its occurrences in a) (sum over its occurrences in b).
//
// There are as many features as words of length n; dynamic programming needs n |a| |b| steps. Length is in bytes; n >= 1, and a smaller n
// counts as 1. The decay is a positive number, usually at most 1; others give NaN. It goes into GramOf, usually inside Cosine, since long
// strings have many subsequences.
//
// Source: H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini and C. Watkins (2002), Text classification using string kernels, JMLR 2.
func Subsequences(n int, decay float64) func(a, b string) float64 {
	n = max(n, 1)
	return func(a, b string) float64 {
		if !(decay > 0) || math.IsInf(decay, 0) {
			return math.NaN()
		}
		// Prefix K'_i(a, b) weighs an occurrence from its first letter to the end of the strings; before[j] and now[j] are those of length i
		// for the prefixes b[:j] and for two prefixes of a that follow each other.
		tails := make([][]float64, n)
		for i := range tails {
			tails[i] = make([]float64, len(b)+1)
		}
		for j := range tails[0] {
			tails[0][j] = 1
		}
		sum := 0.0
		next := make([]float64, len(b)+1)
		for s := range len(a) {
			for j := range len(b) { // the last letter of u is a[s] = b[j]
				if a[s] == b[j] {
					sum += decay * decay * tails[n-1][j]
				}
			}
			for i := n - 1; i > 0; i-- { // the longer first, since each reads the shorter of the prefix before
				run := 0.0 // K''_i: a[s] is the letter i of u in a, and in b it is one of the letters so far
				for j := range len(b) {
					run *= decay
					if a[s] == b[j] {
						run += decay * decay * tails[i-1][j]
					}
					next[j+1] = decay*tails[i][j+1] + run
				}
				copy(tails[i], next)
			}
		}
		return sum
	}
}

// Cosine returns k(a, b) / sqrt(k(a, a) k(b, b)) for things that need not be vectors: the inner product of feature vectors brought to
// length one. Where k(a, a) or k(b, b) is not positive it is 0.
func Cosine[T any](k func(a, b T) float64) func(a, b T) float64 {
	return func(a, b T) float64 {
		n := k(a, a) * k(b, b)
		if !(n > 0) {
			return 0
		}
		return k(a, b) / math.Sqrt(n)
	}
}
