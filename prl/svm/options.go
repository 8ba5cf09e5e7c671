package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// Slack is how a machine treats points that break the margin.
type Slack int

const (
	LinearSlack    Slack = iota // the cost of xi is C xi: 0 <= alpha <= C
	QuadraticSlack              // the cost of xi is C/2 xi^2: the kernel matrix becomes K + I/C
	HardMargin                  // no point may break the margin
)

// String returns "linear slack", "quadratic slack" or "hard margin".
func (s Slack) String() string {
	switch s {
	case LinearSlack:
		return "linear slack"
	case QuadraticSlack:
		return "quadratic slack"
	case HardMargin:
		return "hard margin"
	}
	return fmt.Sprintf("Slack(%d)", int(s))
}

// Options says what Fit minimises, and how. A field that is zero stands for its default: Options{C: 10} is a linear machine.
type Options struct {
	Kernel kernel.Kernel // default kernel.Linear{}
	Slack  Slack         // default LinearSlack
	C      float64       // price of slack, > 0; default 1; not used by the hard margin, nor with Nu
	// share of the weight of the rows of two classes that may break the margin, above 0 and at most 1: a bound from above on the share of
	// margin errors and from below on that of support vectors. It takes the place of C, which the fit then finds; 0, the default, means that C
	// counts. Linear slack with a bias only (Schölkopf, Smola, Williamson and Bartlett 2000)
	Nu float64

	ClassWeights []float64 // one factor on C for each class, > 0; nil means all 1
	Weights      []float64 // one factor on C for each row, >= 0; nil means all 1; a row of weight 0 is left out
	Balanced     bool      // the classes weigh alike: ClassWeights n / (K n_c), by weight; times those given

	NoBias      bool   // f(x) = <w, phi(x)> without b; the dual loses its equality constraint
	Probability bool   // fit Platt's sigmoid to 5-fold cross-validated decision values, so that Proba works; six fits instead of one
	Seed        uint64 // of the folds for Probability; default 1

	// stop when the worst pair violates the KKT conditions by no more than this, in units of the margin; default 1e-6 (LIBSVM: 1e-3)
	Tol        float64
	MaxIter    int  // limit on SMO steps for each machine; default 10,000,000; hulls that nearly meet end a fit with Nu after 200,000
	CacheBytes int  // limit on stored kernel rows and their lists; default 200 MB; two rows are always stored; float32 beyond 1000 points
	NoShrink   bool // keep all points in play; shrinking changes the speed only

	Trace    func(Step)             // called after each step of a two-class fit; switches shrinking off and costs O(n log n) a step
	Progress estimator.ProgressFunc // called now and then, and at the end, with the dual objective
}

// filled returns o with defaults in the place of zeros.
func (o Options) filled() Options {
	if o.Kernel == nil {
		o.Kernel = kernel.Linear{}
	}
	o.C, o.Tol, o.Seed = cmp.Or(o.C, 1), cmp.Or(o.Tol, 1e-6), cmp.Or(o.Seed, 1)
	o.MaxIter, o.CacheBytes = cmp.Or(o.MaxIter, 10_000_000), cmp.Or(o.CacheBytes, 200<<20)
	return o
}

func (o *Options) check(fn string) error {
	if err := kernel.Check(fn, o.Kernel); err != nil {
		return err
	}
	if o.Slack < LinearSlack || o.Slack > HardMargin {
		return fault.Argument(fn, "Slack", int(o.Slack), "LinearSlack, QuadraticSlack or HardMargin", "")
	}
	if o.Slack != HardMargin {
		if err := estimator.CheckPositive(fn, "C", o.C, 1); err != nil {
			return err
		}
	}
	if err := o.checkNu(fn); err != nil {
		return err
	}
	return checkSolver(fn, o.Tol, o.MaxIter, o.CacheBytes)
}

// checkSolver reports settings that SMO cannot work with.
func checkSolver(fn string, tol float64, maxIter, bytes int) error {
	if !(tol > 0 && tol <= 1) {
		return fault.Argument(fn, "Tol", tol, "a number above 0 and at most 1", "the default is 1e-06")
	}
	if err := estimator.CheckCount(fn, "MaxIter", maxIter, 1, math.MaxInt); err != nil {
		return err
	}
	return estimator.CheckCount(fn, "CacheBytes", bytes, 1, math.MaxInt)
}

// checkNu reports a share that is none, or does not go with the other settings.
func (o *Options) checkNu(fn string) error {
	switch {
	case o.Nu == 0:
		return nil
	case !(o.Nu > 0 && o.Nu <= 1):
		return fault.Argument(fn, "Nu", o.Nu, "a share above 0 and at most 1", "0 leaves it to C")
	case o.Slack != LinearSlack:
		return fault.Argument(fn, "Slack", o.Slack, "linear with Nu, which is the share of rows that may break the margin",
			"leave out Nu, or the form of slack")
	case o.NoBias:
		return fault.Argument(fn, "NoBias", true, "false with Nu", "leave out Nu, and set C")
	case o.Trace != nil:
		return fault.Argument(fn, "Trace", "set with Nu", "nil: the price of slack, and with it the objective, is known at the end only",
			"leave out Nu, and set C")
	}
	return nil
}

// needsPrice reports Nu where a method rests on a given price of slack.
func (o *Options) needsPrice(fn string) error {
	if o.Nu == 0 {
		return nil
	}
	return fault.Argument(fn, "Nu", o.Nu, "0, for a price of slack that is given", "set C")
}

// weighClasses checks the factors of the classes, whose number only the labels tell, and multiplies them by those of Balanced.
func (o *Options) weighClasses(fn string, y []int, classes int) error {
	if err := estimator.CheckFactors(fn, o.ClassWeights, classes); err != nil {
		return err
	}
	if o.Balanced {
		o.ClassWeights, o.Balanced = estimator.Balanced(y, o.Weights, o.ClassWeights, classes), false
	}
	return nil
}

// price returns C_i of a row of the given class.
func (o *Options) price(row, class int) float64 {
	c := o.C
	if o.ClassWeights != nil {
		c *= o.ClassWeights[class]
	}
	if o.Weights != nil {
		c *= o.Weights[row]
	}
	return c
}
