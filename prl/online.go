package prl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/online"
)

// WeightedMajority returns the run of weighted majority, which multiplies the weight of an expert
// by beta at each mistake, on the votes of the experts (a row for each round, +1 or -1) and the
// truths; beta = 0 is the halving algorithm.
func WeightedMajority(votes [][]int, truth []int, beta float64) *online.Majority {
	return Must(online.WeightedMajority(votes, truth, beta))
}

// Hedge returns the run of Hedge with the rate eta on a table of losses (n x N, in [0, 1]).
func Hedge(losses mat.Matrix, eta float64) *online.Run {
	_, experts := losses.Dims()
	return Must(online.Play(online.NewHedge(experts, eta), losses))
}

// Bandit returns what a player does in n rounds of a world; online.NewExp3, NewUCB and NewThompson begin players.
func Bandit(player online.Player, world online.World, n int, seed uint64) *online.Pulls {
	return Must(online.Pull(player, world, n, seed))
}
