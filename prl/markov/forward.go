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
	return weigh(next, next, b)
}

// weigh sets out_j = x_j b_j and returns the sum of out.
func weigh(out, x, b []float64) float64 {
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
	scales := make([]float64, e.n)
	dead := h.filter(e, alpha, scales)
	if dead >= 0 {
		return h.forwardFromLogs(function, e)
	}
	l := e.offset
	for _, c := range scales {
		l += ln(c)
	}
	return &Forward{rowsOf(alpha, h.k), scales, l}, nil
}

// filter fills alpha (n x k) with filtered distributions and scales (n), and returns the first time whose scale is zero, or -1.
//
// A row is divided by its sum only after the next one has been computed from it, so that no step waits for a division; what this leaves out of
// the next sum, the factor inverse, goes into the scale. Sums never rise by themselves. Where one has become low, its row is divided at once.
func (h *hidden) filter(e evidence, alpha, scales []float64) (dead int) {
	const low, lowest = 1e-60, 1e-150
	k := h.k
	inverse := 1.0 // of the sum of the row before
	for t := range e.n {
		row := alpha[t*k : (t+1)*k]
		var sum float64
		if t == 0 {
			sum = weigh(row, h.start, e.at(0))
		} else {
			before := alpha[(t-1)*k : t*k]
			sum = h.push(row, before, e.at(t))
			scale(before, inverse)
			if sum < lowest && inverse != 1 {
				inverse = 1
				sum = h.push(row, before, e.at(t))
			}
		}
		if sum == 0 {
			scales[t] = 0
			return t
		}
		scales[t] = sum * inverse
		inverse = 1 / sum
		if sum < low {
			scale(row, inverse)
			inverse = 1
		}
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
	scales := make([]float64, e.n)
	dead := h.filter(e, alpha, scales)
	if dead >= 0 {
		return nil, impossible(function, dead)
	}
	beta := make([]float64, e.n*h.k)
	h.smooth(e, beta, scales)
	return rowsOf(beta, h.k), nil
}

// smooth fills beta (n x k) backwards: beta_t(i) = sum_j a_ij b_j(t+1) beta_{t+1}(j) / scales[t+1]. Without scales a row is divided by its sum when
// that has become low.
func (h *hidden) smooth(e evidence, beta, scales []float64) {
	k := h.k
	w := make([]float64, k)
	last := beta[(e.n-1)*k:]
	for i := range last {
		last[i] = 1
	}
	for t := e.n - 2; t >= 0; t-- {
		row := beta[t*k : (t+1)*k]
		weigh(w, beta[(t+1)*k:(t+2)*k], e.at(t+1))
		times(row, h.a, w)
		if scales != nil {
			scale(row, 1/scales[t+1])
		} else if s := total(row); s < small && s > 0 {
			scale(row, 1/s)
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
