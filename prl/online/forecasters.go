package online

import (
	"math"
	"math/rand/v2"
)

// A Forecaster spreads one unit of weight over N experts and learns from what each of them cost.
type Forecaster interface {
	Weights() []float64      // the shares of the N experts in the next round; they sum to one
	Update(losses []float64) // what the N experts cost in that round, in [0, 1]
}

// shares are weights exp(w), divided by their sum.
func shares(logs []float64) []float64 {
	largest, sum := math.Inf(-1), 0.0
	for _, w := range logs {
		largest = max(largest, w)
	}
	p := make([]float64, len(logs))
	for i, w := range logs {
		p[i] = math.Exp(w - largest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// A Hedge gives expert i the weight exp(-eta L_i), where L_i is the loss of the expert so far: the
// exponentiated gradient step for a linear loss. Its rate may depend on the round, and a share of
// the weight may return to all experts after each round.
type Hedge struct {
	total []float64 // losses so far
	logs  []float64 // logarithms of weights, for a fixed share
	rate  func(round int) float64
	share float64
	round int
}

// NewHedge begins Hedge with the rate eta > 0. Source: Y. Freund & R. Schapire (1997), A
// decision-theoretic generalization of on-line learning, J. Comput. Syst. Sci. 55.
func NewHedge(experts int, eta float64) *Hedge {
	return &Hedge{total: make([]float64, experts), rate: func(int) float64 { return eta }}
}

// NewAnytimeHedge begins Hedge with the rate sqrt(8 ln N / t) in round t = 1, 2, ..., which needs
// no horizon. Its regret after n rounds is at most 2 sqrt(n ln(N) / 2) + sqrt(ln(N) / 8). Source:
// Cesa-Bianchi & Lugosi (2006), theorem 2.3.
func NewAnytimeHedge(experts int) *Hedge {
	return &Hedge{total: make([]float64, experts), rate: func(t int) float64 { return math.Sqrt(8 * math.Log(float64(experts)) / float64(t)) }}
}

// NewFixedShare begins Hedge with the rate eta, which after each round gives the share alpha of the
// weight back to all experts alike, so that it follows a best expert that changes. Source: M.
// Herbster & M. Warmuth (1998), Tracking the best expert, Machine Learning 32.
func NewFixedShare(experts int, eta, alpha float64) *Hedge {
	h := NewHedge(experts, eta)
	h.logs, h.share = make([]float64, experts), alpha
	return h
}

// Weights returns the shares of the experts in the next round.
func (h *Hedge) Weights() []float64 {
	if h.logs != nil {
		return shares(h.logs)
	}
	logs, eta := make([]float64, len(h.total)), h.rate(h.round+1)
	for i, loss := range h.total {
		logs[i] = -eta * loss
	}
	return shares(logs)
}

// Update takes in what the experts cost.
func (h *Hedge) Update(losses []float64) {
	h.round++
	if h.logs == nil {
		for i, loss := range losses {
			h.total[i] += loss
		}
		return
	}
	for i, loss := range losses {
		h.logs[i] -= h.rate(h.round) * loss
	}
	for i, p := range shares(h.logs) {
		h.logs[i] = math.Log((1-h.share)*p + h.share/float64(len(h.logs)))
	}
}

// A Leader follows the expert with the least loss so far, of equal ones the first. With a spread it
// draws noise for the losses in each round: follow the perturbed leader.
type Leader struct {
	total  []float64
	spread float64
	rng    *rand.Rand
}

// NewLeader begins to follow the leader.
func NewLeader(experts int) *Leader { return &Leader{total: make([]float64, experts)} }

// NewPerturbedLeader begins to follow the leader after exponential noise of mean spread is taken
// from each loss. With spread sqrt(n / ln N) its expected regret grows like sqrt(n ln N). Source:
// A. Kalai & S. Vempala (2005), Efficient algorithms for online decision problems, J. Comput. Syst.
// Sci. 71.
func NewPerturbedLeader(experts int, spread float64, seed uint64) *Leader {
	return &Leader{total: make([]float64, experts), spread: spread, rng: rand.New(rand.NewPCG(seed, 0))}
}

// Weights returns one for the leader and zero for the others.
func (l *Leader) Weights() []float64 {
	p, first, least := make([]float64, len(l.total)), 0, math.Inf(1)
	for i, loss := range l.total {
		if l.rng != nil {
			loss -= l.spread * l.rng.ExpFloat64()
		}
		if loss < least {
			first, least = i, loss
		}
	}
	p[first] = 1
	return p
}

// Update takes in what the experts cost.
func (l *Leader) Update(losses []float64) {
	for i, loss := range losses {
		l.total[i] += loss
	}
}

// An AdaNormalHedge has no rate to choose: the weight of an expert follows from the regret R
// against it and the sum C of |loss difference|, by the potential exp(max(R, 0)^2 / (3 C)). Source:
// H. Luo & R. Schapire (2015), Achieving all with no parameters, COLT.
type AdaNormalHedge struct{ regret, spread []float64 }

// NewAdaNormalHedge begins with the same prior weight for each expert.
func NewAdaNormalHedge(experts int) *AdaNormalHedge {
	return &AdaNormalHedge{make([]float64, experts), make([]float64, experts)}
}

// Weights returns the shares of the experts in the next round.
func (a *AdaNormalHedge) Weights() []float64 {
	logs := make([]float64, len(a.regret))
	all := true
	for i, r := range a.regret {
		up, down := max(r+1, 0), max(r-1, 0)
		c := 3 * (a.spread[i] + 1)
		logs[i] = up*up/c + math.Log(-math.Expm1((down*down-up*up)/c)/2) // log of (potential above - potential below) / 2
		all = all && math.IsInf(logs[i], -1)
	}
	if all {
		clear(logs) // no expert is worth a regret: any shares will do
	}
	return shares(logs)
}

// Update takes in what the experts cost.
func (a *AdaNormalHedge) Update(losses []float64) {
	own := dot(a.Weights(), losses)
	for i, loss := range losses {
		a.regret[i] += own - loss
		a.spread[i] += math.Abs(own - loss)
	}
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
