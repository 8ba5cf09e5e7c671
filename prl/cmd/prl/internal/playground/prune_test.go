package playground

import (
	"bytes"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

var everyPackage = flag.Bool("packages", false, "let TestPrune link programs for all packages of cells, not for some")

// A program that refers to every function and method of a package links from pruned archives: the linker of the page finds in them all that
// it needs, and the module is as large as from whole archives, but for contents that the program and the library have. A program that needs
// what was left out is told so.
func TestPrune(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and links all packages of cells")
	}
	packages, err := packages(root(t))
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := archives(t.Context(), root(t), packages)
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := live.GoRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	debug, err := debugKinds(goroot)
	if err != nil {
		t.Fatal(err)
	}
	m, err := relocMarks(goroot)
	if want := (marks{26, 25}); err != nil || m != want { // of Go 1.26
		t.Fatalf("the kinds of relocations: %v, %v", m, err)
	}
	folder := t.TempDir()
	run := func(cmd *exec.Cmd) error {
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", cmd.Args, err, said)
		}
		return nil
	}
	changes, err := overlay(goroot, folder, edits)
	if err != nil {
		t.Fatal(err)
	}
	linker := filepath.Join(folder, "link")
	build := live.Go(t.Context(), root(t), "build", "-overlay", changes, "-o", linker, "cmd/link")
	build.Env = append(build.Env, "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	if err := run(build); err != nil {
		t.Fatal(err)
	}
	put := func(name string, content func(archive) []byte) (config string) {
		var text strings.Builder
		for i, a := range list {
			path := filepath.Join(folder, fmt.Sprint(name, i, ".a"))
			if err := os.WriteFile(path, content(a), 0o644); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "packagefile %s=%s\n", a.path, path)
		}
		config = filepath.Join(folder, name)
		if err := os.WriteFile(config, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return config
	}
	compile := func(config, program string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := live.Go(t.Context(), root(t), "tool", "compile", "-p=main", "-dwarf=false", "-importcfg="+config, "-o=main.o", "main.go")
		cmd.Dir = folder
		if err := run(cmd); err != nil {
			t.Fatal(err)
		}
	}
	link := func(config string) ([]byte, error) {
		t.Helper()
		cmd := live.Go(t.Context(), root(t), "version")
		cmd.Path, cmd.Args, cmd.Dir = linker, []string{linker, "-s", "-w", "-buildid=", "-importcfg=" + config, "-o=main.wasm", "main.o"}, folder
		if err := run(cmd); err != nil {
			return nil, err
		}
		return os.ReadFile(filepath.Join(folder, "main.wasm"))
	}
	built := put("built", func(a archive) []byte { return a.content })
	if err := apart(list, debug); err != nil {
		t.Fatal(err)
	}
	before, _ := joined(list)
	full := put("full", whole)
	if err := prune(list, debug, m); err != nil {
		t.Fatal(err)
	}
	after, _ := joined(list)
	t.Logf("%d bytes are %d", len(before), len(after))
	slim := put("slim", whole)
	if !*everyPackage {
		packages = slices.DeleteFunc(packages, func(path string) bool {
			return !slices.Contains([]string{"fmt", "gonum.org/v1/gonum/mat", checkout.Module + "/prl", checkout.Module + "/plotting"}, path)
		})
	}
	for _, path := range append(packages, "") {
		program, uses := everything(t, list, path)
		compile(built, program)
		want, err := link(full)
		if err != nil {
			t.Fatal(err)
		}
		got, err := link(slim)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if math.Abs(float64(len(got)-len(want))) > 1000+float64(len(want))/1000 { // contents that both have count twice
			t.Errorf("%s: %d bytes, want the %d that whole archives give", path, len(got), len(want))
		}
		t.Logf("%q, %d functions and methods: %d bytes, and %d from whole archives", path, uses, len(got), len(want))
	}
	compile(built, hidden)
	if _, err := link(full); err != nil {
		t.Fatal(err)
	}
	if _, err := link(slim); err == nil || !strings.Contains(err.Error(), "a part of the library that pages leave out") {
		t.Errorf("a program that reaches behind the library: %v", err)
	}
}

// hidden uses a package that the library uses and cells do not import.
const hidden = `package main

import "archive/zip"

func main() {
	_, err := zip.OpenReader("x")
	println(err != nil)
}
`

// everything is a program that refers to all functions and methods of a package that others can name, if they have no type parameters, and
// how many they are.
func everything(t *testing.T, list []archive, path string) (program string, uses int) {
	t.Helper()
	var text, calls strings.Builder // a function each: the compiler is slow where one is long
	use := func(what string) {
		uses++
		fmt.Fprintf(&text, "//go:noinline\nfunc f%d() { kept = append(kept, %s) }\n", uses, what)
		fmt.Fprintf(&calls, "\tf%d()\n", uses)
	}
	if path == "" {
		return "package main\n\nfunc main() {}\n", 0
	}
	read := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		i := slices.IndexFunc(list, func(a archive) bool { return a.path == path })
		return io.NopCloser(bytes.NewReader(list[i].content)), nil
	})
	pkg, err := read.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Func:
			if o.Signature().TypeParams() == nil {
				use("p." + name)
			}
		case *types.Var:
			use("&p." + name)
		case *types.TypeName:
			named, is := o.Type().(*types.Named)
			if !is || named.TypeParams() != nil || o.IsAlias() {
				continue
			}
			if i, is := named.Underlying().(*types.Interface); is {
				if i.IsMethodSet() {
					use("new(p." + name + ")")
				}
				continue
			}
			use("new(p." + name + ")")
			methods := types.NewMethodSet(types.NewPointer(named))
			for m := range methods.Len() {
				if f := methods.At(m).Obj(); f.Exported() {
					use("(*p." + name + ")." + f.Name())
				}
			}
		}
	}
	name := "p"
	if uses == 0 {
		name = "_" // it has functions of type parameters only
	}
	const form = "package main\n\nimport %s %q\n\nvar kept []any\n\n%s\nfunc main() {\n%s}\n"
	return fmt.Sprintf(form, name, path, text.String(), calls.String()), uses
}
