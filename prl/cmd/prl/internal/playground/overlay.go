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
}

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
		if err := os.WriteFile(own, lines.ReplaceAll(text, []byte("$1")), 0o644); err != nil {
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
