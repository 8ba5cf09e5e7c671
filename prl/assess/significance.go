package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/fault"
)

// A McNemarTest holds the two-sided p-values of "both rules err equally often".
type McNemarTest struct {
	Exact     float64 // by the binomial distribution
	MidP      float64 // the same with half of the probability of what was seen, less cautious
	ChiSquare float64 // (a - b)^2/(a + b), and its p-value is ChiSquareP
	Corrected float64 // (|a - b| - 1)^2/(a + b), and its p-value is CorrectedP

	ChiSquareP, CorrectedP float64
}

// McNemar compares two rules tried on the same rows: onlyA rows went wrong with rule A alone and onlyB with rule B alone, and given their
// sum each is binomial with probability 1/2. Without any such row all p-values are 1. Errors: negative counts. Source: McNemar,
// Psychometrika 12 (1947); Dietterich, Neural Computation 10 (1998); the mid-p-value is recommended by Fagerland and others, BMC Medical
// Research Methodology 13 (2013).
func McNemar(onlyA, onlyB int) (McNemarTest, error) {
	if onlyA < 0 || onlyB < 0 {
		return McNemarTest{}, fault.Argument("assess.McNemar", "the counts", fmt.Sprintf("%d and %d", onlyA, onlyB), "numbers of at least 0", "")
	}
	k, n := float64(min(onlyA, onlyB)), float64(onlyA)+float64(onlyB)
	apart := n - 2*k
	if n == 0 {
		return McNemarTest{Exact: 1, MidP: 1, ChiSquareP: 1, CorrectedP: 1}, nil
	}
	t := McNemarTest{Exact: 1, ChiSquare: apart * apart / n}
	most := max(0, apart-1)
	t.Corrected = most * most / n
	t.ChiSquareP, t.CorrectedP = math.Erfc(math.Sqrt(t.ChiSquare/2)), math.Erfc(math.Sqrt(t.Corrected/2))
	if apart > 0 {
		t.Exact = min(1, 2*mathext.RegIncBeta(n-k, k+1, 0.5)) // P(at most k of n) twice
	}
	lg := func(v float64) float64 { g, _ := math.Lgamma(v + 1); return g }
	seen := math.Exp(lg(n) - lg(k) - lg(n-k) - n*math.Ln2)
	t.MidP = t.Exact - seen // half of it on either side
	if apart == 0 {
		t.MidP = 1 - seen/2
	}
	return t, nil
}

// Wilcoxon returns the two-sided p-value of the signed-rank test of "the differences are symmetric about 0", for paired results such as
// the scores of two rules on many data sets. Differences of 0 are left out, and equal ones share the mean of their ranks. Up to 50
// differences the distribution is exact, with ties as without: each of the 2^n choices of signs is as likely as any other. Beyond it is
// normal with the correction for ties and none for continuity.
//
// Errors: differences that are not finite, or all 0. Source: Wilcoxon, Biometrics Bulletin 1 (1945); Demšar, Journal of Machine Learning
// Research 7 (2006).
func Wilcoxon(differences []float64) (float64, error) {
	const name = "assess.Wilcoxon"
	var d []float64
	for i, v := range differences {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fault.Argument(name, fmt.Sprintf("differences[%d]", i), v, "a finite number", "")
		}
		if v != 0 {
			d = append(d, v)
		}
	}
	if len(d) == 0 {
		return 0, fault.Argument(name, "differences", "without one that is not 0", "at least one", "")
	}
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	n := len(d)
	ranks := make([]int, 0, n) // doubled, so that the mean rank of ties is a whole number
	positive, ties := 0, 0.0
	for i := 0; i < n; {
		j := i
		for ; j < n && math.Abs(d[j]) == math.Abs(d[i]); j++ {
		}
		m := float64(j - i)
		ties += m*m*m - m
		for rank := i + j + 1; i < j; i++ {
			ranks = append(ranks, rank)
			if d[i] > 0 {
				positive += rank
			}
		}
	}
	total := n * (n + 1)
	least := min(positive, total-positive)
	if n <= 50 {
		ways := make([]float64, total+1) // subsets of the ranks by their sum, 2^n in all
		ways[0] = 1
		for _, r := range ranks {
			for s := total; s >= r; s-- {
				ways[s] += ways[s-r]
			}
		}
		sum := 0.0
		for _, w := range ways[:least+1] {
			sum += w
		}
		return min(1, 2*math.Ldexp(sum, -n)), nil
	}
	variance := float64(n)*float64(n+1)*float64(2*n+1)/24 - ties/48
	return math.Erfc(float64(total/2-least) / (2 * math.Sqrt(2*variance))), nil
}

// CorrectedT returns the mean of the differences of two rules over the folds of a cross-validation with its interval, and the two-sided
// p-value of no difference. The training sets of the folds share most of their rows, so that the naive variance s^2/k is too small; Nadeau
// and Bengio put s^2 (1/k + test/train) in its place, with the numbers of rows of a fold, and k-1 degrees of freedom.
//
// Errors: fewer than two differences, numbers of rows below 1, a confidence outside (0, 1). Source: Nadeau and Bengio, Machine Learning 52
// (2003).
func CorrectedT(differences []float64, train, test int, confidence float64) (difference Interval, p float64, err error) {
	const name = "assess.CorrectedT"
	k := len(differences)
	if k < 2 {
		return Interval{}, 0, fault.Argument(name, "differences", fmt.Sprintf("%d numbers", k), "at least 2", "")
	}
	if train < 1 || test < 1 {
		return Interval{}, 0, fault.Argument(
			name,
			"the rows of a fold",
			fmt.Sprintf("%d and %d", train, test),
			"at least 1 to train and 1 to test",
			"",
		)
	}
	if err := checkConfidence(name, confidence); err != nil {
		return Interval{}, 0, err
	}
	mean, spread := meanVariance(differences)
	deviation := math.Sqrt(spread * (1/float64(k) + float64(test)/float64(train)))
	half := studentQuantile((1+confidence)/2, float64(k-1)) * deviation
	p = 1
	if mean != 0 {
		p = studentTails(mean/deviation, float64(k-1))
	}
	return Interval{mean, mean - half, mean + half}, p, nil
}

// FiveByTwo returns the p-value of "no difference" of the combined F test of five repetitions of twofold cross-validation:
// differences[i][j] is the difference of the errors of two rules on fold j of repetition i, and
//
//	F = sum_ij d_ij^2 / (2 sum_i s_i^2)
//
// is about F distributed with 10 and 5 degrees of freedom. Source: Alpaydin, Neural Computation 11 (1999), after Dietterich, Neural
// Computation 10 (1998).
func FiveByTwo(differences [5][2]float64) float64 {
	top, bottom := 0.0, 0.0
	for _, d := range differences {
		mean := (d[0] + d[1]) / 2
		top += d[0]*d[0] + d[1]*d[1]
		bottom += (d[0]-mean)*(d[0]-mean) + (d[1]-mean)*(d[1]-mean)
	}
	switch {
	case top == 0:
		return 1
	case bottom == 0:
		return 0
	}
	f := top / (2 * bottom)
	return mathext.RegIncBeta(5.0/2, 10.0/2, 5/(5+10*f))
}

// Permutation returns the p-value of "the score has nothing to do with the classes": the share of scores as high as that of the true
// classes among those of permuted classes and the true ones themselves, (1 + #{permuted >= true}) / (1 + draws), where scores that differ
// by rounding count as equal. score is called with the classes in some order, and fits and tests as it was done for the true ones.
//
// Errors: fewer than 1 draw, no rows, a score that is NaN, what score returns. Source: Ojala and Garriga, Journal of Machine Learning
// Research 11 (2010), test 1.
func Permutation(y []int, draws int, seed uint64, score func(y []int) (float64, error)) (float64, error) {
	const name = "assess.Permutation"
	if draws < 1 || len(y) == 0 {
		return 0, fault.Argument(name, "draws", fmt.Sprintf("%d of %d rows", draws, len(y)), "at least 1 draw of at least 1 row", "")
	}
	truth, err := score(y)
	if err == nil && math.IsNaN(truth) {
		err = fault.Argument(name, "the score", truth, "a number", "")
	}
	if err != nil {
		return 0, err
	}
	random, permuted, high := generator(seed), slices.Clone(y), 1
	for range draws {
		random.Shuffle(len(permuted), func(i, j int) { permuted[i], permuted[j] = permuted[j], permuted[i] })
		v, err := score(permuted)
		if err == nil && math.IsNaN(v) {
			err = fault.Argument(name, "the score of permuted labels", v, "a number", "")
		}
		if err != nil {
			return 0, err
		}
		if v >= truth-1e-12*math.Abs(truth) {
			high++
		}
	}
	return float64(high) / float64(draws+1), nil
}

// Mean returns the mean of k scores, such as those of the folds of a cross-validation, with the interval of Student's t, whose spread is
// corrected as CorrectedT does it. Errors: as CorrectedT.
func Mean(scores []float64, train, test int, confidence float64) (Interval, error) {
	i, _, err := CorrectedT(scores, train, test, confidence)
	return i, err
}

func mean(v []float64) (m float64) {
	for i, x := range v {
		m += (x - m) / float64(i+1)
	}
	return m
}

func meanVariance(v []float64) (m, variance float64) {
	m = mean(v)
	for _, x := range v {
		variance += (x - m) * (x - m)
	}
	return m, variance / float64(len(v)-1)
}

// studentTails returns P(|T| >= |t|) for Student's distribution.
func studentTails(t, freedom float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// studentQuantile returns the p-quantile of Student's distribution for p >= 1/2.
func studentQuantile(p, freedom float64) float64 {
	x := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return math.Sqrt(freedom * (1 - x) / x)
}

// normalShare returns P(Z <= z) for Z standard normal.
func normalShare(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
