package linear

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/fault"
)

// A Frame is a formula with what it has learnt from a table: the words of its columns, and the knots and polynomials of its bases. It makes
// the same features of other tables.
type Frame struct {
	formula   *Formula
	terms     terms
	intercept bool
	words     map[string][]string // of each part of words, in their order
	bases     map[string]Basis
}

// Frame reads a table, and returns the features and the target as a set. Rows with a gap in a column that the formula names are left out,
// and the source of the set says how many.
func (f *Formula) Frame(t datasets.Table) (*Frame, datasets.Set, error) {
	const op = "linear.Formula.Frame"
	s := t.Unlabelled()
	if err := s.Err(); err != nil {
		return nil, datasets.Set{}, err
	}
	used := f.target.names(nil)
	var others []string
	for _, name := range s.FeatureNames {
		if !slices.Contains(used, name) {
			others = append(others, name)
		}
	}
	list, err := f.expand(f.right, others)
	if err != nil {
		return nil, datasets.Set{}, fault.Argument(op, "the formula", err.Error(), "one of terms", "")
	}
	fr := &Frame{formula: f, intercept: true, words: map[string][]string{}, bases: map[string]Basis{}}
	for _, u := range list {
		if _, zero := u["0"]; zero {
			fr.intercept = false
		} else if len(u) > 0 {
			fr.terms = append(fr.terms, u)
		}
	}
	slices.SortStableFunc(fr.terms, func(a, b term) int { return len(a) - len(b) }) // first single ones, then products
	rows, err := fr.rows(op, s, true)
	if err != nil {
		return nil, datasets.Set{}, err
	}
	set, err := fr.set(op, s, rows, true)
	return fr, set, err
}

// Intercept reports whether the formula has an intercept.
func (fr *Frame) Intercept() bool { return fr.intercept }

// Set makes the features of another table, and its target where it has the columns of the target.
func (fr *Frame) Set(t datasets.Table) (datasets.Set, error) {
	const op = "linear.Frame.Set"
	s := t.Unlabelled()
	if err := s.Err(); err != nil {
		return datasets.Set{}, err
	}
	target := !slices.ContainsFunc(fr.formula.target.names(nil), func(name string) bool { return !slices.Contains(s.FeatureNames, name) })
	rows, err := fr.rows(op, s, target)
	if err != nil {
		return datasets.Set{}, err
	}
	return fr.set(op, s, rows, target)
}

// names appends the columns that a part names.
func (n *node) names(to []string) []string {
	if n.op == "name" && n.text != "." {
		to = append(to, n.text)
	}
	for _, a := range n.inside {
		to = a.names(to)
	}
	return to
}

// rows returns the rows without a gap in the columns of the formula.
func (fr *Frame) rows(op string, s datasets.Set, target bool) (rows []int, err error) {
	var names []string
	for _, u := range fr.terms {
		for _, n := range u {
			names = n.names(names)
		}
	}
	if target {
		names = fr.formula.target.names(names)
	}
	var places []int
	for _, name := range names {
		j, err := s.FeatureIndex(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		places = append(places, j)
	}
	for i := range s.N() {
		if !slices.ContainsFunc(places, func(j int) bool { return math.IsNaN(s.X.At(i, j)) }) {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, fault.Argument(op, "the table", "with a gap in each row", "one with whole rows", "leave a column out of the formula")
	}
	return rows, nil
}

// A column is a feature with its name.
type column struct {
	name   string
	values []float64
}

// set computes the columns of the terms.
func (fr *Frame) set(op string, s datasets.Set, rows []int, target bool) (datasets.Set, error) {
	var columns []column
	for _, u := range fr.terms {
		made := []column{{"", slices.Repeat([]float64{1}, len(rows))}}
		for _, key := range fr.order(u, s) {
			part, err := fr.part(op, key, u, s, rows)
			if err != nil {
				return datasets.Set{}, err
			}
			var next []column
			for _, b := range part { // the first part turns fastest, as in R
				for _, a := range made {
					c := column{a.name + ":" + b.name, make([]float64, len(rows))}
					if a.name == "" {
						c.name = b.name
					}
					for i := range rows {
						c.values[i] = a.values[i] * b.values[i]
					}
					next = append(next, c)
				}
			}
			made = next
		}
		columns = append(columns, made...)
	}
	if len(columns) == 0 {
		return datasets.Set{}, fault.Argument(op, "the formula", fr.formula.text, "one with at least one feature", "")
	}
	X, names := mat.NewDense(len(rows), len(columns), nil), make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.name
		X.SetCol(j, c.values)
	}
	out := s.Rows(rows...).Mapped("Formula", X, names)
	out.Source = strings.TrimPrefix(out.Source+"; "+fr.formula.text, "; ")
	if left := s.N() - len(rows); left > 0 {
		out.Source += fmt.Sprintf(", %d of %d rows left out, which have gaps", left, s.N())
	}
	if target {
		y := make([]float64, len(rows))
		for i, row := range rows {
			v, err := fr.formula.target.number(s, row)
			if err != nil {
				return datasets.Set{}, fmt.Errorf("%s: %w", op, err)
			}
			y[i] = v
		}
		out = out.WithTarget(fr.formula.target.String(), y)
	}
	return out, out.Err()
}

// order returns the parts of a term in the order of the table's columns.
func (fr *Frame) order(u term, s datasets.Set) []string {
	keys := slices.Sorted(maps.Keys(u))
	place := func(key string) int {
		best := s.D()
		for _, name := range u[key].names(nil) {
			if j, err := s.FeatureIndex(name); err == nil {
				best = min(best, j)
			}
		}
		return best
	}
	slices.SortStableFunc(keys, func(a, b string) int { return place(a) - place(b) })
	return keys
}

// part computes the columns of one part of a term.
func (fr *Frame) part(op, key string, u term, s datasets.Set, rows []int) ([]column, error) {
	n := u[key]
	if words, of, err := n.words(s, rows); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	} else if words != nil {
		known, learnt := fr.words[key]
		if !learnt {
			known = slices.Compact(slices.Sorted(slices.Values(words)))
			if of != nil { // words of the table keep its order
				known = slices.DeleteFunc(slices.Clone(of), func(w string) bool { return !slices.Contains(words, w) })
			}
			fr.words[key] = known
		}
		rest := maps.Clone(u)
		delete(rest, key)
		first := 0
		if len(rest) == 0 && fr.intercept || len(rest) > 0 && fr.terms.has(rest.key()) {
			first = 1
		}
		if len(rest) == 0 && !fr.intercept && slices.IndexFunc(fr.terms, func(v term) bool { return fr.single(v, s) }) !=
			slices.IndexFunc(fr.terms, func(v term) bool { return v.key() == u.key() }) {
			first = 1 // the columns of an earlier term already sum to one
		}
		if first == len(known) {
			return nil, fault.Argument(op, key, "a single word", "at least two different ones", "leave it out of the formula")
		}
		out := make([]column, len(known)-first)
		for k := range out {
			out[k] = column{key + " = " + known[k+first], make([]float64, len(rows))}
		}
		for i, w := range words {
			k := slices.Index(known, w)
			if k < 0 {
				return nil, fault.Argument(op, key, fmt.Sprintf("%q", w), "one of the words "+strings.Join(known, ", "), "leave such rows out")
			}
			if k >= first {
				out[k-first].values[i] = 1
			}
		}
		return out, nil
	}
	basis, inner, err := fr.basis(op, key, n, s, rows)
	if err != nil {
		return nil, err
	}
	if inner == nil {
		inner = n
	}
	values := make([]float64, len(rows))
	for i, row := range rows {
		if values[i], err = inner.number(s, row); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
	}
	if basis == nil {
		return []column{{key, values}}, nil
	}
	out := make([]column, basis.Dim())
	for k, name := range basis.Names(inner.String()) {
		out[k] = column{name, make([]float64, len(rows))}
	}
	for i, v := range values {
		for k, w := range basis.Values(v) {
			out[k].values[i] = w
		}
	}
	return out, nil
}

// single reports whether a term is one part of words.
func (fr *Frame) single(u term, s datasets.Set) bool {
	for _, n := range u {
		words, _, err := n.words(s, nil)
		return len(u) == 1 && err == nil && words != nil
	}
	return false
}

// words returns the words of a part that is a column of words, in the given rows, and all of them in their order; nil for numbers.
func (n *node) words(s datasets.Set, rows []int) (words, all []string, err error) {
	name, made := n, false
	if n.op == "C(" && len(n.inside) == 1 {
		name, made = n.inside[0], true
	}
	if name.op != "name" {
		return nil, nil, nil
	}
	j, err := s.FeatureIndex(name.text)
	if err != nil {
		return nil, nil, err
	}
	known := s.Words != nil && s.Words[j] != nil
	if !known && !made {
		return nil, nil, nil
	}
	words = []string{}
	for _, i := range rows {
		v := s.X.At(i, j)
		if known {
			words = append(words, s.Words[j][int(v)])
		} else {
			words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	if known {
		all = s.Words[j]
	}
	return words, all, nil
}

// basis returns the basis of a part poly, bs or ns, and what it is of.
func (fr *Frame) basis(op, key string, n *node, s datasets.Set, rows []int) (*Basis, *node, error) {
	if !slices.Contains([]string{"poly(", "bs(", "ns("}, n.op) {
		return nil, nil, nil
	}
	if len(n.inside) != 2 || n.inside[1].op != "number" || n.inside[1].value != math.Trunc(n.inside[1].value) {
		return nil, nil, fault.Argument(op, "the formula", key, "a column and a whole number in "+n.op+")", "such as "+n.op+"x, 3)")
	}
	inner, size := n.inside[0], int(min(n.inside[1].value, 1e6))
	b, known := fr.bases[key]
	if !known {
		x := make([]float64, len(rows))
		var err error
		for i, row := range rows {
			if x[i], err = inner.number(s, row); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", op, err)
			}
		}
		switch n.op {
		case "poly(":
			b, err = Polynomials(x, size)
		case "bs(":
			b, err = BSplines(x, size, 3)
		default:
			b, err = NaturalSplines(x, size)
		}
		if err != nil {
			return nil, nil, fault.In(op, err)
		}
		fr.bases[key] = b
	}
	return &b, inner, nil
}

var functions = map[string]func(float64) float64{
	"log(": math.Log, "log2(": math.Log2, "log10(": math.Log10, "exp(": math.Exp, "sqrt(": math.Sqrt, "abs(": math.Abs, "sin(": math.Sin,
	"cos(": math.Cos, "I(": func(v float64) float64 { return v },
}

// number computes a part in one row.
func (n *node) number(s datasets.Set, row int) (float64, error) {
	switch n.op {
	case "number":
		return n.value, nil
	case "name":
		j, err := s.FeatureIndex(n.text)
		if err != nil {
			return 0, err
		}
		if s.Words != nil && s.Words[j] != nil {
			return 0, fmt.Errorf("the column %q holds words, but numbers are needed", n.text)
		}
		return s.X.At(row, j), nil
	}
	f := functions[n.op]
	if strings.HasSuffix(n.op, "(") && (f == nil || len(n.inside) != 1) {
		return 0, fmt.Errorf("%v is no function of one number that formulas know", n)
	}
	var v [2]float64
	for i, a := range n.inside {
		var err error
		if v[i], err = a.number(s, row); err != nil {
			return 0, err
		}
	}
	out := 0.0
	switch {
	case f != nil:
		out = f(v[0])
	case len(n.inside) == 1 && n.op == "-":
		out = -v[0]
	case len(n.inside) == 1:
		out = v[0]
	case n.op == "+":
		out = v[0] + v[1]
	case n.op == "-":
		out = v[0] - v[1]
	case n.op == "*":
		out = v[0] * v[1]
	case n.op == "/":
		out = v[0] / v[1]
	case n.op == "^":
		out = math.Pow(v[0], v[1])
	default:
		return 0, fmt.Errorf("%q is no arithmetic", n.op)
	}
	if out-out != 0 {
		return 0, fmt.Errorf("%v is %v in row %d; leave such rows out", n, out, row)
	}
	return out, nil
}
