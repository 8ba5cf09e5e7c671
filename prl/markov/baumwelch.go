package markov

import (
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// BaumWelchOptions set the learning of an HMM from sequences without states.
type BaumWelchOptions struct {
	MaxIter int // limit on iterations, default 100; estimator.None only evaluates the start
	// stop when the log-likelihood (nats, of all sequences) rises by less; default 1e-6; estimator.None runs all iterations unless nothing
	// rises
	Tol       float64
	Smoothing float64   // added to each expected count in the M-step, default 0
	Weights   []float64 // one a sequence; nil weighs all alike
	KeepStart bool      // leave the start probabilities as they are
	KeepTrans bool      // leave the transition probabilities as they are
	KeepEmit  bool      // leave the emissions as they are
	// Gaussian emissions: added to each variance, as a share of the variance of its column over all rows, so that the unit of the data does
	// not matter; default 1e-6; estimator.None adds nothing. A constant column takes the mean of what is added to the others, or Reg
	Reg      float64
	Progress estimator.ProgressFunc // gets the log-likelihood after each iteration
}

// filled returns o with defaults in the place of zeros, and zeros in the place of None.
func (o BaumWelchOptions) filled() BaumWelchOptions {
	estimator.Or(&o.MaxIter, 100)
	estimator.Or(&o.Tol, 1e-6)
	estimator.Or(&o.Reg, 1e-6)
	return o
}

func (o BaumWelchOptions) check(function string, sequences int) error {
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 0, math.MaxInt); err != nil {
		return err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) {
		return fault.Argument(function, "Tol", o.Tol, "a finite number of at least 0", "the default is 1e-06")
	}
	if !(o.Reg >= 0) || math.IsInf(o.Reg, 0) {
		return fault.Argument(function, "Reg", o.Reg, "a finite number of at least 0", "the default is 1e-06")
	}
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return err
	}
	return estimator.CheckWeightsOf(function, o.Weights, sequences, "sequences")
}

// Learned is the outcome of Baum-Welch.
type Learned[M any] struct {
	Model      M
	LogLik     []float64 // log-likelihood of the start and after each iteration, nats; it never falls when Smoothing and Reg are 0
	Iterations int
	Converged  bool // the rise fell below Tol
}

// BaumWelch improves the model start on the sequences by expectation maximisation (Baum, Petrie, Soules, Weiss 1970; Rabiner 1989,
// section III.C). The E-step sums the posteriors of starts, transitions and emissions over all sequences; the M-step makes them
// probabilities. Each iteration takes O(K^2) time for each symbol. Only a local maximum is found; see FitHMM for restarts.
func BaumWelch(ctx context.Context, start *HMM, sequences [][]int, o BaumWelchOptions) (*Learned[*HMM], error) {
	return baumWelch(ctx, start, sequences, o.filled())
}

func baumWelch(ctx context.Context, start *HMM, sequences [][]int, o BaumWelchOptions) (*Learned[*HMM], error) {
	const function = "markov.BaumWelch"
	if start == nil {
		return nil, fault.Argument(function, "start", "nil", "a model to start from", "")
	}
	if err := checkSequences(function, "sequences", sequences, start.m, "symbol"); err != nil {
		return nil, err
	}
	if err := o.check(function, len(sequences)); err != nil {
		return nil, err
	}
	longest := 0
	for _, seq := range sequences {
		longest = max(longest, len(seq))
	}
	work := newWorkspace(start.k, longest)
	step := func(m *HMM, update bool) (float64, *HMM, error) {
		if !update {
			l := 0.0
			for s, seq := range sequences {
				if w := weight(o.Weights, s); w > 0 {
					l += w * m.logLikelihoodBy(&work.forward, m.evidence(seq))
				}
			}
			return l, m, nil
		}
		x := newExpected(m.k)
		b := make([]float64, m.m*m.k) // transposed: symbol by state
		l := 0.0
		for s, seq := range sequences {
			w := weight(o.Weights, s)
			if w == 0 {
				continue
			}
			gamma, ls, err := m.expect(ctx, function, s, m.evidence(seq), w, x, work)
			if err != nil {
				return 0, nil, err
			}
			for t, v := range seq {
				row := b[v*m.k : (v+1)*m.k]
				for i, g := range gamma[t*m.k : (t+1)*m.k] {
					row[i] += g
				}
			}
			l += w * ls
		}
		next := newHMM(x.maximise(m.stateChain, o), m.symbols, m.b)
		if !o.KeepEmit {
			counts := transpose(b, m.m, m.k)
			nb := make([]float64, len(counts))
			for i := range m.k {
				row := counts[i*m.m : (i+1)*m.m]
				copy(nb[i*m.m:], renew(row, m.b[i*m.m:(i+1)*m.m], o.Smoothing))
			}
			next = newHMM(next.stateChain, m.symbols, nb)
		}
		return l, next, nil
	}
	return iterate(ctx, function, start, o, step)
}

// iterate runs E and M steps. step returns the log-likelihood of the model it gets, and the next model when update is set.
func iterate[M any](
	ctx context.Context,
	function string,
	model M,
	o BaumWelchOptions,
	step func(m M, update bool) (float64, M, error),
) (*Learned[M], error) {
	out := &Learned[M]{Model: model}
	for it := 0; ; it++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after %d iterations: %w", function, it, err)
		}
		l, next, err := step(out.Model, it < o.MaxIter)
		if err != nil {
			return nil, err
		}
		if math.IsInf(l, -1) {
			return nil, impossible(function, "sequences[0]", 0)
		}
		out.LogLik = append(out.LogLik, l)
		if it > 0 {
			if o.Progress != nil {
				o.Progress(estimator.Progress{Iteration: it, Of: o.MaxIter, Objective: l})
			}
			if rise := l - out.LogLik[it-1]; rise < o.Tol || rise == 0 && o.Tol == 0 {
				out.Converged = true
			}
		}
		if out.Converged || it == o.MaxIter {
			out.Iterations = it
			return out, nil
		}
		out.Model = next
	}
}

// expected holds expected counts. xi lacks its factor a_ij, which is common to all times and put in at the end.
type expected struct {
	start []float64
	xi    []float64
}

func newExpected(k int) *expected { return &expected{make([]float64, k), make([]float64, k*k)} }

const (
	eBlock = 4096 // times that one goroutine counts transitions of; the sums of the blocks are added in order
	eRows  = 64   // rows widened to whole strips at a time
)

// A workspace is the memory of the E-step for sequences up to a length, kept from one sequence and one iteration to the next.
type workspace struct {
	forward, backward pass
	alpha, beta       []float64 // length x k
	scales            []float64
	sums              []float64   // k x k for each block
	strips            [][]float64 // of each goroutine: a sum of outer products and the rows that go into it
}

func newWorkspace(k, length int) *workspace {
	blocks, width := (length+eBlock-1)/eBlock, tile.Padded(k)
	r := &workspace{
		alpha:  make([]float64, length*k),
		beta:   make([]float64, length*k),
		scales: make([]float64, length),
		sums:   make([]float64, blocks*k*k),
	}
	r.strips = make([][]float64, share.Workers(blocks, passCost(k, length)))
	for g := range r.strips {
		r.strips[g] = make([]float64, width*(width+2*eRows))
	}
	return r
}

// passCost is about how many nanoseconds one pass over a sequence of length n takes.
func passCost(k, n int) float64 { return float64(n) * (5 + 0.3*float64(k*k)) }

// expect adds the expected counts of sequence s, times w, to x, and returns the weighted posteriors (n x k, valid until the next call) and
// the log-likelihood of the sequence.
//
// The two passes scale by themselves, so that they can run at the same time. Transitions are counted as
// xi_ij = a_ij sum_t alpha_t(i) v_{t+1}(j), v_{t+1}(j) = b_j(t+1) beta_{t+1}(j) / z_t: one product of two tall matrices, done in blocks of
// rows on all processors and added up in the order of time.
func (h *stateChain) expect(
	ctx context.Context,
	function string,
	s int,
	e evidence,
	w float64,
	x *expected,
	r *workspace,
) (gamma []float64, logLik float64, err error) {
	k, n := h.k, e.n
	alpha, beta := r.alpha[:n*k], r.beta[:n*k]
	scales, dead := r.scales[:n], -1
	share.Turns(share.Workers(2, 2*passCost(k, n)), 2, func(_, backward int) {
		if backward == 1 {
			h.smooth(&r.backward, e, beta, nil)
		} else {
			dead = h.filter(&r.forward, e, alpha, scales)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", function, err)
	}
	if dead >= 0 {
		return h.expectFromLogs(function, s, e, w, x, r)
	}
	l := e.offset
	product := 1.0
	for _, c := range scales {
		if product *= c; product < small || product > 1/small {
			l += ln(product)
			product = 1
		}
	}
	l += ln(product)

	blocks := (n + eBlock - 1) / eBlock
	share.Turns(min(len(r.strips), share.Workers(blocks, passCost(k, n))), blocks, func(g, c int) {
		h.count(e, w, r, r.strips[g], c*eBlock, min((c+1)*eBlock, n), r.sums[c*k*k:(c+1)*k*k])
	})
	if !tile.Finite(r.sums[:blocks*k*k]) || !tile.Finite(beta[:k]) { // the two passes have no state in common that float64 can tell from zero
		return h.expectFromLogs(function, s, e, w, x, r)
	}
	for c := range blocks {
		for i, v := range r.sums[c*k*k : (c+1)*k*k] {
			x.xi[i] += v
		}
	}
	for i := range k {
		x.start[i] += beta[i]
	}
	return beta, l, nil
}

// count turns beta_t into the weighted posteriors gamma_t for lo <= t < hi, and sets sum to their share of xi.
func (h *stateChain) count(e evidence, w float64, r *workspace, strips []float64, lo, hi int, sum []float64) {
	if few(h.k) {
		h.countFew(e, w, r, lo, hi, sum)
		return
	}
	h.countTiles(e, w, r, strips, lo, hi, sum)
}

// countTiles is count for any number of states, by products of tiles.
func (h *stateChain) countTiles(e evidence, w float64, r *workspace, strips []float64, lo, hi int, sum []float64) {
	k, width := h.k, tile.Padded(h.k)
	acc, p, q := strips[:width*width], strips[width*width:][:eRows*width], strips[width*(width+eRows):][:eRows*width]
	clear(acc)
	for first := lo; first < hi; first += eRows {
		m := min(eRows, hi-first)
		for row := range m {
			t := first + row
			a, g, b, v := r.alpha[t*k:(t+1)*k], r.beta[t*k:(t+1)*k], e.at(t), q[row*width:row*width+k]
			z := 0.0
			for i, u := range g {
				v[i] = b[i] * u
				g[i] = float64(a[i] * u)
				z += g[i]
			}
			// alpha_{t-1} A (b beta)_t = scale_t sum_i alpha_t(i) beta_t(i)
			cg := w / z
			cv := cg / r.scales[t]
			for i := range g {
				g[i] *= cg
				v[i] *= cv
			}
			if t > 0 {
				copy(p[row*width:row*width+k], r.alpha[(t-1)*k:t*k])
			} else {
				clear(p[:width]) // no transition leads to the first state
			}
		}
		tile.AddOuter(acc, p, q, m, width)
	}
	for i := range k {
		copy(sum[i*k:(i+1)*k], acc[i*width:])
	}
}

// maximise is the M-step of the chain: expected counts become probabilities. A state that is never left keeps its row.
func (x *expected) maximise(old stateChain, o BaumWelchOptions) stateChain {
	next := old
	if !o.KeepStart {
		next.start = renew(x.start, old.start, o.Smoothing)
	}
	if !o.KeepTrans {
		k := old.k
		a := make([]float64, k*k)
		for i := range k {
			counts := make([]float64, k)
			for j := range counts {
				counts[j] = x.xi[i*k+j] * old.a[i*k+j]
			}
			copy(a[i*k:], renew(counts, old.a[i*k:(i+1)*k], o.Smoothing))
		}
		next.setTransitions(a)
	}
	return next
}

// renew makes smoothed counts a distribution; without any count the old one stays.
func renew(counts, old []float64, smoothing float64) []float64 {
	sum := 0.0
	for _, v := range counts {
		sum += v + smoothing
	}
	if !(sum > 0) {
		return append([]float64(nil), old...)
	}
	out := make([]float64, len(counts))
	for i, v := range counts {
		out[i] = (v + smoothing) / sum
	}
	return out
}
