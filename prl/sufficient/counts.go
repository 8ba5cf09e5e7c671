package sufficient

import (
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// Counts are the sums of the features over the rows of each class, or how many rows have a feature. The zero value has seen nothing.
type Counts struct {
	// Presence counts the rows where x > Above, for BernoulliNB, in place of the sums of x, for MultinomialNB and ComplementNB. Both are
	// set before the first rows.
	Presence bool
	Above    float64

	d    int
	rows []float64   // weight of each class
	sum  [][]float64 // K x d; nil of a class not seen
}

// Add takes in the rows of X (n x d), of a *sparse.CSR only the numbers it stores, with classes y, whole numbers from 0, row i as
// weights[i] rows; nil weights count each once.
//
// Errors, which leave c as it was: those of Classes.Add; without Presence numbers below 0.
func (c *Counts) Add(X mat.Matrix, y []int, weights []float64) error {
	const function = "sufficient.Counts.Add"
	rows, thin := X.(*sparse.CSR)
	if thin = thin && !(c.Presence && c.Above < 0); thin { // below zero even zeros are present
		return c.add(function, rows.Dims, rows.Row, y, weights)
	}
	x, n, err := rowsOf(function, X, weights, c.d)
	if err != nil {
		return err
	}
	d := len(x) / n
	row := func(i int) iter.Seq2[int, float64] { return slices.All(x[i*d : (i+1)*d]) }
	return c.add(function, func() (int, int) { return n, d }, row, y, weights)
}

// add takes in rows, dense or without their zeros.
func (c *Counts) add(
	function string, dims func() (n, d int), row func(i int) iter.Seq2[int, float64], y []int, weights []float64,
) error {
	n, d := dims()
	if c.d > 0 && d != c.d {
		return fault.Argument(function, "X", fmt.Sprintf("%d x %d", n, d), fmt.Sprintf("n x %d like the rows before", c.d), "")
	}
	if err := checkWeights(function, weights, n); err != nil {
		return err
	}
	k, err := checkLabels(function, y, n)
	if err != nil {
		return err
	}
	for i := range n {
		for j, v := range row(i) {
			if v-v != 0 || !c.Presence && !(v >= 0 && v < 1e100) {
				return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), v, "a count from 0 to 1e100",
					"Classes take measurements, Presence a threshold")
			}
		}
	}
	c.d = d
	c.grow(k)
	for i, class := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w == 0 {
			continue
		}
		sum := c.class(class)
		c.rows[class] += w
		for j, v := range row(i) {
			if !c.Presence {
				sum[j] += w * v
			} else if v > c.Above {
				sum[j] += w
			}
		}
	}
	return nil
}

func (c *Counts) grow(k int) {
	for len(c.sum) < k {
		c.sum, c.rows = append(c.sum, nil), append(c.rows, 0)
	}
}

// class returns the sums of a class.
func (c *Counts) class(k int) []float64 {
	if c.sum[k] == nil {
		c.sum[k] = make([]float64, c.d)
	}
	return c.sum[k]
}

// Merge takes in all that other has seen. It fails on another width, Presence or Above.
func (c *Counts) Merge(other *Counts) error {
	const function = "sufficient.Counts.Merge"
	if err := sameWidth(function, c.d, other.d); err != nil {
		return err
	}
	if other.d == 0 {
		return nil
	}
	if c.d == 0 && len(c.sum) == 0 {
		c.Presence, c.Above = other.Presence, other.Above
	}
	if c.Presence != other.Presence || c.Above != other.Above {
		return fault.Argument(function, "Presence and Above of the other", fmt.Sprint(other.Presence, other.Above),
			fmt.Sprint(c.Presence, c.Above), "gather both alike")
	}
	c.d = other.d
	c.grow(len(other.sum))
	for k, sum := range other.sum {
		if sum == nil {
			continue
		}
		own := c.class(k)
		for j, v := range sum {
			own[j] += v
		}
		c.rows[k] += other.rows[k]
	}
	return nil
}

// Dim returns d, 0 before the first rows.
func (c *Counts) Dim() int { return c.d }

// Classes returns K, one more than the largest class seen.
func (c *Counts) Classes() int { return len(c.sum) }

// Weights returns the weight of the rows of each class, K numbers.
func (c *Counts) Weights() []float64 { return slices.Clone(c.rows) }

// MultinomialNB returns what bayes.FitMultinomialNB finds on the rows. Weights of the options must be nil.
func (c *Counts) MultinomialNB(o bayes.CountOptions) (*bayes.CountNB, error) {
	return c.fit("sufficient.Counts.MultinomialNB", false, bayes.MultinomialNBOf, o)
}

// ComplementNB returns what bayes.FitComplementNB finds on the rows. Weights of the options must be nil.
func (c *Counts) ComplementNB(o bayes.CountOptions) (*bayes.CountNB, error) {
	return c.fit("sufficient.Counts.ComplementNB", false, bayes.ComplementNBOf, o)
}

// BernoulliNB returns what bayes.FitBernoulliNB finds on the rows with the threshold Above of the counts. Above and Weights of the options
// must be left out.
func (c *Counts) BernoulliNB(o bayes.CountOptions) (*bayes.CountNB, error) {
	const function = "sufficient.Counts.BernoulliNB"
	if o.Above != 0 {
		return nil, fault.Argument(function, "Above", o.Above, "0: the rows have been counted", "set Above of the counts")
	}
	o.Above = c.Above
	return c.fit(function, true, bayes.BernoulliNBOf, o)
}

func (c *Counts) fit(
	function string, presence bool, fit func(bayes.FeatureCounts, bayes.CountOptions) (*bayes.CountNB, error), o bayes.CountOptions,
) (*bayes.CountNB, error) {
	if presence != c.Presence {
		return nil, fault.Argument(function, "Presence", c.Presence, fmt.Sprint(presence), "gather the counts that the method wants")
	}
	for k, sum := range c.sum {
		if sum == nil {
			return nil, fault.Argument(function, fmt.Sprintf("class %d", k), "without rows", "labels in which every class occurs",
				"number the classes without gaps")
		}
	}
	m, err := fit(bayes.FeatureCounts{Weights: c.rows, Counts: c.sum}, o)
	return m, fault.In(function, err)
}

// String returns a line such as "counts of 200 features in 2 classes".
func (c *Counts) String() string {
	return fmt.Sprintf("counts of %d features in %d classes", c.d, len(c.sum))
}

type countsState struct {
	Presence bool
	Above    float64
	D        int
	Rows     []float64
	Sum      [][]float64
}

// MarshalBinary encodes the counts.
func (c *Counts) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.Counts", 1, countsState{c.Presence, c.Above, c.d, c.rows, c.sum})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Counts) UnmarshalBinary(data []byte) error {
	const kind = "sufficient.Counts"
	var s countsState
	if err := estimator.Decode(data, kind, 1, &s); err != nil {
		return err
	}
	bad := s.D < 0 || len(s.Rows) != len(s.Sum) || len(s.Sum) > mostClasses || s.D == 0 && len(s.Sum) > 0 || s.Above-s.Above != 0
	for _, sum := range append(s.Sum, s.Rows) {
		bad = bad || !tile.Finite(sum) || slices.ContainsFunc(sum, func(v float64) bool { return v < 0 })
	}
	for _, sum := range s.Sum {
		bad = bad || sum != nil && len(sum) != s.D
	}
	if bad {
		return damage(kind)
	}
	*c = Counts{Presence: s.Presence, Above: s.Above, d: s.D, rows: s.Rows, sum: s.Sum}
	return nil
}
