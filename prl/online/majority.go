package online

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Majority is a run of the weighted majority algorithm.
type Majority struct {
	Beta        float64 // the factor of a mistake; 0 is the halving algorithm
	Predictions []int   // of the n rounds, +1 or -1
	Mistakes    int     // of the algorithm
	Wrong       [][]int // n+1 rows: the mistakes of each of the N experts before each round, and after the last
}

// WeightedMajority predicts n truths of +1 or -1 from the votes of N experts (n x N, +1 or -1) by
// the side with more weight; equal weights count as -1. An expert with m mistakes has weight
// beta^m, 0 <= beta <= 1. With beta = 0 it is the halving algorithm, which leaves out every expert
// that has erred; beta = 1 is the plain vote.
//
// Errors: no experts, votes or truths other than +1 and -1, rows of several lengths, beta outside
// [0, 1]; with beta = 0 the round in which the last expert errs. Source: N. Littlestone & M.
// Warmuth (1994), The weighted majority algorithm, Inf. Comput. 108.
func WeightedMajority(votes [][]int, truth []int, beta float64) (*Majority, error) {
	const op = "online.WeightedMajority"
	if err := checkVotes(op, votes, truth); err != nil {
		return nil, err
	}
	if !(beta >= 0 && beta <= 1) {
		return nil, fault.Argument(op, "beta", beta, "a factor from 0 to 1", "1/2 halves the weight at each mistake")
	}
	experts := len(votes[0])
	m := &Majority{Beta: beta, Wrong: [][]int{make([]int, experts)}}
	for t, vote := range votes {
		wrong := slices.Clone(m.Wrong[t])
		least, balance := slices.Min(wrong), 0.0
		if beta == 0 && least > 0 {
			need := "an expert without a mistake, for beta = 0 leaves out the others"
			return nil, fault.Argument(op, fmt.Sprintf("round %d", t), "no perfect expert", need, "choose beta above 0")
		}
		for i, v := range vote {
			balance += float64(v) * math.Pow(beta, float64(wrong[i]-least)) // a common factor of the weights decides nothing
			if v != truth[t] {
				wrong[i]++
			}
		}
		prediction := -1
		if balance > 0 {
			prediction = 1
		}
		if prediction != truth[t] {
			m.Mistakes++
		}
		m.Predictions, m.Wrong = append(m.Predictions, prediction), append(m.Wrong, wrong)
	}
	return m, nil
}

func checkVotes(op string, votes [][]int, truth []int) error {
	if len(votes) == 0 || len(votes[0]) == 0 {
		return fault.Argument(op, "votes", "none", "a row of votes for each round", "")
	}
	if len(truth) != len(votes) {
		return fault.Argument(op, "truth", fmt.Sprintf("%d values", len(truth)), fmt.Sprintf("one for each of the %d rounds", len(votes)), "")
	}
	sign := func(what string, v int) error {
		if v != 1 && v != -1 {
			return fault.Argument(op, what, v, "+1 or -1", "")
		}
		return nil
	}
	for t, row := range votes {
		if len(row) != len(votes[0]) {
			need := fmt.Sprintf("%d votes, as in the first round", len(votes[0]))
			return fault.Argument(op, fmt.Sprintf("votes[%d]", t), fmt.Sprintf("%d votes", len(row)), need, "")
		}
		if err := sign(fmt.Sprintf("truth[%d]", t), truth[t]); err != nil {
			return err
		}
		for i, v := range row {
			if err := sign(fmt.Sprintf("votes[%d][%d]", t, i), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Weights returns the N weights beta^m before round t, 0 <= t <= n, where round n is after the
// last. Weights below 5e-324 are 0.
func (m *Majority) Weights(t int) []float64 {
	w := make([]float64, len(m.Wrong[t]))
	for i, wrong := range m.Wrong[t] {
		w[i] = math.Pow(m.Beta, float64(wrong))
	}
	return w
}

// Best returns the mistakes of the best expert in hindsight.
func (m *Majority) Best() int { return slices.Min(m.Wrong[len(m.Wrong)-1]) }

// MistakeBound returns the bound (best ln(1/beta) + ln N) / ln(2/(1+beta)) on the mistakes of
// weighted majority with N experts, whose best makes best mistakes. For beta = 0 and a perfect
// expert it is log2 N; for beta = 0 with an imperfect one, and for beta = 1, there is no bound,
// +Inf.
func MistakeBound(experts, best int, beta float64) float64 {
	if best == 0 {
		return math.Log(float64(experts)) / math.Log(2/(1+beta))
	}
	return (float64(best)*math.Log(1/beta) + math.Log(float64(experts))) / math.Log(2/(1+beta))
}

// WorstMistakes returns the most mistakes that any sequence of votes and truths forces on weighted
// majority with N experts, of whom one makes at most best mistakes. It tries every split of the
// experts in every state, so N is at most 16 and best at most 12. Ties between the sides are
// decided exactly when the powers of beta are exact: for 0, 1/2, 1/4.
//
// Errors: numbers outside these ranges; beta outside [0, 1).
func WorstMistakes(experts, best int, beta float64) (int, error) {
	const op = "online.WorstMistakes"
	if err := estimator.CheckCount(op, "experts", experts, 1, 16); err != nil {
		return 0, err
	}
	if err := estimator.CheckCount(op, "best", best, 0, 12); err != nil {
		return 0, err
	}
	if !(beta >= 0 && beta < 1) {
		return 0, fault.Argument(op, "beta", beta, "a factor from 0 to below 1", "")
	}
	// A state is the number of experts by their mistakes. Those beyond best still vote; beyond cap
	// their votes weigh next to nothing, but they keep the order of weights, so none is merged with
	// others before that.
	limit := int(math.Floor(min(MistakeBound(experts, best, beta), 1e3) + 1e-9))
	known := map[string]int{}
	var most func(state []int) int
	most = func(state []int) int {
		key := make([]byte, len(state))
		for s, count := range state {
			key[s] = byte(count)
		}
		if v, ok := known[string(key)]; ok {
			return v
		}
		total := 0.0
		for s, count := range state {
			total += float64(count) * math.Pow(beta, float64(s))
		}
		found := 0
		wrong := make([]int, len(state))
		var split func(s int, weight float64)
		split = func(s int, weight float64) {
			if s == len(state) {
				if 2*weight < total {
					return
				}
				next, safe := make([]int, len(state)), 0
				for s, count := range state {
					next[s] += count - wrong[s]
					next[min(s+1, len(state)-1)] += wrong[s]
				}
				for s := range min(best+1, len(next)) {
					safe += next[s]
				}
				if safe > 0 {
					found = max(found, 1+most(next))
				}
				return
			}
			for wrong[s] = 0; wrong[s] <= state[s]; wrong[s]++ {
				split(s+1, weight+float64(wrong[s])*math.Pow(beta, float64(s)))
			}
			wrong[s] = 0
		}
		split(0, 0)
		known[string(key)] = found
		return found
	}
	start := make([]int, limit+best+2)
	start[0] = experts
	return most(start), nil
}

// A Crowd is the state of the adversary who keeps half of the experts wrong, for every number of
// mistakes, and so attains the constant of the bound of weighted majority with beta = 1/2 as the
// number of experts grows.
type Crowd struct {
	Mistakes int        // of weighted majority: one each round
	Columns  []*big.Int // the number of experts with s mistakes
	experts  int        // log2 N
}

// NewCrowd starts with 2^bits experts, 1 <= bits <= 4096, none of whom has erred.
func NewCrowd(bits int) (*Crowd, error) {
	if err := estimator.CheckCount("online.NewCrowd", "bits", bits, 1, 4096); err != nil {
		return nil, err
	}
	return &Crowd{Columns: []*big.Int{new(big.Int).Lsh(big.NewInt(1), uint(bits))}, experts: bits}, nil
}

// Step plays a round in which half of every column errs; the odd expert of a column errs too, so
// the wrong side has at least half of the weight and weighted majority errs.
func (c *Crowd) Step() {
	next := make([]*big.Int, len(c.Columns)+1)
	for s := range next {
		next[s] = new(big.Int)
	}
	for s, count := range c.Columns {
		right := new(big.Int).Rsh(count, 1)
		next[s].Add(next[s], right)
		next[s+1].Add(next[s+1], new(big.Int).Sub(count, right))
	}
	c.Columns = next
	c.Mistakes++
}

// Best returns the mistakes of the best expert so far.
func (c *Crowd) Best() int {
	return slices.IndexFunc(c.Columns, func(count *big.Int) bool { return count.Sign() > 0 })
}

// Ratio returns the mistakes of weighted majority divided by those of the best expert plus log2 N;
// it stays below 1/log2(4/3) = 2.4094.
func (c *Crowd) Ratio() float64 { return float64(c.Mistakes) / float64(c.Best()+c.experts) }
