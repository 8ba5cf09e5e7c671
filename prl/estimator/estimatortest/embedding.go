package estimatortest

import (
	"context"
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Embedding is the case of a method that gives the rows of its fit places and has no rule for others. Of a model, points returns them, a
// row each. What the suite asks a classifier or a transformer it asks the places: a row of the fit is found by its numbers, so that orders,
// batches and kinds of matrix count for nothing here too, and any other row is refused. Models that cannot be stored say so with Except.
func Embedding[M fmt.Stringer, O any](name string, fit func(context.Context, mat.Matrix, O) (M, error), points func(M) *mat.Dense,
	options O,
) Case {
	model := reflect.TypeFor[M]().Elem()
	query := model.String() + ".Places"
	c := newCase[*placed](name, options, func(ctx context.Context, d Data, o O) (*placed, error) {
		m, err := fit(ctx, d.X, o)
		if err != nil {
			return nil, err
		}
		return &placed{query: query, text: m.String(), rows: mat.DenseCopyOf(d.X), points: points(m)}, nil
	})
	c.model = model
	c.zero = func() any { return &placed{query: query} }
	return c
}

// A placed is a map with its rows.
type placed struct {
	query, text  string
	rows, points *mat.Dense
}

// Places returns the places of rows of the fit.
func (p *placed) Places(X mat.Matrix) (*mat.Dense, error) {
	if p.rows == nil {
		return nil, estimator.Unfitted(p.query)
	}
	n, d := p.rows.Dims()
	if err := estimator.CheckWidth(p.query, X, d); err != nil {
		return nil, err
	}
	_, k := p.points.Dims()
	asked := estimator.Dense(X)
	m, _ := asked.Dims()
	out := mat.NewDense(m, k, nil)
	for i := range m {
		at := 0
		for at < n && !reflect.DeepEqual(asked.RawRowView(i), p.rows.RawRowView(at)) {
			at++
		}
		if at == n {
			return nil, fault.Argument(p.query, "X", fmt.Sprintf("a row %d that was not mapped", i), "rows of the fit", "")
		}
		out.SetRow(i, p.points.RawRowView(at))
	}
	return out, nil
}

// Dim returns the number of columns of the rows.
func (p *placed) Dim() int {
	if p.rows == nil {
		return 0
	}
	_, d := p.rows.Dims()
	return d
}

// String is that of the model.
func (p *placed) String() string { return p.text }
