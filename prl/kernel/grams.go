package kernel

// KGrams returns the kernel on strings whose features are the counts of all substrings of length k: sum over u of count_u(a) count_u(b).
// Length is in bytes; k >= 1, and a smaller k counts as 1. It goes into GramOf.
//
// Source: C. Leslie, E. Eskin and W. Noble (2002), The spectrum kernel.
func KGrams(k int) func(a, b string) float64 {
	k = max(k, 1)
	return func(a, b string) float64 {
		counts := map[string]int{}
		for i := 0; i+k <= len(a); i++ {
			counts[a[i:i+k]]++
		}
		sum := 0
		for i := 0; i+k <= len(b); i++ {
			sum += counts[b[i:i+k]]
		}
		return float64(sum)
	}
}
