package datasets

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/plotting"
)

// drawn returns columns of numbers or dates, without the rows in which one of them has a gap.
func (t Table) drawn(step string, columns ...string) (Table, []column, error) {
	args := make([]any, len(columns))
	for i, c := range columns {
		args[i] = c
	}
	t, ok := t.ready(step, args...)
	if !ok {
		return t, nil, t.Err()
	}
	places, err := t.finds(columns)
	if err != nil {
		return t, nil, t.fail(err).Err()
	}
	var idx []int
	for i := range t.rows {
		if !slices.ContainsFunc(places, func(j int) bool { return t.columns[j].gap(i) }) {
			idx = append(idx, i)
		}
	}
	if len(idx) == 0 {
		return t, nil, t.fail(fmt.Errorf("every row has a gap in %s", list(columns))).Err()
	}
	out := make([]column, len(places))
	for k, j := range places {
		out[k] = t.columns[j].take(idx)
	}
	return t, out, nil
}

// measured reports a column that holds words.
func (t Table) measured(columns ...column) error {
	for _, c := range columns {
		if c.kind == Nominal {
			return t.fail(fmt.Errorf("the column %q holds words, but numbers or dates are drawn", c.name)).Err()
		}
	}
	return nil
}

// axis names the axes of dates by the dates.
func axis(ticks func([]float64, ...string) *plotting.Figure, f *plotting.Figure, c column) *plotting.Figure {
	if c.kind != Temporal {
		return f
	}
	lo, hi := slices.Min(c.numbers), slices.Max(c.numbers)
	if lo == hi {
		return ticks([]float64{lo}, dateText(lo))
	}
	var at []float64
	var labels []string
	for k := range 5 {
		s := math.Floor((lo+(hi-lo)*float64(k)/4)/secondsADay) * secondsADay
		if hi-lo < 5*secondsADay {
			s = math.Floor((lo + (hi-lo)*float64(k)/4) / 60 * 60)
		}
		if s = max(s, lo); len(at) == 0 || s > at[len(at)-1] {
			at, labels = append(at, s), append(labels, dateText(s))
		}
	}
	return ticks(at, labels...)
}

// Scatter draws a column against another, both of numbers or dates; a third column colours the points: words by class, numbers by a
// scale. Rows with a gap are left out.
func (t Table) Scatter(x, y string, colour ...string) *plotting.Figure {
	if len(colour) > 1 {
		return plotting.Fault(fmt.Errorf("Scatter: %d columns for the colour, but at most one is drawn", len(colour)))
	}
	t, c, err := t.drawn("Scatter", append([]string{x, y}, colour...)...)
	if err == nil {
		err = t.measured(c[:2]...)
	}
	if err != nil {
		return plotting.Fault(err)
	}
	points := plotting.Points(c[0].numbers, c[1].numbers)
	if len(c) == 3 && c[2].kind == Nominal {
		points = points.By(ints(c[2].codes), c[2].words...)
	} else if len(c) == 3 {
		points = points.Values(c[2].numbers, c[2].heading())
	}
	f := plotting.New(points).X(c[0].heading()).Y(c[1].heading()).Title(t.label())
	return axis(f.YTicks, axis(f.XTicks, f, c[0]), c[1])
}

func ints(codes []int32) []int {
	out := make([]int, len(codes))
	for i, k := range codes {
		out[i] = int(k)
	}
	return out
}

// Line draws a column over another, in the order of the latter; both hold numbers or dates. Rows with a gap are left out.
func (t Table) Line(x, y string) *plotting.Figure {
	t, c, err := t.drawn("Line", x, y)
	if err == nil {
		err = t.measured(c...)
	}
	if err != nil {
		return plotting.Fault(err)
	}
	order := make([]int, len(c[0].numbers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return c[0].compare(a, b) })
	f := plotting.New(plotting.Line(arranged(c[0].numbers, order), arranged(c[1].numbers, order))).
		X(c[0].heading()).Y(c[1].heading()).Title(t.label())
	return axis(f.YTicks, axis(f.XTicks, f, c[0]), c[1])
}

// Histogram draws how many rows have which values of a column: of numbers or dates in intervals, of words one bar each, the most frequent
// first, at most thirty. With another column of words the rows are counted for each of its words.
func (t Table) Histogram(column string, by ...string) *plotting.Figure {
	if len(by) > 1 {
		return plotting.Fault(fmt.Errorf("Histogram: %d columns for the classes, but at most one is drawn", len(by)))
	}
	t, c, err := t.drawn("Histogram", append([]string{column}, by...)...)
	if err != nil {
		return plotting.Fault(err)
	}
	if len(c) == 2 {
		c[1] = c[1].worded()
	}
	if c[0].kind != Nominal {
		h := plotting.Histogram(c[0].numbers)
		if len(c) == 2 {
			h = h.By(ints(c[1].codes), c[1].words...)
		}
		f := plotting.New(h).X(c[0].heading()).Y("rows").Title(t.label())
		return axis(f.XTicks, f, c[0])
	}
	if len(c) == 2 {
		err := fmt.Errorf("the column %q holds words; count them with .GroupBy(%q, %q)", c[0].name, c[0].name, c[1].name)
		return plotting.Fault(t.fail(err).Err())
	}
	counts := t.ValueCounts(c[0].name)
	n := min(30, counts.rows)
	f := plotting.New(plotting.Bars(counts.columns[1].numbers[:n])).XCategories(counts.Words(c[0].name)[:n]...).X(c[0].name).Y("rows").
		Title(t.label())
	if n < counts.rows {
		f = f.Caption(fmt.Sprintf("The %d most frequent of %d words.", n, counts.rows))
	}
	return f
}

// Correlations draws the correlation of each of the named columns of numbers with each other, or of all such columns when none is named, as
// colours. Rows with a gap in one of them are left out.
func (t Table) Correlations(columns ...string) *plotting.Figure {
	if t.Err() == nil && len(columns) == 0 {
		for _, c := range t.columns {
			if c.kind == Numeric {
				columns = append(columns, c.name)
			}
		}
	}
	return t.Select(columns...).DropMissing().Unlabelled().Correlations()
}
