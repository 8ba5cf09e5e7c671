package linear

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// A Model is a linear function of d features, b + w x. It is immutable and safe for concurrent use.
type Model struct {
	estimator.Names
	s modelState
}

type modelState struct {
	Names        estimator.Names
	Method       string
	D            int
	Coefficients []float64
	Intercept    float64
	HasIntercept bool
}

func newModel(method string, coefficients []float64, intercept float64, has bool) Model {
	if !has {
		intercept = 0
	}
	return Model{s: modelState{Method: method, D: len(coefficients), Coefficients: coefficients, Intercept: intercept, HasIntercept: has}}
}

// Dim returns d.
func (m *Model) Dim() int { return m.s.D }

// Coefficients returns the d numbers w.
func (m *Model) Coefficients() []float64 { return slices.Clone(m.s.Coefficients) }

// Intercept returns b, 0 for a model without one.
func (m *Model) Intercept() float64 { return m.s.Intercept }

// Predict returns b + w x of each row x of X (n x d).
func (m *Model) Predict(X mat.Matrix) ([]float64, error) { return m.predict("linear.Model.Predict", X) }

func (m *Model) predict(op string, X mat.Matrix) ([]float64, error) {
	if err := estimator.CheckWidth(op, X, m.s.D); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		v := m.s.Intercept
		for j, u := range x.RawRowView(i) {
			v += m.s.Coefficients[j] * u
		}
		out[i] = v
	}
	return out, nil
}

// Residuals returns y_i - b - x_i w of each row of X.
func (m *Model) Residuals(X mat.Matrix, y []float64) ([]float64, error) {
	out, err := m.predict("linear.Model.Residuals", X)
	if err != nil {
		return nil, err
	}
	if err := checkTarget("linear.Model.Residuals", y, len(out)); err != nil {
		return nil, err
	}
	for i, v := range y {
		out[i] = v - out[i]
	}
	return out, nil
}

// String returns a line such as "least squares, 10 features".
func (m *Model) String() string { return fmt.Sprintf("%s, %d features", m.s.Method, m.s.D) }
