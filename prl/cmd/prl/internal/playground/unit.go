package playground

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// Numbers of packages in references of object files that stand for no package: symbols that are found by name, two kinds that are found by
// content, those of the runtime that the compiler knows, and those of the package itself.
//
// Source: cmd/internal/goobj, objfile.go.
const (
	byName = 1<<31 - 1 - iota
	byShortContent
	byContent
	builtin
	itself
)

// Blocks of an object file, and places in their records.
const (
	importsAt  = 1
	packagesAt = 2
	filesAt    = 3
	refsAt     = 8
	hash64At   = 10
	hashAt     = 11
	refNamesAt = 18

	nameAt     = 0 // of a symbol: a length and a place, as everywhere
	abiAt      = 8 // its binary interface; static is that of a symbol that no other object finds
	static     = 0xffff
	flagAt     = 11 // goType is one, and gone is one of ours: what it held is left out
	flag2At    = 12 // itab is one
	goType     = 1 << 6
	gone       = 1 << 7
	itab       = 1 << 1
	relocKind  = 5  // of a relocation
	relocTo    = 15 // its reference
	auxTo      = 1  // the reference of an auxiliary symbol, whose kind stands first
	auxIsFunc  = 1  // the kind that tells of a function
	typeKind   = 23 // the kind in what a type holds
	typeKinds  = 31
	interfaces = 20
)

// A unit is an object file whose symbols have numbers among those of all units.
type unit struct {
	*piece
	path       string
	first      int      // the number of its first symbol
	count      [4]int   // of symbols: of the package, by short content, by content, by name
	references []string // packages, by their number in references
}

func u32(b []byte) int { return int(binary.LittleEndian.Uint32(b)) }

// newUnit is the unit of a piece whose symbols are numbered from first on.
func newUnit(p *piece, path string, first int) *unit {
	u := &unit{piece: p, path: path, first: first}
	for k := range u.count {
		u.count[k] = len(p.blocks[symbolsAt+k]) / widths[symbolsAt+k]
	}
	for ref := range slices.Chunk(p.blocks[packagesAt], 8) {
		u.references = append(u.references, u.text(ref))
	}
	return u
}

// size is how many symbols the unit defines.
func (u *unit) size() int { return u.count[0] + u.count[1] + u.count[2] + u.count[3] }

// row is a record of a block.
func (u *unit) row(block, i int) []byte {
	return u.blocks[block][i*widths[block] : (i+1)*widths[block]]
}

// text is the string that a record refers to, whose place counts from the beginning of the object.
func (u *unit) text(ref []byte) string {
	n, at := u32(ref), u32(ref[4:])-headerSize
	if n == 0 {
		return ""
	}
	return string(u.blocks[0][at : at+n])
}

// symbol is the record of a symbol of the unit.
func (u *unit) symbol(i int) []byte {
	i -= u.first
	for k, n := range u.count {
		if i < n {
			return u.row(symbolsAt+k, i)
		}
		i -= n
	}
	panic("a symbol of another unit")
}

// What a symbol of a unit has in the tables of places.
const (
	relocations = iota
	auxiliaries
	bytesOf
)

// has are the records or the bytes that belong to a symbol of the unit.
func (u *unit) has(table, i int) []byte {
	places, width := u.blocks[tablesAt+table][4*(i-u.first):], widths[contentsAt+table]
	return u.blocks[contentsAt+table][u32(places)*width : u32(places[4:])*width]
}

// records are what belongs to a symbol of the unit, one by one.
func (u *unit) records(table, i int) [][]byte {
	return slices.Collect(slices.Chunk(u.has(table, i), widths[contentsAt+table]))
}

// marks are the numbers of two kinds of relocations: to a method that is only called through an interface, and to the name of a method
// that is called so.
type marks struct{ method, name int }

// relocLine is a line of Go's list of kinds of relocations.
var relocLine = regexp.MustCompile(`(?m)^\t(R_\w+)(?: RelocType = 1 \+ iota)?$`)

// relocMarks are the marks in the Go of a folder.
func relocMarks(goroot string) (m marks, err error) {
	path := filepath.Join(goroot, "src", "cmd", "internal", "objabi", "reloctype.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	for i, line := range relocLine.FindAllStringSubmatch(string(text), -1) {
		switch line[1] {
		case "R_METHODOFF":
			m.method = i + 1
		case "R_USENAMEDMETHOD":
			m.name = i + 1
		}
	}
	if m.method == 0 || m.name == 0 {
		return m, fmt.Errorf("%s has no kinds of relocations as in Go 1.26", path)
	}
	return m, nil
}

// stringsOf are the strings in what importers of a package read: all names that a program can refer to in it, also through functions that
// the compiler takes into the program.
//
// Source: package internal/pkgbits of Go 1.26.
func stringsOf(archive []byte) (list []string, err error) {
	wrong := errors.New("what its importers read has another form than in Go 1.26")
	const version, flags, sections = 4, 4, 10
	_, b, found := bytes.Cut(archive, []byte("\n$$B\nu"))
	if !found || len(b) < version+flags+4*sections {
		return nil, wrong
	}
	ends := b[version+flags:]
	n, all := u32(ends), u32(ends[4*(sections-1):])
	ends = ends[4*sections:]
	if n > all || 4*all > len(ends) {
		return nil, wrong
	}
	text, from := ends[4*all:], 0
	for i := range n {
		to := u32(ends[4*i:])
		if to < from || to > len(text) {
			return nil, wrong
		}
		list = append(list, string(text[from:to]))
		from = to
	}
	return list, nil
}
