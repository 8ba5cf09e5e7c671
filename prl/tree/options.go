package tree

import (
	"cmp"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

const (
	// Unlimited as MaxDepth lets a tree grow until its leaves are pure.
	Unlimited = -1
	// All as MaxFeatures lets every node test every feature.
	All = -1
)

// Options are the settings of Fit and FitRegression. A field that is zero stands for its default.
type Options struct {
	Criterion Criterion // what a split of a classification tree lowers; default Gini. Regression trees lower the squared error.
	MaxDepth  int       // longest path from the root, at least 1, or Unlimited (the default)
	MinLeaf   int       // least number of rows in a leaf, whatever their weight; default 1
	MinSplit  int       // least number of rows in a node that is split; default 2
	// least decrease p(t) Delta i(t) of the tree's impurity by a split; default 0, which allows splits that gain nothing
	MinGain float64
	// X may hold NaN for a value that is missing: each split learns to which side its gaps go, and one may ask whether there is a value.
	// Without it NaN is an error.
	Gaps bool
	// for each feature how many words its numbers 0, 1, ... stand for, 0 for a feature of numbers; nil: all are. A split on words asks for a
	// set of them.
	Words       []int
	MaxFeatures int // number of features drawn at random for each node, or All (the default)
	// features of numbers without gaps are not cut where it is best but at a number drawn evenly between their lowest and their highest value
	// in the node, at the middle of the gap that it falls in
	RandomCuts bool
	Seed       uint64    // of the draws of features and cuts; default 1
	Weights    []float64 // n sample weights; nil means ones
	// one factor on the weights of the rows of each class, > 0, of classification trees; nil means ones
	ClassWeights []float64
	Balanced     bool                   // the classes weigh alike: ClassWeights n / (K n_c), by weight; times those given
	Progress     estimator.ProgressFunc // called after each split with the impurity of the tree so far
}

// filled returns o with defaults in the place of zeros.
func (o Options) filled() Options {
	o.MaxDepth, o.MinLeaf, o.MinSplit = cmp.Or(o.MaxDepth, Unlimited), cmp.Or(o.MinLeaf, 1), cmp.Or(o.MinSplit, 2)
	o.MaxFeatures, o.Seed = cmp.Or(o.MaxFeatures, All), cmp.Or(o.Seed, 1)
	return o
}

// Check reports, in the name of a function, settings that a tree on d features cannot have.
func (o Options) Check(name string, d int) error {
	if o.Criterion < Gini || o.Criterion > Error {
		return fault.Argument(name, "Criterion", o.Criterion, "Gini, Entropy or Error", "")
	}
	if o.MaxDepth != Unlimited && o.MaxDepth < 1 {
		return fault.Argument(name, "MaxDepth", o.MaxDepth, "a whole number of at least 1, or Unlimited", "")
	}
	if err := estimator.CheckCount(name, "MinLeaf", o.MinLeaf, 1, math.MaxInt); err != nil {
		return err
	}
	if err := estimator.CheckCount(name, "MinSplit", o.MinSplit, 2, math.MaxInt); err != nil {
		return err
	}
	if !(o.MinGain >= 0) || math.IsInf(o.MinGain, 0) {
		return fault.Argument(name, "MinGain", o.MinGain, "a finite number of at least 0", "")
	}
	if o.MaxFeatures != All {
		return estimator.CheckCount(name, "MaxFeatures", o.MaxFeatures, 1, d)
	}
	return nil
}
