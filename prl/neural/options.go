package neural

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/optim"
)

// Options are the settings of Fit and FitRegression. A field that is zero stands for its default.
type Options struct {
	Hidden     []int        // numbers of units of the hidden layers; nil: one layer of 100
	Activation Activation   // of the hidden units; default ReLU
	Method     optim.Method // default Adam{Step: 0.005}. A method that searches along a ray takes all rows at once.
	Batch      int          // rows of a step, drawn without replacement in each round, > 0; default 32, at most all
	Rounds     int          // passes over all rows, or moves of a method that searches, > 0; default 200
	L2         float64      // the penalty L2/2 |W|^2 of the weights, for the sum of losses of the rows; thresholds are free; default 0
	Dropout    float64      // the share of hidden units that each step drops at random, in [0, 1); default 0
	Gain       float64      // the first weights have the standard deviation Gain/sqrt(M) for M inputs; default sqrt 2 for ReLU, else 1
	Start      []float64    // the first parameters, as in Net.Theta, in place of random ones; nil draws them
	Restarts   int          // starts, of which the one with the least loss counts, > 0; default 1
	Held       float64      // the share of rows held out, below 1, on which the loss of each round is measured; default 0, none
	Patience   int          // rounds without progress after which the fit stops, > 0; default 10
	// progress is a mean loss of a row that falls by more than Tol, on the rows held out if there are any; estimator.None for 0; default 1e-4
	Tol      float64
	Unscaled bool   // takes features and targets as they are; otherwise training sees them with mean 0 and standard deviation 1
	Seed     uint64 // of all draws; default 1
	// Weights counts row i as Weights[i] rows; nil counts each once.
	Weights      []float64
	ClassWeights []float64 // factors of the weights of the rows of each class, of classifiers; nil means ones
	Balanced     bool      // the classes weigh alike, whatever their sizes
	Progress     estimator.ProgressFunc
}

// filled returns o with defaults in the place of zeros.
func (o Options) filled() Options {
	if o.Hidden == nil {
		o.Hidden = []int{100}
	}
	if o.Method == nil {
		o.Method = optim.Adam{Step: 0.005}
	}
	o.Batch, o.Rounds, o.Restarts = cmp.Or(o.Batch, 32), cmp.Or(o.Rounds, 200), cmp.Or(o.Restarts, 1)
	o.Patience, o.Seed = cmp.Or(o.Patience, 10), cmp.Or(o.Seed, 1)
	return o
}

// tol returns Tol, its default for zero and zero for estimator.None.
func (o Options) tol() float64 {
	estimator.Or(&o.Tol, 1e-4)
	return o.Tol
}

// gain returns Gain or its default.
func (o Options) gain() float64 {
	switch {
	case o.Gain > 0:
		return o.Gain
	case o.Activation == ReLU:
		return math.Sqrt2
	}
	return 1
}

// check reports settings that no data can take; o is filled.
func (o Options) check(op string) error {
	if len(o.Hidden) == 0 || Parameters(append([]int{1}, o.Hidden...)...) == 0 {
		return fault.Argument(op, "Hidden", o.Hidden, "one number of units or more, each above 0", "leave it out for one layer of 100")
	}
	if o.Activation < ReLU || o.Activation >= Softmax {
		return fault.Argument(op, "Activation", o.Activation, "ReLU, Tanh, Logistic, Softplus or Linear", "")
	}
	for _, c := range []struct {
		name string
		v    int
	}{{"Batch", o.Batch}, {"Rounds", o.Rounds}, {"Restarts", o.Restarts}, {"Patience", o.Patience}} {
		if err := estimator.CheckCount(op, c.name, c.v, 1, math.MaxInt32); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name, need string
		v          float64
		ok         bool
	}{
		{"L2", "a finite number of at least 0", o.L2, o.L2 >= 0},
		{"Dropout", "a share from 0 to below 1", o.Dropout, o.Dropout >= 0 && o.Dropout < 1},
		{"Gain", "a finite number of at least 0", o.Gain, o.Gain >= 0},
		{"Held", "a share from 0 to below 1", o.Held, o.Held >= 0 && o.Held < 1},
		{"Tol", "a finite number of at least 0", o.Tol, o.tol() >= 0},
	} {
		if !c.ok || math.IsInf(c.v, 0) {
			return fault.Argument(op, c.name, c.v, c.need, "")
		}
	}
	if o.Start != nil && !finite(o.Start) {
		return fault.Argument(op, "Start", fault.Short(o.Start), "finite numbers", "")
	}
	if _, err := optim.NewStepper(o.Method, 1); err != nil {
		if err := checkSearch(op, o); err != nil {
			return err
		}
	}
	return nil
}

// checkSearch reports settings that a method without steps of its own cannot have.
func checkSearch(op string, o Options) error {
	if o.Dropout > 0 {
		return fault.Argument(op, "Dropout", o.Dropout, fmt.Sprintf("0 with %v, which compares losses along a ray", o.Method), "choose Adam")
	}
	if o.Held > 0 {
		return fault.Argument(op, "Held", o.Held, fmt.Sprintf("0 with %v, which stops by itself", o.Method), "choose Adam")
	}
	return nil
}

// checkStart reports a start that does not fit the layers.
func (o Options) checkStart(op string, sizes []int) error {
	n := Parameters(sizes...)
	if n == 0 {
		return fault.Argument(op, "Hidden", o.Hidden, "layers with at most 2^30 parameters", "take fewer units")
	}
	if o.Start != nil && len(o.Start) != n {
		return fault.Argument(op, "Start", fmt.Sprintf("%d numbers", len(o.Start)), fmt.Sprintf("%d for layers of %v units", n, sizes), "")
	}
	return nil
}

// layers returns the sizes of all layers.
func (o Options) layers(inputs, outputs int) []int {
	return slices.Concat([]int{inputs}, o.Hidden, []int{outputs})
}

// A Reason says why training stopped.
type Reason int

const (
	AllRounds  Reason = iota // Rounds passes were made
	Stalled                  // the loss on the rows of the fit did not fall by Tol for Patience rounds
	HeldRises                // the loss on the rows held out did not fall by Tol for Patience rounds: the best parameters count
	Stationary               // the gradient is zero, up to 1e-8
	Settled                  // moves change nothing any more, or no lower place was found
)

// String returns the reason in words.
func (r Reason) String() string {
	if r < AllRounds || r > Settled {
		return "unknown"
	}
	return [...]string{
		"all rounds were made", "the loss fell no more", "the loss on the rows held out fell no more", "the gradient is zero",
		"moves change nothing any more",
	}[r]
}
