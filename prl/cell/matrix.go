package cell

import (
	"fmt"
	"strconv"
)

// A table of a matrix has at most this many rows and columns; of more it shows the first headEnd and the last tailEnd.
const (
	mostLines = 12
	headEnd   = 8
	tailEnd   = 3
)

// MatrixTable returns the table of an r x c matrix, with a name before each row and above each column: the given ones, or the indices
// from 0 for nil. Of more than 12 rows or columns the first 8 and the last 3 are shown, and the title says how many there are. It fails
// when the names are fewer or more than the rows or columns.
func MatrixTable(r, c int, at func(i, j int) float64, rows, columns []string) Table {
	for _, names := range []struct {
		of   string
		n    int
		list []string
	}{{"rows", r, rows}, {"columns", c, columns}} {
		if names.list != nil && len(names.list) != names.n {
			return BrokenTable(fmt.Errorf("prl.Matrix: %d names, but the matrix has %d %s", len(names.list), names.n, names.of))
		}
	}
	name := func(names []string, i int) string {
		if names != nil {
			return names[i]
		}
		return strconv.Itoa(i)
	}
	shownRows, shownColumns := Ends(r), Ends(c)
	heads := []string{""}
	for _, j := range shownColumns {
		if j < 0 {
			heads = append(heads, "…")
		} else {
			heads = append(heads, name(columns, j))
		}
	}
	t := NewTable(heads...)
	for _, i := range shownRows {
		line := make([]any, 0, len(heads))
		if i < 0 {
			line = append(line, "⋮")
		} else {
			line = append(line, name(rows, i))
		}
		for _, j := range shownColumns {
			switch {
			case i < 0 && j < 0:
				line = append(line, "⋱")
			case i < 0:
				line = append(line, "⋮")
			case j < 0:
				line = append(line, "…")
			default:
				line = append(line, at(i, j))
			}
		}
		t = t.Row(line...)
	}
	return t.Title(fmt.Sprintf("%d x %d", r, c))
}

// Ends are the indices that are shown of n lines: all of 12, or the first 8 and the last 3 with -1 for those between.
func Ends(n int) []int {
	var list []int
	for i := range n {
		switch {
		case n <= mostLines || i < headEnd || i >= n-tailEnd:
			list = append(list, i)
		case i == headEnd:
			list = append(list, -1)
		}
	}
	return list
}

// showers know kinds of values that this package does not.
var showers []func(v any) (Bundle, bool)

// Shows adds a kind of value to what prl.Show can show. Packages that draw charts of other libraries call it when a program begins.
func Shows(show func(v any) (b Bundle, known bool)) { showers = append(showers, show) }

// Showers are the functions that were given to Shows.
func Showers() []func(v any) (b Bundle, known bool) { return showers }
