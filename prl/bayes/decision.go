package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Decision is the fluent form of a Bayesian decision between Gaussian classes:
//
//	bayes.New().Priors(0.7, 0.3).Gaussian(0, 1).Gaussian(2, 1).Loss([]float64{0, 1}, []float64{1, 0})
//
// It is a value: every step returns a changed copy. Without Priors the classes are equally probable; without Loss wrong decisions cost one.
type Decision struct {
	fault.Chain
	priors  []float64
	class   []*Gaussian
	loss    LossTable
	names   []string
	actions []string
}

// New begins a decision problem without classes.
func New() Decision { return Decision{Chain: fault.Start("Bayes")} }

// Priors sets p(y), one probability a class.
func (d Decision) Priors(p ...float64) Decision {
	d.Chain = d.Step("Priors", fault.Args(p)...).Break(estimator.CheckProbabilities("", "Priors", p))
	d.priors = slices.Clone(p)
	return d
}

// Gaussian adds a class on the line with the density N(mean, sd^2); sd is the standard deviation.
func (d Decision) Gaussian(mean, sd float64) Decision {
	g, err := Normal(mean, sd)
	return d.add(d.Step("Gaussian", mean, sd).Break(err), g)
}

// GaussianIn adds a class with the density N(mean, cov) in len(mean) dimensions; cov is given by rows and must be symmetric.
func (d Decision) GaussianIn(mean []float64, cov ...[]float64) Decision {
	args := []any{mean}
	for _, r := range cov {
		args = append(args, r)
	}
	c := d.Step("GaussianIn", args...)
	n := len(mean)
	square := n > 0 && len(cov) == n
	for _, r := range cov {
		square = square && len(r) == n
	}
	if !square {
		return d.add(c.Break(fault.Argument("", "cov", fmt.Sprint(cov), fmt.Sprintf("%d rows of %d numbers like the mean", n, n), "")), nil)
	}
	S := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			if cov[i][j] != cov[j][i] {
				return d.add(c.Break(fault.Argument("", "cov", fmt.Sprint(cov), "symmetric", "")), nil)
			}
			S.SetSym(i, j, cov[i][j])
		}
	}
	g, err := NewGaussian(mean, S)
	return d.add(c.Break(err), g)
}

func (d Decision) add(c fault.Chain, g *Gaussian) Decision {
	d.Chain = c
	d.class = append(d.class[:len(d.class):len(d.class)], g)
	return d
}

// Loss sets the loss table, one row an action, one column a class.
func (d Decision) Loss(rows ...[]float64) Decision {
	l, err := NewLoss(rows...)
	args := make([]any, len(rows))
	for i, r := range rows {
		args[i] = r
	}
	d.Chain = d.Step("Loss", args...).Break(err)
	d.loss = l
	return d
}

// Reject sets the zero-one loss with a last action "reject" of the given cost.
func (d Decision) Reject(cost float64) Decision {
	d.Chain = d.Step("Reject", cost)
	if !(cost >= 0 && cost <= 1) {
		d.Chain = d.Break(fault.Argument("", "cost", cost, "a number from 0 to 1", ""))
	}
	d.loss = Reject(len(d.class), cost)
	return d
}

// Names names the classes, in the order in which they were added.
func (d Decision) Names(names ...string) Decision {
	d.Chain = d.Step("Names", fault.Args(names)...)
	d.names = slices.Clone(names)
	return d
}

// Actions names the rows of the loss table.
func (d Decision) Actions(names ...string) Decision {
	d.Chain = d.Step("Actions", fault.Args(names)...)
	d.actions = slices.Clone(names)
	return d
}

// build returns the numerics' model and loss table, or the first error of the chain.
func (d Decision) build() (*Model, LossTable, error) {
	if err := d.Err(); err != nil {
		return nil, nil, err
	}
	k := len(d.class)
	fail := func(err error) (*Model, LossTable, error) { return nil, nil, d.Break(err).Err() }
	if k == 0 {
		return fail(fault.Argument("", "the number of classes", 0, "at least 1", "add one with .Gaussian(mean, sd)"))
	}
	priors := d.priors
	if priors == nil {
		for range k {
			priors = append(priors, 1/float64(k))
		}
	}
	m, err := NewModel(priors, d.class...)
	if err != nil {
		return fail(err)
	}
	loss := d.loss
	if loss == nil {
		loss = ZeroOne(k)
	}
	if err := loss.check("", k); err != nil {
		return fail(err)
	}
	if d.names != nil && len(d.names) != k {
		return fail(fault.Argument("", "Names", fmt.Sprintf("%d names", len(d.names)), fmt.Sprintf("one for each of the %d classes", k), ""))
	}
	if d.actions != nil && len(d.actions) != len(loss) {
		return fail(fault.Argument("", "Actions", fmt.Sprintf("%d names", len(d.actions)), fmt.Sprintf("one for each of the %d rows of the loss table", len(loss)), ""))
	}
	return m, loss, nil
}

// line is build for the methods that need one dimension.
func (d Decision) line() (*Model, LossTable, error) {
	m, loss, err := d.build()
	if err == nil && m.Dim() != 1 {
		err = d.Break(fault.Argument("", "the problem", fmt.Sprintf("%d-dimensional", m.Dim()), "one-dimensional for this", "use .Regions(), .Rule(x...) and .MonteCarlo(n, seed)")).Err()
	}
	return m, loss, err
}

// at is build for the ends that take a point.
func (d Decision) at(step string, x []float64) (*Model, LossTable, error) {
	m, loss, err := d.build()
	if err == nil && len(x) != m.Dim() {
		err = d.Step(step, fault.Args(x)...).Break(fault.Argument("", "x", fmt.Sprintf("%d numbers", len(x)), fmt.Sprintf("%d numbers", m.Dim()), "")).Err()
	}
	return m, loss, err
}

// threshold is line for the ends about a threshold, which parts two classes by two actions.
func (d Decision) threshold(step string, args ...any) (*Model, LossTable, error) {
	m, loss, err := d.line()
	if err == nil && (m.Classes() != 2 || len(loss) != 2) {
		err = d.Step(step, args...).Break(fault.Argument("", "the problem", fmt.Sprintf("one with %d classes and %d actions", m.Classes(), len(loss)), "one with two classes and two actions", "")).Err()
	}
	return m, loss, err
}

// number ends the chain with what f makes of a problem on the line.
func (d Decision) number(f func(*Model, LossTable) (float64, error)) float64 {
	m, loss, err := d.line()
	if err != nil {
		cell.Fail(err)
	}
	return cell.Must(f(m, loss))
}

func (d Decision) className(k int) string {
	if d.names != nil {
		return d.names[k]
	}
	return "class " + strconv.Itoa(k)
}

func (d Decision) classNames() []string {
	n := make([]string, len(d.class))
	for k := range n {
		n[k] = d.className(k)
	}
	return n
}

func (d Decision) actionName(a int) string {
	switch {
	case d.actions != nil:
		return d.actions[a]
	case a < len(d.class):
		return d.className(a)
	case a == len(d.class):
		return "reject"
	}
	return "action " + strconv.Itoa(a)
}

// Model returns the joint law p(x, y) for programs. A broken chain fails the cell.
func (d Decision) Model() *Model {
	m, _, err := d.build()
	return cell.Must(m, err)
}

// LossTable returns the loss table in use. A broken chain fails the cell.
func (d Decision) LossTable() LossTable {
	_, loss, err := d.build()
	return cell.Must(loss, err)
}

// Rule returns the action of least conditional risk at x.
func (d Decision) Rule(x ...float64) int {
	m, loss, err := d.at("Rule", x)
	if err != nil {
		cell.Fail(err)
	}
	return m.Decide(loss, x...)
}

// Cuts returns the points of the line at which the Bayes rule changes its action.
func (d Decision) Cuts() []float64 {
	m, loss, err := d.line()
	if err != nil {
		cell.Fail(err)
	}
	return cell.Must(m.Rule(loss)).Cuts
}

// Error returns the Bayes risk of a problem on the line, in closed form: the Bayes error when the loss is zero-one.
func (d Decision) Error() float64 { return d.number((*Model).BayesRisk) }

// Quadrature returns the Bayes risk by numerical integration.
func (d Decision) Quadrature() float64 {
	return d.number(func(m *Model, loss LossTable) (float64, error) { return m.QuadratureRisk(loss, nil) })
}

// ThresholdRisk returns the risk of deciding action 0 below t and action 1 from t on.
func (d Decision) ThresholdRisk(t float64) float64 {
	return d.number(func(m *Model, loss LossTable) (float64, error) { return m.RiskOf(loss, Threshold(t)) })
}

// MonteCarlo estimates the Bayes risk in any dimension from n draws.
func (d Decision) MonteCarlo(n int, seed uint64) Estimate {
	m, loss, err := d.build()
	if err != nil {
		cell.Fail(err)
	}
	e, err := m.MonteCarloRisk(context.Background(), loss, nil, n, seed)
	if err != nil {
		cell.Fail(d.Step("MonteCarlo", n, seed).Break(err).Err())
	}
	return e
}

// At returns the numbers of a decision at x: prior, likelihood, joint density and posterior of each class.
func (d Decision) At(x ...float64) cell.Table {
	m, _, err := d.at("At", x)
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("class", "prior p(y)", "likelihood p(x|y)", "joint p(x, y)", "posterior p(y|x)").Title("Belief at x = " + cell.Value(x, 4))
	post, joint := m.Posterior(x...), m.Joint(x...)
	for k := range post {
		t = t.Row(d.className(k), m.priors[k], m.class[k].Density(x...), joint[k], post[k])
		if k == MAP(post) {
			t = t.Strong()
		}
	}
	return t.Note("evidence p(x) = " + cell.Number(m.Evidence(x...)))
}

// RiskAt returns the conditional risk of each action at x.
func (d Decision) RiskAt(x ...float64) cell.Table {
	m, loss, err := d.at("RiskAt", x)
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("action", "conditional risk R(a|x)").Title("Risk at x = " + cell.Value(x, 4))
	r := m.Risks(loss, x...)
	for a, v := range r {
		t = t.Row(d.actionName(a), v)
		if a == argmin(r) {
			t = t.Strong()
		}
	}
	return t
}

// Risk returns the risk of the Bayes rule beside that of every constant rule.
func (d Decision) Risk() cell.Table {
	m, loss, err := d.line()
	if err != nil {
		return cell.BrokenTable(err)
	}
	rule, err := m.Rule(loss)
	if err != nil {
		return cell.BrokenTable(err)
	}
	best, err := m.RiskOf(loss, rule)
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("rule", "risk").Row("Bayes rule", best).Strong()
	for a := range loss {
		v, err := m.RiskOf(loss, Intervals{Actions: []int{a}})
		if err != nil {
			return cell.BrokenTable(err)
		}
		t = t.Row("always "+d.actionName(a), v)
	}
	return t.Note("the Bayes rule changes its action at x = " + cell.Value(rule.Cuts, 6))
}

// view is the part of the line that holds all classes.
func (m *Model) view() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, g := range m.class {
		sd := g.factor.SD()
		lo, hi = min(lo, g.mean[0]-3.5*sd), max(hi, g.mean[0]+3.5*sd)
	}
	return lo, hi
}

// Densities draws p(y) p(x|y) of every class, and p(x) above them.
func (d Decision) Densities() *plotting.Figure {
	m, loss, err := d.line()
	if err != nil {
		return plotting.Fault(err)
	}
	lo, hi := m.view()
	fig := plotting.New()
	for k := range m.class {
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Joint(x)[k] }, lo, hi).Class(d.className(k)).Fill())
	}
	fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Evidence(x) }, lo, hi).Name("p(x)").Muted().Dash())
	rule, err := m.Rule(loss)
	if err != nil {
		return plotting.Fault(err)
	}
	return mark(fig, rule, lo, hi).X("x").Y("p(x, y)").Title("Class-weighted densities")
}

// mark adds the points in view at which the rule changes its action.
func mark(fig *plotting.Figure, rule Intervals, lo, hi float64) *plotting.Figure {
	cuts := slices.DeleteFunc(slices.Clone(rule.Cuts), func(x float64) bool { return x < lo || x > hi })
	if len(cuts) == 0 {
		return fig
	}
	return fig.Add(plotting.VRule(cuts...).Dash().Muted())
}

// Posterior draws p(y|x) of every class, with the points at which the Bayes rule changes.
func (d Decision) Posterior() *plotting.Figure {
	m, loss, err := d.line()
	if err != nil {
		return plotting.Fault(err)
	}
	lo, hi := m.view()
	fig := plotting.New()
	for k := range m.class {
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Posterior(x)[k] }, lo, hi).Class(d.className(k)))
	}
	rule, err := m.Rule(loss)
	if err != nil {
		return plotting.Fault(err)
	}
	return mark(fig, rule, lo, hi).X("x").Y("p(y|x)").YRange(0, 1).Title("Posterior")
}

// Risks draws R(a|x) of every action and, as the accented line, the least of them.
func (d Decision) Risks() *plotting.Figure {
	m, loss, err := d.line()
	if err != nil {
		return plotting.Fault(err)
	}
	lo, hi := m.view()
	fig := plotting.New()
	for a := range loss {
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Risks(loss, x)[a] }, lo, hi).Class(d.actionName(a)))
	}
	return fig.Add(plotting.Curve(func(x float64) float64 { return slices.Min(m.Risks(loss, x)) }, lo, hi).Name("least risk").Accent().Dash()).
		X("x").Y("R(a|x)").Title("Conditional risk")
}

// Threshold draws the class-weighted densities with the error of deciding class 0 below t and class 1 from t on shaded. It needs two classes and
// a 2 x 2 loss table.
func (d Decision) Threshold(t float64) *plotting.Figure {
	m, loss, err := d.threshold("Threshold", t)
	if err != nil {
		return plotting.Fault(err)
	}
	risk, err := m.RiskOf(loss, Threshold(t))
	if err != nil {
		return plotting.Fault(err)
	}
	lo, hi := m.view()
	fig := plotting.New()
	const n = 120
	for k, side := range [][2]float64{{min(max(t, lo), hi), hi}, {lo, min(max(t, lo), hi)}} {
		x, y := make([]float64, n+1), make([]float64, n+1)
		for i := range x {
			x[i] = side[0] + (side[1]-side[0])*float64(i)/n
			y[i] = m.Joint(x[i])[k]
		}
		if side[1] > side[0] {
			fig = fig.Add(plotting.Area(x, y).Class(d.className(k)).Opacity(0.45))
		}
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return m.Joint(x)[k] }, lo, hi).Class(d.className(k)))
	}
	return fig.Add(plotting.VRule(t).Accent()).X("x").Y("p(x, y)").Title("Risk " + cell.Number(risk) + " with threshold " + cell.Number(t))
}

// ThresholdCurve draws the risk of a threshold rule over its threshold, and the Bayes risk below which it cannot fall.
func (d Decision) ThresholdCurve() *plotting.Figure {
	m, loss, err := d.threshold("ThresholdCurve")
	if err != nil {
		return plotting.Fault(err)
	}
	best, err := m.BayesRisk(loss)
	if err != nil {
		return plotting.Fault(err)
	}
	lo, hi := m.view()
	return plotting.New(
		plotting.Curve(func(t float64) float64 { v, _ := m.RiskOf(loss, Threshold(t)); return v }, lo, hi).Name("risk of the threshold rule"),
		plotting.HRule(best).Name("Bayes risk").Accent().Dash(),
	).X("threshold").Y("risk").Title("Risk of a threshold rule")
}

// Ratio draws the log of the likelihood ratio p(x|0)/p(x|1) of two classes with the threshold that the priors and the loss put on it.
func (d Decision) Ratio() *plotting.Figure {
	m, loss, err := d.line()
	if err == nil && m.Classes() != 2 {
		err = d.Step("Ratio").Break(fault.Argument("", "the number of classes", m.Classes(), "2", "")).Err()
	}
	if err != nil {
		return plotting.Fault(err)
	}
	theta, err := LikelihoodRatioThreshold(loss, m.priors)
	if err != nil {
		return plotting.Fault(d.Step("Ratio").Break(err).Err())
	}
	lo, hi := m.view()
	return plotting.New(
		plotting.Curve(func(x float64) float64 { return m.class[0].LogDensity(x) - m.class[1].LogDensity(x) }, lo, hi).Name("log likelihood ratio"),
		plotting.HRule(math.Log(theta)).Name("log θ").Accent().Dash(),
	).X("x").Y("log p(x|0)/p(x|1)").Title("Decide " + d.actionName(0) + " above the threshold")
}

// ErrorReject draws Chow's trade-off: the error over the rate of rejection as the cost of rejecting runs from 1 - 1/K to 0.
func (d Decision) ErrorReject() *plotting.Figure {
	m, _, err := d.line()
	if err != nil {
		return plotting.Fault(err)
	}
	var costs []float64
	for i := range 81 {
		costs = append(costs, (1-1/float64(m.Classes()))*(1-float64(i)/80))
	}
	points, err := m.ErrorReject(costs...)
	if err != nil {
		return plotting.Fault(err)
	}
	x, y := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		x[i], y[i] = p.Reject, p.Error
	}
	return plotting.New(plotting.Line(x, y).Name("Chow's rule")).X("rate of rejection").Y("rate of error").Title("Error-reject trade-off")
}

// Regions draws the decision regions of a problem in the plane with the two-sigma ellipses of the classes.
func (d Decision) Regions() *plotting.Figure {
	m, loss, err := d.build()
	if err == nil && m.Dim() != 2 {
		err = d.Step("Regions").Break(fault.Argument("", "the problem", fmt.Sprintf("%d-dimensional", m.Dim()), "two-dimensional", "")).Err()
	}
	if err != nil {
		return plotting.Fault(err)
	}
	names := make([]string, len(loss))
	for a := range names {
		names[a] = d.actionName(a)
	}
	fig := plotting.New(plotting.Regions(func(x, y float64) int { return m.Decide(loss, x, y) }, names...))
	for k, g := range m.class {
		fig = fig.Add(plotting.Ellipse(g.mean, g.Cov()).Sigma(2).Class(d.className(k)))
	}
	return fig.X("x1").Y("x2").Title("Decision regions")
}

// Show displays the densities beside the posterior on the line, the regions in the plane, and a table of the classes otherwise.
func (d Decision) Show() {
	m, _, err := d.build()
	switch {
	case err != nil:
		cell.Fail(err)
	case m.Dim() == 1:
		plotting.Row(d.Densities(), d.Posterior()).Show()
	case m.Dim() == 2:
		d.Regions().Show()
	default:
		t := cell.NewTable("class", "prior", "mean")
		for k, g := range m.class {
			t = t.Row(d.className(k), m.priors[k], g.mean)
		}
		t.Show()
	}
}
