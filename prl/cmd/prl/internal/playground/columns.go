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
	blocks [][]byte
}

// pieces takes an archive apart, and returns what is behind the last object. What importers of a package read is left out of those that
// no cell imports.
//
// Source: package cmd/internal/archive.
func pieces(file []byte, imported bool, debug []byte) (list []piece, rest []byte, err error) {
	const (
		magic  = "!<arch>\n"
		header = 60 // of an entry: its name is the first 16 bytes, its size stands in 10 digits
		sizeAt = 48
	)
	if !bytes.HasPrefix(file, []byte(magic)) {
		return nil, nil, errors.New("it is no archive")
	}
	rest = []byte(magic)
	for file = file[len(magic):]; len(file) > 0; {
		if len(file) < header {
			return nil, nil, errors.New("it ends in the header of an entry")
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(file[sizeAt : sizeAt+10])))
		if err != nil || size < 0 || header+size > len(file) {
			return nil, nil, errors.New("it has an entry without a size")
		}
		head, entry := file[:header], file[header:header+size]
		file = file[min(len(file), header+size+size&1):]
		forImporters := strings.HasPrefix(string(head), "__.PKGDEF")
		if forImporters && !imported {
			entry = nil
		}
		from := bytes.Index(entry, []byte(objectMark))
		var o [][]byte
		if !forImporters && from >= 0 {
			if o, err = object(entry[from:], debug); err != nil {
				return nil, nil, err
			}
			entry = entry[:from+headerSize]
			end := len(entry) - from // of the blocks so far, seen from the object
			for i, b := range o {
				end += len(b)
				binary.LittleEndian.PutUint32(entry[from+offsetsAt+4*i:], uint32(end))
			}
			size = from + end
		} else {
			size = len(entry)
		}
		rest = append(rest, head[:sizeAt]...)
		rest = fmt.Appendf(rest, "%-10d", size)
		rest = append(rest, head[sizeAt+10:]...)
		rest = append(rest, entry...)
		if o != nil {
			list = append(list, piece{rest, o})
			rest = nil
		}
		if size&1 == 1 {
			rest = append(rest, 0)
		}
	}
	return list, rest, nil
}

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

// An entry says of an archive how long it is, where its objects begin, and whether cells import the package.
type entry struct {
	Path     string `json:"path"`
	Size     int    `json:"size"`
	Objects  []int  `json:"objects"`
	Imported bool   `json:"imported"`
}

// joined are all archives as one piece of bytes that packs better than they do: first what lies outside of blocks, then the blocks of
// one kind after those of another, and tables by columns. What symbols of the kinds debug hold is left out. The page's function archives
// takes it apart. The content hashes of symbols stay as they are, though nothing packs them: by them the linker finds what the cell and the
// library both have, such as the tables of interfaces, whose addresses a program compares.
func joined(archives []archive, debug []byte) (all []byte, list []entry, err error) {
	streams := make([][]byte, len(widths))
	for _, a := range archives {
		objects, rest, err := pieces(a.content, a.imported, debug)
		if err != nil {
			return nil, nil, fmt.Errorf("package %s: %w", a.path, err)
		}
		e := entry{Path: a.path, Imported: a.imported, Objects: []int{}}
		for _, o := range objects {
			all = append(all, o.before...)
			e.Size += len(o.before)
			e.Objects = append(e.Objects, e.Size-headerSize)
			for i, b := range o.blocks {
				streams[i] = append(streams[i], b...)
				e.Size += len(b)
			}
		}
		all = append(all, rest...)
		e.Size += len(rest)
		list = append(list, e)
	}
	for i, s := range streams {
		all = append(all, columns(s, widths[i], rises(i))...)
	}
	return all, list, nil
}

// rises reports whether the records of a block begin with a number that grows from one to the next as a rule.
func rises(block int) bool { return block >= tablesAt && block <= contentsAt }

// columns are the records of a table by columns. Numbers that rise become their differences.
func columns(rows []byte, width int, rises bool) []byte {
	n, out, last := len(rows)/width, make([]byte, len(rows)), uint32(0)
	for i := range n {
		row := rows[i*width : (i+1)*width]
		if rises {
			v := binary.LittleEndian.Uint32(row)
			binary.LittleEndian.PutUint32(row, v-last)
			last = v
		}
		for k, v := range row {
			out[k*n+i] = v
		}
	}
	return out
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

// A form is what the page has to know of blocks.
type form struct {
	Width int  `json:"width"`
	Rises bool `json:"rises"`
}

func forms() (list []form) {
	for i, width := range widths {
		list = append(list, form{width, rises(i)})
	}
	return list
}
