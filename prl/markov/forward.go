package markov

import "github.com/prlab/prlab/prl/internal/tile"

// Forward holds a scaled forward pass.
type Forward struct {
	Alpha  [][]float64 // T x K; Alpha[t][i] = P(state i at t | x_0 ... x_t), the filtered distribution; rows sum to one
	Scale  []float64   // T; Scale[t] = P(x_t | x_0 ... x_{t-1})
	LogLik float64     // log P(x) = sum of log Scale, nats
}

// LogLikelihood returns log P(obs) in nats by the scaled forward recursion, in O(T K^2) time and O(K) memory; -Inf when the model cannot
// emit the sequence.
func (m *HMM) LogLikelihood(obs []int) (float64, error) {
	if err := m.check("LogLikelihood", obs); err != nil {
		return 0, err
	}
	return m.logLikelihood(m.evidence(obs)), nil
}

// small is the sum of the forward variables at which they are scaled up again. Between two scalings no logarithm is needed.
const small = 1e-120

// steps is the number of time steps that one call of a recursion computes.
const steps = 64

// A pass takes a recursion through the times of a sequence, so many steps at a time. One pass can serve many sequences, one after the
// other.
type pass struct {
	*tile.Recursion
	e       evidence
	x       []float64 // rows of the recursion, for so many steps and one more
	w, sums []float64

	inverses []float64 // one more than sums
	memory   []float64
}

// begin makes p ready for a sequence.
func (p *pass) begin(e evidence, r *tile.Recursion) {
	n := min(steps, e.n)
	if need := (n+1)*r.Width + r.Width + 2*n + 1; need > cap(p.memory) {
		p.memory = make([]float64, need)
	}
	numbers := p.memory[:cap(p.memory)]
	cut := func(n int) []float64 {
		v := numbers[:n:n]
		numbers = numbers[n:]
		return v
	}
	p.Recursion, p.e = r, e
	p.x, p.w, p.sums, p.inverses = cut((n+1)*r.Width), cut(r.Width), cut(n), cut(n+1)
	clear(p.x) // what is beyond the K numbers of a row stays zero
}

// table returns the evidence of the times from, ..., from+n-1.
func (p *pass) table(from, n int) tile.Table {
	if p.e.index != nil {
		return tile.Table{Rows: p.e.rows, Index: p.e.index[from : from+n]}
	}
	return tile.Table{Rows: p.e.rows[from*p.Width : (from+n)*p.Width]}
}

// forward goes on from time t-1, which is row 0 of x, until a sum is below low or x is full, and returns the sums.
func (p *pass) forward(t int, low float64) []float64 {
	n := min(steps, p.e.n-t)
	return p.sums[:p.Forward(p.x, p.table(t, n), p.sums[:n], low)]
}

// copyFew is copy for a few numbers, for which a call takes longer than the work.
func copyFew(to, from []float64) {
	from = from[:len(to)]
	//lint:ignore S1001 copy would be that call
	for i, v := range from {
		to[i] = v
	}
}

// row returns the k numbers of a row of x.
func (p *pass) row(i int) []float64 { return p.x[i*p.Width : i*p.Width+p.K] }

// logLikelihood is the forward recursion of ForwardNaive, with the variables scaled up whenever their sum has become small (Rabiner 1989,
// section V.A), and with a sum of logarithms in the end.
func (h *stateChain) logLikelihood(e evidence) float64 { return h.logLikelihoodBy(new(pass), e) }

func (h *stateChain) logLikelihoodBy(p *pass, e evidence) float64 {
	p.begin(e, h.forwardStep)
	alpha := p.row(0)
	l := 0.0
	sum := 0.0
	for i, v := range e.at(0) {
		alpha[i] = h.start[i] * v
		sum += alpha[i]
	}
	for t := 1; t < e.n; {
		if sum < small {
			if sum == 0 {
				return h.logLikelihoodLog(e)
			}
			l += ln(sum)
			scale(alpha, 1/sum)
		}
		done := len(p.forward(t, small))
		sum = p.sums[done-1]
		copy(alpha, p.row(done))
		t += done
	}
	if sum == 0 {
		return h.logLikelihoodLog(e)
	}
	return l + ln(sum) + e.offset
}

// multiply sets out_j = x_j b_j and returns the sum of out.
func multiply(out, x, b []float64) float64 {
	x, b = x[:len(out)], b[:len(out)]
	var s0, s1 float64
	j := 0
	for ; j+1 < len(out); j += 2 {
		u, v := x[j]*b[j], x[j+1]*b[j+1]
		out[j], out[j+1] = u, v
		s0 += u
		s1 += v
	}
	if j < len(out) {
		out[j] = x[j] * b[j]
		s0 += out[j]
	}
	return s0 + s1
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func scale(x []float64, c float64) {
	for i := range x {
		x[i] *= c
	}
}

// Forward returns the scaled forward variables (Rabiner 1989, section V.A). It fails when the sequence is impossible. ForwardNaive is the
// textbook's recursion, which it is held to.
func (m *HMM) Forward(obs []int) (*Forward, error) {
	if err := m.check("Forward", obs); err != nil {
		return nil, err
	}
	return m.forward("markov.HMM.Forward", m.evidence(obs))
}

func (h *stateChain) forward(function string, e evidence) (*Forward, error) {
	alpha := make([]float64, e.n*h.k)
	scales := make([]float64, e.n)
	dead := h.filter(new(pass), e, alpha, scales)
	if dead >= 0 {
		return h.forwardFromLogs(function, e)
	}
	l := e.offset
	for _, c := range scales {
		l += ln(c)
	}
	return &Forward{cutRows(alpha, h.k), scales, l}, nil
}

// filter is the forward recursion of ForwardNaive with rows that sum to one. It fills alpha (n x k) with filtered distributions and scales
// (n), and returns the first time whose scale is zero, or -1.
//
// A row is divided by its sum only after the next ones have been computed from it, so that no step waits for a division; what this leaves
// out of the next sum, the factor inverse, goes into the scale. Sums never rise by themselves. Where one has become low, its row is divided
// at once.
func (h *stateChain) filter(p *pass, e evidence, alpha, scales []float64) (dead int) {
	const low, lowest = 1e-60, 1e-150
	k := h.k
	p.begin(e, h.forwardStep)
	inverses := p.inverses
	sum := multiply(alpha[:k], h.start, e.at(0))
	if scales[0] = sum; sum == 0 {
		return 0
	}
	inverse := 1 / sum // of the sum of the row before
	for t := 1; t < e.n; {
		if sum < low {
			scale(alpha[(t-1)*k:t*k], inverse)
			inverse = 1
		}
		n := min(steps, e.n-t)
		out := alpha[(t-1)*k : (t+n)*k]
		x := out
		if p.Width != k {
			x = p.x
			copyFew(p.row(0), out)
		}
		inverses[0] = inverse
		sums := p.sums[:p.Filter(out, x, p.table(t, n), p.sums[:n], inverses[:n+1], low)]
		last := len(sums) - 1
		if sums[last] < lowest && inverses[last] != 1 {
			inverses[last] = 1
			copyFew(x[last*p.Width:][:k], out[last*k:])
			p.Forward(x[last*p.Width:], p.table(t+last, 1), sums[last:], 0)
			copyFew(out[(last+1)*k:][:k], x[(last+1)*p.Width:])
		}
		for s := range sums {
			if sum = sums[s]; sum == 0 {
				scales[t+s] = 0
				return t + s
			}
			scales[t+s] = sum * inverses[s]
		}
		inverse = 1 / sum
		t += len(sums)
	}
	scale(alpha[(e.n-1)*k:e.n*k], inverse)
	return -1
}

// ForwardNaive returns the unscaled forward variables P(x_0 ... x_t, state i at t). They underflow to zero after some hundred steps;
// the function is there to show that, and as the textbook's recursion on one screen.
func (m *HMM) ForwardNaive(obs []int) ([][]float64, error) {
	if err := m.check("ForwardNaive", obs); err != nil {
		return nil, err
	}
	alpha := make([][]float64, len(obs))
	for t, x := range obs {
		alpha[t] = make([]float64, m.k)
		for j := range m.k {
			if t == 0 {
				alpha[t][j] = m.start[j]
			} else {
				for i := range m.k {
					alpha[t][j] += alpha[t-1][i] * m.a[i*m.k+j]
				}
			}
			alpha[t][j] *= m.b[j*m.m+x]
		}
	}
	return alpha, nil
}

// BackwardNaive returns the unscaled backward variables P(x_{t+1} ... x_{T-1} | state i at t), the textbook's recursion on one screen
// (Rabiner 1989, equations 24 and 25). Like those of ForwardNaive they underflow.
func (m *HMM) BackwardNaive(obs []int) ([][]float64, error) {
	if err := m.check("BackwardNaive", obs); err != nil {
		return nil, err
	}
	beta := make([][]float64, len(obs))
	for t := len(obs) - 1; t >= 0; t-- {
		beta[t] = make([]float64, m.k)
		for i := range m.k {
			if t == len(obs)-1 {
				beta[t][i] = 1
				continue
			}
			for j := range m.k {
				beta[t][i] += m.a[i*m.k+j] * m.b[j*m.m+obs[t+1]] * beta[t+1][j]
			}
		}
	}
	return beta, nil
}

// Backward returns the scaled backward variables beta_t(i) = P(x_{t+1} ... x_{T-1} | state i at t) / prod_{s>t} Scale[s], so that
// sum_i Alpha[t][i] beta_t(i) = 1 at every t.
func (m *HMM) Backward(obs []int) ([][]float64, error) {
	if err := m.check("Backward", obs); err != nil {
		return nil, err
	}
	e := m.evidence(obs)
	beta, err := m.backward("markov.HMM.Backward", e)
	if err != nil {
		return nil, err
	}
	return beta, nil
}

func (h *stateChain) backward(function string, e evidence) ([][]float64, error) {
	alpha := make([]float64, e.n*h.k)
	scales := make([]float64, e.n)
	p := new(pass)
	dead := h.filter(p, e, alpha, scales)
	if dead >= 0 {
		return nil, impossible(function, "obs", dead)
	}
	beta := make([]float64, e.n*h.k)
	h.smooth(p, e, beta, scales)
	return cutRows(beta, h.k), nil
}

// smooth is the backward recursion of BackwardNaive, scaled. It fills beta (n x k) backwards: beta_t(i) = sum_j a_ij b_j(t+1) beta_{t+1}(j)
// / scales[t+1]. Without scales a row is divided by its sum when that has become low.
func (h *stateChain) smooth(p *pass, e evidence, beta, scales []float64) {
	k := h.k
	p.begin(e, h.backwardStep)
	last := beta[(e.n-1)*k:]
	for i := range last {
		last[i] = 1
	}
	low := small * (1 + 1e-9) // the sums of the pass are rounded in another way than total
	if scales != nil {
		low = 0
	}
	for hi := e.n - 1; hi > 0; {
		n := min(steps, hi)
		lo := hi - n
		var after []float64
		if scales != nil {
			after = scales[lo+1 : hi+1]
		}
		x := beta[lo*k : (hi+1)*k]
		if p.Width != k {
			copy(p.row(n), x[n*k:])
			x = p.x
		}
		done := p.Backward(x, p.w, p.table(lo+1, n), after, p.sums[:n], low)
		if p.Width != k {
			for t := n - done; t < n; t++ {
				copyFew(beta[(lo+t)*k:(lo+t+1)*k], p.row(t))
			}
		}
		hi -= done
		if row := beta[hi*k : (hi+1)*k]; scales == nil {
			if s := total(row); s < small && s > 0 {
				scale(row, 1/s)
			}
		}
	}
}

func total(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}
