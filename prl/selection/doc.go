// Package selection tries models on rows they were not fitted to: cross-validation, the comparison of several models on the same folds,
// search over settings, learning curves. The splits and scores are those of package assess; the models are plans of any family, or
// pipelines of plans, and each is fitted to the training rows of a split alone.
//
// A result has its interval. The folds of a cross-validation share most of their training rows, so that the spread of their scores tells
// too little; intervals and tests are corrected for that (Nadeau and Bengio 2003).
package selection
