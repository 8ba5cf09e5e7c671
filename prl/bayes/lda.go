package bayes

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

// FitLDA fits linear discriminant analysis: Gaussian classes with means of their own and one pooled covariance, so that the boundaries are
// hyperplanes (Hastie, Tibshirani and Friedman, section 4.3). X is n x d, y holds classes 0 ... K-1.
//
// It fails with an *fault.ArgumentError on unusable data or options and on a singular pooled covariance.
func FitLDA(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	const f = "bayes.FitLDA"
	m, err := newMoments(f, ctx, X, y, o, false)
	if err != nil {
		return nil, err
	}
	return m.lda(f, o)
}

func (m *moments) lda(function string, o Options) (*Classifier, error) {
	m.settle()
	S, err := m.pool(function, o)
	if err != nil {
		return nil, err
	}
	return shared(function, "LDA", m, m.priors(o), S)
}

// shared makes the classifier whose classes have the covariance S.
func shared(function, kind string, m *moments, priors, S []float64) (*Classifier, error) {
	g, err := newGaussian(function, "the pooled covariance", m.mean[0], S)
	if err != nil {
		return nil, err
	}
	c := &Classifier{kind: kind, priors: priors, logs: logs(priors), class: []*Gaussian{g}}
	for _, mean := range m.mean[1:] {
		c.class = append(c.class, g.at(mean))
	}
	if c.linear, err = newDiscriminants(function, priors, c.class); err != nil {
		return nil, err
	}
	return c, nil
}

// discriminants are the linear functions w_k^T (x - m_0) + b_k that order classes with one covariance S, taken about the mean of class 0 to
// keep their digits: w_k = S^-1 (m_k - m_0) and b_k = log p_k - w_k^T (m_k - m_0) / 2. They differ from the log joint densities by a number
// that all classes share, so that their softmax is the posterior, and no square of x occurs in them.
type discriminants struct {
	origin  []float64
	weights []float64 // K x d
	columns *tile.Columns
	offset  []float64
}

func newDiscriminants(function string, priors []float64, class []*Gaussian) (*discriminants, error) {
	k, d := len(class), class[0].Dim()
	l := &discriminants{origin: class[0].mean, weights: make([]float64, k*d), offset: make([]float64, k)}
	shift := make([]float64, d)
	for a, g := range class {
		tile.Subtract(shift, d, g.mean, l.origin, 1)
		w := l.weights[a*d : (a+1)*d]
		g.factor.Whiten(w, shift)
		l.offset[a] = math.Log(priors[a])
		for _, z := range w {
			l.offset[a] -= 0.5 * z * z
		}
		g.factor.Back(w, w)
		if !tile.Finite(w) || math.IsInf(l.offset[a], -1) && priors[a] > 0 || math.IsNaN(l.offset[a]) {
			return nil, fault.Argument(function, "the means", fmt.Sprintf("too far apart for float64 (classes 0 and %d)", a),
				"less than about 1e150 standard deviations apart", "rescale the columns, or set Shrinkage above 0")
		}
	}
	l.columns = tile.Transpose(l.weights, k, d)
	return l, nil
}

// each calls use with the number of each row of X and its discriminants, K numbers that are overwritten afterwards.
func (l *discriminants) each(X *mat.Dense, use func(i int, scores []float64)) {
	n, d := X.Dims()
	k, most := len(l.offset), min(n, gauss.Batch)
	x := X.RawMatrix().Data
	centred, scores := make([]float64, most*d), make([]float64, most*k)
	for lo := 0; lo < n; lo += gauss.Batch {
		m := min(gauss.Batch, n-lo)
		tile.Subtract(centred, d, x[lo*d:(lo+m)*d], l.origin, m)
		l.columns.Project(scores, centred, m)
		finite := tile.Finite(scores[:m*k])
		for r := range m {
			row := scores[r*k : (r+1)*k]
			if finite {
				for a, b := range l.offset {
					row[a] += b
				}
			} else {
				l.row(row, X.RawRowView(lo+r))
			}
			use(lo+r, row)
		}
	}
}

// row sets scores to the discriminants of one finite observation. Where one of them would be infinite, all are divided by a common factor:
// at such distances the class of the largest is sure.
func (l *discriminants) row(scores, x []float64) {
	d := len(x)
	for unit := 1.0; ; unit *= 0x1p-512 {
		for a, b := range l.offset {
			w, sum := l.weights[a*d:(a+1)*d], 0.0
			for j, v := range x {
				sum += w[j] * (v*unit - l.origin[j]*unit)
			}
			scores[a] = sum + b*unit
			if b == math.Inf(-1) {
				scores[a] = b
			}
		}
		if top := scores[estimator.Argmax(scores)]; unit < 0x1p-1000 || top-top == 0 && !anyNaN(scores) {
			if unit < 1 {
				for a, v := range scores { // so that softmax sees how far they are apart
					scores[a] = (v - top) / unit
				}
			}
			return
		}
	}
}

func anyNaN(x []float64) bool { return slices.ContainsFunc(x, math.IsNaN) }

// Linear returns W (K x d) and b of the linear discriminants w_k^T x + b_k with w_k = S^-1 m_k and b_k = log p_k - m_k^T S^-1 m_k / 2,
// which order the classes as Decision does. It fails when the classes do not share a covariance.
func (c *Classifier) Linear() (W *mat.Dense, b []float64, err error) {
	if c.linear == nil {
		return nil, nil, fault.Argument(
			"bayes."+c.kind+".Linear",
			"the model",
			c.kind,
			"one whose classes share a covariance",
			"use LDA or NearestMean",
		)
	}
	W, b = mat.NewDense(len(c.class), c.Dim(), nil), make([]float64, len(c.class))
	for k, g := range c.class {
		w := W.RawRowView(k)
		g.factor.Whiten(w, g.mean)
		b[k] = c.logs[k]
		for _, z := range w {
			b[k] -= 0.5 * z * z
		}
		g.factor.Back(w, w)
	}
	return W, b, nil
}

// Coordinates returns Fisher's discriminant coordinates of a shared-covariance model fitted on n rows. The columns of V (d x r with
// r = min(d, K-1)) are scaled to unit within-class variance, V^T S V = I, and ordered by s, the square root of the ratio of the
// between-class mean square (denominator K-1) to the within-class one. share is each direction's part of the sum of s^2, the "proportion of
// trace" of R's lda (Venables and Ripley, Modern Applied Statistics with S, section 12.1); it is 0 where all means are equal. The largest
// entry of a column is positive.
func (c *Classifier) Coordinates(n int) (V *mat.Dense, s, share []float64, err error) {
	f := "bayes." + c.kind + ".Coordinates"
	if c.linear == nil {
		return nil, nil, nil, fault.Argument(f, "the model", c.kind, "one whose classes share a covariance", "use LDA")
	}
	if err := estimator.CheckCount(f, "n", n, 1, math.MaxInt); err != nil {
		return nil, nil, nil, err
	}
	d, K := c.Dim(), len(c.class)
	centre := make([]float64, d)
	for k, g := range c.class {
		for j, v := range g.mean {
			centre[j] += c.priors[k] * v
		}
	}
	// The singular vectors of the whitened, weighted means are the directions in whitened coordinates.
	M := mat.NewDense(K, d, nil)
	for k, g := range c.class {
		w := math.Sqrt(float64(n) * c.priors[k] / float64(K-1))
		white := make([]float64, d)
		tile.Subtract(white, d, g.mean, centre, 1)
		g.factor.Whiten(white, white)
		for i, z := range white {
			if math.IsInf(w*z, 0) || math.IsNaN(w*z) { // a singular value decomposition of it would not end
				return nil, nil, nil, fault.Argument(
					f,
					"the model",
					"one whose means are too far apart for float64",
					"finite distances in units of the deviation",
					"rescale the columns",
				)
			}
			M.Set(k, i, w*z)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(M, mat.SVDThin) {
		return nil, nil, nil, fmt.Errorf("%s: the singular value decomposition did not converge", f)
	}
	var right mat.Dense
	svd.VTo(&right)
	r := min(d, K-1)
	s = svd.Values(nil)[:r]
	share = make([]float64, r)
	total := 0.0
	for _, v := range s {
		total += v * v
	}
	V = mat.NewDense(d, r, nil)
	for a := range r {
		if total > 0 {
			share[a] = s[a] * s[a] / total
		}
		top := 0.0
		direction := mat.Col(nil, a, &right)
		c.class[0].factor.Back(direction, direction)
		for i, v := range direction {
			V.Set(i, a, v)
			if math.Abs(v) > math.Abs(top) {
				top = v
			}
		}
		if top < 0 {
			for i := range d {
				V.Set(i, a, -V.At(i, a))
			}
		}
	}
	return V, s, share, nil
}
