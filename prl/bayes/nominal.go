package bayes

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Nominal is naive Bayes for features with finitely many values: log p(y) + sum_j log p(x_j|y), all estimated by counting.
type Nominal struct {
	logPriors []float64
	logProb   [][][]float64 // class, feature, value
	byValue   [][]float64   // feature, then value and class: what one value tells about all classes stands together
}

func newNominal(logPriors []float64, logProb [][][]float64) *Nominal {
	m := &Nominal{logPriors: logPriors, logProb: logProb, byValue: make([][]float64, len(logProb[0]))}
	k := len(logPriors)
	for j := range m.byValue {
		m.byValue[j] = make([]float64, len(logProb[0][j])*k)
		for c := range k {
			for v, l := range logProb[c][j] {
				m.byValue[j][v*k+c] = l
			}
		}
	}
	return m
}

// FitNominal counts p(y) = n_y/n and p(x_j = v|y) = (n_yjv + alpha)/(n_y + alpha V_j) from rows of values 0 ... V_j - 1, V_j being one more
// than the largest value of feature j. alpha = 0 is maximum likelihood, alpha = 1 is Laplace's rule of succession.
func FitNominal(rows [][]int, y []int, alpha float64) (*Nominal, error) {
	const f = "bayes.FitNominal"
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		return nil, fault.Argument(f, "alpha", alpha, "a finite number of at least 0", "1 is Laplace's choice")
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, fault.Argument(f, "rows", "empty", "at least one row with one value", "")
	}
	k, err := estimator.CheckLabels(f, y, len(rows))
	if err != nil {
		return nil, err
	}
	d := len(rows[0])
	values := make([]int, d)
	for i, r := range rows {
		if len(r) != d {
			return nil, fault.Argument(f, fmt.Sprintf("row %d", i), fmt.Sprintf("%d values", len(r)), fmt.Sprintf("%d values like row 0", d), "")
		}
		for j, v := range r {
			if v < 0 || v > 1<<16 {
				return nil, fault.Argument(
					f,
					fmt.Sprintf("rows[%d][%d]", i, j),
					v,
					"a value 0, 1, 2, ... up to 65536",
					"number the values without gaps",
				)
			}
			values[j] = max(values[j], v+1)
		}
	}
	logPriors, logProb := make([]float64, k), make([][][]float64, k)
	count := make([]float64, k)
	for c := range k {
		logProb[c] = make([][]float64, d)
		for j := range d {
			logProb[c][j] = make([]float64, values[j])
		}
	}
	for i, r := range rows {
		count[y[i]]++
		for j, v := range r {
			logProb[y[i]][j][v]++
		}
	}
	for c := range k {
		logPriors[c] = math.Log(count[c] / float64(len(rows)))
		for j := range d {
			for v, n := range logProb[c][j] {
				logProb[c][j][v] = math.Log((n + alpha) / (count[c] + alpha*float64(values[j])))
			}
		}
	}
	return newNominal(logPriors, logProb), nil
}

// Classes returns K.
func (m *Nominal) Classes() int { return len(m.logPriors) }

// Features returns the number of features.
func (m *Nominal) Features() int {
	if len(m.logProb) == 0 {
		return 0
	}
	return len(m.logProb[0])
}

// String returns "nominal naive Bayes with 2 classes and 4 features".
func (m *Nominal) String() string {
	return fmt.Sprintf("nominal naive Bayes with %d classes and %d features", m.Classes(), m.Features())
}

// LogJoint returns log p(y) + sum_j log p(x_j|y) for every class. It fails on a row of another length or with an unknown value.
func (m *Nominal) LogJoint(row ...int) ([]float64, error) {
	const f = "bayes.Nominal.LogJoint"
	if len(m.logProb) == 0 {
		return nil, estimator.Unfitted(f)
	}
	if len(row) != len(m.logProb[0]) {
		return nil, fault.Argument(
			f,
			"row",
			fmt.Sprintf("%d values", len(row)),
			fmt.Sprintf("%d values like the rows of the fit", len(m.logProb[0])),
			"",
		)
	}
	a := make([]float64, len(m.logPriors))
	if err := m.joint(f, a, row); err != nil {
		return nil, err
	}
	return a, nil
}

// joint fills a with the logarithms of p(y) p(row|y).
func (m *Nominal) joint(function string, a []float64, row []int) error {
	k := len(a)
	copy(a, m.logPriors)
	for j, v := range row {
		values := m.byValue[j]
		if v < 0 || v >= len(values)/k {
			return fault.Argument(function, fmt.Sprintf("row[%d]", j), v, fmt.Sprintf("a value 0 ... %d seen in the fit", len(values)/k-1), "")
		}
		for c, l := range values[v*k : (v+1)*k] {
			a[c] += l
		}
	}
	return nil
}

// Posterior returns p(y|x). It fails like LogJoint, and when the row is impossible in every class (alpha above 0 prevents that).
func (m *Nominal) Posterior(row ...int) ([]float64, error) {
	const f = "bayes.Nominal.Posterior"
	a, err := m.LogJoint(row...)
	if err != nil {
		return nil, fault.In(f, err)
	}
	if math.IsInf(Softmax(a), -1) {
		return nil, fault.Argument(f, "the row", "impossible in every class", "possible in some class", "fit with alpha = 1")
	}
	return a, nil
}

// Class returns the class of largest posterior (smallest number among ties). It fails like Posterior.
func (m *Nominal) Class(row ...int) (int, error) {
	p, err := m.Posterior(row...)
	if err != nil {
		return 0, fault.In("bayes.Nominal.Class", err)
	}
	return estimator.Argmax(p), nil
}

// Predict returns the class of largest posterior of each row. It fails like Posterior, naming the row.
func (m *Nominal) Predict(rows [][]int) ([]int, error) {
	const f = "bayes.Nominal.Predict"
	if len(m.logProb) == 0 {
		return nil, estimator.Unfitted(f)
	}
	y, a := make([]int, len(rows)), make([]float64, len(m.logPriors))
	for i, row := range rows {
		if len(row) != len(m.byValue) {
			return nil, fault.Argument(
				f,
				fmt.Sprintf("row %d", i),
				fmt.Sprintf("%d values", len(row)),
				fmt.Sprintf("%d values like the rows of the fit", len(m.byValue)),
				"",
			)
		}
		if err := m.joint(f, a, row); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		if y[i] = estimator.Argmax(a); math.IsInf(a[y[i]], -1) {
			return nil, fault.Argument(f, fmt.Sprintf("row %d", i), "impossible in every class", "possible in some class", "fit with alpha = 1")
		}
	}
	return y, nil
}

type nominalState struct {
	LogPriors []float64
	LogProb   [][][]float64
}

// MarshalBinary encodes the model with its layout version.
func (m *Nominal) MarshalBinary() ([]byte, error) {
	return estimator.Encode("bayes.Nominal", 1, nominalState{m.logPriors, m.logProb})
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (m *Nominal) UnmarshalBinary(data []byte) error {
	const f = "bayes.Nominal"
	var s nominalState
	if err := estimator.Decode(data, f, 1, &s); err != nil {
		return err
	}
	damaged := fmt.Errorf("%s: decode: the data is damaged", f)
	if len(s.LogPriors) < 2 || len(s.LogProb) != len(s.LogPriors) || len(s.LogProb[0]) == 0 || !logarithms(s.LogPriors) {
		return damaged
	}
	for _, class := range s.LogProb {
		if len(class) != len(s.LogProb[0]) {
			return damaged
		}
		for j, p := range class {
			if len(p) == 0 || len(p) != len(s.LogProb[0][j]) || !logarithms(p) {
				return damaged
			}
		}
	}
	*m = *newNominal(s.LogPriors, s.LogProb)
	return nil
}

// logarithms reports whether the numbers are logarithms of probabilities that sum to one.
func logarithms(l []float64) bool {
	sum := 0.0
	for _, v := range l {
		sum += math.Exp(v)
	}
	return math.Abs(sum-1) < 1e-9
}
