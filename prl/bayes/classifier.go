package bayes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
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
		return fault.Argument(function, "Denominator", o.Denominator, "Unbiased or MaximumLikelihood", "start from DefaultOptions")
	}
	if !(o.Shrinkage >= 0 && o.Shrinkage <= 1) {
		return fault.Argument(function, "Shrinkage", o.Shrinkage, "a number from 0 to 1", "the default is 0")
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

// newMoments leaves the scatter matrices diagonal when only the variances are asked for.
func newMoments(function string, ctx context.Context, X mat.Matrix, y []int, o Options, variances bool) (*moments, error) {
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
		m.mean[c] = make([]float64, d)
	}
	rows := make([][]int, k) // of positive weight
	for i := range n {
		w, c := weight(i), y[i]
		if w == 0 {
			continue
		}
		rows[c] = append(rows[c], i)
		m.count[c] += w
		mean := m.mean[c]
		for j, v := range m.X.RawRowView(i) {
			mean[j] += w * v
		}
	}
	for c := range k {
		if m.count[c] == 0 {
			return nil, fault.Argument(function, fmt.Sprintf("the weight of class %d", c), 0, "positive", "drop the class or weigh its rows")
		}
		for j := range m.mean[c] {
			m.mean[c][j] /= m.count[c]
		}
	}
	for c := range k {
		if variances {
			m.scatter[c] = squares(m.X, rows[c], o.Weights, m.mean[c])
			continue
		}
		m.scatter[c] = mat.NewSymDense(d, tile.Scatter(m.X.RawMatrix().Data, n, d, rows[c], o.Weights, func(int) []float64 { return m.mean[c] }))
	}
	return m, nil
}

// squares returns the diagonal of the scatter of the rows about the mean.
func squares(X *mat.Dense, rows []int, weights, mean []float64) *mat.SymDense {
	d := len(mean)
	sum := make([]float64, d)
	for _, i := range rows {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		for j, v := range X.RawRowView(i) {
			u := v - mean[j]
			sum[j] += w * u * u
		}
	}
	s := mat.NewSymDense(d, nil)
	for j, v := range sum {
		s.SetSym(j, j, v)
	}
	return s
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
		return nil, fault.Argument(function, what, "undefined (as many parameters as rows)", "estimated from more rows", "take more rows, or Denominator MaximumLikelihood with Shrinkage above 0")
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
	if err := estimator.CheckWidth("bayes.Classifier.Decision", X, c.Dim()); err != nil {
		return nil, err
	}
	return c.decide(estimator.Dense(X)), nil
}

// decide fills n x K log joint densities. With W the inverse of the Cholesky factor of a covariance, the squared Mahalanobis distance to a
// mean is |W (x - m)|^2; classes that share W also share W x.
func (c *Classifier) decide(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	classes := len(c.class)
	out := mat.NewDense(n, classes, nil)
	constant := make([]float64, classes)
	for k, g := range c.class {
		constant[k] = math.Log(c.priors[k]) - 0.5*(float64(d)*math.Log(2*math.Pi)+g.logDet)
	}
	batches := (n + batch - 1) / batch
	share.Ranges(share.Workers(batches, c.cost(n)), batches, func(_, from, to int) {
		distances := make([]func(to, x []float64, m int), 0, classes) // of m rows, to several classes each
		if c.shared {
			distances = append(distances, sharedDistances(c.class))
		} else {
			for _, g := range c.class {
				distances = append(distances, g.distances())
			}
		}
		each := classes / len(distances)
		squares := make([]float64, batch*each)
		for lo := from * batch; lo < min(to*batch, n); lo += batch {
			m := min(batch, n-lo)
			x := X.RawMatrix().Data[lo*d : (lo+m)*d]
			for first, distance := range distances {
				distance(squares, x, m)
				for r := range m {
					row := out.RawRowView(lo + r)[first*each:]
					for k, s := range squares[r*each : (r+1)*each] {
						row[k] = constant[first*each+k] - 0.5*s
					}
				}
			}
		}
	})
	return out
}

// batch is the number of rows whose distances are computed together.
const batch = 64

// cost is about how many nanoseconds the densities of n rows take: those of diagonal covariances one by one, others by products of matrices.
func (c *Classifier) cost(n int) float64 {
	d, k := float64(c.Dim()), float64(len(c.class))
	row := 0.1 * k * d * d
	switch {
	case c.class[0].diagonal() != nil:
		row = k * d
	case c.shared:
		row = 0.1 * d * (d + k)
	}
	return float64(n) * (5*k + row)
}

// distances returns a function that writes the squared Mahalanobis distances of m <= batch rows.
func (g *Gaussian) distances() func(to, x []float64, m int) {
	d := len(g.mean)
	if scale := g.diagonal(); scale != nil {
		return func(to, x []float64, m int) {
			for r := range m {
				s := 0.0
				for j, v := range x[r*d : (r+1)*d] {
					u := (v - g.mean[j]) * scale[j]
					s += u * u
				}
				to[r] = s
			}
		}
	}
	white := tile.Transpose(g.white, d, d)
	width := white.Width()
	centred, z := make([]float64, batch*d), make([]float64, batch*width)
	return func(to, x []float64, m int) {
		tile.Subtract(centred, d, x, g.mean, m)
		white.Product(z, centred, m)
		for r := range m {
			s := 0.0
			for _, v := range z[r*width : r*width+d] {
				s += v * v
			}
			to[r] = s
		}
	}
}

// sharedDistances does the same for all classes of one covariance: rows and means are whitened, and plain distances remain.
func sharedDistances(class []*Gaussian) func(to, x []float64, m int) {
	d, k := len(class[0].mean), len(class)
	white := tile.Transpose(class[0].white, d, d)
	width := white.Width()
	origin := class[0].mean
	centred, means := make([]float64, max(batch, k)*d), make([]float64, k*width)
	for c, g := range class {
		tile.Subtract(centred[c*d:], d, g.mean, origin, 1)
	}
	white.Product(means, centred, k)
	columns := tile.Transpose(means, k, width)
	z, all := make([]float64, batch*width), make([]float64, batch*columns.Width())
	return func(to, x []float64, m int) {
		tile.Subtract(centred, d, x, origin, m)
		white.Product(z, centred, m)
		columns.Distances(all, z, m)
		for r := range m {
			copy(to[r*k:(r+1)*k], all[r*columns.Width():])
		}
	}
}

// Predict returns the class of largest posterior for each row (smallest number among ties).
func (c *Classifier) Predict(X mat.Matrix) ([]int, error) {
	if err := estimator.CheckWidth("bayes.Classifier.Predict", X, c.Dim()); err != nil {
		return nil, err
	}
	dense := estimator.Dense(X)
	if c.shared {
		return c.predictLinear(dense), nil
	}
	D := c.decide(dense)
	y := make([]int, D.RawMatrix().Rows)
	for i := range y {
		y[i] = argmax(D.RawRowView(i))
	}
	return y, nil
}

// predictLinear compares the linear discriminants of classes with one covariance, taken about the mean of class 0 to keep their digits.
func (c *Classifier) predictLinear(X *mat.Dense) []int {
	n, d := X.Dims()
	k := len(c.class)
	precision := c.class[0].precision().RawSymmetric().Data
	weights, offset, shift := make([]float64, k*d), make([]float64, k), make([]float64, d)
	full := make([]float64, d*d)
	for i := range d {
		for j := i; j < d; j++ {
			full[i*d+j], full[j*d+i] = precision[i*d+j], precision[i*d+j]
		}
	}
	for a, g := range c.class {
		tile.Subtract(shift, d, g.mean, c.class[0].mean, 1)
		w := weights[a*d : (a+1)*d]
		for i := range w {
			for j, v := range shift {
				w[i] += full[i*d+j] * v
			}
			offset[a] -= 0.5 * w[i] * shift[i]
		}
		offset[a] += math.Log(c.priors[a])
	}
	columns := tile.Transpose(weights, k, d)
	y := make([]int, n)
	centred, scores := make([]float64, batch*d), make([]float64, batch*k)
	for lo := 0; lo < n; lo += batch {
		m := min(batch, n-lo)
		tile.Subtract(centred, d, X.RawMatrix().Data[lo*d:(lo+m)*d], c.class[0].mean, m)
		columns.Project(scores, centred, m)
		for r := range m {
			row := scores[r*k : (r+1)*k]
			for a := range row {
				row[a] += offset[a]
			}
			y[lo+r] = argmax(row)
		}
	}
	return y
}

// Proba returns the posteriors p(y|x), n x K.
func (c *Classifier) Proba(X mat.Matrix) (*mat.Dense, error) {
	D, err := c.Decision(X)
	if err != nil {
		return nil, fault.In("bayes.Classifier.Proba", err)
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
		if len(mean) == 0 || which >= len(s.Covs) || len(s.Covs[which]) != len(mean)*len(mean) || len(mean) != len(s.Means[0]) {
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
