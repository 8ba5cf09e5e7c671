package perceptron

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// labelled checks options and data.
func labelled(ctx context.Context, op string, X mat.Matrix, y []int, o Options) (*estimator.Labelled, error) {
	if err := check(op, o); err != nil {
		return nil, err
	}
	l, err := estimator.NewLabelled(ctx, op, X, y, estimator.Weighting{})
	if err != nil {
		return nil, err
	}
	x, largest := l.Dense(), 0.0
	for i := range l.N {
		largest = max(largest, floats.Dot(x.RawRowView(i), x.RawRowView(i)))
	}
	if limit := math.MaxFloat64 / 4; !(largest < limit && largest > 1/limit) {
		if err := estimator.CheckSquares(op, x); err != nil {
			return nil, err
		}
	}
	if err := checkOrder(op, o.Order, l.N); err != nil {
		return nil, err
	}
	return l, checkStart(op, o, l.D, l.K)
}

// Fit trains a perceptron on X (n x d) with the classes y: theta <- theta + y_i (1, x_i) at each mistake, y_i <theta, (1, x_i)> <= 0, pass
// after pass, until a pass is clean or MaxIter passes are over; the model says which. Where a hyperplane separates two classes, the run
// ends after at most R^2/gamma^2 mistakes (see MistakeBound); where none does, it would never end.
//
// A step factor would only rescale theta and is left out. Time: d for a visit, with a kernel n for a mistake; Pocket counts the errors of
// each new theta, and stops counting where it has as many as the best.
//
// Errors: unusable data, labels or options; with Voted more than 2^22 mistakes; the error of ctx.
func Fit(ctx context.Context, X mat.Matrix, y []int, o Options) (*Model, error) {
	const op = "perceptron.Fit"
	l, err := labelled(ctx, op, X, y, o)
	if err != nil {
		return nil, err
	}
	title := "perceptron, " + o.Form.String() + " weights"
	s := state{D: l.D, K: l.K, Title: title, Kernel: o.Kernel, NoIntercept: o.NoIntercept}
	x := l.Dense()
	support := newSupport(x)
	for c := range l.K {
		if l.K == 2 && c == 0 {
			continue
		}
		m, err := train(ctx, x, signs(l.Y, c), &o, support)
		if err != nil {
			return nil, fault.In(op, err)
		}
		s.Machines = append(s.Machines, m)
	}
	s.Support = support.points
	m := &Model{s: s}
	return m, fault.In(op, m.prepare())
}

// A support gathers the rows that dual machines need.
type support struct {
	x      *mat.Dense
	at     map[int]int32
	points []float64
}

func newSupport(x *mat.Dense) *support { return &support{x: x, at: map[int]int32{}} }

// index returns the place of row i among the points.
func (s *support) index(i int) int32 {
	at, ok := s.at[i]
	if !ok {
		at = int32(len(s.at))
		s.at[i] = at
		s.points = append(s.points, s.x.RawRowView(i)...)
	}
	return at
}

// train makes one machine.
func train(ctx context.Context, x *mat.Dense, y []float64, o *Options, rows *support) (machine, error) {
	m, theta, err := remember(x, o)
	if err != nil {
		return machine{}, err
	}
	n, d := x.Dims()
	c := newCourse(y, o, d)
	coef := make([]float64, n) // with a kernel, the factor of each row in the weights that answer
	out := machine{Theta: theta}
	switch o.Form {
	case Averaged:
		err = c.average(ctx, m, theta, coef)
	case Voted:
		out.Start = slices.Clone(theta)
		out.Theta = nil
		err = c.vote(ctx, m, rows, &out)
	case Pocket:
		out.Theta, err = c.pocket(ctx, m, theta, coef)
	default:
		err = c.learn(ctx, m)
		c.factors(coef)
	}
	if err != nil {
		return out, err
	}
	out.Mistakes, out.Passes, out.Clean = sum(c.run.Errors), len(c.run.Errors), c.run.Clean
	if o.Kernel != nil && o.Form != Voted {
		for i, a := range coef {
			if a != 0 {
				out.Rows, out.Coef = append(out.Rows, rows.index(i)), append(out.Coef, a)
			}
		}
	}
	return out, nil
}

// sum returns the sum of whole numbers.
func sum(v []int) (total int) {
	for _, n := range v {
		total += n
	}
	return total
}

// factors writes y_i alpha_i.
func (c *course) factors(coef []float64) {
	for i, a := range c.run.Alpha {
		coef[i] = c.y[i] * float64(a)
	}
}

// average learns and turns theta, or the factors of the rows, into the mean over the visits: what was learnt at visit t counts in the
// visits t ... T, so (t-1)/T of it is taken back.
func (c *course) average(ctx context.Context, m memory, theta, coef []float64) error {
	back := make([]float64, len(theta))
	late := make([]float64, len(c.y))
	if p, ok := m.(*plain); ok {
		before := &plain{x: p.x, theta: back, noIntercept: p.noIntercept}
		c.mistake = func(i int, _ float64) error {
			before.add(i, c.y[i]*float64(c.run.Visits-1))
			return nil
		}
	} else {
		c.mistake = func(i int, _ float64) error {
			late[i] += c.y[i] * float64(c.run.Visits-1)
			return nil
		}
	}
	if err := c.learn(ctx, m); err != nil {
		return err
	}
	c.factors(coef)
	floats.AddScaled(theta, -1/float64(c.run.Visits), back)
	floats.AddScaled(coef, -1/float64(c.run.Visits), late)
	return nil
}

// vote learns and keeps every mistake, and for how many visits the weights before and after it were in force.
func (c *course) vote(ctx context.Context, m memory, rows *support, out *machine) error {
	out.Lives = []float64{0}
	c.mistake = func(i int, _ float64) error {
		if len(out.Rows) >= maxVotes {
			return fault.Argument("perceptron.Fit", "number of mistakes", len(out.Rows), fmt.Sprintf("below %d with Voted", maxVotes),
				"lower MaxIter, or take Averaged")
		}
		out.Rows, out.Coef, out.Lives = append(out.Rows, rows.index(i)), append(out.Coef, c.y[i]), append(out.Lives, 0)
		return nil
	}
	c.visited = func() { out.Lives[len(out.Lives)-1]++ }
	return c.learn(ctx, m)
}

// pocket learns and returns the first weights with the fewest errors; with a kernel it writes their factors into coef.
func (c *course) pocket(ctx context.Context, m memory, theta, coef []float64) ([]float64, error) {
	best, kept := len(c.y)+1, slices.Clone(theta)
	look := func() {
		errors := 0
		for i, y := range c.y {
			if y*m.score(i) <= 0 {
				if errors++; errors >= best {
					return
				}
			}
		}
		best = errors
		copy(kept, theta)
		c.factors(coef)
	}
	look()
	learnt := false
	c.mistake = func(int, float64) error { learnt = true; return nil }
	c.visited = func() {
		if learnt {
			look()
		}
		learnt = false
	}
	return kept, c.learn(ctx, m)
}
