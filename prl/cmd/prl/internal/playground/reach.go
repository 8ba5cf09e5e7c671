package playground

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A reach finds out which symbols of archives a program with cells can need: those that it can name, and all that these need. A method that
// is called through an interface only is needed if some interface or a program can name it, as the linker sees it.
type reach struct {
	units   []*unit
	of      []*unit          // of each symbol
	indexed map[string]*unit // the unit to whose symbols others refer by number, of each package
	named   map[string][]int // the symbols with a name that others can find; binary interfaces are one on this machine
	debug   []byte           // kinds of symbols for debuggers
	marks   marks

	needed  []bool           // of each symbol
	said    map[*unit][]bool // of each reference by name
	called  map[string]bool  // names of methods
	waiting map[string][]method
	queue   []int
}

// A method has three relocations in a type, which matter once a method of that name is called.
type method struct {
	of          *unit
	relocations [][]byte
}

// newReach lists the units of archives that are taken apart, and numbers their symbols.
func newReach(archives []archive, debug []byte, m marks) *reach {
	r := &reach{
		debug: debug, marks: m, indexed: map[string]*unit{}, named: map[string][]int{}, said: map[*unit][]bool{},
		called: map[string]bool{}, waiting: map[string][]method{},
	}
	for _, a := range archives {
		for i := range a.pieces {
			u := newUnit(&a.pieces[i], a.path, len(r.of))
			if r.indexed[a.path] == nil {
				r.indexed[a.path] = u
			}
			r.units = append(r.units, u)
			r.of = append(r.of, slices.Repeat([]*unit{u}, u.size())...)
			for s := u.first; s < len(r.of); s++ {
				record := u.symbol(s)
				if name := u.text(record[nameAt:]); name != "" && binary.LittleEndian.Uint16(record[abiAt:]) != static {
					r.named[name] = append(r.named[name], s)
				}
			}
			r.said[u] = make([]bool, len(u.blocks[refsAt])/widths[refsAt])
		}
	}
	r.needed = make([]bool, len(r.of))
	return r
}

// find follows a reference of a unit to the symbols that it may mean. A reference by name is noted as one that is said.
func (r *reach) find(u *unit, to []byte) []int {
	pkg, i := u32(to), u32(to[4:])
	switch pkg {
	case 0, builtin:
		return nil
	case itself:
		return []int{u.first + i}
	case byShortContent:
		return []int{u.first + u.count[0] + i}
	case byContent:
		return []int{u.first + u.count[0] + u.count[1] + i}
	case byName:
		if own := u.count[3]; i >= own {
			r.said[u][i-own] = true
			return r.named[u.text(u.row(refsAt, i-own)[nameAt:])]
		}
		return []int{u.first + u.count[0] + u.count[1] + u.count[2] + i}
	}
	if other := r.indexed[u.references[pkg]]; other != nil {
		return []int{other.first + i}
	}
	return nil
}

// need notes what a reference of a unit means as needed.
func (r *reach) need(u *unit, to []byte) {
	for _, s := range r.find(u, to) {
		r.root(s)
	}
}

// root notes a symbol as needed.
func (r *reach) root(s int) {
	if !r.needed[s] {
		r.needed[s] = true
		r.queue = append(r.queue, s)
	}
}

// identifier is a name in Go.
var identifier = regexp.MustCompile(`[\pL_][\pL\d_]*`)

// wholly are packages of which all is needed: the compiler and the linker know names in them.
var wholly = regexp.MustCompile(`^(?:runtime|internal/runtime/.*|internal/(?:abi|bytealg|cpu)|reflect|syscall/js)$`)

// roots notes what a program can name: symbols that consist of names which importers read, and what starts a program.
func (r *reach) roots(archives []archive) error {
	names := map[string]bool{"type": true, "eq": true, "hash": true, "go": true, "inittask": true}
	for _, a := range archives {
		for _, name := range identifier.FindAllString(a.path, -1) {
			names[name] = true // the names of types hold the paths of packages
		}
		if !a.imported {
			continue
		}
		list, err := stringsOf(a.content)
		if err != nil {
			return fmt.Errorf("package %s: %w", a.path, err)
		}
		for _, name := range list {
			names[name] = true
			r.call(name)
		}
	}
	for s, u := range r.of {
		name := u.text(u.symbol(s)[nameAt:])
		if name == "" {
			continue
		}
		unknown := func(name string) bool { return !names[name] }
		if wholly.MatchString(u.path) || !slices.ContainsFunc(identifier.FindAllString(name, -1), unknown) {
			r.root(s)
		}
	}
	return nil
}

// follow notes all that needed symbols need.
func (r *reach) follow() {
	for len(r.queue) > 0 {
		s := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		u := r.of[s]
		relocs := u.records(relocations, s)
		if data := u.has(bytesOf, s); u.symbol(s)[flagAt]&goType != 0 && len(data) > typeKind && data[typeKind]&typeKinds == interfaces {
			r.methods(u, relocs)
		}
		for len(relocs) > 0 {
			n := 1
			switch int(binary.LittleEndian.Uint16(relocs[0][relocKind:])) {
			case r.marks.name:
				for _, name := range r.find(u, relocs[0][relocTo:]) {
					r.call(string(r.of[name].has(bytesOf, name)))
					r.root(name) // the linker reads it
				}
			case r.marks.method:
				n = 3 // its type, and its code twice
				r.method(u, relocs[:n])
			default:
				r.need(u, relocs[0][relocTo:])
			}
			relocs = relocs[n:]
		}
		for _, aux := range u.records(auxiliaries, s) {
			for _, to := range r.find(u, aux[auxTo:]) {
				if aux[0] == auxIsFunc {
					r.taken(to)
				}
				if o := r.of[to]; !slices.Contains(r.debug, o.symbol(to)[kindAt]) {
					r.root(to)
				}
			}
		}
	}
}

// method notes that a type has a method, by its relocations.
func (r *reach) method(u *unit, relocs [][]byte) {
	for _, code := range r.find(u, relocs[1][relocTo:]) {
		name := r.of[code].text(r.of[code].symbol(code)[nameAt:])
		name = name[strings.LastIndexByte(name, '.')+1:]
		m := method{u, relocs}
		if r.called[name] {
			r.all(m)
		} else {
			r.waiting[name] = append(r.waiting[name], m)
		}
	}
}

// all notes a method as needed.
func (r *reach) all(m method) {
	for _, row := range m.relocations {
		r.need(m.of, row[relocTo:])
	}
}

// call notes that methods of a name are called through interfaces.
func (r *reach) call(name string) {
	if !r.called[name] {
		r.called[name] = true
		for _, m := range r.waiting[name] {
			r.all(m)
		}
		delete(r.waiting, name)
	}
}

// methods notes the methods of an interface type as called, whose names are among its relocations.
func (r *reach) methods(u *unit, relocs [][]byte) {
	for _, row := range relocs {
		for _, s := range r.find(u, row[relocTo:]) {
			o := r.of[s]
			if strings.HasPrefix(o.text(o.symbol(s)[nameAt:]), "type:.namedata.") {
				data := o.has(bytesOf, s)[1:] // a flag stands first
				size, n := binary.Uvarint(data)
				r.call(string(data[n : n+int(size)]))
			}
		}
	}
}

// taken notes the functions that a function has taken into itself, from what is told of it: traces of calls name them, and the linker wants
// to know them.
//
// Source: cmd/internal/goobj, funcinfo.go.
func (r *reach) taken(s int) {
	const files, node, called = 16, 24, 12
	u := r.of[s]
	told := u.has(bytesOf, s)
	if len(told) < files+4 {
		return
	}
	told = told[files+4+4*u32(told[files:]):]
	for row := range slices.Chunk(told[4:], node) {
		for _, f := range r.find(u, row[called:]) {
			r.root(f)
		}
	}
}
