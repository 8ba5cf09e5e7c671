package linear

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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

// as is what the spine sees of a model, or of a model that is a part of one of the named kind.
func (m *Model) as(kind string) estimator.Regression[*Model] {
	return estimator.Regression[*Model]{Model: m, Kind: "linear." + kind, D: m.s.D, Values: (*Model).heights}
}

func (m *Model) spine() estimator.Regression[*Model]     { return m.as("Model") }
func (f *Fit) spine() estimator.Regression[*Model]       { return f.as("Fit") }
func (m *RidgeFit) spine() estimator.Regression[*Model]  { return m.as("RidgeFit") }
func (m *LassoFit) spine() estimator.Regression[*Model]  { return m.as("LassoFit") }
func (m *NormFit) spine() estimator.Regression[*Model]   { return m.as("NormFit") }
func (m *RobustFit) spine() estimator.Regression[*Model] { return m.as("RobustFit") }

// heights writes b + w x of each row.
func (m *Model) heights(y, x []float64) {
	for i := range y {
		y[i] = m.s.Intercept + dot(m.s.Coefficients, x[i*m.s.D:(i+1)*m.s.D])
	}
}

// Coefficients returns the d numbers w.
func (m *Model) Coefficients() []float64 { return slices.Clone(m.s.Coefficients) }

// Intercept returns b, 0 for a model without one.
func (m *Model) Intercept() float64 { return m.s.Intercept }

// Residuals returns y_i - b - x_i w of each row of X.
func (m *Model) Residuals(X mat.Matrix, y []float64) ([]float64, error) {
	const op = "linear.Model.Residuals"
	out, err := m.Predict(X)
	if err != nil {
		return nil, fault.In(op, err)
	}
	if err := estimator.CheckTargets(op, y, len(out)); err != nil {
		return nil, err
	}
	for i, v := range y {
		out[i] = v - out[i]
	}
	return out, nil
}

// String returns a line such as "least squares, 10 features".
func (m *Model) String() string {
	if m.s.D == 1 {
		return m.s.Method + ", 1 feature"
	}
	return fmt.Sprintf("%s, %d features", m.s.Method, m.s.D)
}

// An IterationError says that a fit had not come to an end after the allowed number of iterations, and hands over what it has reached.
type IterationError[M any] struct {
	Func       string
	Iterations int
	Model      M
}

// Error names the numbers and the ways out.
func (e *IterationError[M]) Error() string {
	return fmt.Sprintf("%s: no end after %d iterations; raise MaxIter or Tol, or standardise the columns", e.Func, e.Iterations)
}
