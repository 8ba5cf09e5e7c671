package cell

import (
	"math"
	"math/bits"
	"reflect"
	"strings"
)

// A Key identifies a kept result: the full text of the plan, and a fingerprint of the data it works on.
type Key struct {
	Plan string
	Data uint64
	mute bool   // holds a function or something else whose meaning cannot be read off; not kept
	own  string // types of the program itself that it holds, whose code counts
}

// A Keyed value knows what identifies the result computed from it, such as a data set.
type Keyed interface{ Key() Key }

// Key returns k.
func (k Key) Key() Key { return k }

// NewKey returns a key for the plan, in words, on the data: numbers, strings, slices, maps, structs, matrices, data sets and plans.
func NewKey(plan string, data ...any) Key {
	h := newHash()
	f := &fingerprint{hash: h}
	for _, d := range data {
		f.value(reflect.ValueOf(d), 0)
	}
	return Key{Plan: plan, Data: f.hash.lo, mute: f.mute, own: f.own}
}

// hash is FNV-1a of 128 bits. It is written out here because the standard library's hash packages cost a cell more to link than they save.
type hash struct{ hi, lo uint64 }

func newHash() hash { return hash{0x6c62272e07bb0142, 0x62b821756295c58d} }

func (h *hash) byte(b byte) {
	const prime = 0x13b // the prime is 2^88 + 2^8 + 0x3b
	h.lo ^= uint64(b)
	carry, lo := bits.Mul64(prime, h.lo)
	h.hi = h.hi*prime + carry + h.lo<<24
	h.lo = lo
}

func (h *hash) uint(v uint64) {
	for range 8 {
		h.byte(byte(v))
		v >>= 8
	}
}

func (h *hash) string(s string) {
	h.uint(uint64(len(s)))
	for i := range len(s) {
		h.byte(s[i])
	}
}

type fingerprint struct {
	hash hash
	mute bool
	own  string
}

var keyedType = reflect.TypeFor[Keyed]()

// value mixes v into the hash, through pointers and unexported fields, but for fields with the tag `key:"-"`. Equal values give equal
// fingerprints wherever they stand in memory.
func (f *fingerprint) value(v reflect.Value, depth int) {
	if !v.IsValid() {
		f.hash.byte(0)
		return
	}
	if depth > 32 { // a cycle
		f.mute = true
		return
	}
	t := v.Type()
	if t.Implements(keyedType) && v.CanInterface() && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		k := v.Interface().(Keyed).Key()
		f.hash.string(k.Plan)
		f.hash.uint(k.Data)
		f.mute = f.mute || k.mute
		f.own += k.own
		return
	}
	if name, _, _ := strings.Cut(t.Name(), "["); name != "" && t.PkgPath() == "main" {
		f.own += name + " "
	}
	f.hash.byte(byte(v.Kind()))
	switch {
	case v.CanInt():
		f.hash.uint(uint64(v.Int()))
	case v.CanUint():
		f.hash.uint(v.Uint())
	case v.CanFloat():
		f.hash.uint(math.Float64bits(v.Float()))
	case v.CanComplex():
		f.hash.uint(math.Float64bits(real(v.Complex())))
		f.hash.uint(math.Float64bits(imag(v.Complex())))
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			f.hash.byte(1)
		} else {
			f.hash.byte(2)
		}
	case reflect.String:
		f.hash.string(v.String())
	case reflect.Slice, reflect.Array:
		f.hash.uint(uint64(v.Len()))
		for i := range v.Len() {
			f.value(v.Index(i), depth+1)
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			f.hash.byte(0)
			return
		}
		f.value(v.Elem(), depth+1)
	case reflect.Struct:
		f.hash.string(t.String())
		for i := range v.NumField() {
			if t.Field(i).Tag.Get("key") != "-" {
				f.value(v.Field(i), depth+1)
			}
		}
	case reflect.Map:
		var sum uint64 // a map has no order
		for it := v.MapRange(); it.Next(); {
			entry := &fingerprint{hash: newHash()}
			entry.value(it.Key(), depth+1)
			entry.value(it.Value(), depth+1)
			sum += entry.hash.lo
			f.mute = f.mute || entry.mute
			f.own += entry.own
		}
		f.hash.uint(sum)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			f.mute = true
		}
	}
}
