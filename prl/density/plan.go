package density

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A KNNPlan is a nearest neighbour rule described step by step: PlanKNN(5).Fit(iris).
type KNNPlan struct {
	plan.Classifier[*KNN, KNNOptions]
}

// PlanKNN begins a rule by the votes of the k nearest rows.
func PlanKNN(k int) KNNPlan {
	return KNNPlan{plan.NewClassifier(plan.Spec[*KNN, KNNOptions]{
		Name: "KNN", Args: []any{k}, Options: KNNOptions{K: k}, Needs: plan.Classes,
		Check: func(step string, o KNNOptions) error {
			if o.K < 1 {
				return fault.Argument(step, "k", o.K, "at least 1", "")
			}
			return nil
		},
		Fit: func(ctx context.Context, set datasets.Set, o KNNOptions) (*KNN, error) {
			return FitKNN(ctx, set.X, set.Y, o)
		},
	})}
}

// SampleWeights sets a weight for each row, which counts as so many rows.
func (p KNNPlan) SampleWeights(w []float64) KNNPlan {
	return plan.With(p, "SampleWeights", func(o *KNNOptions) { o.Weights = w }, w)
}

// Fit names the data, which need classes.
func (p KNNPlan) Fit(set datasets.Set) KNNPlan { return plan.Fit(p, set) }

// Keep keeps the model on disk for later cells and sessions.
func (p KNNPlan) Keep() KNNPlan { return plan.Keep(p) }

// Table returns the settings, and the errors on the data of the fit: with each row among its own neighbours, and without.
func (p KNNPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *KNN) (cell.Table, error) {
		alone, err := m.LeaveOneOut()
		if err != nil {
			return cell.Table{}, err
		}
		wrong := 0
		for i, c := range alone {
			if c != m.y[i] {
				wrong++
			}
		}
		return cell.NewTable("neighbours", "rows", "errors", "errors without the row itself").
			Row(m.k, len(m.y), int(p.Confusion().Total()-p.Confusion().Right()), wrong).Title(m.String()), nil
	})
}
