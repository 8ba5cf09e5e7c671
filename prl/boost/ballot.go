package boost

import "gonum.org/v1/gonum/mat"

// A ballot holds the votes of the rounds so far for n rows.
type ballot struct {
	k     int
	votes []float64 // F(x_i) of two classes, otherwise n x K sums of alpha
	total float64   // the sum of alpha
}

func newBallot(n, k int) *ballot {
	b := &ballot{k: k, votes: make([]float64, n)}
	if k > 2 {
		b.votes = make([]float64, n*k)
	}
	return b
}

// add adds a round that said these classes of the rows.
func (b *ballot) add(alpha float64, said []int) {
	b.total += alpha
	for i, c := range said {
		switch {
		case b.k == 2:
			b.votes[i] += alpha * sign(c)
		case uint(c) < uint(b.k):
			b.votes[i*b.k+c] += alpha
		}
	}
}

// margin returns y F(x) of row i of class c, and of more than two classes the votes for c beyond those for the best of the others.
func (b *ballot) margin(i, c int) float64 {
	if b.k == 2 {
		return b.votes[i] * sign(c)
	}
	votes := b.votes[i*b.k:][:b.k]
	other := 0.0 // a sum of positive alphas is no less
	for j, v := range votes {
		if j != c {
			other = max(other, v)
		}
	}
	return votes[c] - other
}

// exponent returns u for which exp(-u) is the loss of row i of class c: y F(x), and of more than two classes 2 (K-1)/K F_c(x).
func (b *ballot) exponent(i, c int) float64 {
	if b.k == 2 {
		return b.votes[i] * sign(c)
	}
	return 2 * (b.votes[i*b.k+c] - b.total/float64(b.k))
}

// error returns the weight d of the rows of no positive margin.
func (b *ballot) error(y []int, d []float64) float64 {
	wrong := 0.0
	for i, c := range y {
		if b.margin(i, c) <= 0 {
			wrong += d[i]
		}
	}
	return wrong
}

// said notes what round t, from 0, says of the rows of x.
func (m *Model) said(t int, x *mat.Dense, said []int) {
	h := m.state.Rounds[t].Hypothesis
	for i := range said {
		said[i] = h.Class(x.RawRowView(i)...)
	}
}
