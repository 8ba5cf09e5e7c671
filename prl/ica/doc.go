// Package ica finds independent components: x = A s is observed, A and s are not, and s has independent entries of which at most one is
// Gaussian. FastICA one by one or all together, infomax by the natural gradient for sources flatter and more peaked than a Gaussian,
// kurtosis, entropy and negentropy of a sample, the kurtosis of a plane over the angle, and what compares a result with the truth: the
// Amari distance, and sources matched up to order, sign and scale.
//
// Everywhere X is n x d with one observation a row, a component has variance 1 (divisor n), and entropies are in nats. Order, sign and
// scale of the sources cannot be known: components come in the order of falling negentropy, and the entry of largest magnitude in each
// column of the mixing matrix is positive.
package ica
