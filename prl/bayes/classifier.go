package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimate"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// Denominator says by what a scatter matrix is divided to give a covariance.
type Denominator int

const (
	// Unbiased divides by n_k - 1 for the covariance of a class and by n - K for a pooled one. It is the default.
	Unbiased Denominator = iota
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

// Options are the settings of the Gaussian classifiers. The zero value is the default.
type Options struct {
	// Priors are the class probabilities; nil takes the (weighted) proportions of the classes. NearestMean takes equal priors always.
	Priors []float64
	// Balanced gives all classes the same prior, whatever their sizes; not with Priors.
	Balanced bool
	// Denominator of the covariances; Unbiased by default.
	Denominator Denominator
	// Shrinkage s in [0, 1] replaces a covariance S by (1-s) S + s tr(S)/d I; 0 by default. Any s above 0 makes a singular covariance usable.
	Shrinkage float64
	// ShrinkageAuto shrinks the covariance of each class by the share s of Ledoit and Wolf (2004) for its features in standard deviations of
	// the class: (1-s) S + s diag(S), see estimate.LedoitWolf; LDA pools them afterwards, as scikit-learn does. Not with Shrinkage or Pooling.
	// NearestMean and GaussianNB have no correlations to shrink.
	ShrinkageAuto bool
	// Pooling a in [0, 1] replaces the covariance S_k of a class by (1-a) S_k + a S with the pooled covariance S, before Shrinkage; 0 by
	// default. It leads from QDA at 0 to LDA at 1 (Hastie, Tibshirani and Friedman, section 4.3.1, where alpha is 1-a). Only QDA and
	// GaussianNB have covariances to pool.
	Pooling float64
	// Weights counts row i as Weights[i] rows; nil counts each once.
	Weights []float64
}

// labelled checks the data of a fit, and the probabilities of the classes that its options give.
func labelled(
	ctx context.Context, function string, X mat.Matrix, y []int, weights, priors []float64, balanced bool,
) (*estimator.Labelled, error) {
	l, err := estimator.NewLabelled(ctx, function, X, y, estimator.Weighting{Weights: weights})
	if err != nil {
		return nil, err
	}
	return l, checkGiven(function, priors, balanced, l.K)
}

// checkGiven reports priors that are none of the classes, and priors beside the wish for equal ones.
func checkGiven(function string, priors []float64, balanced bool, classes int) error {
	if priors != nil {
		if err := checkPriors(function, priors, classes); err != nil {
			return err
		}
	}
	return checkBalanced(function, balanced, priors)
}

// checkBalanced reports priors that are no probabilities, or that stand beside the wish for equal ones.
func checkBalanced(function string, balanced bool, priors []float64) error {
	if priors == nil {
		return nil
	}
	if balanced {
		return fault.Argument(function, "Priors", fault.Short(priors), "left out with Balanced, which makes them equal", "")
	}
	return estimator.CheckProbabilities(function, "Priors", priors)
}

// even returns k equal probabilities.
func even(k int) []float64 { return slices.Repeat([]float64{1 / float64(k)}, k) }

// checkCovariance reports settings of the covariances that no data could make right.
func (o Options) checkCovariance(function string) error {
	if o.Denominator != Unbiased && o.Denominator != MaximumLikelihood {
		return fault.Argument(function, "Denominator", o.Denominator, "Unbiased or MaximumLikelihood", "the default is Unbiased")
	}
	if !(o.Shrinkage >= 0 && o.Shrinkage <= 1) {
		return fault.Argument(function, "Shrinkage", o.Shrinkage, "a number from 0 to 1", "the default is 0")
	}
	if o.ShrinkageAuto && (o.Shrinkage > 0 || o.Pooling > 0) {
		return fault.Argument(function, "ShrinkageAuto", true, "false with Shrinkage or Pooling, which say how much", "drop one of the two")
	}
	if !(o.Pooling >= 0 && o.Pooling <= 1) {
		return fault.Argument(function, "Pooling", o.Pooling, "a number from 0 to 1", "the default is 0")
	}
	return nil
}

// A Classifier decides between Gaussian classes: it takes the class of largest log p(y) + log p(x|y). FitLDA, FitQDA, FitNearestMean and
// FitGaussianNB differ in what they estimate. It is immutable and safe for concurrent use.
type Classifier struct {
	estimator.Names
	kind   string
	priors []float64
	class  []*Gaussian
	logs   []float64      // of the priors
	linear *discriminants // of classes with one covariance, nil otherwise
}

// moments holds the weighted counts, means and scatters of the classes. Weights are divided by unit, the largest of them.
type moments struct {
	d, k    int
	unit    float64
	count   []float64
	mean    [][]float64
	scatter [][]float64 // about the class mean: d x d of which the upper triangle counts, or the d sums of squares
}

// settle makes columns that are constant up to rounding constant: the mean of equal numbers need not be one of them.
func (m *moments) settle() {
	for c, s := range m.scatter {
		step := len(s)/m.d + 1 // from one sum of squares to the next
		if len(s) == m.d {
			step = 1
		}
		for j, mean := range m.mean[c] {
			if gauss.Constant(mean, s[j*step]/m.count[c]) {
				s[j*step] = 0
			}
		}
	}
}

// newMoments gathers sums of squares in place of scatter matrices when only the variances are asked for. A number that is not finite shows
// in the sums, so that rows are looked through only where these are not finite, or are not of all rows.
func newMoments(function string, ctx context.Context, X mat.Matrix, y []int, o Options, variances bool) (*moments, error) {
	if err := estimator.CheckSize(function, X); err != nil {
		return nil, err
	}
	l, err := estimator.CheckedLabelled(ctx, function, X, y, estimator.Weighting{Weights: o.Weights})
	if err != nil {
		return nil, err
	}
	if err := checkGiven(function, o.Priors, o.Balanced, l.K); err != nil {
		return nil, err
	}
	if err := o.checkCovariance(function); err != nil {
		return nil, err
	}
	m, err := momentsOf(function, ctx, l, o, variances)
	if err != nil {
		return nil, err
	}
	unseen := func(sums []float64) bool { return !tile.Finite(sums) }
	if l.Kept != nil || slices.ContainsFunc(m.mean, unseen) || slices.ContainsFunc(m.scatter, unseen) {
		err = estimator.CheckX(function, X)
	}
	return m, err
}

func momentsOf(function string, ctx context.Context, l *estimator.Labelled, o Options, variances bool) (m *moments, err error) {
	n, d, k, weights := l.N, l.D, l.K, l.W
	m = &moments{d: d, k: k, unit: l.Factor, count: make([]float64, k), mean: make([][]float64, k), scatter: make([][]float64, k)}
	if weights != nil {
		largest := slices.Max(weights)
		m.unit, weights = m.unit*largest, slices.Clone(weights)
		for i := range weights {
			weights[i] /= largest
		}
	}
	x := l.Dense().RawMatrix().Data
	rows, seen, first := make([][]int, k), make([]int, k), make([]float64, k) // first: the weight of the first rows
	for c := range m.mean {
		m.mean[c] = make([]float64, d)
	}
	for i, c := range l.Y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if !variances {
			rows[c] = append(rows[c], i)
		}
		m.count[c] += w
		if seen[c]++; first[c] > 0 && seen[c] > firstRows {
			continue
		}
		first[c] += w
		mean := m.mean[c]
		for j, v := range x[i*d : (i+1)*d] {
			mean[j] += w * v
		}
	}
	for c := range k {
		if m.count[c] == 0 {
			return nil, fault.Argument(function, fmt.Sprintf("the weight of class %d", c), 0, "positive", "drop the class or weigh its rows")
		}
		for j := range m.mean[c] {
			m.mean[c][j] /= first[c]
		}
	}
	near := !variances && slices.Max(seen) <= firstRows // for scatters, only the means that are not yet those of all rows
	for passes := 0; !near && passes < 2; passes++ {
		if near, err = m.squares(ctx, x, l.Y, weights, seen); err != nil {
			return nil, fmt.Errorf("%s: %w", function, err)
		}
	}
	if variances {
		return m, nil
	}
	for c := range k {
		if m.scatter[c], err = tile.Scatter(ctx, x, n, d, rows[c], weights, func(int) []float64 { return m.mean[c] }); err != nil {
			return nil, fmt.Errorf("%s: %w", function, err)
		}
		if o.ShrinkageAuto {
			m.automatic(c, x, rows[c], weights)
		}
	}
	return m, nil
}

// automatic shrinks the scatter of a class to its diagonal by the share of Ledoit and Wolf for the features in standard deviations of the
// class. Constant features keep their unit, and get a variance.
func (m *moments) automatic(class int, x []float64, rows []int, weights []float64) {
	scatter, n := m.scatter[class], m.count[class]
	deviation, S := make([]float64, m.d), mat.NewSymDense(m.d, nil)
	for j := range deviation {
		if deviation[j] = math.Sqrt(scatter[j*m.d+j] / n); deviation[j] == 0 {
			deviation[j] = 1
		}
	}
	for i := range m.d {
		for j := i; j < m.d; j++ {
			S.SetSym(i, j, scatter[i*m.d+j]/n/deviation[i]/deviation[j])
		}
	}
	quartic := 0.0
	for _, i := range rows {
		w, square := 1.0, 0.0
		if weights != nil {
			w = weights[i]
		}
		for j, v := range x[i*m.d : (i+1)*m.d] {
			u := (v - m.mean[class][j]) / deviation[j]
			square += u * u
		}
		quartic += w * square * square
	}
	s, mean := estimate.Shrinkage(S, quartic*m.unit, n*m.unit), mat.Trace(S)/float64(m.d)
	for i := range m.d {
		for j := i; j < m.d; j++ {
			v := (1 - s) * S.At(i, j)
			if i == j {
				v += s * mean
			}
			scatter[i*m.d+j] = v * n * deviation[i] * deviation[j]
		}
	}
}

// firstRows is of how many rows the mean of a class is found before the others: sums about it lose at most as many digits as their number
// by this one has, since the share of the first rows in all squares bounds how far their mean lies from that of all. Where the first rows
// weigh next to nothing they lose more, and are made again.
const firstRows = 1024

// squares sums up the rows and their squares about the means so far in one pass, and moves means and squares to those of all rows. It
// reports whether the squares have kept their digits but for three. seen is how many rows a class has. Partial sums are added in order, so
// that the result does not depend on the number of goroutines.
func (m *moments) squares(ctx context.Context, x []float64, y []int, weights []float64, seen []int) (near bool, err error) {
	n, d := len(y), m.d
	chunk := max(4096, 32*m.k, n/64)
	parts := make([][]float64, (n+chunk-1)/chunk) // of each class sums and squares
	share.Turns(share.Workers(len(parts), 0.5*float64(len(x))), len(parts), func(_, at int) {
		part := make([]float64, 2*m.k*d)
		for i := at * chunk; i < min(n, (at+1)*chunk) && ctx.Err() == nil; i++ {
			c, w := y[i], 1.0
			if weights != nil {
				w = weights[i]
			}
			own := part[2*c*d : 2*(c+1)*d]
			tile.SumMoments(own[:d], own[d:], x[i*d:(i+1)*d], m.mean[c], w, 1)
		}
		parts[at] = part
	})
	if err := ctx.Err(); err != nil {
		return false, err
	}
	all := parts[0]
	near = true
	for _, part := range parts[1:] {
		floats.Add(all, part)
	}
	for c := range m.k {
		sum, squares := all[2*c*d:(2*c+1)*d], all[(2*c+1)*d:2*(c+1)*d]
		m.scatter[c] = squares
		if seen[c] <= firstRows {
			continue
		}
		for j, v := range sum {
			v /= m.count[c]
			m.mean[c][j] += v
			before := squares[j]
			squares[j] = max(0, before-m.count[c]*v*v)
			near = near && !(squares[j] < before/1024)
		}
	}
	return near, nil
}

func (m *moments) priors(o Options) []float64 {
	if o.Balanced {
		return even(m.k)
	}
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

// covariance returns the scatter, which it overwrites, divided by n - lost (Unbiased) or n.
func (m *moments) covariance(function, what string, scatter []float64, n, lost float64, o Options) ([]float64, error) {
	rest := n
	if o.Denominator == Unbiased {
		rest -= lost / m.unit
	}
	if !(rest > 1e-9*n) {
		remedy := "take more rows, or Denominator MaximumLikelihood with Shrinkage above 0"
		if o.Weights != nil {
			remedy = fmt.Sprintf("weights count rows, and these sum to %.4g: multiply them, or set Denominator to MaximumLikelihood", n*m.unit)
		}
		return nil, fault.Argument(function, what, "undefined (as many parameters as rows)", "estimated from more rows", remedy)
	}
	for j := range scatter {
		scatter[j] /= rest
	}
	if o.Shrinkage > 0 {
		gauss.Shrink(scatter, m.d, o.Shrinkage)
	}
	return scatter, nil
}

// mix replaces the scatters of the classes by covariances (1-a) S_k + a S, not yet shrunk, where S is pooled.
func (m *moments) mix(function string, o Options) ([][]float64, error) {
	a := o.Pooling
	o.Shrinkage = 0
	parts := make([][]float64, m.k)
	for k, scatter := range m.scatter {
		parts[k] = slices.Clone(scatter)
	}
	S, err := m.pool(function, o)
	if err != nil {
		return nil, err
	}
	for k, scatter := range parts {
		if a < 1 {
			what := fmt.Sprintf("the covariance of class %d", k)
			if parts[k], err = m.covariance(function, what, scatter, m.count[k], 1, o); err != nil {
				return nil, err
			}
		}
		for j, v := range S {
			own := 0.0
			if a < 1 {
				own = (1 - a) * parts[k][j]
			}
			parts[k][j] = own + a*v
		}
	}
	return parts, nil
}

// pool returns the covariance about the class means over all classes.
func (m *moments) pool(function string, o Options) ([]float64, error) {
	sum, n := m.scatter[0], m.count[0]
	for c := 1; c < m.k; c++ {
		for j, v := range m.scatter[c] {
			sum[j] += v
		}
		n += m.count[c]
	}
	return m.covariance(function, "the pooled covariance", sum, n, float64(m.k), o)
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

// Law returns the fitted joint law p(x, y).
func (c *Classifier) Law() *Law { return &Law{c.priors, c.class, c.logs} }

// Pooled returns a copy of the covariance that all classes share, or nil when each has its own.
func (c *Classifier) Pooled() *mat.SymDense {
	if c.linear == nil {
		return nil
	}
	return c.class[0].Cov()
}

// Decision returns log p(y) + log p(x|y) in nats, n x K. It is -Inf where that is beyond the range of float64, from about 1e154 standard
// deviations on; Proba and Predict still tell the classes apart there.
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
	k := len(c.class)
	out := mat.NewDense(n, k, nil)
	constant := make([]float64, k)
	for a, g := range c.class {
		constant[a] = c.logs[a] - 0.5*(float64(d)*gauss.Log2Pi+g.LogDet())
	}
	x, to := X.RawMatrix().Data, out.RawMatrix().Data
	means, factors := parts(c.class)
	batches := (n + gauss.Batch - 1) / gauss.Batch
	share.Ranges(share.Workers(batches, c.cost(n)), batches, func(_, from, until int) {
		squares := gauss.Distances(means, factors, min(n, gauss.Batch))
		for lo := from * gauss.Batch; lo < min(until*gauss.Batch, n); lo += gauss.Batch {
			m := min(gauss.Batch, n-lo)
			rows := to[lo*k : (lo+m)*k]
			squares(rows, x[lo*d:], m)
			for ; len(rows) > 0; rows = rows[k:] {
				for a, b := range constant {
					rows[a] = b - 0.5*rows[a]
				}
			}
		}
	})
	return out
}

// cost is about how many nanoseconds the densities of n rows take: those of diagonal covariances one by one, others by products of
// matrices.
func (c *Classifier) cost(n int) float64 {
	d, k := float64(c.Dim()), float64(len(c.class))
	row := 0.1 * k * d * d
	switch {
	case c.class[0].factor.Diagonal():
		row = k * d
	case c.linear != nil:
		row = 0.1 * d * (d + k)
	}
	return float64(n) * (5*k + row)
}

// Predict returns the class of largest posterior for each row (smallest number among ties).
func (c *Classifier) Predict(X mat.Matrix) ([]int, error) {
	if err := estimator.CheckWidth("bayes.Classifier.Predict", X, c.Dim()); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	y := make([]int, n)
	c.each(X, func(i int, scores []float64) { y[i] = estimator.Argmax(scores) })
	return y, nil
}

// each calls use with the number of each row of X and its K log joint densities less a number of the row's own, by which the classes can be
// told apart at any distance. The numbers are overwritten afterwards. Sparse rows are made dense a block at a time.
func (c *Classifier) each(X mat.Matrix, use func(i int, scores []float64)) {
	if thin, ok := X.(*sparse.CSR); ok {
		const block = 1024
		n, _ := thin.Dims()
		rows := make([]int, 0, block)
		for lo := 0; lo < n; lo += block {
			rows = rows[:0]
			for i := lo; i < min(lo+block, n); i++ {
				rows = append(rows, i)
			}
			c.each(thin.Select(rows...).Dense(), func(i int, scores []float64) { use(lo+i, scores) })
		}
		return
	}
	dense := estimator.Dense(X)
	if c.linear != nil {
		c.linear.each(dense, use)
		return
	}
	D := c.decide(dense)
	n, _ := D.Dims()
	for i := range n {
		use(i, c.apart(D, dense, i))
	}
}

// apart returns row i of the log joint densities D, or what tells the classes apart where these do not.
func (c *Classifier) apart(D, X *mat.Dense, i int) []float64 {
	row := D.RawRowView(i)
	if gauss.Far(row[estimator.Argmax(row)]) {
		relative(row, X.RawRowView(i), c.priors, c.class)
	}
	return row
}

// Proba returns the posteriors p(y|x), n x K.
func (c *Classifier) Proba(X mat.Matrix) (*mat.Dense, error) {
	return c.posteriors("bayes.Classifier.Proba", X, func(a []float64) { Softmax(a) })
}

// LogProba returns the logarithms log p(y|x) of the posteriors in nats, n x K, also of those that Proba rounds to zero.
func (c *Classifier) LogProba(X mat.Matrix) (*mat.Dense, error) {
	return c.posteriors("bayes.Classifier.LogProba", X, gauss.LogSoftmax)
}

// posteriors returns what soften makes of the K log joint densities of each row, less a number of the row's own.
func (c *Classifier) posteriors(function string, X mat.Matrix, soften func([]float64)) (*mat.Dense, error) {
	if err := estimator.CheckWidth(function, X, c.Dim()); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if c.linear == nil { // in place
		dense := estimator.Dense(X)
		P := c.decide(dense)
		for i := range n {
			soften(c.apart(P, dense, i))
		}
		return P, nil
	}
	P := mat.NewDense(n, len(c.class), nil)
	c.each(X, func(i int, scores []float64) {
		soften(scores)
		copy(P.RawRowView(i), scores)
	})
	return P, nil
}

// Class returns the class of one observation, or -1 when x has not d finite numbers.
func (c *Classifier) Class(x ...float64) int {
	if len(x) != c.Dim() || len(x) == 0 {
		return -1
	}
	for _, v := range x {
		if v-v != 0 {
			return -1
		}
	}
	var room [16]float64 // for so many classes nothing is allocated
	scores := room[:0]
	if c.linear != nil {
		scores = append(scores, c.linear.offset...)
		c.linear.row(scores, x)
		return estimator.Argmax(scores)
	}
	for k, g := range c.class {
		scores = append(scores, c.logs[k]-0.5*(g.LogDet()+g.factor.Distance2(x, g.mean)))
	}
	if gauss.Far(scores[estimator.Argmax(scores)]) {
		relative(scores, x, c.priors, c.class)
	}
	return estimator.Argmax(scores)
}

// String returns "LDA with 3 classes in 4 dimensions".
func (c *Classifier) String() string {
	return fmt.Sprintf("%s with %d classes in %d dimensions", c.kind, c.Classes(), c.Dim())
}

type classifierState struct {
	Kind   string
	Priors []float64
	Means  [][]float64
	Covs   [][]float64 // one for all, or one a class; each d x d, or d variances of independent features
	Shared bool
	Names  estimator.Names
}

const classifierVersion = 2

// MarshalBinary encodes the model with its layout version.
func (c *Classifier) MarshalBinary() ([]byte, error) {
	s := classifierState{Kind: c.kind, Priors: c.priors, Shared: c.linear != nil, Names: c.Names}
	for k, g := range c.class {
		s.Means = append(s.Means, g.mean)
		if k == 0 || !s.Shared {
			s.Covs = append(s.Covs, g.cov)
		}
	}
	return estimator.Encode("bayes.Classifier", classifierVersion, s)
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (c *Classifier) UnmarshalBinary(data []byte) error {
	const f = "bayes.Classifier"
	var s classifierState
	if err := estimator.Decode(data, f, classifierVersion, &s); err != nil {
		return err
	}
	if err := checkPriors(f, s.Priors, len(s.Means)); err != nil {
		return fmt.Errorf("%s: decode: %w", f, err)
	}
	d, covariances := len(s.Means[0]), len(s.Means)
	if s.Shared {
		covariances = 1
	}
	damaged := d == 0 || len(s.Covs) != covariances
	for _, mean := range s.Means {
		damaged = damaged || len(mean) != d
	}
	for _, cov := range s.Covs {
		damaged = damaged || len(cov) != d && !estimator.Fits(len(cov), d, d)
	}
	if damaged {
		return fmt.Errorf("%s: decode: the data is damaged", f)
	}
	n := Classifier{Names: s.Names, kind: s.Kind, priors: s.Priors, logs: logs(s.Priors)}
	for k, mean := range s.Means {
		if s.Shared && k > 0 {
			if err := checkMean(f, mean); err != nil {
				return fmt.Errorf("%s: decode: %w", f, err)
			}
			n.class = append(n.class, n.class[0].at(mean))
			continue
		}
		g, err := newGaussian(f, "cov", mean, s.Covs[k])
		if err != nil {
			return fmt.Errorf("%s: decode: %w", f, err)
		}
		n.class = append(n.class, g)
	}
	if s.Shared {
		var err error
		if n.linear, err = newDiscriminants(f, n.priors, n.class); err != nil {
			return fmt.Errorf("%s: decode: %w", f, err)
		}
	}
	*c = n
	return nil
}
