package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/tree"
)

// Options are the settings of Fit and FitRegression. A field that is zero stands for its default.
type Options struct {
	Trees       int            // number of trees; default 100
	MaxFeatures int            // features drawn for each node, or tree.All; default the root of d, of regressions d/3, rounded down
	MaxDepth    int            // longest path from the root, at least 1, or tree.Unlimited (the default)
	MinLeaf     int            // least number of different rows in a leaf; default 1
	Criterion   tree.Criterion // what a split of a classification tree lowers; default tree.Gini
	Draw        int            // rows drawn with replacement for each tree, or estimator.None: all as they are; default n, with Extra None
	// the tests are not the best ones: the cut of each drawn feature is drawn too
	Extra    bool
	Gaps     bool      // X may hold NaN for a value that is missing
	Words    []int     // for each feature how many words its numbers stand for, 0 for a feature of numbers; nil: all are
	Seed     uint64    // of all draws; default 1
	Weights  []float64 // n sample weights, which are those of the draw; nil means ones
	Progress estimator.ProgressFunc
	// one factor on the weights of the rows of each class, > 0, of classification forests; nil means ones
	ClassWeights []float64
	Balanced     bool // the classes are drawn alike often: ClassWeights n / (K n_c), by weight; times those given
}

// filled returns o with defaults in the place of zeros, but for those that depend on the data.
func (o Options) filled() Options {
	o.Trees, o.MaxDepth, o.MinLeaf = cmp.Or(o.Trees, 100), cmp.Or(o.MaxDepth, tree.Unlimited), cmp.Or(o.MinLeaf, 1)
	o.Seed = cmp.Or(o.Seed, 1)
	return o
}

// sized fills in what depends on the data; features is the default of MaxFeatures. No rows are drawn where Draw is 0 then.
func (o Options) sized(rows, features int) Options {
	o.MaxFeatures = cmp.Or(o.MaxFeatures, features, 1)
	if !o.Extra {
		o.Draw = cmp.Or(o.Draw, rows)
	}
	o.Draw = max(o.Draw, 0)
	return o
}

// trees returns the settings of the trees.
func (o Options) trees() tree.Options {
	t := tree.Options{MinSplit: 2}
	t.Criterion, t.MaxDepth, t.MinLeaf, t.MaxFeatures = o.Criterion, o.MaxDepth, o.MinLeaf, cmp.Or(o.MaxFeatures, tree.All)
	t.RandomCuts, t.Gaps, t.Words = o.Extra, o.Gaps, o.Words
	return t
}

// check reports settings that no data can take.
func (o Options) check(op string) error {
	if err := estimator.CheckCount(op, "Trees", o.Trees, 1, 1<<20); err != nil {
		return err
	}
	if o.Draw != 0 && o.Draw != estimator.None {
		if err := estimator.CheckCount(op, "Draw", o.Draw, 1, math.MaxInt32); err != nil {
			return err
		}
	}
	return o.trees().Check(op, math.MaxInt)
}

func (o Options) checkNoClasses(op string) error {
	if o.ClassWeights != nil || o.Balanced {
		return fault.Argument(op, "ClassWeights", "set, or Balanced", "left out: a regression has no classes", "set Weights")
	}
	return nil
}

// A member is a tree of a committee.
type member interface {
	comparable
	Apply(X mat.Matrix) ([]int, error)
	Importances() []float64
	Dim() int
	Leaves() int
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// committee is what forests of both kinds have.
type committee[M member] struct{ s state[M] }

type state[M member] struct {
	D, K, N int // features, values of an answer, rows of the fit of positive weight
	Gaps    bool
	Trees   []M
	Seen    [][]uint64 // for each tree a bit for each row of the fit that it has seen
	Kept    []int      // the rows of the fit in the caller's matrix; nil when they are all of them
	OOB     []float64  // N x K answers of the trees that have not seen a row
	Error   float64    // of OOB
	Words   [][]string
	Names   estimator.Names // in storage only
	Drawn   drawnRows
}

// assemble grows the trees, each with random numbers of its own, and lets them answer for the rows they have not seen.
func assemble[M member](ctx context.Context, r *estimator.Rows, k int, o Options, grow tree.Grower[M]) (state[M], error) {
	s := state[M]{D: r.D, K: k, N: r.N, Gaps: o.Gaps, Trees: make([]M, o.Trees), Seen: make([][]uint64, o.Trees), Kept: r.Kept}
	s.Drawn = drawnRows{Seed: o.Seed, Draw: o.Draw, W: slices.Clone(r.W)}
	errs, x := make([]error, o.Trees), r.Dense()
	votes := make([][]float64, o.Trees)
	progress := min(o.Trees, 10)
	for from := 0; from < o.Trees; { // a part of the trees at a time, for reports and the memory of their votes
		size := (o.Trees + progress - 1) / progress
		to := min(from+size, o.Trees)
		share.Turns(share.Workers(to-from, float64(to-from)*300*float64(r.N*r.D)), to-from, func(_, i int) {
			t := from + i
			w, rng := s.Drawn.of(r.N, t)
			seen := make([]uint64, (r.N+63)/64)
			for i := range r.N {
				if w == nil || w[i] > 0 {
					seen[i/64] |= 1 << (i % 64)
				}
			}
			s.Seen[t] = seen
			if s.Trees[t], errs[t] = grow(ctx, w, rng.Uint64()); errs[t] == nil {
				votes[t], errs[t] = s.unseen(t, x)
			}
		})
		for ; from < to; from++ {
			if errs[from] != nil {
				return state[M]{}, errs[from]
			}
		}
		if o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: to, Of: o.Trees})
		}
	}
	s.gather(votes)
	return s, nil
}

// draw returns how often each row was drawn, of so many draws by weights whose running sums are given.
func draw(rng *rand.Rand, sums []float64, even bool, draws int) []float64 {
	n := len(sums)
	count := make([]float64, n)
	for range draws {
		i := 0
		if even {
			i = rng.IntN(n)
		} else {
			u := rng.Float64() * sums[n-1]
			i = min(sort.Search(n, func(i int) bool { return sums[i] > u }), n-1)
		}
		count[i]++
	}
	return count
}

// unseen returns the answers of tree t for the rows it has not seen, one behind the other.
func (s *state[M]) unseen(t int, x *mat.Dense) ([]float64, error) {
	rows := s.out(t)
	if len(rows) == 0 {
		return nil, nil
	}
	return answers(s.Trees[t], subset(x, rows))
}

// gather makes the means of the answers for unseen rows, in the order of the trees.
func (s *state[M]) gather(votes [][]float64) {
	s.OOB = make([]float64, s.N*s.K)
	trees := make([]float64, s.N)
	for t, v := range votes {
		for at, i := range s.out(t) {
			trees[i]++
			floats.Add(s.OOB[i*s.K:(i+1)*s.K], v[at*s.K:(at+1)*s.K])
		}
	}
	for i := range s.OOB {
		s.OOB[i] /= trees[i/s.K] // NaN of no tree
	}
}

// mean returns the weighted mean of a loss of the answers for unseen rows, and how many rows it is of.
func (s *state[M]) mean(r *estimator.Rows, loss func(i int, answer []float64) float64) (float64, int) {
	sum, weight, rows := 0.0, 0.0, 0
	for i := range s.N {
		if a := s.OOB[i*s.K : (i+1)*s.K]; a[0] == a[0] {
			sum += r.Weight(i) * loss(i, a)
			weight += r.Weight(i)
			rows++
		}
	}
	return sum / weight, rows
}

// out returns the rows of the fit, 0 ... N-1, that tree t has not seen.
func (s *state[M]) out(t int) (rows []int) {
	for i := range s.N {
		if s.Seen[t][i/64]>>(i%64)&1 == 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

func subset(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	part := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		part.SetRow(i, x.RawRowView(r))
	}
	return part
}

// answers returns the probabilities or the predictions of a tree.
func answers[M member](m M, x *mat.Dense) ([]float64, error) {
	if t, ok := any(m).(*tree.Classifier); ok {
		p, err := t.Proba(x)
		if err != nil {
			return nil, err
		}
		return p.RawMatrix().Data, nil
	}
	return any(m).(*tree.Regressor).Predict(x)
}

// answer writes the mean answers of the trees for rows that were checked, for which no tree has an error.
func (s *state[M]) answer(out, x []float64) {
	clear(out)
	X := mat.NewDense(len(x)/s.D, s.D, x)
	for _, t := range s.Trees {
		if v, err := answers(t, X); err == nil {
			floats.Add(out, v)
		}
	}
	floats.Scale(1/float64(len(s.Trees)), out)
}

// cost is about the time of a row's answer in ns.
func (c *committee[M]) cost() float64 {
	return 60 * float64(len(c.s.Trees))
}

// leaves returns the mean number of leaves of a tree.
func (c *committee[M]) leaves() float64 {
	sum := 0
	for _, t := range c.s.Trees {
		sum += t.Leaves()
	}
	return float64(sum) / float64(len(c.s.Trees))
}

// note returns what a line about the forest says of its error.
func (s *state[M]) note(what string, v float64) string {
	if v != v {
		return ""
	}
	return fmt.Sprintf(", out-of-bag %s %.4g", what, v)
}

// Len returns the number of trees.
func (c *committee[M]) Len() int { return len(c.s.Trees) }

// Tree returns tree t, from 0; nil when there is none.
func (c *committee[M]) Tree(t int) (m M) {
	if t >= 0 && t < len(c.s.Trees) {
		m = c.s.Trees[t]
	}
	return m
}

// OutOfBag returns the rows of the fit that tree t, from 0, has not seen; nil when there is no such tree. Rows of weight zero do not count.
func (c *committee[M]) OutOfBag(t int) []int {
	if t < 0 || t >= len(c.s.Trees) {
		return nil
	}
	rows := c.s.out(t)
	for i, r := range rows {
		if c.s.Kept != nil {
			rows[i] = c.s.Kept[r]
		}
	}
	return rows
}

// Importances returns for each feature its share in the decrease of impurity, the mean of the trees'. It is measured on the rows of the fit
// and favours features of many values, which offer many cuts; Permutation does not. Source: C. Strobl, A.-L. Boulesteix, A. Zeileis,
// T. Hothorn, Bias in random forest variable importance measures, BMC Bioinformatics 8, 2007.
func (c *committee[M]) Importances() []float64 {
	v := make([]float64, c.s.D)
	for _, t := range c.s.Trees {
		floats.Add(v, t.Importances())
	}
	if sum := floats.Sum(v); sum > 0 {
		floats.Scale(1/sum, v)
	}
	return v
}

// Proximity returns for each row of A (n x d) and each row of B (m x d) the share of the trees in which both reach the same leaf. Source:
// Breiman 2001.
//
// Errors: A or B of another width than d, or with numbers that the forest does not take; a matrix that does not fit into memory.
func (c *committee[M]) Proximity(A, B mat.Matrix) (*mat.Dense, error) {
	const op = "ensemble.Proximity"
	for _, X := range []mat.Matrix{A, B} {
		if err := estimator.CheckShape(op, X, c.s.D); err != nil {
			return nil, err
		}
	}
	n, _ := A.Dims()
	m, _ := B.Dims()
	if err := estimator.CheckMemory(op, "the matrix of proximities", n, m, "take fewer rows"); err != nil {
		return nil, err
	}
	p := mat.NewDense(n, m, nil)
	for _, t := range c.s.Trees {
		a, err := t.Apply(A)
		if err != nil {
			return nil, fault.In(op, err)
		}
		b, err := t.Apply(B)
		if err != nil {
			return nil, fault.In(op, err)
		}
		for i, leaf := range a {
			row := p.RawRowView(i)
			for j, other := range b {
				if leaf == other {
					row[j]++
				}
			}
		}
	}
	p.Scale(1/float64(c.Len()), p)
	return p, nil
}

func (c *committee[M]) store(kind string, names estimator.Names) ([]byte, error) {
	s := c.s
	return estimator.Store(kind, s.D, &s, &s.Names, names)
}

// restore reads a state, whose trees sound looks at.
func restore[M member](data []byte, kind string, sound func(*state[M]) bool) (state[M], estimator.Names, error) {
	s := state[M]{}
	names, err := estimator.Restore(data, kind, &s, &s.Names, func() bool {
		ok := s.D > 0 && s.K > 0 && s.N > 0 && len(s.Trees) > 0 && len(s.Seen) == len(s.Trees) && estimator.Fits(len(s.OOB), s.N, s.K) &&
			(s.Kept == nil || len(s.Kept) == s.N) && (s.Words == nil || len(s.Words) == s.D) && s.Drawn.sound(s.N)
		for i, r := range s.Kept {
			ok = ok && r >= i && (i == 0 || r > s.Kept[i-1])
		}
		var none M
		for t, m := range s.Trees {
			ok = ok && m != none && m.Dim() == s.D && len(s.Seen[t]) == (s.N-1)/64+1
		}
		return ok && sound(&s)
	})
	return s, names, err
}

func columns(n *estimator.Names, d int, words [][]string) ([]string, [][]string) {
	names := make([]string, d)
	for j := range names {
		names[j] = n.FeatureName(j)
	}
	return names, words
}

func checkLength(op, argument string, got, want int) error {
	if got != want {
		return fault.Argument(op, argument, fmt.Sprintf("%d labels", got), fmt.Sprintf("one for each of the %d rows of X", want), "")
	}
	return nil
}
