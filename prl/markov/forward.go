package markov

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

func (h *hidden) logLikelihood(e evidence) float64 {
	k := h.k
	alpha, next := make([]float64, k), make([]float64, k)
	l := 0.0
	sum := 0.0
	for i, v := range e.at(0) {
		alpha[i] = h.start[i] * v
		sum += alpha[i]
	}
	for t := 1; t < e.n; t++ {
		if sum < small {
			if sum == 0 {
				return h.logLikelihoodLog(e)
			}
			l += ln(sum)
			scale(alpha, 1/sum)
		}
		sum = h.push(next, alpha, e.at(t))
		alpha, next = next, alpha
	}
	if sum == 0 {
		return h.logLikelihoodLog(e)
	}
	return l + ln(sum) + e.offset
}

// push sets next_j = b_j sum_i alpha_i a_ij and returns the sum of next.
func (h *hidden) push(next, alpha, b []float64) float64 {
	times(next, h.at, alpha)
	sum := 0.0
	for j, v := range b[:len(next)] {
		next[j] *= v
		sum += next[j]
	}
	return sum
}

// times sets y to M x, where M has len(y) rows. Two rows at a time, each with two sums, keep four additions in flight.
func times(y, m, x []float64) {
	k := len(x)
	j := 0
	for ; j+1 < len(y); j += 2 {
		p, q := m[j*k : j*k+k][:len(x)], m[j*k+k : j*k+2*k][:len(x)]
		var p0, p1, q0, q1 float64
		i := 0
		for ; i+1 < len(x); i += 2 {
			u, v := x[i], x[i+1]
			p0 += u * p[i]
			p1 += v * p[i+1]
			q0 += u * q[i]
			q1 += v * q[i+1]
		}
		if i < len(x) {
			p0 += x[i] * p[i]
			q0 += x[i] * q[i]
		}
		y[j], y[j+1] = p0+p1, q0+q1
	}
	if j < len(y) {
		y[j] = dot(x, m[j*k:j*k+k])
	}
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

// Forward returns the scaled forward variables (Rabiner 1989, section V.A). It fails when the sequence is impossible.
func (m *HMM) Forward(obs []int) (*Forward, error) {
	if err := m.check("Forward", obs); err != nil {
		return nil, err
	}
	return m.forward("HMM.Forward", m.evidence(obs))
}

func (h *hidden) forward(function string, e evidence) (*Forward, error) {
	alpha := make([]float64, e.n*h.k)
	scales, dead := h.filter(e, alpha)
	if dead >= 0 {
		return h.forwardFromLogs(function, e)
	}
	l := e.offset
	for _, c := range scales {
		l += ln(c)
	}
	return &Forward{rowsOf(alpha, h.k), scales, l}, nil
}

// filter fills alpha (n x k) with filtered distributions and returns the scales, and the first time whose scale is zero, or -1.
func (h *hidden) filter(e evidence, alpha []float64) (scales []float64, dead int) {
	k := h.k
	scales = make([]float64, e.n)
	for t := range e.n {
		row := alpha[t*k : (t+1)*k]
		if t == 0 {
			for i, v := range e.at(0) {
				row[i] = h.start[i] * v
				scales[0] += row[i]
			}
		} else {
			scales[t] = h.push(row, alpha[(t-1)*k:t*k], e.at(t))
		}
		if scales[t] == 0 {
			return scales, t
		}
		scale(row, 1/scales[t])
	}
	return scales, -1
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

// Backward returns the scaled backward variables beta_t(i) = P(x_{t+1} ... x_{T-1} | state i at t) / prod_{s>t} Scale[s], so that
// sum_i Alpha[t][i] beta_t(i) = 1 at every t.
func (m *HMM) Backward(obs []int) ([][]float64, error) {
	if err := m.check("Backward", obs); err != nil {
		return nil, err
	}
	e := m.evidence(obs)
	beta, err := m.backward("HMM.Backward", e)
	if err != nil {
		return nil, err
	}
	return beta, nil
}

func (h *hidden) backward(function string, e evidence) ([][]float64, error) {
	alpha := make([]float64, e.n*h.k)
	scales, dead := h.filter(e, alpha)
	if dead >= 0 {
		return nil, impossible(function, dead)
	}
	beta := make([]float64, e.n*h.k)
	h.smooth(e, beta, func(t int, _ float64) float64 { return scales[t] })
	return rowsOf(beta, h.k), nil
}

// smooth fills beta (n x k) backwards: beta_t(i) = sum_j a_ij b_j(t+1) beta_{t+1}(j) / divisor. The divisor gets the time t+1 and the
// largest undivided value.
func (h *hidden) smooth(e evidence, beta []float64, divisor func(t int, top float64) float64) {
	k := h.k
	w := make([]float64, k)
	last := beta[(e.n-1)*k:]
	for i := range last {
		last[i] = 1
	}
	for t := e.n - 2; t >= 0; t-- {
		b, after, row := e.at(t+1), beta[(t+1)*k:(t+2)*k], beta[t*k:(t+1)*k]
		for j := range w {
			w[j] = b[j] * after[j]
		}
		top := 0.0
		times(row, h.a, w)
		for _, v := range row {
			top = max(top, v)
		}
		if c := divisor(t+1, top); c > 0 {
			scale(row, 1/c)
		}
	}
}
