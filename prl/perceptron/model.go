package perceptron

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
)

// A Model is a linear machine that learnt from its mistakes, for K >= 2 classes. It is immutable and safe for concurrent use.
type Model struct {
	estimator.Names
	s    state
	rows *kernel.Rows // the points of Support, if there are any
}

// A state is what a model stores: exported fields, new ones at the end.
type state struct {
	D, K        int
	Title       string
	Kernel      kernel.Kernel // nil: <a, b>
	NoIntercept bool
	Support     []float64 // the points that Rows of the machines name, one after the other
	Machines    []machine
	Names       estimator.Names // in storage only
}

// A machine answers for one class against the rest.
type machine struct {
	Theta            []float64 // (b, w); nil with a kernel or votes
	Rows             []int32   // points whose inner products are added, with a kernel; of votes the mistakes in their order
	Coef             []float64 // the factor of each
	Lives            []float64 // votes: the visits of the start and of the weights after each mistake; otherwise nil
	Start            []float64 // votes: (b, w) before the first mistake; nil with a kernel
	Mistakes, Passes int
	Clean            bool
}

// prepare derives what predictions need.
func (m *Model) prepare() (err error) {
	if len(m.s.Support) == 0 {
		return nil
	}
	k := m.s.Kernel
	if k == nil {
		k = kernel.Linear{}
	}
	m.rows, err = kernel.NewRows(k, mat.NewDense(len(m.s.Support)/m.s.D, m.s.D, m.s.Support), nil, nil)
	return err
}

// score returns s(x) of a machine: for votes the share of visits whose weights say +1 less the share of those that say -1. products holds
// <x, x_t> for the points.
func (m *Model) score(a *machine, x, products []float64) float64 {
	bias := 1.0
	if m.s.NoIntercept {
		bias = 0
	}
	if a.Theta != nil {
		return a.Theta[0] + floats.Dot(a.Theta[1:], x)
	}
	sum := 0.0
	if a.Start != nil {
		sum = a.Start[0] + floats.Dot(a.Start[1:], x)
	}
	if a.Lives == nil {
		for k, t := range a.Rows {
			sum += a.Coef[k] * (products[t] + bias)
		}
		return sum
	}
	votes, visits := 0.0, 0.0
	for k, life := range a.Lives {
		if k > 0 {
			sum += a.Coef[k-1] * (products[a.Rows[k-1]] + bias)
		}
		visits += life
		switch {
		case sum > 0:
			votes += life
		case sum < 0:
			votes -= life
		}
	}
	return votes / visits
}

// spine gives the model the methods that all classifiers have. A score of votes is a share of visits, from -1 to 1.
//
//spine:without Proba LogProba
func (m *Model) spine() estimator.Discriminant[*Model] {
	return estimator.Discriminant[*Model]{Against0: true, Classification: estimator.Classification[*Model]{
		Model: m, Kind: "perceptron.Model", D: m.s.D, K: m.s.K, Scores: (*Model).scores,
	}}
}

func (m *Model) scores(scores, x []float64) {
	products := m.products()
	for d, k := m.s.D, m.s.K; len(x) > 0; x, scores = x[d:], scores[k:] {
		if m.rows != nil {
			m.rows.Row(products, x[:d])
		}
		for c := range m.s.Machines {
			scores[k-len(m.s.Machines)+c] = m.score(&m.s.Machines[c], x[:d], products)
		}
	}
}

func (m *Model) products() []float64 {
	if m.rows == nil {
		return nil
	}
	return make([]float64, m.rows.Len())
}

// Value returns s(x) of a model of two classes for one point of d coordinates, and NaN for a point of another length or of more classes.
func (m *Model) Value(x ...float64) float64 {
	if len(x) != m.s.D || m.s.K != 2 {
		return math.NaN()
	}
	var scores [2]float64
	m.scores(scores[:], x)
	return scores[1]
}

// Theta returns (b, w) of each machine: one for two classes, K otherwise. It is nil with a kernel or votes, where there is no w.
func (m *Model) Theta() [][]float64 {
	var out [][]float64
	for _, a := range m.s.Machines {
		if a.Theta == nil {
			return nil
		}
		out = append(out, slices.Clone(a.Theta))
	}
	return out
}

// Mistakes returns how many mistakes the run made: all machines together.
func (m *Model) Mistakes() (total int) {
	for _, a := range m.s.Machines {
		total += a.Mistakes
	}
	return total
}

// Passes returns the passes over the rows: of the machine that took most.
func (m *Model) Passes() (most int) {
	for _, a := range m.s.Machines {
		most = max(most, a.Passes)
	}
	return most
}

// Clean reports whether the last pass of every machine was without a mistake. Otherwise the limit on passes ended the run, which proves
// nothing about the classes: svm.Separable and logistic.Separate do.
func (m *Model) Clean() bool {
	for _, a := range m.s.Machines {
		if !a.Clean {
			return false
		}
	}
	return m.s.K > 0
}

// String returns "perceptron, last weights: 2 classes, 4 features, 5 mistakes in 4 passes, the last one clean".
func (m *Model) String() string {
	end := "stopped by the limit on passes"
	if m.Clean() {
		end = "the last one clean"
	}
	k := ""
	if m.s.Kernel != nil {
		k = fmt.Sprintf(", %v", m.s.Kernel)
	}
	return fmt.Sprintf("%s%s: %d classes, %d features, %d mistakes in %d passes, %s",
		m.s.Title, k, m.s.K, m.s.D, m.Mistakes(), m.Passes(), end)
}

// sound reports whether the parts of a stored model fit together.
func (s *state) sound() bool {
	machines := s.K
	if s.K == 2 {
		machines = 1
	}
	if s.D < 1 || s.K < 2 || len(s.Machines) != machines || len(s.Support)%s.D != 0 || s.Kernel != nil && kernel.Check("", s.Kernel) != nil {
		return false
	}
	if _, ok := s.Kernel.(kernel.Precomputed); ok {
		return false
	}
	finite := func(v []float64) bool {
		for _, x := range v {
			if x-x != 0 {
				return false
			}
		}
		return true
	}
	ok := finite(s.Support)
	for _, a := range s.Machines {
		ok = ok && finite(a.Theta) && finite(a.Coef) && finite(a.Lives) && finite(a.Start) && len(a.Rows) == len(a.Coef) &&
			(a.Theta == nil || len(a.Theta) == s.D+1 && a.Rows == nil && a.Lives == nil) && (a.Start == nil || len(a.Start) == s.D+1) &&
			(a.Lives == nil || len(a.Lives) == len(a.Rows)+1 && floats.Sum(a.Lives) > 0) && a.Mistakes >= 0 && a.Passes >= 0
		for _, t := range a.Rows {
			ok = ok && t >= 0 && int(t) < len(s.Support)/s.D
		}
	}
	return ok
}
