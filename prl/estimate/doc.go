// Package estimate learns the parameters of a distribution from observations: one number each, or a whole belief.
//
// FitNormal, FitLaplace, FitCauchy, FitExponential, FitUniform, FitPoisson and FitBernoulli return the law of their family under which the
// observations are likeliest. LogLikelihood, Score, Information and StandardErrors say how likely and how sure; KL and CodeLength what a
// wrong law costs; Moments take in a stream.
//
// A belief is a prior that is multiplied by the likelihood of what was seen, made to sum to one, and is the prior of what comes next. Beta
// is the belief in a probability, NormalMean the belief in the mean of a normal distribution, Grid a belief in any parameter on a list of
// places. Laws and beliefs are values; See returns a new belief and leaves the old one as it was.
//
// Sources: R. A. Fisher (1922), On the mathematical foundations of theoretical statistics; C. M. Bishop (2006), Pattern Recognition and
// Machine Learning, chapter 2.
package estimate
