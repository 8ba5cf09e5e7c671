package ica

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan is independent component analysis described step by step: PlanICA().Cube().Deflation().Fit(mixtures).
//
//plan:step Seed Seed // of the starts; 1 unless set
//plan:step Restarts Restarts // the one farthest from Gaussian; 1 unless set
//plan:step MaxIter MaxIter // 1000 unless set
//plan:step Tol Tol // the move of W; 1e-8 unless set
//plan:fit one mixture a feature. Class labels are not used
type Plan struct {
	plan.Transformer[*Model, Options]
}

// PlanICA begins a plan that keeps k components, or as many as the data have features when k is left out.
func PlanICA(k ...int) Plan {
	o := Options{}.filled()
	if len(k) > 0 {
		o.Components = k[0]
	}
	return Plan{plan.NewTransformer(plan.Spec[*Model, Options]{
		Name: "ICA", Args: fault.Args(k), Options: o, Needs: plan.Rows,
		Check: func(step string, o Options) error { return o.check(step) },
		Fit:   func(ctx context.Context, set datasets.Set, o Options) (*Model, error) { return fit(ctx, set.X, o) },
	}, "s")}
}

// LogCosh takes the contrast log cosh, which is the default.
func (p Plan) LogCosh() Plan { return p.contrast("LogCosh", LogCosh) }

// Exp takes the contrast -exp(-y^2/2), for very peaked sources.
func (p Plan) Exp() Plan { return p.contrast("Exp", Exp) }

// Cube takes the contrast y^4/4: the kurtosis.
func (p Plan) Cube() Plan { return p.contrast("Cube", Cube) }

func (p Plan) contrast(step string, c Contrast) Plan {
	return plan.With(p, step, func(o *Options) { o.Contrast = c })
}

// Symmetric turns all components at once, which is the default.
func (p Plan) Symmetric() Plan { return p.method("Symmetric", Symmetric) }

// Deflation finds one component after the other.
func (p Plan) Deflation() Plan { return p.method("Deflation", Deflation) }

// Infomax maximises the likelihood by the natural gradient.
func (p Plan) Infomax() Plan { return p.method("Infomax", Infomax) }

func (p Plan) method(step string, m Method) Plan {
	return plan.With(p, step, func(o *Options) { o.Method = m })
}

// From sets the numbers that the fit starts from: W in whitened coordinates, k x k.
func (p Plan) From(W mat.Matrix) Plan {
	if W != nil {
		W = mat.DenseCopyOf(W)
	}
	return plan.With(p, "From", func(o *Options) { o.Start = W }, W)
}

// Mixing returns A (d x k), x = m + A s.
func (p Plan) Mixing() *mat.Dense { return p.Model().Mixing() }

// Unmixing returns W (k x d), s = W (x - m).
func (p Plan) Unmixing() *mat.Dense { return p.Model().Unmixing() }

// Kurtosis returns kurt of each component.
func (p Plan) Kurtosis() []float64 { return p.Model().Kurtosis() }

// whitened returns the first two whitened coordinates of the data.
func (p Plan) whitened(m *Model) (*mat.Dense, error) {
	k, d := m.state.K, m.state.D
	if k < 2 {
		return nil, estimator.CheckPlane("Turned", k)
	}
	return m.mapped("ica.Plan", plan.Data(p).X, d, m.state.White[:2*d], m.state.Mean, nil)
}

// Scores draws the data as the model sees them: the first two features as they are, whitened, and as the first two components.
func (p Plan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *Model) (*plotting.Figure, error) {
		z, err := p.whitened(m)
		if err != nil {
			return nil, err
		}
		set := plan.Data(p)
		s, err := m.Transform(set.X)
		if err != nil {
			return nil, err
		}
		cloud := func(X mat.Matrix) plotting.PointsLayer {
			return plotting.Points(mat.Col(nil, 0, X), mat.Col(nil, 1, X)).Size(4).Opacity(0.6)
		}
		return plotting.Row(
			plotting.New(cloud(set.X)).X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Equal().Title("mixed"),
			plotting.New(cloud(z)).X("z1").Y("z2").Equal().Title("whitened"),
			plotting.New(cloud(s)).X("s1").Y("s2").Equal().Title("turned: independent"),
		), nil
	})
}

// Turned draws the projection on an axis turned by so many degrees: the first two whitened coordinates with an axis at an angle in degrees
// from the first, and beside it |kurt| of the projection on every axis.
func (p Plan) Turned(degrees float64) *plotting.Figure {
	return plan.Figure(p, "Turned", func(m *Model) (*plotting.Figure, error) {
		z, err := p.whitened(m)
		if err != nil {
			return nil, err
		}
		plane, err := PlaneOf(z)
		if err != nil {
			return nil, err
		}
		s, c := math.Sincos(degrees * math.Pi / 180)
		axis := plotting.Line([]float64{-3 * c, 3 * c}, []float64{-3 * s, 3 * s}).Accent().Width(3)
		curve := func(t float64) float64 { return math.Abs(plane.Kurtosis(t)) }
		return plotting.Row(
			plotting.New(plotting.Points(mat.Col(nil, 0, z), mat.Col(nil, 1, z)).Size(4).Opacity(0.6), axis).X("z1").Y("z2").Equal().
				Title(fmt.Sprintf("the axis at %.4g degrees", degrees)),
			plotting.New(plotting.Curve(curve, 0, 180), plotting.VRule(math.Mod(math.Mod(degrees, 180)+180, 180)).Dash()).
				X("degrees").Y("|kurt|").Title(fmt.Sprintf("|kurt| = %.4g", curve(degrees))),
		), nil
	}, degrees)
}

// Table lists parameters and diagnostics: the mixing matrix, one row a feature, and what is known of each component.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) {
		heads := []string{""}
		for j := range m.state.K {
			heads = append(heads, "s"+strconv.Itoa(j+1))
		}
		t := cell.NewTable(heads...).Title(m.String())
		for i := range m.state.D {
			t = t.Row(append([]any{m.FeatureName(i)}, fault.Args(mat.Row(nil, i, m.mixing))...)...)
		}
		return t.Row(append([]any{"kurtosis"}, fault.Args(m.state.Kurtosis)...)...).
			Row(append([]any{"steps"}, fault.Args(m.state.Steps)...)...), nil
	})
}

// Show shows the picture or table that says most: the data as they are, whitened, and turned.
func (p Plan) Show() { p.Scores().Show() }
