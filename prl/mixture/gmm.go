package mixture

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/tile"
)

// Covariance says which covariance matrices the components may have.
type Covariance string

const (
	Full      Covariance = "full"      // each component its own matrix: K d (d+1)/2 numbers (the default)
	Tied      Covariance = "tied"      // one matrix for all: d (d+1)/2
	Diagonal  Covariance = "diagonal"  // each component its own variances, axes uncorrelated: K d
	Spherical Covariance = "spherical" // each component one variance: K
)

// Check reports a type that there is not, in the name of a function.
func (c Covariance) Check(function string) error {
	switch c {
	case Full, Tied, Diagonal, Spherical:
		return nil
	}
	return fault.Argument(function, "Covariance", fmt.Sprintf("%q", c), `"full", "tied", "diagonal" or "spherical"`, "")
}

// full tells matrices from variances.
func (c Covariance) full() bool { return c == Full || c == Tied }

// Numbers returns how many free numbers the covariances of k Gaussians in d dimensions have.
func (c Covariance) Numbers(k, d int) int {
	switch c {
	case Full:
		return k * d * (d + 1) / 2
	case Tied:
		return d * (d + 1) / 2
	case Diagonal:
		return k * d
	}
	return k
}

// GMMParameters are the numbers of a Gaussian mixture.
type GMMParameters struct {
	Weights     []float64     // K mixing probabilities, sum one
	Means       [][]float64   // K x d
	Covariances [][][]float64 // K matrices d x d, symmetric and positive definite
	Kind        Covariance    // how an EM that starts here may change the covariances; "" is Full
}

// A GMM is a Gaussian mixture, p(x) = sum_k pi_k N(x; mu_k, Sigma_k).
type GMM struct {
	estimator.Names
	kind    Covariance
	k, d    int
	weights []float64
	means   []float64   // k x d
	covs    [][]float64 // k matrices d x d, or d variances each; a tied mixture has one matrix k times

	factors    []*gauss.Factor // of the covariances
	logWeights []float64
	norm       []float64 // log pi_k - (d log 2 pi + log det Sigma_k)/2

	logLik  float64
	n       float64 // total weight of the data of the fit; 0 without a fit
	labels  []int
	history []float64
	end     Ending
	trace   []Iteration
}

// Ending says why a fit stopped.
type Ending struct {
	Iterations int
	Converged  bool // the rise of the log-likelihood fell below Tol
	Collapsed  int  // starts that ended in a component of zero variance and were dropped
}

// NewGMM returns the mixture with the given numbers. It fails when the weights are not probabilities, or a covariance is not symmetric and
// positive definite: with Sigma = 0 there is no density.
func NewGMM(p GMMParameters) (*GMM, error) {
	const function = "mixture.NewGMM"
	k := len(p.Weights)
	if k == 0 {
		return nil, fault.Argument(function, "Weights", "empty", "one probability for each component", "")
	}
	if err := estimator.CheckProbabilities(function, "Weights", p.Weights); err != nil {
		return nil, err
	}
	if len(p.Means) != k || len(p.Means[0]) == 0 {
		return nil, fault.Argument(function, "Means", fmt.Sprintf("%d rows", len(p.Means)), fmt.Sprintf("%d rows, one for each weight", k), "")
	}
	d := len(p.Means[0])
	if err := checkRows(function, "Means", p.Means, k, d); err != nil {
		return nil, err
	}
	if len(p.Covariances) != k {
		return nil, fault.Argument(
			function,
			"Covariances",
			fmt.Sprintf("%d matrices", len(p.Covariances)),
			fmt.Sprintf("%d matrices, one for each weight", k),
			"",
		)
	}
	kind := p.Kind
	if kind == "" {
		kind = Full
	}
	if err := kind.Check(function); err != nil {
		return nil, err
	}
	m := &GMM{kind: kind, k: k, d: d, weights: append([]float64(nil), p.Weights...)}
	for c := range k {
		m.means = append(m.means, p.Means[c]...)
		name := fmt.Sprintf("Covariances[%d]", c)
		if err := checkRows(function, name, p.Covariances[c], d, d); err != nil {
			return nil, err
		}
		if p.Covariances[c] == nil {
			return nil, fault.Argument(function, name, "nil", fmt.Sprintf("a matrix %d x %d", d, d), "")
		}
		var cov []float64
		for i, row := range p.Covariances[c] {
			for j, v := range row {
				if math.Abs(v-p.Covariances[c][j][i]) > 1e-9*(1+math.Abs(v)) {
					return nil, fault.Argument(function, fmt.Sprintf("%s[%d][%d]", name, i, j), v, "equal to its mirror image", "")
				}
				if i != j && v != 0 && !kind.full() {
					return nil, fault.Argument(function, fmt.Sprintf("%s[%d][%d]", name, i, j), v, fmt.Sprintf("0 in a %s mixture", kind), "")
				}
			}
			if kind.full() {
				cov = append(cov, row...)
			} else {
				cov = append(cov, row[i])
			}
		}
		if kind == Tied && c > 0 {
			if !slices.Equal(cov, m.covs[0]) {
				return nil, fault.Argument(function, "Covariances", "not all alike", "one matrix for all components in a tied mixture", "")
			}
			cov = m.covs[0]
		}
		m.covs = append(m.covs, cov)
	}
	if bad := m.prepare(); bad >= 0 {
		got := fmt.Sprintf("%d x %d and singular", d, d)
		if d <= 3 {
			got = fmt.Sprint(p.Covariances[bad])
		}
		return nil, fault.Argument(
			function,
			fmt.Sprintf("Covariances[%d]", bad),
			got,
			"a symmetric positive definite matrix",
			"a component of zero variance has no density",
		)
	}
	return m, nil
}

// Remember keeps the names of the features; those of classes are not those of components.
func (m *GMM) Remember(n estimator.Names) { m.FeatureNames = n.FeatureNames }

// K returns the number of components.
func (m *GMM) K() int { return m.k }

// Classes returns the number of components.
func (m *GMM) Classes() int { return m.k }

// Dim returns d, the number of columns.
func (m *GMM) Dim() int { return m.d }

// Kind returns the type of the covariances.
func (m *GMM) Kind() Covariance { return m.kind }

// Weights returns the mixing probabilities.
func (m *GMM) Weights() []float64 { return append([]float64(nil), m.weights...) }

// Means returns the K x d means.
func (m *GMM) Means() [][]float64 { return estimator.CloneRows(cut(m.means, m.d)) }

// Covariances returns the K covariance matrices, d x d each.
func (m *GMM) Covariances() [][][]float64 {
	out := make([][][]float64, m.k)
	for c := range out {
		out[c] = cut(make([]float64, m.d*m.d), m.d)
		for i, row := range out[c] {
			for j := range row {
				row[j] = m.cov(c, i, j)
			}
		}
	}
	return out
}

// Labels returns the most responsible component of each row of the data of the fit.
func (m *GMM) Labels() []int { return append([]int(nil), m.labels...) }

// History returns the log-likelihood of the start and after each iteration of the best start, in nats.
func (m *GMM) History() []float64 { return append([]float64(nil), m.history...) }

// End says why the best start of the fit stopped.
func (m *GMM) End() Ending { return m.end }

// Iterations returns the steps of the best start, from the start itself, when Trace was set.
func (m *GMM) Iterations() []Iteration { return append([]Iteration(nil), m.trace...) }

// FreeParameters returns K - 1 + K d + the free numbers of the covariances.
func (m *GMM) FreeParameters() int { return m.k - 1 + m.k*m.d + m.kind.Numbers(m.k, m.d) }

// Moments returns the mean and the covariance of the mixture as a whole: mu = sum_k pi_k mu_k and
// Sigma = sum_k pi_k (Sigma_k + (mu_k - mu)(mu_k - mu)^T).
func (m *GMM) Moments() (mean []float64, cov [][]float64) {
	mean = make([]float64, m.d)
	for c, w := range m.weights {
		for j := range mean {
			mean[j] += w * m.means[c*m.d+j]
		}
	}
	cov = cut(make([]float64, m.d*m.d), m.d)
	for c, w := range m.weights {
		for i := range m.d {
			for j := range m.d {
				cov[i][j] += w * (m.cov(c, i, j) + (m.means[c*m.d+i]-mean[i])*(m.means[c*m.d+j]-mean[j]))
			}
		}
	}
	return mean, cov
}

// Density returns p(x), NaN for a point of another width.
func (m *GMM) Density(x ...float64) float64 {
	if len(x) != m.d || m.d == 0 {
		return math.NaN()
	}
	sum := 0.0
	for c := range m.k {
		sum += m.Component(c, x...)
	}
	return sum
}

// Component returns pi_k N(x; mu_k, Sigma_k), component k's share of the density, 0 for a component that does not exist and NaN for a point
// of another width.
func (m *GMM) Component(k int, x ...float64) float64 {
	switch {
	case len(x) != m.d || m.d == 0:
		return math.NaN()
	case k < 0 || k >= m.k:
		return 0
	}
	return math.Exp(m.logComponent(k, m.factors[k].Distance2(x, m.mean(k))))
}

// Class returns the most responsible component of one point, and -1 for a point of another width or with a number that is not finite.
func (m *GMM) Class(x ...float64) int {
	if !tile.Finite(x) {
		return -1
	}
	r := m.Responsibilities(x...)
	if r == nil {
		return -1
	}
	return argmax(r, 1, m.k)[0]
}

// Responsibilities returns P(k | x) of one point, nil for a point of another width.
func (m *GMM) Responsibilities(x ...float64) []float64 {
	if len(x) != m.d || m.d == 0 {
		return nil
	}
	out := make([]float64, m.k)
	m.logJoint(out, x)
	m.respond(out, x)
	return out
}

// Proba returns the n x K responsibilities; rows sum to one.
func (m *GMM) Proba(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("mixture.GMM.Proba", X, m.d); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	r := make([]float64, n*m.k)
	m.expect(context.Background(), estimator.Dense(X).RawMatrix().Data, n, nil, r)
	return mat.NewDense(n, m.k, r), nil
}

// Predict returns the most responsible component of each row of X.
func (m *GMM) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.Proba(X)
	if err != nil {
		return nil, fault.In("mixture.GMM.Predict", err)
	}
	n, _ := X.Dims()
	return argmax(p.RawMatrix().Data, n, m.k), nil
}

func argmax(r []float64, n, k int) []int {
	out := make([]int, n)
	for i := range out {
		row := r[i*k : (i+1)*k]
		for c, v := range row {
			if v > row[out[i]] {
				out[i] = c
			}
		}
	}
	return out
}

// LogLikelihood returns L = sum_i log p(x_i) over the rows of X, in nats.
func (m *GMM) LogLikelihood(X mat.Matrix) (float64, error) {
	if err := estimator.CheckWidth("mixture.GMM.LogLikelihood", X, m.d); err != nil {
		return 0, err
	}
	n, _ := X.Dims()
	return m.expect(context.Background(), estimator.Dense(X).RawMatrix().Data, n, nil, nil), nil
}

// LogDensities returns log p(x_i) of each row of X.
func (m *GMM) LogDensities(X mat.Matrix) ([]float64, error) {
	if err := estimator.CheckWidth("mixture.GMM.LogDensities", X, m.d); err != nil {
		return nil, err
	}
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	out := make([]float64, n)
	m.sum(context.Background(), n, func(e *evaluation, lo, hi int) float64 {
		e.respond(dense.RawMatrix().Data, lo, hi, nil, func(i int, logDensity float64) { out[i] = logDensity })
		return 0
	})
	return out, nil
}

// MeansGradient returns dL/dmu_k = sum_i r_ik Sigma_k^-1 (x_i - mu_k), K x d. It vanishes at a fixed point of EM.
func (m *GMM) MeansGradient(X mat.Matrix) ([][]float64, error) {
	r, err := m.Proba(X)
	if err != nil {
		return nil, fault.In("mixture.GMM.MeansGradient", err)
	}
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	out := make([][]float64, m.k)
	for c := range m.k {
		sum := make([]float64, m.d)
		for i := range n {
			for j, v := range dense.RawRowView(i) {
				sum[j] += r.At(i, c) * (v - m.means[c*m.d+j])
			}
		}
		m.factors[c].Whiten(sum, sum)
		m.factors[c].Back(sum, sum)
		out[c] = sum
	}
	return out, nil
}

// Sample draws n points and the components they come from: roll a die with the weights, then draw from that Gaussian.
func (m *GMM) Sample(n int, seed uint64) (*mat.Dense, []int, error) {
	if err := estimator.CheckCount("mixture.GMM.Sample", "n", n, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	rng := generator(seed)
	X := mat.NewDense(n, m.d, nil)
	labels := make([]int, n)
	for i := range n {
		u, c := rng.Float64(), 0
		for ; c < m.k-1 && u >= m.weights[c]; c++ {
			u -= m.weights[c]
		}
		labels[i] = c
		m.factors[c].Draw(X.RawRowView(i), m.mean(c), rng)
	}
	return X, labels, nil
}

// BIC returns -2 L + p log n with p free parameters (Schwarz 1978): the smaller the better. X is the data of the fit.
func (m *GMM) BIC(X mat.Matrix) (float64, error) {
	l, err := m.LogLikelihood(X)
	if err != nil {
		return 0, fault.In("mixture.GMM.BIC", err)
	}
	n, _ := X.Dims()
	return -2*l + float64(m.FreeParameters())*math.Log(float64(n)), nil
}

// AIC returns -2 L + 2 p (Akaike 1974): the smaller the better.
func (m *GMM) AIC(X mat.Matrix) (float64, error) {
	l, err := m.LogLikelihood(X)
	if err != nil {
		return 0, fault.In("mixture.GMM.AIC", err)
	}
	return -2*l + 2*float64(m.FreeParameters()), nil
}

// String describes the mixture in one line.
func (m *GMM) String() string {
	s := fmt.Sprintf("Gaussian mixture of %d components (%s) in %d dimensions", m.k, m.kind, m.d)
	if m.n > 0 {
		s += fmt.Sprintf(", log-likelihood %.6g after %d iterations", m.logLik, m.end.Iterations)
	}
	return s
}
