package markov

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/mixture"
)

// GaussianParameters are the numbers of a hidden Markov model whose states emit points in R^d: from one Gaussian each, or from a mixture of
// C Gaussians each.
type GaussianParameters struct {
	States      []string           // names; nil gives s1 ... sK
	Start       []float64          // K start probabilities
	Transitions [][]float64        // K x K, rows sum to one
	Means       [][]float64        // K C rows of d numbers: the components of the first state, then those of the second, ...
	Covariances [][][]float64      // K C matrices d x d in the same order, symmetric and positive definite
	Weights     [][]float64        // K x C weights of the components of each state, rows sum to one; nil: one Gaussian a state, C = 1
	Kind        mixture.Covariance // what covariances Baum-Welch may make; "" is Full. Tied: one for all components of all states
}

// A GaussianHMM is a hidden Markov model in which state i emits from N(mu_i, Sigma_i), or from the mixture sum_c w_ic N(mu_ic, Sigma_ic).
// Its sequences are matrices, T x d, row = time.
type GaussianHMM struct {
	stateChain
	kind       mixture.Covariance
	d, c       int
	weights    []float64 // of the k c components; ones when c is 1
	logWeights []float64
	means      [][]float64
	covs       [][][]float64
	factors    []*gauss.Factor // of the covariances
}

// NewGaussianHMM returns the model with the given numbers.
func NewGaussianHMM(p GaussianParameters) (*GaussianHMM, error) {
	const function = "markov.NewGaussianHMM"
	h, err := newHidden(function, p.States, p.Start, p.Transitions)
	if err != nil {
		return nil, err
	}
	kind := cmp.Or(p.Kind, mixture.Full)
	if err := kind.Check(function); err != nil {
		return nil, err
	}
	each, c := "one mean for each of the %d states", 1
	if p.Weights != nil {
		if len(p.Weights) > 0 {
			c = len(p.Weights[0])
		}
		if err := checkStochastic(function, "Weights", p.Weights, h.k, c); err != nil {
			return nil, err
		}
		each = "one mean for each of the %d components of states"
	}
	if len(p.Means) != h.k*c || len(p.Means[0]) == 0 {
		return nil, fault.Argument(function, "Means", fmt.Sprintf("%d rows", len(p.Means)), fmt.Sprintf(each, h.k*c), "")
	}
	if len(p.Covariances) != h.k*c {
		return nil, fault.Argument(
			function,
			"Covariances",
			fmt.Sprintf("%d matrices", len(p.Covariances)),
			fmt.Sprintf("%d matrices, as many as means", h.k*c),
			"",
		)
	}
	m, weights := &GaussianHMM{kind: kind, c: c}, flatten(p.Weights)
	if p.Weights == nil {
		weights = slices.Repeat([]float64{1}, h.k)
	}
	return m.with(function, h, weights, p.Means, p.Covariances)
}

// with returns a model of the kind of m with other numbers, of which those of the chain and the weights are sound.
func (m *GaussianHMM) with(function string, h stateChain, weights []float64, means [][]float64, covs [][][]float64) (*GaussianHMM, error) {
	m = &GaussianHMM{
		stateChain: h, kind: m.kind, d: len(means[0]), c: m.c, weights: weights, logWeights: logs(weights), means: estimator.CloneRows(means),
	}
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
		if err := m.checkCovariance(function, name, covs[i], covs[0]); err != nil {
			return nil, err
		}
		var factor *gauss.Factor
		var err error
		if i > 0 && slices.EqualFunc(covs[i], covs[i-1], slices.Equal) {
			factor = m.factors[i-1]
		} else if factor, err = gauss.NewFactor(flatten(covs[i]), m.d); err != nil {
			return nil, fault.Argument(function, name, fmt.Sprintf("%d x %d and %v", m.d, m.d, err), "a symmetric positive definite matrix",
				"raise Reg, or use fewer states")
		}
		m.covs = append(m.covs, estimator.CloneRows(covs[i]))
		m.factors = append(m.factors, factor)
	}
	return m, nil
}

// checkCovariance reports a covariance of another shape, one that is not symmetric, and one that is not of the kind of the model. The first
// covariance of the model is that of all when they are tied.
func (m *GaussianHMM) checkCovariance(function, name string, cov, first [][]float64) error {
	if len(cov) != m.d {
		return fault.Argument(function, name, fmt.Sprintf("%d rows", len(cov)), fmt.Sprintf("%d x %d", m.d, m.d), "")
	}
	for a, row := range cov {
		if len(row) != m.d {
			return fault.Argument(
				function,
				fmt.Sprintf("%s[%d]", name, a),
				fmt.Sprintf("%d numbers", len(row)),
				fmt.Sprintf("%d numbers", m.d),
				"",
			)
		}
	}
	for a, row := range cov {
		for b, v := range row {
			need := ""
			switch {
			case v-v != 0 || math.Abs(v-cov[b][a]) > 1e-9*(1+math.Abs(v)):
				need = "finite and equal to its mirror image"
			case m.diagonal() && a != b && v != 0:
				need = fmt.Sprintf("0 in a %s model", m.kind)
			case m.kind == mixture.Spherical && a == b && v != cov[0][0]:
				need = "equal to the other variances in a spherical model"
			case m.kind == mixture.Tied && v != first[a][b]:
				need = "that of the first covariance in a tied model"
			default:
				continue
			}
			return fault.Argument(function, fmt.Sprintf("%s[%d][%d]", name, a, b), v, need, "")
		}
	}
	return nil
}

// diagonal tells models without correlation within a component.
func (m *GaussianHMM) diagonal() bool {
	return m.kind == mixture.Diagonal || m.kind == mixture.Spherical
}

// Dim returns d, the length of an observation.
func (m *GaussianHMM) Dim() int { return m.d }

// Classes returns K, the number of states.
func (m *GaussianHMM) Classes() int { return m.k }

// Kind returns the type of the covariances.
func (m *GaussianHMM) Kind() mixture.Covariance { return m.kind }

// Weights returns the K x C weights of the components of each state; of single Gaussians they are ones.
func (m *GaussianHMM) Weights() [][]float64 { return rowsOf(m.weights, m.c) }

// Means returns the K C means, of d numbers each: the components of the first state, then those of the second, ...
func (m *GaussianHMM) Means() [][]float64 { return estimator.CloneRows(m.means) }

// Covariances returns the K C covariance matrices, d x d, in the order of the means.
func (m *GaussianHMM) Covariances() [][][]float64 {
	out := make([][][]float64, len(m.covs))
	for i := range out {
		out[i] = estimator.CloneRows(m.covs[i])
	}
	return out
}

func (m *GaussianHMM) evidence(X mat.Matrix) evidence {
	e := m.logEvidence(X, nil, nil)
	width := m.forwardStep.Width
	e.exponentiate(make([]float64, e.n*width), width)
	return e
}

// batch is the number of rows whose densities are computed together.
const batch = gauss.Batch

// logEvidence returns what needs no likelihoods but their logarithms, which are written to rows (n x k; nil for new ones). The largest
// density of a component at each row is moved to the offset; where the densities are beyond float64, the others keep their right ratio to
// it. Of mixtures, shares (n x k c; nil when nobody asks) is set to P(component | state, x).
func (m *GaussianHMM) logEvidence(X mat.Matrix, rows, shares []float64) evidence {
	n, d := X.Dims()
	x := estimator.Dense(X).RawMatrix().Data
	if rows == nil {
		rows = make([]float64, n*m.k)
	}
	e := evidence{n: n, k: m.k, logRows: rows[:n*m.k]}
	g := len(m.means)
	norm := make([]float64, g)
	for j, f := range m.factors {
		norm[j] = m.logWeights[j] - 0.5*(float64(d)*gauss.Log2Pi+f.LogDet())
	}
	if m.c > 1 && shares == nil {
		shares = make([]float64, min(n, batch)*g)
	}
	distances := gauss.Distances(m.means, m.factors, min(n, batch))
	for lo := 0; lo < n; lo += batch {
		count := min(batch, n-lo)
		states := e.logRows[lo*m.k : (lo+count)*m.k]
		to := states
		if m.c > 1 {
			from := lo * g
			if len(shares) < n*g { // a buffer
				from = 0
			}
			to = shares[from : from+count*g]
		}
		distances(to, x[lo*d:], count)
		for r := range count {
			row, top := to[r*g:(r+1)*g], math.Inf(-1)
			for j, q := range row {
				row[j] = norm[j] - 0.5*q
				top = max(top, row[j])
			}
			e.offset += top
			if gauss.Far(top) {
				gauss.Relative(row, x[(lo+r)*d:(lo+r+1)*d], m.logWeights, m.means, m.factors)
				continue
			}
			for j := range row {
				row[j] -= top
			}
		}
		if m.c > 1 {
			m.mix(states, to)
		}
	}
	return e
}

// mix sets states to log sum_c exp(l_c) over the logarithms l of the components of each state, and these to exp(l_c) / sum_c exp(l_c).
func (m *GaussianHMM) mix(states, l []float64) {
	for i := range states {
		part, top := l[i*m.c:(i+1)*m.c], math.Inf(-1)
		for _, v := range part {
			top = max(top, v)
		}
		if states[i] = top; math.IsInf(top, -1) {
			copy(part, m.logWeights[i%m.k*m.c:])
			continue
		}
		for j := range part {
			part[j] -= top
		}
	}
	tile.Exp(l)
	for i := range states {
		part := l[i*m.c : (i+1)*m.c]
		sum := total(part)
		states[i] += math.Log(sum)
		scale(part, 1/sum)
	}
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
	return m.viterbi("markov.GaussianHMM.Viterbi", m.logEvidence(X, nil, nil))
}

// KBest returns the count most probable state sequences.
func (m *GaussianHMM) KBest(X mat.Matrix, count int) ([]Path, error) {
	if err := m.check("KBest", X); err != nil {
		return nil, err
	}
	if err := estimator.CheckCount("markov.GaussianHMM.KBest", "count", count, 1, 1<<20); err != nil {
		return nil, err
	}
	return m.kBest("markov.GaussianHMM.KBest", m.logEvidence(X, nil, nil), count)
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
		j := s * m.c
		if m.c > 1 {
			j += draw(m.weights[j:j+m.c], rng)
		}
		m.factors[j].Draw(X.RawRowView(t), m.means[j], rng)
	}
	return states, X, nil
}

// Predict returns the most probable state sequence of the rows of X, as Viterbi does.
func (m *GaussianHMM) Predict(X mat.Matrix) ([]int, error) {
	p, err := m.Viterbi(X)
	return p.States, fault.In("markov.GaussianHMM.Predict", err)
}

// Parameters returns the number of free parameters: (K-1) + K (K-1) of the chain, K (C-1) + K C d of weights and means, and those of the
// covariances, K C d (d+1)/2 when they are full. A left-right model has fewer, for its zeros are not free.
func (m *GaussianHMM) Parameters() int {
	return m.k - 1 + m.k*(m.k-1) + m.k*(m.c-1) + len(m.means)*m.d + m.kind.Numbers(len(m.means), m.d)
}

// String describes the model in one line.
func (m *GaussianHMM) String() string {
	what := "Gaussian HMM"
	if m.kind != "" && m.kind != mixture.Full {
		what += fmt.Sprintf(" (%s covariance)", m.kind)
	}
	of := ""
	if m.c > 1 {
		of = fmt.Sprintf(", each a mixture of %d,", m.c)
	}
	return fmt.Sprintf("%s of %d states (%s)%s in %d dimensions", what, m.k, list(m.states), of, m.d)
}

// ofSequence names a sequence in an error about the matrix X.
func ofSequence(s int, err error) error {
	var a *fault.ArgumentError
	if errors.As(err, &a) {
		a.Argument = strings.Replace(a.Argument, "X", fmt.Sprintf("sequences[%d]", s), 1)
	}
	return err
}

// BaumWelchGaussian improves a Gaussian HMM on sequences (each T x d) by expectation maximisation. With gamma_t(i,c) = P(state i at t and
// component c | X), the M-step sets
//
//	w_ic = sum_t gamma_t(i,c) / sum_tc gamma_t(i,c),  mu_ic = sum_t gamma_t(i,c) x_t / sum_t gamma_t(i,c),
//	Sigma_ic = sum_t gamma_t(i,c) (x_t - mu_ic)(x_t - mu_ic)^T / sum_t gamma_t(i,c) + Reg diag(v)
//
// (Liporace 1982; Juang, Levinson and Sondhi 1986), and where v are the variances of the columns over all
// rows, and takes of Sigma what the kind of the model allows: its diagonal, the mean of that,
// or the mean over all components and states by weight. Zeros of the start and of the transitions stay zeros.
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
	if start.d == 0 {
		return nil, estimator.Unfitted(function)
	}
	data, err := series(function, sequences, start.d)
	if err != nil {
		return nil, err
	}
	if err := o.check(function, len(sequences)); err != nil {
		return nil, err
	}
	return baumWelchGaussian(ctx, function, start, data, o)
}

func baumWelchGaussian(
	ctx context.Context,
	function string,
	start *GaussianHMM,
	data []*mat.Dense,
	o BaumWelchOptions,
) (*Learned[*GaussianHMM], error) {
	longest := 0
	for _, X := range data {
		n, _ := X.Dims()
		longest = max(longest, n)
	}
	work, width := newWorkspace(start.k, longest), start.forwardStep.Width
	rows, logRows := make([]float64, longest*width), make([]float64, longest*start.k)
	var shares []float64
	if start.c > 1 {
		shares = make([]float64, longest*start.k*start.c)
	}
	reg := ridge(o.Reg, data, o.Weights)
	step := func(m *GaussianHMM, update bool) (float64, *GaussianHMM, error) {
		x := newExpected(m.k)
		seen := newMoments(m)
		l := 0.0
		for s, X := range data {
			w := weight(o.Weights, s)
			if w == 0 {
				continue
			}
			e := m.logEvidence(X, logRows, shares)
			e.exponentiate(rows[:e.n*width], width)
			if !update {
				l += w * m.logLikelihoodBy(&work.forward, e)
				continue
			}
			gamma, ls, err := m.expect(ctx, function, s, e, w, x, work)
			if err != nil {
				return 0, nil, err
			}
			seen.add(m, X.RawMatrix().Data, gamma, shares, e.n)
			l += w * ls
		}
		if !update {
			return l, m, nil
		}
		next, err := seen.maximise(function, m, x.maximise(m.stateChain, o), o, reg)
		return l, next, err
	}
	return iterate(ctx, function, start, o, step)
}

// A moment sums, over rows x of weight u, the weights u, the shifts u (x - mu) and the squares u (x - mu)(x - mu)^T about an old mean mu,
// so that nothing cancels.
type moment interface {
	Add(u float64, x, centre []float64)
	Sum() // brings the sums up to date
	Weight() float64
	Shift(a int) float64
	Square(a, b int) float64 // for a <= b
}

// axes is the moment of components without correlation: of the squares it has those with a = b.
type axes struct {
	weight         float64
	shifts, square []float64
}

func (s *axes) Add(u float64, x, centre []float64) {
	s.weight += u
	shifts, square := s.shifts[:len(x)], s.square[:len(x)]
	centre = centre[:len(x)]
	for a, v := range x {
		v -= centre[a]
		shifts[a] += u * v
		square[a] += u * v * v
	}
}

func (s *axes) Sum()                    {}
func (s *axes) Weight() float64         { return s.weight }
func (s *axes) Shift(a int) float64     { return s.shifts[a] }
func (s *axes) Square(a, _ int) float64 { return s.square[a] }

// moments are those of each component, with the weights P(state and component at t | X).
type moments []moment

func newMoments(m *GaussianHMM) moments {
	s := make(moments, len(m.means))
	for j := range s {
		if m.diagonal() {
			s[j] = &axes{shifts: make([]float64, m.d), square: make([]float64, m.d)}
		} else {
			s[j] = gauss.NewMoments(m.d, true)
		}
	}
	return s
}

// add adds the n rows of x with weights gamma (n x k) of the states, divided among components by shares (n x k c).
func (s moments) add(m *GaussianHMM, x, gamma, shares []float64, n int) {
	k, d := m.k, m.d
	ns := float64(n*len(s)) * (3 + float64(d) + 0.06*float64(d*d))
	share.Turns(share.Workers(len(s), ns), len(s), func(_, j int) {
		i := j / m.c
		for t := range n {
			g := gamma[t*k+i]
			if m.c > 1 {
				g *= shares[t*len(s)+j]
			}
			if g >= 1e-300 {
				s[j].Add(g, x[t*d:(t+1)*d], m.means[j])
			}
		}
	})
}

// spread returns the covariance of the rows summed, times their weight, d x d; of axes its diagonal.
func (s moments) spread(j int, cov [][]float64) {
	sums, weight := s[j], s[j].Weight()
	_, diagonal := sums.(*axes)
	for a := range cov {
		for b := a; b < len(cov) && (b == a || !diagonal); b++ {
			v := sums.Square(a, b) - sums.Shift(a)/weight*sums.Shift(b)
			cov[a][b], cov[b][a] = v, v
		}
	}
}

// maximise is the M-step of the emissions. A component that nobody visits keeps its Gaussian.
func (s moments) maximise(function string, m *GaussianHMM, h stateChain, o BaumWelchOptions, reg gauss.Ridge) (*GaussianHMM, error) {
	if o.KeepEmit {
		return m.with(function, h, m.weights, m.means, m.covs)
	}
	const nobody = 1e-12
	weights, means, covs := make([]float64, len(s)), estimator.CloneRows(m.means), m.Covariances()
	for j, sums := range s {
		sums.Sum()
		weights[j] = sums.Weight()
	}
	tied, all := square(m.d), 0.0
	for j, sums := range s {
		weight := sums.Weight()
		if weight < nobody {
			continue
		}
		s.spread(j, covs[j])
		if m.kind == mixture.Tied {
			all += weight
			for a, row := range covs[j] {
				floats.Add(tied[a], row)
			}
		} else {
			m.divide(covs[j], weight, reg)
		}
		for a := range means[j] {
			means[j][a] += sums.Shift(a) / weight
		}
	}
	if m.kind == mixture.Tied && all > 0 {
		m.divide(tied, all, reg)
		for j := range covs {
			covs[j] = tied
		}
	}
	for i := range m.k {
		copy(weights[i*m.c:], renew(weights[i*m.c:(i+1)*m.c], m.weights[i*m.c:(i+1)*m.c], o.Smoothing))
	}
	return m.with(function, h, weights, means, covs)
}

// square returns a matrix of zeros, d x d.
func square(d int) [][]float64 { return cutRows(make([]float64, d*d), d) }

// ridge returns what a share of the variances of the columns of all rows adds to those of the components. weights has one number a
// sequence.
func ridge(share float64, data []*mat.Dense, weights []float64) gauss.Ridge {
	_, d := data[0].Dims()
	mean, variance, all := make([]float64, d), make([]float64, d), 0.0
	each := func(use func(w float64, row []float64)) {
		for s, X := range data {
			if w := weight(weights, s); w > 0 {
				n, _ := X.Dims()
				for t := range n {
					use(w, X.RawRowView(t))
				}
			}
		}
	}
	each(func(w float64, row []float64) {
		all += w
		for j, v := range row {
			mean[j] += w / all * (v - mean[j])
		}
	})
	each(func(w float64, row []float64) {
		for j, v := range row {
			v -= mean[j]
			variance[j] += w / all * v * v
		}
	})
	return gauss.NewRidge(share, mean, variance)
}

// divide makes a sum of squares the covariance of the kind of the model: divided by the weight, with reg added to the variances.
func (m *GaussianHMM) divide(cov [][]float64, weight float64, reg gauss.Ridge) {
	mean := 0.0
	for a, row := range cov {
		floats.Scale(1/weight, row)
		row[a] += reg.Add[a]
		mean += row[a] / float64(len(cov))
	}
	if m.kind == mixture.Spherical {
		for a, row := range cov {
			row[a] = mean
		}
	}
}
