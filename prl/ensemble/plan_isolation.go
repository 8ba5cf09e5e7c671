package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/plan"
)

// An IsolationPlan finds rows unlike the others, described step by step: PlanIsolationForest().Trees(200).Fit(set). Class labels are not
// used.
//
//plan:step Trees Trees(n)
//plan:step Draw Draw(rows)
//plan:step Seed Seed
//plan:step Weights SampleWeights
//plan:step Nu Nu(nu float64) =! estimator.Positive("Nu", "share", nu, 0.1) // the share of the rows that may lie outside, above 0 and at
//plan:text most 1; unless set, rows of a score above 1/2 do
type IsolationPlan struct {
	plan.Novelty[*Isolation, IsolationOptions]
}

// PlanIsolationForest begins an isolation forest of 100 trees of 256 rows each, outside which lie the rows of a score above 1/2.
func PlanIsolationForest() IsolationPlan {
	return IsolationPlan{plan.NewNovelty(plan.Spec[*Isolation, IsolationOptions]{
		Name: "IsolationForest", Options: IsolationOptions{}.filled(), Needs: plan.Rows,
		Check: func(step string, o IsolationOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o IsolationOptions) error {
			return estimator.CheckWeights(step, o.Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o IsolationOptions) (*Isolation, error) {
			return FitIsolation(ctx, set.X, o)
		},
	})}
}

// Show shows the picture or table that says most: the regions of two features, and Table otherwise.
func (p IsolationPlan) Show() {
	plan.ShowRegions(p)
}

// Table lists parameters and diagnostics: the ten rows of the highest scores, with the mean number of cuts to their leaves.
func (p IsolationPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(f *Isolation) (cell.Table, error) {
		set := plan.Data(p)
		scores, err := f.Scores(set.X)
		if err != nil {
			return cell.Table{}, err
		}
		paths, err := f.PathLengths(set.X)
		if err != nil {
			return cell.Table{}, err
		}
		order, outside := make([]int, len(scores)), 0
		for i, s := range scores {
			order[i] = i
			outside += 1 - class(f.s.Threshold-s)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		t := cell.NewTable("row", "score", "path length").Title(f.String())
		for _, i := range order[:min(10, len(order))] {
			t = t.Row(i, scores[i], paths[i])
		}
		return t.Note(fmt.Sprintf("%d of %d rows outside", outside, len(scores))), nil
	})
}
