package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// RankSum returns the two-sided p-value of the rank-sum test of Wilcoxon, Mann and Whitney of "both samples are from one distribution",
// for results that are not paired: the probability that the sum of the ranks of one sample is as far from its mean as it was seen. Equal
// numbers share the mean of their ranks. Up to 50 numbers in all the distribution is exact, with ties as without: each choice of the ranks
// of a sample is as likely as any other. Beyond it is normal with the correction for ties and none for continuity.
//
// Errors: an empty sample, numbers that are not finite. Source: Wilcoxon, Biometrics Bulletin 1 (1945); Mann and Whitney, Annals of
// Mathematical Statistics 18 (1947).
func RankSum(a, b []float64) (float64, error) {
	const op = "assess.RankSum"
	if len(a) == 0 || len(b) == 0 {
		return 0, fault.Argument(op, "the samples", fmt.Sprintf("of %d and %d numbers", len(a), len(b)), "at least one number in each", "")
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	all := slices.Concat(a, b)
	order := make([]int, len(all))
	for i, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fault.Argument(op, "a number", v, "a finite one", "")
		}
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(all[i], all[j]) })
	m, n := len(a), len(all)
	ranks := make([]int, 0, n) // doubled, so that the mean rank of ties is a whole number
	sum, ties := 0, 0.0
	for i := 0; i < n; {
		j := i
		for ; j < n && all[order[j]] == all[order[i]]; j++ {
		}
		t := float64(j - i)
		ties += t*t*t - t
		for rank := i + j + 1; i < j; i++ {
			ranks = append(ranks, rank)
			if order[i] < m {
				sum += rank
			}
		}
	}
	apart := sum - m*(n+1) // from the mean, doubled
	apart = max(apart, -apart)
	if n > 50 {
		variance := float64(m) * float64(n-m) / 3 * (float64(n+1) - ties/float64(n)/float64(n-1))
		if variance <= 0 {
			return 1, nil
		}
		return math.Erfc(float64(apart) / math.Sqrt(2*variance)), nil
	}
	ways := make([][]float64, m+1) // choices of so many ranks by their sum
	for k := range ways {
		ways[k] = make([]float64, n*(n+1)+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := m; k > 0; k-- {
			for s := len(ways[k]) - 1; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	far, total := 0.0, 0.0
	for s, w := range ways[m] {
		total += w
		if d := s - m*(n+1); max(d, -d) >= apart {
			far += w
		}
	}
	return far / total, nil
}
