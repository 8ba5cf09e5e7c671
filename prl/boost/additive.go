package boost

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Term is one summand of an additive score: a height for each bin of a feature, or a linear function.
type Term struct {
	Feature int
	Cuts    []float64 // rising; bin b holds the x with Cuts[b-1] < x <= Cuts[b]; nil for a linear term
	Heights []float64 // one for each of the len(Cuts) + 1 bins; of a linear term the intercept and d coefficients
	// the weights p_b of the rows of class 1 and q_b of those of class 0 in each bin when the term was chosen; nil for a linear term
	Positive, Negative []float64
	Loss               float64 // the mean loss of the score on the data of the fit, with this term
}

// At returns the value of the term for a row.
func (t *Term) At(x []float64) float64 {
	if t.Cuts == nil {
		f := t.Heights[0]
		for j, v := range x {
			f += t.Heights[j+1] * v
		}
		return f
	}
	return t.Heights[binOf(t.Cuts, x[t.Feature])]
}

// Overlap returns 2 sum_b sqrt(p_b q_b), the least factor sum_b p_b exp(-h_b) + q_b exp(h_b) of the exponential loss that any heights
// reach. It is 1 where the masses of each bin are equal, and 0 where each bin has one class.
func (t *Term) Overlap() float64 {
	sum := 0.0
	for b, p := range t.Positive {
		sum += 2 * math.Sqrt(p*t.Negative[b])
	}
	return sum
}

// clone returns a copy that shares nothing with t.
func (t *Term) clone() Term {
	c := *t
	c.Cuts, c.Heights = slices.Clone(t.Cuts), slices.Clone(t.Heights)
	c.Positive, c.Negative = slices.Clone(t.Positive), slices.Clone(t.Negative)
	return c
}

// sound reports whether the term fits d features.
func (t *Term) sound(d int) bool {
	ok := finite(t.Heights...) && finite(t.Cuts...) && slices.IsSorted(t.Cuts)
	if t.Cuts == nil {
		return ok && len(t.Heights) == d+1
	}
	return ok && t.Feature >= 0 && t.Feature < d && len(t.Cuts) > 0 && len(t.Cuts) <= 253 && len(t.Heights) == len(t.Cuts)+1
}

// additiveState is what is stored: new fields at the end.
type additiveState struct {
	D     int
	Kind  string // "RealBoost", "GentleBoost" or "LogitBoost"
	Terms []Term
	Stop  Stop
	Names estimator.Names // in storage only
}

// An Additive is a classifier of two classes by the score F(x) = sum_t f_t(x), half the logarithm of the odds of class 1. It is immutable
// and safe for concurrent use.
type Additive struct {
	estimator.Names
	s additiveState
}

// spine gives the model the methods that all classifiers have.
func (m *Additive) spine() estimator.Discriminant[*Additive] {
	return estimator.Discriminant[*Additive]{
		Classification: estimator.Classification[*Additive]{
			Model: m, Kind: "boost.Additive", D: m.s.D, K: min(2*m.s.D, 2), Cost: 10 * float64(len(m.s.Terms)),
			Scores: func(m *Additive, scores, x []float64) {
				for d := m.s.D; len(scores) > 0; scores, x = scores[2:], x[d:] {
					scores[0], scores[1] = 0, 2*m.s.score(x[:d])
				}
			},
		},
		Against0: true,
	}
}

// score returns F of a row.
func (s *additiveState) score(x []float64) float64 {
	f := 0.0
	for t := range s.Terms {
		f += s.Terms[t].At(x)
	}
	return f
}

// Len returns the number of terms.
func (m *Additive) Len() int { return len(m.s.Terms) }

// Stop says why boosting ended.
func (m *Additive) Stop() Stop { return m.s.Stop }

// Terms returns copies of the terms in order.
func (m *Additive) Terms() []Term {
	list := make([]Term, len(m.s.Terms))
	for t := range list {
		list[t] = m.s.Terms[t].clone()
	}
	return list
}

// First returns the model of the first t terms.
//
// Errors: t that is not 0 ... Len.
func (m *Additive) First(t int) (*Additive, error) {
	if err := estimator.CheckCount("boost.Additive.First", "t", t, 0, m.Len()); err != nil {
		return nil, err
	}
	s := m.s
	s.Terms = s.Terms[:t:t]
	return &Additive{m.Names, s}, nil
}

// Staged returns the shares of the rows of X (n x d) with labels y whose class is wrong after 0, 1, ... terms. As in Trace.Error a score of
// zero counts as an error, so the first is 1.
//
// Errors: X or labels that do not fit the model.
func (m *Additive) Staged(X mat.Matrix, y []int) ([]float64, error) {
	const op = "boost.Additive.Staged"
	if err := checkData(op, X, m.s.D, false, "y", len(y), nil); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	out := make([]float64, m.Len()+1)
	for i, c := range y {
		if c < 0 || c > 1 {
			return nil, fault.Argument(op, fmt.Sprintf("y[%d]", i), c, "class 0 or 1", "")
		}
		f := 0.0
		for t := range out {
			if f*sign(c) <= 0 {
				out[t]++
			}
			if t < m.Len() {
				f += m.s.Terms[t].At(x.RawRowView(i))
			}
		}
	}
	for t := range out {
		out[t] /= float64(len(y))
	}
	return out, nil
}

// String returns a line such as "RealBoost: 50 terms, loss 0.31 (all rounds done)".
func (m *Additive) String() string {
	loss := math.NaN()
	if n := m.Len(); n > 0 {
		loss = m.s.Terms[n-1].Loss
	}
	return fmt.Sprintf("%s: %d terms, loss %.4g (%s)", m.s.Kind, m.Len(), loss, m.s.Stop)
}

// sound reports whether the parts of a stored model fit together.
func (s *additiveState) sound() bool {
	ok := s.D > 0 && s.Stop >= AllRounds && s.Stop <= NoProgress
	for t := range s.Terms {
		ok = ok && s.Terms[t].sound(s.D)
	}
	return ok
}
