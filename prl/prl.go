package prl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/shown"
	"github.com/prlab/prlab/prl/plan"
)

// Check names a claim by its id in the catalogue ("" for a claim outside it) and in words; the methods of the result prove it with the
// numbers beside it, or end the cell.
func Check(id, claim string) *cell.Checker { return cell.Check(id, claim) }

// Remark is Check for plain arithmetic, which is shown as a remark and counts as no proof.
func Remark(id, claim string) *cell.Checker { return cell.Remark(id, claim) }

// Table begins a table with the given column heads.
func Table(columns ...string) cell.Table { return cell.NewTable(columns...) }

// Slide draws one figure for each value and shows them under a slider with the given name. All figures are drawn in advance; between the
// values of a Slide over numbers, handouts and the lab draw the figures that the reader asks for.
func Slide[T any](name string, values []T, draw func(T) *plotting.Figure) *plotting.Figure {
	return plotting.Slide(name, values, draw)
}

// Keep returns the result of compute, from the disk when it has been computed before for the same key (see cell.Keep). A data set or a plan
// is a key; Key makes one from words and data. A plan of its own is kept by its step Keep.
func Keep[T any](key any, compute func() (T, error)) (T, error) {
	return cell.Keep(key, compute)
}

// Key identifies a result by the plan, in words, and the data it is computed from.
func Key(plan string, data ...any) cell.Key { return cell.NewKey(plan, data...) }

// Range returns lo, lo+step, ... up to hi, with hi itself when the steps reach it within rounding. A step of zero, or in the wrong
// direction, and numbers that are not finite fail the cell, and so do more than a million numbers.
func Range(lo, hi, step float64) []float64 {
	const most = 1e6
	n := math.Floor((hi-lo)/step*(1+1e-12) + 1e-9)
	if step == 0 || !(n >= 0) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		cell.Fail(fmt.Errorf("Range: no numbers lead from %v to %v in steps of %v", lo, hi, step))
		return nil
	}
	if n > most {
		cell.Fail(fmt.Errorf("Range: %.0f numbers from %v to %v in steps of %v, but needs to be at most %.0f", n+1, lo, hi, step, most))
		return nil
	}
	v := make([]float64, int(n)+1)
	for i := range v {
		v[i] = lo + float64(i)*step
		// The shortest decimal within rounding: 0.3 rather than 0.30000000000000004.
		if r := math.Round(v[i]*1e9) / 1e9; math.Abs(r-v[i]) <= 4e-16*math.Max(math.Abs(lo), math.Abs(hi)) {
			v[i] = r
		}
	}
	return v
}

// LinSpace returns n evenly spaced numbers from lo to hi, both included.
func LinSpace(lo, hi float64, n int) []float64 {
	if n < 2 || math.IsNaN(hi-lo) || math.IsInf(hi-lo, 0) {
		cell.Fail(fmt.Errorf("LinSpace: %d numbers from %v to %v, but needs at least two between finite ends", n, lo, hi))
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	v[n-1] = hi
	return v
}

// LogSpace returns n numbers from lo to hi, both included, each the same multiple of the one before; lo and hi are positive.
func LogSpace(lo, hi float64, n int) []float64 {
	if n < 2 || !(lo > 0) || !(hi > 0) || math.IsInf(hi, 0) || math.IsInf(lo, 0) {
		cell.Fail(fmt.Errorf("LogSpace: %d numbers from %v to %v, but needs at least two between positive ends", n, lo, hi))
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		t := float64(i) / float64(n-1)
		v[i] = math.Exp((1-t)*math.Log(lo) + t*math.Log(hi))
	}
	v[0], v[n-1] = lo, hi
	return v
}

// Matrix returns the table of a matrix with names before its rows and above its columns; nil stands for their numbers, from 0. Of more than
// 12 rows or columns the first 8 and the last 3 are shown.
func Matrix(m mat.Matrix, rows, columns []string) cell.Table {
	r, c := m.Dims()
	return cell.MatrixTable(r, c, m.At, rows, columns)
}

// Show shows each value below the cell: figures, tables and models by their own Show; strings as paragraphs (blank lines part them;
// **bold**, `code`, lists of lines that begin with "- " and tables of lines that begin with "|" are understood); matrices, structs, maps
// and slices of structs as tables, of which large ones are shortened; images; charts of go-echarts and plots of gonum if the package
// echartsx or gonumx is imported; everything else on a line. An error fails the cell. In the live figures of a page values stand on a line.
func Show(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case error:
			cell.Fail(v)
		case interface{ Show() }:
			v.Show()
		case string:
			cell.Display(cell.Bundle{HTML: prose(v), Text: v})
		case nil:
			cell.Fail(errors.New("Show: there is nothing to show (nil)"))
		default:
			if b, known := shown.As(v); known {
				if b.HTML == "" {
					b.HTML = "<pre>" + cell.Escape(b.Text) + "</pre>"
				}
				cell.Display(b)
				continue
			}
			text := cell.Value(v, 6)
			cell.Display(cell.Bundle{HTML: "<pre>" + cell.Escape(text) + "</pre>", Text: text})
		}
	}
}

// prose turns text into HTML paragraphs.
func prose(s string) string {
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if list := listed(strings.TrimSpace(paragraph)); list != "" {
			b.WriteString(list)
			continue
		}
		p := cell.Escape(strings.TrimSpace(paragraph))
		p = spans(p, "`", "code")
		p = spans(p, "**", "strong")
		b.WriteString("<p>" + p + "</p>")
	}
	return b.String()
}

// listed is a list or a table of Markdown, whose lines all begin with one mark, or "".
func listed(paragraph string) string {
	lines := strings.Split(paragraph, "\n")
	all := func(mark string) bool {
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(strings.TrimSpace(line), mark) })
	}
	inline := func(s string) string {
		return spans(spans(cell.Escape(strings.TrimSpace(s)), "`", "code"), "**", "strong")
	}
	var b strings.Builder
	switch {
	case all("- "):
		for _, line := range lines {
			b.WriteString("<li>" + inline(strings.TrimSpace(line)[2:]) + "</li>")
		}
		return "<ul>" + b.String() + "</ul>"
	case len(lines) > 1 && all("|") && strings.Trim(lines[1], "|:- ") == "":
		for i, line := range lines {
			if i == 1 {
				continue
			}
			element := "td"
			if i == 0 {
				element = "th"
			}
			b.WriteString("<tr>")
			for _, text := range strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|") {
				b.WriteString("<" + element + ">" + inline(text) + "</" + element + ">")
			}
			b.WriteString("</tr>")
		}
		return "<table>" + b.String() + "</table>"
	}
	return ""
}

// spans puts what stands between pairs of mark into an element; a mark without a partner stays.
func spans(s, mark, element string) string {
	parts := strings.Split(s, mark)
	var b strings.Builder
	for i, p := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(p)
		case i == len(parts)-1:
			b.WriteString(mark + p)
		default:
			b.WriteString("<" + element + ">" + p + "</" + element + ">")
		}
	}
	return b.String()
}

// Map returns f of each number.
func Map(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// A Classifier is the plan of any classifier, so that several can stand in one list and be compared.
type Classifier = plan.Classifying

// None stands for zero in a field of options whose zero value stands for the default, such as the Tol of a fit that is to run all its
// iterations.
const None = estimator.None
