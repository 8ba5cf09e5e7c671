package svm

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/kernel"
)

// A Model is a fitted support vector machine for K >= 2 classes. It is immutable and safe for concurrent use.
type Model struct {
	state
	rows    *kernel.Rows // of the support vectors; nil with a linear or a precomputed kernel
	weights [][]float64  // w of each machine, linear kernel only
	support [][]int      // places of each machine's support vectors in Rows
	coef    [][]float64  // their alpha_i y_i
}

// state is what MarshalBinary stores.
type state struct {
	Kernel      kernel.Kernel
	Slack       Slack
	C           float64
	NoBias      bool
	Probability bool
	D, K, N     int
	Absent      []int // rows of weight zero
	Rows        []int // training rows that are a support vector of some machine, ascending
	SV          []float64
	Machines    []Machine
}

func newModel(X *mat.Dense, classes int, machines []Machine, o *Options) *Model {
	n, d := X.Dims()
	s := state{Kernel: o.Kernel, Slack: o.Slack, C: o.C, NoBias: o.NoBias, Probability: o.Probability, D: d, K: classes, N: n, Machines: machines}
	for i, w := range o.Weights {
		if w == 0 {
			s.Absent = append(s.Absent, i)
		}
	}
	used, count := make([]bool, n), 0
	for i := range machines {
		for k, r := range machines[i].Rows {
			if machines[i].Alpha[k] > 0 && !used[r] {
				used[r] = true
				count++
			}
		}
	}
	s.Rows = make([]int, 0, count)
	for r, support := range used {
		if support {
			s.Rows = append(s.Rows, r)
		}
	}
	if _, ok := o.Kernel.(kernel.Precomputed); !ok && count > 0 {
		s.SV = make([]float64, 0, count*d)
		for _, r := range s.Rows {
			s.SV = append(s.SV, X.RawRowView(r)...)
		}
	}
	m := &Model{state: s}
	m.prepare()
	return m
}

// prepare derives what predictions need from the state.
func (m *Model) prepare() error {
	place := make([]int32, m.N) // of a training row among the support vectors
	for t, r := range m.Rows {
		place[r] = int32(t)
	}
	_, linear := m.Kernel.(kernel.Linear)
	for i := range m.Machines {
		machine := &m.Machines[i]
		places, coef := machine.coefficients()
		var w []float64
		if linear {
			w = make([]float64, m.D)
		}
		for k, p := range places {
			places[k] = int(place[machine.Rows[p]])
			if linear {
				for j, v := range m.SV[places[k]*m.D : (places[k]+1)*m.D] {
					w[j] += coef[k] * v
				}
			}
		}
		m.support, m.coef = append(m.support, places), append(m.coef, coef)
		if linear {
			m.weights = append(m.weights, w)
		}
	}
	if linear || m.SV == nil {
		return nil
	}
	var err error
	m.rows, err = kernel.NewRows(m.Kernel, mat.NewDense(len(m.Rows), m.D, m.SV), nil)
	return err
}

// Dim returns d, or n for a precomputed kernel.
func (m *Model) Dim() int { return m.D }

// Classes returns K.
func (m *Model) Classes() int { return m.K }

// Pairs returns copies of the K(K-1)/2 machines in the order (0,1), (0,2), ..., (1,2), ...
func (m *Model) Pairs() []Machine {
	pairs := slices.Clone(m.Machines)
	for i := range pairs {
		p := &pairs[i]
		p.Rows, p.Labels = slices.Clone(p.Rows), slices.Clone(p.Labels)
		p.Alpha, p.Upper, p.Margins = slices.Clone(p.Alpha), slices.Clone(p.Upper), slices.Clone(p.Margins)
	}
	return pairs
}

// String returns "svm: RBF(gamma=0.5), linear slack, C = 10, 2 classes, 12 of 100 rows are support vectors".
func (m *Model) String() string {
	price := fmt.Sprintf(", C = %g", m.C)
	if m.Slack == HardMargin {
		price = ""
	}
	return fmt.Sprintf("svm: %s, %s%s, %d classes, %d of %d rows are support vectors", m.Kernel, m.Slack, price, m.K, len(m.Rows), m.N)
}

// SupportRows returns the rows of the training X that are support vectors of some machine, ascending.
func (m *Model) SupportRows() []int { return slices.Clone(m.Rows) }

// SupportVectors returns them as a matrix (rows x d); nil with a precomputed kernel.
func (m *Model) SupportVectors() *mat.Dense {
	if m.SV == nil {
		return nil
	}
	return mat.NewDense(len(m.Rows), m.D, slices.Clone(m.SV))
}

// Alpha returns the dual variables of the first machine, one for each of the n training rows (0 for rows it was not trained on). With two
// classes that is the machine.
func (m *Model) Alpha() []float64 {
	alpha, first := make([]float64, m.N), m.first()
	for i, r := range first.Rows {
		alpha[r] = first.Alpha[i]
	}
	return alpha
}

// first returns the first machine, an empty one before a fit.
func (m *Model) first() *Machine {
	if len(m.Machines) == 0 {
		return &Machine{}
	}
	return &m.Machines[0]
}

// Bias returns b of the first machine.
func (m *Model) Bias() float64 { return m.first().B }

// Norm2 returns |w|^2 of the first machine.
func (m *Model) Norm2() float64 { return m.first().Norm2 }

// Margin returns 1/|w| of the first machine.
func (m *Model) Margin() float64 { return m.first().Margin() }

// Certificate returns the proof of optimality of the first machine.
func (m *Model) Certificate() Certificate { return m.first().Certificate }

// Weights returns w of each machine, which exists in input space for the linear kernel only; otherwise an error.
func (m *Model) Weights() ([][]float64, error) {
	if m.weights == nil {
		return nil, estimator.Argument("svm.Model.Weights", "Kernel", m.Kernel, "linear for w to lie in input space", "use the dual form, Decision")
	}
	out := make([][]float64, len(m.weights))
	for i, w := range m.weights {
		out[i] = slices.Clone(w)
	}
	return out, nil
}

// scratch returns room for one row of kernel values.
func (m *Model) scratch() []float64 { return make([]float64, len(m.Rows)) }

// decide writes f of every machine at the point z into dst.
func (m *Model) decide(dst, z, scratch []float64) {
	switch {
	case m.weights != nil:
		for i, w := range m.weights {
			f := m.Machines[i].B
			for j, v := range w {
				f += v * z[j]
			}
			dst[i] = f
		}
		return
	case m.rows != nil:
		m.rows.Row(scratch, z)
	default:
		for t, r := range m.Rows {
			scratch[t] = z[r]
		}
	}
	for i := range m.Machines {
		f := m.Machines[i].B
		coef := m.coef[i]
		for k, t := range m.support[i] {
			f += coef[k] * scratch[t]
		}
		dst[i] = f
	}
}

// PairDecision returns the n x K(K-1)/2 matrix of decision values f(x) of all machines, in the order of Pairs.
func (m *Model) PairDecision(X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth("svm.Model.PairDecision", X, m.D); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	F := mat.NewDense(n, len(m.Machines), nil)
	m.each(X, func(i int, f, _ []float64) { copy(F.RawRowView(i), f) })
	return F, nil
}

// each calls visit for all rows of X, on several goroutines when there is work for them, with the decision values f of all machines and room for
// 2 K numbers. Both belong to visit until it returns.
func (m *Model) each(X mat.Matrix, visit func(i int, f, scores []float64)) {
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	workers := min(runtime.GOMAXPROCS(0), (n*len(m.Rows)*(m.D+20))>>18+1, n)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			scratch, f, scores := m.scratch(), make([]float64, len(m.Machines)), make([]float64, 2*m.K)
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				m.decide(f, dense.RawRowView(i), scratch)
				visit(i, f, scores)
			}
		})
	}
	wait.Wait()
}

// Value returns f(x) of the first machine, for drawing. It returns NaN when x has the wrong length.
func (m *Model) Value(x ...float64) float64 {
	if len(x) != m.D {
		return math.NaN()
	}
	f := make([]float64, len(m.Machines))
	m.decide(f, x, m.scratch())
	return f[0]
}

// Class returns the class of one point, -1 when x has the wrong length.
func (m *Model) Class(x ...float64) int {
	if len(x) != m.D {
		return -1
	}
	f := make([]float64, len(m.Machines))
	m.decide(f, x, m.scratch())
	return m.vote(f, make([]float64, 2*m.K))
}

// vote fills the first K of the 2 K scores with votes plus a share below 1/2 from the sum of the decision values, which breaks ties, and returns
// the best class.
func (m *Model) vote(f, scores []float64) int {
	if m.K == 2 {
		if f[0] > 0 {
			return 1
		}
		return 0
	}
	clear(scores)
	scores, sums := scores[:m.K], scores[m.K:]
	for i, v := range f {
		a, b := m.Machines[i].Negative, m.Machines[i].Positive
		if v > 0 {
			scores[b]++
		} else {
			scores[a]++
		}
		sums[a] -= v
		sums[b] += v
	}
	best := 0
	for c, s := range sums {
		scores[c] += s / (3 * (math.Abs(s) + 1))
		if scores[c] > scores[best] {
			best = c
		}
	}
	return best
}

// Decision returns n x 1 decision values f(x) for two classes, positive for class 1. For more it returns n x K scores: the votes of the
// machines plus s/(3(|s|+1)), s the sum of the class's decision values, which decides between classes with equal votes.
func (m *Model) Decision(X mat.Matrix) (*mat.Dense, error) {
	if m.K == 2 {
		F, err := m.PairDecision(X)
		return F, estimator.In("svm.Model.Decision", err)
	}
	if err := estimator.CheckWidth("svm.Model.Decision", X, m.D); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	S := mat.NewDense(n, m.K, nil)
	m.each(X, func(i int, f, scores []float64) {
		m.vote(f, scores)
		copy(S.RawRowView(i), scores)
	})
	return S, nil
}

// Predict returns the class of each row: the sign of f for two classes (f = 0 goes to class 0), otherwise the largest score of Decision.
func (m *Model) Predict(X mat.Matrix) ([]int, error) {
	if err := estimator.CheckWidth("svm.Model.Predict", X, m.D); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	classes := make([]int, n)
	m.each(X, func(i int, f, scores []float64) { classes[i] = m.vote(f, scores) })
	return classes, nil
}

// Proba returns the n x K matrix of class probabilities: Platt's sigmoid, and pairwise coupling for more than two classes. It needs a fit with
// Options.Probability. The most probable class need not be the predicted one.
func (m *Model) Proba(X mat.Matrix) (*mat.Dense, error) {
	if m.D > 0 && !m.Probability {
		return nil, estimator.Argument("svm.Model.Proba", "model", "fitted without probabilities", "fitted with Options.Probability", "fit again with Probability: true; it costs five more fits")
	}
	F, err := m.PairDecision(X)
	if err != nil {
		return nil, estimator.In("svm.Model.Proba", err)
	}
	n, _ := F.Dims()
	P := mat.NewDense(n, m.K, nil)
	r := make([][]float64, m.K)
	for i := range r {
		r[i] = make([]float64, m.K)
	}
	for i := range n {
		for k, f := range F.RawRowView(i) {
			machine := &m.Machines[k]
			p := logistic(machine.PlattA*f + machine.PlattB)
			if m.K > 2 { // coupling divides by the pairwise probabilities
				p = min(max(p, 1e-7), 1-1e-7)
			}
			r[machine.Positive][machine.Negative], r[machine.Negative][machine.Positive] = p, 1-p
		}
		if m.K == 2 {
			P.SetRow(i, []float64{r[0][1], r[1][0]})
			continue
		}
		P.SetRow(i, Couple(r))
	}
	return P, nil
}

const modelVersion = 1

// MarshalBinary stores the model. A kernel made by kernel.Func cannot be stored.
func (m *Model) MarshalBinary() ([]byte, error) {
	return estimator.Encode("svm.Model", modelVersion, &m.state)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	var s state
	if err := estimator.Decode(data, "svm.Model", modelVersion, &s); err != nil {
		return err
	}
	if err := s.valid(); err != nil {
		return err
	}
	next := Model{state: s}
	if err := next.prepare(); err != nil {
		return fmt.Errorf("svm.Model: decode: %w", err)
	}
	*m = next
	return nil
}

// valid guards against a damaged file that still decodes.
func (s *state) valid() error {
	bad := s.D < 1 || s.K < 2 || s.K > len(s.Machines)+1 || len(s.Machines) != s.K*(s.K-1)/2
	known := map[int]bool{}
	for _, r := range s.Rows {
		bad = bad || r < 0 || r >= s.N
		known[r] = true
	}
	rows := 0
	for i := range s.Machines {
		m := &s.Machines[i]
		n := len(m.Rows)
		rows += n
		bad = bad || m.Negative < 0 || m.Positive <= m.Negative || m.Positive >= s.K
		if len(m.Alpha) != n || len(m.Upper) != n || len(m.Margins) != n || len(m.Labels) != n {
			bad = true
			break
		}
		for j, a := range m.Alpha {
			bad = bad || m.Rows[j] < 0 || m.Rows[j] >= s.N || (a > 0 && !known[m.Rows[j]])
		}
	}
	bad = bad || s.N > rows+len(s.Absent) // every other row trains some machine
	if _, precomputed := s.Kernel.(kernel.Precomputed); precomputed {
		bad = bad || s.SV != nil || s.D != s.N
	} else {
		bad = bad || !estimator.Fits(len(s.SV), len(s.Rows), s.D)
	}
	if bad {
		return fmt.Errorf("svm.Model: decode: the data is damaged; fit the model again")
	}
	if err := kernel.Check("svm.Model", s.Kernel); err != nil {
		return fmt.Errorf("svm.Model: decode: %w", err)
	}
	return nil
}
