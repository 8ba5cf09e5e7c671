package neural

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/optim"
)

// chunk is the number of rows that go through a net at a time.
const chunk = 256

// A batch has room for the answers of all units to up to chunk rows.
type batch struct {
	net      *Net
	y, slope [][]float64 // of layer l: rows x M^(l)
	delta    [][]float64
	ones     []float64
}

func (n *Net) batch(rows int) *batch {
	b := &batch{net: n, ones: make([]float64, rows)}
	for i := range b.ones {
		b.ones[i] = 1
	}
	for _, m := range n.sizes {
		b.y = append(b.y, make([]float64, rows*m))
		b.slope = append(b.slope, make([]float64, rows*m))
		b.delta = append(b.delta, make([]float64, rows*m))
	}
	return b
}

// view returns the first rows of what layer l has.
func (b *batch) view(numbers [][]float64, l, rows int) tile.Matrix {
	m := b.net.sizes[l]
	return tile.Dense(numbers[l][:rows*m], rows, m, m)
}

// forward computes the answers to the rows in y[0]. The last layer keeps its net inputs. keep, which may be nil, changes the answers of
// hidden layers.
func (b *batch) forward(rows int, keep func(y, slope []float64)) {
	for l := 1; l < len(b.y); l++ {
		w, thresholds := b.net.Layer(l)
		in, out := b.net.sizes[l-1], b.net.sizes[l]
		z := b.view(b.y, l, rows)
		z.SetProduct(b.view(b.y, l-1, rows), tile.Dense(w, in, out, out))
		for i := range rows {
			floats.Sub(z.Data[i*out:(i+1)*out], thresholds)
		}
		if l == len(b.y)-1 {
			return
		}
		slope := b.slope[l][:rows*out]
		b.net.hidden.apply(z.Data, slope)
		if keep != nil {
			keep(z.Data, slope)
		}
	}
}

// backward adds the derivatives of the loss to the gradient: delta of the last layer is given.
func (b *batch) backward(rows int, gradient *Net) {
	for l := len(b.y) - 1; l > 0; l-- {
		w, _ := b.net.Layer(l)
		dw, d0 := gradient.Layer(l)
		in, out := b.net.sizes[l-1], b.net.sizes[l]
		delta := b.view(b.delta, l, rows)
		tile.Dense(dw, in, out, out).AddProduct(1, b.view(b.y, l-1, rows).T(), delta)
		for i := range rows {
			floats.Sub(d0, delta.Data[i*out:(i+1)*out])
		}
		if l > 1 {
			below := b.view(b.delta, l-1, rows)
			below.SetProduct(delta, tile.Dense(w, in, out, out).T())
			floats.Mul(below.Data, b.slope[l-1][:rows*in])
		}
	}
}

// training is a fit under way.
type training struct {
	o       *Options
	net     *Net
	loss    Loss
	x       []float64 // n x d
	target  []float64 // numbers, or numbers of classes
	weights []float64 // with mean 1; nil for ones
	l2      float64   // penalty for the mean loss
	draws   *rand.Rand
	room    *batch
	slope   *Net // gradient
	fit     []int
	held    []int
}

// run trains from one start.
func (t *training) run(ctx context.Context, op string, s *state) error {
	t.room, t.slope = t.net.batch(min(chunk, max(len(t.fit), len(t.held)))), &Net{Theta: make([]float64, len(t.net.Theta)), sizes: t.net.sizes}
	if stepper, err := optim.NewStepper(t.o.Method, len(t.net.Theta)); err == nil {
		return t.rounds(ctx, op, s, stepper)
	}
	return t.search(ctx, op, s)
}

// rounds moves by the gradients of batches.
func (t *training) rounds(ctx context.Context, op string, s *state, stepper *optim.Stepper) error {
	best, since, tol := math.Inf(1), 0, t.o.tol()
	var kept []float64
	for round := 1; round <= t.o.Rounds; round++ {
		sum := 0.0
		t.draws.Shuffle(len(t.fit), func(i, j int) { t.fit[i], t.fit[j] = t.fit[j], t.fit[i] })
		for rest := t.fit; len(rest) > 0; {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%s: %w", op, err)
			}
			rows := rest[:min(t.o.Batch, len(rest))]
			rest = rest[len(rows):]
			loss := t.gradient(rows, len(rows))
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return t.diverged(op, round)
			}
			sum += loss * float64(len(rows)) / float64(len(t.fit))
			if err := stepper.Step(t.net.Theta, t.slope.Theta); err != nil {
				return fault.In(op, err)
			}
		}
		if !tile.Finite(t.net.Theta) {
			return t.diverged(op, round)
		}
		s.Losses = append(s.Losses, sum)
		now := sum
		if len(t.held) > 0 {
			var err error
			if now, err = t.mean(ctx, t.held); err != nil {
				return fmt.Errorf("%s: %w", op, err)
			}
			s.Held = append(s.Held, now)
		}
		if t.o.Progress != nil {
			t.o.Progress(estimator.Progress{Iteration: round, Of: t.o.Rounds, Objective: now})
		}
		if since++; now < best-tol {
			best, since = now, 0
			if len(t.held) > 0 {
				kept, s.Best = append(kept[:0], t.net.Theta...), round
			}
		}
		if since >= t.o.Patience {
			s.Reason = Stalled
			if len(t.held) > 0 {
				s.Reason = HeldRises
			}
			break
		}
	}
	if kept != nil {
		copy(t.net.Theta, kept)
	}
	return nil
}

func (t *training) diverged(op string, round int) error {
	return fault.Argument(op, "Method", t.o.Method, fmt.Sprintf("steps with which the loss stays finite, unlike that of round %d", round),
		"take a tenth of the step")
}

// search moves by the gradient of all rows.
func (t *training) search(ctx context.Context, op string, s *state) error {
	at, value, from := []float64(nil), 0.0, t.net.Theta
	evaluate := func(x []float64) {
		if at != nil && floats.Equal(at, x) {
			return
		}
		t.net.Theta = x
		value = t.gradient(t.fit, len(t.fit))
		at = append(at[:0], x...)
	}
	problem := optim.Problem{
		Value:    func(x []float64) float64 { evaluate(x); return value },
		Gradient: func(x []float64) []float64 { evaluate(x); return slices.Clone(t.slope.Theta) },
	}
	r, err := optim.Minimise(ctx, problem, t.o.Method, from, optim.Options{MaxIter: t.o.Rounds})
	if err != nil {
		return fault.In(op, err)
	}
	t.net.Theta, s.Losses = r.X, []float64{r.Value}
	if t.o.Progress != nil {
		t.o.Progress(estimator.Progress{Iteration: r.Iterations, Of: t.o.Rounds, Objective: r.Value})
	}
	switch r.Reason {
	case optim.Stationary, optim.Saddle:
		s.Reason = Stationary
	case optim.Limit:
		s.Reason = AllRounds
	case optim.Diverged:
		return t.diverged(op, r.Iterations)
	default:
		s.Reason = Settled
	}
	return nil
}

// gradient sets slope to the derivatives of the mean loss over so many rows, with the penalty, and returns that loss.
func (t *training) gradient(rows []int, count int) float64 {
	clear(t.slope.Theta)
	loss := 0.0
	for ; len(rows) > 0; rows = rows[min(chunk, len(rows)):] {
		part := rows[:min(chunk, len(rows))]
		t.gather(part)
		t.room.forward(len(part), t.drop())
		loss += t.blame(part, 1/float64(count), true)
		t.room.backward(len(part), t.slope)
	}
	if t.l2 > 0 {
		for l := 1; l <= t.net.Layers(); l++ {
			w, _ := t.net.Layer(l)
			dw, _ := t.slope.Layer(l)
			floats.AddScaled(dw, t.l2, w)
			loss += t.l2 / 2 * floats.Dot(w, w)
		}
	}
	return loss
}

// mean returns the weighted mean loss of rows, without the penalty.
func (t *training) mean(ctx context.Context, rows []int) (float64, error) {
	loss, total := 0.0, float64(len(rows))
	if t.weights != nil {
		total = 0
		for _, i := range rows {
			total += t.weights[i]
		}
	}
	for ; len(rows) > 0; rows = rows[min(chunk, len(rows)):] {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		part := rows[:min(chunk, len(rows))]
		t.gather(part)
		t.room.forward(len(part), nil)
		loss += t.blame(part, 1/total, false)
	}
	return loss, nil
}

func (t *training) gather(rows []int) {
	d := t.net.sizes[0]
	for to, i := range rows {
		copy(t.room.y[0][to*d:(to+1)*d], t.x[i*d:(i+1)*d])
	}
}

// drop returns what drops hidden units at random and makes the others larger by 1/(1 - share), nil for no share.
func (t *training) drop() func(y, slope []float64) {
	if t.o.Dropout == 0 {
		return nil
	}
	larger := 1 / (1 - t.o.Dropout)
	return func(y, slope []float64) {
		for i := range y {
			by := larger
			if t.draws.Float64() < t.o.Dropout {
				by = 0
			}
			y[i] *= by
			slope[i] *= by
		}
	}
}

// blame returns the weighted sum of losses of the rows in the room times share, and sets delta of the last layer to its derivatives.
func (t *training) blame(rows []int, share float64, derivatives bool) float64 {
	last := t.net.Layers()
	k := t.net.sizes[last]
	loss := 0.0
	for at, i := range rows {
		s, by := t.room.y[last][at*k:(at+1)*k], share
		if t.weights != nil {
			by *= t.weights[i]
		}
		one, target := 0.0, t.target[i]
		switch {
		case t.loss == Squared:
			s[0] -= target
			one = s[0] * s[0] / 2
		case k == 1:
			one = softplus(s[0]) - target*s[0]
			s[0] = logistic(s[0]) - target
		default:
			own := s[int(target)]
			one = softmax(s) - own
			s[int(target)]--
		}
		loss += by * one
		if derivatives {
			for c, v := range s {
				t.room.delta[last][at*k+c] = by * v
			}
		}
	}
	return loss
}

// apply replaces net inputs by the answers of hidden units and writes the slopes there.
func (a Activation) apply(s, slope []float64) {
	switch a {
	case ReLU:
		for i, v := range s {
			if v > 0 {
				slope[i] = 1
			} else {
				s[i], slope[i] = 0, 0
			}
		}
	case Tanh:
		tile.Tanh(s, slope)
	case Logistic:
		for i, v := range s {
			slope[i] = -math.Abs(v)
		}
		tile.Exp(slope)
		for i, e := range slope {
			if s[i] < 0 {
				s[i] = e / (1 + e)
			} else {
				s[i] = 1 / (1 + e)
			}
			slope[i] = e / ((1 + e) * (1 + e))
		}
	default:
		for i, v := range s {
			s[i], slope[i] = a.Value(v), a.Slope(v)
		}
	}
}
