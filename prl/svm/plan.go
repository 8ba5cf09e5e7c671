package svm

import (
	"context"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a support vector machine described step by step, as one would say it: PlanSVM().RBF(0.5).C(10).Fit(rings).
type Plan struct {
	plan.Classifier[*Model, Options]
}

// PlanSVM begins a plan with the settings of DefaultOptions: linear kernel, linear slack, C = 1.
func PlanSVM() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Model, Options]{
		Name: "SVM", Options: DefaultOptions(), Needs: plan.Classes,
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

// Linear chooses the linear kernel.
func (p Plan) Linear() Plan {
	return plan.With(p, "Linear", func(o *Options) { o.Kernel = kernel.Linear{} })
}

// Poly chooses the polynomial kernel (gamma <a, b> + c)^degree; c is 1 and gamma is 1 unless given in this order.
func (p Plan) Poly(degree int, cGamma ...float64) Plan {
	k, args, err := kernel.PolyOf("Poly", degree, cGamma)
	if err != nil {
		return plan.Broken(p, "Poly", err, args...)
	}
	return plan.With(p, "Poly", func(o *Options) { o.Kernel = k }, args...)
}

// RBF chooses the Gaussian kernel exp(-gamma |a - b|^2).
func (p Plan) RBF(gamma float64) Plan {
	return plan.With(p, "RBF", func(o *Options) { o.Kernel = kernel.RBF{Gamma: gamma} }, gamma)
}

// Sigmoid chooses tanh(gamma <a, b> + c), which is not positive semi-definite in general.
func (p Plan) Sigmoid(gamma, c float64) Plan {
	return plan.With(p, "Sigmoid", func(o *Options) { o.Kernel = kernel.Sigmoid{Gamma: gamma, Coef0: c} }, gamma, c)
}

// Kernel chooses any kernel; with kernel.Precomputed{} the rows of the data set are rows of the Gram matrix.
func (p Plan) Kernel(k kernel.Kernel) Plan {
	return plan.With(p, "Kernel", func(o *Options) { o.Kernel = k }, k)
}

// C sets the price of slack. After HardMargin it is an error, since nothing there has that price.
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

// Nu gives, in the place of the price of slack, the share of the rows of two classes that may break the margin, above 0 and at most 1: no
// more do, and no fewer become support vectors. The fit finds the price that belongs to it; see Model.Price.
func (p Plan) Nu(nu float64) Plan {
	if err := estimator.CheckPositive("Nu", "share", nu, 0.1); err != nil {
		return plan.Broken(p, "Nu", err, nu)
	}
	return plan.With(p, "Nu", func(o *Options) { o.Nu = nu }, nu)
}

// LinearSlack lets points break the margin at the price C xi.
func (p Plan) LinearSlack() Plan {
	return plan.With(p, "LinearSlack", func(o *Options) { o.Slack = LinearSlack })
}

// QuadraticSlack lets points break the margin at the price C/2 xi^2.
func (p Plan) QuadraticSlack() Plan {
	return plan.With(p, "QuadraticSlack", func(o *Options) { o.Slack = QuadraticSlack })
}

// HardMargin lets no point break the margin.
func (p Plan) HardMargin() Plan {
	return plan.With(p, "HardMargin", func(o *Options) { o.Slack = HardMargin })
}

// NoBias leaves out b.
func (p Plan) NoBias() Plan { return plan.With(p, "NoBias", func(o *Options) { o.NoBias = true }) }

// ClassWeights multiplies C by a factor for each class.
func (p Plan) ClassWeights(w ...float64) Plan {
	w = slices.Clone(w)
	return plan.With(p, "ClassWeights", func(o *Options) { o.ClassWeights = w }, fault.Args(w)...)
}

// Balanced makes the classes weigh alike, whatever their sizes: it multiplies C by n / (K n_c) for a class of n_c rows.
func (p Plan) Balanced() Plan {
	return plan.With(p, "Balanced", func(o *Options) { o.Balanced = true })
}

// SampleWeights multiplies C by a factor for each row; rows of weight 0 are left out.
func (p Plan) SampleWeights(w []float64) Plan {
	w = slices.Clone(w)
	return plan.With(p, "SampleWeights", func(o *Options) { o.Weights = w }, w)
}

// Tol sets the violation of the KKT conditions at which SMO stops; 1e-6 unless set.
func (p Plan) Tol(tol float64) Plan {
	return plan.With(p, "Tol", func(o *Options) { o.Tol = tol }, tol)
}

// Probability makes Proba work, for five more fits.
func (p Plan) Probability() Plan {
	return plan.With(p, "Probability", func(o *Options) { o.Probability = true })
}

// Seed sets the seed of the folds for Probability; 1 unless set.
func (p Plan) Seed(seed uint64) Plan {
	return plan.With(p, "Seed", func(o *Options) { o.Seed = seed }, seed)
}

// Fit names the data, which need classes.
func (p Plan) Fit(set datasets.Set) Plan { return plan.Fit(p, set) }

// Keep keeps the machine on disk for later cells and sessions.
func (p Plan) Keep() Plan { return plan.Keep(p) }

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

// Weights returns w of a two-class machine with a linear kernel.
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

// Bias returns b of a two-class machine.
func (p Plan) Bias() float64 { return ofTwo(p, "Bias", (*Model).Bias) }

// Margin returns 1/|w| of a two-class machine.
func (p Plan) Margin() float64 { return ofTwo(p, "Margin", (*Model).Margin) }

// Slacks returns xi_i = max(0, 1 - y_i f(x_i)) for the rows of the data set; 0 for rows of weight 0.
func (p Plan) Slacks() []float64 {
	return ofTwo(p, "Slacks", func(m *Model) []float64 { return m.byRow((*Machine).Slacks) })
}

// Margins returns the functional margins y_i f(x_i) for the rows of the data set; 0 for rows of weight 0.
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

// SupportVectors returns the rows that are support vectors.
func (p Plan) SupportVectors() []int { return p.Model().SupportRows() }

// Certificate returns the proof of optimality of a two-class machine.
func (p Plan) Certificate() Certificate { return ofTwo(p, "Certificate", (*Model).Certificate) }

// Value returns f(x) of a two-class machine.
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
