package markov

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// GaussianParameters are the numbers of a hidden Markov model whose states emit points in R^d.
type GaussianParameters struct {
	States      []string      // names; nil gives s1 ... sK
	Start       []float64     // K start probabilities
	Transitions [][]float64   // K x K, rows sum to one
	Means       [][]float64   // K x d
	Covariances [][][]float64 // K matrices d x d, symmetric and positive definite
}

// A GaussianHMM is a hidden Markov model in which state i emits from N(mu_i, Sigma_i). Its sequences are matrices, T x d, row = time.
type GaussianHMM struct {
	hidden
	d     int
	means [][]float64
	covs  [][][]float64
	chols []gaussian
}

type gaussian struct {
	mean  []float64
	lower [][]float64   // Cholesky factor L of the covariance
	white *tile.Columns // column j is row j of the inverse of L
	norm  float64       // -(d log 2 pi + log det) / 2
}

func newGaussian(mean []float64, cov [][]float64) (gaussian, bool) {
	d := len(mean)
	g := gaussian{mean: mean, lower: make([][]float64, d), norm: -0.5 * float64(d) * math.Log(2*math.Pi)}
	for i := range d {
		g.lower[i] = make([]float64, i+1)
		for j := 0; j <= i; j++ {
			v := cov[i][j]
			for l := range j {
				v -= g.lower[i][l] * g.lower[j][l]
			}
			if i == j {
				if !(v > 0) || math.IsInf(v, 0) {
					return g, false
				}
				g.lower[i][i] = math.Sqrt(v)
				g.norm -= math.Log(g.lower[i][i])
			} else {
				g.lower[i][j] = v / g.lower[j][j]
			}
		}
	}
	inverse := make([]float64, d*d)
	for i, row := range g.lower {
		inverse[i*d+i] = 1 / row[i]
		for j := range i {
			v := 0.0
			for l := j; l < i; l++ {
				v -= row[l] * inverse[l*d+j]
			}
			inverse[i*d+j] = v / row[i]
		}
	}
	g.white = tile.Transpose(inverse, d, d)
	return g, true
}

// batch is the number of rows whose densities are computed together.
const batch = 64

// logDensities sets dst[r step] to log N(x_r; mean, cov) for m <= batch rows of x. centred (batch x d) and z (batch x width of white) are scratch.
func (g *gaussian) logDensities(dst []float64, step int, x []float64, m int, centred, z []float64) {
	d, width := len(g.mean), g.white.Width()
	for r := range m {
		to := centred[r*d : (r+1)*d]
		for j, v := range x[r*d : (r+1)*d] {
			to[j] = v - g.mean[j]
		}
	}
	g.white.Product(z, centred, m)
	for r := range m {
		row := z[r*width : (r+1)*width] // zeros after the first d
		var q0, q1, q2, q3 float64
		for j := 0; j+3 < len(row); j += 4 {
			q0 += row[j] * row[j]
			q1 += row[j+1] * row[j+1]
			q2 += row[j+2] * row[j+2]
			q3 += row[j+3] * row[j+3]
		}
		dst[r*step] = g.norm - 0.5*((q0+q1)+(q2+q3))
	}
}

// NewGaussianHMM returns the model with the given numbers.
func NewGaussianHMM(p GaussianParameters) (*GaussianHMM, error) {
	const function = "markov.NewGaussianHMM"
	h, err := newHidden(function, p.States, p.Start, p.Transitions)
	if err != nil {
		return nil, err
	}
	if len(p.Means) != h.k || len(p.Means[0]) == 0 {
		return nil, fault.Argument(function, "Means", fmt.Sprintf("%d rows", len(p.Means)), fmt.Sprintf("one mean for each of the %d states", h.k), "")
	}
	if len(p.Covariances) != h.k {
		return nil, fault.Argument(function, "Covariances", fmt.Sprintf("%d matrices", len(p.Covariances)), fmt.Sprintf("one for each of the %d states", h.k), "")
	}
	return newGaussianHMM(function, h, p.Means, p.Covariances)
}

func newGaussianHMM(function string, h hidden, means [][]float64, covs [][][]float64) (*GaussianHMM, error) {
	m := &GaussianHMM{hidden: h, d: len(means[0]), means: copyRows(means)}
	for i, mean := range m.means {
		if len(mean) != m.d {
			return nil, fault.Argument(function, fmt.Sprintf("Means[%d]", i), fmt.Sprintf("%d numbers", len(mean)), fmt.Sprintf("%d numbers like Means[0]", m.d), "")
		}
		for j, v := range mean {
			if v-v != 0 {
				return nil, fault.Argument(function, fmt.Sprintf("Means[%d][%d]", i, j), v, "a finite number", "")
			}
		}
		name := fmt.Sprintf("Covariances[%d]", i)
		if len(covs[i]) != m.d {
			return nil, fault.Argument(function, name, fmt.Sprintf("%d rows", len(covs[i])), fmt.Sprintf("%d x %d", m.d, m.d), "")
		}
		for a, row := range covs[i] {
			if len(row) != m.d {
				return nil, fault.Argument(function, fmt.Sprintf("%s[%d]", name, a), fmt.Sprintf("%d numbers", len(row)), fmt.Sprintf("%d numbers", m.d), "")
			}
		}
		for a, row := range covs[i] {
			for b, v := range row {
				if v-v != 0 || math.Abs(v-covs[i][b][a]) > 1e-9*(1+math.Abs(v)) {
					return nil, fault.Argument(function, fmt.Sprintf("%s[%d][%d]", name, a, b), v, "finite and equal to its mirror image", "")
				}
			}
		}
		g, ok := newGaussian(mean, covs[i])
		if !ok {
			return nil, fault.Argument(function, name, covs[i], "a symmetric positive definite matrix", "raise Reg, or use fewer states")
		}
		m.covs = append(m.covs, copyRows(covs[i]))
		m.chols = append(m.chols, g)
	}
	return m, nil
}

// Dim returns d, the length of an observation.
func (m *GaussianHMM) Dim() int { return m.d }

// Means returns the K x d means.
func (m *GaussianHMM) Means() [][]float64 { return copyRows(m.means) }

// Covariances returns the K covariance matrices, d x d.
func (m *GaussianHMM) Covariances() [][][]float64 {
	out := make([][][]float64, m.k)
	for i := range out {
		out[i] = copyRows(m.covs[i])
	}
	return out
}

func (m *GaussianHMM) evidence(X mat.Matrix) evidence {
	e := m.logEvidence(X, nil)
	e.rows = make([]float64, len(e.logRows))
	e.exponentiate()
	return e
}

// logEvidence returns what needs no likelihoods but their logarithms, which are written to rows (n x k; nil for new ones).
func (m *GaussianHMM) logEvidence(X mat.Matrix, rows []float64) evidence {
	n, d := X.Dims()
	x := estimator.Dense(X).RawMatrix().Data
	if rows == nil {
		rows = make([]float64, n*m.k)
	}
	e := evidence{n: n, k: m.k, logRows: rows[:n*m.k]}
	centred, z := make([]float64, batch*d), make([]float64, batch*tile.Padded(d))
	for lo := 0; lo < n; lo += batch {
		count := min(batch, n-lo)
		to := e.logRows[lo*m.k : (lo+count)*m.k]
		for i := range m.chols {
			m.chols[i].logDensities(to[i:], m.k, x[lo*d:], count, centred, z)
		}
		for r := range count {
			row := to[r*m.k : (r+1)*m.k]
			top := math.Inf(-1)
			for _, v := range row {
				if v > top {
					top = v
				}
			}
			e.offset += top
			for i := range row {
				row[i] -= top
			}
		}
	}
	return e
}

func (m *GaussianHMM) check(function string, X mat.Matrix) error {
	return estimator.CheckWidth("markov.GaussianHMM."+function, X, m.d)
}

// LogLikelihood returns the logarithm of the density of the sequence X (T x d), in nats.
func (m *GaussianHMM) LogLikelihood(X mat.Matrix) (float64, error) {
	if err := m.check("LogLikelihood", X); err != nil {
		return 0, err
	}
	return m.logLikelihood(m.evidence(X)), nil
}

// Forward returns the scaled forward variables. Each Scale lacks the factor that makes the largest density at its time one; LogLik has it.
func (m *GaussianHMM) Forward(X mat.Matrix) (*Forward, error) {
	if err := m.check("Forward", X); err != nil {
		return nil, err
	}
	return m.forward("GaussianHMM.Forward", m.evidence(X))
}

// Posterior returns the T x K matrix of P(state i at t | X).
func (m *GaussianHMM) Posterior(X mat.Matrix) (*mat.Dense, error) {
	if err := m.check("Posterior", X); err != nil {
		return nil, err
	}
	return m.posterior("GaussianHMM.Posterior", m.evidence(X))
}

// Viterbi returns the most probable state sequence and the logarithm of its joint density with X.
func (m *GaussianHMM) Viterbi(X mat.Matrix) (Path, error) {
	if err := m.check("Viterbi", X); err != nil {
		return Path{}, err
	}
	return m.viterbi("GaussianHMM.Viterbi", m.logEvidence(X, nil))
}

// KBest returns the count most probable state sequences.
func (m *GaussianHMM) KBest(X mat.Matrix, count int) ([]Path, error) {
	if err := m.check("KBest", X); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount("markov.GaussianHMM.KBest", "count", count, 1, 1<<20); err != nil {
		return nil, err
	}
	return m.kBest("GaussianHMM.KBest", m.logEvidence(X, nil), count)
}

// Sample draws a state sequence and the points it emits (length x d).
func (m *GaussianHMM) Sample(length int, seed uint64) ([]int, *mat.Dense, error) {
	if err := estimator.CheckCount("markov.GaussianHMM.Sample", "length", length, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	rng := generator(seed)
	states := walk(m.start, rowsOf(m.a, m.k), length, rng)
	X := mat.NewDense(length, m.d, nil)
	z := make([]float64, m.d)
	for t, s := range states {
		for i := range z {
			z[i] = rng.NormFloat64()
		}
		for i, row := range m.chols[s].lower {
			X.Set(t, i, m.means[s][i]+dot(row, z[:i+1]))
		}
	}
	return states, X, nil
}

// Parameters returns the number of free parameters, (K-1) + K (K-1) + K d + K d (d+1)/2.
func (m *GaussianHMM) Parameters() int {
	return m.k - 1 + m.k*(m.k-1) + m.k*m.d + m.k*m.d*(m.d+1)/2
}

// String describes the model in one line.
func (m *GaussianHMM) String() string {
	return fmt.Sprintf("Gaussian HMM of %d states (%s) in %d dimensions", m.k, list(m.states), m.d)
}

// ofSequence names a sequence in an error about the matrix X.
func ofSequence(s int, err error) error {
	var a *fault.ArgumentError
	if errors.As(err, &a) {
		a.Argument = strings.Replace(a.Argument, "X", fmt.Sprintf("sequences[%d]", s), 1)
	}
	return err
}

// BaumWelchGaussian improves a Gaussian HMM on sequences (each T x d) by expectation maximisation. The M-step sets each state's mean and
// covariance to the posterior-weighted mean and covariance, with Reg added to the variances.
func BaumWelchGaussian(ctx context.Context, start *GaussianHMM, sequences []mat.Matrix, o BaumWelchOptions) (*Learned[*GaussianHMM], error) {
	const function = "markov.BaumWelchGaussian"
	if start == nil {
		return nil, fault.Argument(function, "start", "nil", "a model to start from", "")
	}
	if len(sequences) == 0 {
		return nil, fault.Argument(function, "sequences", "empty", "at least one sequence", "")
	}
	data := make([]*mat.Dense, len(sequences))
	for s, X := range sequences {
		if err := estimator.CheckWidth(function, X, start.d); err != nil {
			return nil, ofSequence(s, err)
		}
		data[s] = estimator.Dense(X)
	}
	if err := o.check(function, len(sequences)); err != nil {
		return nil, err
	}
	longest := 0
	for _, X := range data {
		n, _ := X.Dims()
		longest = max(longest, n)
	}
	work := newRoom(start.k, longest)
	rows, logRows := make([]float64, len(work.alpha)), make([]float64, len(work.alpha))
	step := func(m *GaussianHMM, update bool) (float64, *GaussianHMM, error) {
		x := newExpected(m.k)
		seen := newMoments(m, longest)
		l := 0.0
		for s, X := range data {
			w := weight(o.Weights, s)
			if w == 0 {
				continue
			}
			e := m.logEvidence(X, logRows)
			e.rows = rows[:len(e.logRows)]
			e.exponentiate()
			if !update {
				l += w * m.logLikelihood(e)
				continue
			}
			gamma, ls, err := m.expect(ctx, function, e, w, x, work)
			if err != nil {
				return 0, nil, fmt.Errorf("sequence %d: %w", s, err)
			}
			seen.add(m, X.RawMatrix().Data, gamma, e.n)
			l += w * ls
		}
		if !update {
			return l, m, nil
		}
		h := x.hidden(m.hidden, o)
		means, covs := copyRows(m.means), m.Covariances()
		for i := range m.k {
			if !o.KeepEmit {
				seen.maximise(i, means[i], covs[i], o.Reg)
			}
		}
		next, err := newGaussianHMM(function, h, means, covs)
		return l, next, err
	}
	return iterate(ctx, function, start, o, step)
}

// moments sums, for each state, the weights g_t, the shifts g_t (x_t - mu) and the squares g_t (x_t - mu)(x_t - mu)^T about the old mean mu, so that
// nothing cancels. All three are sums of outer products of root(g_t) (x_t - mu, 1) with itself.
type moments struct {
	d, width int
	sums     []float64   // width x width for each state, of which the upper triangle counts
	rows     [][]float64 // of each goroutine
}

// newMoments has room for sequences of length n.
func newMoments(m *GaussianHMM, n int) *moments {
	s := &moments{d: m.d, width: tile.Padded(m.d + 1)}
	s.sums = make([]float64, m.k*s.width*s.width)
	s.rows = make([][]float64, share.Workers(m.k, s.cost(m.k, n)))
	for g := range s.rows {
		s.rows[g] = make([]float64, batch*s.width)
	}
	return s
}

// cost is about how many nanoseconds n rows take with k states.
func (s *moments) cost(k, n int) float64 {
	return float64(n*k) * (3 + float64(s.d) + 0.06*float64(s.d*s.d))
}

// add adds the n rows of x with weights gamma (n x k).
func (s *moments) add(m *GaussianHMM, x, gamma []float64, n int) {
	share.Turns(min(len(s.rows), share.Workers(m.k, s.cost(m.k, n))), m.k, func(worker, i int) {
		mean, rows := m.means[i], s.rows[worker]
		sum := s.sums[i*s.width*s.width : (i+1)*s.width*s.width]
		filled := 0
		for t := range n {
			g := gamma[t*m.k+i]
			if g < 1e-300 {
				continue
			}
			root := math.Sqrt(g)
			row := rows[filled*s.width:][:s.d+1]
			for j, v := range x[t*s.d : (t+1)*s.d] {
				row[j] = root * (v - mean[j])
			}
			row[s.d] = root
			if filled++; filled == batch {
				tile.AddGram(sum, rows, filled, s.width)
				filled = 0
			}
		}
		tile.AddGram(sum, rows, filled, s.width)
	})
}

// maximise sets mean and cov to the moments of state i, with reg added to the variances. A state that nobody visits keeps its Gaussian.
func (s *moments) maximise(i int, mean []float64, cov [][]float64, reg float64) {
	at := func(a, b int) float64 { return s.sums[(i*s.width+a)*s.width+b] }
	weight := at(s.d, s.d)
	if weight < 1e-12 {
		return
	}
	for a := range mean {
		for b := a; b < s.d; b++ {
			v := at(a, b)/weight - at(a, s.d)/weight*(at(b, s.d)/weight)
			if a == b {
				v += reg
			}
			cov[a][b], cov[b][a] = v, v
		}
	}
	for a := range mean {
		mean[a] += at(a, s.d) / weight
	}
}
