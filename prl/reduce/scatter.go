package reduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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
	ctx := context.Background()
	x, y, w, k, err := labelled(ctx, name, X, y, weights)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	s := &Scatter{Within: mat.NewSymDense(d, nil), Class: make([]*mat.SymDense, k)}
	var rests *mat.Dense
	s.Sizes, s.Means, rests = classMeans(x, y, w, k)
	mean, rest, sum := weightedMean(x, w)
	s.Mean = mean
	rows := make([][]int, k)
	for i := range n {
		rows[y[i]] = append(rows[y[i]], i)
	}
	if s.Total, err = scatterAbout(ctx, name, x, nil, w, func(int) []float64 { return mean }); err != nil {
		return nil, err
	}
	recentre(s.Total, sum, rest)
	for c := range k {
		m := s.Means.RawRowView(c)
		if s.Class[c], err = scatterAbout(ctx, name, x, rows[c], w, func(int) []float64 { return m }); err != nil {
			return nil, err
		}
		recentre(s.Class[c], s.Sizes[c], rests.RawRowView(c))
		s.Within.AddSym(s.Within, s.Class[c])
	}
	s.Between = betweenScatter(s.Sizes, apart(s.Means, rests, mean, rest))
	return s, nil
}

// recentre moves a scatter of the given weight from the rounded mean to the mean, which is rest beyond it: sum w (x - m)(x - m)^T less
// weight rest rest^T. At a large common offset the rounding of a mean is not small beside the data: numbers of order 1e12 that differ by
// 0.1 lose nothing but what their own rounding took. Source: Chan, Golub, LeVeque, Algorithms for computing the sample variance, The
// American Statistician 37, 1983.
func recentre(S *mat.SymDense, weight float64, rest []float64) {
	d := len(rest)
	for i := range d {
		if weight*rest[i]*rest[i] > S.At(i, i) { // the mean itself is not known to so many digits
			rest[i] = 0
		}
	}
	for i := range d {
		for j := i; rest[i] != 0 && j < d; j++ {
			S.SetSym(i, j, S.At(i, j)-weight*rest[i]*rest[j])
		}
	}
}

// apart returns the differences between class means and one point, both given by rounded numbers and rests.
func apart(means, rests *mat.Dense, point, rest []float64) *mat.Dense {
	k, d := means.Dims()
	out := mat.NewDense(k, d, nil)
	for c := range k {
		row, r := out.RawRowView(c), rests.RawRowView(c)
		for j, m := range means.RawRowView(c) {
			row[j] = (m - point[j]) + (r[j] - rest[j])
		}
	}
	return out
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
		return nil, fault.Argument("reduce.Scatter.TwoClass", "the number of classes", len(s.Sizes), "2", "use Between for more classes")
	}
	v := s.Difference(0, 1)
	b := mat.NewSymDense(len(v), nil)
	b.SymRankOne(b, 1, mat.NewVecDense(len(v), v))
	return b, nil
}

// Rayleigh returns the generalised Rayleigh quotient w^T A w / w^T B w; with A = S_B and B = S_W it is Fisher's criterion J(w). It does not
// depend on the length of w. It is NaN when w^T B w is zero, and when w does not have as many numbers as both matrices have rows.
func Rayleigh(A, B mat.Symmetric, w []float64) float64 {
	if len(w) == 0 || len(w) != A.SymmetricDim() || len(w) != B.SymmetricDim() {
		return math.NaN()
	}
	v := mat.NewVecDense(len(w), append([]float64(nil), w...))
	den := mat.Inner(v, B, v)
	if den == 0 {
		return math.NaN()
	}
	return mat.Inner(v, A, v) / den
}

// labelled checks labelled data and drops rows of weight zero, which count as absent.
func labelled(ctx context.Context, name string, X mat.Matrix, y []int, weights []float64) (*mat.Dense, []int, []float64, int, error) {
	l, err := estimator.NewLabelled(ctx, name, X, y, estimator.Weighting{Weights: weights})
	if err != nil {
		return nil, nil, nil, 0, err
	}
	w, err := counts(name, l.Rows)
	return l.Dense(), l.Y, w, l.K, err
}

// counts returns the weights as numbers of rows, whose sum is to be finite.
func counts(name string, r *estimator.Rows) ([]float64, error) {
	w := r.Counts()
	if math.IsInf(total(w), 0) {
		return nil, fault.Argument(name, "Weights", "with an infinite sum", "weights whose sum is finite", "divide them by their largest")
	}
	return w, nil
}

// weightedMean returns the mean of the rows, what it is beyond the rounded mean given, and the sum of the weights. Differences to the first
// row are summed, so that a large common offset does not cost digits.
func weightedMean(x *mat.Dense, w []float64) (mean, rest []float64, sum float64) {
	n, d := x.Dims()
	pilot := x.RawRowView(0)
	mean, rest = make([]float64, d), make([]float64, d)
	if w == nil {
		tile.SumDifferences(mean, x.RawMatrix().Data, pilot, n)
		sum = float64(n)
	} else {
		for i := range n {
			for j, v := range x.RawRowView(i) {
				mean[j] += w[i] * (v - pilot[j])
			}
			sum += w[i]
		}
	}
	for j := range mean {
		mean[j], rest[j] = twoSum(pilot[j], mean[j]/sum)
	}
	return mean, rest, sum
}

// classMeans returns the weight of each class, its mean (a row of means) and what that is beyond the rounded mean (a row of rests).
func classMeans(x *mat.Dense, y []int, w []float64, k int) (sizes []float64, means, rests *mat.Dense) {
	n, d := x.Dims()
	pilot := x.RawRowView(0)
	sizes, means, rests = make([]float64, k), mat.NewDense(k, d, nil), mat.NewDense(k, d, nil)
	for i := range n {
		m := means.RawRowView(y[i])
		if w == nil {
			tile.SumDifferences(m, x.RawRowView(i), pilot, 1)
			sizes[y[i]]++
			continue
		}
		for j, v := range x.RawRowView(i) {
			m[j] += w[i] * (v - pilot[j])
		}
		sizes[y[i]] += w[i]
	}
	for c := range k {
		m, r := means.RawRowView(c), rests.RawRowView(c)
		for j := range m {
			m[j], r[j] = twoSum(pilot[j], m[j]/sizes[c])
		}
	}
	return sizes, means, rests
}

// twoSum returns a + b rounded and what rounding took: Knuth, The Art of Computer Programming 2, section 4.2.2. There is no rest to an
// infinite sum.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	if sum-sum != 0 {
		return sum, 0
	}
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// betweenScatter returns sum_i n_i v_i v_i^T, where the rows v_i are the differences between class means and the mean of all.
func betweenScatter(sizes []float64, differences *mat.Dense) *mat.SymDense {
	k, d := differences.Dims()
	b := mat.NewSymDense(d, nil)
	for c := range k {
		b.SymRankOne(b, sizes[c], differences.RowView(c))
	}
	return b
}

// scatterAbout returns sum_i w_i (x_i - c_i)(x_i - c_i)^T over some rows, nil for all, where c_i = centre(i).
// It fails where that overflows, or vanishes although the rows differ, and when ctx ends.
func scatterAbout(
	ctx context.Context, name string, x *mat.Dense, rows []int, w []float64, centre func(i int) []float64,
) (*mat.SymDense, error) {
	n, d := x.Dims()
	data, err := tile.Scatter(ctx, x.RawMatrix().Data, n, d, rows, w, centre)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := mat.NewSymDense(d, data)
	squares := make([]float64, d)
	for j := range squares {
		squares[j] = s.At(j, j)
	}
	return s, checkSquares(name, x, rows, squares, centre)
}

// checkSquares reports rows, nil for all, whose sums of squares, a column each, overflow, or vanish although a row differs from its centre.
func checkSquares(name string, x *mat.Dense, rows []int, squares []float64, centre func(i int) []float64) error {
	largest := 0.0
	for _, v := range squares {
		if v-v != 0 {
			return unsquared(name, x, "overflow", "divide")
		}
		largest = max(largest, v)
	}
	if largest >= 1e-305 {
		return nil
	}
	count, _ := x.Dims()
	if rows != nil {
		count = len(rows)
	}
	for i := range count {
		if rows != nil {
			i = rows[i]
		}
		if !slices.Equal(x.RawRowView(i), centre(i)) {
			return unsquared(name, x, "vanish", "multiply")
		}
	}
	return nil
}

// unsquared is the error of data whose squares are no finite numbers above zero.
func unsquared(name string, x *mat.Dense, how, remedy string) error {
	size := max(mat.Max(x), -mat.Min(x))
	by := math.Pow(10, math.Abs(math.Round(math.Log10(size))))
	return fault.Argument(
		name,
		"X",
		fmt.Sprintf("with numbers of size %.2g, whose weighted squares %s", size, how),
		"numbers whose sums of squares lie between 1e-305 and 1e308",
		fmt.Sprintf("%s X by %.0e", remedy, by),
	)
}

// scatterWithin returns S_W = sum_i w_i (x_i - m_c)(x_i - m_c)^T, where c is the class of row i.
func scatterWithin(
	ctx context.Context, name string, x *mat.Dense, y []int, w, sizes []float64, means, rests *mat.Dense,
) (*mat.SymDense, error) {
	s, err := scatterAbout(ctx, name, x, nil, w, func(i int) []float64 { return means.RawRowView(y[i]) })
	if err != nil {
		return nil, err
	}
	for c, size := range sizes {
		recentre(s, size, rests.RawRowView(c))
	}
	return s, nil
}
