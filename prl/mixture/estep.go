package mixture

import (
	"context"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/tile"
)

// prepare factors the covariances. It returns the first component whose covariance is not positive definite, or -1.
func (m *GMM) prepare() int {
	m.factors, m.logWeights, m.norm = make([]*gauss.Factor, m.k), make([]float64, m.k), make([]float64, m.k)
	for c, cov := range m.covs {
		var err error
		switch {
		case c > 0 && slices.Equal(cov, m.covs[c-1]):
			m.factors[c] = m.factors[c-1]
		case len(cov) == m.d:
			m.factors[c], err = gauss.NewDiagonal(cov)
		default:
			m.factors[c], err = gauss.NewFactor(cov, m.d)
		}
		if err != nil {
			return c
		}
		m.logWeights[c] = math.Log(m.weights[c])
		m.norm[c] = m.logWeights[c] - 0.5*(float64(m.d)*gauss.Log2Pi+m.factors[c].LogDet())
	}
	return -1
}

// mean returns mu_c.
func (m *GMM) mean(c int) []float64 { return m.means[c*m.d : (c+1)*m.d] }

// cov returns entry i, j of Sigma_c.
func (m *GMM) cov(c, i, j int) float64 {
	switch cov := m.covs[c]; {
	case len(cov) == m.d*m.d:
		return cov[i*m.d+j]
	case i == j:
		return cov[i]
	}
	return 0
}

// logJoint sets l to log(pi_k N(x; mu_k, Sigma_k)) of all components.
func (m *GMM) logJoint(l, x []float64) {
	for c, f := range m.factors {
		l[c] = m.logComponent(c, f.Distance2(x, m.mean(c)))
	}
}

// logComponent returns log(pi_c N(x; mu_c, Sigma_c)) where x has the squared Mahalanobis distance q to mu_c.
func (m *GMM) logComponent(c int, q float64) float64 {
	if q != q { // of coordinates beyond float64
		return math.Inf(-1)
	}
	return m.norm[c] - 0.5*q
}

// respond replaces l, the logarithms of logJoint, by the responsibilities of x, which are right at any distance from the means, and returns
// log p(x).
func (m *GMM) respond(l, x []float64) float64 {
	logDensity := gauss.LogSumExp(l)
	if gauss.Far(logDensity) {
		gauss.Relative(l, x, m.logWeights, cut(m.means, m.d), m.factors)
	}
	gauss.Softmax(l)
	return logDensity
}

// expect fills r (n x k, or nil) with responsibilities and returns the weighted log-likelihood. When the context ends it returns early.
func (m *GMM) expect(ctx context.Context, x []float64, n int, w, r []float64) float64 {
	return m.sum(ctx, n, func(e *evaluation, lo, hi int) (sum float64) {
		e.respond(x, lo, hi, r, func(i int, logDensity float64) { sum += weight(w, i) * logDensity })
		return sum
	})
}

// sum adds up what part returns for blocks of rows, in one order on every machine. Each goroutine has an evaluation of its own.
func (m *GMM) sum(ctx context.Context, n int, part func(e *evaluation, lo, hi int) float64) float64 {
	parts := make([]float64, (n+block-1)/block)
	each := make([]*evaluation, workers(n, m.density()))
	shared(n, len(each), func(g, b, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		if each[g] == nil {
			means := cut(m.means, m.d)
			most := min(n, gauss.Batch)
			each[g] = &evaluation{m: m, means: means, distances: gauss.Distances(means, m.factors, most), tops: make([]float64, most)}
		}
		parts[b] = part(each[g], lo, hi)
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
	if m.kind.full() {
		return k * (15 + 0.1*d*d)
	}
	return k * (15 + 0.5*d)
}

// An evaluation is what one goroutine needs to evaluate a mixture.
type evaluation struct {
	m         *GMM
	means     [][]float64
	distances func(to, x []float64, m int)
	tops, own []float64
}

// respond fills the rows lo ... hi-1 of r (n x k; nil for rows of its own) with responsibilities and calls use with the number of each and
// its log density. Densities are computed for many rows at once, by products of matrices.
func (e *evaluation) respond(x []float64, lo, hi int, r []float64, use func(i int, logDensity float64)) {
	k, d := e.m.k, e.m.d
	for ; lo < hi; lo += gauss.Batch {
		count := min(gauss.Batch, hi-lo)
		l := e.own
		if r != nil {
			l = r[lo*k:]
		} else if l == nil {
			e.own = make([]float64, len(e.tops)*k)
			l = e.own
		}
		l = l[:count*k]
		e.distances(l, x[lo*d:], count)
		for i := range count {
			row, top := l[i*k:(i+1)*k], math.Inf(-1)
			for c, q := range row {
				row[c] = e.m.norm[c] - 0.5*q
				top = max(top, row[c])
			}
			e.tops[i] = top
			if gauss.Far(top) {
				gauss.Relative(row, x[(lo+i)*d:(lo+i+1)*d], e.m.logWeights, e.means, e.m.factors)
				top = 0
			}
			for c := range row {
				row[c] -= top
			}
		}
		tile.Exp(l)
		for i := range count {
			row, sum := l[i*k:(i+1)*k], 0.0
			for _, v := range row {
				sum += v
			}
			inverse := 1 / sum
			for c := range row {
				row[c] *= inverse
			}
			use(lo+i, e.tops[i]+math.Log(sum))
		}
	}
}
