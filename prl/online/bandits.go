package online

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Player chooses one of K arms in each round and learns what this arm gained, and nothing about the others.
type Player interface {
	Choose(rng *rand.Rand) (arm int, p float64) // the arm, and the probability with which it was chosen
	Update(arm int, gain, p float64)            // what it gained, in [0, 1]
}

// A World says what each of the K arms would gain in a round, in [0, 1]. An honest world ignores
// the probabilities p with which the player is about to choose; an owner who reads the program uses
// them. They are nil for a player that does not know them, such as Thompson.
type World func(round int, p []float64, rng *rand.Rand) []float64

// Open is a player whose probabilities can be read before it chooses.
type Open interface{ Probabilities() []float64 }

// Coins is the world of arms that gain 1 with probability p[i] in each round, and 0 otherwise.
func Coins(p ...float64) World {
	return func(_ int, _ []float64, rng *rand.Rand) []float64 {
		gains := make([]float64, len(p))
		for i, q := range p {
			if rng.Float64() < q {
				gains[i] = 1
			}
		}
		return gains
	}
}

// Tape is the world that gains the rows of a table (n x K) one after the other, again from the first after the last.
func Tape(gains mat.Matrix) World {
	n, _ := gains.Dims()
	return func(round int, _ []float64, _ *rand.Rand) []float64 { return mat.Row(nil, round%n, gains) }
}

// Pulls are what a player did over n rounds.
type Pulls struct {
	Arms  []int       // chosen
	Gains []float64   // of the arms chosen
	All   [][]float64 // n rows: what every arm would have gained
}

// Pull lets a player meet a world for n rounds. Draws come from the seed: the gains of the world do
// not depend on the player.
//
// Errors: n < 1, no arms, a gain outside [0, 1], which is named with its round.
func Pull(player Player, world World, n int, seed uint64) (*Pulls, error) {
	const op = "online.Pull"
	if n < 1 {
		return nil, fault.Argument(op, "rounds", n, "at least one", "")
	}
	own, others := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	p := &Pulls{}
	for t := range n {
		var known []float64
		if open, ok := player.(Open); ok {
			known = open.Probabilities()
		}
		gains := world(t, known, others)
		arm, probability := player.Choose(own)
		if arm >= len(gains) {
			return nil, fault.Argument(op, fmt.Sprintf("gains of round %d", t), fmt.Sprintf("%d numbers", len(gains)), "one for each arm", "")
		}
		for i, g := range gains {
			if !(g >= 0 && g <= 1) {
				what := fmt.Sprintf("gain of arm %d in round %d", i, t)
				return nil, fault.Argument(op, what, g, "a number in [0, 1]", "divide the gains by the largest possible one")
			}
		}
		player.Update(arm, gains[arm], probability)
		p.Arms, p.Gains, p.All = append(p.Arms, arm), append(p.Gains, gains[arm]), append(p.All, gains)
	}
	return p, nil
}

// Total returns what the player gained.
func (p *Pulls) Total() float64 { return sum(p.Gains) }

// Regret returns the gain of the best single arm on the same rounds, less what the player gained.
// Against an owner who adapts it says less: another player would have seen other rounds.
func (p *Pulls) Regret() float64 {
	total := make([]float64, len(p.All[0]))
	for _, row := range p.All {
		for i, g := range row {
			total[i] += g
		}
	}
	best := total[0]
	for _, v := range total {
		best = max(best, v)
	}
	return best - p.Total()
}

// Counts returns how often each of k arms was chosen.
func (p *Pulls) Counts(k int) []int {
	counts := make([]int, k)
	for _, arm := range p.Arms {
		counts[arm]++
	}
	return counts
}

// An Exp3 draws arm i with probability (1-gamma) w_i/W + gamma/K and multiplies the weight of the
// arm drawn by exp(gamma g/(p K)), where g/p is an unbiased estimate of what the arm gains. Source:
// Auer and others (2002), figure 1.
type Exp3 struct {
	gamma float64
	logs  []float64
	bonus func(p float64) float64 // added to each estimate by Exp3P
}

// NewExp3 begins EXP3 for k arms with the share of exploration gamma, in (0, 1]; see Exp3Rate.
func NewExp3(k int, gamma float64) *Exp3 { return &Exp3{gamma: gamma, logs: make([]float64, k)} }

// NewExp3P begins EXP3.P for k arms and n rounds, whose regret is small with probability 1 - delta
// and not only on average: each estimate gets the bonus alpha / (p sqrt(n K)). Source: Auer and
// others (2002), section 6, with alpha = 2 sqrt(ln(K n/delta)) and the gamma of theorem 6.3.
func NewExp3P(k, n int, delta float64) *Exp3 {
	K, N := float64(k), float64(n)
	alpha := 2 * math.Sqrt(math.Log(K*N/delta))
	e := NewExp3(k, min(3.0/5, 2*math.Sqrt(3.0/5*K*math.Log(K)/N)))
	e.bonus = func(p float64) float64 { return alpha / (p * math.Sqrt(N*K)) }
	return e
}

// Probabilities returns the probabilities of the arms in the next round.
func (e *Exp3) Probabilities() []float64 {
	p := shares(e.logs)
	for i := range p {
		p[i] = (1-e.gamma)*p[i] + e.gamma/float64(len(p))
	}
	return p
}

// Choose draws an arm.
func (e *Exp3) Choose(rng *rand.Rand) (arm int, p float64) { return draw(e.Probabilities(), rng) }

func draw(p []float64, rng *rand.Rand) (int, float64) {
	u := rng.Float64()
	for i, v := range p {
		if u -= v; u < 0 {
			return i, v
		}
	}
	return len(p) - 1, p[len(p)-1]
}

// Update takes in what the arm gained that was drawn with probability p.
func (e *Exp3) Update(arm int, gain, p float64) {
	k := float64(len(e.logs))
	if e.bonus == nil {
		e.logs[arm] += e.gamma / k * gain / p
		return
	}
	for i, q := range e.Probabilities() {
		estimate := e.bonus(q)
		if i == arm {
			estimate += gain / p
		}
		e.logs[i] += e.gamma / (3 * k) * estimate
	}
}

// Exp3Rate returns min(1, sqrt(K ln(K) / ((e-1) n))), the share of exploration for which the bound of EXP3 is least.
func Exp3Rate(n, k int) float64 {
	return min(1, math.Sqrt(float64(k)*math.Log(float64(k))/((math.E-1)*float64(n))))
}

// Exp3Bound returns 2 sqrt(e-1) sqrt(n K ln K), the bound on the expected regret of EXP3 after n
// rounds with the rate of Exp3Rate.
func Exp3Bound(n, k int) float64 {
	return 2 * math.Sqrt(math.E-1) * math.Sqrt(float64(n)*float64(k)*math.Log(float64(k)))
}

// ExactExp3 returns the expected gain of EXP3 on a table of gains (n x K), by the tree of all K^n
// choices; K^n is at most 2^20.
//
// Errors: an empty table, one with too many choices, gains outside [0, 1], gamma outside (0, 1].
func ExactExp3(gains mat.Matrix, gamma float64) (float64, error) {
	const op = "online.ExactExp3"
	if gains == nil {
		return 0, fault.Argument(op, "gains", nil, "a matrix with a row for each round", "")
	}
	n, k := gains.Dims()
	if math.Pow(float64(k), float64(n)) > 1<<20 {
		return 0, fault.Argument(op, "gains", fmt.Sprintf("%d rounds of %d arms", n, k), "at most 2^20 courses", "leave out rounds")
	}
	if !(gamma > 0 && gamma <= 1) {
		return 0, fault.Argument(op, "gamma", gamma, "a share above 0, at most 1", "")
	}
	for t := range n {
		for i := range k {
			if g := gains.At(t, i); !(g >= 0 && g <= 1) {
				return 0, fault.Argument(op, fmt.Sprintf("gain of arm %d in round %d", i, t), g, "a number in [0, 1]", "")
			}
		}
	}
	var from func(t int, logs []float64) float64
	from = func(t int, logs []float64) (expected float64) {
		if t == n {
			return 0
		}
		for arm, p := range (&Exp3{gamma: gamma, logs: logs}).Probabilities() {
			next := &Exp3{gamma: gamma, logs: append([]float64(nil), logs...)}
			gain := gains.At(t, arm)
			next.Update(arm, gain, p)
			expected += p * (gain + from(t+1, next.logs))
		}
		return expected
	}
	return from(0, make([]float64, k)), nil
}

// tallies are what a deterministic player knows of its arms.
type tallies struct {
	pulls []float64
	gains []float64
	round float64
}

func newTallies(k int) tallies { return tallies{pulls: make([]float64, k), gains: make([]float64, k)} }

// Update takes in what the arm gained.
func (t *tallies) Update(arm int, gain, _ float64) {
	t.pulls[arm]++
	t.gains[arm] += gain
	t.round++
}

// largest returns the arm with the largest index, of equal ones the first; an arm that was never
// pulled comes before all others.
func (t *tallies) largest(index func(mean, pulls float64) float64) (int, float64) {
	best, at := math.Inf(-1), 0
	for i, n := range t.pulls {
		if n == 0 {
			return i, 1
		}
		if v := index(t.gains[i]/n, n); v > best {
			best, at = v, i
		}
	}
	return at, 1
}

func (t *tallies) certain(arm int, p float64) []float64 {
	all := make([]float64, len(t.pulls))
	all[arm] = p
	return all
}

// A UCB pulls the arm with the largest mean gain plus sqrt(2 ln t / n_i), where n_i counts the
// pulls of the arm in t rounds.
type UCB struct{ tallies }

// NewUCB begins UCB1 for k arms. Source: P. Auer, N. Cesa-Bianchi & P. Fischer (2002), Finite-time
// analysis of the multiarmed bandit problem, Machine Learning 47.
func NewUCB(k int) *UCB { return &UCB{newTallies(k)} }

// Choose returns the arm with the largest upper confidence bound.
func (u *UCB) Choose(*rand.Rand) (arm int, p float64) {
	return u.largest(func(mean, n float64) float64 { return mean + math.Sqrt(2*math.Log(u.round)/n) })
}

// Probabilities returns one for the arm that Choose returns, and zero for the others.
func (u *UCB) Probabilities() []float64 { return u.certain(u.Choose(nil)) }

// A KLUCB pulls the arm with the largest q for which n_i times the Kullback-Leibler divergence of
// coins with the mean gain and with q is at most ln t.
type KLUCB struct{ tallies }

// NewKLUCB begins KL-UCB for k arms. Source: A. Garivier & O. Cappé (2011), The KL-UCB algorithm, COLT, with c = 0.
func NewKLUCB(k int) *KLUCB { return &KLUCB{newTallies(k)} }

// Choose returns the arm with the largest upper confidence bound.
func (u *KLUCB) Choose(*rand.Rand) (arm int, p float64) {
	return u.largest(func(mean, n float64) float64 {
		lo, hi := mean, 1.0
		for range 60 {
			if q := (lo + hi) / 2; n*bernoulliKL(mean, q) > math.Log(u.round) {
				hi = q
			} else {
				lo = q
			}
		}
		return lo
	})
}

// Probabilities returns one for the arm that Choose returns, and zero for the others.
func (u *KLUCB) Probabilities() []float64 { return u.certain(u.Choose(nil)) }

// bernoulliKL returns p ln(p/q) + (1-p) ln((1-p)/(1-q)).
func bernoulliKL(p, q float64) float64 {
	part := func(a, b float64) float64 {
		if a == 0 {
			return 0
		}
		return a * math.Log(a/b)
	}
	return part(p, q) + part(1-p, 1-q)
}

// A Thompson draws a chance for each arm from its posterior Beta(1 + gains, 1 + pulls - gains) and
// pulls the arm with the largest draw.
type Thompson struct{ tallies }

// NewThompson begins Thompson sampling for k arms. Gains between 0 and 1 count in part. Source: W.
// Thompson (1933), Biometrika 25.
func NewThompson(k int) *Thompson { return &Thompson{newTallies(k)} }

// Choose draws an arm. The probability with which it was chosen is not known; the second value is 1.
func (s *Thompson) Choose(rng *rand.Rand) (arm int, p float64) {
	best := -1.0
	for i, n := range s.pulls {
		a, b := gamma(rng, 1+s.gains[i]), gamma(rng, 1+n-s.gains[i])
		if v := a / (a + b); v > best {
			best, arm = v, i
		}
	}
	return arm, 1
}

// gamma draws from the gamma distribution of shape a >= 1 and scale 1. Source: G. Marsaglia & W.
// Tsang (2000), ACM Trans. Math. Softw. 26.
func gamma(rng *rand.Rand, a float64) float64 {
	d := a - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// A LinUCB chooses among arms that come with features: the gain of an arm with features x is taken
// to be <theta, x>, and the arm with the largest <theta, x> + alpha sqrt(x' A^-1 x) is pulled,
// where A is the identity plus the sum of x x' over the arms pulled.
type LinUCB struct {
	alpha float64
	a     *mat.SymDense
	b     *mat.VecDense
}

// NewLinUCB begins LinUCB for d features with the width alpha >= 0 of the confidence bounds.
// Source: L. Li, W. Chu, J. Langford & R. Schapire (2010), A contextual-bandit approach to
// personalized news article recommendation, WWW, with one theta for all arms.
func NewLinUCB(d int, alpha float64) *LinUCB {
	l := &LinUCB{alpha, mat.NewSymDense(d, nil), mat.NewVecDense(d, nil)}
	for i := range d {
		l.a.SetSym(i, i, 1)
	}
	return l
}

// Choose returns the row of the features (K x d) to pull, of equal ones the first.
func (l *LinUCB) Choose(features mat.Matrix) int {
	var chol mat.Cholesky
	chol.Factorize(l.a) // the identity plus squares is positive definite
	var theta, ax mat.VecDense
	_ = chol.SolveVecTo(&theta, l.b)
	k, _ := features.Dims()
	best, at := math.Inf(-1), 0
	for i := range k {
		x := mat.NewVecDense(l.b.Len(), mat.Row(nil, i, features))
		_ = chol.SolveVecTo(&ax, x)
		if v := mat.Dot(&theta, x) + l.alpha*math.Sqrt(mat.Dot(x, &ax)); v > best {
			best, at = v, i
		}
	}
	return at
}

// Update takes in what the arm with features x gained.
func (l *LinUCB) Update(x []float64, gain float64) {
	v := mat.NewVecDense(len(x), x)
	l.a.SymRankOne(l.a, 1, v)
	l.b.AddScaledVec(l.b, gain, v)
}
