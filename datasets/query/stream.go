package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// Columns say what the columns of an answer are. All others are features, and have to hold numbers or truth values.
type Columns struct {
	Label   string   // the column of the classes; "" for none
	Target  string   // or that of a numeric target
	Skip    []string // are left out
	Classes []string // the classes in the order of their numbers; nil asks the query once before to find them
}

// Stream returns the answer to a query as rows that are read in batches, so that memory holds one of them. The query is asked again for
// each pass, and a pass that goes on in the middle passes over the rows before: give the query an order by a key.
//
// Errors, which may come in the middle: those of the database; a column that there is not; NULL; words where numbers belong; a label that
// Classes lacks.
func Stream(ctx context.Context, from Source, c Columns, query string, args ...any) (*datasets.Rows, error) {
	r := &datasets.Rows{Name: "query", Identity: fmt.Sprint(query, args), ClassNames: c.Classes, TargetName: c.Target}
	if c.Label != "" && c.Target != "" {
		return nil, fmt.Errorf("query.Stream: both Label and Target are given; a row has one of them")
	}
	seen := map[string]bool{}
	find := c.Label != "" && c.Classes == nil
	err := each(ctx, from, c, query, args, func(names []string, _ []float64, label string, _ float64) (bool, error) {
		r.FeatureNames = names
		if seen[label] = true; len(seen) > 10_000 {
			return false, fmt.Errorf("query.Stream: the column %q has more than 10000 different values, which do not look like classes", c.Label)
		}
		return find, nil
	})
	switch {
	case err != nil:
		return nil, err
	case r.FeatureNames == nil:
		return nil, fmt.Errorf("the answer to %q has no rows", query)
	case find:
		r.ClassNames = sorted(seen)
	}
	number := map[string]int{}
	for k, name := range r.ClassNames {
		number[name] = k
	}
	r.Read = func(ctx context.Context, start datasets.Position, size int, use func(*datasets.Batch) bool) error {
		d, row := len(r.FeatureNames), 0
		b := &datasets.Batch{}
		values := make([]float64, 0, size*d)
		going := true
		flush := func() {
			b.X, b.Next = mat.NewDense(len(values)/d, d, values), datasets.Position{Rows: row}
			going = use(b)
			values, b.Y, b.Target = values[:0], b.Y[:0], b.Target[:0]
		}
		err := each(ctx, from, c, query, args, func(_ []string, x []float64, label string, target float64) (bool, error) {
			if row++; row <= start.Rows {
				return true, nil
			}
			if values = append(values, x...); c.Target != "" {
				b.Target = append(b.Target, target)
			}
			if c.Label != "" {
				k, known := number[label]
				if !known {
					return false, fmt.Errorf("query.Stream: row %d: the label %q is none of the %d classes", row, label, len(number))
				}
				b.Y = append(b.Y, k)
			}
			if len(values) == size*d {
				flush()
			}
			return going, nil
		})
		if err == nil && going && len(values) > 0 {
			flush()
		}
		return err
	}
	return r, nil
}

// sorted returns whole numbers in numeric order and words in alphabetic order, as files have them.
func sorted(seen map[string]bool) []string {
	names, numeric := make([]string, 0, len(seen)), true
	for name := range seen {
		names = append(names, name)
		if _, err := strconv.ParseFloat(name, 64); err != nil {
			numeric = false
		}
	}
	slices.Sort(names)
	if numeric {
		slices.SortStableFunc(names, func(a, b string) int {
			u, _ := strconv.ParseFloat(a, 64)
			v, _ := strconv.ParseFloat(b, 64)
			switch {
			case u < v:
				return -1
			case u > v:
				return 1
			}
			return 0
		})
	}
	return names
}

// each calls use with the features, the label and the target of each row until it returns false.
func each(
	ctx context.Context, from Source, c Columns, query string, args []any,
	use func(names []string, x []float64, label string, target float64) (bool, error),
) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	var names []string
	for _, name := range append([]string{c.Label, c.Target}, c.Skip...) {
		if name != "" && !slices.Contains(columns, name) {
			return fmt.Errorf("query.Stream: there is no column %q; the answer has %q", name, columns)
		}
	}
	feature := make([]bool, len(columns))
	for j, name := range columns {
		if feature[j] = name != c.Label && name != c.Target && !slices.Contains(c.Skip, name); feature[j] {
			names = append(names, name)
		}
	}
	if names == nil {
		return fmt.Errorf("query.Stream: no column is left to be a feature")
	}
	row, at := make([]any, len(columns)), make([]any, len(columns))
	for j := range row {
		at[j] = &row[j]
	}
	x := make([]float64, 0, len(names))
	for n := 1; rows.Next(); n++ {
		if err := rows.Scan(at...); err != nil {
			return err
		}
		x = x[:0]
		label, target := "", 0.0
		for j, v := range row {
			if feature[j] || columns[j] == c.Target && c.Target != "" {
				number, err := number(v)
				if err != nil {
					return fmt.Errorf("query.Stream: row %d, column %q: %w", n, columns[j], err)
				}
				if feature[j] {
					x = append(x, number)
				} else {
					target = number
				}
			} else if columns[j] == c.Label && c.Label != "" {
				if v == nil {
					return fmt.Errorf("query.Stream: row %d, column %q: the label is NULL; leave such rows out with WHERE", n, columns[j])
				}
				label = word(v)
			}
		}
		if going, err := use(names, x, label, target); err != nil || !going {
			return err
		}
	}
	return rows.Err()
}

func number(v any) (float64, error) {
	switch v := v.(type) {
	case int64:
		if v >= 1<<53 || v <= -1<<53 {
			return 0, fmt.Errorf("%d is beyond 2^53 and would be rounded; name the column in Skip, or CAST it", v)
		}
		return float64(v), nil
	case float64:
		if v-v != 0 {
			return 0, fmt.Errorf("%v is not a finite number", v)
		}
		return v, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case nil:
		return 0, fmt.Errorf("the value is NULL; fill it in, or leave such rows out with WHERE")
	}
	return 0, fmt.Errorf("%q is not a number; CAST it, or name the column in Skip", word(v))
}

func word(v any) string {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return fmt.Sprint(v)
}
