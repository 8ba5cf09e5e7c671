//go:build !js

package cell

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// programOf identifies the code that computes a result: the library, and of the program the function compute with all that it needs, and
// the types of its own among those of the key. In a cell the kernel has told what the code of each line is; any other program counts as a
// whole.
func programOf(compute any, types []string) string {
	c := cellCode()
	if c == nil {
		return programCode()
	}
	code := c.library
	f := runtime.FuncForPC(reflect.ValueOf(compute).Pointer())
	if f != nil && strings.HasPrefix(f.Name(), "main.") {
		file, line := f.FileLine(f.Entry())
		hash := ""
		if filepath.Base(file) == "main.go" {
			hash = c.at(line)
		}
		if hash == "" {
			return programCode()
		}
		code += " " + hash
	}
	for _, name := range types {
		hash := c.types[name]
		if hash == "" {
			return programCode()
		}
		code += " " + hash
	}
	return code
}

// A code is what the kernel tells of a cell's program.
type code struct {
	library string
	lines   []codeLines
	types   map[string]string
}

type codeLines struct {
	from, to int
	hash     string
}

// at is the hash of the shortest piece that holds a line.
func (c *code) at(line int) (hash string) {
	least := -1
	for _, l := range c.lines {
		if l.from <= line && line <= l.to && (least < 0 || l.to-l.from < least) {
			least, hash = l.to-l.from, l.hash
		}
	}
	return hash
}

// cellCode reads what the kernel has told of this program, nil if it is not a cell's.
var cellCode = sync.OnceValue(func() *code {
	dir := os.Getenv("PRL_CELL")
	if dir == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "keep.txt"))
	if err != nil {
		return nil
	}
	library, rest, _ := strings.Cut(string(text), "\n")
	c := &code{library: library, types: map[string]string{}}
	for line := range strings.Lines(rest) {
		words := strings.Fields(line)
		if len(words) != 4 {
			return nil
		}
		from, _ := strconv.Atoi(words[0])
		to, _ := strconv.Atoi(words[1])
		if name, isType := strings.CutPrefix(words[2], "type:"); isType {
			c.types[name] = words[3]
			continue
		}
		c.lines = append(c.lines, codeLines{from, to, words[3]})
	}
	return c
})

// programCode is a hash of this program's file.
var programCode = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	text, _ := os.ReadFile(path)
	sum := sumOf(text)
	return strconv.FormatUint(sum.hi, 16) + strconv.FormatUint(sum.lo, 16)
})
