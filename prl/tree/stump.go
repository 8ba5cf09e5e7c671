package tree

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Stump is a tree of one test on one feature: class Left where x[Feature] <= Threshold, class Right elsewhere. A stump with Threshold
// +Inf is constant.
type Stump struct {
	Feature     int
	Threshold   float64
	Left, Right int // classes
}

// Class returns the class of the row x, and -1 for a row that does not reach to the feature.
func (s Stump) Class(x ...float64) int {
	if uint(s.Feature) >= uint(len(x)) {
		return -1
	}
	if x[s.Feature] <= s.Threshold {
		return s.Left
	}
	return s.Right
}

// String returns "x[1] <= 2.5: class 1, else class 0".
func (s Stump) String() string {
	if math.IsInf(s.Threshold, 1) {
		return fmt.Sprintf("always class %d", s.Left)
	}
	return fmt.Sprintf("x[%d] <= %.6g: class %d, else class %d", s.Feature, s.Threshold, s.Left, s.Right)
}

// Error returns the share of the weight that s puts in the wrong class: sum_i w_i 1(s(x_i) != y_i) / sum_i w_i. Weights nil means ones.
func (s Stump) Error(X mat.Matrix, y []int, weights []float64) (float64, error) {
	const name = "tree.Stump.Error"
	if err := estimator.CheckX(name, X); err != nil {
		return 0, err
	}
	n, d := X.Dims()
	if s.Feature < 0 || s.Feature >= d {
		return 0, fault.Argument(
			name,
			"X",
			fmt.Sprintf("%d x %d", n, d),
			fmt.Sprintf("n x %d at least: the stump tests feature %d", s.Feature+1, s.Feature),
			"",
		)
	}
	if len(y) != n {
		return 0, fault.Argument(name, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows of X", n), "")
	}
	if err := estimator.CheckWeights(name, weights, n); err != nil {
		return 0, err
	}
	x := estimator.Dense(X)
	weights = estimator.ScaleWeights(weights)
	wrong, sum := 0.0, 0.0
	for i := range n {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		sum += w
		if s.Class(x.RawRowView(i)...) != y[i] {
			wrong += w
		}
	}
	return wrong / sum, nil
}

// Stumps is the pool of all stumps of two classes that differ on the rows of X: two for each midpoint between neighbouring distinct values
// of each feature, and the two constant ones at the end. It has at most 2 d (n-1) + 2 members and is closed under exchange of the classes.
func Stumps(X mat.Matrix) ([]Stump, error) {
	if err := estimator.CheckX("tree.Stumps", X); err != nil {
		return nil, err
	}
	s, err := presort[int32](context.Background(), estimator.Dense(X))
	if err != nil {
		return nil, err
	}
	var pool []Stump
	for j := range s.d {
		v, order := s.column(j), s.order[j]
		for i := 1; i < s.n; i++ {
			if lo, hi := v.at(int(order[i-1])), v.at(int(order[i])); lo < hi {
				t := between(lo, hi)
				pool = append(pool, Stump{j, t, 1, 0}, Stump{j, t, 0, 1})
			}
		}
	}
	return append(pool, Stump{0, math.Inf(1), 1, 0}, Stump{0, math.Inf(1), 0, 1}), nil
}

// FitStump returns the stump of least weighted error on X (n x d) with labels y, and that error as a share of the total weight. It finds it
// in one scan of the sorted values of each feature: O(n d) once they are sorted. Of equal errors (within 1e-12) the first feature wins,
// then the lowest threshold, then class 1 on the left; a constant stump only if no other is as good. Of more than two classes each side
// gets its heaviest, of equal ones the first, and a constant stump wins unless another is better. Source: Freund and Schapire, Experiments
// with a new boosting algorithm, 1996.
func FitStump(ctx context.Context, X mat.Matrix, y []int, weights []float64) (Stump, float64, error) {
	const name = "tree.FitStump"
	if err := ctx.Err(); err != nil {
		return Stump{}, 0, fmt.Errorf("%s: %w", name, err)
	}
	f, err := NewStumpFinder(ctx, X, y)
	if err != nil {
		return Stump{}, 0, err
	}
	return f.Best(weights)
}

// A StumpFinder has sorted a training set once and finds the best stump for one set of weights after another. It may be used by one
// goroutine at a time, and X must not change meanwhile.
type StumpFinder struct{ finder }

// A finder is a stumpFinder with row numbers of 16 or of 32 bits.
type finder interface {
	best(weights []float64) (Stump, float64)
	rows() int
}

type stumpFinder[R row] struct {
	s      *sorted[R]
	one    []bool     // which rows are of class 1
	signed []float64  // twice their weights, negative for class 0
	starts [][]uint64 // per feature: bit i says that the value at place i differs from the one at place i+1; nil when all differ
	places []place
}

type place struct {
	at      int
	score   float64 // |sum_i w_i y_i h(x_i)| over the total weight, y and h in {-1, 1}
	leftOne bool
}

// NewStumpFinder sorts each feature of X (n x d), whose labels y are of two or more classes. It keeps X where that is a *mat.Dense, and a
// copy otherwise. It stops with the wrapped error of ctx.
func NewStumpFinder(ctx context.Context, X mat.Matrix, y []int) (*StumpFinder, error) {
	const name = "tree.NewStumpFinder"
	k, err := estimator.CheckLabelled(name, X, y)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	x := estimator.Dense(X)
	var f finder
	if n <= narrow {
		f, err = finderOf[uint16](ctx, x, y, k)
	} else {
		f, err = finderOf[int32](ctx, x, y, k)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &StumpFinder{f}, nil
}

func finderOf[R row](ctx context.Context, x *mat.Dense, y []int, k int) (finder, error) {
	f, err := newFinder[R](ctx, x, y)
	if err != nil || k == 2 {
		return f, err
	}
	return &manyFinder[R]{f, y, k}, nil
}

func newFinder[R row](ctx context.Context, x *mat.Dense, y []int) (*stumpFinder[R], error) {
	s, err := presort[R](ctx, x)
	if err != nil {
		return nil, err
	}
	f := &stumpFinder[R]{s: s, one: make([]bool, s.n), signed: make([]float64, s.n), starts: make([][]uint64, s.d), places: make([]place, s.d)}
	for i, c := range y {
		f.one[i] = c == 1
	}
	for j := range s.d {
		v, order := s.column(j), s.order[j]
		differ := func(i int) bool { return v.at(int(order[i])) < v.at(int(order[i+1])) }
		i := 0
		for i+1 < s.n && differ(i) {
			i++
		}
		if i+1 >= s.n {
			continue
		}
		f.starts[j] = make([]uint64, (s.n+63)/64)
		for i := range s.n - 1 {
			if differ(i) {
				f.starts[j][i/64] |= 1 << (i % 64)
			}
		}
	}
	return f, nil
}

// tie is the difference of scores, as a share of the total weight, that counts as none. Without it rounding would choose among equally good
// stumps.
const tie = 1e-12

// Best returns the stump of least weighted error and that error as a share of the total weight. Rows of weight zero take no part. Weights
// nil means ones.
func (f *StumpFinder) Best(weights []float64) (Stump, float64, error) {
	if err := estimator.CheckWeights("tree.StumpFinder.Best", weights, f.rows()); err != nil {
		return Stump{}, 0, err
	}
	s, loss := f.best(estimator.ScaleWeights(weights))
	return s, loss, nil
}

func (f *stumpFinder[R]) rows() int { return f.s.n }

func (f *stumpFinder[R]) best(weights []float64) (Stump, float64) {
	n := f.s.n
	total, sum, zeros := 0.0, 0.0, false
	for i, one := range f.one {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		zeros = zeros || w == 0
		sum += w
		if !one {
			w = -w
		}
		total += w
		f.signed[i] = 2 * w
	}
	margin := tie * sum
	f.s.features(n, 2, func(_, from, to int) {
		for j := from; j < to; j++ {
			f.places[j] = scan(f.s.order[j], f.signed, f.starts[j], total, margin)
		}
	})
	win, at := -1, place{}
	for j, b := range f.places {
		if b.at >= 0 && (win < 0 || b.score > at.score+margin) {
			win, at = j, b
		}
	}
	if win < 0 || math.Abs(total) > at.score+margin {
		return f.constant(total, weights, sum)
	}
	v, order := f.s.column(win), f.s.order[win]
	lo, hi := at.at, at.at+1
	if zeros {
		var ok bool
		if lo, hi, ok = neighbours(order, lo, f.signed); !ok {
			return f.constant(total, weights, sum)
		}
	}
	s := Stump{win, between(v.at(int(order[lo])), v.at(int(order[hi]))), 0, 1}
	if at.leftOne {
		s.Left, s.Right = 1, 0
	}
	return s, f.loss(s, weights, sum)
}

// neighbours returns the places on either side of a cut behind place lo of the order whose rows are there: their weight is not zero.
func neighbours[R row](order []R, lo int, weights []float64) (below, above int, ok bool) {
	hi := lo + 1
	for lo > 0 && weights[order[lo]] == 0 {
		lo--
	}
	for hi < len(order)-1 && weights[order[hi]] == 0 {
		hi++
	}
	return lo, hi, weights[order[lo]] != 0 && weights[order[hi]] != 0
}

func (f *stumpFinder[R]) constant(total float64, weights []float64, sum float64) (Stump, float64) {
	s := Stump{0, math.Inf(1), 1, 0}
	if total < 0 {
		s.Left, s.Right = 0, 1
	}
	return s, f.loss(s, weights, sum)
}

// loss adds up the weight of the mistakes, which keeps all digits of a small error; 1 - score would not.
func (f *stumpFinder[R]) loss(s Stump, weights []float64, sum float64) float64 {
	wrong := 0.0
	v := f.s.column(s.Feature)
	for i, one := range f.one {
		class := s.Right
		if v.at(i) <= s.Threshold {
			class = s.Left
		}
		if (class == 1) != one {
			if weights == nil {
				wrong++
			} else {
				wrong += weights[i]
			}
		}
	}
	return wrong / sum
}

// scan moves the threshold upwards. With class 1 on the left, sum_i w_i y_i h(x_i) is 2 L - T, where L sums the signed weights on the left
// and T all of them; with the classes exchanged it is T - 2 L. The error is (1 - |2 L - T|) / 2 of the weight for the better of the two.
func scan[R row](order []R, twice []float64, starts []uint64, total, margin float64) place {
	s, best, at, left := -total, -1.0, -1, false
	last := len(order) - 1
	for i, r := range order[:last] {
		s += twice[r]
		v := math.Abs(s)
		if v > best {
			if starts != nil && starts[i>>6]>>(uint(i)&63)&1 == 0 {
				continue
			}
			best, at, left = v+margin, i, s >= 0
		}
	}
	return place{at, best - margin, left}
}
