package perceptron

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a perceptron described step by step: PlanPerceptron().ByAverage().Fit(set).
//
//plan:step Form ByAverage() = Averaged // answers by the mean of the weights after each visit
//plan:step Form ByVote() = Voted // answers by the vote of the weights after each visit
//plan:step Form Pocket() = Pocket // answers by the weights with the fewest errors on the data
//plan:step Kernel Kernel
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step NoIntercept NoIntercept
//plan:step Order InOrder(rows...) // sets the order of the rows in a pass
//plan:step Shuffle Shuffled // goes through the rows in a new random order in each pass
//plan:step Seed Seed
//plan:step OncePerPass OncePerPass // adds all wrong rows of a pass at its end
//plan:step Start From(theta...)
//plan:step MaxIter MaxIter // passes over the rows
//plan:step Kernel Poly(degree int, cGamma ...float64) =! kernel.PolyOf("Poly", degree, cGamma) // c is 1 and gamma is 1 unless given in
//plan:text this order
type Plan struct {
	plan.Classifier[*Model, Options]
}

// PlanPerceptron begins a perceptron in its primal form, which starts from zero and goes through the rows in their order.
func PlanPerceptron() Plan {
	return Plan{begin("Perceptron", check, func(step string, set datasets.Set, o Options) error {
		if err := checkOrder(step, o.Order, set.N()); err != nil {
			return err
		}
		return checkStart(step, o, set.D(), set.K())
	}, Fit)}
}

func begin[O any](
	name string, check func(op string, o O) error, data func(step string, set datasets.Set, o O) error,
	fit func(ctx context.Context, X mat.Matrix, y []int, o O) (*Model, error),
) plan.Classifier[*Model, O] {
	return plan.NewClassifier(plan.Spec[*Model, O]{
		Name: name, Needs: plan.Classes, Check: check, CheckData: data,
		Fit: func(ctx context.Context, set datasets.Set, o O) (*Model, error) { return fit(ctx, set.X, set.Y, o) },
	})
}

// of returns the one machine of a model of two classes.
func (m *Model) of(step string) (*machine, error) {
	if m.s.K != 2 {
		return nil, fault.Argument(step, "number of classes", m.s.K, "2", "choose two with .Classes(a, b)")
	}
	return &m.s.Machines[0], nil
}

// theta returns (b, w) of a machine that has one.
func (m *Model) theta(step string) ([]float64, error) {
	a, err := m.of(step)
	if err != nil {
		return nil, err
	}
	if a.Theta == nil {
		return nil, fault.Argument(step, "the model", m.String(), "of one weight vector, without kernel and vote", "ask for Value")
	}
	return slices.Clone(a.Theta), nil
}

// linear is a plan of this package whose model has weights.
type linear interface{ plan.Of[*Model] }

func weights(p linear) []float64 {
	return plan.Value(p, "Weights", func(m *Model) ([]float64, error) {
		theta, err := m.theta("Weights")
		if err != nil {
			return nil, err
		}
		return theta[1:], nil
	})
}

func bias(p linear) float64 {
	return plan.Value(p, "Bias", func(m *Model) (float64, error) {
		theta, err := m.theta("Bias")
		if err != nil {
			return 0, err
		}
		return theta[0], nil
	})
}

func value(p linear, x []float64) float64 {
	return plan.Value(p, "Value", func(m *Model) (float64, error) {
		if _, err := m.of("Value"); err != nil {
			return 0, err
		}
		return m.Value(x...), estimator.CheckPoint("Value", x, m.s.D)
	}, fault.Args(x)...)
}

func table(p linear) cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) {
		t := cell.NewTable("class", "weight", "value")
		for c, a := range m.s.Machines {
			name := m.ClassName(c)
			if m.s.K == 2 {
				name = m.ClassName(1)
			}
			for j, v := range a.Theta {
				feature := "intercept"
				if j > 0 {
					feature = m.FeatureName(j - 1)
				}
				t = t.Row(name, feature, v)
			}
			if a.Theta == nil {
				t = t.Row(name, "points", float64(len(a.Rows)))
			}
		}
		return t.Title(m.String()), nil
	})
}

// Weights returns w of a linear function: of two classes.
func (p Plan) Weights() []float64 { return weights(p) }

// Bias returns b of a function <w, phi(x)> + b: of two classes, without kernel and vote.
func (p Plan) Bias() float64 { return bias(p) }

// Value returns f(x), the number on which the answer for a point rests: the score s(x), of two classes.
func (p Plan) Value(x ...float64) float64 { return value(p, x) }

// Table lists parameters and diagnostics: the weights.
func (p Plan) Table() cell.Table { return table(p) }

// Trace returns the steps of the fit: every mistake, of two classes.
func (p Plan) Trace() *Run {
	run, err := plan.Once(p, "Trace", func() (*Run, error) {
		set := plan.Data(p)
		return Trace(context.Background(), set.X, set.Y, plan.Options[Options](p))
	})
	return plan.Value(p, "Trace", func(*Model) (*Run, error) { return run, err })
}

// Mistakes returns the row of each mistake, in the order in which they were made.
func (p Plan) Mistakes() []int {
	var rows []int
	for _, u := range p.Trace().Updates {
		rows = append(rows, u.Row)
	}
	return rows
}

// Dual returns how often each row was learnt: the multipliers of the dual form, in which w is the sum of y_i Dual_i x_i.
func (p Plan) Dual() []int { return p.Trace().Alpha }

// MistakeBound returns Novikoff's theorem about the run, with both of its sides.
func (p Plan) MistakeBound() *Bound {
	b, err := plan.Once(p, "MistakeBound", func() (*Bound, error) {
		set := plan.Data(p)
		return MistakeBound(context.Background(), set.X, set.Y, plan.Options[Options](p))
	})
	return plan.Value(p, "MistakeBound", func(*Model) (*Bound, error) { return b, err })
}

// Iterations shows what the fit did, step by step: the mistakes of each pass, of two classes.
func (p Plan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *Model) (*plotting.Figure, error) {
		var x, y []float64
		for i, e := range p.Trace().Errors {
			x, y = append(x, float64(i+1)), append(y, float64(e))
		}
		return plotting.New(plotting.Line(x, y).Accent().Name("mistakes"), plotting.Points(x, y).Name("passes")).
			X("pass").Y("mistakes").YRange(0, math.Max(1, slices.Max(y))*1.05).Title(m.String()), nil
	})
}

// A PassivePlan is passive-aggressive learning described step by step: PlanPassiveAggressive().C(0.1).Fit(set).
//
//plan:step C C
//plan:step Squared Squared // counts squared slack (PA-II)
//plan:step NoIntercept NoIntercept
//plan:step Shuffle Shuffled
//plan:step Seed Seed
//plan:step Tol Tol // the hinge loss that is let pass
//plan:step MaxIter MaxIter // passes over the rows
type PassivePlan struct {
	plan.Classifier[*Model, PassiveOptions]
}

// PlanPassiveAggressive begins passive-aggressive learning (PA-I) with C = 1.
func PlanPassiveAggressive() PassivePlan {
	return PassivePlan{begin("PassiveAggressive", checkPassive, nil, FitPassive)}
}

// Weights returns w of a linear function: of two classes.
func (p PassivePlan) Weights() []float64 { return weights(p) }

// Bias returns b of a function <w, phi(x)> + b: of two classes.
func (p PassivePlan) Bias() float64 { return bias(p) }

// Value returns f(x), the number on which the answer for a point rests: the score s(x), of two classes.
func (p PassivePlan) Value(x ...float64) float64 { return value(p, x) }

// Table lists parameters and diagnostics: the weights.
func (p PassivePlan) Table() cell.Table { return table(p) }

// A WinnowPlan is balanced Winnow described step by step: PlanWinnow().Factor(2).Fit(set).
//
//plan:step Factor Factor(factor) // sets the factor of a weight at a mistake
//plan:step NoIntercept NoIntercept
//plan:step Shuffle Shuffled
//plan:step Seed Seed
//plan:step MaxIter MaxIter // passes over the rows
type WinnowPlan struct {
	plan.Classifier[*Model, WinnowOptions]
}

// PlanWinnow begins balanced Winnow.
func PlanWinnow() WinnowPlan { return WinnowPlan{begin("Winnow", checkWinnow, nil, FitWinnow)} }

// Weights returns w of a linear function: of two classes.
func (p WinnowPlan) Weights() []float64 { return weights(p) }

// Bias returns b of a function <w, phi(x)> + b: of two classes.
func (p WinnowPlan) Bias() float64 { return bias(p) }

// Value returns f(x), the number on which the answer for a point rests: the score s(x), of two classes.
func (p WinnowPlan) Value(x ...float64) float64 { return value(p, x) }

// Table lists parameters and diagnostics: the weights.
func (p WinnowPlan) Table() cell.Table { return table(p) }
