package datasets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// IDX reads a pair of files with ReadIDX, unpacking them when they are gzip. labels may be "". An error breaks the set.
func IDX(images, labels string, options ...Option) Set {
	chain := fault.Start("IDX", images, labels)
	s, err := open(images, func(r io.Reader) (Set, error) {
		if labels == "" {
			return ReadIDX(r, nil, images, options...)
		}
		f, err := os.Open(labels)
		if err != nil {
			return Set{}, &ReadError{
				File:   labels,
				What:   "the labels cannot be opened: " + err.Error(),
				Remedy: `the file name "" reads images without labels`,
			}
		}
		defer f.Close()
		return ReadIDX(r, f, images, options...)
	})
	if err != nil {
		return Set{Name: filepath.Base(images), chain: chain}.fail(err)
	}
	s.chain = chain
	return s
}

// ReadIDX reads the binary format of the MNIST digits: images holds n arrays of any shape (for pictures height x width, row by row), labels
// n whole numbers, or is nil. Every element type of the format is read. Labels become classes in numeric order. A file beyond the [Limits]
// is refused; [Within], [FirstRows] and [SampleRows] are for large ones. Memory is taken only for what the file really holds, not for what
// its header claims.
//
// Source: Y. LeCun, C. Cortes & C. J. C. Burges, The MNIST database of handwritten digits, section on file formats.
func ReadIDX(images, labels io.Reader, name string, options ...Option) (Set, error) {
	o, err := collect(name, options)
	if err != nil {
		return Set{}, err
	}
	kept := newReservoir(o)
	values, dims, err := readIDX(images, name, "images", o, kept)
	if err != nil {
		return Set{}, err
	}
	n, d := kept.kept, 1
	for _, m := range dims[1:] {
		d *= m
	}
	order := kept.order()
	s := Set{
		X: rowsInOrder(mat.NewDense(n, d, values), order), FeatureNames: numbered("x", 1, d), Name: baseName(name),
		Source: kept.source(name, 0), chain: fault.Start("ReadIDX", name),
	}
	if len(dims) == 3 {
		s.shape = [2]int{dims[1], dims[2]}
		for j := range s.FeatureNames {
			s.FeatureNames[j] = "r" + strconv.Itoa(j/dims[2]) + "c" + strconv.Itoa(j%dims[2])
		}
	}
	if labels == nil {
		return s, nil
	}
	all := o
	all.first, all.sample = o.first, 0
	marks, shape, err := readIDX(labels, name, "labels", all, newReservoir(all))
	if err != nil {
		return Set{}, err
	}
	if len(shape) != 1 {
		return Set{}, &ReadError{
			File:   name,
			What:   fmt.Sprintf("the labels have %d dimensions, but need 1", len(shape)),
			Remedy: "give the images first and the labels second",
		}
	}
	if shape[0] != dims[0] {
		return Set{}, &ReadError{
			File: name, What: fmt.Sprintf("%d labels for %d images", shape[0], dims[0]),
			Remedy: "take both files from the same part of the data set",
		}
	}
	texts, from := make([]string, n), arranged(kept.rows, order)
	for i := range texts {
		row := i
		if from != nil {
			row = from[i]
		}
		v := marks[row]
		if v != math.Trunc(v) {
			return Set{}, &ReadError{File: name, What: fmt.Sprintf("label %d is %v, but needs to be a whole number", row, v)}
		}
		texts[i] = numberText(v)
	}
	s.Y, s.ClassNames = classes(texts)
	return s, nil
}

// readIDX reads one file: two zero bytes, the element type, the number of dimensions, the dimensions as big-endian 32-bit numbers, the
// elements. It returns the rows that kept has taken.
func readIDX(r io.Reader, name, part string, o readOptions, kept *reservoir) (values []float64, dims []int, err error) {
	in, _, err := unpack(r, name, o)
	if err != nil {
		return nil, nil, err
	}
	at := int64(0)
	bad := func(what, remedy string) ([]float64, []int, error) {
		return nil, nil, &ReadError{File: name, Offset: at, What: part + ": " + what, Remedy: remedy}
	}
	var magic [4]byte
	if _, err := io.ReadFull(in, magic[:]); err != nil {
		return bad("the file ends within the first four bytes", "fetch the file again")
	}
	if magic[0] != 0 || magic[1] != 0 {
		return bad(fmt.Sprintf("the file begins with % x, but an IDX file begins with 00 00", magic[:]), "check that this is the right file")
	}
	at = 2
	size, decode := element(magic[2])
	if decode == nil {
		return bad(fmt.Sprintf("there is no element type 0x%02x", magic[2]), "the format knows 08, 09, 0b, 0c, 0d and 0e")
	}
	at = 3
	count := int(magic[3])
	if count < 1 || count > 8 {
		return bad(fmt.Sprintf("%d dimensions, but 1 to 8 are read", count), "")
	}
	rows, d := 0, 1
	for i := range count {
		at += 4
		var b [4]byte
		if _, err := io.ReadFull(in, b[:]); errors.Is(err, errTooLong) {
			return nil, nil, ioProblem(name, 0, err, o.limits)
		} else if err != nil {
			return bad("the file ends within the header", "fetch the file again")
		}
		m := int64(binary.BigEndian.Uint32(b[:]))
		switch {
		case m == 0:
			return bad("a dimension is 0", "")
		case i == 0:
			rows = int(m)
		case m > int64(o.limits.Columns/d):
			return bad(fmt.Sprintf("each entry has %.0f numbers, but at most %d are read", float64(d)*float64(m), o.limits.Columns),
				"allow more with datasets.Within")
		default:
			d *= int(m)
		}
		dims = append(dims, int(m))
	}
	most := rows // rows that will be kept
	for _, n := range []int{o.first, o.sample} {
		if n > 0 {
			most = min(most, n)
		}
	}
	if most > o.limits.Values/d {
		e := o.tooMany(name, 0, fmt.Sprintf("%s: the header claims %s numbers", part, product(dims)))
		e.Offset = at
		return nil, nil, e
	}
	at++
	start, pieces := at, 1+1<<16/(d*size) // so many rows are read at a time
	buffer := make([]byte, min(rows, pieces)*d*size)
	row := make([]float64, d)
	for done := 0; done < rows && !kept.full(); {
		count, err := io.ReadFull(in, buffer[:min(rows-done, pieces)*d*size])
		for from := 0; from+d*size <= count && !kept.full(); from += d * size {
			for j := range row {
				v := decode(buffer[from+j*size:])
				if v-v != 0 {
					at = start + int64((done*d+j)*size)
					return bad(fmt.Sprintf("an element is %v, but needs to be a finite number", v), "")
				}
				row[j] = v
			}
			if place, ok := kept.next(); ok && place*d == len(values) {
				values = append(values, row...)
			} else if ok {
				copy(values[place*d:], row)
			}
			done++
		}
		if err != nil && !kept.full() {
			elements := done*d + count%(d*size)/size
			at = start + int64(elements*size)
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				return nil, nil, ioProblem(name, 0, err, o.limits)
			}
			return bad(fmt.Sprintf("the file ends after %d of %s = %d elements", elements, product(dims), rows*d), "fetch the file again")
		}
	}
	if kept.full() {
		return values, dims, nil
	}
	at = start + int64(rows)*int64(d*size)
	if _, err := in.ReadByte(); err != io.EOF {
		if err != nil {
			return bad(err.Error(), "fetch the file again")
		}
		return bad(fmt.Sprintf("the file goes on after %s = %d elements", product(dims), rows*d),
			"the header and the data do not fit together")
	}
	return values, dims, nil
}

func element(kind byte) (size int, decode func([]byte) float64) {
	be := binary.BigEndian
	switch kind {
	case 0x08:
		return 1, func(b []byte) float64 { return float64(b[0]) }
	case 0x09:
		return 1, func(b []byte) float64 { return float64(int8(b[0])) }
	case 0x0b:
		return 2, func(b []byte) float64 { return float64(int16(be.Uint16(b))) }
	case 0x0c:
		return 4, func(b []byte) float64 { return float64(int32(be.Uint32(b))) }
	case 0x0d:
		return 4, func(b []byte) float64 { return float64(math.Float32frombits(be.Uint32(b))) }
	case 0x0e:
		return 8, func(b []byte) float64 { return math.Float64frombits(be.Uint64(b)) }
	}
	return 0, nil
}

func product(dims []int) string {
	parts := make([]string, len(dims))
	for i, m := range dims {
		parts[i] = strconv.Itoa(m)
	}
	return strings.Join(parts, " x ")
}

// WriteIDX writes the rows as 64-bit numbers, or as bytes when all of them are whole numbers 0 ... 255, with the shape of their pictures if
// they have one, and the classes as bytes. Class c is written as c, whatever its name. labels may be nil.
func (s Set) WriteIDX(images, labels io.Writer) error {
	s, ok := s.step("WriteIDX")
	if !ok {
		return s.Err()
	}
	if labels != nil && (s.Y == nil || s.K() > 256) {
		return s.fail(fmt.Errorf("labels need 1 to 256 classes, but there are %d; nil writes no labels", s.K())).Err()
	}
	bytes := true
	for i := range s.N() {
		for _, v := range s.X.RawRowView(i) {
			bytes = bytes && v == math.Trunc(v) && v >= 0 && v <= 255
		}
	}
	dims := []int{s.N(), s.D()}
	if s.shape[0] > 0 {
		dims = []int{s.N(), s.shape[0], s.shape[1]}
	}
	b := bufio.NewWriter(images)
	kind := byte(0x0e)
	if bytes {
		kind = 0x08
	}
	writeHeader(b, kind, dims)
	for i := range s.N() {
		for _, v := range s.X.RawRowView(i) {
			if bytes {
				b.WriteByte(byte(v))
			} else {
				b.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	if err := b.Flush(); err != nil || labels == nil {
		return err
	}
	b = bufio.NewWriter(labels)
	writeHeader(b, 0x08, []int{s.N()})
	for _, c := range s.Y {
		b.WriteByte(byte(c))
	}
	return b.Flush()
}

func writeHeader(b *bufio.Writer, kind byte, dims []int) {
	b.Write([]byte{0, 0, kind, byte(len(dims))})
	for _, m := range dims {
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(m)))
	}
}
