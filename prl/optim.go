package prl

import (
	"context"

	"github.com/prlab/prlab/prl/optim"
)

// Minimise returns where a method ends on a function, and why: Minimise(f, optim.BFGS{}, 0, 0).X from the start (0, 0).
func Minimise(f optim.Problem, m optim.Method, start ...float64) *optim.Result {
	return Must(optim.Minimise(context.Background(), f, m, start, optim.Options{Path: true}))
}

// Walk returns the start and the places after each of n moves of a method: Walk(f, optim.Descent{Step: 0.1}, 50, 0, 0).
func Walk(f optim.Problem, m optim.Method, n int, start ...float64) [][]float64 {
	return Must(optim.Walk(context.Background(), f, m, start, n))
}
