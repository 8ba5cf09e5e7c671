package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// Select returns the named columns, in the order given.
func (t Table) Select(columns ...string) Table {
	t, ok := t.ready("Select", fault.Args(columns)...)
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
	chosen := make([]column, len(places))
	for i, j := range places {
		chosen[i] = t.columns[j]
	}
	t.columns = chosen
	return t
}

// Drop returns t without the named columns. Rows with gaps are left out by DropMissing.
func (t Table) Drop(columns ...string) Table {
	t, ok := t.ready("Drop", fault.Args(columns)...)
	if !ok {
		return t
	}
	places, err := t.finds(columns)
	if err == nil && len(places) == len(t.columns) {
		err = fmt.Errorf("no column would be left")
	}
	if err != nil {
		return t.fail(err)
	}
	var left []column
	for j, c := range t.columns {
		if !slices.Contains(places, j) {
			left = append(left, c)
		}
	}
	t.columns = left
	return t
}

// Rename gives a column another name.
func (t Table) Rename(column, name string) Table {
	t, ok := t.ready("Rename", column, name)
	if !ok {
		return t
	}
	j, err := t.find(column)
	if err == nil && (name == "" || slices.Contains(t.names(), name)) {
		err = fault.Argument("Rename", "the new name", strconv.Quote(name), "a word that no column has", "")
	}
	if err != nil {
		return t.fail(err)
	}
	t.columns = slices.Clone(t.columns)
	t.columns[j].name = name
	return t
}

// Unit says in what a column of numbers is measured: "mm".
func (t Table) Unit(column, unit string) Table {
	t, ok := t.ready("Unit", column, unit)
	if !ok {
		return t
	}
	j, err := t.of(Numeric, column)
	if err != nil {
		return t.fail(err)
	}
	t.columns = slices.Clone(t.columns)
	t.columns[j].unit = unit
	return t
}

// keep returns the rows that hold, and says how many were left out and why.
func (t Table) keep(holds func(i int) bool, why string) Table {
	var idx []int
	for i := range t.rows {
		if holds(i) {
			idx = append(idx, i)
		}
	}
	switch n := t.rows; len(idx) {
	case 0:
		return t.fail(fmt.Errorf("no row is left of %d", n))
	case n:
		return t
	default:
		return t.take(idx).said(fmt.Sprintf("%d of %d rows left out, %s", n-len(idx), n, why))
	}
}

// DropMissing leaves out the rows with a gap in one of the named columns, or in any column when none is named. How many they were stands in
// the source of the table.
func (t Table) DropMissing(columns ...string) Table {
	t, ok := t.ready("DropMissing", fault.Args(columns)...)
	if !ok {
		return t
	}
	where := "a column"
	if len(columns) == 0 {
		columns = t.names()
	} else {
		where = list(columns)
	}
	places, err := t.finds(columns)
	if err != nil {
		return t.fail(err)
	}
	return t.keep(func(i int) bool {
		return !slices.ContainsFunc(places, func(j int) bool { return t.columns[j].gap(i) })
	}, "with a gap in "+where)
}

// Where keeps the rows for which an expression of columns holds, Where("arr_delay > 15 and carrier == 'UA'"), as for [Table.Compute]; or,
// with words behind a column, the rows whose column has one of them, Where("island", "Dream", "Biscoe").
func (t Table) Where(column string, words ...string) Table {
	t, ok := t.ready("Where", append([]any{column}, fault.Args(words)...)...)
	if !ok {
		return t
	}
	if len(words) == 0 {
		return t.condition(column)
	}
	j, err := t.of(Nominal, column)
	if err != nil {
		return t.fail(err)
	}
	c, wanted := t.columns[j], map[int32]bool{}
	for _, w := range words {
		k, err := find("word", w, c.words)
		if err != nil {
			return t.fail(fmt.Errorf("in column %q %w", c.name, err))
		}
		wanted[int32(k)] = true
	}
	return t.keep(func(i int) bool { return wanted[c.codes[i]] }, "whose "+c.name+" is another")
}

// Between keeps the rows whose column of numbers is at least lo and at most hi; rows with a gap there are left out.
func (t Table) Between(column string, lo, hi float64) Table {
	t, ok := t.ready("Between", column, lo, hi)
	if !ok {
		return t
	}
	j, err := t.of(Numeric, column)
	if err != nil {
		return t.fail(err)
	}
	v := t.columns[j].numbers
	return t.keep(func(i int) bool { return v[i] >= lo && v[i] <= hi },
		fmt.Sprintf("whose %s is not within %v and %v", t.columns[j].name, lo, hi))
}

// Rows returns the rows with the given indices (from 0), in the order given; an index may occur again.
func (t Table) Rows(idx ...int) Table {
	t, ok := t.ready("Rows", fault.Args(idx)...)
	if !ok {
		return t
	}
	if len(idx) == 0 {
		return t.fail(fmt.Errorf("no row is named"))
	}
	for _, i := range idx {
		if i < 0 || i >= t.rows {
			return t.fail(fmt.Errorf("there is no row %d; the rows are 0 ... %d", i, t.rows-1))
		}
	}
	return t.take(idx)
}

// Bin replaces the numbers of a column by words for the intervals between ascending edges: Bin("age", 18, 65) makes "below 18", "18 to 65"
// and "65 and above". An edge belongs to the interval above it. A gap stays one.
func (t Table) Bin(column string, edges ...float64) Table {
	t, ok := t.ready("Bin", append([]any{column}, fault.Args(edges)...)...)
	if !ok {
		return t
	}
	j, err := t.of(Numeric, column)
	if err != nil {
		return t.fail(err)
	}
	for i, e := range edges {
		if e-e != 0 || i > 0 && e <= edges[i-1] {
			return t.fail(fault.Argument("Bin", fmt.Sprintf("edge %d", i+1), e, "a finite number above the edge before it", ""))
		}
	}
	if len(edges) == 0 {
		return t.fail(fault.Argument("Bin", "the edges", "none", "at least one number", ""))
	}
	c := t.columns[j]
	c.kind, c.numbers, c.codes, c.unit = Nominal, nil, make([]int32, t.rows), ""
	for k := range len(edges) + 1 {
		switch {
		case k == 0:
			c.words = append(c.words, "below "+cell.Digits(edges[0], 6))
		case k == len(edges):
			c.words = append(c.words, cell.Digits(edges[k-1], 6)+" and above")
		default:
			c.words = append(c.words, cell.Digits(edges[k-1], 6)+" to "+cell.Digits(edges[k], 6))
		}
	}
	if twice := duplicate(c.words); twice != "" {
		return t.fail(
			fault.Argument("Bin", "the edges", fmt.Sprintf("so near that two intervals are called %q", twice), "further apart", ""),
		)
	}
	for i, v := range t.columns[j].numbers {
		switch at, exact := slices.BinarySearch(edges, v); {
		case v != v:
			c.codes[i] = -1
		case exact:
			c.codes[i] = int32(at + 1)
		default:
			c.codes[i] = int32(at)
		}
	}
	return t.put(c)
}

// Interact adds a column of two that act together: the product of numbers, or the pair of words, called "a × b". A gap in one of the two is
// a gap in the column.
func (t Table) Interact(a, b string) Table {
	t, ok := t.ready("Interact", a, b)
	if !ok {
		return t
	}
	places, err := t.finds([]string{a, b})
	if err != nil {
		return t.fail(err)
	}
	u, v := t.columns[places[0]], t.columns[places[1]]
	c := column{name: u.name + " × " + v.name, kind: u.kind}
	if slices.Contains(t.names(), c.name) {
		return t.fail(fmt.Errorf("there is a column %q already", c.name))
	}
	switch {
	case u.kind == Numeric && v.kind == Numeric:
		c.numbers = make([]float64, t.rows)
		for i := range c.numbers {
			c.numbers[i] = u.numbers[i] * v.numbers[i]
			if math.IsInf(c.numbers[i], 0) {
				return t.fail(fmt.Errorf("the product of row %d, %v x %v, is too large a number", i, u.numbers[i], v.numbers[i]))
			}
		}
		if u.unit != "" && v.unit != "" {
			c.unit = u.unit + "·" + v.unit
		}
	case u.kind == Nominal && v.kind == Nominal:
		pairs := make([]string, t.rows)
		for i := range pairs {
			if !u.gap(i) && !v.gap(i) {
				pairs[i] = u.text(i) + ", " + v.text(i)
			}
		}
		c.codes, c.words = coded(pairs)
	default:
		return t.fail(fmt.Errorf("the column %q holds %v and %q holds %v; only numbers act with numbers and words with words",
			u.name, u.kind, v.name, v.kind))
	}
	return t.put(c)
}

// AsWords says that the numbers of columns are names of things, such as 1, 2 and 3 for a class on board.
func (t Table) AsWords(columns ...string) Table {
	t, ok := t.ready("AsWords", fault.Args(columns)...)
	if !ok {
		return t
	}
	places, err := t.finds(columns)
	if err != nil {
		return t.fail(err)
	}
	for _, j := range places {
		t = t.put(t.columns[j].worded())
	}
	return t
}

// Groups are the rows of a table by the values of columns.
type Groups struct {
	table   Table
	by      []int
	rows    [][]int // of each group, in the order of the first column's values, then of the second's
	without int     // rows with a gap in by
}

// GroupBy parts the rows by the values of columns, of numbers, words or dates. Rows with a gap there are in no group; the tables that are
// made of the groups say how many.
func (t Table) GroupBy(columns ...string) Groups {
	t, ok := t.ready("GroupBy", fault.Args(columns)...)
	if !ok {
		return Groups{table: t}
	}
	places, err := t.finds(columns)
	if err == nil && len(places) == 0 {
		err = fmt.Errorf("no column is named; %s has %s", t.label(), list(t.names()))
	}
	if err != nil {
		return Groups{table: t.fail(err)}
	}
	g := Groups{table: t, by: places}
	ids, n := t.numbered(places, false)
	g.rows = make([][]int, n)
	for i, id := range ids {
		if id < 0 {
			g.without++
		} else {
			g.rows[id] = append(g.rows[id], i)
		}
	}
	if len(g.rows) == 0 {
		g.table = t.fail(fmt.Errorf("every row has a gap in %s", list(columns)))
		return g
	}
	slices.SortFunc(g.rows, func(a, b []int) int {
		for _, j := range places {
			if order := t.columns[j].compare(a[0], b[0]); order != 0 {
				return order
			}
		}
		return 0
	})
	return g
}

// compare orders two entries that are no gaps: numbers and dates by size, words by their numbers.
func (c column) compare(i, k int) int {
	if c.kind == Nominal {
		return int(c.codes[i] - c.codes[k])
	}
	switch a, b := c.numbers[i], c.numbers[k]; {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// begin is the table of the groups' values, to which columns are added.
func (g Groups) begin(step string, columns []string) (Table, []int) {
	t, ok := g.table.ready(step, fault.Args(columns)...)
	if !ok {
		return t, nil
	}
	first := make([]int, len(g.rows))
	for k, rows := range g.rows {
		first[k] = rows[0]
	}
	places, err := t.finds(columns)
	if err != nil {
		return t.fail(err), nil
	}
	out := t.take(first)
	out.columns = nil
	for _, j := range g.by {
		out.columns = append(out.columns, t.columns[j].take(first).tight())
	}
	out = out.said(fmt.Sprintf("%d rows in %s", t.rows-g.without, count(len(g.rows), "group")))
	if g.without > 0 {
		out = out.said(fmt.Sprintf("%s with a gap in %s left out", count(g.without, "row"), list(g.names())))
	}
	return out, places
}

func (g Groups) names() []string {
	names := make([]string, len(g.by))
	for i, j := range g.by {
		names[i] = g.table.columns[j].name
	}
	return names
}

// Columns returns the names of the columns of the table.
func (g Groups) Columns() []string { return g.table.Columns() }

// Err returns the first error of the chain, or nil.
func (g Groups) Err() error { return g.table.Err() }

// Counts returns a table of the groups with the number of rows of each.
func (g Groups) Counts() Table {
	out, _ := g.begin("Counts", nil)
	if out.Err() != nil {
		return out
	}
	return g.counted(out)
}

// counted adds the number of rows of each group.
func (g Groups) counted(out Table) Table {
	rows := make([]float64, len(g.rows))
	for k := range rows {
		rows[k] = float64(len(g.rows[k]))
	}
	return out.put(column{name: free("rows", out.names()), numbers: rows})
}

// Means returns a table of the groups with their number of rows and the mean of each named column of numbers, or of all such columns when
// none is named. Gaps do not count; a group with nothing but gaps has a gap.
func (g Groups) Means(columns ...string) Table {
	if len(columns) == 0 {
		for j, c := range g.table.columns {
			if c.kind == Numeric && !slices.Contains(g.by, j) {
				columns = append(columns, c.name)
			}
		}
	}
	return g.each("Means", columns, func(v []float64) float64 {
		mean := 0.0
		for i, x := range v {
			mean += (x - mean) / float64(i+1)
		}
		return mean
	})
}

// Medians is Means with the median in place of the mean.
func (g Groups) Medians(columns ...string) Table {
	return g.each("Medians", columns, func(v []float64) float64 {
		slices.Sort(v)
		return quantile(v, 0.5)
	})
}

func (g Groups) each(step string, columns []string, of func([]float64) float64) Table {
	out, places := g.begin(step, columns)
	if out.Err() != nil {
		return out
	}
	out = g.counted(out)
	names := newNamer(out.names()...)
	for _, j := range places {
		c := g.table.columns[j]
		if c.kind != Numeric {
			return out.fail(fmt.Errorf("the column %q holds %v, but numbers are needed", c.name, c.kind))
		}
		values := make([]float64, len(g.rows))
		for k, rows := range g.rows {
			var v []float64
			for _, i := range rows {
				if !c.gap(i) {
					v = append(v, c.numbers[i])
				}
			}
			if values[k] = math.NaN(); len(v) > 0 {
				values[k] = of(v)
			}
		}
		out = out.put(column{name: names.free(c.name), unit: c.unit, numbers: values})
	}
	return out
}

// Show displays the number of rows of each group.
func (g Groups) Show() { g.Counts().Show() }
