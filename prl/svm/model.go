package svm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/kernel"
)

// A Model is a fitted support vector machine for K >= 2 classes. It is immutable and safe for concurrent use.
type Model struct {
	estimator.Names
	state
	rows    *kernel.Rows // the support vectors; nil with a precomputed kernel
	weights [][]float64  // w of each machine, linear kernel only
}

// state is what MarshalBinary stores.
type state struct {
	Kernel       kernel.Kernel
	Slack        Slack
	C            float64
	ClassWeights []float64
	Weights      []float64
	NoBias       bool
	Probability  bool
	D, K, N      int
	Y            []int32   // classes of the training rows, absent for rows of weight zero
	Rows         []int     // training rows that are a support vector of some machine, ascending
	SV           []float64 // these rows, in storage only: Model.rows holds them
	Machines     []pair
	Names        estimator.Names // in storage only: Model.Names holds them
	Nu           float64
	Prices       []float64 // C of each machine, which a fit with Nu found; nil for a fit with C
}

// newModel takes the pairs, whose Support names rows of X, as its own.
func newModel(X *mat.Dense, y []int32, classes int, pairs []pair, o *Options) (*Model, error) {
	n, d := X.Dims()
	m := &Model{
		state: state{
			Kernel: o.Kernel, Slack: o.Slack, C: o.C, ClassWeights: slices.Clone(o.ClassWeights), Weights: slices.Clone(o.Weights),
			NoBias: o.NoBias, Probability: o.Probability, D: d, K: classes, N: n, Y: y, Machines: pairs, Nu: o.Nu,
		},
	}
	place, count := make([]int32, n), 0 // of a training row among the support vectors, plus one
	for i := range pairs {
		for _, r := range pairs[i].Support {
			if place[r] == 0 {
				place[r] = 1
				count++
			}
		}
	}
	m.Rows = make([]int, 0, count)
	for r := range place {
		if place[r] > 0 {
			m.Rows = append(m.Rows, r)
			place[r] = int32(len(m.Rows))
		}
	}
	for i := range pairs {
		for k, r := range pairs[i].Support {
			pairs[i].Support[k] = place[r] - 1
		}
	}
	return m, m.prepare(X, m.Rows)
}

// prepare derives what predictions need from the state and the support vectors, the rows of X named by index (nil for all).
func (m *Model) prepare(X *mat.Dense, index []int) (err error) {
	if _, ok := m.Kernel.(kernel.Precomputed); ok || len(m.Rows) == 0 {
		return nil
	}
	if m.rows, err = kernel.NewRows(m.Kernel, X, index, nil); err != nil {
		return err
	}
	if _, ok := m.Kernel.(kernel.Linear); !ok {
		return nil
	}
	x := make([]float64, m.D)
	for i := range m.Machines {
		w := make([]float64, m.D)
		for k, t := range m.Machines[i].Support {
			m.rows.Point(x, int(t))
			for j, v := range x {
				w[j] += m.Machines[i].Coef[k] * v
			}
		}
		m.weights = append(m.weights, w)
	}
	return nil
}

// Dim returns d, or n for a precomputed kernel.
func (m *Model) Dim() int { return m.D }

// Classes returns K.
func (m *Model) Classes() int { return m.K }

// Pairs returns the K(K-1)/2 machines in the order (0,1), (0,2), ..., (1,2), ...
func (m *Model) Pairs() []Machine {
	pairs := make([]Machine, len(m.Machines))
	for i := range pairs {
		pairs[i] = m.machine(i)
	}
	return pairs
}

// machine returns the machine of pair i, an empty one before a fit.
func (m *Model) machine(i int) Machine {
	if i >= len(m.Machines) {
		return Machine{}
	}
	p := &m.Machines[i]
	n := p.size(m.Y)
	out := Machine{
		Negative:    p.Negative,
		Positive:    p.Positive,
		Margins:     slices.Clone(p.Margins),
		B:           p.B,
		Norm2:       p.Norm2,
		Certificate: p.Certificate,
		PlattA:      p.PlattA,
		PlattB:      p.PlattB,
		Rows:        make([]int, 0, n),
		Alpha:       make([]float64, n),
		Upper:       make([]float64, n),
		Labels:      make([]int, n),
	}
	next := 0 // support vector
	for r, class := range m.Y {
		sign := p.sign(class)
		if sign == 0 {
			continue
		}
		k := len(out.Rows)
		out.Rows = append(out.Rows, r)
		out.Labels[k], out.Upper[k] = sign, math.Inf(1)
		if m.Slack == LinearSlack {
			out.Upper[k] = m.price(i, r, int(class))
		}
		if next < len(p.Support) && m.Rows[p.Support[next]] == r {
			out.Alpha[k] = math.Abs(p.Coef[next])
			next++
		}
	}
	return out
}

// price returns C_i of a row of the given class in a machine.
func (m *Model) price(machine, row, class int) float64 {
	o := Options{C: m.C, ClassWeights: m.ClassWeights, Weights: m.state.Weights}
	if m.Prices != nil {
		o.C = m.Prices[machine]
	}
	return o.price(row, class)
}

// Price returns the price of slack C of the first machine: that of Options, or what a fit with Nu found, for which Fit gives the same
// machine.
func (m *Model) Price() float64 {
	if len(m.Prices) > 0 {
		return m.Prices[0]
	}
	return m.C
}

// String returns "svm: RBF(gamma=0.5), linear slack, C = 10, 2 classes, 12 of 100 rows are support vectors", and whether probabilities are
// no more than the shares of the classes.
func (m *Model) String() string {
	price := fmt.Sprintf(", C = %g", m.C)
	switch {
	case m.Slack == HardMargin:
		price = ""
	case m.Nu > 0:
		price = fmt.Sprintf(", nu = %g", m.Nu)
	}
	flat, shares := 0, ""
	for i := range m.Machines {
		if m.Probability && m.Machines[i].PlattA == 0 {
			flat++
		}
	}
	if flat > 0 {
		shares = "; its probabilities are the shares of the classes, for decisions on rows left out tell nothing of these"
		if m.K > 2 {
			shares = fmt.Sprintf("; the probabilities of %d of %d pairs are the shares of the classes, for decisions on rows left out tell "+
				"nothing of these", flat, len(m.Machines))
		}
	}
	return fmt.Sprintf("svm: %s, %s%s, %d classes, %d of %d rows are support vectors%s", m.Kernel, m.Slack, price, m.K, len(m.Rows), m.N,
		shares)
}

// SupportRows returns the rows of the training X that are support vectors of some machine, ascending.
func (m *Model) SupportRows() []int { return slices.Clone(m.Rows) }

// SupportVectors returns them as a matrix (rows x d); nil with a precomputed kernel.
func (m *Model) SupportVectors() *mat.Dense {
	if m.rows == nil {
		return nil
	}
	return mat.NewDense(len(m.Rows), m.D, m.points())
}

// points returns the support vectors, row by row.
func (m *Model) points() []float64 {
	if m.rows == nil {
		return nil
	}
	x := make([]float64, len(m.Rows)*m.D)
	for t := range m.Rows {
		m.rows.Point(x[t*m.D:(t+1)*m.D], t)
	}
	return x
}

// Alpha returns the dual variables of the first machine, one for each of the n training rows (0 for rows it was not trained on). With two
// classes that is the machine.
func (m *Model) Alpha() []float64 {
	alpha, p := make([]float64, m.N), m.first()
	for k, t := range p.Support {
		alpha[m.Rows[t]] = math.Abs(p.Coef[k])
	}
	return alpha
}

// first returns the first pair, an empty one before a fit.
func (m *Model) first() *pair {
	if len(m.Machines) == 0 {
		return &pair{}
	}
	return &m.Machines[0]
}

// Bias returns b of the first machine.
func (m *Model) Bias() float64 { return m.first().B }

// Norm2 returns |w|^2 of the first machine.
func (m *Model) Norm2() float64 { return m.first().Norm2 }

// Margin returns 1/|w| of the first machine.
func (m *Model) Margin() float64 { return 1 / math.Sqrt(m.first().Norm2) }

// Certificate returns the proof of optimality of the first machine.
func (m *Model) Certificate() Certificate { return m.first().Certificate }

// Weights returns w of each machine, which exists in input space for the linear kernel only; otherwise an error.
func (m *Model) Weights() ([][]float64, error) {
	if m.weights == nil {
		return nil, fault.Argument("svm.Model.Weights", "Kernel", m.Kernel, "linear for w to lie in input space", "use the dual form, Decision")
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
	m.combine(dst, scratch)
}

// combine writes f of every machine at a point with the given kernel values into dst.
func (m *Model) combine(dst, values []float64) {
	for i := range m.Machines {
		p := &m.Machines[i]
		f := p.B
		for k, t := range p.Support {
			f += p.Coef[k] * values[t]
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

// each calls visit for all rows of X, on several goroutines when there is work for them, with the decision values f of all machines and
// room for 2 K numbers. Both belong to visit until it returns.
func (m *Model) each(X mat.Matrix, visit func(i int, f, scores []float64)) {
	dense := estimator.Dense(X)
	n, _ := dense.Dims()
	share.Ranges(share.Workers(n, tile.RowCost(n*len(m.Rows), m.D)), n, func(_, from, to int) {
		f, scores := make([]float64, len(m.Machines)), make([]float64, 2*m.K)
		if m.weights == nil && m.rows != nil { // many points meet the support vectors together
			const batch = 32
			values := make([]float64, min(batch, to-from)*len(m.Rows))
			for lo := from; lo < to; lo += batch {
				count := min(batch, to-lo)
				m.rows.Block(values, dense.RawMatrix().Data[lo*m.D:(lo+count)*m.D], count)
				for i := range count {
					m.combine(f, values[i*len(m.Rows):(i+1)*len(m.Rows)])
					visit(lo+i, f, scores)
				}
			}
			return
		}
		scratch := m.scratch()
		for i := from; i < to; i++ {
			m.decide(f, dense.RawRowView(i), scratch)
			visit(i, f, scores)
		}
	})
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

// vote fills the first K of the 2 K scores with votes plus a share below 1/2 from the sum of the decision values, which breaks ties, and
// returns the best class.
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
		return F, fault.In("svm.Model.Decision", err)
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

// Proba returns the n x K matrix of class probabilities: Platt's sigmoid, and pairwise coupling for more than two classes. It needs a fit
// with Options.Probability. The probability of a class never falls as the decision value of its machine rises. It is the share of the class
// everywhere when the decision values of rows that were left out tell nothing of the classes, which String then says. The most probable
// class need not be the predicted one, for the sigmoid need not be 1/2 where the decision value is 0.
func (m *Model) Proba(X mat.Matrix) (*mat.Dense, error) {
	if m.D > 0 && !m.Probability {
		return nil, fault.Argument(
			"svm.Model.Proba",
			"model",
			"fitted without probabilities",
			"fitted with Options.Probability",
			"fit again with Probability: true; it costs five more fits",
		)
	}
	F, err := m.PairDecision(X)
	if err != nil {
		return nil, fault.In("svm.Model.Proba", err)
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

// LogProba returns the n x K natural logarithms of the class probabilities. Those of two classes are exact, also where Proba rounds to 0;
// coupled ones of more classes are at least about 1e-7.
func (m *Model) LogProba(X mat.Matrix) (*mat.Dense, error) {
	P, err := m.Proba(X)
	if err != nil {
		return nil, fault.In("svm.Model.LogProba", err)
	}
	if m.K > 2 {
		P.Apply(func(_, _ int, p float64) float64 { return math.Log(p) }, P)
		return P, nil
	}
	F, err := m.PairDecision(X)
	if err != nil {
		return nil, fault.In("svm.Model.LogProba", err)
	}
	a := &m.Machines[0]
	for i, f := range F.RawMatrix().Data {
		z := a.PlattA*f + a.PlattB
		P.SetRow(i, []float64{gauss.LogLogistic(z), gauss.LogLogistic(-z)})
	}
	return P, nil
}

const modelVersion = 2

// MarshalBinary stores the model. A kernel made by kernel.Func cannot be stored.
func (m *Model) MarshalBinary() ([]byte, error) {
	s := m.state
	s.SV, s.Names = m.points(), m.Names
	return estimator.Encode("svm.Model", modelVersion, &s)
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
	next, points := Model{Names: s.Names, state: s}, s.SV
	next.SV, next.state.Names = nil, estimator.Names{}
	if points != nil {
		if err := next.prepare(mat.NewDense(len(s.Rows), s.D, points), nil); err != nil {
			return fmt.Errorf("svm.Model: decode: %w", err)
		}
	}
	*m = next
	return nil
}

// valid guards against a damaged file that still decodes.
func (s *state) valid() error {
	bad := s.D < 1 || s.K < 2 || s.K > len(s.Machines)+1 || len(s.Machines) != s.K*(s.K-1)/2 || len(s.Y) != s.N ||
		s.Prices != nil && len(s.Prices) != len(s.Machines) || (s.Prices != nil) != (s.Nu > 0) ||
		s.Weights != nil && len(s.Weights) != s.N || s.ClassWeights != nil && len(s.ClassWeights) != s.K
	if bad {
		return damaged()
	}
	sizes := make([]int, s.K)
	for _, c := range s.Y {
		if bad = bad || c < absent || int(c) >= s.K; !bad && c != absent {
			sizes[c]++
		}
	}
	for k, r := range s.Rows {
		bad = bad || r < 0 || r >= s.N || k > 0 && r <= s.Rows[k-1]
	}
	if bad {
		return damaged()
	}
	next := 0
	for a := range s.K {
		for b := a + 1; b < s.K; b++ {
			p := &s.Machines[next]
			next++
			if p.Negative != a || p.Positive != b || s.K == 2 && len(p.Margins) != sizes[a]+sizes[b] || s.K > 2 && p.Margins != nil ||
				len(p.Coef) != len(p.Support) {
				return damaged()
			}
			for k, t := range p.Support {
				if t < 0 || int(t) >= len(s.Rows) || k > 0 && t <= p.Support[k-1] || p.sign(s.Y[s.Rows[t]]) == 0 {
					return damaged()
				}
			}
		}
	}
	if _, precomputed := s.Kernel.(kernel.Precomputed); precomputed {
		bad = s.SV != nil || s.D != s.N
	} else {
		bad = !estimator.Fits(len(s.SV), len(s.Rows), s.D)
	}
	if bad {
		return damaged()
	}
	if err := kernel.Check("svm.Model", s.Kernel); err != nil {
		return fmt.Errorf("svm.Model: decode: %w", err)
	}
	return nil
}

func damaged() error {
	return fmt.Errorf("svm.Model: decode: the data is damaged; fit the model again")
}
