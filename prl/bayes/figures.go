package bayes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// Regions draws data of two features over the regions of the classes: with the
// two-sigma ellipses of the classes.
func (p Plan) Regions() *plotting.Figure {
	return plan.Regions(p, "Regions", func(c *Classifier) ([]plotting.Layer, error) {
		var ellipses []plotting.Layer
		for k, g := range c.class {
			ellipses = append(ellipses, plotting.Ellipse(g.mean, g.Cov()).Sigma(2).Class(c.ClassName(k)))
		}
		return ellipses, nil
	})
}

// Posterior draws p(y|x) of one class, from 0, over the plane of two features.
func (p Plan) Posterior(class int) *plotting.Figure {
	return plan.Figure(p, "Posterior", func(c *Classifier) (*plotting.Figure, error) {
		if err := estimator.CheckCount("Posterior", "class", class, 0, c.Classes()-1); err != nil {
			return nil, err
		}
		set := plan.Data(p)
		x, y, err := plan.Plane(set, "Posterior")
		if err != nil {
			return nil, err
		}
		law, name := c.Law(), c.ClassName(class)
		return plotting.New(
			plotting.Contours(func(x, y float64) float64 { return law.Posterior(x, y)[class] }).
				Levels(0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99).Filled().Label("p("+name+"|x)"),
			plotting.Points(x, y).By(set.Y, set.ClassNames...),
		).X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Title(c.kind + ": posterior of " + name), nil
	}, class)
}

// Densities draws the densities of the classes over one feature: the data below the fitted p(y) p(x|y) of every class.
func (p Plan) Densities() *plotting.Figure {
	return plan.Figure(p, "Densities", func(c *Classifier) (*plotting.Figure, error) {
		set := plan.Data(p)
		if set.D() != 1 {
			got := fmt.Sprintf("of %d features", set.D())
			return nil, fault.Argument("Densities", "the data set", got, "a set of 1 feature", "choose one with .Features(a)")
		}
		law := c.Law()
		lo, hi := law.view()
		fig, err := law.densities(ZeroOne(c.Classes()), c.ClassName, lo, hi)
		if err != nil {
			return nil, err
		}
		rug := make([]float64, set.N())
		for i := range rug {
			rug[i] = -0.02 * math.Max(law.Evidence(law.class[0].mean...), 1e-3) * float64(1+set.Y[i])
		}
		points := plotting.Points(mat.Col(nil, 0, set.X), rug).By(set.Y, set.ClassNames...).Opacity(0.6)
		return fig.Add(points).X(set.FeatureNames[0]).Y("p(x, y)").Title(c.kind + " on " + set.Name), nil
	})
}

// Table lists parameters and diagnostics: the prior and the mean of every class and log det of its covariance.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(c *Classifier) (cell.Table, error) {
		heads := []string{"class", "prior"}
		for j := range c.Dim() {
			heads = append(heads, "mean of "+c.FeatureName(j))
		}
		t := cell.NewTable(append(heads, "log det S")...)
		for k, g := range c.class {
			row := append([]any{c.ClassName(k), c.priors[k]}, fault.Args(g.mean)...)
			t = t.Row(append(row, g.LogDet())...)
		}
		return t.Title(c.String()), nil
	})
}

// Show shows the picture or table that says most: the densities of one feature, the regions of two, and the confusion table otherwise.
func (p Plan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 1 {
		p.Densities().Show()
		return
	}
	p.Classifier.Show()
}
