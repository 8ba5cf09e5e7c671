package bayes

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/fault"
)

// A LossTable holds the loss of taking action i (row) when class j (column) is true. A reward is a negative loss.
type LossTable [][]float64

// NewLoss returns the table with the given rows, one action each. It fails when the rows differ in length or hold a NaN or an infinity.
func NewLoss(rows ...[]float64) (LossTable, error) {
	l := LossTable(rows)
	if err := l.check("bayes.NewLoss", 0); err != nil {
		return nil, err
	}
	return l, nil
}

// ZeroOne returns the K x K table of the zero-one loss: nothing for the right class, one for every other. Below one class the table is
// empty, which every function that takes a table refuses.
func ZeroOne(classes int) LossTable {
	l := make(LossTable, max(classes, 0))
	for i := range l {
		l[i] = make([]float64, classes)
		for j := range l[i] {
			if i != j {
				l[i][j] = 1
			}
		}
	}
	return l
}

// Reject returns the (K+1) x K table of the zero-one loss with a last action, to reject, that costs the same whatever is true (Chow, 1970).
// Rejecting is of use for a cost below 1 - 1/K.
func Reject(classes int, cost float64) LossTable {
	row := make([]float64, max(classes, 0))
	for j := range row {
		row[j] = cost
	}
	return append(ZeroOne(classes), row)
}

// Actions returns A, the number of rows.
func (l LossTable) Actions() int { return len(l) }

// Classes returns K, the number of columns.
func (l LossTable) Classes() int {
	if len(l) == 0 {
		return 0
	}
	return len(l[0])
}

// check reports an unusable table; classes is the number of columns needed, 0 for any.
func (l LossTable) check(function string, classes int) error {
	return checkTable(function, "loss", "a table with one action a row and one class a column", l, classes)
}

// checkTable reports a table that is empty, ragged or not finite, or has not so many columns; 0 for any.
func checkTable(function, name, need string, rows [][]float64, classes int) error {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return fault.Argument(function, name, "empty", need, "")
	}
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fault.Argument(
				function,
				fmt.Sprintf("%s, row %d", name, i),
				fmt.Sprintf("%d numbers", len(row)),
				fmt.Sprintf("%d numbers like row 0", len(rows[0])),
				"",
			)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fault.Argument(function, fmt.Sprintf("%s[%d, %d]", name, i, j), v, "a finite number", "")
			}
		}
	}
	if classes > 0 && len(rows[0]) != classes {
		return fault.Argument(
			function,
			name,
			fmt.Sprintf("%d x %d", len(rows), len(rows[0])),
			fmt.Sprintf("a table with %d columns, one for each class", classes),
			"",
		)
	}
	return nil
}
