package neural

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is a net for classes described step by step: PlanMLP(100).Tanh().Fit(set).
//
//plan:step Activation ReLU() = ReLU
//plan:step Activation Tanh() = Tanh
//plan:step Activation Logistic() = Logistic
//plan:step Method By(m optim.Method) // by a method of package optim
//plan:step Method SGD(step float64) = optim.Descent{Step: step}
//plan:step Method Adam(step float64) = optim.Adam{Step: step} // by default with step 0.005
//plan:step Method LBFGS() = optim.LBFGS{}
//plan:step Batch Batch
//plan:step Rounds Rounds
//plan:step L2 L2(lambda) // lambda/2 |W|^2 is added to the sum of the losses, and thresholds are free
//plan:step Dropout Dropout
//plan:step Gain Gain
//plan:step Start From(theta...)
//plan:step Restarts Restarts
//plan:step Held Held
//plan:step Patience Patience
//plan:step Tol Tol = zeroAsNone(tol) // the fall of the mean loss of a row
//plan:step Unscaled Unscaled
//plan:step Seed Seed // of all draws; 1 unless set
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights
type Plan struct {
	plan.Classifier[*Classifier, Options]
}

// zeroAsNone returns what an option holds for v, where zero stands for the default.
func zeroAsNone(v float64) float64 {
	if v == 0 {
		return estimator.None
	}
	return v
}

// begun returns the options of a plan with hidden layers of so many units.
func begun(hidden []int) Options {
	o := Options{}.filled()
	if len(hidden) > 0 {
		o.Hidden = slices.Clone(hidden)
	}
	return o
}

// checkStep checks options that steps have set so far.
func checkStep(step string, o Options) error { return o.check(step) }

// PlanMLP begins a net for classes with hidden layers of so many units; without any it is one layer of 100.
func PlanMLP(hidden ...int) Plan {
	return Plan{plan.NewClassifier(plan.Spec[*Classifier, Options]{
		Name: "MLP", Args: fault.Args(hidden), Options: begun(hidden), Needs: plan.Classes, Check: checkStep,
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Classifier, error) {
			return Fit(ctx, set.X, set.Y, o)
		},
	})}
}

// Net returns a copy of the net: for features as they are.
func (p Plan) Net() *Net {
	return plan.Value(p, "Net", func(m *Classifier) (*Net, error) { return m.Net(), nil })
}

// Iterations shows what the fit did, step by step: the mean loss of each round, also on the rows held out.
func (p Plan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *Classifier) (*plotting.Figure, error) { return course(&m.s), nil })
}

// Table lists parameters and diagnostics: of each layer its units, its parameters, the size of its answers on the data of the fit, the
// units that are silent on all of them, and the length of the gradient.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Classifier) (cell.Table, error) {
		set := plan.Data(p)
		target := make([]float64, set.N())
		for i, c := range set.Y {
			target[i] = float64(c)
		}
		return report(m.net, CrossEntropy, set.X, target, m.String()), nil
	})
}

// A RegressionPlan is a net for numbers described step by step: PlanRegression(100).Tanh().Fit(set).
//
//plan:step Activation ReLU() = ReLU
//plan:step Activation Tanh() = Tanh
//plan:step Activation Logistic() = Logistic
//plan:step Method By(m optim.Method) // by a method of package optim
//plan:step Method SGD(step float64) = optim.Descent{Step: step}
//plan:step Method Adam(step float64) = optim.Adam{Step: step} // by default with step 0.005
//plan:step Method LBFGS() = optim.LBFGS{}
//plan:step Batch Batch
//plan:step Rounds Rounds
//plan:step L2 L2(lambda) // lambda/2 |W|^2 is added to the sum of the losses, and thresholds are free
//plan:step Dropout Dropout
//plan:step Gain Gain
//plan:step Start From(theta...)
//plan:step Restarts Restarts
//plan:step Held Held
//plan:step Patience Patience
//plan:step Tol Tol = zeroAsNone(tol) // the fall of the mean loss of a row
//plan:step Unscaled Unscaled
//plan:step Seed Seed // of all draws; 1 unless set
//plan:step Weights SampleWeights
type RegressionPlan struct {
	plan.Regressor[*Regressor, Options]
}

// PlanRegression begins a net for numbers with hidden layers of so many units; without any it is one layer of 100.
func PlanRegression(hidden ...int) RegressionPlan {
	return RegressionPlan{plan.NewRegressor(plan.Spec[*Regressor, Options]{
		Name: "RegressionMLP", Args: fault.Args(hidden), Options: begun(hidden), Needs: plan.Target, Check: checkStep,
		Fit: func(ctx context.Context, set datasets.Set, o Options) (*Regressor, error) {
			return FitRegression(ctx, set.X, set.Target, o)
		},
	})}
}

// Net returns a copy of the net: for features as they are.
func (p RegressionPlan) Net() *Net {
	return plan.Value(p, "Net", func(m *Regressor) (*Net, error) { return m.Net(), nil })
}

// Iterations shows what the fit did, step by step: the mean loss of each round, also on the rows held out.
func (p RegressionPlan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *Regressor) (*plotting.Figure, error) { return course(&m.s), nil })
}

// Table lists parameters and diagnostics: of each layer its units, its parameters, the size of its answers on the data of the fit, the
// units that are silent on all of them, and the length of the gradient.
func (p RegressionPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Regressor) (cell.Table, error) {
		set := plan.Data(p)
		return report(m.net, Squared, set.X, set.Target, m.String()), nil
	})
}

// course draws the mean loss of each round.
func course(s *state) *plotting.Figure {
	fig := plotting.New().X("round").Y("mean loss").Title(s.Reason.String())
	for _, line := range []struct {
		name   string
		losses []float64
	}{{"rows of the fit", s.Losses}, {"rows held out", s.Held}} {
		if len(line.losses) > 0 {
			rounds := make([]float64, len(line.losses))
			for i := range rounds {
				rounds[i] = float64(i + 1)
			}
			fig = fig.Add(plotting.Line(rounds, line.losses).Name(line.name))
		}
	}
	return fig
}

// report describes the layers of a net on some rows.
func report(n *Net, loss Loss, X mat.Matrix, target []float64, title string) cell.Table {
	x := estimator.Dense(X)
	rows, _ := x.Dims()
	t := &training{o: &Options{}, net: n, loss: loss, target: target, x: x.RawMatrix().Data}
	t.room, t.slope = n.batch(min(chunk, rows)), &Net{Theta: make([]float64, len(n.Theta)), sizes: n.sizes}
	squares, sounds := make([]float64, len(n.sizes)), make([][]bool, len(n.sizes))
	for l, m := range n.sizes {
		sounds[l] = make([]bool, m)
	}
	mean := 0.0
	for from := 0; from < rows; from += chunk {
		part := make([]int, min(chunk, rows-from))
		for i := range part {
			part[i] = from + i
		}
		t.gather(part)
		t.room.forward(len(part), nil)
		for l := 1; l < n.Layers(); l++ {
			m := n.sizes[l]
			for i, y := range t.room.y[l][:len(part)*m] {
				squares[l] += y * y / float64(rows*m)
				sounds[l][i%m] = sounds[l][i%m] || math.Abs(t.room.slope[l][i]) > 1e-8
			}
		}
		mean += t.blame(part, 1/float64(rows), true)
		t.room.backward(len(part), t.slope)
	}
	table := cell.NewTable("layer", "units", "parameters", "activation", "rms of the answers", "silent units", "length of the gradient")
	for l := 1; l <= n.Layers(); l++ {
		dw, d0 := t.slope.Layer(l)
		length := math.Hypot(floats.Norm(dw, 2), floats.Norm(d0, 2))
		if l == n.Layers() {
			table = table.Row(l, n.sizes[l], len(dw)+len(d0), n.Activation(l), "", "", length)
			continue
		}
		silent := 0
		for _, sound := range sounds[l] {
			if !sound {
				silent++
			}
		}
		table = table.Row(l, n.sizes[l], len(dw)+len(d0), n.Activation(l), math.Sqrt(squares[l]), silent, length)
	}
	const note = "mean loss %.6g; a silent unit has no slope on any row of the fit, so that it learns no more"
	return table.Title(title).Note(fmt.Sprintf(note, mean))
}
