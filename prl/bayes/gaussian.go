package bayes

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Gaussian is the normal density N(mu, Sigma) in d dimensions. It is immutable.
type Gaussian struct {
	mean   []float64
	cov    *mat.SymDense
	lower  *mat.TriDense // L with L L^T = Sigma
	white  []float64     // L^-1 by rows, d x d: z = L^-1 (x - mu) is standard normal
	logDet float64       // log det Sigma
}

// Normal returns the one-dimensional Gaussian with the given mean and standard deviation.
func Normal(mean, sd float64) (*Gaussian, error) {
	if err := estimator.CheckPositive("bayes.Normal", "the standard deviation", sd, 1); err != nil {
		return nil, err
	}
	return NewGaussian([]float64{mean}, mat.NewSymDense(1, []float64{sd * sd}))
}

// NewGaussian returns N(mean, cov). It fails when cov is not positive definite or its size is not that of mean.
func NewGaussian(mean []float64, cov mat.Symmetric) (*Gaussian, error) {
	return newGaussian("bayes.NewGaussian", "cov", mean, cov)
}

func newGaussian(function, what string, mean []float64, cov mat.Symmetric) (*Gaussian, error) {
	d := len(mean)
	if d == 0 {
		return nil, fault.Argument(function, "mean", "empty", "at least one number", "")
	}
	if cov == nil || cov.SymmetricDim() != d {
		got := "nil"
		if cov != nil {
			got = fmt.Sprintf("%d x %d", cov.SymmetricDim(), cov.SymmetricDim())
		}
		return nil, fault.Argument(function, what, got, fmt.Sprintf("%d x %d like the mean", d, d), "")
	}
	for j, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fault.Argument(function, fmt.Sprintf("mean[%d]", j), v, "a finite number", "")
		}
	}
	g := &Gaussian{mean: append([]float64(nil), mean...), cov: mat.NewSymDense(d, nil)}
	g.cov.CopySym(cov)
	// Columns of different units must not look singular: factor the correlation matrix and put the standard deviations back.
	sd := make([]float64, d)
	for j := range sd {
		v := g.cov.At(j, j)
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fault.Argument(function, what, fmt.Sprintf("singular (variance %g in column %d)", v, j), "positive definite", "drop the constant column, or set Shrinkage above 0")
		}
		sd[j] = math.Sqrt(v)
	}
	correlation := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			correlation.SetSym(i, j, g.cov.At(i, j)/sd[i]/sd[j])
		}
	}
	var chol mat.Cholesky
	ok := chol.Factorize(correlation)
	g.lower = mat.NewTriDense(d, mat.Lower, nil)
	if ok {
		chol.LTo(g.lower)
		for j := range d {
			ok = ok && g.lower.At(j, j) > 1e-7 // a squared multiple correlation above 1 - 1e-14
		}
	}
	if !ok {
		return nil, fault.Argument(function, what, "singular", "positive definite", "drop columns that depend on others, take more rows, or set Shrinkage above 0")
	}
	for i := range d {
		for j := range i + 1 {
			g.lower.SetTri(i, j, sd[i]*g.lower.At(i, j))
		}
		g.logDet += 2 * math.Log(g.lower.At(i, i))
	}
	var inverse mat.TriDense
	if err := inverse.InverseTri(g.lower); err != nil {
		if _, bad := err.(mat.Condition); !bad {
			return nil, fmt.Errorf("%s: %w", function, err)
		}
	}
	g.white = make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			g.white[i*d+j] = inverse.At(i, j)
		}
	}
	return g, nil
}

// Dim returns d.
func (g *Gaussian) Dim() int { return len(g.mean) }

// Mean returns a copy of mu.
func (g *Gaussian) Mean() []float64 { return append([]float64(nil), g.mean...) }

// Cov returns a copy of Sigma.
func (g *Gaussian) Cov() *mat.SymDense {
	c := mat.NewSymDense(len(g.mean), nil)
	c.CopySym(g.cov)
	return c
}

// LogDet returns log det Sigma.
func (g *Gaussian) LogDet() float64 { return g.logDet }

// Mahalanobis2 returns (x-mu)^T Sigma^-1 (x-mu), the squared Mahalanobis distance; NaN when x has not d numbers.
func (g *Gaussian) Mahalanobis2(x ...float64) float64 {
	d := len(g.mean)
	if len(x) != d {
		return math.NaN()
	}
	sum := 0.0
	for i := range d {
		z := 0.0
		for j, w := range g.white[i*d : i*d+i+1] {
			z += w * (x[j] - g.mean[j])
		}
		sum += z * z
	}
	return sum
}

// LogDensity returns log p(x) in nats.
func (g *Gaussian) LogDensity(x ...float64) float64 {
	return -0.5 * (float64(len(g.mean))*math.Log(2*math.Pi) + g.logDet + g.Mahalanobis2(x...))
}

// Density returns p(x).
func (g *Gaussian) Density(x ...float64) float64 { return math.Exp(g.LogDensity(x...)) }

// CDF returns P(X <= x) of a one-dimensional Gaussian; NaN in more dimensions.
func (g *Gaussian) CDF(x float64) float64 {
	if len(g.mean) != 1 {
		return math.NaN()
	}
	return 0.5 * math.Erfc(-(x-g.mean[0])*g.white[0]/math.Sqrt2)
}

// mass returns P(a < X <= b) without cancellation in either tail.
func (g *Gaussian) mass(a, b float64) float64 {
	if a > g.mean[0] {
		a, b = 2*g.mean[0]-b, 2*g.mean[0]-a // mirror into the lower tail
	}
	return g.CDF(b) - g.CDF(a)
}

// Sample draws n rows.
func (g *Gaussian) Sample(n int, rng *rand.Rand) *mat.Dense {
	X := mat.NewDense(max(n, 1), len(g.mean), nil)
	for i := range n {
		g.draw(X.RawRowView(i), rng)
	}
	return X
}

func (g *Gaussian) draw(dst []float64, rng *rand.Rand) {
	d := len(g.mean)
	z := make([]float64, d)
	for j := range z {
		z[j] = rng.NormFloat64()
	}
	for i := range d {
		dst[i] = g.mean[i]
		for j := range i + 1 {
			dst[i] += g.lower.At(i, j) * z[j]
		}
	}
}

// String returns "N(2, 1)" with the variance, or "N(mean, cov) in 3 dimensions".
func (g *Gaussian) String() string {
	if len(g.mean) == 1 {
		return fmt.Sprintf("N(%g, %g)", g.mean[0], g.cov.At(0, 0))
	}
	return fmt.Sprintf("N(mean, cov) in %d dimensions", len(g.mean))
}

// Discriminant returns A, b and c of the quadratic log(p0 N0(x)) - log(p1 N1(x)) = x^T A x + b^T x + c, whose zeros are the boundary between two
// Gaussian classes. A vanishes for equal covariances, and the boundary is then a hyperplane.
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
		P := g.precision()
		for i := range d {
			row := 0.0
			for j := range d {
				row += P.At(i, j) * g.mean[j]
				if j >= i {
					A.SetSym(i, j, A.At(i, j)-sign*0.5*P.At(i, j))
				}
			}
			b[i] += sign * row
			c -= sign * 0.5 * row * g.mean[i]
		}
		c -= sign * 0.5 * g.logDet
	}
	return A, b, c, nil
}

// diagonal returns the reciprocals of the standard deviations when the features are independent, and nil otherwise.
func (g *Gaussian) diagonal() []float64 {
	d := len(g.mean)
	scale := make([]float64, d)
	for i := range d {
		for _, v := range g.white[i*d : i*d+i] {
			if v != 0 {
				return nil
			}
		}
		scale[i] = g.white[i*d+i]
	}
	return scale
}

func (g *Gaussian) precision() *mat.SymDense {
	d := len(g.mean)
	P := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			s := 0.0
			for k := j; k < d; k++ {
				s += g.white[k*d+i] * g.white[k*d+j]
			}
			P.SetSym(i, j, s)
		}
	}
	return P
}
