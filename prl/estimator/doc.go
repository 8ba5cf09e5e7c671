// Package estimator holds what all models share: the small interfaces a fitted model satisfies, the checks of its input, the form of an
// error about an argument, the accuracy, the report of progress, and the versioned encoding of models.
//
// Everywhere a data matrix X is n x d with one observation a row; class labels are integers 0 ... K-1; sample weights are non-negative and
// nil means that every row weighs one.
//
// It is also the spine of the families. A fit checks its options, hands the data to NewLabelled, NewTargeted or NewRows, which check and
// weigh them and leave out rows of weight zero, does its work with a look at the context every few milliseconds, and returns a model
// that does not change. The error of an inner call gets the name that the caller knows by fault.In. The model says in a method spine
// what it is, a Classification, Discriminant or Regression, and go generate ./prl writes what follows from that. README.md has a
// template.
//
// A method for one point, Class(x...) say, takes as many numbers as the data of the fit had columns. Of a point of another length it says:
// an error where it has an error result; otherwise -1 for a class, NaN for a number, nil for several.
package estimator

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Classifier assigns one of K classes to each row of X.
type Classifier interface {
	// Dim returns d, the number of columns the model was fitted on.
	Dim() int
	// Classes returns K.
	Classes() int
	// Predict returns the class (0 ... K-1) of each row of X (n x d). It fails when X has another width, or holds NaN or Inf.
	Predict(X mat.Matrix) ([]int, error)
}

// A PointClassifier also classifies one point; what it draws are its regions.
type PointClassifier interface {
	Classifier
	// Class returns the class of one point of d coordinates, and -1 for a point that Predict refuses.
	Class(x ...float64) int
}

// A Regressor predicts a number for each row of X.
type Regressor interface {
	// Dim returns d, the number of columns the model was fitted on.
	Dim() int
	// Predict returns the predicted target of each row of X (n x d). It fails when X has another width, or holds NaN or Inf.
	Predict(X mat.Matrix) ([]float64, error)
}

// A ProbabilisticClassifier also says how sure it is.
type ProbabilisticClassifier interface {
	Classifier
	// Proba returns the n x K matrix of class probabilities; each row sums to one.
	Proba(X mat.Matrix) (*mat.Dense, error)
}

// A LogProbabilisticClassifier also tells the logarithms of probabilities that float64 cannot hold.
type LogProbabilisticClassifier interface {
	ProbabilisticClassifier
	// LogProba returns the n x K natural logarithms of the class probabilities.
	LogProba(X mat.Matrix) (*mat.Dense, error)
}

// LogProba returns the n x K natural logarithms of the class probabilities: those of the classifier's own LogProba where it has one, and
// otherwise of Proba, with -Inf for a probability of zero.
func LogProba(c ProbabilisticClassifier, X mat.Matrix) (*mat.Dense, error) {
	if l, ok := c.(LogProbabilisticClassifier); ok {
		return l.LogProba(X)
	}
	P, err := c.Proba(X)
	if err != nil {
		return nil, err
	}
	P.Apply(func(_, _ int, p float64) float64 { return math.Log(p) }, P)
	return P, nil
}

// A Scorer gives the decision values on which Predict rests: n x 1 for two-class margin methods (positive means class 1), n x K otherwise.
type Scorer interface {
	Decision(X mat.Matrix) (*mat.Dense, error)
}

// A Transformer maps rows of length d to rows of length k.
type Transformer interface {
	// Dim returns d, the number of columns the model was fitted on.
	Dim() int
	// Transform returns the n x k matrix of images of the rows of X (n x d).
	Transform(X mat.Matrix) (*mat.Dense, error)
}

// None stands for zero in a field of options whose zero value stands for the default: GMMOptions{K: 3, Reg: None} adds nothing to
// variances.
const None = -1

// Or sets a field of options to its default when it is zero, and to zero when it is None.
func Or[T int | float64](field *T, otherwise T) {
	switch *field {
	case 0:
		*field = otherwise
	case None:
		*field = 0
	}
}

// Progress reports how far an iterative fit has come.
type Progress struct {
	Iteration int     // finished iterations, from 1
	Of        int     // the limit on iterations; 0 when unknown
	Objective float64 // what is being minimised or maximised
}

// A ProgressFunc is called after each iteration of a fit, from the goroutine that fits.
type ProgressFunc func(Progress)
