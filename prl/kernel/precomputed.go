package kernel

import "math"

// Precomputed says that the caller brings kernel values in place of points: the n x n Gram matrix where a fit wants X, and the m x n matrix
// of K(z_i, x_j) between new and training points where a prediction wants X.
type Precomputed struct{}

// Eval returns NaN: a precomputed kernel knows no points.
func (Precomputed) Eval(a, b []float64) float64 { return math.NaN() }

// String returns "precomputed".
func (Precomputed) String() string { return "precomputed" }
