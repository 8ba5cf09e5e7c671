//go:build !js

package cell

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Keep returns the result of compute, from the disk when it has been computed before: in an earlier cell, or in another session. The result
// belongs to key (a Key, a Keyed value, or anything that NewKey takes), to its type and to the code that computes it, so that a changed
// setting, changed data or a changed program compute it again. In a cell the code is that of the library, that of compute with all that it
// calls, and what stands before it in its function; comments do not count. In another program it is the whole program. A damaged or
// foreign entry counts as missing. An error of compute is returned and not kept; a disk that cannot be written only costs the time.
//
// T must survive encoding/gob without loss: exported fields only, or MarshalBinary and UnmarshalBinary as all models here have. What does
// not is computed every time, with a remark on standard error.
//
// Entries are files in $PRL_CACHE, or else in the folder prl of the user's cache directory. Together they stay below 512 MB; the ones not
// used for longest go first. The folder may be deleted at any time.
func Keep[T any](key any, compute func() (T, error)) (T, error) {
	k := keyOf(key)
	kind := reflect.TypeFor[T]()
	if k.mute || lossy(kind, nil) {
		why := "its plan holds a function"
		if !k.mute {
			why = kind.String() + " has fields that cannot be stored"
		}
		io.WriteString(stderr, "prl: Keep computes every time, because "+why+"\n")
		return compute()
	}
	var boxed struct{ Value T }
	err := loadOrFill(asked(), k, kind, 0, &boxed, compute, func() (err error) {
		boxed.Value, err = compute()
		return err
	})
	return boxed.Value, err
}

// patience is how long a computation may take before a cell keeps its result without being asked to.
const patience = 300 * time.Millisecond

// KeepSlow is Keep for what nobody has asked to keep. In a cell, the result of a computation that takes longer than 0.3 s is stored, and
// the cells that follow read it. The key is not asked for before a computation with the same sketch, a short description of plan and data,
// was slow, because reading all of the data takes time too. What cannot be stored is computed every time, without a remark, and so is all
// outside of a cell. These entries have 128 MB of their own, so that none takes the place of a result that Keep was asked for.
func KeepSlow[T any](sketch string, key func() Key, compute func() (T, error)) (T, error) {
	kind := reflect.TypeFor[T]()
	if cellCode() == nil || lossy(kind, nil) {
		return compute()
	}
	var boxed struct{ Value T }
	fill := func() (err error) {
		boxed.Value, err = compute()
		return err
	}
	mark := filepath.Join(Folder(), markOf(kind.String()+"\n"+sketch))
	if _, err := os.Stat(mark); err == nil {
		if k := key(); !k.mute {
			err := loadOrFill(unasked(), k, kind, patience, &boxed, compute, fill)
			return boxed.Value, err
		}
	}
	began := time.Now()
	err := fill()
	if err != nil || time.Since(began) < patience {
		return boxed.Value, err
	}
	if k := key(); !k.mute && unasked().save(entryOf(k, kind, compute), &boxed) == nil {
		Evict(Folder(), markEnding, marksLimit)
		os.WriteFile(mark, []byte(sketch), 0o600) // without it the next cell computes again, and no more
	}
	return boxed.Value, nil
}

const (
	markEnding = ".slow"
	marksLimit = 1 << 20
)

// markOf is the name of the file that says that computations with a sketch are slow.
func markOf(sketch string) string {
	sum := newHash()
	sum.string(sketch)
	return fmt.Sprintf("%016x%016x%s", sum.hi, sum.lo, markEnding)
}

func entryOf(k Key, kind reflect.Type, compute any) header {
	return header{
		Format: keepFormat, Library: Version, Code: programOf(compute, strings.Fields(k.own)), Plan: k.Plan,
		Data: k.Data, Type: kind.String(),
	}
}

// loadOrFill reads the result of compute into the box, or has it filled and stores it if that took at least the time given.
func loadOrFill(s store, k Key, kind reflect.Type, least time.Duration, box, compute any, fill func() error) error {
	entry := entryOf(k, kind, compute)
	if s.load(entry, box) {
		return nil
	}
	began := time.Now()
	if err := fill(); err != nil || time.Since(began) < least {
		return err
	}
	if err := s.save(entry, box); err != nil && least == 0 {
		io.WriteString(stderr, "prl: Keep could not store the result: "+err.Error()+"\n")
	}
	return nil
}

// keyOf returns the key that a value is: its own, or its words and fingerprint.
func keyOf(v any) Key {
	switch v := v.(type) {
	case Keyed:
		return v.Key()
	case fmt.Stringer:
		return NewKey(v.String(), v)
	}
	return NewKey(fmt.Sprintf("%T", v), v)
}

const (
	keepFormat = 2
	keepMagic  = "prl keep\n"
)

// header stands at the head of an entry. It repeats the whole key, so that two keys with one file name are told apart.
type header struct {
	Format        int
	Library, Code string
	Plan, Type    string
	Data          uint64
	Size          int    // bytes of the body
	SumHi, SumLo  uint64 // hash of the body
}

func (h header) name() string {
	sum := newHash()
	sum.uint(uint64(h.Format))
	sum.string(h.Library)
	sum.string(h.Code)
	sum.string(h.Plan)
	sum.string(h.Type)
	sum.uint(h.Data)
	return fmt.Sprintf("%016x%016x", sum.hi, sum.lo)
}

// A store is the entries in a folder whose files have the ending given, with a limit on their total size in bytes.
type store struct {
	dir, ending string
	limit       int64
}

// asked has what Keep stores, and unasked what KeepSlow does.
func asked() store   { return store{Folder(), ".keep", 512 << 20} }
func unasked() store { return store{Folder(), ".kept", 128 << 20} }

func (s store) path(h header) string { return filepath.Join(s.dir, h.name()+s.ending) }

// load reads the entry h into value and reports whether it was there, whole and of the same key.
func (s store) load(h header, value any) bool {
	path := s.path(h)
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	data, ok := bytes.CutPrefix(data, []byte(keepMagic))
	if !ok {
		return false
	}
	r := bytes.NewReader(data) // gob reads no more than it needs from a ByteReader
	var found header
	if gob.NewDecoder(r).Decode(&found) != nil {
		return false
	}
	body := data[len(data)-r.Len():]
	h.Size, h.SumHi, h.SumLo = len(body), found.SumHi, found.SumLo
	if sum := sumOf(body); found != h || sum.hi != h.SumHi || sum.lo != h.SumLo {
		return false
	}
	if gob.NewDecoder(bytes.NewReader(body)).Decode(value) != nil {
		return false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // used just now: evicted last
	return true
}

// save writes the entry into a file of its own and renames it, so that a reader sees a whole entry or none.
func (s store) save(h header, value any) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(value); err != nil {
		return err
	}
	sum := sumOf(body.Bytes())
	h.Size, h.SumHi, h.SumLo = body.Len(), sum.hi, sum.lo
	var file bytes.Buffer
	file.WriteString(keepMagic)
	if err := gob.NewEncoder(&file).Encode(h); err != nil {
		return err
	}
	file.Write(body.Bytes())
	if int64(file.Len()) > s.limit {
		return fmt.Errorf("it takes %d bytes, more than the %d the store may hold", file.Len(), s.limit)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	Evict(s.dir, s.ending, s.limit-int64(file.Len()))
	f, err := os.CreateTemp(s.dir, "new-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(file.Bytes())
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), s.path(h))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func sumOf(b []byte) hash {
	h := newHash()
	for _, c := range b {
		h.byte(c)
	}
	return h
}

var (
	gobEncoder    = reflect.TypeFor[gob.GobEncoder]()
	binaryEncoder = reflect.TypeFor[encoding.BinaryMarshaler]()
	textEncoder   = reflect.TypeFor[encoding.TextMarshaler]()
)

// lossy reports whether encoding/gob would drop parts of a t in silence or refuse it.
func lossy(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) {
		return false
	}
	above = append(above[:len(above):len(above)], t)
	for _, encoder := range []reflect.Type{gobEncoder, binaryEncoder, textEncoder} {
		if t.Implements(encoder) || reflect.PointerTo(t).Implements(encoder) {
			return false
		}
	}
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return lossy(t.Elem(), above)
	case reflect.Map:
		return lossy(t.Key(), above) || lossy(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() || lossy(f.Type, above) {
				return true
			}
		}
	}
	return false
}
