// Package reduce maps data to fewer dimensions by linear maps: principal components (with active shape models, whose rows are outlines),
// whitening, Fisher's discriminant and its form for several classes (multiple discriminant analysis, rank-reduced LDA); and by principal
// components in the feature space of a kernel. Multidimensional scaling (classical, metric, non-metric), Isomap and locally linear
// embedding make maps that keep distances or neighbourhoods.
//
// Everywhere X is n x d with one observation a row, labels are classes 0 ... K-1, and sample weights count copies: weight k is the same as
// k equal rows, weight 0 the same as no row. A direction w is a column of d numbers, a map to k dimensions a d x k matrix W, and the image
// of a row x is W^T x.
//
// FitPCA, FitKernelPCA, FitWhitening, FitFisher, FitMDA, FitMDS, FitIsomap and FitLLE are the numerics; Procrustes lays one map on
// another. PlanPCA and its like return plans for cells, with figures and tables.
package reduce
