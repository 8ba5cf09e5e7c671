package bayes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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
	S, err := m.pool(f, o)
	if err != nil {
		return nil, err
	}
	return shared(f, "LDA", m, m.priors(o), S)
}

func shared(function, kind string, m *moments, priors []float64, S *mat.SymDense) (*Classifier, error) {
	c := &Classifier{kind: kind, priors: priors, shared: true, pooled: S}
	g, err := newGaussian(function, "the pooled covariance", m.mean[0], S)
	if err != nil {
		return nil, err
	}
	for k := range m.k {
		h := *g // one factorisation for all classes
		h.mean = m.mean[k]
		c.class = append(c.class, &h)
	}
	return c, nil
}

// Linear returns W (K x d) and b of the linear discriminants w_k^T x + b_k with w_k = S^-1 m_k and b_k = log p_k - m_k^T S^-1 m_k / 2, which
// order the classes as Decision does. It fails when the classes do not share a covariance.
func (c *Classifier) Linear() (W *mat.Dense, b []float64, err error) {
	if !c.shared {
		return nil, nil, fault.Argument("bayes."+c.kind+".Linear", "the model", c.kind, "one whose classes share a covariance", "use LDA or NearestMean")
	}
	d := c.Dim()
	W, b = mat.NewDense(len(c.class), d, nil), make([]float64, len(c.class))
	P := c.class[0].precision()
	for k, g := range c.class {
		b[k] = math.Log(c.priors[k])
		for i := range d {
			w := 0.0
			for j := range d {
				w += P.At(i, j) * g.mean[j]
			}
			W.Set(k, i, w)
			b[k] -= 0.5 * w * g.mean[i]
		}
	}
	return W, b, nil
}

// Coordinates returns Fisher's discriminant coordinates of a shared-covariance model fitted on n rows. The columns of V (d x r with
// r = min(d, K-1)) are scaled to unit within-class variance, V^T S V = I, and ordered by s, the square root of the ratio of the between-class
// mean square (denominator K-1) to the within-class one. share is each direction's part of the sum of s^2, the "proportion of trace" of R's lda
// (Venables and Ripley, Modern Applied Statistics with S, section 12.1). The largest entry of a column is positive.
func (c *Classifier) Coordinates(n int) (V *mat.Dense, s, share []float64, err error) {
	f := "bayes." + c.kind + ".Coordinates"
	if !c.shared {
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
		for i := range d {
			z := 0.0
			for j := range i + 1 {
				z += g.white[i*d+j] * (g.mean[j] - centre[j])
			}
			if math.IsInf(w*z, 0) || math.IsNaN(w*z) { // a singular value decomposition of it would not end
				return nil, nil, nil, fault.Argument(f, "the model", "one whose means are too far apart for float64", "finite distances in units of the deviation", "rescale the columns")
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
		share[a] = s[a] * s[a] / total
		top := 0.0
		for i := range d {
			v := 0.0
			for k := i; k < d; k++ {
				v += c.class[0].white[k*d+i] * right.At(k, a)
			}
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
