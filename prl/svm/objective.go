package svm

import (
	"math"
	"sort"
)

// primal returns the primal objective at the decision values f and squared norm of w, and whether the point is feasible. The slacks are the
// smallest that are allowed. For the hard margin (w, b) is first brought to canonical form, so that any separating (w, b) has a value.
func (p *problem) primal(slack Slack, f []float64, norm2 float64) float64 {
	switch slack {
	case HardMargin:
		m := math.Inf(1)
		for i, y := range p.y {
			m = math.Min(m, y*f[i])
		}
		if m <= 0 {
			return math.Inf(1)
		}
		return norm2 / 2 / (m * m)
	case QuadraticSlack:
		sum := 0.0
		for i, y := range p.y {
			xi := math.Max(0, 1-y*f[i])
			sum += xi * xi / p.ridge[i]
		}
		return norm2/2 + sum/2
	}
	sum := 0.0
	for i, y := range p.y {
		sum += (p.upper[i] - p.lower[i]) * math.Max(0, 1-y*f[i])
	}
	return norm2/2 + sum
}

// outputs writes <w, phi(x_i)> for all points into g, with the ridge taken out, and returns |w|^2.
func (p *problem) outputs(g []float64, s *solution) (norm2 float64) {
	for i, b := range s.beta {
		g[i] = p.y[i] - s.e[i]
		if p.ridge != nil {
			g[i] -= p.ridge[i] * b
		}
		norm2 += b * g[i]
	}
	return math.Max(0, norm2)
}

// dualOf returns sum alpha - 1/2 (|w|^2 + sum ridge alpha^2).
func (p *problem) dualOf(s *solution) float64 {
	sum := 0.0
	for i, b := range s.beta {
		sum += math.Abs(b) - b*(p.y[i]-s.e[i])/2
	}
	return sum
}

// biasOf returns b by the KKT conditions: e_i at every free support vector, hence their mean; without one, the middle of the interval that
// the points at bounds leave.
func (p *problem) biasOf(s *solution) float64 {
	if !p.bias {
		return 0
	}
	sum, free := 0.0, 0
	for i, b := range s.beta {
		if b > p.lower[i] && b < p.upper[i] {
			sum += s.e[i]
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (s.hi + s.lo) / 2
}

// bestBias returns the b that minimises the primal for given <w, phi(x_i)>: before convergence the KKT conditions give none. As a function
// of b the slack cost is convex and piecewise linear (or quadratic) with its joints at y_i - g_i.
func (p *problem) bestBias(slack Slack, g []float64) float64 {
	if !p.bias {
		return 0
	}
	n := len(g)
	joint, order := make([]float64, n), make([]int, n)
	for i := range joint {
		joint[i], order[i] = p.y[i]-g[i], i
	}
	if slack == HardMargin { // half way between the classes
		plus, minus := math.Inf(1), math.Inf(-1)
		for i, y := range p.y {
			if y > 0 {
				plus = math.Min(plus, g[i])
			} else {
				minus = math.Max(minus, g[i])
			}
		}
		return -(plus + minus) / 2
	}
	sort.Slice(order, func(a, b int) bool { return joint[order[a]] < joint[order[b]] })
	if slack == LinearSlack { // the slope starts at -sum of the positive prices and gains C_i at each joint
		slope := 0.0
		for i, y := range p.y {
			if y > 0 {
				slope -= p.upper[i] - p.lower[i]
			}
		}
		for k, i := range order {
			slope += p.upper[i] - p.lower[i]
			if math.Abs(slope) < 1e-12*(p.upper[i]-p.lower[i]) && k+1 < n {
				return (joint[i] + joint[order[k+1]]) / 2
			}
			if slope > 0 {
				return joint[i]
			}
		}
		return joint[order[n-1]]
	}
	// Quadratic slack: between joints the cost is 1/2 sum c_i (b - joint_i)^2 over the positives above and the negatives below.
	sum, weight := 0.0, 0.0
	for i, y := range p.y {
		if y > 0 {
			sum += joint[i] / p.ridge[i]
			weight += 1 / p.ridge[i]
		}
	}
	for k := 0; ; k++ {
		if weight > 0 && (k == n || sum/weight <= joint[order[k]]) {
			return sum / weight
		}
		if k == n {
			return joint[order[n-1]]
		}
		i := order[k]
		sum -= p.y[i] * joint[i] / p.ridge[i]
		weight -= p.y[i] / p.ridge[i]
		if math.Abs(weight) < 1e-12/p.ridge[i] {
			weight, sum = 0, 0
		}
	}
}
