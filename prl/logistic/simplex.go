package logistic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// A simplex minimises cost x subject to sum_j x_j column_j = b and lower <= x <= upper, from a basis that is feasible with all other x at
// their lower bound (0 where that is infinite does not occur). It keeps the inverse of the basis, which is small, and looks at all columns
// in each step.
type simplex struct {
	b                  []float64
	columns            [][]float64
	cost, lower, upper []float64
	basis              []int

	at      []place
	inverse [][]float64
	x       []float64 // of the basis
}

// A place says where a variable is.
type place uint8

const (
	atLower place = iota
	atUpper
	inBasis
)

func (s *simplex) add(column []float64, cost, lower, upper float64) {
	s.columns = append(s.columns, column)
	s.cost, s.lower, s.upper = append(s.cost, cost), append(s.lower, lower), append(s.upper, upper)
}

// bound returns the value of a variable that is not in the basis.
func (s *simplex) bound(j int) float64 {
	if s.at[j] == atUpper {
		return s.upper[j]
	}
	return s.lower[j]
}

// factor computes the inverse of the basis, and the variables in it, again.
func (s *simplex) factor() bool {
	p := len(s.b)
	a := make([][]float64, p) // basis and unit matrix, side by side
	for i := range a {
		a[i] = make([]float64, 2*p)
		for k, j := range s.basis {
			a[i][k] = s.columns[j][i]
		}
		a[i][p+i] = 1
	}
	for k := range p {
		best := k
		for i := k; i < p; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[best][k]) {
				best = i
			}
		}
		if a[best][k] == 0 {
			return false
		}
		a[k], a[best] = a[best], a[k]
		floats.Scale(1/a[k][k], a[k])
		for i := range p {
			if i != k && a[i][k] != 0 {
				floats.AddScaled(a[i], -a[i][k], a[k])
			}
		}
	}
	right := append([]float64(nil), s.b...)
	for j, column := range s.columns {
		if v := 0.0; s.at[j] != inBasis {
			if v = s.bound(j); v != 0 {
				floats.AddScaled(right, -v, column)
			}
		}
	}
	s.inverse, s.x = make([][]float64, p), make([]float64, p)
	for i := range p {
		s.inverse[i] = a[i][p:]
		s.x[i] = floats.Dot(s.inverse[i], right)
	}
	return true
}

// multipliers returns the prices of the equations.
func (s *simplex) multipliers() []float64 {
	v := make([]float64, len(s.b))
	for k, j := range s.basis {
		if s.cost[j] != 0 {
			floats.AddScaled(v, s.cost[j], s.inverse[k])
		}
	}
	return v
}

// values returns all variables.
func (s *simplex) values() []float64 {
	out := make([]float64, len(s.columns))
	for j := range out {
		if s.at[j] != inBasis {
			out[j] = s.bound(j)
		}
	}
	for k, j := range s.basis {
		out[j] = min(s.upper[j], max(s.lower[j], s.x[k]))
	}
	return out
}

// solve goes from basis to basis. The variable that gains most by unit enters; after many steps that gain nothing the first one that gains,
// which cannot go in circles (Bland 1977).
func (s *simplex) solve(ctx context.Context, name string) error {
	p := len(s.b)
	s.at = make([]place, len(s.columns))
	for _, j := range s.basis {
		s.at[j] = inBasis
	}
	along, idle := make([]float64, p), 0
	for iteration := 0; ; iteration++ {
		if iteration%32 == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if !s.factor() {
				return fmt.Errorf("%s: the basis of the linear program has become singular; standardise the columns", name)
			}
		}
		if iteration > 200*(p+100)+len(s.columns) {
			return fmt.Errorf("%s: the linear program has not ended after %d steps; standardise the columns", name, iteration)
		}
		bland := idle > 4*p+20
		enter, gain := s.enter(bland)
		if enter < 0 {
			if iteration%32 == 0 {
				return nil
			}
			iteration = 31 // once more, with the inverse computed again
			continue
		}
		sign := 1.0
		if s.at[enter] == atUpper {
			sign = -1
		}
		for k := range along {
			along[k] = sign * floats.Dot(s.inverse[k], s.columns[enter])
		}
		leave, step := s.leave(enter, along, bland)
		if math.IsInf(step, 1) {
			return fmt.Errorf("%s: the linear program has no bound; standardise the columns", name)
		}
		if idle++; gain*step > 1e-14 {
			idle = 0
		}
		floats.AddScaled(s.x, -step, along)
		if leave < 0 { // to the other bound
			s.at[enter] = atUpper - s.at[enter]
			continue
		}
		value := s.bound(enter) + sign*step
		out := s.basis[leave]
		s.at[out] = atLower
		if along[leave] < 0 {
			s.at[out] = atUpper
		}
		s.basis[leave], s.at[enter], s.x[leave] = enter, inBasis, value
		pivot := s.inverse[leave]
		floats.Scale(1/(sign*along[leave]), pivot)
		for k, row := range s.inverse {
			if k != leave && along[k] != 0 {
				floats.AddScaled(row, -sign*along[k], pivot)
			}
		}
	}
}

// enter returns the variable to bring into the basis, -1 at the optimum, and what a unit of it gains.
func (s *simplex) enter(first bool) (j int, gain float64) {
	v := s.multipliers()
	j = -1
	for i, column := range s.columns {
		if s.at[i] == inBasis || s.lower[i] == s.upper[i] {
			continue
		}
		saves := floats.Dot(v, column) - s.cost[i]
		if s.at[i] == atUpper {
			saves = -saves
		}
		if saves > tiny && saves > gain {
			if j, gain = i, saves; first {
				return j, gain
			}
		}
	}
	return j, gain
}

// leave returns how far a variable can enter, and the place in the basis that stops it, -1 when it is its own other bound.
func (s *simplex) leave(enter int, along []float64, first bool) (at int, step float64) {
	at, step = -1, s.upper[enter]-s.lower[enter]
	for k, j := range s.basis {
		var room float64
		switch {
		case along[k] > 1e-9:
			room = (s.x[k] - s.lower[j]) / along[k]
		case along[k] < -1e-9:
			room = (s.x[k] - s.upper[j]) / along[k]
		default:
			continue
		}
		room = max(0, room)
		better := room < step-1e-12*(1+step)
		if at >= 0 && !better && room <= step+1e-12*(1+step) { // a tie
			better = !first && math.Abs(along[k]) > math.Abs(along[at]) || first && j < s.basis[at]
		}
		if math.IsInf(step, 1) && !math.IsInf(room, 1) || better {
			at, step = k, min(step, room)
		}
	}
	return at, step
}
