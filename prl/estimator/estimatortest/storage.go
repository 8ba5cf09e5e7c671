package estimatortest

import (
	"encoding"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/metrics"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
)

// Checks of the encoding.
var storageChecks = []Check{
	{Name: "stored and read", run: roundTrip},
	{Name: "names are stored", When: remembers, run: namesStored},
	{Name: "truncated bytes", When: storable, run: truncated},
	{Name: "flipped bits", When: storable, run: flipped},
}

func storable(c Case) bool {
	_, ok := c.zero().(encoding.BinaryUnmarshaler)
	return ok
}

// decode reads data into an unfitted model; a panic becomes an error.
func (c Case) decode(data []byte) (model any, err error) {
	model = c.zero()
	caught := catch(func() { err = model.(encoding.BinaryUnmarshaler).UnmarshalBinary(data) })
	if caught != nil {
		return model, caught
	}
	return model, err
}

func roundTrip(s *subject) error {
	data, err := encode(s.model)
	if err != nil {
		return err
	}
	if data == nil || !storable(s.Case) {
		return errors.New("no MarshalBinary and UnmarshalBinary")
	}
	given := slices.Clone(data)
	model, err := s.decode(given)
	if err != nil {
		return err
	}
	for i := range given {
		given[i] ^= 0xff
	}
	if err := s.unchanged(model); err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	again, err := encode(model)
	if err != nil {
		return err
	}
	if string(again) != string(data) {
		return errors.New("the encoding of the model read back differs")
	}
	if a, b := s.model.(fmt.Stringer).String(), model.(fmt.Stringer).String(); a != b {
		return fmt.Errorf("method String is %q before and %q after", a, b)
	}
	if s.has("Weights") { // rows that were left out are not missed
		d := s.weighted(s.data)
		for i := range d.Weights {
			if i/s.classes%4 == 0 {
				d.Weights[i] = 0
			}
		}
		partly, err := s.fitOn(d)
		if err != nil {
			return err
		}
		data, err := encode(partly)
		if err != nil {
			return err
		}
		if _, err := s.decode(data); err != nil {
			return fmt.Errorf("fitted with rows of weight zero: %w", err)
		}
	}
	// A failure leaves the model as it is.
	foreign, err := estimator.Encode("estimatortest.Foreign", 1, struct{ D int }{3})
	if err != nil {
		return err
	}
	for _, bad := range [][]byte{nil, {1, 2, 3}, foreign, data[:len(data)/2]} {
		if model.(encoding.BinaryUnmarshaler).UnmarshalBinary(bad) == nil {
			return fmt.Errorf("%d bytes that hold no such model are read without an error", len(bad))
		}
	}
	if err := s.unchanged(model); err != nil {
		return fmt.Errorf("after a failed reading: %w", err)
	}
	return nil
}

// named is a model with the names of its features and classes.
type named interface {
	Remember(estimator.Names)
	FeatureName(j int) string
	ClassName(k int) string
}

func remembers(c Case) bool {
	_, ok := c.zero().(named)
	return ok && storable(c)
}

// namesStored gives a model names and reads it back.
func namesStored(s *subject) error {
	data, err := s.smallBytes()
	if err != nil {
		return err
	}
	model, err := s.decode(data)
	if err != nil {
		return err
	}
	model.(named).Remember(estimator.Names{FeatureNames: []string{"length"}, ClassNames: []string{"iris"}})
	class := model.(named).ClassName(0) // clusters have no names
	if data, err = encode(model); err != nil {
		return err
	}
	again, err := s.decode(data)
	if err != nil {
		return err
	}
	if m := again.(named); m.FeatureName(0) != "length" || m.ClassName(0) != class {
		return errors.New("the names of features and classes are not stored")
	}
	return nil
}

func (s *subject) smallBytes() ([]byte, error) {
	model, err := s.fitOn(s.small())
	if err != nil {
		return nil, err
	}
	return encode(model)
}

// truncated reads every beginning of an encoded model; of a long one, which repeats itself, every beginning near its ends, and a thousand
// between.
func truncated(s *subject) error {
	data, err := s.smallBytes()
	if err != nil {
		return err
	}
	const near = 1000
	step := max(1, (len(data)-2*near)/near) | 1 // odd, so that numbers of eight bytes end at each of their bytes
	for n := range data {
		if n > near && n < len(data)-near && n%step != 0 {
			continue
		}
		_, err := s.decode(data[:n])
		if p := (*panicError)(nil); errors.As(err, &p) {
			return fmt.Errorf("the first %d of %d bytes: %w", n, len(data), err)
		}
		if err == nil {
			return fmt.Errorf("the first %d of %d bytes are read without an error", n, len(data))
		}
	}
	return nil
}

// flipped changes one bit, or one byte, after another: an error, or a model that answers without a panic. Reading may not take more than
// 16 MB.
func flipped(s *subject) error {
	data, err := s.smallBytes()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(11, 11))
	for trial := range 1500 {
		bad := slices.Clone(data)
		at := trial % len(bad)
		if trial >= len(bad) {
			at = r.IntN(len(bad))
		}
		if trial%3 == 0 {
			bad[at] = byte(r.IntN(256))
		} else {
			bad[at] ^= 1 << r.IntN(8)
		}
		before := allocated()
		model, err := s.decode(bad)
		if used := allocated() - before; used > 16<<20 {
			return fmt.Errorf("byte %d of %d changed to %#x: reading takes %d MB", at, len(data), bad[at], used>>20)
		}
		if err == nil {
			err = s.works(model)
		}
		if p := (*panicError)(nil); errors.As(err, &p) {
			return fmt.Errorf("byte %d of %d changed to %#x: %w", at, len(data), bad[at], err)
		}
	}
	return nil
}

// allocated is how many bytes the program has asked for so far. Unlike runtime.ReadMemStats it stops nobody.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// works asks a model read from damaged bytes everything, on data of its own width.
func (s *subject) works(model any) error {
	d := s.small()
	if m, ok := model.(interface{ Dim() int }); ok && s.form == rows {
		if m.Dim() < 1 || m.Dim() > 1000 {
			return nil
		}
		d = s.sample(3, m.Dim(), 2)
	}
	var p *panicError
	for _, q := range queries(model, s.form) {
		if _, err := ask(model, q, d); errors.As(err, &p) {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	for _, g := range getters(model) {
		if _, err := call(model, g); errors.As(err, &p) {
			return fmt.Errorf("%s: %w", g, err)
		}
	}
	return nil
}
