// Package density estimates densities and classifies by what lies near: Parzen's windows with six forms and four rules of their width, the
// k nearest neighbours of a point, found in a tree or by looking at every row, as votes and as a density, edited and condensed sets of
// them, the probabilistic neural network, and the bounds of Cover and Hart on the error of the nearest one. Nothing is assumed of the form
// of a distribution.
//
// Everywhere X is n x d with one observation a row, distances are Euclidean unless said otherwise, and classes are 0 ... K-1.
package density
