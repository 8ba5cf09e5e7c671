package linear

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

// Options are the settings of LeastSquares. The zero value is ordinary least squares with an intercept.
type Options struct {
	Rows
	// Tol is the share of a column's length, once its part along the columns before it is taken away, up to which the column counts as
	// dependent on them; 0 stands for 1e-12, what rounding leaves of a column that is exactly a sum of others.
	Tol float64
	// MinimumNorm keeps dependent columns, and takes of all coefficients with the smallest sum of squares the shortest ones. Without it
	// dependent columns get the coefficient 0. Dependent names them.
	MinimumNorm bool
}

func (o Options) check(op string) error {
	if !(o.Tol >= 0 && o.Tol < 1) {
		return fault.Argument(op, "Tol", o.Tol, "a number from 0 to 1", "0 stands for 1e-12")
	}
	return nil
}

// LeastSquares minimises sum_i w_i (y_i - b - x_i w)^2 over the intercept b and the coefficients w by reflections of the centred columns,
// in O(n d^2). Where a column depends so much on others that its variance inflation is above 10, b, w and the residuals are refined with
// residuals in twice the precision (Björck 1967), which gives nearly all digits of any problem that float64 can state.
//
// Columns that depend on columns before them are dropped, as R's lm does, or shared in as Options.MinimumNorm says.
//
// Sources: Legendre (1805); Gauss (1809); Golub (1965).
//
// Errors: unusable data, targets, weights or options.
func LeastSquares(ctx context.Context, X mat.Matrix, y []float64, o Options) (*Fit, error) {
	f, _, err := leastSquares(ctx, "linear.LeastSquares", X, y, o)
	return f, err
}

// leastSquares returns the residuals, times the roots of the weights, as well, for the rows of positive weight.
func leastSquares(ctx context.Context, op string, X mat.Matrix, y []float64, o Options) (*Fit, *solved, error) {
	if err := o.check(op); err != nil {
		return nil, nil, err
	}
	p, err := newDesign(ctx, op, X, y, o.Rows, blockRows)
	if err != nil {
		return nil, nil, err
	}
	tol := o.Tol
	estimator.Or(&tol, 1e-12)
	if o.MinimumNorm {
		p.rescale(false, slices.Max(p.scale)) // shortest in the units of X
	}
	f, err := factorise(ctx, p.x, p.size, p.d)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op, err)
	}
	kept, dropped, err := independent(ctx, f.r, p.d, p.lengths(columnLengths(f)), tol)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op, err)
	}
	if k := len(kept); len(dropped) > 0 && !o.MinimumNorm {
		if p.keep(kept); k == 0 || kept[k-1] == k-1 {
			f.first(k)
		} else {
			p.arrange()
			if f, err = factorise(ctx, p.x, p.size, p.d); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", op, err)
			}
		}
	}
	s := &solved{design: p, factor: f}
	if s.start(); len(dropped) > 0 && o.MinimumNorm {
		s.shortest(len(kept))
	} else {
		if err := s.inverse(ctx); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", op, err)
		}
		if s.inflation() > 10 {
			if err := s.refine(ctx); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", op, err)
			}
		}
	}
	return s.fit(dropped), s, nil
}

// solved is a least squares problem with its solution.
type solved struct {
	*design
	factor    *factor
	alpha     float64   // the height at the means of the columns, less yMean, in units of yScale
	beta      []float64 // of the arranged columns
	residuals []float64 // weighted, in units of yScale
	upper     []float64 // R^-1, or what stands for it, d rows; nil where nothing does
	along     []float64 // y along the columns of Q
	rank      int
}

// columnLengths returns the lengths of the columns of R, which are those of A.
func columnLengths(f *factor) []float64 {
	largest, out := make([]float64, f.d), make([]float64, f.d)
	for i := range f.d {
		for j, v := range f.r[i*f.d+i : (i+1)*f.d] {
			largest[i+j] = max(largest[i+j], math.Abs(v))
		}
	}
	for i := range f.d {
		for j, v := range f.r[i*f.d+i : (i+1)*f.d] {
			if most := largest[i+j]; most > 0 { // so that no square overflows
				out[i+j] += v / most * (v / most)
			}
		}
	}
	for j, v := range out {
		out[j] = largest[j] * math.Sqrt(v)
	}
	return out
}

// start solves the problem in plain precision.
func (s *solved) start() {
	s.residuals, s.rank = append([]float64(nil), s.y...), s.d
	s.along = s.factor.down(s.residuals)
	s.factor.up(make([]float64, s.d), s.residuals)
}

// shortest puts the shortest solution of a problem of lower rank.
func (s *solved) shortest(rank int) {
	var svd mat.SVD
	s.beta, s.rank = make([]float64, s.d), rank
	if !svd.Factorize(mat.NewDense(s.d, s.d, append([]float64(nil), s.factor.r...)), mat.SVDThin) {
		return
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	fitted := make([]float64, s.d)
	for k, value := range svd.Values(nil)[:rank] {
		c := mat.Dot(u.ColView(k), mat.NewVecDense(s.d, s.along))
		for j := range s.beta {
			s.beta[j] += v.At(j, k) * c / value
			fitted[j] += u.At(j, k) * c
		}
	}
	for j, v := range fitted {
		fitted[j] = s.along[j] - v
	}
	rest := append([]float64(nil), s.y...)
	s.factor.down(rest)
	s.factor.up(fitted, rest)
	s.residuals = rest
}

// inverse solves for beta and computes R^-1.
func (s *solved) inverse(ctx context.Context) error {
	s.beta = append([]float64(nil), s.along...)
	s.factor.solve(s.beta)
	d, r := s.d, s.factor.r
	s.upper = make([]float64, d*d)
	for i := d - 1; i >= 0; i-- { // row i of R^-1 from those below
		if err := ctx.Err(); err != nil {
			return err
		}
		row := s.upper[i*d : (i+1)*d]
		row[i] = 1
		for j := i + 1; j < d; j++ {
			floats.AddScaled(row[j:], -r[i*d+j], s.upper[j*d+j:(j+1)*d])
		}
		for k := i; k < d; k++ {
			row[k] /= r[i*d+i]
		}
	}
	return nil
}

// inflation returns the largest variance inflation factor of the columns.
func (s *solved) inflation() (largest float64) {
	for j, v := range columnLengths(s.factor) {
		largest = max(largest, math.Pow(v*length(s.upper[j*s.d:(j+1)*s.d]), 2))
	}
	return largest
}

// A double is the sum hi + lo, where lo is what hi has lost by rounding (Dekker 1971).
type double struct{ hi, lo float64 }

func (a *double) add(v float64) {
	s := a.hi + v
	t := s - a.hi
	a.lo += (a.hi - (s - t)) + (v - t)
	a.hi = s
}

func (a *double) addProduct(u, v float64) {
	p := u * v
	a.add(p)
	a.lo += math.FMA(u, v, -p)
}

func (a *double) sum() float64 { return a.hi + a.lo }

// refine solves (I A; A^T 0) (r, b) = (y, 0) for what is wrong in r and b again and again, until nothing more is gained.
func (s *solved) refine(ctx context.Context) error {
	before := math.Inf(1)
	for range 10 {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, g := make([]float64, len(s.residuals)), make([]double, s.d)
		var sumF, sumR double
		for i, y := range s.target {
			root := s.rootOf(i)
			left := double{}
			left.add(y / s.yScale)
			left.add(-s.yMean / s.yScale)
			left.add(-s.alpha)
			row := s.X.RawRowView(i)
			for j, c := range s.columns {
				var moved double
				moved.add(row[c])
				moved.add(-s.mean[j])
				hi, lo := moved.hi/s.scale[j], moved.lo/s.scale[j]
				left.addProduct(-hi, s.beta[j])
				left.addProduct(-lo, s.beta[j])
				g[j].addProduct(-hi*root, s.residuals[i])
				g[j].addProduct(-lo*root, s.residuals[i])
			}
			var wrong double
			wrong.addProduct(left.hi, root)
			wrong.addProduct(left.lo, root)
			wrong.add(-s.residuals[i])
			f[i] = wrong.sum()
			sumF.addProduct(root, f[i])
			sumR.addProduct(root, s.residuals[i])
		}
		mean, tilt := 0.0, 0.0
		if s.intercept {
			mean, tilt = sumF.sum()/s.weight, sumR.sum()/s.weight
			for i := range s.n {
				f[i] -= s.rootOf(i) * mean
			}
		}
		c, h := s.factor.down(f), make([]float64, s.d)
		for j := range h {
			h[j] = g[j].sum()
		}
		s.factor.solveT(h)
		for j := range c {
			c[j] -= h[j]
		}
		s.factor.solve(c)
		s.factor.up(h, f)
		change := math.Abs(mean + tilt)
		for j, v := range c {
			change = max(change, math.Abs(v/(math.Abs(s.beta[j])+math.SmallestNonzeroFloat64)))
		}
		if !(change < before/2) {
			return nil
		}
		before = change
		s.alpha += mean + tilt
		for j, v := range c {
			s.beta[j] += v
		}
		for i := range s.n {
			s.residuals[i] += f[i] - s.rootOf(i)*tilt
		}
	}
	return nil
}

// coefficients returns the solution in terms of X.
func (s *solved) coefficients() (coefficients []float64, intercept float64) {
	coefficients, _ = s.outside(s.beta)
	var at double
	at.add(s.yMean)
	at.add(s.alpha * s.yScale)
	for j, c := range s.columns {
		at.addProduct(-coefficients[c], s.mean[j])
	}
	return coefficients, at.sum()
}
