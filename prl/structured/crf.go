package structured

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/optim"
)

// A crf is the objective of a conditional random field, |w|^2/2 + C sum_i (log Z_i - w.phi(x_i, y_i)), and its gradient w + C sum_i (E
// phi - phi(x_i, y_i)). It keeps what it has computed for the last w, since a search asks for the value and the gradient of a place one
// after the other.
type crf struct {
	*corpus
	ctx    context.Context
	price  float64
	truth  []float64 // sum of phi(x_i, y_i)
	at     []float64 // the last w
	value  float64
	slopes []float64

	width                      int // of a row below: whole strips
	p, alpha, v                []float64
	beta, steps, outer, sparse []float64
}

func newCRF(ctx context.Context, c *corpus, price float64) *crf {
	f := &crf{corpus: c, ctx: ctx, price: price, truth: make([]float64, c.size()), width: tile.Padded(c.k)}
	longest, base := 0, c.k+c.k*c.k
	for _, s := range c.sentences {
		longest = max(longest, len(s.tags))
		for t, y := range s.tags {
			if t == 0 {
				f.truth[y]++
			} else {
				f.truth[c.k+s.tags[t-1]*c.k+y]++
			}
			for _, a := range s.attributes[t*c.features : (t+1)*c.features] {
				f.truth[base+int(a)*c.k+y]++
			}
		}
	}
	f.p, f.alpha, f.v = make([]float64, longest*f.width), make([]float64, longest*f.width), make([]float64, longest*f.width)
	f.beta, f.steps, f.outer = make([]float64, f.width), make([]float64, c.k*f.width), make([]float64, f.width*f.width)
	f.sparse = make([]float64, longest*c.k)
	return f
}

// problem is the objective as optim takes it. After the end of the context it is nowhere finite, so that a search ends.
func (f *crf) problem() optim.Problem {
	return optim.Problem{
		Value:    func(w []float64) float64 { return f.of(w).value },
		Gradient: func(w []float64) []float64 { return slices.Clone(f.of(w).slopes) },
	}
}

// of computes value and gradient at w.
func (f *crf) of(w []float64) *crf {
	if f.at != nil && slices.Equal(f.at, w) {
		return f
	}
	f.at, f.slopes = append(f.at[:0], w...), append(f.slopes[:0], w...)
	floats.AddScaled(f.slopes, -f.price, f.truth)
	k := f.k
	shift := floats.Max(w[k : k+k*k])
	for i := range k {
		for j := range k {
			f.steps[i*f.width+j] = w[k+i*k+j] - shift
		}
	}
	tile.Exp(f.steps)
	for i := range k { // what is beyond the tags stays zero in all products
		clear(f.steps[i*f.width+k : (i+1)*f.width])
	}
	clear(f.outer)
	sum := 0.0
	for i := range f.sentences {
		if f.ctx.Err() != nil {
			f.value = math.NaN()
			return f
		}
		sum += f.add(&f.sentences[i], w, shift)
	}
	for i := range k {
		for j := range k {
			f.slopes[k+i*k+j] += f.price * f.outer[i*f.width+j] * f.steps[i*f.width+j]
		}
	}
	f.value = floats.Dot(w, w)/2 + f.price*(sum-floats.Dot(w, f.truth))
	return f
}

// add returns log Z of a sentence and adds C E phi to the slopes, all but the steps: of these outer gets the sum of a_{t-1} v_t^T, which
// becomes the expected number of steps when it is multiplied, entry by entry, with exp(step). The recursions are scaled: alpha_t holds the
// probabilities of the tags given the words up to t, v_t what the words from t on say, so that alpha_{t-1} exp(step) v_t sums to one.
func (f *crf) add(s *sentence, w []float64, shift float64) (logZ float64) {
	n, k, width := len(s.tags), f.k, f.width
	if n == 0 {
		return 0
	}
	scores := f.sparse[:n*k]
	local(scores, w, k, f.features, s.attributes)
	for t := range n {
		row := scores[t*k : t*k+k]
		most := row[0]
		for _, v := range row {
			most = max(most, v)
		}
		logZ += most
		for j, v := range row {
			f.p[t*width+j] = v - most
		}
	}
	logZ += float64(n-1) * shift
	tile.Exp(f.p[:n*width])
	product := 1.0
	for t := range n {
		now := f.alpha[t*width : t*width+k]
		if t == 0 {
			copy(now, f.p[:k])
		} else {
			f.forward(now, f.alpha[(t-1)*width:(t-1)*width+k], f.p[t*width:t*width+k])
		}
		total := 0.0
		for _, a := range now {
			total += a
		}
		f.v[t*width] = total // kept until v_t takes its place
		inverse := 1 / total
		for j := range now {
			now[j] *= inverse
		}
		if product *= total; product < 1e-200 || product > 1e200 {
			logZ, product = logZ+math.Log(product), 1
		}
	}
	logZ += math.Log(product)
	beta := f.beta[:k]
	for j := range beta {
		beta[j] = 1
	}
	base := k + k*k
	for t := n - 1; ; t-- {
		alpha, v, p := f.alpha[t*width:t*width+k], f.v[t*width:t*width+k], f.p[t*width:t*width+k]
		inverse := 1 / v[0]
		for j, b := range beta {
			v[j] = p[j] * b * inverse
			p[j] = f.price * alpha[j] * b // the probability of the tag given all words, times C
		}
		for _, a := range s.attributes[t*f.features : (t+1)*f.features] {
			row := f.slopes[base+int(a)*k : base+int(a)*k+k]
			for j, e := range p {
				row[j] += e
			}
		}
		if t == 0 {
			for j, e := range p {
				f.slopes[j] += e
			}
			break
		}
		f.backward(beta, v)
	}
	tile.AddOuter(f.outer, f.alpha[:(n-1)*width], f.v[width:n*width], n-1, width)
	return logZ
}

// forward sets now to the product of old with exp(step), times p entry by entry.
func (f *crf) forward(now, old, p []float64) {
	clear(now)
	for i, a := range old {
		row := f.steps[i*f.width:][:len(now)]
		for j, s := range row {
			now[j] += a * s
		}
	}
	for j, e := range p {
		now[j] *= e
	}
}

// backward sets beta to the product of exp(step) with v.
func (f *crf) backward(beta, v []float64) {
	for i := range beta {
		row := f.steps[i*f.width:][:len(v)]
		s := 0.0
		for j, e := range v {
			s += row[j] * e
		}
		beta[i] = s
	}
}

// fitCRF minimises the objective by L-BFGS. Since it is as curved as |w|^2/2 everywhere, its least value lies at most half the squared
// length of the gradient below.
func fitCRF(ctx context.Context, c *corpus, o TaggerOptions) ([]float64, Certificate, error) {
	f := newCRF(ctx, c, o.C)
	r, err := optim.Minimise(ctx, f.problem(), optim.LBFGS{}, make([]float64, c.size()), optim.Options{MaxIter: o.MaxIter, Tol: o.Tol})
	if stop := ctx.Err(); stop != nil { // a sum broken off is NaN, of which the method complains
		err = stop
	}
	if err != nil {
		return nil, Certificate{}, err
	}
	return r.X, Certificate{Upper: r.Value, Lower: r.Value - floats.Dot(r.Gradient, r.Gradient)/2, Rounds: r.Iterations}, nil
}
