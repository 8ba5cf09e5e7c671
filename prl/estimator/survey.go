package estimator

import (
	"errors"
	"fmt"
	"io"
)

// Package gob believes what data say of their own lengths: it takes up to 10 MB for a message or a list before it looks whether the data have
// as much, and for a map whatever is claimed. A survey therefore walks through the data first and takes no memory for what it finds, so that
// gob sees only data whose every length is true. The form of the data is that of the documentation of encoding/gob, "Encoding details".
//
// One way stays open to data made to deceive. Gob passes over an interface that the state lacks by the length it claims, which is short when the
// value describes types of its own; what follows there the survey has read from another place.
type survey struct {
	ahead []byte // the messages not read yet
	rest  []byte // of the message that is read
	types map[int64]wireType
	err   error // the first
}

// A wireType is the description of a type in the data.
type wireType struct {
	kind   wireKind
	parts  []int64 // ids: of the fields of a struct; of the element of a slice; of the element of an array, and its length; of key and element of a map
	exists bool
}

type wireKind int

// Kinds of wire types, numbered as the fields of gob's own description of a type.
const (
	wireArray wireKind = iota
	wireSlice
	wireStruct
	wireMap
	wireOpaque // and those above: a type that writes itself as bytes
)

// Ids that every gob has from the start.
const (
	wireBool = 1 + iota
	wireInt
	wireUint
	wireFloat
	wireBytes
	wireString
	wireComplex
	wireInterface
	firstOwn = 64 // of the types that data describe themselves
)

// wireDepth is how deep values may stand in each other.
const wireDepth = 100

// truthful reports how many values the data begin with, at most want of them, whose lengths are all true; with fewer there is an error. A value
// must be a struct, as what Encode writes is.
func truthful(data []byte, want int) (values int, err error) {
	s := survey{ahead: data, types: map[int64]wireType{}}
	for values < want {
		s.message()
		id := s.int()
		isValue := id >= 0
		switch {
		case !isValue:
			s.describe(-id)
		case s.types[id].kind != wireStruct:
			s.fail("a value that is no struct")
		default:
			s.value(id, 0)
		}
		if len(s.rest) > 0 {
			s.fail("a message longer than its content")
		}
		if s.err != nil {
			return values, s.err
		}
		if isValue {
			values++
		}
	}
	return values, nil
}

// message goes on to the next message, which begins with its length.
func (s *survey) message() {
	s.rest = s.ahead
	size := s.uint()
	if s.err == nil && size > uint64(len(s.rest)) {
		s.err = io.ErrUnexpectedEOF
	}
	if s.err == nil {
		s.rest, s.ahead = s.rest[:size], s.rest[size:]
	}
}

func (s *survey) fail(what string) {
	if s.err == nil {
		s.err = errors.New("damaged data: " + what)
	}
}

// uint reads a number: a byte below 128, or the negated count of the bytes that follow.
func (s *survey) uint() uint64 {
	if s.err != nil {
		return 0
	}
	if len(s.rest) == 0 {
		s.err = io.ErrUnexpectedEOF
		return 0
	}
	first := s.rest[0]
	s.rest = s.rest[1:]
	if first < 128 {
		return uint64(first)
	}
	n := -int(int8(first))
	if n > 8 {
		s.fail("a number of more than eight bytes")
		return 0
	}
	if n > len(s.rest) {
		s.err = io.ErrUnexpectedEOF
		return 0
	}
	x := uint64(0)
	for _, b := range s.rest[:n] {
		x = x<<8 | uint64(b)
	}
	s.rest = s.rest[n:]
	return x
}

func (s *survey) int() int64 {
	x := s.uint()
	if x&1 != 0 {
		return ^int64(x >> 1)
	}
	return int64(x >> 1)
}

// count reads how many things follow, each of which takes a byte or more.
func (s *survey) count() int {
	n := s.uint()
	if n > uint64(len(s.rest)) {
		s.fail(fmt.Sprintf("%d things are claimed where %d bytes are left", n, len(s.rest)))
		return 0
	}
	return int(n)
}

func (s *survey) skip() {
	n := s.count()
	s.rest = s.rest[n:]
}

// fields calls read for each field that is there of a struct of so many.
func (s *survey) fields(of int, read func(field int)) {
	for field := -1; s.err == nil; {
		step := s.uint()
		if step == 0 {
			return
		}
		if step > uint64(of-1-field) {
			s.fail("a field that its struct does not have")
			return
		}
		field += int(step)
		read(field)
	}
}

// describe reads the description of type id.
func (s *survey) describe(id int64) {
	if id < firstOwn || s.types[id].exists {
		s.fail("a type described twice")
		return
	}
	t := wireType{}
	name := func(int) { // CommonType: a name and an id
		s.fields(2, func(field int) {
			if field == 0 {
				s.skip()
			} else {
				s.int()
			}
		})
	}
	s.fields(7, func(kind int) {
		if t.exists {
			s.fail("a type of two kinds")
		}
		t.exists, t.kind = true, min(wireKind(kind), wireOpaque)
		switch t.kind {
		case wireArray, wireSlice, wireMap: // CommonType; element, length | element | key, element
			t.parts = make([]int64, 2)
			if t.kind == wireSlice {
				t.parts = t.parts[:1]
			}
			s.fields(1+len(t.parts), func(field int) {
				if field == 0 {
					name(0)
				} else {
					t.parts[field-1] = s.int()
				}
			})
		case wireStruct: // CommonType; a list of names and ids
			s.fields(2, func(field int) {
				if field == 0 {
					name(0)
					return
				}
				for range s.count() {
					part := int64(0)
					s.fields(2, func(field int) {
						if field == 0 {
							s.skip()
						} else {
							part = s.int()
						}
					})
					if s.err != nil {
						return
					}
					t.parts = append(t.parts, part)
				}
			})
		default:
			s.fields(1, name)
		}
	})
	if !t.exists {
		s.fail("a type of no kind")
	}
	s.types[id] = t
}

// value walks over a value of type id.
func (s *survey) value(id int64, depth int) {
	if s.err != nil {
		return
	}
	switch id {
	case wireBool, wireInt, wireUint, wireFloat:
		s.uint()
		return
	case wireComplex:
		s.uint()
		s.uint()
		return
	case wireBytes, wireString:
		s.skip()
		return
	}
	t := s.types[id]
	switch {
	case id == wireInterface:
		s.dynamic(depth)
	case !t.exists:
		s.fail(fmt.Sprintf("a value of a type %d that is not described", id))
	case depth == wireDepth:
		s.fail(fmt.Sprintf("values nested more than %d deep", wireDepth))
	case t.kind == wireStruct:
		s.fields(len(t.parts), func(field int) { s.value(t.parts[field], depth+1) })
	case t.kind == wireArray, t.kind == wireSlice:
		for n := s.count(); n > 0 && s.err == nil; n-- {
			s.value(t.parts[0], depth+1)
		}
	case t.kind == wireMap:
		for n := s.count(); n > 0 && s.err == nil; n-- {
			s.value(t.parts[0], depth+1)
			s.value(t.parts[1], depth+1)
		}
	default:
		s.skip()
	}
}

// dynamic walks over the value of an interface: the name of its type, which is empty for nil, descriptions of types that are new, the id of its type,
// and the value behind its length. Descriptions may stand here or in messages of their own.
func (s *survey) dynamic(depth int) {
	if name := s.count(); name > 0 {
		s.rest = s.rest[name:]
	} else {
		return
	}
	id := int64(-1)
	for s.err == nil && id < 0 {
		if len(s.rest) == 0 {
			s.message()
		}
		if id = s.int(); id < 0 {
			s.describe(-id)
			if len(s.rest) > 0 {
				s.uint() // the length of what follows
			}
		}
	}
	size := s.count()
	behind, known := len(s.rest)-size, len(s.types)
	if s.types[id].kind != wireStruct && s.uint() != 0 {
		s.fail("a value that begins as a struct and is none")
	}
	s.value(id, depth+1)
	if s.err == nil && len(s.rest) != behind && len(s.types) == known { // a type described inside is not in the length
		s.fail("a value in an interface that is not as long as it says")
	}
}
