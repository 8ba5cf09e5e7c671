package optim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/fault"
)

// A Method moves from place to place. The methods of this package are all there are.
type Method interface {
	fmt.Stringer
	check(op string) error
	start(d int) mover // state for d variables
}

// A mover returns the next point, or the reason why there is none.
type mover func(p *point) (*point, Reason)

// ruled makes a mover of a rule that turns a gradient into a move.
func ruled(move func(g []float64) []float64) mover {
	return func(p *point) (*point, Reason) { return p.moved(1, move(slices.Clone(p.gradient()))), Going }
}

func positive(op, name string, v float64) error {
	if !(v > 0 && v <= math.MaxFloat64) {
		return fault.Argument(op, name, v, "a finite number > 0", "")
	}
	return nil
}

func share(op, name string, v float64) error {
	if !(v >= 0 && v < 1) {
		return fault.Argument(op, name, v, "a number in [0, 1)", "")
	}
	return nil
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Descent moves by -Step g, the gradient times a fixed step.
// On a quadratic it converges if and only if 0 < Step < 2/h_max (see Factors).
type Descent struct{ Step float64 }

func (m Descent) String() string        { return fmt.Sprintf("descent %g", m.Step) }
func (m Descent) check(op string) error { return positive(op, "Step", m.Step) }
func (m Descent) start(int) mover {
	return ruled(func(g []float64) []float64 { floats.Scale(-m.Step, g); return g })
}

// Steps moves by -s_k g with steps of the caller's own, again from the first after the last.
// Chebyshev returns the best ones for a quadratic.
type Steps []float64

func (m Steps) String() string { return fmt.Sprintf("steps %g", []float64(m)) }
func (m Steps) check(op string) error {
	if len(m) == 0 || !finite(m) {
		return fault.Argument(op, "steps", []float64(m), "one or more finite numbers", "")
	}
	return nil
}

func (m Steps) start(int) mover {
	k := 0
	return ruled(func(g []float64) []float64 {
		floats.Scale(-m[k%len(m)], g)
		k++
		return g
	})
}

// Momentum moves by d <- Mu d - Step g, from d = 0 (the heavy ball). Source: B. Polyak (1964).
// On a quadratic it converges if and only if |Mu| < 1 and 0 < Step h < 2 (1 + Mu) for all curvatures h. BestMomentum has the best pair.
type Momentum struct{ Step, Mu float64 }

func (m Momentum) String() string        { return fmt.Sprintf("momentum %g, %g", m.Step, m.Mu) }
func (m Momentum) check(op string) error { return checkMomentum(op, m.Step, m.Mu) }
func (m Momentum) start(d int) mover {
	move := make([]float64, d)
	return ruled(func(g []float64) []float64 {
		floats.Scale(m.Mu, move)
		floats.AddScaled(move, -m.Step, g)
		return move
	})
}

func checkMomentum(op string, step, mu float64) error {
	if math.IsNaN(mu) || math.IsInf(mu, 0) {
		return fault.Argument(op, "Mu", mu, "a finite number", "")
	}
	return positive(op, "Step", step)
}

// Nesterov moves by d <- Mu d - Step g(x + Mu d): momentum with the gradient of the place to which it carries.
// Source: Y. Nesterov (1983).
type Nesterov struct{ Step, Mu float64 }

func (m Nesterov) String() string        { return fmt.Sprintf("Nesterov %g, %g", m.Step, m.Mu) }
func (m Nesterov) check(op string) error { return checkMomentum(op, m.Step, m.Mu) }
func (m Nesterov) start(d int) mover {
	move := make([]float64, d)
	return func(p *point) (*point, Reason) {
		g := p.moved(m.Mu, move).gradient()
		floats.Scale(m.Mu, move)
		floats.AddScaled(move, -m.Step, g)
		return p.moved(1, move), Going
	}
}

// AdaGrad moves coordinate i by -Step g_i / sqrt(G_i + Epsilon), where G_i is the sum of all squares g_i^2 so far.
// Epsilon is zero by default; a coordinate whose gradients were all zero does not move.
// Source: J. Duchi, E. Hazan & Y. Singer (2011), JMLR 12.
type AdaGrad struct{ Step, Epsilon float64 }

func (m AdaGrad) String() string { return fmt.Sprintf("AdaGrad %g", m.Step) }
func (m AdaGrad) check(op string) error {
	return first(positive(op, "Step", m.Step), atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m AdaGrad) start(d int) mover {
	sums := make([]float64, d)
	return ruled(func(g []float64) []float64 {
		for i, v := range g {
			sums[i] += v * v
			g[i] = -m.Step * ratio(v, math.Sqrt(sums[i]+m.Epsilon))
		}
		return g
	})
}

func atLeastZero(op, name string, v float64) error {
	if !(v >= 0 && v <= math.MaxFloat64) {
		return fault.Argument(op, name, v, "a finite number >= 0", "")
	}
	return nil
}

// ratio is a/b, and 0 for 0/0.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// RMSprop moves coordinate i by -Step g_i / sqrt(G_i + Epsilon), where G_i = Gamma G_i + (1 - Gamma) g_i^2 begins at 0.
// Gamma is in (0, 1), 0 means 0.9. Source: T. Tieleman & G. Hinton (2012), lecture 6.5.
type RMSprop struct{ Step, Gamma, Epsilon float64 }

func (m RMSprop) String() string { return fmt.Sprintf("RMSprop %g", m.Step) }
func (m RMSprop) check(op string) error {
	return first(positive(op, "Step", m.Step), share(op, "Gamma", m.Gamma), atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m RMSprop) start(d int) mover {
	mean, gamma := make([]float64, d), cmp.Or(m.Gamma, 0.9)
	return ruled(func(g []float64) []float64 {
		for i, v := range g {
			mean[i] = gamma*mean[i] + (1-gamma)*v*v
			g[i] = -m.Step * ratio(v, math.Sqrt(mean[i]+m.Epsilon))
		}
		return g
	})
}

// Adam moves coordinate i by -Step a_i / (sqrt(G_i) + Epsilon), where a_i and G_i are running means of g_i and g_i^2 divided by 1 -
// Theta^n and 1 - Gamma^n, which makes up for their start at 0. AMSGrad divides by the largest G_i so far, before that correction.
// Theta and Gamma are in (0, 1), 0 means 0.9 and 0.999.
// Sources: D. Kingma & J. Ba (2015), ICLR, algorithm 1; S. Reddi, S. Kale & S. Kumar (2018), ICLR.
type Adam struct {
	Step, Theta, Gamma, Epsilon float64
	AMSGrad                     bool
}

func (m Adam) String() string { return fmt.Sprintf("Adam %g", m.Step) }
func (m Adam) check(op string) error {
	return first(positive(op, "Step", m.Step), share(op, "Theta", m.Theta), share(op, "Gamma", m.Gamma), atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m Adam) start(d int) mover {
	theta, gamma := cmp.Or(m.Theta, 0.9), cmp.Or(m.Gamma, 0.999)
	mean, square, largest := make([]float64, d), make([]float64, d), make([]float64, d)
	n := 0.0
	return ruled(func(g []float64) []float64 {
		n++
		a, b := -math.Expm1(n*math.Log(theta)), -math.Expm1(n*math.Log(gamma))
		for i, v := range g {
			mean[i] = theta*mean[i] + (1-theta)*v
			square[i] = gamma*square[i] + (1-gamma)*v*v
			largest[i] = max(largest[i], square[i])
			by := square[i]
			if m.AMSGrad {
				by = largest[i]
			}
			g[i] = -m.Step * ratio(mean[i]/a, math.Sqrt(by/b)+m.Epsilon)
		}
		return g
	})
}

// Quickprop moves each coordinate to the zero of the line through its last two slopes: d_i <- d_i g_i / (g'_i - g_i), g'_i being the
// slope before. It never moves farther than Growth times the last move. Where that line rises the wrong way (negative curvature), or there
// is none, it moves by -Step g_i. Growth is > 0, 0 means 1.75. Source: S. Fahlman (1988), CMU-CS-88-162.
type Quickprop struct{ Step, Growth float64 }

func (m Quickprop) String() string { return fmt.Sprintf("Quickprop %g", m.Step) }
func (m Quickprop) check(op string) error {
	return first(positive(op, "Step", m.Step), positive(op, "Growth", cmp.Or(m.Growth, 1.75)))
}

func (m Quickprop) start(d int) mover {
	move, before, growth := make([]float64, d), make([]float64, d), cmp.Or(m.Growth, 1.75)
	return ruled(func(g []float64) []float64 {
		for i, v := range g {
			curvature := (v - before[i]) / move[i] // NaN before the first move
			secant := -v / curvature
			switch {
			case !(curvature > 0):
				move[i] = -m.Step * v
			case math.Abs(secant) > growth*math.Abs(move[i]):
				move[i] = math.Copysign(growth*move[i], secant)
			default:
				move[i] = secant
			}
			before[i] = v
		}
		return move
	})
}
