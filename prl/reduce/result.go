package reduce

import (
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Result is a plan with data: what the fitted plans of the package have in common. The model is computed when it is first asked for, and once.
type Result[M estimator.Transformer] struct {
	cell.Outcome[M]
	set datasets.Set
}

func newResult[M estimator.Transformer](chain fault.Chain, set datasets.Set, classes bool, fit func() (M, error)) Result[M] {
	check := set.Check
	if classes {
		check = set.CheckClasses
	}
	return Result[M]{cell.NewOutcome(chain.Step("Fit", set).Break(check("Fit")), fit), set}
}

// figure draws with the model, or returns a figure that carries the error of the step named.
func (f Result[M]) figure(step string, draw func(m M) (*plotting.Figure, error), args ...any) *plotting.Figure {
	fig, err := cell.End(f.Outcome, draw, step, args...)
	if err != nil {
		return plotting.Fault(err)
	}
	return fig
}

// image returns the data set of the images of the rows, with features called prefix 1, prefix 2, ...
func (f Result[M]) image(prefix string) datasets.Set {
	m, err := f.Fitted()
	if err != nil {
		return f.broken(err)
	}
	z, err := m.Transform(f.set.X)
	if err != nil {
		return f.broken(err)
	}
	s := f.set
	s.X, s.Units = z, nil
	_, k := z.Dims()
	s.FeatureNames = make([]string, k)
	for j := range s.FeatureNames {
		s.FeatureNames[j] = prefix + strconv.Itoa(j+1)
	}
	return s
}

// broken ends the cell, for only the datasets package can put an error into a set.
func (f Result[M]) broken(err error) datasets.Set {
	cell.Fail(err)
	return datasets.Set{Name: f.set.Name}
}

// cloud draws the rows of a matrix by their columns a and b, coloured by class where there are classes.
func cloud(s datasets.Set, z mat.Matrix, a, b int) plotting.PointsLayer {
	p := plotting.Points(mat.Col(nil, a, z), mat.Col(nil, b, z))
	if s.Y != nil {
		p = p.By(s.Y, s.ClassNames...)
	}
	return p
}
