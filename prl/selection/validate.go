package selection

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/plan"
)

// A Validation is what became of one plan on the splits of a set.
type Validation struct {
	Score  string    // what Scores are: "accuracy", ...
	Scores []float64 // of each split, on its test rows; NaN of one that failed
	Failed []error   // why the fit to a split failed, nil for one that did not
	Splits []assess.Split

	set    datasets.Set
	models []any
	judge  score

	trained []float64 // of each split, on its training rows, where that was asked for
}

// Validate fits the settings of a plan to the training rows of each split of a set and scores it on the test rows. Splits run side by side
// on all processors; the result does not depend on how many there are. The score is "accuracy", "balanced accuracy", "macro F1",
// "Matthews", "AUC" (of several classes the mean over each against the rest), "average precision" (likewise), "log loss", "Brier" or
// "calibration error" of a classifier, "R2", "RMSE" or "MAE" of a regression; "" is the first of its kind.
//
// Errors: that of the first split whose fit fails; rows outside the set; a score the model cannot be judged by. Cancelling ctx stops it.
func Validate(ctx context.Context, p plan.Trainable, set datasets.Set, splits []assess.Split, name string) (*Validation, error) {
	v, err := validate(ctx, p, set, splits, dealing{Score: name}, false, nil)
	if err == nil {
		err = v.failed()
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// validate is Validate with the score of a dealing, with a bar that hears of each fit, and with trained for the scores on the training rows
// as well. Splits may fail, but not all.
func validate(
	ctx context.Context, p plan.Trainable, set datasets.Set, splits []assess.Split, o dealing, trained bool, bar *cell.Progress,
) (*Validation, error) {
	judge, err := judgeOf(p, set, splits, o)
	if err != nil {
		return nil, err
	}
	v := &Validation{
		Score: judge.name, Scores: make([]float64, len(splits)), Splits: splits, set: set, models: make([]any, len(splits)), judge: judge,
	}
	if trained {
		v.trained = make([]float64, len(splits))
	}
	errs, err := trials(ctx, []plan.Trainable{p}, set, splits, judge, trained, bar, func(_, split int, t tried) {
		v.models[split], v.Scores[split] = t.model, t.score
		if trained {
			v.trained[split] = t.trained
		}
	})
	if err != nil {
		return nil, err
	}
	v.Failed = errs[0]
	for i, err := range v.Failed {
		if err != nil {
			v.Scores[i] = math.NaN()
		}
	}
	if !slices.Contains(v.Failed, nil) {
		return nil, v.failed()
	}
	return v, nil
}

// failed returns the error of the first split that failed, or nil.
func (v *Validation) failed() error { return firstOf(v.Failed) }

// firstOf returns the first error of the splits of a plan, with its place, or nil.
func firstOf(splits []error) error {
	for i, err := range splits {
		if err != nil {
			return fmt.Errorf("split %d of %d: %w", i+1, len(splits), err)
		}
	}
	return nil
}

// judgeOf returns the score of a plan on a set, or why there is none.
func judgeOf(p plan.Trainable, set datasets.Set, splits []assess.Split, o dealing) (score, error) {
	const function = "selection.Validate"
	if err := plan.Settled(p); err != nil {
		return score{}, err
	}
	kind := classifying
	switch plan.NeedsOf(p) {
	case plan.Target:
		kind = regressing
	case plan.Classes:
	default:
		return score{}, fault.Argument(function, "the plan", p.String(), "a plan of a classifier or a regression", "")
	}
	name := o.Score
	if name == "" && o.Loss != nil {
		name = cost
	}
	judge, err := scoreOf(function, name, kind)
	if err != nil {
		return judge, err
	}
	if judge.name == cost {
		if err := checkLoss(function, o.Loss, set.K()); err != nil {
			return judge, err
		}
		judge.of = losing(o.Loss)
	}
	if err := plan.CheckData(p, function, set); err != nil {
		return judge, err
	}
	if len(splits) == 0 {
		return judge, fault.Argument(function, "splits", "none", "at least one split", "")
	}
	for i, s := range splits {
		for _, r := range append(s.Train[:len(s.Train):len(s.Train)], s.Test...) {
			if r < 0 || r >= set.N() {
				return judge, fault.Argument(function, fmt.Sprintf("a row of split %d", i+1), r, fmt.Sprintf("0 to %d", set.N()-1), "")
			}
		}
	}
	return judge, nil
}

// A part is the rows of one split, cut out when the first plan is tried on it and given up after the last.
type part struct {
	once sync.Once
	room
	left atomic.Int32
}

// A room holds the rows of a split. No model keeps its rows, so that the next split takes the room of one that was given up.
type room struct{ train, test datasets.Set }

// cut copies rows of a set into the place of others that are not needed any more. A new place has room for so many rows.
func cut(set datasets.Set, idx []int, place datasets.Set, most int) datasets.Set {
	part, d := set, set.D()
	var data []float64
	if place.X != nil {
		data = place.X.RawMatrix().Data
	}
	if cap(data) < len(idx)*d {
		data = make([]float64, max(most, len(idx))*d)
	}
	part.X = mat.NewDense(len(idx), d, data[:len(idx)*d])
	part.Y, part.Target, part.RowNames = nil, nil, nil // a fold needs no names of its rows
	for to, from := range idx {
		copy(part.X.RawRowView(to), set.X.RawRowView(from))
	}
	if set.Y != nil {
		part.Y = picked(set.Y, idx, place.Y)
	}
	if set.Target != nil {
		part.Target = picked(set.Target, idx, place.Target)
	}
	return part
}

// picked returns the values at some places, in the memory of to where that is large enough.
func picked[T any](values []T, idx []int, to []T) []T {
	to = to[:0]
	for _, i := range idx {
		to = append(to, values[i])
	}
	return to
}

// A tried model is what became of a plan on a split. Trained is its score on the rows it was fitted to, where that was asked for.
type tried struct {
	model          any
	score, trained float64
}

// trials fits plans to the training rows of each split and scores them on the test rows, all pairs side by side on all processors, split by
// split, and with trained on the training rows as well. It hands over each model and its score, from several goroutines. What fails is
// told by plan and split; the error is that of ctx alone.
func trials(
	ctx context.Context, plans []plan.Trainable, set datasets.Set, splits []assess.Split, judge score, trained bool, bar *cell.Progress,
	found func(plan, split int, t tried),
) (failed [][]error, err error) {
	failed, parts := make([][]error, len(plans)), make([]part, len(splits))
	for p := range failed {
		failed[p] = make([]error, len(splits))
	}
	mostTrain, mostTest := 0, 0
	for i, s := range splits {
		parts[i].left.Store(int32(len(plans)))
		mostTrain, mostTest = max(mostTrain, len(s.Train)), max(mostTest, len(s.Test))
	}
	var lock sync.Mutex
	var empty []room
	all := len(plans) * len(splits)
	share.Turns(min(runtime.GOMAXPROCS(0), all), all, func(_, k int) {
		split, p := k/len(plans), k%len(plans)
		part := &parts[split]
		defer func() {
			if part.left.Add(-1) == 0 {
				lock.Lock()
				empty = append(empty, part.room)
				lock.Unlock()
				part.room = room{}
			}
		}()
		if ctx.Err() != nil {
			return
		}
		part.once.Do(func() {
			lock.Lock()
			if last := len(empty) - 1; last >= 0 {
				part.room, empty = empty[last], empty[:last]
			}
			lock.Unlock()
			part.train = cut(set, splits[split].Train, part.train, mostTrain)
			part.test = cut(set, splits[split].Test, part.test, mostTest)
		})
		t, err := trial(ctx, plans[p], part.train, part.test, judge, trained)
		if err == nil {
			found(p, split, t)
		}
		failed[p][split] = err
		bar.Step()
	})
	return failed, ctx.Err()
}

// trial fits a plan to training rows and scores it on test rows, and with trained on the training rows.
func trial(ctx context.Context, p plan.Trainable, train, test datasets.Set, judge score, trained bool) (t tried, err error) {
	if t.model, err = plan.Train(ctx, p, train); err != nil {
		return t, err
	}
	if t.score, err = judge.of(t.model, test); err == nil && trained {
		t.trained, err = judge.of(t.model, train)
	}
	return t, err
}

// Mean returns the mean score with its interval of Student's t, corrected for the rows that the training sets share, and cut where no score
// can be. Errors: one split, a split that failed, a confidence outside (0, 1).
func (v *Validation) Mean(confidence float64) (assess.Interval, error) {
	if err := v.failed(); err != nil {
		return assess.Interval{}, err
	}
	i, err := assess.Mean(v.Scores, len(v.Splits[0].Train), len(v.Splits[0].Test), confidence)
	i.Lo, i.Hi = max(i.Lo, v.judge.lo), min(i.Hi, v.judge.hi)
	return i, err
}

// Predicted returns the class that each row got when it was tested, -1 for a row that was not. Of several times the last counts. Errors: a
// split that failed, a regression.
func (v *Validation) Predicted() ([]int, error) {
	if err := v.failed(); err != nil {
		return nil, err
	}
	out := make([]int, v.set.N())
	for i := range out {
		out[i] = -1
	}
	for i, s := range v.Splits {
		m, ok := v.models[i].(estimator.Classifier)
		if !ok {
			return nil, fmt.Errorf("a %T predicts no classes", v.models[i])
		}
		predicted, err := m.Predict(v.set.Rows(s.Test...).X)
		if err != nil {
			return nil, err
		}
		for j, r := range s.Test {
			out[r] = predicted[j]
		}
	}
	return out, nil
}

// Confusion counts the true classes against those that the rows got when they were tested.
func (v *Validation) Confusion() (assess.Confusion, error) {
	predicted, err := v.Predicted()
	if err != nil {
		return assess.Confusion{}, err
	}
	return v.counts(predicted)
}

// counts counts the true classes against those of Predicted.
func (v *Validation) counts(predicted []int) (assess.Confusion, error) {
	var truth, got []int
	for i, c := range predicted {
		if c >= 0 {
			truth, got = append(truth, v.set.Y[i]), append(got, c)
		}
	}
	return assess.NewConfusion(truth, got, nil, v.set.K())
}

// tested gathers what of gives for the test rows of all splits, one row each, with the true classes.
func (v *Validation) tested(of func(model any, X mat.Matrix) (*mat.Dense, error)) (*mat.Dense, []int, error) {
	var rows [][]float64
	var truth []int
	if err := v.failed(); err != nil {
		return nil, nil, err
	}
	for i, s := range v.Splits {
		part := v.set.Rows(s.Test...)
		d, err := of(v.models[i], part.X)
		if err != nil {
			return nil, nil, err
		}
		for r := range s.Test {
			rows = append(rows, d.RawRowView(r))
		}
		truth = append(truth, part.Y...)
	}
	out := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		out.SetRow(i, row)
	}
	return out, truth, nil
}
