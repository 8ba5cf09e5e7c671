package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// KNNOptions are the settings of FitKNN. The zero value is usable.
type KNNOptions struct {
	K       int       // number of neighbours that vote; 0 stands for 5
	Weights []float64 // of the rows: a row of weight w counts as w rows; nil weighs all alike
	Angle   bool      // distances are 1 - cos of the angle between rows, none of which is zero, instead of Euclidean
	Sigma   float64   // votes count exp(-r^2 / (2 Sigma^2)) at distance r, of directions where Angle is set; 0 lets all count alike
	Search  Search    // how neighbours are found; "" is Auto
}

// A KNN classifies a point by the votes of its K nearest rows. It is safe for concurrent use.
type KNN struct {
	estimator.Names
	points  *points
	y       []int
	k       int
	classes int
	angle   bool
	sigma   float64
	search  Search
}

// FitKNN keeps the rows of X (n x d) with their classes y for classification by the K nearest of them:
//
//	P(class | x) = share of the class among the K rows nearest to x.
//
// Rows that are equally far away as the K-th share the votes that are left among them, so that the result does not depend on the order of
// the rows. Up to 6 columns a k-d tree finds the neighbours, beyond they are among the rows whose distance by |a|^2 + |b|^2 - 2 a^T b is
// not too large for all that rounding can do, and are measured by differences where that does not tell their order; a tree of balls can be
// asked for. All find the same. Source:
// Fix and Hodges 1951; Cover and Hart, Nearest neighbor pattern classification, IEEE Trans. Inf. Theory 13 (1967); Friedman, Bentley,
// Finkel, ACM TOMS 3 (1977); Omohundro, Five balltree construction algorithms (1989).
//
// Errors: unusable data, labels or weights; numbers whose squares overflow or vanish; K below 1 or above the number of rows (or the sum of
// their weights); a negative Sigma; a row of zeros, which has no angle.
func FitKNN(ctx context.Context, X mat.Matrix, y []int, o KNNOptions) (*KNN, error) {
	const name = "density.FitKNN"
	l, err := estimator.NewLabelled(ctx, name, X, y, estimator.Weighting{Weights: o.Weights})
	if err != nil {
		return nil, err
	}
	if o.K == 0 {
		o.K = 5
	}
	x, labels, weights, total := mat.DenseCopyOf(l.X), slices.Clone(l.Y), slices.Clone(l.Counts()), float64(l.N)
	if weights != nil {
		total = floats.Sum(weights)
	}
	if math.IsInf(total, 1) {
		return nil, fault.Argument(name, "Weights", "so large that their sum is beyond float64", "weights with a finite sum",
			"a row of weight w counts as w rows")
	}
	if o.K >= 1 && total < 1 {
		return nil, fault.Argument(name, "Weights", fmt.Sprintf("of sum %g", total), "weights of a sum of at least K",
			"a row of weight w counts as w rows")
	}
	if o.K < 1 || float64(o.K) > total {
		return nil, fault.Argument(name, "K", o.K, fmt.Sprintf("from 1 to the number of rows, %g", total), "")
	}
	if err := o.check(name); err != nil {
		return nil, err
	}
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	if o.Angle {
		for i := range labels {
			if !direct(x.RawRowView(i)) {
				const remedy = "drop the row, or measure Euclidean distances"
				return nil, fault.Argument(name, "X", fmt.Sprintf("zeros in row %d", i), "rows with a direction", remedy)
			}
		}
	}
	p := newPoints(ctx, x, weights, o.Search)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &KNN{points: p, y: labels, k: o.K, classes: l.K, angle: o.Angle, sigma: o.Sigma, search: o.Search}, nil
}

func (o KNNOptions) check(function string) error {
	if o.Sigma != 0 {
		if err := estimator.CheckPositive(function, "Sigma", o.Sigma, 1); err != nil {
			return err
		}
	}
	return o.Search.check(function)
}

// direct divides a row by its length, and reports whether it has one.
func direct(row []float64) bool {
	length := floats.Norm(row, 2)
	if length == 0 {
		return false
	}
	for j := range row {
		row[j] /= length
	}
	return true
}

// places returns rows to look near: directions where angles count. A row without one is reported.
func (m *KNN) places(function string, x *mat.Dense) (*mat.Dense, error) {
	if err := estimator.CheckFar(function, x); err != nil || !m.angle {
		return x, err
	}
	x = mat.DenseCopyOf(x)
	n, _ := x.Dims()
	for i := range n {
		if !direct(x.RawRowView(i)) {
			return nil, fault.Argument(function, "X", fmt.Sprintf("zeros in row %d", i), "rows with a direction", "")
		}
	}
	return x, nil
}

// Dim returns d.
func (m *KNN) Dim() int {
	if m.points == nil {
		return 0
	}
	_, d := m.points.x.Dims()
	return d
}

// Classes returns the number of classes.
func (m *KNN) Classes() int { return m.classes }

// K returns the number of neighbours that vote.
func (m *KNN) K() int { return m.k }

// String returns "5 nearest neighbours among 150 rows".
func (m *KNN) String() string {
	if m.k == 1 {
		return fmt.Sprintf("nearest neighbour among %d rows", len(m.y))
	}
	return fmt.Sprintf("%d nearest neighbours among %d rows", m.k, len(m.y))
}

// votes adds to out the share of each class in the votes of the rows near, and returns the class with most: of equal ones that of the
// nearest row.
func (m *KNN) votes(s *search, near []neighbour, out []float64) int {
	if len(s.masses) != len(out) {
		s.masses = make([]float64, len(out))
	}
	left, masses := s.k, s.masses
	for i := 0; i < len(near) && left > 0; {
		clear(masses) // summed before they are divided, so that equal numbers of rows have equal shares
		j, mass := i, 0.0
		for ; j < len(near) && near[j].squared == near[i].squared; j++ {
			w := s.mass(near[j].row)
			masses[m.y[near[j].row]] += w
			mass += w
		}
		part, weight := min(1, left/mass), 1.0
		if m.sigma > 0 { // in units of the nearest row's, which does not vanish
			weight = math.Exp((near[0].squared - near[i].squared) / (2 * m.sigma * m.sigma))
		}
		for c, sum := range masses {
			out[c] += weight * part * sum / s.k
		}
		i, left = j, left-part*mass
	}
	if m.sigma > 0 {
		sum := floats.Sum(out)
		for c := range out {
			out[c] /= sum
		}
	}
	best, first := slices.Max(out), neighbour{-1, math.Inf(1)}
	for _, v := range near {
		if out[m.y[v.row]] >= best-1e-12 && (first.row < 0 || v.before(first)) {
			first = v
		}
	}
	if first.row < 0 {
		return 0 // there are no rows
	}
	return m.y[first.row]
}

// Proba returns the n x K matrix of the shares of the classes in the votes; each row sums to one.
func (m *KNN) Proba(X mat.Matrix) (*mat.Dense, error) {
	const name = "density.KNN.Proba"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x, err := m.places(name, estimator.Dense(X))
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := mat.NewDense(n, m.classes, nil)
	m.points.ask(float64(m.k), n, x.RawRowView, false, m.sigma == 0, func(s *search, near []neighbour, i int) {
		m.votes(s, near, out.RawRowView(i))
	})
	return out, nil
}

// Predict returns the class of each row of X (n x d): the one with most votes, of equal ones that of the nearest row.
func (m *KNN) Predict(X mat.Matrix) ([]int, error) {
	const name = "density.KNN.Predict"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x, err := m.places(name, estimator.Dense(X))
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	return m.decide(n, x.RawRowView, false), nil
}

// decide returns the classes of n places.
func (m *KNN) decide(n int, at func(i int) []float64, itself bool) []int {
	out := make([]int, n)
	m.points.ask(float64(m.k), n, at, itself, m.sigma == 0, func(s *search, near []neighbour, i int) {
		out[i] = m.votes(s, near, make([]float64, m.classes))
	})
	return out
}

// Class returns the class of one point, and -1 for a point of another length, with a NaN, or too far away for a squared distance.
func (m *KNN) Class(x ...float64) int {
	limit := estimator.SquareLimit(len(x))
	if len(x) == 0 || len(x) != m.Dim() || slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= limit) }) {
		return -1
	}
	if x = slices.Clone(x); m.angle && !direct(x) {
		return -1
	}
	s := m.points.search(float64(m.k), x, m.points.after(1))
	return m.votes(s, s.nearest(), make([]float64, m.classes))
}

// Neighbours returns the rows of the fit whose votes decide about the point x, nearest first, and their distances. Rows as far away as the
// K-th are among them. Rows of weight 0 do not count, and are not numbered.
func (m *KNN) Neighbours(x ...float64) (rows []int, distances []float64, err error) {
	const name = "density.KNN.Neighbours"
	if len(x) == 0 && m.points != nil {
		return nil, nil, fault.Argument(name, "x", "no numbers", fmt.Sprintf("%d numbers like the data of the fit", m.Dim()), "")
	}
	point := mat.NewDense(1, max(len(x), 1), slices.Clone(x))
	if err := estimator.CheckWidth(name, point, m.Dim()); err != nil {
		return nil, nil, err
	}
	if point, err = m.places(name, point); err != nil {
		return nil, nil, err
	}
	near := m.points.search(float64(m.k), point.RawRowView(0), m.points.after(1)).nearest()
	sort(near)
	for _, v := range near {
		distance := math.Sqrt(v.squared)
		if m.angle {
			distance = v.squared / 2 // |a - b|^2 = 2 - 2 cos for directions
		}
		rows, distances = append(rows, v.row), append(distances, distance)
	}
	return rows, distances, nil
}

// LeaveOneOut returns the class that the other rows give to each row of the fit.
func (m *KNN) LeaveOneOut() ([]int, error) {
	n := len(m.y)
	if n == 0 {
		return nil, estimator.Unfitted("density.KNN.LeaveOneOut")
	}
	if total := m.points.total(); total-1 < float64(m.k) {
		return nil, fault.Argument("density.KNN.LeaveOneOut", "K", m.k, fmt.Sprintf("at most %g, the number of the other rows", total-1), "")
	}
	return m.decide(n, m.points.x.RawRowView, true), nil
}

func (p *points) total() float64 {
	if p.weight == nil {
		n, _ := p.x.Dims()
		return float64(n)
	}
	sum := 0.0
	for _, w := range p.weight {
		sum += w
	}
	return sum
}

type knnState struct {
	Names      estimator.Names
	K, Classes int
	D          int
	X          []float64
	Y          []int
	Weights    []float64
	Angle      bool
	Sigma      float64
	Search     Search
}

// MarshalBinary encodes the model, which holds all rows of the fit.
func (m *KNN) MarshalBinary() ([]byte, error) {
	if m.points == nil {
		return nil, estimator.Unfitted("density.KNN.MarshalBinary")
	}
	s := knnState{
		Names: m.Names, K: m.k, Classes: m.classes, D: m.Dim(), Y: m.y, Weights: m.points.weight,
		Angle: m.angle, Sigma: m.sigma, Search: m.search,
	}
	for i := range m.y {
		s.X = append(s.X, m.points.x.RawRowView(i)...)
	}
	return estimator.Encode("density.KNN", 1, s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *KNN) UnmarshalBinary(data []byte) error {
	var s knnState
	if err := estimator.Decode(data, "density.KNN", 1, &s); err != nil {
		return err
	}
	n := len(s.Y)
	bad := func(what string) error { return fmt.Errorf("density.KNN: decode: %s", what) }
	if !estimator.Fits(len(s.X), n, s.D) {
		return bad("the rows do not form a matrix")
	}
	x := mat.NewDense(n, s.D, s.X)
	if err := estimator.CheckX("", x); err != nil {
		return bad(err.Error())
	}
	if classes, err := estimator.CheckLabels("", s.Y, n); err != nil || classes != s.Classes {
		return bad("the labels are not those of the classes")
	}
	if err := estimator.CheckWeights("", s.Weights, n); err != nil {
		return bad(err.Error())
	}
	if err := (KNNOptions{Sigma: s.Sigma, Search: s.Search}).check("density.KNN"); err != nil {
		return bad(err.Error())
	}
	p := newPoints(context.Background(), x, s.Weights, s.Search)
	if s.K < 1 || float64(s.K) > p.total() || slices.Contains(s.Weights, 0) {
		return bad("the neighbours are more than the rows")
	}
	*m = KNN{Names: s.Names, points: p, y: s.Y, k: s.K, classes: s.Classes, angle: s.Angle, sigma: s.Sigma, search: s.Search}
	return nil
}
