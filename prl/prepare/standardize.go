package prepare

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/plan"
)

// A StandardizePlan maps each feature to (x - mean)/standard deviation of the rows it is fitted to: PlanStandardize().Fit(train).
//
//plan:face
type StandardizePlan struct {
	plan.Transformer[*datasets.Standardizer, struct{}]
}

// PlanStandardize begins a standardisation. The standard deviation has the divisor n; a constant feature is only centred.
func PlanStandardize() StandardizePlan {
	return StandardizePlan{plan.NewTransformer(plan.Spec[*datasets.Standardizer, struct{}]{
		Name: "Standardize", Needs: plan.Rows,
		Fit: func(_ context.Context, set datasets.Set, _ struct{}) (*datasets.Standardizer, error) {
			return datasets.FitStandardizer(set.X)
		},
	}, "")}
}

// Table lists parameters and diagnostics: mean and standard deviation of each feature.
func (p StandardizePlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *datasets.Standardizer) (cell.Table, error) {
		t := cell.NewTable("feature", "mean", "standard deviation")
		for j, name := range plan.Data(p).FeatureNames {
			t = t.Row(name, m.Mean[j], m.Scale[j])
		}
		return t.Title(p.String()), nil
	})
}

// Scores draws the data as the model sees them: the standardised data.
func (p StandardizePlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(*datasets.Standardizer) (*plotting.Figure, error) {
		z := p.Transform()
		return z.Scatter(), z.Err()
	})
}

// Show shows the picture or table that says most: the table.
func (p StandardizePlan) Show() { p.Table().Show() }
