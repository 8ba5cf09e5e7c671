package live

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// An Option says more about an input. Each belongs to some kinds of input; with others it fails the cell.
type Option struct {
	name  string
	kinds []string
	apply func(*input)
}

var (
	// Log makes the scale of a slider logarithmic; its range is positive.
	Log = Option{"Log", []string{slider}, func(i *input) { i.log = true }}

	// Horizontal lets a point move along the horizontal axis only.
	Horizontal = Option{"Horizontal", []string{point}, func(i *input) { i.axis = "x" }}

	// Vertical lets a point move along the vertical axis only.
	Vertical = Option{"Vertical", []string{point}, func(i *input) { i.axis = "y" }}

	// Grow lets the reader add points to a set, and delete points down to the last. The set has two features and no targets.
	Grow = Option{"Grow", []string{points}, func(i *input) { i.grow = true }}

	// Turn lets the reader change the class of a point.
	Turn = Option{"Turn", []string{points}, func(i *input) { i.turn = true }}
)

// At sets where a slider begins; without it the slider begins in the middle.
func At(v float64) Option {
	return Option{"At", []string{slider}, func(i *input) { i.value, i.placed = v, true }}
}

// Step lets a slider stop at lo, lo+s, lo+2s, ... only.
func Step(s float64) Option {
	return Option{"Step", []string{slider}, func(i *input) { i.step, i.stepped = s, true }}
}

// In says in which panel of the figure the handles move, 0 for the first, which is the default.
func In(panel int) Option {
	return Option{"In", []string{point, points, ellipse}, func(i *input) { i.panel = panel }}
}

// Sum keeps the sum of values at s: they run from 0 to s, and when one grows the others shrink in proportion.
func Sum(s float64) Option {
	return Option{"Sum", []string{values}, func(i *input) { i.sum, i.summed = s, true }}
}

// Rows keeps the sum of each row of a table at s; the numbers run from 0 to s.
func Rows(s float64) Option {
	return Option{"Rows", []string{table}, func(i *input) { i.sum, i.summed = s, true }}
}

// Within keeps values, or the numbers of a table, in [lo, hi].
func Within(lo, hi float64) Option {
	return Option{"Within", []string{values, table}, func(i *input) { i.lo, i.hi, i.limited = lo, hi, true }}
}

// take applies the options to i; one of another kind fails the cell.
func (i *input) take(options []Option) {
	for _, o := range options {
		if !slices.Contains(o.kinds, i.kind) {
			cell.Fail(fmt.Errorf("%s: the option %s is one of %s, not of a %s", i.method(), o.name, strings.Join(o.kinds, " and "), i.kind))
		}
		o.apply(i)
	}
}

// method names the method that asks for the input, as errors do: live.Slider("C").
func (i *input) method() string {
	return "live." + strings.ToUpper(i.kind[:1]) + i.kind[1:] + "(" + strconv.Quote(i.name) + ")"
}

// need fails the cell unless an argument is as it has to be.
func (i *input) need(holds bool, argument string, got any, need, remedy string) {
	if !holds {
		cell.Fail(fault.Argument(i.method(), argument, got, need, remedy))
	}
}
