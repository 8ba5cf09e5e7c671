package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A LearningCurve shows what more rows would bring: the score on test rows, and on the training rows themselves, over the number of
// training rows. PlanLearningCurve(PlanLDA().Fit(iris)).
//
//plan:step Seed Seed // by which rows are dealt and drawn; the default is 1
//plan:step Folds Folds(k int) // sets the number of folds; the default is 5
//plan:step Repeats Repeats(times int) // deals the rows again so many times
//plan:step Score Score(name string) // judges by another score, as CrossValidation.Score does
//plan:step Loss Loss // whose mean is the score "cost", by which is then judged
//plan:step Groups Groups(groups []int) // keeps rows of one group in one fold
//plan:without Fit Keep
type LearningCurve struct {
	plan.Plan[*Learning, dealing]
}

// Learning is a learning curve in numbers: mean and standard deviation of the scores over the splits, for each number of training rows.
type Learning struct {
	Rows                    []int
	Test, Train             []float64
	TestSpread, TrainSpread []float64
	TooFew                  error // of the last number of rows, of those asked for, whose fit failed; nil when none did
	Score                   string

	plan string
}

// PlanLearningCurve begins the curve of a plan with its data, for a tenth, a fifth, ... of the training rows of five folds; with rows, for
// those numbers of them.
func PlanLearningCurve(p plan.Trainable, rows ...int) LearningCurve {
	rows = slices.Clone(rows)
	return LearningCurve{plan.New(plan.Spec[*Learning, dealing]{
		Name: "LearningCurve", Args: append([]any{p}, fault.Args(rows)...), Options: dealing{Folds: 5, Repeats: 1, Seed: 1}, Needs: plan.Nothing,
		Check: func(step string, o dealing) error {
			if err := withData(step, p); err != nil {
				return err
			}
			for i, n := range rows {
				if n < 1 || n > plan.Data(p).N() {
					return fault.Argument(step, fmt.Sprintf("rows[%d]", i), n, fmt.Sprintf("from 1 to the %d rows of the set", plan.Data(p).N()), "")
				}
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, _ datasets.Set, o dealing) (*Learning, error) {
			return learn(ctx, p, plan.Data(p), rows, o)
		},
	})}
}

func learn(ctx context.Context, p plan.Trainable, set datasets.Set, rows []int, o dealing) (*Learning, error) {
	splits, err := o.splits(set)
	if err != nil {
		return nil, err
	}
	most := len(splits[0].Train)
	for _, s := range splits {
		most = min(most, len(s.Train))
	}
	if len(rows) == 0 {
		for i := 1; i <= 10; i++ {
			rows = append(rows, max(2, most*i/10))
		}
		rows = slices.Compact(rows)
	}
	out := &Learning{plan: plan.Settings(p)}
	bar := cell.NewProgress("fits of "+set.Name, len(rows)*len(splits))
	defer bar.Done()
	for _, n := range rows {
		if n > most {
			return nil, fault.Argument("LearningCurve", "rows", n, fmt.Sprintf("at most the %d training rows of a fold", most), "")
		}
		fewer := make([]assess.Split, len(splits))
		for i, s := range splits {
			fewer[i] = assess.Split{Train: drawn(set, s.Train, n, o.Seed+uint64(i)), Test: s.Test}
		}
		v, err := validate(ctx, p, set, fewer, o, true, bar)
		if err == nil {
			err = v.failed()
		}
		if err != nil {
			if out.TooFew = fmt.Errorf("%s with %d rows: %w", out.plan, n, err); ctx.Err() != nil {
				return nil, out.TooFew
			}
			continue
		}
		out.Rows, out.Score = append(out.Rows, n), v.Score
		out.Test, out.TestSpread = append(out.Test, mean(v.Scores)), append(out.TestSpread, spread(v.Scores))
		out.Train, out.TrainSpread = append(out.Train, mean(v.trained)), append(out.TrainSpread, spread(v.trained))
	}
	if len(out.Rows) == 0 {
		return nil, out.TooFew
	}
	return out, nil
}

// drawn returns n of the rows, one of each class and then about the share of each.
func drawn(set datasets.Set, rows []int, n int, seed uint64) []int {
	random := rand.New(rand.NewPCG(seed, 0x1ea2))
	rows = slices.Clone(rows)
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	class := func(r int) int {
		if set.Y == nil {
			return 0
		}
		return set.Y[r]
	}
	size, seen, turn := map[int]float64{}, map[int]float64{}, map[int]float64{}
	for _, r := range rows {
		size[class(r)]++
	}
	for _, r := range rows {
		turn[r] = seen[class(r)] / size[class(r)]
		seen[class(r)]++
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(turn[a], turn[b]) })
	rows = rows[:n]
	slices.Sort(rows)
	return rows
}

func spread(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	m, sum := mean(v), 0.0
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(v)-1))
}

// Table lists parameters and diagnostics: the scores for each number of training rows.
func (p LearningCurve) Table() cell.Table {
	return plan.Table(p, "Table", func(l *Learning) (cell.Table, error) {
		t := cell.NewTable("rows to train", l.Score+" on test rows", "standard deviation", l.Score+" on training rows")
		for i, n := range l.Rows {
			t = t.Row(n, l.Test[i], l.TestSpread[i], l.Train[i])
		}
		if l.TooFew != nil {
			t = t.Note(l.TooFew.Error())
		}
		return t.Title(p.String()), nil
	})
}

// Curve draws what was fitted, over the data of one feature: the scores over the number of training rows, with the standard deviation over
// the folds.
func (p LearningCurve) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(l *Learning) (*plotting.Figure, error) {
		x := make([]float64, len(l.Rows))
		for i, n := range l.Rows {
			x[i] = float64(n)
		}
		by, err := scoreOf("Curve", l.Score, slices.Concat(classifying, regressing))
		if err != nil {
			return nil, err
		}
		return plotting.New(append(
			banded(by, x, l.Train, l.TrainSpread, "on training rows"), banded(by, x, l.Test, l.TestSpread, "on test rows")...,
		)...).
			X("rows to train").Y(l.Score).Title("Learning curve").Subtitle(l.plan), nil
	})
}

// banded draws a mean of scores with its standard deviation, cut where no score can be.
func banded(by score, x, y, s []float64, name string) []plotting.Layer {
	lo, hi := make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		lo[i], hi[i] = max(y[i]-s[i], by.lo), min(y[i]+s[i], by.hi)
	}
	return []plotting.Layer{plotting.Band(x, lo, hi).Class(name).Opacity(0.15), plotting.Line(x, y).Class(name).Name(name)}
}

// Show shows the picture or table that says most: the curve.
func (p LearningCurve) Show() { p.Curve().Show() }
