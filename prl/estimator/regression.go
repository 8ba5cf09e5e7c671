package estimator

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Regression is a fitted regression as the spine sees it; see Classification.
type Regression[M any] struct {
	Model M
	Kind  string // the type as errors name it, "tree.Regressor", also of a model that is not fitted
	D     int    // the number of features; 0 before a fit
	// Values writes the predictions of n rows that lie one behind the other, x (n x d), into y. Other goroutines may call it at the same time.
	Values func(m M, y, x []float64)
	Gaps   bool    // rows may hold NaN for a missing value
	Cost   float64 // the time of the prediction of a row in ns, by which rows are shared among processors; 0: they are not
	Block  int     // the number of rows of which Values best makes the predictions at once; 0: any
}

// Dim returns d, the number of columns the model was fitted on, or 0 before a fit.
func (r *Regression[M]) Dim() int { return r.D }

// Predict returns the predicted target of each row of X (n x d).
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (r *Regression[M]) Predict(X mat.Matrix) ([]float64, error) {
	y, err := r.values(X)
	if err != nil {
		return nil, fault.In(r.Kind+".Predict", err)
	}
	return y, nil
}

func (r *Regression[M]) values(X mat.Matrix) ([]float64, error) {
	if err := CheckShape("", X, r.D); err != nil {
		return nil, err
	}
	x := Dense(X)
	n, _ := x.Dims()
	y, block := make([]float64, n), atOnce(r.Block)
	if w := workers(n, block, r.Cost); w > 1 {
		kept := *r // r itself stays on the stack
		err := inTurn(w, block, x, r.Gaps, func(lo, hi int) { kept.Values(kept.Model, y[lo:hi], x.RawMatrix().Data[lo*kept.D:hi*kept.D]) })
		return y, err
	}
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		if err := checkBlock(x, r.Gaps, lo, hi); err != nil {
			return nil, err
		}
		r.Values(r.Model, y[lo:hi], x.RawMatrix().Data[lo*r.D:hi*r.D])
	}
	return y, nil
}

// Value returns the prediction for one point of d coordinates, and NaN for a point that Predict refuses: of another length, or with a
// number that is not finite.
func (r *Regression[M]) Value(x ...float64) float64 {
	if len(x) != r.D || r.D == 0 || !finite(x, r.Gaps) {
		return math.NaN()
	}
	var y [1]float64
	r.Values(r.Model, y[:], x)
	return y[0]
}
