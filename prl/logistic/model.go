package logistic

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Model holds the log-odds of each class against class 0, as linear functions of d features. It is immutable and safe for concurrent use.
type Model struct {
	estimator.Names
	s          modelState
	covariance func() []float64 // computed when somebody asks for it first
}

type modelState struct {
	Names               estimator.Names
	D, Classes          int
	Intercept           bool
	Theta               []float64 // K-1 times: intercept, coefficients
	Covariance          []float64 // of Theta; nil where the curvature has vanished; here in what is kept only
	LogLikelihood, Null float64
	Rows, L2            float64
	Iterations          int
}

func (p *problem) model(s *state, o Options) *Model {
	m := modelState{
		D: p.d, Classes: p.q + 1, Intercept: p.intercept, Theta: p.outside(s.theta),
		Rows: p.total() * p.unit, L2: o.L2, Iterations: s.iterations,
	}
	plain := *p
	plain.ridge = make([]float64, p.p)
	at := &state{theta: make([]float64, len(s.theta))}
	plain.evaluate(at, s.theta, false)
	m.LogLikelihood = at.value * p.unit
	shares := make([]float64, p.q+1)
	for i, k := range p.y {
		shares[k] += p.weight(i) / p.total()
	}
	for _, v := range shares {
		fitted := v
		if !p.intercept {
			fitted = 1 / float64(p.q+1)
		}
		m.Null += v * math.Log(fitted) * m.Rows
	}
	return &Model{s: m, covariance: p.later(s)}
}

// later returns what computes the covariance, with the matrix of second derivatives, or with the rows where that would be larger.
func (p *problem) later(s *state) func() []float64 {
	kept, theta, hessian := *p, s.theta, s.hessian
	kept.y, kept.kernel = nil, nil
	if hessian != nil {
		kept.x, kept.w = nil, nil
	}
	return sync.OnceValue(func() []float64 {
		if hessian == nil {
			kept.y = make([]int, kept.n) // the curvature does not depend on the classes
			at := kept.newState()
			kept.evaluate(at, theta, true)
			hessian = at.hessian
		}
		return kept.covariance(hessian)
	})
}

// Intercept returns b_k of the log-odds b_k + w_k x of class k against class 0, and 0 for class 0.
func (m *Model) Intercept(k int) float64 {
	if theta := m.theta(k); theta != nil && m.s.Intercept {
		return theta[0]
	}
	return 0
}

// Coefficients returns the d numbers w_k of the log-odds b_k + w_k x of class k against class 0, zeros for class 0, and nil for a class
// that there is not. A feature that grows by one multiplies the odds by exp(w).
func (m *Model) Coefficients(k int) []float64 {
	if k == 0 && m.s.D > 0 {
		return make([]float64, m.s.D)
	}
	theta := m.theta(k)
	if theta == nil {
		return nil
	}
	return slices.Clone(theta[len(theta)-m.s.D:])
}

// width returns the number of coefficients of a class.
func (m *Model) width() int {
	if m.s.Intercept {
		return m.s.D + 1
	}
	return m.s.D
}

func (m *Model) theta(k int) []float64 {
	if k < 1 || k >= m.s.Classes {
		return nil
	}
	return m.s.Theta[(k-1)*m.width() : k*m.width()]
}

// Theta returns all coefficients: for each class but the first its intercept, where there is one, and its d coefficients.
func (m *Model) Theta() []float64 { return slices.Clone(m.s.Theta) }

// Covariance returns the inverse of the second derivatives of minus the objective with respect to Theta: of maximum likelihood estimates
// the asymptotic covariance, with a penalty that of Laplace's approximation of the posterior. It is nil where the rows are so certain that
// the curvature has vanished in float64.
func (m *Model) Covariance() *mat.SymDense {
	c := m.uncertainty()
	if c == nil {
		return nil
	}
	return mat.NewSymDense(len(m.s.Theta), slices.Clone(c))
}

// uncertainty returns the covariance as it stands.
func (m *Model) uncertainty() []float64 {
	if m.covariance == nil {
		return nil
	}
	return m.covariance()
}

// StandardErrors returns the roots of the diagonal of Covariance, or nil.
func (m *Model) StandardErrors() []float64 {
	n, c := len(m.s.Theta), m.uncertainty()
	if c == nil {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Sqrt(max(0, c[i*n+i]))
	}
	return out
}

// LogLikelihood returns sum_i w_i log p(y_i | x_i) of the rows of the fit, in nats, without the penalty.
func (m *Model) LogLikelihood() float64 { return m.s.LogLikelihood }

// Deviance returns -2 LogLikelihood.
func (m *Model) Deviance() float64 { return -2 * m.s.LogLikelihood }

// NullDeviance returns the deviance of the model of intercepts alone, or of equal probabilities where there are none.
func (m *Model) NullDeviance() float64 { return -2 * m.s.Null }

// Iterations returns the number of Newton steps.
func (m *Model) Iterations() int { return m.s.Iterations }

// spine gives the model the methods that all classifiers have.
func (m *Model) spine() estimator.Discriminant[*Model] {
	return estimator.Discriminant[*Model]{Against0: true, Classification: estimator.Classification[*Model]{
		Model: m, Kind: "logistic.Model", D: m.s.D, K: m.s.Classes, Scores: (*Model).scores,
	}}
}

// scores fills z with 0 and the log-odds of the other classes, for each row of x.
func (m *Model) scores(z, x []float64) {
	d := m.s.D
	for ; len(x) > 0; x, z = x[d:], z[m.s.Classes:] {
		z[0] = 0
		for k := 1; k < m.s.Classes; k++ {
			theta := m.theta(k)
			z[k] = floats.Dot(theta[len(theta)-d:], x[:d])
			if m.s.Intercept {
				z[k] += theta[0]
			}
			z[k] = max(-math.MaxFloat64, min(math.MaxFloat64, z[k]))
		}
	}
}

// Averaged returns, for two classes, the n probabilities of class 1 averaged over the normal approximation N(theta, Covariance) of what the
// data leave open,
//
//	sigma(mu / sqrt(1 + pi s^2 / 8)),  mu = theta x,  s^2 = x^T Covariance x,
//
// which is at most 0.0172 away from the average of sigma. Source: D. MacKay, The evidence framework applied to classification networks,
// Neural Computation 4 (1992), equation 10.
//
// Errors: unusable data; another number of classes than two; a model without Covariance.
func (m *Model) Averaged(X mat.Matrix) ([]float64, error) {
	const name = "logistic.Model.Averaged"
	if err := estimator.CheckWidth(name, X, m.s.D); err != nil {
		return nil, err
	}
	if m.s.Classes != 2 || m.uncertainty() == nil {
		return nil, fault.Argument(name, "the model", fmt.Sprintf("of %d classes", m.s.Classes), "of two classes with a covariance", "")
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	x := estimator.Dense(X)
	for i := range n {
		mu, variance := m.logOdds(x.RawRowView(i))
		out[i] = Sigmoid(mu / math.Sqrt(1+math.Pi*variance/8))
	}
	return out, nil
}

// logOdds returns the log-odds of class 1 of two at x, and their variance.
func (m *Model) logOdds(x []float64) (mu, variance float64) {
	a, c := m.contrast(x), m.uncertainty()
	mu = floats.Dot(a, m.s.Theta)
	for i, v := range a {
		variance += v * floats.Dot(a, c[i*len(a):(i+1)*len(a)])
	}
	return mu, max(0, variance)
}

// contrast returns x with a one before it where there is an intercept.
func (m *Model) contrast(x []float64) []float64 {
	if m.s.Intercept {
		return append([]float64{1}, x...)
	}
	return slices.Clone(x)
}

// Sigmoid returns 1/(1 + exp(-t)) without overflow.
func Sigmoid(t float64) float64 {
	if t < 0 {
		e := math.Exp(t)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-t))
}

// String returns "logistic regression of 2 classes on 1 features, log-likelihood -10.16".
func (m *Model) String() string {
	name := "logistic regression"
	if m.s.Classes > 2 {
		name = "softmax regression"
	}
	return fmt.Sprintf("%s of %d classes on %d features, log-likelihood %.4g", name, m.s.Classes, m.s.D, m.s.LogLikelihood)
}

const modelVersion = 1

// MarshalBinary encodes the model with its layout version.
func (m *Model) MarshalBinary() ([]byte, error) {
	if m.s.Classes == 0 {
		return nil, estimator.Unfitted("logistic.Model.MarshalBinary")
	}
	s := m.s
	s.Names, s.Covariance = m.Names, m.uncertainty()
	return estimator.Encode("logistic.Model", modelVersion, s)
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	var s modelState
	if err := estimator.Decode(data, "logistic.Model", modelVersion, &s); err != nil {
		return err
	}
	read := Model{Names: s.Names, s: s, covariance: func() []float64 { return s.Covariance }}
	read.s.Names, read.s.Covariance = estimator.Names{}, nil
	size := len(s.Theta)
	switch {
	case s.D < 1 || s.Classes < 2 || !estimator.Fits(size, s.Classes-1, read.width()):
		return fmt.Errorf("logistic.Model: decode: the coefficients do not fit the classes and features")
	case s.Covariance != nil && !estimator.Fits(len(s.Covariance), size, size):
		return fmt.Errorf("logistic.Model: decode: the covariance does not fit the coefficients")
	case s.Iterations < 0:
		return fmt.Errorf("logistic.Model: decode: fewer than no iterations")
	}
	for _, list := range [][]float64{s.Theta, s.Covariance, {s.LogLikelihood, s.Null, s.Rows, s.L2}} {
		for _, v := range list {
			if v-v != 0 {
				return fmt.Errorf("logistic.Model: decode: %v is not a finite number", v)
			}
		}
	}
	*m = read
	return nil
}
