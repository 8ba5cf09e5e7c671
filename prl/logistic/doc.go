// Package logistic fits probabilities of classes whose log-odds are linear in the features: logistic regression of two classes and softmax
// regression of more, by Newton's method (iteratively reweighted least squares) with a line search, with or without a penalty, with its
// standard errors, Wald and profile likelihood intervals, and probabilities averaged over the uncertainty of the fit.
//
// A maximum of the likelihood need not exist: where some direction puts no row on a wrong side, the coefficients grow without bound.
// Separate decides by a linear program which of three cases the data are, and Fit reports the direction instead of large numbers.
// MinimumSlack is the linear program as a classifier.
//
// Everywhere X is n x d with one observation a row, classes are 0 ... K-1, and likelihoods are in nats.
package logistic
