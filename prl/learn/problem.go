package learn

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Problem is a world to learn in: a hypothesis space, the true labels, the probability of each instance, and the rate at which labels are
// turned round by noise. It is immutable.
type Problem struct {
	space  *Space
	wrong  [][]uint64 // of each hypothesis: where it differs from the target
	weight []float64  // of each instance
	noise  float64
	errs   []float64 // Err_P of each hypothesis
	sums   []float64 // cumulative weights
}

// NewProblem returns the world in which the labels are target (one an instance), instances have the given weights (nil = all alike; they
// are divided by their sum), and each label is turned round with probability noise (0 <= noise < 0.5).
func NewProblem(space *Space, target []bool, weights []float64, noise float64) (*Problem, error) {
	const who = "learn.NewProblem"
	if space == nil {
		return nil, fault.Argument(who, "space", "nil", "a hypothesis space", "NewSpace or Domain.Conjunctions makes one")
	}
	m := space.Instances()
	if len(target) != m {
		return nil, fault.Argument(
			who,
			"target",
			fmt.Sprintf("%d labels", len(target)),
			fmt.Sprintf("one label for each of the %d instances", m),
			"space.Labels(h) makes hypothesis h the target",
		)
	}
	if err := estimator.CheckWeights(who, weights, m); err != nil {
		return nil, err
	}
	if !(noise >= 0 && noise < 0.5) {
		return nil, fault.Argument(who, "noise", noise, "a probability of at least 0 and below 0.5", "")
	}
	weights = estimator.ScaleWeights(weights)
	p := &Problem{space: space, noise: noise, weight: make([]float64, m), sums: make([]float64, m), errs: make([]float64, space.Size())}
	sum := 0.0
	for x := range m {
		p.weight[x] = 1
		if weights != nil {
			p.weight[x] = weights[x]
		}
		sum += p.weight[x]
	}
	at := 0.0
	truth := make([]uint64, space.words)
	for x := range m {
		p.weight[x] /= sum
		at += p.weight[x]
		p.sums[x] = at
		if target[x] {
			truth[x/64] |= 1 << (x % 64)
		}
	}
	p.wrong = make([][]uint64, space.Size())
	for h := range p.wrong {
		row := make([]uint64, space.words)
		e := 0.0
		for w, v := range space.row(h) {
			row[w] = v ^ truth[w]
			for b := row[w]; b != 0; b &= b - 1 {
				e += p.weight[64*w+bits.TrailingZeros64(b)]
			}
		}
		p.wrong[h] = row
		p.errs[h] = noise + (1-2*noise)*e
	}
	return p, nil
}

// TrueErrors returns Err_P(h) of every hypothesis: the probability that it disagrees with a label of the world, noise included.
func (p *Problem) TrueErrors() []float64 { return append([]float64(nil), p.errs...) }

// Space returns the hypothesis space.
func (p *Problem) Space() *Space { return p.space }

// Realizable reports whether some hypothesis has no true error.
func (p *Problem) Realizable() bool {
	for _, e := range p.errs {
		if e == 0 {
			return true
		}
	}
	return false
}

// A Sample is what the learner sees: instances in the order drawn, and which of their labels noise has turned round.
type Sample struct {
	Instances []int
	Flipped   []bool
}

// Draw returns a sample of n independent examples.
func (p *Problem) Draw(n int, seed uint64) (Sample, error) {
	if err := estimator.CheckCount("learn.Problem.Draw", "n", n, 1, 1<<30); err != nil {
		return Sample{}, err
	}
	rng := generator(seed, 0x64726177) // "draw"
	s := Sample{make([]int, n), make([]bool, n)}
	p.fill(rng, s)
	return s, nil
}

func (p *Problem) fill(rng *rand.Rand, s Sample) {
	for i := range s.Instances {
		s.Instances[i] = p.instance(rng)
		s.Flipped[i] = p.noise > 0 && rng.Float64() < p.noise
	}
}

func (p *Problem) instance(rng *rand.Rand) int {
	u := rng.Float64()
	lo, hi := 0, len(p.sums)-1
	for lo < hi {
		mid := (lo + hi) / 2
		if p.sums[mid] > u {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	for p.weight[lo] == 0 { // rounding at the upper end
		lo--
	}
	return lo
}

// TrainingErrors returns Err_S(h) of every hypothesis on the sample.
func (p *Problem) TrainingErrors(s Sample) ([]float64, error) {
	if err := p.checkSample("learn.Problem.TrainingErrors", s); err != nil {
		return nil, err
	}
	return p.training(s, make([]float64, p.space.Size())), nil
}

func (p *Problem) checkSample(who string, s Sample) error {
	if len(s.Instances) == 0 || len(s.Flipped) != len(s.Instances) {
		return fault.Argument(
			who,
			"the sample",
			fmt.Sprintf("%d instances and %d flips", len(s.Instances), len(s.Flipped)),
			"as many flips as instances, at least one",
			"Draw makes a sample",
		)
	}
	for _, x := range s.Instances {
		if x < 0 || x >= p.space.instances {
			return fault.Argument(who, "an instance", x, fmt.Sprintf("one of 0 ... %d", p.space.instances-1), "")
		}
	}
	return nil
}

func (p *Problem) training(s Sample, errs []float64) []float64 {
	// Count each instance first: a space is small, a sample may be long.
	m := p.space.instances
	right, flipped := make([]int, m), 0
	for i, x := range s.Instances {
		if s.Flipped[i] {
			right[x]--
			flipped++
		} else {
			right[x]++
		}
	}
	for h := range errs {
		e := flipped // the labels of a hypothesis that agrees with the target everywhere
		for w, v := range p.wrong[h] {
			for ; v != 0; v &= v - 1 {
				e += right[64*w+bits.TrailingZeros64(v)]
			}
		}
		errs[h] = float64(e) / float64(len(s.Instances))
	}
	return errs
}

// VersionSpace returns the hypotheses without training error on the sample.
func (p *Problem) VersionSpace(s Sample) ([]int, error) {
	errs, err := p.TrainingErrors(s)
	if err != nil {
		return nil, err
	}
	var out []int
	for h, e := range errs {
		if e == 0 {
			out = append(out, h)
		}
	}
	return out, nil
}

// A Simulation is the outcome of many samples of one size.
type Simulation struct {
	N       int
	Epsilon float64
	// SomeBad is how often a hypothesis with true error >= Epsilon had no training error: what |H| exp(-epsilon n) bounds.
	SomeBad Estimate
	// Failed is how often the hypothesis of a consistent learner, drawn at random from the version space, had true error >= Epsilon. An empty
	// version space counts as no failure.
	Failed Estimate
	// Empty is how often no hypothesis was consistent; never in a realizable problem.
	Empty Estimate
	// Deviated is how often max over h of |Err_S(h) - Err_P(h)| exceeded Epsilon: what 2|H| exp(-2 n epsilon^2) bounds.
	Deviated Estimate
	// Of each trial: the largest deviation, and training and true error of the empirical risk minimiser (the first one).
	MaxDeviation, TrainError, TrueError []float64
}

// Simulate draws trials samples of n examples and watches the consistent learner and the empirical risk minimiser.
func (p *Problem) Simulate(n int, epsilon float64, trials int, seed uint64) (*Simulation, error) {
	const who = "learn.Problem.Simulate"
	if err := firstOf(estimator.CheckCount(who, "n", n, 1, 1<<30), checkEpsilon(who, epsilon),
		estimator.CheckCount(who, "trials", trials, 1, maxTrials)); err != nil {
		return nil, err
	}
	if work := float64(trials) * (float64(n) + float64(p.space.Size()*p.space.words)); work > 1e11 {
		return nil, fault.Argument(who, "trials x (n + hypotheses)", work, "at most 1e11 steps", "simulate fewer trials")
	}
	rng := generator(seed, 0x73696d756c617465) // "simulate"
	out := &Simulation{
		N:            n,
		Epsilon:      epsilon,
		MaxDeviation: make([]float64, trials),
		TrainError:   make([]float64, trials),
		TrueError:    make([]float64, trials),
	}
	s := Sample{make([]int, n), make([]bool, n)}
	errs := make([]float64, p.space.Size())
	var someBad, failed, empty, deviated int
	for t := range trials {
		p.fill(rng, s)
		p.training(s, errs)
		consistent, chosen, bad, best := 0, 0, false, 0
		for h, e := range errs {
			if e == 0 {
				consistent++
				if rng.IntN(consistent) == 0 { // reservoir sampling: every consistent hypothesis is equally likely
					chosen = h
				}
				bad = bad || p.errs[h] >= epsilon
			}
			if e < errs[best] {
				best = h
			}
			out.MaxDeviation[t] = max(out.MaxDeviation[t], math.Abs(e-p.errs[h]))
		}
		out.TrainError[t], out.TrueError[t] = errs[best], p.errs[best]
		if bad {
			someBad++
		}
		switch {
		case consistent == 0:
			empty++
		case p.errs[chosen] >= epsilon:
			failed++
		}
		if out.MaxDeviation[t] > epsilon {
			deviated++
		}
	}
	out.SomeBad, out.Failed = proportion(someBad, trials), proportion(failed, trials)
	out.Empty, out.Deviated = proportion(empty, trials), proportion(deviated, trials)
	return out, nil
}

// Covered returns how often the true error of the empirical risk minimiser stayed within its training error plus the given deviation.
func (s *Simulation) Covered(deviation float64) Estimate {
	k := 0
	for t, e := range s.TrueError {
		if e <= s.TrainError[t]+deviation {
			k++
		}
	}
	return proportion(k, len(s.TrueError))
}

// Quantile returns the q-quantile of the largest deviations, the smallest one that at least a share q does not exceed.
func (s *Simulation) Quantile(q float64) (float64, error) {
	if err := checkProbability("learn.Simulation.Quantile", "q", q); err != nil {
		return 0, err
	}
	v := append([]float64(nil), s.MaxDeviation...)
	slices.Sort(v)
	return v[min(max(int(math.Ceil(q*float64(len(v))))-1, 0), len(v)-1)], nil
}

// SomeBadExact returns the exact probability that a hypothesis with true error >= epsilon has no training error on n examples without
// noise, when at most 20 hypotheses are bad: by inclusion and exclusion over sets of bad hypotheses, each of which survives when no example
// falls where one of them is wrong.
func (p *Problem) SomeBadExact(n int, epsilon float64) (float64, error) {
	const who = "learn.Problem.SomeBadExact"
	if err := firstOf(estimator.CheckCount(who, "n", n, 0, 1<<50), checkEpsilon(who, epsilon)); err != nil {
		return 0, err
	}
	if p.noise != 0 {
		return 0, fault.Argument(who, "noise", p.noise, "0: noise leaves no consistent hypothesis to speak of", "")
	}
	var bad [][]uint64
	for h, e := range p.errs {
		if e >= epsilon {
			bad = append(bad, p.wrong[h])
		}
	}
	if len(bad) > 20 {
		return 0, fault.Argument(who, "the number of bad hypotheses", len(bad), "at most 20", "Simulate estimates the probability")
	}
	total := 0.0
	union := make([]uint64, p.space.words)
	for set := 1; set < 1<<len(bad); set++ {
		clear(union)
		for i := range bad {
			if set>>i&1 == 1 {
				for w, v := range bad[i] {
					union[w] |= v
				}
			}
		}
		mass := 0.0
		for w, v := range union {
			for ; v != 0; v &= v - 1 {
				mass += p.weight[64*w+bits.TrailingZeros64(v)]
			}
		}
		term := math.Pow(max(1-mass, 0), float64(n))
		if bits.OnesCount(uint(set))%2 == 0 {
			term = -term
		}
		total += term
	}
	return min(max(total, 0), 1), nil
}

// IndependentDeviations draws trials samples of the largest |X/n - p| over |H| independent binomial numbers X: the worst case of uniform
// deviation.
func IndependentDeviations(hypotheses, n int, p float64, trials int, seed uint64) ([]float64, error) {
	const who = "learn.IndependentDeviations"
	if err := firstOf(estimator.CheckCount(who, "hypotheses", hypotheses, 1, 1<<30), checkBinomial(who, n, p),
		estimator.CheckCount(who, "trials", trials, 1, maxTrials)); err != nil {
		return nil, err
	}
	if n > 1<<20 || float64(hypotheses)*float64(trials) > 1e9 {
		return nil, fault.Argument(
			who,
			"n and hypotheses x trials",
			fmt.Sprintf("%d and %g", n, float64(hypotheses)*float64(trials)),
			"at most a million and 1e9",
			"simulate fewer trials",
		)
	}
	// The maximum needs only its own distribution: P(max <= d) = P(|X/n - p| <= d)^|H|. One uniform number and a search replace |H| draws.
	levels := map[float64]bool{}
	for k := range n + 1 {
		levels[math.Abs(float64(k)/float64(n)-p)] = true
	}
	var d []float64
	for v := range levels {
		d = append(d, v)
	}
	slices.Sort(d)
	cdf := make([]float64, len(d))
	for i, v := range d {
		cdf[i] = math.Exp(float64(hypotheses) * log1mexp(logDeviation(n, p, v, true)))
		if i+1 == len(d) {
			cdf[i] = 1
		}
	}
	rng := generator(seed, 0x696e6465)
	out := make([]float64, trials)
	for t := range out {
		u := rng.Float64()
		lo, hi := 0, len(d)-1
		for lo < hi {
			if mid := (lo + hi) / 2; cdf[mid] > u {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		out[t] = d[lo]
	}
	return out, nil
}

// WorldOf returns the world without noise in which hypothesis target of the space is the truth and all instances are equally likely.
func WorldOf(space *Space, target int) (*Problem, error) {
	const who = "learn.WorldOf"
	if space == nil {
		return nil, fault.Argument(who, "space", "nil", "a hypothesis space", "NewSpace or Domain.Conjunctions makes one")
	}
	if err := estimator.CheckCount(who, "target", target, 0, space.Size()-1); err != nil {
		return nil, err
	}
	return NewProblem(space, space.Labels(target), nil, 0)
}
