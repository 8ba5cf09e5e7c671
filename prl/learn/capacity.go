package learn

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// SauerSum returns C(n,0) + ... + C(n,d) exactly: no space of VC dimension d has more labelings of
// n instances, and some space reaches it for every n and d (Sauer 1972). n and d are at least 0.
func SauerSum(n, d int) (*big.Int, error) {
	const who = "learn.SauerSum"
	err := firstOf(estimator.CheckCount(who, "n", n, 0, 100_000), estimator.CheckCount(who, "d", d, 0, 100_000))
	if err != nil {
		return nil, err
	}
	sum, term := big.NewInt(1), big.NewInt(1)
	for i := 1; i <= min(n, d); i++ {
		term.Mul(term, big.NewInt(int64(n-i+1)))
		term.Quo(term, big.NewInt(int64(i)))
		sum.Add(sum, term)
	}
	return sum, nil
}

// VapnikSquareRoot returns sqrt((d (ln(2n/d) + 1) + ln(4/delta)) / n): with probability 1 - delta
// no hypothesis of a space of VC dimension d has a true error above its training error by more, but
// for the 1/n that Vapnik's theorem adds to it; n >= d.
//
// Source: V. N. Vapnik (1998), Statistical Learning Theory, section 4.
func VapnikSquareRoot(d, n int, delta float64) (float64, error) {
	const who = "learn.VapnikSquareRoot"
	err := firstOf(estimator.CheckCount(who, "d", d, 1, 1<<40), estimator.CheckCount(who, "n", n, d, 1<<50), checkDelta(who, delta))
	if err != nil {
		return 0, err
	}
	k, m := float64(d), float64(n)
	return math.Sqrt((k*(math.Log(2*m/k)+1) + math.Log(4/delta)) / m), nil
}

// RealizableSampleSize returns max(4/eps log2(2/delta), 8d/eps log2(13/eps)), rounded up: so many
// examples leave every consistent hypothesis of a space of VC dimension d with a true error of at
// most eps, with probability 1 - delta.
//
// Source: A. Blumer, A. Ehrenfeucht, D. Haussler & M. K. Warmuth (1989), Journal of the ACM 36,
// 929-965, theorem 2.1.
func RealizableSampleSize(d int, epsilon, delta float64) (int, error) {
	const who = "learn.RealizableSampleSize"
	if err := firstOf(estimator.CheckCount(who, "d", d, 1, 1<<40), checkEpsilon(who, epsilon), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	return whole(who, max(4/epsilon*math.Log2(2/delta), 8*float64(d)/epsilon*math.Log2(13/epsilon)))
}

// AgnosticSampleSize returns the fewest n for which VapnikSquareRoot(d, n, delta) + 1/n is at most
// eps/2, from d on: so many examples leave the hypothesis of least training error within eps of the
// best one, with probability 1 - delta.
func AgnosticSampleSize(d int, epsilon, delta float64) (int, error) {
	const who = "learn.AgnosticSampleSize"
	if err := firstOf(estimator.CheckCount(who, "d", d, 1, 1<<30), checkEpsilon(who, epsilon), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	enough := func(n int) bool {
		phi, err := VapnikSquareRoot(d, n, delta)
		return err == nil && phi+1/float64(n) <= epsilon/2
	}
	lo, hi := d, 2*d
	for !enough(hi) {
		if hi >= 1<<49 {
			return 0, fault.Argument(who, "epsilon", epsilon, "at most 2^49 examples", "ask for less")
		}
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}

// RealizableFloor returns the mean true error of every learner, averaged over the 2^d labelings of
// d shattered points, when the first point has the probability 1 - light and the others share light
// evenly: light/2 (1 - light/(d-1))^n. The learner is right on the points that it has seen, and the
// first point is known to it; on an unseen point each label is right half the time, so some
// labeling is at least as bad.
func RealizableFloor(d, n int, light float64) (float64, error) {
	const who = "learn.RealizableFloor"
	if err := firstOf(estimator.CheckCount(who, "d", d, 2, 1<<30), estimator.CheckCount(who, "n", n, 0, 1<<50)); err != nil {
		return 0, err
	}
	if !(light >= 0 && light <= 1) {
		return 0, fault.Argument(who, "light", light, "a probability", "")
	}
	return light / 2 * math.Pow(1-light/float64(d-1), float64(n)), nil
}

// AgnosticFloor returns how far the best possible learner stays above the best hypothesis, on
// average over all 2^d worlds: d shattered points of probability 1/d, each with its more probable
// label in a share 1/2 + bias, 0 <= bias <= 1/2, after n examples. The best learner takes the
// majority at each point: 2 bias P(the majority of k is wrong), k binomial(n, 1/d), ties wrong half
// the time.
func AgnosticFloor(d, n int, bias float64) (float64, error) {
	const who = "learn.AgnosticFloor"
	if err := firstOf(estimator.CheckCount(who, "d", d, 1, 1<<30), estimator.CheckCount(who, "n", n, 0, 5000)); err != nil {
		return 0, err
	}
	if !(bias >= 0 && bias <= 0.5) {
		return 0, fault.Argument(who, "bias", bias, "a number of 0 ... 0.5", "")
	}
	total := 0.0
	for k := range n + 1 {
		wrong := 0.0
		for good := 0; 2*good <= k; good++ {
			p := share(good, k, 0.5+bias)
			if 2*good == k {
				p /= 2
			}
			wrong += p
		}
		total += share(k, n, 1/float64(d)) * wrong
	}
	return 2 * bias * total, nil
}

// share returns P(k of n) of the binomial distribution, also for p = 1.
func share(k, n int, p float64) float64 {
	switch {
	case p < 1:
		return pmf(k, n, p, 1-p).value()
	case k == n:
		return 1
	}
	return 0
}

// RademacherDraws estimates the Rademacher complexity of Rademacher by random sign vectors, for
// spaces on any number of instances. The mean of the draws is unbiased, and se is its standard
// error.
func (s *Space) RademacherDraws(draws int, seed uint64) (mean, se float64, err error) {
	if err := estimator.CheckCount("learn.Space.RademacherDraws", "draws", draws, 2, 1<<30); err != nil {
		return 0, 0, err
	}
	r := rand.New(rand.NewPCG(seed, 33))
	signs := make([]uint64, s.words)
	squares := 0.0
	for t := range draws {
		for w := range signs {
			signs[w] = r.Uint64()
		}
		if s.instances%64 != 0 {
			signs[s.words-1] &= 1<<(s.instances%64) - 1
		}
		fewest := s.instances
		for h := range s.Size() {
			unlike := 0
			for w, row := range s.row(h) {
				unlike += bits.OnesCount64(row ^ signs[w])
			}
			fewest = min(fewest, unlike)
		}
		value := 1 - 2*float64(fewest)/float64(s.instances)
		delta := value - mean
		mean += delta / float64(t+1)
		squares += delta * (value - mean)
	}
	return mean, math.Sqrt(squares / float64(draws-1) / float64(draws)), nil
}

// ShatteringMargin returns the largest margin with which hyperplanes through the origin can bring
// about every labeling of the points, rows of one length, and the labeling that allows no more (bit
// i is the label of point i); at most 12 points. It is the least, over all signs y, of the distance
// of 0 from the convex hull of the y_i x_i, and at most R/√d for d points in a ball of radius R
// about 0.
func ShatteringMargin(points [][]float64) (margin float64, labeling int, err error) {
	if err := checkRows("learn.ShatteringMargin", points, 12); err != nil {
		return 0, 0, err
	}
	margin = math.Inf(1)
	rows := make([][]float64, len(points))
	for i, p := range points {
		rows[i] = make([]float64, len(p))
	}
	for mask := range 1 << (len(points) - 1) { // a labeling and its opposite have one margin
		for i, p := range points {
			for j, x := range p {
				if mask>>i&1 == 0 {
					x = -x
				}
				rows[i][j] = x
			}
		}
		if _, d := nearest(rows); d < margin {
			margin, labeling = d, mask
		}
	}
	return margin, labeling, nil
}

// MarginDimension returns the most points that hyperplanes through 0 can shatter with margin gamma
// in a ball of radius R about 0 in N dimensions: min(R²/gamma², N) rounded down. With a bias it
// returns min(R²/gamma² rounded up, N) + 1, an upper bound, for a ball anywhere.
//
// Source: V. N. Vapnik (1998), Statistical Learning Theory, theorem 10.3.
func MarginDimension(radius, gamma float64, dimensions int, biased bool) (int, error) {
	const who = "learn.MarginDimension"
	if err := estimator.CheckCount(who, "dimensions", dimensions, 1, 1<<50); err != nil {
		return 0, err
	}
	if !(radius > 0 && gamma > 0) || math.IsInf(radius, 0) {
		return 0, fault.Argument(who, "radius, gamma", fmt.Sprint(radius, ", ", gamma), "two positive numbers", "")
	}
	ratio := radius / gamma * (radius / gamma)
	if near := math.Round(ratio); math.Abs(ratio-near) < 1e-12*near {
		ratio = near
	}
	if biased {
		return int(min(math.Ceil(ratio), float64(dimensions))) + 1, nil
	}
	return int(min(math.Floor(ratio), float64(dimensions))), nil
}

// MarginBound returns 2R/(gamma √n) + sqrt(ln(1/delta)/2n): with probability 1 - delta every
// hyperplane through 0 with |w| = 1 errs at most so much more often than the share of its examples
// within gamma of the wrong side, for points in a ball of radius R about 0. gamma is chosen before
// the data.
//
// Source: M. Mohri, A. Rostamizadeh & A. Talwalkar (2018), Foundations of Machine Learning,
// corollary 5.11.
func MarginBound(radius, gamma float64, n int, delta float64) (float64, error) {
	const who = "learn.MarginBound"
	if err := firstOf(checkExamples(who, n), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	if !(radius > 0 && gamma > 0) || math.IsInf(radius, 0) {
		return 0, fault.Argument(who, "radius, gamma", fmt.Sprint(radius, ", ", gamma), "two positive numbers", "")
	}
	m := float64(n)
	return 2*radius/gamma/math.Sqrt(m) + math.Sqrt(-math.Log(delta)/2/m), nil
}

// CompressionBound returns the eps with C(n,k) (1 - eps)^(n-k) = delta, at most 1: a rule that is
// rebuilt from k of its n examples, and consistent with the others, has a true error of at most eps
// with probability 1 - delta; 0 <= k < n.
//
// Source: N. Littlestone & M. K. Warmuth (1986), Relating data compression and learnability.
func CompressionBound(n, k int, delta float64) (float64, error) {
	const who = "learn.CompressionBound"
	if err := firstOf(checkExamples(who, n), estimator.CheckCount(who, "k", k, 0, n-1), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return -math.Expm1((math.Log(delta) - (a - b - c)) / float64(n-k)), nil
}

// Radon returns weights, not all zero, with Σ weights = 0 and Σ weights·point = 0 for N + 2 points
// of N dimensions, exactly, and the point that is a mixture of the points with positive weight and
// of the others too: no hyperplane has the one heap on one side and the other on the other. The
// positive weights sum to 1.
//
// Source: J. Radon (1921), Mathematische Annalen 83, 113-115.
func Radon(points [][]float64) (weights []*big.Rat, common []*big.Rat, err error) {
	const who = "learn.Radon"
	if err := checkRows(who, points, 64); err != nil {
		return nil, nil, err
	}
	n := len(points[0])
	if len(points) != n+2 {
		return nil, nil, fault.Argument(who, "points",
			fmt.Sprintf("%d points of %d numbers", len(points), n), "two more points than numbers", "")
	}
	rows := make([][]*big.Rat, n+1) // a column for each point
	for j := range rows {
		for _, p := range points {
			x := big.NewRat(1, 1)
			if j < n {
				x.SetFloat64(p[j])
			}
			rows[j] = append(rows[j], x)
		}
	}
	weights = kernelOf(rows)
	total := new(big.Rat)
	for _, w := range weights {
		if w.Sign() > 0 {
			total.Add(total, w)
		}
	}
	common = make([]*big.Rat, n)
	for j := range common {
		common[j] = new(big.Rat)
	}
	for i, w := range weights {
		if w.Quo(w, total); w.Sign() > 0 {
			for j, x := range points[i] {
				common[j].Add(common[j], new(big.Rat).Mul(w, new(big.Rat).SetFloat64(x)))
			}
		}
	}
	return weights, common, nil
}

// kernelOf returns a vector that is not 0 and that the matrix, with more columns than rows, sends
// to 0. It reduces the matrix.
func kernelOf(rows [][]*big.Rat) []*big.Rat {
	columns := len(rows[0])
	pivots, free := []int{}, -1
	for c := 0; c < columns && free < 0; c++ {
		r := len(pivots)
		found := -1
		for i := r; i < len(rows); i++ {
			if rows[i][c].Sign() != 0 {
				found = i
				break
			}
		}
		if found < 0 {
			free = c
			break
		}
		rows[r], rows[found] = rows[found], rows[r]
		inverse := new(big.Rat).Inv(rows[r][c])
		for j := range columns {
			rows[r][j] = new(big.Rat).Mul(rows[r][j], inverse)
		}
		for i := range rows {
			if i != r && rows[i][c].Sign() != 0 {
				factor := new(big.Rat).Set(rows[i][c])
				for j := range columns {
					rows[i][j] = new(big.Rat).Sub(rows[i][j], new(big.Rat).Mul(factor, rows[r][j]))
				}
			}
		}
		pivots = append(pivots, c)
	}
	out := make([]*big.Rat, columns)
	for j := range out {
		out[j] = new(big.Rat)
	}
	out[free].SetInt64(1)
	for r, c := range pivots {
		out[c].Neg(rows[r][free])
	}
	return out
}

// SineFrequency returns k such that sin(kπ x) has the sign of labels[i] at x = 10^-(i+1): k = 1 +
// the sum of 10^(i+1) over the negative labels. One parameter shatters any number of points, so its
// VC dimension is infinite.
func SineFrequency(labels []bool) *big.Int {
	k, power := big.NewInt(1), big.NewInt(1)
	for _, positive := range labels {
		power.Mul(power, big.NewInt(10))
		if !positive {
			k.Add(k, power)
		}
	}
	return k
}

// SineLabel reports whether sin(kπ 10^-(i+1)) is positive, in whole numbers: k mod 2·10^(i+1) lies
// between 0 and 10^(i+1).
func SineLabel(k *big.Int, i int) bool {
	half := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(i)+1), nil)
	rest := new(big.Int).Mod(k, new(big.Int).Lsh(half, 1))
	return rest.Sign() > 0 && rest.Cmp(half) < 0
}
