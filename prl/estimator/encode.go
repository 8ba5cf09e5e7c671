package estimator

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// header stands before every encoded model, so that an old or foreign file is recognised instead of being misread.
type header struct {
	Kind    string
	Version int
}

// Encode returns state, a struct of exported fields, with a header that names its kind ("svm.Model") and the version of its layout.
func Encode(kind string, version int, state any) ([]byte, error) {
	var b bytes.Buffer
	enc := gob.NewEncoder(&b)
	if err := enc.Encode(header{kind, version}); err != nil {
		return nil, fmt.Errorf("%s: encode: %w", kind, err)
	}
	if err := enc.Encode(state); err != nil {
		return nil, fmt.Errorf("%s: encode: %w", kind, err)
	}
	return b.Bytes(), nil
}

// Decode reads into state what Encode wrote. It fails on data of another kind or version, and on damaged data. It takes memory for what the data
// hold, whatever they claim to hold.
func Decode(data []byte, kind string, version int, state any) error {
	read, damage := truthful(data, 2)
	if read == 0 {
		return fmt.Errorf("%s: decode: not an encoded model: %w", kind, damage)
	}
	dec := gob.NewDecoder(bytes.NewReader(data))
	var h header
	if err := dec.Decode(&h); err != nil {
		return fmt.Errorf("%s: decode: not an encoded model: %w", kind, err)
	}
	if h.Kind != kind {
		return fmt.Errorf("%s: decode: the data holds a %s", kind, h.Kind)
	}
	if h.Version != version {
		return fmt.Errorf("%s: decode: the data has layout version %d, this library reads version %d; fit the model again", kind, h.Version, version)
	}
	if damage != nil {
		return fmt.Errorf("%s: decode: %w", kind, damage)
	}
	if err := dec.Decode(state); err != nil {
		return fmt.Errorf("%s: decode: %w", kind, err)
	}
	return nil
}

// Fits reports whether count numbers are those of a matrix with at least one row and one column. A product of hostile sizes may overflow to
// count; this does not, so decoders can rely on it before they make the matrix.
func Fits(count, rows, columns int) bool {
	return rows >= 1 && columns >= 1 && count%columns == 0 && count/columns == rows
}
