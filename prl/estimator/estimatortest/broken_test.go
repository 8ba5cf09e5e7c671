package estimatortest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/sparse"
)

// A toy is a nearest-mean classifier that can break any one rule of the contract. Its faults are the words in flaws.
type toy struct {
	estimator.Names
	flaws map[string]bool
	state toyState
}

type toyState struct {
	D, K  int
	Means []float64
	Noise float64
	Names estimator.Names
}

type toyOptions struct {
	Power    float64 // has to be 1
	Rank     int
	MaxIter  int // one is not enough: see outOfSteps
	Weights  []float64
	Progress estimator.ProgressFunc
}

// outOfSteps is the error of a fit that was allowed one step; it holds the model reached.
type outOfSteps struct{ Model *toy }

func (outOfSteps) Error() string { return "estimatortest.fitToy: no convergence after 1 step" }

var toyBusy atomic.Int32 // goroutines inside a toy with the flaw "alone"

// toyCase returns the case of a toy with the given faults.
func toyCase(flaws ...string) Case {
	has := map[string]bool{}
	for _, f := range flaws {
		has[f] = true
	}
	c := Classifier("estimatortest.fitToy", func(ctx context.Context, X mat.Matrix, y []int, o toyOptions) (*toy, error) {
		return fitToy(ctx, X, y, o, has)
	}, toyOptions{Power: 1}).ScaleFree().WeightRatios()
	zero := c.zero
	c.zero = func() any {
		m := zero().(*toy)
		m.flaws = has
		return m
	}
	return c
}

func fitToy(ctx context.Context, X mat.Matrix, y []int, o toyOptions, flaws map[string]bool) (*toy, error) {
	const f = "estimatortest.fitToy"
	if flaws["panics on nil"] && X == nil {
		_, _ = X.Dims()
	}
	if err := estimator.CheckX(f, X); err != nil && !(flaws["accepts NaN"] && strings.Contains(err.Error(), "NaN")) {
		if flaws["plain errors"] {
			return nil, errors.New("bad data")
		}
		if flaws["wrong name"] {
			return nil, fault.In("estimatortest.other", err)
		}
		return nil, err
	}
	n, d := X.Dims()
	if flaws["only many columns"] && d == 1 {
		return nil, fault.Argument(f, "X", "of one column", "wider", "")
	}
	k, err := estimator.CheckLabels(f, y, n)
	if err != nil && !(flaws["accepts gaps"] && strings.Contains(err.Error(), "without gaps")) {
		return nil, err
	}
	for _, c := range y {
		k = max(k, c+1)
	}
	if err := estimator.CheckWeights(f, o.Weights, n); err != nil && !flaws["accepts bad weights"] {
		return nil, err
	}
	if err := estimator.CheckClassWeights(f, y, o.Weights, k); err != nil && !flaws["accepts bad weights"] {
		return nil, err
	}
	if o.Rank != 0 && flaws["no limits"] {
		_ = make([]int, o.Rank)
	}
	if o.Power != 1 && !flaws["silent zero options"] {
		return nil, fault.Argument(f, "Power", o.Power, "1", "")
	}
	if flaws["no context"] {
		ctx = context.Background()
	}
	m := &toy{flaws: flaws, state: toyState{D: d, K: k, Means: make([]float64, k*d)}}
	if err := ctx.Err(); err != nil {
		if flaws["model beside the error"] {
			return m, err
		}
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	if err := estimator.CheckSquares(f, mat.DenseCopyOf(X)); err != nil && !flaws["accepts NaN"] {
		return nil, err
	}
	size := make([]float64, k)
	given := o.Weights
	if !flaws["sums weights as they are"] {
		o.Weights = estimator.ScaleWeights(o.Weights)
	}
	if flaws["one row more"] {
		size[0]++
	}
	for i := range n {
		w := 1.0
		if o.Weights != nil && !flaws["ignores weights"] && i < len(o.Weights) {
			w = o.Weights[i]
		}
		if flaws["weights zero as one"] && w == 0 {
			w = 1
		}
		if flaws["order of rows"] {
			w *= 1 + float64(i)
		}
		size[y[i]] += w
		for j := range d {
			m.state.Means[y[i]*d+j] += w * X.At(i, j)
		}
	}
	for c := range k {
		for j := range d {
			m.state.Means[c*d+j] /= size[c]
			if flaws["silent zero options"] {
				m.state.Means[c*d+j] *= o.Power
			}
		}
	}
	if flaws["prefers class 0"] {
		for j := range d {
			m.state.Means[j] += 0.05
		}
	}
	if err := ctx.Err(); err != nil && !flaws["swallows cancellation"] {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	if flaws["rowless"] {
		if dense, ok := X.(*mat.Dense); ok { // takes the rows to lie one behind the other
			m.state.Means[0] = dense.RawMatrix().Data[(n-1)*d]
		}
	}
	if thin, ok := X.(*sparse.CSR); ok && flaws["miscounts what is stored"] {
		at, _ := thin.RawRow(n - 1)
		m.state.Means[0] += float64(len(at))
	}
	if flaws["not a number"] && X.At(0, 2%d) == X.At(n-1, 2%d) { // a column that does not vary
		m.state.Noise = math.NaN()
	}
	if flaws["random"] {
		m.state.Noise = rand.Float64()
	}
	if flaws["counts processors"] {
		m.state.Noise = float64(runtime.GOMAXPROCS(0))
	}
	if flaws["mutates X"] {
		X.(*mat.Dense).Set(0, 0, 99)
	}
	if flaws["mutates y"] {
		y[0], y[1] = y[1], y[0]
	}
	if flaws["mutates weights"] && given != nil {
		given[0] /= 2
	}
	if flaws["keeps X"] {
		if dense, ok := X.(*mat.Dense); ok {
			m.state.Means = dense.RawMatrix().Data[:k*d]
		}
	}
	if o.MaxIter == 1 {
		if flaws["drops its model"] {
			return nil, outOfSteps{}
		}
		return nil, outOfSteps{m}
	}
	if o.Progress != nil && !flaws["silent"] {
		o.Progress(estimator.Progress{Iteration: 1, Of: 1, Objective: 0})
	}
	return m, nil
}

func (m *toy) Dim() int {
	if m.flaws["wrong Dim"] {
		return m.state.D + 1
	}
	return m.state.D
}

func (m *toy) Classes() int { return m.state.K }

// Means returns the means of the classes, one behind the other.
func (m *toy) Means() []float64 {
	if m.flaws["lends its means"] {
		return m.state.Means
	}
	return slices.Clone(m.state.Means)
}

func (m *toy) String() string {
	if m.flaws["two lines"] {
		return "toy\nmodel"
	}
	return "toy"
}

func (m *toy) check(f string, X mat.Matrix) error {
	if m.flaws["unfitted predicts"] && m.state.D == 0 {
		return nil
	}
	if m.flaws["any width"] && m.state.D > 0 {
		return estimator.CheckX(f, X)
	}
	return estimator.CheckWidth(f, X, m.state.D)
}

func (m *toy) Decision(X mat.Matrix) (*mat.Dense, error) {
	if err := m.check("estimatortest.toy.Decision", X); err != nil {
		return nil, err
	}
	return m.decide(X), nil
}

func (m *toy) decide(X mat.Matrix) *mat.Dense {
	n, width := X.Dims()
	out := mat.NewDense(n, max(m.state.K, 1), nil)
	for i := range n {
		for c := range m.state.K {
			s := m.state.Noise
			for j := range min(m.state.D, width) {
				u := X.At(i, j) - m.state.Means[c*m.state.D+j]
				if m.flaws["overflows"] {
					u *= 1e100 * math.Abs(u)
				}
				if m.flaws["has a unit"] {
					u /= 1 + math.Abs(u)
				}
				s -= u * u
			}
			if m.flaws["has an origin"] && c == 1 {
				s -= 1e-3 * math.Abs(X.At(i, 0))
			}
			if m.flaws["looks at the batch"] {
				s += 1e-9 * (X.At(i, 0) - X.At(0, 0))
			}
			out.Set(i, c, s)
		}
	}
	return out
}

func (m *toy) Predict(X mat.Matrix) ([]int, error) {
	if err := m.check("estimatortest.toy.Predict", X); err != nil {
		return nil, err
	}
	if m.flaws["mutates its argument"] {
		X.(*mat.Dense).Set(0, 0, 0)
	}
	if m.flaws["learns by predicting"] {
		m.state.Means[0] += 1e-3
	}
	if m.flaws["alone"] {
		defer toyBusy.Add(-1)
		if toyBusy.Add(1) > 1 {
			return nil, errors.New("two at once")
		}
		time.Sleep(time.Millisecond)
	}
	D := m.decide(X)
	n, k := D.Dims()
	y := make([]int, n)
	for i := range y {
		row := D.RawRowView(i)
		for c, v := range row {
			if v > row[y[i]] {
				y[i] = c
			}
		}
		switch {
		case m.flaws["never the last class"] && y[i] == k-1:
			y[i] = 0
		case m.flaws["contradicts itself"] && i == 0:
			y[i] = (y[i] + 1) % k
		}
	}
	return y, nil
}

func (m *toy) Proba(X mat.Matrix) (*mat.Dense, error) {
	if err := m.check("estimatortest.toy.Proba", X); err != nil {
		return nil, err
	}
	D := m.decide(X)
	n, k := D.Dims()
	for i := range n {
		row := D.RawRowView(i)
		low, sum := slices.Min(row), 0.0
		for c, v := range row {
			row[c] = 1
			if low < 0 {
				row[c] += 1 - v/low
			}
			sum += row[c]
		}
		for c := range row {
			row[c] /= sum
		}
		if m.flaws["more than one"] {
			row[0] += 1e-6
		}
		if m.flaws["upside down"] {
			row[0], row[k-1] = row[k-1], row[0]
		}
	}
	return D, nil
}

// Class returns the class of one point.
func (m *toy) Class(x ...float64) int {
	if len(x) != m.state.D && m.flaws["class 0 for points of another length"] {
		return 0
	}
	if len(x) != m.state.D && !m.flaws["trusts single points"] {
		return -1
	}
	y, _ := m.Predict(mat.NewDense(1, m.state.D, append([]float64(nil), x[:m.state.D]...)))
	if y == nil {
		return -1
	}
	return y[0]
}

func (m *toy) MarshalBinary() ([]byte, error) {
	s := m.state
	if s.Names = m.Names; m.flaws["forgets names"] {
		s.Names = estimator.Names{}
	}
	if m.flaws["forgets when stored"] {
		s.Means = make([]float64, len(s.Means))
	}
	return estimator.Encode("estimatortest.toy", 1, s)
}

func (m *toy) UnmarshalBinary(data []byte) error {
	var s toyState
	err := estimator.Decode(data, "estimatortest.toy", 1, &s)
	if m.flaws["reads parts"] && err != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if !m.flaws["reads anything"] && (!estimator.Fits(len(s.Means), s.K, s.D)) {
		return errors.New("estimatortest.toy: damaged")
	}
	m.state, m.Names = s, s.Names
	return nil
}

// TestSuiteAcceptsASoundEstimator: what passes is not broken by the suite itself.
func TestSuiteAcceptsASoundEstimator(t *testing.T) { Run(t, toyCase()) }

// TestExceptions: an exception excuses its check and no other, and must be needed.
func TestExceptions(t *testing.T) {
	for _, c := range []struct {
		what string
		c    Case
		want string // part of the only error; "" for none
	}{
		{"a needed exception", toyCase("silent").Except("progress", "nothing to report"), ""},
		{"two needed exceptions", toyCase("silent", "two lines").Except("progress", "nothing to report").Except("learns", "a short poem"), ""},
		{"no exception", toyCase("silent"), "progress: a fit of some iterations reports nothing"},
		{"an exception from another check", toyCase("silent", "two lines").Except("progress", "nothing to report"), "learns: method String is"},
		{"a stale exception", toyCase().Except("progress", "nothing to report"), `progress: holds; drop the exception "nothing to report"`},
		{"an exception from no check", toyCase().Except("flies", "toys do not"), "of the exceptions [flies] only 0 belong"},
	} {
		wrong := Verify(c.c)
		switch {
		case c.want == "" && len(wrong) > 0:
			t.Errorf("%s: %v", c.what, wrong)
		case c.want != "" && (len(wrong) != 1 || !strings.HasPrefix(wrong[0].Error(), c.want)):
			t.Errorf("%s: errors %v, want one that begins with %q", c.what, wrong, c.want)
		}
	}
}

// TestSuiteCatches breaks the toy in one way after another; the named check must see each.
func TestSuiteCatches(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []struct{ flaw, check string }{
		{"never the last class", "learns"},
		{"wrong Dim", "learns"},
		{"two lines", "learns"},
		{"panics on nil", "bad training data"},
		{"accepts NaN", "bad training data"},
		{"accepts gaps", "bad training data"},
		{"plain errors", "bad training data"},
		{"wrong name", "bad training data"},
		{"accepts bad weights", "bad weights"},
		{"silent zero options", "zero options"},
		{"no limits", "bad options"},
		{"only many columns", "one column"},
		{"not a number", "degenerate data"},
		{"overflows", "huge and tiny numbers"},
		{"has a unit", "huge and tiny numbers"},
		{"has an origin", "moved origin"},
		{"unfitted predicts", "unfitted"},
		{"any width", "bad data to predict"},
		{"more than one", "finite answers"},
		{"never the last class", "all classes are reached"},
		{"contradicts itself", "decision order"},
		{"upside down", "probability order"},
		{"looks at the batch", "rows of a batch"},
		{"rowless", "other kinds of matrix"},
		{"miscounts what is stored", "sparse rows"},
		{"trusts single points", "single observations"},
		{"class 0 for points of another length", "single observations"},
		{"sums weights as they are", "extreme weights"},
		{"one row more", "ratios of weights"},
		{"drops its model", "too few iterations"},
		{"mutates X", "arguments are left alone"},
		{"mutates y", "arguments are left alone"},
		{"mutates weights", "arguments are left alone"},
		{"mutates its argument", "arguments are left alone"},
		{"learns by predicting", "arguments are left alone"},
		{"keeps X", "arguments are copied"},
		{"lends its means", "results are copies"},
		{"order of rows", "order of rows"},
		{"prefers class 0", "names of classes"},
		{"random", "deterministic"},
		{"counts processors", "processors"},
		{"ignores weights", "weights are copies"},
		{"weights zero as one", "weight zero is no row"},
		{"forgets when stored", "stored and read"},
		{"forgets names", "names are stored"},
		{"reads parts", "truncated bytes"},
		{"reads anything", "flipped bits"},
		{"alone", "concurrent use"},
		{"no context", "cancelled before"},
		{"model beside the error", "cancelled before"},
		{"swallows cancellation", "cancelled during"},
		{"silent", "progress"},
	} {
		seen[c.check] = true
		t.Run(c.flaw+"/"+c.check, func(t *testing.T) {
			for _, k := range Checks() {
				if k.Name != c.check {
					continue
				}
				if err := k.Of(toyCase(c.flaw)); err == nil {
					t.Errorf("the check %q does not see the fault %q", c.check, c.flaw)
				} else {
					t.Log(err)
				}
			}
		})
	}
	for _, k := range Checks() {
		if !seen[k.Name] {
			t.Errorf("no fault is known to fail the check %q", k.Name)
		}
	}
}
