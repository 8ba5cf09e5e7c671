package datasets

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A packer writes numbers and texts one behind the other.
type packer struct{ bytes []byte }

func (p *packer) number(v int) { p.bytes = binary.LittleEndian.AppendUint64(p.bytes, uint64(v)) }

func (p *packer) text(s string) {
	p.number(len(s))
	p.bytes = append(p.bytes, s...)
}

// packed writes the length of a list, with 0 for nil, and what each writes of its entries.
func packed[T any](p *packer, v []T, each func(T)) {
	if v == nil {
		p.number(0)
		return
	}
	p.number(len(v) + 1)
	for _, one := range v {
		each(one)
	}
}

// An unpacker reads what a packer wrote; it panics where the bytes end too early.
type unpacker struct{ bytes []byte }

func (u *unpacker) number() int {
	v := binary.LittleEndian.Uint64(u.bytes)
	u.bytes = u.bytes[8:]
	return int(v)
}

func (u *unpacker) text() string {
	n := u.number()
	s := string(u.bytes[:n])
	u.bytes = u.bytes[n:]
	return s
}

// unpacked is the reverse of packed. An entry takes at least a byte, so that no length asks for more than the bytes hold.
func unpacked[T any](u *unpacker, each func() T) []T {
	n := u.number() - 1
	if n < 0 {
		return nil
	}
	v := make([]T, 0, min(n, len(u.bytes)))
	for range n {
		v = append(v, each())
	}
	return v
}

// floats writes numbers as they stand in memory.
func (p *packer) floats(v []float64) {
	packed(p, v, func(float64) {}) // its length alone
	p.bytes = append(p.bytes, bytesOf(v)...)
}

func (u *unpacker) floats() []float64 {
	n := u.number() - 1
	if n < 0 {
		return nil
	}
	part := u.bytes[:8*n]
	v := make([]float64, len(part)/8)
	copy(bytesOf(v), part)
	u.bytes = u.bytes[len(part):]
	return v
}

// MarshalBinary returns the set for prl.Keep, on machines that write numbers as this one does. A broken set has no such form.
func (s Set) MarshalBinary() ([]byte, error) {
	if s.Err() != nil || s.X == nil {
		return nil, cmp.Or(s.Err(), errors.New("datasets: a set without rows has no form in bytes"))
	}
	p := &packer{slices.Clone(bytesOf([]uint64{order}))}
	n, d := s.X.Dims()
	p.number(n)
	p.number(d)
	p.floats(mat.DenseCopyOf(s.X).RawMatrix().Data)
	packed(p, s.Y, p.number)
	p.floats(s.Target)
	for _, names := range [][]string{s.ClassNames, s.FeatureNames, s.RowNames, s.Units} {
		packed(p, names, p.text)
	}
	packed(p, s.Words, func(words []string) { packed(p, words, p.text) })
	for _, text := range []string{s.TargetName, s.Name, s.Source, s.Licence, s.Citation} {
		p.text(text)
	}
	p.number(s.shape[0])
	p.number(s.shape[1])
	return p.bytes, nil
}

// UnmarshalBinary sets the set to what MarshalBinary returned.
func (s *Set) UnmarshalBinary(data []byte) (err error) {
	damaged := errors.New("datasets: these bytes are no set of this machine")
	defer func() {
		if recover() != nil { // a length beyond the bytes
			err = damaged
		}
	}()
	if len(data) < 8 || !slices.Equal(data[:8], bytesOf([]uint64{order})) {
		return damaged
	}
	u := &unpacker{data[8:]}
	n, d := u.number(), u.number()
	values := u.floats()
	if n < 1 || d < 1 || n > len(values) || d > len(values) || n*d != len(values) {
		return damaged
	}
	out := Set{X: mat.NewDense(n, d, values), Y: unpacked(u, u.number), Target: u.floats()}
	for _, names := range []*[]string{&out.ClassNames, &out.FeatureNames, &out.RowNames, &out.Units} {
		*names = unpacked(u, u.text)
	}
	out.Words = unpacked(u, func() []string { return unpacked(u, u.text) })
	for _, text := range []*string{&out.TargetName, &out.Name, &out.Source, &out.Licence, &out.Citation} {
		*text = u.text()
	}
	out.shape = [2]int{u.number(), u.number()}
	out.chain = fault.Start("Set", out.Name)
	if len(u.bytes) > 0 || out.Err() != nil || out.Y != nil && len(out.Y) != n || out.Target != nil && len(out.Target) != n {
		return damaged
	}
	for _, y := range out.Y {
		if y < 0 || y >= len(out.ClassNames) {
			return damaged
		}
	}
	*s = out
	return nil
}
