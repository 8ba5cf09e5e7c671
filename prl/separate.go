package prl

import (
	"context"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/perceptron"
)

// Separate returns the line (or hyperplane) of largest margin between the two classes of a set, or a common point of their convex hulls:
// Separate(set).Separable. [perceptron.Separation] says how to multiply the answer out.
func Separate(set datasets.Set) *perceptron.Separation {
	set = Must(set, set.Err())
	return Must(perceptron.Separate(context.Background(), set.X, set.Y))
}
