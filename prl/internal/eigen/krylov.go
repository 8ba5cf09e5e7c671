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
	block  = tile.Wide // vectors that a function multiplies together, and chains from which on no other is tried
	large  = 1000      // rows of S that is read for two chains together
	formed = 40        // S takes about as long as products of its rows with d/40 vectors
	doubt  = 1e-6      // chance of an eigenvalue that is not found
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

// OfSymmetric returns the operator of a symmetric d x d matrix, of which it reads the entries on and above the diagonal. It keeps the rows:
// tile.Padded(d) of as many numbers, zero from the d-th on.
func OfSymmetric(rows []float64, d int) *Operator {
	return &Operator{d: d, stride: tile.Padded(d), rows: rows, n: d, square: true}
}

// Forms reports whether Largest, asked for k of d eigenvalues, makes S of its rows before all else: it needs some 2 k + 16 products at
// least.
func Forms(d, k int) bool { return d < formed*(2*k+16) }

// form computes S, after which a product takes d^2 multiplications a vector in place of 2 n d.
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
	return nil
}

// apply sets each row of y to S x for the row of x. For a function there are as many as it takes.
func (o *Operator) apply(ctx context.Context, y, x []float64) error {
	if o.multiply != nil {
		return o.multiply(ctx, y, x, o.stride)
	}
	if o.square {
		tile.SymmetricProduct(y, x, o.rows, 0, o.d, o.stride)
		return ctx.Err()
	}
	for ; len(x) > 0; x, y = x[o.stride:], y[o.stride:] {
		if err := o.twice(ctx, y[:o.stride], x[:o.stride]); err != nil {
			return err
		}
	}
	return nil
}

// twice sets y to Y^T Y x.
func (o *Operator) twice(ctx context.Context, y, x []float64) error {
	var none [4]float64
	room := make([]float64, o.stride)
	clear(y)
	for i := 0; i < o.n; i += 4 {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		rows := o.rows[i*o.stride:]
		if o.n-i < 4 {
			for ; len(rows) > 0; rows = rows[o.stride:] {
				add(y, inner(rows[:o.stride], x), rows[:o.stride])
			}
			break
		}
		by := tile.FourRows(rows, o.stride, x, room, &none)
		tile.AddRows(rows, o.stride, y, &by)
	}
	return nil
}

// Pairs are eigenvalues in falling order with their eigenvectors in rows, and the lengths of S v - value v.
type Pairs struct {
	Values, Vectors, Residuals []float64
	Trace                      float64 // the sum of all eigenvalues of S
}

// Largest returns the k largest eigenvalues of S with residuals of at most tol times the largest eigenvalue. An eigenvalue errs by no more
// than its residual, and by about the square of it over the distance to the others.
//
// It projects S on the space of v, S v, S^2 v, ... for a random vector v, with an orthonormal basis, until the residuals are small: the
// method of Lanczos. Of an eigenvalue that occurs several times such a space has one vector. So a second random vector, orthogonal to the
// space, begins a chain of its own, until it is plain that nothing as large as the k-th eigenvalue is there; if something is, both chains
// go on together, and when the residuals are small again a third one is tried, and so on up to eight. A large S, which is read for two
// vectors in the time of one, begins with two, and a function, which multiplies eight, with eight. Where the basis would have more than a
// quarter as many vectors as S has rows, the whole problem is solved. Source: Golub, Van Loan, Matrix Computations, 2013, sections 10.1 and
// 10.3; Ruhe, Implementation aspects of band Lanczos algorithms, Mathematics of Computation 33, 1979.
func Largest(ctx context.Context, o *Operator, k int, tol float64) (*Pairs, error) {
	own := *o
	s := &krylov{Operator: &own, ctx: ctx, k: k, tol: tol, most: o.d / 4, draw: rand.New(rand.NewPCG(1, 2))}
	out, err := s.pairs()
	if out == nil && err == nil {
		out, err = own.all(ctx, k)
	}
	if err != nil {
		return nil, err
	}
	out.Trace = o.trace()
	return out, nil
}

// all finds the pairs by way of the whole problem.
func (o *Operator) all(ctx context.Context, k int) (*Pairs, error) {
	if !o.square {
		if err := o.form(ctx); err != nil {
			return nil, err
		}
	}
	values, vectors, err := Symmetric(ctx, compact(slices.Clone(o.rows[:o.d*o.stride]), o.d), o.d, min(k, o.d))
	if err != nil {
		return nil, err
	}
	out := &Pairs{Values: values[:min(k, o.d)], Vectors: vectors}
	x, y := make([]float64, o.stride), make([]float64, o.stride)
	for q, v := range out.Values {
		copy(x, vectors[q*o.d:(q+1)*o.d])
		if err := o.apply(ctx, y, x); err != nil {
			return nil, err
		}
		add(y, -v, x)
		out.Residuals = append(out.Residuals, length(y[:o.d]))
	}
	return out, nil
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

// A krylov is the state of Largest. With the basis in the rows of Q and the vectors that come next, one a chain, in those of P it holds
//
//	S Q^T = Q^T T + P^T L,  Q Q^T = I,  P P^T = I,  P Q^T = 0.
type krylov struct {
	*Operator
	ctx     context.Context
	k       int
	tol     float64
	most    int         // vectors of the basis before the whole problem is solved
	q       []float64   // the basis, and rows of zeros that fill fours
	m       int         // vectors of the basis
	t       [][]float64 // the columns of T down to the diagonal
	chains  []*chain
	begun   int     // chains, those that have ended too
	longest float64 // product of S with a vector of the basis
	draw    *rand.Rand
}

// A chain has its row of P and its row of L.
type chain struct{ next, along []float64 }

// pairs looks for the pairs until the basis is too large.
func (s *krylov) pairs() (*Pairs, error) {
	if 2*s.k > s.most {
		return nil, nil
	}
	start := 1
	switch {
	case s.multiply != nil:
		start = block
	case s.d > large:
		start = 2
	}
	for range start {
		s.begin()
	}
	for least := 2 * s.k; ; {
		found, coefficients, err := s.converge(least)
		if found == nil || err != nil {
			return nil, err
		}
		steps := 0
		if s.begun < block {
			if steps, err = s.challenge(found); err != nil {
				return nil, err
			}
		}
		if steps == 0 {
			vectors := make([]float64, s.k*s.stride)
			tile.Dense(vectors, s.k, s.stride, s.stride).
				SetProduct(tile.Dense(coefficients, s.k, s.m, s.m), tile.Dense(s.q, s.m, s.stride, s.stride))
			found.Vectors = compact(vectors, s.d)
			return found, nil
		}
		s.begin()
		least = s.m + steps*len(s.chains)
	}
}

// converge lets all chains grow until the basis has the least size and the residuals are small. It returns the pairs, of the vectors the
// coefficients in the basis, or nil when the basis is too large.
func (s *krylov) converge(least int) (found *Pairs, coefficients []float64, err error) {
	check := least                 // size of the basis at which to look
	away, last := math.Inf(1), s.m // at the last look: logarithm of the largest residual over what it may be, and size
	for {
		if s.m >= check {
			var values []float64
			if values, coefficients, err = Symmetric(s.ctx, s.projected(0), s.m, s.k); err != nil {
				return nil, nil, err
			}
			found = &Pairs{Values: values[:s.k], Residuals: s.residuals(coefficients)}
			worst, may := slices.Max(found.Residuals), s.tol*values[0]
			if worst <= may {
				settled, err := s.settled(values[s.k-1] + may)
				if settled || err != nil {
					return found, coefficients, err
				}
				check = s.m + 1 + s.m/16
				continue
			}
			now := math.Log(worst / may)
			step := float64(s.m) / 4
			if now < away {
				step = min(step, now/(away-now)*float64(s.m-last)) // to where the line through both would be at zero
			}
			check, away, last = s.m+max(1, int(step)), now, s.m
		}
		if len(s.chains) == 0 {
			s.begin()
		}
		if s.m+len(s.chains) > s.most {
			return nil, nil, nil
		}
		if err = s.grow(); err != nil {
			return nil, nil, err
		}
	}
}

// settled reports whether no value of T below the k-th, with its residual, reaches the limit: a vector that the basis has a part of may
// be on its way up.
func (s *krylov) settled(limit float64) (bool, error) {
	if s.begun >= block {
		return true, nil
	}
	values, coefficients, err := Symmetric(s.ctx, s.projected(0), s.m, s.m)
	if err != nil {
		return false, err
	}
	for q, r := range s.residuals(coefficients) {
		if q >= s.k && values[q]+r > limit {
			return false, nil
		}
	}
	return true, nil
}

// challenge returns 0 unless S has, orthogonal to the basis, an eigenvalue above the least of those found, and otherwise after how many
// steps it shows. A chain of its own from a random vector grows until its largest value is above it, or so far below that it would not be
// if there was one: after j steps the chance that it is below by a share e of the range of S is less than 1.65 sqrt(d) exp(-(2j-1)
// sqrt(e)). Source: Kuczyński, Woźniakowski, Estimating the largest eigenvalue by the power and Lanczos algorithms with a random start,
// SIAM J. Matrix Anal. Appl. 13, 1992.
func (s *krylov) challenge(found *Pairs) (steps int, err error) {
	from, may := s.m, s.tol*found.Values[0]
	limit := found.Values[s.k-1] + may
	own, begun := s.chains, s.begun
	s.chains = nil // whose next vectors may be what is sought
	defer func() {
		clear(s.q[from*s.stride:])
		s.m, s.t, s.chains, s.begun = from, s.t[:from], own, begun
	}()
	s.begin()
	for {
		if err := s.grow(); err != nil {
			return 0, err
		}
		size, ended := s.m-from, len(s.chains) == 0
		if !ended && size%4 > 0 {
			continue
		}
		values, vector, err := Symmetric(s.ctx, s.projected(from), size, 1)
		if err != nil || values[0] > limit || size >= s.most {
			return size, err
		}
		if ended || math.Abs(s.chains[0].along[s.m-1]*vector[size-1]) <= may {
			return 0, nil
		}
		share := (limit - values[0]) / (limit - min(0, values[size-1]))
		if 1.65*math.Sqrt(float64(s.d))*math.Exp(-math.Sqrt(share)*float64(2*size-1)) <= doubt {
			return 0, nil
		}
	}
}

// begin begins a chain with a random vector.
func (s *krylov) begin() {
	c := &chain{next: make([]float64, s.stride), along: make([]float64, s.m)}
	for i := range s.d {
		c.next[i] = s.draw.NormFloat64()
	}
	size := s.remove(c.next, c)
	for i := range c.next {
		c.next[i] /= size
	}
	s.chains = append(s.chains, c)
	s.begun++
}

// grow puts the next vectors of all chains into the basis.
func (s *krylov) grow() error {
	if !s.square && s.multiply == nil && (Forms(s.d, s.k) || s.d < formed*s.m) {
		if err := s.form(s.ctx); err != nil {
			return err
		}
	}
	chains := slices.Clone(s.chains)
	count := len(chains)
	if s.multiply != nil {
		count = block
	}
	room := make([]float64, 2*count*s.stride)
	x, y := room[:count*s.stride], room[count*s.stride:]
	for i, c := range chains {
		copy(x[i*s.stride:], c.next)
	}
	if err := s.apply(s.ctx, y, x); err != nil {
		return err
	}
	for i, c := range chains {
		s.extend(c, y[i*s.stride:(i+1)*s.stride])
	}
	return nil
}

// extend puts the next vector of a chain, q, into the basis. What remains of z = S q without its parts along the basis and the other
// chains comes next.
func (s *krylov) extend(c *chain, z []float64) {
	j, q := s.m, c.next
	s.longest = max(s.longest, length(z))
	// S is symmetric, so the parts along the basis so far are known, nearly all of them zero.
	for r, v := range c.along {
		if v != 0 {
			add(z, -v, s.q[r*s.stride:(r+1)*s.stride])
		}
	}
	own := inner(z, q)
	add(z, -own, q)
	s.t = append(s.t, append(c.along, own))
	if need := (j + 4) / 4 * 4 * s.stride; need > len(s.q) {
		s.q = append(s.q, make([]float64, max(need, 2*len(s.q))-len(s.q))...)
	}
	copy(s.q[j*s.stride:], q)
	s.m++
	for _, other := range s.chains {
		v := 0.0
		if other != c {
			v = inner(z, other.next)
			add(z, -v, other.next)
			other.along = append(other.along, v)
		}
	}
	size := s.remove(z, c)
	if size <= 1e-14*s.longest {
		s.chains = slices.DeleteFunc(s.chains, func(other *chain) bool { return other == c })
		return
	}
	for i := range z {
		z[i] /= size
	}
	c.next, c.along = slices.Clone(z), make([]float64, s.m)
	c.along[j] = size
}

// remove takes from z its parts along the basis and the other chains, once more where what is left is much shorter, and returns the length.
// Source: Daniel, Gragg, Kaufman, Stewart, Reorthogonalization and stable algorithms for updating the Gram-Schmidt QR factorization,
// Mathematics of Computation 30, 1976.
func (s *krylov) remove(z []float64, c *chain) float64 {
	var none [4]float64
	room := make([]float64, s.stride)
	size := length(z)
	for range 4 {
		before := size
		along := make([]float64, 0, s.m+4)
		for j := 0; j < s.m; j += 4 {
			by := tile.FourRows(s.q[j*s.stride:], s.stride, z, room, &none)
			along = append(along, -by[0], -by[1], -by[2], -by[3])
		}
		for j := 0; j < s.m; j += 4 {
			tile.AddRows(s.q[j*s.stride:], s.stride, z, (*[4]float64)(along[j:]))
		}
		for _, other := range s.chains {
			if other != c {
				add(z, -inner(z, other.next), other.next)
			}
		}
		if size = length(z); size > before/2 || size <= 1e-14*s.longest {
			break
		}
	}
	return size
}

// projected returns T without the first rows and columns, on and above the diagonal.
func (s *krylov) projected(first int) []float64 {
	n := s.m - first
	out := make([]float64, n*n)
	for j, column := range s.t[first:] {
		for i, v := range column[first:] {
			out[i*n+j] = v
		}
	}
	return out
}

// residuals returns the lengths of S v - value v for pairs of T whose vectors are the rows of coefficients: those of L times the rows.
func (s *krylov) residuals(coefficients []float64) []float64 {
	out := make([]float64, len(coefficients)/s.m)
	for q := range out {
		squares := 0.0
		for _, c := range s.chains {
			v := inner(c.along, coefficients[q*s.m:(q+1)*s.m])
			squares = fused.FMA(v, v, squares)
		}
		out[q] = math.Sqrt(squares)
	}
	return out
}

// compact takes the zeros at the ends of rows of tile.Padded(d) numbers away, in place.
func compact(rows []float64, d int) []float64 {
	stride := tile.Padded(d)
	n := len(rows) / stride
	for i := range n {
		copy(rows[i*d:(i+1)*d], rows[i*stride:])
	}
	return rows[:n*d]
}

// inner returns the product of a and b, of four sums side by side.
func inner(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		u, v := (*[4]float64)(a[i:]), (*[4]float64)(b[i:])
		s0, s1, s2, s3 = fused.FMA(u[0], v[0], s0), fused.FMA(u[1], v[1], s1), fused.FMA(u[2], v[2], s2), fused.FMA(u[3], v[3], s3)
	}
	for ; i < len(a); i++ {
		s0 = fused.FMA(a[i], b[i], s0)
	}
	return s0 + s1 + (s2 + s3)
}

func length(a []float64) float64 { return math.Sqrt(inner(a, a)) }

func add(to []float64, c float64, from []float64) {
	from = from[:len(to)]
	for i, v := range from {
		to[i] = fused.FMA(c, v, to[i])
	}
}
