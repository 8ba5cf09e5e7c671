package assess

import (
	"fmt"

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
	for range n {
		p.next()
	}
	return p.power(), nil
}

// McNemarTrials returns the least number of rows for which [McNemarPower] is at least power. For some larger number it may be a little less,
// since counts are whole numbers.
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
		if p.power() >= power {
			return n, nil
		}
		p.next()
	}
	return 0, fault.Argument(op, "the difference of onlyA and onlyB", onlyA-onlyB, "one that 100,000 rows can show", "")
}

const mostPairs = 100_000

// A pairedPower goes through the numbers of rows.
type pairedPower struct {
	discordant, share, alpha float64
	law                      []float64 // P(N), from first on
	first                    int
	rejects                  []float64 // the test rejects with, given N
	critical                 int       // the largest count that it rejects, given the last of these N
}

func newPairedPower(op string, onlyA, onlyB, alpha float64) (*pairedPower, error) {
	sum := onlyA + onlyB
	if !(onlyA >= 0 && onlyB >= 0 && sum > 0 && sum <= 1) {
		return nil, fault.Argument(op, "onlyA, onlyB", fmt.Sprintf("%v and %v", onlyA, onlyB), "two probabilities with a sum in (0, 1]", "")
	}
	if !(alpha > 0 && alpha < 1) {
		return nil, fault.Argument(op, "alpha", alpha, "a probability between 0 and 1", "0.05 is usual")
	}
	return &pairedPower{sum, onlyA / sum, alpha, []float64{1}, 0, []float64{0}, -1}, nil
}

// next takes one more row, which is discordant or not. Ends of the law that cannot matter are dropped.
func (p *pairedPower) next() {
	const negligible = 1e-20
	p.law = append(p.law, 0)
	for i := len(p.law) - 1; i >= 0; i-- {
		p.law[i] *= 1 - p.discordant
		if i > 0 {
			p.law[i] += p.discordant * p.law[i-1]
		}
	}
	for len(p.law) > 1 && p.law[len(p.law)-1] < negligible {
		p.law = p.law[:len(p.law)-1]
	}
	for len(p.law) > 1 && p.law[0] < negligible {
		p.law, p.first = p.law[1:], p.first+1
	}
	for n := len(p.rejects); n < p.first+len(p.law); n++ {
		if k := p.critical + 1; 2*k < n && 2*atMost(k, n, 0.5) <= p.alpha*(1+1e-12) { // it never jumps by two
			p.critical = k
		}
		p.rejects = append(p.rejects, atMost(p.critical, n, p.share)+atMost(p.critical, n, 1-p.share))
	}
}

func (p *pairedPower) power() (sum float64) {
	for i, w := range p.law {
		sum += w * p.rejects[p.first+i]
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
