package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/lock"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// Module returns the module of a notebook, as gzip: WebAssembly that gives a page its live figures (see Serve of the package of live
// figures). It is nil for a notebook without live figures. A module that was built before, of the same cells with the same library and the
// same Go, is taken from the folder of modules. A student's module has nothing of the solutions of exercises.
func Module(ctx context.Context, root checkout.Checkout, path string, student bool) ([]byte, error) {
	m, err := builtFor(ctx, root, path, student)
	if m.Hash == "" || err != nil {
		return nil, err
	}
	return os.ReadFile(m.Path())
}

// PageModule returns the module of a notebook as a page holds it: as LZMA, a third shorter than gzip, with which the runtime of figures
// begins as well. The packing takes a Python some seconds and is kept. Where a Python was built without LZMA, it is gzip.
func PageModule(ctx context.Context, root checkout.Checkout, python, path string, student bool) ([]byte, error) {
	m, err := builtFor(ctx, root, path, student)
	if m.Hash == "" || err != nil {
		return nil, err
	}
	kept := strings.TrimSuffix(m.Path(), ".gz") + ".lzma"
	if packed, err := os.ReadFile(kept); err == nil {
		return packed, nil
	}
	held, err := m.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	if packed, err := os.ReadFile(kept); err == nil { // another process has packed it meanwhile
		return packed, nil
	}
	zipped, err := os.ReadFile(m.Path())
	if err != nil {
		return nil, err
	}
	data, err := unzipped(zipped)
	if err != nil {
		return nil, err
	}
	packed, err := Pressed(ctx, python, data)
	if errors.Is(err, errNoLZMA) {
		return zipped, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return packed, atomicfile.Write(kept, packed, 0o644)
}

// builtFor builds the module of a notebook, unless it is there. It has no hash for a notebook without live figures.
func builtFor(ctx context.Context, root checkout.Checkout, path string, student bool) (Planned, error) {
	n, err := notebook.Read(path)
	if err != nil {
		return Planned{}, err
	}
	program, _, err := Program(Cells(n, student))
	if err != nil {
		return Planned{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if program == "" {
		return Planned{}, nil
	}
	m, err := Plan(root, program)
	if err != nil {
		return Planned{}, err
	}
	if err := m.Build(ctx); err != nil {
		return Planned{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return m, nil
}

// Exec returns the script wasm_exec.js of the Go that builds modules, which a page needs to run them.
func Exec(ctx context.Context) ([]byte, error) {
	root, err := GoRoot(ctx)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
}

// goProgram is the Go that builds: in a kernel the one that builds its cells.
func goProgram() string {
	if program := os.Getenv(goenv.GoVar); program != "" {
		return program
	}
	return "go"
}

// GoRoot is the folder of the Go that builds modules.
func GoRoot(ctx context.Context) (string, error) {
	out, err := process.Command(ctx, goProgram(), "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// A Planned module is one that can be built.
type Planned struct {
	root    checkout.Checkout
	program string
	Hash    string // of all that the module depends on
}

// Plan finds the hash of the module of a program.
func Plan(root checkout.Checkout, program string) (Planned, error) {
	sum := sha256.New()
	version, err := process.Command(context.Background(), goProgram(), "version").Output()
	if err != nil {
		return Planned{}, fmt.Errorf("go version: %w", err)
	}
	const form = 2 // changes when a module of the same program does
	fmt.Fprintf(sum, "%s\x00%s\x00%d\x00", version, program, form)
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := add(sum, root.Path(name)); err != nil {
			return Planned{}, err
		}
	}
	for _, folder := range []string{"datasets", "plotting", "prl"} {
		err := filepath.WalkDir(root.Path(folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "cmd" || d.Name() == "runtime"):
				return fs.SkipDir // what no cell imports
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return add(sum, path)
		})
		if err != nil {
			return Planned{}, err
		}
	}
	return Planned{root: root, program: program, Hash: hex.EncodeToString(sum.Sum(nil)[:16])}, nil
}

func add(sum interface{ Write([]byte) (int, error) }, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s\x00%d\x00", filepath.Base(path), len(text))
	sum.Write(text)
	return nil
}

// Warm compiles what modules share into the build cache: all that one with a small figure needs.
func Warm(ctx context.Context, root checkout.Checkout) error {
	program, _, err := Program([]Cell{{ID: "warm", Text: `import (
	"` + checkout.Module + `/plotting"
	"` + checkout.Module + `/prl"
	"` + library + `"
)
%%
prl.Live(func(in *live.Inputs) *plotting.Figure { return prl.Iris().Scatter() }).Show()`}})
	if err != nil {
		return err
	}
	m, err := Plan(root, program)
	if err != nil {
		return err
	}
	_, err = m.link(ctx)
	return err
}

// Name is the name of the file of the module, in the folder live of the state.
func (m Planned) Name() string { return m.Hash + ".wasm.gz" }

// Path is the file of the module, which is there once it has been built. Beside it stands the script that runs it, HASH.js.
func (m Planned) Path() string { return m.root.Own("live", m.Name()) }

// Built reports whether the module is there.
func (m Planned) Built() bool {
	_, err := os.Stat(m.Path())
	return err == nil
}

// Keep keeps the program beside its module, so that a module that is not built, or is gone, can be built later; see Kept.
func (m Planned) Keep() error {
	if err := atomicfile.Folder(filepath.Dir(m.Path()), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(m.root.Own("live", m.Hash+".go"), []byte(m.program), 0o644)
}

// Kept returns the program that was kept beside the module with this name.
func Kept(root checkout.Checkout, name string) (program string, err error) {
	text, err := os.ReadFile(root.Own("live", strings.TrimSuffix(name, ".wasm.gz")+".go"))
	return string(text), err
}

// quiet are packages in which a figure spends no time. Compiled without inlining they make a module 4 % smaller and no slower.
var quiet = []string{
	"fmt", "internal/bisect", "internal/fmtsort", "internal/godebug", "internal/poll", "internal/reflectlite", "io/fs", "os", "reflect",
	"syscall", "syscall/js", "time", checkout.Module + "/plotting/internal/live", checkout.Module + "/prl", checkout.Module + "/prl/cell",
	checkout.Module + "/prl/estimator", checkout.Module + "/prl/fault", checkout.Module + "/prl/jsontext", checkout.Module + "/prl/live",
	checkout.Module + "/prl/plan",
}

// Command is what builds the program in the file source for pages.
func Command(ctx context.Context, root checkout.Checkout, source, output string) *exec.Cmd {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}
	for _, name := range quiet {
		args = append(args, "-gcflags="+name+"=-l")
	}
	return Go(ctx, root, append(args, "-o", output, source)...)
}

// Go is a command of Go that works for pages.
func Go(ctx context.Context, root checkout.Checkout, args ...string) *exec.Cmd {
	cmd := process.Command(ctx, goProgram(), args...)
	cmd.Dir = string(root)
	cmd.Env = append(goenv.Many(goenv.Without(os.Environ(), "GOOS", "GOARCH", "GOFLAGS", "GOWORK", "GOEXPERIMENT", "GOWASM")),
		"GOOS=js", "GOARCH=wasm", "GOWORK=off")
	return cmd
}

// Build builds the module, unless it is there. Its files are written whole or not at all.
func (m Planned) Build(ctx context.Context) error {
	if m.Built() {
		return nil
	}
	if err := atomicfile.Folder(filepath.Dir(m.Path()), 0o755); err != nil {
		return err
	}
	held, err := m.alone(ctx)
	if err != nil {
		return err
	}
	defer held.Release()
	if m.Built() { // another process has built it meanwhile
		return nil
	}
	wasm, err := m.link(ctx)
	if err != nil {
		return err
	}
	if wasm, err = Shrink(wasm); err != nil {
		return fmt.Errorf("the module of the live figures: %w", err)
	}
	packed, err := pack(wasm)
	if err != nil {
		return err
	}
	script, err := Exec(ctx)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(m.root.Own("live", m.Hash+".js"), script, 0o644); err != nil {
		return err
	}
	return atomicfile.Write(m.Path(), packed, 0o644)
}

// alone keeps other processes from making the same files.
func (m Planned) alone(ctx context.Context) (*lock.Lock, error) {
	return lock.Take(ctx, strings.TrimSuffix(m.Path(), ".wasm.gz")+".lock", func(string) {})
}

// link compiles the program, with all of the library that it needs, to WebAssembly.
func (m Planned) link(ctx context.Context) ([]byte, error) {
	folder, err := process.TempDir(process.LiveFolder)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	source, module := filepath.Join(folder, "main.go"), filepath.Join(folder, "module.wasm")
	if err := os.WriteFile(source, []byte(m.program), 0o644); err != nil {
		return nil, err
	}
	if out, err := Command(ctx, m.root, source, module).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the live figures cannot be built for pages: %s", plain(string(out), err))
	}
	return os.ReadFile(module)
}

// pack returns a module as gzip.
func pack(wasm []byte) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	z.Write(wasm) // a buffer takes everything
	z.Close()
	return packed.Bytes(), nil
}

// mostKept is how many modules MakeRoom leaves.
const mostKept = 200

// MakeRoom removes the oldest of the kept modules where there are many. It is for programs that build them, and no part of Build: a test
// that builds one would depend on all the others.
func MakeRoom(root checkout.Checkout) {
	paths, _ := filepath.Glob(root.Own("live", "*.wasm.gz"))
	age := map[string]time.Time{}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			age[path] = info.ModTime()
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return age[a].Compare(age[b]) })
	for _, path := range paths[:max(0, len(paths)-mostKept)] {
		os.Remove(path)
		for _, other := range []string{".js", ".go", ".lock"} {
			os.Remove(strings.TrimSuffix(path, ".wasm.gz") + other)
		}
		os.Remove(strings.TrimSuffix(path, ".gz") + ".lzma")
	}
}

var place = regexp.MustCompile(`(?m)^(?:\S*/)?cell-([^/\s]*)\.go:(\d+):(?:\d+:)? `)

// plain is what the compiler says, in the words of the notebook.
func plain(said string, err error) string {
	var lines []string
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, place.ReplaceAllString(line, "cell $1, line $2: "))
		}
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}
