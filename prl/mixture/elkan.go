package mixture

import "math"

// An assigner sends each row to its nearest centre and remembers the assignment from round to round.
type assigner interface {
	assign(centres []float64) (changed bool)
	result() []int
}

// plainAssigner computes all distances.
type plainAssigner struct {
	x      []float64
	n, d   int
	labels []int
}

func (a *plainAssigner) result() []int { return a.labels }

func (a *plainAssigner) assign(centres []float64) bool {
	d, k := a.d, len(centres)/a.d
	moved := make([]bool, (a.n+block-1)/block)
	blocks(a.n, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.x[i*d : (i+1)*d]
			c := a.labels[i]
			best := math.Inf(1)
			if c >= 0 {
				best = squared(row, centres[c*d:(c+1)*d])
			}
			for j := range k {
				if s := squared(row, centres[j*d:(j+1)*d]); s < best {
					best, c = s, j
				}
			}
			if c != a.labels[i] {
				a.labels[i] = c
				moved[b] = true
			}
		}
	})
	return some(moved)
}

func some(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}

// elkan keeps an upper bound on each row's distance to its own centre and lower bounds on the distances to the others, and computes only
// distances that the bounds do not settle (C. Elkan 2003; the test with one lower bound for all other centres is G. Hamerly's, 2010).
//
// When centre j moves by m_j, all lower bounds to it fall by m_j. Instead of touching n K numbers in each round, the path length D_j that centre j
// has gone is kept, and a bound is stored as (distance + D_j at the time), so that it reads (stored - D_j now).
type elkan struct {
	x       []float64
	n, d, k int
	labels  []int
	upper   []float64 // n
	lower   []float64 // n: bound on the distance to the nearest other centre
	each    []float64 // n x k: stored bounds
	path    []float64 // k: D_j
	last    []float64 // centres of the round before; nil at first
}

func newElkan(x []float64, n, d, k int) *elkan {
	return &elkan{x: x, n: n, d: d, k: k, labels: unassigned(n), upper: make([]float64, n), lower: make([]float64, n), each: make([]float64, n*k), path: make([]float64, k)}
}

func (a *elkan) result() []int { return a.labels }

// slack widens bounds by more than rounding can have narrowed them.
const slack = 1e-12

func (a *elkan) assign(centres []float64) bool {
	d, k := a.d, a.k
	moved := make([]bool, (a.n+block-1)/block)
	if a.last == nil {
		a.last = append([]float64(nil), centres...)
		blocks(a.n, func(b, lo, hi int) {
			for i := lo; i < hi; i++ {
				row, bounds := a.x[i*d:(i+1)*d], a.each[i*k:(i+1)*k]
				first, second, c := math.Inf(1), math.Inf(1), 0
				for j := range bounds {
					s := squared(row, centres[j*d:(j+1)*d])
					if s < first {
						first, second, c = s, first, j
					} else if s < second {
						second = s
					}
					bounds[j] = math.Sqrt(s)
				}
				a.labels[i], a.upper[i], a.lower[i] = c, math.Sqrt(first), math.Sqrt(second)
				moved[b] = true
			}
		})
		return true
	}
	drift := make([]float64, k)
	scale := 0.0
	for j := range k {
		drift[j] = math.Sqrt(squared(centres[j*d:(j+1)*d], a.last[j*d:(j+1)*d]))
		a.path[j] += drift[j]
		scale = math.Max(scale, a.path[j])
	}
	copy(a.last, centres)
	most, second, leader := 0.0, 0.0, -1
	for j, v := range drift {
		if v > most {
			most, second, leader = v, most, j
		} else if v > second {
			second = v
		}
	}
	half := make([]float64, k) // half the distance to the nearest other centre
	for j := range k {
		near := math.Inf(1)
		for l := range k {
			if l != j {
				near = math.Min(near, squared(centres[j*d:(j+1)*d], centres[l*d:(l+1)*d]))
			}
		}
		half[j] = 0.5 * math.Sqrt(near)
	}
	blocks(a.n, func(b, lo, hi int) {
		for i := lo; i < hi; i++ {
			c := a.labels[i]
			u := a.upper[i] + drift[c]
			l := a.lower[i]
			if c == leader {
				l -= second
			} else {
				l -= most
			}
			a.upper[i], a.lower[i] = u, l
			margin := slack * (u + scale)
			need := math.Max(l, half[c]) - margin
			if u < need {
				continue
			}
			row := a.x[i*d : (i+1)*d]
			own := math.Sqrt(squared(row, centres[c*d:(c+1)*d]))
			bounds := a.each[i*k : (i+1)*k]
			bounds[c] = own + a.path[c]
			a.upper[i] = own
			if own < need {
				continue
			}
			best, bestSquared, others := own, own*own, math.Inf(1)
			from := c
			path := a.path[:len(bounds)]
			for j, stored := range bounds {
				if j == from {
					continue
				}
				bound := stored - path[j]
				if bound-margin > best {
					if bound < others {
						others = bound
					}
					continue
				}
				s := squared(row, centres[j*d:(j+1)*d])
				r := math.Sqrt(s)
				bounds[j] = r + path[j]
				if s < bestSquared && r < best {
					others = math.Min(others, best)
					best, bestSquared, c = r, s, j
				} else if r < others {
					others = r
				}
			}
			a.upper[i], a.lower[i] = best, others
			if c != from {
				a.labels[i] = c
				moved[b] = true
			}
		}
	})
	return some(moved)
}
