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
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/sparse"
)

// CountOptions are the settings of FitMultinomialNB, FitBernoulliNB and FitComplementNB. The zero value is usable.
type CountOptions struct {
	Smoothing float64   // added to every count; default 1, Laplace's rule; estimator.None is maximum likelihood, which ComplementNB refuses
	Pooled    bool      // MultinomialNB: spreads the d Smoothing added counts like the features of all classes together, not evenly
	Above     float64   // BernoulliNB: a feature is present where x > Above
	Priors    []float64 // probabilities of the classes; nil: their shares. ComplementNB uses none
	Balanced  bool      // the same prior for all classes; not with Priors
	Weights   []float64 // of the rows: a row of weight w counts as w rows; nil weighs all alike
}

func (o CountOptions) check(function string) error {
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return err
	}
	if math.IsNaN(o.Above) || math.IsInf(o.Above, 0) {
		return fault.Argument(function, "Above", o.Above, "a finite number", "")
	}
	return nil
}

func checkSmoothing(function string, alpha float64) error {
	if !(alpha >= 0) && alpha != estimator.None || math.IsInf(alpha, 0) {
		return fault.Argument(function, "Smoothing", alpha, "a finite number of at least 0", "1 is Laplace's choice")
	}
	return nil
}

// added returns how much is added to a count.
func added(alpha float64) float64 {
	estimator.Or(&alpha, 1)
	return alpha
}

// The kinds of a CountNB.
const (
	multinomialNB = "MultinomialNB"
	bernoulliNB   = "BernoulliNB"
	complementNB  = "ComplementNB"
)

// A CountNB is naive Bayes on counts. Its score of a class is linear, b + w^T x, in the counts x of MultinomialNB and ComplementNB, and in
// the zeros and ones of BernoulliNB. It is immutable and safe for concurrent use.
//
// Fits and predictions look at the stored numbers alone of rows that are a *sparse.CSR; where even zeros are present (Above below 0), or a
// logarithm is infinite, rows are filled with their zeros one at a time.
type CountNB struct {
	estimator.Names
	kind    string
	above   float64
	priors  []float64
	present [][]float64 // K x d: log p(j|class)
	absent  [][]float64 // K x d: log p(j is absent|class), of BernoulliNB
}

// FitMultinomialNB fits the bag of words: a row of X (n x d) says how often each of d words was drawn, with replacement, from the bag of
// its class. The share of word j in the bag of class y is
//
//	p(j|y) = (n_yj + a) / (n_y + d a),
//
// n_yj being how often it stands in class y, n_y the sum over the words, and a the Smoothing. The score of x is
// log p(y) + sum_j x_j log p(j|y): words that are not there cost nothing. Counts need not be whole. Source: McCallum and Nigam, A
// comparison of event models for naive Bayes text classification, 1998.
//
// Errors: unusable data, labels, priors or weights; negative counts; a class that has no words, where nothing is added.
func FitMultinomialNB(ctx context.Context, X mat.Matrix, y []int, o CountOptions) (*CountNB, error) {
	return fitCounts("bayes.FitMultinomialNB", multinomialNB, ctx, X, y, o)
}

// FitBernoulliNB fits d independent coins a class: feature j of a row of X (n x d) is present where x_j > Above, and
//
//	p(j present|y) = (n_yj + a) / (n_y + 2 a),
//
// n_yj being the rows of class y where it is present and n_y all of them. What is absent speaks too, by log(1 - p(j present|y)).
//
// Errors: unusable data, labels, priors or weights.
func FitBernoulliNB(ctx context.Context, X mat.Matrix, y []int, o CountOptions) (*CountNB, error) {
	return fitCounts("bayes.FitBernoulliNB", bernoulliNB, ctx, X, y, o)
}

// FitComplementNB scores a class by the bag of all other classes, which is larger where a class is small:
//
//	score(y) = - sum_j x_j log p(j|not y),  p(j|not y) = (n_~yj + a) / (n_~y + d a).
//
// The scores use no priors, and Proba, their softmax, is no posterior. Source: Rennie, Shih, Teevan and Karger, Tackling the poor
// assumptions of naive Bayes text classifiers, ICML 2003, without their normalisation of the weights.
//
// Errors: those of FitMultinomialNB; maximum likelihood, by which scores can be infinite in favour of several classes; Priors.
func FitComplementNB(ctx context.Context, X mat.Matrix, y []int, o CountOptions) (*CountNB, error) {
	return fitCounts("bayes.FitComplementNB", complementNB, ctx, X, y, o)
}

func fitCounts(function, kind string, ctx context.Context, X mat.Matrix, y []int, o CountOptions) (*CountNB, error) {
	l, weights, err := counted(ctx, function, X, y, o.Weights, o.Priors, o.Balanced)
	if err != nil {
		return nil, err
	}
	if err := o.check(function); err != nil {
		return nil, err
	}
	if err := checkKind(function, kind, o); err != nil {
		return nil, err
	}
	x := countRowsOf(l.X)
	if kind != bernoulliNB {
		if err := x.check(function); err != nil {
			return nil, err
		}
	}
	if kind == bernoulliNB && o.Above < 0 {
		x.fill()
	}
	count, rows := make([][]float64, l.K), make([]float64, l.K)
	for c := range count {
		count[c] = make([]float64, l.D)
	}
	for i, c := range l.Y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		rows[c] += w
		at, values := x.row(i)
		sum := count[c]
		switch {
		case at != nil && kind != bernoulliNB:
			for p, j := range at {
				sum[j] += w * values[p]
			}
		case at != nil:
			for p, j := range at {
				if values[p] > o.Above {
					sum[j] += w
				}
			}
		case kind != bernoulliNB:
			for j, v := range values {
				sum[j] += w * v
			}
		default:
			for j, v := range values {
				if v > o.Above {
					sum[j] += w
				}
			}
		}
	}
	return ofCounts(function, kind, count, rows, o)
}

// countRows are dense rows, or those of thin without their zeros.
type countRows struct {
	dense *mat.Dense
	thin  *sparse.CSR
	full  []float64 // room for a row of thin with its zeros, where these count; otherwise nil
}

func countRowsOf(X mat.Matrix) *countRows {
	if thin, ok := X.(*sparse.CSR); ok {
		return &countRows{thin: thin}
	}
	return &countRows{dense: estimator.Dense(X)}
}

// fill makes row return all numbers, one row at a time.
func (r *countRows) fill() {
	if r.thin != nil && r.full == nil {
		_, d := r.thin.Dims()
		r.full = make([]float64, d)
	}
}

// row returns the numbers of a row, and their columns unless these are all.
func (r *countRows) row(i int) (at []int32, values []float64) {
	if r.dense != nil {
		return nil, r.dense.RawRowView(i)
	}
	if r.full != nil {
		clear(r.full)
		r.thin.AddTo(r.full, i, 1)
		return nil, r.full
	}
	if at, values = r.thin.RawRow(i); at == nil {
		at = []int32{}
	}
	return at, values
}

// check reports the first negative number, and counts whose sum is no float64.
func (r *countRows) check(function string) error {
	total := 0.0
	if r.thin != nil && harmless(r.thin.Values()) {
		return nil
	}
	negative := func(i, j int, v float64) error {
		return fault.Argument(function, fmt.Sprintf("X[%d][%d]", i, j), v, "a count of at least 0",
			"GaussianNB takes measurements, BernoulliNB a threshold")
	}
	n := r.len()
	for i := range n {
		at, values := r.row(i)
		for p, v := range values {
			if v < 0 {
				if at != nil {
					p = int(at[p])
				}
				return negative(i, p, v)
			}
			total += v
		}
	}
	if !(total < 1e200) {
		return fault.Argument(function, "the sum of all counts", total, "below 1e200", "choose another unit")
	}
	return nil
}

// harmless tells quickly that counts are not negative, and their sum is far from overflow.
func harmless(values []float64) bool {
	for _, v := range values {
		if !(v >= 0 && v < 1e100) {
			return false
		}
	}
	return true
}

func (r *countRows) len() int {
	if r.thin != nil {
		n, _ := r.thin.Dims()
		return n
	}
	n, _ := r.dense.Dims()
	return n
}

// ofCounts makes the classifier of what was counted: count[c][j] for feature j in class c, rows[c] for its rows.
func ofCounts(function, kind string, count [][]float64, rows []float64, o CountOptions) (*CountNB, error) {
	m := &CountNB{kind: kind, above: o.Above}
	switch m.priors = slices.Clone(o.Priors); {
	case o.Balanced:
		m.priors = even(len(rows))
	case o.Priors == nil:
		m.priors = shares(rows)
	}
	if kind == bernoulliNB {
		m.coins(count, rows, added(o.Smoothing))
		return m, nil
	}
	if kind == complementNB {
		count = others(count)
	}
	return m, m.bags(function, count, o)
}

func checkKind(function, kind string, o CountOptions) error {
	switch {
	case kind == complementNB && o.Smoothing == estimator.None:
		return fault.Argument(function, "Smoothing", 0, "above 0: a word that only one class has would score infinitely", "")
	case kind == complementNB && o.Priors != nil:
		return fault.Argument(function, "Priors", fault.Short(o.Priors), "none: the scores use no priors", "use MultinomialNB")
	case kind == complementNB && o.Balanced:
		return fault.Argument(function, "Balanced", true, "false: the scores use no priors", "use MultinomialNB")
	case kind != multinomialNB && o.Pooled:
		return fault.Argument(function, "Pooled", true, "false: "+kind+" adds its counts evenly", "use MultinomialNB")
	case kind != bernoulliNB && o.Above != 0:
		return fault.Argument(function, "Above", o.Above, "0: "+kind+" counts, and has no threshold", "use BernoulliNB")
	}
	return nil
}

// counted is labelled, with the numbers of rows that the weights stand for, whose sums and products are float64.
func counted(
	ctx context.Context, function string, X mat.Matrix, y []int, weights, priors []float64, balanced bool,
) (*estimator.Labelled, []float64, error) {
	l, err := labelled(ctx, function, X, y, weights, priors, balanced)
	if err != nil {
		return nil, nil, err
	}
	w := l.Counts()
	if len(w) > 0 && !(slices.Max(w) < 1e100) {
		return nil, nil, fault.Argument(function, "Weights", slices.Max(w), "numbers below 1e100", "a weight counts rows")
	}
	return l, w, nil
}

// shares divides by the sum.
func shares(v []float64) []float64 {
	total := 0.0
	for _, w := range v {
		total += w
	}
	out := make([]float64, len(v))
	for i, w := range v {
		out[i] = w / total
	}
	return out
}

// others returns, for each class, the counts of all other classes.
func others(count [][]float64) [][]float64 {
	out := make([][]float64, len(count))
	for c := range count {
		out[c] = make([]float64, len(count[c]))
		for k := range count {
			if k == c {
				continue
			}
			for j, v := range count[k] {
				out[c][j] += v
			}
		}
	}
	return out
}

// bags sets the logarithms of the shares of the words.
func (m *CountNB) bags(function string, count [][]float64, o CountOptions) error {
	d, alpha := len(count[0]), added(o.Smoothing)
	extra := slices.Repeat([]float64{alpha}, d)
	if o.Pooled {
		all := make([]float64, d)
		for _, row := range count {
			for j, v := range row {
				all[j] += v + 1/float64(len(count)) // so that no word of the vocabulary is impossible
			}
		}
		for j, share := range shares(all) {
			extra[j] = alpha * float64(d) * share
		}
	}
	for c, row := range count {
		total := alpha * float64(d)
		for _, v := range row {
			total += v
		}
		if total == 0 {
			return fault.Argument(function, fmt.Sprintf("the words of class %d", c), "none", "at least one", "set Smoothing above 0")
		}
		logs := make([]float64, d)
		for j, v := range row {
			logs[j] = math.Log((v + extra[j]) / total)
		}
		m.present = append(m.present, logs)
	}
	return nil
}

// coins sets the logarithms of the probabilities that a feature is present, and absent.
func (m *CountNB) coins(count [][]float64, rows []float64, alpha float64) {
	for c, row := range count {
		yes, no := make([]float64, len(row)), make([]float64, len(row))
		for j, v := range row {
			total := rows[c] + 2*alpha
			yes[j], no[j] = math.Log((v+alpha)/total), math.Log((max(rows[c]-v, 0)+alpha)/total)
		}
		m.present, m.absent = append(m.present, yes), append(m.absent, no)
	}
}

// Name returns "MultinomialNB", "BernoulliNB" or "ComplementNB".
func (m *CountNB) Name() string { return m.kind }

// Dim returns d, or 0 before a fit.
func (m *CountNB) Dim() int {
	if len(m.present) == 0 {
		return 0
	}
	return len(m.present[0])
}

// Classes returns K.
func (m *CountNB) Classes() int { return len(m.present) }

// Priors returns a copy of the class probabilities.
func (m *CountNB) Priors() []float64 { return slices.Clone(m.priors) }

// LogProb returns a copy of the d logarithms log p(j|class), in nats: of the share of word j in the bag of the class (of the other classes,
// for ComplementNB), and for BernoulliNB of the probability that feature j is present.
func (m *CountNB) LogProb(class int) []float64 { return slices.Clone(m.present[class]) }

// Weights returns what one more of each of the d features tells for class a against class b, in nats: log p(j|a) - log p(j|b); for
// BernoulliNB, where one more makes an absent feature present, the difference of the log odds, and for ComplementNB that of the scores.
func (m *CountNB) Weights(a, b int) []float64 {
	w := make([]float64, m.Dim())
	for j := range w {
		w[j] = m.present[a][j] - m.present[b][j]
		switch m.kind {
		case bernoulliNB:
			w[j] -= m.absent[a][j] - m.absent[b][j]
		case complementNB:
			w[j] = -w[j]
		}
	}
	return w
}

// String returns "MultinomialNB with 2 classes and 200 features".
func (m *CountNB) String() string {
	return fmt.Sprintf("%s with %d classes and %d features", m.kind, m.Classes(), m.Dim())
}

// scores fills a with the scores of the classes for one row. Features that are not there, and infinite logarithms that do not matter, are
// passed over.
func (m *CountNB) scores(a, x []float64) {
	for c := range a {
		a[c] = 0
		if m.kind != complementNB {
			a[c] = math.Log(m.priors[c])
		}
		logs := m.present[c]
		switch m.kind {
		case bernoulliNB:
			no := m.absent[c]
			for j, v := range x {
				if v > m.above {
					a[c] += logs[j]
				} else {
					a[c] += no[j]
				}
			}
		case complementNB:
			for j, v := range x {
				if v != 0 {
					a[c] -= v * logs[j]
				}
			}
		default:
			for j, v := range x {
				if v != 0 {
					a[c] += v * logs[j]
				}
			}
		}
	}
}

// thinScores are the scores of rows without their zeros: base, and what each number adds.
type thinScores struct {
	base    []float64 // K numbers
	weights []float64 // of feature j in class 16 b + r at 16 (b d + j) + r
	coins   bool      // what is above the threshold counts once
	above   float64
	ones    []float64 // room
}

// byFeature returns the scores for rows without their zeros, or nil where zeros count as present or a logarithm is infinite.
func (m *CountNB) byFeature() *thinScores {
	k, d := m.Classes(), m.Dim()
	t := &thinScores{
		base: make([]float64, k), weights: make([]float64, (k+tile.Thin-1)/tile.Thin*tile.Thin*d), coins: m.kind == bernoulliNB, above: m.above,
	}
	if t.coins && m.above < 0 {
		return nil
	}
	for c, logs := range m.present {
		if !tile.Finite(logs) {
			return nil
		}
		if m.kind != complementNB {
			t.base[c] = math.Log(m.priors[c])
		}
		to := t.weights[c/tile.Thin*tile.Thin*d+c%tile.Thin:]
		for j, v := range logs {
			switch m.kind {
			case bernoulliNB:
				no := m.absent[c][j]
				if no-no != 0 {
					return nil
				}
				t.base[c] += no
				v -= no
			case complementNB:
				v = -v
			}
			to[j*tile.Thin] = v
		}
	}
	return t
}

// of fills a with the scores of a row.
func (t *thinScores) of(a []float64, at []int32, values []float64) {
	if t.coins {
		t.ones = t.ones[:0]
		for _, v := range values {
			one := 0.0
			if v > t.above {
				one = 1
			}
			t.ones = append(t.ones, one)
		}
		values = t.ones
	}
	d := len(t.weights) / ((len(a) + tile.Thin - 1) / tile.Thin)
	var sums [tile.Thin]float64
	for begin, from := 0, 0; begin < len(a); begin, from = begin+tile.Thin, from+d {
		tile.ThinProduct(&sums, at, values, t.weights[from:from+d])
		for c := begin; c < min(begin+tile.Thin, len(a)); c++ {
			a[c] = t.base[c] + sums[c-begin]
		}
	}
}

// each calls use with the scores of each row of X.
func (m *CountNB) each(function string, X mat.Matrix, use func(i int, scores []float64) error) error {
	if err := estimator.CheckWidth(function, X, m.Dim()); err != nil {
		return err
	}
	x := countRowsOf(X)
	if m.kind != bernoulliNB {
		if err := x.check(function); err != nil {
			return err
		}
	}
	var byFeature *thinScores
	if x.thin != nil {
		if byFeature = m.byFeature(); byFeature == nil {
			x.fill()
		}
	}
	a := make([]float64, m.Classes())
	for i := range x.len() {
		at, values := x.row(i)
		if at != nil {
			byFeature.of(a, at, values)
		} else {
			m.scores(a, values)
		}
		if err := use(i, a); err != nil {
			return err
		}
	}
	return nil
}

// Decision returns the scores log p(y) + log p(x|y) in nats, n x K, without the multinomial coefficient, which all classes share; -Inf
// where a class cannot have produced the row. The scores of ComplementNB are those of FitComplementNB. It fails on negative counts.
func (m *CountNB) Decision(X mat.Matrix) (*mat.Dense, error) {
	return scoresOf(m, "bayes.CountNB.Decision", X)
}

// Proba returns the posteriors p(y|x), n x K. It fails like Predict.
func (m *CountNB) Proba(X mat.Matrix) (*mat.Dense, error) {
	return posteriorsOf(m, "bayes.CountNB.Proba", X, func(a []float64) { Softmax(a) })
}

// LogProba returns the logarithms log p(y|x) of the posteriors in nats, n x K, also of those that Proba rounds to zero. It fails like
// Predict.
func (m *CountNB) LogProba(X mat.Matrix) (*mat.Dense, error) {
	return posteriorsOf(m, "bayes.CountNB.LogProba", X, gauss.LogSoftmax)
}

// Predict returns the class of the highest score of each row (smallest number among ties). It fails on negative counts, and on a row that
// no class can have produced, as there are where nothing is added.
func (m *CountNB) Predict(X mat.Matrix) ([]int, error) {
	return classesOf(m, "bayes.CountNB.Predict", X)
}

// Class returns the class of one row of d counts, or -1 where Predict would fail.
func (m *CountNB) Class(x ...float64) int { return classOf(m, x) }

type countState struct {
	Kind            string
	Above           float64
	Priors          []float64
	Present, Absent [][]float64
	Names           estimator.Names
}

// MarshalBinary encodes the model with its layout version.
func (m *CountNB) MarshalBinary() ([]byte, error) {
	if m.Dim() == 0 {
		return nil, estimator.Unfitted("bayes.CountNB.MarshalBinary")
	}
	return estimator.Encode("bayes.CountNB", 1, countState{m.kind, m.above, m.priors, m.present, m.absent, m.Names})
}

// UnmarshalBinary restores what MarshalBinary wrote.
func (m *CountNB) UnmarshalBinary(data []byte) error {
	const f = "bayes.CountNB"
	var s countState
	if err := estimator.Decode(data, f, 1, &s); err != nil {
		return err
	}
	damaged := fmt.Errorf("%s: decode: the data is damaged", f)
	if err := checkPriors(f, s.Priors, len(s.Present)); err != nil {
		return fmt.Errorf("%s: decode: %w", f, err)
	}
	coins := s.Kind == bernoulliNB
	if !coins && s.Kind != multinomialNB && s.Kind != complementNB || coins && len(s.Absent) != len(s.Present) || s.Above-s.Above != 0 {
		return damaged
	}
	for c, yes := range s.Present {
		if len(yes) == 0 || len(yes) != len(s.Present[0]) || !coins && !logarithms(yes) {
			return damaged
		}
		if !coins {
			continue
		}
		if len(s.Absent[c]) != len(yes) {
			return damaged
		}
		for j, v := range yes {
			if !logarithms([]float64{v, s.Absent[c][j]}) {
				return damaged
			}
		}
	}
	*m = CountNB{Names: s.Names, kind: s.Kind, above: s.Above, priors: s.Priors, present: s.Present, absent: s.Absent}
	return nil
}
