package live

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// computing are the packages of Go that a page's program may import: those that compute, and none that reaches the browser, a file, the
// network or the memory of the program. A page runs programs that the author of its notebook wrote. The kernel begins each cell with
// flag.Parse.
var computing = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "encoding/base64", "encoding/binary",
	"encoding/csv", "encoding/hex", "encoding/json", "errors", "flag", "fmt", "hash/fnv", "image", "image/color", "iter", "maps",
	"math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2", "regexp", "slices", "sort", "strconv", "strings",
	"sync", "sync/atomic", "text/tabwriter", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// libraries are the modules whose packages it may import.
var libraries = []string{"gonum.org/v1/gonum/", checkout.Module + "/prl", checkout.Module + "/plotting", checkout.Module + "/datasets"}

// tooling are packages of these modules that it may not.
var tooling = []string{checkout.Module + "/prl/cmd", checkout.Module + "/prl/judge"}

// directive is an order to the compiler, some of which give a function of the browser, or of another package, another name.
var directive = regexp.MustCompile(`(?m)^\s*//\s*(?:go:|export\b)|^\s*//(?:go:|line |export )|/\*\s*line `)

// harmless reports whether the program imports what a page may run alone.
func (p *program) harmless() error {
	for _, name := range slices.Sorted(maps.Keys(p.uses.imports)) {
		spec := p.uses.imports[name]
		path, err := strconv.Unquote(spec[strings.IndexAny(spec, "\"`"):])
		in := func(module string) bool {
			return path == strings.TrimSuffix(module, "/") || strings.HasPrefix(path, strings.TrimSuffix(module, "/")+"/")
		}
		if err != nil || !slices.Contains(computing, path) && !slices.ContainsFunc(libraries, in) || slices.ContainsFunc(tooling, in) {
			return fmt.Errorf("a live figure uses the package %s, which a page does not run: it may compute, and not reach the browser, files "+
				"or the network", path)
		}
	}
	each := append(slices.Collect(maps.Values(p.uses.declarations)), p.bodies...)
	for _, d := range each {
		if directive.MatchString(d.text) {
			return fmt.Errorf("cell %s holds an order to the compiler (//go:), which a page does not follow", d.cell)
		}
	}
	return nil
}
