package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// begin is the plan of a regression with weights in its options.
func begin[M estimator.Regressor, O any](
	name string, args []any, options O, rows func(o *O) *Rows, check func(step string, o O) error,
	fit func(ctx context.Context, X mat.Matrix, y []float64, o O) (M, error),
) plan.Regressor[M, O] {
	return plan.NewRegressor(plan.Spec[M, O]{
		Name: name, Args: args, Options: options, Needs: plan.Target, Check: check,
		CheckData: func(step string, set datasets.Set, o O) error {
			return estimator.CheckWeights(step, rows(&o).Weights, set.N())
		},
		Fit: func(ctx context.Context, set datasets.Set, o O) (M, error) { return fit(ctx, set.X, set.Target, o) },
	})
}

// A Plan is a least squares regression described step by step: PlanLinear().SampleWeights(w).Fit(set).
//
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
//plan:step MinimumNorm MinimumNorm // keeps dependent columns, and takes the shortest of the best coefficients
type Plan struct {
	plan.Regressor[*Fit, Options]
}

// PlanLinear begins a plan of ordinary least squares with an intercept.
func PlanLinear() Plan {
	return Plan{begin("Linear", nil, Options{}, func(o *Options) *Rows { return &o.Rows },
		func(step string, o Options) error { return o.check(step) }, LeastSquares)}
}

// Summary returns what the fit says of itself and of its residuals.
func (p Plan) Summary() cell.Table {
	return plan.Table(p, "Summary", func(m *Fit) (cell.Table, error) {
		f, prob := m.F()
		bera := float64(m.t.Rows) / 6 * (m.t.Skew*m.t.Skew + math.Pow(m.t.Kurtosis-3, 2)/4)
		t := cell.NewTable("figure", "value").
			Row("rows", m.t.Rows).Row("degrees of freedom", m.DF()).
			Row("R²", m.R2()).Row("adjusted R²", m.AdjustedR2()).
			Row("residual standard deviation", m.Sigma()).
			Row("F", f).Row("p of F", prob).
			Row("log-likelihood", m.LogLikelihood()).Row("AIC", m.AIC()).Row("BIC", m.BIC()).
			Row("Durbin–Watson", m.t.Durbin).
			Row("skewness of the residuals", m.t.Skew).Row("kurtosis of the residuals", m.t.Kurtosis).
			Row("Jarque–Bera", bera).Row("p of Jarque–Bera", math.Exp(-bera/2))
		return t.Title(m.String()), nil
	})
}

// Table lists parameters and diagnostics: the coefficients with their standard errors, t values, two-sided p-values and 95 % intervals.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Fit) (cell.Table, error) {
		t := cell.NewTable("coefficient", "estimate", "standard error", "t", "p", "from", "to")
		errors := m.StandardErrors()
		ts, ps := m.T()
		intervals, err := m.Intervals(0.95)
		if err != nil {
			return t, err
		}
		for i, v := range m.Theta() {
			if errors == nil || math.IsNaN(errors[i]) {
				t = t.Row(m.coefficient(i), v, "", "", "", "", "")
				continue
			}
			t = t.Row(m.coefficient(i), v, errors[i], ts[i], ps[i], intervals[i].From, intervals[i].To)
		}
		return t.Title(m.String()).Note(m.note()), nil
	})
}

// note names the columns that depend on others, and says how good the fit is.
func (f *Fit) note() string {
	s := fmt.Sprintf("R² %.4g, residual standard deviation %.6g on %d degrees of freedom; from and to end the 95 %% intervals",
		f.R2(), f.Sigma(), f.DF())
	for _, j := range f.t.Dependent {
		s += fmt.Sprintf("; %s depends on columns before it", f.FeatureName(j))
		if f.unique() {
			s += " and was left out"
		}
	}
	return s
}

// coefficient names the i-th number of Theta.
func (m *Model) coefficient(i int) string {
	if m.s.HasIntercept {
		if i--; i < 0 {
			return "intercept"
		}
	}
	return m.FeatureName(i)
}

// table returns the coefficients of a model.
func (m *Model) table(title, note string) cell.Table {
	t := cell.NewTable("coefficient", "estimate")
	theta := m.s.Coefficients
	if m.s.HasIntercept {
		theta = append([]float64{m.s.Intercept}, theta...)
	}
	for i, v := range theta {
		t = t.Row(m.coefficient(i), v)
	}
	return t.Title(title).Note(note)
}

// Influence draws the standardised residual of each row over its leverage, with the lines on which Cook's distance is 1/2 and 1. The rows
// that move the fit most are named.
func (p Plan) Influence() *plotting.Figure {
	return plan.Figure(p, "Influence", func(m *Fit) (*plotting.Figure, error) {
		set := plan.Data(p)
		in, err := m.Influence(set.X, set.Target, plan.Options[Options](p).Weights)
		if err != nil {
			return nil, err
		}
		var x, y []float64
		var rows []int
		top := 0.0
		for i, h := range in.Leverage {
			if s := in.Standardised[i]; s-s == 0 {
				x, y, rows, top = append(x, h), append(y, s), append(rows, i), max(top, h)
			}
		}
		fig := plotting.New(plotting.Points(x, y).Name("rows"), plotting.HRule(0))
		high := 1.3 * max(slices.Max(y), -slices.Min(y)) // of the rows; curves end there
		for _, level := range []float64{0.5, 1} {
			var at, up, down []float64
			for k := range 60 {
				h := top * 1.1 * (float64(k) + 6) / 66
				if v := math.Sqrt(level * float64(m.Rank()) * (1 - h) / h); v <= high {
					at, up, down = append(at, h), append(up, v), append(down, -v)
				}
			}
			if len(at) > 1 {
				name := fmt.Sprintf("Cook's distance %g", level)
				fig = fig.Add(plotting.Line(at, up).Dash().Name(name), plotting.Line(at, down).Dash().Name(name))
			}
		}
		slices.SortFunc(rows, func(a, b int) int { return -compare(in.Cook[a], in.Cook[b]) })
		for _, i := range rows[:min(3, len(rows))] {
			fig = fig.Add(plotting.Text(in.Leverage[i], in.Standardised[i], fmt.Sprint(i)))
		}
		return fig.X("leverage").Y("standardised residual").Title(m.String()), nil
	})
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Bands draws the line over one feature, with the bands in which the line and new targets lie with a probability of 95 %.
func (p Plan) Bands() *plotting.Figure {
	return plan.Figure(p, "Bands", func(m *Fit) (*plotting.Figure, error) {
		set := plan.Data(p)
		x, err := plan.Line(set, "Bands")
		if err != nil {
			return nil, err
		}
		lo, hi := slices.Min(x), slices.Max(x)
		grid := mat.NewDense(121, 1, nil)
		for i := range 121 {
			grid.Set(i, 0, lo+(hi-lo)*(float64(i)/120*1.1-0.05))
		}
		height, target, err := m.Bands(grid, 0.95)
		if err != nil {
			return nil, err
		}
		var y, from, to, below, above []float64
		for i := range height {
			y, from, to = append(y, height[i].Estimate), append(from, height[i].From), append(to, height[i].To)
			below, above = append(below, target[i].From), append(above, target[i].To)
		}
		at := mat.Col(nil, 0, grid)
		return plotting.New(plotting.Band(at, below, above).Muted().Name("95 % of new targets"),
			plotting.Band(at, from, to).Name("95 % interval of the line"), plotting.Line(at, y).Accent().Width(3).Name("line"),
			plotting.Points(x, set.Target).Name(set.TargetName)).X(set.FeatureNames[0]).Y(set.TargetName).Title(m.String()), nil
	})
}

// A RidgePlan is a ridge regression described step by step: PlanRidge(1).Standardize().Fit(set).
//
//plan:step Lambda Lambda
//plan:step Standardize Standardize
//plan:step Scaling Scaling(s Scaling)
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
type RidgePlan struct {
	plan.Regressor[*RidgeFit, RidgeOptions]
}

// PlanRidge begins a plan of ridge regression: RSS + lambda |w|^2.
func PlanRidge(lambda float64) RidgePlan {
	return RidgePlan{begin("Ridge", []any{lambda}, RidgeOptions{Lambda: lambda}, func(o *RidgeOptions) *Rows { return &o.Rows },
		func(step string, o RidgeOptions) error { return o.check(step, o.Lambda) }, Ridge)}
}

// Table lists parameters and diagnostics: the coefficients.
func (p RidgePlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *RidgeFit) (cell.Table, error) {
		return m.table(m.String(), fmt.Sprintf("effective degrees of freedom %.4g, GCV %.6g", m.DF(), m.GCV())), nil
	})
}

// Paths draws the coefficients over lambda: from a thousandth of the plan's lambda to a thousand times it.
func (p RidgePlan) Paths() *plotting.Figure {
	return plan.Figure(p, "Paths", func(m *RidgeFit) (*plotting.Figure, error) {
		set, o := plan.Data(p), plan.Options[RidgeOptions](p)
		middle := o.Lambda
		if middle == 0 {
			middle = 1
		}
		var lambdas []float64
		for i := range 121 {
			lambdas = append(lambdas, middle*math.Pow(10, float64(i)/20-3))
		}
		paths, err := RidgePath(context.Background(), set.X, set.Target, lambdas, o)
		if err != nil {
			return nil, err
		}
		var list [][]float64
		for i := range lambdas {
			list = append(list, paths.At(i).s.Coefficients)
		}
		return m.paths(set, o.Standardize, lambdas, list, o.Lambda), nil
	})
}

// paths draws lists of coefficients over lambdas, of columns of standard deviation 1 if so asked.
func (m *Model) paths(set datasets.Set, standardize bool, lambdas []float64, list [][]float64, at float64) *plotting.Figure {
	fig, label := plotting.New(), "coefficient"
	if standardize {
		label = "coefficient of the standardised feature"
	}
	for j := range m.s.D {
		unit := 1.0
		if standardize {
			x := mat.Col(nil, j, set.X)
			mean := sum(x) / float64(len(x))
			for i := range x {
				x[i] -= mean
			}
			unit = length(x) / math.Sqrt(float64(len(x)))
		}
		y := make([]float64, len(lambdas))
		some := false
		for i, w := range list {
			y[i] = w[j] * unit
			some = some || w[j] != 0
		}
		if some || m.s.D <= 12 {
			fig = fig.Add(plotting.Line(lambdas, y).Name(m.FeatureName(j)))
		}
	}
	if at > 0 {
		fig = fig.Add(plotting.VRule(at))
	}
	return fig.LogX().X("λ").Y(label).Title(m.String())
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// settings are the options of a lasso's plan.
type settings struct {
	LassoOptions
	// Groups are the numbers of the groups of the columns; nil for none.
	Groups []int
}

// A LassoPlan is a lasso, an elastic net or a group lasso described step by step: PlanLasso(0.1).Standardize().Fit(set).
//
//plan:step Lambda Lambda
//plan:step L1 L1(share) // sets the share of |w|_1 in the penalty
//plan:step Groups Together(groups...) // lets columns of one group enter together: a number from 0 for each column
//plan:step Standardize Standardize
//plan:step Scaling Scaling(s Scaling)
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
//plan:step Tol Tol // the duality gap as a share of the objective at w = 0
//plan:step MaxIter MaxIter
type LassoPlan struct {
	plan.Regressor[*LassoFit, settings]
}

// PlanLasso begins a plan of a lasso: RSS / 2n + lambda |w|_1.
func PlanLasso(lambda float64) LassoPlan {
	return planLasso("Lasso", []any{lambda}, LassoOptions{Lambda: lambda})
}

// PlanElasticNet begins a plan of an elastic net: RSS / 2n + lambda (share |w|_1 + (1 - share)/2 |w|^2).
func PlanElasticNet(lambda, share float64) LassoPlan {
	o := LassoOptions{Lambda: lambda, L1: share}
	if share == 0 {
		o.L1 = estimator.None
	}
	return planLasso("ElasticNet", []any{lambda, share}, o)
}

func planLasso(name string, args []any, o LassoOptions) LassoPlan {
	return LassoPlan{begin(name, args, settings{LassoOptions: o}, func(o *settings) *Rows { return &o.Rows },
		func(step string, o settings) error {
			if err := o.fill(step); err != nil {
				return err
			}
			return o.admit(step, o.Lambda)
		},
		func(ctx context.Context, X mat.Matrix, y []float64, o settings) (*LassoFit, error) {
			if o.Groups != nil {
				return GroupLasso(ctx, X, y, o.Groups, o.LassoOptions)
			}
			return Lasso(ctx, X, y, o.LassoOptions)
		})}
}

// Table lists parameters and diagnostics: the coefficients that are not zero.
func (p LassoPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *LassoFit) (cell.Table, error) {
		t := cell.NewTable("coefficient", "estimate")
		if m.s.HasIntercept {
			t = t.Row("intercept", m.s.Intercept)
		}
		for _, j := range m.Nonzero() {
			t = t.Row(m.FeatureName(j), m.s.Coefficients[j])
		}
		return t.Title(m.String()).Note(fmt.Sprintf("%d of %d coefficients are not zero; duality gap %.2g",
			len(m.Nonzero()), m.s.D, m.Gap())), nil
	})
}

// Paths draws the coefficients over lambda: down to a thousandth of the lambda at which all are zero.
func (p LassoPlan) Paths() *plotting.Figure {
	return plan.Figure(p, "Paths", func(m *LassoFit) (*plotting.Figure, error) {
		set, o := plan.Data(p), plan.Options[settings](p)
		if o.Groups != nil {
			return nil, fault.Argument("Paths", "the penalty", "of groups", "without groups", "leave .Together out")
		}
		paths, err := LassoPath(context.Background(), set.X, set.Target, nil, o.LassoOptions)
		if err != nil {
			return nil, err
		}
		var lambdas []float64
		var list [][]float64
		for i := range paths.Len() * 3 / 4 {
			lambdas, list = append(lambdas, paths.At(i).Lambda()), append(list, paths.At(i).s.Coefficients)
		}
		return m.paths(set, o.Standardize, lambdas, list, o.Lambda), nil
	})
}

// Knots returns every corner of the lasso's path: where a coefficient leaves zero or comes back to it.
func (p LassoPlan) Knots() cell.Table {
	return plan.Table(p, "Knots", func(m *LassoFit) (cell.Table, error) {
		set := plan.Data(p)
		knots, err := LARS(context.Background(), set.X, set.Target, plan.Options[settings](p).LassoOptions)
		if err != nil {
			return cell.Table{}, err
		}
		t := cell.NewTable("lambda", "enters", "leaves", "not zero below")
		name := func(j int) string {
			if j < 0 {
				return ""
			}
			return m.FeatureName(j)
		}
		count := 0
		for _, k := range knots {
			if k.Enters >= 0 {
				count++
			}
			if k.Leaves >= 0 {
				count--
			}
			t = t.Row(k.Lambda, name(k.Enters), name(k.Leaves), count)
		}
		return t.Title(m.String()), nil
	})
}

// normSettings are the options of a plan of a norm.
type normSettings struct {
	Rows
	p, tau float64
}

// A NormPlan is the closest plane in a norm, or a quantile, described step by step: PlanLp(1).Fit(set), PlanQuantile(0.9).Fit(set).
//
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
type NormPlan struct {
	plan.Regressor[*NormFit, normSettings]
}

// PlanLp begins a plan of the closest plane in the norm p, from 1 to infinity.
func PlanLp(p float64) NormPlan { return planNorm("Lp", normSettings{p: p}, p) }

// PlanQuantile begins a plan of the plane below which a share tau of the targets lies.
func PlanQuantile(tau float64) NormPlan { return planNorm("Quantile", normSettings{tau: tau}, tau) }

func planNorm(name string, o normSettings, arg float64) NormPlan {
	return NormPlan{begin(name, []any{arg}, o, func(o *normSettings) *Rows { return &o.Rows },
		func(step string, o normSettings) error {
			if name == "Lp" {
				return checkNorm(step, o.p)
			}
			return checkQuantile(step, o.tau)
		},
		func(ctx context.Context, X mat.Matrix, y []float64, o normSettings) (*NormFit, error) {
			if name == "Lp" {
				return Lp(ctx, X, y, o.p, o.Rows)
			}
			return Quantile(ctx, X, y, o.tau, o.Rows)
		})}
}

// Table lists parameters and diagnostics: the coefficients, and how near the fit is to the floor of its certificate.
func (p NormPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *NormFit) (cell.Table, error) {
		return m.table(m.String(), fmt.Sprintf("reached %.9g; nothing is below %.9g", m.c.Value, m.c.Floor)), nil
	})
}

// Certificate returns the proof that the fit is optimal: the numbers, and what they sum to.
func (p NormPlan) Certificate() Certificate {
	return plan.Value(p, "Certificate", func(m *NormFit) (Certificate, error) { return m.Certificate(), nil })
}

// A RobustPlan is a robust regression described step by step: PlanHuber().Tune(2).Fit(set).
//
//plan:step Tune Tune(u) // sets the residual, in units of the scale, at which the loss bends
//plan:step Scale Spread(s) // sets the residual that counts as one
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
//plan:step Tol Tol // the change of a prediction, in units of the scale
//plan:step MaxIter MaxIter
type RobustPlan struct {
	plan.Regressor[*RobustFit, RobustOptions]
}

// PlanHuber begins a plan of Huber's regression.
func PlanHuber() RobustPlan { return planRobust("Huber", 1.345, Huber) }

// PlanTukey begins a plan of Tukey's bisquare.
func PlanTukey() RobustPlan { return planRobust("Tukey", 4.685, Tukey) }

func planRobust(
	name string, tune float64, fit func(context.Context, mat.Matrix, []float64, RobustOptions) (*RobustFit, error),
) RobustPlan {
	return RobustPlan{begin(name, nil, RobustOptions{}, func(o *RobustOptions) *Rows { return &o.Rows },
		func(step string, o RobustOptions) error { return o.fill(step, tune) }, fit)}
}

// Table lists parameters and diagnostics: the coefficients.
func (p RobustPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *RobustFit) (cell.Table, error) {
		less := 0
		for _, v := range m.r.Counted {
			if v < 0.5 {
				less++
			}
		}
		return m.table(m.String(), fmt.Sprintf("scale %.6g; %d of %d rows count less than half", m.r.Scale, less, len(m.r.Counted))), nil
	})
}

// A PlanePlan is a plane without more settings, described step by step: PlanTotalLeastSquares().Fit(set).
//
//plan:step NoIntercept NoIntercept
//plan:step Weights SampleWeights
type PlanePlan struct {
	plan.Regressor[*Model, Rows]
}

// PlanTotalLeastSquares begins a plan of the plane of least distance.
func PlanTotalLeastSquares() PlanePlan { return planPlane("TotalLeastSquares", TotalLeastSquares) }

// PlanNonNegative begins a plan of least squares without negative coefficients.
func PlanNonNegative() PlanePlan { return planPlane("NonNegative", NonNegative) }

func planPlane(name string, fit func(context.Context, mat.Matrix, []float64, Rows) (*Model, error)) PlanePlan {
	return PlanePlan{begin(name, nil, Rows{}, func(o *Rows) *Rows { return o }, nil, fit)}
}

// Table lists parameters and diagnostics: the coefficients.
func (p PlanePlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) { return m.table(m.String(), ""), nil })
}

// Formulate returns the features and the target that a formula names in a table; see Formula. Where the formula leaves the intercept out,
// so is the plan to do with NoIntercept.
func Formulate(text string, t datasets.Table) datasets.Set {
	f, err := ParseFormula(text)
	if err != nil {
		return datasets.Broken(t.Name, err)
	}
	_, set, err := f.Frame(t)
	if err != nil {
		return datasets.Broken(t.Name, err)
	}
	return set
}
