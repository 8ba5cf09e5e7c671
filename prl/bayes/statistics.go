package bayes

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// ClassMoments are what the Gaussian classifiers need to know of labelled rows, their sufficient statistics. See prl/sufficient, which
// gathers them from rows that come in parts.
type ClassMoments struct {
	Weights  []float64       // n_k, the rows of each class or the sum of their weights, above zero
	Means    [][]float64     // m_k, K x d
	Scatters []mat.Symmetric // sum of w (x - m_k)(x - m_k)^T over class k, K of d x d; NearestMean and GaussianNB read the diagonals alone
}

// LDAOf is FitLDA of what is known of the rows. Weights and ShrinkageAuto of the options have no place here: the weights are in the
// moments, and the share of Ledoit and Wolf needs fourth ones.
//
// Errors: those of FitLDA; parts of the moments that do not fit together or are not finite.
func LDAOf(m ClassMoments, o Options) (*Classifier, error) {
	const f = "bayes.LDAOf"
	own, err := m.own(f, o, false)
	if err != nil {
		return nil, err
	}
	return own.lda(f, o)
}

// QDAOf is FitQDA of what is known of the rows, with the options of LDAOf and Pooling.
func QDAOf(m ClassMoments, o Options) (*Classifier, error) {
	const f = "bayes.QDAOf"
	own, err := m.own(f, o, false)
	if err != nil {
		return nil, err
	}
	return own.separate(f, "QDA", o)
}

// GaussianNBOf is FitGaussianNB of what is known of the rows, with the options of QDAOf.
func GaussianNBOf(m ClassMoments, o Options) (*Classifier, error) {
	const f = "bayes.GaussianNBOf"
	own, err := m.own(f, o, true)
	if err != nil {
		return nil, err
	}
	return own.separate(f, "GaussianNB", o)
}

// NearestMeanOf is FitNearestMean of what is known of the rows, with the options of LDAOf.
func NearestMeanOf(m ClassMoments, o Options) (*Classifier, error) {
	const f = "bayes.NearestMeanOf"
	own, err := m.own(f, o, true)
	if err != nil {
		return nil, err
	}
	return own.nearestMean(f, o)
}

// own returns checked copies.
func (m ClassMoments) own(function string, o Options, variances bool) (*moments, error) {
	k := len(m.Weights)
	if k < 2 || len(m.Means) != k || len(m.Scatters) != k {
		return nil, fault.Argument(function, "the moments", fmt.Sprintf("of %d, %d and %d classes", k, len(m.Means), len(m.Scatters)),
			"weights, means and scatters of the same two classes or more", "")
	}
	d := len(m.Means[0])
	own := &moments{d: d, k: k, unit: 1, count: slices.Clone(m.Weights), mean: make([][]float64, k), scatter: make([][]float64, k)}
	for c, n := range m.Weights {
		if !(n > 0) || math.IsInf(n, 0) {
			return nil, fault.Argument(function, fmt.Sprintf("the weight of class %d", c), n, "positive", "drop the class or weigh its rows")
		}
		if d == 0 || len(m.Means[c]) != d || m.Scatters[c] == nil || m.Scatters[c].SymmetricDim() != d {
			return nil, fault.Argument(function, fmt.Sprintf("the moments of class %d", c), "of other features",
				fmt.Sprintf("a mean of %d numbers and a scatter %d x %d", d, d, d), "")
		}
		own.mean[c] = slices.Clone(m.Means[c])
		if variances {
			own.scatter[c] = make([]float64, d)
		} else {
			own.scatter[c] = make([]float64, d*d)
		}
		for i := range d {
			if variances {
				own.scatter[c][i] = m.Scatters[c].At(i, i)
				continue
			}
			for j := i; j < d; j++ {
				own.scatter[c][i*d+j] = m.Scatters[c].At(i, j)
			}
		}
		for _, v := range own.scatter[c] {
			if v-v != 0 {
				return nil, fault.Argument(function, fmt.Sprintf("the scatter of class %d", c), v, "finite numbers", "choose a larger unit")
			}
		}
	}
	if o.Weights != nil {
		return nil, fault.Argument(function, "Weights", fmt.Sprintf("%d numbers", len(o.Weights)), "nil: they are in the moments", "")
	}
	if o.ShrinkageAuto {
		return nil, fault.Argument(function, "ShrinkageAuto", true, "false: its share needs fourth moments", "set Shrinkage")
	}
	if err := checkGiven(function, o.Priors, o.Balanced, k); err != nil {
		return nil, err
	}
	return own, o.checkCovariance(function)
}

// FeatureCounts are what naive Bayes on counts needs to know of labelled rows, its sufficient statistics.
type FeatureCounts struct {
	Weights []float64   // the rows of each class or the sum of their weights, above zero; K numbers
	Counts  [][]float64 // K x d: the sums of the features over the rows of each class, and for BernoulliNB the rows where x > Above
}

// MultinomialNBOf is FitMultinomialNB of what was counted. Weights of the options have no place here: they are in the counts.
func MultinomialNBOf(c FeatureCounts, o CountOptions) (*CountNB, error) {
	return c.fit("bayes.MultinomialNBOf", multinomialNB, o)
}

// BernoulliNBOf is FitBernoulliNB of what was counted with the threshold Above of the options.
func BernoulliNBOf(c FeatureCounts, o CountOptions) (*CountNB, error) {
	return c.fit("bayes.BernoulliNBOf", bernoulliNB, o)
}

// ComplementNBOf is FitComplementNB of what was counted.
func ComplementNBOf(c FeatureCounts, o CountOptions) (*CountNB, error) {
	return c.fit("bayes.ComplementNBOf", complementNB, o)
}

func (c FeatureCounts) fit(function, kind string, o CountOptions) (*CountNB, error) {
	k := len(c.Weights)
	if k < 2 || len(c.Counts) != k || len(c.Counts[0]) == 0 {
		return nil, fault.Argument(function, "the counts", fmt.Sprintf("of %d and %d classes", k, len(c.Counts)),
			"weights and features of the same two classes or more", "")
	}
	d := len(c.Counts[0])
	for y, n := range c.Weights {
		if !(n > 0 && n < 1e200) {
			return nil, fault.Argument(function, fmt.Sprintf("the weight of class %d", y), n, "positive", "drop the class or weigh its rows")
		}
		if len(c.Counts[y]) != d {
			return nil, fault.Argument(function, fmt.Sprintf("the counts of class %d", y), fmt.Sprintf("%d numbers", len(c.Counts[y])),
				fmt.Sprintf("%d, one a feature", d), "")
		}
		for j, v := range c.Counts[y] {
			if !(v >= 0 && v < 1e200) {
				return nil, fault.Argument(function, fmt.Sprintf("the count of column %d in class %d", j, y), v, "from 0 to 1e200", "")
			}
		}
	}
	if err := o.check(function); err != nil {
		return nil, err
	}
	if o.Weights != nil {
		return nil, fault.Argument(function, "Weights", fmt.Sprintf("%d numbers", len(o.Weights)), "nil: they are in the counts", "")
	}
	if err := checkGiven(function, o.Priors, o.Balanced, k); err != nil {
		return nil, err
	}
	if err := checkKind(function, kind, o); err != nil {
		return nil, err
	}
	return ofCounts(function, kind, c.Counts, c.Weights, o)
}
