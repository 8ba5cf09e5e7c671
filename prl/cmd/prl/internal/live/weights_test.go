package live

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modules leaves the paths of modules out of names, which have _ for /.
var modules = strings.NewReplacer("github.com_prlab_prlab_", "", "gonum.org_v1_gonum_", "gonum_")

// weights lists the packages of a program by the bytes of their code in its module, the heaviest first.
func weights(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	source, output := filepath.Join(folder, "main.go"), filepath.Join(folder, "module.wasm")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	build := Command(t.Context(), root(t), source, output)
	for i, arg := range build.Args {
		if arg == "-ldflags=-s -w" {
			build.Args[i] = "-ldflags=-w" // the names of functions stay
		}
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int{}
	total := 0
	for name, size := range functions(module) {
		name, _, _ = strings.Cut(modules.Replace(name), ".")
		sum[name] += size
		total += size
	}
	names := slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Compare(sum[b], sum[a]) })
	var b strings.Builder
	for _, name := range names[:min(len(names), 20)] {
		fmt.Fprintf(&b, "%9d bytes, %4.1f %%  %s\n", sum[name], 100*float64(sum[name])/float64(total), name)
	}
	return b.String()
}

// functions returns the size of each function of a WebAssembly module by its name: sections 2 (imports), 10 (code) and 0 (names) of the
// format.
func functions(module []byte) map[string]int {
	rest := module[8:]
	number := func() int {
		v, n := binary.Uvarint(rest)
		rest = rest[n:]
		return int(v)
	}
	text := func() string {
		n := number()
		s := string(rest[:n])
		rest = rest[n:]
		return s
	}
	imported := 0
	var sizes []int
	bySize := map[string]int{}
	for len(rest) > 0 {
		id := rest[0]
		rest = rest[1:]
		length := number()
		after := rest[length:]
		switch id {
		case 2:
			for range number() {
				text()
				text()
				rest = rest[1:] // all imports of Go are functions
				number()
				imported++
			}
		case 10:
			for range number() {
				size := number()
				sizes = append(sizes, size)
				rest = rest[size:]
			}
		case 0:
			for named := text() == "name"; named && len(rest) > len(after); {
				part := rest[0]
				rest = rest[1:]
				length := number()
				next := rest[length:]
				if part == 1 { // of functions
					for range number() {
						i := number()
						if name := text(); i >= imported {
							bySize[name] += sizes[i-imported]
						}
					}
				}
				rest = next
			}
		}
		rest = after
	}
	return bySize
}
