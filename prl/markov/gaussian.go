package markov

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
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
	stateChain
	d       int
	means   [][]float64
	covs    [][][]float64
	factors []*gauss.Factor // of the covariances
}

// NewGaussianHMM returns the model with the given numbers.
func NewGaussianHMM(p GaussianParameters) (*GaussianHMM, error) {
	const function = "markov.NewGaussianHMM"
	h, err := newHidden(function, p.States, p.Start, p.Transitions)
	if err != nil {
		return nil, err
	}
	if len(p.Means) != h.k || len(p.Means[0]) == 0 {
		return nil, fault.Argument(
			function,
			"Means",
			fmt.Sprintf("%d rows", len(p.Means)),
			fmt.Sprintf("one mean for each of the %d states", h.k),
			"",
		)
	}
	if len(p.Covariances) != h.k {
		return nil, fault.Argument(
			function,
			"Covariances",
			fmt.Sprintf("%d matrices", len(p.Covariances)),
			fmt.Sprintf("one for each of the %d states", h.k),
			"",
		)
	}
	return newGaussianHMM(function, h, p.Means, p.Covariances)
}

func newGaussianHMM(function string, h stateChain, means [][]float64, covs [][][]float64) (*GaussianHMM, error) {
	m := &GaussianHMM{stateChain: h, d: len(means[0]), means: copyRows(means)}
	for i, mean := range m.means {
		if len(mean) != m.d {
			return nil, fault.Argument(
				function,
				fmt.Sprintf("Means[%d]", i),
				fmt.Sprintf("%d numbers", len(mean)),
				fmt.Sprintf("%d numbers like Means[0]", m.d),
				"",
			)
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
				return nil, fault.Argument(
					function,
					fmt.Sprintf("%s[%d]", name, a),
					fmt.Sprintf("%d numbers", len(row)),
					fmt.Sprintf("%d numbers", m.d),
					"",
				)
			}
		}
		for a, row := range covs[i] {
			for b, v := range row {
				if v-v != 0 || math.Abs(v-covs[i][b][a]) > 1e-9*(1+math.Abs(v)) {
					return nil, fault.Argument(function, fmt.Sprintf("%s[%d][%d]", name, a, b), v, "finite and equal to its mirror image", "")
				}
			}
		}
		var factor *gauss.Factor
		var err error
		if i > 0 && slices.EqualFunc(covs[i], covs[i-1], slices.Equal) {
			factor = m.factors[i-1]
		} else if factor, err = gauss.NewFactor(flatten(covs[i]), m.d); err != nil {
			return nil, fault.Argument(function, name, fmt.Sprintf("%d x %d and %v", m.d, m.d, err), "a symmetric positive definite matrix",
				"raise Reg, or use fewer states")
		}
		m.covs = append(m.covs, copyRows(covs[i]))
		m.factors = append(m.factors, factor)
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
	width := m.forwardStep.Width
	e.exponentiate(make([]float64, e.n*width), width)
	return e
}

// batch is the number of rows whose densities are computed together.
const batch = gauss.Batch

// logEvidence returns what needs no likelihoods but their logarithms, which are written to rows (n x k; nil for new ones). The largest
// density of each row is moved to the offset; where the densities are beyond float64, the others keep their right ratio to it.
func (m *GaussianHMM) logEvidence(X mat.Matrix, rows []float64) evidence {
	n, d := X.Dims()
	x := estimator.Dense(X).RawMatrix().Data
	if rows == nil {
		rows = make([]float64, n*m.k)
	}
	e := evidence{n: n, k: m.k, logRows: rows[:n*m.k]}
	norm := make([]float64, m.k)
	for i, f := range m.factors {
		norm[i] = -0.5 * (float64(d)*gauss.Log2Pi + f.LogDet())
	}
	distances := gauss.Distances(m.means, m.factors, min(n, batch))
	for lo := 0; lo < n; lo += batch {
		count := min(batch, n-lo)
		to := e.logRows[lo*m.k : (lo+count)*m.k]
		distances(to, x[lo*d:], count)
		for r := range count {
			row, top := to[r*m.k:(r+1)*m.k], math.Inf(-1)
			for i, q := range row {
				row[i] = norm[i] - 0.5*q
				top = max(top, row[i])
			}
			e.offset += top
			if gauss.Far(top) {
				gauss.Relative(row, x[(lo+r)*d:(lo+r+1)*d], make([]float64, m.k), m.means, m.factors)
				continue
			}
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
	return m.forward("markov.GaussianHMM.Forward", m.evidence(X))
}

// Posterior returns the T x K matrix of P(state i at t | X).
func (m *GaussianHMM) Posterior(X mat.Matrix) (*mat.Dense, error) {
	if err := m.check("Posterior", X); err != nil {
		return nil, err
	}
	return m.posterior("markov.GaussianHMM.Posterior", m.evidence(X))
}

// Viterbi returns the most probable state sequence and the logarithm of its joint density with X.
func (m *GaussianHMM) Viterbi(X mat.Matrix) (Path, error) {
	if err := m.check("Viterbi", X); err != nil {
		return Path{}, err
	}
	return m.viterbi("markov.GaussianHMM.Viterbi", m.logEvidence(X, nil))
}

// KBest returns the count most probable state sequences.
func (m *GaussianHMM) KBest(X mat.Matrix, count int) ([]Path, error) {
	if err := m.check("KBest", X); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount("markov.GaussianHMM.KBest", "count", count, 1, 1<<20); err != nil {
		return nil, err
	}
	return m.kBest("markov.GaussianHMM.KBest", m.logEvidence(X, nil), count)
}

// Sample draws a state sequence and the points it emits (length x d).
func (m *GaussianHMM) Sample(length int, seed uint64) ([]int, *mat.Dense, error) {
	if err := estimator.CheckCount("markov.GaussianHMM.Sample", "length", length, 1, math.MaxInt); err != nil {
		return nil, nil, err
	}
	rng := generator(seed)
	states := walk(m.start, rowsOf(m.a, m.k), length, rng)
	X := mat.NewDense(length, m.d, nil)
	for t, s := range states {
		m.factors[s].Draw(X.RawRowView(t), m.means[s], rng)
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
func BaumWelchGaussian(
	ctx context.Context,
	start *GaussianHMM,
	sequences []mat.Matrix,
	o BaumWelchOptions,
) (*Learned[*GaussianHMM], error) {
	const function = "markov.BaumWelchGaussian"
	o = o.filled()
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
	work, width := newWorkspace(start.k, longest), start.forwardStep.Width
	rows, logRows := make([]float64, longest*width), make([]float64, longest*start.k)
	step := func(m *GaussianHMM, update bool) (float64, *GaussianHMM, error) {
		x := newExpected(m.k)
		seen := newMoments(m)
		l := 0.0
		for s, X := range data {
			w := weight(o.Weights, s)
			if w == 0 {
				continue
			}
			e := m.logEvidence(X, logRows)
			e.exponentiate(rows[:e.n*width], width)
			if !update {
				l += w * m.logLikelihoodBy(&work.forward, e)
				continue
			}
			gamma, ls, err := m.expect(ctx, function, s, e, w, x, work)
			if err != nil {
				return 0, nil, err
			}
			seen.add(m, X.RawMatrix().Data, gamma, e.n)
			l += w * ls
		}
		if !update {
			return l, m, nil
		}
		h := x.maximise(m.stateChain, o)
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

// moments sums, for each state, the weights g_t, the shifts g_t (x_t - mu) and the squares g_t (x_t - mu)(x_t - mu)^T about the old mean
// mu, so that nothing cancels.
type moments []*gauss.Moments

func newMoments(m *GaussianHMM) moments {
	s := make(moments, m.k)
	for i := range s {
		s[i] = gauss.NewMoments(m.d, true)
	}
	return s
}

// add adds the n rows of x with weights gamma (n x k).
func (s moments) add(m *GaussianHMM, x, gamma []float64, n int) {
	k, d := m.k, m.d
	ns := float64(n*k) * (3 + float64(d) + 0.06*float64(d*d))
	share.Turns(share.Workers(k, ns), k, func(_, i int) {
		for t := range n {
			if g := gamma[t*k+i]; g >= 1e-300 {
				s[i].Add(g, x[t*d:(t+1)*d], m.means[i])
			}
		}
	})
}

// maximise sets mean and cov to the moments of state i, with reg added to the variances. A state that nobody visits keeps its Gaussian.
func (s moments) maximise(i int, mean []float64, cov [][]float64, reg float64) {
	sums := s[i]
	sums.Sum()
	weight := sums.Weight()
	if weight < 1e-12 {
		return
	}
	for a := range mean {
		for b := a; b < len(mean); b++ {
			v := sums.Square(a, b)/weight - sums.Shift(a)/weight*(sums.Shift(b)/weight)
			if a == b {
				v += reg
			}
			cov[a][b], cov[b][a] = v, v
		}
	}
	for a := range mean {
		mean[a] += sums.Shift(a) / weight
	}
}
