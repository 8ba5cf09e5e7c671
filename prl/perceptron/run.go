package perceptron

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// A memory scores rows and adds them to what it knows.
type memory interface {
	score(i int) float64
	add(i int, factor float64) // adds factor (1, x_i)
}

// A plain memory is theta = (b, w).
type plain struct {
	x           *mat.Dense
	theta       []float64
	noIntercept bool
}

func (p *plain) score(i int) float64 { return p.theta[0] + floats.Dot(p.theta[1:], p.x.RawRowView(i)) }

func (p *plain) add(i int, factor float64) {
	if !p.noIntercept {
		p.theta[0] += factor
	}
	floats.AddScaled(p.theta[1:], factor, p.x.RawRowView(i))
}

// gramBytes is what a dual memory spends on rows of the Gram matrix.
const gramBytes = 1 << 28

// A dual memory holds the scores of all rows. Rows of the Gram matrix are found when they are first added.
type dual struct {
	rows   *kernel.Rows
	gram   [][]float64
	kept   int // rows of gram that still fit into gramBytes
	scores []float64
	bias   float64 // added to each inner product: 1, or 0 without an intercept
	spare  []float64
}

func newDual(k kernel.Kernel, x *mat.Dense, noIntercept bool) (*dual, error) {
	rows, err := kernel.NewRows(k, x, nil, nil)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	d := &dual{rows: rows, gram: make([][]float64, n), kept: gramBytes / 8 / n, scores: make([]float64, n), bias: 1}
	if noIntercept {
		d.bias = 0
	}
	return d, nil
}

func (d *dual) score(i int) float64 { return d.scores[i] }

func (d *dual) add(i int, factor float64) {
	row := d.gram[i]
	if row == nil {
		n := len(d.scores)
		if d.kept > 0 {
			row = make([]float64, n)
			d.gram[i] = row
			d.kept--
		} else {
			if d.spare == nil {
				d.spare = make([]float64, n)
			}
			row = d.spare
		}
		d.rows.Fill(row, i, 0, n)
	}
	for t, k := range row {
		d.scores[t] += factor * (k + d.bias)
	}
}

// An Update is one mistake of a run and what was learnt from it.
type Update struct {
	Pass, Visit, Row int       // the pass and the visit, both from 1, and the row, from 0
	Score            float64   // y s(x) before the update, at most 0
	Theta            []float64 // (b, w) after the update; nil with a kernel
}

// A Run is what a perceptron of two classes did.
type Run struct {
	Updates []Update
	Errors  []int // mistakes in each pass
	Alpha   []int // updates on each row: theta = Start + sum_i Alpha_i y_i (1, x_i)
	Visits  int   // rows looked at
	Clean   bool  // the last pass made no mistake; otherwise the limit on passes ended the run
}

// A course goes through the rows of one machine until a pass is clean.
type course struct {
	y       []float64 // +1 or -1
	order   []int
	random  *rand.Rand // nil: the same order in each pass
	batch   bool
	passes  int
	period  int                                // visits until the next look at the context
	step    func(i int, score float64) float64 // the factor of what is learnt of y s(x), 0 for nothing; nil: 1 where it is not positive
	visited func()
	mistake func(i int, score float64) error
	run     Run
}

func newCourse(y []float64, o *Options, d int) *course {
	cost := d + 8
	if o.Kernel != nil || o.Form == Pocket {
		cost *= len(y)
	}
	c := &course{
		y: y, order: slices.Clone(o.Order), batch: o.OncePerPass, passes: cmp.Or(o.MaxIter, 1000), period: 1 + (1<<20)/cost,
		run: Run{Alpha: make([]int, len(y))},
	}
	if c.order == nil {
		c.order = make([]int, len(y))
		for i := range c.order {
			c.order[i] = i
		}
	}
	if o.Shuffle {
		c.random = rand.New(rand.NewPCG(cmp.Or(o.Seed, 1), 0x70657263))
	}
	return c
}

// learn makes passes. Every mistake is handed to c.mistake and then added to m, and each visit ends with c.visited, if there are such.
func (c *course) learn(ctx context.Context, m memory) error {
	next, wrong := 0, []int(nil)
	for pass := 1; pass <= c.passes; pass++ {
		if c.random != nil {
			c.random.Shuffle(len(c.order), func(a, b int) { c.order[a], c.order[b] = c.order[b], c.order[a] })
		}
		errors := 0
		wrong = wrong[:0]
		for _, i := range c.order {
			if next--; next < 0 {
				if err := ctx.Err(); err != nil {
					return fmt.Errorf("perceptron: stopped after %d visits: %w", c.run.Visits, err)
				}
				next = c.period
			}
			c.run.Visits++
			s, factor := c.y[i]*m.score(i), 1.0
			if c.step != nil {
				factor = c.step(i, s)
			} else if s > 0 {
				factor = 0
			}
			if factor != 0 {
				errors++
				c.run.Alpha[i]++
				if c.batch {
					wrong = append(wrong, i)
				} else {
					m.add(i, c.y[i]*factor)
				}
				if c.mistake != nil {
					if err := c.mistake(i, s); err != nil {
						return err
					}
				}
			}
			if c.visited != nil {
				c.visited()
			}
		}
		for _, i := range wrong {
			m.add(i, c.y[i])
		}
		c.run.Errors = append(c.run.Errors, errors)
		if c.run.Clean = errors == 0; c.run.Clean {
			return nil
		}
	}
	return nil
}

// Trace returns every update of the perceptron that Fit trains on X (n x d) with two classes y in {0, 1}, the first of which counts as -1:
//
//	theta <- theta + y_i (1, x_i)  where  y_i <theta, (1, x_i)> <= 0,  pass after pass, until a pass is clean.
//
// In a batch, Theta is nil in all updates of a pass but its last. Memory: d+1 numbers an update.
//
// Errors: unusable data, labels or options; more than 2^22 updates; the error of ctx.
func Trace(ctx context.Context, X mat.Matrix, y []int, o Options) (*Run, error) {
	const op = "perceptron.Trace"
	l, err := labelled(ctx, op, X, y, o)
	if err != nil {
		return nil, err
	}
	if l.K != 2 {
		return nil, fault.Argument(op, "y", fmt.Sprintf("of %d classes", l.K), "of two classes", "choose two")
	}
	x := l.Dense()
	m, theta, err := remember(x, &o)
	if err != nil {
		return nil, fault.In(op, err)
	}
	c := newCourse(signs(l.Y, 1), &o, l.D)
	c.mistake = func(i int, score float64) error {
		if len(c.run.Updates) >= maxVotes {
			return fault.Argument(op, "number of updates", len(c.run.Updates), fmt.Sprintf("below %d", maxVotes), "lower MaxIter")
		}
		u := Update{Pass: len(c.run.Errors) + 1, Visit: c.run.Visits, Row: i, Score: score}
		if !o.OncePerPass {
			u.Theta = slices.Clone(theta)
		}
		c.run.Updates = append(c.run.Updates, u)
		return nil
	}
	if o.OncePerPass {
		m = &closing{memory: m, run: &c.run, theta: theta}
	}
	if err := c.learn(ctx, m); err != nil {
		return nil, fault.In(op, err)
	}
	return &c.run, nil
}

// A closing memory writes the weights into the last update of a batch.
type closing struct {
	memory
	run   *Run
	theta []float64
}

func (m *closing) add(i int, factor float64) {
	m.memory.add(i, factor)
	last := &m.run.Updates[len(m.run.Updates)-1]
	last.Theta = append(last.Theta[:0], m.theta...)
}

// remember makes the memory of one machine; theta is nil with a kernel.
func remember(x *mat.Dense, o *Options) (m memory, theta []float64, err error) {
	if o.Kernel != nil {
		m, err := newDual(o.Kernel, x, o.NoIntercept)
		return m, nil, err
	}
	_, d := x.Dims()
	theta = make([]float64, d+1)
	copy(theta[d+1-max(len(o.Start), d):], o.Start)
	return &plain{x: x, theta: theta, noIntercept: o.NoIntercept}, theta, nil
}

// signs returns +1 for class k and -1 for the others.
func signs(y []int, k int) []float64 {
	s := make([]float64, len(y))
	for i, c := range y {
		s[i] = -1
		if c == k {
			s[i] = 1
		}
	}
	return s
}
