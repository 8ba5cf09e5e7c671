// Package kernel holds kernels K(x, x') = <phi(x), phi(x')>, the rules that build new kernels from old ones, and what can be computed from
// a kernel alone: the Gram matrix, its centred form, its spectrum (is it positive semi-definite?) and distances in feature space.
//
// A point is a []float64 of length d; a data matrix is n x d with one observation a row; the Gram matrix of n points is n x n with entries
// K(x_i, x_j). Kernels are small immutable values, so that RBF{Gamma: 0.5} may be compared, printed, copied and stored.
//
// Symmetric functions are not all kernels: Sigmoid and many a Func are not. PSD tells, for a given set of points; Embed rebuilds the points
// from their Gram matrix, and where there are none Witness gives the proof.
//
// Things that are no vectors, strings and graphs, have kernels of their own: KGrams, Subsequences, RandomWalks, ShortestPaths. They go into
// GramOf, whose result serves a learner with the kernel Precomputed.
//
// References: J. Mercer (1909), Functions of positive and negative type; B. Schölkopf and A. Smola (2002), Learning with Kernels, ch. 2 and
// 13; J. Shawe-Taylor and N. Cristianini (2004), Kernel Methods for Pattern Analysis, ch. 3.
package kernel
