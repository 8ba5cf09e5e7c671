package markov

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/tile"
)

// BaumWelchOptions set the learning of an HMM from sequences without states.
type BaumWelchOptions struct {
	MaxIter   int                    // limit on iterations, default 100; 0 only evaluates the start
	Tol       float64                // stop when the log-likelihood (nats, of all sequences) rises by less; default 1e-6; 0 runs all iterations unless nothing rises
	Smoothing float64                // added to each expected count in the M-step, default 0
	Weights   []float64              // one a sequence; nil weighs all alike
	KeepStart bool                   // leave the start probabilities as they are
	KeepTrans bool                   // leave the transition probabilities as they are
	KeepEmit  bool                   // leave the emissions as they are
	Reg       float64                // Gaussian emissions: added to each variance, default 1e-6
	Progress  estimator.ProgressFunc // gets the log-likelihood after each iteration
}

// DefaultBaumWelch returns the defaults named at BaumWelchOptions.
func DefaultBaumWelch() BaumWelchOptions {
	return BaumWelchOptions{MaxIter: 100, Tol: 1e-6, Reg: 1e-6}
}

func (o BaumWelchOptions) check(function string, sequences int) error {
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 0, math.MaxInt); err != nil {
		return err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) {
		return estimator.Argument(function, "Tol", o.Tol, "a finite number of at least 0", "the default is 1e-06")
	}
	if !(o.Reg >= 0) || math.IsInf(o.Reg, 0) {
		return estimator.Argument(function, "Reg", o.Reg, "a finite number of at least 0", "the default is 1e-06")
	}
	if err := checkSmoothing(function, o.Smoothing); err != nil {
		return err
	}
	return checkSequenceWeights(function, o.Weights, sequences)
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
	const function = "markov.BaumWelch"
	if start == nil {
		return nil, estimator.Argument(function, "start", "nil", "a model to start from", "")
	}
	if err := checkSequences(function, "sequences", sequences, start.m, "symbol"); err != nil {
		return nil, err
	}
	if err := o.check(function, len(sequences)); err != nil {
		return nil, err
	}
	step := func(m *HMM, update bool) (float64, *HMM, error) {
		if !update {
			l := 0.0
			for s, seq := range sequences {
				if w := weight(o.Weights, s); w > 0 {
					l += w * m.logLikelihood(m.evidence(seq))
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
			ls, err := m.expect(ctx, function, m.evidence(seq), w, x, func(t int, gamma []float64) {
				row := b[seq[t]*m.k : (seq[t]+1)*m.k]
				for i, g := range gamma {
					row[i] += g
				}
			})
			if err != nil {
				return 0, nil, fmt.Errorf("sequence %d: %w", s, err)
			}
			l += w * ls
		}
		next := newHMM(x.hidden(m.hidden, o), m.symbols, m.b)
		if !o.KeepEmit {
			counts := transpose(b, m.m, m.k)
			nb := make([]float64, len(counts))
			for i := range m.k {
				row := counts[i*m.m : (i+1)*m.m]
				copy(nb[i*m.m:], renew(row, m.b[i*m.m:(i+1)*m.m], o.Smoothing))
			}
			next = newHMM(next.hidden, m.symbols, nb)
		}
		return l, next, nil
	}
	return iterate(ctx, function, start, o, step)
}

// iterate runs E and M steps. step returns the log-likelihood of the model it gets, and the next model when update is set.
func iterate[M any](ctx context.Context, function string, model M, o BaumWelchOptions, step func(m M, update bool) (float64, M, error)) (*Learned[M], error) {
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
			return nil, impossible(function, 0)
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

// expect adds a sequence's expected counts, times w, to x, gives the weighted posterior of each time to visit, and returns the
// log-likelihood of the sequence.
//
// The two passes scale by themselves, so that they can run at the same time. Transitions are counted as
// xi_ij = a_ij sum_t alpha_t(i) v_{t+1}(j), v_{t+1}(j) = b_j(t+1) beta_{t+1}(j) / z_t: one product of two tall matrices, done in blocks of
// rows on all processors and added up in the order of time.
func (h *hidden) expect(ctx context.Context, function string, e evidence, w float64, x *expected, visit func(t int, gamma []float64)) (float64, error) {
	k, n := h.k, e.n
	alpha, beta := make([]float64, n*k), make([]float64, n*k)
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		h.smooth(e, beta, func(_ int, top float64) float64 {
			if top > small {
				return 1 // scale only when it must be
			}
			return top
		})
	}()
	scales, dead := h.filter(e, alpha)
	wait.Wait()
	if dead >= 0 {
		return 0, impossible(function, dead)
	}
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", function, err)
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

	const block = 4096
	blocks := (n + block - 1) / block
	sums := make([][]float64, blocks)
	gamma := beta // beta_t is not needed any more once v_t and gamma_t are made
	work := func(c int) {
		lo, hi := c*block, min((c+1)*block, n)
		v := make([]float64, (hi-lo)*k)
		for t := lo; t < hi; t++ {
			a, g, b, row := alpha[t*k:(t+1)*k], gamma[t*k:(t+1)*k], e.at(t), v[(t-lo)*k:(t-lo+1)*k]
			z := 0.0
			for i, u := range g {
				row[i] = b[i] * u
				g[i] = a[i] * u
				z += g[i]
			}
			// alpha_{t-1} A (b beta)_t = scale_t sum_i alpha_t(i) beta_t(i)
			cg, cv := w/z, w/(z*scales[t])
			for i := range g {
				g[i] *= cg
				row[i] *= cv
			}
		}
		s := make([]float64, k*k)
		first := max(lo, 1)
		if first < hi {
			addProduct(s, alpha[(first-1)*k:(hi-1)*k], v[(first-lo)*k:], hi-first, k)
		}
		sums[c] = s
	}
	each(blocks, work)
	for _, s := range sums {
		for i, v := range s {
			x.xi[i] += v
		}
	}
	for i := range k {
		x.start[i] += gamma[i]
	}
	for t := range n {
		visit(t, gamma[t*k:(t+1)*k])
	}
	return l, nil
}

// each calls work(0) ... work(n-1) on two goroutines or more when there is enough to do.
func each(n int, work func(int)) {
	if n < 2 {
		for c := range n {
			work(c)
		}
		return
	}
	const workers = 4
	var wait sync.WaitGroup
	for g := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for c := g; c < n; c += workers {
				work(c)
			}
		}()
	}
	wait.Wait()
}

// addProduct adds p^T q to s, where p and q are n x k.
func addProduct(s, p, q []float64, n, k int) {
	const rows = 64 // widened to whole strips at a time
	width := tile.Padded(k)
	acc, a, b := make([]float64, width*width), make([]float64, rows*width), make([]float64, rows*width)
	for lo := 0; lo < n; lo += rows {
		m := min(rows, n-lo)
		for r := range m {
			copy(a[r*width:r*width+k], p[(lo+r)*k:])
			copy(b[r*width:r*width+k], q[(lo+r)*k:])
		}
		tile.AddOuter(acc, a, b, m, width)
	}
	for i := range k {
		for j := range k {
			s[i*k+j] += acc[i*width+j]
		}
	}
}

// hidden is the M-step of the chain: expected counts become probabilities. A state that is never left keeps its row.
func (x *expected) hidden(old hidden, o BaumWelchOptions) hidden {
	next := old
	if !o.KeepStart {
		next.start = renew(x.start, old.start, o.Smoothing)
	}
	if !o.KeepTrans {
		k := old.k
		next.a = make([]float64, k*k)
		for i := range k {
			counts := make([]float64, k)
			for j := range counts {
				counts[j] = x.xi[i*k+j] * old.a[i*k+j]
			}
			copy(next.a[i*k:], renew(counts, old.a[i*k:(i+1)*k], o.Smoothing))
		}
		next.at = transpose(next.a, k, k)
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
