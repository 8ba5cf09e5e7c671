package playground

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// others are the machines whose back ends a page does not need.
const others = "amd64|arm|arm64|loong64|mips|mips64|ppc64|riscv64|s390x|x86"

// An edit is what stands in a file of Go's sources, and what stands there in the overlay.
type edit struct {
	found   *regexp.Regexp
	instead string
}

// edits take out of the compiler and the linker what brings the back ends of other machines into them, which do not need those in a page:
// imports, entries of a table and cases of a switch. Where the linker notes that a program needs a symbol, they let it say so if prune has
// emptied that.
var edits = map[string]edit{
	"src/cmd/compile/main.go": {regexp.MustCompile(
		`\t"cmd/compile/internal/(?:` + others + `)"\n|\t"\w+": +(?:` + others + `)\.Init,\n`,
	), ""},
	"src/cmd/link/main.go": {regexp.MustCompile(
		`\t"cmd/link/internal/(?:` + others + `)"\n|\tcase "[^\n]*:\n\t\tarch, theArch = (?:` + others + `)\.Init\(\)\n`,
	), ""},
	"src/cmd/compile/internal/ssa/config.go": {regexp.MustCompile(`(?s)\tcase "amd64":\n\t\tc\.PtrSize.*?(\tcase "wasm":\n)`), "$1"},
	"src/cmd/link/internal/ld/deadcode.go": {regexp.MustCompile(
		`func \(d \*deadcodePass\) mark\(symIdx, parent loader\.Sym\) \{\n\tif symIdx != 0 && !d\.ldr\.AttrReachable\(symIdx\) \{\n`,
	), fmt.Sprintf(`${0}		if d.ldr.SymAttr(symIdx)&%d != 0 {
			d.ctxt.Errorf(parent, "this needs a part of the library that pages leave out; it runs in the lab")
		}
`, gone)},
}

// overlay writes, into a folder, the overlay of a build whose compiler and linker make WebAssembly only, and returns its file. The compiler
// is a quarter smaller so. goroot is the folder of Go. Go whose sources have changed their form is an error.
func overlay(goroot, folder string) (string, error) {
	replace := map[string]string{}
	for name, e := range edits {
		path := filepath.Join(goroot, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("the sources of Go's compiler: %w", err)
		}
		if !e.found.Match(text) {
			return "", fmt.Errorf("%s is not as in Go 1.26: the toolchain of the page cannot be built with this Go", path)
		}
		own := filepath.Join(folder, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(own, e.found.ReplaceAll(text, []byte(e.instead)), 0o644); err != nil {
			return "", err
		}
		replace[path] = own
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}
