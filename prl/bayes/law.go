package bayes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Law is a joint law p(x, y) = p(y) p(x|y) with Gaussian class-conditional densities. It is immutable.
type Law struct {
	priors []float64
	class  []*Gaussian
	logs   []float64 // of the priors
}

// NewLaw returns the law with the given priors and one Gaussian a class, all of one dimension.
func NewLaw(priors []float64, classes ...*Gaussian) (*Law, error) {
	const f = "bayes.NewLaw"
	if err := checkPriors(f, priors, len(classes)); err != nil {
		return nil, err
	}
	for k, g := range classes {
		if g == nil || g.Dim() != classes[0].Dim() {
			return nil, fault.Argument(f, fmt.Sprintf("class %d", k), "nil or of another dimension", "a Gaussian of the dimension of class 0", "")
		}
	}
	return &Law{slices.Clone(priors), slices.Clone(classes), logs(priors)}, nil
}

// Classes returns K, Dim d.
func (m *Law) Classes() int { return len(m.class) }

// Dim returns d.
func (m *Law) Dim() int { return m.class[0].Dim() }

// Priors returns a copy of p(y).
func (m *Law) Priors() []float64 { return slices.Clone(m.priors) }

// Class returns the density of class k.
func (m *Law) Class(k int) *Gaussian { return m.class[k] }

// WithPriors returns the law with other priors and the same densities.
func (m *Law) WithPriors(priors ...float64) (*Law, error) { return NewLaw(priors, m.class...) }

// LogJoint returns log p(y) + log p(x|y) for every class, in nats; nil when x has not d numbers.
func (m *Law) LogJoint(x ...float64) []float64 {
	if len(x) != m.Dim() {
		return nil
	}
	a := make([]float64, len(m.class))
	for k, g := range m.class {
		a[k] = m.logs[k] + g.LogDensity(x...)
	}
	return a
}

// Joint returns p(x, y) = p(y) p(x|y) for every class; nil when x has not d numbers.
func (m *Law) Joint(x ...float64) []float64 {
	a := m.LogJoint(x...)
	for k := range a {
		a[k] = math.Exp(a[k])
	}
	return a
}

// Evidence returns p(x) = sum_y p(y) p(x|y); NaN when x has not d numbers.
func (m *Law) Evidence(x ...float64) float64 {
	if len(x) != m.Dim() {
		return math.NaN()
	}
	e := 0.0
	for _, v := range m.Joint(x...) {
		e += v
	}
	return e
}

// Posterior returns p(y|x) for every class, also where the densities are too small for float64; nil when x has not d numbers, and NaN when
// one of them is not finite.
func (m *Law) Posterior(x ...float64) []float64 {
	a := m.LogJoint(x...)
	posterior(a, x, m.priors, m.class)
	return a
}

// posterior replaces the log joint densities of x in the classes by the posteriors.
func posterior(a, x, priors []float64, class []*Gaussian) {
	if len(a) > 0 && gauss.Far(a[estimator.Argmax(a)]) {
		relative(a, x, priors, class)
	}
	Softmax(a)
}

// logs returns the logarithms of the priors, which every place asks for again.
func logs(priors []float64) []float64 {
	out := make([]float64, len(priors))
	for k, p := range priors {
		out[k] = math.Log(p)
	}
	return out
}

// relative replaces the log joint densities of x by their differences to the largest, which are right at any distance from the means.
func relative(a, x, priors []float64, class []*Gaussian) {
	means, factors := parts(class)
	gauss.Relative(a, x, logs(priors), means, factors)
}

// parts returns the means and the factors of the covariances, one factor for classes with the same covariance.
func parts(class []*Gaussian) (means [][]float64, factors []*gauss.Factor) {
	means, factors = make([][]float64, len(class)), make([]*gauss.Factor, len(class))
	for k, g := range class {
		means[k], factors[k] = g.mean, g.factor
		if k > 0 && slices.Equal(g.cov, class[k-1].cov) {
			factors[k] = factors[k-1]
		}
	}
	return means, factors
}

// Risks returns R(i|x) for every action; nil when x has not d numbers.
func (m *Law) Risks(loss LossTable, x ...float64) []float64 {
	p := m.Posterior(x...)
	if p == nil {
		return nil
	}
	return loss.risks(make([]float64, len(loss)), p)
}

// Decide returns the action of least conditional risk at x (smallest number among ties), or -1 when x has not d numbers.
func (m *Law) Decide(loss LossTable, x ...float64) int {
	if len(x) != m.Dim() {
		return -1
	}
	return argmin(m.Risks(loss, x...))
}

// Sample draws n labelled rows: first the class from the prior, then the observation from its density. The same seed gives the same rows.
func (m *Law) Sample(n int, seed uint64) (X *mat.Dense, y []int, err error) {
	if err := estimator.CheckCount("bayes.Law.Sample", "n", n, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x6261796573))
	X, y = mat.NewDense(n, m.Dim(), nil), make([]int, n)
	for i := range n {
		y[i] = m.drawClass(rng)
		m.class[y[i]].draw(X.RawRowView(i), rng)
	}
	return X, y, nil
}

func (m *Law) drawClass(rng *rand.Rand) int {
	u := rng.Float64()
	for k, p := range m.priors {
		if u < p {
			return k
		}
		u -= p
	}
	return estimator.Argmax(m.priors) // rounding left u at the very end
}

func (m *Law) oneDimensional(function string) error {
	if m.Dim() != 1 {
		return fault.Argument(function, "the model", fmt.Sprintf("%d-dimensional", m.Dim()), "one-dimensional", "use MonteCarloRisk")
	}
	return nil
}

// support returns an increasing list of points from where all densities vanish (40 standard deviations of the outermost class) to the other
// end, close enough that no quadrature panel can miss a peak.
func (m *Law) support() []float64 {
	var p []float64
	for _, g := range m.class {
		sd := g.factor.SD()
		for _, k := range []float64{-40, -12, -6, -3, -1, 0, 1, 3, 6, 12, 40} {
			p = append(p, g.mean[0]+k*sd)
		}
	}
	slices.Sort(p)
	return slices.Compact(p)
}
