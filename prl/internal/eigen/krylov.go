package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/internal/fused"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	block = tile.Wide // vectors that are multiplied together
	batch = 32        // rows that stay in a cache while both products read them
)

// An Operator is S = Y^T Y for the rows of a matrix Y, or a symmetric S itself, or a function that multiplies by it.
type Operator struct {
	d, stride int
	rows      []float64 // of Y, stride apart and filled up with zeros, or of S
	n         int       // of them
	square    bool      // they are those of S
	multiply  func(ctx context.Context, y, x []float64, stride int) error
}

// OfFunction returns the operator that sets eight rows y to S x for eight rows x, each of d numbers, stride apart. Its trace counts as 0.
func OfFunction(d int, multiply func(ctx context.Context, y, x []float64, stride int) error) *Operator {
	return &Operator{d: d, stride: tile.Padded(d), multiply: multiply}
}

// OfRows returns Y^T Y for n rows of d numbers, each filled up with zeros to tile.Padded(d).
func OfRows(rows []float64, n, d int) *Operator {
	return &Operator{d: d, stride: tile.Padded(d), rows: rows, n: n}
}

// OfMatrix returns the operator of a symmetric d x d matrix, of which it reads the entries on and above the diagonal.
func OfMatrix(a []float64, d int) *Operator {
	p := tile.Padded(d)
	s := make([]float64, p*p)
	for i := range d {
		copy(s[i*p+i:i*p+d], a[i*d+i:(i+1)*d])
	}
	return OfSymmetric(s, d)
}

// OfSymmetric returns the operator of a symmetric d x d matrix, of which it reads the entries on and above the diagonal. It keeps the rows,
// each filled up with zeros to tile.Padded(d), and fills what is below the diagonal.
func OfSymmetric(rows []float64, d int) *Operator {
	o := &Operator{d: d, stride: tile.Padded(d), rows: rows, n: d, square: true}
	o.mirror()
	return o
}

// mirror copies what stands above the diagonal of S to the place below.
func (o *Operator) mirror() {
	for from := 0; from < o.d; from += batch { // a square at a time stays in a cache
		for left := 0; left <= from; left += batch {
			for i := from; i < min(from+batch, o.d); i++ {
				for j := left; j < min(left+batch, i); j++ {
					o.rows[i*o.stride+j] = o.rows[j*o.stride+i]
				}
			}
		}
	}
}

// form computes S, after which a product takes 2 d^2 multiplications a vector in place of 4 n d.
func (o *Operator) form(ctx context.Context) error {
	p := o.stride
	s := make([]float64, p*p)
	if o.multiply != nil {
		x := make([]float64, block*p)
		for from := 0; from < o.d; from += block {
			clear(x)
			for r := range min(block, o.d-from) {
				x[r*p+from+r] = 1
			}
			if err := o.multiply(ctx, s[from*p:(from+block)*p], x, p); err != nil {
				return err
			}
		}
		o.rows, o.n, o.square, o.multiply = s, o.d, true, nil
		o.mirror()
		return nil
	}
	to := tile.Dense(s, p, p, p)
	if err := inParts(ctx, o.n, p*p/2, func(from, count int) {
		part := tile.Dense(o.rows[from*p:], count, p, p)
		to.AddUpper(1, part.T(), part)
	}); err != nil {
		return err
	}
	o.rows, o.n, o.square = s, o.d, true
	o.mirror()
	return nil
}

// apply sets the rows of y to S x for a block of rows x.
func (o *Operator) apply(ctx context.Context, y, x []float64) error {
	if o.multiply != nil {
		return o.multiply(ctx, y, x, o.stride)
	}
	columns := tile.Transpose(x, block, o.stride)
	if o.square {
		of := make([]float64, o.n*block)
		columns.Product(of, o.rows, o.n)
		for i := range o.n {
			for r, v := range of[i*block : (i+1)*block] {
				y[r*o.stride+i] = v
			}
		}
		return ctx.Err()
	}
	clear(y)
	var of [batch * block]float64
	for from := 0; from < o.n; from += batch {
		if from%(1024*batch) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		count := min(batch, o.n-from)
		rows := o.rows[from*o.stride : (from+count)*o.stride]
		columns.Product(of[:], rows, count)
		tile.AddTransposed(y, of[:], rows, count, block, o.stride)
	}
	return nil
}

// Pairs are eigenvalues in falling order with their eigenvectors in rows, and the lengths of S v - value v as they are.
type Pairs struct {
	Values, Vectors, Residuals []float64
	Trace                      float64 // the sum of all eigenvalues of S
}

// Largest returns the k largest eigenvalues of S with residuals of at most tol times the largest eigenvalue. An eigenvalue errs by no more
// than its residual, and by about the square of it over the distance to the others. It projects S on the space of V, S V, S^2 V, ... for a
// random block V of eight vectors, all made orthogonal to each other twice, until the residuals are small; where that takes half as many
// vectors as S has rows, it solves the whole problem. Source: Golub, Van Loan, Matrix Computations, 2013, section 10.3.6; Musco, Musco,
// Randomized block Krylov methods, NIPS 2015.
func Largest(ctx context.Context, o *Operator, k int, tol float64) (*Pairs, error) {
	own := *o
	s := &krylov{Operator: &own, ctx: ctx, k: k, tol: tol}
	out := &Pairs{Trace: o.trace()}
	var err error
	if out.Values, out.Vectors, err = s.pairs(); err != nil {
		return nil, err
	}
	out.Residuals, err = own.residuals(ctx, out.Values, out.Vectors)
	return out, err
}

func (o *Operator) trace() float64 {
	sum := 0.0
	for i := range o.n {
		row := o.rows[i*o.stride : (i+1)*o.stride]
		if o.square {
			sum += row[i]
			continue
		}
		var part [tile.Wide]float64
		for j := 0; j < len(row); j += tile.Wide {
			for q, v := range (*[tile.Wide]float64)(row[j:]) {
				part[q] = fused.FMA(v, v, part[q])
			}
		}
		for _, v := range part {
			sum += v
		}
	}
	return sum
}

// residuals returns the length of S v - value v for each pair.
func (o *Operator) residuals(ctx context.Context, values, vectors []float64) ([]float64, error) {
	out := make([]float64, len(vectors)/o.d)
	x, y := make([]float64, block*o.stride), make([]float64, block*o.stride)
	for from := 0; from < len(out); from += block {
		clear(x)
		count := min(block, len(out)-from)
		for r := range count {
			copy(x[r*o.stride:], vectors[(from+r)*o.d:(from+r+1)*o.d])
		}
		if err := o.apply(ctx, y, x); err != nil {
			return nil, err
		}
		for r := range count {
			sum := 0.0
			for i, v := range x[r*o.stride : (r+1)*o.stride] {
				diff := y[r*o.stride+i] - values[from+r]*v
				sum = fused.FMA(diff, diff, sum)
			}
			out[from+r] = math.Sqrt(sum)
		}
	}
	return out, nil
}

// A krylov is the state of Largest.
type krylov struct {
	*Operator
	ctx  context.Context
	k    int
	tol  float64
	q    []float64 // the vectors so far, m of them and the next block
	m    int
	t    []float64 // Q S Q^T on and above the diagonal, most x most
	most int
	draw *rand.Rand
}

func (s *krylov) pairs() (values, vectors []float64, err error) {
	s.most = max(0, s.d/2/block*block)
	s.q, s.t = make([]float64, (s.most+block)*s.stride), make([]float64, s.most*s.most)
	s.draw = rand.New(rand.NewPCG(1, 2))
	for r := range block {
		s.random(s.q[r*s.stride:])
	}
	s.orthonormalise(s.q[:block*s.stride], 0)
	w := make([]float64, block*s.stride)
	for check := 2 * s.k; s.m < s.most; {
		if !s.square && s.multiply == nil && 10*s.m > s.stride { // by now S itself would have cost no more
			if err := s.form(s.ctx); err != nil {
				return nil, nil, err
			}
		}
		last := s.q[s.m*s.stride : (s.m+block)*s.stride]
		if err := s.apply(s.ctx, w, last); err != nil {
			return nil, nil, err
		}
		lower := s.extend(w)
		if s.m < s.k || s.m < check && s.m < s.most {
			continue
		}
		check = s.m + s.m/4
		values, coefficients, err := Symmetric(s.ctx, s.projected(), s.m, s.k)
		if err != nil {
			return nil, nil, err
		}
		if s.converged(values, coefficients, lower) {
			vectors = make([]float64, s.k*s.stride)
			tile.Dense(vectors, s.k, s.stride, s.stride).
				SetProduct(tile.Dense(coefficients, s.k, s.m, s.m), tile.Dense(s.q, s.m, s.stride, s.stride))
			return values[:s.k], s.narrow(vectors), nil
		}
	}
	if !s.square {
		if err := s.form(s.ctx); err != nil {
			return nil, nil, err
		}
	}
	values, vectors, err = Symmetric(s.ctx, s.narrow(slices.Clone(s.rows[:s.d*s.stride])), s.d, s.k)
	return values[:min(s.k, len(values))], vectors, err
}

// narrow takes the zeros at the ends of rows away, in place.
func (s *krylov) narrow(rows []float64) []float64 {
	n := len(rows) / s.stride
	for i := range n {
		copy(rows[i*s.d:(i+1)*s.d], rows[i*s.stride:])
	}
	return rows[:n*s.d]
}

// extend takes S times the last block, w, apart: into the parts along the vectors so far, which are a block of the projected matrix, and
// lower times the next block.
func (s *krylov) extend(w []float64) (lower *[block * block]float64) {
	s.m += block
	along := s.remove(w, s.m)
	first := s.orthonormalise(w, s.m)
	// Once more: a vector that was short is long now, and what it has left of the others with it.
	again := s.remove(w, s.m)
	second := s.orthonormalise(w, s.m)
	copy(s.q[s.m*s.stride:], w)
	for i := range s.m {
		for r := range block {
			if j := s.m - block + r; i <= j {
				v := along[i*block+r]
				for l := range r + 1 {
					v = fused.FMA(first[r*block+l], again[i*block+l], v)
				}
				s.t[i*s.most+j] = v
			}
		}
	}
	lower = new([block * block]float64)
	for i := range block {
		for l := range block {
			for q := l; q <= i; q++ {
				lower[i*block+l] = fused.FMA(first[i*block+q], second[q*block+l], lower[i*block+l])
			}
		}
	}
	return lower
}

// remove takes from the rows of w their parts along the first m vectors and returns these, m x block.
func (s *krylov) remove(w []float64, m int) []float64 {
	along := make([]float64, m*block)
	tile.Transpose(w, block, s.stride).Product(along, s.q, m)
	minus := make([]float64, len(along))
	for i, v := range along {
		minus[i] = -v
	}
	tile.AddTransposed(w, minus, s.q, m, block, s.stride)
	return along
}

// orthonormalise makes the rows of w orthonormal: w = lower times what they become. A row that is a combination of those before it becomes
// a random one.
func (s *krylov) orthonormalise(w []float64, m int) (lower *[block * block]float64) {
	lower = new([block * block]float64)
	longest := 0.0
	for r := range block {
		longest = max(longest, length(w[r*s.stride:(r+1)*s.stride]))
	}
	for r := range block {
		row := w[r*s.stride : (r+1)*s.stride]
		for drawn := false; ; drawn = true {
			for range 2 {
				for l := range r {
					other := w[l*s.stride : (l+1)*s.stride]
					c := inner(row, other)
					if !drawn {
						lower[r*block+l] += c
					}
					add(row, -c, other)
				}
			}
			size := length(row)
			if drawn || size > 1e-14*longest {
				if !drawn {
					lower[r*block+r] = size
				}
				for i := range row {
					row[i] /= size
				}
				break
			}
			s.random(row)
		}
	}
	return lower
}

// random fills a row with normal numbers.
func (s *krylov) random(row []float64) {
	for i := range s.d {
		row[i] = s.draw.NormFloat64()
	}
}

// projected returns the m x m part of t.
func (s *krylov) projected() []float64 {
	out := make([]float64, s.m*s.m)
	for i := range s.m {
		copy(out[i*s.m:(i+1)*s.m], s.t[i*s.most:])
	}
	return out
}

// converged tells whether the residuals of the first k pairs are small: what S takes out of the space is lower times the next block.
func (s *krylov) converged(values, coefficients []float64, lower *[block * block]float64) bool {
	for q := range s.k {
		last := coefficients[(q+1)*s.m-block : (q+1)*s.m]
		squares := 0.0
		for l := range block {
			v := 0.0
			for i := l; i < block; i++ {
				v = fused.FMA(lower[i*block+l], last[i], v)
			}
			squares = fused.FMA(v, v, squares)
		}
		if !(math.Sqrt(squares) <= s.tol*values[0]) {
			return false
		}
	}
	return true
}

func inner(a, b []float64) float64 {
	b = b[:len(a)]
	s := 0.0
	for i, v := range a {
		s = fused.FMA(v, b[i], s)
	}
	return s
}

func length(a []float64) float64 { return math.Sqrt(inner(a, a)) }

func add(to []float64, c float64, from []float64) {
	from = from[:len(to)]
	for i, v := range from {
		to[i] = fused.FMA(c, v, to[i])
	}
}
