package estimator

import (
	"cmp"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
)

// atOnce returns the number of rows that are checked and then scored while they are near.
func atOnce(block int) int { return cmp.Or(block, 128) }

// A Classification is a fitted classifier as the spine sees it: the model M and the function that gives the scores of the classes for some
// rows. From these the spine makes everything that a classifier answers. A model returns one from its method spine, and go generate writes
// the methods of the model:
//
//	func (f *Forest) spine() estimator.Classification[*Forest] {
//		return estimator.Classification[*Forest]{Model: f, Kind: "ensemble.Forest", D: f.d, K: f.k, Scores: (*Forest).shares}
//	}
type Classification[M any] struct {
	Model M
	Kind  string // the type as errors name it, "ensemble.Forest", also of a model that is not fitted
	D, K  int    // the numbers of features and of classes; D is 0 before a fit
	// Scores writes the n x K probabilities of the classes for n rows that lie one behind the other, x (n x d), into scores; in a
	// Discriminant their logarithms up to a constant of the row. Other goroutines may call it at the same time.
	Scores func(m M, scores, x []float64)
	// Labels writes the classes of n rows into y; nil takes the largest score of each row, of equal ones the first.
	Labels  func(m M, y []int, x []float64)
	Gaps    bool    // rows may hold NaN for a missing value
	Squares bool    // the scores rest on squared distances: rows that CheckFar reports are refused
	Cost    float64 // the time of the scores of a row in ns, by which rows are shared among processors; 0: they are not
	Block   int     // the number of rows of which Scores best makes the scores at once; 0: any
}

// rows returns the rows of X one behind the other, in which numbers that are not finite are still to be looked for.
func (c *Classification[M]) rows(X mat.Matrix) (*mat.Dense, error) {
	if err := CheckShape("", X, c.D); err != nil {
		return nil, err
	}
	x := Dense(X)
	if !c.Squares {
		return x, nil
	}
	n, _ := x.Dims()
	if err := checkBlock(x, c.Gaps, 0, n); err != nil {
		return nil, err
	}
	return x, CheckFar("", x)
}

// checkBlock reports rows that a model cannot take.
func checkBlock(x *mat.Dense, gaps bool, lo, hi int) error {
	if gaps {
		return CheckGaps("", x, lo, hi)
	}
	return CheckRows("", x, lo, hi)
}

// workers returns among how many goroutines the rows of x are to be divided.
func workers(n, block int, cost float64) int {
	if cost == 0 {
		return 1
	}
	return share.Workers((n+block-1)/block, cost*float64(n))
}

// inTurn checks x and calls use for its blocks of rows, on several goroutines.
func inTurn(workers, block int, x *mat.Dense, gaps bool, use func(lo, hi int)) error {
	n, _ := x.Dims()
	if err := checkBlock(x, gaps, 0, n); err != nil {
		return err
	}
	share.Turns(workers, (n+block-1)/block, func(_, b int) { use(b*block, min((b+1)*block, n)) })
	return nil
}

// scored writes the scores of the rows of X, each row changed by f, which may be nil.
func (c *Classification[M]) scored(X mat.Matrix, f func(scores []float64)) (*mat.Dense, error) {
	x, err := c.rows(X)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out, block := make([]float64, n*c.K), atOnce(c.Block)
	if w := workers(n, block, c.Cost); w > 1 {
		kept := *c // c itself stays on the stack
		if err := inTurn(w, block, x, c.Gaps, func(lo, hi int) { kept.score(out, x, f, lo, hi) }); err != nil {
			return nil, err
		}
		return mat.NewDense(n, c.K, out), nil
	}
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		if err := checkBlock(x, c.Gaps, lo, hi); err != nil {
			return nil, err
		}
		c.score(out, x, f, lo, hi)
	}
	return mat.NewDense(n, c.K, out), nil
}

func (c *Classification[M]) score(out []float64, x *mat.Dense, f func(scores []float64), lo, hi int) {
	scores := out[lo*c.K : hi*c.K]
	c.Scores(c.Model, scores, x.RawMatrix().Data[lo*c.D:hi*c.D])
	for ; f != nil && len(scores) > 0; scores = scores[c.K:] {
		f(scores[:c.K])
	}
}

// Dim returns d, the number of columns the model was fitted on, or 0 before a fit.
func (c *Classification[M]) Dim() int { return c.D }

// Classes returns K.
func (c *Classification[M]) Classes() int { return c.K }

// Predict returns the class, from 0, of each row of X (n x d): the most probable one, of equal ones the first.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (c *Classification[M]) Predict(X mat.Matrix) ([]int, error) {
	y, err := c.labels(X)
	return y, c.in("Predict", err)
}

func (c *Classification[M]) labels(X mat.Matrix) ([]int, error) {
	x, err := c.rows(X)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	y, block := make([]int, n), atOnce(c.Block)
	if w := workers(n, block, c.Cost); w > 1 {
		kept := *c // c itself stays on the stack
		err := inTurn(w, block, x, c.Gaps, func(lo, hi int) { kept.label(y[lo:hi], x.RawMatrix().Data[lo*kept.D:hi*kept.D], nil) })
		return y, err
	}
	var scratch []float64
	if c.Labels == nil {
		scratch = make([]float64, min(n, block)*c.K)
	}
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		if err := checkBlock(x, c.Gaps, lo, hi); err != nil {
			return nil, err
		}
		c.label(y[lo:hi], x.RawMatrix().Data[lo*c.D:hi*c.D], scratch)
	}
	return y, nil
}

// label writes the classes of the rows into y; scratch holds their scores, unless it is nil.
func (c *Classification[M]) label(y []int, x, scratch []float64) {
	if c.Labels != nil {
		c.Labels(c.Model, y, x)
		return
	}
	if scratch == nil {
		scratch = make([]float64, len(y)*c.K)
	}
	c.Scores(c.Model, scratch[:len(y)*c.K], x)
	for i := range y {
		y[i] = Argmax(scratch[i*c.K : (i+1)*c.K])
	}
}

// Proba returns the n x K probabilities of the classes for the rows of X (n x d); each row sums to one.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (c *Classification[M]) Proba(X mat.Matrix) (*mat.Dense, error) {
	out, err := c.scored(X, nil)
	return out, c.in("Proba", err)
}

// in returns err as the named method says it.
func (c *Classification[M]) in(method string, err error) error {
	if err == nil {
		return nil
	}
	return fault.In(c.Kind+"."+method, err)
}

// Class returns the class, from 0, of one point of d coordinates, and -1 for a point that Predict refuses: of another length, or with a
// number that is not finite or, where squared distances count, too large for them.
func (c *Classification[M]) Class(x ...float64) int {
	if len(x) != c.D || c.D == 0 || !finite(x, c.Gaps) || c.Squares && far(x, c.D) {
		return -1
	}
	if c.Labels == nil {
		scores := make([]float64, c.K)
		c.Scores(c.Model, scores, x)
		return Argmax(scores)
	}
	var y [1]int
	c.Labels(c.Model, y[:], x)
	return y[0]
}

// finite reports whether all numbers are finite, or NaN where gaps may be.
func finite(x []float64, gaps bool) bool {
	for _, v := range x {
		if v-v != 0 && !(gaps && v != v) {
			return false
		}
	}
	return true
}

// A Discriminant is a Classification whose scores are logarithms and themselves of use, as decision values.
type Discriminant[M any] struct {
	Classification[M]
	Against0 bool // for two classes the decision value is the score of class 1 less that of class 0
}

// Proba returns the n x K probabilities of the classes for the rows of X (n x d); each row sums to one.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (c *Discriminant[M]) Proba(X mat.Matrix) (*mat.Dense, error) {
	out, err := c.scored(X, func(scores []float64) { gauss.Softmax(scores) })
	return out, c.in("Proba", err)
}

// LogProba returns the n x K natural logarithms of the probabilities of the classes for the rows of X (n x d), also of those that Proba
// rounds to zero or one.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (c *Discriminant[M]) LogProba(X mat.Matrix) (*mat.Dense, error) {
	out, err := c.scored(X, gauss.LogSoftmax)
	return out, c.in("LogProba", err)
}

// Decision returns the decision values of the rows of X (n x d), n x K: of each class its score, which of a model with probabilities is
// the logarithm of one up to a constant of the row. Models that compare with class 0 return n x 1 for two classes, positive for class 1.
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (c *Discriminant[M]) Decision(X mat.Matrix) (*mat.Dense, error) {
	out, err := c.scored(X, nil)
	if err != nil || !c.Against0 || c.K != 2 {
		return out, c.in("Decision", err)
	}
	n, _ := out.Dims()
	margin := make([]float64, n)
	for i := range margin {
		margin[i] = out.At(i, 1) - out.At(i, 0)
	}
	return mat.NewDense(n, 1, margin), nil
}
