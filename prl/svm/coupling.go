package svm

import "math"

// Couple turns the pairwise probabilities r[i][j] = P(i | i or j, x) of K classes into one distribution p, the minimiser of
// sum_{i != j} (r_ji p_i - r_ij p_j)^2 with sum p = 1, by the fixed-point iteration of the source. The result sums to one. A class that is
// sure against every other, r[j][i] = 0 for all j, has p_i = 1; several such share it. A matrix that is not square gives nil.
//
// Source: T.-F. Wu, C.-J. Lin and R. Weng (2004), Probability estimates for multi-class classification by pairwise coupling, algorithm 2.
func Couple(r [][]float64) []float64 {
	k := len(r)
	for _, row := range r {
		if len(row) != k {
			return nil
		}
	}
	Q := make([][]float64, k)
	p, Qp := make([]float64, k), make([]float64, k)
	for t := range k {
		p[t] = 1 / float64(k)
		Q[t] = make([]float64, k)
		for j := range k {
			if j != t {
				Q[t][t] += r[j][t] * r[j][t]
				Q[t][j] = -r[j][t] * r[t][j]
			}
		}
	}
	// The sum of squares vanishes where p sits on a class with Q[t][t] = 0, by which the iteration divides. 1e-30 is r = 1e-15, the
	// rounding of 1 - r.
	sure := 0.0
	for t := range k {
		if Q[t][t] < 1e-30 {
			sure++
		}
	}
	if sure > 0 {
		for t := range k {
			if p[t] = 0; Q[t][t] < 1e-30 {
				p[t] = 1 / sure
			}
		}
		return p
	}
	for range max(100, k) {
		pQp := 0.0
		for t := range k {
			Qp[t] = 0
			for j := range k {
				Qp[t] += Q[t][j] * p[j]
			}
			pQp += p[t] * Qp[t]
		}
		worst := 0.0
		for t := range k {
			worst = math.Max(worst, math.Abs(Qp[t]-pQp))
		}
		if worst < 1e-9/float64(k) {
			break
		}
		for t := range k {
			d := (pQp - Qp[t]) / Q[t][t]
			p[t] += d
			pQp = (pQp + d*(d*Q[t][t]+2*Qp[t])) / (1 + d) / (1 + d)
			for j := range k {
				Qp[j] = (Qp[j] + d*Q[t][j]) / (1 + d)
				p[j] /= 1 + d
			}
		}
	}
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for t := range p {
		p[t] /= sum
	}
	return p
}
