package logistic

import (
	"context"
	"fmt"
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

// A Plan is a logistic or softmax regression described step by step: PlanLogistic().L2(1).Fit(set).
//
//plan:step L2 L2(lambda) // takes lambda/2 |w|^2 from the log-likelihood; the intercept is free
//plan:step NoIntercept NoIntercept
//plan:step Start From(theta...)
//plan:step Weights SampleWeights
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step MaxIter MaxIter
//plan:step Tol Tol // the gain in nats a row
type Plan struct {
	plan.Classifier[*Model, Options]
}

// PlanLogistic begins a logistic regression of two classes, a softmax regression of more, by maximum likelihood.
func PlanLogistic() Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Model, Options]{
		Name: "Logistic", Options: Options{}, Needs: plan.Classes,
		Check: func(step string, o Options) error { return o.check(step) },
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Model, error) {
			return Fit(ctx, set.X, set.Y, o)
		},
	})}
}

// Separation decides whether the classes of the data overlap, with a certificate. The model is not fitted.
func (p Plan) Separation() *Verdict {
	if err := plan.Settled(p); err != nil {
		cell.Fail(err)
	}
	set := plan.Data(p)
	return cell.Must(Separate(context.Background(), set.X, set.Y, !plan.Options[Options](p).NoIntercept))
}

// Wald returns, for two classes, the symmetric confidence interval of the log-odds of the second class at x.
func (p Plan) Wald(level float64, x ...float64) Interval {
	args := fault.Args(append([]float64{level}, x...))
	return plan.Value(p, "Wald", func(m *Model) (Interval, error) { return m.Wald(level, x...) }, args...)
}

// Profile returns, for two classes, the profile likelihood interval of the log-odds of the second class at x.
func (p Plan) Profile(level float64, x ...float64) Interval {
	return plan.Value(p, "Profile", func(*Model) (Interval, error) {
		set := plan.Data(p)
		return Profile(context.Background(), set.X, set.Y, level, x, plan.Options[Options](p))
	}, fault.Args(append([]float64{level}, x...))...)
}

// Averaged returns, for two classes, the probability of the second class at x averaged over what the data leave open.
func (p Plan) Averaged(x ...float64) float64 {
	return plan.Value(p, "Averaged", func(m *Model) (float64, error) {
		if err := estimator.CheckPoint("Averaged", x, m.Dim()); err != nil {
			return 0, err
		}
		v, err := m.Averaged(mat.NewDense(1, len(x), slices.Clone(x)))
		if err != nil {
			return 0, err
		}
		return v[0], nil
	}, fault.Args(x)...)
}

// Trace returns the steps of the fit: where each Newton step has led.
func (p Plan) Trace() []Step {
	steps, err := plan.Once(p, "Trace", func() ([]Step, error) {
		set := plan.Data(p)
		_, steps, err := Trace(context.Background(), set.X, set.Y, plan.Options[Options](p))
		return steps, err
	})
	return plan.Value(p, "Trace", func(*Model) ([]Step, error) { return steps, err })
}

// Iterations shows what the fit did, step by step: how far the objective of each Newton step is from the last one.
func (p Plan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *Model) (*plotting.Figure, error) {
		steps := p.Trace()
		var x, y []float64
		for i, s := range steps[:len(steps)-1] {
			if gap := steps[len(steps)-1].Objective - s.Objective; gap > 0 {
				x, y = append(x, float64(i)), append(y, gap)
			}
		}
		return plotting.New(plotting.Line(x, y).Accent(), plotting.Points(x, y)).LogY().
			X("Newton step").Y("nats below the top").Title(m.String()), nil
	})
}

// Curve draws what was fitted, over the data of one feature: the probability of the second of two classes, between the ends of
// its 95 % Wald intervals.
func (p Plan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(m *Model) (*plotting.Figure, error) {
		set := plan.Data(p)
		if set.D() != 1 || set.K() != 2 {
			got := fmt.Sprintf("of %d features and %d classes", set.D(), set.K())
			const need, remedy = "a set of 1 feature and 2 classes", "choose with .Features(a) and .Classes(a, b)"
			return nil, fault.Argument("Curve", "the data set", got, need, remedy)
		}
		xs, ys := mat.Col(nil, 0, set.X), make([]float64, set.N())
		lo, hi := math.Inf(1), math.Inf(-1)
		for i, v := range xs {
			lo, hi, ys[i] = min(lo, v), max(hi, v), float64(set.Y[i])
		}
		reach := 0.15 * (hi - lo)
		grid := make([]float64, 121)
		var curve, from, to []float64
		for i := range grid {
			grid[i] = lo - reach + (hi-lo+2*reach)*float64(i)/120
			interval, err := m.Wald(0.95, grid[i])
			if err != nil {
				return nil, err
			}
			interval = interval.Probabilities()
			curve, from, to = append(curve, interval.Estimate), append(from, interval.From), append(to, interval.To)
		}
		return plotting.New(
			plotting.Band(grid, from, to).Muted().Name("95 % interval"),
			plotting.Line(grid, curve).Accent().Width(3).Name("probability of "+m.ClassName(1)),
			plotting.Points(xs, ys).By(set.Y, set.ClassNames...),
		).X(set.FeatureNames[0]).Y("probability").Title(m.String()), nil
	})
}

// Show shows the picture or table that says most: the curve over one feature, the regions of two, and the table otherwise.
func (p Plan) Show() {
	switch set := plan.Data(p); {
	case p.Err() == nil && set.D() == 1 && set.K() == 2:
		p.Curve().Show()
	case p.Err() == nil && set.D() == 2:
		p.Regions().Show()
	default:
		p.Table().Show()
	}
}

// Table lists parameters and diagnostics: the coefficients of the log-odds against the first class with their standard errors, z values
// and two-sided p-values.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) {
		t := cell.NewTable("class", "coefficient", "estimate", "standard error", "z", "p")
		errors := m.StandardErrors()
		for i, v := range m.s.Theta {
			k, j := i/m.width()+1, i%m.width()
			name := "intercept"
			if j -= m.width() - m.s.D; j >= 0 {
				name = m.FeatureName(j)
			}
			if errors == nil {
				t = t.Row(m.ClassName(k), name, v, "", "", "")
				continue
			}
			z := v / errors[i]
			t = t.Row(m.ClassName(k), name, v, errors[i], z, math.Erfc(math.Abs(z)/math.Sqrt2))
		}
		return t.Title(m.String()).Note(fmt.Sprintf("log-odds against %s; deviance %.6g, without features %.6g; %d Newton steps",
			m.ClassName(0), m.Deviance(), m.NullDeviance(), m.Iterations())), nil
	})
}
