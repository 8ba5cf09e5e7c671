package reduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Scaling says what a map of dissimilarities is to keep.
type Scaling string

// Scalings. Classical keeps inner products as well as possible and is solved by eigenvectors; Metric keeps the numbers, NonMetric only
// their order, both by SMACOF.
const (
	Classical Scaling = "classical"
	Metric    Scaling = "metric"
	NonMetric Scaling = "non-metric"
)

// MDSOptions are the settings of FitMDS. The zero value is the default.
type MDSOptions struct {
	Components int        // k, the dimension of the map; 0 stands for 2
	Scaling    Scaling    // Metric unless set
	Restarts   int        // number of starts, of which the best counts: the classical map first, then random ones; 0 stands for 1
	MaxIter    int        // limit on the steps of a start; 0 stands for 1000
	Tol        float64    // a start ends when a step lowers the stress by less than this share of it; 0 stands for 1e-9, estimator.None for 0
	Relax      float64    // alpha of Y <- (1-alpha) Y + alpha B(Y)Y/n, above 0 and below 2; 0 stands for 1, which is SMACOF itself
	Seed       uint64     // seed of the random starts; 0 stands for 1
	Start      mat.Matrix `key:"-"` // n x k, the first start instead of the classical map; nil for that
}

// filled returns o with defaults in the place of zeros.
func (o MDSOptions) filled() MDSOptions {
	o.Components, o.Scaling, o.Restarts = cmp.Or(o.Components, 2), cmp.Or(o.Scaling, Metric), cmp.Or(o.Restarts, 1)
	o.MaxIter, o.Relax, o.Seed = cmp.Or(o.MaxIter, 1000), cmp.Or(o.Relax, 1), cmp.Or(o.Seed, 1)
	estimator.Or(&o.Tol, 1e-9)
	return o
}

// An MDS is a map of n things made from their dissimilarities by multidimensional scaling.
type MDS struct {
	Y           *mat.Dense // n x k, the map; its columns have mean 0
	Scaling     Scaling
	Values      []float64  // classical: all n eigenvalues of the centred inner products, falling; nil otherwise
	Stresses    []float64  // SMACOF: the stress of the start and after each step of the best start; nil for classical scaling
	Converged   bool       // whether the best start ended by the tolerance; true for classical scaling
	Delta       []float64  // the n(n-1)/2 dissimilarities of the pairs i < j, row by row
	Disparities []float64  // what the distances of the map are compared with: Delta, or of NonMetric its monotone image
	Rows        *mat.Dense // n x d, the rows whose distances were mapped; nil when distances were given
}

// FitMDS maps n things into k dimensions so that the distances of the map say what the table D of dissimilarities says; D is n x n,
// symmetric, with zeros on the diagonal and no negative number.
//
// Classical scaling takes B = -1/2 J D² J (squares entry by entry, J = I - 11'/n) and the map U_k Lambda_k^(1/2) of its k largest
// eigenvalues; a column whose eigenvalue is not positive is zero. Metric scaling lowers the stress
//
//	sum_{i<j} (d_ij - delta_ij)² / sum_{i<j} delta_ij²
//
// by steps Y <- B(Y)Y/n (SMACOF), which never raise it. Non-metric scaling compares the distances with the monotone image of the
// dissimilarities that is nearest to them, of the same sum of squares, found again in each step; equal dissimilarities may get unequal
// images. A map is a stationary point, and of several starts the best.
//
// Source: W. S. Torgerson (1952), Psychometrika 17, 401-419; J. B. Kruskal (1964), Psychometrika 29, 1-27 and 115-129; J. de Leeuw (1977),
// Applications of convex analysis to multidimensional scaling.
func FitMDS(ctx context.Context, D mat.Matrix, o MDSOptions) (*MDS, error) {
	return fitMDS(ctx, D, o.filled())
}

func fitMDS(ctx context.Context, D mat.Matrix, o MDSOptions) (*MDS, error) {
	const name = "reduce.FitMDS"
	if err := checkMDS(name, o); err != nil {
		return nil, err
	}
	n, delta, err := pairs(name, D)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(name, "Components", o.Components, 1, n-1); err != nil {
		return nil, err
	}
	if dot(delta, delta) == 0 {
		return nil, fault.Argument(name, "D", "zeros only", "a pair that differs", "")
	}
	m := &MDS{Scaling: o.Scaling, Delta: delta, Disparities: delta, Converged: true}
	var Y *mat.Dense
	var values []float64
	if o.Start != nil && o.Scaling != Classical {
		if r, c := o.Start.Dims(); r != n || c != o.Components {
			return nil, fault.Argument(name, "Start", fmt.Sprintf("%d x %d", r, c), fmt.Sprintf("%d x %d", n, o.Components), "")
		}
		if err := estimator.CheckX(name, o.Start); err != nil {
			return nil, err
		}
		Y = mat.DenseCopyOf(o.Start)
	} else if Y, values, err = torgerson(ctx, name, n, delta, o.Components, o.Scaling == Classical); err != nil {
		return nil, err
	}
	if o.Scaling == Classical {
		m.Y, m.Values = Y, values
		return m, nil
	}
	random := rand.New(rand.NewPCG(o.Seed, 0x6d6473))
	size := math.Sqrt(dot(delta, delta) / float64(len(delta)) / float64(o.Components))
	for j := range o.Components {
		if o.Start == nil && values[j] <= values[0]*1e-12 {
			for i := range n {
				Y.Set(i, j, 0.01*size*random.NormFloat64())
			}
		}
	}
	var best *descent
	for start := range o.Restarts {
		if start > 0 {
			for i := range n {
				for j := range o.Components {
					Y.Set(i, j, size*random.NormFloat64())
				}
			}
		}
		s := newDescent(Y, delta, o.Scaling == NonMetric)
		if err := s.run(ctx, name, o); err != nil {
			return nil, err
		}
		if best == nil || s.stresses[len(s.stresses)-1] < best.stresses[len(best.stresses)-1] {
			best = s
		}
	}
	m.Y, m.Values, m.Stresses, m.Converged, m.Disparities = best.y, nil, best.stresses, best.converged, best.disparities
	return m, nil
}

func checkMDS(name string, o MDSOptions) error {
	if o.Scaling != Classical && o.Scaling != Metric && o.Scaling != NonMetric {
		return fault.Argument(name, "Scaling", fmt.Sprintf("%q", string(o.Scaling)), "Classical, Metric or NonMetric", "")
	}
	if err := estimator.CheckCount(name, "Components", o.Components, 1, math.MaxInt32); err != nil {
		return err
	}
	if err := estimator.CheckCount(name, "Restarts", o.Restarts, 1, math.MaxInt32); err != nil {
		return err
	}
	if err := estimator.CheckCount(name, "MaxIter", o.MaxIter, 1, math.MaxInt32); err != nil {
		return err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 1) {
		return fault.Argument(name, "Tol", o.Tol, "a share, 0 or more", "")
	}
	if !(o.Relax > 0 && o.Relax < 2) {
		return fault.Argument(name, "Relax", o.Relax, "above 0 and below 2", "from 2 on the stress need not fall")
	}
	return nil
}

// torgerson returns the classical map, and the eigenvalues of the centred inner products: all, or where that is not asked for and there are
// many rows the largest, at least 10, with residuals below 1e-12 of the first.
func torgerson(ctx context.Context, name string, n int, delta []float64, k int, whole bool) (*mat.Dense, []float64, error) {
	some := max(k, 10)
	few := !whole && largestAlone(n, some)
	stride := n
	if few {
		stride = tile.Padded(n)
	}
	B, means, all, at := make([]float64, stride*stride), make([]float64, n), 0.0, 0
	for i := range n {
		row := B[i*stride : i*stride+n]
		for j := i + 1; j < n; j++ {
			square := delta[at] * delta[at]
			at++
			row[j] = square
			means[i] += square / float64(n)
			means[j] += square / float64(n)
		}
	}
	for _, v := range means {
		all += v / float64(n)
	}
	for i := range n {
		row := B[i*stride : i*stride+n]
		for j := i; j < n; j++ {
			row[j] = -(row[j] - means[i] - means[j] + all) / 2
		}
	}
	var U *mat.Dense
	var values []float64
	if few {
		pairs, err := eigen.Largest(ctx, eigen.OfSymmetric(B, n), some, 1e-12)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		values, U = pairs.Values, columns(pairs.Vectors[:k*n], k)
	} else {
		var err error
		if values, U, err = spectrum(ctx, name, mat.NewSymDense(n, B), k); err != nil {
			return nil, nil, err
		}
	}
	for j := range k {
		root := math.Sqrt(max(values[j], 0))
		for i := range n {
			U.Set(i, j, root*U.At(i, j))
		}
	}
	return U, values, nil
}

// A descent is SMACOF from one start.
type descent struct {
	n, k        int
	y           *mat.Dense
	delta       []float64
	d           []float64 // the distances of y
	disparities []float64
	squares     float64 // of the dissimilarities
	order       []int   // of NonMetric: the pairs by rising dissimilarity
	stresses    []float64
	converged   bool
}

func newDescent(start *mat.Dense, delta []float64, onlyOrder bool) *descent {
	n, k := start.Dims()
	s := &descent{
		n: n, k: k, y: mat.DenseCopyOf(start), delta: delta, d: make([]float64, len(delta)), disparities: delta,
		squares: dot(delta, delta),
	}
	for j := range k {
		column := mat.Col(nil, j, s.y)
		mean := total(column) / float64(n)
		for i, v := range column {
			s.y.Set(i, j, v-mean)
		}
	}
	if onlyOrder {
		s.order = make([]int, len(delta))
		for p := range s.order {
			s.order[p] = p
		}
	}
	s.measure()
	return s
}

// measure finds the distances of the map, of NonMetric the disparities, and notes the stress.
func (s *descent) measure() {
	at := 0
	for i := range s.n {
		for j := i + 1; j < s.n; j++ {
			s.d[at] = distance(s.y.RawRowView(i), s.y.RawRowView(j))
			at++
		}
	}
	if s.order != nil {
		s.disparities = monotone(s.order, s.delta, s.d, s.squares)
	}
	stress := 0.0
	for p, v := range s.d {
		stress += (v - s.disparities[p]) * (v - s.disparities[p])
	}
	s.stresses = append(s.stresses, stress/s.squares)
}

// run takes steps until the stress falls no more.
func (s *descent) run(ctx context.Context, name string, o MDSOptions) error {
	next := mat.NewDense(s.n, s.k, nil)
	for range o.MaxIter {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		guttman(next, s.y, s.d, s.disparities)
		for i := range s.n {
			y, z := s.y.RawRowView(i), next.RawRowView(i)
			for j := range y {
				y[j] = (1-o.Relax)*y[j] + o.Relax*z[j]
			}
		}
		before := s.stresses[len(s.stresses)-1]
		s.measure()
		if now := s.stresses[len(s.stresses)-1]; before-now <= o.Tol*before || now < 1e-28 {
			s.converged = true
			break
		}
	}
	return nil
}

// guttman writes B(Y)Y/n: each point moves to the mean of where its springs would put it. Points at one place pull in no direction.
func guttman(to, y *mat.Dense, d, disparities []float64) {
	n, _ := y.Dims()
	to.Zero()
	at := 0
	for i := range n {
		a, ta := y.RawRowView(i), to.RawRowView(i)
		for j := i + 1; j < n; j++ {
			if d[at] > 0 {
				b, tb, r := y.RawRowView(j), to.RawRowView(j), disparities[at]/d[at]/float64(n)
				for c := range a {
					pull := r * (a[c] - b[c])
					ta[c] += pull
					tb[c] -= pull
				}
			}
			at++
		}
	}
}

// monotone returns the numbers nearest to the distances d that rise with the dissimilarities, brought to the given sum of squares. Among
// equal dissimilarities the distances stand in their own order (Kruskal's primary approach).
func monotone(order []int, delta, d []float64, squares float64) []float64 {
	slices.SortFunc(order, func(p, q int) int {
		switch {
		case delta[p] != delta[q]:
			return sign(delta[p] - delta[q])
		case d[p] != d[q]:
			return sign(d[p] - d[q])
		}
		return p - q
	})
	sorted := make([]float64, len(d))
	for r, p := range order {
		sorted[r] = d[p]
	}
	sorted = pool(sorted, nil)
	out, sum := make([]float64, len(d)), dot(sorted, sorted)
	scale := 1.0
	if sum > 0 {
		scale = math.Sqrt(squares / sum)
	}
	for r, p := range order {
		out[p] = scale * sorted[r]
	}
	return out
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}

// Isotonic returns the rising numbers z_1 <= ... <= z_n nearest to y in sum_i w_i (y_i - z_i)², by pooling adjacent violators; weights nil
// are all 1, and those given are positive.
//
// Source: M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid & E. Silverman (1955), Annals of Mathematical Statistics 26, 641-647.
func Isotonic(y, weights []float64) ([]float64, error) {
	const name = "reduce.Isotonic"
	if len(y) == 0 {
		return nil, fault.Argument(name, "y", "empty", "a number at least", "")
	}
	if weights != nil && len(weights) != len(y) {
		return nil, fault.Argument(name, "weights", fmt.Sprintf("%d numbers", len(weights)), fmt.Sprintf("%d, one for each of y", len(y)), "")
	}
	for i, v := range y {
		if v-v != 0 {
			return nil, fault.Argument(name, fmt.Sprintf("y[%d]", i), v, "finite", "")
		}
		if weights != nil && (!(weights[i] > 0) || math.IsInf(weights[i], 1)) {
			return nil, fault.Argument(name, fmt.Sprintf("weights[%d]", i), weights[i], "positive and finite", "")
		}
	}
	weights = estimator.ScaleWeights(weights)
	for i, w := range weights {
		if w == 0 { // beside one 1e300 times as large
			weights[i] = math.SmallestNonzeroFloat64
		}
	}
	return pool(y, weights), nil
}

// pool pools adjacent violators: a block that lies below the one before it joins it, at their mean.
func pool(y, weights []float64) []float64 {
	type block struct {
		mean, weight float64
		size         int
	}
	var blocks []block
	for i, v := range y {
		b := block{v, 1, 1}
		if weights != nil {
			b.weight = weights[i]
		}
		for len(blocks) > 0 && blocks[len(blocks)-1].mean >= b.mean {
			a := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			w := a.weight + b.weight
			b = block{a.mean + (b.mean-a.mean)*(b.weight/w), w, a.size + b.size}
		}
		blocks = append(blocks, b)
	}
	z := make([]float64, 0, len(y))
	for _, b := range blocks {
		for range b.size {
			z = append(z, b.mean)
		}
	}
	return z
}

// Distances returns the distances of the map for the pairs i < j, row by row, as Delta holds the dissimilarities.
func (m *MDS) Distances() []float64 {
	n, _ := dims(m.Y)
	d := make([]float64, 0, len(m.Delta))
	for i := range n {
		for j := i + 1; j < n; j++ {
			d = append(d, distance(m.Y.RawRowView(i), m.Y.RawRowView(j)))
		}
	}
	return d
}

// Stress returns sum (d - delta)² / sum delta² of the map, of non-metric scaling with the disparities in place of delta.
func (m *MDS) Stress() float64 {
	s := 0.0
	for p, d := range m.Distances() {
		s += (d - m.Disparities[p]) * (d - m.Disparities[p])
	}
	return s / dot(m.Disparities, m.Disparities)
}

// Stress1 returns Kruskal's stress-1 (1964), the root of sum (d - d^)² / sum d²: d^ are the dissimilarities, or of non-metric scaling the
// numbers nearest to the distances d that rise with them.
func (m *MDS) Stress1() float64 {
	d, s := m.Distances(), 0.0
	squares := dot(d, d)
	if m.Scaling == NonMetric {
		// With the nearest multiple c of the disparities sum (d - c d^)² is sum d² less the square of the cross product.
		cross := dot(d, m.Disparities)
		return math.Sqrt(max(0, 1-cross*cross/squares/dot(m.Disparities, m.Disparities)))
	}
	for p, v := range d {
		s += (v - m.Delta[p]) * (v - m.Delta[p])
	}
	return math.Sqrt(s / squares)
}

// GOF returns the two measures of fit of a classical map: the sum of the eigenvalues kept over the sum of the magnitudes of all, and over
// the sum of those that are positive. Both are 1 when the dissimilarities are distances in k dimensions. Of other scalings they are NaN.
func (m *MDS) GOF() (ofMagnitudes, ofPositive float64) {
	if m.Values == nil {
		return math.NaN(), math.NaN()
	}
	_, k := m.Y.Dims()
	kept, magnitudes, positive := 0.0, 0.0, 0.0
	for j, v := range m.Values {
		if j < k {
			kept += max(v, 0)
		}
		magnitudes += math.Abs(v)
		positive += max(v, 0)
	}
	return kept / magnitudes, kept / positive
}

// Negative returns the number of eigenvalues of a classical map below -1e-9 times the largest. When there is one, the dissimilarities are
// not the straight-line distances of any points.
func (m *MDS) Negative() int {
	count := 0
	for _, v := range m.Values {
		if v < -1e-9*m.Values[0] {
			count++
		}
	}
	return count
}

// Dim returns the number of numbers that Transform wants of a new thing: features, or when distances were given the n distances to those
// of the fit.
func (m *MDS) Dim() int {
	if m.Rows != nil {
		_, d := m.Rows.Dims()
		return d
	}
	n, _ := dims(m.Y)
	return n
}

// Transform places new things on a classical map: y = 1/2 Lambda^-1 Y' (mean of the squared dissimilarities by row - squared
// dissimilarities of the new one), which gives the things of the fit their own places. X holds rows of features, or rows of distances to
// the n things of the fit. Maps of other scalings have no place for new things.
//
// Source: J. C. Gower (1968), Biometrika 55, 582-585.
func (m *MDS) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.MDS.Transform"
	if m.Y == nil {
		return nil, estimator.Unfitted(name)
	}
	if m.Scaling != Classical {
		return nil, fault.Argument(name, "Scaling", string(m.Scaling), "Classical",
			"a map of least stress has no rule for new rows; map all at once")
	}
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	q, _ := X.Dims()
	n, k := m.Y.Dims()
	x, out, far := estimator.Dense(X), mat.NewDense(q, k, nil), make([]float64, n)
	means := squareMeans(n, m.Delta)
	for i := range q {
		copy(far, x.RawRowView(i))
		if m.Rows != nil {
			for j := range n {
				far[j] = distance(m.Rows.RawRowView(j), x.RawRowView(i))
			}
		}
		gower(out.RawRowView(i), m.Y, m.Values, means, far)
	}
	return out, nil
}

// squareMeans returns the mean squared dissimilarity of each thing to all n, itself included.
func squareMeans(n int, delta []float64) []float64 {
	means, at := make([]float64, n), 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			means[i] += delta[at] * delta[at] / float64(n)
			means[j] += delta[at] * delta[at] / float64(n)
			at++
		}
	}
	return means
}

// gower writes the place of a thing with given dissimilarities to those of a classical map.
func gower(place []float64, Y *mat.Dense, values, means, far []float64) {
	for c := range place {
		place[c] = 0
		if values[c] <= 0 {
			continue
		}
		for j, mean := range means {
			place[c] += Y.At(j, c) / values[c] * (mean - far[j]*far[j]) / 2
		}
	}
}

// String returns one line.
func (m *MDS) String() string {
	n, k := dims(m.Y)
	return fmt.Sprintf("MDS, %s: %d things in %d dimensions, stress %.4g", m.Scaling, n, k, m.Stress())
}
