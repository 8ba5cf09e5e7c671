package assess

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/fault"
)

// McNemarPower returns the probability that the exact two-sided test of [McNemar] rejects at the level alpha on n rows, if rule A alone is
// wrong on a row with probability onlyA and rule B alone with probability onlyB: the mean over the number N of discordant rows,
//
//	sum_N P(N) (P(D <= c_N) + P(D >= N - c_N)),  N ~ Binomial(n, onlyA + onlyB),  D ~ Binomial(N, onlyA / (onlyA + onlyB)),
//
// with c_N the largest count that the test rejects. For onlyA = onlyB it is the size of the test, which is at most alpha.
//
// Errors: probabilities below 0 or with a sum outside (0, 1], n outside 0 ... 100,000, alpha outside (0, 1). Source: Duffy, Biometrics 40
// (1984).
func McNemarPower(onlyA, onlyB float64, n int, alpha float64) (float64, error) {
	const op = "assess.McNemarPower"
	p, err := newPairedPower(op, onlyA, onlyB, alpha)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > mostPairs {
		return 0, fault.Argument(op, "n", n, "a number of rows from 0 to 100,000", "")
	}
	p.start(n)
	return p.power(n), nil
}

// McNemarTrials returns the least number of rows for which [McNemarPower] is at least power. For some larger number it may be a little
// less, since counts are whole numbers.
//
// Errors: as McNemarPower; onlyA = onlyB, power outside (0, 1), or more than 100,000 rows.
func McNemarTrials(onlyA, onlyB, alpha, power float64) (int, error) {
	const op = "assess.McNemarTrials"
	p, err := newPairedPower(op, onlyA, onlyB, alpha)
	if err != nil {
		return 0, err
	}
	if !(power > 0 && power < 1) {
		return 0, fault.Argument(op, "power", power, "a probability between 0 and 1", "0.8 is usual")
	}
	for n := 0; onlyA != onlyB && n <= mostPairs; n++ {
		if p.power(n) >= power {
			return n, nil
		}
	}
	return 0, fault.Argument(op, "the difference of onlyA and onlyB", onlyA-onlyB, "one that 100,000 rows can show", "")
}

const mostPairs = 100_000

// A pairedPower knows with which probability the test rejects, given the number of discordant rows.
type pairedPower struct {
	discordant, share, alpha float64
	first, critical          int       // rejects begins with this number of rows; the largest count rejected, given the last of them
	rejects                  []float64 // probabilities
}

func newPairedPower(op string, onlyA, onlyB, alpha float64) (*pairedPower, error) {
	sum := onlyA + onlyB
	if !(onlyA >= 0 && onlyB >= 0 && sum > 0 && sum <= 1) {
		return nil, fault.Argument(op, "onlyA, onlyB", fmt.Sprintf("%v and %v", onlyA, onlyB), "two probabilities with a sum in (0, 1]", "")
	}
	if !(alpha > 0 && alpha < 1) {
		return nil, fault.Argument(op, "alpha", alpha, "a probability between 0 and 1", "0.05 is usual")
	}
	return &pairedPower{discordant: sum, share: onlyA / sum, alpha: alpha, critical: -1}, nil
}

// within returns numbers between which those of discordant rows of n lie, but for less than 1e-18.
func (p *pairedPower) within(n int) (lo, hi int) {
	if p.discordant == 1 {
		return n, n
	}
	mean := float64(n) * p.discordant
	reach := 10 + 10*math.Sqrt(mean*(1-p.discordant))
	return max(0, int(mean-reach)), min(n, int(mean+reach))
}

// start begins the numbers of discordant rows with the least that n rows call for.
func (p *pairedPower) start(n int) {
	p.first, _ = p.within(n)
	p.critical = sort.Search(p.first, func(k int) bool { return !p.significant(k, p.first) }) - 1
	p.rejects = nil
}

// significant says whether the test rejects with a count k of n.
func (p *pairedPower) significant(k, n int) bool {
	return 2*k < n && 2*atMost(k, n, 0.5) <= p.alpha*(1+1e-12)
}

// power goes through the numbers of discordant rows of n, their probabilities by the ratio of neighbours.
func (p *pairedPower) power(n int) (sum float64) {
	lo, hi := p.within(n)
	for k := p.first + len(p.rejects); k <= hi; k++ {
		if p.significant(p.critical+1, k) { // it never jumps by two
			p.critical++
		}
		p.rejects = append(p.rejects, atMost(p.critical, k, p.share)+atMost(p.critical, k, 1-p.share))
	}
	w := 1.0
	if p.discordant < 1 {
		lg := func(v int) float64 { g, _ := math.Lgamma(float64(v) + 1); return g }
		w = math.Exp(lg(n) - lg(lo) - lg(n-lo) + float64(lo)*math.Log(p.discordant) + float64(n-lo)*math.Log1p(-p.discordant))
	}
	for k := lo; k <= hi; k++ {
		sum += w * p.rejects[k-p.first]
		w *= float64(n-k) / float64(k+1) * p.discordant / (1 - p.discordant)
	}
	return min(1, sum)
}

// atMost returns P(X <= k) for X ~ Binomial(n, p) and k < n.
func atMost(k, n int, p float64) float64 {
	if k < 0 {
		return 0
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}
