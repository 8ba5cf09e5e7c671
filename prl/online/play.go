package online

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Run is what a forecaster did over n rounds.
type Run struct {
	Weights [][]float64 // n+1 rows: the shares of the N experts before each round, and after the last
	Losses  [][]float64 // n rows: what each expert cost
	Loss    []float64   // what the forecaster cost in each round, the mean of the experts' losses by its shares
}

// Play lets a forecaster meet a table of losses (n x N, in [0, 1]).
//
// Errors: no rounds, another number of experts than the forecaster's, a loss outside [0, 1], which
// is named with its round.
func Play(f Forecaster, losses mat.Matrix) (*Run, error) {
	const op = "online.Play"
	if losses == nil {
		return nil, fault.Argument(op, "losses", nil, "a matrix with a row for each round", "")
	}
	n, _ := losses.Dims()
	return play(op, f, n, func(t int, _ []float64) []float64 { return mat.Row(nil, t, losses) })
}

// PlayAgainst lets a forecaster meet an adversary for n rounds, who sees its shares and returns the
// losses of the experts.
//
// Errors: as of Play.
func PlayAgainst(f Forecaster, n int, adversary func(round int, shares []float64) []float64) (*Run, error) {
	return play("online.PlayAgainst", f, n, adversary)
}

func play(op string, f Forecaster, n int, adversary func(round int, shares []float64) []float64) (*Run, error) {
	if n < 1 {
		return nil, fault.Argument(op, "rounds", n, "at least one", "")
	}
	r := &Run{}
	for t := range n {
		p := f.Weights()
		losses := adversary(t, p)
		if len(losses) != len(p) {
			return nil, fault.Argument(op, fmt.Sprintf("losses of round %d", t), fmt.Sprintf("%d numbers", len(losses)),
				fmt.Sprintf("one for each of the %d experts", len(p)), "")
		}
		for i, v := range losses {
			if !(v >= 0 && v <= 1) {
				what := fmt.Sprintf("loss of expert %d in round %d", i, t)
				return nil, fault.Argument(op, what, v, "a number in [0, 1]", "divide the losses by the largest possible one")
			}
		}
		f.Update(losses)
		r.Weights, r.Losses, r.Loss = append(r.Weights, p), append(r.Losses, losses), append(r.Loss, dot(p, losses))
	}
	r.Weights = append(r.Weights, f.Weights())
	return r, nil
}

// Total returns the loss of the forecaster in all rounds.
func (r *Run) Total() float64 { return sum(r.Loss) }

// Best returns the expert with the least loss in hindsight, of equal ones the first, and this loss.
func (r *Run) Best() (expert int, loss float64) {
	total := make([]float64, len(r.Losses[0]))
	for _, row := range r.Losses {
		for i, v := range row {
			total[i] += v
		}
	}
	for i, v := range total {
		if v < total[expert] {
			expert = i
		}
	}
	return expert, total[expert]
}

// Regret returns the loss of the forecaster less that of the best expert in hindsight.
func (r *Run) Regret() float64 {
	_, best := r.Best()
	return r.Total() - best
}

// Regrets returns the regret after each of the n rounds, against the expert that is best by then.
func (r *Run) Regrets() []float64 {
	out, total, own := make([]float64, len(r.Loss)), make([]float64, len(r.Losses[0])), 0.0
	for t, row := range r.Losses {
		least := math.Inf(1)
		for i, v := range row {
			total[i] += v
			least = min(least, total[i])
		}
		own += r.Loss[t]
		out[t] = own - least
	}
	return out
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// HedgeBound returns ln(N)/eta + eta n/8, the bound on the regret of Hedge with rate eta after n rounds with N experts.
func HedgeBound(n, experts int, eta float64) float64 {
	return math.Log(float64(experts))/eta + eta*float64(n)/8
}

// HedgeRate returns sqrt(8 ln(N) / n), the rate with the least HedgeBound, which then is sqrt(n ln(N) / 2).
func HedgeRate(n, experts int) float64 { return math.Sqrt(8 * math.Log(float64(experts)) / float64(n)) }

// CoinGame returns the value of the game of n rounds with two experts, of whom the adversary lets
// one cost 1 and the other 0 in each round: E|S_n|/2 for a walk S of n fair steps. No forecaster
// has a smaller regret against every adversary. It is exact to rounding.
func CoinGame(n int) float64 {
	// E|S_n| is 2 ceil(n/2) C(n, ceil(n/2)) / 2^n.
	m := (n + 1) / 2
	lnN, _ := math.Lgamma(float64(n) + 1)
	lnM, _ := math.Lgamma(float64(m) + 1)
	lnRest, _ := math.Lgamma(float64(n-m) + 1)
	return float64(m) * math.Exp(lnN-lnM-lnRest-float64(n)*math.Ln2)
}

// Duel lets two Hedge forecasters play n rounds of a matrix game, in which the first pays A[i][j]
// in [0, 1] to the second, and returns their mean strategies. Their regrets bound how far the means
// are from a minimax solution: max_j (p A)_j - min_i (A q)_i is at most the sum of both regrets
// divided by n.
//
// Errors: an empty game, payments outside [0, 1], n < 1.
func Duel(game mat.Matrix, n int, row, column Forecaster) (p, q []float64, err error) {
	const op = "online.Duel"
	if game == nil || n < 1 {
		return nil, nil, fault.Argument(op, "game", game, "a matrix of payments and at least one round", "")
	}
	k, l := game.Dims()
	p, q = make([]float64, k), make([]float64, l)
	for range n {
		x, y := row.Weights(), column.Weights()
		if len(x) != k || len(y) != l {
			return nil, nil, fault.Argument(op, "forecasters", fmt.Sprintf("of %d and %d experts", len(x), len(y)),
				fmt.Sprintf("of %d and %d, the rows and columns of the game", k, l), "")
		}
		costs, gains := make([]float64, k), make([]float64, l)
		for i := range k {
			for j := range l {
				a := game.At(i, j)
				if !(a >= 0 && a <= 1) {
					return nil, nil, fault.Argument(op, fmt.Sprintf("payment of row %d and column %d", i, j), a, "a number in [0, 1]", "")
				}
				costs[i] += a * y[j]
				gains[j] += (1 - a) * x[i]
			}
		}
		row.Update(costs)
		column.Update(gains)
		for i, v := range x {
			p[i] += v / float64(n)
		}
		for j, v := range y {
			q[j] += v / float64(n)
		}
	}
	return p, q, nil
}
