package reduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Scatter holds the class means and scatter matrices of labelled data:
//
//	S_i = sum over class i of w (x - m_i)(x - m_i)^T      S_W = S_1 + ... + S_K
//	S_B = sum_i n_i (m_i - m)(m_i - m)^T                   S_T = sum w (x - m)(x - m)^T = S_W + S_B
//
// n_i is the weight of class i (its size when all weights are one). Scatter is not divided by anything: S_i / (n_i - 1) is the unbiased
// covariance of class i. Source: Duda, Hart, Stork, Pattern Classification, 2001, sections 3.8.2 and 3.8.3.
type Scatter struct {
	Sizes   []float64       // n_i, K numbers
	Means   *mat.Dense      // K x d, row i = m_i
	Mean    []float64       // m, the mean of all rows
	Class   []*mat.SymDense // S_i, each d x d
	Within  *mat.SymDense   // S_W
	Between *mat.SymDense   // S_B
	Total   *mat.SymDense   // S_T, summed from the rows and not as S_W + S_B
}

// Scatters returns the scatter matrices of X (n x d) with labels y; weights nil means ones.
func Scatters(X mat.Matrix, y []int, weights []float64) (*Scatter, error) {
	const name = "reduce.Scatters"
	x, y, w, k, err := labelled(name, X, y, weights)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	s := &Scatter{Within: mat.NewSymDense(d, nil), Between: mat.NewSymDense(d, nil), Class: make([]*mat.SymDense, k)}
	s.Sizes, s.Means = classMeans(x, y, w, k)
	s.Mean, _ = weightedMean(x, w)
	all := make([]int, n)
	rows := make([][]int, k)
	for i := range n {
		all[i] = i
		rows[y[i]] = append(rows[y[i]], i)
	}
	var rest []float64
	s.Total, rest = scatterOf(x, w, all, s.Mean)
	between := make([]float64, d)
	for c := range k {
		m := s.Means.RawRowView(c)
		var restOf []float64
		s.Class[c], restOf = scatterOf(x, w, rows[c], m)
		s.Within.AddSym(s.Within, s.Class[c])
		for j := range between {
			between[j] = (m[j] - s.Mean[j]) + (restOf[j] - rest[j])
		}
		s.Between.SymRankOne(s.Between, s.Sizes[c], mat.NewVecDense(d, between))
	}
	return s, nil
}

// scatterOf returns the scatter of some rows about their mean, and what that mean is beyond the rounded mean given. At a large common offset
// the rounding of a mean is not small beside the differences between means: with both parts, numbers of order 1e12 that differ by 0.1 lose
// nothing but what their own rounding took. Source: Chan, Golub, LeVeque, Algorithms for computing the sample variance, The American
// Statistician 37, 1983.
func scatterOf(x *mat.Dense, w []float64, rows []int, mean []float64) (scatter *mat.SymDense, rest []float64) {
	about, weights := pick(x, w, rows)
	for i := range rows {
		row := about.RawRowView(i)
		for j, m := range mean {
			row[j] -= m
		}
	}
	rest, _ = weightedMean(about, weights)
	return scatterAbout(about, weights, func(int) []float64 { return rest }), rest
}

// Difference returns m_b - m_a.
func (s *Scatter) Difference(a, b int) []float64 {
	ma, mb := s.Means.RawRowView(a), s.Means.RawRowView(b)
	v := make([]float64, len(ma))
	for j := range v {
		v[j] = mb[j] - ma[j]
	}
	return v
}

// TwoClass returns the rank-one matrix (m_1 - m_0)(m_1 - m_0)^T that stands for S_B in the two-class criterion. It is n / (n_0 n_1) times
// Between. It fails unless there are exactly two classes.
func (s *Scatter) TwoClass() (*mat.SymDense, error) {
	if len(s.Sizes) != 2 {
		return nil, estimator.Argument("reduce.Scatter.TwoClass", "the number of classes", len(s.Sizes), "2", "use Between for more classes")
	}
	v := s.Difference(0, 1)
	b := mat.NewSymDense(len(v), nil)
	b.SymRankOne(b, 1, mat.NewVecDense(len(v), v))
	return b, nil
}

// Rayleigh returns the generalised Rayleigh quotient w^T A w / w^T B w; with A = S_B and B = S_W it is Fisher's criterion J(w). It does not
// depend on the length of w. It is NaN when w^T B w is zero.
func Rayleigh(A, B mat.Symmetric, w []float64) float64 {
	v := mat.NewVecDense(len(w), append([]float64(nil), w...))
	den := mat.Inner(v, B, v)
	if den == 0 {
		return math.NaN()
	}
	return mat.Inner(v, A, v) / den
}

// labelled checks labelled data and drops rows of weight zero, which count as absent.
func labelled(name string, X mat.Matrix, y []int, weights []float64) (*mat.Dense, []int, []float64, int, error) {
	if err := estimator.CheckX(name, X); err != nil {
		return nil, nil, nil, 0, err
	}
	n, _ := X.Dims()
	k, err := estimator.CheckLabels(name, y, n)
	if err != nil {
		return nil, nil, nil, 0, err
	}
	if err := estimator.CheckWeights(name, weights, n); err != nil {
		return nil, nil, nil, 0, err
	}
	x := estimator.Dense(X)
	keep := positive(weights)
	if keep == nil {
		return x, y, weights, k, nil
	}
	x, w := pick(x, weights, keep)
	yk := make([]int, len(keep))
	seen := make([]bool, k)
	for i, r := range keep {
		yk[i] = y[r]
		seen[y[r]] = true
	}
	for c, ok := range seen {
		if !ok {
			return nil, nil, nil, 0, estimator.Argument(name, "Weights", fmt.Sprintf("zero for all of class %d", c), "a positive weight in every class", "leave the class out of the data instead")
		}
	}
	return x, yk, w, k, nil
}

// positive returns the rows of positive weight, or nil when that is all of them.
func positive(w []float64) []int {
	zero := false
	for _, v := range w {
		zero = zero || v == 0
	}
	if !zero {
		return nil
	}
	var keep []int
	for i, v := range w {
		if v > 0 {
			keep = append(keep, i)
		}
	}
	return keep
}

func pick(x *mat.Dense, w []float64, rows []int) (*mat.Dense, []float64) {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	var wo []float64
	if w != nil {
		wo = make([]float64, len(rows))
	}
	for i, r := range rows {
		copy(out.RawRowView(i), x.RawRowView(r))
		if w != nil {
			wo[i] = w[r]
		}
	}
	return out, wo
}

// weightedMean returns the mean of the rows and the sum of the weights. Differences to the first row are summed, so that a large common
// offset does not cost digits.
func weightedMean(x *mat.Dense, w []float64) (mean []float64, sum float64) {
	n, d := x.Dims()
	pilot := x.RawRowView(0)
	mean = make([]float64, d)
	for i := range n {
		row := x.RawRowView(i)
		if w == nil {
			for j, v := range row {
				mean[j] += v - pilot[j]
			}
			sum++
			continue
		}
		for j, v := range row {
			mean[j] += w[i] * (v - pilot[j])
		}
		sum += w[i]
	}
	for j := range mean {
		mean[j] = pilot[j] + mean[j]/sum
	}
	return mean, sum
}

func classMeans(x *mat.Dense, y []int, w []float64, k int) (sizes []float64, means *mat.Dense) {
	n, d := x.Dims()
	pilot := x.RawRowView(0)
	sizes, means = make([]float64, k), mat.NewDense(k, d, nil)
	for i := range n {
		m, wi := means.RawRowView(y[i]), 1.0
		if w != nil {
			wi = w[i]
		}
		for j, v := range x.RawRowView(i) {
			m[j] += wi * (v - pilot[j])
		}
		sizes[y[i]] += wi
	}
	for c := range k {
		m := means.RawRowView(c)
		for j := range m {
			m[j] = pilot[j] + m[j]/sizes[c]
		}
	}
	return sizes, means
}

func betweenScatter(sizes []float64, means *mat.Dense, mean []float64) *mat.SymDense {
	k, d := means.Dims()
	b := mat.NewSymDense(d, nil)
	v := make([]float64, d)
	for c := range k {
		for j, m := range means.RawRowView(c) {
			v[j] = m - mean[j]
		}
		b.SymRankOne(b, sizes[c], mat.NewVecDense(d, v))
	}
	return b
}

// scatterAbout returns sum_i w_i (x_i - c_i)(x_i - c_i)^T, where c_i = centre(i).
func scatterAbout(x *mat.Dense, w []float64, centre func(i int) []float64) *mat.SymDense {
	n, d := x.Dims()
	return mat.NewSymDense(d, tile.Scatter(x.RawMatrix().Data, n, d, nil, w, centre))
}
