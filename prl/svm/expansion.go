package svm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// An expansion is the function f(x) = sum_i beta_i K(x_i, x) + b that a fit without classes found.
type expansion struct {
	estimator.Names
	of *Model // f as its only machine; nil before a fit
}

// expand makes the function of the coefficients of the given rows of X. The certificate, b and |w|^2 are those of out.
func expand(X *mat.Dense, rows []int, beta []float64, k kernel.Kernel, out pair) (expansion, error) {
	for i, b := range beta {
		if b != 0 {
			out.Support, out.Coef = append(out.Support, int32(rows[i])), append(out.Coef, b)
		}
	}
	m, err := newModel(X, nil, 2, []pair{out}, &Options{Kernel: k})
	return expansion{of: m}, err
}

// Dim returns d, or n for a precomputed kernel.
func (e *expansion) Dim() int {
	if e.of == nil {
		return 0
	}
	return e.of.D
}

// fitted returns the function, a model that predicts nothing before a fit.
func (e *expansion) fitted() *Model {
	if e.of == nil {
		return &Model{}
	}
	return e.of
}

// Kernel returns the kernel of the fit.
func (e *expansion) Kernel() kernel.Kernel { return e.fitted().state.Kernel }

// Coefficients returns beta of the support vectors, in the order of SupportRows; that of the other rows is 0.
func (e *expansion) Coefficients() []float64 { return slices.Clone(e.fitted().first().Coef) }

// Bias returns b.
func (e *expansion) Bias() float64 { return e.fitted().Bias() }

// Norm2 returns |w|^2 in feature space.
func (e *expansion) Norm2() float64 { return e.fitted().Norm2() }

// Certificate returns the proof of optimality.
func (e *expansion) Certificate() Certificate { return e.fitted().Certificate() }

// SupportRows returns the rows of the training X that are support vectors, ascending.
func (e *expansion) SupportRows() []int { return e.fitted().SupportRows() }

// SupportVectors returns them as a matrix (rows x d); nil with a precomputed kernel.
func (e *expansion) SupportVectors() *mat.Dense { return e.fitted().SupportVectors() }

// Weights returns w, which exists in input space for the linear kernel only; otherwise an error.
func (e *expansion) Weights() ([]float64, error) {
	w, err := e.fitted().Weights()
	if err != nil {
		return nil, err
	}
	return w[0], nil
}

// Value returns f(x), and NaN when x has the wrong length.
func (e *expansion) Value(x ...float64) float64 {
	if e.of == nil {
		return math.NaN()
	}
	return e.of.Value(x...)
}

// values returns f of the rows of X.
func (e *expansion) values(fn string, X mat.Matrix) ([]float64, error) {
	if err := estimator.CheckWidth(fn, X, e.Dim()); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := make([]float64, n)
	e.of.each(X, func(i int, f, _ []float64) { out[i] = f[0] })
	return out, nil
}

// expansionState is an expansion in storage.
type expansionState struct {
	Kernel      kernel.Kernel
	D, N        int
	Rows        []int     // the support vectors, ascending
	Coef        []float64 // their beta
	SV          []float64 // nil with a precomputed kernel
	B, Norm2    float64
	Certificate Certificate
	Names       estimator.Names
}

func (e *expansion) store() expansionState {
	m := e.fitted()
	p := m.first()
	return expansionState{
		Kernel: m.state.Kernel, D: m.D, N: m.N, Rows: m.Rows, Coef: p.Coef, SV: m.points(), B: p.B, Norm2: p.Norm2,
		Certificate: p.Certificate, Names: e.Names,
	}
}

// restore reads an expansion, and guards against a damaged file that still decodes.
func (s *expansionState) restore(kind string) (expansion, error) {
	damaged := fmt.Errorf("%s: decode: the data is damaged; fit the model again", kind)
	if s.D < 1 || s.N < 1 || len(s.Coef) != len(s.Rows) {
		return expansion{}, damaged
	}
	for k, r := range s.Rows {
		if r < 0 || r >= s.N || k > 0 && r <= s.Rows[k-1] {
			return expansion{}, damaged
		}
	}
	m := &Model{state: state{Kernel: s.Kernel, D: s.D, K: 2, N: s.N, Rows: s.Rows}}
	p := pair{Coef: s.Coef, Support: make([]int32, len(s.Rows)), B: s.B, Norm2: s.Norm2, Certificate: s.Certificate}
	for k := range p.Support {
		p.Support[k] = int32(k)
	}
	m.Machines = []pair{p}
	if _, precomputed := s.Kernel.(kernel.Precomputed); precomputed && (s.SV != nil || s.D != s.N) ||
		!precomputed && !estimator.Fits(len(s.SV), len(s.Rows), s.D) {
		return expansion{}, damaged
	}
	if err := kernel.Check(kind, s.Kernel); err != nil {
		return expansion{}, fmt.Errorf("%s: decode: %w", kind, err)
	}
	if len(s.SV) > 0 {
		if err := m.prepare(mat.NewDense(len(s.Rows), s.D, s.SV), nil); err != nil {
			return expansion{}, fmt.Errorf("%s: decode: %w", kind, err)
		}
	}
	return expansion{Names: s.Names, of: m}, nil
}

// present returns the rows of positive weight, and the prices of their slack.
func present(n int, weights []float64, c float64) (rows []int, prices []float64) {
	for i := range n {
		switch {
		case weights == nil:
			rows, prices = append(rows, i), append(prices, c)
		case weights[i] > 0:
			rows, prices = append(rows, i), append(prices, c*weights[i])
		}
	}
	return rows, prices
}

// checkRows reports data that a fit without classes cannot use.
func checkRows(fn string, X mat.Matrix, k kernel.Kernel, weights []float64) (*mat.Dense, error) {
	if err := estimator.CheckX(fn, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := estimator.CheckWeights(fn, weights, n); err != nil {
		return nil, err
	}
	if weights != nil && !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) {
		return nil, fault.Argument(fn, "Weights", "zero for all rows", "positive for at least one row", "")
	}
	dense := estimator.Dense(X)
	if _, ok := k.(kernel.Precomputed); ok {
		return dense, checkGram(fn, dense)
	}
	return dense, nil
}

// reporter passes the dual objective on.
func reporter(progress estimator.ProgressFunc, limit int) func(int, float64) {
	if progress == nil {
		return nil
	}
	return func(iteration int, dual float64) {
		progress(estimator.Progress{Iteration: iteration, Of: limit, Objective: dual})
	}
}
