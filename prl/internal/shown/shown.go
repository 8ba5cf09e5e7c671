//go:build !js

// Package shown writes values that have neither Show nor String below a cell.
package shown

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cell"
)

// As is what stands below a cell for a value that has neither Show nor String: matrices, structs, maps and slices of structs as tables,
// of which large ones are shortened, and images; known is false for what is best written on a line.
func As(v any) (b cell.Bundle, known bool) {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return cell.Bundle{Text: "nil, a " + r.Type().String() + " that points at nothing"}, true
	}
	for _, show := range cell.Showers() {
		if b, known := show(v); known {
			return b, true
		}
	}
	switch v := v.(type) {
	case mat.Vector:
		t := cell.MatrixTable(1, v.Len(), func(_, j int) float64 { return v.AtVec(j) }, []string{""}, nil)
		return tableBundle(t.Title(strconv.Itoa(v.Len()) + " entries")), true
	case mat.Matrix:
		r, c := v.Dims()
		return tableBundle(cell.MatrixTable(r, c, v.At, nil, nil)), true
	case image.Image:
		return picture(v)
	case fmt.Stringer, error:
		return cell.Bundle{}, false
	}
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	if r.Kind() == reflect.Pointer {
		return cell.Bundle{}, false
	}
	switch library, _, _ := strings.Cut(strings.TrimPrefix(r.Type().PkgPath(), "github.com/"), "/charts"); {
	case strings.HasPrefix(library, "go-echarts/"):
		return cell.Bundle{Text: `a chart of go-echarts: import _ "github.com/prlab/prlab/plotting/echartsx" and it is drawn`}, true
	case r.Type().PkgPath() == "gonum.org/v1/plot":
		return cell.Bundle{Text: `a plot of gonum: import _ "github.com/prlab/prlab/plotting/gonumx" and it is drawn`}, true
	}
	switch r.Kind() {
	case reflect.Struct:
		return structTable(r)
	case reflect.Map:
		return mapTable(r), true
	case reflect.Slice, reflect.Array:
		return sliceTable(r)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return cell.Bundle{Text: "a " + r.Type().String()}, true
	}
	return cell.Bundle{}, false
}

func tableBundle(t cell.Table) cell.Bundle { return cell.Bundle{HTML: t.HTML(), Text: t.String()} }

// picture is an image; a small one is enlarged, so that its pixels can be seen.
func picture(m image.Image) (cell.Bundle, bool) {
	size := m.Bounds().Size()
	text := fmt.Sprintf("an image of %d x %d pixels", size.X, size.Y)
	var b bytes.Buffer
	if size.X < 1 || size.Y < 1 || png.Encode(&b, m) != nil {
		return cell.Bundle{Text: text}, true
	}
	times := max(1, 256/max(size.X, size.Y))
	style := "max-width:100%"
	if times > 1 {
		style += ";image-rendering:pixelated"
	}
	return cell.Bundle{
		HTML: fmt.Sprintf(
			`<img alt="%s" width="%d" style="%s" src="data:image/png;base64,%s">`,
			text, times*size.X, style, base64.StdEncoding.EncodeToString(b.Bytes()),
		),
		Text: text,
	}, true
}

func structTable(r reflect.Value) (cell.Bundle, bool) {
	t := cell.NewTable("field", "value").Title(r.Type().String())
	for _, f := range reflect.VisibleFields(r.Type()) {
		if f.IsExported() && !f.Anonymous {
			if at, err := r.FieldByIndexErr(f.Index); err == nil {
				t = t.Row(f.Name, entry(at))
			}
		}
	}
	if t.Len() == 0 {
		return cell.Bundle{Text: "a " + r.Type().String() + ", whose fields are its own"}, true
	}
	return tableBundle(t.Digits(6)), true
}

func mapTable(r reflect.Value) cell.Bundle {
	keys := r.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		case a.CanFloat():
			return cmp.Compare(a.Float(), b.Float())
		}
		return cmp.Compare(cell.Value(a.Interface(), 17), cell.Value(b.Interface(), 17))
	})
	t := cell.NewTable("key", "value").Title(fmt.Sprintf("%s, %d keys", r.Type(), len(keys)))
	for _, i := range cell.Ends(len(keys)) {
		if i < 0 {
			t = t.Row("⋮", "⋮")
		} else {
			t = t.Row(entry(keys[i]), entry(r.MapIndex(keys[i])))
		}
	}
	return tableBundle(t.Digits(6))
}

func sliceTable(r reflect.Value) (cell.Bundle, bool) {
	n, of := r.Len(), r.Type().Elem()
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	_, says := reflect.Zero(of).Interface().(fmt.Stringer)
	switch {
	case n == 0:
		return cell.Bundle{Text: "an empty " + r.Type().String()}, true
	case (of.Kind() == reflect.Slice || of.Kind() == reflect.Array) && of.Elem().Kind() == reflect.Float64:
		return tableBundle(rowsTable(r)), true
	case of.Kind() == reflect.Struct && !says:
		var fields []reflect.StructField
		heads := []string{""}
		for _, f := range reflect.VisibleFields(of) {
			if f.IsExported() && !f.Anonymous {
				fields, heads = append(fields, f), append(heads, f.Name)
			}
		}
		if len(fields) == 0 {
			return cell.Bundle{Text: fmt.Sprintf("%d of %s, whose fields are their own", n, of)}, true
		}
		t := cell.NewTable(heads...).Title(fmt.Sprintf("%s, %d rows", r.Type(), n))
		for _, i := range cell.Ends(n) {
			line := make([]any, len(heads))
			line[0] = "⋮"
			for k := range fields {
				line[k+1] = "⋮"
			}
			if i >= 0 {
				line[0] = strconv.Itoa(i)
				for k, f := range fields {
					line[k+1] = ""
					if row := reflect.Indirect(r.Index(i)); row.IsValid() {
						if at, err := row.FieldByIndexErr(f.Index); err == nil {
							line[k+1] = entry(at)
						}
					}
				}
			}
			t = t.Row(line...)
		}
		return tableBundle(t), true
	case n > 20:
		parts := make([]string, 0, 12)
		for _, i := range cell.Ends(n) {
			if i < 0 {
				parts = append(parts, "…")
			} else {
				parts = append(parts, cell.Value(r.Index(i).Interface(), 6))
			}
		}
		return cell.Bundle{Text: fmt.Sprintf("(%s): %d values", strings.Join(parts, ", "), n)}, true
	}
	return cell.Bundle{}, false
}

// rowsTable is the table of rows of numbers, which may differ in length.
func rowsTable(r reflect.Value) cell.Table {
	widest := 0
	for i := range r.Len() {
		widest = max(widest, r.Index(i).Len())
	}
	ragged := false
	for i := range r.Len() {
		ragged = ragged || r.Index(i).Len() != widest
	}
	if !ragged {
		return cell.MatrixTable(r.Len(), widest, func(i, j int) float64 { return r.Index(i).Index(j).Float() }, nil, nil)
	}
	t := cell.NewTable("", "values").Title(fmt.Sprintf("%d rows of different lengths", r.Len()))
	for _, i := range cell.Ends(r.Len()) {
		if i < 0 {
			t = t.Row("⋮", "⋮")
		} else {
			t = t.Row(strconv.Itoa(i), entry(r.Index(i)))
		}
	}
	return t
}

// entry is a value as it stands in a table: numbers and words as they are, what is itself a table in short.
func entry(r reflect.Value) any {
	if !r.CanInterface() {
		return ""
	}
	v := r.Interface()
	if m, ok := v.(mat.Matrix); ok && m != nil && !(r.Kind() == reflect.Pointer && r.IsNil()) {
		rows, columns := m.Dims()
		return fmt.Sprintf("a %d x %d matrix", rows, columns)
	}
	if b, known := As(v); known && r.IsValid() {
		if b.HTML == "" {
			return b.Text
		}
		return "a " + r.Type().String()
	}
	return v
}
