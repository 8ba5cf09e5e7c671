// Package estimate learns the parameters of a distribution from observations, as a whole belief and not as one number: a prior is multiplied
// by the likelihood of what was seen, made to sum to one, and is the prior of what comes next. Beta is the belief in a probability,
// NormalMean the belief in the mean of a normal distribution, Grid a belief in any parameter on a list of places. All are values; See
// returns a new belief and leaves the old one as it was.
//
// Source: C. M. Bishop (2006), Pattern Recognition and Machine Learning, sections 2.1 and 2.3.
package estimate
