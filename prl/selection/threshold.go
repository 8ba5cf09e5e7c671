package selection

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A ThresholdPlan is a classifier of two classes that says the second where the score of another classifier, its probability or else its
// decision value, is at least a threshold. The threshold is chosen on rows that the classifier was not fitted to, those of the test parts
// of a cross-validation; then the classifier is fitted to all rows: PlanThreshold(logistic.PlanLogistic()).Recall(0.9).Fit(train). Of its
// rules the last counts; without one the sum of the true positive rate and the true negative rate is the largest.
//
// Rates on the rows that the threshold was chosen on are a little too good; CrossValidate and Compare judge it as any other plan, on rows
// that neither the fit nor the choice has seen. Source: Provost and Fawcett, Machine Learning 42 (2001).
//
//plan:step Rule Loss = rule{kind: byLoss, loss: estimator.CloneRows(rows)} // and takes the threshold whose mean loss is the least
//plan:step Rule Recall(share float64) = rule{kind: byRecall, value: share} // takes the highest threshold that finds at least a share of
//plan:text the second class
//plan:step Rule Alarms(share float64) = rule{kind: byAlarms, value: share} // takes the lowest threshold that calls at most a share of the
//plan:text first class the second
//plan:step Rule At(threshold float64) = rule{kind: given, value: threshold} // takes a threshold that is known, such as the probability 0.2
//plan:step Folds Folds(k int) // sets the number of folds; the default is 5
//plan:step Seed Seed // by which rows are dealt to folds; the default is 1
//plan:fit a set with two classes
type ThresholdPlan struct {
	plan.Classifier[*Threshold, thresholding]
}

// A rule chooses the threshold.
type rule struct {
	kind  ruleKind
	value float64
	loss  [][]float64
}

type ruleKind int

const (
	balanced ruleKind = iota
	byLoss
	byRecall
	byAlarms
	given
)

func (r rule) check(step string) error {
	switch {
	case r.kind == given && (math.IsNaN(r.value) || math.IsInf(r.value, 0)):
		return fault.Argument(step, "the threshold", r.value, "a finite number", "")
	case r.kind != given && !(r.value >= 0 && r.value <= 1):
		return fault.Argument(step, "the share", r.value, "a number from 0 to 1", "")
	case r.kind != byLoss:
		return nil
	}
	if err := checkLoss(step, r.loss, 2); err != nil {
		return err
	}
	if r.loss[0][1] < r.loss[1][1] || r.loss[1][0] < r.loss[0][0] {
		return fault.Argument(step, "the table of losses", "of a right answer that costs more than a wrong one",
			"in each column the least loss on the diagonal", "row 0 is the answer of the first class, a column for each true class")
	}
	return nil
}

type thresholding struct {
	dealing
	Rule rule
}

// PlanThreshold begins a classifier whose threshold is chosen by the rates of another one on five folds.
func PlanThreshold(p plan.Classifying) ThresholdPlan {
	if p != nil {
		plan.Register(p)
	}
	return ThresholdPlan{plan.NewClassifier(plan.Spec[*Threshold, thresholding]{
		Name: "Threshold", Args: []any{p}, Needs: plan.Classes, Raw: true,
		Options: thresholding{dealing: dealing{Folds: 5, Repeats: 1, Seed: 1}},
		Check: func(step string, o thresholding) error {
			if p == nil {
				return fault.Argument(step, "the plan", "nil", "a plan of a classifier, such as prl.Logistic()", "")
			}
			if err := plan.Settled(p); err != nil {
				return err
			}
			if err := o.Rule.check(step); err != nil {
				return err
			}
			return o.check(step)
		},
		CheckData: func(step string, set datasets.Set, _ thresholding) error {
			if err := plan.CheckTwoClasses(step, set, ""); err != nil {
				return err
			}
			return plan.CheckData(p, step, set)
		},
		Fit: func(ctx context.Context, set datasets.Set, o thresholding) (*Threshold, error) {
			return fitThreshold(ctx, p, set, o)
		},
	})}
}

// A Threshold is a fitted classifier with the threshold of its answers.
type Threshold struct {
	estimator.Names
	s thresholdState
}

type thresholdState struct {
	Classifier estimator.PointClassifier
	Sure       bool // the scores are probabilities
	Threshold  float64
	Rule       string
	// The curve, of rows that the classifier was not fitted to, and the place of the threshold.
	Scores, TPR, FPR []float64
	Precision        float64
	Place            int
	Names            estimator.Names
}

// sound reports whether the parts fit together.
func (s *thresholdState) sound() bool {
	return s.Classifier != nil && s.Classifier.Dim() > 0 && len(s.Scores) > 1 && len(s.TPR) == len(s.Scores) && len(s.FPR) == len(s.Scores) &&
		s.Place >= 0 && s.Place < len(s.Scores)
}

// secondScores returns a number for each row that is higher the more likely the row is of the second class: its probability, where the
// model has one.
func secondScores(m any, X mat.Matrix) (s []float64, sure bool, err error) {
	p, err := plan.Proba(m, X)
	if sure = err == nil; !sure {
		if p, err = plan.Scores(m, X); err != nil {
			return nil, false, err
		}
	}
	_, columns := p.Dims()
	return mat.Col(nil, columns-1, p), sure, nil
}

func fitThreshold(ctx context.Context, p plan.Classifying, set datasets.Set, o thresholding) (*Threshold, error) {
	splits, err := o.splits(set)
	if err != nil {
		return nil, err
	}
	v, err := Validate(ctx, p, set, splits, "")
	if err != nil {
		return nil, err
	}
	held, truth, err := v.tested(func(m any, X mat.Matrix) (*mat.Dense, error) {
		s, _, err := secondScores(m, X)
		if err != nil {
			return nil, err
		}
		return mat.NewDense(len(s), 1, s), nil
	})
	if err != nil {
		return nil, err
	}
	r, err := assess.NewROC(truth, mat.Col(nil, 0, held), nil)
	if err != nil {
		return nil, err
	}
	s := thresholdState{Scores: r.Thresholds, TPR: r.TPR, FPR: r.FPR}
	positive := 0.0
	for _, y := range set.Y {
		positive += float64(y) / float64(set.N())
	}
	if s.Rule, s.Place, err = o.Rule.choose(r, positive); err != nil {
		return nil, err
	}
	s.Threshold, s.Precision = s.Scores[s.Place], r.Precision()[s.Place]
	if s.Place == 0 { // no row is called of the second class
		s.Threshold = math.Nextafter(s.Scores[1], math.Inf(1))
	}
	if o.Rule.kind == given {
		s.Threshold = o.Rule.value
	}
	m, err := plan.Train(ctx, p, set)
	if err != nil {
		return nil, err
	}
	s.Classifier = m.(estimator.PointClassifier)
	_, s.Sure, err = secondScores(m, set.Rows(0).X)
	return &Threshold{s: s}, err
}

// choose returns the rule in words and the place of the threshold on a curve. positive is the share of the second class.
func (r rule) choose(c assess.ROC, positive float64) (words string, place int, err error) {
	last := len(c.TPR) - 1
	switch r.kind {
	case given:
		for place < last && c.Thresholds[place+1] >= r.value {
			place++
		}
		return "given", place, nil
	case byRecall:
		for c.TPR[place] < r.value {
			place++
		}
		return fmt.Sprintf("true positive rate of at least %v", r.value), place, nil
	case byAlarms:
		for place < last && c.FPR[place+1] <= r.value {
			place++
		}
		return fmt.Sprintf("false positive rate of at most %v", r.value), place, nil
	case byLoss:
		place, err = c.Best(positive, r.loss[0][1]-r.loss[1][1], r.loss[1][0]-r.loss[0][0])
		return "least mean loss", place, err
	}
	place, err = c.Best(0.5, 1, 1)
	return "largest sum of the rates of both classes", place, err
}

// Threshold returns the least score of the second class.
func (t *Threshold) Threshold() float64 { return t.s.Threshold }

// Rates returns the true positive rate and the false positive rate of the threshold on rows that the classifier was not fitted to.
func (t *Threshold) Rates() (truePositive, falsePositive float64) {
	return t.s.TPR[t.s.Place], t.s.FPR[t.s.Place]
}

// Dim returns the number of features.
func (t *Threshold) Dim() int {
	if t.s.Classifier == nil {
		return 0
	}
	return t.s.Classifier.Dim()
}

// Classes returns 2.
func (t *Threshold) Classes() int { return 2 }

// Columns returns the names of the features, and the words that their numbers stand for, nil for numbers; no names of a classifier that
// takes numbers alone.
func (t *Threshold) Columns() (names []string, words [][]string) {
	if c, ok := t.s.Classifier.(interface {
		Columns() (names []string, words [][]string)
	}); ok {
		return c.Columns()
	}
	return nil, nil
}

// Decision returns the n x 1 scores of the rows of X (n x d) less the threshold: at least zero of the second class.
func (t *Threshold) Decision(X mat.Matrix) (*mat.Dense, error) {
	s, _, err := secondScores(t.s.Classifier, X)
	if err != nil {
		return nil, err
	}
	for i := range s {
		s[i] -= t.s.Threshold
	}
	return mat.NewDense(len(s), 1, s), nil
}

// Predict returns the class, 0 or 1, of each row of X (n x d).
func (t *Threshold) Predict(X mat.Matrix) ([]int, error) {
	d, err := t.Decision(X)
	if err != nil {
		return nil, err
	}
	classes := make([]int, d.RawMatrix().Rows)
	for i := range classes {
		if d.At(i, 0) >= 0 {
			classes[i] = 1
		}
	}
	return classes, nil
}

// Class returns the class of one point of d coordinates, and -1 for a point of another length or one that the classifier cannot take.
func (t *Threshold) Class(x ...float64) int {
	if len(x) == 0 || len(x) != t.Dim() {
		return -1
	}
	classes, err := t.Predict(mat.NewDense(1, len(x), append([]float64(nil), x...)))
	if err != nil {
		return -1
	}
	return classes[0]
}

// String returns the classifier with its threshold.
func (t *Threshold) String() string {
	return fmt.Sprintf("%v, threshold %.4g", t.s.Classifier, t.s.Threshold)
}

// MarshalBinary encodes the model with its classifier.
func (t *Threshold) MarshalBinary() ([]byte, error) {
	s := t.s
	return estimator.Store("selection.Threshold", t.Dim(), &s, &s.Names, t.Names)
}

// UnmarshalBinary reads what MarshalBinary wrote, in a program that knows the type of the classifier.
func (t *Threshold) UnmarshalBinary(data []byte) error {
	var s thresholdState
	names, err := estimator.Restore(data, "selection.Threshold", &s, &s.Names, s.sound)
	if err == nil {
		*t = Threshold{names, s}
	}
	return err
}

// Table lists parameters and diagnostics: the threshold with the rule that chose it, and its rates on rows that the classifier was not
// fitted to.
func (p ThresholdPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(t *Threshold) (cell.Table, error) {
		score := "decision value"
		if t.s.Sure {
			score = "probability"
		}
		tpr, fpr := t.Rates()
		return cell.NewTable("rule", "threshold of the "+score, "true positive rate", "false positive rate", "precision").
			Row(t.s.Rule, t.s.Threshold, tpr, fpr, t.s.Precision).Title(p.String()).
			Note("rates on rows that the classifier was not fitted to"), nil
	})
}

// Curve draws what was fitted, over the data of one feature: the true and the false positive rate over the threshold, on rows that the
// classifier was not fitted to, with the threshold that was chosen.
func (p ThresholdPlan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(t *Threshold) (*plotting.Figure, error) {
		x := t.s.Scores[1:] // the first is infinite
		tpr, fpr := t.Rates()
		return plotting.New(plotting.Line(x, t.s.TPR[1:]).Name("true positive rate"),
			plotting.Line(x, t.s.FPR[1:]).Name("false positive rate"), plotting.VRule(t.s.Threshold).Accent().Name("threshold")).
			X("threshold").Y("share of the class").Title(p.String()).
			Subtitle(fmt.Sprintf("threshold %.4g: true positive rate %.3g, false positive rate %.3g", t.s.Threshold, tpr, fpr)), nil
	})
}
