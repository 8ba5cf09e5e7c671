package estimator

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// CheckX reports as an *fault.ArgumentError a data matrix that is nil, empty, or holds a NaN or an infinity (named by row and column, from
// 0).
func CheckX(function string, X mat.Matrix) error {
	if err := CheckSize(function, X); err != nil {
		return err
	}
	n, d := X.Dims()
	switch x := X.(type) {
	case *mat.Dense:
		return CheckRows(function, x, 0, n)
	case *sparse.CSR:
		if i, j, finite := x.Finite(); !finite {
			return notFinite(function, i, j, x.At(i, j))
		}
		return nil
	}
	for i := range n {
		for j := range d {
			if v := X.At(i, j); v-v != 0 {
				return notFinite(function, i, j, v)
			}
		}
	}
	return nil
}

// CheckSize reports a matrix that is nil or empty. Its numbers are not looked at.
func CheckSize(function string, X mat.Matrix) error {
	if isNil(X) {
		return fault.Argument(function, "X", "nil", "a matrix with one observation a row", "")
	}
	if n, d := X.Dims(); n == 0 || d == 0 {
		return fault.Argument(function, "X", fmt.Sprintf("%d x %d", n, d), "a matrix with at least one row and one column", "")
	}
	return nil
}

// CheckRows reports a NaN or an infinity in the rows lo ... hi-1. A method that goes through large data in blocks checks each block as it
// comes, while it is near.
func CheckRows(function string, X *mat.Dense, lo, hi int) error {
	raw := X.RawMatrix()
	if raw.Stride == raw.Cols && allFinite(raw.Data[lo*raw.Cols:hi*raw.Cols]) {
		return nil
	}
	for i := lo; i < hi; i++ {
		for j, v := range X.RawRowView(i) {
			if v-v != 0 { // true for NaN and both infinities
				return notFinite(function, i, j, v)
			}
		}
	}
	return nil
}

// allFinite reports whether all numbers are finite. Large data are shared among processors.
func allFinite(numbers []float64) bool {
	const piece = 4096 // no goroutine gets less
	workers := share.Workers((len(numbers)+piece-1)/piece, 0.2*float64(len(numbers)))
	if workers < 2 {
		return tile.Finite(numbers)
	}
	parts := make([]bool, workers)
	share.Ranges(workers, len(numbers), func(g, from, to int) { parts[g] = tile.Finite(numbers[from:to]) })
	return !slices.Contains(parts, false)
}

// CheckGaps is CheckRows for a model that takes NaN for a missing value: it reports an infinity.
func CheckGaps(function string, X *mat.Dense, lo, hi int) error {
	if CheckRows(function, X, lo, hi) == nil {
		return nil
	}
	for i := lo; i < hi; i++ {
		for j, v := range X.RawRowView(i) {
			if math.IsInf(v, 0) {
				return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), v, "a finite number, or NaN for a gap", "")
			}
		}
	}
	return nil
}

// SquareLimit returns the size of coordinates up to which the squared distance of two points of d of them is a finite number, 6.7e153 /
// sqrt(d).
func SquareLimit(d int) float64 { return math.Sqrt(math.MaxFloat64 / 4 / float64(d)) }

// CheckSquares reports data whose squared distances float64 cannot hold: a number above SquareLimit, or all of them, though not zero, below
// 1e-150.
func CheckSquares(function string, X *mat.Dense) error {
	n, d := X.Dims()
	largest, row, column := 0.0, 0, 0
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if v = math.Abs(v); v > largest {
				largest, row, column = v, i, j
			}
		}
	}
	if limit := SquareLimit(d); largest > limit || largest > 0 && largest < 1e-150 {
		return fault.Argument(function, fmt.Sprintf("X[%d, %d]", row, column), fmt.Sprintf("%.3g, the largest number", X.At(row, column)),
			fmt.Sprintf("of a size between 1e-150 and %.2g, for squared distances to be numbers", limit), "choose another unit")
	}
	return nil
}

// CheckFar reports points so far away that no distance to them is a number.
func CheckFar(function string, X *mat.Dense) error {
	if _, d := X.Dims(); far(X.RawMatrix().Data, d) {
		return CheckSquares(function, X)
	}
	return nil
}

func far(x []float64, d int) bool {
	limit := SquareLimit(d)
	return slices.ContainsFunc(x, func(v float64) bool { return v > limit || v < -limit })
}

func isNil(X mat.Matrix) bool {
	if X == nil {
		return true
	}
	if dense, ok := X.(*mat.Dense); ok {
		return dense == nil || dense.IsEmpty()
	}
	v := reflect.ValueOf(X) // a nil *mat.SymDense, say
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func notFinite(function string, i, j int, v float64) error {
	return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), v, "a finite number", "drop the row or fill the gap before fitting")
}

// CheckWidth reports a matrix that CheckX reports, or whose width is not d; d = 0 is the width of a model that was not fitted.
func CheckWidth(function string, X mat.Matrix, d int) error {
	if d == 0 {
		return Unfitted(function)
	}
	if err := CheckX(function, X); err != nil {
		return err
	}
	return CheckShape(function, X, d)
}

// CheckShape is CheckWidth without a look at the numbers: CheckRows is to follow.
func CheckShape(function string, X mat.Matrix, d int) error {
	if d == 0 {
		return Unfitted(function)
	}
	if err := CheckSize(function, X); err != nil {
		return err
	}
	if n, got := X.Dims(); got != d {
		return fault.Argument(function, "X", fmt.Sprintf("%d x %d", n, got), fmt.Sprintf("n x %d like the data of the fit", d), "")
	}
	return nil
}

// Unfitted returns the error of a method of a model that no fit has made.
func Unfitted(function string) error {
	return fault.Argument(function, "the model", "not fitted", "made by a fit, or read by UnmarshalBinary", "")
}

// CheckLabels reports labels whose number is not n, that are negative, or that are all of one class; otherwise it returns K, one more than
// the largest label. Every class 0 ... K-1 must occur.
func CheckLabels(function string, y []int, n int) (classes int, err error) {
	if len(y) != n {
		return 0, fault.Argument(function, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows of X", n), "")
	}
	k := 0
	for i, c := range y {
		if c < 0 {
			return 0, fault.Argument(function, fmt.Sprintf("y[%d]", i), c, "a class 0 ... K-1", "")
		}
		if c >= n {
			return 0, fault.Argument(
				function,
				fmt.Sprintf("y[%d]", i),
				c,
				fmt.Sprintf("a class 0 ... K-1 with every class present (there are only %d rows)", n),
				"number the classes without gaps",
			)
		}
		k = max(k, c+1)
	}
	seen := make([]bool, k)
	for _, c := range y {
		seen[c] = true
	}
	for c, ok := range seen {
		if !ok {
			return 0, fault.Argument(
				function,
				"y",
				fmt.Sprintf("without class %d", c),
				fmt.Sprintf("labels in which every class 0 ... %d occurs", k-1),
				"number the classes without gaps",
			)
		}
	}
	if k < 2 {
		return 0, fault.Argument(function, "y", "all of one class", "labels of at least two classes", "")
	}
	return k, nil
}

// CheckLabelled reports what CheckX and CheckLabels report of labelled rows, and returns the number of classes.
func CheckLabelled(function string, X mat.Matrix, y []int) (classes int, err error) {
	if err := CheckX(function, X); err != nil {
		return 0, err
	}
	n, _ := X.Dims()
	return CheckLabels(function, y, n)
}

// CheckWeights reports sample weights whose number is not n, that are negative or not finite, or that sum to zero. Nil weights are fine.
func CheckWeights(function string, w []float64, n int) error {
	return CheckWeightsOf(function, w, n, "rows")
}

// CheckWeightsOf is CheckWeights for n things that are not rows, such as sequences.
func CheckWeightsOf(function string, w []float64, n int, things string) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return fault.Argument(
			function,
			"Weights",
			fmt.Sprintf("%d numbers", len(w)),
			fmt.Sprintf("one weight for each of the %d %s", n, things),
			"nil weighs all "+things+" alike",
		)
	}
	sum := 0.0
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fault.Argument(function, fmt.Sprintf("Weights[%d]", i), v, "a finite number of at least 0", "")
		}
		sum += v
	}
	if !(sum > 0) {
		return fault.Argument(function, "Weights", "all zero", "weights with a positive sum", "")
	}
	return nil
}

// ScaleWeights returns checked weights as a method without a unit of weight wants them, whose result is the same for all multiples: w
// itself while the largest is between 1e-100 and 1e100, and otherwise a copy divided by a power of two near the largest, so that sums and
// squares of sums neither overflow nor vanish. Weights 1e300 times as small as the largest may become zero.
func ScaleWeights(w []float64) []float64 {
	if len(w) == 0 {
		return w
	}
	largest := slices.Max(w)
	if largest >= 1e-100 && largest <= 1e100 {
		return w
	}
	_, exponent := math.Frexp(largest)
	scaled := make([]float64, len(w))
	for i, v := range w {
		scaled[i] = math.Ldexp(v, -exponent)
	}
	return scaled
}

// CheckClassWeights reports a class 0 ... classes-1 all of whose rows have weight zero, for such rows count as absent. Nil weights are
// fine.
func CheckClassWeights(function string, y []int, w []float64, classes int) error {
	if w == nil {
		return nil
	}
	seen := make([]bool, classes)
	for i, c := range y {
		seen[c] = seen[c] || w[i] > 0
	}
	for c, ok := range seen {
		if !ok {
			return fault.Argument(
				function,
				"Weights",
				fmt.Sprintf("zero for all of class %d", c),
				"positive for at least one row of each class",
				"leave the class out of the data instead",
			)
		}
	}
	return nil
}

// CheckPositive reports a setting that is not a finite number above zero; fallback is named as the default to try.
func CheckPositive(function, argument string, v, fallback float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fault.Argument(function, argument, v, "a positive number", fmt.Sprintf("the default is %v", fallback))
	}
	return nil
}

// Positive returns a setting that CheckPositive has no complaint about: for the step of a plan, where 0 stands for no default.
func Positive(function, argument string, v, fallback float64) (float64, error) {
	return v, CheckPositive(function, argument, v, fallback)
}

// CheckCount reports a count outside lo ... hi.
func CheckCount(function, argument string, v, lo, hi int) error {
	if v < lo || v > hi {
		need := fmt.Sprintf("a whole number from %d to %d", lo, hi)
		if hi == math.MaxInt {
			need = fmt.Sprintf("a whole number of at least %d", lo)
		}
		return fault.Argument(function, argument, v, need, "")
	}
	return nil
}

// CheckPoint reports a point that has not d finite coordinates.
func CheckPoint(function string, x []float64, d int) error {
	if len(x) != d {
		return fault.Argument(function, "x", fmt.Sprintf("%d coordinates", len(x)), fmt.Sprintf("%d, one for each feature of the fit", d), "")
	}
	return CheckX(function, mat.NewDense(1, d, x))
}

// CheckPlane reports data whose number of features is not 2, for what only a plane has: a picture of both, or the angle of a direction.
func CheckPlane(function string, features int) error {
	if features != 2 {
		return fault.Argument(
			function,
			"the data set",
			fmt.Sprintf("of %d features", features),
			"a set of 2 features",
			"choose two with .Features(a, b)",
		)
	}
	return nil
}

// CheckProbabilities reports numbers that are not probabilities summing to one within 1e-9.
func CheckProbabilities(function, argument string, p []float64) error {
	sum := 0.0
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return fault.Argument(function, fmt.Sprintf("%s[%d]", argument, i), v, "a probability", "")
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		return fault.Argument(function, argument, fmt.Sprintf("%s, which sums to %g", fault.Short(p), sum),
			"probabilities that sum to one", "divide by their sum")
	}
	return nil
}

// Dense returns X itself when it is a *mat.Dense whose rows lie one behind the other, and a copy otherwise.
func Dense(X mat.Matrix) *mat.Dense {
	switch x := X.(type) {
	case *mat.Dense:
		if raw := x.RawMatrix(); raw.Stride == raw.Cols {
			return x
		}
	case *sparse.CSR:
		return x.Dense()
	}
	return mat.DenseCopyOf(X)
}

// CheckDistances reports, in the name of a function, a table D that is none of dissimilarities: it must be square, with zeros on the
// diagonal and no negative number, and the same both ways up to rounding (a relative 1e-9; take the mean of the two).
func CheckDistances(function string, D mat.Matrix) error {
	if err := CheckX(function, D); err != nil {
		return err
	}
	n, c := D.Dims()
	if n != c {
		return fault.Argument(function, "D", fmt.Sprintf("%d x %d", n, c), "square: a row and a column for each thing",
			"for rows of features take their Distances")
	}
	for i := range n {
		if v := D.At(i, i); v != 0 {
			return fault.Argument(function, fmt.Sprintf("D[%d, %d]", i, i), v, "0: nothing is unlike itself",
				"dissimilarities are asked for; of similarities take 1 - s")
		}
		for j := i + 1; j < n; j++ {
			v, w := D.At(i, j), D.At(j, i)
			if v < 0 || w < 0 {
				return fault.Argument(function, fmt.Sprintf("D[%d, %d]", i, j), min(v, w), "not negative", "")
			}
			if math.Abs(v-w) > 1e-9*max(v, w) {
				return fault.Argument(function, fmt.Sprintf("D[%d, %d]", i, j), fmt.Sprintf("%.6g, and %.6g the other way", v, w),
					"the same both ways", "take the mean of D and its transpose")
			}
		}
	}
	return nil
}
