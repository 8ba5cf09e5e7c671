// Package bayes decides under uncertainty: loss tables, posteriors, conditional risk, the Bayes rule and its risk, the reject option, and
// the Gaussian classifiers that follow from it (LDA, QDA, nearest mean, naive Bayes).
//
// Classes are numbered 0 ... K-1 and actions 0 ... A-1; a loss table is A x K with one action a row. Posteriors are natural probabilities,
// densities are handled as natural logarithms (nats), and data matrices are n x d with one observation a row.
//
// The functions and types stand by themselves; Bayes, LDA, QDA, NearestMean and GaussianNB begin the chains used in notebook cells.
//
// Sources: R. O. Duda, P. E. Hart and D. G. Stork, Pattern Classification, 2nd ed., 2001, chapter 2; C. K. Chow, On optimum recognition
// error and reject tradeoff, IEEE Trans. Information Theory 16 (1970); T. Hastie, R. Tibshirani and J. Friedman, The Elements of
// Statistical Learning, 2nd ed., 2009, section 4.3.
package bayes
