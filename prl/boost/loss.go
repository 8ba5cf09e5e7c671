package boost

import (
	"fmt"
	"math"
)

// A Loss is a function of the margin u = y F(x).
type Loss int

const (
	// ZeroOne is 1 where u <= 0, else 0.
	ZeroOne Loss = iota
	// Exponential is exp(-u): AdaBoost.
	Exponential
	// Logistic is log2(1 + exp(-u)). The base 2 makes it 1 at u = 0, as an upper bound of ZeroOne must be.
	Logistic
	// Hinge is max(0, 1-u): the support vector machine.
	Hinge
	// Squared is (1-u)^2: least squares with targets -1 and 1.
	Squared
)

// String returns "zero-one", "exponential", "logistic", "hinge" or "squared".
func (l Loss) String() string {
	if l < ZeroOne || l > Squared {
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return [...]string{"zero-one", "exponential", "logistic", "hinge", "squared"}[l]
}

// At returns the loss at margin u. All but ZeroOne are convex and at least ZeroOne everywhere.
func (l Loss) At(u float64) float64 {
	switch l {
	case Exponential:
		return math.Exp(-u)
	case Logistic:
		if u < -30 {
			return -u / math.Ln2
		}
		return math.Log1p(math.Exp(-u)) / math.Ln2
	case Hinge:
		return max(0, 1-u)
	case Squared:
		return (1 - u) * (1 - u)
	}
	if u <= 0 {
		return 1
	}
	return 0
}

// Slope returns the derivative at margin u; where there is none (Hinge at 1, ZeroOne at 0) the derivative from the right.
func (l Loss) Slope(u float64) float64 {
	switch l {
	case Exponential:
		return -math.Exp(-u)
	case Logistic:
		return -1 / (1 + math.Exp(u)) / math.Ln2
	case Hinge:
		if u < 1 {
			return -1
		}
	case Squared:
		return -2 * (1 - u)
	}
	return 0
}
