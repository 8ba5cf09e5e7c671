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
	"github.com/prlab/prlab/prl/internal/share"
)

// KNNOptions are the settings of FitKNN. The zero value is usable.
type KNNOptions struct {
	K       int       // number of neighbours that vote; 0 stands for 5
	Weights []float64 // of the rows: a row of weight w counts as w rows; nil weighs all alike
}

// A KNN classifies a point by the votes of its K nearest rows. It is safe for concurrent use.
type KNN struct {
	estimator.Names
	points  *points
	y       []int
	k       int
	classes int
}

// FitKNN keeps the rows of X (n x d) with their classes y for classification by the K nearest of them:
//
//	P(class | x) = share of the class among the K rows nearest to x.
//
// Rows that are equally far away as the K-th share the votes that are left among them, so that the result does not depend on the order of
// the rows. Up to 5 columns a k-d tree finds the neighbours, beyond they are among the rows whose distance by |a|^2 + |b|^2 - 2 a^T b is not
// too large for all that rounding can do, and are measured by differences; both find the same. Source: Fix and Hodges
// 1951; Cover and Hart, Nearest neighbor pattern classification, IEEE Trans. Inf. Theory 13 (1967); Friedman, Bentley, Finkel, ACM TOMS 3
// (1977).
//
// Errors: unusable data, labels or weights; numbers whose squares overflow or vanish; K below 1 or above the number of rows (or the sum of
// their weights).
func FitKNN(ctx context.Context, X mat.Matrix, y []int, o KNNOptions) (*KNN, error) {
	const name = "density.FitKNN"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	classes, err := estimator.CheckLabelled(name, X, y)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if err := estimator.CheckWeights(name, o.Weights, n); err != nil {
		return nil, err
	}
	if err := estimator.CheckClassWeights(name, y, o.Weights, classes); err != nil {
		return nil, err
	}
	if o.K == 0 {
		o.K = 5
	}
	x, labels, weights := mat.NewDense(n, d, nil), make([]int, 0, n), []float64(nil)
	total := 0.0
	for i := range n {
		w := 1.0
		if o.Weights != nil {
			if w = o.Weights[i]; w == 0 {
				continue
			}
			weights = append(weights, w)
		}
		mat.Row(x.RawRowView(len(labels)), i, X)
		labels = append(labels, y[i])
		total += w
	}
	if o.K < 1 || float64(o.K) > total {
		return nil, fault.Argument(name, "K", o.K, fmt.Sprintf("from 1 to the number of rows, %g", total), "")
	}
	x = x.Slice(0, len(labels), 0, d).(*mat.Dense)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	return &KNN{points: newPoints(x, weights), y: labels, k: o.K, classes: classes}, nil
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
	left := s.k
	for i := 0; i < len(near) && left > 0; {
		j, mass := i, 0.0
		for ; j < len(near) && near[j].squared == near[i].squared; j++ {
			mass += s.mass(near[j].row)
		}
		part := min(1, left/mass)
		for ; i < j; i++ {
			out[m.y[near[i].row]] += part * s.mass(near[i].row) / s.k
		}
		left -= part * mass
	}
	best := slices.Max(out)
	for _, v := range near {
		if c := m.y[v.row]; out[c] >= best-1e-12 {
			return c
		}
	}
	return 0 // there are no rows
}

// checkFar reports points so far away that no distance to them is a number.
func checkFar(function string, X *mat.Dense) error {
	if _, d := X.Dims(); floats.Norm(X.RawMatrix().Data, math.Inf(1)) <= estimator.SquareLimit(d) {
		return nil
	}
	return estimator.CheckSquares(function, X)
}

// Proba returns the n x K matrix of the shares of the classes in the votes; each row sums to one.
func (m *KNN) Proba(X mat.Matrix) (*mat.Dense, error) {
	const name = "density.KNN.Proba"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := checkFar(name, x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := mat.NewDense(n, m.classes, nil)
	m.each(n, x.RawRowView, false, func(s *search, near []neighbour, i int) { m.votes(s, near, out.RawRowView(i)) })
	return out, nil
}

// each calls use with the neighbours of the places at(i), i = 0 ... n-1, on all processors where that gains time; itself says that row i of
// the fit does not count for place i.
func (m *KNN) each(n int, at func(i int) []float64, itself bool, use func(s *search, near []neighbour, i int)) {
	rows, d := m.points.x.Dims()
	cost, group := float64(rows*d), 1
	switch {
	case m.points.order != nil:
		cost = 30 * float64(d) * math.Log2(float64(rows)+1)
	case m.points.screen != nil:
		cost, group = 0.05*cost, screenPlaces
	}
	groups := (n + group - 1) / group
	share.Ranges(share.Workers(groups, float64(n)*cost), groups, func(_, from, to int) {
		searches := make([]*search, group)
		for r := range searches {
			searches[r] = &search{points: m.points, k: float64(m.k), but: -1}
		}
		for g := from; g < to; g++ {
			lo := g * group
			some := searches[:min(group, n-lo)]
			for r, s := range some {
				if s.at = at(lo + r); itself {
					s.but = lo + r
				}
			}
			if m.points.screen != nil {
				m.points.screen.find(some)
				for r, s := range some {
					use(s, s.near, lo+r)
				}
				continue
			}
			use(some[0], some[0].nearest(), lo)
		}
	})
}

// Predict returns the class of each row of X (n x d): the one with most votes, of equal ones that of the nearest row.
func (m *KNN) Predict(X mat.Matrix) ([]int, error) {
	const name = "density.KNN.Predict"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := checkFar(name, x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	return m.decide(n, x.RawRowView, false), nil
}

// decide returns the classes of n places.
func (m *KNN) decide(n int, at func(i int) []float64, itself bool) []int {
	out := make([]int, n)
	m.each(n, at, itself, func(s *search, near []neighbour, i int) { out[i] = m.votes(s, near, make([]float64, m.classes)) })
	return out
}

// Class returns the class of one point, and -1 for a point of another length, with a NaN, or too far away for a squared distance.
func (m *KNN) Class(x ...float64) int {
	limit := estimator.SquareLimit(len(x))
	if len(x) == 0 || len(x) != m.Dim() || slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= limit) }) {
		return -1
	}
	s := &search{points: m.points, k: float64(m.k), at: x, but: -1}
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
	if err := checkFar(name, point); err != nil {
		return nil, nil, err
	}
	for _, v := range (&search{points: m.points, k: float64(m.k), at: x, but: -1}).nearest() {
		rows, distances = append(rows, v.row), append(distances, math.Sqrt(v.squared))
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
}

// MarshalBinary encodes the model, which holds all rows of the fit.
func (m *KNN) MarshalBinary() ([]byte, error) {
	if m.points == nil {
		return nil, estimator.Unfitted("density.KNN.MarshalBinary")
	}
	s := knnState{Names: m.Names, K: m.k, Classes: m.classes, D: m.Dim(), Y: m.y, Weights: m.points.weight}
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
	p := newPoints(x, s.Weights)
	if s.K < 1 || float64(s.K) > p.total() || slices.Contains(s.Weights, 0) {
		return bad("the neighbours are more than the rows")
	}
	*m = KNN{Names: s.Names, points: p, y: s.Y, k: s.K, classes: s.Classes}
	return nil
}
