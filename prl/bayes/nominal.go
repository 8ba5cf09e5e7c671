package bayes

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
)

// A Nominal is naive Bayes for features with finitely many values: log p(y) + sum_j log p(x_j|y), all estimated by counting.
type Nominal struct {
	logPriors []float64
	logProb   [][][]float64 // class, feature, value
}

// FitNominal counts p(y) = n_y/n and p(x_j = v|y) = (n_yjv + alpha)/(n_y + alpha V_j) from rows of values 0 ... V_j - 1, V_j being one more than
// the largest value of feature j. alpha = 0 is maximum likelihood, alpha = 1 is Laplace's rule of succession.
func FitNominal(rows [][]int, y []int, alpha float64) (*Nominal, error) {
	const f = "bayes.FitNominal"
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		return nil, estimator.Argument(f, "alpha", alpha, "a finite number of at least 0", "1 is Laplace's choice")
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, estimator.Argument(f, "rows", "empty", "at least one row with one value", "")
	}
	k, err := estimator.CheckLabels(f, y, len(rows))
	if err != nil {
		return nil, err
	}
	d := len(rows[0])
	values := make([]int, d)
	for i, r := range rows {
		if len(r) != d {
			return nil, estimator.Argument(f, fmt.Sprintf("row %d", i), fmt.Sprintf("%d values", len(r)), fmt.Sprintf("%d values like row 0", d), "")
		}
		for j, v := range r {
			if v < 0 || v > 1<<16 {
				return nil, estimator.Argument(f, fmt.Sprintf("rows[%d][%d]", i, j), v, "a value 0, 1, 2, ... up to 65536", "number the values without gaps")
			}
			values[j] = max(values[j], v+1)
		}
	}
	m := &Nominal{logPriors: make([]float64, k), logProb: make([][][]float64, k)}
	count := make([]float64, k)
	for c := range k {
		m.logProb[c] = make([][]float64, d)
		for j := range d {
			m.logProb[c][j] = make([]float64, values[j])
		}
	}
	for i, r := range rows {
		count[y[i]]++
		for j, v := range r {
			m.logProb[y[i]][j][v]++
		}
	}
	for c := range k {
		m.logPriors[c] = math.Log(count[c] / float64(len(rows)))
		for j := range d {
			for v, n := range m.logProb[c][j] {
				m.logProb[c][j][v] = math.Log((n + alpha) / (count[c] + alpha*float64(values[j])))
			}
		}
	}
	return m, nil
}

// LogJoint returns log p(y) + sum_j log p(x_j|y) for every class. It fails on a row of another length or with an unknown value.
func (m *Nominal) LogJoint(row ...int) ([]float64, error) {
	const f = "bayes.Nominal.LogJoint"
	if len(row) != len(m.logProb[0]) {
		return nil, estimator.Argument(f, "row", fmt.Sprintf("%d values", len(row)), fmt.Sprintf("%d values like the rows of the fit", len(m.logProb[0])), "")
	}
	a := append([]float64(nil), m.logPriors...)
	for c := range a {
		for j, v := range row {
			if v < 0 || v >= len(m.logProb[c][j]) {
				return nil, estimator.Argument(f, fmt.Sprintf("row[%d]", j), v, fmt.Sprintf("a value 0 ... %d seen in the fit", len(m.logProb[c][j])-1), "")
			}
			a[c] += m.logProb[c][j][v]
		}
	}
	return a, nil
}

// Posterior returns p(y|x). It fails like LogJoint, and when the row is impossible in every class (alpha above 0 prevents that).
func (m *Nominal) Posterior(row ...int) ([]float64, error) {
	a, err := m.LogJoint(row...)
	if err != nil {
		return nil, err
	}
	if math.IsInf(Softmax(a), -1) {
		return nil, estimator.Argument("bayes.Nominal.Posterior", "the row", "impossible in every class", "possible in some class", "fit with alpha = 1")
	}
	return a, nil
}
