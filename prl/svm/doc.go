// Package svm holds support vector machines: the hard margin, the soft margin with linear and with quadratic slack, with and without bias,
// for two classes and one-vs-one for more, on any kernel; regression with a tube; the region of one class.
//
// With labels y_i = +1 or -1 and the decision function f(x) = <w, phi(x)> + b, the machines minimise
//
//	hard margin       1/2 |w|^2                          subject to y_i f(x_i) >= 1
//	linear slack      1/2 |w|^2 + sum_i C_i xi_i         subject to y_i f(x_i) >= 1 - xi_i, xi_i >= 0
//	quadratic slack   1/2 |w|^2 + 1/2 sum_i C_i xi_i^2   subject to y_i f(x_i) >= 1 - xi_i
//
// by maximising the dual sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K(x_i, x_j) over 0 <= alpha_i (<= C_i with linear slack; with
// quadratic slack K(x_i, x_i) grows by 1/C_i instead) and sum_i alpha_i y_i = 0 (with a bias). C_i is C times the weight of the class times
// the weight of the row.
//
// With Options.Nu the share of rows that may break the margin takes the place of C. FitRegression fits numbers, with the width of the tube
// or the share of rows outside it; FitOneClass learns where rows lie, and finds novel ones.
//
// Fit runs sequential minimal optimisation with second-order working sets, shrinking and a row cache. Every machine carries a Certificate:
// primal and dual objective, their gap, and how far the Karush-Kuhn-Tucker conditions are from holding. EnumerateDual solves small problems
// exactly in another way, for comparison.
//
// References: C. Cortes and V. Vapnik (1995), Support-vector networks; J. Platt (1998), Sequential minimal optimization; R.-E. Fan, P.-H.
// Chen and C.-J. Lin (2005), Working set selection using second order information; C.-C. Chang and C.-J. Lin (2011), LIBSVM; B. Schölkopf,
// A. Smola, R. Williamson and P. Bartlett (2000), New support vector algorithms; N. Cristianini
// and J. Shawe-Taylor (2000), An Introduction to Support Vector Machines, ch. 6.
package svm
