package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// An Influence says of each row what it does to the fit; it is NaN for a row of weight zero.
type Influence struct {
	Residuals    []float64 // y - b - x w
	Leverage     []float64 // the hat value h, how much the row's own target counts in its prediction, from 0 to 1
	Standardised []float64 // e = residual sqrt(weight) / (sigma sqrt(1 - h))
	Studentised  []float64 // the same with the sigma of the other rows: Student's t of DF - 1 degrees of freedom under the model
	Cook         []float64 // e^2 h / (1 - h) / rank: how far all predictions move without the row
	DFFits       []float64 // studentised sqrt(h / (1 - h)): how far its own prediction moves
}

// Influence returns the influence of the rows of the fit, which are given again with the weights that they had.
//
// Sources: Cook (1977); Belsley, Kuh and Welsch (1980).
//
// Errors: unusable data; rows of another number; coefficients that are not unique.
func (f *Fit) Influence(X mat.Matrix, y, weights []float64) (*Influence, error) {
	const op = "linear.Fit.Influence"
	residuals, err := f.Residuals(X, y)
	if err != nil {
		return nil, fault.In(op, err)
	}
	n := len(residuals)
	if err := estimator.CheckWeights(op, weights, n); err != nil {
		return nil, err
	}
	if !f.unique() {
		return nil, fault.Argument(op, "the coefficients", "not unique", "unique", "fit without MinimumNorm")
	}
	x, w := estimator.Dense(X), estimator.ScaleWeights(weights)
	out := &Influence{
		make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n),
	}
	df, sigma := float64(f.DF()), f.Sigma()
	for i := range n {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		h := min(1, weight*f.leverage(x.RawRowView(i)))
		if weight == 0 {
			h = math.NaN()
		}
		r := residuals[i]
		e := r * math.Sqrt(weight)
		out.Residuals[i], out.Leverage[i] = r, h
		out.Standardised[i] = e / (sigma * math.Sqrt(1-h))
		out.Studentised[i] = e / math.Sqrt((f.t.RSS-e*e/(1-h))/(df-1)*(1-h))
		out.Cook[i] = out.Standardised[i] * out.Standardised[i] * h / (1 - h) / float64(f.Rank())
		out.DFFits[i] = out.Studentised[i] * math.Sqrt(h/(1-h))
	}
	return out, nil
}
