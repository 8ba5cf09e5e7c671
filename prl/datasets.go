package prl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// Data makes a data set of one's own numbers: X is n x d with one observation a row, y holds classes 0 ... K-1 or is nil.
func Data(name string, X mat.Matrix, y []int, classNames ...string) datasets.Set {
	return datasets.New(name, X, y, classNames...)
}

// Iris returns Fisher's iris data.
func Iris() datasets.Set { return datasets.Iris() }

// Wine returns the chemical analysis of wines from three cultivars.
func Wine() datasets.Set { return datasets.Wine() }

// BreastCancer returns the Wisconsin diagnostic data.
func BreastCancer() datasets.Set { return datasets.BreastCancer() }

// Faithful returns eruptions and waiting times of the Old Faithful geyser.
func Faithful() datasets.Set { return datasets.Faithful() }

// Penguins returns the Palmer penguins.
func Penguins() datasets.Set { return datasets.Penguins() }

// Digits returns 8 x 8 images of handwritten digits.
func Digits() datasets.Set { return datasets.Digits() }
