package density

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
	"github.com/prlab/prlab/prl/plan"
)

// A KNNPlan is a nearest neighbour rule described step by step: PlanKNN(5).Fit(iris).
//
//plan:step Angle Angle // measures by 1 - cos of the angle between rows in place of the Euclidean distance
//plan:step Search Search(how Search) // says how neighbours are found; Auto unless set. All ways find the same
//plan:step Weights SampleWeights
//plan:step Sigma Weighted(sigma float64) =! estimator.Positive("Weighted", "sigma", sigma, 1) // lets votes count exp(-r^2 / (2 sigma^2))
//plan:text at distance r
type KNNPlan struct {
	plan.Classifier[*KNN, KNNOptions]
}

// A ParzenPlan is a density of bumps described step by step: PlanParzen().Window(Box).Width(0.3).Fit(set). Class labels are not used.
//
//plan:step Window Window(w Window) // sets the form of the bumps; Gauss unless set
//plan:step Whitens Whitened // measures distances by the covariance of the rows; the width is then a factor without a unit
//plan:fit a set of rows. Class labels are not used
//plan:step Width Width(h float64) =! estimator.Positive("Width", "h", h, 1) // sets the width of the bumps, in the unit of the data
type ParzenPlan struct {
	plan.Plan[*Parzen, ParzenOptions]
}

// A PNNPlan is a probabilistic neural network described step by step: PlanPNN(0.5).Fit(set).
//
//plan:step Priors Priors // in place of their shares in the data
type PNNPlan struct {
	plan.Classifier[*PNN, PNNOptions]
}

// A KNNDensityPlan is a density estimate by k neighbours described step by step: PlanKNNDensity(10).Fit(set). Class labels are not used.
//
//plan:step Unbiased Unbiased // counts k-1 rows in place of k
//plan:fit a set of rows. Class labels are not used
type KNNDensityPlan struct {
	plan.Plan[*KNNDensity, KNNDensityOptions]
}

// PlanKNN begins a rule by the votes of the k nearest rows.
func PlanKNN(k int) KNNPlan {
	return KNNPlan{plan.NewClassifier(plan.Spec[*KNN, KNNOptions]{
		Name: "KNN", Args: []any{k}, Options: KNNOptions{K: k}, Needs: plan.Classes,
		Check: func(step string, o KNNOptions) error {
			if o.K < 1 {
				return fault.Argument(step, "k", o.K, "at least 1", "")
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o KNNOptions) (*KNN, error) {
			return FitKNN(ctx, set.X, set.Y, o)
		},
	})}
}

// Table lists parameters and diagnostics: the settings, and the errors on the data of the fit, with each row among its own neighbours, and
// without.
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

// Edited returns the rows of the fit that their k nearest others put into their own class.
func (p KNNPlan) Edited() datasets.Set { return p.chosen("Edited", (*KNN).Edited) }

// Condensed returns rows of the fit whose nearest neighbour rule puts all rows into their classes.
func (p KNNPlan) Condensed() datasets.Set { return p.chosen("Condensed", (*KNN).Condensed) }

func (p KNNPlan) chosen(step string, choose func(*KNN) ([]int, error)) datasets.Set {
	return plan.Set(p, step, func(m *KNN) (datasets.Set, error) {
		rows, err := choose(m)
		if err != nil {
			return datasets.Set{}, err
		}
		if m.points.weight != nil { // rows of weight zero are not numbered
			var of []int
			for i, w := range plan.Options(p).Weights {
				if w > 0 {
					of = append(of, i)
				}
			}
			for i, r := range rows {
				rows[i] = of[r]
			}
		}
		return plan.Data(p).Rows(rows...), nil
	})
}

// PlanParzen begins a density of bumps with the settings of ParzenOptions.
func PlanParzen() ParzenPlan {
	return ParzenPlan{plan.New(plan.Spec[*Parzen, ParzenOptions]{
		Name: "Parzen", Needs: plan.Rows,
		Check: func(step string, o ParzenOptions) error { return o.check(step) },
		Fit: func(ctx context.Context, set datasets.Set, o ParzenOptions) (*Parzen, error) {
			return FitParzen(ctx, set.X, o)
		},
	})}
}

// Rule finds the width from the data; Scott unless set.
func (p ParzenPlan) Rule(r Rule) ParzenPlan {
	return plan.With(p, "Rule", func(o *ParzenOptions) { o.Rule, o.Width = r, 0 }, r)
}

// LogDensity returns log p(x) of a point, in nats.
func (p ParzenPlan) LogDensity(x ...float64) float64 {
	return plan.Value(p, "LogDensity", func(m *Parzen) (float64, error) { return logDensity(m, x) }, fault.Args(x)...)
}

// Sample draws n rows from the model. The same seed gives the same points.
func (p ParzenPlan) Sample(n int, seed uint64) datasets.Set {
	return plan.Set(p, "Sample", func(m *Parzen) (datasets.Set, error) {
		X, err := m.Sample(n, seed)
		if err != nil {
			return datasets.Set{}, err
		}
		return datasets.New("sample", X, nil).Named(plan.Data(p).FeatureNames...), nil
	}, n, seed)
}

// Modes returns the places of the local maxima of the density of one feature.
func (p ParzenPlan) Modes() []float64 { return plan.Value(p, "Modes", (*Parzen).Modes) }

// Curve draws what was fitted, over the data of one feature: the density.
func (p ParzenPlan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(m *Parzen) (*plotting.Figure, error) {
		reach := 4 * m.h * m.window.spread(1)
		if m.factor != nil && m.d == 1 {
			reach *= m.factor.SD()
		}
		return curve(plan.Data(p), m.Density, reach, m.String())
	})
}

// Show shows the picture or table that says most: the curve over one feature, and the table otherwise.
func (p ParzenPlan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 1 {
		p.Curve().Show()
		return
	}
	p.Table().Show()
}

// Table lists parameters and diagnostics: the width, and the log-likelihood of each row under the bumps of the others.
func (p ParzenPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Parzen) (cell.Table, error) {
		if m.n < 2 {
			return cell.NewTable("window", "width", "rows").Row(m.window, m.h, m.n).Title(m.String()), nil
		}
		return cell.NewTable("window", "width", "rows", "log-likelihood without the row itself").
			Row(m.window, m.h, m.n, m.leftOut(context.Background(), m.h)).Title(m.String()), nil
	})
}

// PlanPNN begins a probabilistic neural network with bumps of width sigma.
func PlanPNN(sigma float64) PNNPlan {
	return PNNPlan{plan.NewClassifier(plan.Spec[*PNN, PNNOptions]{
		Name: "PNN", Args: []any{sigma}, Options: PNNOptions{Sigma: sigma}, Needs: plan.Classes,
		Check: func(step string, o PNNOptions) error { return estimator.CheckPositive(step, "sigma", o.Sigma, 1) },
		Fit: func(ctx context.Context, set datasets.Set, o PNNOptions) (*PNN, error) {
			return FitPNN(ctx, set.X, set.Y, o)
		},
	})}
}

// Table lists parameters and diagnostics: the width, and for each class its rows and its prior probability.
func (p PNNPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *PNN) (cell.Table, error) {
		t := cell.NewTable("class", "rows", "prior", "width").Title(m.String())
		for c, part := range m.classes {
			t = t.Row(m.ClassName(c), part.n, m.priors[c], m.sigma)
		}
		return t, nil
	})
}

// PlanKNNDensity begins a density estimate by balls of k rows.
func PlanKNNDensity(k int) KNNDensityPlan {
	return KNNDensityPlan{plan.New(plan.Spec[*KNNDensity, KNNDensityOptions]{
		Name: "KNNDensity", Args: []any{k}, Options: KNNDensityOptions{K: k}, Needs: plan.Rows,
		Check: func(step string, o KNNDensityOptions) error {
			if o.K < 1 {
				return fault.Argument(step, "k", o.K, "at least 1", "")
			}
			return nil
		},
		Fit: func(ctx context.Context, set datasets.Set, o KNNDensityOptions) (*KNNDensity, error) {
			return FitKNNDensity(ctx, set.X, o)
		},
	})}
}

// LogDensity returns log p(x) of a point, in nats.
func (p KNNDensityPlan) LogDensity(x ...float64) float64 {
	return plan.Value(p, "LogDensity", func(m *KNNDensity) (float64, error) { return logDensity(m, x) }, fault.Args(x)...)
}

// Curve draws what was fitted, over the data of one feature: the estimate.
func (p KNNDensityPlan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(m *KNNDensity) (*plotting.Figure, error) {
		return curve(plan.Data(p), m.Density, 0, m.String())
	})
}

// Show shows the picture or table that says most: the curve over one feature, and the table otherwise.
func (p KNNDensityPlan) Show() {
	if p.Err() == nil && plan.Data(p).D() == 1 {
		p.Curve().Show()
		return
	}
	p.Table().Show()
}

// Table lists parameters and diagnostics: the settings.
func (p KNNDensityPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *KNNDensity) (cell.Table, error) {
		n, _ := m.points.x.Dims()
		return cell.NewTable("neighbours", "rows").Row(m.k, n).Title(m.String()), nil
	})
}

// logDensity asks a density about one point.
func logDensity(m interface {
	Dim() int
	LogDensities(X mat.Matrix) ([]float64, error)
}, x []float64,
) (float64, error) {
	if err := estimator.CheckPoint("LogDensity", x, m.Dim()); err != nil {
		return 0, err
	}
	l, err := m.LogDensities(mat.NewDense(1, len(x), x))
	if err != nil {
		return 0, err
	}
	return l[0], nil
}

// curve draws a density of one feature over its rows, and so far beyond.
func curve(set datasets.Set, density func(x ...float64) float64, reach float64, title string) (*plotting.Figure, error) {
	if set.D() != 1 {
		got := fmt.Sprintf("of %d features", set.D())
		return nil, fault.Argument("Curve", "the data set", got, "a set of 1 feature", "choose one with .Features(a)")
	}
	xs, lo, hi := mat.Col(nil, 0, set.X), math.Inf(1), math.Inf(-1)
	for _, v := range xs {
		lo, hi = min(lo, v), max(hi, v)
	}
	return plotting.New(
		plotting.Curve(func(x float64) float64 { return density(x) }, lo-reach, hi+reach).Accent().Width(3),
		plotting.Points(xs, make([]float64, len(xs))).Muted().Opacity(0.4),
	).X(set.FeatureNames[0]).Y("density").Title(title), nil
}
