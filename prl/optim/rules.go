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

// A rule puts the move in the place of a gradient of d numbers.
type rule func(g []float64)

// ruled makes a mover of a rule.
func ruled(move rule) mover {
	return func(p *point) (*point, Reason) {
		g := slices.Clone(p.gradient())
		move(g)
		return p.moved(1, g), Going
	}
}

// A Stepper moves a place by gradients that come from outside, such as those of random batches of rows. It is not safe for concurrent use.
type Stepper struct {
	d    int
	move rule
}

// NewStepper begins the moves of a method for d variables. Descent, Steps, Momentum, Nesterov, AdaGrad, RMSprop, Adam and Quickprop move
// by gradients alone. Nesterov keeps the place x + Mu d, to which momentum carries, since the gradient is taken there.
//
// Errors: d < 1, settings out of range, a method that searches along a ray.
func NewStepper(m Method, d int) (*Stepper, error) {
	const op = "optim.NewStepper"
	if err := checkMethod(op, m); err != nil {
		return nil, err
	}
	r, ok := m.(interface{ rule(d int) rule })
	if !ok {
		return nil, fault.Argument(op, "method", m, "a method that moves by gradients alone, such as Adam{Step: 0.001}", "use Minimise")
	}
	if d < 1 {
		return nil, fault.Argument(op, "d", d, "a number of variables > 0", "")
	}
	return &Stepper{d: d, move: r.rule(d)}, nil
}

// Step puts the next move in the place of the gradient g and adds it to x. Errors: slices of another length than d.
func (s *Stepper) Step(x, g []float64) error {
	const op = "optim.Stepper.Step"
	if len(x) != s.d || len(g) != s.d {
		return fault.Argument(op, "x and g", fmt.Sprintf("%d and %d numbers", len(x), len(g)), fmt.Sprintf("%d each", s.d), "")
	}
	s.move(g)
	floats.Add(x, g)
	return nil
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

// Descent moves by -Step g, the gradient times a fixed step.
// On a quadratic it converges if and only if 0 < Step < 2/h_max (see Factors).
type Descent struct{ Step float64 }

func (m Descent) String() string        { return fmt.Sprintf("descent %g", m.Step) }
func (m Descent) check(op string) error { return positive(op, "Step", m.Step) }
func (m Descent) start(d int) mover     { return ruled(m.rule(d)) }
func (m Descent) rule(int) rule         { return func(g []float64) { floats.Scale(-m.Step, g) } }

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

func (m Steps) start(d int) mover { return ruled(m.rule(d)) }
func (m Steps) rule(int) rule {
	k := 0
	return func(g []float64) {
		floats.Scale(-m[k%len(m)], g)
		k++
	}
}

// Momentum moves by d <- Mu d - Step g, from d = 0 (the heavy ball). Source: B. Polyak (1964).
// On a quadratic it converges if and only if |Mu| < 1 and 0 < Step h < 2 (1 + Mu) for all curvatures h. BestMomentum has the best pair.
type Momentum struct{ Step, Mu float64 }

func (m Momentum) String() string        { return fmt.Sprintf("momentum %g, %g", m.Step, m.Mu) }
func (m Momentum) check(op string) error { return checkMomentum(op, m.Step, m.Mu) }
func (m Momentum) start(d int) mover     { return ruled(m.rule(d)) }
func (m Momentum) rule(d int) rule {
	move := make([]float64, d)
	return func(g []float64) {
		floats.Scale(m.Mu, move)
		floats.AddScaled(move, -m.Step, g)
		copy(g, move)
	}
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

// rule moves x + Mu d, from one place of gradients to the next: by (1 + Mu) d less Mu times the d before.
func (m Nesterov) rule(d int) rule {
	move := make([]float64, d)
	return func(g []float64) {
		for i, v := range g {
			before := move[i]
			move[i] = m.Mu*before - m.Step*v
			g[i] = (1+m.Mu)*move[i] - m.Mu*before
		}
	}
}

// AdaGrad moves coordinate i by -Step g_i / sqrt(G_i + Epsilon), where G_i is the sum of all squares g_i^2 so far.
// Epsilon is zero by default; a coordinate whose gradients were all zero does not move.
// Source: J. Duchi, E. Hazan & Y. Singer (2011), JMLR 12.
type AdaGrad struct{ Step, Epsilon float64 }

func (m AdaGrad) String() string { return fmt.Sprintf("AdaGrad %g", m.Step) }
func (m AdaGrad) check(op string) error {
	return fault.First(positive(op, "Step", m.Step), atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m AdaGrad) start(d int) mover { return ruled(m.rule(d)) }
func (m AdaGrad) rule(d int) rule {
	sums := make([]float64, d)
	return func(g []float64) {
		for i, v := range g {
			sums[i] += v * v
			g[i] = -m.Step * ratio(v, math.Sqrt(sums[i]+m.Epsilon))
		}
	}
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
	return fault.First(positive(op, "Step", m.Step), share(op, "Gamma", m.Gamma), atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m RMSprop) start(d int) mover { return ruled(m.rule(d)) }
func (m RMSprop) rule(d int) rule {
	mean, gamma := make([]float64, d), cmp.Or(m.Gamma, 0.9)
	return func(g []float64) {
		for i, v := range g {
			mean[i] = gamma*mean[i] + (1-gamma)*v*v
			g[i] = -m.Step * ratio(v, math.Sqrt(mean[i]+m.Epsilon))
		}
	}
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
	return fault.First(positive(op, "Step", m.Step), share(op, "Theta", m.Theta), share(op, "Gamma", m.Gamma),
		atLeastZero(op, "Epsilon", m.Epsilon))
}

func (m Adam) start(d int) mover { return ruled(m.rule(d)) }
func (m Adam) rule(d int) rule {
	theta, gamma := cmp.Or(m.Theta, 0.9), cmp.Or(m.Gamma, 0.999)
	mean, square := make([]float64, d), make([]float64, d)
	var largest []float64
	if m.AMSGrad {
		largest = make([]float64, d)
	}
	n := 0.0
	return func(g []float64) {
		mean, square := mean[:len(g)], square[:len(g)]
		n++
		root := math.Sqrt(-math.Expm1(n * math.Log(gamma)))
		by, epsilon := m.Step*root/math.Expm1(n*math.Log(theta)), m.Epsilon*root
		for i, v := range g {
			m, s := theta*mean[i]+(1-theta)*v, gamma*square[i]+(1-gamma)*v*v
			mean[i], square[i] = m, s
			if largest != nil {
				s = max(largest[i], s)
				largest[i] = s
			}
			if g[i] = 0; m != 0 {
				g[i] = by * m / (math.Sqrt(s) + epsilon)
			}
		}
	}
}

// Quickprop moves each coordinate to the zero of the line through its last two slopes: d_i <- d_i g_i / (g'_i - g_i), g'_i being the
// slope before. It never moves farther than Growth times the last move. Where that line rises the wrong way (negative curvature), or there
// is none, it moves by -Step g_i. Growth is > 0, 0 means 1.75. Source: S. Fahlman (1988), CMU-CS-88-162.
type Quickprop struct{ Step, Growth float64 }

func (m Quickprop) String() string { return fmt.Sprintf("Quickprop %g", m.Step) }
func (m Quickprop) check(op string) error {
	return fault.First(positive(op, "Step", m.Step), positive(op, "Growth", cmp.Or(m.Growth, 1.75)))
}

func (m Quickprop) start(d int) mover { return ruled(m.rule(d)) }
func (m Quickprop) rule(d int) rule {
	move, before, growth := make([]float64, d), make([]float64, d), cmp.Or(m.Growth, 1.75)
	return func(g []float64) {
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
		copy(g, move)
	}
}
