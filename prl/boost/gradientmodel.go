package boost

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// gradientState is what is stored of a model: new fields at the end.
type gradientState struct {
	D, K, Outputs int // features, classes (0 in a regression), trees a round
	Rate          float64
	Loss          int // a lossKind
	Parameter     float64
	Gaps          bool
	Start         []float64        // F_0 of each output
	Trees         [][]GradientNode // round after round
	Stop          Stop
	Held          []float64       // the loss on the rows held out, after 0, 1, ... rounds
	Names         estimator.Names // in storage only
}

// A GradientClassifier is a classifier made by gradient boosting. It is immutable and safe for concurrent use.
type GradientClassifier struct {
	estimator.Names
	s      gradientState
	course func() *course // for many rows, made when it is first needed
}

func newGradientClassifier(names estimator.Names, s gradientState) *GradientClassifier {
	m := &GradientClassifier{Names: names, s: s}
	m.prepare()
	return m
}

func (m *GradientClassifier) prepare() { m.course = m.s.course() }

// A GradientRegressor is a regression made by gradient boosting. It is immutable and safe for concurrent use.
type GradientRegressor struct {
	estimator.Names
	s      gradientState
	course func() *course // for many rows, made when it is first needed
}

func newGradientRegressor(names estimator.Names, s gradientState) *GradientRegressor {
	m := &GradientRegressor{Names: names, s: s}
	m.prepare()
	return m
}

func (m *GradientRegressor) prepare() { m.course = m.s.course() }

// spine gives the model the methods that all classifiers have.
func (m *GradientClassifier) spine() estimator.Discriminant[*GradientClassifier] {
	return estimator.Discriminant[*GradientClassifier]{
		Classification: estimator.Classification[*GradientClassifier]{
			Model: m, Kind: "boost.GradientClassifier", D: m.s.D, K: m.s.K, Gaps: m.s.Gaps, Cost: m.s.cost(),
			Block: tile.FlagRows, Scores: (*GradientClassifier).scores,
		},
		Against0: true,
	}
}

func (m *GradientClassifier) scores(scores, x []float64) {
	s := &m.s
	if s.Outputs > 1 {
		s.scoreRows(scores, s.K, x, m.course)
		return
	}
	s.scoreRows(scores[1:], 2, x, m.course)
	for i := 0; i < len(scores); i += 2 {
		scores[i] = 0
		if lossKind(s.Loss) == exponentialLoss {
			scores[i+1] *= 2
		}
	}
}

// spine gives the model the methods that all regressions have.
func (m *GradientRegressor) spine() estimator.Regression[*GradientRegressor] {
	return estimator.Regression[*GradientRegressor]{
		Model: m, Kind: "boost.GradientRegressor", D: m.s.D, Gaps: m.s.Gaps, Cost: m.s.cost(), Block: tile.FlagRows,
		Values: func(m *GradientRegressor, y, x []float64) {
			m.s.scoreRows(y, 1, x, m.course)
			if lossKind(m.s.Loss) == poissonLoss {
				for i, v := range y {
					y[i] = math.Exp(min(v, 709))
				}
			}
		},
	}
}

// score writes the scores of a row.
func (s *gradientState) score(f, x []float64) {
	copy(f, s.Start)
	for t, list := range s.Trees {
		f[t%s.Outputs] += float64(s.Rate * answer(list, x))
	}
}

// course returns what makes the course of a finished model when it is first called.
func (s *gradientState) course() func() *course {
	trees, rate := s.Trees, s.Rate
	return sync.OnceValue(func() *course { return newCourse(trees, rate) })
}

// cost is about the time of a row's scores in ns.
func (s *gradientState) cost() float64 { return 4 * float64(len(s.Trees)) }

func (s *gradientState) rounds() int { return len(s.Trees) / max(s.Outputs, 1) }

// lossAt returns the loss of the scores of a row for its target, or for the number of its class.
func (s *gradientState) lossAt(z float64, f []float64) float64 {
	if s.Outputs > 1 {
		return floats.LogSumExp(f) - f[int(z)]
	}
	loss, _, _ := RowLoss{lossKind(s.Loss), s.Parameter}.At(z, f[0])
	return loss
}

// losses returns the weighted mean loss after 0, 1, ... rounds.
func (s *gradientState) losses(ctx context.Context, op string, x *mat.Dense, z, w []float64) ([]float64, error) {
	out, total, f := make([]float64, s.rounds()+1), 0.0, make([]float64, s.Outputs)
	for i, target := range z {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", op, ctx.Err())
		}
		row, weight := x.RawRowView(i), weightOf(w, i)
		copy(f, s.Start)
		total += weight
		out[0] += weight * s.lossAt(target, f)
		for t, list := range s.Trees {
			f[t%s.Outputs] += float64(s.Rate * answer(list, row))
			if (t+1)%s.Outputs == 0 {
				out[(t+1)/s.Outputs] += weight * s.lossAt(target, f)
			}
		}
	}
	floats.Scale(1/total, out)
	return out, nil
}

// first returns the state of the first t rounds.
func (s *gradientState) first(op string, t int) (gradientState, error) {
	part := *s
	if err := estimator.CheckCount(op, "t", t, 0, s.rounds()); err != nil {
		return part, err
	}
	part.Trees = s.Trees[:t*s.Outputs]
	return part, nil
}

// tree returns a copy of a tree.
func (s *gradientState) tree(t, output int) []GradientNode {
	if t < 0 || t >= s.rounds() || output < 0 || output >= s.Outputs {
		return nil
	}
	return slices.Clone(s.Trees[t*s.Outputs+output])
}

// importances returns the shares of the features in the gains.
func (s *gradientState) importances() []float64 {
	v := make([]float64, s.D)
	for _, list := range s.Trees {
		for i := range list {
			if n := &list[i]; !n.Leaf() {
				v[n.Feature] += n.Gain
			}
		}
	}
	if sum := floats.Sum(v); sum > 0 {
		floats.Scale(1/sum, v)
	}
	return v
}

// sound reports whether the parts of a stored model fit together.
func (s *gradientState) sound(classes bool) bool {
	kind := lossKind(s.Loss)
	ok := s.D > 0 && s.Outputs > 0 && s.Rate > 0 && finite(s.Rate, s.Parameter) && len(s.Start) == s.Outputs && finite(s.Start...) &&
		len(s.Trees)%s.Outputs == 0 && kind > unset && kind <= softmaxLoss && classes == (kind >= logisticLoss) && s.Stop >= AllRounds &&
		s.Stop <= NoProgress
	if classes {
		ok = ok && s.K > 1 && (s.Outputs == 1 && s.K == 2 && kind != softmaxLoss || s.Outputs == s.K && s.K > 2 && kind == softmaxLoss)
	} else {
		ok = ok && s.K == 0 && s.Outputs == 1
	}
	for _, list := range s.Trees {
		ok = ok && soundTree(list, s.D)
	}
	return ok
}

func (s *gradientState) text(kind string) string {
	loss := RowLoss{lossKind(s.Loss), s.Parameter}
	return fmt.Sprintf("%s by gradient boosting, %s loss, %d rounds of rate %g", kind, loss, s.rounds(), s.Rate)
}

// Len returns the number of rounds.
func (m *GradientClassifier) Len() int { return m.s.rounds() }

// Stop says why boosting ended.
func (m *GradientClassifier) Stop() Stop { return m.s.Stop }

// Start returns F_0: one score for two classes, K for more.
func (m *GradientClassifier) Start() []float64 { return slices.Clone(m.s.Start) }

// Tree returns the nodes of a tree of round t, from 0: of two classes that of class 1, which is number 0, of more that of class c; nil when
// there is none.
func (m *GradientClassifier) Tree(t, c int) []GradientNode { return m.s.tree(t, c) }

// HeldLosses returns the mean loss on the rows held out after 0, 1, ... rounds, also of those that were taken back; nil without such rows.
func (m *GradientClassifier) HeldLosses() []float64 { return slices.Clone(m.s.Held) }

// Importances returns for each feature its share in the gains of all tests, which favour features of many values.
func (m *GradientClassifier) Importances() []float64 { return m.s.importances() }

// First returns the model of the first t rounds.
//
// Errors: t that is not 0 ... Len.
func (m *GradientClassifier) First(t int) (*GradientClassifier, error) {
	s, err := m.s.first("boost.GradientClassifier.First", t)
	if err != nil {
		return nil, err
	}
	return newGradientClassifier(m.Names, s), nil
}

// Losses returns the weighted mean loss after 0, 1, ... rounds on X (n x d) with labels y; weights may be nil.
//
// Errors: X, labels or weights that do not fit the model, and the error of ctx.
func (m *GradientClassifier) Losses(ctx context.Context, X mat.Matrix, y []int, weights []float64) ([]float64, error) {
	const op = "boost.GradientClassifier.Losses"
	z := make([]float64, len(y))
	for i, c := range y {
		if c < 0 || c >= m.s.K {
			return nil, fault.Argument(op, fmt.Sprintf("y[%d]", i), c, fmt.Sprintf("a class from 0 to %d", m.s.K-1), "")
		}
		z[i] = float64(c)
	}
	if err := checkData(op, X, m.s.D, m.s.Gaps, "y", len(y), weights); err != nil {
		return nil, err
	}
	return m.s.losses(ctx, op, estimator.Dense(X), z, weights)
}

// checkData reports rows that do not fit a model of d features, and targets or weights of another number.
func checkData(op string, X mat.Matrix, d int, gaps bool, argument string, targets int, weights []float64) error {
	if err := estimator.CheckShape(op, X, d); err != nil {
		return err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	check := estimator.CheckRows
	if gaps {
		check = estimator.CheckGaps
	}
	if err := check(op, x, 0, n); err != nil {
		return err
	}
	if targets != n {
		what := map[string]string{"y": "label", "target": "number"}[argument]
		return fault.Argument(op, argument, fmt.Sprintf("%d %ss", targets, what), fmt.Sprintf("one %s for each of the %d rows of X", what, n), "")
	}
	return estimator.CheckWeights(op, weights, n)
}

// String returns a line such as "classifier by gradient boosting, logistic loss, 100 rounds of rate 0.1".
func (m *GradientClassifier) String() string { return m.s.text("classifier") }

func (m *GradientClassifier) sound() bool { return m.s.sound(true) }

// Len returns the number of rounds.
func (m *GradientRegressor) Len() int { return m.s.rounds() }

// Stop says why boosting ended.
func (m *GradientRegressor) Stop() Stop { return m.s.Stop }

// Start returns F_0, the constant that boosting begins with; of the Poisson loss its logarithm. It is NaN before a fit.
func (m *GradientRegressor) Start() float64 {
	if len(m.s.Start) == 0 {
		return math.NaN()
	}
	return m.s.Start[0]
}

// Tree returns the nodes of the tree of round t, from 0; nil when there is none.
func (m *GradientRegressor) Tree(t int) []GradientNode { return m.s.tree(t, 0) }

// HeldLosses returns the mean loss on the rows held out after 0, 1, ... rounds, also of those that were taken back; nil without such rows.
func (m *GradientRegressor) HeldLosses() []float64 { return slices.Clone(m.s.Held) }

// Importances returns for each feature its share in the gains of all tests, which favour features of many values.
func (m *GradientRegressor) Importances() []float64 { return m.s.importances() }

// First returns the model of the first t rounds.
//
// Errors: t that is not 0 ... Len.
func (m *GradientRegressor) First(t int) (*GradientRegressor, error) {
	s, err := m.s.first("boost.GradientRegressor.First", t)
	if err != nil {
		return nil, err
	}
	return newGradientRegressor(m.Names, s), nil
}

// Losses returns the weighted mean loss after 0, 1, ... rounds on X (n x d) with n targets; weights may be nil.
//
// Errors: X, targets or weights that do not fit the model, and the error of ctx.
func (m *GradientRegressor) Losses(ctx context.Context, X mat.Matrix, target, weights []float64) ([]float64, error) {
	const op = "boost.GradientRegressor.Losses"
	if err := checkData(op, X, m.s.D, m.s.Gaps, "target", len(target), weights); err != nil {
		return nil, err
	}
	if err := estimator.CheckTargets(op, target, len(target)); err != nil {
		return nil, err
	}
	return m.s.losses(ctx, op, estimator.Dense(X), target, weights)
}

// String returns a line such as "regression by gradient boosting, squared loss, 100 rounds of rate 0.1".
func (m *GradientRegressor) String() string { return m.s.text("regression") }

func (m *GradientRegressor) sound() bool { return m.s.sound(false) }
