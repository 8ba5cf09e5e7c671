package perceptron

import (
	"cmp"
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
)

// A Form says which of the weights of a run answer.
type Form int

// The forms of a perceptron.
const (
	Last     Form = iota // the weights after the last visit
	Averaged             // the mean of the weights after each visit
	Voted                // the weights after each visit vote with their signs
	Pocket               // the first of the weights with the fewest errors on all rows
)

// String returns "last", "averaged", "voted" or "pocket".
func (f Form) String() string {
	names := []string{"last", "averaged", "voted", "pocket"}
	if f < 0 || int(f) >= len(names) {
		return fmt.Sprintf("Form(%d)", int(f))
	}
	return names[f]
}

// Options are the settings of a perceptron. A field that is zero stands for its default.
type Options struct {
	Form        Form          // which weights answer; default Last
	Kernel      kernel.Kernel // the dual form with these inner products; default nil, the primal form with <a, b>
	NoIntercept bool          // b stays 0
	Order       []int         // the rows of a pass, every row at least once; default 0 ... n-1
	Shuffle     bool          // each pass goes through Order in a new random order
	Seed        uint64        // of the random orders; default 1
	OncePerPass bool          // a pass adds all its wrong rows at its end; only with Last
	Start       []float64     // (b, w), w alone with NoIntercept, for two classes and without a kernel; default zeros
	MaxIter     int           // passes over the rows, at most; default 1000
}

// maxVotes limits the weights that may vote.
const maxVotes = 1 << 22

func check(op string, o Options) error {
	if o.Form < Last || o.Form > Pocket {
		return fault.Argument(op, "Form", o.Form, "Last, Averaged, Voted or Pocket", "")
	}
	if o.OncePerPass && o.Form != Last {
		return fault.Argument(op, "Form", o.Form, "Last with OncePerPass", "leave out OncePerPass")
	}
	if o.Kernel != nil {
		if err := kernel.Check(op, o.Kernel); err != nil {
			return err
		}
		if _, ok := o.Kernel.(kernel.Precomputed); ok {
			return fault.Argument(op, "Kernel", o.Kernel, "a kernel of two points", "give the kernel itself")
		}
		if o.Start != nil {
			return fault.Argument(op, "Start", fault.Short(o.Start), "left out with a kernel", "a kernel machine starts from zero")
		}
	}
	for i, v := range o.Start {
		if v-v != 0 {
			return fault.Argument(op, fmt.Sprintf("Start[%d]", i), v, "a finite number", "")
		}
	}
	return estimator.CheckCount(op, "MaxIter", cmp.Or(o.MaxIter, 1000), 1, math.MaxInt)
}

// checkOrder reports an order that is no list of all n rows.
func checkOrder(op string, order []int, n int) error {
	if order == nil {
		return nil
	}
	seen, rows := make([]bool, n), 0
	for k, i := range order {
		if i < 0 || i >= n {
			return fault.Argument(op, fmt.Sprintf("Order[%d]", k), i, fmt.Sprintf("a row from 0 to %d", n-1), "")
		}
		if !seen[i] {
			seen[i] = true
			rows++
		}
	}
	if rows < n {
		return fault.Argument(op, "Order", fmt.Sprintf("of %d different rows", rows), fmt.Sprintf("all %d rows, some more than once", n),
			"leave rows out of the data")
	}
	return nil
}

// checkStart reports a start of another length than theta has.
func checkStart(op string, o Options, d, classes int) error {
	if o.Start == nil {
		return nil
	}
	want := d + 1
	if o.NoIntercept {
		want--
	}
	if len(o.Start) != want || classes != 2 {
		return fault.Argument(op, "Start", fmt.Sprintf("%d numbers for %d classes", len(o.Start), classes),
			fmt.Sprintf("%d numbers, b before w, for two classes", want), "")
	}
	return nil
}
