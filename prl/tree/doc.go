// Package tree grows classification and regression trees (CART) and decision stumps, all with sample weights, and prunes them.
//
// Everywhere X is n x d with one observation a row, class labels are 0 ... K-1, and a test sends a row left when x_j <= threshold.
// Candidate thresholds are the midpoints between neighbouring distinct values of a feature. Each feature is sorted once; every node then
// scans its rows in that order. Sample weights count copies: weight k is the same as k equal rows, weight 0 the same as no row.
//
// Fit, FitRegression and FitStump are the numerics. New returns a plan for cells, with figures and tables.
package tree
