package estimate

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Grid is a belief in a parameter that can be at one of n places: a probability for each. It is computed in logarithms, so that a
// likelihood of a million observations does not vanish.
type Grid struct {
	places []float64
	log    []float64 // normalised
}

// NewGrid returns a belief in proportion to the weights of the places. Errors: no places, another number of weights, weights that are
// negative, not finite, or all zero.
func NewGrid(places, weights []float64) (Grid, error) {
	const name = "estimate.NewGrid"
	if len(places) == 0 || len(weights) != len(places) {
		return Grid{}, fault.Argument(name, "weights", fmt.Sprintf("%d numbers", len(weights)),
			fmt.Sprintf("one for each of the %d places, at least one", len(places)), "")
	}
	log := make([]float64, len(weights))
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return Grid{}, fault.Argument(name, fmt.Sprintf("weights[%d]", i), w, "a finite number of at least 0", "")
		}
		log[i] = math.Log(w)
	}
	g := Grid{slices.Clone(places), log}
	if _, ok := normalise(g.log); !ok {
		return Grid{}, fault.Argument(name, "weights", "all zero", "a positive sum", "")
	}
	return g, nil
}

// See returns the belief after something whose probability, or density, is exp(logLikelihood) at each place, and the logarithm of the
// evidence: the mean of the likelihood over the belief. A place of probability zero keeps it for ever. Errors: a likelihood that is NaN or
// +Inf, or zero wherever the belief is not.
func (g Grid) See(logLikelihood func(place float64) float64) (after Grid, logEvidence float64, err error) {
	const name = "estimate.Grid.See"
	after = Grid{g.places, slices.Clone(g.log)}
	for i, p := range g.places {
		if math.IsInf(g.log[i], -1) {
			continue
		}
		l := logLikelihood(p)
		if math.IsNaN(l) || math.IsInf(l, 1) {
			return g, 0, fault.Argument(name, fmt.Sprintf("the log likelihood at %v", p), l, "a number below +Inf", "")
		}
		after.log[i] += l
	}
	logEvidence, ok := normalise(after.log)
	if !ok {
		return g, math.Inf(-1), fault.Argument(name, "what was seen", "impossible", "a probability above 0 somewhere", "give the prior some "+
			"weight there")
	}
	return after, logEvidence, nil
}

// normalise takes from each logarithm that of the sum, and returns it.
func normalise(log []float64) (total float64, ok bool) {
	most := slices.Max(log)
	if math.IsInf(most, -1) {
		return most, false
	}
	sum := 0.0
	for _, v := range log {
		sum += math.Exp(v - most)
	}
	total = most + math.Log(sum)
	for i := range log {
		log[i] = log[i] - most - math.Log(sum) // in this order no digits are lost
	}
	return total, true
}

// Places returns the places.
func (g Grid) Places() []float64 { return slices.Clone(g.places) }

// Probabilities returns the probability of each place.
func (g Grid) Probabilities() []float64 {
	p := make([]float64, len(g.log))
	for i, v := range g.log {
		p[i] = math.Exp(v)
	}
	return p
}

// Mean returns the mean place.
func (g Grid) Mean() float64 {
	m := 0.0
	for i, v := range g.log {
		m += math.Exp(v) * g.places[i]
	}
	return m
}

// Variance returns the variance of the place.
func (g Grid) Variance() float64 {
	m, sum := g.Mean(), 0.0
	for i, v := range g.log {
		sum += math.Exp(v) * (g.places[i] - m) * (g.places[i] - m)
	}
	return sum
}
