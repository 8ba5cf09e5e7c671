package sufficient

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/reduce"
)

// mostClasses is the largest class and one: a label is a number, and not to be trusted with the memory.
const mostClasses = 1 << 20

// Classes are the Moments of each class of labelled rows. The zero value has seen nothing.
type Classes struct {
	// Diagonal keeps d sums of squares a class in place of d x d scatters, which is enough for GaussianNB and NearestMean. It is set before
	// the first rows.
	Diagonal bool

	d     int
	class []state
}

// Add takes in the rows of X (n x d) with classes y, whole numbers from 0, row i as weights[i] rows; nil weights count each once. A class
// may come late, or never in this part; the fits want all from 0 to the largest. A *sparse.CSR is taken as Moments.Add takes it.
//
// Errors, which leave c as it was: those of Moments.Add; labels that are not one a row, negative, or above a million.
func (c *Classes) Add(X mat.Matrix, y []int, weights []float64) error {
	const function = "sufficient.Classes.Add"
	t, err := tableOf(function, X, weights, c.d)
	if err != nil {
		return err
	}
	n, d := t.n, t.d
	k, err := checkLabels(function, y, n)
	if err != nil {
		return err
	}
	rows := make([][]int, k)
	for i, class := range y {
		rows[class] = append(rows[class], i)
	}
	if n == 1 { // without a copy of the moments so far
		s := newState(d, c.Diagonal)
		if k <= len(c.class) && c.class[k-1].Mean != nil {
			s = c.class[k-1]
		}
		if err := t.to(&s, all(1), weights); err != nil {
			return fault.In(function, err)
		}
		c.d = d
		c.grow(k)
		c.class[k-1] = s
		return nil
	}
	parts := make([]state, k)
	for class := range parts {
		if rows[class] == nil {
			continue
		}
		parts[class] = newState(d, c.Diagonal)
		if class < len(c.class) && c.class[class].Weight > 0 { // digits are counted from the mean so far
			parts[class] = c.class[class].clone()
		}
		if err := t.to(&parts[class], rows[class], weights); err != nil {
			return fault.In(function, err)
		}
	}
	c.d = d
	c.grow(k)
	for class := range parts {
		if rows[class] != nil {
			c.class[class] = parts[class]
		}
	}
	return nil
}

// grow makes room for k classes.
func (c *Classes) grow(k int) {
	for len(c.class) < k {
		c.class = append(c.class, state{D: c.d, Diagonal: c.Diagonal})
	}
}

// checkLabels returns one more than the largest label of n rows.
func checkLabels(function string, y []int, n int) (int, error) {
	if len(y) != n {
		return 0, fault.Argument(function, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows of X", n), "")
	}
	k := 0
	for i, class := range y {
		if class < 0 || class >= mostClasses {
			return 0, fault.Argument(function, fmt.Sprintf("y[%d]", i), class, fmt.Sprintf("a class 0 ... %d", mostClasses-1), "")
		}
		k = max(k, class+1)
	}
	return k, nil
}

// Merge takes in all that other has seen. It fails on another width and on another Diagonal.
func (c *Classes) Merge(other *Classes) error {
	const function = "sufficient.Classes.Merge"
	if err := sameWidth(function, c.d, other.d); err != nil {
		return err
	}
	if other.d == 0 {
		return nil
	}
	if c.d == 0 && len(c.class) == 0 {
		c.Diagonal = other.Diagonal
	}
	if c.Diagonal != other.Diagonal {
		return fault.Argument(function, "Diagonal of the other", other.Diagonal, fmt.Sprint(c.Diagonal), "gather both alike")
	}
	c.d = other.d
	c.grow(len(other.class))
	for k := range other.class {
		c.class[k].merge(&other.class[k])
	}
	return nil
}

// Dim returns d, 0 before the first rows.
func (c *Classes) Dim() int { return c.d }

// Classes returns K, one more than the largest class seen.
func (c *Classes) Classes() int { return len(c.class) }

// Weights returns the weight of each class, K numbers.
func (c *Classes) Weights() []float64 {
	w := make([]float64, len(c.class))
	for k := range c.class {
		w[k] = c.class[k].Weight
	}
	return w
}

// Mean returns the mean of a class, d numbers; nil of a class that was not seen.
func (c *Classes) Mean(class int) []float64 {
	if class < 0 || class >= len(c.class) {
		return nil
	}
	return slices.Clone(c.class[class].Mean)
}

// Moments returns the moments of all rows together. It fails with Diagonal.
func (c *Classes) Moments() (*Moments, error) {
	if c.Diagonal {
		return nil, diagonal("sufficient.Classes.Moments")
	}
	m := &Moments{state{D: c.d}}
	for k := range c.class {
		m.state.merge(&c.class[k])
	}
	return m, nil
}

func diagonal(function string) error {
	return fault.Argument(function, "Diagonal", true, "false: correlations were not gathered", "use GaussianNB or NearestMean")
}

// known returns the moments as bayes wants them.
func (c *Classes) known(function string, full bool) (bayes.ClassMoments, error) {
	var m bayes.ClassMoments
	if full && c.Diagonal {
		return m, diagonal(function)
	}
	for k := range c.class {
		s := &c.class[k]
		if s.Weight == 0 {
			return m, fault.Argument(function, fmt.Sprintf("class %d", k), "without rows", "labels in which every class occurs",
				"number the classes without gaps")
		}
		m.Weights, m.Means, m.Scatters = append(m.Weights, s.Weight), append(m.Means, s.Mean), append(m.Scatters, s.symmetric())
	}
	return m, nil
}

// LDA returns what bayes.FitLDA finds on the rows. Weights and ShrinkageAuto of the options must be left out.
func (c *Classes) LDA(o bayes.Options) (*bayes.Classifier, error) {
	return c.fit("sufficient.Classes.LDA", true, bayes.LDAOf, o)
}

// QDA returns what bayes.FitQDA finds on the rows, with the options of LDA and Pooling.
func (c *Classes) QDA(o bayes.Options) (*bayes.Classifier, error) {
	return c.fit("sufficient.Classes.QDA", true, bayes.QDAOf, o)
}

// GaussianNB returns what bayes.FitGaussianNB finds on the rows, with the options of QDA.
func (c *Classes) GaussianNB(o bayes.Options) (*bayes.Classifier, error) {
	return c.fit("sufficient.Classes.GaussianNB", false, bayes.GaussianNBOf, o)
}

// NearestMean returns what bayes.FitNearestMean finds on the rows, with the options of LDA.
func (c *Classes) NearestMean(o bayes.Options) (*bayes.Classifier, error) {
	return c.fit("sufficient.Classes.NearestMean", false, bayes.NearestMeanOf, o)
}

func (c *Classes) fit(
	function string, full bool, fit func(bayes.ClassMoments, bayes.Options) (*bayes.Classifier, error), o bayes.Options,
) (*bayes.Classifier, error) {
	m, err := c.known(function, full)
	if err != nil {
		return nil, err
	}
	model, err := fit(m, o)
	return model, fault.In(function, err)
}

// Scatters returns the means and scatter matrices that reduce.Scatters finds on the rows; the total is the sum of those within and between.
func (c *Classes) Scatters() (*reduce.Scatter, error) {
	const function = "sufficient.Classes.Scatters"
	m, err := c.known(function, true)
	if err != nil {
		return nil, err
	}
	total, err := c.Moments()
	if err != nil {
		return nil, fault.In(function, err)
	}
	if c.d == 0 {
		return nil, fault.Argument(function, "the rows", "none", "at least one", "")
	}
	s := &reduce.Scatter{
		Sizes: m.Weights, Means: mat.NewDense(len(m.Means), c.d, slices.Concat(m.Means...)), Mean: total.Mean(),
		Within: mat.NewSymDense(c.d, nil), Between: mat.NewSymDense(c.d, nil), Total: total.Scatter(),
	}
	between := newState(c.d, false)
	for k := range c.class {
		own := mat.NewSymDense(c.d, nil)
		own.CopySym(m.Scatters[k])
		s.Class = append(s.Class, own)
		s.Within.AddSym(s.Within, own)
		shift := make([]float64, c.d)
		for j := range shift {
			shift[j] = (c.class[k].Mean[j] - total.state.Mean[j]) + (c.class[k].Rest[j] - total.state.Rest[j])
		}
		between.outer(c.class[k].Weight, shift)
	}
	s.Between.CopySym(between.symmetric())
	return s, nil
}

// Whitening returns the whitening of the pooled covariance within the classes that reduce.FitWhitening finds on the rows with these Labels.
// Labels and Weights of the options must be nil.
func (c *Classes) Whitening(o reduce.WhitenOptions) (*reduce.Whitening, error) {
	const function = "sufficient.Classes.Whitening"
	if o.Labels != nil || o.Weights != nil {
		return nil, fault.Argument(function, "Labels and Weights", "given", "nil: the rows have been seen", "")
	}
	s, err := c.Scatters()
	if err != nil {
		return nil, fault.In(function, err)
	}
	by := 0.0
	for _, n := range s.Sizes {
		by += n
	}
	if o.Divisor == reduce.Sample {
		by -= float64(len(s.Sizes))
	}
	if !(by > 0) {
		return nil, fault.Argument(function, "the rows", "of a total weight of at most the number of classes", "more", "take in more rows")
	}
	s.Within.ScaleSym(1/by, s.Within)
	return whitening(function, s.Mean, s.Within, o)
}

// String returns a line such as "moments of 3 classes of 4 features".
func (c *Classes) String() string {
	return fmt.Sprintf("moments of %d classes of %d features", len(c.class), c.d)
}

type classesState struct {
	Diagonal bool
	D        int
	Class    []state
}

// MarshalBinary encodes the moments of the classes.
func (c *Classes) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.Classes", 1, classesState{c.Diagonal, c.d, c.class})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Classes) UnmarshalBinary(data []byte) error {
	const kind = "sufficient.Classes"
	var s classesState
	if err := estimator.Decode(data, kind, 1, &s); err != nil {
		return err
	}
	if !s.fits() {
		return damage(kind)
	}
	*c = Classes{Diagonal: s.Diagonal, d: s.D, class: s.Class}
	return nil
}

// fits reports whether stored moments belong together.
func (s *classesState) fits() bool {
	if s.D < 0 || len(s.Class) > mostClasses || s.D == 0 && len(s.Class) > 0 {
		return false
	}
	for k := range s.Class {
		part := &s.Class[k]
		empty := part.Weight == 0 && part.Rows == 0 && part.Mean == nil && part.Rest == nil && part.Scatter == nil
		if part.D != s.D || part.Diagonal != s.Diagonal || !empty && part.damaged() {
			return false
		}
	}
	return true
}
