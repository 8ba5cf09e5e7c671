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

// backEnds are the lines of Go's sources that bring the back ends of other machines into the compiler and the linker, which do not need
// them in a page: imports, entries of a table and cases of a switch.
var backEnds = map[string]*regexp.Regexp{
	"src/cmd/compile/main.go": regexp.MustCompile(
		`\t"cmd/compile/internal/(?:` + others + `)"\n|\t"\w+": +(?:` + others + `)\.Init,\n`,
	),
	"src/cmd/link/main.go": regexp.MustCompile(
		`\t"cmd/link/internal/(?:` + others + `)"\n|\tcase "[^\n]*:\n\t\tarch, theArch = (?:` + others + `)\.Init\(\)\n`,
	),
	"src/cmd/compile/internal/ssa/config.go": regexp.MustCompile(`(?s)\tcase "amd64":\n\t\tc\.PtrSize.*?(\tcase "wasm":\n)`),
	deadCode: regexp.MustCompile(
		`(?m)^(func \(d \*deadcodePass\) mark\(symIdx, parent loader\.Sym\) \{\n\tif symIdx != 0 && !d\.ldr\.AttrReachable\(symIdx\) \{\n)`,
	),
}

// deadCode is the file in which the linker finds out what a program needs. There it says where that is a symbol which prune has emptied.
const deadCode = "src/cmd/link/internal/ld/deadcode.go"

// pruned stands in the linker where it notes that a program needs a symbol, behind what was there.
var pruned = fmt.Sprintf(`$1		if d.ldr.SymAttr(symIdx)&%d != 0 {
			d.ctxt.Errorf(parent, "this needs a part of the library that pages leave out; it runs in the lab")
		}
`, gone)

// overlay writes, into a folder, the overlay of a build whose compiler and linker make WebAssembly only, and returns its file. The compiler
// is a quarter smaller so. goroot is the folder of Go. Go whose sources have changed their form is an error.
func overlay(goroot, folder string) (string, error) {
	replace := map[string]string{}
	for name, lines := range backEnds {
		path := filepath.Join(goroot, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("the sources of Go's compiler: %w", err)
		}
		if !lines.Match(text) {
			return "", fmt.Errorf("%s is not as in Go 1.26: the toolchain of the page cannot be built with this Go", path)
		}
		own := filepath.Join(folder, strings.ReplaceAll(name, "/", "-"))
		instead := "$1"
		if name == deadCode {
			instead = pruned
		}
		if err := os.WriteFile(own, lines.ReplaceAll(text, []byte(instead)), 0o644); err != nil {
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
