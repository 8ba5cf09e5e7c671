package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// Rows are the settings that every fit of this package has.
type Rows struct {
	// NoIntercept leaves the intercept out.
	NoIntercept bool
	// Weights counts row i as Weights[i] rows; nil counts each once.
	Weights []float64
}

// firstRows is how many rows give a first estimate of the means.
const firstRows = 1024

// A design is the rows of positive weight, centred about their weighted means where there is an intercept, each column divided by a power
// of two and each row multiplied by the square root of its weight. It stands in blocks of rows, and each block column by column.
type design struct {
	n, d        int
	X           *mat.Dense // the rows of positive weight
	target      []float64
	columns     []int // where the d columns stand in X
	width       int   // of X
	size        int   // rows of a block, whole strips; rows that fill the last one are zeros
	blocks      int
	x, y        []float64
	mean, scale []float64 // of the columns: x = (X - mean) / scale, up to the weight; the mean is zero without an intercept; see scales
	yMean       float64
	yScale      float64
	root        []float64 // square roots of the weights, nil for ones
	weight      float64   // the sum of the weights
	at          []int     // where the rows stand among all, nil for all of them
	intercept   bool
}

// newDesign checks and arranges rows in blocks of at most size rows, or in one block for a size of 0.
func newDesign(ctx context.Context, op string, X mat.Matrix, y []float64, o Rows, size int) (*design, error) {
	p, err := checked(ctx, op, X, y, o, size)
	if err == nil {
		p.centre()
		p.arrange()
	}
	return p, err
}

// checked is newDesign before the means are found and the rows are arranged.
func checked(ctx context.Context, op string, X mat.Matrix, y []float64, o Rows, size int) (*design, error) {
	t, err := estimator.NewTargeted(ctx, op, X, y, o.Weights)
	if err != nil {
		return nil, err
	}
	p := &design{
		n: t.N, d: t.D, X: t.Dense(), target: t.Y, columns: upTo(t.D), width: t.D, at: t.Kept, weight: float64(t.N),
		intercept: !o.NoIntercept,
	}
	if w := t.Counts(); w != nil {
		p.weight, p.root = 0, make([]float64, t.N)
		for i, v := range w {
			p.root[i] = math.Sqrt(v)
			p.weight += v
		}
		if math.IsInf(p.weight, 0) {
			return nil, fault.Argument(op, "Weights", "with an infinite sum", "weights whose sum is finite", "divide them by their largest")
		}
	}
	if p.size = tile.Padded(p.n); size > 0 && size < p.size {
		p.size = size
	}
	p.blocks = (p.n + p.size - 1) / p.size
	for _, v := range p.target {
		p.yScale = max(p.yScale, math.Abs(v))
	}
	p.yScale = power(p.yScale)
	return p, nil
}

// rootOf returns the square root of the weight of row i.
func (p *design) rootOf(i int) float64 {
	if p.root == nil {
		return 1
	}
	return p.root[i]
}

// place returns where row i stands among all.
func (p *design) place(i int) int {
	if p.at == nil {
		return i
	}
	return p.at[i]
}

// power returns the power of two next above v, and 1 for 0.
func power(v float64) float64 {
	if v == 0 {
		return 1
	}
	_, e := math.Frexp(v)
	return math.Ldexp(1, min(e, 1023))
}

// centre finds means: those of the first rows, and from these those of all, so that little is lost by rounding.
func (p *design) centre() {
	p.near()
	if p.intercept {
		p.move(p.n)
	}
}

// near finds the means of the first rows.
func (p *design) near() {
	p.mean, p.yMean = make([]float64, p.d), 0
	if p.intercept {
		p.move(min(p.n, firstRows))
	}
}

// move moves the means to those of the first m rows.
func (p *design) move(m int) {
	sum, ySum, weight := p.differences(m), 0.0, 0.0
	for i, y := range p.target[:m] {
		w := p.rootOf(i) * p.rootOf(i)
		ySum += w * (y - p.yMean) / p.yScale
		weight += w
	}
	for j, v := range sum {
		p.mean[j] += v / weight
	}
	p.yMean += ySum / weight * p.yScale
}

// scales returns the scales of the columns.
func (p *design) scales() []float64 {
	if p.scale != nil {
		return p.scale
	}
	scale := make([]float64, p.d)
	for i := range p.n {
		for j, v := range p.X.RawRowView(i)[:len(scale)] {
			if v = math.Abs(v); v > scale[j] {
				scale[j] = v
			}
		}
	}
	for j, v := range scale {
		scale[j] = power(v)
	}
	p.scale = scale
	return scale
}

// differences returns the weighted sums of the first m rows less the means.
func (p *design) differences(m int) []float64 {
	sum := make([]float64, p.d)
	if raw := p.X.RawMatrix(); p.root == nil && raw.Stride == p.d {
		if tile.SumDifferences(sum, raw.Data[:m*p.d], p.mean, m); tile.Finite(sum) {
			return sum
		}
		clear(sum)
	}
	scale := p.scales()
	for i := range m {
		w := p.rootOf(i) * p.rootOf(i)
		for j, v := range p.X.RawRowView(i) {
			sum[j] += w * (v - p.mean[j]) / scale[j]
		}
	}
	for j, v := range scale {
		sum[j] *= v // beyond the largest number only where the mean is
	}
	return sum
}

// arrange copies the rows into their blocks.
func (p *design) arrange() {
	p.x, p.y = make([]float64, p.blocks*p.size*p.d), make([]float64, p.blocks*p.size)
	inverse := make([]float64, p.d)
	for j, v := range p.scales() {
		inverse[j] = 1 / v
	}
	for i, y := range p.target {
		from, to, root := p.X.RawRowView(i), i/p.size*p.size*p.d+i%p.size, p.rootOf(i)
		for j, c := range p.columns {
			p.x[to+j*p.size] = (from[c] - p.mean[j]) * inverse[j] * root
		}
		p.y[i] = (y - p.yMean) / p.yScale * root
	}
}

// keep leaves the columns in the given places alone in the design, whose rows need to be arranged again.
func (p *design) keep(places []int) {
	mean, scale, columns := make([]float64, len(places)), make([]float64, len(places)), make([]int, len(places))
	for k, j := range places {
		mean[k], scale[k], columns[k] = p.mean[j], p.scale[j], p.columns[j]
	}
	p.d, p.mean, p.scale, p.columns = len(places), mean, scale, columns
}

// lengths returns the weighted lengths of the columns as they were before they were centred, given the lengths that they have now.
func (p *design) lengths(now []float64) []float64 {
	out := make([]float64, p.d)
	for j, v := range now {
		out[j] = math.Hypot(v, p.mean[j]/p.scale[j]*math.Sqrt(p.weight))
	}
	return out
}

// outside returns coefficients of the columns of X, and the intercept, for coefficients of the arranged columns.
func (p *design) outside(b []float64) (coefficients []float64, intercept float64) {
	coefficients, intercept = make([]float64, p.width), p.yMean
	for j, v := range b {
		v *= p.yScale / p.scale[j]
		coefficients[p.columns[j]] = v
		intercept -= v * p.mean[j]
	}
	return coefficients, intercept
}

// upTo returns 0 ... n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
