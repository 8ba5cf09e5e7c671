package boost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/tree"
)

// NoError as TargetError stops boosting when no row of positive weight is wrong.
const NoError = math.SmallestNonzeroFloat64

// Options are the settings of Fit. A field that is zero stands for its default.
type Options struct {
	Rounds  int     // T, at most; default 50
	Learner Learner // default Stumps()
	// draw n rows with the weights of the round as probabilities instead of passing the weights on; default false
	Resample    bool
	TargetError float64   // stop when the training error is at most this, which may be NoError; default 0, which never stops
	MinEdge     float64   // stop when the best weak classifier has an edge 1/2 - epsilon_t of at most this; default 1e-10
	Seed        uint64    // of the draws of Resample; default 1
	Weights     []float64 // n sample weights, the first distribution D_1 up to scale; nil means ones
	// one factor on the weights of the rows of each class, > 0; nil means ones
	ClassWeights []float64
	Balanced     bool                   // the classes weigh alike in D_1: ClassWeights n / (K n_c), by weight; times those given
	Progress     estimator.ProgressFunc // called after each round with the exponential loss, the product of the Z_t so far
}

// filled returns o with defaults in the place of zeros.
func (o Options) filled() Options {
	if o.Learner == nil {
		o.Learner = Stumps()
	}
	o.Rounds, o.MinEdge, o.Seed = cmp.Or(o.Rounds, 50), cmp.Or(o.MinEdge, 1e-10), cmp.Or(o.Seed, 1)
	return o
}

// A Stop says why boosting ended.
type Stop int

const (
	// AllRounds: the number of rounds asked for was reached.
	AllRounds Stop = iota
	// Perfect: a weak classifier made no error under the weights of its round. It decides alone from then on.
	Perfect
	// NoEdge: the weak classifier of the round was no better than chance under its weights and was not used.
	NoEdge
	// Reached: the training error fell to TargetError.
	Reached
	// NoGain: no test of a tree lowers the loss of gradient boosting.
	NoGain
	// NoProgress: the loss on the rows held out from gradient boosting did not fall for as many rounds as asked.
	NoProgress
)

func (s Stop) String() string {
	if s < AllRounds || s > NoProgress {
		return fmt.Sprintf("Stop(%d)", int(s))
	}
	return [...]string{
		"all rounds done", "a weak classifier makes no error", "the weak classifier is no better than chance",
		"the training error is as low as asked", "no test lowers the loss", "the loss on rows held out falls no more",
	}[s]
}

// A Round is one term alpha_t h_t of the score.
type Round struct {
	Hypothesis Hypothesis
	Error      float64 // epsilon_t = sum of D_t over the mistakes of h_t
	Alpha      float64 // 1/2 log((1 - epsilon_t) / epsilon_t) + 1/2 log(K - 1)
	// the factor of the exponential loss: for two classes sum_i D_t(i) exp(-alpha_t y_i h_t(x_i)) = 2 sqrt(epsilon_t (1 - epsilon_t))
	Z       float64
	Classes int // K; 0 stands for 2
}

// Edge returns gamma_t = 1 - 1/K - epsilon_t, how much better than chance the term is under the weights of its round.
func (r Round) Edge() float64 { return chance(max(r.Classes, 2)) - r.Error }

// chance is the error of a guess among k classes.
func chance(k int) float64 { return 1 - 1/float64(k) }

// A Model is the boosted classifier. Of two classes it chooses class 1 where F(x) = sum_t alpha_t h_t(x) > 0, with h_t in {-1, 1}, and
// class 0 elsewhere; of K > 2 the one whose rounds add up to the largest alpha, of equal ones the first.
type Model struct {
	estimator.Names
	state state
}

type state struct {
	D, K    int // K = 0 stands for 2
	Rounds  []Round
	Stop    Stop
	Last    float64 // epsilon of the round that ended it with NoEdge
	Learner string
	Names   estimator.Names // in storage only: Model.Names holds them
	Gaps    bool            // rows may have gaps: all weak classifiers are trees that know them
	Words   [][]string      // of the features the words that their numbers stand for, where a data set told them
}

// Fit boosts on X (n x d) with labels y of K classes. For two, y and h in {-1, 1}:
//
//	D_1(i) = w_i / sum w
//	h_t    = the weak classifier for the weights D_t
//	eps_t  = sum_i D_t(i) 1(h_t(x_i) != y_i)
//	alpha_t = 1/2 log((1 - eps_t) / eps_t)
//	D_t+1(i) = D_t(i) exp(-alpha_t y_i h_t(x_i)) / Z_t
//
// This is stage-wise minimisation of the exponential loss 1/n sum exp(-y F). A weak classifier without error ends it: its alpha_t, infinite
// by the formula, is set to 1 plus the sum of the earlier ones, so that it outvotes them; Z_t is then exp(-alpha_t). Sources: Freund and
// Schapire, A decision-theoretic generalization of on-line learning and an application to boosting, 1997; Schapire and Singer, Improved
// boosting algorithms using confidence-rated predictions, 1999. (AdaBoost.M1 in Hastie, Tibshirani, Friedman, 2009, algorithm 10.1, has
// twice these alpha_t.)
//
// For more classes it is SAMME, of which the above is the case K = 2:
//
//	alpha_t  = 1/2 log((1 - eps_t) / eps_t) + 1/2 log(K - 1)
//	D_t+1(i) = D_t(i) exp(-2 (K-1)/K alpha_t) / Z_t where h_t(x_i) = y_i, D_t(i) exp(2/K alpha_t) / Z_t elsewhere
//	F_k(x)   = sum_t alpha_t (1(h_t(x) = k) - 1(h_t(x) != k) / (K - 1))
//
// with the largest F_k(x) as the answer: stage-wise minimisation of 1/n sum_i exp(-2 (K-1)/K F_y(x_i)), for which a weak classifier needs
// no more than an error below that of a guess, 1 - 1/K. Rows may have gaps (NaN) and words where the learner is Trees with Gaps and Words.
// Source: Zhu, Zou, Rosset, Hastie, Multi-class AdaBoost, Statistics and its
// Interface 2, 2009, whose alpha_t, and scikit-learn's, are twice these.
func Fit(ctx context.Context, X mat.Matrix, y []int, opts Options) (*Model, error) {
	const name = "boost.Fit"
	opts = opts.filled()
	l, err := checked(ctx, name, X, y, opts)
	if err != nil {
		return nil, err
	}
	x, y, d, n, k := l.Dense(), l.Y, l.Shares(), l.N, l.K
	fit, err := opts.Learner.Prepare(x, y)
	if err != nil {
		return nil, err
	}
	if fit == nil {
		return nil, fault.Argument(name, "Learner", "without a fit: Prepare returns nil",
			"a learner whose Prepare returns the fit of a round", "")
	}
	m := &Model{state: state{D: l.D, K: k, Stop: AllRounds, Learner: opts.Learner.String()}}
	if t, ok := opts.Learner.(trees); ok {
		m.state.Gaps = t.opts.Gaps
	}
	var first []float64 // of the training error, which is followed only to stop at it
	var votes *ballot
	if opts.TargetError > 0 {
		first, votes = slices.Clone(d), newBallot(n, k)
	}
	said := make([]int, n)
	rng := rand.New(rand.NewPCG(opts.Seed, 0xb005))
	loss, alphas := 1.0, 0.0
	for t := range opts.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after %d of %d rounds: %w", name, t, opts.Rounds, err)
		}
		var h Hypothesis
		eps := chance(k)
		for draw := 0; draw == 0 || opts.Resample && draw < draws && chance(k)-eps <= opts.MinEdge; draw++ {
			w := d
			if opts.Resample {
				w = Draw(d, n, rng)
			}
			if h, err = fit(ctx, w); err == nil {
				eps, err = mistakes(h, x, y, k, d, said)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: round %d: %w", name, t+1, err)
			}
		}
		if chance(k)-eps <= opts.MinEdge {
			m.state.Stop, m.state.Last = NoEdge, eps
			break
		}
		r := Round{Hypothesis: h, Error: eps, Classes: k}
		if eps == 0 {
			r.Alpha = 1 + alphas
		} else {
			r.Alpha = 0.5 * (math.Log((1-eps)/eps) + math.Log(float64(k-1)))
		}
		right, wrong := factors(k, r.Alpha)
		switch {
		case eps == 0:
			r.Z = right
		case k == 2:
			r.Z = 2 * math.Sqrt(eps*(1-eps))
		default:
			r.Z = (1-eps)*right + eps*wrong
		}
		alphas += r.Alpha
		loss *= r.Z
		m.state.Rounds = append(m.state.Rounds, r)
		sum, up, down := 0.0, wrong/r.Z, right/r.Z
		for i := range d {
			if said[i] != y[i] {
				d[i] *= up
			} else {
				d[i] *= down
			}
			sum += d[i]
		}
		for i := range d {
			d[i] /= sum
		}
		if opts.Progress != nil {
			opts.Progress(estimator.Progress{Iteration: t + 1, Of: opts.Rounds, Objective: loss})
		}
		if eps == 0 {
			m.state.Stop = Perfect
			break
		}
		if votes != nil {
			votes.add(r.Alpha, said)
			if votes.error(y, first) <= opts.TargetError {
				m.state.Stop = Reached
				break
			}
		}
	}
	return m, nil
}

// draws is how often the resampling form draws again in a round whose weak classifier is no better than chance, before it gives up.
const draws = 10

// factors returns what a term of coefficient alpha multiplies the loss of a row of k classes by where it is right, and where it is wrong.
func factors(k int, alpha float64) (right, wrong float64) {
	return math.Exp(-2 * alpha * float64(k-1) / float64(k)), math.Exp(2 * alpha / float64(k))
}

// mistakes notes what h says of the rows and returns the share of the weight d that it gets wrong.
func mistakes(h Hypothesis, x *mat.Dense, y []int, k int, d []float64, said []int) (float64, error) {
	if missing(h) {
		return 0, errors.New("the learner returns no weak classifier, but nil")
	}
	eps, right := 0.0, 0.0
	for i := range y {
		c := h.Class(x.RawRowView(i)...)
		if c < 0 || c >= k {
			return 0, fmt.Errorf("the weak classifier returns class %d, not %s", c, oneOf(k))
		}
		if said[i] = c; c != y[i] {
			eps += d[i]
		} else {
			right += d[i]
		}
	}
	return eps / (eps + right), nil
}

// missing reports whether h is nil, or a nil pointer.
func missing(h Hypothesis) bool {
	v := reflect.ValueOf(h)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// oneOf names the classes: "0 or 1", "one of 0 ... 2".
func oneOf(k int) string {
	if k == 2 {
		return "0 or 1"
	}
	return fmt.Sprintf("one of 0 ... %d", k-1)
}

// most is the largest number of classes.
const most = 1 << 16

func checked(ctx context.Context, name string, X mat.Matrix, y []int, opts Options) (*estimator.Labelled, error) {
	check := estimator.CheckX
	if t, ok := opts.Learner.(trees); ok {
		check = t.opts.CheckX
	}
	if err := check(name, X); err != nil {
		return nil, err
	}
	l, err := estimator.CheckedLabelled(ctx, name, X, y, estimator.Weighting{
		Weights: opts.Weights, ClassWeights: opts.ClassWeights, Balanced: opts.Balanced,
	})
	if err != nil {
		return nil, err
	}
	if l.K > most {
		return nil, fault.Argument(name, "y", fmt.Sprintf("labels of %d classes", l.K), fmt.Sprintf("labels of at most %d classes", most), "")
	}
	return l, opts.check(name)
}

func (opts Options) check(name string) error {
	if err := estimator.CheckCount(name, "Rounds", opts.Rounds, 1, math.MaxInt); err != nil {
		return err
	}
	if opts.Learner == nil {
		return fault.Argument(name, "Learner", "nil", "a weak learner", "boost.Stumps() is the default")
	}
	if !(opts.TargetError >= 0 && opts.TargetError < 1) {
		return fault.Argument(name, "TargetError", opts.TargetError, "a share of errors below 1, or 0 for never", "")
	}
	if !(opts.MinEdge >= 0 && opts.MinEdge < 0.5) { // the edge of no error with two classes
		return fault.Argument(name, "MinEdge", opts.MinEdge, "a number from 0 up to, not including, 0.5", "the default is 1e-10")
	}
	return nil
}

// Draw draws n rows with replacement, row i with probability p[i], and returns how often each was drawn. It uses the inverse of the
// cumulative sum of p. Without rows there is nothing to draw, and the result is empty.
func Draw(p []float64, n int, rng *rand.Rand) []float64 {
	if len(p) == 0 {
		return nil
	}
	cum, s := make([]float64, len(p)), 0.0
	for i, v := range p {
		s += v
		cum[i] = s
	}
	count := make([]float64, len(p))
	for range n {
		i := sort.SearchFloat64s(cum, rng.Float64()*s)
		count[min(i, len(p)-1)]++
	}
	return count
}

// spine gives the model the methods that all classifiers have. Its probabilities are those for which the scores minimise the expected
// exponential loss: of two classes p_1 = 1 / (1 + exp(-2 F)), of more p_k proportional to exp(2 (K-1)/K F_k). They are seldom calibrated.
// Sources: Friedman, Hastie, Tibshirani, Additive logistic regression, 2000, lemma 1; Zhu, Zou, Rosset, Hastie 2009, theorem 1.
func (m *Model) spine() estimator.Discriminant[*Model] {
	var stumps []flat // made for the first block of rows, which follow each other
	return estimator.Discriminant[*Model]{Classification: estimator.Classification[*Model]{
		Model: m, Kind: "boost.Model", D: m.state.D, K: max(m.state.K, 2), Gaps: m.state.Gaps,
		Scores: func(m *Model, scores, x []float64) {
			if stumps == nil && m.Classes() == 2 && len(x) > m.state.D { // one row is quicker without
				stumps = m.stumps()
			}
			m.scores(scores, x, stumps)
		},
	}}
}

// scores writes for each row twice the sums of the alphas of the rounds by the class they choose, for two classes (0, 2 F). The stumps may
// be nil.
func (m *Model) scores(scores, x []float64, stumps []flat) {
	k, d := m.Classes(), m.state.D
	for ; len(x) > 0; x, scores = x[d:], scores[k:] {
		switch row := x[:d]; {
		case k > 2:
			clear(scores[:k])
			m.poll(row, scores[:k])
			floats.Scale(2, scores[:k])
		case stumps != nil:
			f := 0.0
			for i := range stumps {
				s := &stumps[i]
				above := 0
				if row[s.feature] > s.threshold {
					above = 1
				}
				f += s.vote[above]
			}
			scores[0], scores[1] = 0, 2*f
		default:
			scores[0], scores[1] = 0, 2*m.Score(row)
		}
	}
}

// polls returns the n x K halves of the scores of all rows.
func (m *Model) polls(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n*m.Classes())
	m.scores(out, x.RawMatrix().Data, m.stumps())
	floats.Scale(0.5, out)
	return out
}

// poll adds up the alphas of the rounds by the class they choose for x.
func (m *Model) poll(x, votes []float64) {
	for i := range m.state.Rounds {
		r := &m.state.Rounds[i]
		if c := r.Hypothesis.Class(x...); uint(c) < uint(len(votes)) {
			votes[c] += r.Alpha
		}
	}
}

// flat is a stump as prediction needs it: the votes for a value at most, and above, the threshold.
type flat struct {
	threshold float64
	vote      [2]float64
	feature   int
}

// stumps returns the rounds as prediction needs them; nil where one of two classes is no stump.
func (m *Model) stumps() []flat {
	list := make([]flat, 0, m.Len())
	for _, r := range m.state.Rounds {
		s, ok := r.Hypothesis.(tree.Stump)
		if !ok {
			return nil
		}
		f := flat{threshold: s.Threshold, feature: s.Feature, vote: [2]float64{-r.Alpha, -r.Alpha}}
		if s.Left == 1 {
			f.vote[0] = r.Alpha
		}
		if s.Right == 1 {
			f.vote[1] = r.Alpha
		}
		list = append(list, f)
	}
	return list
}

// Decision returns the n x 1 scores F(x) of the rows of X (n x d), and for more than two classes the n x K scores F_k(x), whose sum over
// the classes is zero.
func (m *Model) Decision(X mat.Matrix) (*mat.Dense, error) {
	spine := m.spine()
	out, err := spine.Decision(X)
	if err != nil {
		return nil, err
	}
	n, k := out.Dims()
	out.Scale(0.5, out)
	if k == 2 {
		return mat.DenseCopyOf(out.ColView(1)), nil
	}
	for i, others := 0, 1/float64(k-1); i < n; i++ {
		row := out.RawRowView(i)
		total := floats.Sum(row)
		for c, v := range row {
			row[c] = v - (total-v)*others
		}
	}
	return out, nil
}

// Len returns T, the number of rounds done.
func (m *Model) Len() int { return len(m.state.Rounds) }

// Rounds returns the rounds in order.
func (m *Model) Rounds() []Round { return append([]Round(nil), m.state.Rounds...) }

// Alphas returns alpha_1 ... alpha_T.
func (m *Model) Alphas() []float64 {
	a := make([]float64, m.Len())
	for t, r := range m.state.Rounds {
		a[t] = r.Alpha
	}
	return a
}

// Stop returns why boosting ended.
func (m *Model) Stop() Stop { return m.state.Stop }

// Reason returns a sentence about why boosting ended, such as "round 1: the best of the stumps errs on 0.5 of the weight, no better than
// chance".
func (m *Model) Reason() string {
	t := m.Len()
	switch m.state.Stop {
	case Perfect:
		return fmt.Sprintf("round %d: the weak classifier makes no error under the weights of its round and decides alone", t)
	case NoEdge:
		return fmt.Sprintf("round %d: the best of the %s errs on %.6g of the weight, no better than chance", t+1, m.state.Learner, m.state.Last)
	case Reached:
		return fmt.Sprintf("round %d: the training error is as low as asked", t)
	}
	return fmt.Sprintf("all %d rounds done", t)
}

// First returns the model of the first t rounds, 0 ... Len.
func (m *Model) First(t int) (*Model, error) {
	if err := estimator.CheckCount("boost.Model.First", "t", t, 0, m.Len()); err != nil {
		return nil, err
	}
	s := m.state
	s.Rounds = s.Rounds[:t:t]
	if t < m.Len() {
		s.Stop, s.Last = AllRounds, 0
	}
	return &Model{Names: m.Names, state: s}, nil
}

// Score returns F(x) of the row x of d numbers after all rounds, and NaN for a row of another length or a model of more than two classes,
// which has a score for each; see Decision.
func (m *Model) Score(x []float64) float64 {
	if len(x) != m.state.D || m.Classes() > 2 {
		return math.NaN()
	}
	f := 0.0
	for i := range m.state.Rounds {
		r := &m.state.Rounds[i]
		if r.Hypothesis.Class(x...) == 1 {
			f += r.Alpha
		} else {
			f -= r.Alpha
		}
	}
	return f
}

// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers; no names where the
// model knows neither words nor gaps.
func (m *Model) Columns() (names []string, words [][]string) {
	if !m.state.Gaps {
		return nil, nil
	}
	for j := range m.state.D {
		names = append(names, m.FeatureName(j))
	}
	return names, m.state.Words
}

// String returns a line such as "AdaBoost: 50 rounds of stumps, product of Z 0.685 (all rounds done)".
func (m *Model) String() string {
	product := 1.0
	for _, r := range m.state.Rounds {
		product *= r.Z
	}
	return fmt.Sprintf("AdaBoost: %d rounds of %s, product of Z %.4g (%s)", m.Len(), m.state.Learner, product, m.state.Stop)
}

const modelVersion = 2

// MarshalBinary encodes the model. It fails on a weak classifier of a type that estimator.Register does not know.
func (m *Model) MarshalBinary() ([]byte, error) {
	s := m.state
	s.Names = m.Names
	return estimator.Encode("boost.Model", modelVersion, s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	var s state
	if err := estimator.Decode(data, "boost.Model", modelVersion, &s); err != nil {
		return err
	}
	k := max(s.K, 2)
	if s.K < 0 || s.K == 1 || s.K > most {
		return fmt.Errorf("boost.Model: decode: the number of classes is %d", s.K)
	}
	for t, r := range s.Rounds {
		ok := r.Hypothesis != nil && (r.Classes == 0 || r.Classes == k)
		switch h := r.Hypothesis.(type) {
		case tree.Stump:
			ok = ok && h.Feature >= 0 && h.Feature < s.D
		case *tree.Classifier:
			ok = ok && h.Dim() == s.D && h.Classes() == k
		}
		if !ok {
			return fmt.Errorf("boost.Model: decode: the weak classifier of round %d does not fit %d features", t+1, s.D)
		}
	}
	if s.D < 1 {
		return fmt.Errorf("boost.Model: decode: the data have no features")
	}
	if s.Words != nil && len(s.Words) != s.D {
		return fmt.Errorf("boost.Model: decode: words of %d features, but the data have %d", len(s.Words), s.D)
	}
	*m = Model{Names: s.Names, state: s}
	m.state.Names = estimator.Names{}
	return nil
}
