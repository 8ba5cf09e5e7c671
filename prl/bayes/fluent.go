package bayes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Fitted is the fluent form of a Gaussian classifier:
//
//	bayes.QDA().Shrinkage(0.1).Fit(iris).Regions().Show()
//
// It is a value; every step returns a changed copy. The fit itself runs once, when something asks for it.
type Fitted struct {
	cell.Outcome[*Classifier]
	fit     func(context.Context, mat.Matrix, []int, Options) (*Classifier, error)
	options Options
	set     datasets.Set
}

// LDA begins linear discriminant analysis (see FitLDA).
func LDA() Fitted { return plan("LDA", FitLDA) }

// QDA begins quadratic discriminant analysis (see FitQDA).
func QDA() Fitted { return plan("QDA", FitQDA) }

// NearestMean begins the minimum-distance classifier (see FitNearestMean).
func NearestMean() Fitted { return plan("NearestMean", FitNearestMean) }

// GaussianNB begins Gaussian naive Bayes (see FitGaussianNB).
func GaussianNB() Fitted { return plan("GaussianNB", FitGaussianNB) }

func plan(name string, fit func(context.Context, mat.Matrix, []int, Options) (*Classifier, error)) Fitted {
	return Fitted{Outcome: cell.NewOutcome[*Classifier](fault.Start(name), nil), fit: fit, options: DefaultOptions()}
}

// renew makes the model depend on the plan as it stands now.
func (f Fitted) renew() Fitted {
	if f.set.X == nil {
		return f
	}
	fit, options, set := f.fit, f.options, f.set
	f.Outcome = cell.NewOutcome(f.Chain, func() (*Classifier, error) { return fit(context.Background(), set.X, set.Y, options) })
	return f
}

// Priors sets the class probabilities in place of the proportions of the classes.
func (f Fitted) Priors(p ...float64) Fitted {
	f.Chain = f.Step("Priors", fault.Args(p)...).Break(estimator.CheckProbabilities("", "Priors", p))
	f.options.Priors = append([]float64(nil), p...)
	return f.renew()
}

// Shrinkage replaces each covariance S by (1-s) S + s tr(S)/d I, 0 <= s <= 1.
func (f Fitted) Shrinkage(s float64) Fitted {
	f.Chain = f.Step("Shrinkage", s)
	if !(s >= 0 && s <= 1) {
		f.Chain = f.Break(fault.Argument("", "Shrinkage", s, "a number from 0 to 1", "the default is 0"))
	}
	f.options.Shrinkage = s
	return f.renew()
}

// MaximumLikelihood divides scatter matrices by n instead of by the degrees of freedom.
func (f Fitted) MaximumLikelihood() Fitted {
	f.Chain = f.Step("MaximumLikelihood")
	f.options.Denominator = MaximumLikelihood
	return f.renew()
}

// Fit names the data to learn from.
func (f Fitted) Fit(set datasets.Set) Fitted {
	f.Chain = f.Step("Fit", set).Break(set.CheckClasses("Fit"))
	f.set = set
	return f.renew()
}

// data returns the set that step measures on: the given one, or that of the fit.
func (f Fitted) data(step string, test []datasets.Set) (datasets.Set, *Classifier, error) {
	m, err := f.Fitted()
	if err != nil {
		return f.set, nil, err
	}
	if len(test) == 0 {
		return f.set, m, nil
	}
	s := test[0]
	return s, m, f.Step(step, s).Break(s.CheckClasses(step)).Err()
}

// Predict returns the class of each row of a set. A broken chain fails the cell.
func (f Fitted) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(f.Outcome, datasets.On(set, (*Classifier).Predict), "Predict", set))
}

// Accuracy returns the share of rows put into their class, on a test set, or on the data of the fit when none is given.
func (f Fitted) Accuracy(test ...datasets.Set) float64 {
	c, n, err := f.count("Accuracy", test)
	if err != nil {
		cell.Fail(err)
	}
	right := 0
	for k := range c {
		right += c[k][k]
	}
	return float64(right) / float64(n)
}

// count returns the confusion matrix, true class by row, and the number of rows.
func (f Fitted) count(step string, test []datasets.Set) ([][]int, int, error) {
	s, m, err := f.data(step, test)
	if err != nil {
		return nil, 0, err
	}
	y, err := m.Predict(s.X)
	if err != nil {
		return nil, 0, f.Step(step, s).Break(err).Err()
	}
	k := max(m.Classes(), s.K())
	c := make([][]int, k)
	for i := range c {
		c[i] = make([]int, k)
	}
	for i, p := range y {
		c[s.Y[i]][p]++
	}
	return c, len(y), nil
}

// Confusion returns the table of true classes (rows) by decided classes (columns), on a test set, or on the data of the fit.
func (f Fitted) Confusion(test ...datasets.Set) cell.Table {
	c, n, err := f.count("Confusion", test)
	if err != nil {
		return cell.BrokenTable(err)
	}
	names := f.set.ClassNames
	heads := []string{"true class"}
	for k := range c {
		heads = append(heads, "decided "+name(names, k))
	}
	t := cell.NewTable(heads...)
	right := 0
	for k, row := range c {
		t = t.Row(append([]any{name(names, k)}, fault.Args(row)...)...)
		right += row[k]
	}
	return t.Note(fmt.Sprintf("%d of %d right, accuracy %s", right, n, cell.Number(float64(right)/float64(n))))
}

func name(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("class %d", k)
}

// Parameters returns the prior and the mean of every class and log det of its covariance.
func (f Fitted) Parameters() cell.Table {
	m, err := f.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	heads := []string{"class", "prior"}
	for j := range m.Dim() {
		heads = append(heads, "mean of "+name(f.set.FeatureNames, j))
	}
	t := cell.NewTable(append(heads, "log det S")...)
	for k, g := range m.class {
		row := append([]any{name(f.set.ClassNames, k), m.priors[k]}, fault.Args(g.mean)...)
		t = t.Row(append(row, g.LogDet())...)
	}
	return t.Title(m.String())
}

func (f Fitted) plane(step string) (*Classifier, error) {
	m, err := f.Fitted()
	if err == nil && m.Dim() != 2 {
		err = f.Step(step).Break(fault.Argument("", "the data", fmt.Sprintf("%d-dimensional", m.Dim()), "two-dimensional for a picture of the plane", "choose two with .Features(a, b)")).Err()
	}
	return m, err
}

// Regions draws the data, the decision regions and the two-sigma ellipses of the classes. It needs two features.
func (f Fitted) Regions() *plotting.Figure {
	m, err := f.plane("Regions")
	if err != nil {
		return plotting.Fault(err)
	}
	x, y := f.set.Points()
	fig := plotting.New(
		plotting.Regions(func(x, y float64) int { return m.Class(x, y) }, f.set.ClassNames...),
		plotting.Points(x, y).By(f.set.Y, f.set.ClassNames...),
	)
	for k, g := range m.class {
		fig = fig.Add(plotting.Ellipse(g.mean, g.Cov()).Sigma(2).Class(name(f.set.ClassNames, k)))
	}
	return fig.X(name(f.set.FeatureNames, 0)).Y(name(f.set.FeatureNames, 1)).Title(m.kind + " on " + f.set.Name)
}

// Posterior draws the posterior of one class over the plane. It needs two features.
func (f Fitted) Posterior(class int) *plotting.Figure {
	m, err := f.plane("Posterior")
	if err == nil && (class < 0 || class >= m.Classes()) {
		err = f.Step("Posterior", class).Break(fault.Argument("", "class", class, fmt.Sprintf("a class 0 ... %d", m.Classes()-1), "")).Err()
	}
	if err != nil {
		return plotting.Fault(err)
	}
	law := m.Model()
	x, y := f.set.Points()
	return plotting.New(
		plotting.Contours(func(x, y float64) float64 { return law.Posterior(x, y)[class] }).Levels(0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99).Filled().Label("p("+name(f.set.ClassNames, class)+"|x)"),
		plotting.Points(x, y).By(f.set.Y, f.set.ClassNames...),
	).X(name(f.set.FeatureNames, 0)).Y(name(f.set.FeatureNames, 1)).Title(m.kind + ": posterior of " + name(f.set.ClassNames, class))
}

// Densities draws the data of one feature as histograms with the fitted p(y) p(x|y). It needs one feature.
func (f Fitted) Densities() *plotting.Figure {
	m, err := f.Fitted()
	if err == nil && m.Dim() != 1 {
		err = f.Step("Densities").Break(fault.Argument("", "the data", fmt.Sprintf("%d-dimensional", m.Dim()), "one-dimensional", "choose one with .Features(a)")).Err()
	}
	if err != nil {
		return plotting.Fault(err)
	}
	law := m.Model()
	lo, hi := law.view()
	fig := plotting.New()
	for k := range m.class {
		fig = fig.Add(plotting.Curve(func(x float64) float64 { return law.Joint(x)[k] }, lo, hi).Class(name(f.set.ClassNames, k)).Fill())
	}
	if rule, err := law.Rule(ZeroOne(m.Classes())); err == nil {
		fig = mark(fig, rule, lo, hi)
	}
	rug := make([]float64, len(f.set.Y))
	for i := range rug {
		rug[i] = -0.02 * math.Max(law.Evidence(law.class[0].mean...), 1e-3) * float64(1+f.set.Y[i])
	}
	x := mat.Col(nil, 0, f.set.X)
	return fig.Add(plotting.Points(x, rug).By(f.set.Y, f.set.ClassNames...).Opacity(0.6)).X(name(f.set.FeatureNames, 0)).Y("p(x, y)").Title(m.kind + " on " + f.set.Name)
}

// Show displays the regions of two features, the densities of one, and the confusion table otherwise.
func (f Fitted) Show() {
	m, err := f.Fitted()
	switch {
	case err != nil:
		cell.Fail(err)
	case m.Dim() == 1:
		f.Densities().Show()
	case m.Dim() == 2:
		f.Regions().Show()
	default:
		f.Confusion().Show()
	}
}
