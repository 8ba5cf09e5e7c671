// Package datasets holds the data a cell can use without a network: classic data sets embedded in the binary, seeded generators with known
// truth, and readers for CSV, LIBSVM and IDX files.
//
// A [Set] is n x d with one observation a row, class labels 0 ... K-1 or numeric targets, and names for everything. Its methods select and
// rearrange; each returns a new set and leaves the old one as it was. A set remembers the first error and the step that caused it:
//
//	iris := datasets.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
//	if err := iris.Err(); err != nil { ... }
//
// After an error a set holds no rows, so that nobody computes with the wrong data. The readers also come as functions that return
// (Set, error).
//
// A [SparseSet] holds rows most of whose numbers are zero, without the zeros: [SparseLIBSVM] reads them, [Texts] and [Set.Sparse] make
// them.
//
// A [Table] has columns of words and dates beside those of numbers, and gaps, as files have them; Label, Target or Unlabelled makes a set
// of it. [OpenTable] reads CSV; Excel workbooks, Parquet, JSON lines and answers of databases are read by the packages excel, parquet,
// jsonlines and query, so that no cell carries them unasked.
//
// Every embedded data set is linked only into programs that use it. Sources and licences stand in data/README.md and in each Set.
package datasets
