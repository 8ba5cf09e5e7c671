package reduce

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// PPCAOptions are the settings of FitPPCA.
type PPCAOptions struct {
	Components int // k, the number of latent variables, from 1 to min(n, d-1)
	// what S is divided by. Sample, the default, is that of FitPCA and of scikit-learn; Population gives the maximum of the likelihood, whose
	// W W^T and sigma^2 are less by the factor (n-1)/n.
	Divisor Divisor
	Weights []float64 // n sample weights; nil means ones
}

// A PPCA is the density of principal components: a latent z of k standard normal variables is mapped into the space of the data and noise
// of one variance is added in every direction,
//
//	x = W z + m + e,  z ~ N(0, I),  e ~ N(0, sigma^2 I),  so that  x ~ N(m, C),  C = W W^T + sigma^2 I.
//
// With the covariance matrix S of the data, its eigenvalues lambda_1 >= ... >= lambda_d and the first k eigenvectors U, the likelihood is
// largest where
//
//	sigma^2 = (lambda_{k+1} + ... + lambda_d) / (d-k),  W = U (Lambda - sigma^2 I)^{1/2},
//
// up to a rotation of z, which nothing in the data decides and which is left out here. Source: M. Tipping and C. Bishop, Probabilistic
// principal component analysis, Journal of the Royal Statistical Society B 61, 1999.
type PPCA struct {
	estimator.Names
	of    PCA
	noise float64
}

// FitPPCA returns the model of X (n x d) with k latent variables. With fewer rows than features the variances that the data do not have
// count as zeros among the lambda, so that sigma^2 is a mean of d-k of them; scikit-learn takes the mean of n-k there, and the trace of
// its C is not that of S. Errors: data that k axes hold in full, of which the likelihood has no maximum.
func FitPPCA(ctx context.Context, X mat.Matrix, opts PPCAOptions) (*PPCA, error) {
	const name = "reduce.FitPPCA"
	if err := estimator.CheckSize(name, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if d < 2 {
		return nil, fault.Argument(name, "X", fmt.Sprintf("%d x %d", n, d), "a matrix of 2 columns or more, since noise needs one that z "+
			"leaves over", "")
	}
	if err := estimator.CheckCount(name, "Components", opts.Components, 1, min(n, d-1)); err != nil {
		return nil, err
	}
	p, err := fitPCA(ctx, name, X, PCAOptions{Components: opts.Components, Divisor: opts.Divisor, Weights: opts.Weights})
	if err != nil {
		return nil, err
	}
	m := &PPCA{of: *p, noise: p.Lost(opts.Components) / float64(d-opts.Components)}
	if !(m.noise > 0x1p-52*float64(max(n, d))*p.state.Values[0]) {
		return nil, fault.Argument(name, "Components", opts.Components,
			fmt.Sprintf("less than %d, the number of axes along which the data vary: without noise the likelihood has no maximum", p.Rank()),
			"ask for fewer, or give more rows")
	}
	return m, nil
}

// Dim returns d, the number of features.
func (m *PPCA) Dim() int { return m.of.Dim() }

// Components returns k, the number of latent variables.
func (m *PPCA) Components() int { return m.of.Components() }

// Mean returns m, d numbers.
func (m *PPCA) Mean() []float64 { return m.of.Mean() }

// Axes returns the d x k matrix U of the principal axes.
func (m *PPCA) Axes() *mat.Dense { return m.of.Axes() }

// Variances returns the variances lambda_1 >= lambda_2 >= ... of the data, those of PCA.Variances.
func (m *PPCA) Variances() []float64 { return m.of.Variances() }

// Noise returns sigma^2.
func (m *PPCA) Noise() float64 { return m.noise }

// length returns the length of column j of W.
func (m *PPCA) length(j int) float64 { return math.Sqrt(max(0, m.of.state.Values[j]-m.noise)) }

// Loadings returns the d x k matrix W.
func (m *PPCA) Loadings() *mat.Dense {
	W := m.of.Axes()
	if W != nil {
		W.Apply(func(_, j int, u float64) float64 { return u * m.length(j) }, W)
	}
	return W
}

// Covariance returns the d x d matrix C = W W^T + sigma^2 I.
func (m *PPCA) Covariance() *mat.SymDense {
	W := m.Loadings()
	if W == nil {
		return nil
	}
	C := mat.NewSymDense(m.Dim(), nil)
	C.SymOuterK(1, W)
	for i := range m.Dim() {
		C.SetSym(i, i, C.At(i, i)+m.noise)
	}
	return C
}

// Transform returns the n x k posterior means of z given the rows of X (n x d), M^-1 W^T (x - m) with M = W^T W + sigma^2 I: scores of PCA
// that shrink towards zero, the more so the less their axis stands out from the noise.
func (m *PPCA) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.PPCA.Transform"
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	z, err := project(name, estimator.Dense(X), m.of.state.Mean, nil, m.of.axes)
	if err != nil {
		return nil, err
	}
	z.Apply(func(_, j int, v float64) float64 { return v * (m.length(j) / m.of.state.Values[j]) }, z)
	return z, nil
}

// LatentVariances returns the variance of each latent variable given a row, sigma^2 / lambda_j, the diagonal of sigma^2 M^-1, which is a
// diagonal matrix and the same for all rows.
func (m *PPCA) LatentVariances() []float64 {
	v := make([]float64, m.Components())
	for j := range v {
		v[j] = m.noise / m.of.state.Values[j]
	}
	return v
}

// Inverse returns the n x d rows of the principal subspace that Transform maps to the rows of Z (n x j, j <= k; what is missing counts as
// zero): m + W (W^T W)^-1 M z, the best reconstruction by squared error. The mean of x given z, which is nearer to m, is m + W z.
func (m *PPCA) Inverse(Z mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.PPCA.Inverse"
	if err := estimator.CheckX(name, Z); err != nil {
		return nil, err
	}
	if m.Dim() == 0 {
		return nil, estimator.Unfitted(name)
	}
	scores := mat.DenseCopyOf(Z)
	scores.Apply(func(_, j int, z float64) float64 {
		if j >= m.Components() {
			return z // PCA.Inverse will say that there are too many
		}
		if l := m.length(j); l > 0 {
			return z * (m.of.state.Values[j] / l)
		}
		return 0
	}, scores)
	rows, err := m.of.Inverse(scores)
	return rows, fault.In(name, err)
}

// LogDensities returns log p(x) of each row of X (n x d), in nats:
//
//	-1/2 (d log 2 pi + log|C| + (x - m)^T C^-1 (x - m))
//
// C is neither formed nor inverted: by the identities of Woodbury and Sylvester log|C| is sum_j log lambda_j + (d-k) log sigma^2, and the
// quadratic form is sum_j (u_j^T (x - m))^2 / lambda_j plus the square of what the axes leave over, divided by sigma^2.
func (m *PPCA) LogDensities(X mat.Matrix) ([]float64, error) {
	const name = "reduce.PPCA.LogDensities"
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x, s := estimator.Dense(X), &m.of.state
	z, err := project(name, x, s.Mean, nil, m.of.axes)
	if err != nil {
		return nil, err
	}
	constant := float64(s.D)*math.Log(2*math.Pi) + float64(s.D-s.K)*math.Log(m.noise)
	root := make([]float64, s.K)
	for j := range root {
		root[j] = math.Sqrt(s.Values[j])
		constant += math.Log(s.Values[j])
	}
	n, d, k, sigma := z.RawMatrix().Rows, s.D, s.K, math.Sqrt(m.noise)
	out, axes := make([]float64, n), tile.Transpose(s.Axes, d, k)
	batch := min(32, n)
	blocks := (n + batch - 1) / batch
	share.Ranges(share.Workers(blocks, float64(n)*float64(d)*(2+0.1*float64(k))), blocks, func(_, from, to int) {
		centred, image := make([]float64, batch*d), make([]float64, batch*d)
		for lo := from * batch; lo < min(to*batch, n); lo += batch {
			rows := min(batch, n-lo)
			tile.Subtract(centred, d, x.RawMatrix().Data[lo*d:], s.Mean, rows)
			axes.Project(image[:rows*d], z.RawMatrix().Data[lo*k:(lo+rows)*k], rows)
			for i := range rows {
				square, rest := 0.0, image[i*d:(i+1)*d]
				for c, v := range centred[i*d : (i+1)*d] {
					v = (v - rest[c]) / sigma
					square += v * v
				}
				for j, score := range z.RawRowView(lo + i) {
					square += (score / root[j]) * (score / root[j])
				}
				out[lo+i] = -(constant + square) / 2
			}
		}
	})
	return out, nil
}

// LogLikelihood returns the sum of LogDensities over the rows of X.
func (m *PPCA) LogLikelihood(X mat.Matrix) (float64, error) {
	logs, err := m.LogDensities(X)
	return total(logs), fault.In("reduce.PPCA.LogLikelihood", err)
}

// Sample draws n rows: z, its image W z + m, and noise. The same seed gives the same rows.
func (m *PPCA) Sample(n int, seed uint64) (*mat.Dense, error) {
	const name = "reduce.PPCA.Sample"
	if m.Dim() == 0 {
		return nil, estimator.Unfitted(name)
	}
	if err := estimator.CheckCount(name, "n", n, 1, math.MaxInt); err != nil {
		return nil, err
	}
	rng, W, sigma := rand.New(rand.NewPCG(seed, 0x99ca)), m.Loadings(), math.Sqrt(m.noise)
	X, z := mat.NewDense(n, m.Dim(), nil), make([]float64, m.Components())
	for i := range n {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		for c := range m.Dim() {
			X.Set(i, c, m.of.state.Mean[c]+dot(W.RawRowView(c), z)+sigma*rng.NormFloat64())
		}
	}
	return X, nil
}

// PPCARound is one round of EM for PPCA on the covariance matrix S (d x d) of the data, from loadings W (d x k) and a variance of the
// noise:
//
//	W' = S W (sigma^2 I + M^-1 W^T S W)^-1,  sigma'^2 = tr(S - S W M^-1 W'^T) / d,  M = W^T W + sigma^2 I.
//
// The likelihood never falls, and from almost every start the rounds come to the closed form of FitPPCA, with W turned by a rotation.
// Source: Tipping and Bishop 1999, appendix B.
func PPCARound(S mat.Symmetric, W mat.Matrix, noise float64) (loadings *mat.Dense, variance float64, err error) {
	const name = "reduce.PPCARound"
	if err := estimator.CheckX(name, S); err != nil {
		return nil, 0, err
	}
	if err := estimator.CheckWidth(name, W.T(), S.SymmetricDim()); err != nil {
		return nil, 0, err
	}
	if err := estimator.CheckPositive(name, "noise", noise, 1); err != nil {
		return nil, 0, err
	}
	d, k := W.Dims()
	var M, SW, G, half, turned, back, explained mat.Dense
	plus := func(A *mat.Dense) {
		for j := range k {
			A.Set(j, j, A.At(j, j)+noise)
		}
	}
	M.Mul(W.T(), W)
	plus(&M)
	SW.Mul(S, W)
	G.Mul(W.T(), &SW)
	bad := func(err error) error {
		if err == nil {
			return nil
		}
		return fault.Argument(name, "W", fmt.Sprintf("such that the round has no digits (%v)", err), "of columns of like lengths", "")
	}
	if err := bad(half.Solve(&M, &G)); err != nil { // M^-1 W^T S W
		return nil, 0, err
	}
	plus(&half)
	if err := bad(turned.Solve(half.T(), SW.T())); err != nil { // W'^T
		return nil, 0, err
	}
	if err := bad(back.Solve(&M, &turned)); err != nil {
		return nil, 0, err
	}
	explained.Mul(&SW, &back)
	return mat.DenseCopyOf(turned.T()), (mat.Trace(S) - mat.Trace(&explained)) / float64(d), nil
}

// String returns a line such as "PPCA: 2 of 4 components, noise variance 0.05".
func (m *PPCA) String() string {
	return fmt.Sprintf("PPCA: %d of %d components, noise variance %.4g", m.Components(), m.Dim(), m.noise)
}

// ppcaState is a PPCA in storage.
type ppcaState struct {
	PCA   []byte
	Noise float64
	Names estimator.Names
}

// MarshalBinary encodes the model.
func (m *PPCA) MarshalBinary() ([]byte, error) {
	data, err := m.of.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return estimator.Encode("reduce.PPCA", 1, ppcaState{data, m.noise, m.Names})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *PPCA) UnmarshalBinary(data []byte) error {
	var s ppcaState
	if err := estimator.Decode(data, "reduce.PPCA", 1, &s); err != nil {
		return err
	}
	var p PCA
	if err := p.UnmarshalBinary(s.PCA); err != nil {
		return err
	}
	if !(s.Noise > 0) || math.IsInf(s.Noise, 0) || p.state.K >= p.state.D || p.state.Scale != nil {
		return fmt.Errorf("reduce.PPCA: decode: the parts do not fit together")
	}
	for _, v := range p.state.Values[:p.state.K] {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("reduce.PPCA: decode: the parts do not fit together")
		}
	}
	*m = PPCA{of: p, noise: s.Noise}
	m.Remember(s.Names)
	return nil
}
