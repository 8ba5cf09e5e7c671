package linear

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

// TotalLeastSquares returns the plane from which the rows (x_i, y_i) are least far, at right angles to the plane: it minimises
// sum_i w_i (y_i - b - x_i w)^2 / (1 + |w|^2), for errors of the same size in x and y. It is the direction of least variance of all columns
// together.
//
// Sources: Adcock (1878); Golub and Van Loan (1980).
//
// Errors: unusable data, targets or weights; a plane that is not unique, or stands upright.
func TotalLeastSquares(ctx context.Context, X mat.Matrix, y []float64, o Rows) (*Model, error) {
	const op = "linear.TotalLeastSquares"
	p, err := newDesign(ctx, op, X, y, o, blockRows)
	if err != nil {
		return nil, err
	}
	p.rescale(false, 1)
	k := p.d + 1
	all := make([]float64, p.blocks*p.size*k)
	for b := range p.blocks {
		copy(all[b*k*p.size:], p.x[b*p.d*p.size:(b+1)*p.d*p.size])
		tile.AddScaled(all[(b*k+p.d)*p.size:(b+1)*k*p.size], p.yScale, p.y[b*p.size:(b+1)*p.size])
	}
	f, err := factorise(ctx, all, p.size, k)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(k, k, f.r), mat.SVDThin) {
		return nil, errors.New(op + ": the singular values have not been found; standardise the columns")
	}
	values := svd.Values(nil)
	if values[k-2]-values[k-1] <= 1e-13*values[0] {
		return nil, errors.New(op + ": the plane is not unique: two directions of all columns have the same least variance; leave columns out")
	}
	var v mat.Dense
	svd.VTo(&v)
	last := v.At(p.d, k-1)
	if last*last < 1e-28 {
		return nil, errors.New(op + ": the plane of least distance stands upright, and is no function of x")
	}
	coefficients := make([]float64, p.d)
	intercept := p.yMean
	for j := range coefficients {
		coefficients[j] = -v.At(j, k-1) / last
		intercept -= coefficients[j] * p.mean[j]
	}
	m := newModel("total least squares", coefficients, intercept, p.intercept)
	return &m, nil
}
