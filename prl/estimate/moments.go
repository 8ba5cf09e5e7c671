package estimate

// Moments hold what a Normal needs to know of a stream of numbers: how many there were, their mean and the sum of their squared deviations.
// The zero value has seen nothing. Numbers far from zero lose no digits, as they do in sum x^2 - n mean^2.
//
// Source: B. P. Welford (1962), Note on a method for calculating corrected sums of squares and products.
type Moments struct {
	n             int
	mean, squares float64
}

// Add takes in one more number: mean' = mean + (x-mean)/n, squares' = squares + (x-mean)(x-mean').
func (m *Moments) Add(x float64) {
	m.n++
	shift := x - m.mean
	m.mean += shift / float64(m.n)
	m.squares += shift * (x - m.mean)
}

// Merge takes in all that another stream has seen.
func (m *Moments) Merge(other Moments) {
	if other.n == 0 {
		return
	}
	n, k := float64(m.n), float64(other.n)
	shift := other.mean - m.mean
	m.n += other.n
	m.mean += shift * k / (n + k)
	m.squares += other.squares + shift*shift*n*k/(n+k)
}

// N returns how many numbers were seen.
func (m *Moments) N() int { return m.n }

// Mean returns their mean, 0 of none.
func (m *Moments) Mean() float64 { return m.mean }

// Variance returns their mean squared deviation, with the divisor n; 0 of none.
func (m *Moments) Variance() float64 {
	if m.n == 0 {
		return 0
	}
	return m.squares / float64(m.n)
}
