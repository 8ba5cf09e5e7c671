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

// mostBoxes is the number of groups that Box draws at most.
const mostBoxes = 30

// Box draws the quartiles of a column of numbers or dates as a box with a line at the median, and whiskers to the last values within 1.5
// times the height of the box; values beyond are points. With another column there is a box for each of its words, in their order; these
// are at most thirty. Rows with a gap are left out. Source: Tukey, Exploratory Data Analysis (1977); quartiles by interpolation, as
// Describe gives them.
func (t Table) Box(column string, by ...string) *plotting.Figure {
	if len(by) > 1 {
		return plotting.Fault(fmt.Errorf("Box: %d columns for the groups, but at most one is drawn", len(by)))
	}
	t, c, err := t.drawn("Box", append([]string{column}, by...)...)
	if err == nil {
		err = t.measured(c[0])
	}
	if err != nil {
		return plotting.Fault(err)
	}
	groups, names := [][]float64{c[0].numbers}, []string{column}
	if len(c) == 2 {
		of := c[1].worded()
		if names = of.words; len(names) > mostBoxes {
			err := fmt.Errorf("the column %q has %d words, but at most %d boxes stand side by side; keep some rows with Where", of.name,
				len(names), mostBoxes)
			return plotting.Fault(t.fail(err).Err())
		}
		groups = make([][]float64, len(names))
		for i, k := range of.codes {
			groups[k] = append(groups[k], c[0].numbers[i])
		}
	}
	var layers []plotting.Layer
	for k, v := range groups {
		if len(v) > 0 {
			layers = append(layers, box(float64(k), v, names[k])...)
		}
	}
	f := plotting.New(layers...).XCategories(names...).Y(c[0].heading()).Title(t.label()).NoLegend()
	if len(c) == 2 {
		f = f.X(c[1].name)
	}
	return axis(f.YTicks, f, c[0])
}

// box returns the marks of a group at the place x.
func box(x float64, values []float64, name string) []plotting.Layer {
	const half, cap = 0.3, 0.12
	v := slices.Sorted(slices.Values(values))
	low, middle, high := quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75)
	reach := 1.5 * (high - low)
	from, _ := slices.BinarySearch(v, low-reach)
	to, _ := slices.BinarySearchFunc(v, high+reach, func(v, end float64) int {
		if v <= end {
			return -1
		}
		return 1
	})
	gap := math.NaN()
	layers := []plotting.Layer{
		plotting.Line(
			[]float64{x, x, gap, x - cap, x + cap, gap, x, x, gap, x - cap, x + cap},
			[]float64{v[from], low, gap, v[from], v[from], gap, high, v[to-1], gap, v[to-1], v[to-1]},
		).Class(name),
		plotting.Polygon([]float64{x - half, x + half, x + half, x - half}, []float64{low, low, high, high}).Class(name).Fill(),
		plotting.Line([]float64{x - half, x + half}, []float64{middle, middle}).Class(name).Width(3),
	}
	if beyond := slices.Concat(v[:from], v[to:]); len(beyond) > 0 {
		layers = append(layers, plotting.Points(slices.Repeat([]float64{x}, len(beyond)), beyond).Class(name))
	}
	return layers
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
