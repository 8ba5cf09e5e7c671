package sufficient

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/sparse"
)

// Moments are the weight, the mean and the scatter of rows,
//
//	n = sum w,  m = sum w x / n,  S = sum w (x - m)(x - m)^T.
//
// The zero value has seen nothing and takes the width of the first rows. Two parts a and b merge to
//
//	m = m_a + n_b/n (m_b - m_a),  S = S_a + S_b + n_a n_b/n (m_b - m_a)(m_b - m_a)^T.
type Moments struct{ state state }

// state holds the moments, exported for storage.
type state struct {
	D          int
	Diagonal   bool // Scatter holds the d sums of squares alone
	Rows       int  // of positive weight
	Weight     float64
	Mean, Rest []float64 // the mean is the sum of both, and Mean is that sum rounded
	Scatter    []float64 // d x d of which the upper triangle counts
}

func newState(d int, diagonal bool) state {
	s := state{D: d, Diagonal: diagonal, Mean: make([]float64, d), Rest: make([]float64, d)}
	if s.Scatter = make([]float64, d); !diagonal {
		s.Scatter = make([]float64, d*d)
	}
	return s
}

func (s *state) clone() state {
	c := *s
	c.Mean, c.Rest, c.Scatter = slices.Clone(s.Mean), slices.Clone(s.Rest), slices.Clone(s.Scatter)
	return c
}

// add takes in rows of x (d wide), named by their numbers, with the weights w[row], nil for ones.
func (s *state) add(x []float64, rows []int, w []float64) error {
	d := s.D
	if len(rows) == 1 {
		weight := 1.0
		if w != nil {
			weight = w[rows[0]]
		}
		return s.one(x[rows[0]*d:(rows[0]+1)*d], weight)
	}
	part := newState(d, s.Diagonal)
	var pilot []float64 // the mean so far, or the first row
	if s.Weight > 0 {
		pilot = s.Mean
	}
	shift := make([]float64, d)
	kept := make([]int, 0, len(rows))
	for _, i := range rows {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		if weight == 0 {
			continue
		}
		row := x[i*d : (i+1)*d]
		if pilot == nil {
			pilot = row
		}
		kept = append(kept, i)
		part.Weight += weight
		for j, v := range row {
			shift[j] += weight * (v - pilot[j])
		}
	}
	if len(kept) == 0 {
		return nil
	}
	part.Rows = len(kept)
	for j, v := range shift {
		part.Mean[j], part.Rest[j] = twoSum(pilot[j], v/part.Weight)
	}
	if err := part.about(x, kept, w); err != nil {
		return err
	}
	return s.take(&part)
}

// take is merge with the moments of some rows, which it refuses where their squares, or those of them and others, overflow.
func (s *state) take(part *state) error {
	if !tile.Finite(part.Scatter) || large(part.Mean) {
		return unsquared()
	}
	s.merge(part)
	return nil
}

// large reports numbers whose squares, times their weights, may be no float64.
func large(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= 1e150) })
}

// one takes in one row, without room for a scatter of its own. It is merge with a part whose mean is the row and whose scatter is zero.
func (s *state) one(x []float64, weight float64) error {
	if large(x) {
		return unsquared()
	}
	if weight == 0 {
		return nil
	}
	if s.Weight == 0 {
		copy(s.Mean, x)
	} else {
		n, shift := s.Weight+weight, make([]float64, s.D)
		for j, v := range x {
			shift[j] = (v - s.Mean[j]) - s.Rest[j]
		}
		s.outer(s.Weight*(weight/n), shift)
		for j, v := range shift {
			s.Mean[j], s.Rest[j] = twoSum(s.Mean[j], s.Rest[j]+v*(weight/n))
		}
	}
	s.Weight += weight
	s.Rows++
	return nil
}

func unsquared() error {
	return fault.Argument("", "X", "of numbers whose weighted squares are no float64", "numbers below about 1e150", "choose a larger unit")
}

// about sums the scatter of rows about the mean.
func (s *state) about(x []float64, rows []int, w []float64) error {
	d := s.D
	if s.Diagonal {
		for _, i := range rows {
			weight := 1.0
			if w != nil {
				weight = w[i]
			}
			for j, v := range x[i*d : (i+1)*d] {
				u := v - s.Mean[j]
				s.Scatter[j] += weight * u * u
			}
		}
		for j, r := range s.Rest {
			s.Scatter[j] = max(0, s.Scatter[j]-s.Weight*r*r)
		}
		return nil
	}
	var err error
	s.Scatter, err = tile.Scatter(context.Background(), x, len(x)/d, d, rows, w, func(int) []float64 { return s.Mean })
	if err != nil {
		return err
	}
	s.outer(-s.Weight, s.Rest)
	for j := range d {
		s.Scatter[j*d+j] = max(0, s.Scatter[j*d+j])
	}
	return nil
}

// outer adds f v v^T to the scatter.
func (s *state) outer(f float64, v []float64) {
	if s.Diagonal {
		for j, a := range v {
			s.Scatter[j] += f * a * a
		}
		return
	}
	for i, a := range v {
		if a == 0 {
			continue
		}
		row := s.Scatter[i*s.D : (i+1)*s.D]
		for j := i; j < s.D; j++ {
			row[j] += f * a * v[j]
		}
	}
}

// merge takes in what another of the same width and kind has seen.
func (s *state) merge(o *state) {
	if o.Weight == 0 {
		return
	}
	if s.Weight == 0 {
		*s = o.clone()
		return
	}
	n := s.Weight + o.Weight
	shift := make([]float64, s.D)
	for j := range shift {
		shift[j] = (o.Mean[j] - s.Mean[j]) + (o.Rest[j] - s.Rest[j])
	}
	for j, v := range o.Scatter {
		s.Scatter[j] += v
	}
	s.outer(s.Weight*(o.Weight/n), shift)
	for j, v := range shift {
		s.Mean[j], s.Rest[j] = twoSum(s.Mean[j], s.Rest[j]+v*(o.Weight/n))
	}
	s.Weight = n
	s.Rows += o.Rows
}

// twoSum returns a + b rounded and what rounding took: Knuth, The Art of Computer Programming 2, section 4.2.2.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// square returns entry i, j of the scatter.
func (s *state) square(i, j int) float64 {
	switch {
	case !s.Diagonal:
		return s.Scatter[min(i, j)*s.D+max(i, j)]
	case i == j:
		return s.Scatter[i]
	}
	return 0
}

// symmetric returns the scatter.
func (s *state) symmetric() mat.Symmetric {
	if s.Diagonal {
		return mat.NewDiagDense(s.D, slices.Clone(s.Scatter))
	}
	return mat.NewSymDense(s.D, slices.Clone(s.Scatter))
}

// damaged reports whether stored moments cannot be moments.
func (s *state) damaged() bool {
	numbers := s.D
	if !s.Diagonal && !estimator.Fits(len(s.Scatter), s.D, s.D) {
		return s.D != 0 || s.Weight != 0 || len(s.Scatter) > 0
	}
	if !s.Diagonal {
		numbers = len(s.Scatter)
	}
	return s.D < 0 || len(s.Mean) != s.D || len(s.Rest) != s.D || len(s.Scatter) != numbers || s.Rows < 0 || !(s.Weight >= 0) ||
		!tile.Finite(s.Mean) || !tile.Finite(s.Rest) || !tile.Finite(s.Scatter) || math.IsInf(s.Weight, 1)
}

// Add takes in the rows of X (n x d), row i as weights[i] rows; nil weights count each once. Of a *sparse.CSR that stores a quarter of its
// numbers or fewer, only these are looked at.
//
// Errors, which leave m as it was: X empty, of another width than before, or not finite; weights that are negative, not finite, or not one
// a row; numbers whose squares are no float64.
func (m *Moments) Add(X mat.Matrix, weights []float64) error {
	const function = "sufficient.Moments.Add"
	t, err := tableOf(function, X, weights, m.state.D)
	if err != nil {
		return err
	}
	s := m.state
	if s.D == 0 {
		s = newState(t.d, false)
	}
	if err := t.to(&s, all(t.n), weights); err != nil {
		return fault.In(function, err)
	}
	m.state = s
	return nil
}

// Merge takes in all that other has seen. It fails on another width.
func (m *Moments) Merge(other *Moments) error {
	if err := sameWidth("sufficient.Moments.Merge", m.state.D, other.state.D); err != nil {
		return err
	}
	if m.state.D == 0 {
		m.state = other.state.clone()
		return nil
	}
	m.state.merge(&other.state)
	return nil
}

// Dim returns d, 0 before the first rows.
func (m *Moments) Dim() int { return m.state.D }

// Rows returns how many rows of positive weight were seen.
func (m *Moments) Rows() int { return m.state.Rows }

// Weight returns n, the sum of the weights.
func (m *Moments) Weight() float64 { return m.state.Weight }

// Mean returns the mean, d numbers.
func (m *Moments) Mean() []float64 { return slices.Clone(m.state.Mean) }

// Scatter returns S (d x d), nil before the first rows.
func (m *Moments) Scatter() *mat.SymDense {
	if m.state.D == 0 {
		return nil
	}
	s := mat.NewSymDense(m.state.D, nil)
	s.CopySym(m.state.symmetric())
	return s
}

// Covariance returns S / (n-1), or S / n. It fails when n is not above 1 (above 0).
func (m *Moments) Covariance(of reduce.Divisor) (*mat.SymDense, error) {
	const function = "sufficient.Moments.Covariance"
	by := m.state.Weight
	if of == reduce.Sample {
		by--
	} else if of != reduce.Population {
		return nil, fault.Argument(function, "Divisor", int(of), "Sample or Population", "")
	}
	if !(by > 0) {
		return nil, fault.Argument(function, "the rows", fmt.Sprintf("of total weight %v", m.state.Weight), "more", "take in more rows")
	}
	s := m.Scatter()
	s.ScaleSym(1/by, s)
	return s, nil
}

// PCA returns the principal components that reduce.FitPCA finds on the rows by its path Covariance: Components, Divisor and Scale of the
// options count, and Weights and Accuracy must be left out.
func (m *Moments) PCA(o reduce.PCAOptions) (*reduce.PCA, error) {
	const function = "sufficient.Moments.PCA"
	cov, err := m.Covariance(o.Divisor)
	if err != nil {
		return nil, fault.In(function, err)
	}
	o.Divisor = reduce.Sample // it has been divided
	p, err := reduce.PCAOf(m.state.Mean, cov, m.state.Rows, o)
	return p, fault.In(function, err)
}

// Whitening returns the whitening that reduce.FitWhitening finds on the rows: Form, Divisor and Regularise of the options count, and Labels
// and Weights must be nil.
func (m *Moments) Whitening(o reduce.WhitenOptions) (*reduce.Whitening, error) {
	const function = "sufficient.Moments.Whitening"
	if o.Labels != nil || o.Weights != nil {
		return nil, fault.Argument(function, "Labels and Weights", "given", "nil: the rows have been seen", "gather Classes for labels")
	}
	cov, err := m.Covariance(o.Divisor)
	if err != nil {
		return nil, fault.In(function, err)
	}
	return whitening(function, m.state.Mean, cov, o)
}

// whitening adds gamma tr(Sigma)/d to the diagonal first.
func whitening(function string, mean []float64, cov *mat.SymDense, o reduce.WhitenOptions) (*reduce.Whitening, error) {
	if !(o.Regularise >= 0) || math.IsInf(o.Regularise, 0) {
		return nil, fault.Argument(function, "Regularise", o.Regularise, "a finite number of at least 0", "the default is 0")
	}
	add := o.Regularise * mat.Trace(cov) / float64(len(mean))
	for j := range mean {
		cov.SetSym(j, j, cov.At(j, j)+add)
	}
	w, err := reduce.WhiteningOf(mean, cov, o.Form)
	return w, fault.In(function, err)
}

// String returns a line such as "moments of 150 rows of 4 features".
func (m *Moments) String() string {
	return fmt.Sprintf("moments of %d rows of %d features", m.state.Rows, m.state.D)
}

// MarshalBinary encodes the moments.
func (m *Moments) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.Moments", 1, m.state)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Moments) UnmarshalBinary(data []byte) error {
	var s state
	if err := estimator.Decode(data, "sufficient.Moments", 1, &s); err != nil {
		return err
	}
	if s.Diagonal || s.damaged() {
		return damage("sufficient.Moments")
	}
	m.state = s
	return nil
}

// sound reports whether the parts of a round are moments of d features.
func sound(parts []state, d int, diagonal bool) bool {
	return !slices.ContainsFunc(parts, func(s state) bool { return s.D != d || s.Diagonal != diagonal || s.damaged() })
}

// sizes says how many parts a round has: "3 clusters in 4 dimensions".
func sizes(what string, parts []state) string {
	d := 0
	if len(parts) > 0 {
		d = parts[0].D
	}
	return fmt.Sprintf("%d %s in %d dimensions", len(parts), what, d)
}

func damage(kind string) error { return fmt.Errorf("%s: decode: the parts do not fit together", kind) }

// rowsOf checks rows and their weights, d columns wide unless that is 0, and returns the rows one behind the other.
func rowsOf(function string, X mat.Matrix, weights []float64, d int) (x []float64, n int, err error) {
	if s, ok := X.(*sparse.CSR); ok {
		if i, j, finite := s.Finite(); !finite {
			return nil, 0, notFinite(function, s, i, j)
		}
		X = s.Dense()
	}
	if err := estimator.CheckX(function, X); err != nil {
		return nil, 0, err
	}
	n, width := X.Dims()
	if d > 0 && width != d {
		return nil, 0, otherWidth(function, n, width, d)
	}
	return estimator.Dense(X).RawMatrix().Data[:n*width], n, checkWeights(function, weights, n)
}

// checkWeights is estimator.CheckWeights for a part of the rows, all of which may have the weight zero.
func checkWeights(function string, w []float64, n int) error {
	if w == nil || len(w) == n && !slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) {
		return nil
	}
	if err := estimator.CheckWeights(function, w, n); err != nil {
		return err
	}
	if most := slices.Max(w); !(most < 1e100) {
		return fault.Argument(function, "Weights", most, "numbers below 1e100", "a weight counts rows")
	}
	return nil
}

// all returns 0 ... n-1.
func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// sameWidth reports two that have seen rows of different widths.
func sameWidth(function string, d, other int) error {
	if d != 0 && other != 0 && d != other {
		return fault.Argument(function, "the other", fmt.Sprintf("of rows of %d features", other), fmt.Sprintf("of %d features", d), "")
	}
	return nil
}
