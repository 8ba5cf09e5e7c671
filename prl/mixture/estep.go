package mixture

import (
	"math"

	"github.com/prlab/prlab/prl/internal/tile"
)

// normal is a component made ready for evaluation: log(pi_k N(x; mu_k, Sigma_k)) = norm - ||U (x - mu_k)||^2 / 2 with U the inverse of the Cholesky
// factor, lower triangular. U is kept in strips of four rows, column by column, so that one coordinate of x meets four numbers in a row.
type normal struct {
	mean   []float64
	norm   float64
	strips [][]float64 // full and tied
	scale  []float64   // diagonal and spherical: one over the standard deviations
}

// prepare computes parts from the parameters. It returns the first component whose covariance is not positive definite, or -1.
func (m *GMM) prepare() int {
	d := m.d
	m.parts = make([]normal, m.k)
	for c := range m.parts {
		p := normal{mean: m.means[c*d : (c+1)*d], norm: math.Log(m.weights[c]) - 0.5*float64(d)*math.Log(2*math.Pi)}
		cov := m.covs[c*d*d : (c+1)*d*d]
		if m.kind == Diagonal || m.kind == Spherical {
			p.scale = make([]float64, d)
			for j := range d {
				v := cov[j*d+j]
				if !(v > 0) || math.IsInf(v, 0) || math.IsInf(1/v, 0) {
					return c
				}
				p.scale[j] = 1 / math.Sqrt(v)
				p.norm += math.Log(p.scale[j])
			}
		} else if c > 0 && m.kind == Tied {
			p.strips = m.parts[0].strips
			p.norm += m.parts[0].norm - math.Log(m.weights[0]) + 0.5*float64(d)*math.Log(2*math.Pi)
			if m.weights[0] == 0 { // log 0 cannot be taken away again
				p.norm = math.Log(m.weights[c]) - 0.5*float64(d)*math.Log(2*math.Pi) + logDiagonal(cov, d)
			}
		} else {
			lower, ok := cholesky(cov, d)
			if !ok {
				return c
			}
			inverse := invertLower(lower, d)
			for j := range d {
				p.norm += math.Log(inverse[j*d+j])
			}
			for r := 0; r < d; r += 4 {
				strip := make([]float64, 4*min(r+4, d))
				for col := range len(strip) / 4 {
					for i := 0; i < 4 && r+i < d; i++ {
						strip[4*col+i] = inverse[(r+i)*d+col]
					}
				}
				p.strips = append(p.strips, strip)
			}
		}
		m.parts[c] = p
	}
	return -1
}

// logDiagonal returns minus half the log determinant.
func logDiagonal(cov []float64, d int) float64 {
	lower, _ := cholesky(cov, d)
	s := 0.0
	for j := range d {
		s -= math.Log(lower[j*d+j])
	}
	return s
}

// cholesky returns the lower triangular factor of a d x d matrix, and false when it is not positive definite.
func cholesky(a []float64, d int) ([]float64, bool) {
	l := make([]float64, d*d)
	for i := range d {
		for j := 0; j <= i; j++ {
			v := a[i*d+j]
			for c := range j {
				v -= l[i*d+c] * l[j*d+c]
			}
			if i != j {
				l[i*d+j] = v / l[j*d+j]
				continue
			}
			// A pivot lost in rounding means a matrix without inverse, and so does one whose inverse overflows.
			if !(v > 1e-14*a[i*d+i]) || math.IsInf(v, 0) || math.IsInf(1/v, 0) {
				return nil, false
			}
			l[i*d+i] = math.Sqrt(v)
		}
	}
	return l, true
}

func invertLower(l []float64, d int) []float64 {
	out := make([]float64, d*d)
	for j := range d {
		out[j*d+j] = 1 / l[j*d+j]
		for i := j + 1; i < d; i++ {
			s := 0.0
			for c := j; c < i; c++ {
				s -= l[i*d+c] * out[c*d+j]
			}
			out[i*d+j] = s / l[i*d+i]
		}
	}
	return out
}

// logJoint returns log(pi_k N(x; mu_k, Sigma_k)); z is scratch of length d.
func (m *GMM) logJoint(k int, x, z []float64) float64 {
	return m.parts[k].eval(x, z, math.Inf(-1))
}

// eval returns the logarithm, or -Inf as soon as it is sure to lie below floor: the squared norm only grows.
func (p *normal) eval(x, z []float64, floor float64) float64 {
	limit := 2 * (p.norm - floor)
	q := 0.0
	mean := p.mean
	x, z = x[:len(mean)], z[:len(mean)]
	if p.scale != nil {
		scale := p.scale[:len(mean)]
		j := 0
		for ; j+3 < len(mean); j += 4 {
			u0, u1 := (x[j]-mean[j])*scale[j], (x[j+1]-mean[j+1])*scale[j+1]
			u2, u3 := (x[j+2]-mean[j+2])*scale[j+2], (x[j+3]-mean[j+3])*scale[j+3]
			q += (u0*u0 + u1*u1) + (u2*u2 + u3*u3)
			if q > limit {
				return math.Inf(-1)
			}
		}
		for ; j < len(mean); j++ {
			u := (x[j] - mean[j]) * scale[j]
			q += u * u
		}
		return p.norm - 0.5*q
	}
	done := 0
	for _, strip := range p.strips {
		end := len(strip) / 4
		for ; done < end; done++ {
			z[done] = x[done] - mean[done]
		}
		var y0, y1, y2, y3 float64
		for c, v := range z[:end] {
			u := strip[4*c : 4*c+4 : 4*c+4]
			y0 += u[0] * v
			y1 += u[1] * v
			y2 += u[2] * v
			y3 += u[3] * v
		}
		q += (y0*y0 + y1*y1) + (y2*y2 + y3*y3)
		if q > limit {
			return math.Inf(-1)
		}
	}
	return p.norm - 0.5*q
}

// negligible is a distance below the largest logarithm at which a term cannot change a sum in double precision (exp(-40) = 4e-18).
const negligible = 40.0

// expect fills r (n x k, or nil) with responsibilities and returns the weighted log-likelihood, in the rounds of a fit and where r is not wanted.
// guess, when not nil, holds the component to try first for each row, and gets the most responsible one: a good first guess lets most
// other components be dropped after a few coordinates. Terms that are negligible beside the largest seen so far count as zero.
func (m *GMM) expect(x []float64, n int, w []float64, r []float64, guess []int) float64 {
	k, d := m.k, m.d
	parts := make([]float64, (n+block-1)/block)
	blocks(n, m.density(), func(b, lo, hi int) {
		z := make([]float64, d)
		l := make([]float64, k)
		s := 0.0
		for i := lo; i < hi; i++ {
			row := x[i*d : (i+1)*d]
			if r != nil {
				l = r[i*k : (i+1)*k]
			}
			first := 0
			if guess != nil {
				first = guess[i]
			}
			top := m.parts[first].eval(row, z, math.Inf(-1))
			l[first] = top
			arg := first
			for c := range m.parts {
				if c == first {
					continue
				}
				v := m.parts[c].eval(row, z, top-negligible)
				l[c] = v
				if v > top {
					top, arg = v, c
				}
			}
			if guess != nil {
				guess[i] = arg
			}
			if math.IsInf(top, -1) {
				for c := range l {
					l[c] = 1 / float64(k)
				}
				s += weight(w, i) * top
				continue
			}
			sum := 0.0
			for c, v := range l {
				v -= top
				switch {
				case v == 0:
					v = 1
				case v < -negligible:
					v = 0
				default:
					v = math.Exp(v)
				}
				l[c] = v
				sum += v
			}
			if sum != 1 {
				top += math.Log(sum)
				inv := 1 / sum
				for c := range l {
					l[c] *= inv
				}
			}
			s += weight(w, i) * top
		}
		parts[b] = s
	})
	total := 0.0
	for _, v := range parts {
		total += v
	}
	return total
}

// density is about how many nanoseconds the densities of all components take for one row.
func (m *GMM) density() float64 {
	k, d := float64(m.k), float64(m.d)
	if m.kind == Full || m.kind == Tied {
		return k * (15 + 0.1*d*d)
	}
	return k * (15 + 0.5*d)
}

// posteriors fills r (n x k) with all responsibilities, the negligible ones too. Rows are worked on in batches.
func (m *GMM) posteriors(x []float64, n int, r []float64) {
	k, d := m.k, m.d
	white := make([]*tile.Columns, k)
	if m.kind == Full || m.kind == Tied {
		for c := range white {
			white[c] = m.parts[c].white()
		}
	}
	blocks(n, m.density(), func(_, lo, hi int) {
		centred, z := make([]float64, batch*d), make([]float64, batch*tile.Padded(d))
		for ; lo < hi; lo += batch {
			count := min(batch, hi-lo)
			rows, l := x[lo*d:(lo+count)*d], r[lo*k:(lo+count)*k]
			for c := range m.parts {
				if p := &m.parts[c]; white[c] != nil {
					p.whiten(l[c:], k, rows, count, white[c], centred, z)
				} else {
					for i := range count {
						l[i*k+c] = p.eval(rows[i*d:(i+1)*d], z, math.Inf(-1))
					}
				}
			}
			normalise(l, k)
		}
	})
}

// white returns U, column j being row j of it.
func (p *normal) white() *tile.Columns {
	d := len(p.mean)
	rows := make([]float64, d*d)
	for s, strip := range p.strips {
		for j := range min(4, d-4*s) {
			for c := range len(strip) / 4 {
				rows[(4*s+j)*d+c] = strip[4*c+j]
			}
		}
	}
	return tile.Transpose(rows, d, d)
}

// whiten sets dst[i step] to log(pi_k N(x_i; mu_k, Sigma_k)) for count <= batch rows of x; centred and z are room for a batch.
func (p *normal) whiten(dst []float64, step int, x []float64, count int, white *tile.Columns, centred, z []float64) {
	d, width := len(p.mean), white.Width()
	for i := range count {
		to := centred[i*d : (i+1)*d]
		for j, v := range x[i*d : (i+1)*d] {
			to[j] = v - p.mean[j]
		}
	}
	white.Product(z, centred, count)
	for i := range count {
		row := z[i*width : (i+1)*width] // zeros after the first d
		var q0, q1, q2, q3 float64
		for j := 0; j+3 < len(row); j += 4 {
			q0 += row[j] * row[j]
			q1 += row[j+1] * row[j+1]
			q2 += row[j+2] * row[j+2]
			q3 += row[j+3] * row[j+3]
		}
		dst[i*step] = p.norm - 0.5*((q0+q1)+(q2+q3))
	}
}

// normalise is softmax of each row of l, rows being k long.
func normalise(l []float64, k int) {
	for i := 0; i < len(l); i += k {
		row := l[i : i+k]
		top := math.Inf(-1)
		for _, v := range row {
			if v > top {
				top = v
			}
		}
		for c := range row {
			if math.IsInf(top, -1) { // no component reaches the point: nothing is known
				row[c] = 0
			} else {
				row[c] -= top
			}
		}
	}
	tile.Exp(l)
	for i := 0; i < len(l); i += k {
		row := l[i : i+k]
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		inverse := 1 / sum
		for c := range row {
			row[c] *= inverse
		}
	}
}
