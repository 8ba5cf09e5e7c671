package reduce

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// An MDAPlan is multiple discriminant analysis described step by step: PlanMDA(2).Fit(wine).
//
//plan:step Regularise Regularise // gamma tr(S_W)/d to the diagonal of S_W, which makes it invertible
//plan:step Spread Equal() = Equal // weighs all class means alike in S_B, whatever the class sizes
//plan:step Priors Priors // for Predict, in place of their shares in the data
//plan:step Weights SampleWeights
type MDAPlan struct {
	plan.Classifier[*MDA, MDAOptions]
}

// PlanMDA begins a plan that keeps k discriminants; PlanMDA() keeps all K-1.
func PlanMDA(k ...int) MDAPlan {
	o := MDAOptions{}
	if len(k) > 0 {
		o.Components = k[0]
	}
	return MDAPlan{plan.NewClassifier(plan.Spec[*MDA, MDAOptions]{
		Name: "MDA", Args: fault.Args(k), Options: o, Needs: plan.Classes,
		Check: func(step string, o MDAOptions) error {
			if o.Priors != nil {
				if err := estimator.CheckProbabilities(step, "Priors", o.Priors); err != nil {
					return err
				}
			}
			return checkGamma(step, o.Regularise)
		},
		Fit: func(ctx context.Context, set datasets.Set, o MDAOptions) (*MDA, error) {
			return FitMDA(ctx, set.X, set.Y, o)
		},
	})}
}

// Transform returns the images of the rows: the scores of the rows of a set, or of the data of the fit when none is given, as features
// LD1, LD2, ...
func (p MDAPlan) Transform(other ...datasets.Set) datasets.Set {
	return plan.TransformOf(p, "LD", other...)
}

// Axes returns W (d x k).
func (p MDAPlan) Axes() *mat.Dense { return p.Model().Axes() }

// Values returns the generalised eigenvalues.
func (p MDAPlan) Values() []float64 { return p.Model().Values() }

// Scores draws the data as the model sees them: the first two discriminant scores with the class means and circles of two standard
// deviations; with one discriminant a histogram.
func (p MDAPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *MDA) (*plotting.Figure, error) {
		set := plan.Data(p)
		z, err := m.Transform(set.X)
		if err != nil {
			return nil, err
		}
		if m.Components() == 1 {
			h := plotting.Histogram(mat.Col(nil, 0, z)).Bins(bins).By(set.Y, set.ClassNames...)
			return plotting.New(h).X("LD1").Y("rows").Title("Discriminant scores"), nil
		}
		fig := plotting.New(cloud(set, z, 0, 1))
		for c, name := range set.ClassNames {
			centre := m.centres.RawRowView(c)[:2]
			fig = fig.Add(plotting.Points(centre[:1], centre[1:]).Class(name).Size(13),
				plotting.Ellipse(centre, mat.NewDiagDense(2, []float64{1, 1})).Sigma(2).Class(name))
		}
		r := m.Ratios()
		return fig.X(fmt.Sprintf("LD1 (%.1f %% of the trace)", 100*r[0])).Y(fmt.Sprintf("LD2 (%.1f %%)", 100*r[1])).Equal().
			Title("Discriminant scores"), nil
	})
}

// Scree draws the share of each component: the generalised eigenvalues of S_B w = lambda S_W w; those beyond K-1 are zero.
func (p MDAPlan) Scree() *plotting.Figure {
	return plan.Figure(p, "Scree", func(m *MDA) (*plotting.Figure, error) {
		v := make([]float64, m.Dim())
		copy(v, m.Values())
		names := make([]string, len(v))
		for j := range names {
			names[j] = strconv.Itoa(j + 1)
		}
		return plotting.New(plotting.Bars(v).Categories(names...)).X("discriminant").Y("lambda").Title("Eigenvalues of S_W^-1 S_B"), nil
	})
}

// Table lists parameters and diagnostics: the discriminants.
func (p MDAPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *MDA) (cell.Table, error) {
		t := cell.NewTable("discriminant", "lambda", "share of the trace", "between / within").Title(m.String())
		for j, v := range m.Values()[:m.Components()] {
			t = t.Row("LD"+strconv.Itoa(j+1), v, m.Ratios()[j], m.Singular()[j])
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the scores.
func (p MDAPlan) Show() { p.Scores().Show() }
