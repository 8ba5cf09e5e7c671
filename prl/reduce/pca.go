package reduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// All asks for every component there is. It is the zero value.
const All = 0

// A Path is a way to compute principal components. All give the same axes; they differ in speed, in the digits of small variances, and in
// how many variances they find.
type Path int

const (
	// Auto takes Krylov when Components is at most a twentieth of the smaller of n and d, which is at least 500, or 100 for n < d, and
	// otherwise Covariance when n >= d and SVD when n < d.
	Auto Path = iota
	// Covariance takes the eigenvectors of the d x d covariance matrix: n d^2 operations, and d^3 more. Variances below 1e-16 of the largest
	// are noise.
	Covariance
	// SVD takes the singular vectors of the centred data: up to some times slower, but a variance is right down to 1e-30 of the largest.
	SVD
	// Krylov finds only the components asked for, by the method of Lanczos: some tens of products of the covariance matrix, or of the centred
	// data, with a vector, until S u = lambda u to the Accuracy asked for. Variances beyond the components are not known.
	Krylov
)

func (p Path) String() string { return [...]string{"auto", "covariance", "SVD", "Krylov"}[p] }

// A Divisor is what a sum of squares is divided by to give a variance.
type Divisor int

const (
	// Sample divides by n-1, which makes the variance unbiased.
	Sample Divisor = iota
	// Population divides by n, as in S = 1/n sum (x - m)(x - m)^T.
	Population
)

func (d Divisor) String() string { return [...]string{"n-1", "n"}[d] }

// PCAOptions are the settings of FitPCA. The zero value is the default.
type PCAOptions struct {
	Components int       // k, from 1 to min(n, d), or All (0, the default)
	Share      float64   // in the place of Components: as few as keep this share of the variance, above 0 and at most 1; 0 for not asked
	Path       Path      // default Auto
	Accuracy   float64   // of Krylov: the largest ||S u - lambda u|| / lambda_1, from 1e-13 to 0.5; 0 means 1e-10
	Divisor    Divisor   // default Sample
	Scale      bool      // divide each feature by its standard deviation first (components of the correlation matrix)
	Weights    []float64 // n sample weights; nil means ones
}

// A PCA is the map x -> U^T (x - m) onto the k orthonormal axes of largest variance, the eigenvectors of the covariance matrix:
//
//	S u_j = lambda_j u_j,  lambda_1 >= lambda_2 >= ...,  var(u_j^T x) = lambda_j
//
// The sum of the discarded lambda is the mean squared error of rebuilding the data from k scores. Source: Pearson 1901; Hotelling 1933;
// Bishop, Pattern Recognition and Machine Learning, 2006, section 12.1.
type PCA struct {
	estimator.Names
	state pcaState
	axes  *mat.Dense
}

type pcaState struct {
	D, K   int
	Mean   []float64
	Scale  []float64 // standard deviations when the data were scaled, else nil
	Axes   []float64 // d x k, row by row
	Values []float64 // all variances, min(n, d) of them, or those of the k axes
	Sum    float64   // of all variances
	Misses []float64 // with Krylov: ||S u - lambda u|| of each axis
	Rows   int
	Of     Divisor
	Names  estimator.Names // in storage only: PCA.Names holds them
}

func badShare(name string, share float64) error {
	return fault.Argument(name, "Share", share, "a share of the variance above 0 and at most 1", "0.95 is usual")
}

// FitPCA returns the principal components of X (n x d). The sign of an axis is chosen so that its entry of largest magnitude is positive.
func FitPCA(ctx context.Context, X mat.Matrix, opts PCAOptions) (*PCA, error) {
	return fitPCA(ctx, "reduce.FitPCA", X, opts)
}

func fitPCA(ctx context.Context, name string, X mat.Matrix, opts PCAOptions) (*PCA, error) {
	x, w, mean, rest, sum, err := unlabelled(ctx, name, X, opts.Weights)
	if err != nil {
		return nil, err
	}
	if opts.Path < Auto || opts.Path > Krylov {
		return nil, fault.Argument(name, "Path", int(opts.Path), "Auto, Covariance, SVD or Krylov", "")
	}
	if err := opts.checkShare(name); err != nil {
		return nil, err
	}
	if a := opts.Accuracy; a != 0 && !(a >= 1e-13 && a <= 0.5) {
		return nil, fault.Argument(name, "Accuracy", a, "0 or a number from 1e-13 to 0.5", "0 means 1e-10, which is usual")
	}
	n, d := x.Dims()
	if opts.Components != All {
		if err := estimator.CheckCount(name, "Components", opts.Components, 1, min(n, d)); err != nil {
			return nil, err
		}
	}
	by, err := divisor(name, opts.Divisor, sum)
	if err != nil {
		return nil, err
	}
	s := pcaState{D: d, Mean: mean, Rows: n, Of: opts.Divisor}
	path := opts.Path
	if path == Auto {
		least := 500
		path = Covariance
		if n < d {
			path, least = SVD, 100
		}
		if m := min(n, d); opts.Components != All && m >= least && opts.Components <= m/20 {
			path = Krylov
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.K = opts.Components; s.K == All {
		s.K = min(n, d)
	}
	var axes *mat.Dense
	switch path {
	case Covariance:
		axes, err = s.covariance(ctx, name, x, w, rest, sum, by, opts.Scale)
	case SVD:
		axes, err = s.svd(ctx, name, x, w, rest, by, opts.Scale)
	default:
		axes, err = s.krylov(ctx, name, x, w, rest, sum, by, opts)
	}
	if err != nil {
		return nil, err
	}
	return s.with(axes, opts.Share), nil
}

// with returns s with those of the axes that keep a share of the variance, with all of them when it is 0.
func (s pcaState) with(axes *mat.Dense, share float64) *PCA {
	if share > 0 {
		s.K = s.componentsFor(share)
		axes = mat.DenseCopyOf(axes.Slice(0, s.D, 0, s.K))
	}
	s.Axes = axes.RawMatrix().Data
	p := &PCA{state: s}
	p.prepare()
	return p
}

// PCAOf returns the principal components of a distribution whose mean (d numbers) and covariance (d x d) are known, or estimated from rows
// rows (0 stands for more than d). The path is Covariance, whatever the options say; Accuracy, Divisor and Weights have no place here.
//
// Errors: parts that do not fit together, numbers that are not finite, variances below zero, Components above min(rows, d), with Scale a
// constant feature.
func PCAOf(mean []float64, cov mat.Symmetric, rows int, opts PCAOptions) (*PCA, error) {
	const name = "reduce.PCAOf"
	own, err := known(name, mean, cov)
	if err != nil {
		return nil, err
	}
	d := len(mean)
	if rows < 0 || opts.Weights != nil || opts.Accuracy != 0 || opts.Divisor != Sample {
		return nil, fault.Argument(name, "the options", fmt.Sprintf("%+v", opts), "Components or Share, and Scale, with a count of rows", "")
	}
	if err := opts.checkShare(name); err != nil {
		return nil, err
	}
	if rows == 0 {
		rows = d + 1
	}
	if opts.Components != All {
		if err := estimator.CheckCount(name, "Components", opts.Components, 1, min(rows, d)); err != nil {
			return nil, err
		}
	}
	s := pcaState{D: d, K: opts.Components, Mean: slices.Clone(mean), Rows: rows}
	if s.K == All {
		s.K = min(rows, d)
	}
	if opts.Scale {
		if err := s.correlate(name, own); err != nil {
			return nil, err
		}
	}
	axes, err := s.eigenvectors(context.Background(), name, own)
	if err != nil {
		return nil, err
	}
	return s.with(axes, opts.Share), nil
}

// known checks a mean and a covariance, of which it returns a copy.
func known(name string, mean []float64, cov mat.Symmetric) (*mat.SymDense, error) {
	if cov == nil || cov.SymmetricDim() != len(mean) || len(mean) == 0 {
		return nil, fault.Argument(name, "mean", fmt.Sprintf("%d numbers", len(mean)), "as long as the covariance is wide", "")
	}
	if err := estimator.CheckX(name, cov); err != nil {
		return nil, err
	}
	own := mat.NewSymDense(len(mean), nil)
	own.CopySym(cov)
	return own, nil
}

// checkShare reports a share that is none, or that another setting leaves nothing to decide.
func (o PCAOptions) checkShare(name string) error {
	switch {
	case !(o.Share >= 0 && o.Share <= 1):
		return badShare(name, o.Share)
	case o.Share > 0 && o.Components != All:
		return fault.Argument(name, "Share", o.Share, "left out beside a number of components", "drop one of the two")
	case o.Share > 0 && o.Path == Krylov:
		return fault.Argument(name, "Share", o.Share, "left out of Krylov, which needs a number of components", "take another path")
	}
	return nil
}

// prepare derives what the methods need from the state.
func (p *PCA) prepare() { p.axes = mat.NewDense(p.state.D, p.state.K, p.state.Axes) }

// covariance finds the axes as eigenvectors of the covariance matrix.
func (s *pcaState) covariance(
	ctx context.Context, name string, x *mat.Dense, w, rest []float64, sum, by float64, scale bool,
) (*mat.Dense, error) {
	c, err := s.matrix(ctx, name, x, w, rest, sum, by, scale)
	if err != nil {
		return nil, err
	}
	return s.eigenvectors(ctx, name, c)
}

// eigenvectors finds the axes of a covariance matrix of s.Rows rows.
func (s *pcaState) eigenvectors(ctx context.Context, name string, c *mat.SymDense) (*mat.Dense, error) {
	values, axes, err := spectrum(ctx, name, c, s.K)
	if err != nil {
		return nil, err
	}
	s.Values = values[:min(s.Rows, s.D)]
	for j, v := range s.Values {
		s.Values[j] = max(v, 0)
	}
	s.Sum = total(s.Values)
	return axes, nil
}

// matrix returns the covariance matrix, or with scale the correlation matrix.
func (s *pcaState) matrix(
	ctx context.Context, name string, x *mat.Dense, w, rest []float64, sum, by float64, scale bool,
) (*mat.SymDense, error) {
	c, err := scatterAbout(ctx, name, x, nil, w, func(int) []float64 { return s.Mean })
	if err != nil {
		return nil, err
	}
	recentre(c, sum, rest)
	c.ScaleSym(1/by, c)
	if !scale {
		return c, nil
	}
	return c, s.correlate(name, c)
}

// correlate makes a covariance matrix that of correlations, and notes the standard deviations.
func (s *pcaState) correlate(name string, c *mat.SymDense) error {
	s.Scale = make([]float64, s.D)
	for j := range s.D {
		s.Scale[j] = math.Sqrt(c.At(j, j))
	}
	if err := checkScale(name, s.Scale, s.Mean); err != nil {
		return err
	}
	for i := range s.D {
		for j := i; j < s.D; j++ {
			c.SetSym(i, j, c.At(i, j)/s.Scale[i]/s.Scale[j])
		}
	}
	return nil
}

// svd finds the axes as singular vectors of the centred data: the right ones, or the left ones of the transposed data when they have fewer
// rows.
func (s *pcaState) svd(
	ctx context.Context, name string, x *mat.Dense, w, rest []float64, by float64, scale bool,
) (*mat.Dense, error) {
	n, d := x.Dims()
	y, err := s.centred(ctx, name, x, w, rest, by, scale, max(n, d), n >= d)
	if err != nil {
		return nil, err
	}
	values, vectors, err := eigen.Singular(ctx, y, min(n, d), max(n, d), n < d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for j := range values {
		values[j] /= by
	}
	s.Values, s.Sum = values, total(values)
	return columns(vectors[:s.K*d], s.K), nil
}

// tall is how many times as many rows as columns make the covariance matrix cheaper than a centred copy of the rows.
const tall = 10

// krylov finds the axes as the first eigenvectors of the covariance matrix, or with fewer rows than columns as the images of those of the
// inner products of the rows. It forms the matrix where that takes less time than products with the rows would.
func (s *pcaState) krylov(
	ctx context.Context, name string, x *mat.Dense, w, rest []float64, sum, by float64, opts PCAOptions,
) (*mat.Dense, error) {
	n, d := x.Dims()
	if opts.Components == All {
		return nil, fault.Argument(name, "Components", "All", "a number of components, of which Krylov finds no more", "set Components")
	}
	accuracy := opts.Accuracy
	if accuracy == 0 {
		accuracy = 1e-10
	}
	var operator *eigen.Operator
	var y []float64
	switch {
	case n > tall*d || n >= d && eigen.Forms(d, s.K):
		c, err := s.matrix(ctx, name, x, w, rest, sum, by, opts.Scale)
		if err != nil {
			return nil, err
		}
		operator, by = eigen.OfMatrix(c.RawSymmetric().Data, d), 1
	default:
		var err error
		if y, err = s.centred(ctx, name, x, w, rest, by, opts.Scale, tile.Padded(min(n, d)), n < d); err != nil {
			return nil, err
		}
		operator = eigen.OfRows(y, max(n, d), min(n, d))
	}
	pairs, err := eigen.Largest(ctx, operator, s.K, accuracy)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.Values, s.Misses, s.Sum = pairs.Values, pairs.Residuals, pairs.Trace/by
	vectors := pairs.Vectors
	if n < d {
		stride := tile.Padded(n)
		vectors = make([]float64, s.K*d)
		tile.Dense(vectors, s.K, d, d).SetProduct(tile.Dense(pairs.Vectors, s.K, n, n), tile.Dense(y, d, n, stride).T())
		for j := range s.K {
			axis := vectors[j*d : (j+1)*d]
			length := math.Sqrt(dot(axis, axis))
			if !(length > 1e-7*math.Sqrt(s.Values[0])) { // an image with no digits to trust
				need := fmt.Sprintf("at most %d: the data do not vary along more axes", j)
				return nil, fault.Argument(name, "Components", s.K, need, "ask for fewer, or take the path SVD")
			}
			for i := range axis {
				axis[i] /= length
			}
			s.Misses[j] *= math.Sqrt(s.Values[0]) / length // an image of a difference is no longer than this
		}
	}
	for j := range s.Values {
		s.Values[j], s.Misses[j] = max(s.Values[j], 0)/by, s.Misses[j]/by
	}
	return columns(vectors, s.K), nil
}

// centred returns the rows of x less the mean, times the roots of their weights, and with scale divided by their standard deviations, which
// it notes: in rows, or turned over with the columns in rows, that are stride apart.
func (s *pcaState) centred(
	ctx context.Context, name string, x *mat.Dense, w, rest []float64, by float64, scale bool, stride int, turned bool,
) ([]float64, error) {
	n, d := x.Dims()
	lines, down, right := n, stride, 1
	if turned {
		lines, down, right = d, 1, stride
	}
	c := make([]float64, lines*stride)
	squares := make([]float64, d)
	row := make([]float64, d)
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", name, ctx.Err())
		}
		tile.Subtract(row, d, x.RawRowView(i), s.Mean, 1)
		for j, v := range rest {
			row[j] -= v
		}
		if w != nil {
			root := math.Sqrt(w[i])
			for j := range row {
				row[j] *= root
			}
		}
		for j, v := range row {
			squares[j] += v * v
			c[i*down+j*right] = v
		}
	}
	if err := checkSquares(name, x, nil, squares, func(int) []float64 { return s.Mean }); err != nil {
		return nil, err
	}
	if !scale {
		return c, nil
	}
	s.Scale = make([]float64, d)
	for j, q := range squares {
		s.Scale[j] = math.Sqrt(q / by)
	}
	if err := checkScale(name, s.Scale, s.Mean); err != nil {
		return nil, err
	}
	for i := range n {
		for j, v := range s.Scale {
			c[i*down+j*right] /= v
		}
	}
	return c, nil
}

func checkScale(name string, scale, mean []float64) error {
	for j, v := range scale {
		if !(v > 1e-14*math.Abs(mean[j])) {
			return fault.Argument(
				name,
				fmt.Sprintf("column %d of X", j),
				"constant",
				"varying, for Scale divides by its standard deviation",
				"leave the feature out or do not scale",
			)
		}
	}
	return nil
}

// unlabelled checks X and weights, drops rows of weight zero, and returns the rest with its mean, what that is beyond the rounded mean, and
// its total weight.
func unlabelled(
	ctx context.Context, name string, X mat.Matrix, weights []float64,
) (x *mat.Dense, w, mean, rest []float64, sum float64, err error) {
	// The mean of a column reports whether all its numbers are finite: without weights, which may be zero, one look at the data serves both.
	dense, ok := X.(*mat.Dense)
	late := ok && dense != nil && !dense.IsEmpty() && weights == nil
	if !late {
		if err := estimator.CheckX(name, X); err != nil {
			return nil, nil, nil, nil, 0, err
		}
	}
	r, err := estimator.CheckedRows(ctx, name, X, weights)
	if err != nil {
		return nil, nil, nil, nil, 0, err
	}
	if w, err = counts(name, r); err != nil {
		return nil, nil, nil, nil, 0, err
	}
	x = r.Dense()
	mean, rest, sum = weightedMean(x, w)
	if late && !tile.Finite(mean) {
		if err := estimator.CheckX(name, X); err != nil {
			return nil, nil, nil, nil, 0, err
		}
	}
	return x, w, mean, rest, sum, nil
}

func divisor(name string, of Divisor, sum float64) (float64, error) {
	switch {
	case of == Population:
		return sum, nil
	case of != Sample:
		return 0, fault.Argument(name, "Divisor", int(of), "Sample or Population", "")
	case sum <= 1:
		return 0, fault.Argument(
			name,
			"X",
			fmt.Sprintf("of total weight %v", sum),
			"data of total weight above 1, because the variance is divided by n-1",
			"give more rows, or set Divisor to Population",
		)
	}
	return sum - 1, nil
}

// Dim returns d, the number of features.
func (p *PCA) Dim() int { return p.state.D }

// Components returns k, the number of axes kept.
func (p *PCA) Components() int { return p.state.K }

// Mean returns the mean of the data, d numbers.
func (p *PCA) Mean() []float64 { return append([]float64(nil), p.state.Mean...) }

// copied returns a copy, nil for the nil matrix of a model that was not fitted.
func copied(m *mat.Dense) *mat.Dense {
	if m == nil {
		return nil
	}
	return mat.DenseCopyOf(m)
}

// Axes returns the d x k matrix U whose column j is the principal axis u_j.
func (p *PCA) Axes() *mat.Dense { return copied(p.axes) }

// Axis returns the principal axis u_j, j from 0, as d numbers of unit length; nil when there is no such axis.
func (p *PCA) Axis(j int) []float64 {
	if p.axes == nil || j < 0 || j >= p.axes.RawMatrix().Cols {
		return nil
	}
	return mat.Col(nil, j, p.axes)
}

// Variances returns the variances lambda_1 >= lambda_2 >= ...: all min(n, d) of them, also those of the axes not kept, but with Krylov the
// k of the axes.
func (p *PCA) Variances() []float64 { return append([]float64(nil), p.state.Values...) }

// Residuals returns with Krylov ||S u_j - lambda_j u_j|| for each axis, and otherwise nil. There is a true variance no farther from
// lambda_j than that, and the angle between u_j and its true axis is at most about the residual over the distance to the next variance.
func (p *PCA) Residuals() []float64 { return append([]float64(nil), p.state.Misses...) }

// Ratios returns each variance as a share of the total.
func (p *PCA) Ratios() []float64 {
	total := p.Total()
	r := make([]float64, len(p.state.Values))
	if total > 0 {
		for j, v := range p.state.Values {
			r[j] = v / total
		}
	}
	return r
}

// Total returns the total variance, the trace of the covariance matrix.
func (p *PCA) Total() float64 { return p.state.Sum }

// all says that the variances of the axes not kept are known.
func (s *pcaState) all() bool { return len(s.Values) == min(s.Rows, s.D) }

func total(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// Lost returns the sum of the variances beyond the first k. It equals the mean squared distance (over the divisor of the fit) between the
// rows and what k components rebuild of them. Krylov knows it up to k = Components, and gives that for a larger k.
func (p *PCA) Lost(k int) float64 {
	k = min(max(k, 0), len(p.state.Values))
	if p.state.all() {
		return total(p.state.Values[k:])
	}
	return max(0, p.state.Sum-total(p.state.Values[:k]))
}

// Rank returns the number of variances above rounding error: lambda_j > max(n, d) eps lambda_1. With Krylov it counts those of the axes.
func (p *PCA) Rank() int {
	if len(p.state.Values) == 0 {
		return 0
	}
	tol := float64(max(p.state.Rows, p.state.D)) * 2.3e-16 * p.state.Values[0]
	r := 0
	for _, v := range p.state.Values {
		if v > tol {
			r++
		}
	}
	return r
}

// ComponentsFor returns the least number of components that keep the given share (0 ... 1) of the total variance. Krylov does not know it
// when its own components keep less, and returns one more than these.
func (p *PCA) ComponentsFor(share float64) int { return p.state.componentsFor(share) }

func (s *pcaState) componentsFor(share float64) int {
	sum, want := 0.0, share*s.Sum
	for j, v := range s.Values {
		if sum += v; sum >= want*(1-1e-15) {
			return j + 1
		}
	}
	if !s.all() {
		return len(s.Values) + 1
	}
	return len(s.Values)
}

// Transform returns the n x k scores U^T (x - m) of the rows of X (n x d).
func (p *PCA) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.PCA.Transform"
	if err := estimator.CheckShape(name, X, p.state.D); err != nil {
		return nil, err
	}
	return project(name, estimator.Dense(X), p.state.Mean, p.state.Scale, p.axes)
}

// Inverse returns the n x d rows m + U z that have the given scores; scores is n x j with j <= k, and missing scores count as zero.
func (p *PCA) Inverse(scores mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.PCA.Inverse"
	if err := estimator.CheckX(name, scores); err != nil {
		return nil, err
	}
	if p.state.D == 0 {
		return nil, estimator.Unfitted(name)
	}
	n, j := scores.Dims()
	if j > p.state.K {
		return nil, fault.Argument(
			name,
			"scores",
			fmt.Sprintf("%d x %d", n, j),
			fmt.Sprintf("n x %d at most, the number of components kept", p.state.K),
			"",
		)
	}
	out := mat.NewDense(n, p.state.D, nil)
	out.Mul(estimator.Dense(scores), p.axes.Slice(0, p.state.D, 0, j).T())
	for i := range n {
		row := out.RawRowView(i)
		for c := range row {
			if p.state.Scale != nil {
				row[c] *= p.state.Scale[c]
			}
			row[c] += p.state.Mean[c]
		}
	}
	return out, nil
}

// Reconstruct returns what the first k components (0 ... Components) rebuild of the rows of X: m + sum_{j<=k} u_j u_j^T (x - m).
func (p *PCA) Reconstruct(X mat.Matrix, k int) (*mat.Dense, error) {
	if err := estimator.CheckCount("reduce.PCA.Reconstruct", "k", k, 0, p.state.K); err != nil {
		return nil, err
	}
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	n, _ := z.Dims()
	for i := range n {
		row := z.RawRowView(i)
		clear(row[k:])
	}
	return p.Inverse(z)
}

// Synthesise returns the n x d rows m + sum_j b_j sqrt(lambda_j) u_j that have the scores b, each measured in standard deviations of its
// axis; B is n x j with j <= k, and missing scores count as zero. For shapes, whose rows hold the coordinates of landmarks, it is the
// synthesis of an active shape model. Source: Cootes, Taylor, Cooper, Graham, Computer Vision and Image Understanding 61, 1995.
func (p *PCA) Synthesise(B mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.PCA.Synthesise"
	if err := estimator.CheckX(name, B); err != nil {
		return nil, err
	}
	if p.state.D == 0 {
		return nil, estimator.Unfitted(name)
	}
	z := mat.DenseCopyOf(B)
	z.Apply(func(_, j int, b float64) float64 {
		if j >= p.state.K {
			return b // Inverse will say that there are too many
		}
		return b * math.Sqrt(p.state.Values[j])
	}, z)
	rows, err := p.Inverse(z)
	return rows, fault.In(name, err)
}

// Plausible returns what is nearest to x (d numbers) among the rows with all scores within limit standard deviations, |z_j| <= limit
// sqrt(lambda_j): the score of x on each axis, cut off at the limit, and nothing along the axes that are not kept. A limit of 3 is usual.
// With Scale nearest is meant in standard units.
func (p *PCA) Plausible(x []float64, limit float64) ([]float64, error) {
	const name = "reduce.PCA.Plausible"
	if !(limit >= 0) || math.IsInf(limit, 0) {
		return nil, fault.Argument(name, "limit", limit, "a number of standard deviations, 0 or more", "3 is usual")
	}
	if len(x) == 0 {
		return nil, fault.Argument(name, "x", "empty", fmt.Sprintf("%d numbers", p.state.D), "")
	}
	z, err := p.Transform(mat.NewDense(1, len(x), slices.Clone(x)))
	if err != nil {
		return nil, err
	}
	for j := range p.state.K {
		reach := limit * math.Sqrt(p.state.Values[j])
		z.Set(0, j, max(-reach, min(reach, z.At(0, j))))
	}
	row, err := p.Inverse(z)
	if err != nil {
		return nil, err
	}
	return row.RawRowView(0), nil
}

// String returns a line such as "PCA: 2 of 4 components, 97.8 % of the variance".
func (p *PCA) String() string {
	t := p.Total()
	if t == 0 {
		return fmt.Sprintf("PCA: %d of %d components of rows that do not vary", p.state.K, p.state.D)
	}
	share := 100 * (1 - p.Lost(p.state.K)/t)
	return fmt.Sprintf(
		"PCA: %d of %d components, %s %% of the variance",
		p.state.K,
		p.state.D,
		strings.TrimSuffix(fmt.Sprintf("%.1f", share), ".0"),
	)
}

// sound reports whether the parts fit together.
func (s *pcaState) sound() bool {
	return s.D >= 1 && s.K >= 1 && len(s.Axes) == s.D*s.K && len(s.Mean) == s.D && len(s.Values) >= s.K &&
		(s.Scale == nil || len(s.Scale) == s.D) && (s.Misses == nil || len(s.Misses) == s.K) && s.Sum >= 0
}

// project returns the rows (x - mean) / scale times A (d x k); nil mean is zero, nil scale is one. It reports rows that are not finite, in
// the name of the function given.
func project(name string, x *mat.Dense, mean, scale []float64, A *mat.Dense) (*mat.Dense, error) {
	n, d := x.Dims()
	_, k := A.Dims()
	if mean == nil {
		mean = make([]float64, d)
	}
	scaled := make([]float64, d*k)
	for i := range d {
		for j := range k {
			scaled[i*k+j] = A.At(i, j)
			if scale != nil {
				scaled[i*k+j] /= scale[i]
			}
		}
	}
	columns := tile.Pack(scaled, d, k)
	whole := columns.Whole()
	const batch = 32
	out := mat.NewDense(n, k, nil)
	data, scores := x.RawMatrix().Data, out.RawMatrix().Data
	wrong := make([]error, share.Workers((n+batch-1)/batch, float64(n)*(5+float64(d)*(0.3+0.1*float64(k)))))
	share.Ranges(len(wrong), (n+batch-1)/batch, func(g, from, to int) {
		centred := make([]float64, min(batch, n)*d)
		for lo := from * batch; lo < min(to*batch, n); lo += batch {
			m := min(batch, n-lo)
			tile.Subtract(centred, d, data[lo*d:], mean, m)
			part := scores[lo*k : (lo+m)*k]
			columns.Project(part, centred, m)
			if whole && tile.Finite(part) { // so the rows were
				continue
			}
			if wrong[g] = estimator.CheckRows(name, x, lo, lo+m); wrong[g] != nil {
				return
			}
		}
	})
	for _, err := range wrong { // the first row of all that is wrong
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// projected is project of rows that lie one behind the other and are finite.
func projected(x, mean []float64, A *mat.Dense) *mat.Dense {
	z, _ := project("", mat.NewDense(len(x)/len(mean), len(mean), x), mean, nil, A) // its only error is of rows that are not finite
	return z
}
