// Package checkout knows where things stand: the module's root and the folder .prl, in which the lab keeps everything it makes.
package checkout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Module is the path in the first line of the lab's go.mod.
const Module = "github.com/prlab/prlab"

// A Checkout is a clone of the lab. The value is the absolute path of its root.
type Checkout string

// Find walks up from dir to the folder whose go.mod declares the lab's module.
func Find(dir string) (Checkout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for at := abs; ; at = filepath.Dir(at) {
		if Is(at) {
			return Checkout(at), nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not inside a clone of %s: change into the clone and call go tool prl there", abs, Module)
		}
	}
}

// Is reports whether dir is the root of a clone.
func Is(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(mod)) {
		if rest, found := strings.CutPrefix(line, "module "); found {
			return strings.TrimSpace(rest) == Module
		}
	}
	return false
}

// Path joins names to the root.
func (c Checkout) Path(names ...string) string {
	return filepath.Join(append([]string{string(c)}, names...)...)
}

// Notebooks is the folder of the notebooks.
func (c Checkout) Notebooks() string { return c.Path("notebooks") }

// State is the folder for all that set-up makes; removing it undoes set-up.
func (c Checkout) State(names ...string) string {
	return filepath.Join(append([]string{string(c), ".prl"}, names...)...)
}

// Bin is a program that set-up has built.
func (c Checkout) Bin(name string) string { return c.State("bin", name) }

// Python is the interpreter of the lab's own virtual environment.
func (c Checkout) Python() string { return c.State("python", "bin", "python") }

// Jupyter is the jupyter-<name> program of the virtual environment.
func (c Checkout) Jupyter(name string) string { return c.State("python", "bin", "jupyter-"+name) }

// Relative is path as seen from dir, or path itself when that is shorter to read.
func Relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, filepath.Join("..", "..")) {
		return path
	}
	return rel
}

// Sealed reports whether the clone is set up for everybody on the machine, as in a container's image: .prl holds the file "sealed", is
// complete, and is not changed any more. The people who use such a lab may be unable to write in it.
func (c Checkout) Sealed() bool {
	_, err := os.Stat(c.State("sealed"))
	return err == nil
}

// Own is a place for what verbs and kernels make and may lose: in .prl, or, if the lab is sealed, in the person's own cache.
func (c Checkout) Own(names ...string) string {
	if !c.Sealed() {
		return c.State(names...)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(append([]string{base, "prl"}, names...)...)
}

// Argument is path as it is written at a shell, from the present folder: in quotes where the shell would read it otherwise.
func Argument(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "." + string(filepath.Separator) + path
	}
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+,:@%", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
