package ica

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/reduce"
)

// All asks for as many components as X has columns. It is the zero value.
const All = 0

// A Method is a way to find the rotation that whitening leaves open.
type Method int

const (
	// Symmetric is FastICA with all rows of W at once, W <- (W W^T)^-1/2 W after each step: no component is found at the cost of another.
	Symmetric Method = iota
	// Deflation is FastICA one row at a time, each kept at right angles to those before by Gram-Schmidt in each step.
	Deflation
	// Infomax is maximum likelihood by the natural gradient W <- W + 0.3 (I - K E[tanh(y) y^T] - E[y y^T]) W, with K_i = 1 for a source more
	// peaked than a Gaussian and -1 for a flatter one, as the sample says. W need not stay orthogonal. Sources: Bell and Sejnowski, Neural
	// Computation 7 (1995); Amari, Cichocki and Yang 1996; extended by Lee, Girolami and Sejnowski, Neural Computation 11 (1999).
	Infomax
)

func (m Method) String() string {
	return [...]string{"symmetric FastICA", "FastICA by deflation", "infomax"}[m]
}

// Options are the settings of Fit. The zero value is the default: symmetric FastICA of all components with the contrast log cosh.
type Options struct {
	Components int        // k, from 1 to d, or All (0, the default): PCA keeps the k axes of largest variance before ICA turns them
	Method     Method     // default Symmetric
	Contrast   Contrast   // of FastICA, default LogCosh
	Start      mat.Matrix // k x k start of W in whitened coordinates, rows independent; nil draws one with Seed
	Seed       uint64     // default 1
	Restarts   int        // starts, of which the one with the largest sum of squared gaps counts; default 1, and 1 with a Start
	MaxIter    int        // limit on the steps of a start (of a component, with Deflation); default 1000
	Tol        float64    // largest move of a row of W, or entry of the gradient of Infomax, at which the fit stops; default 1e-8
}

// filled returns o with defaults in the place of zeros.
func (o Options) filled() Options {
	o.Restarts, o.MaxIter, o.Seed = cmp.Or(o.Restarts, 1), cmp.Or(o.MaxIter, 1000), cmp.Or(o.Seed, 1)
	o.Tol = cmp.Or(o.Tol, 1e-8)
	return o
}

// check reports settings that no data could make right.
func (o Options) check(function string) error {
	if o.Components != All {
		if err := estimator.CheckCount(function, "Components", o.Components, 1, math.MaxInt); err != nil {
			return err
		}
	}
	if o.Method < Symmetric || o.Method > Infomax {
		return fault.Argument(function, "Method", int(o.Method), "Symmetric, Deflation or Infomax", "")
	}
	if err := checkContrast(function, o.Contrast); err != nil {
		return err
	}
	if err := estimator.CheckCount(function, "Restarts", o.Restarts, 1, math.MaxInt); err != nil {
		return err
	}
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 1, math.MaxInt); err != nil {
		return err
	}
	if !(o.Tol > 0) || math.IsInf(o.Tol, 0) {
		return fault.Argument(function, "Tol", o.Tol, "a positive finite number", "the default is 1e-8")
	}
	return nil
}

// Fit finds independent components of X (n x d). It centres X, whitens it with the principal axes (reduce.FitPCA, divisor n), and turns the
// result until each coordinate is as far from Gaussian as the contrast can see: on ||w|| = 1, w <- E[z g(w^T z)] - E[g'(w^T z)] w, a Newton
// step in which E[z z^T g'] counts as E[g'] I (Hyvärinen, IEEE Trans. Neural Networks 10 (1999); the form of scikit-learn's FastICA and R's
// fastICA). A fit that stops at MaxIter returns its model, which says so.
//
// Errors: X of fewer dimensions than components; a Start whose rows are nearly dependent.
func Fit(ctx context.Context, X mat.Matrix, o Options) (*Model, error) {
	return fit(ctx, X, o.filled())
}

func fit(ctx context.Context, X mat.Matrix, o Options) (*Model, error) {
	const name = "ica.Fit"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	if err := o.check(name); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	k := cmp.Or(o.Components, d)
	if k > d {
		return nil, fault.Argument(name, "Components", k, fmt.Sprintf("at most %d, the columns of X", d), "")
	}
	remedy := "set Components to it: PCA keeps that many axes"
	if k > n-1 {
		return nil, fault.Argument(name, "X", fmt.Sprintf("%d rows, which span at most %d dimensions", n, n-1),
			fmt.Sprintf("data of %d dimensions, one a component", k), remedy)
	}
	pca, err := reduce.FitPCA(ctx, X, reduce.PCAOptions{Components: k, Divisor: reduce.Population})
	if err != nil {
		return nil, err
	}
	variances := pca.Variances()
	if rank := pca.Rank(); rank < k || !(variances[k-1] > 0) {
		return nil, fault.Argument(name, "X", fmt.Sprintf("of %d dimensions", rank), fmt.Sprintf("data of %d dimensions, one a component", k),
			remedy)
	}
	s := state{D: d, K: k, N: n, Method: o.Method, Contrast: o.Contrast, Mean: pca.Mean()}
	if o.Method == Infomax {
		s.Contrast = LogCosh
	}
	s.White, s.Back = make([]float64, k*d), make([]float64, d*k)
	roots := make([]float64, k)
	for j := range k {
		root := math.Sqrt(variances[j])
		roots[j] = root
		for i, u := range pca.Axis(j) {
			s.White[j*d+i], s.Back[i*k+j] = u/root, u*root
		}
	}
	z, err := pca.Transform(X)
	if err != nil {
		return nil, err
	}
	for i := range n {
		row := z.RawRowView(i)
		for j := range row {
			row[j] /= roots[j]
		}
	}
	p := &problem{z: z.RawMatrix().Data, n: n, k: k, contrast: s.Contrast}
	p.moments()
	best, err := p.best(ctx, name, o)
	if err != nil {
		return nil, err
	}
	s.Steps, s.Converged = best.steps, best.converged
	if err := s.finish(ctx, p, best.w); err != nil {
		return nil, err
	}
	m := &Model{state: s}
	m.prepare()
	return m, nil
}

// A result is where one start led: W in whitened coordinates, row by row.
type result struct {
	w         []float64
	steps     []int
	converged bool
}

// best tries the starts.
func (p *problem) best(ctx context.Context, name string, o Options) (best result, err error) {
	draw, most := rand.New(rand.NewPCG(o.Seed, 0x696361)), math.Inf(-1)
	restarts := o.Restarts
	if o.Start != nil {
		restarts = 1
	}
	for range restarts {
		start, err := p.start(ctx, name, o.Start, draw)
		if err != nil {
			return best, err
		}
		var r result
		switch o.Method {
		case Symmetric:
			r, err = p.symmetric(ctx, start, o)
		case Deflation:
			r, err = p.deflation(ctx, start, o, draw)
		default:
			r, err = p.infomax(ctx, start, o)
		}
		if err != nil {
			return best, fmt.Errorf("%s: %w", name, err)
		}
		score := 0.0
		if restarts > 1 {
			for _, g := range p.gaps(r.w) {
				score += g * g
			}
		}
		if score > most {
			best, most = r, score
		}
	}
	return best, nil
}

// leastSingular is how small the least singular value of a start may be against the largest.
const leastSingular = 1e-8

// start returns an orthogonal matrix: the given one, or a random one, made so by the symmetric way.
func (p *problem) start(ctx context.Context, name string, given mat.Matrix, draw *rand.Rand) ([]float64, error) {
	w := make([]float64, p.k*p.k)
	if given == nil {
		for {
			for i := range w {
				w[i] = draw.NormFloat64()
			}
			if good, err := independent(ctx, w, p.k); err != nil {
				return nil, err
			} else if good {
				return decorrelate(ctx, w, p.k)
			}
		}
	}
	if r, c := given.Dims(); r != p.k || c != p.k {
		return nil, fault.Argument(name, "Start", fmt.Sprintf("%d x %d", r, c), fmt.Sprintf("%d x %d, a row for each component", p.k, p.k), "")
	}
	for i := range w {
		if w[i] = given.At(i/p.k, i%p.k); w[i]-w[i] != 0 {
			return nil, fault.Argument(name, "Start", w[i], "finite numbers", "")
		}
	}
	if good, err := independent(ctx, w, p.k); err != nil {
		return nil, err
	} else if !good {
		return nil, fault.Argument(name, "Start", "singular", "rows that are independent of each other", "change a row")
	}
	return decorrelate(ctx, w, p.k)
}

// independent reports whether the rows of a k x k matrix are, by its singular values.
func independent(ctx context.Context, w []float64, k int) (bool, error) {
	squares, _, err := eigen.Singular(ctx, slices.Clone(w), k, k, false)
	if err != nil {
		return false, err
	}
	return squares[k-1] > leastSingular*leastSingular*squares[0], nil
}

// decorrelate returns (W W^T)^-1/2 W, the orthogonal matrix nearest to W.
func decorrelate(ctx context.Context, w []float64, k int) ([]float64, error) {
	root, err := power(ctx, w, k, -0.5)
	if err != nil {
		return nil, err
	}
	return product(root, w, k), nil
}

// power returns (W W^T)^e.
func power(ctx context.Context, w []float64, k int, e float64) ([]float64, error) {
	values, vectors, err := eigen.Symmetric(ctx, gram(w, k), k, k)
	if err != nil {
		return nil, err
	}
	scaled := slices.Clone(vectors)
	for i, v := range values {
		f := math.Pow(max(v, 1e-300), e)
		for j := range k {
			scaled[i*k+j] *= f
		}
	}
	return product(transposed(vectors, k), scaled, k), nil
}

func gram(w []float64, k int) []float64 { return product(w, transposed(w, k), k) }

// product returns A B of k x k matrices.
func product(a, b []float64, k int) []float64 {
	c := make([]float64, k*k)
	if k >= 16 {
		tile.Dense(c, k, k, k).SetProduct(tile.Dense(a, k, k, k), tile.Dense(b, k, k, k))
		return c
	}
	for i := range k {
		row := c[i*k : (i+1)*k]
		for l, v := range a[i*k : (i+1)*k] {
			for j, u := range b[l*k : (l+1)*k] {
				row[j] += v * u
			}
		}
	}
	return c
}

func transposed(a []float64, k int) []float64 {
	t := make([]float64, k*k)
	for i, v := range a {
		t[i%k*k+i/k] = v
	}
	return t
}
