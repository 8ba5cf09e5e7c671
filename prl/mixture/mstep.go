package mixture

import (
	"context"
	"slices"

	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
)

// hold says which parameters the M-step leaves alone.
type hold struct{ weights, means, covariances bool }

// maximise returns the parameters that maximise the expected complete log-likelihood given responsibilities r (n x k):
//
//	N_k = sum_i w_i r_ik,  pi_k = N_k / sum_i w_i,  mu_k = sum_i w_i r_ik x_i / N_k,
//	Sigma_k = sum_i w_i r_ik (x_i - mu_k)(x_i - mu_k)^T / N_k + diag(reg.Add).
//
// Components are worked on side by side. It returns a *CollapseError for the first component that has no weight or no positive definite
// covariance.
func (m *GMM) maximise(ctx context.Context, x []float64, n int, w, r []float64, reg gauss.Ridge, h hold) (*GMM, error) {
	k, d := m.k, m.d
	next := &GMM{kind: m.kind, k: k, d: d, weights: slices.Clone(m.weights), means: slices.Clone(m.means), covs: m.covs}
	if !h.covariances {
		next.covs = make([][]float64, k)
	}
	mass := make([]float64, k)
	ns := float64(n*k) * (5 + float64(d) + 0.1*float64(d*d))
	workers := share.Workers(k, ns)
	squares := make([]*gauss.Moments, workers)
	share.Turns(workers, k, func(g, c int) {
		sum := make([]float64, d)
		each(ctx, n, w, r[c:], k, func(i int, u float64) {
			mass[c] += u
			for j, v := range x[i*d : (i+1)*d] {
				sum[j] += u * v
			}
		})
		if !(mass[c] > 0) {
			return
		}
		mean := next.mean(c)
		if !h.means {
			for j, v := range sum {
				mean[j] = v / mass[c]
			}
		}
		if h.covariances {
			return
		}
		if !m.kind.full() {
			next.covs[c] = sum
			clear(sum)
			each(ctx, n, w, r[c:], k, func(i int, u float64) {
				for j, v := range x[i*d : (i+1)*d] {
					v -= mean[j]
					sum[j] += u * v * v
				}
			})
			return
		}
		if squares[g] == nil {
			squares[g] = gauss.NewMoments(d, false)
		}
		next.covs[c] = scatter(ctx, squares[g], x, n, w, r[c:], k, mean)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := 0.0
	for c, v := range mass {
		if !(v > 0) {
			return nil, &CollapseError{Component: c, Empty: true}
		}
		all += v
	}
	if !h.weights {
		for c, v := range mass {
			next.weights[c] = v / all
		}
	}
	if !h.covariances {
		next.divide(mass, all, reg.Add)
	}
	if bad := next.prepare(); bad >= 0 {
		return nil, &CollapseError{Component: bad, Reg: reg.Share}
	}
	return next, nil
}

// negligible is the share of a row, exp(-40), that cannot change a sum in double precision.
const negligible = 4e-18

// each calls use with the rows of weight u = w_i r_i, r_i being every k-th number of r, but not with those of a negligible share.
func each(ctx context.Context, n int, w, r []float64, k int, use func(i int, u float64)) {
	for i := range n {
		if i%block == 0 && ctx.Err() != nil {
			return
		}
		u := r[i*k]
		if u < negligible {
			continue
		}
		if w != nil {
			u *= w[i]
		}
		if u > 0 {
			use(i, u)
		}
	}
}

// scatter returns sum_i u_i (x_i - mean)(x_i - mean)^T, d x d.
func scatter(ctx context.Context, squares *gauss.Moments, x []float64, n int, w, r []float64, k int, mean []float64) []float64 {
	d := len(mean)
	squares.Clear()
	each(ctx, n, w, r, k, func(i int, u float64) { squares.Add(u, x[i*d:(i+1)*d], mean) })
	squares.Sum()
	s := make([]float64, d*d)
	for a := range d {
		for b := a; b < d; b++ {
			v := squares.Square(a, b)
			s[a*d+b], s[b*d+a] = v, v
		}
	}
	return s
}

// divide makes covariances of the kind of m of the scatters in covs: each divided by the weight of its component, pooled and divided by all
// weight, or averaged over the features; with reg, of a column each, added to the variances.
func (m *GMM) divide(mass []float64, all float64, reg []float64) {
	step := 1 // from one variance to the next
	if m.kind.full() {
		step = m.d + 1
	}
	if m.kind == Tied {
		for c := 1; c < m.k; c++ {
			for i, v := range m.covs[c] {
				m.covs[0][i] += v
			}
			m.covs[c] = m.covs[0]
		}
		mass = []float64{all} // one matrix
	}
	for c, v := range mass {
		cov := m.covs[c]
		for i := range cov {
			cov[i] /= v
		}
		if m.kind == Spherical {
			mean := 0.0
			for i, u := range cov {
				mean += u + reg[i]
			}
			for i := range cov {
				cov[i] = mean / float64(m.d)
			}
			continue
		}
		for j, u := range reg {
			cov[j*step] += u
		}
	}
}
