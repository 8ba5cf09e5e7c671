package boost

import (
	"context"
	"strconv"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A RealPlan is RealBoost described step by step: PlanRealBoost().Bins(8).Rounds(50).Fit(set).
//
//plan:step Rounds Rounds
//plan:step Bins Bins
//plan:step Smooth Smooth(epsilon) // adds epsilon to both masses of a bin
//plan:step Gentle Gentle // takes the heights of GentleBoost
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights // the first distribution D_1 up to scale
//plan:fit a set with two classes
type RealPlan struct {
	plan.Classifier[*Additive, RealOptions]
}

// PlanRealBoost begins RealBoost with the settings of RealOptions{}: 50 rounds of 8 bins.
func PlanRealBoost() RealPlan {
	return RealPlan{plan.NewClassifier(plan.Spec[*Additive, RealOptions]{
		Name: "RealBoost", Needs: plan.Classes,
		Check:     func(step string, o RealOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, _ RealOptions) error { return plan.CheckTwoClasses(step, set, "") },
		Fit: func(ctx context.Context, set datasets.Set, o RealOptions) (*Additive, error) {
			return FitReal(ctx, set.X, set.Y, o)
		},
	})}
}

// A LogitPlan is LogitBoost described step by step: PlanLogitBoost().Bins(8).Clip(4).Fit(set).
//
//plan:step Rounds Rounds
//plan:step Bins Bins
//plan:step Linear Linear // adds linear functions of all features, not bins
//plan:step Clip Clip(z) // limits the working responses to -z ... z
//plan:step ClassWeights ClassWeights
//plan:step Balanced Balanced
//plan:step Weights SampleWeights
//plan:fit a set with two classes
type LogitPlan struct {
	plan.Classifier[*Additive, LogitOptions]
}

// PlanLogitBoost begins LogitBoost with the settings of LogitOptions{}: 50 rounds of 8 bins, with steps that are halved while they raise
// the loss.
func PlanLogitBoost() LogitPlan {
	return LogitPlan{plan.NewClassifier(plan.Spec[*Additive, LogitOptions]{
		Name: "LogitBoost", Needs: plan.Classes,
		Check:     func(step string, o LogitOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, _ LogitOptions) error { return plan.CheckTwoClasses(step, set, "") },
		Fit: func(ctx context.Context, set datasets.Set, o LogitOptions) (*Additive, error) {
			return FitLogit(ctx, set.X, set.Y, o)
		},
	})}
}

// Curves draws errors on the data of the fit and on others: the share of wrong rows after each round.
func (p RealPlan) Curves(test ...datasets.Set) *plotting.Figure {
	return plan.Figure(p, "Curves", func(m *Additive) (*plotting.Figure, error) {
		return stagedCurves(m, plan.Data(p), test)
	}, fault.Args(test)...)
}

// Curves draws errors on the data of the fit and on others: the share of wrong rows after each round.
func (p LogitPlan) Curves(test ...datasets.Set) *plotting.Figure {
	return plan.Figure(p, "Curves", func(m *Additive) (*plotting.Figure, error) {
		return stagedCurves(m, plan.Data(p), test)
	}, fault.Args(test)...)
}

// stagedCurves draws Staged of the data of the fit and of test sets.
func stagedCurves(m *Additive, fit datasets.Set, test []datasets.Set) (*plotting.Figure, error) {
	fig := plotting.New().X("rounds").Y("share of wrong rows").Title("Error after each round")
	for i, s := range append([]datasets.Set{fit}, test...) {
		if err := s.CheckClasses("Curves"); err != nil {
			return nil, err
		}
		v, err := m.Staged(s.X, s.Y)
		if err != nil {
			return nil, fault.In("Curves", err)
		}
		rounds, name := make([]float64, len(v)), "data of the fit"
		for t := range v {
			rounds[t] = float64(t)
		}
		if i > 0 {
			name = "test set " + strconv.Itoa(i)
		}
		fig = fig.Add(plotting.Line(rounds, v).Name(name))
	}
	return fig, nil
}

// Table lists parameters and diagnostics: the feature, the bins and the loss of each round.
func (p RealPlan) Table() cell.Table { return plan.Table(p, "Table", termTable) }

// Table lists parameters and diagnostics: the feature, the bins and the loss of each round.
func (p LogitPlan) Table() cell.Table { return plan.Table(p, "Table", termTable) }

func termTable(m *Additive) (cell.Table, error) {
	t := cell.NewTable("round", "feature", "heights", "loss").Title(m.String())
	for i := range m.s.Terms {
		term, name := &m.s.Terms[i], "all"
		if term.Cuts != nil {
			name = m.FeatureName(term.Feature)
		}
		t = t.Row(i+1, name, len(term.Heights), term.Loss)
	}
	return t, nil
}

// Show shows the picture or table that says most: the errors after each round.
func (p RealPlan) Show() { p.Curves().Show() }

// Show shows the picture or table that says most: the errors after each round.
func (p LogitPlan) Show() { p.Curves().Show() }
