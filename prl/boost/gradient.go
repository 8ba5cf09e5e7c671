package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/tree"
)

// GradientOptions are the settings of FitGradient and FitGradientRegression. A field that is zero stands for its default.
type GradientOptions struct {
	Loss   RowLoss // default LogisticLoss for classes, SquaredLoss for targets
	Rounds int     // M, at most; default 100
	Rate   float64 // the factor of each tree, > 0; default 0.1
	Depth  int     // longest path from the root, at least 1, or tree.Unlimited (the default)
	Leaves int     // leaves of a tree, at least 2, or tree.Unlimited; default 31
	// least number of rows in a leaf, whatever their weight; default 20, or a tenth of the rows of a round if that is less
	MinLeaf int
	Lambda  float64 // added to H in a leaf, or estimator.None; default 1
	Gamma   float64 // the price of a leaf, at least 0; default 0
	Rows    float64 // share of the rows drawn without replacement each round, up to 1 (the default)
	Columns float64 // share of the features drawn each round, up to 1 (the default); one feature at least
	// share of the rows held out, below 1, on which the loss of each round is measured; default 0, none
	Held float64
	// rounds without a new least loss on the rows held out after which the fit stops; default 10. The model is that of the least loss.
	Patience int
	// for each feature 1 where the score must not fall with it, -1 where it must not rise, 0 where it may do both; nil: all may. For two
	// classes the score is that of class 1; for more it is an error.
	Monotone []int
	Bins     int       // bins of a feature, 2 to 254; default 254. A feature of so many values at most is cut exactly.
	Gaps     bool      // X may hold NaN for a value that is missing: each split learns to which side its gaps go
	Seed     uint64    // of all draws; default 1
	Weights  []float64 // n sample weights; nil means ones
	// one factor on the weights of the rows of each class, > 0, of classifiers; nil means ones
	ClassWeights []float64
	Balanced     bool // the classes weigh alike: ClassWeights n / (K n_c), by weight; times those given
	// called after each round with the loss on the rows held out, without them with that on the rows of the fit
	Progress estimator.ProgressFunc
}

// DefaultGradientOptions asks for 100 rounds of trees of at most 31 leaves of at least 20 rows, each multiplied by 0.1. On new
// rows, leaves of 20 rows have had up to 22 % less loss than leaves of 5 rows, and at most 1.1 % more (fits to 200 to 20,000 rows of 20
// features, with little and much noise); below 200 rows a leaf has at least a tenth of the rows that a round sees.
func DefaultGradientOptions() GradientOptions {
	o := GradientOptions{}.filled()
	o.Lambda = 1
	return o
}

// filled returns o with defaults in the place of zeros.
func (o GradientOptions) filled() GradientOptions {
	o.Rounds, o.Rate, o.Depth, o.Leaves = cmp.Or(o.Rounds, 100), cmp.Or(o.Rate, 0.1), cmp.Or(o.Depth, tree.Unlimited), cmp.Or(o.Leaves, 31)
	o.Rows, o.Columns = cmp.Or(o.Rows, 1), cmp.Or(o.Columns, 1)
	o.Patience, o.Bins, o.Seed = cmp.Or(o.Patience, 10), cmp.Or(o.Bins, 254), cmp.Or(o.Seed, 1)
	return o
}

// check reports settings that no data can take.
func (o GradientOptions) check(op string) error {
	for _, c := range []struct {
		name   string
		v      int
		lo, hi int
	}{
		{"Rounds", o.Rounds, 1, 1 << 24},
		{"MinLeaf", o.MinLeaf, 0, math.MaxInt32},
		{"Patience", o.Patience, 1, math.MaxInt32},
		{"Bins", o.Bins, 2, 254},
	} {
		if err := estimator.CheckCount(op, c.name, c.v, c.lo, c.hi); err != nil {
			return err
		}
	}
	if o.Depth != tree.Unlimited {
		if err := estimator.CheckCount(op, "Depth", o.Depth, 1, math.MaxInt32); err != nil {
			return err
		}
	}
	if o.Leaves != tree.Unlimited {
		if err := estimator.CheckCount(op, "Leaves", o.Leaves, 2, math.MaxInt32); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name, need string
		v          float64
		ok         bool
	}{
		{"Rate", "a finite positive number", o.Rate, o.Rate > 0},
		{"Lambda", "a finite number of at least 0", o.Lambda, o.Lambda >= 0 || o.Lambda == estimator.None},
		{"Gamma", "a finite number of at least 0", o.Gamma, o.Gamma >= 0},
		{"Rows", "a share above 0 up to 1", o.Rows, o.Rows > 0 && o.Rows <= 1},
		{"Columns", "a share above 0 up to 1", o.Columns, o.Columns > 0 && o.Columns <= 1},
		{"Held", "a share from 0 to below 1", o.Held, o.Held >= 0 && o.Held < 1},
	} {
		if !c.ok || math.IsInf(c.v, 0) {
			return fault.Argument(op, c.name, c.v, c.need, "")
		}
	}
	for j, s := range o.Monotone {
		if s < -1 || s > 1 {
			return fault.Argument(op, fmt.Sprintf("Monotone[%d]", j), s, "-1, 0 or 1", "")
		}
	}
	return nil
}

// checkOn reports settings that the data cannot take.
func (o GradientOptions) checkOn(op string, d, classes int) error {
	if o.Monotone != nil && len(o.Monotone) != d {
		return fault.Argument(op, "Monotone", fmt.Sprintf("%d numbers", len(o.Monotone)), fmt.Sprintf("one for each of the %d features", d),
			"")
	}
	if classes > 2 && slices.ContainsFunc(o.Monotone, func(s int) bool { return s != 0 }) {
		return fault.Argument(op, "Monotone", o.Monotone, fmt.Sprintf("two classes, not %d", classes), "leave it out")
	}
	if classes > 2 && o.Loss.kind == exponentialLoss {
		return fault.Argument(op, "Loss", o.Loss, fmt.Sprintf("two classes, not %d", classes), "choose LogisticLoss")
	}
	return nil
}

// FitGradient fits gradient boosting to X (n x d) with labels y of K classes. With the logistic loss of z = 1 for class 1 and 0 for class
// 0, p = 1/(1 + e^-F) and weights w:
//
//	F_0(x) = log sum_i w_i z_i / sum_i w_i (1 - z_i)
//	g_i = w_i (p_i - z_i), h_i = w_i p_i (1 - p_i)     at the scores F_m-1(x_i)
//	f_m = a tree grown by gain, with leaves -G/(H + lambda), G and H the sums of g and h over the rows of the leaf
//	F_m = F_m-1 + Rate f_m
//
// The gain of a test is 1/2 (G_L^2/(H_L+lambda) + G_R^2/(H_R+lambda) - G^2/(H+lambda)) - gamma. The leaf of the largest gain is split until
// there are Leaves leaves or no test has a positive gain. Leaves are at most 4 in size, as in LogitBoost, since a step of Newton's method
// may go too far where p is near 0 or 1. For more classes each round grows a tree for each, with p of the softmax. Features of more than
// Bins values are cut between bins of about equally many rows.
//
// Errors: unusable data, labels, weights or options, and the error of ctx. Sources: J. H. Friedman, Greedy function approximation: a
// gradient boosting machine, Annals of Statistics 29, 2001; T. Chen, C. Guestrin, XGBoost, KDD 2016; G. Ke and others, LightGBM, NIPS 2017.
func FitGradient(ctx context.Context, X mat.Matrix, y []int, o GradientOptions) (*GradientClassifier, error) {
	const op = "boost.FitGradient"
	if err := o.ready(op, X, true); err != nil {
		return nil, err
	}
	w := estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced}
	l, err := estimator.CheckedLabelled(ctx, op, X, y, w)
	if err != nil {
		return nil, err
	}
	if err := o.checkOn(op, l.D, l.K); err != nil {
		return nil, err
	}
	if o.Loss.kind == unset {
		o.Loss = LogisticLoss()
	}
	outputs, z := 1, make([]float64, l.N)
	if l.K > 2 {
		outputs, o.Loss = l.K, RowLoss{kind: softmaxLoss}
	}
	for i, c := range l.Y {
		z[i] = float64(c)
	}
	s, err := o.fit(ctx, op, l.Rows, z, outputs)
	if err != nil {
		return nil, err
	}
	s.K = l.K
	return newGradientClassifier(estimator.Names{}, *s), nil
}

// FitGradientRegression fits gradient boosting to X (n x d) and n targets, as FitGradient does, with the derivatives of o.Loss. F_0 is the
// constant of least loss. Leaves of the absolute and of quantile losses, which have no second derivative, hold quantiles of residuals;
// their trees are grown with h = 1.
//
// Errors: unusable data, targets, weights or options, weights of classes, and the error of ctx.
func FitGradientRegression(ctx context.Context, X mat.Matrix, target []float64, o GradientOptions) (*GradientRegressor, error) {
	const op = "boost.FitGradientRegression"
	if err := o.ready(op, X, false); err != nil {
		return nil, err
	}
	if o.ClassWeights != nil || o.Balanced {
		return nil, fault.Argument(op, "ClassWeights", "set, or Balanced", "left out: a regression has no classes", "set Weights")
	}
	t, err := estimator.CheckedTargeted(ctx, op, X, target, o.Weights)
	if err != nil {
		return nil, err
	}
	if o.Loss.kind == unset {
		o.Loss = SquaredLoss()
	}
	if err := o.checkOn(op, t.D, 0); err != nil {
		return nil, err
	}
	if err := o.Loss.checkTarget(op, t.Y); err != nil {
		return nil, err
	}
	if err := checkSpread(op, slices.Min(t.Y), slices.Max(t.Y)); err != nil {
		return nil, err
	}
	s, err := o.fit(ctx, op, t.Rows, t.Y, 1)
	if err != nil {
		return nil, err
	}
	return newGradientRegressor(estimator.Names{}, *s), nil
}

// checkSpread reports targets from low to high whose squares are no numbers.
func checkSpread(op string, low, high float64) error {
	if spread := high/2 - low/2; spread > 1e140 || spread > 0 && spread < 1e-140 {
		return fault.Argument(op, "target", fmt.Sprintf("spread over %.3g", 2*spread),
			"spread over 1e-140 to 1e140, for squares of errors to be numbers", "divide the targets by a number")
	}
	return nil
}

// ready fills in o and checks it and X.
func (o *GradientOptions) ready(op string, X mat.Matrix, classes bool) error {
	*o = o.filled()
	if err := o.check(op); err != nil {
		return err
	}
	if err := o.Loss.check(op, classes); err != nil {
		return err
	}
	if o.Lambda == 0 {
		o.Lambda = 1
	} else if o.Lambda == estimator.None {
		o.Lambda = 0
	}
	if o.Depth > 0 && o.Depth < 30 && o.Leaves != tree.Unlimited {
		o.Leaves = min(o.Leaves, 1<<o.Depth)
	}
	return tree.Options{Gaps: o.Gaps}.CheckX(op, X)
}

// fitting is a fit under way.
type fitting struct {
	*gradientState
	o       *GradientOptions
	grower  *grower
	z, w    []float64
	scores  [][]float64 // of each output, for all rows
	chances [][]float64 // the probabilities of more than two classes
	held    []int32     // rows held out
	learn   []int32     // the others
	draws   *rand.Rand
}

func (o *GradientOptions) fit(ctx context.Context, op string, r *estimator.Rows, z []float64, outputs int) (*gradientState, error) {
	scaled := *o
	scaled.Lambda /= r.Factor
	scaled.Gamma /= r.Factor
	b, err := newBinned(ctx, r.Dense(), o.Bins, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	f := &fitting{
		gradientState: &gradientState{D: r.D, Rate: o.Rate, Loss: int(o.Loss.kind), Parameter: o.Loss.parameter, Gaps: o.Gaps, Outputs: outputs},
		o:             &scaled, z: z, w: r.W, draws: rand.New(rand.NewPCG(o.Seed, 28)),
	}
	f.grower = newGrower(b, f.o, o.Loss.cap())
	f.grower.team = share.NewTeam()
	defer f.grower.team.Close()
	f.begin(r.N)
	f.o.settle(f.drawn())
	best := f.note(true)
	for range o.Rounds {
		trees, grown, err := f.round(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if !grown && o.Rows == 1 && o.Columns == 1 {
			f.Stop = NoGain
			break
		}
		f.Trees = append(f.Trees, trees...)
		loss := f.note(o.Progress != nil)
		if o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: f.rounds(), Of: o.Rounds, Objective: loss})
		}
		if f.held == nil {
			continue
		}
		if best = min(best, loss); slices.Index(f.Held, best) < len(f.Held)-o.Patience {
			f.Stop = NoProgress
			break
		}
	}
	if f.held != nil {
		f.Trees = f.Trees[:slices.Index(f.Held, best)*outputs]
	}
	return f.gradientState, nil
}

// begin divides the rows and sets the scores to their starts.
func (f *fitting) begin(n int) {
	if f.o.Held > 0 {
		f.held, f.learn = f.choose(n, int(f.o.Held*float64(n)))
	}
	if len(f.held) == 0 || len(f.learn) == 0 {
		f.held, f.learn = nil, make([]int32, n)
		for i := range f.learn {
			f.learn[i] = int32(i)
		}
	}
	if f.Outputs == 1 {
		f.Start = []float64{f.o.Loss.start(f.z, f.w)}
	} else {
		f.Start = middleOf(f.z, f.w, make([]int64, f.Outputs)).logShares()
	}
	for _, start := range f.Start {
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = start
		}
		f.scores = append(f.scores, scores)
		if f.Outputs > 1 {
			f.chances = append(f.chances, make([]float64, n))
		}
	}
}

// choose draws k of n rows and returns them and the others, both rising.
func (f *fitting) choose(n, k int) (chosen, others []int32) {
	chosen, others = make([]int32, 0, k), make([]int32, 0, n-k)
	for i := range n {
		if f.draws.Float64()*float64(n-i) < float64(k-len(chosen)) {
			chosen = append(chosen, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	return chosen, others
}

// note returns the mean loss on the rows held out, which it keeps, or, if asked for, on the rows of the fit.
func (f *fitting) note(asked bool) float64 {
	rows := f.held
	if rows == nil {
		if !asked {
			return math.NaN()
		}
		rows = f.learn
	}
	sum, total, scores := 0.0, 0.0, make([]float64, f.Outputs)
	for _, i := range rows {
		for c := range scores {
			scores[c] = f.scores[c][i]
		}
		w := weightOf(f.w, int(i))
		sum += w * f.lossAt(f.z[i], scores)
		total += w
	}
	if f.held != nil {
		f.Held = append(f.Held, sum/total)
	}
	return sum / total
}

// drawn returns the number of rows of a round.
func (f *fitting) drawn() int { return max(1, int(f.o.Rows*float64(len(f.learn)))) }

// settle chooses what depends on the number of rows of a round.
func (o *GradientOptions) settle(n int) {
	const most, part = 20, 10
	o.MinLeaf = cmp.Or(o.MinLeaf, min(most, max(1, n/part)))
}

// round grows the trees of a round and adds them to the scores. It reports whether one has a test.
func (f *fitting) round(ctx context.Context) (trees [][]GradientNode, grown bool, err error) {
	rows, g := f.learn, f.grower
	if f.o.Rows < 1 {
		drawn, _ := f.choose(len(f.learn), f.drawn())
		rows = drawn
		for k, i := range drawn {
			rows[k] = f.learn[i]
		}
	}
	if d := g.b.d; f.o.Columns < 1 {
		clear(g.used)
		for _, j := range f.draws.Perm(d)[:max(1, int(f.o.Columns*float64(d)))] {
			g.used[j] = true
		}
	}
	f.predict()
	for c := range f.Outputs {
		copy(g.rows, rows)
		if err := g.grow(ctx, len(rows), f.differentiate(c, len(rows))); err != nil {
			return nil, false, err
		}
		if tau, ok := f.o.Loss.level(); ok {
			f.renew(tau)
		}
		f.update(c, len(rows))
		grown = grown || len(g.out) > 1
		trees = append(trees, g.out)
	}
	return trees, grown, nil
}

// predict writes the probabilities of more than two classes.
func (f *fitting) predict() {
	if f.Outputs == 1 {
		return
	}
	f.grower.ranges(len(f.z), 20*float64(f.Outputs), func(_, from, to int) {
		row := make([]float64, f.Outputs)
		for i := from; i < to; i++ {
			for c, s := range f.scores {
				row[c] = s[i]
			}
			softmax(row)
			for c, p := range row {
				f.chances[c][i] = p
			}
		}
	})
}

// softmax puts the probabilities of classes in the place of their scores.
func softmax(f []float64) {
	top, sum := slices.Max(f), 0.0
	for c, s := range f {
		f[c] = math.Exp(s - top)
		sum += f[c]
	}
	for c := range f {
		f[c] /= sum
	}
}

// differentiate writes the derivatives of the loss of the first n rows of the grower with respect to the scores of output c, and their
// units, and returns their sums.
func (f *fitting) differentiate(c, n int) bar {
	g, scores, loss := f.grower, f.scores[c], f.o.Loss
	rows, out := g.rows, g.near
	tops := make([][2]float64, g.team.Size())
	g.ranges(n, 10, func(at, from, to int) {
		topG, topH := tops[at][0], tops[at][1]
		for k := from; k < to; k++ {
			var g, h float64
			i := rows[k]
			switch loss.kind {
			case squaredLoss:
				g, h = scores[i]-f.z[i], 1
			case softmaxLoss:
				g, h = softSlopes(f.chances[c][i], int(f.z[i]) == c)
			default:
				g, h = loss.slopes(f.z[i], scores[i])
			}
			if f.w != nil {
				g, h = f.w[i]*g, f.w[i]*h
			}
			topG, topH = max(topG, math.Abs(g)), max(topH, h)
			out[k] = [2]int64{int64(math.Float64bits(g)), int64(math.Float64bits(h))}
		}
		tops[at] = [2]float64{topG, topH}
	})
	top := tops[0]
	for _, t := range tops {
		top[0], top[1] = max(top[0], t[0]), max(top[1], t[1])
	}
	u := newUnits(n, top[0], top[1])
	g.u = u
	sums := make([]bar, len(tops))
	g.ranges(n, 3, func(at, from, to int) {
		sum := sums[at]
		for i := from; i < to; i++ {
			d := &out[i]
			*d = u.of(math.Float64frombits(uint64(d[0])), math.Float64frombits(uint64(d[1])))
			sum.g += d[0]
			sum.h += d[1] >> u.Count
		}
		sums[at] = sum
	})
	whole := bar{n: int64(n)}
	for _, sum := range sums {
		whole.g += sum.g
		whole.h += sum.h
	}
	return whole
}

// softSlopes returns the derivatives of the loss of a row with respect to the score of a class of probability p, which is its own or not.
func softSlopes(p float64, own bool) (g, h float64) {
	if own {
		return p - 1, sure(p)
	}
	return p, sure(p)
}

// sure returns p (1 - p), which is kept off zero where a leaf of such rows has no other weight.
func sure(p float64) float64 { return max(p*(1-p), 1e-16) }

// renew sets the leaves of a tree to quantiles of the residuals.
func (f *fitting) renew(tau float64) {
	g := f.grower
	for k := range g.leaves {
		l := &g.leaves[k]
		r := make([]float64, 0, l.to-l.from)
		var w []float64
		for _, i := range g.rows[l.from:l.to] {
			r = append(r, f.z[i]-f.scores[0][i])
			if f.w != nil {
				w = append(w, f.w[i])
			}
		}
		g.out[l.node].Value = min(max(quantileOf(r, w, tau), l.lo), l.hi)
	}
}

// update adds Rate times the tree to the scores of an output: of the first n rows of the grower by their leaves, of the others by a walk.
func (f *fitting) update(c, n int) {
	g, scores := f.grower, f.scores[c]
	g.team.Turns(len(g.leaves), 2*float64(n), func(_, i int) {
		l := &g.leaves[i]
		step := float64(f.Rate * g.out[l.node].Value)
		for _, r := range g.rows[l.from:l.to] {
			scores[r] += step
		}
	})
	if n == len(f.z) {
		return
	}
	cuts, seen := g.bins(g.out), make([]bool, len(f.z))
	for _, l := range g.leaves {
		for _, r := range g.rows[l.from:l.to] {
			seen[r] = true
		}
	}
	g.ranges(len(seen), 10, func(_, from, to int) {
		for i := from; i < to; i++ {
			if !seen[i] {
				scores[i] += float64(f.Rate * g.walk(g.out, cuts, i))
			}
		}
	})
}
