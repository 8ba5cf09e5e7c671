package learn

import (
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// An Attribute has a name and the values it can take.
type Attribute struct {
	Name   string
	Values []string
}

// A Domain is an instance space: the product of its attributes. Instances are numbered with the last attribute fastest.
type Domain struct{ attributes []Attribute }

// NewDomain returns the product of the attributes; at most a million instances.
func NewDomain(attributes ...Attribute) (Domain, error) {
	const who = "learn.NewDomain"
	if len(attributes) == 0 {
		return Domain{}, fault.Argument(who, "attributes", "empty", "at least one attribute", "")
	}
	size := 1
	for i, a := range attributes {
		if len(a.Values) == 0 {
			return Domain{}, fault.Argument(
				who,
				fmt.Sprintf("attributes[%d]", i),
				fmt.Sprintf("%q without values", a.Name),
				"an attribute with at least one value",
				"",
			)
		}
		seen := make(map[string]bool, len(a.Values))
		for _, v := range a.Values {
			if seen[v] {
				return Domain{}, fault.Argument(
					who,
					fmt.Sprintf("attributes[%d]", i),
					fmt.Sprintf("%q with the value %q twice", a.Name, v),
					"an attribute whose values differ",
					"",
				)
			}
			seen[v] = true
		}
		if size *= len(a.Values); size > 1_000_000 {
			return Domain{}, fault.Argument(
				who,
				"the product of the attributes",
				"more than a million instances",
				"at most a million",
				"use Finite, which only counts",
			)
		}
	}
	return Domain{append([]Attribute(nil), attributes...)}, nil
}

// Booleans returns the domain of n Boolean variables x1 ... xn with the values 0 and 1, n <= 19.
func Booleans(n int) (Domain, error) {
	if err := estimator.CheckCount("learn.Booleans", "n", n, 1, 19); err != nil {
		return Domain{}, err
	}
	attributes := make([]Attribute, n)
	for i := range attributes {
		attributes[i] = Attribute{fmt.Sprintf("x%d", i+1), []string{"0", "1"}}
	}
	return NewDomain(attributes...)
}

// Size returns |X|, the product of the numbers of values.
func (d Domain) Size() int {
	n := 1
	for _, a := range d.attributes {
		n *= len(a.Values)
	}
	return n
}

// Functions returns |{0,1}^X| = 2^|X| as a float64, which is exact up to 1023 instances and +Inf beyond.
func (d Domain) Functions() float64 { return math.Pow(2, float64(d.Size())) }

// Attributes returns the attributes.
func (d Domain) Attributes() []Attribute { return append([]Attribute(nil), d.attributes...) }

// Values returns the number of the value of each attribute of instance x.
func (d Domain) Values(x int) []int {
	v := make([]int, len(d.attributes))
	for a := len(d.attributes) - 1; a >= 0; a-- {
		k := len(d.attributes[a].Values)
		v[a] = x % k
		x /= k
	}
	return v
}

// Instance returns the number of the instance with the given values, by name.
func (d Domain) Instance(values ...string) (int, error) {
	if len(values) != len(d.attributes) {
		return 0, fmt.Errorf("learn.Domain.Instance: %d values for %d attributes", len(values), len(d.attributes))
	}
	x := 0
	for a, name := range values {
		v, err := d.value(a, name)
		if err != nil {
			return 0, err
		}
		x = x*len(d.attributes[a].Values) + v
	}
	return x, nil
}

func (d Domain) value(a int, name string) (int, error) {
	for v, n := range d.attributes[a].Values {
		if n == name {
			return v, nil
		}
	}
	hint := cell.Suggest(name, d.attributes[a].Values)
	if hint == "" {
		hint = "there are " + strings.Join(d.attributes[a].Values, ", ")
	}
	return 0, fmt.Errorf("learn.Domain: %s has no value %q; %s", d.attributes[a].Name, name, hint)
}

// Describe returns instance x in words: "(complete, yes, clear)".
func (d Domain) Describe(x int) string {
	parts := make([]string, len(d.attributes))
	for a, v := range d.Values(x) {
		parts[a] = d.attributes[a].Values[v]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// A Conjunction demands a value of some attributes: one entry an attribute, the number of the value or Any. The zero of conjunctions, which
// is never true, is Nothing.
type Conjunction []int

const (
	Any     = -1 // every value will do
	nothing = -2
)

// Nothing returns the conjunction that no instance satisfies.
func (d Domain) Nothing() Conjunction {
	c := make(Conjunction, len(d.attributes))
	for a := range c {
		c[a] = nothing
	}
	return c
}

// Pattern returns the conjunction written with the names of values and "?" for any: Pattern("complete", "?", "yes", "?", "?").
func (d Domain) Pattern(values ...string) (Conjunction, error) {
	if len(values) != len(d.attributes) {
		return nil, fmt.Errorf("learn.Domain.Pattern: %d entries for %d attributes", len(values), len(d.attributes))
	}
	c := make(Conjunction, len(values))
	for a, name := range values {
		if name == "?" {
			c[a] = Any
			continue
		}
		v, err := d.value(a, name)
		if err != nil {
			return nil, err
		}
		c[a] = v
	}
	return c, nil
}

// Name returns the conjunction in words: "(complete, ?, yes, ?, ?)", or "(∅)" for Nothing.
func (d Domain) Name(c Conjunction) string {
	parts := make([]string, len(c))
	for a, v := range c {
		switch {
		case v == nothing:
			return "(∅)"
		case v == Any:
			parts[a] = "?"
		default:
			parts[a] = d.attributes[a].Values[v]
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Covers reports whether instance x satisfies c.
func (d Domain) Covers(c Conjunction, x int) bool {
	for a, v := range d.Values(x) {
		if c[a] != Any && c[a] != v {
			return false
		}
	}
	return true
}

// All returns all conjunctions: the product of (number of values + 1), and Nothing at the end.
func (d Domain) All() []Conjunction {
	all := []Conjunction{nil}
	for _, a := range d.attributes {
		var next []Conjunction
		for _, c := range all {
			for v := Any; v < len(a.Values); v++ {
				next = append(next, append(append(Conjunction(nil), c...), v))
			}
		}
		all = next
	}
	return append(all, d.Nothing())
}

// Conjunctions returns the space of all conjunctions over the domain, Nothing included, named as Name does. An attribute with a single
// value would make two of them equal on every instance; Distinct removes such.
func (d Domain) Conjunctions() (*Space, error) {
	size := 1
	for _, a := range d.attributes {
		if size *= len(a.Values) + 1; size > 1<<22 {
			return nil, fault.Argument(
				"learn.Domain.Conjunctions",
				"the domain",
				"of more than four million conjunctions",
				"a smaller one",
				"use Conjunctions(n, true), which only counts",
			)
		}
	}
	all := d.All()
	s, err := blank("learn.Domain.Conjunctions", d.Size(), len(all))
	if err != nil {
		return nil, err
	}
	values := make([][]int, d.Size())
	for x := range values {
		values[x] = d.Values(x)
	}
	for h, c := range all {
		s.names = append(s.names, d.Name(c))
	instances:
		for x, v := range values {
			for a, w := range c {
				if w != Any && w != v[a] {
					continue instances
				}
			}
			s.row(h)[x/64] |= 1 << (x % 64)
		}
	}
	return s, nil
}

// Eliminate learns a conjunction from examples as L. G. Valiant (1984), A theory of the learnable, Communications of the ACM 27, does:
// begin with the conjunction that is never true, and let every positive example take away the conditions it violates. The result is the
// most specific conjunction that covers all positive examples (T. M. Mitchell calls the algorithm Find-S). It fails when that covers a
// negative example: then no conjunction is consistent. steps holds the hypothesis after each example.
func (d Domain) Eliminate(instances []int, labels []bool) (learned Conjunction, steps []Conjunction, err error) {
	const who = "learn.Domain.Eliminate"
	if len(instances) != len(labels) {
		return nil, nil, fault.Argument(
			who,
			"labels",
			fmt.Sprintf("%d labels", len(labels)),
			fmt.Sprintf("one label for each of the %d examples", len(instances)),
			"",
		)
	}
	c := d.Nothing()
	for i, x := range instances {
		if x < 0 || x >= d.Size() {
			return nil, nil, fault.Argument(who, fmt.Sprintf("instances[%d]", i), x, fmt.Sprintf("an instance 0 ... %d", d.Size()-1), "")
		}
		if labels[i] {
			for a, v := range d.Values(x) {
				switch c[a] {
				case nothing:
					c[a] = v
				case v:
				default:
					c[a] = Any
				}
			}
		}
		steps = append(steps, append(Conjunction(nil), c...))
	}
	for i, x := range instances {
		if !labels[i] && d.Covers(c, x) {
			return nil, steps, fmt.Errorf(
				"%s: no conjunction is consistent: the most specific one that covers the positive examples, %s, also covers the negative example %s",
				who,
				d.Name(c),
				d.Describe(x),
			)
		}
	}
	return c, steps, nil
}
