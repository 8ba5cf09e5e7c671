package mixture

import (
	"math"

	"github.com/prlab/prlab/prl/internal/share"
)

// hold says which parameters the M-step leaves alone.
type hold struct{ weights, means, covariances bool }

// maximise returns the parameters that maximise the expected complete log-likelihood given responsibilities r (n x k):
//
//	N_k = sum_i w_i r_ik,  pi_k = N_k / sum_i w_i,  mu_k = sum_i w_i r_ik x_i / N_k,
//	Sigma_k = sum_i w_i r_ik (x_i - mu_k)(x_i - mu_k)^T / N_k + reg I.
//
// Components are worked on side by side. It returns the first component that has no weight or no positive definite covariance, or -1.
func (m *GMM) maximise(x []float64, n int, w, r []float64, reg float64, h hold) (*GMM, int) {
	k, d := m.k, m.d
	next := &GMM{kind: m.kind, k: k, d: d, weights: append([]float64(nil), m.weights...), means: append([]float64(nil), m.means...), covs: make([]float64, k*d*d)}
	mass := make([]float64, k)
	ns := float64(n*k) * (5 + float64(d) + 0.1*float64(d*d))
	share.Turns(share.Workers(k, ns), k, func(_, c int) {
		sum := make([]float64, d)
		total := 0.0
		for i := range n {
			u := r[i*k+c]
			if u == 0 {
				continue
			}
			if w != nil {
				u *= w[i]
			}
			total += u
			for j, v := range x[i*d : (i+1)*d] {
				sum[j] += u * v
			}
		}
		mass[c] = total
		if !(total > 0) {
			return
		}
		if !h.means {
			for j, v := range sum {
				next.means[c*d+j] = v / total
			}
		}
		if !h.covariances {
			m.scatter(next.covs[c*d*d:(c+1)*d*d], next.means[c*d:(c+1)*d], x, n, w, r, c)
		}
	})
	all := 0.0
	for c, v := range mass {
		if !(v > 0) {
			return nil, c
		}
		all += v
	}
	if !h.weights {
		for c, v := range mass {
			next.weights[c] = v / all
		}
	}
	if h.covariances {
		copy(next.covs, m.covs)
		next.prepare()
		return next, -1
	}
	switch m.kind {
	case Full, Diagonal:
		for c := range k {
			for i := range next.covs[c*d*d : (c+1)*d*d] {
				next.covs[c*d*d+i] /= mass[c]
			}
		}
	case Tied:
		pooled := make([]float64, d*d)
		for c := range k {
			for i := range pooled {
				pooled[i] += next.covs[c*d*d+i]
			}
		}
		for c := range k {
			for i, v := range pooled {
				next.covs[c*d*d+i] = v / all
			}
		}
	case Spherical:
		for c := range k {
			s := 0.0
			for j := range d {
				s += next.covs[(c*d+j)*d+j]
			}
			for j := range d {
				next.covs[(c*d+j)*d+j] = s / mass[c] / float64(d)
			}
		}
	}
	for c := range k {
		for j := range d {
			next.covs[(c*d+j)*d+j] += reg
		}
	}
	return next, next.prepare()
}

// scatter fills s (d x d) with sum_i w_i r_ic (x_i - mean)(x_i - mean)^T, or its diagonal. Rows are gathered eight at a time, so that each number
// of s is read and written once for them.
func (m *GMM) scatter(s, mean, x []float64, n int, w, r []float64, c int) {
	k, d := m.k, m.d
	if m.kind == Diagonal || m.kind == Spherical {
		diagonal := make([]float64, d)
		for i := range n {
			u := r[i*k+c]
			if u == 0 {
				continue
			}
			if w != nil {
				u *= w[i]
			}
			for j, v := range x[i*d : (i+1)*d] {
				v -= mean[j]
				diagonal[j] += u * v * v
			}
		}
		for j, v := range diagonal {
			s[j*d+j] = v
		}
		return
	}
	const rows = 8
	e := make([]float64, rows*d) // column by column: coordinate j of the eight rows stands together
	filled := 0
	flush := func() {
		for a := range d {
			p := e[a*rows : (a+1)*rows : (a+1)*rows]
			p0, p1, p2, p3, p4, p5, p6, p7 := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
			out := s[a*d : a*d+a+1]
			for b := range out {
				q := e[b*rows : (b+1)*rows : (b+1)*rows]
				out[b] += ((p0*q[0] + p1*q[1]) + (p2*q[2] + p3*q[3])) + ((p4*q[4] + p5*q[5]) + (p6*q[6] + p7*q[7]))
			}
		}
		clear(e)
		filled = 0
	}
	for i := range n {
		u := r[i*k+c]
		if u == 0 {
			continue
		}
		if w != nil {
			u *= w[i]
		}
		u = math.Sqrt(u)
		for j, v := range x[i*d : (i+1)*d] {
			e[j*rows+filled] = u * (v - mean[j])
		}
		if filled++; filled == rows {
			flush()
		}
	}
	flush()
	for a := range d {
		for b := range a {
			s[b*d+a] = s[a*d+b]
		}
	}
}
