package bayes

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Gaussian is the normal density N(mu, Sigma) in d dimensions. It is immutable.
type Gaussian struct {
	mean   []float64
	cov    []float64 // d x d, of which the upper triangle counts, or the d variances of independent features
	factor *gauss.Factor
}

// Normal returns the one-dimensional Gaussian with the given mean and standard deviation, whose square must be a float64.
func Normal(mean, sd float64) (*Gaussian, error) {
	const f = "bayes.Normal"
	if err := estimator.CheckPositive(f, "the standard deviation", sd, 1); err != nil {
		return nil, err
	}
	if v := sd * sd; v < 0x1p-1022 || math.IsInf(v, 0) {
		return nil, fault.Argument(
			f,
			"the standard deviation",
			sd,
			"a number from 1.5e-154 to 1.3e154, whose square is a float64",
			"choose other units",
		)
	}
	return newGaussian(f, "the variance", []float64{mean}, []float64{sd * sd})
}

// NewGaussian returns N(mean, cov). It fails when cov is not positive definite or its size is not that of mean.
func NewGaussian(mean []float64, cov mat.Symmetric) (*Gaussian, error) {
	const f = "bayes.NewGaussian"
	d, got := len(mean), "nil"
	if d == 0 {
		return nil, fault.Argument(f, "mean", "empty", "at least one number", "")
	}
	if !isNil(cov) {
		if n := cov.SymmetricDim(); n == d {
			return newGaussian(f, "cov", mean, upper(cov))
		}
		got = fmt.Sprintf("%d x %d", cov.SymmetricDim(), cov.SymmetricDim())
	}
	return nil, fault.Argument(f, "cov", got, fmt.Sprintf("%d x %d like the mean", d, d), "")
}

// isNil reports an interface without a matrix, or with a nil pointer to one.
func isNil(cov mat.Symmetric) bool {
	if cov == nil {
		return true
	}
	v := reflect.ValueOf(cov)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// upper returns a symmetric matrix row by row.
func upper(cov mat.Symmetric) []float64 {
	d := cov.SymmetricDim()
	out := make([]float64, d*d)
	for i := range d {
		for j := i; j < d; j++ {
			out[i*d+j] = cov.At(i, j)
		}
	}
	return out
}

// newGaussian takes d x d numbers or d variances, which it keeps.
func newGaussian(function, what string, mean, cov []float64) (*Gaussian, error) {
	if err := checkMean(function, mean); err != nil {
		return nil, err
	}
	d := len(mean)
	g := &Gaussian{mean: slices.Clone(mean), cov: cov}
	var err error
	if len(cov) == d {
		g.factor, err = gauss.NewDiagonal(cov)
	} else {
		g.factor, err = gauss.NewFactor(cov, d)
	}
	if err != nil {
		remedy := "drop columns that depend on others, take more rows, or set Shrinkage above 0"
		if single := (*gauss.SingularError)(nil); errors.As(err, &single) && single.Variance > 0 {
			remedy = "choose another unit: the variance, or one over it, is no float64"
		} else if single != nil && !math.IsNaN(single.Variance) {
			remedy = "drop the constant column, or set Shrinkage above 0"
		}
		return nil, fault.Argument(function, what, err, "positive definite", remedy)
	}
	return g, nil
}

func checkMean(function string, mean []float64) error {
	for j, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fault.Argument(function, fmt.Sprintf("mean[%d]", j), v, "a finite number", "")
		}
	}
	return nil
}

// at returns the Gaussian of the same covariance with another mean.
func (g *Gaussian) at(mean []float64) *Gaussian { return &Gaussian{mean, g.cov, g.factor} }

// Dim returns d.
func (g *Gaussian) Dim() int { return len(g.mean) }

// Mean returns a copy of mu.
func (g *Gaussian) Mean() []float64 { return append([]float64(nil), g.mean...) }

// Cov returns a copy of Sigma.
func (g *Gaussian) Cov() *mat.SymDense { return symmetric(g.cov, len(g.mean)) }

// symmetric returns a copy of a covariance, which is d x d or d variances.
func symmetric(cov []float64, d int) *mat.SymDense {
	if len(cov) > d {
		return mat.NewSymDense(d, slices.Clone(cov))
	}
	S := mat.NewSymDense(d, nil)
	for j, v := range cov {
		S.SetSym(j, j, v)
	}
	return S
}

// LogDet returns log det Sigma.
func (g *Gaussian) LogDet() float64 { return g.factor.LogDet() }

// Mahalanobis2 returns (x-mu)^T Sigma^-1 (x-mu), the squared Mahalanobis distance; NaN when x has not d numbers. Beyond the range of
// float64, from about 1e154 standard deviations on, it is +Inf.
func (g *Gaussian) Mahalanobis2(x ...float64) float64 {
	if len(x) != len(g.mean) {
		return math.NaN()
	}
	return g.factor.Distance2(x, g.mean)
}

// LogDensity returns log p(x) in nats; NaN when x has not d numbers.
func (g *Gaussian) LogDensity(x ...float64) float64 {
	return -0.5 * (float64(len(g.mean))*gauss.Log2Pi + g.LogDet() + g.Mahalanobis2(x...))
}

// Density returns p(x); NaN when x has not d numbers.
func (g *Gaussian) Density(x ...float64) float64 { return math.Exp(g.LogDensity(x...)) }

// CDF returns P(X <= x) of a one-dimensional Gaussian; NaN in more dimensions.
func (g *Gaussian) CDF(x float64) float64 {
	if len(g.mean) != 1 {
		return math.NaN()
	}
	return 0.5 * math.Erfc(-(x-g.mean[0])/g.factor.SD()/math.Sqrt2)
}

// mass returns P(a < X <= b) without cancellation in either tail.
func (g *Gaussian) mass(a, b float64) float64 {
	if a > g.mean[0] {
		a, b = 2*g.mean[0]-b, 2*g.mean[0]-a // mirror into the lower tail
	}
	return g.CDF(b) - g.CDF(a)
}

// Sample draws n rows (n x d); none, an empty matrix, when n is below 1.
func (g *Gaussian) Sample(n int, rng *rand.Rand) *mat.Dense {
	if n < 1 {
		return &mat.Dense{}
	}
	X := mat.NewDense(n, len(g.mean), nil)
	for i := range n {
		g.draw(X.RawRowView(i), rng)
	}
	return X
}

func (g *Gaussian) draw(x []float64, rng *rand.Rand) { g.factor.Draw(x, g.mean, rng) }

// String returns "N(2, 1)" with the variance, or "N(mean, cov) in 3 dimensions".
func (g *Gaussian) String() string {
	if len(g.mean) == 1 {
		return fmt.Sprintf("N(%g, %g)", g.mean[0], g.cov[0])
	}
	return fmt.Sprintf("N(mean, cov) in %d dimensions", len(g.mean))
}

// Discriminant returns A, b and c of the quadratic log(p0 N0(x)) - log(p1 N1(x)) = x^T A x + b^T x + c, whose zeros are the boundary
// between two Gaussian classes. A vanishes for equal covariances, and the boundary is then a hyperplane.
func Discriminant(g0, g1 *Gaussian, p0, p1 float64) (A *mat.SymDense, b []float64, c float64, err error) {
	const f = "bayes.Discriminant"
	if g0 == nil || g1 == nil || g0.Dim() != g1.Dim() {
		return nil, nil, 0, fault.Argument(f, "the Gaussians", "nil or of different dimensions", "of one dimension", "")
	}
	if err := checkPriors(f, []float64{p0, p1}, 2); err != nil {
		return nil, nil, 0, err
	}
	d := g0.Dim()
	A, b = mat.NewSymDense(d, nil), make([]float64, d)
	c = math.Log(p0) - math.Log(p1)
	for k, g := range []*Gaussian{g0, g1} {
		sign := float64(1 - 2*k)
		P := g.factor.Precision()
		for i := range d {
			row := 0.0
			for j, p := range P[i*d : (i+1)*d] {
				row += p * g.mean[j]
				if j >= i {
					A.SetSym(i, j, A.At(i, j)-sign*0.5*p)
				}
			}
			b[i] += sign * row
			c -= sign * 0.5 * row * g.mean[i]
		}
		c -= sign * 0.5 * g.LogDet()
	}
	return A, b, c, nil
}
