package datasets

import (
	"fmt"
	"go/ast"
	"math"
	"slices"
	"strings"
)

// Agg returns a table of the groups with figures of each, under the names before the equals sign, or called as they are written:
//
//	flights.GroupBy("carrier").Agg("n = count()", "mean(arr_delay)", "p90 = quantile(arr_delay, 0.9)", "late = share(arr_delay > 15)")
//
// The figures are count() of rows and count(x) of values, sum, mean, median, quantile(x, p), sd (divisor n - 1), min, max, first,
// last, distinct(x), the number of different values, and share(condition), of the rows in which the condition does not depend on a
// gap. x is an expression of columns as for [Table.Compute], and figures can be computed with in turn: "max(x) - min(x)". Gaps do not
// count; a group with nothing but gaps has a gap.
func (g Groups) Agg(figures ...string) Table {
	out, _ := g.begin("Agg", nil)
	if out.Err() != nil {
		return out
	}
	if len(figures) == 0 {
		return out.fail(fmt.Errorf(`no figure is named; "n = count()" and "mean(x)" are some`))
	}
	keys := out
	for _, f := range figures {
		name, figure := f, f
		if k := strings.IndexByte(f, '='); k > 0 && !strings.ContainsAny(f[:k], "()<>!\"'") && f[k+1:] != "" && f[k+1] != '=' {
			name, figure = strings.TrimSpace(f[:k]), f[k+1:]
		}
		v, err := g.table.figures(g.rows, keys, figure)
		if err != nil {
			return out.fail(err)
		}
		if slices.Contains(out.names(), name) {
			return out.fail(fmt.Errorf("two columns are called %q; name one of them, as in \"n = count()\"", name))
		}
		out = out.put(v.made(name))
	}
	return out
}

// figures computes an expression of figures for each group of rows; keys holds what the groups have in common.
func (t Table) figures(groups [][]int, keys Table, text string) (values, error) {
	e, err := parsed(text)
	if err != nil {
		return values{}, err
	}
	outer := &evaluator{table: keys, rows: len(groups), calls: map[string]func(*evaluator, *ast.CallExpr) (values, error){}, parts: t.names()}
	inner := &evaluator{table: t, rows: t.rows}
	for name, of := range figureOf {
		outer.calls[name] = func(_ *evaluator, call *ast.CallExpr) (values, error) { return inner.figure(name, of, groups, call) }
	}
	v, err := outer.value(e)
	if err != nil {
		return values{}, fmt.Errorf("in %q %w", strings.TrimSpace(text), err)
	}
	return v.spread(len(groups)), nil
}

// figureOf are the figures of numbers v, which are no gaps, and at least one; p is a further argument.
var figureOf = map[string]func(v []float64, p float64) float64{
	"count": nil, "first": nil, "last": nil, "distinct": nil, "share": nil,
	"sum": func(v []float64, _ float64) float64 {
		s := 0.0
		for _, x := range v {
			s += x
		}
		return s
	},
	"mean": func(v []float64, _ float64) float64 { m, _ := meanAndSquares(v); return m },
	"sd": func(v []float64, _ float64) float64 {
		if len(v) < 2 {
			return math.NaN()
		}
		_, squares := meanAndSquares(v)
		return math.Sqrt(squares / float64(len(v)-1))
	},
	"min":      func(v []float64, _ float64) float64 { return slices.Min(v) },
	"max":      func(v []float64, _ float64) float64 { return slices.Max(v) },
	"median":   func(v []float64, _ float64) float64 { slices.Sort(v); return quantile(v, 0.5) },
	"quantile": func(v []float64, p float64) float64 { slices.Sort(v); return quantile(v, p) },
}

// meanAndSquares returns the mean of numbers and the sum of the squares of their distances to it, as Welford computes them.
func meanAndSquares(v []float64) (mean, squares float64) {
	for i, x := range v {
		d := x - mean
		mean += d / float64(i+1)
		squares += d * (x - mean)
	}
	return mean, squares
}

func (e *evaluator) figure(name string, of func([]float64, float64) float64, groups [][]int, call *ast.CallExpr) (values, error) {
	out := values{column: column{numbers: make([]float64, len(groups))}}
	if name == "count" && len(call.Args) == 0 {
		for k, rows := range groups {
			out.numbers[k] = float64(len(rows))
		}
		return out, nil
	}
	most := 1
	p := math.NaN()
	if name == "quantile" && len(call.Args) == 2 {
		most = 2
		v, err := e.value(call.Args[1])
		if err != nil {
			return out, err
		}
		if v.kind == Numeric && v.one && v.truths == nil {
			p = v.numbers[0]
		}
		if !(p >= 0 && p <= 1) {
			return out, fmt.Errorf("the second argument of quantile needs to be a number from 0 to 1")
		}
	}
	if len(call.Args) != most || name == "quantile" && most == 1 {
		return out, fmt.Errorf("%s has %d arguments, but needs one expression, and quantile a share, as in quantile(x, 0.9)",
			name, len(call.Args))
	}
	v, err := e.value(call.Args[0])
	if err != nil {
		return out, err
	}
	if (name == "share") != (v.truths != nil) {
		return out, fmt.Errorf("%s is given %s; share is of a condition, the other figures of columns", name, v.kindName())
	}
	v = v.spread(e.rows)
	switch name {
	case "first", "last":
		idx := make([]int, len(groups))
		for k, rows := range groups {
			idx[k] = -1
			for _, i := range rows {
				if !v.gap(i) && (idx[k] < 0 || name == "last") {
					idx[k] = i
				}
			}
		}
		out.column = v.take(idx).tight()
		return out, nil
	case "count", "distinct", "share":
		for k, rows := range groups {
			out.numbers[k] = v.counted(name, rows)
		}
		return out, nil
	}
	if v.kind == Nominal || v.kind == Temporal && name != "min" && name != "max" && name != "median" {
		return out, fmt.Errorf("%s needs numbers, but is given %s", name, v.kind)
	}
	out.kind, out.unit = v.kind, v.unit
	var present []float64
	for k, rows := range groups {
		present = present[:0]
		for _, i := range rows {
			if x := v.numbers[i]; x == x {
				present = append(present, x)
			}
		}
		if out.numbers[k] = math.NaN(); len(present) > 0 {
			out.numbers[k] = of(present, p)
		}
	}
	return out, nil
}

// counted returns the number of values of rows that are no gaps, or of different ones, or the share of those in which a condition holds.
func (v values) counted(name string, rows []int) float64 {
	if name == "share" {
		holding, present := 0.0, 0.0
		for _, i := range rows {
			if v.gapped == nil || !v.gapped[i] {
				present++
				if v.truths[i] {
					holding++
				}
			}
		}
		return holding / present // 0/0 is a gap
	}
	n, seen := 0.0, map[float64]bool{}
	for _, i := range rows {
		if v.gap(i) {
			continue
		}
		x := 0.0
		if v.kind == Nominal {
			x = float64(v.codes[i])
		} else {
			x = v.numbers[i]
		}
		if name == "count" || !seen[x] {
			n++
		}
		seen[x] = true
	}
	return n
}
