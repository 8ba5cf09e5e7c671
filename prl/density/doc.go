// Package density classifies by what lies near: the k nearest neighbours of a point, found in a k-d tree or by looking at every row, with
// the bounds of Cover and Hart on the error of the nearest one. Nothing is assumed of the form of a distribution.
//
// Everywhere X is n x d with one observation a row, distances are Euclidean, and classes are 0 ... K-1.
package density
