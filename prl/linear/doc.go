// Package linear has the linear models of a numeric target: least squares with what it says about its coefficients, ridge, lasso, elastic
// net and group lasso, fits in every Lp norm from 1 to infinity with a certificate, quantiles, robust fits, total and non-negative least
// squares, bases of polynomials and splines, and formulas over tables.
//
// Rows are observations. An intercept is free of every penalty, and left out by Rows.NoIntercept. Scaling says what the lambda of a
// penalty means.
package linear
