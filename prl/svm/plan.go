package svm

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a support vector machine described step by step, as one would say it: PlanSVM().RBF(0.5).C(10).Fit(rings).
//
//plan:step Kernel Linear = kernel.Linear{}
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step Kernel Sigmoid(gamma, c float64) = kernel.Sigmoid{Gamma: gamma, Coef0: c}
//plan:step Kernel Kernel // any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix
//plan:step Slack LinearSlack() = LinearSlack // lets points break the margin at the price C xi
//plan:step Slack QuadraticSlack() = QuadraticSlack // lets points break the margin at the price C/2 xi^2
//plan:step Slack HardMargin() = HardMargin // lets no point break the margin
//plan:step NoBias NoBias // leaves out b
//plan:step ClassWeights ClassWeights // it multiplies C
//plan:step Balanced Balanced // it multiplies C by n / (K n_c) for a class of n_c rows
//plan:step Weights SampleWeights // it multiplies C; rows of weight 0 are left out
//plan:step Tol Tol // the violation of the KKT conditions in SMO; 1e-6 unless set
//plan:step Probability Probability // makes Proba work, for five more fits
//plan:step Seed Seed // of the folds for Probability; 1 unless set
//plan:step Kernel Poly(degree int, cGamma ...float64) =! kernel.PolyOf("Poly", degree, cGamma) // c is 1 and gamma is 1 unless given in
//plan:text this order
//plan:step Nu Nu(nu float64) =! estimator.Positive("Nu", "share", nu, 0.1) // in the place of the price of slack, the share of the rows of
//plan:text two classes that may break the margin, above 0 and at most 1, no more do, and no fewer become support vectors. The fit finds the
//plan:text price that belongs to it; see Model.Price
type Plan struct {
	plan.Classifier[*Model, Options]
}

// PlanSVM begins a plan with the settings of Options{}: linear kernel, linear slack, C = 1.
func PlanSVM() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Model, Options]{
		Name: "SVM", Options: Options{}.filled(), Needs: plan.Classes,
		Check: func(step string, o Options) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o Options) error {
			if err := estimator.CheckWeights(step, o.Weights, set.N()); err != nil {
				return err
			}
			return estimator.CheckFactors(step, o.ClassWeights, set.K())
		},
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Model, error) {
			return Fit(ctx, set.X, set.Y, o)
		},
	})}
}

// C sets the price of slack, or of errors beyond a tube: here of slack. After HardMargin it is an error, since nothing there has that
// price.
func (p Plan) C(c float64) Plan {
	if plan.Options(p).Slack == HardMargin {
		err := fault.Argument("C", "price of slack", c, "left out after HardMargin, which allows no slack",
			"put LinearSlack() or QuadraticSlack() before C")
		return plan.Broken(p, "C", err, c)
	}
	if nu := plan.Options(p).Nu; nu > 0 {
		return plan.Broken(p, "C", fault.Argument("C", "price of slack", c, "left out after Nu, which finds it", "drop one of the two"), c)
	}
	return plan.With(p, "C", func(o *Options) { o.C = c }, c)
}

// two returns f for machines of two classes.
func two[T any](step string, f func(*Model) (T, error)) func(*Model) (T, error) {
	return func(m *Model) (T, error) {
		if m.K != 2 {
			var none T
			return none, fault.Argument(step, "number of classes", m.K, "2", "choose two with .Classes(a, b)")
		}
		return f(m)
	}
}

// ofTwo is an end of the chain that tells something about a machine of two classes.
func ofTwo[T any](p Plan, step string, f func(*Model) T) T {
	return plan.Value(p, step, two(step, func(m *Model) (T, error) { return f(m), nil }))
}

// Alpha returns the dual variables of a two-class machine, one for each row of the data set.
func (p Plan) Alpha() []float64 { return ofTwo(p, "Alpha", (*Model).Alpha) }

// Weights returns w of a linear function: of a two-class machine with a linear kernel.
func (p Plan) Weights() []float64 {
	return plan.Value(p, "Weights", two("Weights", normal))
}

// normal returns w of a two-class machine with a linear kernel.
func normal(m *Model) ([]float64, error) {
	w, err := m.Weights()
	if err != nil {
		return nil, err
	}
	return w[0], nil
}

// Bias returns b of a function <w, phi(x)> + b: of a two-class machine.
func (p Plan) Bias() float64 { return ofTwo(p, "Bias", (*Model).Bias) }

// Margin returns 1/|w| of a two-class machine.
func (p Plan) Margin() float64 { return ofTwo(p, "Margin", (*Model).Margin) }

// Slacks returns xi_i = max(0, 1 - y_i f(x_i)) for the rows of the data set; 0 for rows of weight 0.
func (p Plan) Slacks() []float64 {
	return ofTwo(p, "Slacks", func(m *Model) []float64 { return m.byRow((*Machine).Slacks) })
}

// Margins returns y f(x) of each row of the fit: the functional margins; 0 for rows of weight 0.
func (p Plan) Margins() []float64 {
	return ofTwo(p, "Margins", func(m *Model) []float64 { return m.byRow(func(a *Machine) []float64 { return a.Margins }) })
}

// byRow returns what f tells of the rows of a two-class machine, for all rows of the data set.
func (m *Model) byRow(f func(*Machine) []float64) []float64 {
	out, machine := make([]float64, m.N), m.machine(0)
	for i, v := range f(&machine) {
		out[machine.Rows[i]] = v
	}
	return out
}

// SupportVectors returns the rows on which the fit rests.
func (p Plan) SupportVectors() []int { return p.Model().SupportRows() }

// Certificate returns the proof that the fit is optimal: of a two-class machine.
func (p Plan) Certificate() Certificate { return ofTwo(p, "Certificate", (*Model).Certificate) }

// Value returns f(x), the number on which the answer for a point rests: of a two-class machine.
func (p Plan) Value(x ...float64) float64 {
	return plan.Value(p, "Value", two("Value", func(m *Model) (float64, error) {
		return m.Value(x...), estimator.CheckPoint("Value", x, m.D)
	}), fault.Args(x)...)
}

// LeaveOneOut trains n machines, each without one row, and compares the errors with the bounds; see LeaveOneOutErrors.
func (p Plan) LeaveOneOut() *LeaveOneOut {
	return plan.Value(p, "LeaveOneOut", two("LeaveOneOut", func(*Model) (*LeaveOneOut, error) {
		return plan.Once(p, "LeaveOneOut", func() (*LeaveOneOut, error) {
			return LeaveOneOutErrors(context.Background(), plan.Data(p).X, plan.Data(p).Y, plan.Options(p), false)
		})
	}))
}
