package svm

import "math"

// A Machine separates two classes. It holds one entry for each row it was trained on: all rows of its two classes with a positive weight.
type Machine struct {
	Negative, Positive int       // the classes, Negative < Positive; f(x) > 0 means Positive
	Rows               []int     // rows of the training X
	Alpha              []float64 // dual variables, 0 <= alpha <= Upper
	Upper              []float64 // C_i with linear slack, else +Inf
	// functional margins y_i f(x_i) of the training rows; nil in a model of more than two classes, where PairDecision tells f
	Margins        []float64
	Labels         []int   // y_i = +1 or -1
	B              float64 // bias
	Norm2          float64 // |w|^2 in feature space
	Certificate    Certificate
	PlattA, PlattB float64 // P(Positive | x) = 1/(1 + exp(PlattA f(x) + PlattB)); both 0 without Options.Probability
}

// Margin returns the geometric half width of the street, gamma = 1/|w|. For the hard margin it is the distance of the closest point.
func (m *Machine) Margin() float64 { return 1 / math.Sqrt(m.Norm2) }

// Slacks returns xi_i = max(0, 1 - y_i f(x_i)) of the rows that Margins has.
func (m *Machine) Slacks() []float64 {
	xi := make([]float64, len(m.Margins))
	for i, v := range m.Margins {
		xi[i] = math.Max(0, 1-v)
	}
	return xi
}

// A Role is the part a training row plays at the optimum.
type Role int

const (
	Idle    Role = iota // alpha = 0: on or beyond the margin, could be left out
	Free                // 0 < alpha < C: on the margin with linear slack and hard margin
	Bounded             // alpha = C: on the margin, inside it, or on the wrong side
)

// String returns "idle", "free" or "bounded".
func (r Role) String() string { return [...]string{"idle", "free", "bounded"}[r] }

// Role returns the part of training row i, an index into Rows.
func (m *Machine) Role(i int) Role {
	switch {
	case m.Alpha[i] == 0:
		return Idle
	case m.Alpha[i] >= m.Upper[i]:
		return Bounded
	}
	return Free
}
