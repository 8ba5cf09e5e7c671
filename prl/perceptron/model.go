package perceptron

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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

// newModel derives what predictions need.
func newModel(s state) (*Model, error) {
	m := &Model{s: s}
	if len(s.Support) == 0 {
		return m, nil
	}
	k := s.Kernel
	if k == nil {
		k = kernel.Linear{}
	}
	rows, err := kernel.NewRows(k, mat.NewDense(len(s.Support)/s.D, s.D, s.Support), nil, nil)
	m.rows = rows
	return m, err
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

// decide writes the scores of one row.
func (m *Model) decide(out, x, products []float64) {
	if m.rows != nil {
		m.rows.Row(products, x)
	}
	for c := range m.s.Machines {
		out[c] = m.score(&m.s.Machines[c], x, products)
	}
}

func (m *Model) products() []float64 {
	if m.rows == nil {
		return nil
	}
	return make([]float64, m.rows.Len())
}

// Dim returns d, the number of columns the model was fitted on, or 0 before a fit.
func (m *Model) Dim() int { return m.s.D }

// Classes returns K.
func (m *Model) Classes() int { return m.s.K }

// Decision returns the scores s(x) of the rows of X (n x d): n x 1 for two classes, positive for class 1, and n x K otherwise. A score of
// Voted is a share of visits, from -1 to 1; the others have no unit.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (m *Model) Decision(X mat.Matrix) (*mat.Dense, error) {
	const op = "perceptron.Model.Decision"
	if err := estimator.CheckShape(op, X, m.s.D); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	if err := estimator.CheckRows(op, x, 0, n); err != nil {
		return nil, err
	}
	out, products := mat.NewDense(n, len(m.s.Machines), nil), m.products()
	for i := range n {
		m.decide(out.RawRowView(i), x.RawRowView(i), products)
	}
	return out, nil
}

// Predict returns the class, from 0, of each row of X (n x d): of two classes class 1 where s(x) > 0, otherwise the largest score.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (m *Model) Predict(X mat.Matrix) ([]int, error) {
	scores, err := m.Decision(X)
	if err != nil {
		return nil, fault.In("perceptron.Model.Predict", err)
	}
	n, _ := scores.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = m.label(scores.RawRowView(i))
	}
	return y, nil
}

func (m *Model) label(scores []float64) int {
	if m.s.K > 2 {
		return estimator.Argmax(scores)
	}
	if scores[0] > 0 {
		return 1
	}
	return 0
}

// Class returns the class, from 0, of one point of d coordinates, and -1 for a point of another length or with a NaN.
func (m *Model) Class(x ...float64) int {
	if len(x) != m.s.D || m.s.D == 0 || floats.HasNaN(x) {
		return -1
	}
	scores := make([]float64, len(m.s.Machines))
	m.decide(scores, x, m.products())
	return m.label(scores)
}

// Value returns s(x) of a model of two classes for one point of d coordinates, and NaN for a point of another length or of more classes.
func (m *Model) Value(x ...float64) float64 {
	if len(x) != m.s.D || m.s.K != 2 {
		return math.NaN()
	}
	return m.score(&m.s.Machines[0], x, m.fill(x))
}

func (m *Model) fill(x []float64) []float64 {
	products := m.products()
	if m.rows != nil {
		m.rows.Row(products, x)
	}
	return products
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

// MarshalBinary encodes the model.
func (m *Model) MarshalBinary() ([]byte, error) {
	s := m.s
	return estimator.Store("perceptron.Model", s.D, &s, &s.Names, m.Names)
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	var s state
	names, err := estimator.Restore(data, "perceptron.Model", &s, &s.Names, s.sound)
	if err != nil {
		return err
	}
	back, err := newModel(s)
	if err == nil {
		back.Names = names
		*m = *back
	}
	return err
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
