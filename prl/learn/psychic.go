package learn

import (
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Psychic is the guessing game of the lecture: each of Students guesses a code of n bits and misses each bit with probability Miss,
// independently. It is learning in disguise: students are hypotheses, bits are training examples, and a student without a wrong bit is a
// hypothesis without training error.
type Psychic struct {
	Students int     // |H|, at least 1
	Miss     float64 // probability of a wrong bit, between 0 and 1; 0.5 for people without gifts
}

func (g Psychic) check(who string) error {
	if err := estimator.CheckCount(who, "Students", g.Students, 1, 1<<50); err != nil {
		return err
	}
	if !(g.Miss > 0 && g.Miss < 1) {
		return fault.Argument(who, "Miss", g.Miss, "a probability between 0 and 1", "0.5 is a pure guess")
	}
	return nil
}

// One returns (1-p)^n, the probability that a given student has no wrong bit.
func (g Psychic) One(bits int) (float64, error) {
	const who = "learn.Psychic.One"
	if err := firstOf(g.check(who), estimator.CheckCount(who, "bits", bits, 0, 1<<50)); err != nil {
		return 0, err
	}
	return math.Exp(float64(bits) * math.Log1p(-g.Miss)), nil
}

// Some returns 1 - (1 - (1-p)^n)^|H|, the probability that at least one student has no wrong bit.
func (g Psychic) Some(bits int) (float64, error) {
	const who = "learn.Psychic.Some"
	if err := firstOf(g.check(who), estimator.CheckCount(who, "bits", bits, 0, 1<<50)); err != nil {
		return 0, err
	}
	return anyOf(FiniteOf(float64(g.Students)), float64(bits)*math.Log1p(-g.Miss)), nil
}

// None returns (1 - (1-p)^n)^|H|, the complement of Some without loss of digits.
func (g Psychic) None(bits int) (float64, error) {
	const who = "learn.Psychic.None"
	if err := firstOf(g.check(who), estimator.CheckCount(who, "bits", bits, 0, 1<<50)); err != nil {
		return 0, err
	}
	return math.Exp(float64(g.Students) * log1mexp(float64(bits)*math.Log1p(-g.Miss))), nil
}

// Union returns |H| (1-p)^n, the union bound on Some; it is not cut at 1.
func (g Psychic) Union(bits int) (float64, error) {
	one, err := g.One(bits)
	return float64(g.Students) * one, err
}

// Bits returns the length log_{1-p}(1 - (1-delta)^{1/|H|}), at which Some is delta; the next whole number is the length the code needs.
func (g Psychic) Bits(delta float64) (float64, error) {
	const who = "learn.Psychic.Bits"
	if err := firstOf(g.check(who), checkDelta(who, delta)); err != nil {
		return 0, err
	}
	one := -math.Expm1(math.Log1p(-delta) / float64(g.Students))
	return math.Log(one) / math.Log1p(-g.Miss), nil
}

// Simulate plays the game trials times and returns how often some student had no wrong bit.
func (g Psychic) Simulate(bits, trials int, seed uint64) (Estimate, error) {
	const who = "learn.Psychic.Simulate"
	if err := firstOf(g.check(who), estimator.CheckCount(who, "bits", bits, 0, 1<<20),
		estimator.CheckCount(who, "trials", trials, 1, maxTrials)); err != nil {
		return Estimate{}, err
	}
	if float64(g.Students)*float64(trials) > 1e10 {
		return Estimate{}, fault.Argument(
			who,
			"Students x trials",
			float64(g.Students)*float64(trials),
			"at most 1e10 guesses",
			"play fewer trials, or ask Some for the exact value",
		)
	}
	rng := generator(seed, 0x70737963686963) // "psychic"
	won := 0
	for range trials {
		for range g.Students {
			right := true
			for b := 0; b < bits && right; b++ { // a wrong bit ends the guess
				right = rng.Float64() >= g.Miss
			}
			if right {
				won++
				break
			}
		}
	}
	return proportion(won, trials), nil
}
