package neural

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Fit trains a net for K classes on X (n x d) with labels y: one Logistic unit for the second of two classes, Softmax units for more. It
// minimises the cross-entropy with weights w of the rows,
//
//	E = 1/W sum_i w_i (-log p(y_i | x_i)) + L2/2W sum |w_ij|^2,  W = sum_i w_i,
//
// by steps of the method of the options on random batches of rows, each with the mean gradient of its rows, or on all rows at once.
// Features are scaled to mean 0 and standard deviation 1 for the training, and the parameters of the model are those for the features as
// they are. The first weights are normal with variance Gain^2/M for M inputs, thresholds are 0.
//
// Errors: unusable data, labels, weights or options; a method whose steps make the loss infinite; the error of ctx. Sources: D. Rumelhart,
// G. Hinton & R. Williams (1986), Nature 323; K. He and others (2015), ICCV, for the start.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Classifier, error) {
	const op = "neural.Fit"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	l, err := estimator.NewLabelled(ctx, op, X, y, estimator.Weighting{Weights: o.Weights, ClassWeights: o.ClassWeights, Balanced: o.Balanced})
	if err != nil {
		return nil, err
	}
	t := &training{o: &o, loss: CrossEntropy, target: make([]float64, l.N)}
	for i, c := range l.Y {
		t.target[i] = float64(c)
	}
	outputs, out := 1, Logistic
	if l.K > 2 {
		outputs, out = l.K, Softmax
	}
	s, err := t.train(ctx, op, l.Rows, outputs, out, scale{by: 1})
	if err != nil {
		return nil, err
	}
	s.K = l.K
	return &Classifier{s: *s, net: s.net()}, nil
}

// FitRegression trains a net with one Linear output on X (n x d) and n targets z. It minimises E = 1/W sum_i w_i (y(x_i) - z_i)^2 / 2, with
// the penalty that Fit has, and scales the targets as Fit scales the features.
//
// Errors: unusable data, targets, weights or options, weights of classes; a method whose steps make the loss infinite; the error of ctx.
func FitRegression(ctx context.Context, X mat.Matrix, target []float64, o Options) (*Regressor, error) {
	const op = "neural.FitRegression"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	if o.ClassWeights != nil || o.Balanced {
		return nil, fault.Argument(op, "ClassWeights", "set, or Balanced", "left out: a regression has no classes", "set Weights")
	}
	l, err := estimator.NewTargeted(ctx, op, X, target, o.Weights)
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckSquares(op, mat.NewDense(l.N, 1, l.Y)); err != nil {
		return nil, fault.Argument(op, "target", "numbers whose squares float64 cannot hold", "smaller ones", "divide the targets by a number")
	}
	t := &training{o: &o, loss: Squared, target: slices.Clone(l.Y)}
	to := scale{by: 1}
	if !o.Unscaled {
		if to = scaleOf(l.Rows, l.Y, 0, 1); to.by == 0 {
			to.by = 1
		}
		for i, v := range t.target {
			t.target[i] = (v - to.mean) / to.by
		}
	}
	s, err := t.train(ctx, op, l.Rows, 1, Linear, to)
	if err != nil {
		return nil, err
	}
	return &Regressor{s: *s, net: s.net()}, nil
}

// A scale is the mean and the standard deviation of a column.
type scale struct{ mean, by float64 }

// scaleOf returns the weighted mean and standard deviation of x[from], x[from+step], ...; the deviation of a column that is constant up to
// rounding is 0.
func scaleOf(r *estimator.Rows, x []float64, from, step int) scale {
	total, sum := 0.0, 0.0
	for i := range r.N {
		total += r.Weight(i)
		sum += r.Weight(i) * x[from+i*step]
	}
	mean, square, largest := sum/total, 0.0, 0.0
	for i := range r.N {
		v := x[from+i*step]
		square += r.Weight(i) * (v - mean) * (v - mean)
		largest = max(largest, math.Abs(v))
	}
	by := math.Sqrt(square / total)
	if by <= 1e-14*largest {
		by = 0
	}
	return scale{mean, by}
}

// train fits a net of so many outputs, whose results are scaled by out.
func (t *training) train(ctx context.Context, op string, r *estimator.Rows, outputs int, activation Activation, out scale) (*state, error) {
	o, x := t.o, r.Dense()
	if err := estimator.CheckSquares(op, x); err != nil {
		return nil, err
	}
	s := &state{Hidden: int(o.Activation), Out: int(activation), Sizes: o.layers(r.D, outputs)}
	if err := o.checkStart(op, s.Sizes); err != nil {
		return nil, err
	}
	t.x = x.RawMatrix().Data
	columns := make([]scale, r.D)
	for j := range columns {
		columns[j] = scale{by: 1}
	}
	if !o.Unscaled {
		t.x = slices.Clone(t.x)
		for j := range columns {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
			c := scaleOf(r, t.x, j, r.D)
			if c.by == 0 {
				c.by = 1
			}
			columns[j] = c
			for i := j; i < len(t.x); i += r.D {
				t.x[i] = (t.x[i] - c.mean) / c.by
			}
		}
	}
	t.weigh(r)
	return t.starts(ctx, op, s, columns, out)
}

// weigh divides the weights by their mean, and the penalty by their sum.
func (t *training) weigh(r *estimator.Rows) {
	total := float64(r.N)
	if r.W != nil {
		total = 0
		for _, w := range r.W {
			total += w
		}
		t.weights = make([]float64, r.N)
		for i, w := range r.W {
			t.weights[i] = w / (total / float64(r.N))
		}
	}
	t.l2 = t.o.L2 / total / r.Factor
}

// starts trains from all starts and keeps the best.
func (t *training) starts(ctx context.Context, op string, s *state, columns []scale, out scale) (*state, error) {
	n := len(t.target)
	rows, held := make([]int, n), int(t.o.Held*float64(n))
	for i := range rows {
		rows[i] = i
	}
	t.draws = rand.New(rand.NewPCG(t.o.Seed, 20))
	if held > 0 {
		t.draws.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	var best *state
	least := math.Inf(1)
	for start := range t.o.Restarts {
		first := rand.New(rand.NewPCG(t.o.Seed, uint64(start)+21)) // not shared with the draws of rows, so that starts do not depend on them
		t.fit, t.held = slices.Clone(rows[held:]), rows[:held]
		one := *s
		one.Start = start
		var err error
		if t.net, err = New(Activation(s.Hidden), Activation(s.Out), s.Sizes...); err != nil {
			return nil, fault.In(op, err)
		}
		if t.begin(columns, out, first); !finite(t.net.Theta) {
			return nil, fault.Argument(op, "Start", fault.Short(t.o.Start), "parameters that stay finite for scaled features", "start nearer to 0")
		}
		if err := t.run(ctx, op, &one); err != nil {
			return nil, err
		}
		judged := t.fit
		if held > 0 {
			judged = t.held
		}
		loss := 0.0
		if t.o.Restarts > 1 {
			if loss, err = t.mean(ctx, judged); err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
		}
		if loss < least {
			least, best = loss, &one
			t.end(columns, out)
			best.Theta = t.net.Theta
		}
	}
	if best == nil || !finite(best.Theta) {
		return nil, fault.Argument(op, "X", "features whose weights float64 cannot hold", "features of moderate size", "scale them")
	}
	return best, nil
}

// begin sets the first parameters: those of the options, for scaled features, or random ones.
func (t *training) begin(columns []scale, out scale, draws *rand.Rand) {
	if t.o.Start != nil {
		copy(t.net.Theta, t.o.Start)
		w, thresholds := t.net.Layer(1)
		m := len(thresholds)
		for i, c := range columns {
			for j := range m {
				thresholds[j] -= w[i*m+j] * c.mean
				w[i*m+j] *= c.by
			}
		}
		w, thresholds = t.net.Layer(t.net.Layers())
		thresholds[0] += out.mean
		rescale(1/out.by, w, thresholds)
		return
	}
	for l := 1; l <= t.net.Layers(); l++ {
		w, _ := t.net.Layer(l)
		gain := t.o.gain()
		if l == t.net.Layers() {
			gain = 1
		}
		sigma := gain / math.Sqrt(float64(t.net.sizes[l-1]))
		for i := range w {
			w[i] = sigma * draws.NormFloat64()
		}
	}
}

// end makes the parameters those for features and targets as they are.
func (t *training) end(columns []scale, out scale) {
	w, thresholds := t.net.Layer(1)
	m := len(thresholds)
	for i, c := range columns {
		for j := range m {
			w[i*m+j] /= c.by
			thresholds[j] += w[i*m+j] * c.mean
		}
	}
	w, thresholds = t.net.Layer(t.net.Layers())
	rescale(out.by, w, thresholds)
	thresholds[0] -= out.mean
}

func rescale(by float64, lists ...[]float64) {
	if by == 1 {
		return
	}
	for _, list := range lists {
		for i := range list {
			list[i] *= by
		}
	}
}
