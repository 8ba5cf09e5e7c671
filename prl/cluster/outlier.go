package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// An Ellipse is a mean and a covariance, by which the distance of points from the bulk is measured (squared Mahalanobis distance).
type Ellipse struct {
	Mean       []float64
	Covariance *mat.SymDense
	Rows       []int // that it was computed from
}

// Mahalanobis returns mean and covariance (divisor n-1) of the rows of X (n x d). Errors: unusable data, n of at most d, a covariance that
// is singular.
func Mahalanobis(X mat.Matrix) (*Ellipse, error) {
	const name = "cluster.Mahalanobis"
	x, err := points(name, X)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	e := ellipse(x, rows, float64(n-1))
	if _, err := e.Squares(x); err != nil {
		return nil, err
	}
	return e, nil
}

func points(name string, X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	if n, d := x.Dims(); n <= d {
		return nil, fault.Argument(name, "X", fmt.Sprintf("%d rows of %d columns", n, d), "more rows than columns", "its covariance is singular")
	}
	return x, nil
}

// ellipse returns mean and covariance of some rows.
func ellipse(x *mat.Dense, rows []int, divisor float64) *Ellipse {
	_, d := x.Dims()
	e := &Ellipse{Mean: make([]float64, d), Covariance: mat.NewSymDense(d, nil), Rows: rows}
	for _, r := range rows {
		for j, v := range x.RawRowView(r) {
			e.Mean[j] += v / float64(len(rows))
		}
	}
	for a := range d {
		for b := range a + 1 {
			sum := 0.0
			for _, r := range rows {
				sum += (x.At(r, a) - e.Mean[a]) * (x.At(r, b) - e.Mean[b])
			}
			e.Covariance.SetSym(a, b, sum/divisor)
		}
	}
	return e
}

// Squares returns the squared Mahalanobis distance (x - m)^T S^-1 (x - m) of each row of X. Errors: another number of columns, a singular
// covariance.
func (e *Ellipse) Squares(X mat.Matrix) ([]float64, error) {
	const name = "cluster.Ellipse.Squares"
	if err := estimator.CheckWidth(name, X, len(e.Mean)); err != nil {
		return nil, err
	}
	out, ok, _ := e.squares(estimator.Dense(X))
	if !ok {
		return nil, fault.Argument(name, "the covariance", "singular", "a positive definite matrix",
			"leave out columns that follow from others")
	}
	return out, nil
}

// squares returns the distances, whether there are any, and the logarithm of the determinant.
func (e *Ellipse) squares(x *mat.Dense) (out []float64, ok bool, logDet float64) {
	for j, v := range e.Mean {
		if gauss.Constant(v, e.Covariance.At(j, j)) {
			return nil, false, math.Inf(-1)
		}
	}
	var c mat.Cholesky
	if !c.Factorize(e.Covariance) || c.Cond() > 1e13 {
		return nil, false, math.Inf(-1)
	}
	n, d := x.Dims()
	out = make([]float64, n)
	u, v := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for i := range out {
		for j, w := range x.RawRowView(i) {
			u.SetVec(j, w-e.Mean[j])
		}
		if c.SolveVecTo(v, u) != nil {
			return nil, false, math.Inf(-1)
		}
		out[i] = mat.Dot(u, v)
	}
	return out, true, c.LogDet()
}

// SquareQuantile returns the p-quantile of the squared Mahalanobis distance of one of n Gaussian rows of d columns from their own mean and
// covariance, (n-1)^2/n times that of Beta(d/2, (n-d-1)/2) (R. Gnanadesikan and J. R. Kettenring 1972); with n of 0 that of the limit for
// many rows, chi-square with d degrees of freedom. Errors: p outside (0, 1), n of at most d+1.
func SquareQuantile(p float64, n, d int) (float64, error) {
	const name = "cluster.SquareQuantile"
	if !(p > 0 && p < 1) {
		return 0, fault.Argument(name, "p", p, "a number between 0 and 1", "")
	}
	if err := estimator.CheckCount(name, "d", d, 1, math.MaxInt); err != nil {
		return 0, err
	}
	if n == 0 {
		return 2 * mathext.GammaIncRegInv(float64(d)/2, p), nil
	}
	if err := estimator.CheckCount(name, "n", n, d+2, math.MaxInt); err != nil {
		return 0, err
	}
	m := float64(n)
	return (m - 1) * (m - 1) / m * mathext.InvRegIncBeta(float64(d)/2, (m-float64(d)-1)/2, p), nil
}

// MCDOptions are the settings of MCD. The zero value is usable.
type MCDOptions struct {
	Kept   int    // rows that the ellipse is made of; default (n + d + 1)/2, which bears the most outliers
	Starts int    // subsets drawn at random; default 500
	Seed   uint64 // default 1
}

// MCD returns the ellipse of the minimum covariance determinant: of all ellipses of Kept rows the one of least volume that concentration
// steps from random starts find (P. J. Rousseeuw and K. Van Driessen, Technometrics 41, 1999), computed again (divisor: their number) from
// all rows within the .975 quantile of chi-square. Both covariances are scaled to be right for Gaussian rows. Up to n - Kept rows may lie
// anywhere.
//
// Errors: unusable data, n of at most d, Kept outside (n+d+1)/2 ... n, Kept rows in a plane.
func MCD(ctx context.Context, X mat.Matrix, o MCDOptions) (*Ellipse, error) {
	const name = "cluster.MCD"
	x, err := points(name, X)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	half := min(n, (n+d+1)/2)
	o.Kept, o.Starts, o.Seed = cmp.Or(o.Kept, half), cmp.Or(o.Starts, 500), cmp.Or(o.Seed, 1)
	if err := estimator.CheckCount(name, "Kept", o.Kept, half, n); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount(name, "Starts", o.Starts, 1, math.MaxInt); err != nil {
		return nil, err
	}
	type candidate struct {
		e      *Ellipse
		logDet float64
	}
	order := make([]int, n)
	// step keeps the rows nearest to an ellipse. The determinant never grows.
	step := func(e *Ellipse) (candidate, []float64, bool) {
		squares, ok, _ := e.squares(x)
		if !ok {
			return candidate{e, math.Inf(-1)}, nil, false
		}
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			if squares[a] != squares[b] {
				return cmp.Compare(squares[a], squares[b])
			}
			return a - b
		})
		rows := slices.Clone(order[:o.Kept])
		slices.Sort(rows)
		next := ellipse(x, rows, float64(o.Kept))
		_, ok, logDet := next.squares(x)
		return candidate{next, logDet}, squares, ok
	}
	flat := fault.Argument(name, "X", fmt.Sprintf("with %d rows in a plane", o.Kept),
		"rows that span the space", "leave out columns that follow from others")
	random := rand.New(rand.NewPCG(o.Seed, 0))
	var best []candidate
	for range o.Starts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped: %w", name, err)
		}
		rows := random.Perm(n)
		var c candidate
		ok := false
		for few := d + 1; !ok && few <= n; few++ {
			c = candidate{e: ellipse(x, rows[:few], float64(few))}
			_, ok, _ = c.e.squares(x)
		}
		for range 2 {
			if ok {
				c, _, ok = step(c.e)
			}
		}
		if !ok {
			return nil, flat
		}
		best = append(best, c)
		slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(a.logDet, b.logDet) })
		best = best[:min(10, len(best))]
	}
	for i, c := range best {
		for {
			next, _, ok := step(c.e)
			if !ok {
				return nil, flat
			}
			if !(next.logDet < c.logDet-1e-12) {
				break
			}
			c = next
		}
		best[i] = c
	}
	least := slices.MinFunc(best, func(a, b candidate) int { return cmp.Compare(a.logDet, b.logDet) })
	squares, ok, _ := least.e.squares(x)
	if !ok {
		return nil, flat
	}
	unit := consistency(float64(o.Kept)/float64(n), d)
	limit := 2 * mathext.GammaIncRegInv(float64(d)/2, 0.975)
	var rows []int
	for i, s := range squares {
		if s/unit < limit {
			rows = append(rows, i)
		}
	}
	e := ellipse(x, rows, float64(len(rows)))
	if _, ok, _ := e.squares(x); !ok {
		return nil, flat
	}
	e.Covariance.ScaleSym(consistency(0.975, d), e.Covariance)
	return e, nil
}

// consistency is what the covariance of the nearest share of Gaussian points is too small by (C. Croux and G. Haesbroeck, Journal of
// Multivariate Analysis 71, 1999).
func consistency(share float64, d int) float64 {
	if share >= 1 {
		return 1
	}
	half := float64(d) / 2
	return share / mathext.GammaIncReg(half+1, mathext.GammaIncRegInv(half, share))
}
