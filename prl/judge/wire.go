package judge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// largest is how many bytes a message may have, and deepest how deep a value may lie in others.
const (
	largest = 64 << 20
	deepest = 64
)

func send(w io.Writer, kind byte, body *writer) error {
	if len(body.data) > largest {
		return errors.New("a value is too large")
	}
	head := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(body.data)))
	_, err := w.Write(append(head, body.data...))
	return err
}

func receive(r io.Reader) (kind byte, body *reader, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > largest {
		return 0, nil, errors.New("a value is too large")
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(n))) // grows with what comes, whatever was announced
	if err == nil && len(data) < int(n) {
		err = io.ErrUnexpectedEOF
	}
	return head[0], &reader{data: data}, err
}

// plain are the types that a value of an interface may have, by their number.
var plain = func() (all []reflect.Type) {
	for _, v := range []any{
		false, 0, 0.0, "", []float64(nil), [][]float64(nil), []int(nil), [][]int(nil), []bool(nil), []string(nil),
		(*mat.Dense)(nil), (*mat.SymDense)(nil), (*mat.VecDense)(nil), complex(0, 0),
		[2]float64{},
		[3]float64{},
		[][2]float64(nil),
		[][3]float64(nil), [][][]float64(nil), int64(0), uint64(0), map[string]float64(nil), map[string]int(nil),
	} {
		all = append(all, reflect.TypeOf(v))
	}
	return all
}()

// message is an error of the other program.
type message string

func (m message) Error() string { return string(m) }

type writer struct {
	peer *peer
	data []byte
}

func (w *writer) number(n uint64) { w.data = binary.AppendUvarint(w.data, n) }

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.data = append(w.data, s...)
}

func (w *writer) float(x float64) {
	w.data = binary.LittleEndian.AppendUint64(w.data, math.Float64bits(x))
}

func (w *writer) there(is bool) bool {
	if is {
		w.data = append(w.data, 1)
	} else {
		w.data = append(w.data, 0)
	}
	return is
}

// value writes a value; the reader knows its type.
func (w *writer) value(v reflect.Value, depth int) {
	if depth > deepest {
		panic("a value lies too deep in others")
	}
	if m, is := v.Interface().(mat.Matrix); is && v.Kind() == reflect.Pointer && isMatrix(v.Type()) {
		if w.there(!v.IsNil()) {
			r, c := m.Dims()
			w.number(uint64(r))
			w.number(uint64(c))
			for i := range r {
				for j := range c {
					w.float(m.At(i, j))
				}
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		w.there(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.data = binary.AppendVarint(w.data, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		w.float(real(v.Complex()))
		w.float(imag(v.Complex()))
	case reflect.String:
		w.text(v.String())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && !w.there(!v.IsNil()) {
			return
		}
		w.number(uint64(v.Len()))
		for i := range v.Len() {
			w.value(v.Index(i), depth+1)
		}
	case reflect.Map:
		if w.there(!v.IsNil()) {
			w.number(uint64(v.Len()))
			for each := v.MapRange(); each.Next(); {
				w.value(each.Key(), depth+1)
				w.value(each.Value(), depth+1)
			}
		}
	case reflect.Pointer:
		if w.there(!v.IsNil()) {
			w.value(v.Elem(), depth+1)
		}
	case reflect.Struct:
		whole := reflect.New(v.Type()).Elem() // which can be looked into
		whole.Set(v)
		for i := range whole.NumField() {
			w.value(open(whole.Field(i)), depth+1)
		}
	case reflect.Func:
		if w.there(!v.IsNil()) {
			w.number(uint64(len(w.peer.functions)))
			w.peer.functions = append(w.peer.functions, v)
		}
	case reflect.Interface:
		w.any(v, depth)
	default:
		panic(fmt.Sprintf("a value of the type %s cannot be judged", v.Type()))
	}
}

func (w *writer) any(v reflect.Value, depth int) {
	if !w.there(!v.IsNil()) {
		return
	}
	v = v.Elem()
	if err, is := v.Interface().(error); is {
		w.number(uint64(len(plain)))
		w.text(err.Error())
		return
	}
	for i, t := range plain {
		if t == v.Type() {
			w.number(uint64(i))
			w.value(v, depth+1)
			return
		}
	}
	panic(fmt.Sprintf("a value of the type %s cannot be judged", v.Type()))
}

// open is a field that may be read and set, whether its name begins with a capital or not.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

func isMatrix(t reflect.Type) bool {
	return t == plain[10] || t == plain[11] || t == plain[12]
}

type reader struct {
	peer *peer
	data []byte
}

// take is the next n bytes; a message that has fewer is no message.
func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		panic("a message ends too soon")
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	r.take(max(size, 0))
	if size <= 0 {
		panic("a message ends too soon")
	}
	return n
}

// count is how many things follow, each of one byte at least.
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		panic("a message ends too soon")
	}
	return int(n)
}

func (r *reader) text() string { return string(r.take(r.count())) }

func (r *reader) float() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8))) }

func (r *reader) there() bool { return r.take(1)[0] != 0 }

func (r *reader) value(v reflect.Value, depth int) {
	if depth > deepest {
		panic("a value lies too deep in others")
	}
	if isMatrix(v.Type()) {
		if r.there() {
			v.Set(r.matrix(v.Type()))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.there())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, size := binary.Varint(r.data)
		r.take(max(size, 0))
		if size <= 0 || v.OverflowInt(n) {
			panic("a whole number is none")
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.number())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(r.float())
	case reflect.Complex64, reflect.Complex128:
		re := r.float()
		v.SetComplex(complex(re, r.float()))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Array:
		if n := r.count(); n != v.Len() {
			panic("an array has another length")
		}
		for i := range v.Len() {
			r.value(v.Index(i), depth+1)
		}
	case reflect.Slice:
		if r.there() {
			r.slice(v, depth)
		}
	case reflect.Map:
		if r.there() {
			n := r.count()
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				r.value(key, depth+1)
				r.value(value, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Pointer:
		if r.there() {
			v.Set(reflect.New(v.Type().Elem()))
			r.value(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() && !r.peer.trusts && v.Type().PkgPath() != "main" {
				panic(fmt.Sprintf("a value of the type %s cannot be judged", v.Type()))
			}
			r.value(open(v.Field(i)), depth+1)
		}
	case reflect.Func:
		if r.there() {
			number, p := r.number(), r.peer
			v.Set(reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value { return p.call(v.Type(), "", number, args) }))
		}
	case reflect.Interface:
		r.any(v, depth)
	default:
		panic(fmt.Sprintf("a value of the type %s cannot be judged", v.Type()))
	}
}

// slice reads the elements one by one, so that what is announced and does not come takes no memory.
func (r *reader) slice(v reflect.Value, depth int) {
	n := r.count()
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for range n {
		element := reflect.New(v.Type().Elem()).Elem()
		r.value(element, depth+1)
		v.Set(reflect.Append(v, element))
	}
}

func (r *reader) any(v reflect.Value, depth int) {
	if !r.there() {
		return
	}
	n := r.number()
	var got reflect.Value
	switch {
	case n == uint64(len(plain)):
		got = reflect.ValueOf(message(r.text()))
	case n < uint64(len(plain)):
		got = reflect.New(plain[n]).Elem()
		r.value(got, depth+1)
	default:
		panic("a value is of no known type")
	}
	if !got.Type().AssignableTo(v.Type()) {
		panic(fmt.Sprintf("a value of the type %s is no %s", got.Type(), v.Type()))
	}
	v.Set(got)
}

func (r *reader) matrix(t reflect.Type) reflect.Value {
	rows, columns := r.number(), r.number()
	if left := uint64(len(r.data)); rows > left || columns > left || rows*columns*8 > left {
		panic("a message ends too soon")
	}
	all := make([]float64, rows*columns)
	for i := range all {
		all[i] = r.float()
	}
	switch {
	case rows*columns == 0:
		return reflect.New(t.Elem())
	case t == plain[10]:
		return reflect.ValueOf(mat.NewDense(int(rows), int(columns), all))
	case t == plain[11]:
		if rows != columns {
			panic("a symmetric matrix is none")
		}
		return reflect.ValueOf(mat.NewSymDense(int(rows), all))
	case columns != 1:
		panic("a vector has more than one column")
	}
	return reflect.ValueOf(mat.NewVecDense(int(rows), all))
}
