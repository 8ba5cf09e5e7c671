package cell

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// A Checker proves one claim, with the numbers compared: a green tick when the claim holds; otherwise a red cross, after which the cell
// ends with status 1. NaN never satisfies a check. All checks of a cell are one output: a line that says how many claims are proved, and
// opens to each with its numbers.
//
// Each claim carries its ids in a form a program can collect: the HTML has the attributes data-prl-check="id ..." and
// data-prl-outcome="passed", "failed" or, for arithmetic, "remark"; the plain text has a line that begins with "✓ id ...", "✗ id ..." or
// "= id ...".
type Checker struct {
	id, claim string
	tol       float64 // of identities over many cases
	remark    bool
}

// Check names a claim. The id is the claim's number in the catalogue, or several separated by spaces; "" for a claim outside the catalogue.
func Check(id, claim string) *Checker {
	return &Checker{id: strings.Join(strings.Fields(id), " "), claim: claim, tol: 1e-9}
}

// Remark is Check for plain arithmetic, such as 108 for the product that a document prints as 324. It still fails when the numbers differ,
// but nothing else can turn it red, so it is shown as a remark, with the sign =, and counts as no proof.
func Remark(id, claim string) *Checker {
	c := Check(id, claim)
	c.remark = true
	return c
}

// Near claims |got - want| <= tol, for each number when got and want hold several: float64, any integer, slices and slices of slices of
// them, or a matrix or vector with Dims and At. The shapes must agree, except that a single want stands for all.
func (c *Checker) Near(got, want any, tol float64) { c.compare(got, want, tol, false) }

// Rel claims |got - want| <= tol |want|, for each number as in Near.
func (c *Checker) Rel(got, want any, tol float64) { c.compare(got, want, tol, true) }

// Within claims |got - want| <= band for an estimate with a sampling error; band is usually three or four standard errors. Here, and
// in AtMost, AtLeast, Less and Between, a number may be of any type of numbers.
func (c *Checker) Within(got, want, band any) {
	n, err := single(got, want, band)
	if err != nil {
		c.show(false, err.Error())
		return
	}
	if !(n[2] >= 0) || math.IsInf(n[2], 1) {
		c.show(false, fmt.Sprintf("the sampling band is %v, but needs to be a finite number of at least 0", band))
		return
	}
	d := math.Abs(n[0] - n[1])
	c.show(
		d <= n[2],
		fmt.Sprintf(
			"%s against %s, |difference| %s %s sampling band %s",
			Digits(n[0], 6),
			Digits(n[1], 6),
			Digits(d, 2),
			relation(d <= n[2], "≤", ">"),
			Digits(n[2], 2),
		),
	)
}

// AtMost claims a <= b.
func (c *Checker) AtMost(a, b any) { c.order(a, b, "≤", func(a, b float64) bool { return a <= b }) }

// AtLeast claims a >= b.
func (c *Checker) AtLeast(a, b any) { c.order(a, b, "≥", func(a, b float64) bool { return a >= b }) }

// Less claims a < b.
func (c *Checker) Less(a, b any) { c.order(a, b, "<", func(a, b float64) bool { return a < b }) }

// Between claims lo <= x <= hi.
func (c *Checker) Between(x, lo, hi any) {
	n, err := single(x, lo, hi)
	if err != nil {
		c.show(false, err.Error())
		return
	}
	holds := n[1] <= n[0] && n[0] <= n[2]
	s := Digits(n[0], 6) + relation(holds, " in [", " not in [") + Digits(n[1], 6) + ", " + Digits(n[2], 6) + "]"
	c.show(holds, s)
}

// single are the values as float64, each one number.
func single(values ...any) ([]float64, error) {
	numbers := make([]float64, len(values))
	for i, v := range values {
		x, isNumber := scalar(reflect.ValueOf(v))
		if !isNumber || reflect.ValueOf(v).Kind() == reflect.Bool {
			return nil, fmt.Errorf("%s is a %T, but needs to be a number", fault.Cut(fault.Line(Value(v, 17)), 60), v)
		}
		numbers[i] = x
	}
	return numbers, nil
}

// Equal claims that a and b are the same: equal numbers, strings or booleans, or slices, maps and structs of equal parts. Numbers of
// different types are compared by value.
func (c *Checker) Equal(a, b any) { c.show(equal(a, b)) }

// equal reports whether a and b are the same, with both in words.
func equal(a, b any) (holds bool, words string) {
	holds = reflect.DeepEqual(a, b)
	if x, err := numbersOf(a); err == nil {
		if y, err := numbersOf(b); err == nil {
			nan := slices.ContainsFunc(x.values, math.IsNaN) // DeepEqual holds for one slice on both sides even then
			holds = !nan && (holds || x.shape == y.shape && slices.Equal(x.values, y.values))
		}
	}
	left, right := fault.Cut(fault.Line(Value(a, 17)), 60), fault.Cut(fault.Line(Value(b, 17)), 60)
	if holds {
		return true, left
	}
	return false, left + " is not " + right
}

// Increasing claims that xs never falls by more than tol from one number to the next.
func (c *Checker) Increasing(xs []float64, tol float64) { c.monotone(xs, tol, 1) }

// Decreasing claims that xs never rises by more than tol from one number to the next.
func (c *Checker) Decreasing(xs []float64, tol float64) { c.monotone(xs, tol, -1) }

// Monotone claims that xs moves in one direction, up or down as its ends do, with steps back of at most tol.
func (c *Checker) Monotone(xs []float64, tol float64) {
	if len(xs) > 1 && xs[len(xs)-1] < xs[0] {
		c.monotone(xs, tol, -1)
		return
	}
	c.monotone(xs, tol, 1)
}

// True claims cond; detail is shown beside the claim and should hold the numbers.
func (c *Checker) True(cond bool, detail string) { c.show(cond, detail) }

func relation(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

func (c *Checker) order(a, b any, sign string, relation func(a, b float64) bool) {
	n, err := single(a, b)
	if err != nil {
		c.show(false, err.Error())
		return
	}
	holds := relation(n[0], n[1])
	x, y := apart(n[0], n[1], holds)
	s := x + " " + sign + " " + y
	if !holds {
		s += " does not hold"
	}
	c.show(holds, s)
}

// apart prints a and b with six digits, or as many more as it takes to tell them apart in a failure.
func apart(a, b float64, holds bool) (string, string) {
	digits := 6
	for !holds && digits < 17 && a != b && Digits(a, digits) == Digits(b, digits) {
		digits++
	}
	return Digits(a, digits), Digits(b, digits)
}

func (c *Checker) monotone(xs []float64, tol, sign float64) { c.show(monotone(xs, tol, sign)) }

// monotone reports whether xs moves in the direction of sign with steps back of at most tol.
func monotone(xs []float64, tol, sign float64) (holds bool, numbers string) {
	word := map[float64]string{1: "rises", -1: "falls"}[sign]
	if !(tol >= 0) || math.IsInf(tol, 1) {
		return false, fmt.Sprintf("the tolerance is %v, but needs to be a finite number of at least 0", tol)
	}
	if len(xs) < 2 {
		return false, fmt.Sprintf("%d numbers, but needs to be at least two", len(xs))
	}
	worst, at := math.Inf(-1), 0
	for i := 1; i < len(xs); i++ {
		back := -sign * (xs[i] - xs[i-1])
		if math.IsInf(xs[i], int(sign)) && xs[i] == xs[i-1] {
			back = 0
		}
		if math.IsNaN(back) {
			return false, fmt.Sprintf("step %d goes from %s to %s", i, Number(xs[i-1]), Number(xs[i]))
		}
		if back > worst {
			worst, at = back, i
		}
	}
	s := fmt.Sprintf("%d numbers from %s to %s", len(xs), Digits(xs[0], 6), Digits(xs[len(xs)-1], 6))
	switch {
	case worst <= 0:
		return true, s + ", never a step back"
	case worst <= tol:
		return true, fmt.Sprintf("%s, largest step back %s ≤ %s", s, Digits(worst, 2), Digits(tol, 2))
	default:
		x, y := apart(xs[at-1], xs[at], false)
		return false, fmt.Sprintf("%s %s, but step %d goes from %s to %s, back by %s > %s", s, word, at, x, y, Digits(worst, 2), Digits(tol, 2))
	}
}

func (c *Checker) compare(got, want any, tol float64, relative bool) {
	by := absolute
	if relative {
		by = relatively
	}
	holds, numbers, _ := near(got, want, tol, by)
	c.show(holds, numbers)
}

// A measure is a way to compare two numbers: their difference, divided by a scale that the right one sets.
type measure struct {
	name  string
	scale func(want float64) float64
}

var (
	absolute   = measure{"|difference|", func(float64) float64 { return 1 }}
	relatively = measure{"relative difference", math.Abs}
	mixed      = measure{"|difference|/(1+|right side|)", func(want float64) float64 { return 1 + math.Abs(want) }}
)

// near reports whether each number of got is that of want within tol, with the numbers in words, and the largest difference by the measure.
func near(got, want any, tol float64, by measure) (holds bool, numbers string, worst float64) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		return false, fmt.Sprintf("the tolerance is %v, but needs to be a finite number of at least 0", tol), 0
	}
	g, err := numbersOf(got)
	if err != nil {
		return false, "got " + err.Error(), 0
	}
	w, err := numbersOf(want)
	if err != nil {
		return false, "want " + err.Error(), 0
	}
	if w.shape != g.shape && w.shape != "" {
		return false, "got " + g.name() + ", want " + w.name(), 0
	}
	if len(g.values) == 0 {
		return false, "got no numbers to compare", 0
	}
	worst = -1
	at := 0
	for i, x := range g.values {
		y := w.values[0]
		if w.shape != "" {
			y = w.values[i]
		}
		d := math.Abs(x - y)
		if x == y {
			d = 0 // equal infinities too
		}
		if d > 0 {
			d /= by.scale(y)
		}
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		if d > worst || i == 0 {
			worst, at = d, i
		}
	}
	holds = worst <= tol && !math.IsInf(worst, 1) // no tolerance admits a NaN
	y := w.values[0]
	if w.shape != "" {
		y = w.values[at]
	}
	left, right := apart(g.values[at], y, holds)
	bound := fmt.Sprintf("%s %s %s", Digits(worst, 2), relation(holds, "≤", ">"), Digits(tol, 2))
	if g.shape == "" {
		return holds, fmt.Sprintf("%s against %s, %s %s", left, right, by.name, bound), worst
	}
	return holds, fmt.Sprintf("%s, largest %s %s, %s: %s against %s", g.name(), by.name, bound, g.place(at), left, right), worst
}

// show puts the line on the board of the cell, and ends the cell when the claim does not hold.
func (c *Checker) show(holds bool, numbers string) {
	l := line{c.id, c.claim, numbers, holds, c.remark}
	if observer != nil {
		observer(c, Outcome{c.id, c.claim, numbers, holds, c.remark})
		return
	}
	checks().add(l)
	if holds {
		return
	}
	if r := recording.Load(); r != nil {
		r.fail()
		return
	}
	if !InKernel() {
		io.WriteString(stderr, caller().String()+"the check does not hold: "+l.text()+"\n")
	}
	exit(1)
}

// numbers is a number, a vector or a matrix laid out by rows.
type numbers struct {
	shape      string // "", "3", "2 x 3"
	rows, cols int    // of a matrix; rows is 0 otherwise
	values     []float64
}

func (n numbers) name() string {
	switch {
	case n.shape == "":
		return "one number"
	case n.rows > 0:
		return "a " + n.shape + " matrix"
	}
	return n.shape + " numbers"
}

func (n numbers) place(i int) string {
	if n.rows > 0 {
		return fmt.Sprintf("at [%d, %d]", i/n.cols, i%n.cols)
	}
	return fmt.Sprintf("at [%d]", i)
}

func numbersOf(v any) (numbers, error) {
	if v == nil {
		return numbers{}, fmt.Errorf("nil, but needs numbers")
	}
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer && r.IsNil() {
		return numbers{}, fmt.Errorf("a nil %T, but needs numbers", v)
	}
	if vector, ok := v.(interface {
		Len() int
		AtVec(int) float64
	}); ok {
		n := numbers{shape: fmt.Sprint(vector.Len())}
		for i := range vector.Len() {
			n.values = append(n.values, vector.AtVec(i))
		}
		return n, nil
	}
	if matrix, ok := v.(interface {
		Dims() (r, c int)
		At(i, j int) float64
	}); ok {
		n := numbers{}
		n.rows, n.cols = matrix.Dims()
		n.shape = fmt.Sprintf("%d x %d", n.rows, n.cols)
		for i := range n.rows {
			for j := range n.cols {
				n.values = append(n.values, matrix.At(i, j))
			}
		}
		return n, nil
	}
	if x, ok := scalar(r); ok {
		return numbers{values: []float64{x}}, nil
	}
	if r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
		return numbers{}, fmt.Errorf("a %T, but needs numbers", v)
	}
	n := numbers{shape: fmt.Sprint(r.Len())}
	for i := range r.Len() {
		e := r.Index(i)
		if x, ok := scalar(e); ok {
			n.values = append(n.values, x)
			continue
		}
		if e.Kind() != reflect.Slice && e.Kind() != reflect.Array {
			return numbers{}, fmt.Errorf("a %T, but needs numbers", v)
		}
		if i > 0 && e.Len() != n.cols {
			return numbers{}, fmt.Errorf("rows of %d and %d numbers, but needs rows of one length", n.cols, e.Len())
		}
		n.rows, n.cols = r.Len(), e.Len()
		for j := range e.Len() {
			x, ok := scalar(e.Index(j))
			if !ok {
				return numbers{}, fmt.Errorf("a %T, but needs numbers", v)
			}
			n.values = append(n.values, x)
		}
		n.shape = fmt.Sprintf("%d x %d", n.rows, n.cols)
	}
	return n, nil
}

func scalar(r reflect.Value) (float64, bool) {
	switch {
	case r.CanFloat():
		return r.Float(), true
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.Kind() == reflect.Bool:
		if r.Bool() {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
