package estimator

import (
	"fmt"
	"reflect"
)

// magic begins every stored model. The number is that of the form in which values are written (see codec.go).
const magic = "prl model 2\n"

// Encode returns state, a struct of exported fields or a pointer to one, as bytes. Before it stands a header with its kind ("svm.Model")
// and the version of its layout. Fields may be numbers, strings, slices, arrays, structs and pointers of these, types that have
// MarshalBinary and UnmarshalBinary, and interfaces that hold a type known to Register.
//
// Fields that a later version of the library appends to state need no new version of the layout: they stay zero where they were not stored.
func Encode(kind string, version int, state any) ([]byte, error) {
	v := reflect.Indirect(reflect.ValueOf(state))
	if v.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s: encode: a state is a struct or a pointer to one, not a %T", kind, state)
	}
	w := writer{bytes: []byte(magic)}
	w.text(kind)
	w.uint(8, uint64(version))
	w.uint(8, uint64(v.NumField()))
	w.fields(addressable(v), 1)
	if w.err != nil {
		return nil, fmt.Errorf("%s: encode: %w", kind, w.err)
	}
	return w.bytes, nil
}

// Decode reads into the struct that state points to what Encode wrote. It fails on data of another kind or version, and on damaged data,
// which leave state in part changed. It takes memory for what the data hold, whatever they claim to hold.
func Decode(data []byte, kind string, version int, state any) error {
	r := reader{rest: data}
	if begin := r.take(len(magic)); string(begin) != magic {
		return fmt.Errorf("%s: decode: not an encoded model, or one of another version of this library; fit the model again", kind)
	}
	stored, layout, fields := r.text(), int(r.uint(8)), r.uint(8)
	if r.err != nil {
		return fmt.Errorf("%s: decode: not an encoded model: %w", kind, r.err)
	}
	if stored != kind {
		return fmt.Errorf("%s: decode: the data holds a %s", kind, stored)
	}
	if layout != version {
		return fmt.Errorf("%s: decode: the data has layout version %d, this library reads version %d; fit the model again", kind, layout, version)
	}
	v := reflect.ValueOf(state).Elem()
	if fields > uint64(v.NumField()) {
		return fmt.Errorf(
			"%s: decode: the data has %d fields where this library knows %d; use the newer library that stored it",
			kind,
			fields,
			v.NumField(),
		)
	}
	for i := range int(fields) {
		r.value(v.Field(i), 2)
	}
	if r.err == nil && len(r.rest) > 0 {
		r.fail("%d bytes after the model", len(r.rest))
	}
	if r.err != nil {
		return fmt.Errorf("%s: decode: %w", kind, r.err)
	}
	return nil
}

// Fits reports whether count numbers are those of a matrix with at least one row and one column. A product of hostile sizes may overflow to
// count; this does not, so decoders can rely on it before they make the matrix.
func Fits(count, rows, columns int) bool {
	return rows >= 1 && columns >= 1 && count%columns == 0 && count/columns == rows
}
