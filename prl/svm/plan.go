package svm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// A Plan is a support vector machine described step by step, as one would say it: SVM().RBF(0.5).C(10).Fit(rings). It is an immutable value;
// nothing is computed until a number or a picture is asked for, and then once. Settings may also follow Fit: plan.C(1) is the same machine
// with another price.
//
// The first wrong step is remembered and reported by Show and the other ends of the chain; Err tells it to programs.
type Plan struct {
	cell.Outcome[*Model]
	set    datasets.Set
	data   bool
	o      Options
	traced cell.Outcome[*Trace]
}

// SVM begins a plan with the settings of DefaultOptions: linear kernel, linear slack, C = 1.
func SVM() Plan {
	return Plan{Outcome: cell.NewOutcome[*Model](fault.Start("SVM"), nil), o: DefaultOptions()}
}

// renew forgets results, which the changed settings no longer describe.
func (p Plan) renew() Plan {
	if !p.data {
		return p
	}
	set, o := p.set, p.o
	p.Outcome = cell.NewOutcome(p.Chain, func() (*Model, error) { return Fit(context.Background(), set.X, set.Y, o) })
	p.traced = cell.NewOutcome(p.Chain, func() (*Trace, error) {
		var t Trace
		o := o
		o.Trace, o.Probability = t.Add, false
		_, err := Fit(context.Background(), set.X, set.Y, o)
		return &t, err
	})
	return p
}

// step appends a step that changes the settings; the settings are checked at once, so that the error names the step.
func (p Plan) step(change func(*Options), name string, args ...any) Plan {
	p.Chain = p.Chain.Step(name, args...)
	change(&p.o)
	p.Chain = p.Chain.Break(p.o.check(name))
	return p.renew()
}

// Linear chooses the linear kernel.
func (p Plan) Linear() Plan {
	return p.step(func(o *Options) { o.Kernel = kernel.Linear{} }, "Linear")
}

// Poly chooses the polynomial kernel (gamma <a, b> + c)^degree; c is 1 and gamma is 1 unless given in this order.
func (p Plan) Poly(degree int, cGamma ...float64) Plan {
	k := kernel.Poly{Degree: degree, Gamma: 1, Coef0: 1}
	args := []any{degree}
	for i, v := range cGamma {
		switch i {
		case 0:
			k.Coef0 = v
		case 1:
			k.Gamma = v
		}
		args = append(args, v)
	}
	p = p.step(func(o *Options) { o.Kernel = k }, "Poly", args...)
	if len(cGamma) > 2 {
		p.Chain = p.Chain.Break(fault.Argument("Poly", "number of arguments", len(args), "at most 3", "degree, constant, gamma"))
	}
	return p
}

// RBF chooses the Gaussian kernel exp(-gamma |a - b|^2).
func (p Plan) RBF(gamma float64) Plan {
	return p.step(func(o *Options) { o.Kernel = kernel.RBF{Gamma: gamma} }, "RBF", gamma)
}

// Sigmoid chooses tanh(gamma <a, b> + c), which is not positive semi-definite in general.
func (p Plan) Sigmoid(gamma, c float64) Plan {
	return p.step(func(o *Options) { o.Kernel = kernel.Sigmoid{Gamma: gamma, Coef0: c} }, "Sigmoid", gamma, c)
}

// Kernel chooses any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix.
func (p Plan) Kernel(k kernel.Kernel) Plan {
	return p.step(func(o *Options) { o.Kernel = k }, "Kernel", k)
}

// C sets the price of slack. After HardMargin it is an error, since nothing there has that price.
func (p Plan) C(c float64) Plan {
	p = p.step(func(o *Options) { o.C = c }, "C", c)
	if p.o.Slack == HardMargin {
		p.Chain = p.Chain.Break(fault.Argument("C", "price of slack", c, "left out after HardMargin, which allows no slack", "put LinearSlack() or QuadraticSlack() before C"))
	}
	return p
}

// LinearSlack lets points break the margin at the price C xi.
func (p Plan) LinearSlack() Plan {
	return p.step(func(o *Options) { o.Slack = LinearSlack }, "LinearSlack")
}

// QuadraticSlack lets points break the margin at the price C/2 xi^2.
func (p Plan) QuadraticSlack() Plan {
	return p.step(func(o *Options) { o.Slack = QuadraticSlack }, "QuadraticSlack")
}

// HardMargin lets no point break the margin.
func (p Plan) HardMargin() Plan {
	return p.step(func(o *Options) { o.Slack = HardMargin }, "HardMargin")
}

// NoBias leaves out b.
func (p Plan) NoBias() Plan { return p.step(func(o *Options) { o.NoBias = true }, "NoBias") }

// ClassWeights multiplies C by a factor for each class.
func (p Plan) ClassWeights(w ...float64) Plan {
	return p.step(func(o *Options) { o.ClassWeights = w }, "ClassWeights", fault.Args(w)...)
}

// RowWeights multiplies C by a factor for each row; rows of weight 0 are left out.
func (p Plan) RowWeights(w []float64) Plan {
	return p.step(func(o *Options) { o.Weights = w }, "RowWeights", w)
}

// Tol sets the violation of the KKT conditions at which SMO stops; 1e-6 unless set.
func (p Plan) Tol(tol float64) Plan { return p.step(func(o *Options) { o.Tol = tol }, "Tol", tol) }

// Probability makes Proba work, for five more fits.
func (p Plan) Probability() Plan {
	return p.step(func(o *Options) { o.Probability = true }, "Probability")
}

// Fit names the data. They are used when a result is asked for.
func (p Plan) Fit(set datasets.Set) Plan {
	p.Chain = p.Chain.Step("Fit", set).Break(set.CheckClasses("Fit"))
	p.set, p.data = set, true
	if p.Chain.Err() == nil {
		p.Chain = p.Chain.Break(p.o.checkClassWeights("Fit", set.K()))
	}
	return p.renew()
}

// two returns the model of a two-class plan.
func (p Plan) two(method string) (*Model, error) {
	m, err := p.Fitted()
	if err == nil && m.K != 2 {
		err = p.Chain.Step(method).Break(fault.Argument(method, "number of classes", m.K, "2", "choose two with .Classes(a, b)")).Err()
	}
	return m, err
}

func (p Plan) must(method string) *Model { return cell.Must(p.two(method)) }

// Alpha returns the dual variables of a two-class machine, one for each row of the data set.
func (p Plan) Alpha() []float64 { return p.must("Alpha").Alpha() }

// Weights returns w of a two-class machine with a linear kernel.
func (p Plan) Weights() []float64 {
	p.must("Weights")
	return cell.Must(cell.End(p.Outcome, (*Model).Weights, "Weights"))[0]
}

// Bias returns b of a two-class machine.
func (p Plan) Bias() float64 { return p.must("Bias").Bias() }

// Margin returns 1/|w| of a two-class machine.
func (p Plan) Margin() float64 { return p.must("Margin").Margin() }

// Slacks returns xi_i = max(0, 1 - y_i f(x_i)) for the rows of the data set; 0 for rows of weight 0.
func (p Plan) Slacks() []float64 {
	return p.scatter("Slacks", (*Machine).Slacks)
}

// Margins returns the functional margins y_i f(x_i) for the rows of the data set; 0 for rows of weight 0.
func (p Plan) Margins() []float64 {
	return p.scatter("Margins", func(m *Machine) []float64 { return m.Margins })
}

func (p Plan) scatter(method string, f func(*Machine) []float64) []float64 {
	m := p.must(method)
	out, machine := make([]float64, m.N), m.machine(0)
	for i, v := range f(&machine) {
		out[machine.Rows[i]] = v
	}
	return out
}

// SupportVectors returns the rows that are support vectors.
func (p Plan) SupportVectors() []int { return p.Model().SupportRows() }

// Certificate returns the proof of optimality of a two-class machine.
func (p Plan) Certificate() Certificate { return p.must("Certificate").Certificate() }

// At returns f(x) of a two-class machine.
func (p Plan) At(x ...float64) float64 {
	m := p.must("At")
	if len(x) != m.D {
		cell.Fail(p.Chain.Step("At").Break(fault.Argument("At", "number of coordinates", len(x), fmt.Sprint(m.D), "")).Err())
		return math.NaN()
	}
	return m.Value(x...)
}

// Predict returns the classes of the rows of a set.
func (p Plan) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(p.Outcome, datasets.On(set, (*Model).Predict), "Predict", set))
}

// Accuracy returns the share of rows of a set that are classified right.
func (p Plan) Accuracy(test datasets.Set) float64 {
	return cell.Must(cell.End(p.Outcome, datasets.Accuracy(test, "Accuracy", (*Model).Predict), "Accuracy", test))
}

// Proba returns the n x K class probabilities of the rows of a set, after Probability.
func (p Plan) Proba(set datasets.Set) *mat.Dense {
	return cell.Must(cell.End(p.Outcome, datasets.On(set, (*Model).Proba), "Proba", set))
}

// Steps returns the steps SMO takes on a two-class plan.
func (p Plan) Steps() *Trace { return cell.Must(p.trace("Steps")) }

func (p Plan) trace(method string) (*Trace, error) {
	if _, err := p.two(method); err != nil {
		return nil, err
	}
	return p.traced.Fitted()
}

// LeaveOneOut trains n machines, each without one row, and compares the errors with the bounds; see LeaveOneOutErrors.
func (p Plan) LeaveOneOut() *LeaveOneOut {
	p.must("LeaveOneOut")
	return cell.Must(cell.End(p.Outcome, func(*Model) (*LeaveOneOut, error) {
		return LeaveOneOutErrors(context.Background(), p.set.X, p.set.Y, p.o, false)
	}, "LeaveOneOut"))
}
