package fault

import (
	"fmt"
	"reflect"
	"strings"
)

// Short prints a value for a message as %v does, but a matrix or a long list as its shape and its corner: "200 x 3, [[5.1 3.5 1.4] [4.9 3
// 1.4] ...]".
func Short(v any) string {
	const few = 3 // rows and columns of the corner
	if m, ok := v.(interface {
		Dims() (r, c int)
		At(i, j int) float64
	}); ok && !(reflect.ValueOf(v).Kind() == reflect.Pointer && reflect.ValueOf(v).IsNil()) {
		r, c := m.Dims()
		var rows []string
		for i := range min(r, few) {
			var row []string
			for j := range min(c, few) {
				row = append(row, fmt.Sprint(m.At(i, j)))
			}
			rows = append(rows, list(row, c))
		}
		return fmt.Sprintf("%d x %d, %s", r, c, list(rows, r))
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice && r.Kind() != reflect.Array || r.Len() == 0 {
		return fmt.Sprint(v)
	}
	n, nested := r.Len(), r.Type().Elem().Kind() == reflect.Slice
	if text := fmt.Sprint(v); len(text) <= 80 || !nested && n <= 2*few {
		return text
	}
	most := 2 * few
	if nested {
		most = few
	}
	var parts []string
	for i := range min(n, most) {
		e := r.Index(i)
		if !nested {
			parts = append(parts, fmt.Sprint(e))
			continue
		}
		var row []string
		for j := range min(e.Len(), few) {
			row = append(row, fmt.Sprint(e.Index(j)))
		}
		parts = append(parts, list(row, e.Len()))
	}
	if nested {
		return fmt.Sprintf("%d x %d, %s", n, r.Index(0).Len(), list(parts, n))
	}
	return fmt.Sprintf("%s of %d", list(parts, n), n)
}

// list puts the first of n parts into brackets.
func list(parts []string, n int) string {
	if n > len(parts) {
		parts = append(parts, "...")
	}
	return "[" + strings.Join(parts, " ") + "]"
}
