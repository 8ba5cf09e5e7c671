package reduce

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/kernel"
)

// KernelPCAOptions are the settings of FitKernelPCA. The zero value is the default.
type KernelPCAOptions struct {
	Kernel     kernel.Kernel // nil means kernel.Linear{}; with kernel.Precomputed{}, X is the Gram matrix
	Components int           // k, from 1 to n, or All (0, the default): those of variance above rounding error
	Divisor    Divisor       // default Sample
}

// A KernelPCA is principal component analysis in the feature space of a kernel. With the centred Gram matrix K~ of the n rows of the fit,
// K~ a_j = mu_j a_j, ||a_j|| = 1, mu_1 >= mu_2 >= ..., the axis j is e_j = sum_i a_ij phi~(x_i) / sqrt(mu_j), of unit length, and the score
// of a row x, new or old, is
//
//	z_j = <e_j, phi~(x)> = sum_i a_ij K~(x_i, x) / sqrt(mu_j),
//
// with K~(x_i, x) centred about the mean of the rows of the fit. The variance of the scores of the fit is mu_j / (n-1), or mu_j / n with
// Population. Source: Schölkopf, Smola, Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10, 1998.
type KernelPCA struct {
	estimator.Names
	state kernelPCAState
}

type kernelPCAState struct {
	N, D, K int
	Kernel  kernel.Kernel
	Origin  []float64 // subtracted from rows for a kernel that only sees differences, else nil
	X       []float64 // n x d rows of the fit, less the origin; nil with a precomputed kernel
	Means   []float64 // means of the rows of the Gram matrix, and All the mean of these
	All     float64
	Coeffs  []float64 // n x k: a_ij / sqrt(mu_j)
	Values  []float64 // variances of the k components
	Sum     float64   // of all variances
	Of      Divisor
	Names   estimator.Names // in storage only: KernelPCA.Names holds them
}

// FitKernelPCA returns the principal components of the rows of X (n x d) in the feature space of a kernel. A component whose variance is
// rounding error is refused when it is asked for. A function that is no kernel is refused where it shows: the centred Gram matrix has a
// negative eigenvalue. The signs are chosen so that of each column of a_ij the entry of largest magnitude is positive.
//
// It takes all eigenvalues of the n x n matrix, or, where n is at least 300 and Components at most n/20 and the kernel is known to be one
// (Linear, Poly, RBF, Laplacian), only the largest, with residuals below 1e-10 of the first.
func FitKernelPCA(ctx context.Context, X mat.Matrix, opts KernelPCAOptions) (*KernelPCA, error) {
	const name = "reduce.FitKernelPCA"
	if opts.Kernel == nil {
		opts.Kernel = kernel.Linear{}
	}
	if err := kernel.Check(name, opts.Kernel); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if opts.Components != All {
		if err := estimator.CheckCount(name, "Components", opts.Components, 1, n); err != nil {
			return nil, err
		}
	}
	by, err := divisor(name, opts.Divisor, float64(n))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := kernelPCAState{N: n, D: d, Kernel: opts.Kernel, Of: opts.Divisor}
	rows := mat.DenseCopyOf(X)
	known := false
	switch opts.Kernel.(type) {
	case kernel.Linear, kernel.RBF, kernel.Laplacian: // centred, these know nothing of the origin, and differences keep more digits near it
		known = true
		s.Origin = columnMeans(rows)
		s.move(rows)
	case kernel.Poly:
		known = true
	}
	G, err := kernel.Gram(opts.Kernel, rows)
	if err != nil {
		return nil, fault.In(name, err)
	}
	if !finite(G) {
		return nil, fault.Argument(name, "the Gram matrix", "not finite", "finite", "scale the data, or choose a kernel that grows less")
	}
	if _, ok := opts.Kernel.(kernel.Precomputed); !ok {
		s.X = rows.RawMatrix().Data
	}
	few := known && opts.Components != All && largestAlone(n, opts.Components)
	C, stride := s.centred(G, few)
	scale := 0.0 // of what the centred matrix is a difference
	for i := range n {
		scale = max(scale, math.Abs(G.At(i, i)))
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	trace := 0.0
	for i := range n {
		trace += C[i*stride+i]
	}
	values, vectors, err := s.components(ctx, name, C, opts.Components, few, scale)
	if err != nil {
		return nil, err
	}
	s.K = len(values)
	s.Sum = max(0, trace) / by
	axes := columns(vectors, s.K)
	for j, v := range values {
		for i := range n {
			axes.Set(i, j, axes.At(i, j)/math.Sqrt(v))
		}
		s.Values = append(s.Values, v/by)
	}
	s.Coeffs = axes.RawMatrix().Data
	return &KernelPCA{state: s}, nil
}

// finite reports whether a symmetric matrix has neither a NaN nor an infinity.
func finite(G *mat.SymDense) bool {
	raw := G.RawSymmetric()
	for i := range raw.N {
		if !tile.Finite(raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]) {
			return false
		}
	}
	return true
}

// centred notes the means of the rows of G, and returns G centred about them, on and above the diagonal. Where few components are asked
// for there are rows and columns of zeros that fill strips.
func (s *kernelPCAState) centred(G *mat.SymDense, few bool) (C []float64, stride int) {
	n, raw := s.N, G.RawSymmetric()
	s.Means, s.All = make([]float64, n), 0
	for i := range n {
		row, own := raw.Data[i*raw.Stride:i*raw.Stride+n], 0.0
		for j := i + 1; j < n; j++ {
			own += row[j]
			s.Means[j] += row[j]
		}
		s.Means[i] += own + row[i]
	}
	for i := range s.Means {
		s.Means[i] /= float64(n)
		s.All += s.Means[i] / float64(n)
	}
	if stride = n; few {
		stride = tile.Padded(n)
	}
	C = make([]float64, stride*stride)
	for i, mean := range s.Means {
		row, to := raw.Data[i*raw.Stride:i*raw.Stride+n], C[i*stride:i*stride+n]
		for j := i; j < n; j++ {
			to[j] = row[j] - mean - s.Means[j] + s.All
		}
	}
	return C, stride
}

// components returns the largest eigenvalues of the centred Gram matrix, k of them or all above rounding error, with their eigenvectors in
// rows.
func (s *kernelPCAState) components(
	ctx context.Context, name string, C []float64, k int, few bool, scale float64,
) (values, vectors []float64, err error) {
	n := s.N
	if few {
		pairs, err := eigen.Largest(ctx, eigen.OfSymmetric(C, n), k, 1e-10)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		values, vectors = pairs.Values, pairs.Vectors
	} else {
		if values, vectors, err = eigen.Symmetric(ctx, C, n, n); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if least := values[n-1]; least < -1e-9*max(values[0], scale) {
			return nil, nil, fault.Argument(name, "the centred Gram matrix",
				fmt.Sprintf("with eigenvalues from %.4g to %.4g", least, values[0]), "positive semi-definite, as that of a kernel is",
				"kernel.Witness gives a combination of the rows that would have a negative squared length; choose another kernel")
		}
	}
	// Centring takes away numbers as large as those of the Gram matrix, and leaves their rounding errors.
	rank, least := 0, float64(n)*2.3e-16*max(values[0], scale)
	for _, v := range values {
		if v > least {
			rank++
		}
	}
	if k == All {
		k = rank
	}
	if rank < max(k, 1) {
		got := fmt.Sprintf("of %d components", rank)
		return nil, nil, fault.Argument(name, "X", got, fmt.Sprintf("rows that vary along %d axes in feature space", max(k, 1)), "")
	}
	return values[:k], vectors[:k*n], nil
}

// move subtracts the origin from rows.
func (s *kernelPCAState) move(rows *mat.Dense) {
	if s.Origin == nil {
		return
	}
	n, _ := rows.Dims()
	for i := range n {
		row := rows.RawRowView(i)
		for j, v := range s.Origin {
			row[j] -= v
		}
	}
}

func columnMeans(X *mat.Dense) []float64 {
	mean, _, _ := weightedMean(X, nil)
	return mean
}

// Dim returns d, the number of features; with a precomputed kernel the number of rows of the fit.
func (p *KernelPCA) Dim() int { return p.state.D }

// Components returns k, the number of axes kept.
func (p *KernelPCA) Components() int { return p.state.K }

// Kernel returns the kernel.
func (p *KernelPCA) Kernel() kernel.Kernel { return p.state.Kernel }

// Variances returns the variances of the k components, the largest first.
func (p *KernelPCA) Variances() []float64 { return append([]float64(nil), p.state.Values...) }

// Eigenvalues returns the eigenvalues mu_j of the centred Gram matrix that belong to the k components: n-1 or n times the variances.
func (p *KernelPCA) Eigenvalues() []float64 {
	by := float64(p.state.N)
	if p.state.Of == Sample {
		by--
	}
	mu := p.Variances()
	for j := range mu {
		mu[j] *= by
	}
	return mu
}

// Total returns the total variance in feature space, the trace of the centred Gram matrix over the divisor.
func (p *KernelPCA) Total() float64 { return p.state.Sum }

// Ratios returns the variance of each component as a share of the total.
func (p *KernelPCA) Ratios() []float64 {
	r := p.Variances()
	for j := range r {
		r[j] /= p.state.Sum
	}
	return r
}

// Coefficients returns the n x k numbers alpha_ij = a_ij / sqrt(mu_j) of the axes e_j = sum_i alpha_ij phi~(x_i).
func (p *KernelPCA) Coefficients() *mat.Dense {
	if p.state.N == 0 {
		return nil
	}
	return mat.NewDense(p.state.N, p.state.K, append([]float64(nil), p.state.Coeffs...))
}

// Transform returns the m x k scores of the rows of Z (m x d). With a precomputed kernel Z is the m x n matrix of K(z_i, x_j) between new
// rows and those of the fit.
func (p *KernelPCA) Transform(Z mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.KernelPCA.Transform"
	s := &p.state
	if err := estimator.CheckShape(name, Z, s.D); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, Z); err != nil {
		return nil, err
	}
	m, _ := Z.Dims()
	var C *mat.Dense
	if s.X == nil {
		C = mat.DenseCopyOf(Z)
	} else {
		rows := mat.DenseCopyOf(Z)
		s.move(rows)
		var err error
		if C, err = kernel.Cross(s.Kernel, rows, mat.NewDense(s.N, s.D, s.X)); err != nil {
			return nil, fault.In(name, err)
		}
	}
	for i := range m {
		row, mean := C.RawRowView(i), 0.0
		for _, v := range row {
			mean += v / float64(s.N)
		}
		for j := range row {
			row[j] += s.All - s.Means[j] - mean
		}
	}
	return product(C, mat.NewDense(s.N, s.K, s.Coeffs)), nil
}

// String returns a line such as "kernel PCA: 2 components of RBF(gamma=1), 61.3 % of the variance".
func (p *KernelPCA) String() string {
	share := 0.0
	for _, r := range p.Ratios() {
		share += 100 * r
	}
	return fmt.Sprintf("kernel PCA: %d components of %v, %.1f %% of the variance", p.state.K, p.state.Kernel, share)
}

// sound reports whether the parts fit together.
func (s *kernelPCAState) sound() bool {
	_, precomputed := s.Kernel.(kernel.Precomputed)
	return s.N >= 1 && s.D >= 1 && s.K >= 1 && s.K <= s.N && estimator.Fits(len(s.Coeffs), s.N, s.K) && len(s.Values) == s.K &&
		len(s.Means) == s.N && (s.Origin == nil || len(s.Origin) == s.D) && s.Sum > 0 && kernel.Check("reduce.KernelPCA", s.Kernel) == nil &&
		precomputed == (s.X == nil) && (!precomputed || s.D == s.N) && (precomputed || estimator.Fits(len(s.X), s.N, s.D))
}
