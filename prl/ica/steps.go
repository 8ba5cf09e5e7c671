package ica

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

const (
	batch = 512 // rows of one product
	parts = 64  // sums that are added in order, so that the result does not depend on the number of processors
)

// A problem is the whitened data z (n x k).
type problem struct {
	z        []float64
	n, k     int
	contrast Contrast
	columns  *tile.Columns // z as columns, for one row of W at a time
	fourth   []float64     // E[z_a z_b z_c z_d], k x k x k x k, where the contrast asks for no more; else nil
}

// fewest is the largest k for which the cube works on fourth moments of z: there are (k+3)!/(k-1)!/24 of them, 35 at most, and no step goes
// through the rows again.
const fewest = 4

// moments finds the fourth moments, if the contrast needs nothing else.
func (p *problem) moments() {
	k := p.k
	if p.contrast != Cube || k > fewest {
		return
	}
	p.fourth = make([]float64, k*k*k*k)
	for i := range p.fourth {
		at := []int{i / (k * k * k), i / (k * k) % k, i / k % k, i % k}
		slices.Sort(at)
		if first := ((at[0]*k+at[1])*k+at[2])*k + at[3]; first < i { // the same in another order
			p.fourth[i] = p.fourth[first]
			continue
		}
		for lo := 0; lo < len(p.z); lo += k {
			z := p.z[lo : lo+k]
			p.fourth[i] += z[at[0]] * z[at[1]] * (z[at[2]] * z[at[3]]) / float64(p.n)
		}
	}
}

// cubes returns E[z (w^T z)^3] of each row w of W, from the fourth moments.
func (p *problem) cubes(w []float64) []float64 {
	k, out := p.k, make([]float64, len(w))
	for lo := 0; lo < len(w); lo += k {
		row := w[lo : lo+k]
		for i, m := range p.fourth {
			out[lo+i/(k*k*k)] += m * row[i/(k*k)%k] * row[i/k%k] * row[i%k]
		}
	}
	return out
}

// fourths returns E (w^T z)^4 of each row w of W.
func (p *problem) fourths(ctx context.Context, w []float64) ([]float64, error) {
	k := p.k
	if p.fourth == nil {
		return p.sums(ctx, w, len(w)/k, func(y, _, _ []float64, _ int, total []float64) {
			for i, v := range y {
				y[i] = v * v * v * v
			}
			addRows(total, y)
		})
	}
	out := make([]float64, len(w)/k)
	for i, v := range p.cubes(w) {
		out[i/k] += v * w[i]
	}
	return out, nil
}

// sums adds up, over all rows z, what work makes of the products y = z W^T of a batch of m rows with the given rows of W: it writes to
// total, which has the given length. Means are taken.
func (p *problem) sums(ctx context.Context, w []float64, length int, work func(y, room, z []float64, m int, total []float64)) ([]float64,
	error,
) {
	rows := len(w) / p.k
	matrix := make([]float64, len(w))
	for i := range rows {
		for j := range p.k {
			matrix[j*rows+i] = w[i*p.k+j]
		}
	}
	columns := tile.Pack(matrix, p.k, rows)
	size := max(batch, (p.n+parts-1)/parts)
	count := (p.n + size - 1) / size
	totals := make([]float64, count*length)
	workers := share.Workers(count, float64(p.n)*(float64(rows)*(8+0.3*float64(p.k))))
	share.Ranges(workers, count, func(_, from, to int) {
		long := min(batch, p.n) * rows
		y, room := make([]float64, long), make([]float64, long)
		for part := from; part < to && ctx.Err() == nil; part++ {
			for lo, end := part*size, min((part+1)*size, p.n); lo < end; lo += batch {
				m := min(batch, end-lo)
				z := p.z[lo*p.k : (lo+m)*p.k]
				columns.Project(y[:m*rows], z, m)
				work(y[:m*rows], room[:m*rows], z, m, totals[part*length:(part+1)*length])
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	total := make([]float64, length)
	for i, v := range totals {
		total[i%length] += v / float64(p.n)
	}
	return total, nil
}

// step returns E[z g(w^T z)] - E[g'(w^T z)] w for each row w of W.
func (p *problem) step(ctx context.Context, w []float64) ([]float64, error) {
	rows := len(w) / p.k
	if p.fourth != nil {
		next := p.cubes(w)
		for i := range rows { // z is white: E[g'] = 3 E (w^T z)^2 is 3 ||w||^2
			row := w[i*p.k : (i+1)*p.k]
			square := dot(row, row)
			for j, v := range row {
				next[i*p.k+j] -= 3 * square * v
			}
		}
		return next, ctx.Err()
	}
	total, err := p.sums(ctx, w, len(w)+rows, func(y, room, z []float64, m int, total []float64) {
		p.contrast.slopes(y, room, total[len(w):])
		tile.Dense(total[:len(w)], rows, p.k, p.k).AddProduct(1, tile.Dense(y, m, rows, rows).T(), tile.Dense(z, m, p.k, p.k))
	})
	if err != nil {
		return nil, err
	}
	next := total[:len(w)]
	for i, v := range w {
		next[i] -= total[len(w)+i/p.k] * v
	}
	return next, nil
}

// one is step for a single row w.
func (p *problem) one(ctx context.Context, w []float64) ([]float64, error) {
	if p.fourth != nil {
		return p.step(ctx, w)
	}
	if p.columns == nil {
		p.columns = tile.Transpose(p.z, p.n, p.k)
	}
	size, length := tile.Padded(max(batch, (p.n+parts-1)/parts)), p.k+1
	count := (p.n + size - 1) / size
	totals := make([]float64, count*length)
	share.Ranges(share.Workers(count, float64(p.n)*(4+float64(p.k))), count, func(_, from, to int) {
		var y, room [batch]float64
		for part := from; part < to && ctx.Err() == nil; part++ {
			total := totals[part*length : (part+1)*length]
			for lo, end := part*size, min((part+1)*size, p.n); lo < end; lo += batch {
				m := min(batch, end-lo)
				p.columns.RowProduct(y[:m], w, lo)
				p.contrast.slopes(y[:m], room[:m], total[p.k:])
				z := p.z[lo*p.k : (lo+m)*p.k]
				for _, g := range y[:m] {
					for j, v := range z[:p.k] {
						total[j] += g * v
					}
					z = z[p.k:]
				}
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	total := make([]float64, length)
	for i, v := range totals {
		total[i%length] += v / float64(p.n)
	}
	next := total[:p.k]
	for j, v := range w {
		next[j] -= total[p.k] * v
	}
	return next, nil
}

// gaps returns E G(w^T z) - E G(v) of each row of W.
func (p *problem) gaps(w []float64) []float64 {
	rows := len(w) / p.k
	if p.fourth != nil {
		total, err := p.fourths(context.Background(), w)
		if err != nil { // there is none: the moments are known
			return nil
		}
		for i, v := range total {
			total[i] = v/4 - gaussian[Cube]
		}
		return total
	}
	total, err := p.sums(context.Background(), w, rows, func(y, room, _ []float64, _ int, total []float64) {
		if p.contrast == LogCosh {
			addLogCosh(y, room, total)
			return
		}
		for i, v := range y {
			total[i%rows] += p.contrast.G(v)
		}
	})
	if err != nil { // the context is never done
		return nil
	}
	for i := range total {
		total[i] -= gaussian[p.contrast]
	}
	return total
}

// flat is the length of a step below which the contrast does not say where to go.
const flat = 1e-10

// symmetric turns all rows at once.
func (p *problem) symmetric(ctx context.Context, w []float64, o Options) (result, error) {
	for it := 1; ; it++ {
		next, err := p.step(ctx, w)
		if err != nil {
			return result{}, err
		}
		stuck := false
		for i := range p.k {
			if row := next[i*p.k : (i+1)*p.k]; dot(row, row) <= flat*flat {
				copy(row, w[i*p.k:(i+1)*p.k])
				stuck = true
			}
		}
		if good, err := independent(ctx, next, p.k); err != nil {
			return result{}, err
		} else if !good { // two rows went for the same component; where they were is the best there is
			return p.ended(w, it, false), nil
		}
		if next, err = decorrelate(ctx, next, p.k); err != nil {
			return result{}, err
		}
		moved := 0.0
		for i := range p.k {
			moved = max(moved, move(w[i*p.k:(i+1)*p.k], next[i*p.k:(i+1)*p.k]))
		}
		w = next
		if moved <= o.Tol || it == o.MaxIter {
			return p.ended(w, it, moved <= o.Tol && !stuck), nil
		}
	}
}

func (p *problem) ended(w []float64, it int, converged bool) result {
	steps := make([]int, p.k)
	for i := range steps {
		steps[i] = it
	}
	return result{w, steps, converged}
}

// deflation finds one row after the other.
func (p *problem) deflation(ctx context.Context, start []float64, o Options, draw *rand.Rand) (result, error) {
	r := result{steps: make([]int, p.k), converged: true}
	for i := range p.k {
		w := slices.Clone(start[i*p.k : (i+1)*p.k])
		for !without(w, r.w) { // the start lies in the space of those found
			for j := range w {
				w[j] = draw.NormFloat64()
			}
		}
		for it := 1; ; it++ {
			next, err := p.one(ctx, w)
			if err != nil {
				return result{}, err
			}
			stuck := !without(next, r.w)
			if stuck {
				next = w
			}
			moved := move(w, next)
			w = next
			if r.steps[i] = it; moved <= o.Tol || it == o.MaxIter {
				r.converged = r.converged && moved <= o.Tol && (!stuck || i == p.k-1)
				break
			}
		}
		r.w = append(r.w, w...)
	}
	return r, nil
}

// infomax follows the natural gradient of the likelihood.
func (p *problem) infomax(ctx context.Context, w []float64, o Options) (result, error) {
	const rate = 0.3
	for it := 1; ; it++ {
		k := p.k
		total, err := p.sums(ctx, w, k*k+k, func(y, room, _ []float64, m int, total []float64) {
			t := slices.Clone(y)
			LogCosh.slopes(t, room, total[k*k:])
			tile.Dense(total[:k*k], k, k, k).AddProduct(1, tile.Dense(t, m, k, k).T(), tile.Dense(y, m, k, k))
		})
		if err != nil {
			return result{}, err
		}
		square, gradient, moved := gram(w, k), make([]float64, k*k), 0.0 // E[y y^T] = W W^T, for z is white
		for i := range k {
			sign := 1.0
			if total[k*k+i]*square[i*k+i] < total[i*k+i] {
				sign = -1
			}
			for j := range k {
				v := -sign*total[i*k+j] - square[i*k+j]
				if i == j {
					v++
				}
				gradient[i*k+j] = rate * v
				moved = max(moved, math.Abs(v))
			}
		}
		for i, v := range product(gradient, w, k) {
			w[i] += v
		}
		if moved <= o.Tol || it == o.MaxIter {
			return p.ended(w, it, moved <= o.Tol), nil
		}
	}
}

// unit gives w the length 1, and reports whether it had one.
func unit(w []float64) bool {
	length := math.Sqrt(dot(w, w))
	if !(length > flat) {
		return false
	}
	for i := range w {
		w[i] /= length
	}
	return true
}

// without takes away from w what lies along the orthonormal rows, twice for the digits' sake, and gives the rest the length 1. It reports
// whether there was a rest.
func without(w, rows []float64) bool {
	k := len(w)
	before := math.Sqrt(dot(w, w))
	for range 2 {
		for lo := 0; lo < len(rows); lo += k {
			along := dot(w, rows[lo:lo+k])
			for j, v := range rows[lo : lo+k] {
				w[j] -= along * v
			}
		}
	}
	return math.Sqrt(dot(w, w)) > 1e-8*before && unit(w)
}

// move returns the length of the way from w to next, or to -next: a sign is no move.
func move(w, next []float64) float64 {
	sign := math.Copysign(1, dot(w, next))
	s := 0.0
	for i, v := range w {
		s += (v - sign*next[i]) * (v - sign*next[i])
	}
	return math.Sqrt(s)
}
