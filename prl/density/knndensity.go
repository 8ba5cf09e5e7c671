package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// KNNDensityOptions are the settings of FitKNNDensity. The zero value is usable.
type KNNDensityOptions struct {
	K        int  // rows in the window; 0 stands for the root of n, rounded, and at least 2
	Unbiased bool // counts K-1 rows in place of K, for which K is at least 2
}

// A KNNDensity is a density estimate by a ball that grows until it holds K rows. It is safe for concurrent use.
type KNNDensity struct {
	estimator.Names
	points   *points
	k        int
	unbiased bool
}

// FitKNNDensity keeps the rows of X (n x d) for the estimate
//
//	p(x) = (K/n) / V(x),
//
// V(x) the volume of the ball about x that reaches to the K-th nearest row. For smooth densities its mean is about K/(K-1) times the
// density; with K-1 in place of K it is not. The estimate is not a density: its integral diverges. Source: Loftsgaarden and Quesenberry,
// Ann. Math. Statist. 36 (1965).
//
// Errors: unusable data; numbers whose squares overflow or vanish; K outside 1 ... n, or 2 ... n without bias.
func FitKNNDensity(ctx context.Context, X mat.Matrix, o KNNDensityOptions) (*KNNDensity, error) {
	const name = "density.FitKNNDensity"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	least := 1
	if o.Unbiased {
		least = 2
	}
	if o.K == 0 {
		o.K = min(n, max(2, int(math.Round(math.Sqrt(float64(n))))))
	}
	if err := estimator.CheckCount(name, "K", o.K, least, n); err != nil {
		return nil, err
	}
	x := mat.DenseCopyOf(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	p := newPoints(ctx, x, nil, Auto)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &KNNDensity{points: p, k: o.K, unbiased: o.Unbiased}, nil
}

// Dim returns d.
func (m *KNNDensity) Dim() int {
	if m.points == nil {
		return 0
	}
	_, d := m.points.x.Dims()
	return d
}

// K returns the number of rows in the window.
func (m *KNNDensity) K() int { return m.k }

// String returns "ball of 17 rows among 272".
func (m *KNNDensity) String() string {
	if m.points == nil {
		return "ball without rows"
	}
	n, _ := m.points.x.Dims()
	return fmt.Sprintf("ball of %d rows among %d", m.k, n)
}

// LogDensities returns log p(x) of each row of X, in nats; it is +Inf where K rows are tied with x.
func (m *KNNDensity) LogDensities(X mat.Matrix) ([]float64, error) {
	const name = "density.KNNDensity.LogDensities"
	if err := estimator.CheckWidth(name, X, m.Dim()); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := estimator.CheckFar(name, x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := make([]float64, n)
	m.points.ask(float64(m.k), n, x.RawRowView, false, false, func(_ *search, near []neighbour, i int) { out[i] = m.log(near) })
	return out, nil
}

func (m *KNNDensity) log(near []neighbour) float64 {
	n, d := m.points.x.Dims()
	count := float64(m.k)
	if m.unbiased {
		count--
	}
	return math.Log(count/float64(n)) - logBall(d) - float64(d)/2*math.Log(near[m.k-1].squared)
}

// Density returns p(x), NaN for a point of another width or with a number that is not finite.
func (m *KNNDensity) Density(x ...float64) float64 {
	limit := estimator.SquareLimit(len(x))
	if len(x) == 0 || len(x) != m.Dim() || slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= limit) }) {
		return math.NaN()
	}
	return math.Exp(m.log(m.points.search(float64(m.k), x, m.points.after(1)).nearest()))
}

type knnDensityState struct {
	Names    estimator.Names
	K, D     int
	X        []float64
	Unbiased bool
}

// MarshalBinary encodes the model, which holds all rows of the fit.
func (m *KNNDensity) MarshalBinary() ([]byte, error) {
	if m.points == nil {
		return nil, estimator.Unfitted("density.KNNDensity.MarshalBinary")
	}
	return estimator.Encode("density.KNNDensity", 1, knnDensityState{m.Names, m.k, m.Dim(), m.points.x.RawMatrix().Data, m.unbiased})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *KNNDensity) UnmarshalBinary(data []byte) error {
	var s knnDensityState
	if err := estimator.Decode(data, "density.KNNDensity", 1, &s); err != nil {
		return err
	}
	bad := func(what string) error { return fmt.Errorf("density.KNNDensity: decode: %s", what) }
	if s.D < 1 || s.K < 1 || !estimator.Fits(len(s.X), len(s.X)/s.D, s.D) {
		return bad("the rows do not form a matrix")
	}
	x := mat.NewDense(len(s.X)/s.D, s.D, s.X)
	read, err := FitKNNDensity(context.Background(), x, KNNDensityOptions{K: s.K, Unbiased: s.Unbiased})
	if err != nil {
		return bad(err.Error())
	}
	read.Names = s.Names
	*m = *read
	return nil
}
