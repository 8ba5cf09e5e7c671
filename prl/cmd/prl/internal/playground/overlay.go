package playground

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// readAtOnce is how much of an object file the linker reads at once, as page/shelf.js packs it.
const readAtOnce = 1 << 13

// others are the machines whose back ends a page does not need.
const others = "amd64|arm|arm64|loong64|mips|mips64|ppc64|riscv64|s390x|x86"

// An edit is what stands in a file of Go's sources, and what stands there in the overlay.
type edit struct {
	file    string
	found   *regexp.Regexp
	instead string
}

// edits take out of the compiler and the linker what brings the back ends of other machines into them, which do not need those in a page:
// imports, entries of a table and cases of a switch. The compiler is a quarter smaller so. Where the linker notes that a program needs a
// symbol, they let it say so if prune has emptied that.
var edits = []edit{
	{"src/cmd/compile/main.go", regexp.MustCompile(
		`\t"cmd/compile/internal/(?:` + others + `)"\n|\t"\w+": +(?:` + others + `)\.Init,\n`,
	), ""},
	{"src/cmd/link/main.go", regexp.MustCompile(
		`\t"cmd/link/internal/(?:` + others + `)"\n|\tcase "[^\n]*:\n\t\tarch, theArch = (?:` + others + `)\.Init\(\)\n`,
	), ""},
	{"src/cmd/compile/internal/ssa/config.go", regexp.MustCompile(`(?s)\tcase "amd64":\n\t\tc\.PtrSize.*?(\tcase "wasm":\n)`), "$1"},
	{"src/cmd/link/internal/ld/deadcode.go", regexp.MustCompile(
		`func \(d \*deadcodePass\) mark\(symIdx, parent loader\.Sym\) \{\n\tif symIdx != 0 && !d\.ldr\.AttrReachable\(symIdx\) \{\n`,
	), fmt.Sprintf(`${0}		if d.ldr.SymAttr(symIdx)&%d != 0 {
			d.ctxt.Errorf(parent, "this needs a part of the library that pages leave out; it runs in the lab")
		}
`, gone)},
}

// piecewise are edits by which the linker reads those pieces of an object file only at which it looks, with functions that it imports from
// page/toolchain.js.
var piecewise = []edit{
	{"src/cmd/internal/bio/buf_nommap.go", regexp.MustCompile(`(package bio\n)((?s:.*))\treturn nil, false\n`), `${1}
import "unsafe"

//go:wasmimport prl hold
func hold(fd int32, to unsafe.Pointer, n, at int32)
${2}	data, off := make([]byte, length), r.Offset()
	hold(int32(r.f.Fd()), unsafe.Pointer(&data[0]), int32(length), int32(off))
	r.MustSeek(int64(length), 1)
	return data, true
`},
	{"src/cmd/internal/goobj/objfile.go", regexp.MustCompile(`type Reader struct \{\n`), fmt.Sprintf(`//go:wasmimport prl fill
func fill(to unsafe.Pointer, n int32)

// read reads the pieces of the file with these bytes that were not read before.
func (r *Reader) read(off uint32, n int) {
	const piece = %d
	if r.have == nil {
		r.have = make([]bool, len(r.b)/piece+1)
	}
	for k := int(off) / piece; k*piece < min(int(off)+n, len(r.b)); k++ {
		if !r.have[k] {
			r.have[k] = true
			fill(unsafe.Pointer(&r.b[k*piece]), int32(min(piece, len(r.b)-k*piece)))
		}
	}
}

${0}	have []bool // pieces
`, readAtOnce)},
	{"src/cmd/internal/goobj/objfile.go", regexp.MustCompile(`\tend := int\(off\) \+ len\n`), "\tr.read(off, len)\n${0}"},
	{"src/cmd/internal/goobj/objfile.go", regexp.MustCompile(`\tb := r\.b\[off : off\+len\]\n`), "\tr.read(off, int(len))\n${0}"},
	{
		"src/cmd/internal/goobj/objfile.go", regexp.MustCompile(`\treturn \(\*(\w+)\)\(unsafe\.Pointer\(&r\.b`),
		"\tr.read(off, int(unsafe.Sizeof(${1}{})))\n${0}",
	},
	{
		"src/cmd/internal/goobj/objfile.go", regexp.MustCompile(`\treturn \(\*\[huge\](\w+)\)\(unsafe\.Pointer\(&r\.b`),
		"\tr.read(off, n*${1}Size)\n${0}",
	},
}

// overlay writes, into a folder, the overlay of a build with some edits, and returns its file. goroot is the folder of Go. Go whose sources
// have changed their form is an error.
func overlay(goroot, folder string, edits []edit) (string, error) {
	texts := map[string][]byte{}
	for _, e := range edits {
		path := filepath.Join(goroot, filepath.FromSlash(e.file))
		if texts[e.file] == nil {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", fmt.Errorf("the sources of Go's compiler: %w", err)
			}
			texts[e.file] = text
		}
		if !e.found.Match(texts[e.file]) {
			return "", fmt.Errorf("%s is not as in Go 1.26: the toolchain of the page cannot be built with this Go", path)
		}
		texts[e.file] = e.found.ReplaceAll(texts[e.file], []byte(e.instead))
	}
	replace := map[string]string{}
	for name, text := range texts {
		own := filepath.Join(folder, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(own, text, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(goroot, filepath.FromSlash(name))] = own
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}
