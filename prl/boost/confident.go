package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/linear"
)

// RealOptions are the settings of FitReal. A field that is zero stands for its default.
type RealOptions struct {
	Rounds int // T, at most; default 50
	// bins of about equally many rows that a feature is divided into, at most 254; default 8. Of 2 bins the cut is searched for
	Bins         int
	Smooth       float64   // epsilon, > 0, added to both masses of a bin; default 1/(2 n) for n rows of positive weight
	Gentle       bool      // heights (p - q) / (p + q), one Newton step, in the place of 1/2 log (p / q); default false
	Weights      []float64 // n sample weights, D_1 up to scale; nil means ones
	ClassWeights []float64 // one factor on the weights of the rows of each class, > 0; nil means ones
	Balanced     bool      // the classes weigh alike in D_1
	Progress     estimator.ProgressFunc
}

func (o RealOptions) filled() RealOptions {
	o.Rounds, o.Bins = cmp.Or(o.Rounds, 50), cmp.Or(o.Bins, 8)
	return o
}

func (o RealOptions) check(op string) error {
	o = o.filled()
	if err := checkRounds(op, o.Rounds, o.Bins); err != nil {
		return err
	}
	return estimator.CheckPositive(op, "Smooth", cmp.Or(o.Smooth, 1), 1)
}

func checkRounds(op string, rounds, bins int) error {
	if err := estimator.CheckCount(op, "Rounds", rounds, 1, 1<<24); err != nil {
		return err
	}
	return estimator.CheckCount(op, "Bins", bins, 2, 254)
}

// LogitOptions are the settings of FitLogit. A field that is zero stands for its default.
type LogitOptions struct {
	Rounds int // T, at most; default 50
	// bins of about equally many rows that a feature is divided into, at most 254; default 8. Of 2 bins the cut is searched for
	Bins         int
	Linear       bool      // a term is a linear function of all features, not of bins; default false
	Clip         float64   // the largest |z| of a working response, > 0, 4 is usual; default 0, no limit
	Weights      []float64 // n sample weights; nil means ones
	ClassWeights []float64 // one factor on the weights of the rows of each class, > 0; nil means ones
	Balanced     bool      // the classes weigh alike
	Progress     estimator.ProgressFunc
}

func (o LogitOptions) filled() LogitOptions {
	o.Rounds, o.Bins = cmp.Or(o.Rounds, 50), cmp.Or(o.Bins, 8)
	return o
}

func (o LogitOptions) check(op string) error {
	o = o.filled()
	if err := checkRounds(op, o.Rounds, o.Bins); err != nil {
		return err
	}
	return estimator.CheckPositive(op, "Clip", cmp.Or(o.Clip, 1), 1)
}

// FitReal fits RealBoost to X (n x d) with labels y of two classes, y = +1 for class 1 and -1 for class 0 in the formulas. Round t takes
// the feature whose bins b have the least overlap 2 sum_b sqrt(p_b q_b), and adds a height for each bin:
//
//	p_b = sum of D_t(i) over the rows of class 1 in bin b, q_b likewise of class 0
//	h_b = 1/2 log((p_b + epsilon) / (q_b + epsilon))
//	D_t+1(i) = D_t(i) exp(-y_i h_b(i)) / Z_t
//
// This minimises the exponential loss bin by bin; no round raises it. It ends early where the masses of all bins are equal. With Gentle it
// is GentleBoost: the feature of the largest sum_b (p_b - q_b)^2 / (p_b + q_b) and h_b = (p_b - q_b) / (p_b + q_b). Sources: Schapire and
// Singer, Improved boosting algorithms using confidence-rated predictions, 1999; Friedman, Hastie and Tibshirani, Additive logistic
// regression, 2000.
//
// Errors: unusable data, labels of another number of classes than two, weights or options, and the error of ctx.
func FitReal(ctx context.Context, X mat.Matrix, y []int, o RealOptions) (*Additive, error) {
	const op = "boost.FitReal"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	kind := "RealBoost"
	if o.Gentle {
		kind = "GentleBoost"
	}
	weighting := estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced}
	b, err := newBooster(ctx, op, X, y, weighting, o.Bins)
	if err != nil {
		return nil, err
	}
	b.m.s.Kind = kind
	eps, p, q := cmp.Or(o.Smooth, 0.5/float64(b.data.N)), make([]float64, b.data.N), make([]float64, b.data.N)
	for t := range o.Rounds {
		weights, _ := b.exponential()
		score, height := overlap, func(p, q float64) float64 { return 0.5 * math.Log((p+eps)/(q+eps)) }
		if o.Gentle {
			score, height = gini, func(p, q float64) float64 { return ratio(p-q, p+q) }
		}
		for i, c := range b.data.Y {
			p[i], q[i] = float64(c)*weights[i], float64(1-c)*weights[i]
		}
		term, best, err := b.search(ctx, o.Bins, score, p, q)
		if err != nil {
			return nil, stopped(op, t, o.Rounds, err)
		}
		if best <= 1e-14 {
			b.m.s.Stop = NoEdge
			break
		}
		for k, p := range term.Positive {
			term.Heights[k] = height(p, term.Negative[k])
		}
		b.values(&term)
		b.add(1)
		_, term.Loss = b.exponential()
		b.finish(term, o.Progress, o.Rounds)
	}
	return b.m, nil
}

// FitLogit fits LogitBoost to X (n x d) with labels y of two classes, with y* = 1 for class 1 and 0 for class 0. A round fits h by weighted
// least squares to the working responses z with the weights w, and adds half of it:
//
//	p(x) = 1 / (1 + exp(-2 F(x)))
//	w_i  = p_i (1 - p_i), at least 1e-12
//	z_i  = (y*_i - p_i) / w_i
//	F    = F + h/2
//
// That is Newton's step for the logistic loss mean log(1 + exp(-2 y F)); h is constant in the bins of the best feature or, with Linear, a
// linear function. A whole step can raise the loss, so it is halved until the loss does not rise but for rounding. Linear is logistic
// regression with halved coefficients, where the classes overlap. It ends early where no term fits the working responses, or where no step
// lowers the loss, as may be with clipped responses. Source: Friedman, Hastie and Tibshirani, Additive logistic regression, 2000,
// algorithm 3.
//
// Errors: unusable data, labels of another number of classes than two, weights or options, and the error of ctx.
func FitLogit(ctx context.Context, X mat.Matrix, y []int, o LogitOptions) (*Additive, error) {
	const op = "boost.FitLogit"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	bins := o.Bins
	if o.Linear {
		bins = 0
	}
	weighting := estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced}
	b, err := newBooster(ctx, op, X, y, weighting, bins)
	if err != nil {
		return nil, err
	}
	b.m.s.Kind = "LogitBoost"
	z, w, loss := make([]float64, b.data.N), make([]float64, b.data.N), math.Ln2
	for t := range o.Rounds {
		b.working(z, w, cmp.Or(o.Clip, math.Inf(1)))
		term, gain, err := b.fit(ctx, bins, z, w)
		if err != nil {
			return nil, stopped(op, t, o.Rounds, err)
		}
		if gain <= 1e-20 {
			b.m.s.Stop = NoGain
			break
		}
		b.values(&term)
		step, before := 0.5, append([]float64(nil), b.score...)
		b.add(step)
		rises := func() bool {
			term.Loss = b.logistic()
			return term.Loss > loss+4e-16
		}
		for rises() && step > 1e-12 {
			step /= 2
			copy(b.score, before)
			b.add(step)
		}
		if step <= 1e-12 {
			b.m.s.Stop = NoGain
			break
		}
		for k := range term.Heights {
			term.Heights[k] *= step
		}
		loss = term.Loss
		b.finish(term, o.Progress, o.Rounds)
	}
	return b.m, nil
}

// stopped names the round in which the error of a fit occurred.
func stopped(op string, t, rounds int, err error) error {
	return fmt.Errorf("%s: stopped after %d of %d rounds: %w", op, t, rounds, err)
}

// A booster holds what the rounds of a fit share.
type booster struct {
	data  *estimator.Labelled
	x     *mat.Dense
	bins  *binned // nil for linear terms
	first []float64
	score []float64 // F of each row
	value []float64 // of the last term
	m     *Additive
}

func newBooster(ctx context.Context, op string, X mat.Matrix, y []int, w estimator.Weighting, bins int) (*booster, error) {
	l, err := estimator.NewLabelled(ctx, op, X, y, w)
	if err != nil {
		return nil, err
	}
	if l.K != 2 {
		return nil, fault.Argument(op, "y", fmt.Sprintf("of %d classes", l.K), "of two classes", "choose two classes")
	}
	b := &booster{
		data: l, x: l.Dense(), first: l.Shares(), score: make([]float64, l.N), value: make([]float64, l.N),
		m: &Additive{s: additiveState{D: l.D}},
	}
	if bins == 2 {
		bins = 254 // of all these cuts one is taken
	}
	if bins > 0 {
		b.bins, err = newBinned(ctx, b.x, bins, 1)
	}
	return b, err
}

// exponential returns D_t and the exponential loss. It keeps the largest exponent apart, so that weights far apart do not all vanish.
func (b *booster) exponential() (weights []float64, loss float64) {
	weights = make([]float64, len(b.first))
	top := math.Inf(-1)
	for i, c := range b.data.Y {
		top = max(top, -sign(c)*b.score[i])
	}
	sum := 0.0
	for i, c := range b.data.Y {
		weights[i] = b.first[i] * math.Exp(-sign(c)*b.score[i]-top)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights, math.Exp(top) * sum
}

// logistic returns the mean of log(1 + exp(-2 y F)).
func (b *booster) logistic() float64 {
	loss := 0.0
	for i, c := range b.data.Y {
		loss -= b.first[i] * gauss.LogLogistic(2*sign(c)*b.score[i])
	}
	return loss
}

// working writes the working responses and their weights.
func (b *booster) working(z, w []float64, clip float64) {
	for i, c := range b.data.Y {
		f := b.score[i]
		p, q := 1/(1+math.Exp(-2*f)), 1/(1+math.Exp(2*f))
		v := max(p*q, 1e-12)
		if c == 1 {
			z[i] = q / v
		} else {
			z[i] = -p / v
		}
		z[i], w[i] = max(-clip, min(clip, z[i])), b.first[i]*v
	}
}

// fit returns the term of the least weighted squares, and the part of the squares that it explains.
func (b *booster) fit(ctx context.Context, bins int, z, w []float64) (Term, float64, error) {
	if b.bins == nil {
		f, err := linear.LeastSquares(ctx, b.x, z, linear.Options{Rows: linear.Rows{Weights: w}})
		if err != nil {
			return Term{}, 0, err
		}
		term := Term{Heights: append([]float64{f.Intercept()}, f.Coefficients()...)}
		gain := 0.0
		for i := range z {
			v := term.At(b.x.RawRowView(i))
			gain += w[i] * v * v
		}
		return term, gain, nil
	}
	a := make([]float64, len(z))
	for i := range z {
		a[i] = w[i] * z[i]
	}
	term, gain, err := b.search(ctx, bins, func(a, c float64) float64 { return ratio(a*a, c) }, a, w)
	if err != nil || gain == 0 {
		return term, gain, err
	}
	for k, a := range term.Positive {
		term.Heights[k] = ratio(a, term.Negative[k])
	}
	term.Positive, term.Negative = b.masses(&term)
	return term, gain, nil
}

// masses returns the weights of the rows of each class in the bins of a term.
func (b *booster) masses(term *Term) (p, q []float64) {
	p, q = make([]float64, len(term.Heights)), make([]float64, len(term.Heights))
	for i, c := range b.data.Y {
		k := binOf(term.Cuts, b.x.At(i, term.Feature))
		if c == 1 {
			p[k] += b.first[i]
		} else {
			q[k] += b.first[i]
		}
	}
	return p, q
}

// search adds up two numbers of each row by bin and returns the feature, and of two bins the cut, of the largest sum of scores, the first
// of those that are equal but for rounding. The sums are Positive and Negative of the term.
func (b *booster) search(ctx context.Context, bins int, score func(a, c float64) float64, a, c []float64) (
	best Term, most float64, err error,
) {
	for j, column := range b.bins.columns {
		if err := ctx.Err(); err != nil {
			return best, most, err
		}
		cuts := b.bins.cuts[j]
		sums := [2][]float64{make([]float64, len(cuts)+1), make([]float64, len(cuts)+1)}
		for i, k := range column {
			sums[0][k] += a[i]
			sums[1][k] += c[i]
		}
		consider := func(cuts, a, c []float64) {
			sum := 0.0
			for k := range a {
				sum += score(a[k], c[k])
			}
			if len(cuts) > 0 && sum > most*(1+1e-12) {
				most, best = sum, Term{Feature: j, Cuts: cuts, Heights: make([]float64, len(a)), Positive: a, Negative: c}
			}
		}
		if bins > 2 {
			consider(cuts, sums[0], sums[1])
			continue
		}
		for k := range cuts {
			two := [2][]float64{}
			for s := range two {
				two[s] = []float64{floats.Sum(sums[s][:k+1]), floats.Sum(sums[s][k+1:])}
			}
			consider(cuts[k:k+1:k+1], two[0], two[1])
		}
	}
	return best, most, nil
}

// overlap is what a bin takes from the exponential loss: p + q - 2 sqrt(p q).
func overlap(p, q float64) float64 {
	d := math.Sqrt(p) - math.Sqrt(q)
	return d * d
}

// gini is what a bin takes from the weighted squares of y.
func gini(p, q float64) float64 { return ratio((p-q)*(p-q), p+q) }

// ratio returns a / c, and 0 for nothing.
func ratio(a, c float64) float64 {
	if c == 0 {
		return 0
	}
	return a / c
}

// values takes the values of the term for all rows.
func (b *booster) values(t *Term) {
	for i := range b.value {
		b.value[i] = t.At(b.x.RawRowView(i))
	}
}

// add adds a multiple of the last term to the scores.
func (b *booster) add(step float64) {
	for i, v := range b.value {
		b.score[i] += step * v
	}
}

// finish appends a term to the model.
func (b *booster) finish(t Term, progress estimator.ProgressFunc, rounds int) {
	b.m.s.Terms = append(b.m.s.Terms, t)
	if progress != nil {
		progress(estimator.Progress{Iteration: len(b.m.s.Terms), Of: rounds, Objective: t.Loss})
	}
}
