package selection

import (
	"context"
	"fmt"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A PermutationTest asks whether a plan has found anything: it repeats a cross-validation with the classes, or targets, of the rows in
// another order, in which there is nothing to be found. PlanPermutationTest(PlanLDA().Fit(iris), 100).
//
//plan:step Folds Folds(k int) // sets the number of folds; the default is 5
//plan:step Repeats Repeats(times int) // deals the rows again so many times for each permutation
//plan:step Seed Seed // by which rows are dealt and permuted; the default is 1
//plan:step Score Score(name string) // judges by another score, as CrossValidation.Score does
//plan:step Loss Loss // whose mean is the score "cost", by which is then judged
//plan:without Fit Keep
type PermutationTest struct {
	plan.Plan[*Permuted, dealing]
}

// Permuted is what became of a permutation test.
type Permuted struct {
	Score  string
	True   float64   // mean score over the folds with the classes as they are
	Scores []float64 // the same for each permutation
	P      float64   // (1 + #{as good as the true one}) / (1 + permutations)
}

// PlanPermutationTest begins the test of a plan with its data, with so many permutations, each tried on five folds. Source: Ojala and
// Garriga, Journal of Machine Learning Research 11 (2010), test 1.
func PlanPermutationTest(p plan.Trainable, permutations int) PermutationTest {
	return PermutationTest{plan.New(plan.Spec[*Permuted, dealing]{
		Name: "PermutationTest", Args: []any{p, permutations}, Options: dealing{Folds: 5, Repeats: 1, Seed: 1}, Needs: plan.Nothing,
		Check: func(step string, o dealing) error {
			if err := withData(step, p); err != nil {
				return err
			}
			if permutations < 1 || permutations > 1e6 {
				return fault.Argument(step, "permutations", permutations, "a number from 1 to 1,000,000", "100 tell a p-value of 0.01")
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, _ datasets.Set, o dealing) (*Permuted, error) {
			return permute(ctx, p, plan.Data(p), permutations, o)
		},
	})}
}

func permute(ctx context.Context, p plan.Trainable, set datasets.Set, permutations int, o dealing) (*Permuted, error) {
	bar := cell.NewProgress("fits of "+set.Name, o.Folds*o.Repeats*(permutations+1))
	defer bar.Done()
	rows := make([]int, set.N())
	for i := range rows {
		rows[i] = i
	}
	var out Permuted
	var all []float64
	prob, err := assess.Permutation(rows, permutations, o.Seed, func(rows []int) (float64, error) {
		other := set
		if set.Y != nil {
			other.Y = picked(set.Y, rows, nil)
		}
		if set.Target != nil {
			other.Target = picked(set.Target, rows, nil)
		}
		splits, err := o.splits(other)
		if err != nil {
			return 0, err
		}
		v, err := validate(ctx, p, other, splits, o, false, bar)
		if err == nil {
			err = v.failed()
		}
		if err != nil {
			return 0, err
		}
		m := mean(v.Scores)
		out.Score, all = v.Score, append(all, m)
		if v.judge.least {
			m = -m
		}
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	out.True, out.Scores, out.P = all[0], all[1:], prob
	return &out, nil
}

// P returns the p-value of "the features tell nothing of the classes": the share of permutations as good as the classes as they are, which
// count themselves among them.
func (p PermutationTest) P() float64 {
	return plan.Value(p, "P", func(t *Permuted) (float64, error) { return t.P, nil })
}

// Table lists parameters and diagnostics: the true score beside those of the permutations.
func (p PermutationTest) Table() cell.Table {
	return plan.Table(p, "Table", func(t *Permuted) (cell.Table, error) {
		return cell.NewTable("classes", t.Score, "standard deviation").
			Row("as they are", t.True, "").
			Row(fmt.Sprintf("in another order, %d times", len(t.Scores)), mean(t.Scores), spread(t.Scores)).
			Title(p.String()).Note("p " + cell.Number(t.P)), nil
	})
}

// Scores draws the data as the model sees them: the scores of the permutations, with the true one.
func (p PermutationTest) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(t *Permuted) (*plotting.Figure, error) {
		return plotting.New(plotting.Histogram(t.Scores).Name("in another order").Muted(),
			plotting.VRule(t.True).Accent().Width(2).Name("as they are")).
			X("mean " + t.Score).Y("permutations").Title(p.String()).Subtitle("p " + cell.Number(t.P)), nil
	})
}

// Show shows the picture or table that says most: the scores.
func (p PermutationTest) Show() { p.Scores().Show() }
