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
	"strconv"
	"strings"
)

// widths are the bytes of a record in each block of an object file of Go, 1 for plain bytes, in the order of the file: strings, imported
// packages, indexes of packages and files, symbols of five kinds, their flags and hashes, three tables of places, relocations, auxiliary
// symbols, data, and names of references.
//
// Source: cmd/internal/goobj, objfile.go.
var widths = []int{1, 1, 1, 1, 21, 21, 21, 21, 21, 1, 8, 16, 4, 4, 4, 23, 9, 1, 1}

// Where in the blocks and in a record of them something stands.
const (
	symbolsAt  = 4  // the first of four blocks of defined symbols
	tablesAt   = 12 // of the first relocation of each symbol; then those of auxiliary symbols and of data
	contentsAt = 15 // of the relocations; then those two
	kindAt     = 10 // of a symbol
	offsetsAt  = 20 // behind the mark of an object, a fingerprint and flags
	headerSize = offsetsAt + 4*19
	objectMark = "\x00go120ld"
)

// A piece of an archive is an object file of Go in its blocks, with what stands before it and behind the last.
type piece struct {
	before []byte // with the header of the object
	entry  int    // where in it the header of the entry begins, of 60 bytes
	blocks [][]byte
}

// seal writes into the headers how long the blocks are now, and lets the entry end at an even place, as entries of archives do.
func (p *piece) seal() {
	object := len(p.before) - headerSize
	end := headerSize // of the blocks so far, seen from the object
	for i, b := range p.blocks {
		if size := object - p.entry + end + len(b); i == len(p.blocks)-1 && size&1 == 1 {
			p.blocks[i] = append(b, 0)
			b = p.blocks[i]
		}
		end += len(b)
		binary.LittleEndian.PutUint32(p.before[object+offsetsAt+4*i:], uint32(end))
	}
	copy(p.before[p.entry+sizeAt:], fmt.Sprintf("%-10d", object-p.entry-entrySize+end))
}

// Entries of archives: their name is the first 16 bytes of a header, their size stands in 10 digits.
//
// Source: package cmd/internal/archive.
const (
	archiveMark = "!<arch>\n"
	entrySize   = 60
	sizeAt      = 48
)

// apart takes archives into their pieces. What importers of a package read is left out of those that no cell imports, and all that symbols
// for debuggers hold, whose kinds are given.
func apart(archives []archive, debug []byte) (err error) {
	for i := range archives {
		a := &archives[i]
		if a.pieces, a.rest, err = pieces(a.content, a.imported, debug); err != nil {
			return fmt.Errorf("package %s: %w", a.path, err)
		}
	}
	return nil
}

// pieces takes an archive apart, and returns what is behind the last object.
func pieces(file []byte, imported bool, debug []byte) (list []piece, rest []byte, err error) {
	if !bytes.HasPrefix(file, []byte(archiveMark)) {
		return nil, nil, errors.New("it is no archive")
	}
	rest = []byte(archiveMark)
	for file = file[len(archiveMark):]; len(file) > 0; {
		if len(file) < entrySize {
			return nil, nil, errors.New("it ends in the header of an entry")
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(file[sizeAt : sizeAt+10])))
		if err != nil || size < 0 || entrySize+size > len(file) {
			return nil, nil, errors.New("it has an entry without a size")
		}
		head, entry := file[:entrySize], file[entrySize:entrySize+size]
		file = file[min(len(file), entrySize+size+size&1):]
		if from := bytes.Index(entry, []byte(objectMark)); from >= 0 && !forImporters(head) {
			blocks, err := object(entry[from:], debug)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, piece{slices.Concat(rest, head, entry[:from+headerSize]), len(rest), blocks})
			list[len(list)-1].seal()
			rest = nil
			continue
		}
		if forImporters(head) && !imported {
			entry = nil
		}
		rest = append(rest, head[:sizeAt]...)
		rest = fmt.Appendf(rest, "%-10d", len(entry))
		rest = append(rest, head[sizeAt+10:]...)
		rest = append(rest, entry...)
		if len(entry)&1 == 1 {
			rest = append(rest, 0)
		}
	}
	return list, rest, nil
}

// forImporters reports whether an entry with this header holds what importers of the package read.
func forImporters(head []byte) bool { return strings.HasPrefix(string(head), "__.PKGDEF") }

// object takes an object file apart into its blocks, and leaves out what the symbols for debuggers hold, whose kinds are given: the linker
// of a page does not read it.
func object(file, debug []byte) (list [][]byte, err error) {
	wrong := errors.New("it has an object file of another form")
	from := headerSize
	if len(file) < from {
		return nil, wrong
	}
	for i, width := range widths {
		end := int(binary.LittleEndian.Uint32(file[offsetsAt+4*i:]))
		if end < from || end > len(file) || (end-from)%width != 0 {
			return nil, wrong
		}
		list = append(list, bytes.Clone(file[from:end]))
		from = end
	}
	var kinds []byte
	for i := symbolsAt; i < symbolsAt+4; i++ {
		for at := 0; at < len(list[i]); at += widths[i] {
			kinds = append(kinds, list[i][at+kindAt])
		}
	}
	for k := range 3 {
		table, content, width := list[tablesAt+k], list[contentsAt+k], widths[contentsAt+k]
		if len(table) != 4*(len(kinds)+1) {
			return nil, wrong
		}
		var kept []byte
		for i, kind := range kinds {
			a, b := int(binary.LittleEndian.Uint32(table[4*i:])), int(binary.LittleEndian.Uint32(table[4*i+4:]))
			if a > b || b*width > len(content) {
				return nil, wrong
			}
			binary.LittleEndian.PutUint32(table[4*i:], uint32(len(kept)/width))
			if !slices.Contains(debug, kind) {
				kept = append(kept, content[a*width:b*width]...)
			}
		}
		binary.LittleEndian.PutUint32(table[4*len(kinds):], uint32(len(kept)/width))
		list[contentsAt+k] = kept
	}
	return list, nil
}

// kindLine is a line of Go's list of kinds of symbols.
var kindLine = regexp.MustCompile(`(?m)^\tS\w+`)

// debugKinds are the kinds of symbols for debuggers, in the Go of a folder.
func debugKinds(goroot string) (list []byte, err error) {
	path := filepath.Join(goroot, "src", "cmd", "internal", "objabi", "symkind.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, name := range kindLine.FindAllString(string(text), -1) {
		if strings.HasPrefix(name, "\tSDWARF") {
			list = append(list, byte(i))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no kinds of symbols as in Go 1.26", path)
	}
	return list, nil
}
