package plan

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Classifier is a plan whose model puts rows into classes.
type Classifier[M estimator.PointClassifier, O any] struct{ classifier }

// NewClassifier begins a plan of a classifier.
func NewClassifier[M estimator.PointClassifier, O any](spec Spec[M, O]) Classifier[M, O] {
	return Classifier[M, O]{classifier{begin(spec)}}
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Classifier[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Classifier[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Classifier[M, O]) settings() O { return settings[O](p.base()) }

// A Classifying plan is a plan of any classifier, so that several can stand in one list:
//
//	for _, c := range []plan.Classifying{lda, svm, tree} {
//		table = table.Row(c, c.Accuracy(test))
//	}
type Classifying interface {
	Trainable
	Predict(set datasets.Set) []int
	Proba(set datasets.Set) *mat.Dense
	LogProba(set datasets.Set) *mat.Dense
	Class(x ...float64) int
	Accuracy(test ...datasets.Set) float64
	Confusion(test ...datasets.Set) Confusion
	ROC(test ...datasets.Set) *plotting.Figure
	AUC(test ...datasets.Set) float64
	AveragePrecision(test ...datasets.Set) float64
	LogLoss(test ...datasets.Set) float64
	Brier(test ...datasets.Set) float64
	Permutation(test ...datasets.Set) *plotting.Figure
	Partial(feature string) *plotting.Figure
	Regions() *plotting.Figure
	Show()
}

// A classifier is a plan of any classifier.
type classifier struct{ root }

func (p classifier) any() typed[estimator.PointClassifier] {
	return typed[estimator.PointClassifier]{p.base()}
}

// Predict returns the answer for each row of a set: its class, from 0.
func (p classifier) Predict(set datasets.Set) []int {
	return Value(p.any(), "Predict", func(m estimator.PointClassifier) ([]int, error) { return on(m, "Predict", set, m.Predict) }, set)
}

func (p classifier) on(set datasets.Set) Trainable { return Fit(p, set) }

// on calls f, a method of model m, on the rows of a set; a broken set reports its own error.
func on[T any](m any, step string, set datasets.Set, f func(mat.Matrix) (T, error)) (T, error) {
	set, err := Admitted(m, step, set)
	if err != nil {
		var none T
		return none, err
	}
	return f(set.X)
}

// A wordy model was fitted to features of words, or with gaps.
type wordy interface {
	// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers. No names: the fit
	// knew neither words nor gaps.
	Columns() (names []string, words [][]string)
}

// Admitted returns a set as a fitted model reads it: words have the numbers that they had in the data of the fit. A model that was fitted
// to numbers takes a set of numbers only.
func Admitted(m any, step string, set datasets.Set) (datasets.Set, error) {
	if err := set.Err(); err != nil || set.X == nil {
		return set, err
	}
	if w, ok := m.(wordy); ok {
		if names, words := w.Columns(); names != nil {
			return set.Recoded(step, names, words)
		}
	}
	return set, set.CheckNumbers(step)
}

// Proba returns the n x K probabilities of the classes: a row for each row of the set, which sums to one.
func (p classifier) Proba(set datasets.Set) *mat.Dense {
	return p.sure("Proba", set, estimator.ProbabilisticClassifier.Proba)
}

// LogProba returns the n x K natural logarithms of the probabilities of the classes. They tell apart what Proba rounds to 0 and 1, where
// the model has such logarithms: all but trees, nearest neighbours and the coupled machines of more than two classes, where a probability
// of zero gives -Inf.
func (p classifier) LogProba(set datasets.Set) *mat.Dense {
	return p.sure("LogProba", set, estimator.LogProba)
}

// sure returns what f makes of the model and the rows of a set, if the model has probabilities.
func (p classifier) sure(
	step string, set datasets.Set, f func(estimator.ProbabilisticClassifier, mat.Matrix) (*mat.Dense, error),
) *mat.Dense {
	return Value(p.any(), step, func(m estimator.PointClassifier) (*mat.Dense, error) {
		return on(m, step, set, func(X mat.Matrix) (*mat.Dense, error) {
			probabilistic, ok := m.(estimator.ProbabilisticClassifier)
			if !ok {
				return nil, fmt.Errorf("a %s has no probabilities", p.base().name)
			}
			return f(probabilistic, X)
		})
	}, set)
}

// Class returns the class of one point: from 0, of d coordinates.
func (p classifier) Class(x ...float64) int {
	return Value(p.any(), "Class", func(m estimator.PointClassifier) (int, error) {
		if err := estimator.CheckPoint("Class", x, m.Dim()); err != nil {
			return 0, err
		}
		return m.Class(x...), nil
	}, fault.Args(x)...)
}

// tested returns the set that an end measures model m on: the one given, or that of the fit.
func tested(m any, fit datasets.Set, step string, needs Needs, test []datasets.Set) (datasets.Set, error) {
	switch len(test) {
	case 0:
		return fit, nil
	case 1:
		if err := needs.check(step, test[0], true); err != nil {
			return test[0], err
		}
		set, err := Admitted(m, step, test[0])
		if err != nil || needs != Classes {
			return set, err
		}
		return set, sameClasses(step, fit, set)
	}
	return fit, tooMany(step, test)
}

func tooMany(step string, sets []datasets.Set) error {
	return fault.Argument(step, "the number of sets", len(sets), "0 or 1", "without a set the data of the fit are used")
}

// sameClasses reports a test set whose classes have other numbers than in the fit, as after .Classes on one of the two sets alone. A test
// set may have fewer classes, or more at the end, and one of the two may call its classes by their numbers only.
func sameClasses(step string, fit, test datasets.Set) error {
	for k := range min(fit.K(), test.K()) {
		a, b, number := fit.ClassNames[k], test.ClassNames[k], strconv.Itoa(k)
		if a != b && (slices.Contains(fit.ClassNames, b) || a != number && b != number) {
			return fault.Argument(step, fmt.Sprintf("class %d of the data set %s", k, test.Name), b, a+", as in the data of the fit",
				"choose the classes before the set is split, or the same ones in the same order with .Classes")
		}
	}
	return nil
}

// counts compares the classes of a set with those predicted.
func (p classifier) counts(step string, test []datasets.Set) (_ assess.Confusion, set datasets.Set, predicted []int, err error) {
	c, err := Try(p.any(), step, func(m estimator.PointClassifier) (c assess.Confusion, err error) {
		if set, err = tested(m, p.base().set, step, Classes, test); err != nil {
			return c, err
		}
		if predicted, err = m.Predict(set.X); err != nil {
			return c, err
		}
		return assess.NewConfusion(set.Y, predicted, nil, max(m.Classes(), set.K()))
	}, sets(test)...)
	return c, set, predicted, err
}

func sets(test []datasets.Set) []any { return fault.Args(test) }

// Accuracy returns the share of rows put into their class: of a test set, or of the data of the fit when none is given.
func (p classifier) Accuracy(test ...datasets.Set) float64 {
	c, _, _, err := p.counts("Accuracy", test)
	if err != nil {
		cell.Fail(err)
	}
	return c.Accuracy()
}

// Confusion counts the true classes against the predicted ones: of a test set, or of the data of the fit when none is given.
func (p classifier) Confusion(test ...datasets.Set) Confusion {
	c, set, predicted, err := p.counts("Confusion", test)
	names := p.base().set.ClassNames
	if len(set.ClassNames) > len(names) {
		names = set.ClassNames
	}
	confusion := NewConfusion(c, names, "Confusion of "+p.base().name+" on "+set.Name, err)
	if err != nil {
		return confusion
	}
	return confusion.Of(set.Y, predicted)
}

// Scores returns a score of each row of X (n x d) for each class, n x K, or n x 1 with the score of the second of two classes. Of more than
// two classes they are probabilities where the model has them, since those of one class can be compared from row to row; otherwise the
// decision values on which the model's rule rests.
func Scores(m any, X mat.Matrix) (*mat.Dense, error) {
	probabilistic, sure := m.(estimator.ProbabilisticClassifier)
	scorer, ok := m.(estimator.Scorer)
	if sure && (!ok || probabilistic.Classes() > 2) {
		if p, err := probabilistic.Proba(X); err == nil || !ok {
			return p, err
		}
	}
	if !ok {
		return nil, fmt.Errorf("a %T tells neither decision values nor probabilities", m)
	}
	return scorer.Decision(X)
}

// Against returns 1 for the rows of class k of so many, and from the scores of Scores a number for each row that is higher the more likely
// it is of class k.
func Against(scores *mat.Dense, y []int, k, classes int) (is []int, values []float64) {
	n, columns := scores.Dims()
	is, values = make([]int, n), make([]float64, n)
	for i := range n {
		values[i] = scores.At(i, min(k, columns-1))
		if classes == 2 && columns == 2 {
			values[i] -= scores.At(i, 0)
		}
		if y[i] == k {
			is[i] = 1
		}
	}
	return is, values
}

// ROC draws true against false positives, with the area below the curve and its interval of 95 % (DeLong): the receiver operating
// characteristic of a test set, or of the data of the fit, of the second class for two classes, and of each class against the rest for
// more.
func (p classifier) ROC(test ...datasets.Set) *plotting.Figure {
	return Figure(p.any(), "ROC", func(m estimator.PointClassifier) (*plotting.Figure, error) {
		set, err := tested(m, p.base().set, "ROC", Classes, test)
		if err != nil {
			return nil, err
		}
		values, err := Scores(m, set.X)
		if err != nil {
			return nil, err
		}
		fig := UnitSquare("false positive rate", "true positive rate", "chance")
		rows := set.Counts()
		for k := range m.Classes() {
			if k >= len(rows) || rows[k] == 0 {
				return nil, fault.Argument("ROC", "the data set "+set.Name, "without rows of class "+className(p.base().set.ClassNames, k),
					"a set with rows of each class of the fit", "draw the rows to test on by .Split, which keeps the shares of the classes")
			}
			if m.Classes() == 2 && k == 0 {
				continue
			}
			truth, score := Against(values, set.Y, k, m.Classes())
			curve, err := assess.NewROC(truth, score, nil)
			if err != nil {
				return nil, err
			}
			name := className(p.base().set.ClassNames, k)
			area := fmt.Sprintf("area %.4g", curve.AUC())
			if a, err := assess.AUC(truth, score, 0.95); err == nil && a.Lo < a.Hi { // two rows of each side, and scores that overlap
				area += fmt.Sprintf(" (%.3g to %.3g)", a.Lo, a.Hi)
			}
			line := plotting.Line(curve.FPR, curve.TPR).Name(name + ", " + area).Class(name)
			fig = fig.Add(line)
		}
		return fig.Title("ROC of " + p.base().name + " on " + set.Name), nil
	}, sets(test)...)
}

// PrecisionRecall draws the precision over the recall, with the average precision: of a test set, or of the data of the fit, of the second
// class for two classes, and of each class against the rest for more. A dashed line is the share of a class, which chance reaches.
func (p classifier) PrecisionRecall(test ...datasets.Set) *plotting.Figure {
	return Figure(p.any(), "PrecisionRecall", func(m estimator.PointClassifier) (*plotting.Figure, error) {
		set, err := tested(m, p.base().set, "PrecisionRecall", Classes, test)
		if err != nil {
			return nil, err
		}
		values, err := Scores(m, set.X)
		if err != nil {
			return nil, err
		}
		fig := plotting.New().X("recall").Y("precision").XRange(-0.01, 1.01).YRange(-0.01, 1.01).Equal().Size(520, 500)
		for k := range m.Classes() {
			if m.Classes() == 2 && k == 0 {
				continue
			}
			truth, score := Against(values, set.Y, k, m.Classes())
			curve, err := assess.NewROC(truth, score, nil)
			if err != nil {
				return nil, err
			}
			name, share := className(p.base().set.ClassNames, k), 0.0
			for _, is := range truth {
				share += float64(is) / float64(len(truth))
			}
			chance := plotting.Line([]float64{0, 1}, []float64{share, share}).Dash().Muted()
			if k == 0 || m.Classes() == 2 { // once in the legend
				chance = chance.Name("chance")
			}
			fig = fig.Add(chance, plotting.Line(curve.TPR, curve.Precision()).Class(name).Name(fmt.Sprintf("%s, average %.4g", name,
				curve.AveragePrecision())))
		}
		return fig.Title("Precision and recall of " + p.base().name + " on " + set.Name), nil
	}, sets(test)...)
}

// UnitSquare begins a figure of two shares with the named diagonal, on which they are equal.
func UnitSquare(x, y, diagonal string) *plotting.Figure {
	return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, 1}).Dash().Muted().Name(diagonal)).
		X(x).Y(y).XRange(-0.01, 1.01).YRange(-0.01, 1.01).Equal().Size(520, 500)
}

func className(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("class %d", k)
}

// Regions draws data of two features over the regions of the classes: those in which the model puts each class.
func (p classifier) Regions() *plotting.Figure { return Regions(p.any(), "Regions", nil) }

// Regions draws the data of a plan on two features over the regions in which its model puts each class; layers, which may be nil, are drawn
// between.
func Regions[M estimator.PointClassifier](p Of[M], step string, layers func(M) ([]plotting.Layer, error), args ...any) *plotting.Figure {
	return Figure(p, step, func(m M) (*plotting.Figure, error) { return RegionsOf(m, p.base().set, step, layers) }, args...)
}

// RegionsOf is Regions of a model and a set, for a plan that adds to the figure.
func RegionsOf[M estimator.PointClassifier](
	m M,
	set datasets.Set,
	step string,
	layers func(M) ([]plotting.Layer, error),
) (*plotting.Figure, error) {
	if layers == nil {
		return regionsOf(m, set, step, nil)
	}
	return regionsOf(m, set, step, func() ([]plotting.Layer, error) { return layers(m) })
}

func regionsOf(
	m estimator.PointClassifier,
	set datasets.Set,
	step string,
	layers func() ([]plotting.Layer, error),
) (*plotting.Figure, error) {
	x, y, err := Plane(set, step)
	if err != nil {
		return nil, err
	}
	fig := plotting.New(plotting.Regions(func(a, b float64) int { return m.Class(a, b) }, set.ClassNames...))
	if layers != nil {
		more, err := layers()
		if err != nil {
			return nil, err
		}
		fig = fig.Add(more...)
	}
	return fig.Add(plotting.Points(x, y).By(set.Y, set.ClassNames...)).
		X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Title(title(m, set)), nil
}

// title is what a figure of a model is called: the model in its own words, and the data.
func title(m any, set datasets.Set) string {
	if s, ok := m.(fmt.Stringer); ok {
		return s.String()
	}
	return set.Name
}

// Show shows the picture or table that says most: the regions of two features, and the confusion table otherwise.
func (p classifier) Show() {
	if _, err := p.base().fitted(); err == nil && p.base().set.D() == 2 {
		p.Regions().Show()
		return
	}
	p.Confusion().Show()
}
