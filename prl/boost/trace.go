package boost

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Trace follows a model round by round over a data set of n rows. Index t runs from 0 to T: index 0 is before the first round.
type Trace struct {
	Scores  [][]float64 // F_t(x_i), (T+1) x n; nil for more than two classes
	Weights [][]float64 // D_t+1(i), (T+1) x n: row 0 is D_1, row T the weights after the last round; each row sums to one
	Votes   [][]float64 // h_t(x_i) in {-1, 1}, T x n; nil for more than two classes
	// T+1 training errors, the weight of the rows with y_i F_t(x_i) <= 0, of more than two classes of those whose class is not alone the
	// first. A score of zero counts as an error, so the first is 1.
	Error []float64
	// T+1 exponential losses sum_i D_1(i) exp(-y_i F_t(x_i)), of more than two classes sum_i D_1(i) exp(-2 (K-1)/K F_t,y(x_i)); on the
	// training set the product of Z_1 ... Z_t
	Loss []float64
}

// Trace runs the model over X (n x d) with labels y (0 ... K-1); weights are the sample weights, nil means ones. Rows need not be those of
// the fit.
func (m *Model) Trace(X mat.Matrix, y []int, weights []float64) (*Trace, error) {
	const name = "boost.Model.Trace"
	x, d, err := m.labelled(name, X, y, weights)
	if err != nil {
		return nil, err
	}
	n, T := len(y), m.Len()
	tr := &Trace{Weights: make([][]float64, T+1), Error: make([]float64, T+1), Loss: make([]float64, T+1)}
	two := m.Classes() == 2
	if two {
		tr.Scores, tr.Votes = make([][]float64, T+1), make([][]float64, T)
	}
	votes, said := newBallot(n, m.Classes()), make([]int, n)
	for t := 0; ; t++ {
		if two {
			tr.Scores[t] = slices.Clone(votes.votes)
		}
		w, logs := make([]float64, n), make([]float64, n)
		top := math.Inf(-1)
		for i, c := range y {
			u := votes.exponent(i, c)
			tr.Loss[t] += d[i] * math.Exp(-u)
			logs[i] = -u
			if d[i] > 0 {
				top = max(top, -u)
			}
		}
		tr.Error[t] = min(votes.error(y, d), 1)
		sum := 0.0
		for i := range w {
			w[i] = d[i] * math.Exp(logs[i]-top)
			sum += w[i]
		}
		for i := range w {
			w[i] /= sum
		}
		tr.Weights[t] = w
		if t == T {
			return tr, nil
		}
		m.said(t, x, said)
		votes.add(m.state.Rounds[t].Alpha, said)
		if two {
			tr.Votes[t] = make([]float64, n)
			for i, c := range said {
				tr.Votes[t][i] = sign(c)
			}
		}
	}
}

// Staged returns the error after each number of rounds 0 ... T on X (n x d) with labels y, as in Trace.Error, without keeping anything
// else.
func (m *Model) Staged(X mat.Matrix, y []int, weights []float64) ([]float64, error) {
	x, d, err := m.labelled("boost.Model.Staged", X, y, weights)
	if err != nil {
		return nil, err
	}
	votes, said, out := newBallot(len(y), m.Classes()), make([]int, len(y)), make([]float64, m.Len()+1)
	for t := range out {
		out[t] = min(votes.error(y, d), 1) // but for rounding
		if t < m.Len() {
			m.said(t, x, said)
			votes.add(m.state.Rounds[t].Alpha, said)
		}
	}
	return out, nil
}

func (m *Model) labelled(name string, X mat.Matrix, y []int, weights []float64) (*mat.Dense, []float64, error) {
	if err := checkData(name, X, m.state.D, m.state.Gaps, "y", len(y), weights); err != nil {
		return nil, nil, err
	}
	for i, c := range y {
		if c < 0 || c >= m.Classes() {
			return nil, nil, fault.Argument(name, fmt.Sprintf("y[%d]", i), c, oneOf(m.Classes()), "")
		}
	}
	d := make([]float64, len(y))
	weights = estimator.ScaleWeights(weights)
	for i := range d {
		d[i] = 1
		if weights != nil {
			d[i] = weights[i]
		}
	}
	total := 0.0
	for _, v := range d {
		total += v
	}
	for i := range d {
		d[i] /= total
	}
	return estimator.Dense(X), d, nil
}

// sign returns the +1 or -1 of the formulas for a class.
func sign(class int) float64 {
	if class == 1 {
		return 1
	}
	return -1
}
