// Package reference is the table of figures that the library must reproduce, and the tests that compute each of them.
//
// references.json holds one case a record: what is computed (id, area, title), from which data and settings, the expected figures, how far
// a result may be from them, and where they come from. A source is one of
//
//	certified     values of the NIST Statistical Reference Datasets
//	published     the named book, paper or print-out gives the figure to the digits named; the expected value is the recomputed one
//	closed form   derivable by hand or by exact arithmetic
//	computed      from the named program and version
//
// The programs that recomputed a figure are named beside it: compute/values.py and compute/values.R hold those made for this table, and no
// code of the library. A figure passes when |difference| <= abs + rel |expected|; a key abs_NAME or rel_NAME takes the place of both for
// one figure.
//
// Each area has a test file. Every case of the table is either run there, or waits for a family that does not exist yet (the list in
// coverage_test.go, which fails as soon as the family appears), or stands in the table's list of withheld cases with the reason. Every
// figure of a case must be compared. Data lie in testdata, in package datasets, or are read at test time from a Debian package whose
// licence does not allow a copy here; on a machine with CI set such data must be present.
package reference
