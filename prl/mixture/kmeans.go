package mixture

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/tile"
)

// Algorithm names a way to find the k-means fixed point. All ways give the same centres from the same start.
type Algorithm string

const (
	Hamerly Algorithm = "hamerly" // bounds from the triangle inequality skip most distances (the default)
	Lloyd   Algorithm = "lloyd"   // all distances in each round, the textbook's form
)

// KMeansOptions set k-means.
type KMeansOptions struct {
	K        int
	Restarts int // k-means++ starts of which the best end counts, default 10; ignored when Centres is given
	MaxIter  int // rounds of one start, default 300
	// stop when the centres' squared shift, summed, is at most Tol times the mean variance of the columns; default 0: until nothing changes
	Tol       float64
	Seed      uint64      // default 1
	Centres   [][]float64 // K x d start; nil draws with k-means++
	Weights   []float64   // n sample weights; nil weighs all rows alike
	Algorithm Algorithm   // default Hamerly
	Trace     bool        // keep centres, labels and inertia of each round
	Progress  estimator.ProgressFunc
}

// filled returns o with defaults in the place of zeros.
func (o KMeansOptions) filled() KMeansOptions {
	o.Restarts, o.MaxIter, o.Seed = cmp.Or(o.Restarts, 10), cmp.Or(o.MaxIter, 300), cmp.Or(o.Seed, 1)
	o.Algorithm = cmp.Or(o.Algorithm, Hamerly)
	return o
}

// check reports settings that no data could make right.
func (o KMeansOptions) check(function string) error {
	if err := estimator.CheckCount(function, "Restarts", o.Restarts, 1, math.MaxInt); err != nil {
		return err
	}
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 1, math.MaxInt); err != nil {
		return err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) {
		return fault.Argument(function, "Tol", o.Tol, "a finite number of at least 0", "the default is 0")
	}
	if o.Algorithm != Hamerly && o.Algorithm != Lloyd {
		return fault.Argument(function, "Algorithm", fmt.Sprintf("%q", o.Algorithm), `"hamerly" or "lloyd"`, "")
	}
	return nil
}

// A KMeans model is K centres; a point belongs to the nearest one.
type KMeans struct {
	estimator.Names
	centres    []float64
	k, d       int
	labels     []int
	inertia    float64
	iterations int
	converged  bool
	rounds     []Round
	places     int // different rows of the fit where there are fewer than clusters, else 0
}

// A Round is one step of k-means: centres, the assignment to them, and its objective.
type Round struct {
	Centres [][]float64
	Labels  []int
	Inertia float64 // sum of w_i ||x_i - centre of its label||^2
}

// FitKMeans minimises J = sum_i w_i min_j ||x_i - mu_j||^2 over the centres mu_1 ... mu_K by Lloyd's alternation (S. P. Lloyd 1982): assign
// each row to the nearest centre, move each centre to the mean of its rows. J never rises and only a local minimum is found, hence
// the restarts from k-means++ (Arthur and Vassilvitskii 2007). A cluster that loses all its rows gets the row farthest from its centre.
// When K exceeds the number of different rows, clusters coincide or are empty, which String says.
//
// Rows that are equally near to several centres stay where they are, and go to the first of them in the first round.
//
// Of a *sparse.CSR only the stored numbers are looked at: a distance costs so many, and no dense copy is made. It is
// |x|^2 - 2 <x, mu> + |mu|^2, whose rounding error is that of |x|^2 and not that of the distance.
func FitKMeans(ctx context.Context, X mat.Matrix, o KMeansOptions) (*KMeans, error) {
	return fitKMeans(ctx, X, o.filled())
}

func fitKMeans(ctx context.Context, X mat.Matrix, o KMeansOptions) (*KMeans, error) {
	const function = "mixture.FitKMeans"
	if err := estimator.CheckX(function, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if err := estimator.CheckCount(function, "K", o.K, 1, n); err != nil {
		return nil, err
	}
	if err := o.check(function); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(function, o.Weights, n); err != nil {
		return nil, err
	}
	if err := checkRows(function, "Centres", o.Centres, o.K, d); err != nil {
		return nil, err
	}
	positive := n
	if o.Weights != nil {
		positive = 0
		for _, w := range o.Weights {
			if w > 0 {
				positive++
			}
		}
	}
	if o.K > positive {
		return nil, fault.Argument(function, "K", o.K, fmt.Sprintf("at most %d, the number of rows of positive weight", positive), "")
	}
	var start []float64
	for _, c := range o.Centres {
		start = append(start, c...)
	}
	// Data of any size and weights of any size have the same clusters.
	p, e := pointsOf(X, start)
	start = scaled(start, e)
	weights, unit := scaleWeights(o.Weights)
	o.Weights = weights
	units := func(inertia float64) float64 { return math.Ldexp(inertia, 2*e) * unit }
	if report := o.Progress; report != nil && units(1) != 1 {
		o.Progress = func(p estimator.Progress) {
			p.Objective = units(p.Objective)
			report(p)
		}
	}
	var best *KMeans
	restarts := o.Restarts
	if o.Centres != nil {
		restarts = 1
	}
	tol := 0.0
	if o.Tol > 0 {
		tol = o.Tol * p.meanVariance(o.Weights)
	}
	for r := range restarts {
		centres, err := start, error(nil)
		if o.Centres == nil {
			if centres, err = plusPlus(ctx, p, o.K, o.Weights, generator(o.Seed+uint64(r))); err != nil {
				return nil, fmt.Errorf("%s: start %d: stopped while its centres were drawn: %w", function, r+1, err)
			}
		}
		m, err := lloyd(ctx, p, centres, tol, o)
		if err != nil {
			return nil, fmt.Errorf("%s: start %d: %w", function, r+1, err)
		}
		if best == nil || m.inertia < best.inertia {
			best = m
		}
	}
	if places := different(X, o.K); places < o.K {
		best.places = places
	}
	best.inertia, best.centres = units(best.inertia), scaled(best.centres, -e)
	for i, round := range best.rounds {
		for c, centre := range round.Centres {
			round.Centres[c] = scaled(centre, -e)
		}
		best.rounds[i].Inertia = units(round.Inertia)
	}
	return best, nil
}

func checkRows(function, argument string, rows [][]float64, k, d int) error {
	if rows == nil {
		return nil
	}
	if len(rows) != k {
		return fault.Argument(function, argument, fmt.Sprintf("%d rows", len(rows)), fmt.Sprintf("%d rows, one for each cluster", k), "")
	}
	for i, row := range rows {
		if len(row) != d {
			return fault.Argument(
				function,
				fmt.Sprintf("%s[%d]", argument, i),
				fmt.Sprintf("%d numbers", len(row)),
				fmt.Sprintf("%d numbers, one for each column of X", d),
				"",
			)
		}
		for j, v := range row {
			if v-v != 0 {
				return fault.Argument(function, fmt.Sprintf("%s[%d][%d]", argument, i, j), v, "a finite number", "")
			}
		}
	}
	return nil
}

func meanVariance(x []float64, n, d int, w []float64) float64 {
	_, variance := spread(x, n, d, w)
	sum := 0.0
	for _, v := range variance {
		sum += v
	}
	return sum / float64(d)
}

// spread returns the mean and the variance of each column.
func spread(x []float64, n, d int, w []float64) (mean, variance []float64) {
	total := totalWeight(w, n)
	mean, variance = make([]float64, d), make([]float64, d)
	for i := range n {
		u := weight(w, i)
		for j, v := range x[i*d : (i+1)*d] {
			mean[j] += u * v
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	for i := range n {
		u := weight(w, i)
		for j, v := range x[i*d : (i+1)*d] {
			v -= mean[j]
			variance[j] += u * v * v
		}
	}
	for j := range variance {
		variance[j] /= total
	}
	return mean, variance
}

// ridge returns what a share of the variances of the columns adds to those of the components.
func ridge(share float64, x []float64, n, d int, w []float64) gauss.Ridge {
	mean, variance := spread(x, n, d, w)
	return gauss.NewRidge(share, mean, variance)
}

// lloyd alternates assignment and centroid step until nothing changes.
func lloyd(ctx context.Context, p points, centres []float64, tol float64, o KMeansOptions) (*KMeans, error) {
	n, d := p.size()
	k := len(centres) / d
	m := &KMeans{centres: centres, k: k, d: d}
	var a assigner
	if o.Algorithm == Lloyd || k == 1 {
		a = &plainAssigner{points: p, labels: unassigned(n)}
	} else {
		a = newHamerly(p, k)
	}
	for it := 1; ; it++ {
		changed := a.assign(ctx, m.centres)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("stopped after %d rounds: %w", it-1, err)
		}
		labels := a.result()
		if o.Trace {
			m.rounds = append(
				m.rounds,
				Round{estimator.CloneRows(cut(m.centres, d)), append([]int(nil), labels...), p.inertia(m.centres, labels, o.Weights)},
			)
		}
		if o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: it, Of: o.MaxIter, Objective: p.inertia(m.centres, labels, o.Weights)})
		}
		m.iterations = it
		if !changed {
			m.converged = true
			break
		}
		if it == o.MaxIter {
			break
		}
		next := centroids(p, k, labels, o.Weights, m.centres)
		shift := 0.0
		for i, v := range next {
			shift += (v - m.centres[i]) * (v - m.centres[i])
		}
		m.centres = next
		if tol > 0 && shift <= tol {
			a.assign(ctx, m.centres)
			m.converged = true
			break
		}
	}
	m.labels = a.result()
	m.inertia = p.inertia(m.centres, m.labels, o.Weights)
	return m, nil
}

func unassigned(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// sums holds weighted sums of rows and total weights of the clusters, for a block of rows.
type sums struct{ rows, mass []float64 }

// add adds the rows lo ... hi-1 to sums that begin at zero.
func (p sums) add(x []float64, d int, labels []int, w []float64, lo, hi int, zeros []float64) {
	clear(p.rows)
	clear(p.mass)
	for i := lo; i < hi; i++ {
		c := labels[i]
		row, sum := x[i*d:(i+1)*d], p.rows[c*d:(c+1)*d]
		if w == nil {
			p.mass[c]++
			tile.SumDifferences(sum, row, zeros, 1)
			continue
		}
		p.mass[c] += w[i]
		for j, v := range row {
			sum[j] += w[i] * v
		}
	}
}

// centroids returns the weighted means of the clusters; an empty one takes the row that is farthest from its own centre.
func centroids(p points, k int, labels []int, w []float64, old []float64) []float64 {
	n, d := p.size()
	sum, mass := p.sums(k, labels, w)
	var row []float64
	taken := map[int]bool{}
	for c := range k {
		if mass[c] > 0 {
			continue
		}
		far, most := -1, -1.0
		for i := range n {
			if u := weight(w, i); u > 0 && !taken[i] && mass[labels[i]] > u {
				if s := p.squared(i, old[labels[i]*d:(labels[i]+1)*d]); s > most {
					far, most = i, s
				}
			}
		}
		if far < 0 {
			copy(sum[c*d:(c+1)*d], old[c*d:(c+1)*d])
			mass[c] = 1
			continue
		}
		taken[far] = true
		u, from := weight(w, far), labels[far]
		if row == nil {
			row = make([]float64, d)
		}
		p.row(row, far)
		for j, v := range row {
			sum[c*d+j] += u * v
			sum[from*d+j] -= u * v
		}
		mass[c] += u
		mass[from] -= u
	}
	for c := range k {
		for j := range d {
			sum[c*d+j] /= mass[c]
		}
	}
	return sum
}

// squared returns ||a - b||^2.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+3 < len(a); i += 4 {
		u0, u1, u2, u3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
		s0 += u0 * u0
		s1 += u1 * u1
		s2 += u2 * u2
		s3 += u3 * u3
	}
	for ; i < len(a); i++ {
		u := a[i] - b[i]
		s0 += u * u
	}
	return (s0 + s1) + (s2 + s3)
}

// Dim returns d, the number of columns.
func (m *KMeans) Dim() int { return m.d }

// Classes returns K.
func (m *KMeans) Classes() int { return m.k }

// Remember keeps the names of the features; those of classes are not those of clusters.
func (m *KMeans) Remember(n estimator.Names) { m.FeatureNames = n.FeatureNames }

// Centres returns the K x d centres.
func (m *KMeans) Centres() [][]float64 { return estimator.CloneRows(cut(m.centres, m.d)) }

// Labels returns the cluster of each row of the data of the fit.
func (m *KMeans) Labels() []int { return append([]int(nil), m.labels...) }

// Sizes returns the number of rows in each cluster.
func (m *KMeans) Sizes() []int {
	out := make([]int, m.k)
	for _, c := range m.labels {
		out[c]++
	}
	return out
}

// Inertia returns the objective J, the weighted sum of squared distances to the own centre.
func (m *KMeans) Inertia() float64 { return m.inertia }

// Iterations returns the number of rounds of the best start, the last of which changed nothing when Converged.
func (m *KMeans) Iterations() int { return m.iterations }

// Converged says whether the best start ended before MaxIter.
func (m *KMeans) Converged() bool { return m.converged }

// Rounds returns the steps of the best start when Trace was set.
func (m *KMeans) Rounds() []Round { return append([]Round(nil), m.rounds...) }

// Class returns the cluster of one point, and -1 for a point of another width or with a number that is not finite.
func (m *KMeans) Class(x ...float64) int {
	if len(x) != m.d || m.d == 0 || !tile.Finite(x) {
		return -1
	}
	best, arg := math.Inf(1), 0
	for c := range m.k {
		if s := squared(x, m.centres[c*m.d:(c+1)*m.d]); s < best {
			best, arg = s, c
		}
	}
	if best > 1e200 || best < 1e-200 {
		return m.far(x)
	}
	return arg
}

// far returns the nearest centre at any distance: that of the largest of the densities N(x; mu_k, I).
func (m *KMeans) far(x []float64) int {
	variances := make([]float64, m.d)
	for j := range variances {
		variances[j] = 1
	}
	identity, err := gauss.NewDiagonal(variances)
	if err != nil { // of ones it is none
		return -1
	}
	factors := slices.Repeat([]*gauss.Factor{identity}, m.k)
	e := exponent(x, m.centres)
	l := make([]float64, m.k)
	gauss.Relative(l, scaled(x, e), make([]float64, m.k), cut(scaled(m.centres, e), m.d), factors)
	return argmax(l, 1, m.k)[0]
}

// Predict returns the nearest centre of each row of X (n x d).
func (m *KMeans) Predict(X mat.Matrix) ([]int, error) {
	const function = "mixture.KMeans.Predict"
	if err := estimator.CheckShape(function, X, m.d); err != nil {
		return nil, err
	}
	p := pointsAt(X, exponent(m.centres))
	n, _ := X.Dims()
	labels := make([]int, n)
	search := p.search(scaled(m.centres, exponent(m.centres)))
	infinite := make([]bool, search.workers()) // as all distances of a row that is not finite are
	shared(n, len(infinite), func(g, _, lo, hi int) {
		for i := lo; i < hi; i += batch {
			count := min(batch, hi-i)
			s := search.from(g, i, count)
			copy(labels[i:i+count], s.at[:])
			if !tile.Finite(s.first[:count]) {
				infinite[g] = true
				for r, v := range s.first[:count] {
					if v-v != 0 {
						labels[i+r] = m.far(mat.Row(nil, i+r, X))
					}
				}
			}
		}
	})
	if some(infinite) {
		if err := estimator.CheckX(function, X); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// Transform returns the n x K Euclidean distances to the centres.
func (m *KMeans) Transform(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("mixture.KMeans.Transform", X, m.d); err != nil {
		return nil, err
	}
	p := pointsAt(X, 0)
	n, _ := p.size()
	out, row := mat.NewDense(n, m.k, nil), make([]float64, m.d)
	for c := range m.k {
		centre := m.centres[c*m.d : (c+1)*m.d]
		square := p.squaredTo(centre)
		for i := range n {
			s := square(i)
			if s < 1e-200 || s > 1e300 { // where squares lose digits
				p.row(row, i)
				out.Set(i, c, floats.Distance(row, centre, 2))
				continue
			}
			out.Set(i, c, math.Sqrt(s))
		}
	}
	return out, nil
}

// Within returns the sum of squares within each cluster of the unweighted data. It fails where that is too large for a number.
func (m *KMeans) Within(X mat.Matrix) ([]float64, error) {
	labels, err := m.Predict(X)
	if err != nil {
		return nil, fault.In("mixture.KMeans.Within", err)
	}
	p, out := pointsAt(X, 0), make([]float64, m.k)
	for c := range out {
		square := p.squaredTo(m.centres[c*m.d : (c+1)*m.d])
		for i, label := range labels {
			if label == c {
				out[c] += square(i)
			}
		}
	}
	for c, v := range out {
		if math.IsInf(v, 1) {
			return nil, fault.Argument("mixture.KMeans.Within", fmt.Sprintf("the sum of squares within cluster %d", c), "above 1e308",
				"a number of float64", "choose a larger unit for X")
		}
	}
	return out, nil
}

// String describes the model in one line.
func (m *KMeans) String() string {
	few := ""
	if m.places > 0 {
		few = fmt.Sprintf("; only %d rows are different, so that clusters coincide or are empty", m.places)
	}
	return fmt.Sprintf("k-means of %d clusters in %d dimensions, inertia %.6g after %d rounds%s", m.k, m.d, m.inertia, m.iterations, few)
}

// different counts the different rows of X, up to so many.
func different(X mat.Matrix, most int) int {
	n, d := X.Dims()
	seen, row, key := map[string]bool{}, make([]float64, d), make([]byte, 8*d)
	for i := 0; i < n && len(seen) < most; i++ {
		for j, v := range mat.Row(row, i, X) {
			binary.LittleEndian.PutUint64(key[8*j:], math.Float64bits(v+0)) // +0 makes one of both zeros
		}
		seen[string(key)] = true
	}
	return len(seen)
}

// KMeansOf returns the model with the given centres (K x d), which were found elsewhere. It has no labels and no inertia.
func KMeansOf(centres [][]float64) (*KMeans, error) {
	const function = "mixture.KMeansOf"
	if len(centres) == 0 || len(centres[0]) == 0 {
		return nil, fault.Argument(function, "centres", "empty", "at least one centre of at least one number", "")
	}
	k, d := len(centres), len(centres[0])
	if err := checkRows(function, "centres", centres, k, d); err != nil {
		return nil, err
	}
	return &KMeans{centres: slices.Concat(centres...), k: k, d: d}, nil
}
