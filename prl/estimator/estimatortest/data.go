package estimatortest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// Data are what one fit gets. Which fields are used depends on the case.
type Data struct {
	X        mat.Matrix
	Y        []int
	Target   []float64
	Symbols  [][]int
	Series   []mat.Matrix
	Weights  []float64
	Progress estimator.ProgressFunc
}

// sample returns n observations of which a method of the case can learn: classes that overlap a little.
func (c Case) sample(n, d int, seed uint64) Data { return c.draw(n, d, seed, 2.7) }

// draw puts the mean of each class at apart, in standard deviations, along columns of its own and at zero along the others.
func (c Case) draw(n, d int, seed uint64, apart float64) Data {
	r := rand.New(rand.NewPCG(seed, 1))
	out := Data{Y: make([]int, n)}
	for i := range out.Y {
		out.Y[i] = i % c.classes
	}
	switch c.form {
	case symbols:
		// Class c prefers symbol c.
		for i := range n {
			var seq []int
			for len(seq) < 9 {
				symbol := out.Y[i]
				if r.Float64() > 0.7 {
					symbol = r.IntN(3)
				}
				seq = append(seq, symbol)
			}
			out.Symbols = append(out.Symbols, seq)
		}
	case series:
		for range n {
			m, at := mat.NewDense(12, 2, nil), 0.0
			for t := range 12 {
				if r.Float64() < 0.2 {
					at = 5 - at
				}
				m.SetRow(t, []float64{at + r.NormFloat64(), at/2 + r.NormFloat64()})
			}
			out.Series = append(out.Series, m)
		}
	default:
		X := mat.NewDense(n, d, nil)
		out.Target = make([]float64, n)
		for i := range n {
			for j := range d {
				centre := 0.0
				if j%c.classes == out.Y[i] {
					centre = apart
				}
				v := centre + r.NormFloat64()*(1+0.1*float64(j))
				if c.counts {
					v = max(0, math.Round(v))
				}
				X.Set(i, j, v)
			}
			out.Target[i] = 3*float64(out.Y[i]) + 0.1*X.At(i, 0)
		}
		out.X = X
	}
	return out
}

// standard is the sample of most checks.
func (c Case) standard() Data {
	if c.form == series {
		return c.sample(8, 2, 7)
	}
	return c.sample(42, 3, 7)
}

// small is a sample whose model takes few bytes.
func (c Case) small() Data {
	if c.form == series {
		return c.sample(3, 2, 5)
	}
	return c.sample(12, 2, 5)
}

// len returns the number of observations.
func (d Data) len() int {
	switch {
	case d.X != nil:
		n, _ := d.X.Dims()
		return n
	case d.Symbols != nil:
		return len(d.Symbols)
	}
	return len(d.Series)
}

// pick returns copies of the given observations with their labels, targets and weights.
func (d Data) pick(index ...int) Data {
	out := Data{Progress: d.Progress}
	if d.X != nil {
		_, width := d.X.Dims()
		X := mat.NewDense(len(index), width, nil)
		for to, from := range index {
			X.SetRow(to, mat.Row(nil, from, d.X))
		}
		out.X = X
	}
	for _, i := range index {
		if d.Y != nil {
			out.Y = append(out.Y, d.Y[i])
		}
		if d.Target != nil {
			out.Target = append(out.Target, d.Target[i])
		}
		if d.Symbols != nil {
			out.Symbols = append(out.Symbols, append([]int(nil), d.Symbols[i]...))
		}
		if d.Series != nil {
			out.Series = append(out.Series, mat.DenseCopyOf(d.Series[i]))
		}
		if d.Weights != nil {
			out.Weights = append(out.Weights, d.Weights[i])
		}
	}
	return out
}

// clone returns a deep copy.
func (d Data) clone() Data {
	all := make([]int, d.len())
	for i := range all {
		all[i] = i
	}
	return d.pick(all...)
}

// with returns the data with another X.
func (d Data) with(X mat.Matrix) Data { d.X = X; return d }

// set returns the data with entry (i, j) of a copy of X, or of the first of the series, changed.
func (d Data) set(i, j int, v float64) Data {
	d = d.clone()
	if d.X != nil {
		d.X.(*mat.Dense).Set(i, j, v)
	} else {
		d.Series[0].(*mat.Dense).Set(i, j, v)
	}
	return d
}

// scaled returns the data with X multiplied by c.
func (d Data) scaled(c float64) Data {
	d = d.clone()
	d.X.(*mat.Dense).Scale(c, d.X)
	return d
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func replaced[T any](x []T, i int, v T) []T {
	out := append([]T(nil), x...)
	out[i] = v
	return out
}

// rowMajor is a matrix that only satisfies mat.Matrix.
type rowMajor struct {
	data [][]float64
}

func plain(X mat.Matrix) mat.Matrix {
	n, _ := X.Dims()
	m := rowMajor{}
	for i := range n {
		m.data = append(m.data, mat.Row(nil, i, X))
	}
	return m
}

func (m rowMajor) Dims() (r, c int)    { return len(m.data), len(m.data[0]) }
func (m rowMajor) At(i, j int) float64 { return m.data[i][j] }
func (m rowMajor) T() mat.Matrix       { return mat.Transpose{Matrix: m} }

// strided returns X as a part of a larger matrix whose other entries are NaN.
func strided(X mat.Matrix) mat.Matrix {
	n, d := X.Dims()
	big := mat.NewDense(n+2, d+3, nil)
	for i := range n + 2 {
		for j := range d + 3 {
			big.Set(i, j, math.NaN())
		}
	}
	part := big.Slice(1, n+1, 2, d+2).(*mat.Dense)
	part.Copy(X)
	return part
}

// transposed returns X as the transpose of a matrix.
func transposed(X mat.Matrix) mat.Matrix { return mat.DenseCopyOf(X.T()).T() }
