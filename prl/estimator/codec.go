package estimator

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"sync"
)

// Stored values are flat: every value is written in full, one behind the other, without types or names of fields.
//
//	bool                  one byte, 0 or 1
//	numbers               little-endian, in 1, 2, 4 or 8 bytes as their type has; int and uint in 8
//	string                its length in 8 bytes, and its bytes
//	slice                 its length in 8 bytes, and its elements; an empty slice is read as nil
//	array, struct         the elements or the exported fields, in order
//	pointer               a bool, whether there is something, and that
//	MarshalBinary         the length of what it returns in 8 bytes, and that
//	interface             the name of the type of its value as a string, "" for nil, and the value
//
// A length that is larger than what is left of the data is damage, found before memory is taken. An element takes memory of at most eight
// times its bytes, since the shortest is a nil pointer.

// nesting is how deep values may stand in each other.
const nesting = 100

var errNesting = fmt.Errorf("values nested more than %d deep", nesting)

var (
	marshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	unmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

// names of types that interfaces may hold in storage.
var registered struct {
	sync.RWMutex
	types map[string]reflect.Type
	names map[reflect.Type]string
}

// Register lets interfaces hold values of the type of example in a stored model, under a name that must not change: the package and the
// type, such as "kernel.RBF". Call it in an init function. It panics when another type has the name, or the type another name.
func Register(name string, example any) {
	t := reflect.TypeOf(example)
	registered.Lock()
	defer registered.Unlock()
	if registered.types == nil {
		registered.types, registered.names = map[string]reflect.Type{}, map[reflect.Type]string{}
	}
	other, taken := registered.types[name]
	known, twice := registered.names[t]
	if name == "" || t == nil || taken && other != t || twice && known != name {
		panic(fmt.Sprintf("estimator: Register(%q, %v): the name stands for %v and the type is called %q", name, t, other, known))
	}
	registered.types[name], registered.names[t] = t, name
}

// RegisterModel is Register under the name of the example's own type, "svm.Model" for a *svm.Model. A type that is registered keeps its
// name.
func RegisterModel(example any) {
	t := reflect.TypeOf(example)
	if _, known := nameOf(t); !known {
		Register(strings.TrimPrefix(t.String(), "*"), example)
	}
}

func typeOf(name string) (reflect.Type, bool) {
	registered.RLock()
	defer registered.RUnlock()
	t, ok := registered.types[name]
	return t, ok
}

func nameOf(t reflect.Type) (string, bool) {
	registered.RLock()
	defer registered.RUnlock()
	name, ok := registered.names[t]
	return name, ok
}

// marshals reports whether a *t writes and reads itself.
func marshals(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(marshaler) && p.Implements(unmarshaler)
}

// addressable returns a copy of v of which a pointer can be taken.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// A writer appends values to bytes. Its methods do nothing once there is an error.
type writer struct {
	bytes []byte
	err   error
}

func (w *writer) uint(size int, x uint64) {
	for ; size > 0; size-- {
		w.bytes = append(w.bytes, byte(x))
		x >>= 8
	}
}

func (w *writer) bool(x bool) {
	b := byte(0)
	if x {
		b = 1
	}
	w.bytes = append(w.bytes, b)
}

func (w *writer) text(s string) {
	w.uint(8, uint64(len(s)))
	w.bytes = append(w.bytes, s...)
}

// value appends v, which is addressable.
func (w *writer) value(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case w.err != nil:
		return
	case depth > nesting:
		w.err = errNesting
		return
	case t.Kind() != reflect.Pointer && marshals(t):
		data, err := v.Addr().Interface().(encoding.BinaryMarshaler).MarshalBinary()
		w.err = err
		w.text(string(data))
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		w.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.uint(width(t), uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.uint(width(t), v.Uint())
	case reflect.Float32:
		w.uint(4, uint64(math.Float32bits(float32(v.Float()))))
	case reflect.Float64:
		w.uint(8, math.Float64bits(v.Float()))
	case reflect.String:
		w.text(v.String())
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice {
			w.uint(8, uint64(v.Len()))
		}
		if t.Elem() == reflect.TypeFor[float64]() {
			for i := range v.Len() {
				w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(v.Index(i).Float()))
			}
			return
		}
		for i := range v.Len() {
			w.value(v.Index(i), depth+1)
		}
	case reflect.Struct:
		w.fields(v, depth)
	case reflect.Pointer:
		w.bool(!v.IsNil())
		if !v.IsNil() {
			w.value(v.Elem(), depth+1)
		}
	case reflect.Interface:
		if v.IsNil() {
			w.text("")
			return
		}
		name, ok := nameOf(v.Elem().Type())
		if !ok {
			w.err = fmt.Errorf("a %v cannot be stored before estimator.Register knows its type", v.Elem().Type())
			return
		}
		w.text(name)
		w.value(addressable(v.Elem()), depth+1)
	default:
		w.err = fmt.Errorf("a %v cannot be stored", t)
	}
}

// fields appends the fields of a struct.
func (w *writer) fields(v reflect.Value, depth int) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() {
			w.err = fmt.Errorf("a %v has a field %s that is not exported; give it MarshalBinary and UnmarshalBinary", v.Type(), f.Name)
			return
		}
		w.value(v.Field(i), depth+1)
	}
}

// width returns the bytes of a number of type t in storage.
func width(t reflect.Type) int {
	if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
		return 8
	}
	return int(t.Size())
}

// least returns the fewest bytes that a value of type t takes in storage.
func least(t reflect.Type) int {
	if t.Kind() != reflect.Pointer && marshals(t) {
		return 8
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Pointer:
		return 1
	case reflect.String, reflect.Slice, reflect.Interface:
		return 8
	case reflect.Array:
		return t.Len() * least(t.Elem())
	case reflect.Struct:
		sum := 0
		for i := range t.NumField() {
			sum += least(t.Field(i).Type)
		}
		return sum
	}
	return width(t)
}

// A reader takes values from the front of rest. Its methods return zeros once there is an error.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("damaged data: "+format, args...)
	}
}

func (r *reader) take(n int) []byte {
	if r.err == nil && n > len(r.rest) {
		r.err = io.ErrUnexpectedEOF
	}
	if r.err != nil {
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) uint(size int) (x uint64) {
	for i, b := range r.take(size) {
		x |= uint64(b) << (8 * i)
	}
	return x
}

// length reads how many things follow, each of which takes size bytes or more.
func (r *reader) length(size int) int {
	n := r.uint(8)
	if n > uint64(len(r.rest)/max(size, 1)) {
		r.fail("%d things are claimed where %d bytes are left", n, len(r.rest))
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return string(r.take(r.length(1))) }

// value reads into v.
func (r *reader) value(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case r.err != nil:
		return
	case depth > nesting:
		r.err = errNesting
		return
	case t.Kind() != reflect.Pointer && marshals(t):
		data := r.take(r.length(1))
		if r.err == nil {
			r.err = v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
		}
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(r.bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		size := width(t)
		x := int64(r.uint(size)<<(64-8*size)) >> (64 - 8*size) // with the sign of the stored number
		if v.OverflowInt(x) {
			r.fail("%d is no %v on this machine", x, t)
			return
		}
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x := r.uint(width(t))
		if v.OverflowUint(x) {
			r.fail("%d is no %v on this machine", x, t)
			return
		}
		v.SetUint(x)
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(r.uint(4)))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(r.uint(8)))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Slice:
		n := r.length(least(t.Elem()))
		if n == 0 {
			v.SetZero()
			return
		}
		v.Set(reflect.MakeSlice(t, n, n))
		r.elements(v, depth)
	case reflect.Array:
		r.elements(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			r.value(v.Field(i), depth+1)
		}
	case reflect.Pointer:
		if r.bool() {
			v.Set(reflect.New(t.Elem()))
			r.value(v.Elem(), depth+1)
		}
	case reflect.Interface:
		r.dynamic(v, depth)
	default:
		r.err = fmt.Errorf("a %v cannot be read", t)
	}
}

func (r *reader) bool() bool {
	x := r.uint(1)
	if x > 1 {
		r.fail("a bool of %d", x)
	}
	return x == 1
}

func (r *reader) elements(v reflect.Value, depth int) {
	if v.Type().Elem() == reflect.TypeFor[float64]() {
		data := r.take(8 * v.Len())
		for i := range len(data) / 8 {
			v.Index(i).SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])))
		}
		return
	}
	for i := 0; i < v.Len() && r.err == nil; i++ {
		r.value(v.Index(i), depth+1)
	}
}

// dynamic reads the value of an interface.
func (r *reader) dynamic(v reflect.Value, depth int) {
	name := r.text()
	if name == "" {
		return
	}
	t, ok := typeOf(name)
	if !ok || !t.Implements(v.Type()) {
		if r.err == nil {
			r.err = errors.New("a value of a type that estimator.Register does not know here: " + fmt.Sprintf("%.60q", name))
		}
		return
	}
	inner := reflect.New(t).Elem()
	r.value(inner, depth+1)
	if r.err == nil {
		v.Set(inner)
	}
}
