package datasets

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"gonum.org/v1/gonum/mat"
)

// A Standardizer maps each column to (x - Mean) / Scale. Fit it on training data and apply it to the test data, so that nothing of the test
// data leaks into the model.
type Standardizer struct {
	Mean  []float64 // column means
	Scale []float64 // column standard deviations, with divisor n; 1 for a constant column, which is only centred
}

// FitStandardizer measures the columns of X (n x d). The standard deviation has the divisor n, as in scikit-learn's StandardScaler.
func FitStandardizer(X mat.Matrix) (*Standardizer, error) {
	if err := estimator.CheckX("datasets.FitStandardizer", X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	st := &Standardizer{Mean: make([]float64, d), Scale: make([]float64, d)}
	for j := range d {
		size := 0.0 // dividing by the largest value first keeps huge values from overflowing
		for i := range n {
			size = max(size, math.Abs(X.At(i, j)))
		}
		if size == 0 {
			size = 1
		}
		mean := 0.0
		for i := range n {
			mean += X.At(i, j) / size
		}
		mean /= float64(n)
		// The second sum is zero but for rounding; subtracting it is the corrected two-pass formula (Chan, Golub & LeVeque 1983).
		squares, rest := 0.0, 0.0
		for i := range n {
			t := X.At(i, j)/size - mean
			squares += t * t
			rest += t
		}
		variance := (squares - rest*rest/float64(n)) / float64(n)
		scale := math.Sqrt(max(variance, 0))
		if scale <= 1e-15*math.Abs(mean) || scale == 0 {
			scale = 1 / size
		}
		st.Mean[j], st.Scale[j] = mean*size, scale*size
	}
	return st, nil
}

// Dim returns d, the number of columns the standardizer was fitted on.
func (st *Standardizer) Dim() int { return len(st.Mean) }

// Transform returns the n x d matrix (X - Mean) / Scale.
func (st *Standardizer) Transform(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("datasets.Standardizer.Transform", X, st.Dim()); err != nil {
		return nil, err
	}
	var out mat.Dense
	out.Apply(func(_, j int, v float64) float64 { return (v - st.Mean[j]) / st.Scale[j] }, X)
	return &out, nil
}

// Inverse returns Z * Scale + Mean: the original units of standardised data.
func (st *Standardizer) Inverse(Z mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("datasets.Standardizer.Inverse", Z, st.Dim()); err != nil {
		return nil, err
	}
	var out mat.Dense
	out.Apply(func(_, j int, v float64) float64 { return v*st.Scale[j] + st.Mean[j] }, Z)
	return &out, nil
}

// String returns "Standardizer of 4 columns".
func (st *Standardizer) String() string { return fmt.Sprintf("Standardizer of %d columns", st.Dim()) }

// Standardizer returns the column means and standard deviations of s, to be applied to s or to other data. A broken set ends the cell;
// a program calls FitStandardizer(s.X).
func (s Set) Standardizer() *Standardizer {
	s, ok := s.step("Standardizer")
	if !ok {
		cell.Fail(s.Err())
		return nil
	}
	st, err := FitStandardizer(s.X)
	if err != nil {
		cell.Fail(s.fail(err).Err())
	}
	return st
}

// Standardize returns s with every column at mean 0 and standard deviation 1 (divisor n). For test data use StandardizeBy with the training
// set.
func (s Set) Standardize() Set {
	by := s
	s, ok := s.step("Standardize")
	if !ok {
		return s
	}
	return s.standardize(by)
}

// StandardizeBy returns s with the means and standard deviations of the training set taken out: test.StandardizeBy(train).
func (s Set) StandardizeBy(train Set) Set {
	s, ok := s.step("StandardizeBy", train)
	if !ok {
		return s
	}
	return s.standardize(train)
}

func (s Set) standardize(by Set) Set {
	if err := by.Err(); err != nil {
		return s.fail(err)
	}
	if err := by.CheckNumbers("Standardize"); err != nil {
		return s.fail(err)
	}
	st, err := FitStandardizer(by.X)
	if err != nil {
		return s.fail(err)
	}
	X, err := st.Transform(s.X)
	if err != nil {
		return s.fail(err)
	}
	s.X = X
	s.Units = make([]string, s.D())
	for j := range s.Units {
		s.Units[j] = "standardised"
	}
	return s
}
