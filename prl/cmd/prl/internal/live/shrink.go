package live

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// Shrink returns a module without what only a traceback reads: names of functions, files, lines and places of inlined calls, which the
// linker cannot leave out and which are a sixth of a module as gzip. It also writes the data in few segments where the linker writes one
// for every row of bytes between eight zeros. The program computes as before; what it would print when the runtime itself breaks has no
// names. A module whose tables are not those of Go 1.26, which are checked from end to end, keeps them.
//
// Source: package runtime, symtab.go and runtime2.go (pcHeader, _func), and the WebAssembly core specification, section 5.5.14.
func Shrink(module []byte) ([]byte, error) {
	const magic = "\x00asm\x01\x00\x00\x00"
	if !bytes.HasPrefix(module, []byte(magic)) {
		return nil, errors.New("no WebAssembly module")
	}
	out := []byte(magic)
	r := &scanner{rest: module[len(magic):]}
	for len(r.rest) > 0 && !r.short {
		id, content := r.take(1), r.take(r.number())
		if r.short {
			break
		}
		const dataSection = 11
		if id[0] == dataSection {
			image, ok := readData(content)
			if !ok {
				return nil, errors.New("a data section that is not one of Go's linker")
			}
			if t, ok := readTables(image); ok {
				t.strip()
			}
			content = writeData(image)
		}
		out = append(out, id[0])
		out = binary.AppendUvarint(out, uint64(len(content)))
		out = append(out, content...)
	}
	if r.short {
		return nil, errors.New("the module ends too early")
	}
	return out, nil
}

// scanner reads bytes; behind the end it reads nothing, and notes it.
type scanner struct {
	rest  []byte
	short bool
}

func (s *scanner) take(n int) []byte {
	if n < 0 || n > len(s.rest) {
		s.short, s.rest = true, nil
		return make([]byte, 1)
	}
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

func (s *scanner) number() int {
	v, n := binary.Uvarint(s.rest)
	if n <= 0 || v > 1<<31 {
		s.short = true
		return -1
	}
	s.rest = s.rest[n:]
	return int(v)
}

// signed reads a signed number in the base 128 of WebAssembly, which is not that of package binary.
func (s *scanner) signed() int {
	v := 0
	for shift := 0; shift < 63; shift += 7 {
		b := s.take(1)[0]
		v |= int(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 {
				v -= 1 << (shift + 7)
			}
			return v
		}
	}
	s.short = true
	return 0
}

// Instructions of the place of a segment.
const (
	i32const = 0x41
	end      = 0x0b
)

// readData returns the memory that a data section fills.
func readData(section []byte) (image []byte, ok bool) {
	const most = 1 << 28
	s := &scanner{rest: section}
	for n := s.number(); n > 0 && !s.short; n-- {
		memory, op := s.number(), s.take(1)[0]
		at := s.signed()
		last := s.take(1)[0]
		data := s.take(s.number())
		if s.short || memory != 0 || op != i32const || last != end || at < 0 || at+len(data) > most {
			return nil, false
		}
		image = append(image, make([]byte, max(0, at+len(data)-len(image)))...)
		copy(image[at:], data)
	}
	return image, !s.short && len(s.rest) == 0
}

// writeData returns the data section of a memory. A new segment costs more than a few zeros, which a compressor takes for nothing.
func writeData(image []byte) []byte {
	const gap = 512
	var body []byte
	n := 0
	for at := 0; at < len(image); {
		if image[at] == 0 {
			at++
			continue
		}
		last := at // the last byte of the segment
		for i := at; i < len(image) && i-last <= gap; i++ {
			if image[i] != 0 {
				last = i
			}
		}
		body = append(append(append(body, 0, i32const), signed(at)...), end)
		body = binary.AppendUvarint(body, uint64(last+1-at))
		body = append(body, image[at:last+1]...)
		at = last + 1
		n++
	}
	return append(binary.AppendUvarint(nil, uint64(n)), body...)
}

// signed writes a number that is not negative as signed ones are written.
func signed(v int) (b []byte) {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// tables are Go's tables of functions in the memory of a module.
type tables struct {
	image               []byte
	names, units, files [2]int // where the names of functions, the units of compilation and the names of files begin and end
	values              [2]int // the tables of values by place in the program
	records             []int  // the record of each function
	pieces              int    // where the pieces of data of functions begin, or 0
}

// Parts of the record of a function, each of 4 bytes, and where its lists begin.
const (
	entryAt      = 0
	nameAt       = 4
	argumentsAt  = 8
	frameAt      = 16
	fileAt       = 20
	lineAt       = 24
	placesAt     = 28 // how many tables by place there are
	unitAt       = 32
	startLineAt  = 36
	dataCountAt  = 43 // one byte: how many pieces of data there are
	listsAt      = 44
	inlinedTable = 2 // of the tables by place
	inlinedData  = 3 // of the pieces of data
	argumentData = 5
	absent       = 1<<32 - 1
	inlinedSize  = 16      // of an inlined call: its kind, its name, its place and its first line
	unknownSize  = 1 << 31 // of the arguments of functions that the collector knows by name
)

func (t *tables) word(at int) int         { return int(binary.LittleEndian.Uint32(t.image[at:])) }
func (t *tables) set(at int, v uint32)    { binary.LittleEndian.PutUint32(t.image[at:], v) }
func (t *tables) table(record, i int) int { return record + listsAt + 4*i }
func (t *tables) data(record, i int) int  { return record + listsAt + 4*t.word(record+placesAt) + 4*i }

// readTables finds the tables, and checks them.
func readTables(image []byte) (*tables, bool) {
	const (
		magic  = "\xf1\xff\xff\xff\x00\x00\x01\x08" // of Go 1.20 to 1.26; instructions of one byte, pointers of eight
		header = 72
	)
	for at := 0; ; at++ {
		next := bytes.Index(image[at:], []byte(magic))
		if next < 0 {
			return nil, false
		}
		at += next
		if at+header > len(image) {
			return nil, false
		}
		part := func(i int) int { return int(binary.LittleEndian.Uint64(image[at+8*i:])) }
		n, bounds := part(1), []int{header, part(4), part(5), part(6), part(7), part(8), len(image) - at}
		if n <= 0 || n > len(image)/listsAt || bounds[1] != header || !slices.IsSorted(bounds) {
			continue
		}
		t := &tables{image: image}
		for i, span := range []*[2]int{&t.names, &t.units, &t.files, &t.values} {
			*span = [2]int{at + bounds[i+1], at + bounds[i+2]}
		}
		if t.read(at+bounds[5], n) {
			t.findPieces(at)
			return t, true
		}
	}
}

// read reads the n functions listed at a place: pairs of where a function begins and where its record stands, from the list on.
func (t *tables) read(list, n int) bool {
	inside := func(at, size int) bool { return at >= 0 && at+size <= len(t.image) }
	if !inside(list, 8*n+4) {
		return false
	}
	behind := 0
	for i := range n {
		record := list + t.word(list+8*i+4)
		if behind != 0 && record != behind || !inside(record, listsAt) {
			return false
		}
		places, pieces := t.word(record+placesAt), int(t.image[record+dataCountAt])
		const (
			mostTables = 16
			blocks     = 1 << 16 // places of a function of WebAssembly
		)
		if places > mostTables || !inside(record, listsAt+4*places+4*pieces) {
			return false
		}
		const pointer = 8 // records begin at multiples of it, seen from the list
		behind = record + (listsAt+4*places+4*pieces+pointer-1)/pointer*pointer
		begin, after := t.word(record+entryAt), t.word(list+8*i+8)
		if begin != t.word(list+8*i) || after < begin || t.word(record+nameAt) >= t.names[1]-t.names[0] {
			return false
		}
		all := []int{t.word(record + frameAt), t.word(record + fileAt), t.word(record + lineAt)}
		for k := range places {
			all = append(all, t.word(t.table(record, k)))
		}
		for _, offset := range all {
			if _, reach, ok := t.span(offset); !ok || reach > (after-begin)*blocks {
				return false
			}
		}
		t.records = append(t.records, record)
	}
	return true
}

// findPieces finds where the pieces of data of functions begin: the description of the module, which begins with the places of the header
// and of the names, says it.
func (t *tables) findPieces(header int) {
	const (
		word        = 8
		description = 64 * word
		pieces      = 40 * word // the field gofunc of moduledata
	)
	var start []byte
	for _, v := range []int{header, t.names[0], t.names[1] - t.names[0], t.names[1] - t.names[0], t.units[0]} {
		start = binary.LittleEndian.AppendUint64(start, uint64(v))
	}
	at := bytes.Index(t.image, start)
	if at < 0 || at+description > len(t.image) {
		return
	}
	base := int(binary.LittleEndian.Uint64(t.image[at+pieces:]))
	for _, record := range t.records {
		if from, n := t.inlined(base, record); n > 0 {
			for k := range n {
				if at := from + inlinedSize*k; at < 0 || at+inlinedSize > len(t.image) || t.word(at+nameAt) >= t.names[1]-t.names[0] {
					return
				}
			}
		}
	}
	t.pieces = base
}

// inlined returns where the list of the calls inlined into a function stands, and its length.
func (t *tables) inlined(base, record int) (from, n int) {
	if t.word(record+placesAt) <= inlinedTable || int(t.image[record+dataCountAt]) <= inlinedData {
		return 0, 0
	}
	offset := t.word(t.data(record, inlinedData))
	if offset == absent {
		return 0, 0
	}
	return base + offset, t.highest(t.word(t.table(record, inlinedTable))) + 1
}

// span returns where a table of values ends, and how far into its function it reaches: pairs of a difference of values and one of places,
// up to a value that does not change.
func (t *tables) span(offset int) (end, reach int, ok bool) {
	s := &scanner{rest: t.image[t.values[0]:t.values[1]]}
	s.take(offset)
	if offset == 0 || s.short {
		return t.values[0], 0, !s.short
	}
	for first := true; ; first = false {
		change := s.number()
		if s.short || change == 0 && !first {
			return t.values[1] - len(s.rest), reach, !s.short
		}
		reach += s.number()
	}
}

// highest returns the largest value of a table of values.
func (t *tables) highest(offset int) int {
	s := &scanner{rest: t.image[t.values[0]+offset : t.values[1]]}
	most, v := -1, -1
	for first := true; offset != 0; first = false {
		change := s.number()
		if change == 0 && !first {
			break
		}
		v += int(uint(change)>>1) ^ -(change & 1)
		most = max(most, v)
		s.number()
	}
	return most
}

// name returns the name of a function.
func (t *tables) name(record int) []byte {
	name, _, _ := bytes.Cut(t.image[t.names[0]+t.word(record+nameAt):t.names[1]], []byte{0})
	return name
}

// strip clears what only tracebacks read. The runtime asks of a name whether it begins with "runtime.", for which one name does, and of a
// function with arguments of unknown size which one it is.
func (t *tables) strip() {
	keptNames, keptValues := kept{}, kept{}
	ours := 0 // the name of the runtime's functions
	for _, record := range t.records {
		at, name := t.word(record+nameAt), t.name(record)
		switch {
		case t.word(record+argumentsAt) == unknownSize:
			keptNames[at] = at + len(name)
		case !bytes.HasPrefix(name, []byte("runtime.")):
			at = 0
		case ours == 0:
			ours = at
			keptNames[at] = at + len(name)
		default:
			at = ours
		}
		t.set(record+nameAt, uint32(at))
		if t.pieces != 0 {
			from, n := t.inlined(t.pieces, record)
			clear(t.image[from : from+inlinedSize*n])
		}
		for _, part := range []int{fileAt, lineAt, unitAt, startLineAt} {
			t.set(record+part, 0)
		}
		offsets := []int{t.word(record + frameAt)}
		for k := range t.word(record + placesAt) {
			if k == inlinedTable {
				t.set(t.table(record, k), 0)
			}
			offsets = append(offsets, t.word(t.table(record, k)))
		}
		for _, offset := range offsets {
			last, _, _ := t.span(offset)
			keptValues[offset] = last - t.values[0]
		}
		for _, k := range []int{inlinedData, argumentData} {
			if k < int(t.image[record+dataCountAt]) {
				t.set(t.data(record, k), absent)
			}
		}
	}
	keptNames.only(t.image[t.names[0]:t.names[1]])
	keptValues.only(t.image[t.values[0]:t.values[1]])
	clear(t.image[t.units[0]:t.units[1]])
	clear(t.image[t.files[0]:t.files[1]])
}

// kept has the ends of spans by their beginnings.
type kept map[int]int

// only clears what lies in no span.
func (k kept) only(bytes []byte) {
	at := 0
	for _, begin := range slices.Sorted(maps.Keys(k)) {
		if begin > at {
			clear(bytes[at:begin])
		}
		at = max(at, k[begin])
	}
	clear(bytes[at:])
}
