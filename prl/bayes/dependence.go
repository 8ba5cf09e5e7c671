package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Dependence says on which other feature each feature of a TreeNB may depend, beside the class.
type Dependence int

// The dependences.
const (
	BestTree    Dependence = iota // the tree of largest mutual information, found by ChowLiu
	InOrder                       // on the feature before it: a chain
	Independent                   // on none: naive Bayes
)

// TreeOptions are the settings of FitTreeNB. The zero value is usable.
type TreeOptions struct {
	Dependence Dependence
	Categories int       // each feature has at least so many values, though the data may hold fewer; 0: those of the data
	Smoothing  float64   // added to every count; default 1; estimator.None is maximum likelihood
	Priors     []float64 // probabilities of the classes; nil: their shares
	Balanced   bool      // the same prior for all classes; not with Priors
	Weights    []float64 // of the rows: a row of weight w counts as w rows; nil weighs all alike
}

func (o TreeOptions) check(function string) error {
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return err
	}
	if o.Dependence < BestTree || o.Dependence > Independent {
		return fault.Argument(function, "Dependence", int(o.Dependence), "BestTree, InOrder or Independent", "")
	}
	return estimator.CheckCount(function, "Categories", o.Categories, 0, most)
}

// A TreeNB is a Bayes classifier of features with finitely many values, in which each feature depends on the class and on at most one other
// feature. It is immutable and safe for concurrent use.
type TreeNB struct {
	estimator.Names
	priors []float64
	parent []int       // of each feature, -1 for none; parents need not come first
	values []int       // how many each feature has
	logs   [][]float64 // of each feature: log p(value|value of the parent, class) at (parent value * values + value) * K + class
}

// most is the largest number of values of a feature.
const most = 1 << 12

// FitTreeNB fits
//
//	p(x|y) = prod_j p(x_j | x_parent(j), y)
//
// to the whole numbers 0 ... V_j - 1 of the columns of X (n x d), V_j being one more than the largest of column j, or Categories. The
// probabilities are counted, (n + a)/(total + a V_j) with the Smoothing a. The classes share one tree: the parents are those of ChowLiu for
// the mutual informations I(x_i; x_j | y), which makes the tree the likeliest of all. Source: Chow and Liu, Approximating discrete
// probability distributions with dependence trees, IEEE Trans. Inf. Theory 14, 1968; Friedman, Geiger and Goldszmidt, Bayesian network
// classifiers, Machine Learning 29, 1997.
//
// Errors: unusable data, labels, priors or weights; numbers that are not whole, negative or above 4095.
func FitTreeNB(ctx context.Context, X mat.Matrix, y []int, o TreeOptions) (*TreeNB, error) {
	const f = "bayes.FitTreeNB"
	l, weights, err := counted(ctx, f, X, y, o.Weights, o.Priors, o.Balanced)
	if err != nil {
		return nil, err
	}
	if err := o.check(f); err != nil {
		return nil, err
	}
	n, d, k := l.N, l.D, l.K
	t := &tally{y: l.Y, classes: k, weights: weights, values: make([]int, d), cells: make([][]int, d)}
	for j := range t.cells {
		t.cells[j], t.values[j] = make([]int, n), o.Categories
	}
	x := l.Dense()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != math.Trunc(v) || v < 0 || v >= most {
				return nil, fault.Argument(f, fmt.Sprintf("X[%d][%d]", i, j), v, fmt.Sprintf("a whole number from 0 to %d", most-1),
					"number the values of a feature from 0, or cut its range into pieces")
			}
			t.cells[j][i] = int(v)
			t.values[j] = max(t.values[j], int(v)+1)
		}
	}
	m := &TreeNB{parent: slices.Repeat([]int{-1}, d), values: t.values, logs: make([][]float64, d)}
	switch m.priors = slices.Clone(o.Priors); {
	case o.Balanced:
		m.priors = even(k)
	case o.Priors == nil:
		m.priors = shares(t.rows())
	}
	switch o.Dependence {
	case InOrder:
		for j := range m.parent {
			m.parent[j] = j - 1
		}
	case BestTree:
		information, err := t.information(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		m.parent = ChowLiu(information)
	}
	alpha := added(o.Smoothing)
	for j, p := range m.parent {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		m.logs[j] = t.logs(j, p, alpha)
	}
	return m, nil
}

// ChowLiu returns the parents, -1 for the first feature, of the spanning tree whose edges have the largest sum of the weights w (d x d,
// symmetric), by Prim's algorithm: the tree grows from feature 0 along the heaviest edge that leaves it. When the weights are mutual
// informations, it is the tree of least divergence from the law of the features. Where edges are equally heavy the smaller numbers go
// first.
func ChowLiu(w mat.Symmetric) []int {
	d := w.SymmetricDim()
	parent := slices.Repeat([]int{-1}, d)
	from, done := make([]int, d), make([]bool, d) // the heaviest edge from the tree to each feature outside
	for at := range d {
		best := -1
		for j := 1; j < d && at > 0; j++ {
			if !done[j] && (best < 0 || w.At(from[j], j) > w.At(from[best], best)) {
				best = j
			}
		}
		if at > 0 {
			parent[best] = from[best]
		}
		best = max(best, 0)
		done[best] = true
		for j := range d {
			if !done[j] && w.At(best, j) > w.At(from[j], j) {
				from[j] = best
			}
		}
	}
	return parent
}

// A tally counts rows of values.
type tally struct {
	y, values []int
	classes   int
	weights   []float64
	cells     [][]int // d x n
}

func (t *tally) weight(i int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[i]
}

// rows returns the rows of each class.
func (t *tally) rows() []float64 {
	out := make([]float64, t.classes)
	for i, c := range t.y {
		out[c] += t.weight(i)
	}
	return out
}

// pairs counts (value of p, value of j, class), and p = -1 has the one value 0.
func (t *tally) pairs(j, p int) []float64 {
	before := 1
	if p >= 0 {
		before = t.values[p]
	}
	out := make([]float64, before*t.values[j]*t.classes)
	for i, v := range t.cells[j] {
		u := 0
		if p >= 0 {
			u = t.cells[p][i]
		}
		out[(u*t.values[j]+v)*t.classes+t.y[i]] += t.weight(i)
	}
	return out
}

// logs returns log p(value|value of the parent, class), laid out like pairs. Where a value of the parent is not seen in a class, and
// nothing is added, all values are alike.
func (t *tally) logs(j, p int, alpha float64) []float64 {
	out := t.pairs(j, p)
	V, K := t.values[j], t.classes
	for u := 0; u < len(out); u += V * K {
		for c := range K {
			total := alpha * float64(V)
			for v := range V {
				total += out[u+v*K+c]
			}
			for v := range V {
				if at := u + v*K + c; total > 0 {
					out[at] = math.Log((out[at] + alpha) / total)
				} else {
					out[at] = -math.Log(float64(V))
				}
			}
		}
	}
	return out
}

// information returns I(x_i; x_j | y) in nats for all pairs, from the counts as they are.
func (t *tally) information(ctx context.Context) (*mat.SymDense, error) {
	d, K := len(t.values), t.classes
	single, rows := make([][]float64, d), t.rows()
	total := 0.0
	for _, n := range rows {
		total += n
	}
	for j := range d {
		single[j] = t.pairs(j, -1)
	}
	out := mat.NewSymDense(d, nil)
	for i := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < d; j++ {
			sum := 0.0
			for at, n := range t.pairs(j, i) {
				if n > 0 {
					c, v, u := at%K, at/K%t.values[j], at/K/t.values[j]
					sum += n / total * math.Log(n*rows[c]/(single[i][u*K+c]*single[j][v*K+c]))
				}
			}
			out.SetSym(i, j, sum)
		}
	}
	return out, nil
}

// Dim returns d, or 0 before a fit.
func (m *TreeNB) Dim() int { return len(m.parent) }

// Classes returns K.
func (m *TreeNB) Classes() int { return len(m.priors) }

// Priors returns a copy of the class probabilities.
func (m *TreeNB) Priors() []float64 { return slices.Clone(m.priors) }

// Parents returns the feature on which each feature depends, -1 for none.
func (m *TreeNB) Parents() []int { return slices.Clone(m.parent) }

// String returns "a Bayes classifier with 9 edges among 10 features, and 2 classes".
func (m *TreeNB) String() string {
	edges := 0
	for _, p := range m.parent {
		if p >= 0 {
			edges++
		}
	}
	return fmt.Sprintf("a Bayes classifier with %d edges among %d features, and %d classes", edges, m.Dim(), m.Classes())
}

// scores fills a with the logarithms of p(y) p(x|y).
func (m *TreeNB) scores(function string, i int, a, x []float64) error {
	for c, p := range m.priors {
		a[c] = math.Log(p)
	}
	K := len(a)
	for j, v := range x {
		if v != math.Trunc(v) || v < 0 || v >= float64(m.values[j]) {
			return fault.Argument(function, fmt.Sprintf("X[%d][%d]", i, j), v, fmt.Sprintf("a value 0 ... %d seen in the fit", m.values[j]-1), "")
		}
	}
	for j, p := range m.parent {
		at := int(x[j])
		if p >= 0 {
			at += int(x[p]) * m.values[j]
		}
		for c, l := range m.logs[j][at*K : (at+1)*K] {
			a[c] += l
		}
	}
	return nil
}

func (m *TreeNB) each(function string, X mat.Matrix, use func(i int, scores []float64) error) error {
	if err := estimator.CheckWidth(function, X, m.Dim()); err != nil {
		return err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	a := make([]float64, m.Classes())
	for i := range n {
		if err := m.scores(function, i, a, x.RawRowView(i)); err != nil {
			return err
		}
		if err := use(i, a); err != nil {
			return err
		}
	}
	return nil
}

// Decision returns log p(y) + log p(x|y) in nats, n x K. It fails on values that the fit has not seen.
func (m *TreeNB) Decision(X mat.Matrix) (*mat.Dense, error) {
	return scoresOf(m, "bayes.TreeNB.Decision", X)
}

// Proba returns the posteriors p(y|x), n x K. It fails like Predict.
func (m *TreeNB) Proba(X mat.Matrix) (*mat.Dense, error) {
	return posteriorsOf(m, "bayes.TreeNB.Proba", X, func(a []float64) { Softmax(a) })
}

// LogProba returns the logarithms log p(y|x) of the posteriors in nats, n x K, also of those that Proba rounds to zero. It fails like
// Predict.
func (m *TreeNB) LogProba(X mat.Matrix) (*mat.Dense, error) {
	return posteriorsOf(m, "bayes.TreeNB.LogProba", X, gauss.LogSoftmax)
}

// Predict returns the class of largest posterior of each row (smallest number among ties). It fails on values that the fit has not seen,
// and on a row that is impossible in every class.
func (m *TreeNB) Predict(X mat.Matrix) ([]int, error) {
	return classesOf(m, "bayes.TreeNB.Predict", X)
}

// Class returns the class of one row, or -1 where Predict would fail.
func (m *TreeNB) Class(x ...float64) int { return classOf(m, x) }

type treeState struct {
	Priors         []float64
	Parent, Values []int
	Logs           [][]float64
	Names          estimator.Names
}

// MarshalBinary encodes the model with its layout version.
func (m *TreeNB) MarshalBinary() ([]byte, error) {
	if m.Dim() == 0 {
		return nil, estimator.Unfitted("bayes.TreeNB.MarshalBinary")
	}
	return estimator.Encode("bayes.TreeNB", 1, treeState{m.priors, m.parent, m.values, m.logs, m.Names})
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (m *TreeNB) UnmarshalBinary(data []byte) error {
	const f = "bayes.TreeNB"
	var s treeState
	if err := estimator.Decode(data, f, 1, &s); err != nil {
		return err
	}
	if err := checkPriors(f, s.Priors, len(s.Priors)); err != nil {
		return fmt.Errorf("%s: decode: %w", f, err)
	}
	d, K := len(s.Parent), len(s.Priors)
	damaged := fmt.Errorf("%s: decode: the data is damaged", f)
	if d == 0 || len(s.Values) != d || len(s.Logs) != d {
		return damaged
	}
	for j, p := range s.Parent {
		if p < -1 || p >= d || p == j || s.Values[j] < 1 || s.Values[j] > most {
			return damaged
		}
	}
	for j, p := range s.Parent {
		V, before := s.Values[j], 1
		if p >= 0 {
			before = s.Values[p]
		}
		if len(s.Logs[j]) != before*V*K {
			return damaged
		}
		column := make([]float64, V)
		for u := range before {
			for c := range K {
				for v := range V {
					column[v] = s.Logs[j][(u*V+v)*K+c]
				}
				if !logarithms(column) {
					return damaged
				}
			}
		}
	}
	*m = TreeNB{Names: s.Names, priors: s.Priors, parent: s.Parent, values: s.Values, logs: s.Logs}
	return nil
}
