package structured

import (
	"context"
	"fmt"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/svm"
)

// taggerSettings are what the steps of a tagger's plan set.
type taggerSettings struct {
	TaggerOptions
	Words, Tags [][]string
}

// A TaggerPlan is a tagger of sentences described step by step:
//
//	PlanTagger().CRF().Overlapping().C(10).Fit(words, tags).Tag("the", "bank", "opens")
//
//plan:step Method CRF() = CRF // maximises the probability of the right taggings, the default
//plan:step Method Perceptron() = Perceptron // learns by mistakes, and averages the weights
//plan:step Method StructuralSVM() = StructuralSVM // asks of every rival a margin as large as its cost
//plan:step Features Overlapping() = Overlapping() // sees the word, its neighbours, its ends and its shape
//plan:step Features Features(features ...Feature) // says what is seen of a word
//plan:step Costs Costs(costs map[string]float64) // sets what a wrong tag costs where the named one is right
//plan:step Last Last // keeps the last weights of the perceptron, without averaging
//plan:step C C // it multiplies the loss of a sentence
//plan:step Rounds Rounds // of the perceptron
//plan:step Seed Seed // of the order of the sentences; 1 unless set
//plan:step MaxIter MaxIter
//plan:step Tol Tol
type TaggerPlan struct {
	plan.Plan[*Tagger, taggerSettings]
}

// PlanTagger begins a tagger with the settings of TaggerOptions{}: a conditional random field that sees each word alone.
func PlanTagger() TaggerPlan {
	return TaggerPlan{plan.New(plan.Spec[*Tagger, taggerSettings]{
		Name: "Tagger", Options: taggerSettings{TaggerOptions: TaggerOptions{}.filled()}, Needs: plan.Nothing,
		Check: func(step string, o taggerSettings) error {
			if step == "Fit" {
				_, _, err := number(step, o.Words, o.Tags)
				return err
			}
			if step == "Costs" {
				o.Method = StructuralSVM
			}
			return o.TaggerOptions.filled().check(step)
		},
		Fit: func(ctx context.Context, _ datasets.Set, o taggerSettings) (*Tagger, error) {
			return FitTagger(ctx, o.Words, o.Tags, o.TaggerOptions)
		},
	})}
}

// Fit names the data: sentences, and the tags of their words.
func (p TaggerPlan) Fit(words, tags [][]string) TaggerPlan {
	return plan.With(p, "Fit", func(o *taggerSettings) { o.Words, o.Tags = words, tags }, fmt.Sprintf("%d sentences", len(words)))
}

// Tag returns the best tagging of a sentence.
func (p TaggerPlan) Tag(words ...string) []string {
	return plan.Value(p, "Tag", func(m *Tagger) ([]string, error) { return m.Tag(words...), nil }, fault.Args(words)...)
}

// Wrong returns the share of the words of tagged sentences that get a wrong tag.
func (p TaggerPlan) Wrong(words, tags [][]string) float64 {
	return plan.Value(p, "Wrong", func(m *Tagger) (float64, error) {
		wrong, all, _, err := m.Errors(words, tags)
		if err == nil && all == 0 {
			err = fault.Argument("Wrong", "words", "empty", "at least one word", "")
		}
		return float64(wrong) / float64(max(all, 1)), err
	})
}

// Certificate returns the proof that the fit is optimal: bounds on the least objective, which say how near it came.
func (p TaggerPlan) Certificate() Certificate {
	return plan.Value(p, "Certificate", func(m *Tagger) (Certificate, error) { return m.Certificate(), nil })
}

// Table lists parameters and diagnostics: the weights of the steps from tag to tag.
func (p TaggerPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Tagger) (cell.Table, error) { return m.Table(), nil })
}

// Show shows the picture or table that says most: Table.
func (p TaggerPlan) Show() { p.Table().Show() }

// A RankPlan is a ranking machine described step by step: PlanRankSVM().C(0.1).Fit(set).Predict(other) are utilities.
//
//plan:step C C // it multiplies the slack of a pair
//plan:step Queries Queries(queries ...int) // numbers the query of each row; rows of different queries are never compared
//plan:step Tol Tol
//plan:fit a set with a target, larger for rows that come first
type RankPlan struct {
	plan.Regressor[*Ranker, RankOptions]
}

// PlanRankSVM begins a plan with the settings of RankOptions{}: C = 1, one query.
func PlanRankSVM() RankPlan {
	return RankPlan{plan.NewRegressor(plan.Spec[*Ranker, RankOptions]{
		Name: "RankSVM", Options: RankOptions{C: 1, Tol: 1e-3}, Needs: plan.Target,
		Check: func(step string, o RankOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o RankOptions) error {
			_, err := countPairs(step, set.Target, o.Queries)
			return err
		},
		Fit: func(ctx context.Context, set datasets.Set, o RankOptions) (*Ranker, error) {
			return FitRank(ctx, set.X, set.Target, o)
		},
	})}
}

// Weights returns w of a linear function: of the utility.
func (p RankPlan) Weights() []float64 {
	return plan.Value(p, "Weights", func(m *Ranker) ([]float64, error) { return m.Weights(), nil })
}

// Certificate returns the proof that the fit is optimal: of the machine on differences.
func (p RankPlan) Certificate() svm.Certificate {
	return plan.Value(p, "Certificate", func(m *Ranker) (svm.Certificate, error) { return m.Certificate(), nil })
}

// Swapped returns the share of the pairs of rows with different targets that the utilities swap, a tie counting one half: of the data of
// the fit, or of one other set, whose rows are one query.
func (p RankPlan) Swapped(test ...datasets.Set) float64 {
	return plan.Value(p, "Swapped", func(m *Ranker) (float64, error) {
		set, queries := plan.Data(p), plan.Options(p).Queries
		if len(test) > 0 {
			set, queries = test[0], nil
		}
		set, err := plan.Admitted(m, "Swapped", set)
		if err != nil {
			return 0, err
		}
		if set.Target == nil {
			return 0, fault.Argument("Swapped", "the data set "+set.Name, "without a target", "a set with a numeric target",
				"give one with .WithTarget(name, values)")
		}
		u, err := m.Predict(set.X)
		if err != nil {
			return 0, err
		}
		swapped, tied, pairs, err := Swaps(u, set.Target, queries)
		return (float64(swapped) + float64(tied)/2) / float64(max(pairs, 1)), err
	}, fault.Args(test)...)
}

// Table lists parameters and diagnostics: the weight of each feature.
func (p RankPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Ranker) (cell.Table, error) {
		t := cell.NewTable("feature", "weight").Title(m.String())
		for j, w := range m.s.W {
			t = t.Row(m.FeatureName(j), w)
		}
		return t, nil
	})
}

// A LaplacianPlan is a classifier that learns from rows with and without labels described step by step:
//
//	PlanLaplacianSVM().RBF(2).Neighbours(6).Intrinsic(1e4).Unlabelled(silent).Fit(few)
//
//plan:step Kernel Linear = kernel.Linear{}
//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//plan:step Kernel Kernel // any kernel of points
//plan:step Neighbours Neighbours
//plan:step Ambient Ambient(gamma) // sets the price of |f|^2
//plan:step Tol Tol
//plan:fit a set of two classes: the rows that have a label
type LaplacianPlan struct {
	plan.Classifier[*Laplacian, LaplacianOptions]
}

// PlanLaplacianSVM begins a plan with the settings of LaplacianOptions{}.
func PlanLaplacianSVM() LaplacianPlan {
	return LaplacianPlan{plan.NewClassifier(plan.Spec[*Laplacian, LaplacianOptions]{
		Name: "LaplacianSVM", Options: LaplacianOptions{}.filled(), Needs: plan.Classes,
		Check: func(step string, o LaplacianOptions) error { return o.check(step) },
		CheckData: func(step string, set datasets.Set, o LaplacianOptions) error {
			if o.Unlabelled != nil {
				if err := estimator.CheckWidth(step, o.Unlabelled, set.D()); err != nil {
					return err
				}
			}
			return plan.CheckTwoClasses(step, set, "")
		},
		Fit: func(ctx context.Context, set datasets.Set, o LaplacianOptions) (*Laplacian, error) {
			return FitLaplacian(ctx, set.X, set.Y, o)
		},
	})}
}

// Intrinsic sets the price of f'Lf / m^2, what a labelling pays for changing along links; 0 leaves the graph out.
func (p LaplacianPlan) Intrinsic(gamma float64) LaplacianPlan {
	return plan.With(p, "Intrinsic", func(o *LaplacianOptions) {
		if o.Intrinsic = gamma; gamma == 0 {
			o.Intrinsic = estimator.None
		}
	}, gamma)
}

// Unlabelled adds the rows of a set as rows without labels; its classes, if it has any, are not looked at.
func (p LaplacianPlan) Unlabelled(set datasets.Set) LaplacianPlan {
	if err := set.Check("Unlabelled"); err != nil {
		return plan.Broken(p, "Unlabelled", err, set)
	}
	return plan.With(p, "Unlabelled", func(o *LaplacianOptions) { o.Unlabelled = set.X }, set)
}

// Certificate returns the proof that the fit is optimal: of the machine with the deformed kernel.
func (p LaplacianPlan) Certificate() svm.Certificate {
	return plan.Value(p, "Certificate", func(m *Laplacian) (svm.Certificate, error) { return m.Certificate(), nil })
}

// Value returns f(x), the number on which the answer for a point rests: f(x) + b.
func (p LaplacianPlan) Value(x ...float64) float64 {
	return plan.Value(p, "Value", func(m *Laplacian) (float64, error) { return m.Value(x...), estimator.CheckPoint("Value", x, m.s.D) },
		fault.Args(slices.Clone(x))...)
}

// Table lists parameters and diagnostics: the rows, the pieces of the graph, and the two objectives.
func (p LaplacianPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Laplacian) (cell.Table, error) {
		c := m.s.Certificate
		return cell.NewTable("", "").Title(m.String()).Row("labelled rows", m.s.Labelled).Row("rows", len(m.s.Alpha)).
			Row("pieces of the graph", m.s.Pieces).Row("primal objective", c.Primal).Row("dual objective", c.Dual), nil
	})
}
