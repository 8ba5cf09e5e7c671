package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// dealing is how rows are dealt to training and test parts.
type dealing struct {
	Folds   int
	Repeats int
	Seed    uint64
	Score   string
	Loss    [][]float64 // of each answer (row) for each true class
	Groups  []int
	Single  bool // leave one out
	Ordered bool // time goes forward
}

func (o dealing) check(step string) error {
	if o.Folds < 2 && !o.Single && !o.Ordered || o.Folds < 1 {
		return fault.Argument(step, "folds", o.Folds, "at least 2", "10 is usual")
	}
	if o.Repeats < 1 {
		return fault.Argument(step, "times", o.Repeats, "at least 1", "")
	}
	if _, err := scoreOf(step, o.Score, slices.Concat(classifying, regressing)); err != nil {
		return err
	}
	if o.Loss != nil {
		return checkLoss(step, o.Loss, len(o.Loss))
	}
	return nil
}

// checkLoss reports a table that does not have a loss of each of so many answers for each true class.
func checkLoss(step string, loss [][]float64, classes int) error {
	for _, row := range loss {
		if len(row) != classes || slices.ContainsFunc(row, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			loss = nil
		}
	}
	if len(loss) == 0 || len(loss) != classes {
		return fault.Argument(step, "the table of losses", "not of finite numbers, a row and a column for each class",
			fmt.Sprintf("%d rows of %d numbers: a row for each answer, a column for each true class", classes, classes),
			"append .Loss([]float64{0, 5}, []float64{1, 0})")
	}
	return nil
}

// withData reports a plan that cannot be tried: nil, a wrong step, no data.
func withData(step string, p plan.Trainable) error {
	if p == nil {
		return fault.Argument(step, "the plan", "nil", "a plan with data, such as prl.LDA().Fit(set)", "")
	}
	if err := plan.Settled(p); err != nil {
		return err
	}
	if err := plan.Data(p).CheckRows(step); err != nil {
		return fault.Argument(step, "the plan "+p.String(), "without data", "a plan with data, such as prl.LDA().Fit(set)", "append .Fit(set)")
	}
	return nil
}

// splits deals the rows of a set: by classes where it has them.
func (o dealing) splits(set datasets.Set) ([]assess.Split, error) {
	deal := func(seed uint64) ([]assess.Split, error) {
		switch {
		case o.Single:
			return assess.LeaveOneOut(set.N())
		case o.Ordered:
			return assess.TimeSeries(set.N(), o.Folds)
		case o.Groups != nil:
			if len(o.Groups) != set.N() {
				return nil, fault.Argument("Groups", "groups", fmt.Sprintf("%d numbers", len(o.Groups)),
					fmt.Sprintf("one group for each of the %d rows", set.N()), "")
			}
			return assess.GroupKFold(o.Groups, o.Folds, seed)
		case set.Y != nil:
			return assess.StratifiedKFold(set.Y, o.Folds, seed)
		}
		return assess.KFold(set.N(), o.Folds, seed)
	}
	return assess.Repeated(o.Repeats, o.Seed, deal)
}

// A CrossValidation tries a plan on rows it was not fitted to: PlanCrossValidation(PlanSVM().Fit(iris), 10). The data are those of the
// plan.
//
//plan:step Seed Seed // by which rows are dealt to folds; the default is 1
//plan:step Repeats Repeats(times int) // deals the rows again so many times
//plan:step Score Score(name string) // judges by another score: "accuracy", "balanced accuracy", "macro F1", "Matthews", "AUC", "average
//plan:text precision", "log loss", "Brier", "calibration error", "cost" (see Loss), and for regressions "R2", "RMSE", "MAE"
//plan:step Loss Loss // whose mean is the score "cost", by which is then judged
//plan:step Groups Groups(groups []int) // keeps rows of one group, such as pictures of one person, in one fold
//plan:step Single LeaveOneOut // makes each row a fold
//plan:step Ordered Forward // takes the rows in their order as time, and predicts no fold from its future
//plan:without Fit Keep
type CrossValidation struct {
	plan.Plan[*Validation, dealing]
}

// PlanCrossValidation begins a cross-validation of a plan with its data in the given number of folds, which have their share of each class.
func PlanCrossValidation(p plan.Trainable, folds int) CrossValidation {
	spec := plan.Spec[*Validation, dealing]{
		Name: "CrossValidate", Args: []any{p, folds}, Options: dealing{Folds: folds, Repeats: 1, Seed: 1}, Needs: plan.Nothing,
		Check: func(step string, o dealing) error {
			if err := withData(step, p); err != nil {
				return err
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, _ datasets.Set, o dealing) (*Validation, error) {
			set := plan.Data(p)
			splits, err := o.splits(set)
			if err != nil {
				return nil, err
			}
			bar := cell.NewProgress("fits of "+set.Name, len(splits))
			defer bar.Done()
			v, err := validate(ctx, p, set, splits, o, false, bar)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", plan.Settings(p), err)
			}
			return v, nil
		},
	}
	return CrossValidation{plan.New(spec)}
}

// Mean returns the mean score with its interval of 95 %.
func (p CrossValidation) Mean() assess.Interval {
	return plan.Value(p, "Mean", func(v *Validation) (assess.Interval, error) { return v.Mean(0.95) })
}

// Predicted returns the class that each row got when it was tested.
func (p CrossValidation) Predicted() []int {
	return plan.Value(p, "Predicted", (*Validation).Predicted)
}

// Confusion counts the true classes against the predicted ones: those that the rows got when they were tested.
func (p CrossValidation) Confusion() plan.Confusion {
	var names []string
	var truth, predicted []int
	c, err := plan.Try(p, "Confusion", func(v *Validation) (c assess.Confusion, err error) {
		names, truth = v.set.ClassNames, v.set.Y
		if predicted, err = v.Predicted(); err != nil {
			return c, err
		}
		return v.counts(predicted)
	})
	confusion := plan.NewConfusion(c, names, "Confusion of "+p.String(), err)
	if err != nil {
		return confusion
	}
	return confusion.Of(truth, predicted)
}

// Table lists parameters and diagnostics: the score of each fold, with the mean and its interval below. A fold that failed has a row with
// the reason, and then there is no mean.
func (p CrossValidation) Table() cell.Table {
	return plan.Table(p, "Table", func(v *Validation) (cell.Table, error) {
		t := cell.NewTable("fold", "rows to train", "rows to test", v.Score)
		for i, s := range v.Splits {
			row := []any{i + 1, len(s.Train), len(s.Test), v.Scores[i]}
			if v.Failed[i] != nil {
				row[3] = "failed: " + v.Failed[i].Error()
			}
			t = t.Row(row...)
		}
		if v.failed() != nil {
			return t.Title(p.String()).Note("no mean, since a fold failed"), nil
		}
		note, err := v.sentence()
		return t.Title(p.String()).Note(note), err
	})
}

// sentence says the mean and its interval.
func (v *Validation) sentence() (string, error) {
	if len(v.Scores) < 2 {
		return fmt.Sprintf("%s %s", v.Score, cell.Number(v.Scores[0])), nil
	}
	if len(v.Splits[0].Test) == 1 { // leave one out: the scores are 0 or 1, and Wilson's interval is that of a share
		right := 0
		for _, s := range v.Scores {
			if s == 1 {
				right++
			}
		}
		if v.Score == "accuracy" {
			w, err := assess.Wilson(right, len(v.Scores), 0.95)
			return fmt.Sprintf("accuracy %s, 95 %% interval %s to %s", cell.Number(w.Estimate), cell.Number(w.Lo), cell.Number(w.Hi)), err
		}
	}
	m, err := v.Mean(0.95)
	return fmt.Sprintf("mean %s %s, 95 %% interval %s to %s", v.Score, cell.Number(m.Estimate), cell.Number(m.Lo), cell.Number(m.Hi)), err
}

// Folds draws the score of each fold with the mean and its interval.
func (p CrossValidation) Folds() *plotting.Figure {
	return plan.Figure(p, "Folds", func(v *Validation) (*plotting.Figure, error) {
		at := make([]float64, len(v.Scores))
		for i := range at {
			at[i] = float64(i + 1)
		}
		fig := plotting.New()
		if len(v.Scores) > 1 {
			m, err := v.Mean(0.95)
			if err != nil {
				return nil, err
			}
			ends := []float64{0.5, float64(len(at)) + 0.5}
			fig = fig.Add(plotting.Band(ends, []float64{m.Lo, m.Lo}, []float64{m.Hi, m.Hi}).Muted().Name("95 % interval of the mean"),
				plotting.Line(ends, []float64{m.Estimate, m.Estimate}).Name("mean"))
		}
		sentence, err := v.sentence()
		return fig.Add(plotting.Points(at, v.Scores).Name("fold")).X("fold").Y(v.Score).Title(p.String()).Subtitle(sentence), err
	})
}

// ROC draws true against false positives, with the area below the curve and its interval of 95 % (DeLong): the receiver operating
// characteristic of what the rows got when they were tested, of the second class for two classes and of each against the rest for more.
// The values of all folds are taken together, as if their scales were one.
func (p CrossValidation) ROC() *plotting.Figure {
	return plan.Figure(p, "ROC", func(v *Validation) (*plotting.Figure, error) {
		fig := chance()
		curves, err := v.curves()
		for _, c := range curves {
			name := fmt.Sprintf("%s, area %.4g", c.class, c.roc.AUC())
			fig = fig.Add(plotting.Line(c.roc.FPR, c.roc.TPR).Name(name).Class(c.class))
		}
		return fig.Title("ROC of " + p.String()), err
	})
}

func chance() *plotting.Figure {
	return plan.UnitSquare("false positive rate", "true positive rate", "chance")
}

type curve struct {
	class string
	roc   assess.ROC
}

// curves are the characteristics of each class against the rest, of two classes that of the second.
func (v *Validation) curves() ([]curve, error) {
	d, truth, err := v.tested(plan.Scores)
	if err != nil {
		return nil, err
	}
	var out []curve
	classes := v.set.K()
	for k := range classes {
		if classes == 2 && k == 0 {
			continue
		}
		is, values := plan.Against(d, truth, k, classes)
		r, err := assess.NewROC(is, values, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, curve{v.set.ClassNames[k], r})
	}
	return out, nil
}

// Calibration draws the share of rows of the class that came against the probability that was said, for rows when they were tested: of the
// second class for two classes, and of each for more.
func (p CrossValidation) Calibration() *plotting.Figure {
	return plan.Figure(p, "Calibration", func(v *Validation) (*plotting.Figure, error) {
		d, truth, err := v.tested(plan.Proba)
		if err != nil {
			return nil, err
		}
		fig := plan.UnitSquare("probability said", "share that came", "as said")
		_, classes := d.Dims()
		for k := range classes {
			if classes == 2 && k == 0 {
				continue
			}
			is := make([]int, len(truth))
			for i, c := range truth {
				if c == k {
					is[i] = 1
				}
			}
			c, err := assess.NewCalibration(is, mat.Col(nil, k, d), nil, 10)
			if err != nil {
				return nil, err
			}
			notes := make([]string, len(c.Count))
			for b, n := range c.Count {
				notes[b] = fmt.Sprintf("%.0f rows", n)
			}
			class := v.set.ClassNames[k]
			name := fmt.Sprintf("%s, error %.3f", class, c.Error())
			fig = fig.Add(plotting.Line(c.Predicted, c.Observed).Class(class).Name(name),
				plotting.Points(c.Predicted, c.Observed).Class(class).Name(name).Notes(notes...))
		}
		return fig.Title("Calibration of " + p.String()), nil
	})
}

// Show shows the picture or table that says most: the folds.
func (p CrossValidation) Show() { p.Folds().Show() }

// A Comparison tries several plans on the same folds of one set: PlanComparison(iris, lda, svm, tree).
//
//plan:step Folds Folds(k int) // sets the number of folds; the default is 10
//plan:step Repeats Repeats(times int) // deals the rows again so many times
//plan:step Seed Seed // by which rows are dealt to folds; the default is 1
//plan:step Score Score(name string) // judges by another score, as CrossValidation.Score does
//plan:step Loss Loss // whose mean is the score "cost", by which is then judged
//plan:step Groups Groups(groups []int) // keeps rows of one group in one fold
//plan:step Ordered Forward // takes the rows in their order as time, and predicts no fold from its future
//plan:without Fit Keep
type Comparison struct {
	plan.Plan[*Compared, dealing]
}

// Compared are the validations of several plans on the same splits.
type Compared struct {
	Names       []string      // the plans; of pipelines with the same steps only what they end in
	Behind      string        // those steps, or ""
	Validations []*Validation // nil for a plan that failed
	Failed      []error       // why a plan failed, nil for one that did not
	Best        int           // the plan of the best mean score, of those that did not fail
}

// PlanComparison begins a comparison of plans on ten folds of a set, which have their share of each class. Where the plans name data of
// their own, those do not count.
func PlanComparison(set datasets.Set, plans ...plan.Trainable) Comparison {
	return Comparison{plan.New(plan.Spec[*Compared, dealing]{
		Name: "Compare", Args: append([]any{set}, fault.Args(plans)...), Options: dealing{Folds: 10, Repeats: 1, Seed: 1}, Needs: plan.Nothing,
		Check: func(step string, o dealing) error {
			if len(plans) == 0 {
				return fault.Argument(step, "the plans", "none", "at least one", "prl.Compare(set, prl.LDA(), prl.SVM())")
			}
			for i, p := range plans {
				if p == nil {
					return fault.Argument(step, fmt.Sprintf("plan %d", i+1), "nil", "a plan", "")
				}
				if err := plan.Settled(p); err != nil {
					return err
				}
			}
			if err := set.CheckRows(step); err != nil {
				return err
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, _ datasets.Set, o dealing) (*Compared, error) {
			splits, err := o.splits(set)
			if err != nil {
				return nil, err
			}
			c := &Compared{Behind: behind(plans), Best: -1}
			bar := cell.NewProgress("fits of "+set.Name, len(plans)*len(splits))
			defer bar.Done()
			for _, p := range plans {
				v, err := validate(ctx, p, set, splits, o, false, bar)
				if ctx.Err() != nil {
					return nil, fmt.Errorf("%s: %w", p, ctx.Err())
				}
				if err == nil && v.failed() != nil {
					v, err = nil, v.failed()
				}
				c.Names = append(c.Names, short(plan.Settings(p), c.Behind))
				c.Validations, c.Failed = append(c.Validations, v), append(c.Failed, err)
				if err == nil && (c.Best < 0 || better(v.judge, mean(v.Scores), mean(c.Validations[c.Best].Scores))) {
					c.Best = len(c.Names) - 1
				}
			}
			if c.Best < 0 { // nothing is left to compare
				return nil, fmt.Errorf("%s: %w", plans[0], c.Failed[0])
			}
			return c, nil
		},
	})}
}

// behind returns the steps that all of several plans have before their models: "Pipeline(Impute(), OneHot())" or a pipeline of another
// kind, or "".
func behind(plans []plan.Trainable) string {
	steps := ""
	for i, p := range plans {
		begin, _, ok := strings.Cut(plan.Settings(p), ").Then(")
		kind, _, _ := strings.Cut(begin, "(")
		if !ok || !strings.HasSuffix(kind, "Pipeline") || i > 0 && begin+")" != steps {
			return ""
		}
		steps = begin + ")"
	}
	if len(plans) < 2 {
		return ""
	}
	return steps
}

// short is what stands behind the steps.
func short(settings, steps string) string {
	if steps == "" {
		return settings
	}
	return strings.TrimSuffix(strings.TrimPrefix(settings, steps+".Then("), ")")
}

func better(by score, a, b float64) bool {
	if by.least {
		return a < b
	}
	return a > b
}

func mean(v []float64) float64 {
	m := 0.0
	for i, x := range v {
		m += (x - m) / float64(i+1)
	}
	return m
}

// Table lists parameters and diagnostics: the mean score of each plan with its interval of 95 %, and beside it the difference to the best
// plan, fold by fold, with the p-value of none. A plan that failed has a row with the reason.
func (p Comparison) Table() cell.Table {
	return plan.Table(p, "Table", func(c *Compared) (cell.Table, error) {
		best := c.Validations[c.Best]
		t := cell.NewTable("plan", best.Score, "from", "to", "less the best", "p of no difference")
		for i, v := range c.Validations {
			if v == nil {
				t = t.Row(c.Names[i], "failed: "+c.Failed[i].Error(), "", "", "", "")
				continue
			}
			m, err := v.Mean(0.95)
			if err != nil {
				return t, err
			}
			row := []any{c.Names[i], m.Estimate, m.Lo, m.Hi, "", ""}
			if i != c.Best {
				d := make([]float64, len(v.Scores))
				for f := range d {
					d[f] = v.Scores[f] - best.Scores[f]
				}
				diff, prob, err := assess.CorrectedT(d, len(v.Splits[0].Train), len(v.Splits[0].Test), 0.95)
				if err != nil {
					return t, err
				}
				row[4], row[5] = diff.Estimate, prob
			}
			t = t.Row(row...)
		}
		note := "intervals and p-values by Student's t on the folds, corrected for the training rows that folds share"
		if c.Behind != "" {
			note = "each behind " + c.Behind + "; " + note
		}
		return t.Title(fmt.Sprintf("%d folds of %s", len(best.Splits), best.set.Name)).Note(note), nil
	})
}

// Scores draws the data as the model sees them: the mean score of each plan with its interval of 95 %, and the scores of the folds. A plan
// that failed has its place and no points.
func (p Comparison) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(c *Compared) (*plotting.Figure, error) {
		best := c.Validations[c.Best]
		var at, middle, lo, hi, dotsAt, dots []float64
		for i, v := range c.Validations {
			if v == nil {
				continue
			}
			m, err := v.Mean(0.95)
			if err != nil {
				return nil, err
			}
			at, middle, lo, hi = append(at, float64(i)), append(middle, m.Estimate), append(lo, m.Lo), append(hi, m.Hi)
			for f, s := range v.Scores {
				dotsAt, dots = append(dotsAt, float64(i)+0.3*(float64(f)/float64(max(1, len(v.Scores)-1))-0.5)), append(dots, s)
			}
		}
		return plotting.New(plotting.Points(dotsAt, dots).Muted().Size(5).Name("fold"),
				plotting.ErrorBars(at, middle, lo, hi).Name("mean, 95 % interval")).
				XCategories(labels(c.Names)...).
				Y(best.Score).
				Title(fmt.Sprintf("%d folds of %s", len(best.Splits), best.set.Name)),
			nil
	})
}

// labels shortens the names of plans to what fits below an axis: of a pipeline the model at its end.
func labels(names []string) []string {
	const most = 26
	out := make([]string, len(names))
	for i, name := range names {
		if utf8.RuneCountInString(name) > most {
			if at := strings.LastIndex(name, ".Then("); at >= 0 {
				name = "… " + strings.TrimSuffix(name[at+len(".Then("):], ")")
			}
			name = fault.Cut(name, most)
		}
		if out[i] = name; slices.Contains(out[:i], name) {
			out[i] = fmt.Sprintf("%d. %s", i+1, name)
		}
	}
	return out
}

// ROC draws true against false positives, with the area below the curve and its interval of 95 % (DeLong): the characteristics of all
// plans on one plane, of what the rows got when they were tested, of the second class for two classes, and for more the one of each class
// against the rest, all taken together.
func (p Comparison) ROC() *plotting.Figure {
	return plan.Figure(p, "ROC", func(c *Compared) (*plotting.Figure, error) {
		fig := chance()
		for i, v := range c.Validations {
			if v == nil {
				continue
			}
			d, truth, err := v.tested(plan.Scores)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Names[i], err)
			}
			var is []int
			var values []float64
			classes := v.set.K()
			for k := range classes {
				if classes == 2 && k == 0 {
					continue
				}
				t, s := plan.Against(d, truth, k, classes)
				is, values = append(is, t...), append(values, s...)
			}
			r, err := assess.NewROC(is, values, nil)
			if err != nil {
				return nil, err
			}
			fig = fig.Add(plotting.Line(r.FPR, r.TPR).Class(c.Names[i]).Name(fmt.Sprintf("%.4g, %s", r.AUC(), c.Names[i])))
		}
		return fig.Title("ROC on rows that were not trained on").Subtitle("the area below, and the plan"), nil
	})
}

// Show shows the picture or table that says most: the table.
func (p Comparison) Show() { p.Table().Show() }
