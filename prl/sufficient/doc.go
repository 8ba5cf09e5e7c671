// Package sufficient gathers the sufficient statistics of estimators from rows that come in parts: what does not fit into memory, or lies
// on several machines. Every type has
//
//	Add     takes in more rows, as many at a time as is convenient: hundreds cost less than hundreds of times one
//	Merge   takes in all that another has gathered
//	a fit   LDA, QDA, PCA, MultinomialNB, ..., the model that the fit of the package bayes, reduce, ... finds on all rows together
//
// and is stored and read by MarshalBinary and UnmarshalBinary, so that a part can be sent, and a long pass goes on where it was killed: see
// [Pass]. The order of rows and parts changes the last digits alone.
//
//	Moments      weight, mean and scatter           PCA, Whitening
//	Classes      the same of each class             LDA, QDA, GaussianNB, NearestMean, Whitening, the scatter matrices
//	Counts       sums or presence by class          MultinomialNB, BernoulliNB, ComplementNB
//	Regression   rows with a numeric target         least squares, ridge
//	Transitions  starts and steps of sequences      Markov chains
//	KMeansRound  rows by their nearest centre       the next centres of Lloyd's k-means; one pass a round
//	EMRound      rows by their responsibilities     the next Gaussian mixture; one pass a round
//
// Means are kept to twice the digits of a float64, and scatters about them, so that a large common offset costs no digits: columns of mean
// 1e8 and deviation 1 give the same variances in seven parts as in one.
//
// Sources: R. A. Fisher (1922), On the mathematical foundations of theoretical statistics; B. P. Welford (1962), Note on a method for
// calculating corrected sums of squares and products; T. F. Chan, G. H. Golub and R. J. LeVeque (1983), Algorithms for computing the sample
// variance, The American Statistician 37, 242-247.
package sufficient
