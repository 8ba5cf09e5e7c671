package bayes

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// Denominator says by what a scatter matrix is divided to give a covariance.
type Denominator int

const (
	// Unbiased divides by n_k - 1 for the covariance of a class and by n - K for a pooled one.
	Unbiased Denominator = iota + 1
	// MaximumLikelihood divides by n_k and n.
	MaximumLikelihood
)

// String returns "unbiased" or "maximum likelihood".
func (d Denominator) String() string {
	switch d {
	case Unbiased:
		return "unbiased"
	case MaximumLikelihood:
		return "maximum likelihood"
	}
	return fmt.Sprintf("Denominator(%d)", int(d))
}

// Options are the settings of the Gaussian classifiers. Start from DefaultOptions.
type Options struct {
	// Priors are the class probabilities; nil takes the (weighted) proportions of the classes. NearestMean takes equal priors always.
	Priors []float64
	// Denominator of the covariances; Unbiased by default.
	Denominator Denominator
	// Shrinkage s in [0, 1] replaces a covariance S by (1-s) S + s tr(S)/d I; 0 by default. Any s above 0 makes a singular covariance usable.
	Shrinkage float64
	// Weights counts row i as Weights[i] rows; nil counts each once.
	Weights []float64
}

// DefaultOptions returns class proportions as priors, unbiased covariances and no shrinkage.
func DefaultOptions() Options { return Options{Denominator: Unbiased} }

func (o Options) check(function string, n, classes int) error {
	if o.Priors != nil {
		if err := checkPriors(function, o.Priors, classes); err != nil {
			return err
		}
	}
	if o.Denominator != Unbiased && o.Denominator != MaximumLikelihood {
		return estimator.Argument(function, "Denominator", o.Denominator, "Unbiased or MaximumLikelihood", "start from DefaultOptions")
	}
	if !(o.Shrinkage >= 0 && o.Shrinkage <= 1) {
		return estimator.Argument(function, "Shrinkage", o.Shrinkage, "a number from 0 to 1", "the default is 0")
	}
	return estimator.CheckWeights(function, o.Weights, n)
}

// A Classifier decides between Gaussian classes: it takes the class of largest log p(y) + log p(x|y). FitLDA, FitQDA, FitNearestMean and
// FitGaussianNB differ in what they estimate. It is immutable and safe for concurrent use.
type Classifier struct {
	kind   string
	priors []float64
	class  []*Gaussian
	shared bool          // all classes have one covariance
	pooled *mat.SymDense // covariance shared by the classes, nil otherwise
}

// moments holds the weighted counts, means and scatter matrices of the classes.
type moments struct {
	X       *mat.Dense
	n, d, k int
	count   []float64
	mean    [][]float64
	scatter []*mat.SymDense // about the class mean
}

func newMoments(function string, ctx context.Context, X mat.Matrix, y []int, o Options) (*moments, error) {
	if err := estimator.CheckX(function, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	k, err := estimator.CheckLabels(function, y, n)
	if err != nil {
		return nil, err
	}
	if err := o.check(function, n, k); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", function, err)
	}
	m := &moments{X: estimator.Dense(X), n: n, d: d, k: k, count: make([]float64, k), mean: make([][]float64, k), scatter: make([]*mat.SymDense, k)}
	weight := func(i int) float64 {
		if o.Weights == nil {
			return 1
		}
		return o.Weights[i]
	}
	for c := range k {
		m.mean[c], m.scatter[c] = make([]float64, d), mat.NewSymDense(d, nil)
	}
	for i := range n {
		w, c := weight(i), y[i]
		m.count[c] += w
		for j, v := range m.X.RawRowView(i) {
			m.mean[c][j] += w * v
		}
	}
	for c := range k {
		if m.count[c] == 0 {
			return nil, estimator.Argument(function, fmt.Sprintf("the weight of class %d", c), 0, "positive", "drop the class or weigh its rows")
		}
		for j := range m.mean[c] {
			m.mean[c][j] /= m.count[c]
		}
	}
	z := make([]float64, d)
	raw := make([][]float64, k)
	for c := range k {
		raw[c] = m.scatter[c].RawSymmetric().Data
	}
	for i := range n {
		w, c := weight(i), y[i]
		if w == 0 {
			continue
		}
		for j, v := range m.X.RawRowView(i) {
			z[j] = v - m.mean[c][j]
		}
		for a, za := range z {
			wa := w * za
			row := raw[c][a*d : a*d+d]
			for b := a; b < d; b++ {
				row[b] += wa * z[b]
			}
		}
	}
	return m, nil
}

func (m *moments) priors(o Options) []float64 {
	p := make([]float64, m.k)
	if o.Priors != nil {
		copy(p, o.Priors)
		return p
	}
	total := 0.0
	for _, c := range m.count {
		total += c
	}
	for k, c := range m.count {
		p[k] = c / total
	}
	return p
}

// covariance returns the scatter divided by n - lost (Unbiased) or n.
func covariance(function, what string, scatter *mat.SymDense, n, lost float64, o Options) (*mat.SymDense, error) {
	if o.Denominator == Unbiased {
		n -= lost
	}
	if !(n > 1e-9) {
		return nil, estimator.Argument(function, what, "undefined (as many parameters as rows)", "estimated from more rows", "take more rows, or Denominator MaximumLikelihood with Shrinkage above 0")
	}
	d := scatter.SymmetricDim()
	S := mat.NewSymDense(d, nil)
	S.ScaleSym(1/n, scatter)
	if s := o.Shrinkage; s > 0 {
		trace := 0.0
		for j := range d {
			trace += S.At(j, j)
		}
		S.ScaleSym(1-s, S)
		for j := range d {
			S.SetSym(j, j, S.At(j, j)+s*trace/float64(d))
		}
	}
	return S, nil
}

// pool returns the covariance about the class means over all classes.
func (m *moments) pool(function string, o Options) (*mat.SymDense, error) {
	sum := mat.NewSymDense(m.d, nil)
	n := 0.0
	for c := range m.k {
		sum.AddSym(sum, m.scatter[c])
		n += m.count[c]
	}
	return covariance(function, "the pooled covariance", sum, n, float64(m.k), o)
}

// Name returns "LDA", "QDA", "NearestMean" or "GaussianNB".
func (c *Classifier) Name() string { return c.kind }

// Dim returns d, the number of columns the model was fitted on, or 0 before a fit.
func (c *Classifier) Dim() int {
	if len(c.class) == 0 {
		return 0
	}
	return c.class[0].Dim()
}

// Classes returns K.
func (c *Classifier) Classes() int { return len(c.class) }

// Priors returns a copy of the class probabilities.
func (c *Classifier) Priors() []float64 { return append([]float64(nil), c.priors...) }

// Gaussian returns the fitted density of class k.
func (c *Classifier) Gaussian(k int) *Gaussian { return c.class[k] }

// Model returns the fitted joint law p(x, y).
func (c *Classifier) Model() *Model { return &Model{c.priors, c.class} }

// Pooled returns a copy of the covariance that all classes share, or nil when each has its own.
func (c *Classifier) Pooled() *mat.SymDense {
	if c.pooled == nil {
		return nil
	}
	S := mat.NewSymDense(c.Dim(), nil)
	S.CopySym(c.pooled)
	return S
}

// Decision returns log p(y) + log p(x|y) in nats, n x K.
func (c *Classifier) Decision(X mat.Matrix) (*mat.Dense, error) {
	if len(c.class) == 0 {
		return nil, errUnfitted
	}
	if err := estimator.CheckWidth("bayes."+c.kind+".Decision", X, c.Dim()); err != nil {
		return nil, err
	}
	D := estimator.Dense(X)
	n, d := D.Dims()
	out := mat.NewDense(n, len(c.class), nil)
	constant := make([]float64, len(c.class))
	for k, g := range c.class {
		constant[k] = math.Log(c.priors[k]) - 0.5*(float64(d)*math.Log(2*math.Pi)+g.logDet)
	}
	for i := range n {
		x, row := D.RawRowView(i), out.RawRowView(i)
		for k, g := range c.class {
			row[k] = constant[k] - 0.5*g.Mahalanobis2(x...)
		}
	}
	return out, nil
}

var errUnfitted = errors.New("bayes: the classifier is not fitted; call FitLDA, FitQDA, FitNearestMean or FitGaussianNB")

// Predict returns the class of largest posterior for each row (smallest number among ties).
func (c *Classifier) Predict(X mat.Matrix) ([]int, error) {
	D, err := c.Decision(X)
	if err != nil {
		return nil, err
	}
	n, _ := D.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = argmax(D.RawRowView(i))
	}
	return y, nil
}

// Proba returns the posteriors p(y|x), n x K.
func (c *Classifier) Proba(X mat.Matrix) (*mat.Dense, error) {
	D, err := c.Decision(X)
	if err != nil {
		return nil, err
	}
	n, _ := D.Dims()
	for i := range n {
		Softmax(D.RawRowView(i))
	}
	return D, nil
}

// Class returns the class of one observation, or -1 when x has not d numbers.
func (c *Classifier) Class(x ...float64) int {
	if len(x) != c.Dim() {
		return -1
	}
	best, top := 0, math.Inf(-1)
	for k, g := range c.class {
		if v := math.Log(c.priors[k]) - 0.5*(g.logDet+g.Mahalanobis2(x...)); v > top {
			best, top = k, v
		}
	}
	return best
}

// String returns "LDA with 3 classes in 4 dimensions".
func (c *Classifier) String() string {
	return fmt.Sprintf("%s with %d classes in %d dimensions", c.kind, c.Classes(), c.Dim())
}

type classifierState struct {
	Kind   string
	Priors []float64
	Means  [][]float64
	Covs   [][]float64 // one for all, or one a class
	Shared bool
}

// MarshalBinary encodes the model with its layout version.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	s := classifierState{Kind: c.kind, Priors: c.priors, Shared: c.shared}
	for k, g := range c.class {
		s.Means = append(s.Means, g.mean)
		if k == 0 || !c.shared {
			s.Covs = append(s.Covs, append([]float64(nil), g.cov.RawSymmetric().Data...))
		}
	}
	return estimator.Encode("bayes.Classifier", 1, s)
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	const f = "bayes.Classifier"
	var s classifierState
	if err := estimator.Decode(data, f, 1, &s); err != nil {
		return err
	}
	n := Classifier{kind: s.Kind, priors: s.Priors, shared: s.Shared}
	if err := checkPriors(f, s.Priors, len(s.Means)); err != nil {
		return fmt.Errorf("%s: decode: %w", f, err)
	}
	for k, mean := range s.Means {
		which := k
		if s.Shared {
			which = 0
		}
		if which >= len(s.Covs) || len(s.Covs[which]) != len(mean)*len(mean) || len(mean) != len(s.Means[0]) {
			return fmt.Errorf("%s: decode: the data is damaged", f)
		}
		g, err := newGaussian(f, "cov", mean, mat.NewSymDense(len(mean), s.Covs[which]))
		if err != nil {
			return fmt.Errorf("%s: decode: %w", f, err)
		}
		n.class = append(n.class, g)
	}
	if n.shared {
		n.pooled = n.class[0].cov
	}
	*c = n
	return nil
}
