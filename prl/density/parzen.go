package density

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// ParzenOptions are the settings of FitParzen. The zero value is usable.
type ParzenOptions struct {
	Window  Window  // the form of a bump; "" is Gauss
	Width   float64 // h, in the unit of the data; 0 leaves it to the rule
	Rule    Rule    // of the width; "" is Scott
	Whitens bool    // distances are measured by the covariance of the rows, and the width is a factor without a unit
}

// A Parzen is a density made of a bump on each row. It is safe for concurrent use.
type Parzen struct {
	estimator.Names
	n, d   int
	window Window
	rule   Rule
	h      float64
	rows   []float64     // n x d
	factor *gauss.Factor // of the covariance; nil without one
	z      []float64     // the rows, by the factor
	blocks []*tile.Columns
	norm   float64 // log of n h^d times the volume of the bump
}

// parzenRows is the number of rows in a block.
const parzenRows = 2048

// FitParzen puts a bump of width h on each row of X (n x d):
//
//	p(x) = 1/(n V) sum_i K(|x - x_i| / h),  V = h^d integral of K(|u|) du.
//
// The width is given, or found by a rule (see Rule). Sums are taken of logarithms, so that log p(x) of the endless windows is a number
// however far x lies. Source: Rosenblatt 1956; Parzen, Ann. Math. Statist. 33 (1962); Silverman, Density Estimation (1986), section 4.2.
//
// Errors: unusable data; numbers whose squares overflow or vanish; a width that is not positive; a rule that finds none.
func FitParzen(ctx context.Context, X mat.Matrix, o ParzenOptions) (*Parzen, error) {
	const name = "density.FitParzen"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	if o.Window == "" {
		o.Window = Gauss
	}
	if o.Rule == "" {
		o.Rule = Scott
	}
	if err := o.check(name); err != nil {
		return nil, err
	}
	x := mat.DenseCopyOf(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	m := &Parzen{n: n, d: d, window: o.Window, rule: o.Rule, h: o.Width, rows: x.RawMatrix().Data}
	if o.Whitens {
		cov, err := covariance(ctx, name, x)
		if err != nil {
			return nil, err
		}
		if d == 1 {
			m.factor, err = gauss.NewDiagonal(cov)
		} else {
			m.factor, err = gauss.NewFactor(cov, d)
		}
		if err != nil {
			const remedy = "drop a column, or measure plain distances"
			return nil, fault.Argument(name, "X", "rows of a singular covariance", "rows that fill their space", remedy)
		}
	}
	if err := m.arrange(ctx); err != nil {
		return nil, err
	}
	if o.Width == 0 {
		h, err := m.find(ctx, name, o.Rule)
		if err != nil {
			return nil, err
		}
		m.h = h
	}
	m.settle()
	return m, nil
}

func (o ParzenOptions) check(function string) error {
	if o.Window != "" {
		if err := o.Window.check(function); err != nil {
			return err
		}
	}
	if o.Width != 0 {
		return estimator.CheckPositive(function, "Width", o.Width, 1)
	}
	return o.Rule.check(function, o.Window)
}

// covariance returns the upper triangle of the covariance of the rows, divided by n-1.
func covariance(ctx context.Context, function string, x *mat.Dense) ([]float64, error) {
	n, d := x.Dims()
	if n < 2 {
		return nil, fault.Argument(function, "X", "one row", "at least 2 rows", "set Width")
	}
	mean := make([]float64, d)
	for j := range d {
		for i := range n {
			mean[j] += (x.At(i, j) - x.At(0, j)) / float64(n)
		}
		mean[j] += x.At(0, j)
	}
	cov := make([]float64, d*d)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := x.RawRowView(i)
		for a := range d {
			for b := a; b < d; b++ {
				cov[a*d+b] += (row[a] - mean[a]) * (row[b] - mean[b]) / float64(n-1)
			}
		}
	}
	return cov, nil
}

// arrange makes the rows ready for distances.
func (m *Parzen) arrange(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.z, m.blocks = m.rows, nil
	if m.factor != nil {
		m.z = make([]float64, len(m.rows))
		for i := range m.n {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.factor.Whiten(m.z[i*m.d:(i+1)*m.d], m.rows[i*m.d:(i+1)*m.d])
		}
	}
	for from := 0; from < m.n; from += parzenRows {
		count := min(parzenRows, m.n-from)
		m.blocks = append(m.blocks, tile.Transpose(m.z[from*m.d:(from+count)*m.d], count, m.d))
	}
	return nil
}

// settle computes what follows from the width.
func (m *Parzen) settle() { m.norm = m.logNorm(m.h) + math.Log(float64(m.n)) }

// logNorm returns the logarithm of the volume of a bump of width h.
func (m *Parzen) logNorm(h float64) float64 {
	l := float64(m.d)*math.Log(h) + m.window.logVolume(m.d)
	if m.factor != nil {
		l += m.factor.LogDet() / 2
	}
	return l
}

// A pile is a sum of heights e^top sum.
type pile struct{ top, sum float64 }

// log returns the logarithm of the pile.
func (p pile) log() float64 { return p.top + math.Log(p.sum) }

// add adds the bumps at squared distances, which are overwritten, in the given number of places.
func (w Window) add(p pile, squares []float64, h float64) pile {
	if w.endless() {
		top := math.Inf(-1)
		for i, v := range squares {
			if w == Gauss {
				v = -v / (2 * h * h)
			} else {
				v = -math.Sqrt(v) / h
			}
			squares[i] = v
			if !(v <= top) { // max(top, v), which is a call in pages
				top = v
			}
		}
		switch {
		case math.IsInf(top, -1): // the only row is the one left out
			return p
		case p.sum == 0:
			p.top = top
		case top > p.top:
			p.top, p.sum = top, p.sum*math.Exp(p.top-top)
		}
		for i := range squares {
			squares[i] -= p.top
		}
		tile.Exp(squares)
		for _, v := range squares {
			p.sum += v
		}
		return p
	}
	for _, v := range squares {
		if v <= h*h {
			p.sum += w.At(min(1, math.Sqrt(v)/h))
		}
	}
	return p
}

// pileAt sums the bumps of width h at z, all but that of one row, or of none where but is -1. Room holds a block.
func (m *Parzen) pileAt(z []float64, h float64, but int, room []float64) pile {
	var p pile
	for b, block := range m.blocks {
		squares := room[:block.Len()]
		block.RowDistances(squares, z, 0)
		if at := but - b*parzenRows; but >= 0 && at >= 0 && at < len(squares) {
			squares[at] = math.Inf(1)
		}
		p = m.window.add(p, squares, h)
	}
	return p
}

// Dim returns d.
func (m *Parzen) Dim() int { return m.d }

// Width returns h: in the unit of the data, or a factor without unit where distances are measured by the covariance.
func (m *Parzen) Width() float64 { return m.h }

// String returns "Gauss window of width 0.3348 on 272 rows".
func (m *Parzen) String() string {
	return fmt.Sprintf("%s window of width %.4g on %d rows", m.window, m.h, m.n)
}

// LogDensities returns log p(x) of each row of X, in nats; it is -Inf where a window that ends does not reach.
func (m *Parzen) LogDensities(X mat.Matrix) ([]float64, error) {
	const name = "density.Parzen.LogDensities"
	if err := estimator.CheckWidth(name, X, m.d); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	if err := estimator.CheckFar(name, x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := make([]float64, n)
	share.Ranges(share.Workers(n, float64(n)*float64(m.n)*(1.5+0.3*float64(m.d))), n, func(_, from, to int) {
		room, z := make([]float64, tile.Padded(parzenRows)), make([]float64, m.d)
		for i := from; i < to; i++ {
			out[i] = m.logAt(x.RawRowView(i), z, room)
		}
	})
	return out, nil
}

func (m *Parzen) logAt(x, z, room []float64) float64 {
	copy(z, x)
	if m.factor != nil {
		m.factor.Whiten(z, x)
	}
	return m.pileAt(z, m.h, -1, room).log() - m.norm
}

// Density returns p(x), NaN for a point of another width or with a number that is not finite.
func (m *Parzen) Density(x ...float64) float64 {
	if m.d == 0 || len(x) != m.d || !tile.Finite(x) {
		return math.NaN()
	}
	return math.Exp(m.logAt(x, make([]float64, m.d), make([]float64, tile.Padded(min(parzenRows, m.n)))))
}

// Sample draws n points: a row, and a step of its bump. The same seed gives the same points. Errors: n below 1, a model without a fit.
func (m *Parzen) Sample(n int, seed uint64) (*mat.Dense, error) {
	if m.d == 0 {
		return nil, estimator.Unfitted("density.Parzen.Sample")
	}
	if n < 1 {
		return nil, fault.Argument("density.Parzen.Sample", "n", n, "at least 1", "")
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	out, z := mat.NewDense(n, m.d, nil), make([]float64, m.d)
	for i := range n {
		at := rng.IntN(m.n)
		m.window.draw(z, rng)
		for j := range z {
			z[j] *= m.h
		}
		m.unwhiten(z)
		for j, v := range z {
			out.Set(i, j, m.rows[at*m.d+j]+v)
		}
	}
	return out, nil
}

// unwhiten replaces a step by that whose whitened form it is, from the first number to the last.
func (m *Parzen) unwhiten(z []float64) {
	switch {
	case m.factor == nil:
	case m.factor.Diagonal():
		for j, scale := range m.factor.Scale() {
			z[j] /= scale
		}
	default:
		for i := range z {
			row := m.factor.White(i)
			for j := range i {
				z[i] -= row[j] * z[j]
			}
			z[i] /= row[i]
		}
	}
}

// Modes returns the places of the local maxima of the density in increasing order. The data have one column and the window is that of
// Gauss, under which the number of maxima never rises with the width. Source: Silverman, J. R. Statist. Soc. B 43 (1981).
func (m *Parzen) Modes() ([]float64, error) {
	const name = "density.Parzen.Modes"
	if m.d == 0 {
		return nil, estimator.Unfitted(name)
	}
	if m.d != 1 || m.window != Gauss {
		got := fmt.Sprintf("%d columns under the window %q", m.d, m.window)
		return nil, fault.Argument(name, "X", got, "one column under the window of Gauss", "")
	}
	rows := slices.Clone(m.rows)
	slices.Sort(rows)
	h := m.h
	if m.factor != nil {
		h *= m.factor.SD()
	}
	// slope is that of the density, without its scale, from the rows that reach x.
	slope := func(x float64) float64 {
		lo, _ := slices.BinarySearch(rows, x-40*h)
		hi, _ := slices.BinarySearch(rows, x+40*h)
		near, sum := math.Inf(1), 0.0
		for _, v := range rows[lo:hi] {
			near = min(near, (v-x)*(v-x))
		}
		for _, v := range rows[lo:hi] {
			sum += (v - x) * math.Exp((near-(v-x)*(v-x))/(2*h*h))
		}
		return sum
	}
	var modes []float64
	// All maxima lie between the first and the last row. Between rows farther apart than 40 h there are none but next to the rows.
	for from := 0; from < len(rows); {
		to := from
		for to+1 < len(rows) && rows[to+1]-rows[to] <= 40*h {
			to++
		}
		steps := int(min(1e6, 20*(rows[to]-rows[from])/h)) + 2
		at := func(i int) float64 {
			return rows[from] - h/20 + (rows[to]-rows[from]+h/10)*float64(i)/float64(steps)
		}
		for i, before := 1, slope(at(0)); i <= steps; i++ {
			now := slope(at(i))
			if before > 0 && now <= 0 {
				lo, hi := at(i-1), at(i)
				for range 60 {
					if mid := (lo + hi) / 2; slope(mid) > 0 {
						lo = mid
					} else {
						hi = mid
					}
				}
				modes = append(modes, (lo+hi)/2)
			}
			before = now
		}
		from = to + 1
	}
	return modes, nil
}

type parzenState struct {
	Names   estimator.Names
	D       int
	Window  Window
	Rule    Rule
	H       float64
	Rows    []float64
	Whitens bool
}

// MarshalBinary encodes the model, which holds all rows of the fit.
func (m *Parzen) MarshalBinary() ([]byte, error) {
	if m.d == 0 {
		return nil, estimator.Unfitted("density.Parzen.MarshalBinary")
	}
	return estimator.Encode("density.Parzen", 1, parzenState{m.Names, m.d, m.window, m.rule, m.h, m.rows, m.factor != nil})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Parzen) UnmarshalBinary(data []byte) error {
	var s parzenState
	if err := estimator.Decode(data, "density.Parzen", 1, &s); err != nil {
		return err
	}
	bad := func(what string) error { return fmt.Errorf("density.Parzen: decode: %s", what) }
	if s.D < 1 || !estimator.Fits(len(s.Rows), len(s.Rows)/s.D, s.D) {
		return bad("the rows do not form a matrix")
	}
	x := mat.NewDense(len(s.Rows)/s.D, s.D, s.Rows)
	if !(s.H > 0) || math.IsInf(s.H, 1) {
		return bad("the width is not positive")
	}
	read, err := FitParzen(context.Background(), x, ParzenOptions{Window: s.Window, Width: s.H, Whitens: s.Whitens})
	if err != nil {
		return bad(err.Error())
	}
	read.Names, read.rule = s.Names, s.Rule
	*m = *read
	return nil
}
