// Package cluster finds structure without labels: trees of groups (Agglomerate), groups of dense regions (FitDBSCAN), points that belong to
// nothing (Mahalanobis, MCD) and the place where a series changes (FindChange, Page).
//
// X is n x d, row = observation. Clusters are numbered from 0 in the order of their first row or core, so that colours hold still. K-means
// and Gaussian mixtures are in package mixture; scores of clusterings (silhouettes, adjusted Rand) in package assess.
package cluster
