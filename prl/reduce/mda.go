package reduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
)

// A Spread says how the class means are weighed in the scatter between the classes.
type Spread int

const (
	// Sizes weighs a mean with the size of its class, about the mean of all rows: S_B = sum_i n_i (m_i - m)(m_i - m)^T, so that S_T = S_W +
	// S_B.
	Sizes Spread = iota
	// Equal weighs all means alike, about the mean of the means: S_B = n/K sum_i (m_i - m')(m_i - m')^T. With two classes the direction is the
	// same as with Sizes; with more it differs when the classes differ in size.
	Equal
)

func (s Spread) String() string { return [...]string{"sizes", "equal"}[s] }

// MDAOptions are the settings of FitMDA. The zero value is the default.
type MDAOptions struct {
	Components int       // 1 ... min(d, K-1), or All (0, the default)
	Spread     Spread    // default Sizes
	Regularise float64   // gamma >= 0, adds gamma tr(S_W)/d to the diagonal of S_W; default 0
	Priors     []float64 // K probabilities for Predict; nil means the class shares
	Weights    []float64 // n sample weights; nil means ones
}

// An MDA is multiple discriminant analysis, the map x -> W^T (x - m) whose d x k matrix W maximises
//
//	J(W) = |W^T S_B W| / |W^T S_W W|,   S_B w_j = lambda_j S_W w_j,   lambda_1 >= lambda_2 >= ...
//
// Its largest value is the product of the lambda. There are at most K-1 directions with lambda > 0. W is scaled so that the pooled
// covariance within the classes, S_W / (n-K), is the identity in the image; there the class of the nearest mean, with a prior offset, is
// the rank-reduced LDA rule. Source: Rao 1948; Duda, Hart, Stork, 2001, section 3.8.3; Hastie, Tibshirani, Friedman, 2009, section 4.3.3.
type MDA struct {
	estimator.Names
	state   mdaState
	w       *mat.Dense
	centres *mat.Dense // K x k, images of the class means
	sw, sb  *mat.SymDense
}

type mdaState struct {
	D, K, Classes int
	Rows          float64
	Mean          []float64
	Means         []float64 // K x d
	Sizes, Priors []float64
	Axes          []float64 // d x k
	Values        []float64 // min(d, K-1) values lambda of S_B w = lambda S_W w
	SW, SB        []float64
	Apart         []float64       // K x d, the class means less Mean with the digits that Means has no room for
	Names         estimator.Names // in storage only: MDA.Names holds them
}

// FitMDA returns the discriminants of X (n x d) with labels y of K classes. It fails on a singular S_W: regularise, or reduce with PCA
// first.
func FitMDA(ctx context.Context, X mat.Matrix, y []int, opts MDAOptions) (*MDA, error) {
	const name = "reduce.FitMDA"
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkGamma(name, opts.Regularise); err != nil {
		return nil, err
	}
	if opts.Spread != Sizes && opts.Spread != Equal {
		return nil, fault.Argument(name, "Spread", int(opts.Spread), "Sizes or Equal", "")
	}
	x, y, w, k, err := labelled(ctx, name, X, y, opts.Weights)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	most := min(d, k-1)
	if opts.Components != All {
		if c := opts.Components; c < 1 || c > most {
			need := fmt.Sprintf("a whole number from 1 to %d: %d classes in %d dimensions have no more discriminants", most, k, d)
			return nil, fault.Argument(name, "Components", c, need, "")
		}
	}
	sizes, means, rests := classMeans(x, y, w, k)
	mean, rest, sum := weightedMean(x, w)
	priors := opts.Priors
	if priors == nil {
		priors = make([]float64, k)
		for c, v := range sizes {
			priors[c] = v / sum
		}
	} else if len(priors) != k {
		return nil, fault.Argument(name, "Priors", fmt.Sprintf("%d numbers", len(priors)), fmt.Sprintf("%d probabilities, one a class", k), "")
	} else if err := estimator.CheckProbabilities(name, "Priors", priors); err != nil {
		return nil, err
	}
	if sum <= float64(k) {
		return nil, fault.Argument(
			name,
			"X",
			fmt.Sprintf("of total weight %v in %d classes", sum, k),
			"data of total weight above the number of classes, for S_W to have n-K degrees of freedom",
			"give more rows",
		)
	}
	sw, err := scatterWithin(ctx, name, x, y, w, sizes, means, rests)
	if err != nil {
		return nil, err
	}

	// S_B = B B^T, one column of B a class. With S_W = L L^T the problem is the singular value decomposition of L^-1 B: lambda = s^2.
	spread, sizeOf := apart(means, rests, mean, rest), sizes
	if opts.Spread == Equal {
		sizeOf = make([]float64, k)
		middle := make([]float64, d)
		for c := range k {
			sizeOf[c] = sum / float64(k)
			for j, v := range spread.RawRowView(c) {
				middle[j] += v / float64(k)
			}
		}
		for c := range k {
			for j, v := range middle {
				spread.RawRowView(c)[j] -= v
			}
		}
	}
	f, err := factorise(name, "S_W", regularise(sw, opts.Regularise), 0, singular(n, d, k), n-k >= d)
	if err != nil {
		return nil, err
	}
	b := make([]float64, 0, k*d) // B^T
	for c := range k {
		col := make([]float64, d)
		for j, v := range spread.RawRowView(c) {
			col[j] = math.Sqrt(sizeOf[c]) * v
		}
		f.whiten(col)
		b = append(b, col...)
	}
	if d < k {
		b = mat.DenseCopyOf(mat.NewDense(k, d, b).T()).RawMatrix().Data
	}
	squares, directions, err := eigen.Singular(ctx, b, min(d, k), max(d, k), k <= d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	axes := f.unwhiten(mat.NewDense(min(d, k), d, directions).Slice(0, most, 0, d).T())
	axes.Scale(math.Sqrt(sum-float64(k)), axes)
	fixSigns(axes)
	s := mdaState{
		D:       d,
		K:       opts.Components,
		Classes: k,
		Rows:    sum,
		Mean:    mean,
		Means:   means.RawMatrix().Data,
		Sizes:   sizes,
		Priors:  slices.Clone(priors),
		SW:      square(sw),
		SB:      square(betweenScatter(sizeOf, spread)),
		Apart:   apart(means, rests, mean, make([]float64, d)).RawMatrix().Data,
	}
	if s.K == All {
		s.K = most
	}
	s.Values = squares[:most]
	s.Axes = mat.DenseCopyOf(axes.Slice(0, d, 0, s.K)).RawMatrix().Data
	m := &MDA{state: s}
	return m, fault.In(name, m.prepare())
}

// prepare derives what the methods need from the state.
func (m *MDA) prepare() (err error) {
	s := &m.state
	m.w, m.sw, m.sb = mat.NewDense(s.D, s.K, s.Axes), mat.NewSymDense(s.D, s.SW), mat.NewSymDense(s.D, s.SB)
	m.centres, err = project("reduce.MDA", mat.NewDense(s.Classes, s.D, s.Apart), nil, nil, m.w)
	return err
}

// spine gives the model the methods that all classifiers have. Its decision values are log p(c) - 1/2 ||W^T x - W^T m_c||^2, and its
// probabilities those of Gaussian classes with the pooled covariance, in the space of the discriminants.
func (m *MDA) spine() estimator.Discriminant[*MDA] {
	s := &m.state
	return estimator.Discriminant[*MDA]{Classification: estimator.Classification[*MDA]{
		Model: m, Kind: "reduce.MDA", D: s.D, K: s.Classes, Cost: 5 + float64(s.D+s.Classes)*float64(s.K)/5, Scores: (*MDA).scores,
	}}
}

func (m *MDA) scores(scores, x []float64) {
	z := projected(x, m.state.Mean, m.w)
	for i := range len(x) / m.state.D {
		for c, prior := range m.state.Priors {
			q, centre := 0.0, m.centres.RawRowView(c)
			for j, v := range z.RawRowView(i) {
				q += (v - centre[j]) * (v - centre[j])
			}
			scores[i*m.state.Classes+c] = math.Log(prior) - q/2
		}
	}
}

// Components returns k, the number of discriminants kept.
func (m *MDA) Components() int { return m.state.K }

// Axes returns the d x k matrix W; column j is w_j, with w_j^T S_W w_j = n-K.
func (m *MDA) Axes() *mat.Dense { return copied(m.w) }

// Values returns all min(d, K-1) generalised eigenvalues lambda_1 >= lambda_2 >= ... of S_B w = lambda S_W w, also those of discriminants
// not kept.
func (m *MDA) Values() []float64 { return slices.Clone(m.state.Values) }

// Ratios returns each eigenvalue as a share of their sum: the "proportion of trace".
func (m *MDA) Ratios() []float64 {
	t := total(m.state.Values)
	r := slices.Clone(m.state.Values)
	for j := range r {
		if t > 0 {
			r[j] /= t
		}
	}
	return r
}

// Singular returns sqrt(lambda_j (n-K)/(K-1)): the ratio of the standard deviations between and within the classes along discriminant j.
func (m *MDA) Singular() []float64 {
	s := make([]float64, len(m.state.Values))
	for j, v := range m.state.Values {
		s[j] = math.Sqrt(v * (m.state.Rows - float64(m.state.Classes)) / float64(m.state.Classes-1))
	}
	return s
}

// Mean returns the mean of all rows, which Transform subtracts.
func (m *MDA) Mean() []float64 { return slices.Clone(m.state.Mean) }

// Centres returns the K x k images of the class means.
func (m *MDA) Centres() *mat.Dense { return copied(m.centres) }

// J returns the largest value of the determinant criterion for k directions, the product of the k largest eigenvalues.
func (m *MDA) J() float64 {
	j := 1.0
	for _, v := range m.state.Values[:m.state.K] {
		j *= v
	}
	return j
}

// Criterion returns J(W) = |W^T S_B W| / |W^T S_W W| for any d x k matrix W. It does not change when W is multiplied by an invertible k x k
// matrix. It is NaN when |W^T S_W W| is zero.
func (m *MDA) Criterion(W mat.Matrix) (float64, error) {
	const name = "reduce.MDA.Criterion"
	if m.state.D == 0 {
		return 0, estimator.Unfitted(name)
	}
	if err := estimator.CheckX(name, W); err != nil {
		return 0, err
	}
	d, k := W.Dims()
	if d != m.state.D {
		return 0, fault.Argument(name, "W", fmt.Sprintf("%d x %d", d, k), fmt.Sprintf("%d x k", m.state.D), "")
	}
	quadratic := func(S mat.Matrix) float64 {
		var t, q mat.Dense
		t.Mul(W.T(), S)
		q.Mul(&t, W)
		return mat.Det(&q)
	}
	den := quadratic(m.sw)
	if den == 0 {
		return math.NaN(), nil
	}
	return quadratic(m.sb) / den, nil
}

// Transform returns the n x k scores W^T (x - m) of the rows of X (n x d).
func (m *MDA) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.MDA.Transform"
	if err := estimator.CheckShape(name, X, m.state.D); err != nil {
		return nil, err
	}
	return project(name, estimator.Dense(X), m.state.Mean, nil, m.w)
}

// String returns a line such as "MDA: 3 classes, 4 features to 2, eigenvalues 32.2, 0.285".
func (m *MDA) String() string {
	s := fmt.Sprintf("MDA: %d classes, %d features to %d, eigenvalues ", m.state.Classes, m.state.D, m.state.K)
	for j, v := range m.state.Values[:m.state.K] {
		if j > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%.3g", v)
	}
	return s
}

// sound reports whether the parts fit together.
func (s *mdaState) sound() bool {
	return s.D >= 1 && s.K >= 1 && s.Classes >= 2 && len(s.Mean) == s.D && len(s.Means) == s.D*s.Classes && len(s.Sizes) == s.Classes &&
		len(s.Priors) == s.Classes && len(s.Axes) == s.D*s.K && len(s.Values) >= s.K && len(s.SW) == s.D*s.D && len(s.SB) == s.D*s.D &&
		len(s.Apart) == len(s.Means)
}
