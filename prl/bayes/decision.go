package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Decision is a Bayesian decision between Gaussian classes that are known, described step by step:
//
//	PlanDecision().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1).Loss([]float64{0, 1}, []float64{1, 0})
//
// Without Priors the classes are equally probable; without Loss wrong decisions cost one.
type Decision struct {
	plan.Plan[*Law, problem]
}

// problem is what the steps of a decision set.
type problem struct {
	priors    []float64
	class     []*Gaussian
	loss      LossTable
	rejecting bool // zero-one loss and a last action of the cost
	cost      float64
	names     []string
	actions   []string
}

// PlanDecision begins a decision problem without classes.
func PlanDecision() Decision {
	return Decision{plan.New(plan.Spec[*Law, problem]{
		Name: "Bayes", Needs: plan.Nothing,
		Check: func(step string, o problem) error {
			if o.priors != nil {
				if err := estimator.CheckProbabilities(step, "Priors", o.priors); err != nil {
					return err
				}
			}
			if o.rejecting && !(o.cost >= 0 && o.cost <= 1) {
				return fault.Argument(step, "cost", o.cost, "a number from 0 to 1", "")
			}
			return nil
		},
		Fit: func(_ context.Context, _ datasets.Set, o problem) (*Law, error) { return o.law() },
	})}
}

// law returns the joint law of the problem, or what its parts lack.
func (o problem) law() (*Law, error) {
	k := len(o.class)
	if k == 0 {
		return nil, fault.Argument("", "the number of classes", 0, "at least 1", "add one with .Gaussian(mean, sd)")
	}
	priors := o.priors
	if priors == nil {
		for range k {
			priors = append(priors, 1/float64(k))
		}
	}
	m, err := NewLaw(priors, o.class...)
	if err != nil {
		return nil, err
	}
	loss := o.table()
	if err := loss.check("", k); err != nil {
		return nil, err
	}
	if o.names != nil && len(o.names) != k {
		return nil, fault.Argument("", "Names", fmt.Sprintf("%d names", len(o.names)), fmt.Sprintf("one for each of the %d classes", k), "")
	}
	if o.actions != nil && len(o.actions) != len(loss) {
		need := fmt.Sprintf("one for each of the %d rows of the loss table", len(loss))
		return nil, fault.Argument("", "Actions", fmt.Sprintf("%d names", len(o.actions)), need, "")
	}
	return m, nil
}

// table returns the loss table in use.
func (o problem) table() LossTable {
	switch {
	case o.loss != nil:
		return o.loss
	case o.rejecting:
		return Reject(len(o.class), o.cost)
	}
	return ZeroOne(len(o.class))
}

func (o problem) className(k int) string {
	if o.names != nil {
		return o.names[k]
	}
	return "class " + strconv.Itoa(k)
}

func (o problem) actionName(a int) string {
	switch {
	case o.actions != nil:
		return o.actions[a]
	case a < len(o.class):
		return o.className(a)
	case a == len(o.class):
		return "reject"
	}
	return "action " + strconv.Itoa(a)
}

// Priors sets the probabilities of the classes: p(y), one probability a class.
func (d Decision) Priors(priors ...float64) Decision {
	priors = slices.Clone(priors)
	return plan.With(d, "Priors", func(o *problem) { o.priors = priors }, fault.Args(priors)...)
}

// Gaussian adds a class on the line with the density N(mean, sd^2); sd is the standard deviation.
func (d Decision) Gaussian(mean, sd float64) Decision {
	g, err := Normal(mean, sd)
	return d.add("Gaussian", g, err, mean, sd)
}

// GaussianIn adds a class with the density N(mean, cov) in len(mean) dimensions; cov is given by rows and must be symmetric.
func (d Decision) GaussianIn(mean []float64, cov ...[]float64) Decision {
	S, err := symmetricOf(cov, len(mean))
	var g *Gaussian
	if err == nil {
		g, err = NewGaussian(mean, S)
	}
	return d.add("GaussianIn", g, err, append([]any{mean}, fault.Args(cov)...)...)
}

func symmetricOf(rows [][]float64, n int) (*mat.SymDense, error) {
	square := n > 0 && len(rows) == n
	for _, r := range rows {
		square = square && len(r) == n
	}
	if !square {
		return nil, fault.Argument("", "cov", fmt.Sprint(rows), fmt.Sprintf("%d rows of %d numbers like the mean", n, n), "")
	}
	S := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			if rows[i][j] != rows[j][i] {
				return nil, fault.Argument("", "cov", fmt.Sprint(rows), "symmetric", "")
			}
			S.SetSym(i, j, rows[i][j])
		}
	}
	return S, nil
}

func (d Decision) add(step string, g *Gaussian, err error, args ...any) Decision {
	if err != nil {
		return plan.Broken(d, step, err, args...)
	}
	return plan.With(d, step, func(o *problem) { o.class = append(slices.Clip(o.class), g) }, args...)
}

// Loss sets the loss of each answer (row) for each true class (column); an answer is an action.
func (d Decision) Loss(rows ...[]float64) Decision {
	l, err := NewLoss(rows...)
	if err != nil {
		return plan.Broken(d, "Loss", err, fault.Args(rows)...)
	}
	return plan.With(d, "Loss", func(o *problem) { o.loss, o.rejecting = l, false }, fault.Args(rows)...)
}

// Reject sets the zero-one loss with a last action "reject" of the given cost, from 0 to 1.
func (d Decision) Reject(cost float64) Decision {
	return plan.With(d, "Reject", func(o *problem) { o.loss, o.rejecting, o.cost = nil, true, cost }, cost)
}

// Names names the classes, in the order in which they were added.
func (d Decision) Names(names ...string) Decision {
	names = slices.Clone(names)
	return plan.With(d, "Names", func(o *problem) { o.names = names }, fault.Args(names)...)
}

// Actions names the rows of the loss table.
func (d Decision) Actions(names ...string) Decision {
	names = slices.Clone(names)
	return plan.With(d, "Actions", func(o *problem) { o.actions = names }, fault.Args(names)...)
}

func checkLine(step string, m *Law) error {
	if m.Dim() != 1 {
		remedy := "use .Regions(), .Action(x...) or .MonteCarlo(n, seed)"
		return fault.Argument(step, "the problem", fmt.Sprintf("%d-dimensional", m.Dim()), "one-dimensional", remedy)
	}
	return nil
}

// Action returns the action of least conditional risk at x, a row of the loss table from 0: the class to decide for, or to reject.
func (d Decision) Action(x ...float64) int {
	return plan.Value(d, "Action", func(m *Law) (int, error) {
		if err := estimator.CheckPoint("Action", x, m.Dim()); err != nil {
			return 0, err
		}
		return m.Decide(plan.Options(d).table(), x...), nil
	}, fault.Args(x)...)
}

// Cuts returns the points of the line at which the Bayes rule changes its action.
func (d Decision) Cuts() []float64 {
	return plan.Value(d, "Cuts", func(m *Law) ([]float64, error) {
		if err := checkLine("Cuts", m); err != nil {
			return nil, err
		}
		rule, err := m.Rule(plan.Options(d).table())
		return rule.Cuts, err
	})
}

// BayesRisk returns the least risk of a problem on the line, in closed form: the Bayes error when the loss is zero-one.
func (d Decision) BayesRisk() float64 {
	return plan.Value(d, "BayesRisk", func(m *Law) (float64, error) {
		if err := checkLine("BayesRisk", m); err != nil {
			return 0, err
		}
		return m.BayesRisk(plan.Options(d).table())
	})
}

// ThresholdRisk returns the risk of deciding action 0 below t and action 1 from t on.
func (d Decision) ThresholdRisk(t float64) float64 {
	return plan.Value(d, "ThresholdRisk", func(m *Law) (float64, error) {
		if err := checkLine("ThresholdRisk", m); err != nil {
			return 0, err
		}
		return m.RiskOf(plan.Options(d).table(), Threshold(t))
	}, t)
}

// MonteCarlo estimates the Bayes risk in any dimension from n draws.
func (d Decision) MonteCarlo(n int, seed uint64) Estimate {
	return plan.Value(d, "MonteCarlo", func(m *Law) (Estimate, error) {
		return m.MonteCarloRisk(context.Background(), plan.Options(d).table(), nil, n, seed)
	}, n, seed)
}

// Decide returns the numbers of a decision at x: prior, likelihood, joint density and posterior of each class.
func (d Decision) Decide(x ...float64) cell.Table {
	return plan.Table(d, "Decide", func(m *Law) (t cell.Table, err error) {
		if err = estimator.CheckPoint("Decide", x, m.Dim()); err != nil {
			return t, err
		}
		t = cell.NewTable("class", "prior p(y)", "likelihood p(x|y)", "joint p(x, y)", "posterior p(y|x)").
			Title("Belief at x = " + cell.Value(x, 4))
		post, joint := m.Posterior(x...), m.Joint(x...)
		for k := range post {
			t = t.Row(plan.Options(d).className(k), m.priors[k], m.class[k].Density(x...), joint[k], post[k])
			if k == MAP(post) {
				t = t.Strong()
			}
		}
		return t.Note("evidence p(x) = " + cell.Number(m.Evidence(x...))), nil
	}, fault.Args(x)...)
}

// RiskAt returns the conditional risk of each action at x.
func (d Decision) RiskAt(x ...float64) cell.Table {
	return plan.Table(d, "RiskAt", func(m *Law) (t cell.Table, err error) {
		if err = estimator.CheckPoint("RiskAt", x, m.Dim()); err != nil {
			return t, err
		}
		t = cell.NewTable("action", "conditional risk R(a|x)").Title("Risk at x = " + cell.Value(x, 4))
		r := m.Risks(plan.Options(d).table(), x...)
		for a, v := range r {
			t = t.Row(plan.Options(d).actionName(a), v)
			if a == argmin(r) {
				t = t.Strong()
			}
		}
		return t, nil
	}, fault.Args(x)...)
}

// Policies returns the risk of the Bayes rule of a problem on the line beside that of every constant rule.
func (d Decision) Policies() cell.Table {
	return plan.Table(d, "Policies", func(m *Law) (t cell.Table, err error) {
		if err = checkLine("Policies", m); err != nil {
			return t, err
		}
		o := plan.Options(d)
		loss := o.table()
		rule, err := m.Rule(loss)
		if err != nil {
			return t, err
		}
		best, err := m.RiskOf(loss, rule)
		if err != nil {
			return t, err
		}
		t = cell.NewTable("rule", "risk").Row("Bayes rule", best).Strong()
		for a := range loss {
			v, err := m.RiskOf(loss, Intervals{Actions: []int{a}})
			if err != nil {
				return t, err
			}
			t = t.Row("always "+o.actionName(a), v)
		}
		return t.Note("the Bayes rule changes its action at x = " + cell.Value(rule.Cuts, 6)), nil
	})
}

// Table lists parameters and diagnostics: the prior and the mean of every class and log det of its covariance.
func (d Decision) Table() cell.Table {
	return plan.Table(d, "Table", func(m *Law) (cell.Table, error) {
		t := cell.NewTable("class", "prior", "mean", "log det S")
		for k, g := range m.class {
			t = t.Row(plan.Options(d).className(k), m.priors[k], g.mean, g.LogDet())
		}
		return t, nil
	})
}

// view is the part of the line that holds all classes.
func (m *Law) view() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, g := range m.class {
		sd := g.factor.SD()
		lo, hi = min(lo, g.mean[0]-3.5*sd), max(hi, g.mean[0]+3.5*sd)
	}
	return lo, hi
}

// densities draws p(y) p(x|y) of every class, with the points in view at which the Bayes rule changes its action.
func (m *Law) densities(loss LossTable, name func(k int) string, lo, hi float64) (*plotting.Figure, error) {
	fig := plotting.New()
	for k := range m.class {
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Joint(x)[k] }, lo, hi).Class(name(k)).Fill())
	}
	return m.mark(fig, loss, lo, hi)
}

// mark adds the points in view at which the Bayes rule changes its action.
func (m *Law) mark(fig *plotting.Figure, loss LossTable, lo, hi float64) (*plotting.Figure, error) {
	rule, err := m.Rule(loss)
	if err != nil {
		return nil, err
	}
	cuts := slices.DeleteFunc(slices.Clone(rule.Cuts), func(x float64) bool { return x < lo || x > hi })
	if len(cuts) == 0 {
		return fig, nil
	}
	return fig.Add(plotting.VRule(cuts...).Dash().Muted()), nil
}

// line draws a problem on the line, over the part of it that holds all classes.
func (d Decision) line(step string, draw func(m *Law, o problem, lo, hi float64) (*plotting.Figure, error), args ...any) *plotting.Figure {
	return plan.Figure(d, step, func(m *Law) (*plotting.Figure, error) {
		if err := checkLine(step, m); err != nil {
			return nil, err
		}
		lo, hi := m.view()
		return draw(m, plan.Options(d), lo, hi)
	}, args...)
}

// Densities draws the densities of the classes over one feature: p(y) p(x|y) of every class, and p(x) above them.
func (d Decision) Densities() *plotting.Figure {
	return d.line("Densities", func(m *Law, o problem, lo, hi float64) (*plotting.Figure, error) {
		fig, err := m.densities(o.table(), o.className, lo, hi)
		if err != nil {
			return nil, err
		}
		evidence := plotting.Curve(func(x float64) float64 { return m.Evidence(x) }, lo, hi).Name("p(x)").Muted().Dash()
		return fig.Add(evidence).X("x").Y("p(x, y)").Title("Class-weighted densities"), nil
	})
}

// Posteriors draws p(y|x) of every class, with the points at which the Bayes rule changes its action.
func (d Decision) Posteriors() *plotting.Figure {
	return d.line("Posteriors", func(m *Law, o problem, lo, hi float64) (*plotting.Figure, error) {
		fig := plotting.New()
		for k := range m.class {
			fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Posterior(x)[k] }, lo, hi).Class(o.className(k)))
		}
		fig, err := m.mark(fig, o.table(), lo, hi)
		if err != nil {
			return nil, err
		}
		return fig.X("x").Y("p(y|x)").YRange(0, 1).Title("Posteriors"), nil
	})
}

// Risks draws R(a|x) of every action and, as the accented line, the least of them.
func (d Decision) Risks() *plotting.Figure {
	return d.line("Risks", func(m *Law, o problem, lo, hi float64) (*plotting.Figure, error) {
		fig, loss := plotting.New(), o.table()
		for a := range loss {
			fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Risks(loss, x)[a] }, lo, hi).Class(o.actionName(a)))
		}
		least := plotting.Curve(func(x float64) float64 { return slices.Min(m.Risks(loss, x)) }, lo, hi).
			Name("least risk").
			Accent().
			Dash().
			Width(4)
		return fig.Add(least).X("x").Y("R(a|x)").Title("Conditional risk"), nil
	})
}

// Threshold draws the class-weighted densities with the error of deciding class 0 below t and class 1 from t on shaded. It needs two
// classes and a 2 x 2 loss table.
func (d Decision) Threshold(t float64) *plotting.Figure {
	return d.line("Threshold", func(m *Law, o problem, lo, hi float64) (*plotting.Figure, error) {
		loss := o.table()
		if m.Classes() != 2 || len(loss) != 2 {
			got := fmt.Sprintf("one with %d classes and %d actions", m.Classes(), len(loss))
			return nil, fault.Argument("Threshold", "the problem", got, "one with two classes and two actions", "")
		}
		risk, err := m.RiskOf(loss, Threshold(t))
		if err != nil {
			return nil, err
		}
		fig := plotting.New()
		const n = 120
		for k, side := range [][2]float64{{min(max(t, lo), hi), hi}, {lo, min(max(t, lo), hi)}} {
			x, y := make([]float64, n+1), make([]float64, n+1)
			for i := range x {
				x[i] = side[0] + (side[1]-side[0])*float64(i)/n
				y[i] = m.Joint(x[i])[k]
			}
			if side[1] > side[0] {
				fig = fig.Add(plotting.Area(x, y).Class(o.className(k)).Opacity(0.45))
			}
			fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Joint(x)[k] }, lo, hi).Class(o.className(k)))
		}
		title := "Risk " + cell.Number(risk) + " with threshold " + cell.Number(t)
		return fig.Add(plotting.VRule(t).Accent()).X("x").Y("p(x, y)").Title(title), nil
	}, t)
}

// Regions draws data of two features over the regions of the classes: those of a problem in the plane, with the two-sigma
// ellipses of the classes.
func (d Decision) Regions() *plotting.Figure {
	return plan.Figure(d, "Regions", func(m *Law) (*plotting.Figure, error) {
		if m.Dim() != 2 {
			return nil, fault.Argument("Regions", "the problem", fmt.Sprintf("%d-dimensional", m.Dim()), "two-dimensional", "")
		}
		o := plan.Options(d)
		loss := o.table()
		names := make([]string, len(loss))
		for a := range names {
			names[a] = o.actionName(a)
		}
		fig := plotting.New(plotting.Regions(func(x, y float64) int { return m.Decide(loss, x, y) }, names...))
		for k, g := range m.class {
			fig = fig.Add(plotting.Ellipse(g.mean, g.Cov()).Sigma(2).Class(o.className(k)))
		}
		return fig.X("x1").Y("x2").Title("Decision regions"), nil
	})
}

// Show shows the picture or table that says most: the densities beside the posterior on the line, the regions in the plane, and the table
// of the classes otherwise.
func (d Decision) Show() {
	m, err := d.Fitted()
	switch {
	case err == nil && m.Dim() == 1:
		plotting.Row(d.Densities(), d.Posteriors()).Show()
	case err == nil && m.Dim() == 2:
		d.Regions().Show()
	default:
		d.Table().Show()
	}
}
