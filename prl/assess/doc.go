// Package assess judges predictions: confusion matrices with the rates that follow from them, receiver operating characteristics with the
// area below, probabilities, regressions and clusterings; with intervals, paired tests of two rules and their power, tests of several, the
// jackknife and the bootstrap, bias and variance, and the splits of rows on which rules are trained and tested. It works on numbers that
// any classifier of any library may have given; nothing here fits a model. Package selection does, with these splits and scores.
//
// Classes are integers 0 ... K-1. In a problem of two classes, class 1 is the positive one.
package assess
