package estimator

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/sparse"
)

// Weighting is what the options of a classifier say about the weights of the rows. A fit gathers it from its options and hands it to
// NewLabelled.
type Weighting struct {
	Weights      []float64 // n sample weights; nil means ones
	ClassWeights []float64 // K factors on the weights of the rows of each class; nil means ones
	Balanced     bool      // the classes weigh alike: factors W / (K W_k), see Balanced; times ClassWeights
}

// Rows are the checked rows of a fit: those of positive weight, with their weights. A row of weight zero counts as absent, so no method
// sees it.
type Rows struct {
	X      mat.Matrix // N x D: the caller's own matrix when no row is left out, so it is not to be changed
	W      []float64  // N positive weights, scaled by ScaleWeights; nil when all are one
	Kept   []int      // the numbers of the N rows in the caller's matrix; nil when no row is left out
	N, D   int
	Factor float64 // the weights of the caller are Factor times W; a power of two, 1 unless they are extreme
}

// NewRows checks X (n x d) and the weights in the name of the function op and leaves out rows of weight zero.
//
// Errors: what CheckX and CheckWeights report, and the error of ctx.
func NewRows(ctx context.Context, op string, X mat.Matrix, weights []float64) (*Rows, error) {
	if err := CheckX(op, X); err != nil {
		return nil, err
	}
	return CheckedRows(ctx, op, X, weights)
}

// CheckedRows is NewRows for a matrix that the caller has checked by rules of its own, one that may hold gaps for example.
func CheckedRows(ctx context.Context, op string, X mat.Matrix, weights []float64) (*Rows, error) {
	n, d := X.Dims()
	if err := CheckWeights(op, weights, n); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	r := &Rows{X: X, N: n, D: d, Factor: 1}
	r.weigh(weights)
	return r, nil
}

// weigh scales the weights, which were checked, and leaves out rows of weight zero.
func (r *Rows) weigh(weights []float64) {
	if weights == nil {
		return
	}
	scaled := ScaleWeights(weights)
	r.Factor = slices.Max(weights) / slices.Max(scaled)
	ones, kept := true, make([]int, 0, r.N)
	for i, w := range scaled {
		if w > 0 {
			kept = append(kept, i)
			ones = ones && w == 1
		}
	}
	if len(kept) < r.N {
		r.Kept, r.N = kept, len(kept)
		r.X = pick(r.X, kept)
		scaled = chosen(scaled, kept)
	}
	if !ones {
		r.W = scaled
	}
}

// pick returns the given rows of X, sparse if X is.
func pick(X mat.Matrix, rows []int) mat.Matrix {
	if s, ok := X.(*sparse.CSR); ok {
		return s.Select(rows...)
	}
	_, d := X.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for to, i := range rows {
		mat.Row(out.RawRowView(to), i, X)
	}
	return out
}

// chosen returns the elements of v at the given places.
func chosen[T any](v []T, places []int) []T {
	out := make([]T, len(places))
	for to, i := range places {
		out[to] = v[i]
	}
	return out
}

// Dense returns the rows one behind the other: the caller's matrix where it has that form and no row is left out.
func (r *Rows) Dense() *mat.Dense { return Dense(r.X) }

// Weight returns the weight of row i.
func (r *Rows) Weight(i int) float64 {
	if r.W == nil {
		return 1
	}
	return r.W[i]
}

// Counts returns the weights as the caller gave them, for a method in which a weight counts rows; nil when all are one.
func (r *Rows) Counts() []float64 {
	if r.Factor == 1 {
		return r.W
	}
	w := make([]float64, r.N)
	for i := range w {
		w[i] = r.Weight(i) * r.Factor
	}
	return w
}

// Shares returns the weights divided by their sum.
func (r *Rows) Shares() []float64 {
	w, total := make([]float64, r.N), 0.0
	for i := range w {
		w[i] = r.Weight(i)
		total += w[i]
	}
	for i := range w {
		w[i] /= total
	}
	return w
}

// Labelled is the checked data of a classifier's fit.
type Labelled struct {
	*Rows
	Y []int // the classes of the N rows, 0 ... K-1
	K int   // the number of classes; each has a row
}

// NewLabelled checks X (n x d), the labels y and the weights in the name of the function op, multiplies the weights by the factors of the
// classes, and leaves out rows of weight zero.
//
// Errors: what CheckLabelled, CheckWeights and CheckFactors report, a class all of whose rows weigh zero, and the error of ctx.
func NewLabelled(ctx context.Context, op string, X mat.Matrix, y []int, w Weighting) (*Labelled, error) {
	if err := CheckX(op, X); err != nil {
		return nil, err
	}
	return CheckedLabelled(ctx, op, X, y, w)
}

// CheckedLabelled is NewLabelled for a matrix that the caller has checked by rules of its own.
func CheckedLabelled(ctx context.Context, op string, X mat.Matrix, y []int, w Weighting) (*Labelled, error) {
	n, _ := X.Dims()
	k, err := CheckLabels(op, y, n)
	if err != nil {
		return nil, err
	}
	if err := CheckWeights(op, w.Weights, n); err != nil {
		return nil, err
	}
	if err := CheckClassWeights(op, y, ScaleWeights(w.Weights), k); err != nil {
		return nil, err
	}
	return LabelledOf(ctx, op, X, y, k, w)
}

// LabelledOf is CheckedLabelled for k classes of which some may have no row, or rows of weight zero only, as when rows were drawn at
// random; the caller has checked that the labels are 0 ... k-1.
func LabelledOf(ctx context.Context, op string, X mat.Matrix, y []int, k int, w Weighting) (*Labelled, error) {
	n, _ := X.Dims()
	if err := CheckWeights(op, w.Weights, n); err != nil {
		return nil, err
	}
	if err := CheckFactors(op, w.ClassWeights, k); err != nil {
		return nil, err
	}
	rows, err := CheckedRows(ctx, op, X, RowWeights(y, w.Weights, w.ClassWeights, w.Balanced, k))
	if err != nil {
		return nil, err
	}
	l := &Labelled{Rows: rows, Y: y, K: k}
	if rows.Kept != nil {
		l.Y = chosen(y, rows.Kept)
	}
	return l, nil
}

// Targeted is the checked data of a regression's fit.
type Targeted struct {
	*Rows
	Y []float64 // the targets of the N rows
}

// NewTargeted checks X (n x d), the n targets and the weights in the name of the function op and leaves out rows of weight zero.
//
// Errors: what CheckX, CheckTargets and CheckWeights report, and the error of ctx.
func NewTargeted(ctx context.Context, op string, X mat.Matrix, target, weights []float64) (*Targeted, error) {
	if err := CheckX(op, X); err != nil {
		return nil, err
	}
	return CheckedTargeted(ctx, op, X, target, weights)
}

// CheckedTargeted is NewTargeted for a matrix that the caller has checked by rules of its own.
func CheckedTargeted(ctx context.Context, op string, X mat.Matrix, target, weights []float64) (*Targeted, error) {
	n, _ := X.Dims()
	if err := CheckTargets(op, target, n); err != nil {
		return nil, err
	}
	rows, err := CheckedRows(ctx, op, X, weights)
	if err != nil {
		return nil, err
	}
	t := &Targeted{Rows: rows, Y: target}
	if rows.Kept != nil {
		t.Y = chosen(target, rows.Kept)
	}
	return t, nil
}

// CheckTargets reports targets whose number is not n, or that are not finite.
func CheckTargets(op string, target []float64, n int) error {
	if len(target) != n {
		got, need := fmt.Sprintf("%d numbers", len(target)), fmt.Sprintf("one number for each of the %d rows of X", n)
		return fault.Argument(op, "target", got, need, "")
	}
	for i, v := range target {
		if v-v != 0 {
			return fault.Argument(op, fmt.Sprintf("target[%d]", i), v, "a finite number", "drop the row")
		}
	}
	return nil
}
