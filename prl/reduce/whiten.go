package reduce

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Form is one of the maps A with A Sigma A^T = I. They differ by a rotation.
type Form int

const (
	// Axes is A = D^-1/2 U^T with Sigma = U D U^T: rotate to the principal axes, then scale.
	Axes Form = iota
	// ZCA is the symmetric root A = U D^-1/2 U^T: of all forms the one that moves the data least.
	ZCA
	// Triangular is A = L^-1 with the Cholesky factor Sigma = L L^T.
	Triangular
)

func (f Form) String() string { return [...]string{"axes", "ZCA", "triangular"}[f] }

// WhitenOptions are the settings of FitWhitening. The zero value is the default.
type WhitenOptions struct {
	Form       Form      // default Axes
	Divisor    Divisor   // default Sample; with Labels the divisor is n-K (Sample) or n (Population)
	Labels     []int     // nil: whiten the covariance of all rows. Otherwise the pooled covariance within the classes (the LDA transform).
	Regularise float64   // gamma >= 0, adds gamma tr(Sigma)/d to the diagonal; default 0
	Weights    []float64 // n sample weights; nil means ones
}

// A Whitening is the map x -> A (x - m) under which the covariance is the identity: ||A(x - m)||^2 is the Mahalanobis distance
// (x - m)^T Sigma^-1 (x - m). Source: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2009, section 4.3.2.
type Whitening struct {
	estimator.Names
	state   whiteningState
	a, back *mat.Dense // A^T, so that rows multiply from the left, and its inverse
}

type whiteningState struct {
	D       int
	Form    Form
	Mean    []float64
	A, Back []float64
	Names   estimator.Names // in storage only: Whitening.Names holds them
}

// FitWhitening returns the whitening of X (n x d). It fails on a singular covariance: regularise, or reduce with PCA first.
func FitWhitening(ctx context.Context, X mat.Matrix, opts WhitenOptions) (*Whitening, error) {
	const name = "reduce.FitWhitening"
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkGamma(name, opts.Regularise); err != nil {
		return nil, err
	}
	if opts.Divisor != Sample && opts.Divisor != Population {
		return nil, fault.Argument(name, "Divisor", int(opts.Divisor), "Sample or Population", "")
	}
	var cov *mat.SymDense
	var mean []float64
	if opts.Labels != nil {
		x, y, w, k, err := labelled(ctx, name, X, opts.Labels, opts.Weights)
		if err != nil {
			return nil, err
		}
		sizes, means, rests := classMeans(x, y, w, k)
		var sum float64
		mean, _, sum = weightedMean(x, w)
		if cov, err = scatterWithin(ctx, name, x, y, w, sizes, means, rests); err != nil {
			return nil, err
		}
		by := sum
		if opts.Divisor == Sample {
			if by = sum - float64(k); by <= 0 {
				return nil, fault.Argument(
					name,
					"X",
					fmt.Sprintf("of total weight %v in %d classes", sum, k),
					"data of total weight above the number of classes",
					"set Divisor to Population",
				)
			}
		}
		cov.ScaleSym(1/by, cov)
	} else {
		x, w, m, rest, sum, err := unlabelled(ctx, name, X, opts.Weights)
		if err != nil {
			return nil, err
		}
		mean = m
		by, err := divisor(name, opts.Divisor, sum)
		if err != nil {
			return nil, err
		}
		if cov, err = scatterAbout(ctx, name, x, nil, w, func(int) []float64 { return mean }); err != nil {
			return nil, err
		}
		recentre(cov, sum, rest)
		cov.ScaleSym(1/by, cov)
	}
	n, d := X.Dims()
	return whitening(ctx, name, mean, regularise(cov, opts.Regularise), n > d, opts.Form)
}

// WhiteningOf returns the whitening of a distribution whose mean (d numbers) and covariance (d x d) are known.
func WhiteningOf(mean []float64, cov mat.Symmetric, form Form) (*Whitening, error) {
	const name = "reduce.WhiteningOf"
	own, err := known(name, mean, cov)
	if err != nil {
		return nil, err
	}
	return whitening(context.Background(), name, append([]float64(nil), mean...), own, true, form)
}

// whitening returns the whitening of a covariance that is not used afterwards; full says that it could have full rank.
func whitening(ctx context.Context, name string, mean []float64, cov *mat.SymDense, full bool, form Form) (*Whitening, error) {
	d := len(mean)
	remedy := "set Regularise to 0.01, or reduce the data with PCA first"
	var at, back *mat.Dense
	switch form {
	case Triangular:
		f, err := factorise(name, "the covariance of X", cov, 0, remedy, full)
		if err != nil {
			return nil, err
		}
		back = mat.NewDense(d, d, nil)
		for i := range d {
			for j := range i + 1 {
				back.Set(j, i, f.scale[i]*f.l.Data[i*f.l.Stride+j]) // row form: z -> z L^T
			}
		}
		id := mat.NewDense(d, d, nil)
		for i := range d {
			id.Set(i, i, 1)
		}
		at = f.unwhiten(id)
	case Axes, ZCA:
		values, u, err := spectrum(ctx, name, cov, d)
		if err != nil {
			return nil, err
		}
		// With its columns at unit length, the condition of the covariance is at most d times as large (van der Sluis, Numerische Mathematik
		// 14, 1969), and in the norm of factorise d times that.
		if !(float64(d)*float64(d)*values[0] < maxCondition*values[d-1]) {
			if _, err := factorise(name, "the covariance of X", cov, 0, remedy, full); err != nil {
				return nil, err
			}
		}
		if !(values[d-1] > 0) {
			return nil, fault.Argument(name, "the covariance of X", fmt.Sprintf("with eigenvalue %.3g", values[d-1]), "positive definite", remedy)
		}
		at, back = u, mat.DenseCopyOf(u.T())
		if form == ZCA {
			at = mat.DenseCopyOf(u)
		}
		roots := make([]float64, d)
		for j, v := range values {
			roots[j] = math.Sqrt(v)
			floats.Scale(roots[j], back.RawRowView(j))
		}
		for i := range d {
			floats.Div(at.RawRowView(i), roots)
		}
		if form == ZCA {
			at, back = product(at, u.T()), product(u, back)
		}
	default:
		return nil, fault.Argument(name, "Form", int(form), "Axes, ZCA or Triangular", "")
	}
	out := &Whitening{state: whiteningState{D: d, Form: form, Mean: mean, A: at.RawMatrix().Data, Back: back.RawMatrix().Data}}
	out.prepare()
	return out, nil
}

// product returns A B.
func product(A, B mat.Matrix) *mat.Dense {
	n, _ := A.Dims()
	_, d := B.Dims()
	out := mat.NewDense(n, d, nil)
	tile.Dense(out.RawMatrix().Data, n, d, d).SetProduct(view(A), view(B))
	return out
}

// view returns a dense matrix or a transposed one as operand of a product.
func view(m mat.Matrix) tile.Matrix {
	if t, ok := m.(mat.Transpose); ok {
		return view(t.Matrix).T()
	}
	raw := m.(mat.RawMatrixer).RawMatrix()
	return tile.Dense(raw.Data, raw.Rows, raw.Cols, raw.Stride)
}

func (w *Whitening) prepare() {
	s := &w.state
	w.a, w.back = mat.NewDense(s.D, s.D, s.A), mat.NewDense(s.D, s.D, s.Back)
}

func checkGamma(name string, gamma float64) error {
	if !(gamma >= 0) || math.IsInf(gamma, 0) {
		return fault.Argument(
			name,
			"Regularise",
			gamma,
			"a finite number of at least 0",
			"0.01 adds a hundredth of the mean variance to the diagonal",
		)
	}
	return nil
}

// Dim returns d.
func (w *Whitening) Dim() int { return w.state.D }

// Mean returns the mean that is subtracted, d numbers.
func (w *Whitening) Mean() []float64 { return append([]float64(nil), w.state.Mean...) }

// Matrix returns A (d x d), with A Sigma A^T = I.
func (w *Whitening) Matrix() *mat.Dense {
	if w.a == nil {
		return nil
	}
	return mat.DenseCopyOf(w.a.T())
}

// Transform returns the rows A (x - m) for the rows x of X (n x d).
func (w *Whitening) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.Whitening.Transform"
	if err := estimator.CheckShape(name, X, w.state.D); err != nil {
		return nil, err
	}
	return project(name, estimator.Dense(X), w.state.Mean, nil, w.a)
}

// Inverse returns the rows m + A^-1 z for the rows z of Z (n x d).
func (w *Whitening) Inverse(Z mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.Whitening.Inverse"
	if err := estimator.CheckShape(name, Z, w.state.D); err != nil {
		return nil, err
	}
	x, err := project(name, estimator.Dense(Z), nil, nil, w.back)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] += w.state.Mean[j]
		}
	}
	return x, nil
}

// String returns a line such as "whitening of 4 features (axes)".
func (w *Whitening) String() string {
	return fmt.Sprintf("whitening of %d features (%s)", w.state.D, w.state.Form)
}

// sound reports whether the parts fit together.
func (s *whiteningState) sound() bool {
	return s.D >= 1 && s.Form >= Axes && s.Form <= Triangular && len(s.Mean) == s.D && len(s.A) == s.D*s.D && len(s.Back) == s.D*s.D
}
