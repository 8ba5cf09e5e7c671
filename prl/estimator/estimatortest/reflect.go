package estimatortest

import (
	"encoding"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"runtime/debug"
	"strings"

	"gonum.org/v1/gonum/mat"
)

var (
	matrixType = reflect.TypeFor[mat.Matrix]()
	wordType   = reflect.TypeFor[[]int]()
	errorType  = reflect.TypeFor[error]()
)

// A panicError is a panic as an error.
type panicError struct {
	value any
	place string
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v (%s)", e.value, e.place) }

// catch runs f and returns its panic, if any.
func catch(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			place := ""
			for line := range strings.SplitSeq(string(debug.Stack()), "\n") {
				if i := strings.Index(line, "/prl/"); i >= 0 && !strings.Contains(line, "/estimatortest/") && strings.HasPrefix(line, "\t") {
					place, _, _ = strings.Cut(line[i+1:], " ")
					break
				}
			}
			err = &panicError{v, place}
		}
	}()
	f()
	return nil
}

// queries returns the names of the exported methods that take one batch of rows, or one sequence, and may fail.
func queries(model any, f form) []string {
	argument := matrixType
	if f == symbols {
		argument = wordType
	}
	var names []string
	t := reflect.TypeOf(model)
	for i := range t.NumMethod() {
		m := t.Method(i).Type
		if m.NumIn() == 2 && m.In(1) == argument && m.NumOut() > 1 && m.Out(m.NumOut()-1) == errorType {
			names = append(names, t.Method(i).Name)
		}
	}
	return names
}

// getters returns the names of the exported methods without arguments that have a result.
func getters(model any) []string {
	var names []string
	t := reflect.TypeOf(model)
	for i := range t.NumMethod() {
		if m := t.Method(i).Type; m.NumIn() == 1 && m.NumOut() > 0 {
			names = append(names, t.Method(i).Name)
		}
	}
	return names
}

// call calls a method and splits off its error.
func call(model any, method string, arguments ...reflect.Value) (results []reflect.Value, err error) {
	m := reflect.ValueOf(model).MethodByName(method)
	caught := catch(func() {
		if m.Type().IsVariadic() {
			results = m.CallSlice(arguments)
		} else {
			results = m.Call(arguments)
		}
	})
	if caught != nil {
		return nil, caught
	}
	if n := len(results); n > 0 && m.Type().Out(n-1) == errorType {
		err, _ = results[n-1].Interface().(error)
		results = results[:n-1]
	}
	return results, err
}

// matrixValue wraps X, which may be nil, as an argument.
func matrixValue(X mat.Matrix) reflect.Value {
	v := reflect.New(matrixType).Elem()
	if X != nil {
		v.Set(reflect.ValueOf(X))
	}
	return v
}

// parts calls visit with all numbers, strings and truth values that can be reached from v through slices, exported fields, pointers and the
// data of matrices.
func parts(v reflect.Value, visit func(reflect.Value)) { walk(v, 0, visit) }

func walk(v reflect.Value, depth int, visit func(reflect.Value)) {
	if depth > 8 || !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), depth+1, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), depth+1, visit)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || !v.CanInterface() {
			return
		}
		switch m := v.Interface().(type) {
		case *mat.Dense:
			raw := m.RawMatrix()
			for i := range raw.Rows {
				walk(reflect.ValueOf(raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols]), depth+1, visit)
			}
		case *mat.SymDense:
			raw := m.RawSymmetric()
			for i := range raw.N {
				walk(reflect.ValueOf(raw.Data[i*raw.Stride+i:i*raw.Stride+raw.N]), depth+1, visit)
			}
		case *mat.VecDense:
			walk(reflect.ValueOf(m.RawVector().Data), depth+1, visit)
		case *mat.TriDense:
			walk(reflect.ValueOf(m.RawTriangular().Data), depth+1, visit)
		default:
			walk(v.Elem(), depth+1, visit)
		}
	case reflect.Float64,
		reflect.Float32,
		reflect.Int,
		reflect.Int32,
		reflect.Int64,
		reflect.Uint8,
		reflect.Uint64,
		reflect.Bool,
		reflect.String:
		visit(v)
	}
}

// flat returns all parts of the values as numbers.
func flat(values ...reflect.Value) []float64 {
	var out []float64
	for _, v := range values {
		parts(v, func(p reflect.Value) {
			switch {
			case p.CanFloat():
				out = append(out, p.Float())
			case p.CanInt():
				out = append(out, float64(p.Int()))
			case p.CanUint():
				out = append(out, float64(p.Uint()))
			case p.Kind() == reflect.Bool && p.Bool():
				out = append(out, 1)
			case p.Kind() == reflect.Bool:
				out = append(out, 0)
			case p.Kind() == reflect.String:
				h := fnv.New32a()
				h.Write([]byte(p.String()))
				out = append(out, float64(h.Sum32()))
			}
		})
	}
	return out
}

// scribble overwrites all parts of the values that can be overwritten.
func scribble(values ...reflect.Value) {
	for _, v := range values {
		parts(v, func(p reflect.Value) {
			if !p.CanSet() {
				return
			}
			switch {
			case p.CanFloat():
				p.SetFloat(123 - 7*p.Float())
			case p.CanInt():
				p.SetInt(p.Int() + 1)
			case p.CanUint():
				p.SetUint(p.Uint() ^ 1)
			case p.Kind() == reflect.Bool:
				p.SetBool(!p.Bool())
			case p.Kind() == reflect.String:
				p.SetString("scribbled")
			}
		})
	}
}

// copyOf returns v with slices of its own.
func copyOf(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copyOf(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copyOf(v.Field(i)))
			}
		}
	}
	return out
}

// sameBits compares numbers, NaN being equal to itself.
func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// encode returns the bytes of a model, or nil when it cannot be stored.
func encode(model any) ([]byte, error) {
	m, ok := model.(encoding.BinaryMarshaler)
	if !ok {
		return nil, nil
	}
	var data []byte
	var err error
	if caught := catch(func() { data, err = m.MarshalBinary() }); caught != nil {
		return nil, caught
	}
	if err != nil {
		return nil, fmt.Errorf("MarshalBinary: %w", err)
	}
	return data, nil
}

// absent reports whether a model is nil or a nil pointer.
func absent(model any) bool {
	if model == nil {
		return true
	}
	v := reflect.ValueOf(model)
	return v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() != reflect.Pointer && v.IsZero()
}
