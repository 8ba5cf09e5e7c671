// Package holds evaluates the formulas of chapters beside their code: what the programs call that the tests of package prose write.
package holds

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/integrate/quad"
)

// A Result is what came out for one formula or number. Failed is empty when it held in every draw. Survived are the numbers of the planted
// mistakes under which it still held.
type Result struct {
	Name, Failed string
	Survived     []int
}

// A Host collects results.
type Host struct{ Results []Result }

// Write writes the results as JSON.
func (h *Host) Write(w io.Writer) error { return json.NewEncoder(w).Encode(h.Results) }

// A Case is one draw of the arguments.
type Case struct {
	arguments []string
	failed    string
	mutants   map[int]bool // the planted mistakes, and whether one was noticed
}

// Formula evaluates a formula with its arguments drawn by draw, which reports to the case, in so many draws from a fixed seed. A formula
// that panics has failed.
func (h *Host) Formula(name string, draws int, draw func(*rand.Rand, *Case)) {
	random := rand.New(rand.NewPCG(42, 8))
	noticed := map[int]bool{}
	result := Result{Name: name}
	for range draws {
		c := Case{mutants: noticed}
		func() {
			defer func() {
				if fault := recover(); fault != nil {
					c.failed = fmt.Sprint("panics: ", fault)
				}
			}()
			draw(random, &c)
		}()
		if c.failed != "" && result.Failed == "" {
			result.Failed = c.failed
			if len(c.arguments) > 0 {
				result.Failed += ", with " + strings.Join(c.arguments, ", ")
			}
		}
	}
	for k := range len(noticed) {
		if !noticed[k] {
			result.Survived = append(result.Survived, k)
		}
	}
	h.Results = append(h.Results, result)
}

// Number compares a number of the text with its value, to the decimals that the text gives.
func (h *Host) Number(name string, printed float64, decimals int, value func() float64) {
	h.Formula(name, 1, func(_ *rand.Rand, c *Case) {
		if v := value(); !(math.Abs(v-printed) <= 0.5000001*math.Pow(10, -float64(decimals))) {
			c.failed = fmt.Sprintf("the text has %.*f, the code %.12g", decimals, printed, v)
		}
	})
}

// Arg notes an argument for the message of a formula that does not hold.
func (c *Case) Arg(name string, value any) {
	switch value.(type) {
	case float64, []float64:
		c.arguments = append(c.arguments, fmt.Sprintf("%s = %.6g", name, value))
	default:
		c.arguments = append(c.arguments, fmt.Sprintf("%s = %v", name, value))
	}
}

// Relation checks one relation in a part of a formula, which must be true exactly when want is.
func (c *Case) Relation(part int, relation string, left, right, tolerance float64, want bool) {
	if c.failed == "" && True(relation, left, right, tolerance) != want {
		c.failed = fmt.Sprintf("part %d, %s: the sides are %.12g and %.12g", part, relation, left, right)
		if !want {
			c.failed += ", and the code says that it does not hold"
		}
	}
}

// Mutant notes whether a formula with a planted mistake, by its number, is as true as it should be. It is asked until it is not. A mistake
// under which nothing can be computed is noticed.
func (c *Case) Mutant(k int, stillHolds func() bool) {
	if c.mutants[k] {
		return
	}
	c.mutants[k] = true
	defer func() { _ = recover() }()
	c.mutants[k] = !stillHolds()
}

// True reports whether a relation is true. The sides of an equation may differ by the tolerance, relative to the larger one or to 1.
func True(relation string, left, right, tolerance float64) bool {
	slack := tolerance * max(1, math.Abs(left), math.Abs(right))
	switch {
	case math.IsNaN(left) || math.IsNaN(right):
		return false
	case left == right:
		return relation != "<" && relation != ">"
	}
	switch relation {
	case "<":
		return left < right
	case ">":
		return left > right
	case `\le`:
		return left <= right+slack
	case `\ge`:
		return left >= right-slack
	}
	return math.Abs(left-right) <= slack
}

// Sum is f(lo) + ... + f(hi).
func Sum(lo, hi float64, f func(int) float64) (sum float64) {
	for i := int(lo); i <= int(hi); i++ {
		sum += f(i)
	}
	return sum
}

// Product is f(lo) ... f(hi).
func Product(lo, hi float64, f func(int) float64) float64 {
	product := 1.0
	for i := int(lo); i <= int(hi); i++ {
		product *= f(i)
	}
	return product
}

// If is f where the condition is true, and otherwise what changes nothing.
func If(condition bool, neutral float64, f func() float64) float64 {
	if condition {
		return f()
	}
	return neutral
}

// Max is the largest of f(lo), ..., f(hi).
func Max(lo, hi float64, f func(int) float64) float64 {
	most := math.Inf(-1)
	for i := int(lo); i <= int(hi); i++ {
		most = max(most, f(i))
	}
	return most
}

// Min is the smallest of f(lo), ..., f(hi).
func Min(lo, hi float64, f func(int) float64) float64 {
	return -Max(lo, hi, func(i int) float64 { return -f(i) })
}

// Integral is the integral of a smooth f between two limits, by Gauss' rule on panels: the same few calls for any f, so that
// a mistake which makes it diverge costs no time.
func Integral(lo, hi float64, f func(float64) float64) (sum float64) {
	const panels, nodes = 32, 16
	width := (hi - lo) / panels
	for i := range panels {
		sum += quad.Fixed(f, lo+float64(i)*width, lo+float64(i+1)*width, nodes, quad.Legendre{}, 0)
	}
	return sum
}

// Factorial is n! = Γ(n+1).
func Factorial(n float64) float64 { return math.Gamma(n + 1) }

// Choose is the number of ways to choose k of n.
func Choose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return math.Round(math.Exp(a - b - c))
}
