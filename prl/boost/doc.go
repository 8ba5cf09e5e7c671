// Package boost builds a strong classifier from weak ones: AdaBoost by weighting and by resampling, over decision stumps, trees or any
// other weak learner, with the quantities of its analysis: weighted errors, normalisers, bounds on the training error, margins.
//
// Everywhere X is n x d with one observation a row and labels are 0 ... K-1. For two classes the formulas write y = +1 for class 1 and y =
// -1 for class 0, and h(x) for the vote, in {-1, +1}, of a weak classifier. The score is F(x) = sum_t alpha_t h_t(x). For more classes Fit
// is SAMME, which is the same with a score for each class.
//
// Fit is the numerics. New returns a plan for cells, with figures and tables.
package boost
