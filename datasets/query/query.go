// Package query makes tables of what a database answers. It is a package of its own, so that no cell carries database/sql unasked; the
// driver is the program's own choice:
//
//	db, err := sql.Open("sqlite", "birds.db")
//	birds := query.Rows(ctx, db, "select species, mass from birds where year = ?", 2009)
package query

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/prlab/prlab/datasets"
)

// A Source answers queries: a *sql.DB, *sql.Conn or *sql.Tx.
type Source interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// most is how many values are read at most, as for files.
const most = 64 << 20

// Rows returns the answer to a query as a table: columns of numbers, of words (texts, and the words yes and no for truth values) and of
// dates, with NULL as a gap. What a column holds follows from its values; a column of both numbers and texts holds words. Errors, which
// break the table: those of the database, two columns of one name, no rows, more than 64 million values.
func Rows(ctx context.Context, from Source, query string, args ...any) datasets.Table {
	t, err := read(ctx, from, query, args)
	if err != nil {
		return datasets.BrokenTable("query", err)
	}
	return t
}

func read(ctx context.Context, from Source, query string, args []any) (datasets.Table, error) {
	var none datasets.Table
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return none, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return none, err
	}
	columns := make([][]any, len(names))
	row, at := make([]any, len(names)), make([]any, len(names))
	for j := range row {
		at[j] = &row[j]
	}
	n := 0
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return none, err
		}
		if n++; n*len(names) > most {
			return none, fmt.Errorf("the answer has more than %d million values; select fewer rows", most>>20)
		}
		for j, v := range row {
			if b, ok := v.([]byte); ok {
				v = string(b) // the driver keeps the bytes
			}
			columns[j] = append(columns[j], v)
		}
	}
	if err := rows.Err(); err != nil {
		return none, err
	}
	if n == 0 {
		return none, fmt.Errorf("the answer to %q has no rows", query)
	}
	t := datasets.NewTable("query")
	t.Source = query
	seen := map[string]bool{}
	for j, name := range names {
		if seen[name] {
			return none, fmt.Errorf("two columns of the answer are called %q; name one with AS", name)
		}
		seen[name] = true
		t = t.With(name, values(columns[j]))
	}
	return t, t.Err()
}

// values returns a column as numbers or dates when all of it are, and as words otherwise, as are whole numbers that float64 would round.
func values(column []any) any {
	numbers, times, words := make([]float64, len(column)), make([]time.Time, len(column)), make([]string, len(column))
	isNumber, isTime, long, fraction := true, true, false, false
	for i, v := range column {
		numbers[i] = math.NaN()
		switch v := v.(type) {
		case nil:
		case int64:
			numbers[i], words[i], isTime = float64(v), strconv.FormatInt(v, 10), false
			long = long || v >= 1<<53 || v <= -1<<53
		case float64:
			numbers[i], words[i], isTime = v, strconv.FormatFloat(v, 'f', -1, 64), false
			fraction = true
		case time.Time:
			times[i], words[i], isNumber = v, v.Format(time.RFC3339), false
		case bool:
			words[i], isNumber, isTime = map[bool]string{true: "yes", false: "no"}[v], false, false
		default:
			words[i], isNumber, isTime = fmt.Sprint(v), false, false
		}
	}
	switch {
	case isNumber && (!long || fraction):
		return numbers
	case isTime:
		return times
	}
	return words
}
