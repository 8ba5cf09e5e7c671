package reduce

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// An MDAPlan is multiple discriminant analysis described step by step: NewMDA(2).Fit(wine). It is an immutable value.
type MDAPlan struct {
	fault.Chain
	opts MDAOptions
}

// NewMDA begins a plan that keeps k discriminants; NewMDA() keeps all K-1.
func NewMDA(k ...int) MDAPlan {
	p := MDAPlan{Chain: fault.Start("MDA", fault.Args(k)...), opts: DefaultMDA()}
	if len(k) > 0 {
		p.opts.Components = k[0]
	}
	return p
}

// Regularise adds gamma tr(S_W)/d to the diagonal of S_W, which makes it invertible.
func (p MDAPlan) Regularise(gamma float64) MDAPlan {
	p.Chain, p.opts.Regularise = p.Step("Regularise", gamma).Break(checkGamma("Regularise", gamma)), gamma
	return p
}

// Equal weighs all class means alike in S_B, whatever the class sizes.
func (p MDAPlan) Equal() MDAPlan { p.Chain, p.opts.Spread = p.Step("Equal"), Equal; return p }

// Priors sets the class probabilities of Predict; the class shares unless set.
func (p MDAPlan) Priors(prior ...float64) MDAPlan {
	p.Chain, p.opts.Priors = p.Step("Priors", fault.Args(prior)...), append([]float64(nil), prior...)
	return p
}

// Weights sets a sample weight for each row.
func (p MDAPlan) Weights(w []float64) MDAPlan {
	p.Chain, p.opts.Weights = p.Step("Weights", w), append([]float64(nil), w...)
	return p
}

// Fit names the data. They are used when a result is asked for.
func (p MDAPlan) Fit(set datasets.Set) FittedMDA {
	return FittedMDA{newResult(p.Chain, set, true, func() (*MDA, error) { return FitMDA(context.Background(), set.X, set.Y, p.opts) })}
}

// A FittedMDA is a plan with data. Its figures and numbers are computed when they are asked for, and the model once.
type FittedMDA struct{ Result[*MDA] }

// Set returns the scores as a data set with the features LD1, LD2, ...
func (p FittedMDA) Set() datasets.Set { return p.image("LD") }

// Axes returns W (d x k).
func (p FittedMDA) Axes() *mat.Dense { return p.Model().Axes() }

// Values returns the generalised eigenvalues.
func (p FittedMDA) Values() []float64 { return p.Model().Values() }

// Predict returns the class index of each row of another set.
func (p FittedMDA) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(p.Outcome, datasets.On(set, (*MDA).Predict), "Predict", set))
}

// Accuracy returns the share of the rows of set that are classified right.
func (p FittedMDA) Accuracy(set datasets.Set) float64 {
	return cell.Must(cell.End(p.Outcome, datasets.Accuracy(set, "Accuracy", (*MDA).Predict), "Accuracy", set))
}

// Scores draws the first two discriminant scores with the class means and the regions of the nearest mean; with one discriminant a histogram.
func (p FittedMDA) Scores() *plotting.Figure {
	return p.figure("Scores", func(m *MDA) (*plotting.Figure, error) {
		z, err := m.Transform(p.set.X)
		if err != nil {
			return nil, err
		}
		if m.Components() == 1 {
			return plotting.New(plotting.Histogram(mat.Col(nil, 0, z)).Bins(bins).By(p.set.Y, p.set.ClassNames...)).X("LD1").Y("rows").Title("Discriminant scores"), nil
		}
		fig := plotting.New(cloud(p.set, z, 0, 1))
		for c, name := range p.set.ClassNames {
			fig = fig.Add(plotting.Points([]float64{m.centres.At(c, 0)}, []float64{m.centres.At(c, 1)}).Class(name).Size(13),
				plotting.Ellipse([]float64{m.centres.At(c, 0), m.centres.At(c, 1)}, mat.NewDiagDense(2, []float64{1, 1})).Sigma(2).Class(name))
		}
		r := m.Ratios()
		return fig.X(fmt.Sprintf("LD1 (%.1f %% of the trace)", 100*r[0])).Y(fmt.Sprintf("LD2 (%.1f %%)", 100*r[1])).Equal().Title("Discriminant scores"), nil
	})
}

// Scree draws the generalised eigenvalues of S_B w = lambda S_W w; those beyond K-1 are zero.
func (p FittedMDA) Scree() *plotting.Figure {
	return p.figure("Scree", func(m *MDA) (*plotting.Figure, error) {
		v := make([]float64, m.Dim())
		copy(v, m.Values())
		names := make([]string, len(v))
		for j := range names {
			names[j] = strconv.Itoa(j + 1)
		}
		return plotting.New(plotting.Bars(v).Categories(names...)).X("discriminant").Y("lambda").Title("Eigenvalues of S_W^-1 S_B"), nil
	})
}

// Traces draws tr(S_W) and tr(S_B) on top of each other: together they are tr(S_T).
func (p FittedMDA) Traces() *plotting.Figure {
	return p.figure("Traces", func(*MDA) (*plotting.Figure, error) {
		s, err := Scatters(p.set.X, p.set.Y, nil)
		if err != nil {
			return nil, err
		}
		w, b := mat.Trace(s.Within), mat.Trace(s.Between)
		return plotting.New(plotting.BarGroups([]string{"S_W + S_B", "S_T"}, plotting.BarSeries{Name: "within", Values: []float64{w, 0}},
			plotting.BarSeries{Name: "between", Values: []float64{b, 0}}, plotting.BarSeries{Name: "total", Values: []float64{0, mat.Trace(s.Total)}}).Stacked()).Y("trace").Title("S_T = S_W + S_B"), nil
	})
}

// Table lists the discriminants.
func (p FittedMDA) Table() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("discriminant", "lambda", "share of the trace", "between / within").Title(m.String())
	for j, v := range m.Values()[:m.Components()] {
		t = t.Row("LD"+strconv.Itoa(j+1), v, m.Ratios()[j], m.Singular()[j])
	}
	return t
}

// Show shows the scores.
func (p FittedMDA) Show() { p.Scores().Show() }
