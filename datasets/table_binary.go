package datasets

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/prlab/prlab/prl/fault"
)

// order is written as this machine writes numbers; another machine reads another one.
const order uint64 = 0x0102030405060708

// bytesOf returns the bytes of numbers as they stand in memory.
func bytesOf[T float64 | int32 | uint64](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// encoded returns a table as a head, and blocks of bytes for its columns.
func (t Table) encoded() (head []byte, blocks [][]byte) {
	p := &packer{}
	for _, s := range []string{t.Name, t.Source, t.Licence, t.Citation} {
		p.text(s)
	}
	p.number(t.rows)
	p.number(len(t.remarks))
	for _, r := range t.remarks {
		p.text(r)
	}
	p.number(len(t.columns))
	for _, c := range t.columns {
		p.text(c.name)
		p.text(c.unit)
		p.number(int(c.kind))
		p.number(len(c.words))
		if c.kind != Nominal {
			blocks = append(blocks, bytesOf(c.numbers))
			continue
		}
		ends, all := make([]uint64, len(c.words)), []byte(nil)
		for k, w := range c.words {
			all = append(all, w...)
			ends[k] = uint64(len(all))
		}
		p.number(len(all))
		blocks = append(blocks, bytesOf(c.codes), bytesOf(ends), all)
	}
	return p.bytes, blocks
}

// laidOut returns a head, which begins at a place of a file, and blocks behind it, each at a multiple of eight bytes.
func laidOut(at int, head []byte, blocks [][]byte) []byte {
	size := len(head)
	for _, b := range blocks {
		size += len(b) + 8
	}
	out := append(make([]byte, 0, size), head...)
	for _, b := range blocks {
		for (at+len(out))%8 != 0 {
			out = append(out, 0)
		}
		out = append(out, b...)
	}
	return out
}

// decoded is the reverse of laidOut for bytes whose head begins at a place and is so long; ok is false for what is no table. The
// columns are parts of the bytes, which begin at a multiple of eight.
func decoded(b []byte, from, length int) (t Table, ok bool) {
	defer func() {
		if recover() != nil { // a length beyond the bytes
			ok = false
		}
	}()
	u, at := &unpacker{b[from : from+length]}, from+length
	block := func(size int) []byte {
		at = (at + 7) / 8 * 8
		part := b[at : at+size : at+size]
		at += size
		return part
	}
	t.Name, t.Source, t.Licence, t.Citation, t.rows = u.text(), u.text(), u.text(), u.text(), u.number()
	for range u.number() {
		t.remarks = append(t.remarks, u.text())
	}
	for range u.number() {
		c := column{name: u.text(), unit: u.text(), kind: Kind(u.number())}
		words := u.number()
		if c.kind != Nominal {
			c.numbers = unsafe.Slice((*float64)(unsafe.Pointer(&block(8 * t.rows)[0])), t.rows)
			t.columns = append(t.columns, c)
			continue
		}
		size := u.number()
		c.codes = unsafe.Slice((*int32)(unsafe.Pointer(&block(4 * t.rows)[0])), t.rows)
		c.words = make([]string, words)
		if words > 0 {
			ends := unsafe.Slice((*uint64)(unsafe.Pointer(&block(8 * words)[0])), words)
			all, begin := block(size), uint64(0)
			for k, end := range ends {
				if part := all[begin:end]; len(part) > 0 {
					c.words[k] = unsafe.String(&part[0], len(part))
				}
				begin = end
			}
		}
		for _, k := range c.codes {
			if k < -1 || int(k) >= words {
				return t, false
			}
		}
		t.columns = append(t.columns, c)
	}
	return t, t.rows > 0 && len(t.columns) > 0
}

// MarshalBinary returns the table for prl.Keep, on machines that write numbers as this one does. A broken table has no such form.
func (t Table) MarshalBinary() ([]byte, error) {
	if t.Err() != nil {
		return nil, t.Err()
	}
	head, blocks := t.encoded()
	first := slices.Clone(bytesOf([]uint64{order, uint64(len(head))}))
	return append(first, laidOut(len(first), head, blocks)...), nil
}

// UnmarshalBinary sets the table to what MarshalBinary returned.
func (t *Table) UnmarshalBinary(data []byte) error {
	damaged := errors.New("datasets: these bytes are no table of this machine")
	aligned := make([]uint64, (len(data)+7)/8)
	b := bytesOf(aligned)[:len(data)]
	copy(b, data)
	if len(b) < 16 || aligned[0] != order || aligned[1] > uint64(len(b)-16) {
		return damaged
	}
	out, ok := decoded(b, 16, int(aligned[1]))
	if !ok {
		return damaged
	}
	out.chain = fault.Start("Table", out.Name)
	*t = out
	return nil
}
