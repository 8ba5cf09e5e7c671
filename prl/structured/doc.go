// Package structured learns answers that are more than a label: an order, a tag for each word, the labels of a whole graph.
//
// One idea carries the first two. Whole answers y to a question x are scored by w.phi(x, y), and the right one must beat every wrong
// one by as much as the wrong one is wrong:
//
//	minimise  |w|^2/2 + C sum_i xi_i   with   w.phi(x_i, y_i) >= w.phi(x_i, y) + loss(y_i, y) - xi_i   for every y
//
// CuttingPlane solves that for any answers whose worst rival can be found. FitTagger learns to tag sentences, by conditional random
// fields, the structured perceptron or the structural support vector machine; a Lattice holds the scores of all taggings of a sentence
// and finds the best one. FitMulticlass is the case of a single tag, FitRank orders rows, and FitLaplacian labels rows with the help of
// others that have no label.
//
// References: M. Collins (2002), Discriminative training methods for hidden Markov models; J. Lafferty, A. McCallum and F. Pereira (2001),
// Conditional random fields; K. Crammer and Y. Singer (2001), On the algorithmic implementation of multiclass kernel-based vector machines;
// I. Tsochantaridis, T. Joachims, T. Hofmann and Y. Altun (2005), Large margin methods for structured and interdependent output variables;
// T. Joachims (2002), Optimizing search engines using clickthrough data; M. Belkin, P. Niyogi and V. Sindhwani (2006), Manifold
// regularization.
package structured
