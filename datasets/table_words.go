package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/fault"
)

// Sort orders the rows by columns, by the first one and where that is equal by the next; a column after a minus, "-arr_delay", is in
// falling order. Words are in the order of classes, and gaps stand last. Rows that are equal keep their order.
func (t Table) Sort(columns ...string) Table {
	t, ok := t.ready("Sort", fault.Args(columns)...)
	if !ok {
		return t
	}
	falling := make([]bool, len(columns))
	names := slices.Clone(columns)
	for k, name := range columns {
		if strings.HasPrefix(name, "-") && !slices.Contains(t.names(), name) {
			names[k], falling[k] = name[1:], true
		}
	}
	places, err := t.finds(names)
	if err == nil && len(places) == 0 {
		err = fmt.Errorf("no column is named; %s has %s", t.label(), list(t.names()))
	}
	if err != nil {
		return t.fail(err)
	}
	idx := make([]int, t.rows)
	for i := range idx {
		idx[i] = i
	}
	slices.SortStableFunc(idx, func(a, b int) int {
		for k, j := range places {
			c := t.columns[j]
			switch x, y := c.gap(a), c.gap(b); {
			case x && y:
				continue
			case x:
				return 1
			case y:
				return -1
			}
			if order := c.compare(a, b); order != 0 {
				if falling[k] {
					return -order
				}
				return order
			}
		}
		return 0
	})
	return t.take(idx)
}

// Compute adds a column, or replaces the one of its name, by an expression of columns: Compute("ratio", "Hits / AtBat"). Beside + - *
// / % there are comparisons, and, or, not; abs, sqrt, exp, log, log10, round, floor, ceil, pow(x, y); year, month, day, weekday and
// hour of a date; in(carrier, 'UA', 'AA'), gap(x), and when(condition, x, y). Words and dates stand in single quotes, and names with
// blanks in back quotes. x % y has the sign of x, as in Go. A condition makes the words yes and no. What depends on a gap is a gap, as is
// a quotient by 0; the difference of dates is in seconds.
func (t Table) Compute(name, expression string) Table {
	t, ok := t.ready("Compute", name, expression)
	if !ok {
		return t
	}
	if name == "" {
		return t.fail(fault.Argument("Compute", "the name", `""`, "a word", ""))
	}
	v, err := t.evaluate(expression)
	if err != nil {
		return t.fail(err)
	}
	return t.put(v.made(name))
}

// condition keeps the rows for which an expression holds; a row in which it depends on a gap is left out.
func (t Table) condition(expression string) Table {
	v, err := t.evaluate(expression)
	if err == nil && v.truths == nil {
		err = fmt.Errorf("%q is %s, but a condition is needed, such as arr_delay > 15; words are given behind their column, "+
			".Where(column, word)", expression, v.kindName())
	}
	if err != nil {
		return t.fail(err)
	}
	return t.keep(func(i int) bool { return v.truths[i] }, "without "+expression)
}

// ValueCounts returns the values of a column, the most frequent one first, with the number of rows that have each, and their share.
func (t Table) ValueCounts(name string) Table {
	counted := t.GroupBy(name).Counts()
	if counted.Err() != nil {
		return counted
	}
	rows, shares, total := counted.columns[1], make([]float64, counted.rows), 0.0
	for _, n := range rows.numbers {
		total += n
	}
	for k, n := range rows.numbers {
		shares[k] = n / total
	}
	return counted.put(column{name: free("share", counted.names()), numbers: shares}).Sort("-" + rows.name)
}

// Distinct keeps the first row of each combination of values of the named columns, or of all when none is named; gaps are equal to gaps.
func (t Table) Distinct(columns ...string) Table {
	t, ok := t.ready("Distinct", fault.Args(columns)...)
	if !ok {
		return t
	}
	if len(columns) == 0 {
		columns = t.names()
	}
	places, err := t.finds(columns)
	if err != nil {
		return t.fail(err)
	}
	ids, n := t.numbered(places, true)
	seen := make([]bool, n)
	return t.keep(func(i int) bool {
		first := !seen[ids[i]]
		seen[ids[i]] = true
		return first
	}, "which repeat others in "+list(columns))
}

// numbered gives rows of equal values in columns equal numbers, 0, 1, ... in the order of their first rows. A row with a gap has -1, or, if
// gaps count, a number as for a value.
func (t Table) numbered(places []int, gaps bool) (ids []int32, n int) {
	ids = make([]int32, t.rows)
	n = 1
	for _, j := range places {
		c := t.columns[j]
		pairs, values := map[[2]int32]int32{}, map[float64]int32{}
		next := int32(0)
		for i, id := range ids {
			if id < 0 {
				continue
			}
			value := int32(-1)
			switch {
			case c.gap(i):
				if !gaps {
					ids[i] = -1
					continue
				}
			case c.kind == Nominal:
				value = c.codes[i]
			default:
				k, known := values[c.numbers[i]]
				if !known {
					k = int32(len(values))
					values[c.numbers[i]] = k
				}
				value = k
			}
			pair := [2]int32{id, value}
			k, known := pairs[pair]
			if !known {
				k, next = next, next+1
				pairs[pair] = k
			}
			ids[i] = k
		}
		n = int(next)
	}
	return ids, n
}

// none returns a column of gaps of the kind of another.
func none(c column, rows int) column {
	idx := make([]int, rows)
	for i := range idx {
		idx[i] = -1
	}
	return c.take(idx)
}

// Append adds the rows of another table below those of t. Columns are matched by name; a column that one of the two lacks has gaps there. A
// column of nothing but gaps is of the kind of the other.
func (t Table) Append(other Table) Table {
	t, ok := t.ready("Append", other.label())
	if !ok {
		return t
	}
	if other, ok = other.ready("Append"); !ok {
		return t.fail(other.Err())
	}
	mine, theirs := t.rows, other.rows
	var columns []column
	for _, c := range t.columns {
		k := slices.IndexFunc(other.columns, func(o column) bool { return o.name == c.name })
		if k < 0 {
			columns = append(columns, appended(c, none(c, theirs)))
			continue
		}
		o := other.columns[k]
		if o.gaps() == theirs {
			o = none(c, theirs)
		} else if c.gaps() == mine {
			c = none(o, mine)
		}
		if o.kind != c.kind {
			return t.fail(fmt.Errorf("the column %q holds %v here and %v in %s; .AsWords(%q) makes words of numbers", c.name, c.kind, o.kind,
				other.label(), c.name))
		}
		columns = append(columns, appended(c, o))
	}
	for _, o := range other.columns {
		if !slices.Contains(t.names(), o.name) {
			columns = append(columns, appended(none(o, mine), o))
		}
	}
	t.columns, t.rows = columns, mine+theirs
	return t.said(fmt.Sprintf("%d rows of %s below", theirs, other.label()))
}

// Fill puts a value in the place of the gaps of a column: a number, a word, or a date as "2013-01-31" or "2013-01-31 14:30".
func (t Table) Fill(column string, value any) Table {
	t, ok := t.ready("Fill", column, value)
	if !ok {
		return t
	}
	j, err := t.find(column)
	if err != nil {
		return t.fail(err)
	}
	c := t.columns[j]
	filled := c
	switch v := value.(type) {
	case int:
		return t.Fill(column, float64(v))
	case float64:
		if c.kind != Numeric || v-v != 0 {
			return t.fail(fault.Argument("Fill", "the value", v, "one of the "+c.kind.String()+" that the column holds", ""))
		}
		filled.numbers = []float64{v}
	case string:
		if s, ok := isoDate([]byte(v)); ok && c.kind == Temporal {
			filled.numbers = []float64{s}
			break
		}
		if c.kind != Nominal || v == "" {
			return t.fail(fault.Argument("Fill", "the value", fmt.Sprintf("%q", v), "one of the "+c.kind.String()+" that the column holds", ""))
		}
		filled.codes, filled.words = []int32{0}, []string{v}
	default:
		return t.fail(fault.Argument("Fill", "the value", fmt.Sprintf("a %T", value), "a number or a word", ""))
	}
	idx := make([]int, t.rows)
	for i := range idx {
		if idx[i] = i; c.gap(i) {
			idx[i] = t.rows
		}
	}
	return t.put(appended(c, filled).take(idx).tight())
}

// FillForward puts the last value before it in the place of each gap of the columns, in the order of the rows; gaps before the first value
// stay.
func (t Table) FillForward(columns ...string) Table {
	t, ok := t.ready("FillForward", fault.Args(columns)...)
	if !ok {
		return t
	}
	places, err := t.finds(columns)
	if err != nil {
		return t.fail(err)
	}
	for _, j := range places {
		idx, last := make([]int, t.rows), -1
		for i := range idx {
			if !t.columns[j].gap(i) {
				last = i
			}
			idx[i] = last
		}
		t = t.put(t.columns[j].take(idx))
	}
	return t
}

// Sample draws n rows at random without replacement, in their order; the same seed draws the same rows.
func (t Table) Sample(n int, seed uint64) Table {
	t, ok := t.ready("Sample", n, seed)
	if !ok {
		return t
	}
	if n < 1 || n > t.rows {
		return t.fail(fault.Argument("Sample", "n", n, fmt.Sprintf("from 1 to the %d rows", t.rows), ""))
	}
	idx := generator(seed, 0x73616d70).Perm(t.rows)[:n]
	slices.Sort(idx)
	return t.take(idx).said(fmt.Sprintf("%d of %d rows drawn at random", n, t.rows))
}

// Melt turns columns into rows: each row becomes one for each of the named columns, which hold values of one kind, with the column's
// name in the column name and its value in the column value. The other columns are repeated.
func (t Table) Melt(name, value string, columns ...string) Table {
	t, ok := t.ready("Melt", append([]any{name, value}, fault.Args(columns)...)...)
	if !ok {
		return t
	}
	places, err := t.finds(columns)
	if err == nil && len(places) == 0 {
		err = fmt.Errorf("no column is named; %s has %s", t.label(), list(t.names()))
	}
	if err != nil {
		return t.fail(err)
	}
	out := t.Drop(columns...)
	if len(places) == len(t.columns) {
		out, out.columns = t, nil
	}
	if out.Err() != nil {
		return out
	}
	idx := make([]int, 0, t.rows*len(places))
	names := column{name: name, kind: Nominal}
	filled := places[max(0, slices.IndexFunc(places, func(j int) bool { return t.columns[j].gaps() < t.rows }))]
	molten, parts := none(t.columns[filled], 0), []column(nil)
	for k, j := range places {
		c := t.columns[j]
		if names.words = append(names.words, c.name); c.gaps() == t.rows {
			c = none(t.columns[filled], t.rows)
		}
		if c.kind != molten.kind {
			return t.fail(fmt.Errorf("the columns %q and %q hold %v and %v, but values of one kind are needed", molten.name, c.name, molten.kind,
				c.kind))
		}
		parts = append(parts, c)
		for i := range t.rows {
			idx, names.codes = append(idx, i), append(names.codes, int32(k))
		}
	}
	out, molten = out.take(idx), appended(molten, parts...)
	molten.name, molten.unit = value, ""
	if slices.Contains(out.names(), name) || slices.Contains(out.names(), value) || name == value || name == "" || value == "" {
		return t.fail(fmt.Errorf("the new columns are called %q and %q, but need to have names that no other column has", name, value))
	}
	out.columns = append(out.columns, names.sorted(), molten)
	return out
}

// Pivot is the reverse of Melt: a row for each value of the column rows, a column for each value of the column columns, and in each cell a
// figure of the rows that have both, such as "mean(arr_delay)" or "count()" (see [Groups.Agg]). Where there is no such row, there is a gap.
func (t Table) Pivot(rows, columns, figure string) Table {
	t, ok := t.ready("Pivot", rows, columns, figure)
	if !ok {
		return t
	}
	long := t.GroupBy(rows, columns).Agg("figure of a cell = " + figure)
	if long.Err() != nil {
		return t.fail(long.Err())
	}
	row, heads, cells := long.columns[0], long.columns[1].worded(), long.columns[2]
	ids, n := long.numbered([]int{0}, false)
	first := make([]int, n)
	for i := long.rows - 1; i >= 0; i-- {
		first[ids[i]] = i
	}
	out := long
	out.rows, out.columns = n, []column{row.take(first).tight()}
	places, names := make([][]int, len(heads.words)), newNamer(row.name)
	for k := range places {
		places[k] = slices.Repeat([]int{-1}, n)
	}
	for i, k := range heads.codes {
		places[k][ids[i]] = i
	}
	for k, word := range heads.words {
		c := cells.take(places[k]).tight()
		c.name = names.free(word)
		out.columns = append(out.columns, c)
	}
	return out
}

// periods are what Resample takes.
var periods = []string{"year", "quarter", "month", "week", "day", "hour", "minute"}

// Resample groups the rows by the period in which their date lies: "year", "quarter", "month", "week" (from Monday on), "day", "hour" or
// "minute", in universal time. The groups have the date of their begin in that column.
func (t Table) Resample(date, period string) Groups {
	t, ok := t.ready("Resample", date, period)
	if !ok {
		return Groups{table: t}
	}
	j, err := t.of(Temporal, date)
	if err != nil {
		return Groups{table: t.fail(err)}
	}
	k, err := find("period", period, periods)
	if err != nil {
		return Groups{table: t.fail(err)}
	}
	c := t.columns[j]
	c.numbers = slices.Clone(c.numbers)
	for i, s := range c.numbers {
		if s != s {
			continue
		}
		d := moment(s)
		year, month, day := d.Date()
		switch k {
		case 0:
			d = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		case 1:
			d = time.Date(year, (month-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
		case 2:
			d = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		case 3:
			d = time.Date(year, month, day-int(d.Weekday()+6)%7, 0, 0, 0, 0, time.UTC)
		case 4:
			d = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		default:
			length := map[int]float64{5: 3600, 6: 60}[k]
			c.numbers[i] = math.Floor(s/length) * length
			continue
		}
		c.numbers[i] = float64(d.Unix())
	}
	return t.put(c).GroupBy(c.name)
}

// Window adds a column with a figure of the rows within a length of time up to the row's date, its own row among them: Window("week's
// mean", "mean(sales)", "day", 7*24*time.Hour). A row whose date is a gap has a gap. Figures are those of [Groups.Agg].
func (t Table) Window(name, figure, date string, length time.Duration) Table {
	t, ok := t.ready("Window", name, figure, date, length)
	if !ok {
		return t
	}
	j, err := t.of(Temporal, date)
	if err == nil && length <= 0 {
		err = fault.Argument("Window", "the length", length, "above 0", "7*24*time.Hour is a week")
	}
	if err == nil && name == "" {
		err = fault.Argument("Window", "the name", `""`, "a word", "")
	}
	if err != nil {
		return t.fail(err)
	}
	when := t.columns[j].numbers
	var by []int // the rows with a date, in its order
	for i, s := range when {
		if s == s {
			by = append(by, i)
		}
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(when[a], when[b]) })
	groups := make([][]int, t.rows)
	first, end := 0, 0
	for _, i := range by {
		for ; end < len(by) && when[by[end]] <= when[i]; end++ {
		}
		for ; when[by[first]] <= when[i]-length.Seconds(); first++ {
		}
		groups[i] = by[first:end]
	}
	v, err := t.figures(groups, Table{rows: t.rows}, figure)
	if err != nil {
		return t.fail(err)
	}
	idx := make([]int, t.rows)
	for i, s := range when {
		if idx[i] = i; s != s {
			idx[i] = -1
		}
	}
	return t.put(v.made(name).take(idx).tight())
}
