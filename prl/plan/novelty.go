package plan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// The classes of a NoveltyModel.
const (
	Novel  = 0 // unlike the rows of the fit
	Inside = 1 // among them
)

// noveltyNames are the names of the two classes.
var noveltyNames = []string{Novel: "novel", Inside: "inside"}

// A NoveltyModel has learned where the rows of its fit lie, and puts a row into the class Inside or Novel.
type NoveltyModel interface {
	estimator.PointClassifier
	// Value returns f(x) of one point of d coordinates, at least zero inside, and NaN for a point of another length.
	Value(x ...float64) float64
}

// Novelty is a plan whose model tells novel rows from those that are like the rows of the fit.
type Novelty[M NoveltyModel, O any] struct{ novelty }

// A Detecting plan is a plan of any detection of novelty, for the end of a pipeline.
type Detecting interface {
	Trainable
	Predict(set datasets.Set) []int
	Class(x ...float64) int
	Value(x ...float64) float64
	Flagged() []int
	Regions() *plotting.Figure
	Show()
}

// NewNovelty begins a plan of a detection of novelty.
func NewNovelty[M NoveltyModel, O any](spec Spec[M, O]) Novelty[M, O] {
	return Novelty[M, O]{novelty{begin(spec)}}
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Novelty[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Novelty[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Novelty[M, O]) settings() O { return settings[O](p.base()) }

// A novelty is a plan of any detection of novelty.
type novelty struct{ root }

func (p novelty) any() typed[NoveltyModel] { return typed[NoveltyModel]{p.base()} }

// Predict returns the answer for each row of a set: Inside (1) or Novel (0).
func (p novelty) Predict(set datasets.Set) []int {
	return Value(p.any(), "Predict", func(m NoveltyModel) ([]int, error) { return on(m, "Predict", set, m.Predict) }, set)
}

// Class returns the class of one point: Inside (1) or Novel (0).
func (p novelty) Class(x ...float64) int {
	return Value(p.any(), "Class", func(m NoveltyModel) (int, error) {
		return m.Class(x...), estimator.CheckPoint("Class", x, m.Dim())
	}, fault.Args(x)...)
}

// Value returns f(x), the number on which the answer for a point rests: at least zero inside.
func (p novelty) Value(x ...float64) float64 {
	return Value(p.any(), "Value", func(m NoveltyModel) (float64, error) {
		return m.Value(x...), estimator.CheckPoint("Value", x, m.Dim())
	}, fault.Args(x)...)
}

// Flagged returns the rows that lie outside: their numbers in the data of the fit.
func (p novelty) Flagged() []int {
	return Value(p.any(), "Flagged", func(m NoveltyModel) (out []int, err error) {
		classes, err := m.Predict(p.base().set.X)
		for i, c := range classes {
			if c == Novel {
				out = append(out, i)
			}
		}
		return out, err
	})
}

// Regions draws data of two features over the regions of the classes: the inside, with the boundary f = 0.
func (p novelty) Regions() *plotting.Figure {
	return Figure(p.any(), "Regions", func(m NoveltyModel) (*plotting.Figure, error) {
		set := p.base().set
		x, y, err := Plane(set, "Regions")
		if err != nil {
			return nil, err
		}
		classes, err := m.Predict(set.X)
		if err != nil {
			return nil, err
		}
		f := plotting.NewField(func(x, y float64) float64 { return m.Value(x, y) })
		fig := plotting.New(f.Regions(noveltyNames...).NoBoundary(), f.Contours().Levels(0).Name("f = 0").Width(2)).
			Add(plotting.Points(x, y).By(classes, noveltyNames...)).
			X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Title(title(m, set))
		if lo, hi := around(x); lo < hi {
			fig = fig.XRange(lo, hi)
		}
		if lo, hi := around(y); lo < hi {
			fig = fig.YRange(lo, hi)
		}
		return fig, nil
	})
}

// around returns a range that shows the data with the boundary round them.
func around(v []float64) (lo, hi float64) {
	lo, hi = slices.Min(v), slices.Max(v)
	pad := 0.15 * (hi - lo)
	return lo - pad, hi + pad
}

// Show shows the picture or table that says most: the regions of two features, and Table otherwise.
func (p novelty) Show() {
	ShowRegions(p)
}

// ShowRegions shows the regions of two features of a plan, and its table otherwise.
func ShowRegions(p interface {
	Trainable
	Regions() *plotting.Figure
	Table() cell.Table
},
) {
	if p.Err() == nil && Data(p).D() == 2 {
		p.Regions().Show()
		return
	}
	p.Table().Show()
}

// Table lists parameters and diagnostics: the number of rows of the fit inside and outside.
func (p novelty) Table() cell.Table {
	return Table(p.any(), "Table", func(m NoveltyModel) (cell.Table, error) {
		classes, err := m.Predict(p.base().set.X)
		counts := make([]int, len(noveltyNames))
		for _, c := range classes {
			counts[c]++
		}
		t := cell.NewTable("class", "rows of the fit").Title(title(m, p.base().set))
		for c, n := range counts {
			t = t.Row(noveltyNames[c], n)
		}
		return t, err
	})
}

// NoveltySteps are the transformations of a pipeline before its detection of novelty.
type NoveltySteps struct{ before }

// PlanNoveltyPipeline begins a pipeline with a detection of novelty at its end: PlanNoveltyPipeline(standardize).Then(oneClass). Its steps
// are those of PlanPipeline.
func PlanNoveltyPipeline(transformations ...Trainable) NoveltySteps {
	return NoveltySteps{begun("NoveltyPipeline", transformations)}
}

// Then ends the pipeline in a detection of novelty, which is fitted to what the steps make of the data. Classes are not used, unless a step
// asks for them.
func (s NoveltySteps) Then(last Detecting) NoveltyPipelinePlan {
	p := NoveltyPipelinePlan{NewNovelty(specOf(s.before, last, Rows, func(p pipeline[NoveltyModel]) *NoveltyPipeline {
		return &NoveltyPipeline{p}
	}))}
	p.put(p.base().with(s.ended(last)))
	return p
}

// A NoveltyPipelinePlan is a detection of novelty behind transformations, all fitted to the same rows.
type NoveltyPipelinePlan struct {
	Novelty[*NoveltyPipeline, pipelineSettings]
}

// Fit names the data; features may hold words and gaps where the first steps take them.
func (p NoveltyPipelinePlan) Fit(set datasets.Set) NoveltyPipelinePlan { return Fit(p, set) }

// Keep keeps the model on disk for later cells and sessions: all models of the pipeline.
func (p NoveltyPipelinePlan) Keep() NoveltyPipelinePlan { return Keep(p) }

// Transform returns the images of the rows: what the steps before the detection make of a set, or of the data of the fit when none is
// given.
func (p NoveltyPipelinePlan) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p, "z", other...)
}

// A NoveltyPipeline is a fitted chain of transformations with a detection of novelty at its end.
type NoveltyPipeline struct {
	pipeline[NoveltyModel]
}

// Classes returns 2.
func (p *NoveltyPipeline) Classes() int { return 2 }

// Predict returns Inside or Novel for each row of X (n x d).
func (p *NoveltyPipeline) Predict(X mat.Matrix) ([]int, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return p.last.Predict(z)
}

// Decision returns the n x 1 values f(x), at least zero inside.
func (p *NoveltyPipeline) Decision(X mat.Matrix) (*mat.Dense, error) {
	z, err := p.Transform(X)
	if err != nil {
		return nil, err
	}
	return Scores(p.last, z)
}

// Class returns Inside or Novel for one point of d coordinates, and -1 for a point of another length or with a number that a step cannot
// take.
func (p *NoveltyPipeline) Class(x ...float64) int {
	z := p.point(x)
	if z == nil {
		return -1
	}
	return p.last.Class(z...)
}

// Value returns f(x) of one point of d coordinates, and NaN for a point of another length or with a number that a step cannot take.
func (p *NoveltyPipeline) Value(x ...float64) float64 {
	z := p.point(x)
	if z == nil {
		return math.NaN()
	}
	return p.last.Value(z...)
}

// MarshalBinary encodes the pipeline with all its models.
func (p *NoveltyPipeline) MarshalBinary() ([]byte, error) {
	return p.store("plan.NoveltyPipeline")
}

// UnmarshalBinary reads what MarshalBinary wrote, as that of Pipeline does.
func (p *NoveltyPipeline) UnmarshalBinary(data []byte) error {
	return p.restore("plan.NoveltyPipeline", data)
}
