package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
)

// RidgeOptions are the settings of Ridge and RidgePath.
type RidgeOptions struct {
	Rows
	// Lambda is the factor of |w|^2; RidgePath does not read it.
	Lambda float64
	// Scaling says what lambda means; RSS + lambda |w|^2 unless set.
	Scaling Scaling
	// Standardize penalises the coefficients of the columns divided by their standard deviations (over n, not n - 1).
	Standardize bool
}

func (o RidgeOptions) check(op string, lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) || lambda == 0 && o.Scaling == Cost {
		return fault.Argument(op, "Lambda", lambda, "a finite number of at least 0", "0 is least squares")
	}
	return o.Scaling.check(op)
}

// A RidgeFit is a ridge regression. It is immutable and safe for concurrent use.
type RidgeFit struct {
	Model
	r ridgeState
}

type ridgeState struct{ Lambda, DF, RSS, GCV float64 }

// Lambda returns the factor of the penalty in the scaling of the options.
func (m *RidgeFit) Lambda() float64 { return m.r.Lambda }

// DF returns the effective degrees of freedom without the intercept, sum_k s_k^2 / (s_k^2 + lambda) over the singular values of the
// columns.
func (m *RidgeFit) DF() float64 { return m.r.DF }

// RSS returns the weighted sum of squared residuals.
func (m *RidgeFit) RSS() float64 { return m.r.RSS }

// GCV returns the generalised cross-validation RSS / (n - DF)^2 (Golub, Heath and Wahba 1979), where the intercept is not counted, as in
// R's lm.ridge.
func (m *RidgeFit) GCV() float64 { return m.r.GCV }

// Ridge minimises RSS + lambda |w|^2 by the singular values of the columns: along direction k the least squares solution shrinks by
// s_k^2 / (s_k^2 + lambda). A lambda of 0 gives the shortest least squares solution.
//
// Source: Hoerl and Kennard (1970).
//
// Errors: unusable data, targets, weights or options.
func Ridge(ctx context.Context, X mat.Matrix, y []float64, o RidgeOptions) (*RidgeFit, error) {
	p, err := ridgePath(ctx, "linear.Ridge", X, y, []float64{o.Lambda}, o)
	if err != nil {
		return nil, err
	}
	return p.At(0), nil
}

// A RidgePaths is a ridge regression over many lambdas, with two rules of thumb for lambda in the scaling of the options.
type RidgePaths struct {
	fits                []*RidgeFit
	HoerlKennardBaldwin float64 // (d - 2) sigma^2 / |w|^2 of least squares
	LawlessWang         float64 // (d - 2) sigma^2 n / |fitted|^2 of least squares
}

// Len returns the number of lambdas.
func (p *RidgePaths) Len() int { return len(p.fits) }

// At returns the fit of the i-th lambda.
func (p *RidgePaths) At(i int) *RidgeFit { return p.fits[i] }

// Best returns the place of the smallest generalised cross-validation.
func (p *RidgePaths) Best() int {
	best := 0
	for i, f := range p.fits {
		if f.r.GCV < p.fits[best].r.GCV {
			best = i
		}
	}
	return best
}

// RidgePath fits ridge regressions of many lambdas for little more than the price of one.
func RidgePath(ctx context.Context, X mat.Matrix, y, lambdas []float64, o RidgeOptions) (*RidgePaths, error) {
	return ridgePath(ctx, "linear.RidgePath", X, y, lambdas, o)
}

func ridgePath(ctx context.Context, op string, X mat.Matrix, y, lambdas []float64, o RidgeOptions) (*RidgePaths, error) {
	for _, v := range lambdas {
		if err := o.check(op, v); err != nil {
			return nil, err
		}
	}
	p, err := checked(ctx, op, X, y, o.Rows, blockRows)
	if err != nil {
		return nil, err
	}
	c, err := p.fromProducts(ctx, o.Standardize)
	if err == nil && c == nil {
		p.centre()
		c, err = p.fromReflections(ctx, o.Standardize)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	out := &RidgePaths{}
	scaling := o.Scaling
	if scaling == Usual {
		scaling = Sum
	}
	for _, lambda := range lambdas {
		out.fits = append(out.fits, p.shrunk(scaling.sum(lambda, p.weight), lambda, c))
	}
	if rank := len(c.squares); p.n-rank-1 > 0 && rank > 0 {
		norm, fitted := 0.0, 0.0
		for k, a := range c.along {
			b := a / c.squares[k]
			norm += b * b
			fitted += a * b
		}
		variance := c.left / float64(p.n-rank-1)
		out.HoerlKennardBaldwin = scaling.from(float64(p.d-2)*variance/norm*c.unit*c.unit, p.weight)
		out.LawlessWang = scaling.from(float64(p.d-2)*variance*p.weight/fitted, p.weight)
	}
	return out, nil
}

// A singular is the singular values of the columns, with y along their vectors.
type singular struct {
	squares, v []float64 // squared values above rounding, and their right vectors, row by row
	along      []float64 // the value times what y has along its left vector
	left       float64   // the square sum that least squares leaves of y
	unit       float64   // a power of two by which the columns are divided
}

// leastRatio keeps twelve digits: of coefficients that come from the products of the columns, for the squared singular values, and of a
// square sum that is a difference.
const leastRatio = 1e-4

// fromProducts computes them from the products of the columns, a quarter of the work of reflections; nil where that costs digits.
func (p *design) fromProducts(ctx context.Context, standardize bool) (*singular, error) {
	if p.n < 4*p.d || p.X.RawMatrix().Stride != p.d {
		return nil, nil
	}
	d := p.d
	gram, err := p.products(ctx)
	if err != nil || gram == nil {
		return nil, err
	}
	product, all := make([]float64, d), gram[d*(d+1)+d] // of the columns with the target, and of that with itself
	for j := range product {
		product[j] = gram[j*(d+1)+d]
	}
	by := make([]float64, d)
	for j := range by {
		if !(gram[j*(d+1)+j] > 1e-280) { // products of smaller numbers lose digits
			return nil, nil
		}
		if by[j] = 1; standardize {
			norm := math.Sqrt(gram[j*(d+1)+j] / p.weight)
			if !(norm > 1e-8*math.Abs(p.mean[j])) {
				return nil, nil
			}
			by[j] = norm
		}
	}
	scaled := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			v := gram[j*(d+1)+i] / by[i] / by[j]
			scaled[i*d+j], scaled[j*d+i] = v, v
		}
	}
	if !tile.Finite(scaled) {
		return nil, nil
	}
	squares, v, err := eigen.Symmetric(ctx, scaled, d, d)
	if err != nil {
		return nil, err
	}
	if !(squares[d-1] > leastRatio*squares[0]) {
		return nil, nil
	}
	c := &singular{squares: squares, v: v, along: make([]float64, d), unit: 1}
	at, fitted := make([]float64, tile.Padded(d)), 0.0
	for k := range c.along {
		for j, u := range v[k*d : (k+1)*d] {
			c.along[k] += u * product[j] / by[j]
		}
		for j, u := range v[k*d : (k+1)*d] {
			at[j] += u * c.along[k] / squares[k] / by[j]
		}
		fitted += c.along[k] / squares[k] * c.along[k]
	}
	if c.left = all - fitted; !(c.left > leastRatio*all) {
		c.left = p.left(at)
	}
	p.scale = by
	return c, nil
}

// products returns, in the upper triangle of a (d+1) x (d+1) matrix, the weighted products of the columns and of the target, the last, less
// their means, which it finds in the same pass over the rows, or in one more where the first rows are far from them. It is nil where
// numbers are too large for that.
func (p *design) products(ctx context.Context) ([]float64, error) {
	var weights []float64
	for _, v := range p.root {
		weights = append(weights, v*v)
	}
	p.near()
	d, e := p.d, p.d+2
	out := make([]float64, (d+1)*(d+1))
	for range 3 {
		s, err := tile.ScatterBeside(ctx, p.X.RawMatrix().Data, p.n, d, nil, weights, func(int) []float64 { return p.mean },
			2, func(i int, to []float64) { to[0], to[1] = (p.target[i]-p.yMean)/p.yScale, 1 })
		if err != nil {
			return nil, err
		}
		if !tile.Finite(s) {
			return nil, nil
		}
		shift, near := make([]float64, d+1), true // of the means
		for j := range shift {
			if sum := s[j*e+d+1]; p.intercept {
				shift[j] = sum / p.weight
				near = near && shift[j]*sum <= s[j*e+j]/2
			}
		}
		for j := range d {
			p.mean[j] += shift[j]
		}
		p.yMean += shift[d] * p.yScale
		if !near {
			continue
		}
		for i := range shift {
			for j := i; j <= d; j++ {
				out[i*(d+1)+j] = s[i*e+j] - p.weight*shift[i]*shift[j]
			}
		}
		return out, nil
	}
	return nil, nil
}

// left returns the weighted square sum of what coefficients of the rows, padded to whole strips, leave of the target.
func (p *design) left(at []float64) (sum float64) {
	const some = 32
	width := len(at)
	room := make([]float64, some*width)
	for from := 0; from < p.n; from += some {
		m := min(some, p.n-from)
		tile.Subtract(room, width, p.X.RawMatrix().Data[from*p.d:], p.mean, m)
		for r := range m {
			v := ((p.target[from+r]-p.yMean)/p.yScale - tile.Dot(at, room[r*width:(r+1)*width])) * p.rootOf(from+r)
			sum += v * v
		}
	}
	return sum
}

// fromReflections computes them from R of the factorisation, or from the rows if they are fewer than the columns.
func (p *design) fromReflections(ctx context.Context, standardize bool) (*singular, error) {
	p.arrange()
	unit := 1.0
	if !standardize {
		unit = slices.Max(p.scale) // in other units squares may overflow or vanish
	}
	p.rescale(standardize, unit)
	// rows x columns of the problem, of which no more than columns: X, or R of its factorisation.
	var core []float64
	right, count, rest := p.y, p.n, 0.0
	if p.n >= p.d {
		f, err := factorise(ctx, p.x, p.size, p.d)
		if err != nil {
			return nil, err
		}
		z := slices.Clone(p.y)
		core, right, count = f.r, f.down(z), p.d
		rest = square(z)
	} else {
		core = p.byRows()
	}
	squares, v, err := eigen.Singular(ctx, slices.Clone(core), count, p.d, true)
	if err != nil {
		return nil, err
	}
	rank := 0
	for rank < count && squares[rank] > squares[0]*1e-26 {
		rank++
	}
	c := &singular{squares: squares[:rank], v: v, along: make([]float64, rank), left: rest, unit: unit}
	fitted := 0.0
	for k := range c.along {
		for i := range count {
			c.along[k] += right[i] * dot(core[i*p.d:(i+1)*p.d], v[k*p.d:(k+1)*p.d])
		}
		fitted += c.along[k] / squares[k] * c.along[k]
	}
	if rank < count { // otherwise the columns span all of it
		c.left += max(0, square(right[:count])-fitted)
	}
	return c, nil
}

// shrunk returns the fit of one lambda, of the scaling Sum.
func (p *design) shrunk(sum, lambda float64, c *singular) *RidgeFit {
	b, df, rss := make([]float64, p.d), 0.0, c.left
	sum = sum / c.unit / c.unit
	for k, a := range c.along {
		by := c.squares[k] + sum
		for j := range b {
			b[j] += c.v[k*p.d+j] * a / by
		}
		df += c.squares[k] / by
		lost := 1 / (1 + c.squares[k]/sum)
		rss += a / c.squares[k] * a * lost * lost
	}
	coefficients, intercept := p.outside(b)
	rss = rss * p.yScale * p.yScale
	free := float64(p.n) - df
	return &RidgeFit{
		newModel("ridge", coefficients, intercept, p.intercept),
		ridgeState{Lambda: lambda, DF: df, RSS: rss, GCV: rss / free / free},
	}
}

// rescale gives the columns the same unit, 1 for that of X, or divides them by their standard deviations; constant columns stay.
func (p *design) rescale(standardize bool, unit float64) {
	for j := range p.d {
		by := p.scale[j] / unit
		if standardize {
			if norm := math.Sqrt(p.columnSquare(j) / p.weight); norm > 1e-14*math.Abs(p.mean[j]/p.scale[j]) {
				by = 1 / norm
			}
		}
		for b := range p.blocks {
			for i := range p.size {
				p.x[(b*p.d+j)*p.size+i] *= by
			}
		}
		p.scale[j] /= by
	}
}

// columnSquare returns the squared length of an arranged column.
func (p *design) columnSquare(j int) (s float64) {
	for b := range p.blocks {
		s += square(p.x[(b*p.d+j)*p.size:][:p.size])
	}
	return s
}

// byRows returns the arranged rows row by row.
func (p *design) byRows() []float64 {
	out := make([]float64, p.n*p.d)
	for i := range p.n {
		for j := range p.d {
			out[i*p.d+j] = p.x[(i/p.size*p.d+j)*p.size+i%p.size]
		}
	}
	return out
}

func square(x []float64) float64 { return dot(x, x) }

func dot(x, y []float64) (s float64) {
	for i, v := range x {
		s += v * y[i]
	}
	return s
}
